//! The report: figures in words, bottlenecks with their fixes, slides, and the comparison with the report before.

use jiff::Timestamp;

use super::{
    artifact::{
        Bar, Bottleneck, ComparedStage, Comparison, Fix, FunnelReport, FunnelSummary, Inconsistency, Measure,
        Reason, StageRow, Visual,
    },
    causes,
    data::Data,
    limits::{self, LEAST_BASE, LimitRule, Limits, Rules, SMALL_BASE, Severity},
    maths::{self, Base, Step},
    numbers::{Tenths, count, percent_sign, wilson},
    render::quoted,
    slides,
    stage::{FunnelStage, Lane},
    target::{Other, Target},
};
use crate::{Key, Kind, Language, Project, Texts, Voice};

/// Who and what the report is about.
pub(super) struct Role {
    pub(super) job_title: String,
    pub(super) hiring_manager_name: String,
    pub(super) number_of_positions: u32,
    pub(super) locations: Vec<String>,
}

/// Writes a report in one voice.
pub(super) fn compose(
    role: Role,
    data: &Data,
    rules: &Rules,
    project: &Project,
    voice: Voice,
    now: Timestamp,
) -> FunnelReport {
    let writer = Writer { texts: Texts::of(voice), language: voice.language(), voice, data, rules, project };
    let steps = maths::steps(data);
    let mut bottlenecks: Vec<Bottleneck> = steps.iter().filter_map(|step| writer.bottleneck(step)).collect();
    bottlenecks.sort_by_key(|bottleneck| (bottleneck.severity, bottleneck.stage));
    let fixes = bottlenecks.iter().map(|bottleneck| writer.fix(bottleneck)).collect();
    let mut report = FunnelReport {
        summary: writer.summary(&bottlenecks),
        stages: steps.iter().map(|step| writer.row(step)).collect(),
        offers_rejected: data.offers_rejected(),
        inconsistencies: writer.inconsistencies(&steps, role.number_of_positions),
        visual: visual(&steps),
        comparison: comparison(&steps, project),
        slides: Vec::new(),
        reading: None,
        bottlenecks,
        fixes,
        voice,
        created_at: now,
        job_title: role.job_title,
        hiring_manager_name: role.hiring_manager_name,
        number_of_positions: role.number_of_positions,
        locations: role.locations,
    };
    report.slides = slides::slides(&report);
    report
}

struct Writer<'a> {
    texts: &'static Texts,
    language: Language,
    voice: Voice,
    data: &'a Data,
    rules: &'a Rules,
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

    fn row(&self, step: &Step) -> StageRow {
        StageRow {
            stage: step.stage,
            lane: step.stage.lane(),
            name: step.stage.display(self.texts).to_owned(),
            count: step.count,
            base_stages: step.base.stages().to_vec(),
            base: step.base.count(),
            conversion: step.conversion,
            cumulative: step.cumulative,
            days: self.data.days(step.stage),
            notes: self.notes(step),
        }
    }

    fn notes(&self, step: &Step) -> Vec<String> {
        let mut notes = Vec::new();
        let crossing = step.stage.lane() == Lane::Process
            && step.base.stages().iter().any(|stage| stage.lane() != Lane::Process);
        let skipped = step.skips();
        match &step.base {
            Base::First => notes.push(self.texts.get(key!("funnel.notes.first")).to_owned()),
            Base::Unknown => notes.push(self.texts.get(key!("funnel.notes.unknown_base")).to_owned()),
            Base::Stages(stages, base) => {
                if crossing || !skipped.is_empty() {
                    let values = [("stages", &*self.names(stages)), ("count", &*self.count(*base))];
                    notes.push(self.texts.say(key!("funnel.notes.counted_from"), &values));
                }
                if !skipped.is_empty() {
                    let values = [("stages", &*self.names(&skipped))];
                    notes.push(self.texts.say(key!("funnel.notes.skipped"), &values));
                }
                if *base == 0 {
                    notes.push(self.texts.get(key!("funnel.notes.empty_base")).to_owned());
                }
            }
        }
        if step.exceeds_base() && step.base.count() != Some(0) {
            notes.push(self.texts.get(key!("funnel.notes.inconsistent")).to_owned());
        }
        if crossing && maths::merges(self.data) {
            notes.push(self.texts.get(key!("funnel.notes.merged")).to_owned());
        }
        notes.extend(self.caution(step));
        if step.stage == FunnelStage::OffersAccepted {
            notes.extend(self.open_offers());
        }
        notes
    }

    /// How little a small base says.
    fn caution(&self, step: &Step) -> Option<String> {
        let base = step.base.count().filter(|base| (1..SMALL_BASE).contains(base))?;
        if base < LEAST_BASE {
            return Some(self.texts.say(key!("funnel.notes.too_few"), &[("base", &self.count(base))]));
        }
        let (low, high) = wilson(step.count, base)?;
        let range = percent_sign(&format!("{low}–{high}"), self.language);
        Some(
            self.texts.say(key!("funnel.notes.uncertain"), &[("base", &self.count(base)), ("range", &range)]),
        )
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

    fn bottleneck(&self, step: &Step) -> Option<Bottleneck> {
        // The first stage has nothing before it, and a few people are no pattern.
        if step.base == Base::First || step.base.count().is_some_and(|base| base < LEAST_BASE) {
            return None;
        }
        let reasons: Vec<Reason> =
            [self.slow_conversion(step), self.slow_days(step)].into_iter().flatten().collect();
        let severity = reasons.iter().map(|reason| reason.severity).min()?;
        let by_conversion = reasons.iter().any(|reason| reason.measure == Measure::Conversion);
        // Documents may explain who drops out; none of them explains why something takes long.
        let (causes, caution) = if by_conversion {
            (causes::causes(step.stage, self.project, self.voice), self.caution(step))
        } else {
            (Vec::new(), None)
        };
        let name = step.stage.display(self.texts).to_owned();
        Some(Bottleneck { stage: step.stage, name, severity, reasons, caution, causes })
    }

    fn slow_conversion(&self, step: &Step) -> Option<Reason> {
        let value = step.conversion?;
        let limits = self.rules.rates(step.stage);
        let (severity, limit) = limits.below(value)?;
        let values = [
            ("rate", &*value.as_share(step.count, self.texts, self.language)),
            ("count", &*self.count(step.count)),
            ("base", &*self.count(step.base.count()?)),
            ("from", &*self.names(step.base.stages())),
            ("limit", &*limit.as_limit(self.language)),
        ];
        let text = self.texts.say(key!("funnel.reasons.conversion"), &values);
        let rule_text = self.rule("rate", limits, Tenths::as_limit);
        let (measure, rule) = (Measure::Conversion, limits.rule);
        let benchmark = Some(self.benchmark(step, rule));
        Some(Reason { measure, value, limit, severity, rule, rule_text, text, benchmark })
    }

    fn slow_days(&self, step: &Step) -> Option<Reason> {
        let value = self.data.days(step.stage)?;
        let limits = self.rules.days(step.stage);
        let (severity, limit) = limits.above(value)?;
        let short = |number: Tenths, language| number.display(language, true);
        let values = [("days", &*short(value, self.language)), ("limit", &*short(limit, self.language))];
        let text = self.texts.say(key!("funnel.reasons.days"), &values);
        let rule_text = self.rule("days", limits, short);
        let (measure, rule) = (Measure::Days, limits.rule);
        Some(Reason { measure, value, limit, severity, rule, rule_text, text, benchmark: None })
    }

    fn rule(&self, measure: &str, limits: Limits, show: impl Fn(Tenths, Language) -> String) -> String {
        let (high, medium) = (show(limits.high, self.language), show(limits.medium, self.language));
        let key = group!("funnel.rules").key(format_args!("{measure}.{}", limits.rule.name()));
        self.texts.say(key, &[("high", &high), ("medium", &medium)])
    }

    /// What is published about a stage. Where it counts from another base, the reader must know.
    fn benchmark(&self, step: &Step, rule: LimitRule) -> String {
        let published = limits::published(step.stage);
        if published.is_empty() {
            let key = if rule == LimitRule::Own {
                key!("funnel.benchmarks.none")
            } else {
                key!("funnel.benchmarks.none_general")
            };
            return self.texts.get(key).to_owned();
        }
        let ranges: Vec<String> = published
            .iter()
            .map(|range| {
                let (low, high) =
                    (range.low.display(self.language, true), range.high.display(self.language, true));
                format!("{} ({})", percent_sign(&format!("{low}–{high}"), self.language), range.source)
            })
            .collect();
        let text = self.texts.say(key!("funnel.benchmarks.published"), &[("ranges", &ranges.join("; "))]);
        if limits::comparable(step) {
            return text;
        }
        let from = self.names(step.base.stages());
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

    fn inconsistencies(&self, steps: &[Step], positions: u32) -> Vec<Inconsistency> {
        let mut found = Vec::new();
        let mut tell = |stages: Vec<FunnelStage>, key: Key, values: &[(&str, &str)]| {
            let message = self.texts.say(key, values);
            found.push(Inconsistency { stages, message });
        };
        for step in steps.iter().filter(|step| step.exceeds_base()) {
            let base = step.base.count().unwrap_or(0);
            let values = [
                ("stage", step.stage.display(self.texts)),
                ("count", &*self.count(step.count)),
                ("from", &*self.names(step.base.stages())),
                ("base", &*self.count(base)),
            ];
            tell([step.base.stages(), &[step.stage]].concat(), key!("funnel.inconsistencies.more"), &values);
        }
        let accepted = self.data.count(FunnelStage::OffersAccepted);
        let made = self.data.count(FunnelStage::OffersMade);
        if let (Some(made), Some(rejected)) = (made, self.data.offers_rejected()) {
            let decided = u128::from(accepted.unwrap_or(0)) + u128::from(rejected);
            // More acceptances than offers were told above.
            if decided > u128::from(made) && accepted.is_none_or(|accepted| accepted <= made) {
                let values = [
                    ("accepted", &*self.count(accepted.unwrap_or(0))),
                    ("rejected", &*self.count(rejected)),
                    ("made", &*self.count(made)),
                ];
                tell(
                    vec![FunnelStage::OffersMade, FunnelStage::OffersAccepted],
                    key!("funnel.inconsistencies.answers"),
                    &values,
                );
            }
        }
        if let Some(hires) = accepted.filter(|hires| *hires > u64::from(positions)) {
            let values = [("hires", &*self.count(hires)), ("positions", &*self.count(positions.into()))];
            tell(vec![FunnelStage::OffersAccepted], key!("funnel.inconsistencies.hires"), &values);
        }
        found
    }

    fn names(&self, stages: &[FunnelStage]) -> String {
        let names: Vec<String> =
            stages.iter().map(|stage| quoted(stage.display(self.texts), self.texts)).collect();
        self.texts.enumerate(&names)
    }

    fn count(&self, number: u64) -> String {
        count(number, self.language)
    }
}

fn visual(steps: &[Step]) -> Visual {
    let bars = steps.iter().map(|step| {
        let lane = step.stage.lane();
        let longest = steps.iter().filter(|other| other.stage.lane() == lane).map(|other| other.count).max();
        let length = Tenths::percent(step.count, longest.unwrap_or(0)).unwrap_or_default();
        Bar { stage: step.stage, lane, count: step.count, length }
    });
    Visual { bars: bars.collect(), largest_drops: maths::largest_drops(steps, LEAST_BASE) }
}

fn comparison(steps: &[Step], project: &Project) -> Option<Comparison> {
    let stored = project.stored(Kind::FunnelReport, "")?;
    let before: FunnelReport = project.read(Kind::FunnelReport, "")?;
    let rows = FunnelStage::ALL.into_iter().filter_map(|stage| {
        let then = before.stages.iter().find(|row| row.stage == stage);
        let now = steps.iter().find(|step| step.stage == stage);
        (then.is_some() || now.is_some()).then(|| ComparedStage {
            stage,
            count_before: then.map(|row| row.count),
            count_now: now.map(|step| step.count),
            conversion_before: then.and_then(|row| row.conversion),
            conversion_now: now.and_then(|step| step.conversion),
        })
    });
    Some(Comparison { version: stored.version, created_at: before.created_at, rows: rows.collect() })
}
