//! The ten interviews: what is quoted from them, what stays out, and how a report says it.

use serde_json::json;
use tata_recruit::key;
use tata_recruit::{CandidateReport, Kind, Language, Rating, Recommendation, ReportStatus, Texts, rendered};

use super::{CASES, holds, input, made, project, ratings, report, talk, transcript, voice, with_content};

/// Every interview is quoted for motivation and most skills, and nothing is rated by code.
#[test]
fn every_fixture_is_quoted_and_left_to_people() {
    let check = |file: &str, salary: &str, notice: &str| {
        let case = CASES.iter().find(|case| case.file.starts_with(file)).unwrap();
        let report = report(&made(input(case), &project(voice(case.language))));
        assert_eq!(ratings(&report), [0; 5], "{file}");
        assert_eq!((report.mean_tenths, report.recommendation), (None, Recommendation::NotEnoughAssessed));
        let quoted = report.counted().filter(|one| !one.examples.is_empty() || !one.against.is_empty());
        assert!(quoted.count() >= 3, "{file}: {:#?}", report.skill_assessments);
        let details = &report.practical_details;
        assert!(details.salary_expectation.text.contains(salary), "{file}: {details:?}");
        let when = [&details.notice_period, &details.start];
        assert!(when.iter().any(|detail| detail.text.contains(notice)), "{file}: {details:?}");
    };
    check("en-1", "58 thousand", "three months, but I could start in January");
    check("en-2", "5,400", "one-month notice");
    check("sv-1", "55 000", "tre månaders uppsägningstid");
    check("sv-2", "Hittades inte automatiskt", "en månad");
    check("da-1", "46.000", "løbende måned plus 3");
    check("da-2", "45.000", "1. februar");
    check("no-1", "760 000", "Tre måneder");
    check("no-2", "650 000", "med en gang");
    check("de-1", "80.000", "drei Monaten zum Monatsende");
    check("de-2", "65.000", "Ab sofort");
}

/// What somebody earned, what is private and what others said never enters a report.
#[test]
fn former_pay_private_matters_and_other_voices_stay_out() {
    let forbidden = [
        "make 52",
        "49 000",
        "41.000",
        "690 000",
        "72.000",
        "wife",
        "kids",
        "gravid",
        "kone",
        "sykmeldt",
        "Elternzeit",
        "Akzent",
        "forty percent",
        "tjugo procent",
        "hundra miljoner",
        "mobile kølere",
        "halv million",
        "seksti millioner",
        "vier Tage gespart",
        "hundert Tickets",
        "five hundred",
    ];
    for case in &CASES {
        let made = made(input(case), &project(voice(case.language)));
        let text = format!("{} {}", made.document.plain(), made.answer());
        let found: Vec<_> = forbidden.iter().filter(|word| text.contains(*word)).collect();
        assert!(found.is_empty(), "{}: {found:?}", case.file);
        assert!(made.next_steps.len() >= 3 && !made.questions.is_empty(), "{}", case.file);
    }
}

/// Property 33: every quotation stands in the transcript as it is, inside words of the candidate.
#[test]
fn property_33_quotations_are_verbatim_and_from_the_candidate() {
    for case in &CASES {
        let report = report(&made(input(case), &project(voice(case.language))));
        let text = transcript(case.file);
        let read = talk(&text, case.name);
        let surname = case.name.split(' ').next_back().unwrap();
        let first = case.name.split(' ').next().unwrap();
        let own: Vec<_> = read
            .utterances
            .iter()
            .filter(|one| {
                let speaker = &read.speakers[one.speaker.unwrap()];
                speaker.contains(surname) || speaker.starts_with(first) || speaker == "Taler 1"
            })
            .collect();
        assert!(own.len() >= 10 && own.len() < read.utterances.len(), "{}", case.file);
        assert!(report.quotes().count() >= 8, "{}", case.file);
        for quote in report.quotes() {
            assert!(holds(quote, &report.sources), "{quote:?}");
            for span in &quote.spans {
                let inside = own.iter().any(|one| one.start <= span.start && span.end <= one.end);
                assert!(inside, "{}: {span:?}", case.file);
            }
            assert_eq!(quote.at_ms.is_some(), case.file != "da-2-names.txt", "{quote:?}");
        }
    }
}

/// Properties 1 and 36: what is stored reads back equal, renders the same, and comes out the same every time.
#[test]
fn properties_1_and_36_read_back_equality_and_determinism() {
    for case in &CASES {
        let project = project(voice(case.language));
        let (one, two) = (made(input(case), &project), made(input(case), &project));
        assert_eq!((&one.json, one.answer(), &one.document), (&two.json, two.answer(), &two.document));
        let report = report(&one);
        assert_eq!(serde_json::to_value(&report).unwrap(), one.json);
        let stored = project.with(Kind::CandidateReport, &one.key, &report);
        let back: CandidateReport = stored.read(Kind::CandidateReport, &one.key).unwrap();
        assert_eq!(back, report);
        assert_eq!(rendered(Kind::CandidateReport, &one.json).unwrap(), one.document);
    }
}

/// Property 20: a rating is an integer from 1 to 5 with an explanation; what is not assessed says why.
#[test]
fn property_20_ratings_are_one_to_five_with_an_explanation() {
    for case in &CASES {
        let report = report(&made(input(case), &project(voice(case.language))));
        for one in report.assessments() {
            assert!(!one.explanation.trim().is_empty());
            assert!(one.rating.is_none_or(|rating| (1..=5).contains(&rating.value())));
            assert!(one.examples.len() <= 3 && (one.rating.is_none() || !one.examples.is_empty()));
        }
        let label = Texts::of(report.voice).get(key!("candidate.conclusion.draft")).to_owned();
        assert!(report.conclusion.contains(&label) && report.status == ReportStatus::Draft);
    }
    for bad in [json!(0), json!(6), json!(3.5), json!("4"), json!(-1)] {
        assert!(serde_json::from_value::<Rating>(bad.clone()).is_err(), "{bad}");
    }
    for (value, explanation, refused) in
        [(0, "Good.", true), (6, "Good.", true), (4, " ", true), (4, "Good.", false)]
    {
        let skill = json!({"skill_name": "Supplier negotiation", "rating": value, "explanation": explanation,
            "quotes": ["I negotiated the framework contract"]});
        assert_eq!(with_content(json!({"skills": [skill]})).is_err(), refused, "{value} {explanation:?}");
    }
}

/// A day stands in a report as its language writes it.
#[test]
fn the_day_of_the_interview_is_written_as_in_each_language() {
    for case in &CASES {
        let day = match case.language {
            Language::En => "24 March 2026",
            Language::Sv => "den 24 mars 2026",
            Language::Da => "24. marts 2026",
            Language::No => "24. mars 2026",
            Language::De => "24. März 2026",
        };
        let text = made(input(case), &project(voice(case.language))).document.plain();
        assert!(text.contains(day) && !text.contains("2026-03-24"), "{text}");
    }
}

/// What did not come up is said once: no second sentence says that there is nothing to quote.
#[test]
fn that_nothing_was_said_is_said_once() {
    let mut silent = 0;
    for case in &CASES {
        let made = made(input(case), &project(voice(case.language)));
        let texts = Texts::of(voice(case.language));
        let report = report(&made);
        silent += report.assessments().filter(|one| one.examples.is_empty()).count();
        assert!(!made.document.plain().contains(texts.get(key!("candidate.assessment.summary_none"))));
    }
    assert!(silent > 0);
}
