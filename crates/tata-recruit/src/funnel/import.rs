//! A pasted table as figures: a stage per row, a stage per column, or a person per row.
//!
//! What is not understood is named and left out. Columns about persons are counted and forgotten; no cell of them
//! leaves this file.

use std::collections::{BTreeMap, BTreeSet};

use super::render::quoted;
use super::{
    csv::{self, Number},
    data::{Data, MOST_DAYS, refuse_count, refuse_days},
    headers::{Counted, Headers, Meaning, Timed},
    numbers::MOST,
    stage::FunnelStage,
};
use crate::{Notice, Refusal, Texts, tidy};

/// How many names a notice lists.
const MOST_NAMES: usize = 10;

/// Reads a table. Refused is what it cannot mean: negative or broken counts.
pub(super) fn read(table: &str, texts: &Texts, refusal: &mut Refusal) -> (Data, Vec<Notice>) {
    let rows = csv::rows(table);
    let mut reader =
        Reader { headers: Headers::get(), texts, refusal, data: Data::default(), left: Left::default() };
    reader.read(&rows);
    let (data, left) = (reader.data, reader.left);
    let notices = left.notices(texts);
    (data, notices)
}

/// What was left out, and what should be known of the reading.
#[derive(Default)]
struct Left {
    columns: Vec<String>,
    rows: Vec<String>,
    cells: Vec<String>,
    personal: usize,
    remarks: BTreeSet<Remark>,
}

/// What should be known of the reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Remark {
    /// One person per row.
    People,
    /// Figures were added up.
    Summed,
    /// Days that differ.
    DaysOfSeveral,
    /// No stage was recognized.
    Nothing,
}

impl Left {
    fn notices(&self, texts: &Texts) -> Vec<Notice> {
        let mut notices = Vec::new();
        let mut say = |key: &str, values: &[(&str, &str)]| {
            notices.push(Notice::new("pasted_table", texts.say(&format!("funnel.notices.{key}"), values)));
        };
        for (key, names) in [("columns", &self.columns), ("rows", &self.rows), ("cells", &self.cells)] {
            if !names.is_empty() {
                let mut shown: Vec<String> = names.iter().take(MOST_NAMES).cloned().collect();
                if names.len() > MOST_NAMES {
                    let more = (names.len() - MOST_NAMES).to_string();
                    shown.push(texts.say("funnel.notices.more", &[("count", &more)]));
                }
                say(&format!("unknown_{key}"), &[("names", &shown.join(", "))]);
            }
        }
        if self.personal > 0 {
            say("personal", &[("count", &self.personal.to_string())]);
        }
        for remark in &self.remarks {
            let key = match remark {
                Remark::People => "people",
                Remark::Summed => "summed",
                Remark::DaysOfSeveral => "days_of_several",
                Remark::Nothing => "nothing_read",
            };
            say(key, &[]);
        }
        notices
    }
}

struct Reader<'a> {
    headers: &'static Headers,
    texts: &'a Texts,
    refusal: &'a mut Refusal,
    data: Data,
    left: Left,
}

impl Reader<'_> {
    fn read(&mut self, rows: &[Vec<String>]) {
        let Some((header, body)) = rows.split_first() else {
            self.remark(Remark::Nothing, true);
            return;
        };
        let columns: Vec<Option<Meaning>> = header.iter().map(|name| self.headers.meaning(name)).collect();
        let at = |wanted: Meaning| columns.iter().position(|column| *column == Some(wanted));
        let stages = columns.iter().flatten().filter(|meaning| holds_figure(**meaning)).count();
        let stage_column = at(Meaning::StageColumn);
        let count_column = at(Meaning::CountColumn);
        if stages == 1 && filled(header).count() == 2 && self.is_pair(header) {
            self.pairs(rows);
            return;
        }
        if stages > 0 && stage_column.is_none() && count_column.is_none() {
            self.name_columns(header, &columns, None);
            self.wide(&columns, body);
            return;
        }
        let numbers = count_column.or_else(|| only_numbers(&columns, body));
        let labels = stage_column.or_else(|| {
            (0..columns.len()).find(|at| Some(*at) != numbers && columns.get(*at) == Some(&None))
        });
        match (labels, numbers) {
            (Some(labels), Some(numbers)) if stage_column.is_some() || count_column.is_some() => {
                self.name_columns(header, &columns, Some([labels, numbers]));
                self.long(labels, numbers, at(Meaning::DaysColumn), header.len(), body);
            }
            (Some(labels), _) if stage_column.is_some() => {
                self.name_columns(header, &columns, Some([labels, labels]));
                self.people(labels, body);
            }
            (Some(_) | None, _) => self.remark(Remark::Nothing, true),
        }
    }

    /// Columns that are not used: persons are only counted, the rest is named.
    fn name_columns(&mut self, header: &[String], columns: &[Option<Meaning>], used: Option<[usize; 2]>) {
        for (at, (name, meaning)) in header.iter().zip(columns).enumerate() {
            if used.is_some_and(|used| used.contains(&at)) || name.is_empty() {
                continue;
            }
            match meaning {
                Some(Meaning::Personal) => self.left.personal += 1,
                Some(Meaning::StageColumn | Meaning::CountColumn) | None => {
                    self.left.columns.push(self.shown(name));
                }
                Some(Meaning::DaysColumn) if used.is_none() => self.left.columns.push(self.shown(name)),
                Some(Meaning::DaysColumn | Meaning::Count(_) | Meaning::Days(_)) => {}
            }
        }
    }

    /// Whether a row is a name and a number, without a header above it.
    fn is_pair(&self, row: &[String]) -> bool {
        let mut cells = filled(row);
        let name = cells.next().and_then(|cell| self.headers.meaning(cell));
        let number = cells.next().is_some_and(|cell| csv::read_count(cell) != Number::Unreadable);
        name.is_some_and(holds_figure) && number
    }

    /// Rows of a name and a number. A third cell has no name here, so the row is not guessed at.
    fn pairs(&mut self, rows: &[Vec<String>]) {
        for row in rows {
            let cells: Vec<&String> = filled(row).collect();
            match cells.as_slice() {
                [name, number] => self.row(name, Some(number), None),
                [name, ..] => {
                    let name = self.shown(name);
                    self.left.rows.push(name);
                }
                [] => {}
            }
        }
    }

    fn long(
        &mut self,
        labels: usize,
        numbers: usize,
        days: Option<usize>,
        width: usize,
        body: &[Vec<String>],
    ) {
        for row in body {
            let label = row.get(labels).map_or("", String::as_str);
            // More cells than columns: a comma inside a number, most likely. Nobody can tell what it means.
            let broken = row.iter().skip(width).any(|cell| !cell.is_empty());
            if broken || label.is_empty() {
                let label = self.shown(label);
                self.left.rows.push(label);
            } else if !self.headers.is_total(label) {
                let cell = |at: usize| row.get(at).map(String::as_str);
                self.row(label, cell(numbers), days.and_then(cell));
            }
        }
    }

    fn row(&mut self, label: &str, number: Option<&str>, days: Option<&str>) {
        let Some(meaning) = self.headers.meaning(label).filter(|meaning| holds_figure(*meaning)) else {
            let label = self.shown(label);
            self.left.rows.push(label);
            return;
        };
        if let Some(number) = number {
            self.figure(meaning, number);
        }
        if let (Some(days), Meaning::Count(Counted::Stage(stage))) = (days, meaning) {
            self.figure(Meaning::Days(Timed::Stage(stage)), days);
        }
    }

    fn wide(&mut self, columns: &[Option<Meaning>], body: &[Vec<String>]) {
        let is_total = |row: &&Vec<String>| row.iter().any(|cell| self.headers.is_total(cell));
        let totals: Vec<&Vec<String>> = body.iter().filter(is_total).collect();
        let used: Vec<&Vec<String>> = if totals.is_empty() { body.iter().collect() } else { totals };
        for row in used {
            for (meaning, cell) in columns.iter().zip(row) {
                if let Some(meaning) = meaning.filter(|meaning| holds_figure(*meaning)) {
                    self.figure(meaning, cell);
                }
            }
            if row.iter().skip(columns.len()).any(|cell| !cell.is_empty()) {
                let name = self.shown(row.first().map_or("", String::as_str));
                self.left.cells.push(name);
            }
        }
    }

    /// One person per row, with the stage reached. Who reached a stage has passed those before it.
    fn people(&mut self, labels: usize, body: &[Vec<String>]) {
        let mut now: BTreeMap<FunnelStage, u64> = BTreeMap::new();
        let mut unknown: BTreeMap<String, usize> = BTreeMap::new();
        for row in body {
            let label = row.get(labels).map_or("", String::as_str);
            match self.headers.meaning(label) {
                Some(Meaning::Count(Counted::Stage(stage))) => *now.entry(stage).or_default() += 1,
                Some(_) | None => *unknown.entry(self.shown(label)).or_default() += 1,
            }
        }
        for stage in now.keys() {
            let reached = now.range(stage..).filter(|(later, _)| later.lane() == stage.lane());
            self.data.counts.insert(*stage, reached.map(|(_, people)| people).sum());
        }
        self.remark(Remark::People, !now.is_empty());
        self.remark(Remark::Nothing, now.is_empty());
        self.left.rows.extend(unknown.into_iter().map(|(label, people)| format!("{label} ({people})")));
    }

    /// One cell. Figures of the same kind are added up: channels, weeks.
    fn figure(&mut self, meaning: Meaning, cell: &str) {
        if self.headers.is_empty(cell) {
            return;
        }
        match meaning {
            Meaning::Days(timed) => self.days(timed, cell),
            Meaning::Count(counted) => self.count(counted, cell),
            Meaning::StageColumn | Meaning::CountColumn | Meaning::DaysColumn | Meaning::Personal => {}
        }
    }

    fn count(&mut self, counted: Counted, cell: &str) {
        let field = match counted {
            Counted::Stage(stage) => stage.field(),
            Counted::Rejected => "process.offers_rejected".to_owned(),
            Counted::Accepted => "sourcing.accepted".to_owned(),
            Counted::Declined => "sourcing.declined".to_owned(),
        };
        let number = match csv::read_count(cell) {
            Number::Is(number) => number,
            Number::Negative => return refuse_count(self.refusal, &field, self.texts, "negative"),
            Number::Fraction => return refuse_count(self.refusal, &field, self.texts, "fraction"),
            Number::TooBig => return refuse_count(self.refusal, &field, self.texts, "too_big"),
            Number::Unreadable => {
                let cell = self.shown(cell);
                return self.left.cells.push(cell);
            }
        };
        let known = match counted {
            Counted::Stage(stage) => self.data.counts.get(&stage).copied(),
            Counted::Rejected => self.data.offers_rejected,
            Counted::Accepted => self.data.linkedin_accepted,
            Counted::Declined => self.data.linkedin_declined,
        };
        self.remark(Remark::Summed, known.is_some());
        let Some(sum) = known.unwrap_or(0).checked_add(number).filter(|sum| *sum <= MOST) else {
            return refuse_count(self.refusal, &field, self.texts, "too_big");
        };
        match counted {
            Counted::Stage(stage) => drop(self.data.counts.insert(stage, sum)),
            Counted::Rejected => self.data.offers_rejected = Some(sum),
            Counted::Accepted => self.data.linkedin_accepted = Some(sum),
            Counted::Declined => self.data.linkedin_declined = Some(sum),
        }
    }

    fn days(&mut self, timed: Timed, cell: &str) {
        let days = match csv::read_days(cell, MOST_DAYS) {
            Number::Is(days) => days,
            Number::Unreadable => {
                let cell = self.shown(cell);
                return self.left.cells.push(cell);
            }
            Number::Negative | Number::Fraction | Number::TooBig => {
                let name = match timed {
                    Timed::Stage(stage) => stage.name(),
                    Timed::ToFill => "time_to_fill",
                };
                return refuse_days(self.refusal, &format!("time.{name}"), self.texts);
            }
        };
        // Averages cannot be added up; the first one stays, and the recruiter is told.
        let known = match timed {
            Timed::Stage(stage) => *self.data.days.entry(stage).or_insert(days),
            Timed::ToFill => *self.data.time_to_fill.get_or_insert(days),
        };
        self.remark(Remark::DaysOfSeveral, known != days);
    }

    fn remark(&mut self, remark: Remark, holds: bool) {
        if holds {
            self.left.remarks.insert(remark);
        }
    }

    /// A name short enough to be told; what looks like contact data is not.
    fn shown(&self, name: &str) -> String {
        let name = tidy(&name.chars().take(200).collect::<String>());
        let digits = name.chars().filter(char::is_ascii_digit).count();
        if name.is_empty() || name.contains('@') || digits > 5 {
            return self.texts.get("funnel.notices.unnamed").to_owned();
        }
        let short: String = name.chars().take(40).collect();
        quoted(&short, self.texts)
    }
}

/// A column without a known name that has nothing but counts: somebody named it after a month or a position.
fn only_numbers(columns: &[Option<Meaning>], body: &[Vec<String>]) -> Option<usize> {
    (0..columns.len()).find(|at| {
        let mut cells = body.iter().filter_map(|row| row.get(*at)).filter(|cell| !cell.is_empty()).peekable();
        columns.get(*at) == Some(&None)
            && cells.peek().is_some()
            && cells.all(|cell| csv::read_count(cell) != Number::Unreadable)
    })
}

fn filled(row: &[String]) -> impl Iterator<Item = &String> {
    row.iter().filter(|cell| !cell.is_empty())
}

fn holds_figure(meaning: Meaning) -> bool {
    matches!(meaning, Meaning::Count(_) | Meaning::Days(_))
}
