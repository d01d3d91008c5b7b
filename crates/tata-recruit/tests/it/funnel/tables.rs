//! Tables: read, asked about, counted.

use serde_json::{Map, Value, json};
use tata_recruit::{Kind, NeedsMapping, Project, Tenths};

use super::{make, make_in, read, report, row};

#[test]
fn tables_are_read_in_five_languages() {
    let check = |table: &str, expected: &[(&str, u64)]| {
        let made = make(&json!({"pasted_table": table}));
        let report = read(&made);
        let found: Vec<(&str, u64)> = report.stages.iter().map(|row| (row.stage.name(), row.count)).collect();
        assert_eq!(found, expected, "{table}\n{:?}", made.notices);
    };
    let expected =
        [("job_ad_views", 1200), ("applications_received", 80), ("ta_screenings", 12), ("offers_made", 2)];
    check("Stage,Count,Days\nViews,\"1,200\",3.5\nApplications,80,\nScreening,12,8\nOffers,2,\n", &expected);
    check(
        "Steg;Antal;Dagar\nVisningar;1 200;3,5\nAnsökningar;80;\nTelefonintervju;12;8\nErbjudanden;2;\n",
        &expected,
    );
    check("Trin\tAntal\nVisninger\t1.200\nAnsøgninger\t80\nRekrutteringssamtale\t12\nTilbud\t2", &expected);
    check("Fase|Antall\nAnnonsevisninger|1 200\nSøknader|80\nFørstegangsintervju|12\nTilbud|2", &expected);
    check("Aufrufe;Bewerbungen;Erstgespräche;Angebote\n1.200;80;12;2\n", &expected);
    check(
        "| Stufe | Anzahl |\n|---|---|\n| Aufrufe | 1'200 |\n| Bewerbungen | 80 |\n| Erstgespräche | 12 |\n| Angebote | 2 |",
        &expected,
    );
    check("Views: 1200\nApplications: 80\nScreening: 12\nOffers: 2", &expected);
    check(
        "Channel,Views,Applications\nLinkedIn,100,20\nJobylon,50,10\n",
        &[("job_ad_views", 150), ("applications_received", 30)],
    );
    check("Kanal;Visningar\nLinkedIn;100\nTotalt;150\n", &[("job_ad_views", 150)]);
    let zero = "Steg;Antal\nErbjudanden;0\nTester;-\n";
    check(zero, &[("offers_made", 0)]);
}

#[test]
fn days_in_a_table_have_a_decimal_comma() {
    let report = report(
        &json!({"pasted_table": "Steg;Antal;Dagar\nScreening;20;3,5\nChefsintervju;18;14,1\nTid till tillsättning;44;\n"}),
    );
    assert_eq!(row(&report, "ta_screenings").days, Some(Tenths(35)));
    assert_eq!(report.summary.time_to_fill, Some(Tenths(440)));
    assert_eq!(report.bottlenecks.iter().map(|one| one.stage.name()).collect::<Vec<_>>(), ["hm_interviews"]);
}

#[test]
fn persons_are_counted_and_forgotten() {
    let table = "candidate_id,first_name,last_name,emails,hiring_state\n\
        1,Zelda,Quistgaard,zelda@example.org,Screening\n2,Orvar,Xander,orvar@example.org,Offer\n\
        3,Ylva,Wikner,+46701234567,Rejected\n4,Pia,Vinge,,Screening\n";
    let asked = make_in(&Project::default(), &json!({"pasted_table": table})).unwrap_err();
    let needs = asked.mapping.as_ref().unwrap();
    assert_eq!(needs.questions.iter().map(|asked| &*asked.label).collect::<Vec<_>>(), ["Rejected"]);
    assert!(!format!("{asked:?}").contains("Zelda") && !format!("{asked:?}").contains("example.org"));
    let made = make(&json!({"pasted_table": table, "mapping": {"rejected": "ignore"}}));
    let report = read(&made);
    assert_eq!((row(&report, "ta_screenings").count, row(&report, "offers_made").count), (3, 1));
    assert_eq!(report.reading.as_ref().unwrap().people, Some(4));
    let everything = format!("{} {} {:?}", made.json, made.document.plain(), made.notices);
    for secret in ["Zelda", "Quistgaard", "example.org", "Orvar", "Xander", "Ylva", "467012", "Pia"] {
        assert!(!everything.contains(secret), "{secret}: {everything}");
    }
    assert!(everything.contains("Rejected") && everything.contains("personal data"), "{everything}");
    // The name of a stage above names of persons.
    let table = "Sökande;Steg\nZelda;Telefonscreening\nOrvar;Erbjudande\nPia;Telefonscreening\n";
    let made = make(&json!({"pasted_table": table}));
    assert_eq!(row(&read(&made), "ta_screenings").count, 3);
    let everything = format!("{} {} {:?}", made.json, made.document.plain(), made.notices);
    assert!(!everything.contains("Zelda") && !everything.contains("Orvar"), "{everything}");
}

fn needs(table: &str, mapping: &Value) -> NeedsMapping {
    let refusal =
        make_in(&Project::default(), &json!({"pasted_table": table, "mapping": mapping})).unwrap_err();
    *refusal.mapping.unwrap_or_else(|| panic!("{:?}", refusal.problems))
}

fn proposals(needs: &NeedsMapping) -> Vec<(&str, Option<&str>)> {
    needs.questions.iter().map(|asked| (&*asked.label, asked.proposed.as_deref())).collect()
}

/// Trial 2.9, recruiting 12.16: nothing is computed from half a table; what was not read stands in the report.
#[test]
fn what_is_not_understood_is_asked_and_what_is_ignored_is_named() {
    let table = "Steg;Antal;Horoskop\nVisningar;100;x\nKaffe;3;y\nKlick;12;z\n";
    let asked = needs(table, &json!({}));
    assert_eq!(proposals(&asked), [("Kaffe", None)]);
    assert_eq!(asked.table[0], ["Steg", "Antal", "Horoskop"]);
    assert_eq!(asked.questions[0].choices.len(), 21);
    assert_eq!(asked.questions[0].choices.last().unwrap().value, "ignore");
    // A refusal offers answers as people call them, so they are taken as well.
    make(&json!({"pasted_table": table, "mapping": {"Kaffe": "not to be read"}}));
    let made = make(&json!({"pasted_table": table, "mapping": {"Kaffe": "ignore"}}));
    let text = made.document.plain();
    assert!(text.contains("Kaffe") && text.contains("Horoskop"), "{text}");
    assert_eq!(read(&made).stages.len(), 2);
    // A cell that is no number, and a row with too many cells.
    let broken = |table: &str| make_in(&Project::default(), &json!({"pasted_table": table})).unwrap_err();
    assert!(broken("Steg;Antal\nVisningar;100\nKlick;ca 12").problems[0].message.contains("ca 12"));
    assert!(broken("Stage,Count\nViews,1,200\nApplications,80").problems[0].message.contains("Views"));
    assert!(make_in(&Project::default(), &json!({"pasted_table": "Hello, how are you?"})).is_err());
    let wrong = make_in(&Project::default(), &json!({"pasted_table": table, "mapping": {"Kaffe": "tea"}}));
    assert_eq!(wrong.unwrap_err().problems[0].field, "mapping");
}

/// The tables of the trial are all right or asked about, and nothing of them is lost.
#[test]
fn trial_2_9_the_tables_of_the_trial() {
    let swedish = include_str!("../../funnels/sv.tsv");
    let made = make(&json!({"pasted_table": swedish}));
    let report = read(&made);
    let found: Vec<(&str, u64, Option<Tenths>)> =
        report.stages.iter().map(|row| (row.stage.name(), row.count, row.days)).collect();
    let days = |days: u64| Some(Tenths(days * 10));
    assert_eq!(
        found,
        [
            ("job_ad_views", 4210, None),
            ("apply_clicks", 388, None),
            ("applications_received", 96, None),
            ("qualified_applications", 22, days(3)),
            ("ta_screenings", 18, days(5)),
            ("hm_interviews", 9, days(17)),
            ("case_interviews", 6, days(8)),
            ("references", 3, days(4)),
            ("offers_made", 2, days(2)),
            ("offers_accepted", 1, days(6)),
        ]
    );
    assert_eq!(report.offers_rejected, Some(1));
    let flagged: Vec<&str> = report.bottlenecks.iter().map(|one| one.stage.name()).collect();
    assert!(flagged.contains(&"hm_interviews") && flagged.contains(&"qualified_applications"), "{flagged:?}");

    let german = include_str!("../../funnels/de.csv");
    let asked = needs(german, &json!({}));
    let proposed =
        [("Vorauswahl", Some("qualified_applications")), ("Probearbeiten", Some("case_interviews"))];
    assert_eq!(proposals(&asked), proposed);
    let mapping = json!({"Vorauswahl": "qualified_applications", "Probearbeiten": "case_interviews"});
    let first = make(&json!({"pasted_table": german, "mapping": mapping}));
    let report = read(&first);
    let counts: Vec<u64> = report.stages.iter().map(|row| row.count).collect();
    assert_eq!(counts, [73, 28, 14, 7, 3, 2, 1]);
    assert_eq!(row(&report, "hm_interviews").days, Some(Tenths(120)));
    let unread = &report.reading.as_ref().unwrap().unread_columns;
    for name in ["Stellen-ID", "Stelle", "Standort", "Status", "davon aktiv", "davon abgelehnt"] {
        assert!(unread.iter().any(|own| own == name), "{name}: {unread:?}");
    }
    // What was answered holds for the next table with the same headings.
    let later = Project::default().with(Kind::FunnelReport, "", &report);
    let again = make_in(&later, &json!({"pasted_table": german.replace(";28;", ";30;")})).unwrap();
    assert_eq!(row(&read(&again), "qualified_applications").count, 30);
}

/// A sentence with numbers becomes a table to confirm: none is computed silently, none is lost.
#[test]
fn trial_2_9_a_sentence_is_confirmed_figure_by_figure() {
    let said = include_str!("../../funnels/en.txt");
    let asked = needs(said, &json!({}));
    let proposed = proposals(&asked);
    let figures: Vec<&str> = asked.questions.iter().map(|asked| &*asked.figures[0]).collect();
    assert_eq!(figures, ["2", "3400", "210", "64", "15", "12", "6", "2", "2", "1", "16"]);
    for (label, expected) in [
        ("3,400 views", Some("job_ad_views")),
        ("210 clicks on apply", Some("apply_clicks")),
        ("two did a case", Some("case_interviews")),
        ("15 were good enough", Some("qualified_applications")),
        ("one said yes", Some("offers_accepted")),
    ] {
        assert!(proposed.contains(&(label, expected)), "{label}: {proposed:?}");
    }
    let chosen = [
        "ignore",
        "job_ad_views",
        "apply_clicks",
        "applications_received",
        "qualified_applications",
        "ta_screenings",
        "hm_interviews",
        "case_interviews",
        "offers_made",
        "offers_accepted",
        "days_in_hm_interviews",
    ];
    let mapping: Map<String, Value> = asked
        .questions
        .iter()
        .zip(chosen)
        .map(|(asked, chosen)| (asked.label.clone(), json!(chosen)))
        .collect();
    let report = report(&json!({"pasted_table": said, "mapping": mapping}));
    let counts: Vec<u64> = report.stages.iter().map(|row| row.count).collect();
    assert_eq!(counts, [3400, 210, 64, 15, 12, 6, 2, 2, 1]);
    assert_eq!(row(&report, "hm_interviews").days, Some(Tenths(160)));
}

#[test]
fn headings_may_stand_below_a_title_and_counts_one_per_line() {
    let table = "Rapport rekrytering;;\nUtskriven 2026-11-01;;\n\nSteg;Antal;Dagar i snitt\nAnsökningar;96;\nTelefonscreening;18;5\n";
    let report = report(&json!({"pasted_table": table}));
    assert_eq!(report.stages.iter().map(|row| row.count).collect::<Vec<_>>(), [96, 18]);
    assert_eq!(report.reading.as_ref().unwrap().unread_rows.len(), 2);
    let lines = self::report(
        &json!({"pasted_table": "1,200 views\n80 applications\n* Screening calls (12)\nOffers – 2"}),
    );
    assert_eq!(lines.stages.iter().map(|row| row.count).collect::<Vec<_>>(), [1200, 80, 12, 2]);
    let month = needs("Stage;October\nViews;100\nOffers;2", &json!({}));
    assert_eq!(proposals(&month), [("October", Some("count_column"))]);
    let pick = self::report(
        &json!({"pasted_table": "Stage;October\nViews;100\nOffers;2", "mapping": {"October": "count_column"}}),
    );
    assert_eq!(pick.stages.len(), 2);
    // Averages of several rows are not averaged.
    let twice = self::report(&json!({"pasted_table": "Stage;Count;Days\nScreening;10;4\nScreening;5;8\n"}));
    assert_eq!((row(&twice, "ta_screenings").count, row(&twice, "ta_screenings").days), (15, None));
}

#[test]
fn huge_and_hostile_tables_are_read_in_time() {
    let most = (1_u64 << 53) - 1;
    let near = report(
        &json!({"attraction": {"qualified_applications": most}, "sourcing": {"interested": most}, "process": {"ta_screenings": most}}),
    );
    assert_eq!(row(&near, "ta_screenings").conversion, Some(Tenths(500)));
    for table in [
        "\"".repeat(1_000_000),
        ";".repeat(1_000_000),
        "views\n".repeat(150_000),
        format!("views;{}", "9".repeat(900_000)),
        format!("views;1\n{}", "x;y;z\n".repeat(160_000)),
        format!("{}views", "\u{202E}\0".repeat(200_000)),
    ] {
        let _ = make_in(&Project::default(), &json!({"process": {"tests": 1}, "pasted_table": table}));
    }
    let long = make_in(
        &Project::default(),
        &json!({"process": {"tests": 1}, "pasted_table": "x".repeat(1_000_001)}),
    );
    assert_eq!(long.unwrap_err().problems[0].field, "pasted_table");
}
