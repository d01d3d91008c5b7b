//! What is missing is asked for, and what is wrong is refused with the way out.

use serde_json::json;
use tata_document::TranscriptShape;
use tata_recruit::{CandidateInput, Kind, Project, Texts, Voice};
use tata_recruit::{group, key};

use super::{CASES, input, people::confirm, project, refused, talk, transcript};

/// Property 39: what is left out is asked for by the module, in the project's language and in the order of asking.
#[test]
fn property_39_a_call_with_nothing_is_refused_by_the_module() {
    for voice in Voice::ALL {
        let texts = Texts::of(voice);
        let refusal = refused(serde_json::from_value(json!({})).unwrap(), &project(voice));
        let told: Vec<(&str, &str)> =
            refusal.problems.iter().map(|one| (one.field.as_str(), one.message.as_str())).collect();
        let expected =
            [("candidate_name", "name"), ("interview_date", "no_date"), ("transcript", "transcript")].map(
                |(field, key)| {
                    (field, texts.get(group!("candidate.input").key(format_args!("{key}.message"))))
                },
            );
        assert_eq!(told, expected);
        assert!(refusal.problems.iter().all(|one| one.hint.is_some()));
    }
}

/// Property 39: a refusal says what is missing and how to go on, in the language of the project.
#[test]
fn property_39_refusals_say_what_is_missing_and_how_to_go_on() {
    for voice in Voice::ALL {
        let project = project(voice);
        let texts = Texts::of(voice);
        let good = || input(&CASES[0]);
        let check = |input: CandidateInput, field: &str, key: &str| {
            let refusal = refused(input, &project);
            let problem = refusal
                .problems
                .iter()
                .find(|one| one.field == field)
                .unwrap_or_else(|| panic!("{refusal:?}"));
            let start =
                texts.get(group!("candidate").key(format_args!("{key}.message"))).split('{').next().unwrap();
            assert!(problem.message.starts_with(start) && !start.is_empty(), "{problem:?}");
            assert_eq!(
                problem.hint.as_deref(),
                Some(texts.get(group!("candidate").key(format_args!("{key}.way_out"))))
            );
        };
        check(CandidateInput { transcript: " \n".to_owned(), ..good() }, "transcript", "input.transcript");
        check(CandidateInput { candidate_name: String::new(), ..good() }, "candidate_name", "input.name");
        check(
            CandidateInput { candidate_name: "x".repeat(500), ..good() },
            "candidate_name",
            "input.long_name",
        );
        for date in ["24.3.2026", "2026-02-30", "2026-3-24", "tomorrow", "2026-03-24T09:00", "+002026-03-24"]
        {
            check(
                CandidateInput { interview_date: date.to_owned(), ..good() },
                "interview_date",
                "input.date",
            );
        }
        let no_date = CandidateInput { interview_date: " ".to_owned(), ..good() };
        check(no_date, "interview_date", "input.no_date");
        let future = "2026-11-17".to_owned();
        check(CandidateInput { interview_date: future, ..good() }, "interview_date", "input.future");
        let stream = transcript("en-3-stream-without-speakers.vtt");
        assert_eq!(talk(&stream, "").shape, TranscriptShape::Stream);
        check(CandidateInput { transcript: stream, ..good() }, "transcript", "no_speakers");
        check(
            CandidateInput { transcript: "WEBVTT\n\n00:01.000 --> 00:02.000\n".to_owned(), ..good() },
            "transcript",
            "transcript_empty",
        );
        let stranger = CandidateInput { candidate_name: "Kim Falk".to_owned(), ..good() };
        check(stranger, "candidate_speaker", "speaker_unclear");
        let wrong = CandidateInput { candidate_speaker: Some("Kim".to_owned()), ..good() };
        check(wrong, "candidate_speaker", "speaker_unknown");
        let unnamed = CandidateInput { interviewers: Vec::new(), ..input(&CASES[6]) };
        check(unnamed, "candidate_speaker", "speaker_unclear");
        check(
            CandidateInput { candidate_key: Some("ZZ".to_owned()), ..good() },
            "candidate_key",
            "key.unknown",
        );
        let refusal = confirm(&project, "JS", json!([])).unwrap_err();
        assert_eq!(refusal.problems[0].message, texts.get(key!("candidate.report_key.none.message")));
        let settings = project.settings();
        let empty = Project::default().with(Kind::ProjectSettings, "", &settings);
        let missing = refused(good(), &empty).problems[0].clone();
        assert!(
            missing.message.contains(texts.get(key!("project.services.ta_screening_template.the"))),
            "{missing:?}"
        );
        assert!(missing.hint.is_some());
    }
}
