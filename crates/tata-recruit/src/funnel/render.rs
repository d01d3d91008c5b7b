//! A funnel report as people read it.

use std::collections::BTreeMap;

use tata_document::{Chart, Stage};

use super::{
    artifact::{Bottleneck, Cause, Comparison, Fix, FunnelReport, Overall},
    limits::{SMALL_BASE, time_to_fill},
    numbers::{Tenths, count},
    stage::Lane,
    target::Target,
};
use crate::{Block, Document, Key, Kind, Language, Texts, mapping::TableReading};

/// Writes the document.
pub(crate) fn render(report: &FunnelReport) -> Document {
    let texts = Texts::of(report.voice);
    let page = Page { report, texts, language: report.voice.language() };
    let title = texts.say(key!("funnel.title"), &[("position", &report.job_title)]);
    let mut document = Document::new(report.voice, title);
    page.overview(&mut document);
    page.funnel(&mut document);
    page.figures(&mut document);
    page.bottlenecks(&mut document);
    page.actions(&mut document);
    if let Some(comparison) = &report.comparison {
        page.comparison(comparison, &mut document);
    }
    if let Some(reading) = &report.reading {
        page.reading(reading, &mut document);
    }
    document.heading(1, texts.get(key!("funnel.headings.method")));
    document.bullets(texts.list(key!("funnel.method")).to_vec());
    document
}

/// The slides as a document, so that they pass the same gate.
pub(super) fn slides(report: &FunnelReport) -> Document {
    let mut document = Document::new(report.voice, "");
    for slide in &report.slides {
        document.heading(1, slide.title.as_str()).bullets(slide.points.iter().cloned());
    }
    document
}

/// Labels and values of the summary.
pub(super) fn summary(report: &FunnelReport) -> Vec<(String, String)> {
    let texts = Texts::of(report.voice);
    let language = report.voice.language();
    let page = Page { report, texts, language };
    let label = |name: Key| texts.get(name).to_owned();
    let positions = count(report.number_of_positions.into(), language);
    let mut facts = vec![
        (label(key!("funnel.summary.role")), report.job_title.clone()),
        (label(key!("funnel.summary.manager")), report.hiring_manager_name.clone()),
        (label(key!("funnel.summary.positions")), positions.clone()),
    ];
    if !report.locations.is_empty() {
        facts.push((label(key!("funnel.summary.locations")), report.locations.join(", ")));
    }
    let overall = &report.summary.overall;
    for way in overall {
        let name = match overall.as_slice() {
            [_] => label(key!("funnel.summary.overall")),
            _ => texts.say(key!("funnel.summary.overall_lane"), &[("lane", way.lane.display(texts))]),
        };
        facts.push((name, page.overall(way)));
    }
    let (high, medium) = (report.summary.high.to_string(), report.summary.medium.to_string());
    let found = texts.say(key!("funnel.summary.counts"), &[("high", &high), ("medium", &medium)]);
    facts.push((label(key!("funnel.summary.bottlenecks")), found));
    if let Some(hires) = report.summary.hires {
        let values = [("hires", &*count(hires, language)), ("positions", &*positions)];
        facts.push((
            label(key!("funnel.summary.hires")),
            texts.say(key!("funnel.summary.hires_value"), &values),
        ));
    }
    if let Some(days) = report.summary.time_to_fill {
        let usual = time_to_fill();
        let values = [
            ("days", &*days.display(language, true)),
            ("usual", &*usual.days.display(language, true)),
            ("source", usual.source),
        ];
        facts.push((
            label(key!("funnel.summary.time_to_fill")),
            texts.say(key!("funnel.summary.time_to_fill_value"), &values),
        ));
    }
    facts
}

/// What was not read of a table, and what should be known of the reading.
pub(super) fn reading_remarks(reading: &TableReading, texts: &Texts) -> Vec<String> {
    let mut said = Vec::new();
    let mut say = |key: Key, values: &[(&str, &str)]| said.push(texts.say(key, values));
    for (key, names) in [
        (key!("funnel.notices.unknown_columns"), &reading.unread_columns),
        (key!("funnel.notices.unknown_rows"), &reading.unread_rows),
    ] {
        if !names.is_empty() {
            let names: Vec<String> = names.iter().map(|name| quoted(name, texts)).collect();
            say(key, &[("names", &names.join(", "))]);
        }
    }
    if reading.personal_columns > 0 {
        say(key!("funnel.notices.personal"), &[("count", &reading.personal_columns.to_string())]);
    }
    if reading.people.is_some() {
        say(key!("funnel.notices.people"), &[]);
    }
    if reading.summed {
        say(key!("funnel.notices.summed"), &[]);
    }
    said
}

/// A cell that a spreadsheet does not take for a formula.
fn guarded(cell: &str) -> String {
    let risky = cell.trim_start().starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠'])
        || cell.starts_with(['\t', '\r', '\n']);
    if risky { format!("'{cell}") } else { cell.to_owned() }
}

/// Words in the quotation marks of a language.
pub(super) fn quoted(words: &str, texts: &Texts) -> String {
    texts.say(key!("funnel.quoted"), &[("words", words)])
}

struct Page<'a> {
    report: &'a FunnelReport,
    texts: &'static Texts,
    language: Language,
}

impl Page<'_> {
    fn heading(&self, name: Key, document: &mut Document) {
        document.heading(1, self.texts.get(name));
    }

    fn column(&self, name: Key) -> String {
        self.texts.get(name).to_owned()
    }

    fn percent(&self, rate: Option<Tenths>, count: u64) -> String {
        rate.map_or_else(
            || self.texts.get(key!("funnel.not_defined")).to_owned(),
            |rate| rate.as_share(count, self.texts, self.language),
        )
    }

    fn percent_or_blank(&self, rate: Option<Tenths>, count: Option<u64>) -> String {
        rate.map(|rate| rate.as_share(count.unwrap_or(0), self.texts, self.language)).unwrap_or_default()
    }

    fn overall(&self, way: &Overall) -> String {
        let values = [
            ("rate", &*self.percent(way.conversion, way.to_count)),
            ("from", way.from.display(self.texts)),
            ("from_count", &*count(way.from_count, self.language)),
            ("to", way.to.display(self.texts)),
            ("to_count", &*count(way.to_count, self.language)),
        ];
        self.texts.say(key!("funnel.summary.overall_value"), &values)
    }

    fn overview(&self, document: &mut Document) {
        self.heading(key!("funnel.headings.summary"), document);
        let rows = summary(self.report).into_iter().map(|(label, value)| vec![label, guarded(&value)]);
        document.push(Block::table(
            [self.column(key!("funnel.columns.fact")), self.column(key!("funnel.columns.value"))],
            rows,
        ));
        if !self.report.inconsistencies.is_empty() {
            self.heading(key!("funnel.headings.inconsistencies"), document);
            document.paragraph(self.texts.get(key!("funnel.inconsistencies.intro")));
            document.bullets(self.report.inconsistencies.iter().map(|one| one.message.clone()));
        }
    }

    fn funnel(&self, document: &mut Document) {
        self.heading(key!("funnel.headings.funnel"), document);
        for lane in Lane::ALL {
            let bars = self.report.visual.bars.iter().filter(|bar| bar.lane == lane);
            let stages: Vec<Stage> = bars
                .map(|bar| Stage {
                    label: bar.stage.display(self.texts).into(),
                    count: bar.count,
                    shown: count(bar.count, self.language).into(),
                    length: bar.length.0,
                })
                .collect();
            if !stages.is_empty() {
                let title = lane.display(self.texts);
                document.heading(2, title);
                let columns =
                    [key!("funnel.columns.stage"), key!("funnel.columns.bar"), key!("funnel.columns.count")]
                        .map(|name| self.column(name).into());
                document.push(Block::Chart(Chart { title: title.to_owned(), columns, stages }));
            }
        }
        let drops = self.report.visual.largest_drops.iter().map(|drop| {
            let values = [
                ("stage", &*quoted(drop.stage.display(self.texts), self.texts)),
                ("lost", &*count(drop.lost, self.language)),
                ("share", &*drop.share.as_percent(self.language)),
            ];
            self.texts.say(key!("funnel.drop"), &values)
        });
        let drops: Vec<String> = drops.collect();
        if !drops.is_empty() {
            document.heading(2, self.texts.get(key!("funnel.headings.drops"))).bullets(drops);
        }
    }

    fn figures(&self, document: &mut Document) {
        self.heading(key!("funnel.headings.figures"), document);
        let header = [
            key!("funnel.columns.stage"),
            key!("funnel.columns.count"),
            key!("funnel.columns.conversion"),
            key!("funnel.columns.cumulative"),
            key!("funnel.columns.days"),
            key!("funnel.columns.notes"),
        ]
        .map(|name| self.column(name));
        let rows = self.report.stages.iter().map(|row| {
            vec![
                row.name.clone(),
                count(row.count, self.language),
                self.percent(row.conversion, row.count),
                self.percent_or_blank(row.cumulative, Some(row.count)),
                row.days.map(|days| days.display(self.language, true)).unwrap_or_default(),
                row.notes.join(" "),
            ]
        });
        document.push(Block::table(header, rows));
        if let Some(rejected) = self.report.offers_rejected {
            let values = [("count", &*count(rejected, self.language))];
            document.paragraph(self.texts.say(key!("funnel.rejected"), &values));
        }
        let small = |base: u64| (1..SMALL_BASE).contains(&base);
        if self.report.stages.iter().filter_map(|row| row.base).any(small) {
            document.paragraph(self.texts.get(key!("funnel.small_numbers")));
        }
    }

    fn bottlenecks(&self, document: &mut Document) {
        self.heading(key!("funnel.headings.bottlenecks"), document);
        if self.report.bottlenecks.is_empty() {
            document.paragraph(self.texts.get(key!("funnel.no_bottleneck")));
        }
        for (bottleneck, fix) in self.report.bottlenecks.iter().zip(&self.report.fixes) {
            self.bottleneck(bottleneck, fix, document);
        }
        self.shared(document);
    }

    /// Whether a cause is told once, after all bottlenecks: it concerns several, or asks for a document.
    fn is_shared(&self, cause: &Cause) -> bool {
        let times = self.report.bottlenecks.iter().filter(|one| one.causes.contains(cause)).count();
        times > 1 || cause.version.is_none()
    }

    /// What would be told or asked at several stages, once and with the stages.
    fn shared(&self, document: &mut Document) {
        let mut causes: Vec<(&Cause, Vec<String>)> = Vec::new();
        let mut silent: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for (bottleneck, fix) in self.report.bottlenecks.iter().zip(&self.report.fixes) {
            let name = quoted(&bottleneck.name, self.texts);
            if bottleneck.causes.is_empty() {
                silent.entry(fix.owner.display(self.texts)).or_default().push(name.clone());
            }
            for cause in bottleneck.causes.iter().filter(|cause| self.is_shared(cause)) {
                match causes.iter_mut().find(|(known, _)| *known == cause) {
                    Some((_, stages)) => stages.push(name.clone()),
                    None => causes.push((cause, vec![name.clone()])),
                }
            }
        }
        if causes.is_empty() && silent.is_empty() {
            return;
        }
        document.heading(2, self.texts.get(key!("funnel.headings.shared")));
        for (cause, stages) in causes {
            self.cause(cause, Some(&self.texts.enumerate(&stages)), document);
        }
        for (owner, stages) in silent {
            let text = self.texts.say(key!("funnel.causes.none"), &[("owner", owner)]);
            document.paragraph(format!("{}: {text}", self.texts.enumerate(&stages)));
        }
    }

    fn bottleneck(&self, bottleneck: &Bottleneck, fix: &Fix, document: &mut Document) {
        let severity = self.texts.get(group!("funnel.severity").key(bottleneck.severity.name()));
        let values = [("stage", bottleneck.name.as_str()), ("severity", severity)];
        document.heading(2, self.texts.say(key!("funnel.bottleneck"), &values));
        for reason in &bottleneck.reasons {
            document.paragraph(format!("{} {}", reason.text, reason.rule_text));
            document.paragraph(reason.benchmark.as_deref().unwrap_or_default());
        }
        document.paragraph(bottleneck.caution.as_deref().unwrap_or_default());
        let values = [("fix", fix.text.as_str()), ("owner", fix.owner.display(self.texts))];
        document.paragraph(self.texts.say(key!("funnel.fix"), &values));
        for cause in bottleneck.causes.iter().filter(|cause| !self.is_shared(cause)) {
            self.cause(cause, None, document);
        }
    }

    fn cause(&self, cause: &Cause, stages: Option<&str>, document: &mut Document) {
        let text = match (cause.version, Kind::find(&cause.document)) {
            (Some(version), Some(kind)) => {
                let values = [
                    ("document", kind.display(self.texts)),
                    ("version", &*version.to_string()),
                    ("text", cause.text.as_str()),
                ];
                self.texts.say(key!("funnel.causes.said"), &values)
            }
            (Some(_) | None, _) => cause.text.clone(),
        };
        document.paragraph(match stages {
            Some(stages) => format!("{stages}: {text}"),
            None => text,
        });
        for quote in &cause.quotes {
            document.push(Block::quote(&quote.text, &quote.source));
        }
    }

    fn actions(&self, document: &mut Document) {
        if self.report.fixes.is_empty() {
            return;
        }
        self.heading(key!("funnel.headings.actions"), document);
        let header = [
            key!("funnel.columns.stage"),
            key!("funnel.columns.fix"),
            key!("funnel.columns.owner"),
            key!("funnel.columns.document"),
        ]
        .map(|name| self.column(name));
        let rows = self.report.fixes.iter().map(|fix| {
            let document = fix.document.as_deref().and_then(Kind::find);
            let document = document.map(|kind| {
                let name = kind.display(self.texts);
                if fix.document_exists {
                    name.to_owned()
                } else {
                    self.texts.say(key!("funnel.document_missing"), &[("document", name)])
                }
            });
            vec![
                fix.stage.display(self.texts).to_owned(),
                fix.text.clone(),
                fix.owner.display(self.texts).to_owned(),
                document.unwrap_or_default(),
            ]
        });
        document.push(Block::table(header, rows));
    }

    fn comparison(&self, comparison: &Comparison, document: &mut Document) {
        self.heading(key!("funnel.headings.comparison"), document);
        let version = comparison.version.to_string();
        document.paragraph(self.texts.say(key!("funnel.compared_with"), &[("version", &version)]));
        let header = [
            key!("funnel.columns.stage"),
            key!("funnel.columns.count_before"),
            key!("funnel.columns.count_now"),
            key!("funnel.columns.conversion_before"),
            key!("funnel.columns.conversion_now"),
            key!("funnel.columns.change"),
        ];
        let number =
            |number: Option<u64>| number.map(|number| count(number, self.language)).unwrap_or_default();
        let rows = comparison.rows.iter().map(|row| {
            vec![
                row.stage.display(self.texts).to_owned(),
                number(row.count_before),
                number(row.count_now),
                self.percent_or_blank(row.conversion_before, row.count_before),
                self.percent_or_blank(row.conversion_now, row.count_now),
                self.change(row.conversion_before, row.conversion_now),
            ]
        });
        document.push(Block::table(header.map(|name| self.column(name)), rows));
    }

    /// What each name of the table was taken for, and what was not read.
    fn reading(&self, reading: &TableReading, document: &mut Document) {
        self.heading(key!("funnel.headings.reading"), document);
        let rows = reading.labels.iter().map(|label| {
            let by = if label.by_person { "person" } else { "list" };
            vec![
                guarded(&label.label),
                Target::find(&label.means).map_or_else(String::new, |target| target.display(self.texts)),
                self.texts.get(group!("funnel.mapping").key(by)).to_owned(),
            ]
        });
        document.push(Block::table(
            [key!("funnel.columns.label"), key!("funnel.columns.means"), key!("funnel.columns.by")]
                .map(|name| self.column(name)),
            rows,
        ));
        document.bullets(reading_remarks(reading, self.texts));
    }

    /// In percentage points. An arrow instead of a sign: a spreadsheet takes a sign for a formula.
    fn change(&self, before: Option<Tenths>, now: Option<Tenths>) -> String {
        let (Some(before), Some(now)) = (before, now) else { return String::new() };
        let points = Tenths(before.0.abs_diff(now.0)).display(self.language, false);
        match now.cmp(&before) {
            std::cmp::Ordering::Greater => format!("↑ {points}"),
            std::cmp::Ordering::Less => format!("↓ {points}"),
            std::cmp::Ordering::Equal => points,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_becomes_a_formula() {
        let check = |cell: &str, expected: &str| assert_eq!(guarded(cell), expected);
        check("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
        check(" +1", "' +1");
        check("-2", "'-2");
        check("@SUM(A1)", "'@SUM(A1)");
        check("plain", "plain");
    }
}
