//! From counts to rates: which stage is compared with which, and what cannot be compared. Integers only.

use super::{
    artifact::{LargestDrop, Overall},
    data::Data,
    numbers::Tenths,
    stage::{FunnelStage, Lane},
};

/// A stage with its rates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) stage: FunnelStage,
    pub(super) count: u64,
    pub(super) base: Base,
    pub(super) conversion: Option<Tenths>,
    pub(super) cumulative: Option<Tenths>,
}

/// What a stage is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Base {
    /// Nothing: it is the first of its lane.
    First,
    /// These stages, added up.
    Stages(Vec<FunnelStage>, u64),
    /// Both lanes feed it, but one of them does not count people.
    Unknown,
}

impl Base {
    /// How many there were before; nothing for a first stage or an unknown base.
    pub(super) fn count(&self) -> Option<u64> {
        match self {
            Self::Stages(_, count) => Some(*count),
            Self::First | Self::Unknown => None,
        }
    }

    /// The stages it is made of.
    pub(super) fn stages(&self) -> &[FunnelStage] {
        match self {
            Self::Stages(stages, _) => stages,
            Self::First | Self::Unknown => &[],
        }
    }
}

impl Step {
    /// More people than before: the figures cannot be right.
    pub(super) fn exceeds_base(&self) -> bool {
        self.base.count().is_some_and(|base| self.count > base)
    }

    /// Stages between it and its base that every funnel has, but that were not given.
    pub(super) fn skips(&self) -> Vec<FunnelStage> {
        let optional = FunnelStage::CaseInterviews..=FunnelStage::References;
        let lies_between = |stage: FunnelStage, from: FunnelStage| {
            from < stage && stage < self.stage && [from.lane(), self.stage.lane()].contains(&stage.lane())
        };
        let is_skipped = |stage: &FunnelStage| {
            !optional.contains(stage) && self.base.stages().iter().any(|from| lies_between(*stage, *from))
        };
        FunnelStage::ALL.into_iter().filter(is_skipped).collect()
    }
}

/// All stages that were given, in order.
pub(super) fn steps(data: &Data) -> Vec<Step> {
    let mut steps = Vec::new();
    for lane in Lane::ALL {
        let (mut base, mut top) = if lane == Lane::Process { feeders(data) } else { (Base::First, None) };
        // Where lanes merge there is no top that all have in common.
        let merged = lane == Lane::Process && merges(data);
        for (stage, count) in data.lane(lane) {
            let first = base == Base::First;
            let top_count = *top.get_or_insert(count);
            let hundred = Some(Tenths::whole(100));
            let conversion = match &base {
                Base::First => hundred,
                Base::Stages(_, before) => Tenths::percent(count, *before),
                Base::Unknown => None,
            };
            let cumulative = match (merged, first) {
                (true, _) => None,
                (false, true) => hundred,
                (false, false) => Tenths::percent(count, top_count),
            };
            steps.push(Step { stage, count, base, conversion, cumulative });
            base = Base::Stages(vec![stage], count);
        }
    }
    steps
}

/// Whether two lanes feed the process.
pub(super) fn merges(data: &Data) -> bool {
    data.has(Lane::Attraction) && data.has(Lane::Sourcing)
}

/// What the first stage of the process is compared with, and the top it is counted from.
fn feeders(data: &Data) -> (Base, Option<u64>) {
    let ends = |lane: Lane| (data.lane(lane).next(), data.lane(lane).next_back());
    match (ends(Lane::Attraction), ends(Lane::Sourcing)) {
        ((Some(_), Some((ad, applied))), (Some(_), Some((search, found)))) => {
            // Views and people cannot be added up.
            match applied.checked_add(found).filter(|_| ad.counts_people()) {
                Some(sum) => (Base::Stages(vec![ad, search], sum), None),
                None => (Base::Unknown, None),
            }
        }
        ((Some((_, top)), Some((stage, count))), _) | (_, (Some((_, top)), Some((stage, count)))) => {
            (Base::Stages(vec![stage], count), Some(top))
        }
        (_, _) => (Base::First, None),
    }
}

/// The ways through the funnel, never across lanes that merge: one where everything is connected, else one per lane.
pub(super) fn ways(data: &Data) -> Vec<Overall> {
    let merged = merges(data);
    let mut ways: Vec<Overall> = Vec::new();
    for lane in Lane::ALL {
        let (Some(top), Some((to, to_count))) = (data.lane(lane).next(), data.lane(lane).next_back()) else {
            continue;
        };
        // The only lane before the process goes on in it.
        let before = ways.pop_if(|_| lane == Lane::Process && !merged);
        let (lane, (from, from_count)) =
            before.map_or((lane, top), |way| (way.lane, (way.from, way.from_count)));
        let conversion = Tenths::percent(to_count, from_count);
        ways.push(Overall { lane, from, from_count, to, to_count, conversion });
    }
    ways.retain(|way| way.from != way.to);
    ways
}

/// The stages where the largest shares are lost, at most two. Bases under `least` say nothing.
pub(super) fn largest_drops(steps: &[Step], least: u64) -> Vec<LargestDrop> {
    let drop = |step: &Step| {
        let before = step.base.count().filter(|before| *before >= least)?;
        let lost = before.checked_sub(step.count).filter(|lost| *lost > 0)?;
        let share = Tenths(1000_u64.checked_sub(step.conversion?.0)?);
        Some(LargestDrop { stage: step.stage, lost, share })
    };
    let mut drops: Vec<LargestDrop> = steps.iter().filter_map(drop).collect();
    drops.sort_by_key(|drop| (std::cmp::Reverse((drop.share, drop.lost)), drop.stage));
    drops.truncate(2);
    drops
}
