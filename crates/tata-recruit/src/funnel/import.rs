//! A table as figures: a stage per row, a stage per column, a person per row, a count per line, or a sentence.
//!
//! Nothing is computed from half a table: a name that is not certain becomes a question, a cell that cannot be read a
//! refusal. Columns about persons are counted and forgotten; no cell of them leaves this file.

use std::collections::{BTreeMap, BTreeSet};

use tata_document::{Grid, NoFigure, is_number, read_count, read_decimal};

use super::{
    data::{Data, MOST_DAYS, refuse},
    fold, labels,
    mapping::{Answers, is_contact, shown},
    numbers::{MOST, Tenths},
    sentence,
    stage::{FunnelStage, Lane},
    table::{self, Columns, Layout, Use},
    target::{Column, Other, Target},
};
use crate::{
    Key, Refusal, Texts, Voice, clip,
    mapping::{MappingPart, NeedsMapping, ReadLabel, TableReading},
    tidy,
};

/// How many names a report lists.
const MOST_NAMES: usize = 40;

/// Reads a table: its figures, and how it was read. Refused is what it cannot mean and what must be asked first.
pub(super) fn read(
    text: &str,
    answers: Answers,
    before: Option<&TableReading>,
    texts: &Texts,
    refusal: &mut Refusal,
) -> (Data, TableReading) {
    let mut reader = Reader {
        texts,
        refusal,
        answers,
        asked: NeedsMapping::default(),
        data: Data::default(),
        reading: TableReading::default(),
        differing: BTreeSet::new(),
        guessing: false,
    };
    if let Some(clauses) = sentence::clauses(text) {
        reader.sentence(&clauses);
    } else {
        let table = table::read(text);
        let source = table::source(&table);
        if let Some(before) = before {
            reader.answers.remember(before, &source);
        }
        (reader.asked.source, reader.reading.source) = (source.clone(), source);
        // No table: perhaps figures in words that do not look like a sentence.
        if !reader.table(&table)
            && let Some(clauses) = sentence::in_words(text)
        {
            reader.reading = TableReading::default();
            reader.sentence(&clauses);
        }
    }
    let Reader { asked, data, reading, .. } = reader;
    if !asked.questions.is_empty() {
        asked.refuse(refusal, texts);
    } else if data == Data::default() && refusal.problems.is_empty() {
        refusal.say("pasted_table", texts, key!("funnel.mapping.nothing"), &[]);
    }
    (data, reading)
}

struct Reader<'a> {
    texts: &'a Texts,
    refusal: &'a mut Refusal,
    answers: Answers,
    asked: NeedsMapping,
    data: Data,
    reading: TableReading,
    /// What was given twice, with days that differ.
    differing: BTreeSet<Target>,
    /// The layout is a guess as long as a column is asked about: rows are looked at for their names alone.
    guessing: bool,
}

impl Reader<'_> {
    /// Whether it is a table at all.
    fn table(&mut self, table: &Grid) -> bool {
        for row in &table.above {
            self.unread_row(&row.join(" "));
        }
        let columns = Columns::of(table, &self.answers, self.texts);
        let Some((layout, uses)) = columns.layout(&mut self.asked) else { return false };
        for (at, own) in uses.iter().enumerate() {
            let name = table.name(at);
            if let Some(target) = self.answers.get(&name) {
                self.read_as(&name, target);
            }
            match own {
                Use::Personal => self.reading.personal_columns += 1,
                Use::Unread => {
                    let name = self.named(&name);
                    keep(&mut self.reading.unread_columns, name);
                }
                Use::Read(_) | Use::Blank => {}
            }
        }
        // What a column holds is asked together with what its rows are called; nothing is computed before.
        self.guessing = !self.asked.questions.is_empty();
        match layout {
            Layout::Long => self.long(table, &uses),
            Layout::Wide | Layout::Marks if self.guessing => {}
            Layout::Wide => self.wide(table, &uses),
            Layout::Marks => self.marks(table, &uses),
            Layout::People => self.people(table, &uses),
        }
        if !self.asked.questions.is_empty() && self.asked.table.is_empty() {
            self.asked.show(shown_rows(table, &uses));
        }
        true
    }

    fn long(&mut self, table: &Grid, uses: &[Use]) {
        let at = |column| uses.iter().position(|own| *own == Use::Read(Target::Column(column)));
        let (label, count, days) = (at(Column::Stage), at(Column::Count), at(Column::Days));
        let mut lane = None;
        for (number, row) in table.body.iter().enumerate() {
            let cell = |at: Option<usize>| {
                at.and_then(|at| row.get(at)).map(String::as_str).filter(|cell| !labels::is_empty(cell))
            };
            let figures = [cell(count), cell(days)];
            let own = cell(label).map_or_else(|| format!("row {}", number + 1), str::to_owned);
            if labels::is_total(&own) || figures == [None, None] {
                lane = lane_called(&own).or(lane);
                self.unread_row(&own);
                continue;
            }
            let target = self.answers.get(&own).or_else(|| figure_in(&own, lane));
            lane = target.and_then(Target::lane).or(lane);
            let Some(target) = target else {
                let figures: Vec<&str> = figures.into_iter().flatten().collect();
                self.ask(MappingPart::Row, &own, &figures, Target::counts());
                continue;
            };
            if self.guessing {
                continue;
            }
            if target != Target::Ignore && table.header.is_some() && self.is_broken(&own, row, uses) {
                continue;
            }
            self.read_as(&own, target);
            if target == Target::Ignore {
                self.unread_row(&own);
                continue;
            }
            for (figure, target) in figures.into_iter().zip([target, days_of(target)]) {
                if let Some(figure) = figure {
                    self.figure(target, &own, figure);
                }
            }
        }
    }

    fn wide(&mut self, table: &Grid, uses: &[Use]) {
        let is_total = |row: &&Vec<String>| row.iter().any(|cell| labels::is_total(cell));
        let totals: Vec<&Vec<String>> = table.body.iter().filter(is_total).collect();
        let counted: Vec<&Vec<String>> = if totals.is_empty() { table.body.iter().collect() } else { totals };
        let uses = self.in_order(table, uses);
        for row in counted {
            if self.is_broken(row.first().map_or("", String::as_str), row, &uses) {
                continue;
            }
            for (at, (own, cell)) in uses.iter().zip(row).enumerate() {
                if let Use::Read(target) = own
                    && !labels::is_empty(cell)
                {
                    let name = table.name(at);
                    self.read_as(&name, *target);
                    self.figure(*target, &name, cell);
                }
            }
        }
    }

    /// What columns are for, where one that stands behind others means what they are about.
    fn in_order(&self, table: &Grid, uses: &[Use]) -> Vec<Use> {
        let mut lane = None;
        let mut settle = |(at, own): (usize, &Use)| {
            let Use::Read(target) = *own else { return *own };
            let name = table.name(at);
            let settled = match self.answers.get(&name) {
                Some(answer) => answer,
                None => settled(target, &name, lane).unwrap_or(target),
            };
            lane = settled.lane().or(lane);
            Use::Read(settled)
        };
        uses.iter().enumerate().map(&mut settle).collect()
    }

    /// Whether a row has more cells than there are columns: a comma inside a number, most likely. Nobody can tell what it
    /// means.
    fn is_broken(&mut self, name: &str, row: &[String], uses: &[Use]) -> bool {
        let is_broken = row.iter().skip(uses.len()).any(|cell| !cell.is_empty());
        if is_broken {
            self.refuse_cell(key!("funnel.mapping.broken_row"), name, &row.join(" "));
        }
        is_broken
    }

    /// One person per row, and a mark or a day for each stage they reached.
    fn marks(&mut self, table: &Grid, uses: &[Use]) {
        for (at, own) in uses.iter().enumerate() {
            let Use::Read(target) = own else { continue };
            let name = table.name(at);
            let (mut reached, mut unclear) = (0_u64, None);
            for cell in table.cells(at).filter(|cell| !labels::is_empty(cell)) {
                match labels::mark(cell) {
                    Some(yes) => reached += u64::from(yes),
                    None => unclear = unclear.or(Some(cell)),
                }
            }
            if let Some(cell) = unclear {
                self.refuse_cell(key!("funnel.mapping.unreadable"), &name, cell);
                continue;
            }
            self.read_as(&name, *target);
            self.figure(*target, &name, &reached.to_string());
        }
        self.reading.people = u64::try_from(table.body.len()).ok();
    }

    /// One person per row, with the stage reached. Who reached a stage has passed those before it.
    fn people(&mut self, table: &Grid, uses: &[Use]) {
        let is_label = |own: &Use| *own == Use::Read(Target::Column(Column::Stage));
        let Some(label) = uses.iter().position(is_label) else { return };
        let mut now: BTreeMap<&str, u64> = BTreeMap::new();
        for row in &table.body {
            *now.entry(row.get(label).map_or("", String::as_str)).or_default() += 1;
        }
        let mut reached: BTreeMap<FunnelStage, u64> = BTreeMap::new();
        let mut named: Vec<(FunnelStage, &str, u64)> = Vec::new();
        for (own, people) in &now {
            // Nobody's row has a message that was accepted: "accepted" is an offer here.
            let counted = || figure_in(own, Some(Lane::Process));
            let target = self.answers.get(own).or_else(counted);
            match target {
                Some(Target::Count(stage)) => {
                    *reached.entry(stage).or_default() += people;
                    named.push((stage, *own, *people));
                }
                Some(target @ Target::Other(Other::OffersRejected)) => {
                    *self.data.counts.entry(target).or_default() += people;
                    // Whoever declined an offer had one.
                    *reached.entry(FunnelStage::OffersMade).or_default() += people;
                }
                Some(Target::Ignore) => self.unread_row(&format!("{own} ({people})")),
                Some(Target::Days(_) | Target::Other(_) | Target::Column(_)) | None => {
                    self.ask(MappingPart::Row, own, &[&people.to_string()], Target::counts());
                    continue;
                }
            }
            if let Some(target) = target {
                self.read_as(own, target);
            }
        }
        if !self.asked.questions.is_empty() {
            self.asked.show(now.iter().map(|(own, people)| vec![(*own).to_owned(), people.to_string()]));
            return;
        }
        // Where some applied and others were found, nobody knows which way those in the process came.
        let has = |lane: Lane| reached.keys().any(|stage| stage.lane() == lane);
        if Lane::ALL.into_iter().all(has) {
            for (stage, own, people) in named {
                if stage.lane() != Lane::Process {
                    reached.remove(&stage);
                    self.unread_row(&format!("{own} ({people})"));
                }
            }
        }
        for stage in reached.keys() {
            let passed = |later: FunnelStage| later.lane() == stage.lane() || later.lane() == Lane::Process;
            let later = reached.range(stage..).filter(|(later, _)| passed(**later));
            self.data.counts.insert(Target::Count(*stage), later.map(|(_, people)| people).sum());
        }
        self.reading.people = Some(now.values().sum());
    }

    /// Figures in a sentence: each is shown and confirmed, none is taken silently.
    fn sentence(&mut self, clauses: &[sentence::Clause]) {
        for clause in clauses {
            match self.answers.get(&clause.label) {
                Some(Target::Ignore) => self.unread_row(&clause.label),
                Some(target) if target.is_figure() => {
                    self.read_as(&clause.label, target);
                    self.figure(target, &clause.label, &clause.figure);
                }
                Some(_) | None => {
                    let choices = if clause.days { Target::days() } else { Target::counts() };
                    self.ask(MappingPart::Figure, &clause.label, &[&clause.figure], choices);
                }
            }
        }
        if !self.asked.questions.is_empty() {
            self.asked.show(clauses.iter().map(|clause| vec![clause.label.clone(), clause.figure.clone()]));
        }
    }

    fn ask(&mut self, part: MappingPart, label: &str, figures: &[&str], choices: Vec<Target>) {
        self.asked.ask(part, label, figures, choices, self.texts);
    }

    /// One figure. Counts with the same meaning are added up: channels, weeks.
    fn figure(&mut self, target: Target, label: &str, cell: &str) {
        if target.is_days() {
            self.days(target, label, cell);
        } else if target.is_figure() {
            self.count(target, label, cell);
        }
    }

    fn count(&mut self, target: Target, label: &str, cell: &str) {
        let known = self.data.counts.get(&target).copied();
        let sum = |number: u64| known.unwrap_or(0).checked_add(number).filter(|sum| *sum <= MOST);
        let why = match read_count(cell, MOST).and_then(|number| sum(number).ok_or(NoFigure::TooBig)) {
            Ok(sum) => {
                self.reading.summed |= known.is_some();
                self.data.counts.insert(target, sum);
                return;
            }
            Err(NoFigure::Negative) => key!("funnel.refusals.negative"),
            Err(NoFigure::Fraction) => key!("funnel.refusals.fraction"),
            Err(NoFigure::TooBig) => key!("funnel.refusals.too_big"),
            Err(NoFigure::Unreadable) => {
                return self.refuse_cell(key!("funnel.mapping.unreadable"), label, cell);
            }
        };
        refuse(self.refusal, target, self.texts, why);
    }

    fn days(&mut self, target: Target, label: &str, cell: &str) {
        let read = read_decimal(cell);
        match read.and_then(|days| Tenths::of(days, MOST_DAYS).ok_or(NoFigure::TooBig)) {
            // Averages cannot be added up, and none of two is the right one.
            Ok(days) => {
                if *self.data.days.entry(target).or_insert(days) != days {
                    self.differing.insert(target);
                }
                if self.differing.contains(&target) {
                    self.data.days.remove(&target);
                    keep(&mut self.reading.unread_columns, target.display(self.texts));
                }
            }
            Err(NoFigure::Unreadable) => self.refuse_cell(key!("funnel.mapping.unreadable"), label, cell),
            Err(NoFigure::Negative | NoFigure::Fraction | NoFigure::TooBig) => {
                refuse(self.refusal, target, self.texts, key!("funnel.refusals.days"));
            }
        }
    }

    fn read_as(&mut self, label: &str, target: Target) {
        let by_person = self.answers.get(label).is_some();
        let (label, known) = (tidy(label), &mut self.reading.labels);
        if known.len() < MOST_NAMES && known.iter().all(|known| known.label != label) {
            known.push(ReadLabel { label, means: target.name(), by_person });
        }
    }

    fn unread_row(&mut self, label: &str) {
        let name = self.named(label);
        keep(&mut self.reading.unread_rows, name);
    }

    fn named(&self, name: &str) -> String {
        let name = tidy(clip::start(name, 80));
        if is_contact(&name) { self.texts.get(key!("funnel.notices.unnamed")).to_owned() } else { name }
    }

    fn refuse_cell(&mut self, key: Key, row: &str, cell: &str) {
        let values = [("row", &*shown(row, self.texts)), ("cell", &*shown(cell, self.texts))];
        let message = self.texts.say(key, &values);
        let way_out = self.texts.say(key!("funnel.mapping.cell_way_out"), &values);
        if self.refusal.problems.len() < MOST_NAMES {
            self.refusal.add("pasted_table", message, way_out);
        }
    }
}

/// The figure that a name certainly is, after figures of this lane.
fn figure_in(name: &str, before: Option<Lane>) -> Option<Target> {
    settled(labels::figure(name).or_else(|| Target::called(name))?, name, before)
}

/// "Accepted" is an offer after interviews, and a message after messages; standing alone it may be either.
fn settled(figure: Target, name: &str, before: Option<Lane>) -> Option<Target> {
    let Target::Other(other @ (Other::LinkedinAccepted | Other::LinkedinDeclined)) = figure else {
        return Some(figure);
    };
    if labels::names_linkedin(name) {
        return Some(figure);
    }
    match (before?, other) {
        (Lane::Process, Other::LinkedinAccepted) => Some(Target::Count(FunnelStage::OffersAccepted)),
        (Lane::Process, _) => Some(Target::Other(Other::OffersRejected)),
        (Lane::Sourcing, _) => Some(figure),
        (Lane::Attraction, _) => None,
    }
}

/// The lane that a heading names.
fn lane_called(name: &str) -> Option<Lane> {
    let name = fold::words(name).join(" ");
    let called = |lane: &Lane| {
        Voice::ALL.into_iter().any(|voice| fold::words(lane.display(Texts::of(voice))).join(" ") == name)
    };
    Lane::ALL.into_iter().find(called)
}

/// A name once, and not endlessly many.
fn keep(names: &mut Vec<String>, name: String) {
    if names.len() < MOST_NAMES && !name.is_empty() && !names.contains(&name) {
        names.push(name);
    }
}

/// The days of what a row counts.
fn days_of(target: Target) -> Target {
    match target {
        Target::Count(stage) => Target::Days(stage),
        Target::Other(Other::TimeToFill) => target,
        Target::Days(_) | Target::Other(_) | Target::Column(_) | Target::Ignore => Target::Ignore,
    }
}

/// The table as it may be shown: without persons, and without words that nobody knows to be none.
fn shown_rows<'a>(table: &'a Grid, uses: &'a [Use]) -> impl Iterator<Item = Vec<String>> + 'a {
    let header = table.header.as_ref().map(|_| (0..uses.len()).map(|at| table.name(at)).collect::<Vec<_>>());
    let persons = uses.contains(&Use::Personal);
    header.into_iter().chain(table.body.iter().cloned()).map(move |row| {
        let cells = row.into_iter().zip(uses);
        let fine = |(cell, own): &(String, &Use)| match own {
            Use::Personal | Use::Blank => false,
            Use::Unread => !persons || is_number(cell),
            Use::Read(_) => true,
        };
        cells.filter(fine).map(|(cell, _)| if is_contact(&cell) { "…".to_owned() } else { cell }).collect()
    })
}
