//! When a stage is a bottleneck: the built-in limits (`data/funnel/thresholds.txt`), and a team's own.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tata_language::named;

use super::{artifact::StageRow, data::MOST_DAYS, input::Threshold, numbers::Tenths, stage::FunnelStage};
use crate::{Refusal, Texts};

include!(concat!(env!("OUT_DIR"), "/limits.rs"));

/// Bases under this are never judged.
pub(super) const LEAST_BASE: u64 = 5;

/// Bases under this are told with their uncertainty.
pub(super) const SMALL_BASE: u64 = 30;

named! {
    /// How bad a bottleneck is.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Severity {
        /// Act now.
        High = "high",
        /// Keep an eye on it.
        Medium = "medium",
    }
}

named! {
    /// Whose limit it was.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum LimitRule {
        /// The team's own, given with the request.
        Own = "own",
        /// The built-in limit of the stage.
        Stage = "stage",
        /// The general rule for stages without one.
        General = "general",
    }
}

/// Two limits and whose they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limits {
    pub(super) high: Tenths,
    pub(super) medium: Tenths,
    pub(super) rule: LimitRule,
}

impl Limits {
    /// Which limit a rate falls below.
    pub(super) fn below(self, rate: Tenths) -> Option<(Severity, Tenths)> {
        self.crossed(|limit| rate < limit)
    }

    /// Which limit a number of days exceeds.
    pub(super) fn above(self, days: Tenths) -> Option<(Severity, Tenths)> {
        self.crossed(|limit| days > limit)
    }

    fn crossed(self, is_crossed: impl Fn(Tenths) -> bool) -> Option<(Severity, Tenths)> {
        let limits = [(Severity::High, self.high), (Severity::Medium, self.medium)];
        limits.into_iter().find(|(_, limit)| is_crossed(*limit))
    }
}

/// A published range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Published {
    pub(super) low: Tenths,
    pub(super) high: Tenths,
    pub(super) source: &'static str,
}

/// How long filling a position takes elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeToFill {
    pub(super) days: Tenths,
    pub(super) source: &'static str,
}

#[derive(Clone, Copy, Debug)]
struct OfStage {
    limits: Limits,
    from: &'static [FunnelStage],
    published: &'static [Published],
}

struct BuiltIn {
    flat: Limits,
    days: Limits,
    time_to_fill: TimeToFill,
    stages: &'static [(FunnelStage, OfStage)],
}

impl BuiltIn {
    fn stage(&self, stage: FunnelStage) -> Option<&'static OfStage> {
        self.stages.iter().find(|(known, _)| *known == stage).map(|(_, limits)| limits)
    }
}

/// The limits that hold for one report: a team's own, the built-in ones for the rest.
#[derive(Clone, Debug, Default)]
pub(super) struct Rules {
    own_rates: BTreeMap<FunnelStage, Limits>,
    own_days: BTreeMap<FunnelStage, Limits>,
}

impl Rules {
    /// A team's own limits on top of the built-in ones; what makes no sense is refused.
    pub(super) fn with(own: &[Threshold], refusal: &mut Refusal, texts: &Texts) -> Self {
        let mut rules = Self::default();
        let rule = LimitRule::Own;
        for wish in own {
            let (rates, days) = (rules.rates(wish.stage), rules.days(wish.stage));
            let own_rates = ordered(wish.high_below, wish.medium_below, 100, (rates.high, rates.medium));
            let own_days =
                ordered(wish.medium_above_days, wish.high_above_days, MOST_DAYS, (days.medium, days.high));
            let (Some(own_rates), Some(own_days)) = (own_rates, own_days) else {
                let field = format!("thresholds.{}", wish.stage.name());
                let values = [("stage", wish.stage.display(texts))];
                refusal.say(field, texts, key!("funnel.refusals.threshold"), &values);
                continue;
            };
            if wish.high_below.or(wish.medium_below).is_some() {
                let (high, medium) = own_rates;
                rules.own_rates.insert(wish.stage, Limits { high, medium, rule });
            }
            if wish.high_above_days.or(wish.medium_above_days).is_some() {
                let (medium, high) = own_days;
                rules.own_days.insert(wish.stage, Limits { high, medium, rule });
            }
        }
        rules
    }

    /// The limits of a stage's conversion.
    pub(super) fn rates(&self, stage: FunnelStage) -> Limits {
        let known = || BUILT_IN.stage(stage).map_or(BUILT_IN.flat, |known| known.limits);
        self.own_rates.get(&stage).copied().unwrap_or_else(known)
    }

    /// The limits of a stage's days.
    pub(super) fn days(&self, stage: FunnelStage) -> Limits {
        self.own_days.get(&stage).copied().unwrap_or(BUILT_IN.days)
    }
}

/// How long filling a position takes elsewhere.
pub(super) fn time_to_fill() -> &'static TimeToFill {
    &BUILT_IN.time_to_fill
}

/// What is published about a stage.
pub(super) fn published(stage: FunnelStage) -> &'static [Published] {
    BUILT_IN.stage(stage).map_or(&[], |known| known.published)
}

/// Whether the published ranges count from where this report counts from.
pub(super) fn comparable(row: &StageRow) -> bool {
    let known = BUILT_IN.stage(row.stage);
    known.is_none_or(|known| row.base_stages.iter().all(|stage| known.from.contains(stage)))
}

/// A lower and an upper limit from what was wished. If only one was, the known other one gives way.
fn ordered(
    lower: Option<f64>,
    upper: Option<f64>,
    most: u32,
    known: (Tenths, Tenths),
) -> Option<(Tenths, Tenths)> {
    match (lower, upper) {
        (None, None) => Some(known),
        (Some(lower), None) => Tenths::of(lower, most).map(|lower| (lower, known.1.max(lower))),
        (None, Some(upper)) => Tenths::of(upper, most).map(|upper| (known.0.min(upper), upper)),
        (Some(lower), Some(upper)) => {
            Tenths::of(lower, most).zip(Tenths::of(upper, most)).filter(|(lower, upper)| lower <= upper)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_limits_are_in_order() {
        let rules = Rules::default();
        let BuiltIn { flat, days, stages, .. } = &BUILT_IN;
        assert!(flat.high < flat.medium && days.high > days.medium);
        let ordered = |stage: &OfStage| stage.limits.high < stage.limits.medium;
        assert!(stages.iter().all(|(_, stage)| ordered(stage)));
        // Nothing is published about clicks on an ad; every other limit has its source.
        let bare = stages.iter().filter(|(_, stage)| stage.published.is_empty()).map(|(stage, _)| *stage);
        assert_eq!(bare.collect::<Vec<_>>(), [FunnelStage::ApplyClicks]);
        let check = |stage, high, medium| {
            let limits = rules.rates(stage);
            assert_eq!(
                (limits.high, limits.medium),
                (Tenths::whole(high), Tenths::whole(medium)),
                "{stage:?}"
            );
        };
        check(FunnelStage::TaScreenings, 5, 10);
        check(FunnelStage::HmInterviews, 30, 40);
        check(FunnelStage::CaseInterviews, 25, 35);
        check(FunnelStage::OffersMade, 20, 35);
        check(FunnelStage::OffersAccepted, 60, 75);
        check(FunnelStage::Replied, 10, 18);
        check(FunnelStage::ApplyClicks, 2, 4);
        check(FunnelStage::ApplicationsReceived, 20, 30);
    }

    #[test]
    fn a_limit_is_crossed_not_touched() {
        let limits = Limits { high: Tenths(200), medium: Tenths(300), rule: LimitRule::General };
        let below = |rate| limits.below(Tenths(rate)).map(|(severity, _)| severity);
        assert_eq!(below(199), Some(Severity::High));
        assert_eq!(below(200), Some(Severity::Medium));
        assert_eq!(below(299), Some(Severity::Medium));
        assert_eq!(below(300), None);
        let days = Limits { high: Tenths(140), medium: Tenths(70), rule: LimitRule::General };
        let above = |number| days.above(Tenths(number)).map(|(severity, _)| severity);
        assert_eq!(above(141), Some(Severity::High));
        assert_eq!(above(140), Some(Severity::Medium));
        assert_eq!(above(70), None);
    }
}
