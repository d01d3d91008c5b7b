//! The layout of a table: where its headings stand, and what each column is for.

use super::{
    csv::{self, Number},
    fold,
    labels::{self, Known, Meaning},
    mapping::{Answers, is_contact},
    target::{Column, Target},
};
use crate::{
    Texts,
    mapping::{MappingPart, NeedsMapping},
};

/// How many rows are looked at for the headings: reports begin with a title, a date, a filter.
const HEADER_ROWS: usize = 12;
/// The longest source that is remembered, in characters.
const LONGEST_SOURCE: usize = 300;

/// A table with its headings, if it has any.
#[derive(Debug)]
pub(super) struct Table<'a> {
    pub(super) above: &'a [Vec<String>],
    pub(super) header: Option<&'a Vec<String>>,
    pub(super) body: &'a [Vec<String>],
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It names the stages of the rows.
    Label,
    /// It counts.
    Count,
    /// It has days.
    Days,
    /// It is a figure itself.
    Figure(Target),
    /// About persons.
    Personal,
    /// Nothing of the funnel.
    Unread,
    /// Nothing stands in it.
    Blank,
}

/// What a table looks like.
#[derive(Debug)]
pub(super) enum Layout {
    /// One stage per row.
    Long(Vec<Use>),
    /// One stage per column.
    Wide(Vec<Use>),
    /// One person per row, with the stage reached.
    People(Vec<Use>),
    /// The columns must be asked about first.
    Asked(Vec<Use>),
    /// None of these.
    Unknown,
}

impl<'a> Table<'a> {
    /// Finds the headings: the row among the first whose cells are best known.
    pub(super) fn of(rows: &'a [Vec<String>]) -> Self {
        let mut best = (0, None);
        for (at, row) in rows.iter().enumerate().take(HEADER_ROWS) {
            // "Views" above a number is a table of one column.
            let alone = || {
                matches!(row.as_slice(), [name] if labels::figure(name).is_some())
                    && matches!(rows.get(at + 1).map(Vec::as_slice), Some([cell]) if is_number(cell))
            };
            let known = header_score(row).max(usize::from(rows.len() == 2 && alone()));
            if known > best.0 && at + 1 < rows.len() {
                best = (known, Some(at));
            }
        }
        let (above, header, body) = if let Some(at) = best.1 {
            (rows.get(..at), rows.get(at), rows.get(at + 1..))
        } else {
            let first = rows.iter().position(|row| row.iter().any(|cell| is_number(cell)));
            (rows.get(..first.unwrap_or(0)), None, rows.get(first.unwrap_or(0)..))
        };
        Self { above: above.unwrap_or_default(), header, body: body.unwrap_or_default() }
    }

    /// The headings in the form in which tables are compared.
    pub(super) fn source(&self) -> String {
        let names = self.header.into_iter().flatten().map(|name| fold::words(name).join(" "));
        let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
        names.join(" | ").chars().take(LONGEST_SOURCE).collect()
    }

    /// The name of a column; nameless ones are called by their number.
    pub(super) fn name(&self, at: usize) -> String {
        let own = self.header.and_then(|header| header.get(at)).map_or("", String::as_str);
        if own.is_empty() { format!("column {}", at + 1) } else { own.to_owned() }
    }

    /// How many columns it has.
    pub(super) fn width(&self) -> usize {
        let body = || self.body.iter().map(Vec::len).max().unwrap_or(0);
        self.header.map_or_else(body, Vec::len)
    }

    /// What its columns are for, with a question for each that is not certain.
    pub(super) fn layout(&self, answers: &Answers, asked: &mut NeedsMapping, texts: &Texts) -> Layout {
        let contents: Vec<Content> = (0..self.width()).map(|at| self.content(at)).collect();
        let meanings: Vec<Known> = (0..self.width()).map(|at| self.meaning(at, answers)).collect();
        let is = |at: usize, target| meanings.get(at) == Some(&Known::Certain(Meaning::Is(target)));
        let personal = meanings.contains(&Known::Certain(Meaning::Personal));
        let all = || 0..self.width();
        let label = self.label_column(&meanings, &contents);
        let counts: Vec<usize> = all().filter(|at| is(*at, Target::Column(Column::Count))).collect();
        let figures = all().filter(
            |at| matches!(meanings.get(*at), Some(Known::Certain(Meaning::Is(target))) if target.is_figure()),
        );
        let figures = figures.count();
        let wide = figures > 0 && (label.is_none() || counts.is_empty() && figures > 1);
        if wide {
            let uses = self.uses(
                &meanings,
                &contents,
                None,
                |at, content| {
                    (content == Content::Numbers).then(|| {
                        if labels::names_days(&self.name(at)) { Target::days() } else { Target::counts() }
                    })
                },
                asked,
                texts,
            );
            return if asked.questions.is_empty() { Layout::Wide(uses) } else { Layout::Asked(uses) };
        }
        let Some(label) = label else { return Layout::Unknown };
        let people = counts.is_empty() && (personal || !contents.contains(&Content::Numbers));
        let single = self.header.is_none()
            && contents.iter().filter(|content| **content == Content::Numbers).count() == 1;
        let uses = self.uses(
            &meanings,
            &contents,
            Some(label),
            |_, content| {
                (content == Content::Numbers && !people && !single).then(|| Target::columns().to_vec())
            },
            asked,
            texts,
        );
        let uses: Vec<Use> = uses
            .into_iter()
            .zip(&contents)
            .map(|(own, content)| {
                let counts = own == Use::Unread && single && *content == Content::Numbers;
                if counts { Use::Count } else { own }
            })
            .collect();
        // Two columns that count cannot both be right.
        if counts.len() > 1 && counts.iter().any(|at| answers.get(&self.name(*at)).is_none()) {
            for at in counts {
                self.ask(at, Target::columns().to_vec(), asked, texts);
            }
        }
        if !asked.questions.is_empty() {
            Layout::Asked(uses)
        } else if people {
            Layout::People(uses)
        } else {
            Layout::Long(uses)
        }
    }

    fn ask(&self, at: usize, choices: Vec<Target>, asked: &mut NeedsMapping, texts: &Texts) {
        let figures: Vec<&str> = self.cells(at).filter(|cell| !is_contact(cell)).take(4).collect();
        asked.ask(MappingPart::Column, &self.name(at), &figures, choices, texts);
    }

    fn uses(
        &self,
        meanings: &[Known],
        contents: &[Content],
        label: Option<usize>,
        choices: impl Fn(usize, Content) -> Option<Vec<Target>>,
        asked: &mut NeedsMapping,
        texts: &Texts,
    ) -> Vec<Use> {
        let columns = meanings.iter().zip(contents).enumerate();
        columns
            .map(|(at, (meaning, content))| match meaning {
                _ if Some(at) == label => Use::Label,
                Known::Certain(Meaning::Personal) => Use::Personal,
                _ if *content == Content::Blank => Use::Blank,
                Known::Certain(Meaning::Is(Target::Column(Column::Count))) if label.is_some() => Use::Count,
                Known::Certain(Meaning::Is(Target::Column(Column::Days))) if label.is_some() => Use::Days,
                Known::Certain(Meaning::Is(target)) if target.is_figure() && label.is_none() => {
                    Use::Figure(*target)
                }
                Known::Certain(_) => Use::Unread,
                Known::Proposed(_) | Known::No => {
                    if let Some(choices) = choices(at, *content) {
                        self.ask(at, choices, asked, texts);
                    }
                    Use::Unread
                }
            })
            .collect()
    }

    /// What a column's name says. An answer counts more than the lists.
    fn meaning(&self, at: usize, answers: &Answers) -> Known {
        let name = self.name(at);
        match answers.get(&name) {
            Some(target) => Known::Certain(Meaning::Is(target)),
            None if self.header.is_none() => Known::No,
            None => match labels::meaning(&name) {
                // "Applicants" above words and not a single digit: the applicants themselves.
                Known::Certain(Meaning::Is(target)) if target.is_figure() && self.only_words(at) => {
                    Known::Certain(Meaning::Personal)
                }
                known @ (Known::Certain(_) | Known::Proposed(_) | Known::No) => known,
            },
        }
    }

    fn only_words(&self, at: usize) -> bool {
        let mut cells = self.cells(at).filter(|cell| !labels::is_empty(cell)).peekable();
        cells.peek().is_some() && cells.all(|cell| !cell.chars().any(|letter| letter.is_ascii_digit()))
    }

    /// The column that names the stages: by its name, and by what stands in it where several could.
    fn label_column(&self, meanings: &[Known], contents: &[Content]) -> Option<usize> {
        let stages = |at: &usize| {
            let named = self.cells(*at).filter(|cell| names_stage(cell)).count();
            named * 2 >= self.cells(*at).filter(|cell| !cell.is_empty()).count().max(1)
        };
        let named = |at: &usize| {
            meanings.get(*at) == Some(&Known::Certain(Meaning::Is(Target::Column(Column::Stage))))
        };
        let open = |at: &usize| matches!(meanings.get(*at), Some(Known::No | Known::Proposed(_)));
        let text = |at: &usize| contents.get(*at) == Some(&Content::Text);
        let all = || (0..self.width()).filter(text);
        let by_name: Vec<usize> = all().filter(named).collect();
        match by_name.as_slice() {
            [only] => Some(*only),
            [] => all().filter(open).find(stages).or_else(|| {
                // Without headings the only column of words names the rows.
                let mut words = all().filter(open);
                let first = words.next().filter(|_| self.header.is_none() || meanings_count(meanings));
                first.filter(|_| words.next().is_none())
            }),
            several => several.iter().copied().find(stages),
        }
    }

    fn cells(&self, at: usize) -> impl Iterator<Item = &str> {
        self.body.iter().filter_map(move |row| row.get(at)).map(String::as_str)
    }

    fn content(&self, at: usize) -> Content {
        let (mut numbers, mut shares, mut words) = (0_usize, 0_usize, 0_usize);
        for cell in self.cells(at).filter(|cell| !labels::is_empty(cell)) {
            if is_number(cell) {
                numbers += 1;
            } else if cell.trim_end().ends_with('%') {
                shares += 1;
            } else {
                words += 1;
            }
        }
        match (numbers, shares, words) {
            (0, 0, 0) => Content::Blank,
            _ if numbers > 0 && numbers >= words + shares => Content::Numbers,
            _ if shares > words => Content::Shares,
            _ => Content::Text,
        }
    }
}

/// What stands in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    Blank,
    Numbers,
    Shares,
    Text,
}

/// Whether a table counts: one of its columns is named so.
fn meanings_count(meanings: &[Known]) -> bool {
    meanings.contains(&Known::Certain(Meaning::Is(Target::Column(Column::Count))))
}

fn names_stage(cell: &str) -> bool {
    match labels::meaning(cell) {
        Known::Certain(Meaning::Is(target)) => target.is_figure(),
        Known::Proposed(_) => true,
        Known::Certain(_) | Known::No => false,
    }
}

/// How many cells of a row are known to be headings; none where it has figures itself.
fn header_score(row: &[String]) -> usize {
    let filled = row.iter().filter(|cell| !cell.is_empty()).count();
    if filled < 2 {
        return 0;
    }
    let numbers = row.iter().any(|cell| is_number(cell));
    let mut score = 0;
    let mut names_rows = false;
    for cell in row {
        match labels::meaning(cell) {
            Known::Certain(meaning) => {
                score += 1;
                names_rows |= meaning == Meaning::Is(Target::Column(Column::Stage));
            }
            Known::Proposed(_) | Known::No => {}
        }
    }
    if numbers && !names_rows { 0 } else { score }
}

/// Whether a cell is a number, of whatever kind.
pub(super) fn is_number(cell: &str) -> bool {
    csv::read_count(cell) != Number::Unreadable || csv::read_days(cell, u32::MAX) != Number::Unreadable
}
