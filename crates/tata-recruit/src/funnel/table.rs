//! The layout of a table of figures: what each column is for.

use tata_document::{ColumnKind, Grid, is_number};

use super::{
    fold,
    labels::{self, Known},
    mapping::{Answers, guess, is_contact},
    target::{Column, Target},
};
use crate::{
    Texts,
    mapping::{MappingPart, NeedsMapping},
};

/// The longest source that is remembered, in characters.
const LONGEST_SOURCE: usize = 300;
/// How many cells are shown of a column that may name the stages.
const MOST_CELLS: usize = 4;

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Use {
    /// It is read as this: beside the names of stages as counts or days, else as a figure.
    Read(Target),
    /// About persons.
    Personal,
    /// Nothing of the funnel.
    Unread,
    /// Nothing stands in it.
    Blank,
}

/// Which way a table stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// One stage per row.
    Long,
    /// One stage per column.
    Wide,
    /// One person per row, with the stage reached.
    People,
    /// One person per row and one stage per column, with a mark or a day where it was reached.
    Marks,
}

/// The table of a text.
pub(super) fn read(text: &str) -> Grid {
    Grid::read(text, headings)
}

/// How many cells of a row are known to be headings; none where it has figures itself.
fn headings(row: &[String]) -> usize {
    if let [name] = row {
        return usize::from(labels::figure(name).is_some());
    }
    let known: Vec<Known> = row.iter().map(|cell| labels::meaning(cell)).collect();
    let certain = known.iter().filter(|known| known.is_certain()).count();
    let names_rows = known.contains(&Known::Is(Target::Column(Column::Stage)));
    if names_rows || !row.iter().any(|cell| is_number(cell)) { certain } else { 0 }
}

/// The headings in the form in which tables are compared.
pub(super) fn source(table: &Grid) -> String {
    let names = table.header.iter().flatten().map(|name| fold::words(name).join(" "));
    let names: Vec<String> = names.filter(|name| !name.is_empty()).collect();
    names.join(" | ").chars().take(LONGEST_SOURCE).collect()
}

/// Finds out what the columns of a table are for.
pub(super) struct Columns<'a> {
    table: &'a Grid,
    answers: &'a Answers,
    texts: &'a Texts,
    kinds: Vec<ColumnKind>,
    meanings: Vec<Known>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(table: &'a Grid, answers: &'a Answers, texts: &'a Texts) -> Self {
        let all = 0..table.width();
        let kinds = all.clone().map(|at| table.kind(at, labels::is_empty)).collect();
        let meanings = all.map(|at| meaning(table, at, answers)).collect();
        Self { table, answers, texts, kinds, meanings }
    }

    /// Which way the table stands and what its columns are for, with a question for each that is not certain. Nothing
    /// where it is no table.
    pub(super) fn layout(&self, asked: &mut NeedsMapping) -> Option<(Layout, Vec<Use>)> {
        let count = Known::Is(Target::Column(Column::Count));
        let counts = self.meanings.iter().enumerate().filter(|(_, known)| **known == count);
        let counts: Vec<usize> = counts.map(|(at, _)| at).collect();
        let label = self.label_column(!counts.is_empty(), asked);
        let personal = self.meanings.contains(&Known::Personal);
        let marked = self.marked();
        if marked > 0 && personal && label.is_none() {
            return Some((Layout::Marks, self.uses(None, true, asked)));
        }
        let figures = self.meanings.iter().filter(|known| known.figure().is_some()).count();
        // Days beside the stage that a person reached are no counts.
        let figures = if personal && label.is_some() { figures.saturating_sub(marked) } else { figures };
        if figures > 0 && (label.is_none() || counts.is_empty() && figures > 1) {
            return Some((Layout::Wide, self.uses(None, true, asked)));
        }
        let label = label?;
        let numbers = self.kinds.iter().filter(|kind| **kind == ColumnKind::Numbers).count();
        let people = counts.is_empty() && (personal || numbers == 0);
        let single = self.table.header.is_none() && numbers == 1;
        let mut uses = self.uses(Some(label), !people && !single, asked);
        // The only column of numbers without headings counts.
        for (own, kind) in uses.iter_mut().zip(&self.kinds) {
            if single && *own == Use::Unread && *kind == ColumnKind::Numbers {
                *own = Use::Read(Target::Column(Column::Count));
            }
        }
        // Two columns that count cannot both be right.
        if counts.len() > 1 && counts.iter().any(|at| self.answers.get(&self.table.name(*at)).is_none()) {
            for at in counts {
                self.ask(at, Target::columns().to_vec(), asked);
            }
        }
        Some((if people { Layout::People } else { Layout::Long }, uses))
    }

    fn ask(&self, at: usize, choices: Vec<Target>, asked: &mut NeedsMapping) {
        let figures: Vec<&str> = self.table.cells(at).filter(|cell| !is_contact(cell)).take(4).collect();
        asked.ask(MappingPart::Column, &self.table.name(at), &figures, choices, self.texts);
    }

    /// What each column is for beside the one that names the stages. Columns of numbers that nobody knows are asked
    /// about, if they `may_count`.
    fn uses(&self, label: Option<usize>, may_count: bool, asked: &mut NeedsMapping) -> Vec<Use> {
        let choices = |at: usize| match label {
            Some(_) => Target::columns().to_vec(),
            None if labels::names_days(&self.table.name(at)) => Target::days(),
            None => Target::counts(),
        };
        let is_read = |target: Target| match label {
            Some(_) => matches!(target, Target::Column(Column::Count | Column::Days)),
            None => target.is_figure(),
        };
        let columns = self.meanings.iter().zip(&self.kinds).enumerate();
        columns
            .map(|(at, (meaning, kind))| match meaning {
                _ if Some(at) == label => Use::Read(Target::Column(Column::Stage)),
                Known::Personal => Use::Personal,
                _ if *kind == ColumnKind::Blank => Use::Blank,
                Known::Is(target) if is_read(*target) => Use::Read(*target),
                Known::Is(_) | Known::Context => Use::Unread,
                Known::Proposed(_) | Known::No => {
                    if !may_count || *kind != ColumnKind::Numbers {
                        return Use::Unread;
                    }
                    self.ask(at, choices(at), asked);
                    // The names of the rows are asked for together with this.
                    label.map_or(Use::Unread, |_| Use::Read(guess(&self.table.name(at))))
                }
            })
            .collect()
    }

    /// How many columns that are called like a stage have marks or days instead of numbers.
    fn marked(&self) -> usize {
        // Ones alone are a count as well as a mark.
        let counts = |at: usize| self.table.cells(at).all(|cell| labels::is_empty(cell) || is_number(cell));
        let marked = |at: usize| !counts(at) && only_marks(self.table, at);
        let named = self.meanings.iter().enumerate().filter(|(_, known)| known.figure().is_some());
        named.filter(|(at, _)| marked(*at)).count()
    }

    /// The column that names the stages: by its name, and by what stands in it where several could. Where both speak for
    /// different ones, a person says which.
    fn label_column(&self, counts: bool, asked: &mut NeedsMapping) -> Option<usize> {
        let stages = |at: &usize| {
            let named = self.table.cells(*at).filter(|cell| names_stage(cell)).count();
            named * 2 >= self.table.cells(*at).filter(|cell| !cell.is_empty()).count().max(1)
        };
        let words = || {
            let columns = self.kinds.iter().zip(&self.meanings).enumerate();
            columns.filter(|(_, (kind, _))| **kind == ColumnKind::Text).map(|(at, (_, known))| (at, *known))
        };
        let stage = Known::Is(Target::Column(Column::Stage));
        let named: Vec<usize> = words().filter(|(_, known)| *known == stage).map(|(at, _)| at).collect();
        let open: Vec<usize> = words().filter(|(_, known)| !known.is_certain()).map(|(at, _)| at).collect();
        let answered = |at: &&usize| self.answers.get(&self.table.name(**at)).is_some();
        if let Some(at) = named.iter().find(answered) {
            return Some(*at);
        }
        let full: Vec<usize> = open.iter().copied().filter(stages).collect();
        let clear = full.is_empty() && named.iter().copied().filter(stages).count() == 1;
        let both: Vec<usize> = named.iter().copied().chain(full).collect();
        if both.len() > 1 && !named.is_empty() && !clear {
            let likely = both.iter().copied().find(stages).or(both.first().copied());
            for at in both {
                let is_likely = Some(at) == likely;
                self.ask_which(
                    at,
                    if is_likely { Target::Column(Column::Stage) } else { Target::Ignore },
                    asked,
                );
            }
            return likely;
        }
        match (named.as_slice(), open.as_slice()) {
            ([only], _) => Some(*only),
            ([], open) => open.iter().copied().find(stages).or(match open {
                // Without headings the only column of words names the rows.
                [only] if self.table.header.is_none() || counts => Some(*only),
                _ => None,
            }),
            (several, _) => several.iter().copied().find(stages),
        }
    }

    /// Asks whether a column of words names the stages.
    fn ask_which(&self, at: usize, proposed: Target, asked: &mut NeedsMapping) {
        let mut cells: Vec<&str> = Vec::new();
        for cell in self.table.cells(at).filter(|cell| !cell.is_empty() && !is_contact(cell)) {
            if cells.len() < MOST_CELLS && !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        let name = self.table.name(at);
        asked.ask(MappingPart::Column, &name, &cells, Target::stages_or_not(), self.texts);
        asked.propose(&name, proposed);
    }
}

/// What a column's name says. An answer counts more than the lists.
fn meaning(table: &Grid, at: usize, answers: &Answers) -> Known {
    let name = table.name(at);
    match answers.get(&name) {
        Some(target) => Known::Is(target),
        None if table.header.is_none() => Known::No,
        None => {
            let known = labels::meaning(&name);
            // "Applicants" above words and not a single digit: the applicants themselves. Marks are no words.
            let people = known.figure().is_some() && only_words(table, at) && !only_marks(table, at);
            if people { Known::Personal } else { known }
        }
    }
}

fn only_words(table: &Grid, at: usize) -> bool {
    let mut cells = table.cells(at).filter(|cell| !labels::is_empty(cell)).peekable();
    cells.peek().is_some() && cells.all(|cell| !cell.chars().any(|letter| letter.is_ascii_digit()))
}

fn only_marks(table: &Grid, at: usize) -> bool {
    table.cells(at).filter(|cell| !labels::is_empty(cell)).all(|cell| labels::mark(cell).is_some())
}

fn names_stage(cell: &str) -> bool {
    let known = labels::meaning(cell);
    known.figure().is_some() || matches!(known, Known::Proposed(_))
}
