//! One candidate per row, and names that mean one thing here and another there.

use serde_json::{Value, json};
use tata_recruit::{Project, Voice};

use super::{make, make_in, project, read, report, row};

/// What a table asks: the names, and what is proposed.
fn asked(table: &str) -> Vec<(String, Option<String>)> {
    let refusal = make_in(&Project::default(), &json!({"pasted_table": table})).unwrap_err();
    let needs = refusal.mapping.unwrap_or_else(|| panic!("{:?}", refusal.problems));
    needs.questions.into_iter().map(|asked| (asked.label, asked.proposed)).collect()
}

fn counts(fields: &Value) -> Vec<(String, u64)> {
    report(fields).stages.iter().map(|row| (row.stage.name().to_owned(), row.count)).collect()
}

/// Native N12: whoever was interviewed has applied. Nine candidates are nine applications.
#[test]
fn candidates_are_counted_over_all_lanes() {
    let check = |table: &str, mapping: Value| {
        let found = counts(&json!({"pasted_table": table, "mapping": mapping}));
        let count = |stage: &str| found.iter().find(|(name, _)| name == stage).map(|(_, count)| *count);
        assert_eq!(
            [
                count("applications_received"),
                count("ta_screenings"),
                count("hm_interviews"),
                count("offers_accepted")
            ],
            [Some(9), Some(6), Some(4), Some(1)],
            "{found:?}"
        );
        let report = report(&json!({"pasted_table": table, "mapping": mapping}));
        assert!(report.inconsistencies.is_empty(), "{:?}", report.inconsistencies);
        assert_eq!(report.reading.unwrap().people, Some(9));
    };
    check(include_str!("../../funnels/da-stages.csv"), json!({}));
    check(include_str!("../../funnels/en-stages.csv"), json!({}));
}

/// Whoever was found and whoever applied cannot be told apart later on: that is said, and nothing is guessed.
#[test]
fn candidates_of_two_ways_are_not_guessed() {
    let table = "Candidate,Stage\nA,Applications\nB,Contacted\nC,Screening\nD,Hiring manager interview\n";
    let made = make(&json!({"pasted_table": table}));
    let report = read(&made);
    let found: Vec<(&str, u64)> = report.stages.iter().map(|row| (row.stage.name(), row.count)).collect();
    assert_eq!(found, [("ta_screenings", 2), ("hm_interviews", 1)]);
    let unread = report.reading.unwrap().unread_rows;
    assert_eq!(unread, ["Applications (1)", "Contacted (1)"]);
}

/// Native N12: where two columns could name the stage, the person says which; the likely one is proposed, and everything is
/// asked at once.
#[test]
fn the_column_of_the_stage_can_be_chosen() {
    let table = include_str!("../../funnels/da-candidates.csv");
    let found = asked(table);
    let proposed =
        |label: &str| found.iter().find(|(name, _)| name == label).and_then(|(_, proposed)| proposed.clone());
    assert_eq!(proposed("Status").as_deref(), Some("ignore"), "{found:?}");
    assert_eq!(proposed("Seneste trin").as_deref(), Some("stage_column"), "{found:?}");
    let mapping = json!({"Status": "ignore", "Seneste trin": "stage_column"});
    let found = counts(&json!({"pasted_table": table, "mapping": mapping}));
    assert_eq!(found[0], ("applications_received".to_owned(), 20), "{found:?}");
}

/// README 6: a row per candidate with a mark or a day under each stage is counted, not refused cell by cell.
#[test]
fn marks_and_days_in_the_row_of_a_candidate_are_counted() {
    let check = |table: &str| {
        let found = counts(&json!({"pasted_table": table}));
        let found: Vec<(&str, u64)> = found.iter().map(|(name, count)| (name.as_str(), *count)).collect();
        assert_eq!(
            found,
            [("applications_received", 3), ("ta_screenings", 2), ("offers_made", 1)],
            "{table}"
        );
    };
    check("Name,Applied,Phone screen,Offer\nAnn,x,x,x\nBob,x,,\nCid,x,x,no\n");
    check(
        "Namn;Ansökan;Telefonintervju;Erbjudande\nAnn;2026-10-02;2026-10-09;2026-11-01\nBo;2026-10-03;;\nCia;2026-10-04;2026-10-11;nej\n",
    );
    check("Navn;Ansøgning;Telefonscreening;Tilbud\nAnn;ja;ja;ja\nBo;ja;nej;nej\nCia;ja;ja;\n");
    check("Navn;Søknad;Telefonintervju;Tilbud\nAnn;ja;ja;ja\nBo;ja;nei;nei\nCia;ja;ja;\n");
    check(
        "Name;Bewerbung;Erstgespräch;Angebot\nAnn;02.10.2026;09.10.2026;01.11.2026\nBo;03.10.2026;;\nCia;04.10.2026;11.10.2026;nein\n",
    );
    let table = "Name,Stage,Applied\nAnn,Offer,2026-10-02\nBob,Screening,2026-10-03\n";
    assert_eq!(report(&json!({"pasted_table": table})).reading.unwrap().people, Some(2));
}

/// README 6: "accepted" after interviews and offers is a hire; after messages it is LinkedIn's; alone it is asked about.
#[test]
fn accepted_is_a_hire_where_the_process_is_told() {
    let found =
        counts(&json!({"pasted_table": "Stage,Count\nScreening,12\nOffers,2\nAccepted,1\nDeclined,1\n"}));
    assert_eq!(found.last().unwrap(), &("offers_accepted".to_owned(), 1));
    let found = counts(&json!({"pasted_table": "Process\nScreening: 12\nAccepted: 1\n"}));
    assert_eq!(found.last().unwrap(), &("offers_accepted".to_owned(), 1));
    let found = counts(&json!({"pasted_table": "Stage,Count\nContacted,52\nAccepted,9\nDeclined,4\n"}));
    assert_eq!(
        found,
        [("contacted".to_owned(), 52), ("replied".to_owned(), 13), ("interested".to_owned(), 9)]
    );
    let found = counts(&json!({"pasted_table": "Name,Stage\nAnn,Screening\nBob,Accepted\n"}));
    assert_eq!(found, [("ta_screenings".to_owned(), 2), ("offers_accepted".to_owned(), 1)]);
    for (screening, accepted) in [
        ("Telefonintervju", "Accepterade"),
        ("Telefonscreening", "Accepterede"),
        ("Førstegangsintervju", "Aksepterte"),
        ("Erstgespräche", "Angenommen"),
    ] {
        let table = format!("{screening}: 12\n{accepted}: 1\n");
        assert_eq!(
            counts(&json!({"pasted_table": table})).last().unwrap(),
            &("offers_accepted".to_owned(), 1),
            "{table}"
        );
    }
    assert_eq!(asked("Stage,Count\nAccepted,9\nScreening,12\n")[0].0, "Accepted");
}

/// A label that equals one of the choices is that choice, in whatever language.
#[test]
fn a_label_that_equals_a_choice_is_that_choice() {
    for (table, stage) in [
        ("Stage,Count\nClicks on Apply,9\n", "apply_clicks"),
        ("Stage,Count\nHiring manager interviews,9\n", "hm_interviews"),
        ("Stage,Count\nQualified applications,9\n", "qualified_applications"),
    ] {
        assert_eq!(counts(&json!({"pasted_table": table})), [(stage.to_owned(), 9)]);
    }
    for voice in [Voice::En, Voice::Sv, Voice::Da, Voice::No, Voice::DeSie] {
        let asked =
            make_in(&project(voice), &json!({"pasted_table": "Stage,Count\nCoffee,9\n"})).unwrap_err();
        for choice in asked.mapping.unwrap().questions.remove(0).choices {
            if choice.value == "ignore" || choice.value == "time_to_fill" {
                continue;
            }
            let table = format!("Stage,Count\n{},9\n", choice.text.replace(',', " "));
            let made = make_in(&project(voice), &json!({"pasted_table": table}));
            let read = made.map(|made| read(&made).reading.unwrap().labels);
            match read {
                Ok(labels) => assert_eq!(labels[0].means, choice.value, "{table}"),
                Err(refusal) => assert!(refusal.mapping.is_none(), "{table}: {refusal:?}"),
            }
        }
    }
}

/// Native N12: applications that were begun did not come in, and days on average are no count.
#[test]
fn what_is_proposed_is_what_was_meant() {
    for table in [
        "Started application: 240\nScreening: 9\n",
        "Påbörjad ansökan: 240\nScreening: 9\n",
        "Påbegynt søknad: 240\nScreening: 9\n",
    ] {
        assert_eq!(counts(&json!({"pasted_table": table}))[0], ("apply_clicks".to_owned(), 240), "{table}");
    }
    let table = "Steg;Antal;Snittdagar i steget\nTelefonintervju;11;6\nChefsintervju;5;17\n";
    let report = report(&json!({"pasted_table": table}));
    assert_eq!(
        (row(&report, "hm_interviews").count, row(&report, "hm_interviews").days.unwrap().0),
        (5, 170)
    );
    let found = asked("Steg;Antal;Genomsnittliga arbetsdagar här\nTelefonintervju;11;6\nKaffe;5;17\n");
    let found: Vec<(&str, Option<&str>)> =
        found.iter().map(|(label, proposed)| (label.as_str(), proposed.as_deref())).collect();
    // The column and the row are asked together.
    assert_eq!(found, [("Genomsnittliga arbetsdagar här", Some("days_column")), ("Kaffe", None)]);
}

/// Native N12: what is said of the same people behind an "and" is a figure, too.
#[test]
fn a_second_stage_of_the_same_people_is_not_lost() {
    let check = |text: &str, label: &str| {
        let found = asked(text);
        let own = found.iter().find(|(name, _)| name == label).unwrap_or_else(|| panic!("{found:?}"));
        assert_eq!(own.1.as_deref(), Some("offers_accepted"), "{found:?}");
    };
    check(
        "Vi har fått 61 søknader, fire har gjort case, én har fått tilbud og har takket ja.",
        "har takket ja",
    );
    check(
        "Vi har fått 61 ansökningar, fyra har gjort case, 1 har fått erbjudande och har tackat ja.",
        "har tackat ja",
    );
    check("We had 61 applications, 4 did a case, one got an offer and said yes.", "said yes");
}

/// Native N12: nobody makes more offers than there are positions, and most views bring no click.
#[test]
fn what_cannot_be_otherwise_is_no_bottleneck() {
    let flagged = |fields: &Value| -> Vec<String> {
        report(fields).bottlenecks.iter().map(|one| one.stage.name().to_owned()).collect()
    };
    let process = json!({"ta_screenings": 12, "hm_interviews": 6, "offers_made": 1, "offers_accepted": 1});
    assert_eq!(flagged(&json!({"number_of_positions": 1, "process": process})), Vec::<String>::new());
    assert_eq!(flagged(&json!({"number_of_positions": 4, "process": process})), ["offers_made"]);
    let clicks = |views: u64, clicks: u64| {
        flagged(&json!({"attraction": {"job_ad_views": views, "apply_clicks": clicks}}))
    };
    assert_eq!(clicks(2640, 190), Vec::<String>::new());
    assert_eq!(clicks(2640, 20), ["apply_clicks"]);
    let viewed = json!({"attraction": {"job_ad_views": 2640, "applications_received": 61}});
    assert_eq!(flagged(&viewed), Vec::<String>::new());
}
