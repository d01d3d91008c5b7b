//! The tables of a document as files have them.

use crate::{Block, Document, Inline, Table};

/// Characters that a row of a table has room for.
const ROW: f32 = 88.0;

/// The tables of a document with the heading above each; a chart is a table of its numbers.
pub(super) fn tables(document: &Document) -> Vec<(String, Vec<Vec<&Inline>>)> {
    let mut heading = document.title.clone();
    let mut tables = Vec::new();
    for block in &document.blocks {
        match block {
            Block::Heading { text, .. } => text.as_str().clone_into(&mut heading),
            Block::Table(table) => {
                let rows = std::iter::once(&table.header).chain(&table.rows);
                tables.push((heading.clone(), rows.map(|row| row.iter().collect()).collect()));
            }
            Block::Chart(chart) => {
                let [label, _, count] = &chart.columns;
                let rows = chart.stages.iter().map(|stage| vec![&stage.label, &stage.shown]);
                tables.push((heading.clone(), std::iter::once(vec![label, count]).chain(rows).collect()));
            }
            Block::Paragraph(_)
            | Block::Bullets(_)
            | Block::Numbered(_)
            | Block::Quote { .. }
            | Block::Notes(_) => {}
        }
    }
    tables
}

/// What part of the page each column gets: room for its longest word first, so that no figure is broken, and of what is left
/// as much as its longest cell asks for.
pub(super) fn shares(table: &Table) -> Vec<f32> {
    let rows = || std::iter::once(&table.header).chain(&table.rows);
    let columns = rows().map(Vec::len).max().unwrap_or(0).min(60);
    let letters = |count: usize| f32::from(u16::try_from(count).unwrap_or(u16::MAX));
    let wish = |column: usize| {
        let (mut longest, mut word) = (1, 1);
        for cell in rows().filter_map(|row| row.get(column)).map(Inline::as_str) {
            longest = longest.max(cell.chars().count());
            word = word.max(cell.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0));
        }
        let word = word.min(24);
        // The margins of a cell, and bold letters, which are wider.
        (letters(word) * 1.15 + 3.5, letters(longest.min(45).saturating_sub(word)))
    };
    let wishes: Vec<(f32, f32)> = (0..columns).map(wish).collect();
    let (least, more) = wishes.iter().fold((0.0, 0.0), |(least, more), wish| (least + wish.0, more + wish.1));
    let left = (ROW - least).max(0.0);
    let each = |(least, wish): &(f32, f32)| if more > 0.0 { least + left * wish / more } else { *least };
    let widths: Vec<f32> = wishes.iter().map(each).collect();
    let all: f32 = widths.iter().sum();
    widths.iter().map(|width| width / all.max(1.0)).collect()
}
