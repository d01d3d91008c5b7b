//! Names, transcripts and decisions of any kind, and very long ones.

use proptest::prelude::*;
use serde_json::json;
use tata_recruit::{CandidateInput, Kind, Voice, create_candidate_report, profile_of};

use super::{
    holds, names_in, now,
    people::{compare, confirm},
    project, report, talk,
};

const NAMES: [&str; 14] = [
    "Anna Berg",
    "Jean-Luc Picard",
    "Ole von Holst",
    "Björn Åström",
    "Søren Kær",
    "Øyvind Næss",
    "Müller, Jürgen",
    "Zoë O'Hara",
    "Per Lund",
    "Grace Hopper",
    "Anne Marie af Klint",
    "Ng Thi Lan",
    "Aïsha Ben Salah",
    "Will Young",
];

proptest! {
    /// Properties 21 and 37: no part of a name reaches the model or a comparison, whatever was said.
    #[test]
    fn properties_21_and_37_no_name_for_the_model(
        name in proptest::sample::select(&NAMES[..]),
        voice in proptest::sample::select(&Voice::ALL[..]),
        spoken in proptest::sample::select(vec!["{n}", "{first}", "{first}s", "{last}", "{FIRST}", "{first} {first}"]),
    ) {
        let project = project(voice);
        let plain: Vec<&str> = name.split([' ', ',']).filter(|part| !part.is_empty()).collect();
        let fill = |text: &str| text
            .replace("{n}", name)
            .replace("{first}", plain[0])
            .replace("{FIRST}", &plain[0].to_uppercase())
            .replace("{last}", plain[plain.len() - 1]);
        let said = fill(spoken);
        let skill = &profile_of(&project).unwrap().must_have_skills[1].text;
        let text = format!(
            "Eva Lind: Hi {said}. {skill}?\n{name}: I am {said} and I built {skill} with {said}, in 12 places.\nEva Lind: Thanks {said}\n{name}: Bye from {said} and all."
        );
        let this_is = match voice {
            Voice::En => "This is",
            Voice::Sv => "Det här är",
            Voice::Da | Voice::No => "Dette er",
            Voice::DeDu | Voice::DeSie => "Das ist",
        };
        let content = json!({"summary": [{"text": format!("{this_is} {said}."), "quotes": [format!("I am {said}")]}]});
        let input = CandidateInput {
            transcript: text,
            candidate_name: name.to_owned(),
            interview_date: "2026-11-15".to_owned(),
            content: serde_json::from_value(content).ok(),
            ..CandidateInput::default()
        };
        let made = create_candidate_report(input, &project, now()).unwrap();
        let answer = made.answer().to_string();
        prop_assert_eq!(names_in(&answer, name), Vec::<String>::new(), "{}", answer);
        prop_assert!(made.document.title.contains(&made.key) && names_in(&made.document.title, name).is_empty());
        prop_assert!((2..=3).contains(&made.key.chars().count()), "{}", made.key);
        let report = report(&made);
        prop_assert!(report.quotes().all(|quote| holds(quote, &report.sources)));
        let project = project.with(Kind::CandidateReport, &made.key, &report);
        let table = compare(&project, false).document.plain();
        prop_assert_eq!(names_in(&table, name), Vec::<String>::new(), "{}", table);
    }

    /// No text can make the module panic, loop or invent.
    #[test]
    fn any_transcript_is_read_or_refused(
        pieces in proptest::collection::vec(proptest::sample::select(vec![
            "WEBVTT\n\n", "00:00:01.000 --> 00:00:02.000\n", "0:0:1.90 --> 0:0:2.5\n", "<v Anna Berg>", "</v>", "<v Eva>",
            "<v>", "<", ">", "\n", "\n\n", "\r", "\u{0}", "\u{202E}", "NOTE x\n", "Anna Berg: ", "Eva: ", "[00:01:02] ",
            "Anna Berg   0:03\n", "Eva Lind   0:0", "9:15", " ", "I led the rollout with 12 sites and saved 3 percent. ",
            "Notice period? ", "&amp;", "&", "😀", "é", "e\u{301}", "\u{F8FF}", "I earn 500 today, ", "- ", "startade transkribering",
        ]), 0..40),
        noise in any::<String>(),
        voice in proptest::sample::select(&Voice::ALL[..]),
    ) {
        let text = format!("{}{noise}", pieces.concat());
        let read = talk(&text, "Anna Berg");
        let length = text.chars().count();
        for one in &read.utterances {
            prop_assert!(one.start < one.end && one.end <= length);
            prop_assert!(one.speaker.is_none_or(|speaker| speaker < read.speakers.len()));
        }
        let input = CandidateInput {
            transcript: text,
            candidate_name: "Anna Berg".to_owned(),
            interview_date: "2026-11-15".to_owned(),
            candidate_cv: Some(noise),
            ..CandidateInput::default()
        };
        match create_candidate_report(input, &project(voice), now()) {
            Ok(made) => {
                let report = report(&made);
                for quote in report.quotes() {
                    prop_assert!(holds(quote, &report.sources), "{:?}", quote);
                }
            }
            Err(refusal) => prop_assert!(refusal.problems.iter().all(|one| !one.message.is_empty())),
        }
    }

    /// Names and answers of any kind are data.
    #[test]
    fn any_name_and_any_decision_is_data(name in any::<String>(), about in any::<String>(), reason in any::<String>(), rating in any::<i64>()) {
        let name = if name.trim().is_empty() { "x".to_owned() } else { name.chars().take(150).collect() };
        let input = CandidateInput {
            transcript: "Interviewer: Why?\nCandidate: Because I led a team of 12 and saved 3 percent.".to_owned(),
            candidate_name: name,
            interview_date: "2026-11-15".to_owned(),
            ..CandidateInput::default()
        };
        let Ok(made) = create_candidate_report(input, &project(Voice::En), now()) else { return Ok(()) };
        let project = project(Voice::En).with(Kind::CandidateReport, &made.key, &made.json);
        let verdict = json!({"about": about, "choice": "rate", "rating": rating, "reason": reason});
        drop(confirm(&project, &made.key, json!([verdict])));
        drop(confirm(&project, &reason, json!([])));
    }
}

/// Long texts are read in one pass: any of these would take hours if they were not.
#[test]
fn a_million_characters_are_read() {
    let long =
        |start: &str, piece: &str, end: &str| format!("{start}{}{end}", piece.repeat(900_000 / piece.len()));
    let texts = [
        long("Anna Berg: ", "word ", ""),
        long("Anna Berg: ", "I built 12 networks. ", ""),
        long("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Anna Berg>", "<i>", ""),
        long("WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Anna Berg>", "x\n\n", ""),
        long("", "0:0:1.0 --> 0:0:2.0\n", "<v Anna Berg>Hi"),
        long("Anna Berg: Hi\nEva: ", "a:", ""),
        long("", "Anna Berg   0:03\nyes\nEva   0:03\nno\n", ""),
        long("Anna Berg: ", "\u{300}", ""),
    ];
    for text in texts {
        let input = CandidateInput {
            transcript: text,
            candidate_name: "Anna Berg".to_owned(),
            interview_date: "2026-11-15".to_owned(),
            ..CandidateInput::default()
        };
        if let Ok(made) = create_candidate_report(input, &project(Voice::En), now()) {
            let report = report(&made);
            assert!(report.quotes().all(|quote| holds(quote, &report.sources)));
        }
    }
}
