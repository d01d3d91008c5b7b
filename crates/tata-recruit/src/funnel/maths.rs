//! From counts to rates: which stage is compared with which, and what cannot be compared. Integers only.

use super::{
    artifact::{LargestDrop, Overall, StageRow},
    data::Data,
    numbers::Tenths,
    stage::{FunnelStage, Lane},
};
use crate::Texts;

/// The stages that another is compared with, and how many they count together.
type Base = (Vec<FunnelStage>, u64);

impl StageRow {
    /// Whether its lane begins with it. A stage whose base is not known has no rate.
    pub(super) fn is_first(&self) -> bool {
        self.base.is_none() && self.conversion.is_some()
    }

    /// More people than before: the figures cannot be right.
    pub(super) fn exceeds_base(&self) -> bool {
        self.base.is_some_and(|base| self.count > base)
    }

    /// Stages between it and its base that every funnel has, but that were not given.
    pub(super) fn skips(&self) -> Vec<FunnelStage> {
        let optional = FunnelStage::CaseInterviews..=FunnelStage::References;
        let lies_between = |stage: FunnelStage, from: FunnelStage| {
            from < stage && stage < self.stage && [from.lane(), self.lane].contains(&stage.lane())
        };
        let is_skipped = |stage: &FunnelStage| {
            !optional.contains(stage) && self.base_stages.iter().any(|from| lies_between(*stage, *from))
        };
        FunnelStage::ALL.into_iter().filter(is_skipped).collect()
    }
}

/// All stages that were given, in order, with their rates.
pub(super) fn stages(data: &Data, texts: &Texts) -> Vec<StageRow> {
    let mut rows = Vec::new();
    for lane in Lane::ALL {
        let (mut before, mut top) = if lane == Lane::Process { feeders(data) } else { (None, None) };
        // Where lanes merge there is no top that all have in common.
        let merged = lane == Lane::Process && merges(data);
        for (stage, count) in data.lane(lane) {
            let top = *top.get_or_insert(count);
            let hundred = Some(Tenths::whole(100));
            let (conversion, cumulative) = match &before {
                None if merged => (None, None),
                None => (hundred, hundred),
                Some((_, base)) if merged => (Tenths::percent(count, *base), None),
                Some((_, base)) => (Tenths::percent(count, *base), Tenths::percent(count, top)),
            };
            let (base_stages, base) = before.unzip();
            rows.push(StageRow {
                stage,
                lane,
                name: stage.display(texts).to_owned(),
                count,
                base_stages: base_stages.unwrap_or_default(),
                base,
                conversion,
                cumulative,
                days: data.days(stage),
                notes: Vec::new(),
            });
            before = Some((vec![stage], count));
        }
    }
    rows
}

/// Whether two lanes feed the process.
pub(super) fn merges(data: &Data) -> bool {
    data.has(Lane::Attraction) && data.has(Lane::Sourcing)
}

/// What the first stage of the process is compared with, and the top it is counted from.
fn feeders(data: &Data) -> (Option<Base>, Option<u64>) {
    let ends = |lane: Lane| data.lane(lane).next().zip(data.lane(lane).next_back());
    match (ends(Lane::Attraction), ends(Lane::Sourcing)) {
        (Some((_, (ad, applied))), Some((_, (search, found)))) => {
            // Views and people cannot be added up.
            let sum = applied.checked_add(found).filter(|_| ad.counts_people());
            (sum.map(|sum| (vec![ad, search], sum)), None)
        }
        (Some(((_, top), (stage, count))), None) | (None, Some(((_, top), (stage, count)))) => {
            (Some((vec![stage], count)), Some(top))
        }
        (None, None) => (None, None),
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
pub(super) fn largest_drops(stages: &[StageRow], least: u64) -> Vec<LargestDrop> {
    let drop = |row: &StageRow| {
        let lost = row.base.filter(|base| *base >= least)?.checked_sub(row.count).filter(|lost| *lost > 0)?;
        let share = Tenths(1000_u64.checked_sub(row.conversion?.0)?);
        Some(LargestDrop { stage: row.stage, lost, share })
    };
    let mut drops: Vec<LargestDrop> = stages.iter().filter_map(drop).collect();
    drops.sort_by_key(|drop| (std::cmp::Reverse((drop.share, drop.lost)), drop.stage));
    drops.truncate(2);
    drops
}
