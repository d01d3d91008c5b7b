//! Bottlenecks: what is flagged, by which rule, and why it may be so.

use serde_json::json;
use tata_recruit::{Evidence, Item, Kind, Profile, Project, Source, rendered};

use super::{make, make_in, read, report, row};

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
            &json!({"versions": {"short_direct": {"en": {"text": "one two three"}, "sv": {"text": "ett"}}}}),
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
