//! What counts as evidence: words about the skill, not what else was said; and the practical details as people put them.

use tata_recruit::key;
use tata_recruit::{
    CandidateInput, Kind, Language, Project, ScreeningInput, Source, Sources, Texts, Tracer,
    create_ta_screening_template,
};

use super::{made, now, profile, project, report, voice};

/// A project whose profile has these must-haves, with the template that the program makes for it.
pub(super) fn project_with(language: Language, skills: [&str; 4]) -> Project {
    let mut own = profile(language);
    let notes = skills.join("\n");
    let sources = Sources::default().with(Source::StartupNotes, Some(&notes));
    own.must_have_skills =
        skills.iter().map(|skill| Tracer::new(&sources).item(skill, None).unwrap()).collect();
    own.content_language = Some(language);
    let project = project(voice(language)).with(Kind::RequirementProfile, "", &own);
    let template = create_ta_screening_template(ScreeningInput::default(), &project, now()).unwrap();
    project.with(Kind::TaScreeningTemplate, "", &template.json)
}

/// An interview: questions and answers in turn.
pub(super) fn interview(turns: &[(&str, &str)]) -> CandidateInput {
    let lines = turns.iter().map(|(question, answer)| format!("Kim: {question}\nAnna: {answer}\n"));
    CandidateInput {
        transcript: lines.collect(),
        candidate_name: "Anna Berg".to_owned(),
        interview_date: "2026-03-24".to_owned(),
        candidate_speaker: Some("Anna".to_owned()),
        interviewers: vec!["Kim".to_owned()],
        ..CandidateInput::default()
    }
}

/// An expectation is found whether or not somebody asked for it, and a former pay never is.
#[test]
fn an_expectation_is_found_as_people_put_it() {
    let check = |language: Language, said: &str, expected: &str| {
        let project = project(voice(language));
        for question in ["Okay.", "Kim."] {
            let found = report(&made(interview(&[(question, said)]), &project)).practical_details;
            assert_eq!(found.salary_expectation.text, expected, "{said}");
        }
    };
    let none = |language: Language, said: &str| {
        check(language, said, Texts::of(voice(language)).get(key!("candidate.not_discussed")));
    };
    let whole = |language: Language, said: &str| check(language, said, said);
    whole(Language::En, "I am thinking of 65k, and the rest is up to you.");
    whole(Language::En, "I expect 5,500 euros a month.");
    whole(Language::Sv, "Jag räknar med 55 000 i månaden.");
    whole(Language::Sv, "Jag vill landa kring femtiofem tusen i månaden.");
    whole(Language::Sv, "Jag har tänkt mig mellan 52 000 och 55 000 kronor.");
    whole(Language::Da, "Jeg regner med 55.000 om måneden.");
    whole(Language::Da, "Jeg forestiller mig 55.000 kroner plus pension.");
    whole(Language::Da, "Mit ønske er femoghalvtreds tusind om måneden.");
    whole(Language::No, "Jeg regner med 55 000 i måneden.");
    whole(Language::No, "Jeg ser for meg 720 000 i året.");
    whole(Language::No, "Jeg tenker 650 000 i årslønn.");
    whole(Language::De, "Ich stelle mir 5.500 im Monat vor.");
    whole(Language::De, "Ich rechne mit fünfundsechzigtausend im Jahr.");
    whole(Language::De, "Mir schweben 70.000 Euro brutto vor, also schwebt mir das vor.");
    check(
        Language::Sv,
        "Jag har tre månaders uppsägningstid, och jag räknar med 55 000 i månaden.",
        "jag räknar med 55 000 i månaden.",
    );
    check(
        Language::Da,
        "Jeg har en måneds opsigelse, og jeg regner med mellem 52.000 og 55.000 om måneden.",
        "jeg regner med mellem 52.000 og 55.000 om måneden.",
    );
    none(Language::Sv, "Jag räknar med tre resor i månaden.");
    none(Language::Sv, "I dag har jag 49 000 i månaden.");
    none(Language::Da, "Jeg tjener 41.000 om måneden i dag.");
    none(Language::No, "Vi leverte 40 000 tilkoblinger i året.");
    none(Language::De, "Aktuell bekomme ich 5.200 im Monat.");
}

#[test]
fn the_answer_to_a_question_about_pay_is_an_expectation() {
    let check = |language: Language, question: &str, said: &str| {
        let found = report(&made(interview(&[(question, said)]), &project(voice(language))));
        assert_eq!(found.practical_details.salary_expectation.text, said, "{question}");
        assert!(found.practical_details.notice_period.quote.is_none(), "{question}");
    };
    check(Language::En, "What would you like to earn?", "Around 5,400 a month.");
    check(Language::Sv, "Vad har du för löneanspråk?", "Ungefär 55 000 per månad.");
    check(Language::Sv, "Vad tänker du kring ersättning?", "55 000 vore bra.");
    check(Language::Da, "Hvad vil du gerne tjene?", "Omkring 55.000 om måneden.");
    check(Language::No, "Hva tenker du om lønn?", "Rundt 700 000.");
    check(Language::De, "Was stellen Sie sich gehaltlich vor?", "So um die 5.500 im Monat.");
}

/// What somebody earns is not quoted, with or without a figure.
#[test]
fn former_pay_is_never_quoted() {
    let check = |language: Language, question: &str, said: &str| {
        let text = made(interview(&[(question, said)]), &project(voice(language))).document.plain();
        assert!(!text.contains(said), "{said}: {text}");
    };
    check(Language::En, "What attracted you to this role?", "My current salary is lower than in this role.");
    check(Language::En, "What attracted you to this role?", "I earn 48 today and that is one reason.");
    check(Language::Sv, "Varför söker du den här rollen?", "Min nuvarande lön är lägre än jag vill ha.");
    check(Language::Da, "Hvorfor søger du stillingen?", "Min nuværende løn er lavere end her.");
    check(Language::No, "Hvorfor søker du stillingen?", "Min nåværende lønn er lavere enn her.");
    check(Language::De, "Warum haben Sie sich beworben?", "Mein aktuelles Gehalt ist niedriger als hier.");
}

/// Notice, pay and a story about something else say nothing about a licence or a law.
#[test]
fn what_is_about_something_else_is_no_evidence() {
    let check = |language: Language, skills: [&str; 4], turns: &[(&str, &str)]| {
        let made = made(interview(turns), &project_with(language, skills));
        let report = report(&made);
        for one in &report.skill_assessments {
            assert_eq!((one.rating, one.examples.as_slice()), (None, [].as_slice()), "{one:?}");
        }
        assert!(report.practical_details.notice_period.quote.is_some(), "{language:?}");
        assert!(report.practical_details.salary_expectation.quote.is_some(), "{language:?}");
        // What nobody assessed is named, motivation too.
        let open = report
            .risks
            .iter()
            .find(|risk| risk.text.to_lowercase().contains(&skills[0].to_lowercase()))
            .unwrap();
        let motivation = Texts::of(voice(language)).get(key!("candidate.section.motivation"));
        assert!(
            open.text.contains(motivation) && open.text.to_lowercase().contains(&skills[3].to_lowercase()),
            "{}",
            open.text
        );
    };
    check(
        Language::En,
        ["a driving licence", "Knows the Procurement Act", "a trade certificate", "Can weld pipes"],
        &[
            (
                "Tell me about the sites you have worked with.",
                "I built forty sites in a year and we cut the lead time by half.",
            ),
            ("And your notice period?", "I have three months notice, but I can start in March."),
            ("And salary?", "I expect 5,500 euros a month."),
        ],
    );
    check(
        Language::Sv,
        ["Kan LOU eller LUF", "B-körkort", "Vana vid att skriva SQL mot PostGIS", "ren bakgrundskontroll"],
        &[
            (
                "Berätta om din senaste utbyggnad.",
                "Jag byggde fyrtio siter på ett år och vi halverade ledtiden.",
            ),
            ("Och uppsägningstiden?", "Jag har tre månaders uppsägningstid men kan börja i mars."),
            ("Vad tänker du om lönen?", "Jag räknar med 55 000 i månaden."),
        ],
    );
    check(
        Language::Da,
        [
            "kørekort",
            "kan tage tilkald om natten",
            "svendebrev som køletekniker",
            "erfaring med chillere over 500 kW",
        ],
        &[
            (
                "Fortæl om den seneste udbygning.",
                "Jeg byggede fyrre sites på et år, og vi halverede leveringstiden.",
            ),
            ("Og opsigelse?", "Jeg har tre måneders opsigelse, men kan starte i marts."),
            ("Hvad med løn?", "Jeg regner med 55.000 om måneden."),
        ],
    );
    check(
        Language::No,
        ["fagbrev elektro", "kjøre bil", "kunne BMS/SD-anlegg", "erfaring med bemanningsplanlegging"],
        &[
            (
                "Fortell om den siste utbyggingen.",
                "Jeg bygde førti anlegg på ett år, og vi halverte leveringstiden.",
            ),
            ("Og oppsigelsestid?", "Jeg har tre måneders oppsigelse, men kan starte i mars."),
            ("Hva med lønn?", "Jeg regner med 55 000 i måneden."),
        ],
    );
    check(
        Language::De,
        ["Führerschein der Klasse B", "Kenntnis des TKG", "Ausbildereignungsschein", "Kälteanlagen geplant"],
        &[
            (
                "Erzählen Sie vom letzten Ausbau.",
                "Ich habe vierzig Standorte aufgebaut, und wir haben die Lieferzeit halbiert.",
            ),
            (
                "Und Ihre Kündigungsfrist?",
                "Ich habe drei Monate Kündigungsfrist, könnte aber im März anfangen.",
            ),
            ("Und das Gehalt?", "Ich stelle mir 5.500 im Monat vor."),
        ],
    );
}

/// A topic ends when something else is asked, with or without a question mark; what comes up in the same answer about
/// pay or a start is no part of it either.
#[test]
fn a_question_that_names_the_skill_is_answered_by_what_follows_it() {
    let check = |language: Language, skill: &str, turns: &[(&str, &str)], quoted: &[&str]| {
        let skills = [skill, "Kubernetes", "OTDR", "SAP"];
        let report = report(&made(interview(turns), &project_with(language, skills)));
        let found: Vec<&str> =
            report.skill_assessments[0].examples.iter().map(|quote| quote.text.as_str()).collect();
        assert_eq!(found, quoted, "{skill}");
    };
    check(
        Language::Sv,
        "Upphandling av entreprenader",
        &[
            (
                "Berätta om upphandling av entreprenader som du har hållit i.",
                "Vi sparade två miljoner på det ena avtalet. Jag kan börja i mars om ni vill.",
            ),
            ("Berätta sedan om flytten av kontoret.", "Jag ledde flytten och vi blev klara i tid."),
        ],
        &["Vi sparade två miljoner på det ena avtalet."],
    );
    check(
        Language::En,
        "Supplier negotiation",
        &[
            (
                "How have you worked with supplier negotiation?",
                "I renegotiated the largest contract and we saved a third.",
            ),
            ("What was the result in the end?", "We paid a third less than the year before."),
            (
                "Now describe how you moved the office.",
                "I moved eighty people in a weekend and it went well.",
            ),
        ],
        &[
            "I renegotiated the largest contract and we saved a third.",
            "We paid a third less than the year before.",
        ],
    );
    check(
        Language::No,
        "Førerkort klasse B",
        &[(
            "Har du førerkort klasse B?",
            "Ja, jeg har hatt førerkort klasse B lenge. Jeg bygde førti anlegg i fjor.",
        )],
        &["Ja, jeg har hatt førerkort klasse B lenge. Jeg bygde førti anlegg i fjor."],
    );
}
