//! The oracle: written from the specification, not from the code.

use std::collections::BTreeMap;

use super::LANES;

pub(super) type Counts = BTreeMap<&'static str, u64>;

/// A share in tenths of a percent, by long division; ties go up.
pub(super) fn share(part: u128, whole: u128) -> Option<u64> {
    if whole == 0 || part > whole {
        return None;
    }
    let (quotient, rest) = (part * 1000 / whole, part * 1000 % whole);
    Some(u64::try_from(quotient).unwrap() + u64::from(rest >= whole - rest))
}

pub(super) fn present(counts: &Counts, lane: usize) -> Vec<(&'static str, u64)> {
    LANES[lane].1.iter().filter_map(|name| Some((*name, *counts.get(name)?))).collect()
}

pub(super) struct Expected {
    pub(super) name: &'static str,
    pub(super) first: bool,
    pub(super) base: Option<u128>,
    pub(super) conversion: Option<u64>,
    pub(super) cumulative: Option<u64>,
}

pub(super) fn oracle(counts: &Counts) -> Vec<Expected> {
    let lanes = [present(counts, 0), present(counts, 1), present(counts, 2)];
    let mut out = Vec::new();
    for (lane, stages) in lanes.iter().enumerate() {
        for (at, (name, count)) in stages.iter().enumerate() {
            let merged = lane == 2 && !lanes[0].is_empty() && !lanes[1].is_empty();
            let fed = [0, 1].into_iter().filter(|feeder| lane == 2 && !lanes[*feeder].is_empty());
            let fed: Vec<usize> = fed.collect();
            let top = fed.first().map_or(stages[0].1, |feeder| lanes[*feeder][0].1);
            let unknown =
                at == 0 && merged && matches!(lanes[0].last().unwrap().0, "job_ad_views" | "apply_clicks");
            let base: Option<u128> = match at {
                0 if fed.is_empty() || unknown => None,
                0 => Some(fed.iter().map(|feeder| u128::from(lanes[*feeder].last().unwrap().1)).sum()),
                _ => Some(stages[at - 1].1.into()),
            };
            let first = at == 0 && fed.is_empty();
            let conversion =
                if first { Some(1000) } else { base.and_then(|base| share((*count).into(), base)) };
            let cumulative = match (merged, first) {
                (true, _) => None,
                (_, true) => Some(1000),
                _ => share((*count).into(), top.into()),
            };
            out.push(Expected { name, first, base, conversion, cumulative });
        }
    }
    out
}

pub(super) fn limits(stage: &str) -> (u64, u64) {
    match stage {
        "ta_screenings" => (50, 100),
        "hm_interviews" => (300, 400),
        "case_interviews" | "team_interviews" => (250, 350),
        "offers_made" => (200, 350),
        "offers_accepted" => (600, 750),
        "replied" => (100, 180),
        "apply_clicks" => (20, 40),
        _ => (200, 300),
    }
}
