//! The report against the oracle, in every voice, and over strings that break careless code.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tata_document::{Options, Target, write};
use tata_recruit::{FunnelSeverity, Tenths, Voice};

use super::{
    LANES, make_in,
    oracle::{Counts, limits, oracle, present, share},
    project, read, report, row,
};

fn request_of(counts: &Counts, days: &BTreeMap<&'static str, u32>) -> Value {
    let mut request = Map::new();
    for (lane, stages) in LANES {
        let block: Map<String, Value> =
            stages.iter().filter_map(|name| Some(((*name).to_owned(), json!(counts.get(name)?)))).collect();
        request.insert(lane.to_owned(), Value::Object(block));
    }
    let days: Map<String, Value> =
        days.iter().map(|(name, tenths)| ((*name).to_owned(), json!(f64::from(*tenths) / 10.0))).collect();
    request.insert("time".to_owned(), Value::Object(days));
    Value::Object(request)
}

fn any_counts() -> impl Strategy<Value = Counts> {
    let largest = (1_u64 << 53) - 1;
    let number = prop_oneof![
        6 => 0_u64..60, 3 => 0_u64..3000, 2 => Just(0_u64), 1 => largest - 5..=largest,
    ];
    let names: Vec<&'static str> = LANES.iter().flat_map(|(_, stages)| stages.iter().copied()).collect();
    let chosen = proptest::sample::subsequence(names, 1..=16);
    (chosen, proptest::collection::vec(number, 16), any::<bool>()).prop_map(|(names, mut numbers, sorted)| {
        // Half of the funnels narrow, as real ones do.
        if sorted {
            numbers.sort_unstable_by(|one, other| other.cmp(one));
        }
        names.into_iter().zip(numbers).collect()
    })
}

fn any_days() -> impl Strategy<Value = BTreeMap<&'static str, u32>> {
    let names: Vec<&'static str> = LANES.iter().flat_map(|(_, stages)| stages.iter().copied()).collect();
    let days = proptest::collection::vec(prop_oneof![Just(70_u32), Just(140), 0_u32..300], 16);
    (proptest::sample::subsequence(names, 0..=16), days)
        .prop_map(|(names, days)| names.into_iter().zip(days).collect())
}

fn dash_bullet(line: &str) -> bool {
    ["- ", "– ", "— "].into_iter().any(|dash| line.trim_start().starts_with(dash))
}

fn any_voice() -> impl Strategy<Value = Voice> {
    proptest::sample::select(Voice::ALL.to_vec())
}

proptest! {
    /// Property 22: conversion is the share of the previous present stage of the lane, cumulative that of its top.
    /// Property 35: nothing is above a hundred, and more than before is named as a contradiction.
    #[test]
    fn property_22_and_35_conversions_follow_the_oracle(counts in any_counts()) {
        let report = report(&request_of(&counts, &BTreeMap::new()));
        let expected = oracle(&counts);
        prop_assert_eq!(report.stages.len(), expected.len());
        for (row, wanted) in report.stages.iter().zip(&expected) {
            prop_assert_eq!(row.stage.name(), wanted.name);
            prop_assert_eq!(row.count, counts[wanted.name]);
            prop_assert_eq!(row.base.map(u128::from), wanted.base, "{}", wanted.name);
            prop_assert_eq!(row.conversion, wanted.conversion.map(Tenths), "{}", wanted.name);
            prop_assert_eq!(row.cumulative, wanted.cumulative.map(Tenths), "{}", wanted.name);
            prop_assert!(row.conversion.max(row.cumulative) <= Some(Tenths(1000)));
            let contradicts = wanted.base.is_some_and(|base| u128::from(row.count) > base);
            let named = report.inconsistencies.iter().any(|one| one.stages.last() == Some(&row.stage) && one.stages.len() > 1);
            prop_assert_eq!(contradicts, named, "{}", wanted.name);
        }
        for way in &report.summary.overall {
            prop_assert_eq!(way.conversion.map(|rate| rate.0), share(way.to_count.into(), way.from_count.into()));
        }
        let both = !present(&counts, 0).is_empty() && !present(&counts, 1).is_empty();
        let mixes = report.summary.overall.iter().any(|way| way.from.lane() != way.to.lane());
        prop_assert!(!(both && mixes), "lanes that merge are never mixed");
        prop_assert!(!both || report.summary.overall_conversion.is_none() || report.summary.overall.len() == 1);
    }

    /// Property 23: which stages are flagged, how seriously and in which order, with and without a team's own limits.
    #[test]
    fn property_23_bottlenecks_follow_the_oracle(
        counts in any_counts(), days in any_days(), own in proptest::option::of((0_u32..50, 0_u32..50))
    ) {
        let mut request = request_of(&counts, &days);
        let mut own_limits = None;
        if let Some((high, more)) = own {
            request["thresholds"] = json!([{"stage": "hm_interviews", "high_below": high, "medium_below": high + more}]);
            own_limits = Some((u64::from(high) * 10, u64::from(high + more) * 10));
        }
        let report = report(&request);
        let mut wanted: Vec<(FunnelSeverity, usize, &str)> = Vec::new();
        for (at, stage) in oracle(&counts).iter().enumerate() {
            if stage.first || stage.base.is_some_and(|base| base < 5) {
                continue;
            }
            let (high, medium) = own_limits.filter(|_| stage.name == "hm_interviews").unwrap_or(limits(stage.name));
            let own = own_limits.is_some() && stage.name == "hm_interviews";
            let by_rate = match stage.conversion {
                _ if is_bound(&counts, stage.name, own) => None,
                Some(rate) if rate < high => Some(FunnelSeverity::High),
                Some(rate) if rate < medium => Some(FunnelSeverity::Medium),
                _ => None,
            };
            let by_time = match days.get(stage.name) {
                Some(tenths) if *tenths > 140 => Some(FunnelSeverity::High),
                Some(tenths) if *tenths > 70 => Some(FunnelSeverity::Medium),
                _ => None,
            };
            wanted.extend([by_rate, by_time].into_iter().flatten().min().map(|severity| (severity, at, stage.name)));
        }
        wanted.sort();
        let found: Vec<_> = report.bottlenecks.iter().map(|one| (one.severity, one.stage.name())).collect();
        let wanted: Vec<_> = wanted.into_iter().map(|(severity, _, name)| (severity, name)).collect();
        prop_assert_eq!(&found, &wanted);
        prop_assert_eq!(report.summary.high + report.summary.medium, found.len());
    }

    /// Property 24: exactly one fix and one owner for each bottleneck, in every voice, and the document it is about.
    #[test]
    fn property_24_one_fix_one_owner(counts in any_counts(), days in any_days(), voice in any_voice()) {
        let made = make_in(&project(voice), &request_of(&counts, &days)).unwrap();
        let report = read(&made);
        let stages = |names: Vec<&str>| names.join(" ");
        prop_assert_eq!(
            stages(report.bottlenecks.iter().map(|one| one.stage.name()).collect()),
            stages(report.fixes.iter().map(|one| one.stage.name()).collect())
        );
        for fix in &report.fixes {
            let (owner, document) = match fix.stage.name() {
                "apply_clicks" => ("recruiter", Some("job_ad")),
                "applications_received" => ("ta_operations", None),
                "qualified_applications" => ("hiring_manager", Some("requirement_profile")),
                "contacted" | "replied" | "interested" => ("recruiter", Some("headhunting_messages")),
                "ta_screenings" => ("recruiter", Some("ta_screening_template")),
                "hm_interviews" => ("hiring_manager", Some("hm_screening_template")),
                "case_interviews" | "team_interviews" | "offers_made" | "offers_accepted" => ("hiring_manager", None),
                _ => ("recruiter", None),
            };
            prop_assert_eq!(fix.owner.name(), owner);
            prop_assert_eq!(fix.document.as_deref(), document);
            prop_assert!(!fix.text.trim().is_empty() && fix.text.matches('.').count() >= 1);
        }
        let drops = &report.visual.largest_drops;
        prop_assert!(drops.len() <= 2 && drops.windows(2).all(|pair| pair[0].share >= pair[1].share));
        prop_assert!(report.slides.len() >= 2 && report.slides.len() <= 4);
        let sizes: Vec<usize> = report.slides.iter().skip(1).map(|slide| slide.points.len()).collect();
        prop_assert!(sizes[0] <= 5 && sizes[1..].iter().all(|size| *size <= 3));
    }

    /// Property 34: a stage that nobody reached is in the report and can be its worst bottleneck; one that was not
    /// given is not there.
    #[test]
    fn property_34_zero_is_not_absent(counts in any_counts(), at in 0_usize..16) {
        let names: Vec<&'static str> = LANES.iter().flat_map(|(_, stages)| stages.iter().copied()).collect();
        let stage = names[at];
        let (mut zero, mut absent) = (counts.clone(), counts);
        zero.insert(stage, 0);
        absent.remove(stage);
        let with = report(&request_of(&zero, &BTreeMap::new()));
        let shown = row(&with, stage);
        prop_assert_eq!(shown.count, 0);
        if shown.base.is_some_and(|base| base >= 5) {
            prop_assert_eq!(shown.conversion, Some(Tenths(0)));
            prop_assert!(with.bottlenecks.iter().any(|one| one.stage == shown.stage && one.severity == FunnelSeverity::High));
        }
        if !absent.is_empty() {
            let without = report(&request_of(&absent, &BTreeMap::new()));
            prop_assert!(without.stages.iter().all(|row| row.stage.name() != stage));
        }
    }

    /// Properties 5, 6, 9 and 36: no emoji, no dash bullets, no module letters, no text left unfilled, and the same
    /// twice; whatever the title and the places are.
    #[test]
    fn properties_5_6_9_and_36_words_of_every_voice(
        counts in any_counts(), days in any_days(), voice in any_voice(),
        title in proptest::sample::select(vec!["Network Engineer", "- 🚀 Ingenjör", "=cmd|' /C calc'!A0", "– Chef\n- x"]),
    ) {
        let mut fields = request_of(&counts, &days);
        fields["job_title"] = json!(title);
        fields["locations"] = json!(["– Oslo 🇳🇴", "@Malmö"]);
        fields["process"]["offers_rejected"] = json!(3);
        let project = project(voice);
        let made = make_in(&project, &fields).unwrap();
        let again = make_in(&project, &fields).unwrap();
        prop_assert_eq!(&made.json, &again.json);
        prop_assert_eq!(&made.document, &again.document);
        let report = read(&made);
        let mut texts = vec![made.document.plain(), made.document.markdown()];
        texts.extend(report.slides.iter().flat_map(|slide| slide.points.iter().chain([&slide.title]).cloned()));
        texts.extend(made.notices.iter().map(|notice| notice.message.clone()));
        texts.extend(made.next_steps.clone());
        for text in &texts {
            prop_assert!(!text.chars().any(|letter| matches!(u32::from(letter), 0x1F000.. | 0x2600..0x27C0 | 0xFE0F)), "{text}");
            prop_assert!(!text.lines().any(dash_bullet), "{text}");
            prop_assert!(!text.to_lowercase().contains("module "), "{text}");
            prop_assert!(!text.contains('{') && !text.contains("funnel.") && !text.contains("project."), "{text}");
        }
        let table = write(&made.document, Target::Csv, &Options::default()).unwrap();
        let table = String::from_utf8(table).unwrap();
        prop_assert!(!table.split(['\n', ',', ';', '"']).any(|cell| cell.starts_with(['=', '@', '-'])), "{table}");
    }

    /// No string can make the module panic, loop or invent: every count is one that somebody gave.
    #[test]
    fn hostile_strings_are_survived(
        title in any::<String>(), manager in any::<String>(), place in any::<String>(), table in "\\PC{0,200}|[0-9,;|\\t\"\\n\r a-zA-Z%=+.-]{0,200}",
        language in any::<String>(), voice in any_voice()
    ) {
        let fields = json!({"job_title": title, "hiring_manager_name": manager, "locations": [place], "language": language,
            "pasted_table": table, "process": {"ta_screenings": 7}});
        if let Ok(made) = make_in(&project(voice), &fields) {
            prop_assert!(read(&made).stages.iter().any(|row| row.count == 7));
        }
    }

    /// A table says the same in every shape and with every delimiter as the fields do.
    #[test]
    fn tables_and_fields_agree(counts in any_counts(), sign in proptest::sample::select(vec![',', ';', '\t', '|']), wide in any::<bool>()) {
        let lines: Vec<String> = counts.iter().map(|(name, count)| format!("{name}{sign}{count}")).collect();
        let table = if wide {
            let names: Vec<&str> = counts.keys().copied().collect();
            let numbers: Vec<String> = counts.values().map(u64::to_string).collect();
            let sign = sign.to_string();
            // One column alone is read as a pair with its number below it, like any other.
            format!("{}\r\n{}\r\n", names.join(&sign), numbers.join(&sign))
        } else {
            format!("\u{FEFF}Stage{sign}Count\n{}", lines.join("\n"))
        };
        let by_table = report(&json!({"pasted_table": table}));
        let by_fields = report(&request_of(&counts, &BTreeMap::new()));
        prop_assert_eq!(by_table.stages, by_fields.stages);
    }
}

/// Whether a rate cannot be otherwise: no more offers than the two positions, or people counted from views.
fn is_bound(counts: &BTreeMap<&'static str, u64>, name: &str, own: bool) -> bool {
    let count = counts.get(name).copied().unwrap_or(0);
    let filled = matches!(name, "references" | "offers_made") && count >= 2;
    let given = |lane: usize| LANES[lane].1.iter().copied().filter(move |stage| counts.contains_key(stage));
    let before = if LANES[2].1.contains(&name) {
        let first = given(2).next() == Some(name) && given(1).next().is_none();
        given(0).next_back().filter(|_| first)
    } else {
        given(0).take_while(|stage| *stage != name).last().filter(|_| LANES[0].1.contains(&name))
    };
    let from_views = before == Some("job_ad_views") && name != "apply_clicks";
    count > 0 && (filled || from_views && !own)
}
