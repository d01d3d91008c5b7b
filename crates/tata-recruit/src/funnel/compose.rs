//! The report: figures in words, bottlenecks with their fixes, slides, and the comparison with the report before.

use super::{
    artifact::{
        Bar, Bottleneck, ComparedStage, Comparison, Fix, FunnelReport, FunnelSummary, Inconsistency, Measure,
        Reason, StageRow, Visual,
    },
    causes,
    data::Data,
    limits::{self, LEAST_BASE, LimitRule, Limits, Rules, SMALL_BASE, Severity},
    maths,
    numbers::{Tenths, percent_sign, wilson},
    slides,
    stage::{FunnelStage, Lane},
    target::{Other, Target},
};
use crate::{Key, Kind, Language, Project, Texts, Voice};

/// Completes a report that says whom it is about and in which voice.
pub(super) fn compose(report: &mut FunnelReport, data: &Data, rules: &Rules, project: &Project) {
    let voice = report.voice;
    let texts = Texts::of(voice);
    let positions = report.number_of_positions;
    let writer = Writer { texts, language: voice.language(), voice, data, rules, positions, project };
    let mut stages = maths::stages(data, texts);
    for row in &mut stages {
        row.notes = writer.notes(row);
    }
    report.bottlenecks = stages.iter().filter_map(|row| writer.bottleneck(row)).collect();
    report.bottlenecks.sort_by_key(|bottleneck| (bottleneck.severity, bottleneck.stage));
    report.fixes = report.bottlenecks.iter().map(|bottleneck| writer.fix(bottleneck)).collect();
    report.summary = writer.summary(&report.bottlenecks);
    report.offers_rejected = data.offers_rejected();
    report.inconsistencies = writer.inconsistencies(&stages, report.number_of_positions);
    report.visual = visual(&stages);
    report.comparison = comparison(&stages, project);
    report.stages = stages;
    report.slides = slides::slides(report);
}

struct Writer<'a> {
    texts: &'static Texts,
    language: Language,
    voice: Voice,
    data: &'a Data,
    rules: &'a Rules,
    positions: u32,
    project: &'a Project,
}

impl Writer<'_> {
    fn summary(&self, bottlenecks: &[Bottleneck]) -> FunnelSummary {
        let overall = maths::ways(self.data);
        let of = |severity| bottlenecks.iter().filter(|bottleneck| bottleneck.severity == severity).count();
        FunnelSummary {
            overall_conversion: match overall.as_slice() {
                [only] => only.conversion,
                _ => None,
            },
            high: of(Severity::High),
            medium: of(Severity::Medium),
            hires: self.data.count(FunnelStage::OffersAccepted),
            time_to_fill: self.data.days.get(&Target::Other(Other::TimeToFill)).copied(),
            overall,
        }
    }

    fn notes(&self, row: &StageRow) -> Vec<String> {
        let mut notes = Vec::new();
        let mut note = |key: Key, values: &[(&str, &str)]| notes.push(self.texts.say(key, values));
        let crossing =
            row.lane == Lane::Process && row.base_stages.iter().any(|from| from.lane() != row.lane);
        let skipped = row.skips();
        match row.base {
            None if row.is_first() => note(key!("funnel.notes.first"), &[]),
            None => note(key!("funnel.notes.unknown_base"), &[]),
            Some(base) => {
                if crossing || !skipped.is_empty() {
                    let values = [("stages", &*self.names(&row.base_stages)), ("count", &*self.count(base))];
                    note(key!("funnel.notes.counted_from"), &values);
                }
                if !skipped.is_empty() {
                    note(key!("funnel.notes.skipped"), &[("stages", &self.names(&skipped))]);
                }
                if base == 0 {
                    note(key!("funnel.notes.empty_base"), &[]);
                } else if row.exceeds_base() {
                    note(key!("funnel.notes.inconsistent"), &[]);
                }
            }
        }
        if crossing && maths::merges(self.data) {
            note(key!("funnel.notes.merged"), &[]);
        }
        notes.extend(self.caution(row));
        if row.stage == FunnelStage::OffersAccepted {
            notes.extend(self.open_offers());
        }
        notes
    }

    /// How little a small base says.
    fn caution(&self, row: &StageRow) -> Option<String> {
        let base = row.base.filter(|base| (1..SMALL_BASE).contains(base))?;
        let shown = self.count(base);
        if base < LEAST_BASE {
            return Some(self.texts.say(key!("funnel.notes.too_few"), &[("base", &shown)]));
        }
        let (low, high) = wilson(row.count, base)?;
        let range = percent_sign(&format!("{low}–{high}"), self.language);
        Some(self.texts.say(key!("funnel.notes.uncertain"), &[("base", &shown), ("range", &range)]))
    }

    /// Offers nobody has answered yet depress the rate, so both are told.
    fn open_offers(&self) -> Option<String> {
        let made = self.data.count(FunnelStage::OffersMade)?;
        let accepted = self.data.count(FunnelStage::OffersAccepted)?;
        let decided = accepted.checked_add(self.data.offers_rejected()?)?;
        let open = made.checked_sub(decided).filter(|open| *open > 0)?;
        let rate = Tenths::percent(accepted, decided)?.as_percent(self.language);
        let values = [("open", &*self.count(open)), ("rate", &*rate)];
        Some(self.texts.say(key!("funnel.notes.open_offers"), &values))
    }

    fn bottleneck(&self, row: &StageRow) -> Option<Bottleneck> {
        // The first stage has nothing before it, and a few people are no pattern.
        if row.is_first() || row.base.is_some_and(|base| base < LEAST_BASE) {
            return None;
        }
        let conversion = self.slow_conversion(row);
        // Documents may explain who drops out; none of them explains why something takes long.
        let (causes, caution) = match &conversion {
            Some(_) => (causes::causes(row.stage, self.project, self.voice), self.caution(row)),
            None => (Vec::new(), None),
        };
        let reasons: Vec<Reason> = conversion.into_iter().chain(self.slow_days(row)).collect();
        let severity = reasons.iter().map(|reason| reason.severity).min()?;
        Some(Bottleneck { stage: row.stage, name: row.name.clone(), severity, reasons, caution, causes })
    }

    /// Whether a rate follows from something else than how candidates are treated: nobody makes more offers than there
    /// are positions, and views are no people.
    fn is_bound(&self, row: &StageRow, rule: LimitRule) -> bool {
        let late = matches!(row.stage, FunnelStage::References | FunnelStage::OffersMade);
        let filled = late && self.positions > 0 && row.count >= u64::from(self.positions);
        let from_views =
            row.stage != FunnelStage::ApplyClicks && row.base_stages.contains(&FunnelStage::JobAdViews);
        // Nobody at all is always worth a look.
        row.count > 0 && (filled || from_views && rule != LimitRule::Own)
    }

    fn slow_conversion(&self, row: &StageRow) -> Option<Reason> {
        let value = row.conversion?;
        let limits = self.rules.rates(row.stage);
        if self.is_bound(row, limits.rule) {
            return None;
        }
        let (severity, limit) = limits.below(value)?;
        let values = [
            ("rate", &*value.as_share(row.count, self.texts)),
            ("count", &*self.count(row.count)),
            ("base", &*self.count(row.base?)),
            ("from", &*self.names(&row.base_stages)),
            ("limit", &*limit.as_limit(self.language)),
        ];
        let text = self.texts.say(key!("funnel.reasons.conversion"), &values);
        let rule_text = self.rule("rate", limits, Tenths::as_limit);
        let (measure, rule) = (Measure::Conversion, limits.rule);
        let benchmark = Some(self.benchmark(row, rule));
        Some(Reason { measure, value, limit, severity, rule, rule_text, text, benchmark })
    }

    fn slow_days(&self, row: &StageRow) -> Option<Reason> {
        let value = row.days?;
        let limits = self.rules.days(row.stage);
        let (severity, limit) = limits.above(value)?;
        let values = [("days", &*value.short(self.language)), ("limit", &*limit.short(self.language))];
        let text = self.texts.say(key!("funnel.reasons.days"), &values);
        let rule_text = self.rule("days", limits, Tenths::short);
        let (measure, rule) = (Measure::Days, limits.rule);
        Some(Reason { measure, value, limit, severity, rule, rule_text, text, benchmark: None })
    }

    fn rule(&self, measure: &str, limits: Limits, show: fn(Tenths, Language) -> String) -> String {
        let (high, medium) = (show(limits.high, self.language), show(limits.medium, self.language));
        let key = group!("funnel.rules").key(format_args!("{measure}.{}", limits.rule.name()));
        self.texts.say(key, &[("high", &high), ("medium", &medium)])
    }

    /// What is published about a stage. Where it counts from another base, the reader must know.
    fn benchmark(&self, row: &StageRow, rule: LimitRule) -> String {
        let published = limits::published(row.stage);
        if published.is_empty() {
            let none = match rule {
                LimitRule::Own | LimitRule::Stage => key!("funnel.benchmarks.none"),
                LimitRule::General => key!("funnel.benchmarks.none_general"),
            };
            return self.texts.get(none).to_owned();
        }
        let ranges = published.iter().map(|range| {
            let (low, high) = (range.low.short(self.language), range.high.short(self.language));
            format!("{} ({})", percent_sign(&format!("{low}–{high}"), self.language), range.source)
        });
        let ranges = ranges.collect::<Vec<_>>().join("; ");
        let text = self.texts.say(key!("funnel.benchmarks.published"), &[("ranges", &ranges)]);
        if limits::comparable(row) {
            return text;
        }
        let from = self.names(&row.base_stages);
        format!("{text} {}", self.texts.say(key!("funnel.benchmarks.other_base"), &[("stages", &from)]))
    }

    /// Exactly one thing to do and one to do it: about the graver reason, the conversion if both weigh the same.
    fn fix(&self, bottleneck: &Bottleneck) -> Fix {
        let (owner, documents) = bottleneck.stage.remedy();
        let document = documents.first().copied();
        let gravest = bottleneck.reasons.iter().min_by_key(|reason| reason.severity);
        let about_time = gravest.is_some_and(|reason| reason.measure == Measure::Days);
        let text = if about_time {
            let values = [("stage", bottleneck.name.as_str())];
            self.texts.say(group!("funnel.time_fixes").key(owner.name()), &values)
        } else {
            self.texts.get(group!("funnel.fixes").key(bottleneck.stage.name())).to_owned()
        };
        Fix {
            stage: bottleneck.stage,
            text,
            owner,
            document: document.map(|kind| kind.name().to_owned()),
            document_exists: document.is_some_and(|kind| self.project.stored(kind, "").is_some()),
        }
    }

    fn inconsistencies(&self, stages: &[StageRow], positions: u32) -> Vec<Inconsistency> {
        let mut found = Vec::new();
        let mut tell = |stages: Vec<FunnelStage>, key: Key, values: &[(&str, &str)]| {
            let message = self.texts.say(key, values);
            found.push(Inconsistency { stages, message });
        };
        for row in stages.iter().filter(|row| row.exceeds_base()) {
            let values = [
                ("stage", row.name.as_str()),
                ("count", &*self.count(row.count)),
                ("from", &*self.names(&row.base_stages)),
                ("base", &*self.count(row.base.unwrap_or(0))),
            ];
            tell([&*row.base_stages, &[row.stage]].concat(), key!("funnel.inconsistencies.more"), &values);
        }
        let accepted = self.data.count(FunnelStage::OffersAccepted);
        let made = self.data.count(FunnelStage::OffersMade);
        if let Some((made, rejected)) = made.zip(self.data.offers_rejected()) {
            let yes = accepted.unwrap_or(0);
            // More acceptances than offers were told above.
            if u128::from(yes) + u128::from(rejected) > u128::from(made) && yes <= made {
                let [accepted, rejected, made] = [yes, rejected, made].map(|number| self.count(number));
                let values = [("accepted", &*accepted), ("rejected", &*rejected), ("made", &*made)];
                let stages = vec![FunnelStage::OffersMade, FunnelStage::OffersAccepted];
                tell(stages, key!("funnel.inconsistencies.answers"), &values);
            }
        }
        if let Some(hires) = accepted.filter(|hires| *hires > u64::from(positions)) {
            let values = [("hires", &*self.count(hires)), ("positions", &*self.count(positions.into()))];
            tell(vec![FunnelStage::OffersAccepted], key!("funnel.inconsistencies.hires"), &values);
        }
        found
    }

    fn names(&self, stages: &[FunnelStage]) -> String {
        FunnelStage::quoted(stages.iter().copied(), self.texts)
    }

    fn count(&self, number: u64) -> String {
        self.texts.count(number)
    }
}

fn visual(stages: &[StageRow]) -> Visual {
    let bars = stages.iter().map(|row| {
        let longest = stages.iter().filter(|other| other.lane == row.lane).map(|other| other.count).max();
        let length = Tenths::percent(row.count, longest.unwrap_or(0)).unwrap_or_default();
        Bar { stage: row.stage, lane: row.lane, count: row.count, length }
    });
    Visual { bars: bars.collect(), largest_drops: maths::largest_drops(stages, LEAST_BASE) }
}

fn comparison(stages: &[StageRow], project: &Project) -> Option<Comparison> {
    let stored = project.stored(Kind::FunnelReport, "")?;
    let before: FunnelReport = project.read(Kind::FunnelReport, "")?;
    let rows = FunnelStage::ALL.into_iter().filter_map(|stage| {
        let [then, now] = [&*before.stages, stages].map(|rows| rows.iter().find(|row| row.stage == stage));
        then.or(now).map(|_| ComparedStage {
            stage,
            count_before: then.map(|row| row.count),
            count_now: now.map(|row| row.count),
            conversion_before: then.and_then(|row| row.conversion),
            conversion_now: now.and_then(|row| row.conversion),
        })
    });
    Some(Comparison { version: stored.version, created_at: before.created_at, rows: rows.collect() })
}
