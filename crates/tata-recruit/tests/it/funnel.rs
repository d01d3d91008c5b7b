//! The funnel report: its arithmetic against an oracle written apart from it, its reading of tables, its words.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tata_recruit::{
    Evidence, FormWish, FunnelReport, FunnelSeverity, GermanForm, Item, Kind, Language, Made, Profile,
    Project, Refusal, Settings, Source, StageRow, Tenths, Texts, Voice, create_funnel_report, rendered,
    tools,
};

mod tables;

const LANES: [(&str, &[&str]); 3] = [
    ("attraction", &["job_ad_views", "apply_clicks", "applications_received", "qualified_applications"]),
    ("sourcing", &["candidates_sourced", "contacted", "replied", "interested"]),
    (
        "process",
        &[
            "ta_screenings",
            "hm_interviews",
            "case_interviews",
            "team_interviews",
            "tests",
            "references",
            "offers_made",
            "offers_accepted",
        ],
    ),
];

fn project(voice: Voice) -> Project {
    let german_form = match voice.form() {
        Some(GermanForm::Du) => FormWish::Du,
        Some(GermanForm::Sie) | None => FormWish::Sie,
    };
    let settings = Settings { language: voice.language(), german_form, position_name: None };
    Project::default().with(Kind::ProjectSettings, "", &settings)
}

fn request(fields: &Value) -> Value {
    let mut request =
        json!({"job_title": "Network Engineer", "number_of_positions": 2, "hiring_manager_name": "Kim Berg"});
    for (name, value) in fields.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

fn make_in(project: &Project, fields: &Value) -> Result<Made, Refusal> {
    let input = serde_json::from_value(request(fields)).unwrap();
    create_funnel_report(input, project, "2026-11-15T09:00:00Z".parse().unwrap())
}

fn make(fields: &Value) -> Made {
    make_in(&Project::default(), fields).unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

fn read(made: &Made) -> FunnelReport {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn report(fields: &Value) -> FunnelReport {
    read(&make(fields))
}

fn row<'a>(report: &'a FunnelReport, stage: &str) -> &'a StageRow {
    report.stages.iter().find(|row| row.stage.name() == stage).unwrap_or_else(|| panic!("{stage}"))
}

// ---- The oracle: written from the specification, not from the code. ----

type Counts = BTreeMap<&'static str, u64>;

/// A share in tenths of a percent, by long division; ties go up.
fn share(part: u128, whole: u128) -> Option<u64> {
    if whole == 0 || part > whole {
        return None;
    }
    let (quotient, rest) = (part * 1000 / whole, part * 1000 % whole);
    Some(u64::try_from(quotient).unwrap() + u64::from(rest >= whole - rest))
}

fn present(counts: &Counts, lane: usize) -> Vec<(&'static str, u64)> {
    LANES[lane].1.iter().filter_map(|name| Some((*name, *counts.get(name)?))).collect()
}

struct Expected {
    name: &'static str,
    first: bool,
    base: Option<u128>,
    conversion: Option<u64>,
    cumulative: Option<u64>,
}

fn oracle(counts: &Counts) -> Vec<Expected> {
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

fn limits(stage: &str) -> (u64, u64) {
    match stage {
        "ta_screenings" => (50, 100),
        "hm_interviews" => (300, 400),
        "case_interviews" | "team_interviews" => (250, 350),
        "offers_made" => (200, 350),
        "offers_accepted" => (600, 750),
        "replied" => (100, 180),
        _ => (200, 300),
    }
}

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
            let by_rate = match stage.conversion {
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
        let mut texts = vec![made.document.plain(), made.document.markdown(), report.csv()];
        texts.extend(report.slides.iter().flat_map(|slide| slide.points.iter().chain([&slide.title]).cloned()));
        texts.extend(made.notices.iter().map(|notice| notice.message.clone()));
        texts.extend(made.next_steps.clone());
        for text in &texts {
            prop_assert!(!text.chars().any(|letter| matches!(u32::from(letter), 0x1F000.. | 0x2600..0x27C0 | 0xFE0F)), "{text}");
            prop_assert!(!text.lines().any(dash_bullet), "{text}");
            prop_assert!(!text.to_lowercase().contains("module "), "{text}");
            prop_assert!(!text.contains('{') && !text.contains("funnel.") && !text.contains("project."), "{text}");
        }
        prop_assert!(!report.csv().lines().any(|line| line.contains("\"=") || line.contains("\"@") || line.contains("\"-")));
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

/// Property 39: what is missing is named, with the way out, in the language of the project.
#[test]
fn property_39_refusals_speak_the_language_of_the_project() {
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        let check = |fields: Value, field: &str, key: &str| {
            let refusal = make_in(&project(voice), &fields).unwrap_err();
            let problem = refusal.problems.iter().find(|problem| problem.field == field);
            let problem = problem.unwrap_or_else(|| panic!("{field}: {refusal:?}"));
            let beginning = texts.get(&format!("funnel.refusals.{key}"));
            let beginning = beginning.rsplit('}').next().unwrap();
            assert!(problem.message.ends_with(beginning) && !beginning.is_empty(), "{problem:?}");
            assert!(problem.hint.is_some(), "{problem:?}");
        };
        let some = json!({"ta_screenings": 3});
        check(json!({}), "attraction", "no_data");
        check(json!({"process": {"offers_rejected": 2}, "time": {"tests": 3}}), "attraction", "no_data");
        check(json!({"job_title": " \u{200B}", "process": some}), "job_title", "job_title");
        check(
            json!({"hiring_manager_name": "", "process": some}),
            "hiring_manager_name",
            "hiring_manager_name",
        );
        check(
            json!({"number_of_positions": 0, "process": some}),
            "number_of_positions",
            "number_of_positions",
        );
        check(json!({"pasted_table": "views;-3"}), "attraction.job_ad_views", "negative");
        check(json!({"pasted_table": "views;3,5"}), "attraction.job_ad_views", "fraction");
        check(json!({"process": {"tests": u64::MAX}}), "process.tests", "too_big");
        check(json!({"process": some, "time": {"tests": -1}}), "time.tests", "days");
        let crossed = json!([{"stage": "tests", "high_below": 50, "medium_below": 40}]);
        check(json!({"process": some, "thresholds": crossed}), "thresholds.tests", "threshold");
    }
}

/// Property 39: what is left out is asked for by the module, in the project's language and in the order of asking.
#[test]
fn property_39_a_call_with_nothing_is_refused_by_the_module() {
    let now = "2026-11-15T09:00:00Z".parse().unwrap();
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        let nothing = serde_json::from_value(json!({})).unwrap();
        let refusal = create_funnel_report(nothing, &project(voice), now).unwrap_err();
        let told: Vec<(&str, &str)> =
            refusal.problems.iter().map(|one| (one.field.as_str(), one.message.as_str())).collect();
        let expected = [
            ("job_title", "job_title"),
            ("number_of_positions", "no_number_of_positions"),
            ("hiring_manager_name", "hiring_manager_name"),
            ("attraction", "no_data"),
        ]
        .map(|(field, key)| (field, texts.get(&format!("funnel.refusals.{key}"))));
        assert_eq!(told, expected);
        assert!(refusal.problems.iter().all(|one| one.hint.is_some()));
    }
}

/// Property 2: the project knows the position, so nobody is asked for it.
#[test]
fn property_2_the_position_is_taken_from_the_project() {
    let settings = Settings { position_name: Some("Controller".to_owned()), ..Settings::default() };
    let project = Project::default().with(Kind::ProjectSettings, "", &settings);
    let fields = json!({"job_title": null, "process": {"ta_screenings": 3}});
    assert_eq!(read(&make_in(&project, &fields).unwrap()).job_title, "Controller");
}

#[test]
fn missing_blocks_are_told() {
    let about = |fields: Value| -> Vec<String> {
        make(&fields).notices.into_iter().map(|notice| notice.about).collect()
    };
    assert_eq!(about(json!({"sourcing": {"contacted": 9}})), ["attraction", "process", "time"]);
    assert_eq!(
        about(json!({"attraction": {"job_ad_views": 9}, "time": {"job_ad_views": 1}})),
        ["sourcing", "process"]
    );
}

#[test]
fn lanes_merge_without_a_cumulative_figure() {
    let both = report(&json!({
        "attraction": {"job_ad_views": 1000, "applications_received": 80, "qualified_applications": 20},
        "sourcing": {"contacted": 50, "replied": 15, "interested": 10},
        "process": {"ta_screenings": 15, "offers_made": 3, "offers_accepted": 2}
    }));
    let screening = row(&both, "ta_screenings");
    assert_eq!(
        (screening.base, screening.conversion, screening.cumulative),
        (Some(30), Some(Tenths(500)), None)
    );
    assert_eq!(both.summary.overall.len(), 3);
    assert_eq!(both.summary.overall_conversion, None);
    // Views and people are not added up.
    let views = report(
        &json!({"attraction": {"job_ad_views": 1000}, "sourcing": {"interested": 10}, "process": {"ta_screenings": 5}}),
    );
    assert_eq!((row(&views, "ta_screenings").base, row(&views, "ta_screenings").conversion), (None, None));
    // Without the qualified ones, the applications stand in, and the report says so.
    let fields = json!({"attraction": {"applications_received": 40}, "sourcing": {"interested": 10}, "process": {"ta_screenings": 5}});
    let stand_in = report(&fields);
    assert_eq!(row(&stand_in, "ta_screenings").base, Some(50));
    assert!(row(&stand_in, "ta_screenings").notes.iter().any(|note| note.contains("Qualified applications")));
}

#[test]
fn offers_are_counted_beside_and_contradictions_named() {
    let fields = json!({"process": {"hm_interviews": 10, "offers_made": 4, "offers_accepted": 3, "offers_rejected": 2}});
    let report = report(&fields);
    assert_eq!(report.inconsistencies.len(), 2, "{:?}", report.inconsistencies);
    assert_eq!(report.offers_rejected, Some(2));
    assert!(report.stages.iter().all(|row| row.stage.name() != "offers_rejected"));
    let open =
        self::report(&json!({"process": {"offers_made": 10, "offers_accepted": 2, "offers_rejected": 2}}));
    assert!(row(&open, "offers_accepted").notes.iter().any(|note| note.contains("50.0%")), "{open:?}");
}

#[test]
fn linkedin_words_are_translated() {
    let report = report(&json!({"sourcing": {"contacted": 100, "accepted": 12, "declined": 18}}));
    assert_eq!((row(&report, "replied").count, row(&report, "interested").count), (30, 12));
    let table = self::report(&json!({"pasted_table": "Sent,Accepted,Declined\n100,12,18\n"}));
    assert_eq!(table.stages, report.stages);
    let alone = make(&json!({"sourcing": {"contacted": 100, "declined": 18}}));
    assert!(alone.notices.iter().any(|notice| notice.about == "sourcing.declined"));
    let given = make(&json!({"sourcing": {"replied": 40, "accepted": 12, "declined": 18}}));
    assert_eq!(row(&read(&given), "replied").count, 40);
    assert!(given.notices.iter().any(|notice| notice.about == "sourcing.replied"));
}

#[test]
fn small_bases_are_cautioned_and_never_flagged() {
    let few = report(
        &json!({"process": {"offers_made": 4, "offers_accepted": 0}, "time": {"offers_accepted": 30}}),
    );
    assert!(few.bottlenecks.is_empty());
    assert!(row(&few, "offers_accepted").notes.iter().any(|note| note.contains("too few")));
    let small = report(&json!({"process": {"ta_screenings": 12, "hm_interviews": 3}}));
    assert!(small.bottlenecks[0].caution.as_ref().is_some_and(|text| text.contains("9–53%")), "{small:?}");
}

#[test]
fn the_rule_and_the_benchmark_stand_beside_the_number() {
    let report = report(
        &json!({"attraction": {"applications_received": 100}, "process": {"ta_screenings": 4, "hm_interviews": 4}}),
    );
    let reason = &report.bottlenecks[0].reasons[0];
    assert!(reason.text.contains("4.0%") && reason.rule_text.contains("below 5%"), "{reason:?}");
    assert!(reason.benchmark.as_ref().is_some_and(|text| text.contains("3–6% (headcount365")), "{reason:?}");
    let qualified = self::report(
        &json!({"attraction": {"qualified_applications": 100}, "process": {"ta_screenings": 4}}),
    );
    let benchmark = qualified.bottlenecks[0].reasons[0].benchmark.as_ref().unwrap();
    assert!(benchmark.contains("another stage"), "{benchmark}");
}

#[test]
fn causes_are_quoted_from_the_projects_own_documents() {
    let fields = json!({"attraction": {"applications_received": 100, "qualified_applications": 4},
        "sourcing": {"contacted": 100, "replied": 3}});
    let empty = make(&fields);
    let none = read(&empty);
    assert!(
        none.bottlenecks
            .iter()
            .flat_map(|one| &one.causes)
            .all(|cause| cause.version.is_none() && cause.quotes.is_empty())
    );
    assert!(
        empty.next_steps.iter().any(|step| step.contains("the requirement profile")),
        "{:?}",
        empty.next_steps
    );

    let evidence = Evidence {
        source: Source::StartupNotes,
        start: 0,
        end: 21,
        quote: "15 years of BGP in ISP".to_owned(),
    };
    let item = Item { text: "15 years of BGP in ISP".to_owned(), evidence: evidence.clone() };
    let profile = Profile { must_have_skills: vec![item], ..Profile::default() };
    let project = Project::default()
        .with(Kind::RequirementProfile, "", &profile)
        .with(Kind::DiReview, "", &json!({"flagged_items": [{"text": "digital native", "category": "age"}]}))
        .with(
            Kind::HeadhuntingMessages,
            "",
            &json!({"messages": {"short_direct": {"en": "one two three", "sv": "ett"}}}),
        );
    let made = make_in(&project, &fields).unwrap();
    assert_eq!(rendered(Kind::FunnelReport, &made.json).as_ref(), Some(&made.document));
    let report = read(&made);
    let causes: Vec<_> = report.bottlenecks.iter().flat_map(|one| &one.causes).collect();
    let quotes: Vec<_> = causes.iter().flat_map(|cause| &cause.quotes).collect();
    assert!(
        quotes.iter().any(|quote| quote.text == evidence.quote && quote.evidence.as_ref() == Some(&evidence))
    );
    assert!(quotes.iter().any(|quote| quote.text == "digital native"));
    assert!(causes.iter().any(|cause| cause.text.contains("3 to 3 words")), "{causes:?}");
    assert!(made.document.plain().contains("digital native"));
    assert!(report.fixes.iter().all(|fix| fix.document_exists));
}

#[test]
fn a_second_report_is_compared_with_the_first() {
    let first = report(&json!({"process": {"ta_screenings": 20, "hm_interviews": 10, "tests": 5}}));
    assert!(first.comparison.is_none());
    let project = Project::default().with(Kind::FunnelReport, "", &first);
    let made =
        make_in(&project, &json!({"process": {"ta_screenings": 30, "hm_interviews": 12, "offers_made": 3}}))
            .unwrap();
    let comparison = read(&made).comparison.unwrap();
    assert_eq!((comparison.version, comparison.rows.len()), (1, 4));
    let plain = made.document.plain();
    assert!(plain.contains("↓ 10.0"), "{plain}");
}

#[test]
fn the_tool_has_a_schema_that_refuses_negative_counts() {
    let tools = tools().unwrap();
    let tool = tools.iter().find(|tool| tool.spec().name.as_str() == "create_funnel_report").unwrap();
    let schema = serde_json::to_value(&tool.spec().schema).unwrap();
    assert!(schema.get("required").is_none(), "what is missing is asked for by the module: {schema}");
    assert!(schema.to_string().contains("\"minimum\":0"), "{schema}");
    assert!(
        serde_json::from_value::<tata_recruit::FunnelInput>(request(&json!({"process": {"tests": -1}})))
            .is_err()
    );
    assert!(
        serde_json::from_value::<tata_recruit::FunnelInput>(request(&json!({"process": {"tests": 1.5}})))
            .is_err()
    );
    assert!(
        serde_json::from_value::<tata_recruit::FunnelInput>(request(&json!({"process": {"typo": 1}})))
            .is_err()
    );
}

#[test]
fn numbers_are_written_as_in_each_language() {
    let fields = json!({"attraction": {"job_ad_views": 1200, "apply_clicks": 150}});
    for voice in Voice::ALL {
        let plain = make_in(&project(voice), &fields).unwrap().document.plain();
        let (rate, views) = match voice.language() {
            Language::En => ("12.5%", "1,200"),
            Language::Sv | Language::No => ("12,5\u{A0}%", "1\u{A0}200"),
            Language::Da | Language::De => ("12,5\u{A0}%", "1.200"),
        };
        assert!(plain.contains(rate) && plain.contains(views), "{plain}");
        assert!(plain.contains(&"█".repeat(30)), "{plain}");
    }
}
