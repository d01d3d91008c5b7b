//! A funnel report as people read it.

use std::collections::BTreeMap;

use tata_document::{Chart, Stage};

use super::{
    artifact::{Bottleneck, Cause, Comparison, Fix, FunnelReport, FunnelSummary, Overall},
    limits::{SMALL_BASE, time_to_fill},
    numbers::Tenths,
    stage::{FunnelStage, Lane, quoted},
    target::Target,
};
use crate::{Block, Document, Key, Kind, Language, Texts, mapping::TableReading};

/// Writes the document.
pub(crate) fn render(report: &FunnelReport) -> Document {
    let texts = Texts::of(report.voice);
    let title = texts.say(key!("funnel.title"), &[("position", &report.job_title)]);
    let document = Document::new(report.voice, title);
    let mut page = Page { report, texts, language: report.voice.language(), document };
    page.overview();
    page.funnel();
    page.figures();
    page.bottlenecks();
    page.actions();
    if let Some(comparison) = &report.comparison {
        page.comparison(comparison);
    }
    if let Some(reading) = &report.reading {
        page.reading(reading);
    }
    page.heading(key!("funnel.headings.method"));
    page.document.bullets(texts.list(key!("funnel.method")).to_vec());
    page.document
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
    let (texts, language) = (Texts::of(report.voice), report.voice.language());
    let mut facts = Vec::new();
    let mut fact = |label: &str, value: String| facts.push((label.to_owned(), value));
    let positions = texts.count(report.number_of_positions.into());
    fact(texts.get(key!("funnel.summary.role")), report.job_title.clone());
    fact(texts.get(key!("funnel.summary.manager")), report.hiring_manager_name.clone());
    fact(texts.get(key!("funnel.summary.positions")), positions.clone());
    if !report.locations.is_empty() {
        fact(texts.get(key!("funnel.summary.locations")), report.locations.join(", "));
    }
    let FunnelSummary { overall, high, medium, hires, time_to_fill: days, .. } = &report.summary;
    for way in overall {
        if overall.len() == 1 {
            fact(texts.get(key!("funnel.summary.overall")), of_way(way, texts));
        } else {
            let lane = [("lane", way.lane.display(texts))];
            fact(&texts.say(key!("funnel.summary.overall_lane"), &lane), of_way(way, texts));
        }
    }
    let values = [("high", &*high.to_string()), ("medium", &*medium.to_string())];
    fact(texts.get(key!("funnel.summary.bottlenecks")), texts.say(key!("funnel.summary.counts"), &values));
    if let Some(hires) = hires {
        let values = [("hires", &*texts.count(*hires)), ("positions", &*positions)];
        fact(texts.get(key!("funnel.summary.hires")), texts.say(key!("funnel.summary.hires_value"), &values));
    }
    if let Some(days) = days {
        let usual = time_to_fill();
        let values = [
            ("days", &*days.short(language)),
            ("usual", &*usual.days.short(language)),
            ("source", usual.source),
        ];
        let value = texts.say(key!("funnel.summary.time_to_fill_value"), &values);
        fact(texts.get(key!("funnel.summary.time_to_fill")), value);
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

/// A rate as people read it, or that there is none.
fn percent(rate: Option<Tenths>, count: u64, texts: &Texts) -> String {
    let none = || texts.get(key!("funnel.not_defined")).to_owned();
    rate.map_or_else(none, |rate| rate.as_share(count, texts))
}

fn of_way(way: &Overall, texts: &Texts) -> String {
    let values = [
        ("rate", &*percent(way.conversion, way.to_count, texts)),
        ("from", way.from.display(texts)),
        ("from_count", &*texts.count(way.from_count)),
        ("to", way.to.display(texts)),
        ("to_count", &*texts.count(way.to_count)),
    ];
    texts.say(key!("funnel.summary.overall_value"), &values)
}

/// A report on its way to the page.
struct Page<'a> {
    report: &'a FunnelReport,
    texts: &'static Texts,
    language: Language,
    document: Document,
}

impl Page<'_> {
    fn heading(&mut self, name: Key) {
        self.document.heading(1, self.texts.get(name));
    }

    fn say(&mut self, key: Key, values: &[(&str, &str)]) {
        self.document.paragraph(self.texts.say(key, values));
    }

    fn table<const WIDTH: usize>(
        &mut self,
        columns: [Key; WIDTH],
        rows: impl Iterator<Item = [String; WIDTH]>,
    ) {
        self.document.push(Block::table(columns.map(|name| self.texts.get(name)), rows));
    }

    fn overview(&mut self) {
        self.heading(key!("funnel.headings.summary"));
        let rows = summary(self.report).into_iter().map(|(label, value)| [label, guarded(&value)]);
        self.table([key!("funnel.columns.fact"), key!("funnel.columns.value")], rows);
        if !self.report.inconsistencies.is_empty() {
            self.heading(key!("funnel.headings.inconsistencies"));
            // What the program added up itself is not for the reader to answer for.
            let added = self.report.reading.as_ref().is_some_and(|reading| reading.summed);
            let intro = if added {
                key!("funnel.inconsistencies.intro_summed")
            } else {
                key!("funnel.inconsistencies.intro")
            };
            self.say(intro, &[]);
            self.document.bullets(self.report.inconsistencies.iter().map(|one| one.message.clone()));
        }
    }

    fn funnel(&mut self) {
        let texts = self.texts;
        self.heading(key!("funnel.headings.funnel"));
        let columns =
            [key!("funnel.columns.stage"), key!("funnel.columns.bar"), key!("funnel.columns.count")];
        for lane in Lane::ALL {
            let bars = self.report.visual.bars.iter().filter(|bar| bar.lane == lane);
            let stages: Vec<Stage> = bars
                .map(|bar| Stage {
                    label: bar.stage.display(texts).into(),
                    count: bar.count,
                    shown: texts.count(bar.count).into(),
                    length: bar.length.0,
                })
                .collect();
            if !stages.is_empty() {
                let (title, columns) = (lane.display(texts), columns.map(|name| texts.get(name).into()));
                self.document.heading(2, title);
                self.document.push(Block::Chart(Chart { title: title.to_owned(), columns, stages }));
            }
        }
        let drops = self.report.visual.largest_drops.iter().map(|drop| {
            let values = [
                ("stage", &*quoted(drop.stage.display(texts), texts)),
                ("lost", &*texts.count(drop.lost)),
                ("share", &*drop.share.as_percent(self.language)),
            ];
            texts.say(key!("funnel.drop"), &values)
        });
        let drops: Vec<String> = drops.collect();
        if !drops.is_empty() {
            self.document.heading(2, texts.get(key!("funnel.headings.drops"))).bullets(drops);
        }
    }

    fn figures(&mut self) {
        let (texts, language) = (self.texts, self.language);
        self.heading(key!("funnel.headings.figures"));
        let header = [
            key!("funnel.columns.stage"),
            key!("funnel.columns.count"),
            key!("funnel.columns.conversion"),
            key!("funnel.columns.cumulative"),
            key!("funnel.columns.days"),
            key!("funnel.columns.notes"),
        ];
        let rows = self.report.stages.iter().map(|row| {
            [
                row.name.clone(),
                texts.count(row.count),
                percent(row.conversion, row.count, texts),
                row.cumulative.map(|rate| rate.as_share(row.count, texts)).unwrap_or_default(),
                row.days.map(|days| days.short(language)).unwrap_or_default(),
                row.notes.join(" "),
            ]
        });
        self.table(header, rows);
        if let Some(rejected) = self.report.offers_rejected {
            self.say(key!("funnel.rejected"), &[("count", &texts.count(rejected))]);
        }
        let small = |base: u64| (1..SMALL_BASE).contains(&base);
        if self.report.stages.iter().filter_map(|row| row.base).any(small) {
            self.say(key!("funnel.small_numbers"), &[]);
        }
    }

    fn bottlenecks(&mut self) {
        self.heading(key!("funnel.headings.bottlenecks"));
        if self.report.bottlenecks.is_empty() {
            self.say(key!("funnel.no_bottleneck"), &[]);
        }
        for (bottleneck, fix) in self.report.bottlenecks.iter().zip(&self.report.fixes) {
            self.bottleneck(bottleneck, fix);
        }
        self.shared();
    }

    /// Whether a cause is told once, after all bottlenecks: it concerns several, or asks for a document.
    fn is_shared(&self, cause: &Cause) -> bool {
        let times = self.report.bottlenecks.iter().filter(|one| one.causes.contains(cause)).count();
        times > 1 || cause.version.is_none()
    }

    /// What would be told or asked at several stages, once and with the stages.
    fn shared(&mut self) {
        let mut causes: Vec<(&Cause, Vec<FunnelStage>)> = Vec::new();
        let mut silent: BTreeMap<&str, Vec<FunnelStage>> = BTreeMap::new();
        for (bottleneck, fix) in self.report.bottlenecks.iter().zip(&self.report.fixes) {
            if bottleneck.causes.is_empty() {
                silent.entry(fix.owner.display(self.texts)).or_default().push(bottleneck.stage);
            }
            for cause in bottleneck.causes.iter().filter(|cause| self.is_shared(cause)) {
                match causes.iter_mut().find(|(known, _)| *known == cause) {
                    Some((_, stages)) => stages.push(bottleneck.stage),
                    None => causes.push((cause, vec![bottleneck.stage])),
                }
            }
        }
        if causes.is_empty() && silent.is_empty() {
            return;
        }
        self.document.heading(2, self.texts.get(key!("funnel.headings.shared")));
        for (cause, stages) in causes {
            self.cause(cause, stages);
        }
        for (owner, stages) in silent {
            let text = self.texts.say(key!("funnel.causes.none"), &[("owner", owner)]);
            self.document.paragraph(format!("{}: {text}", FunnelStage::quoted(stages, self.texts)));
        }
    }

    fn bottleneck(&mut self, bottleneck: &Bottleneck, fix: &Fix) {
        let severity = self.texts.get(group!("funnel.severity").key(bottleneck.severity.name()));
        let values = [("stage", bottleneck.name.as_str()), ("severity", severity)];
        self.document.heading(2, self.texts.say(key!("funnel.bottleneck"), &values));
        for reason in &bottleneck.reasons {
            self.document.paragraph(format!("{} {}", reason.text, reason.rule_text));
            self.document.paragraph(reason.benchmark.as_deref().unwrap_or_default());
        }
        self.document.paragraph(bottleneck.caution.as_deref().unwrap_or_default());
        let values = [("fix", fix.text.as_str()), ("owner", fix.owner.display(self.texts))];
        self.say(key!("funnel.fix"), &values);
        for cause in &bottleneck.causes {
            if !self.is_shared(cause) {
                self.cause(cause, Vec::new());
            }
        }
    }

    /// What a document says; with the stages it concerns, where they are not told above.
    fn cause(&mut self, cause: &Cause, stages: Vec<FunnelStage>) {
        let mut text = cause.text.clone();
        if let Some((version, kind)) = cause.version.zip(Kind::find(&cause.document)) {
            let version = version.to_string();
            let values =
                [("document", kind.display(self.texts)), ("version", &version), ("text", &cause.text)];
            text = self.texts.say(key!("funnel.causes.said"), &values);
        }
        if !stages.is_empty() {
            text = format!("{}: {text}", FunnelStage::quoted(stages, self.texts));
        }
        self.document.paragraph(text);
        for quote in &cause.quotes {
            self.document.push(Block::quote(&quote.text, &quote.source));
        }
    }

    fn actions(&mut self) {
        if self.report.fixes.is_empty() {
            return;
        }
        let texts = self.texts;
        self.heading(key!("funnel.headings.actions"));
        let header = [
            key!("funnel.columns.stage"),
            key!("funnel.columns.fix"),
            key!("funnel.columns.owner"),
            key!("funnel.columns.document"),
        ];
        let rows = self.report.fixes.iter().map(|fix| {
            let name = fix.document.as_deref().and_then(Kind::find).map_or("", |kind| kind.display(texts));
            let document = if fix.document_exists || name.is_empty() {
                name.to_owned()
            } else {
                texts.say(key!("funnel.document_missing"), &[("document", name)])
            };
            let owner = fix.owner.display(texts).to_owned();
            [fix.stage.display(texts).to_owned(), fix.text.clone(), owner, document]
        });
        self.table(header, rows);
    }

    fn comparison(&mut self, comparison: &Comparison) {
        let texts = self.texts;
        self.heading(key!("funnel.headings.comparison"));
        self.say(key!("funnel.compared_with"), &[("version", &comparison.version.to_string())]);
        let header = [
            key!("funnel.columns.stage"),
            key!("funnel.columns.count_before"),
            key!("funnel.columns.count_now"),
            key!("funnel.columns.conversion_before"),
            key!("funnel.columns.conversion_now"),
            key!("funnel.columns.change"),
        ];
        let number = |number: Option<u64>| number.map(|number| texts.count(number)).unwrap_or_default();
        let rate = |rate: Option<Tenths>, count: Option<u64>| {
            rate.map(|rate| rate.as_share(count.unwrap_or(0), texts)).unwrap_or_default()
        };
        let rows = comparison.rows.iter().map(|row| {
            [
                row.stage.display(texts).to_owned(),
                number(row.count_before),
                number(row.count_now),
                rate(row.conversion_before, row.count_before),
                rate(row.conversion_now, row.count_now),
                row.conversion_before
                    .zip(row.conversion_now)
                    .map(|both| change(both, texts))
                    .unwrap_or_default(),
            ]
        });
        self.table(header, rows);
    }

    /// What each name of the table was taken for, and what was not read.
    fn reading(&mut self, reading: &TableReading) {
        let texts = self.texts;
        self.heading(key!("funnel.headings.reading"));
        let rows = reading.labels.iter().map(|label| {
            let by =
                if label.by_person { key!("funnel.mapping.person") } else { key!("funnel.mapping.list") };
            let means = Target::find(&label.means).map(|target| target.display(texts));
            [guarded(&label.label), means.unwrap_or_default(), texts.get(by).to_owned()]
        });
        let header = [key!("funnel.columns.label"), key!("funnel.columns.means"), key!("funnel.columns.by")];
        self.table(header, rows);
        self.document.bullets(reading_remarks(reading, texts));
    }
}

/// In percentage points. An arrow instead of a sign: a spreadsheet takes a sign for a formula.
fn change((before, now): (Tenths, Tenths), texts: &Texts) -> String {
    let points = Tenths(before.0.abs_diff(now.0)).display(texts.language());
    match now.cmp(&before) {
        std::cmp::Ordering::Greater => format!("↑ {points}"),
        std::cmp::Ordering::Less => format!("↓ {points}"),
        std::cmp::Ordering::Equal => points,
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
