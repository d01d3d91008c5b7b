//! Documents as plain text.

use super::{BAR, lines};
use crate::{Align, Block, Document, Inline, Table};

/// The widest line under a heading.
const WIDEST_RULE: usize = 100;

impl Document {
    /// As plain text.
    pub fn plain(&self) -> String {
        let mut out = Vec::new();
        let quotation_marks = self.language.quotation_marks();
        if !self.title.is_empty() {
            out.push(ruled(&self.title, "="));
        }
        out.extend(self.blocks.iter().map(|one| block(one, quotation_marks)));
        out.join("\n\n") + "\n"
    }
}

fn block(block: &Block, (open, close): (char, char)) -> String {
    match block {
        // As it is written: capitals throughout would change names.
        Block::Heading { level: 1, text } => ruled(&written(text), "-"),
        Block::Heading { text, .. } | Block::Paragraph(text) => written(text),
        Block::Bullets(points) => lines(points.iter().map(|point| format!("• {}", written(point)))),
        Block::Numbered(points) => {
            lines(points.iter().enumerate().map(|(at, point)| format!("{}. {}", at + 1, written(point))))
        }
        Block::Table(table) => aligned(table),
        Block::Quote { text, source } if source.as_str().is_empty() => {
            format!("{open}{}{close}", written(text))
        }
        Block::Quote { text, source } => format!("{open}{}{close} ({})", written(text), written(source)),
        Block::Notes(label) => format!("{}: {}", written(label), "_".repeat(40)),
        Block::Chart(chart) => aligned(&Table { align: Vec::new(), ..chart.table(BAR) }),
    }
}

fn ruled(text: &str, sign: &str) -> String {
    format!("{text}\n{}", sign.repeat(text.chars().count().min(WIDEST_RULE)))
}

/// The words, each link with its address.
pub(super) fn written(inline: &Inline) -> String {
    let mut out = String::with_capacity(inline.as_str().len());
    for (text, marks) in inline.spans() {
        out.push_str(text);
        if let Some(address) = marks.address().filter(|address| *address != text) {
            out.push_str(&format!(" ({address})"));
        }
        if marks.unproven {
            out.push_str(" [?]");
        }
    }
    out
}

fn aligned(table: &Table) -> String {
    let written = |cells: &[Inline]| cells.iter().map(written).collect::<Vec<_>>();
    let width = |text: &str| text.chars().count();
    let header = written(&table.header);
    let rows: Vec<Vec<String>> = table.rows.iter().map(|cells| written(cells)).collect();
    let widths: Vec<usize> = (header.iter().enumerate())
        .map(|(at, name)| {
            let cells = rows.iter().filter_map(|row| row.get(at)).map(|cell| width(cell));
            cells.chain([width(name)]).max().unwrap_or(0)
        })
        .collect();
    let row = |cells: &[String]| {
        let cells = cells.iter().zip(&widths).enumerate().map(|(at, (cell, wide))| {
            let room = " ".repeat(wide.saturating_sub(width(cell)));
            match table.align_of(at) {
                Align::Start => format!("{cell}{room}"),
                Align::End => format!("{room}{cell}"),
            }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let rule: Vec<String> = widths.iter().map(|wide| "=".repeat(*wide)).collect();
    lines([row(&header), rule.join("  ")].into_iter().chain(rows.iter().map(|cells| row(cells))))
}
