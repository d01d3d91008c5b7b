//! A table as figures: a stage per row, a stage per column, a person per row, a count per line, or a sentence.
//!
//! Nothing is computed from half a table: a name that is not certain becomes a question, a cell that cannot be read a
//! refusal. Columns about persons are counted and forgotten; no cell of them leaves this file.

use std::collections::{BTreeMap, BTreeSet};

use tata_document::{Grid, NoFigure, is_number, read_count, read_decimal};

use super::{
    data::{Data, MOST_DAYS, refuse_count, refuse_days},
    labels,
    mapping::{Answers, is_contact, shown},
    numbers::{MOST, Tenths},
    sentence,
    stage::FunnelStage,
    table::{self, Columns, Layout, Use},
    target::{Other, Target},
};
use crate::{
    Refusal, Texts,
    mapping::{MappingPart, NeedsMapping, ReadLabel, TableReading},
    tidy,
};

/// How many names a report lists.
const MOST_NAMES: usize = 40;

/// What a table says.
#[derive(Debug, Default)]
pub(super) struct Import {
    pub(super) data: Data,
    pub(super) reading: TableReading,
}

/// Reads a table. Refused is what it cannot mean and what must be asked first.
pub(super) fn read(
    text: &str,
    mut answers: Answers,
    before: Option<&TableReading>,
    texts: &Texts,
    refusal: &mut Refusal,
) -> Import {
    let mut asked = NeedsMapping::default();
    let mut reader = Reader {
        texts,
        refusal,
        import: Import::default(),
        known: BTreeSet::new(),
        settled: BTreeMap::new(),
    };
    if let Some(clauses) = sentence::clauses(text) {
        reader.sentence(&clauses, &answers, &mut asked);
    } else {
        let table = table::read(text);
        asked.source = table::source(&table);
        if let Some(before) = before {
            answers.remember(before, &asked.source);
        }
        reader.import.reading.source.clone_from(&asked.source);
        let read = reader.table(&table, &answers, &mut asked);
        // No table: perhaps figures in words that do not look like a sentence.
        if let Some(clauses) = Some(()).filter(|()| !read).and_then(|()| sentence::in_words(text)) {
            reader.import.reading = TableReading::default();
            reader.sentence(&clauses, &answers, &mut asked);
        }
    }
    let import = reader.import;
    if !asked.questions.is_empty() {
        asked.refuse(refusal, texts);
    } else if import.data == Data::default() && refusal.problems.is_empty() {
        refusal.add(
            "pasted_table",
            texts.get("funnel.mapping.nothing"),
            texts.get("funnel.mapping.nothing_way_out"),
        );
    }
    import
}

struct Reader<'a> {
    texts: &'a Texts,
    refusal: &'a mut Refusal,
    import: Import,
    /// Names that are in the reading already.
    known: BTreeSet<String>,
    /// Days of a stage that were given twice and differ.
    settled: BTreeMap<Target, Option<Tenths>>,
}

impl Reader<'_> {
    /// Whether it is a table at all.
    fn table(&mut self, table: &Grid, answers: &Answers, asked: &mut NeedsMapping) -> bool {
        for row in &table.above {
            self.unread_row(&row.join(" "));
        }
        let columns = Columns::of(table, answers, self.texts);
        let Some((layout, uses)) = columns.layout(asked) else { return false };
        for (at, own) in uses.iter().enumerate() {
            let name = table.name(at);
            if let Some(target) = answers.get(&name) {
                self.read_as(&name, target, answers);
            }
            match own {
                Use::Personal => self.import.reading.personal_columns += 1,
                Use::Unread => {
                    let name = self.named(&name);
                    keep(&mut self.import.reading.unread_columns, name);
                }
                Use::Label | Use::Count | Use::Days | Use::Figure(_) | Use::Blank => {}
            }
        }
        match layout {
            Layout::Long => self.long(table, &uses, answers, asked),
            Layout::Wide => self.wide(table, &uses, answers),
            Layout::People => self.people(table, &uses, answers, asked),
            Layout::Asked => {}
        }
        if !asked.questions.is_empty() && asked.table.is_empty() {
            asked.show(shown_rows(table, &uses));
        }
        true
    }

    fn long(&mut self, table: &Grid, uses: &[Use], answers: &Answers, asked: &mut NeedsMapping) {
        let at = |wanted| uses.iter().position(|own| *own == wanted);
        let (label, count, days) = (at(Use::Label), at(Use::Count), at(Use::Days));
        for (number, row) in table.body.iter().enumerate() {
            let cell = |at: Option<usize>| {
                at.and_then(|at| row.get(at)).map(String::as_str).filter(|cell| !labels::is_empty(cell))
            };
            let figures = [cell(count), cell(days)];
            let own = cell(label).map_or_else(|| format!("row {}", number + 1), str::to_owned);
            if labels::is_total(&own) || figures == [None, None] {
                self.unread_row(&own);
                continue;
            }
            let target = answers.get(&own).or_else(|| labels::figure(&own));
            let Some(target) = target else {
                let figures: Vec<&str> = figures.into_iter().flatten().collect();
                asked.ask(MappingPart::Row, &own, &figures, Target::counts(), self.texts);
                continue;
            };
            if target == Target::Ignore {
                self.read_as(&own, target, answers);
                self.unread_row(&own);
                continue;
            }
            // More cells than columns: a comma inside a number, most likely. Nobody can tell what it means.
            if table.header.is_some() && row.iter().skip(uses.len()).any(|cell| !cell.is_empty()) {
                self.refuse_cell("broken_row", &own, &row.join(" "));
                continue;
            }
            self.read_as(&own, target, answers);
            for (figure, target) in [(figures[0], target), (figures[1], days_of(target))] {
                if let Some(figure) = figure {
                    self.figure(target, &own, figure);
                }
            }
        }
    }

    fn wide(&mut self, table: &Grid, uses: &[Use], answers: &Answers) {
        let is_total = |row: &&Vec<String>| row.iter().any(|cell| labels::is_total(cell));
        let totals: Vec<&Vec<String>> = table.body.iter().filter(is_total).collect();
        let counted: Vec<&Vec<String>> = if totals.is_empty() { table.body.iter().collect() } else { totals };
        for row in counted {
            if row.iter().skip(uses.len()).any(|cell| !cell.is_empty()) {
                self.refuse_cell("broken_row", row.first().map_or("", String::as_str), &row.join(" "));
                continue;
            }
            for (at, own) in uses.iter().enumerate() {
                let cell = row.get(at).filter(|cell| !labels::is_empty(cell));
                if let (Use::Figure(target), Some(cell)) = (own, cell) {
                    let name = table.name(at);
                    self.read_as(&name, *target, answers);
                    self.figure(*target, &name, cell);
                }
            }
        }
    }

    /// One person per row, with the stage reached. Who reached a stage has passed those before it.
    fn people(&mut self, table: &Grid, uses: &[Use], answers: &Answers, asked: &mut NeedsMapping) {
        let Some(label) = uses.iter().position(|own| *own == Use::Label) else { return };
        let mut now: BTreeMap<String, u64> = BTreeMap::new();
        for row in &table.body {
            let own = row.get(label).map_or("", String::as_str);
            *now.entry(own.to_owned()).or_default() += 1;
        }
        let mut reached: BTreeMap<FunnelStage, u64> = BTreeMap::new();
        for (own, people) in &now {
            match answers.get(own).or_else(|| labels::stage(own).map(Target::Count)) {
                Some(Target::Count(stage)) => {
                    self.read_as(own, Target::Count(stage), answers);
                    *reached.entry(stage).or_default() += people;
                }
                Some(Target::Other(Other::OffersRejected)) => {
                    self.read_as(own, Target::Other(Other::OffersRejected), answers);
                    self.import.data.offers_rejected = Some(*people);
                    // Whoever declined an offer had one.
                    *reached.entry(FunnelStage::OffersMade).or_default() += people;
                }
                Some(Target::Ignore) => {
                    self.read_as(own, Target::Ignore, answers);
                    self.unread_row(&format!("{own} ({people})"));
                }
                Some(Target::Days(_) | Target::Other(_) | Target::Column(_)) | None => {
                    let choices = Target::counts();
                    asked.ask(MappingPart::Row, own, &[&people.to_string()], choices, self.texts);
                }
            }
        }
        if !asked.questions.is_empty() {
            asked.show(now.iter().map(|(own, people)| vec![own.clone(), people.to_string()]));
            return;
        }
        for stage in reached.keys() {
            let later = reached.range(stage..).filter(|(later, _)| later.lane() == stage.lane());
            self.import.data.counts.insert(*stage, later.map(|(_, people)| people).sum());
        }
        self.import.reading.people = Some(now.values().sum());
    }

    /// Figures in a sentence: each is shown and confirmed, none is taken silently.
    fn sentence(&mut self, clauses: &[sentence::Clause], answers: &Answers, asked: &mut NeedsMapping) {
        for clause in clauses {
            match answers.get(&clause.label) {
                Some(Target::Ignore) => self.unread_row(&clause.label),
                Some(target) if target.is_figure() => {
                    self.read_as(&clause.label, target, answers);
                    self.figure(target, &clause.label, &clause.figure);
                }
                Some(_) | None => {
                    let choices = if clause.days { Target::days() } else { Target::counts() };
                    asked.ask(MappingPart::Figure, &clause.label, &[&clause.figure], choices, self.texts);
                }
            }
        }
        if !asked.questions.is_empty() {
            asked.show(clauses.iter().map(|clause| vec![clause.label.clone(), clause.figure.clone()]));
        }
    }

    /// One figure. Counts with the same meaning are added up: channels, weeks.
    fn figure(&mut self, target: Target, label: &str, cell: &str) {
        match target {
            Target::Days(_) | Target::Other(Other::TimeToFill) => self.days(target, label, cell),
            Target::Count(_) | Target::Other(_) => self.count(target, label, cell),
            Target::Column(_) | Target::Ignore => {}
        }
    }

    fn count(&mut self, target: Target, label: &str, cell: &str) {
        let data = &mut self.import.data;
        let (field, place) = match target {
            Target::Count(stage) => (stage.field(), None),
            Target::Other(Other::LinkedinAccepted) => {
                ("sourcing.accepted".to_owned(), Some(&mut data.linkedin_accepted))
            }
            Target::Other(Other::LinkedinDeclined) => {
                ("sourcing.declined".to_owned(), Some(&mut data.linkedin_declined))
            }
            Target::Other(_) | Target::Days(_) | Target::Column(_) | Target::Ignore => {
                ("process.offers_rejected".to_owned(), Some(&mut data.offers_rejected))
            }
        };
        let why = match read_count(cell, MOST) {
            Ok(number) => {
                let known = match (target, &place) {
                    (Target::Count(stage), _) => data.counts.get(&stage).copied(),
                    (_, Some(place)) => **place,
                    (_, None) => None,
                };
                let sum = known.unwrap_or(0).checked_add(number).filter(|sum| *sum <= MOST);
                self.import.reading.summed |= known.is_some();
                match (sum, target, place) {
                    (Some(sum), Target::Count(stage), _) => {
                        data.counts.insert(stage, sum);
                        return;
                    }
                    (Some(sum), _, Some(place)) => {
                        *place = Some(sum);
                        return;
                    }
                    (_, _, _) => "too_big",
                }
            }
            Err(NoFigure::Negative) => "negative",
            Err(NoFigure::Fraction) => "fraction",
            Err(NoFigure::TooBig) => "too_big",
            Err(NoFigure::Unreadable) => return self.refuse_cell("unreadable", label, cell),
        };
        refuse_count(self.refusal, &field, self.texts, why);
    }

    fn days(&mut self, target: Target, label: &str, cell: &str) {
        let read = read_decimal(cell);
        let days = match read.and_then(|days| Tenths::of(days, MOST_DAYS).ok_or(NoFigure::TooBig)) {
            Ok(days) => days,
            Err(NoFigure::Unreadable) => return self.refuse_cell("unreadable", label, cell),
            Err(NoFigure::Negative | NoFigure::Fraction | NoFigure::TooBig) => {
                let name = target.name();
                let field = format!("time.{}", name.trim_start_matches("days_in_"));
                return refuse_days(self.refusal, &field, self.texts);
            }
        };
        // Averages cannot be added up, and none of two is the right one.
        let known = *self.settled.entry(target).or_insert(Some(days));
        let kept = known.filter(|known| *known == days);
        if kept.is_none() {
            self.settled.insert(target, None);
            let name = target.display(self.texts);
            keep(&mut self.import.reading.unread_columns, name);
        }
        let data = &mut self.import.data;
        match (target, kept) {
            (Target::Days(stage), Some(days)) => drop(data.days.insert(stage, days)),
            (Target::Days(stage), None) => drop(data.days.remove(&stage)),
            (_, kept) => data.time_to_fill = kept,
        }
    }

    fn read_as(&mut self, label: &str, target: Target, answers: &Answers) {
        if self.known.insert(tidy(label)) && self.import.reading.labels.len() < MOST_NAMES {
            let by_person = answers.get(label).is_some();
            self.import.reading.labels.push(ReadLabel {
                label: tidy(label),
                means: target.name(),
                by_person,
            });
        }
    }

    fn unread_row(&mut self, label: &str) {
        let name = self.named(label);
        keep(&mut self.import.reading.unread_rows, name);
    }

    fn named(&self, name: &str) -> String {
        let name = tidy(&name.chars().take(80).collect::<String>());
        if is_contact(&name) { self.texts.get("funnel.notices.unnamed").to_owned() } else { name }
    }

    fn refuse_cell(&mut self, key: &str, row: &str, cell: &str) {
        let values = [("row", &*shown(row, self.texts)), ("cell", &*shown(cell, self.texts))];
        let message = self.texts.say(&format!("funnel.mapping.{key}"), &values);
        let way_out = self.texts.say("funnel.mapping.cell_way_out", &values);
        if self.refusal.problems.len() < MOST_NAMES {
            self.refusal.add("pasted_table", message, way_out);
        }
    }
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
            Use::Label | Use::Count | Use::Days | Use::Figure(_) => true,
        };
        cells.filter(fine).map(|(cell, _)| if is_contact(&cell) { "…".to_owned() } else { cell }).collect()
    })
}
