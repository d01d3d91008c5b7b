//! Figures: lanes that merge, offers, the words of LinkedIn, a second report, numbers of each language.

use serde_json::json;
use tata_recruit::{Kind, Language, Project, Tenths, Voice};

use super::{make, make_in, project, read, report, row};

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
