//! Tables as they are pasted: cells between bars, tabs or semicolons.

use std::ops::Range;

use super::{
    Category,
    cues::Cues,
    legend::{Legend, tag_of},
    lines::{Line, Mark},
    mail::Part,
    markers::heading,
    words::View,
};

/// What parts the cells of a table that has no bars at its edges, and how many rows it takes to believe it.
const SIGNS: [(char, usize); 3] = [('\t', 2), (';', 3), ('|', 2)];
/// The most cells of a row that are looked at.
const MOST_CELLS: usize = 12;

/// Rows that belong together.
#[derive(Debug)]
pub(super) struct Table {
    /// The lines, by number.
    pub(super) lines: Range<usize>,
    rows: Vec<Vec<Range<usize>>>,
}

/// The tables of a text, in order. Lines are taken for rows only if a cell says what they are about.
pub(super) fn tables(
    view: &View<'_>,
    lines: &[Line],
    parts: &[Part],
    legend: &Legend,
    cues: &Cues,
) -> Vec<Table> {
    let mut tables = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let bars = run(lines, parts, at, |line| line.mark == Mark::Row);
        let found = if bars > 0 {
            Some((bars, '|'))
        } else {
            SIGNS.iter().find_map(|(sign, least)| {
                let rows = signed(view, lines, parts, at, *sign);
                (rows >= *least).then_some((rows, *sign))
            })
        };
        let Some((count, sign)) = found else {
            at += 1;
            continue;
        };
        let own = lines.get(at..at + count).unwrap_or_default();
        let rows: Vec<_> = own.iter().map(|line| cells(view, &line.range, sign)).collect();
        let named = |cell: &Range<usize>| meaning(view, cell, legend, cues).is_some();
        if bars > 0 || rows.iter().flatten().any(named) {
            tables.push(Table { lines: at..at + count, rows });
        }
        at += count;
    }
    tables
}

/// How many lines from here on are rows.
fn run(lines: &[Line], parts: &[Part], at: usize, is_row: impl Fn(&Line) -> bool) -> usize {
    let all = lines.get(at..).unwrap_or_default().iter().zip(parts.get(at..).unwrap_or_default());
    all.take_while(|(line, part)| **part == Part::Content && is_row(line)).count()
}

/// How many lines from here on have the same sign between their cells. A tab may be missing where only the first cell is
/// filled, but not in the first two rows.
fn signed(view: &View<'_>, lines: &[Line], parts: &[Part], at: usize, sign: char) -> usize {
    let count = |line: &Line| view.slice(&line.range).matches(sign).count();
    let first = lines.get(at).map_or(0, count);
    if first == 0 {
        return 0;
    }
    let plain = |line: &Line| !line.bullet && line.mark != Mark::Row && !line.heading;
    let full = run(lines, parts, at, |line| {
        plain(line) && count(line) > 0 && (sign == '\t' || count(line) == first)
    });
    if sign != '\t' || full < 2 {
        return full;
    }
    let short = |line: &Line| {
        plain(line) && view.words_in(&line.range).len() <= 14 && !view.slice(&line.range).contains(':')
    };
    run(lines, parts, at, |line| plain(line) && (count(line) > 0 || short(line)))
}

/// What a cell says about the others of its row or column.
fn meaning(view: &View<'_>, cell: &Range<usize>, legend: &Legend, cues: &Cues) -> Option<Category> {
    let words = view.words_in(cell);
    if words.len() > 6 {
        return None;
    }
    let text = view.slice(cell);
    let sign = legend.of(text).or_else(|| column_letter(text));
    sign.or_else(|| tag_of(words, cues)).or_else(|| heading(words, cues, 0))
}

/// The letters of forms: essential and desirable, must and "kann".
fn column_letter(text: &str) -> Option<Category> {
    match text.trim() {
        "E" | "M" => Some(Category::Must),
        "D" | "K" | "N" => Some(Category::Good),
        _ => None,
    }
}

type Row = Vec<Range<usize>>;
type Names = Vec<Option<Category>>;

impl Table {
    /// What its cells say. A cell may name the category of the others in its row, and so may the head of a column;
    /// `section` is what the text around it is about.
    pub(super) fn read(
        &self,
        view: &View<'_>,
        section: Option<Category>,
        legend: &Legend,
        cues: &Cues,
    ) -> Vec<(Category, Range<usize>)> {
        let said = |cell: &Range<usize>| view.slice(cell).chars().any(char::is_alphanumeric);
        let rows: Vec<&Row> = self.rows.iter().filter(|row| row.iter().any(said)).collect();
        // "| --- | --- |" under the first row makes it the head.
        let ruled = self.rows.get(1).is_some_and(|row| !row.iter().any(said));
        let names = |row: &&Row| row.iter().map(|cell| meaning(view, cell, legend, cues)).collect();
        let meanings: Vec<Names> = rows.iter().map(names).collect();
        if let Some(level) = level(&meanings) {
            return leveled(view, &rows, &meanings, level);
        }
        let mut columns: Names = Vec::new();
        let mut found = Vec::new();
        for (at, (row, names)) in rows.iter().zip(&meanings).enumerate() {
            let full = row.iter().filter(|cell| said(cell)).count();
            let all_named = names.iter().flatten().count() == full && full > 1;
            if (ruled && at == 0) || all_named {
                columns.clone_from(names);
            } else if columns.iter().any(Option::is_some) {
                let cells = row.iter().zip(&columns).filter(|(cell, _)| said(cell));
                found.extend(cells.filter_map(|(cell, name)| Some(((*name)?, cell.clone()))));
            } else if let Some(category) = decisive(names) {
                let own =
                    row.iter().zip(names).find(|(cell, name)| name.is_none() && has_letters(view, cell));
                found.extend(own.map(|(cell, _)| (category, cell.clone())));
            } else if full == 1 {
                found.extend(section.zip(row.iter().find(|cell| said(cell)).cloned()));
            }
        }
        found
    }
}

/// The column that says of most rows whether they are required.
fn level(meanings: &[Names]) -> Option<usize> {
    let width = meanings.iter().map(Vec::len).max().unwrap_or(0).min(MOST_CELLS);
    let named = |column: usize| {
        let cells = meanings.iter().filter_map(|names| names.get(column).copied().flatten());
        cells.filter(|category| category.is_about_candidate()).count()
    };
    // Where two columns say so, the groups of requirements come before their levels.
    let best = (0..width).map(|column| (named(column), column)).max()?;
    Some(best).filter(|(count, _)| *count >= 2 && *count * 2 + 1 >= meanings.len()).map(|(_, column)| column)
}

/// The rows of a table with a column of levels; its first row may only name the columns.
fn leveled(
    view: &View<'_>,
    rows: &[&Row],
    meanings: &[Names],
    level: usize,
) -> Vec<(Category, Range<usize>)> {
    let of_level = |names: &Names| names.get(level).copied().flatten().filter(|own| own.is_about_candidate());
    let head = meanings.first().is_some_and(|names| of_level(names).is_none());
    let content = content(view, rows, level, head);
    let body = rows.iter().zip(meanings).skip(usize::from(head));
    let read = body.filter_map(|(row, names)| {
        let personal = names.contains(&Some(Category::Soft)).then_some(Category::Soft);
        let category = personal.or(of_level(names)).or_else(|| decisive(names))?;
        let own = row.get(content).filter(|cell| has_letters(view, cell));
        let any = || row.iter().zip(names).find(|(cell, name)| name.is_none() && has_letters(view, cell));
        let cell = own.or_else(|| any().map(|(cell, _)| cell))?;
        Some((category, cell.clone()))
    });
    read.collect()
}

/// The column that says what is demanded: the wordiest before the levels whose cells differ, else the first after them.
fn content(view: &View<'_>, rows: &[&Row], level: usize, head: bool) -> usize {
    let words = |column: usize| {
        let body = rows.iter().skip(usize::from(head));
        let cells = body.filter_map(|row| row.get(column)).filter(|cell| has_letters(view, cell));
        let mut cells: Vec<&str> = cells.map(|cell| view.slice(cell)).collect();
        let (count, words) = (cells.len(), cells.iter().map(|cell| cell.split_whitespace().count()).sum());
        cells.sort_unstable();
        cells.dedup();
        Some(words).filter(|_: &usize| cells.len() * 5 >= count * 4 && count * 2 > rows.len())
    };
    let before = (0..level).filter_map(|column| Some((words(column)?, column)));
    before.max_by_key(|(words, column)| (*words, level - column)).map_or(level + 1, |(_, column)| column)
}

/// What a row is about: a requirement before anything else.
fn decisive(names: &[Option<Category>]) -> Option<Category> {
    let all = || names.iter().flatten().copied();
    all().find(|category| category.is_about_candidate()).or_else(|| all().next())
}

fn has_letters(view: &View<'_>, cell: &Range<usize>) -> bool {
    view.slice(cell).chars().any(char::is_alphabetic)
}

/// The cells of a row, in bytes of the text.
fn cells(view: &View<'_>, range: &Range<usize>, sign: char) -> Vec<Range<usize>> {
    let text = view.slice(range);
    let inner = text.strip_prefix('|').unwrap_or(text);
    let start = range.start + (text.len() - inner.len());
    let mut cells = Vec::new();
    let mut from = 0;
    for (at, _) in inner.match_indices(sign) {
        cells.push(view.trim(start + from..start + at, char::is_whitespace));
        from = at + sign.len_utf8();
    }
    if !inner.get(from..).unwrap_or_default().trim().is_empty() {
        cells.push(view.trim(start + from..range.end, char::is_whitespace));
    }
    cells
}
