//! Interviews as people hold them: who corrects themselves, small talk, private life, places told in passing.

use tata_recruit::{CandidateInput, CandidateReport, Language, Texts, key};

use super::{
    evidence::{interview, project_with},
    made, project, report, transcript, voice, with_content,
};

/// The skills of an interview in which none of them matters.
const NONE: [&str; 4] = ["Kubernetes", "OTDR", "SAP", "PostGIS"];

fn told(language: Language, turns: &[(&str, &str)]) -> CandidateReport {
    report(&made(interview(turns), &project_with(language, NONE)))
}

/// Native N3: the last correction of an answer counts, and both are shown.
#[test]
fn the_last_correction_of_an_answer_counts() {
    let check = |language: Language, question: &str, said: &str, counts: &str, before: Option<&str>| {
        let made = made(interview(&[(question, said)]), &project_with(language, NONE));
        let details = report(&made).practical_details;
        let all = [details.notice_period, details.start, details.salary_expectation];
        let detail = all.into_iter().find(|detail| detail.quote.is_some()).unwrap();
        assert_eq!(detail.text, counts, "{said}");
        assert_eq!(detail.corrected.as_ref().map(|quote| quote.text.as_str()), before, "{said}");
        let text = made.document.plain();
        assert!(before.is_none_or(|before| text.contains(before)) && text.contains(counts), "{text}");
    };
    let (en, sv, da, no, de) = (Language::En, Language::Sv, Language::Da, Language::No, Language::De);
    check(
        en,
        "What's your notice period?",
        "Three months. No, sorry, two. I checked the contract last week, it's two full calendar months.",
        "No, sorry, two. I checked the contract last week, it's two full calendar months.",
        Some("Three months."),
    );
    check(
        sv,
        "Hur lång uppsägningstid har du?",
        "Tre månader. Nej, förlåt, två.",
        "Nej, förlåt, två.",
        Some("Tre månader."),
    );
    check(
        da,
        "Hvad er dit opsigelsesvarsel?",
        "Løbende måned plus en måned. Nej, det er to måneder nu.",
        "Nej, det er to måneder nu.",
        Some("Løbende måned plus en måned."),
    );
    check(
        no,
        "Hva er oppsigelsestiden din?",
        "Én måned. Nei, tre, jeg blander, det var i forrige jobb. Tre måneder fra den første i neste måned.",
        "Nei, tre, jeg blander, det var i forrige jobb. Tre måneder fra den første i neste måned.",
        Some("Én måned."),
    );
    check(
        de,
        "Welche Kündigungsfrist haben Sie?",
        "Drei Monate zum Quartalsende. Nein, Moment, zwei Monate.",
        "Nein, Moment, zwei Monate.",
        Some("Drei Monate zum Quartalsende."),
    );
    check(
        de,
        "Wann könnten Sie anfangen?",
        "Zum 1. März. Moment, zum 1. April.",
        "Moment, zum 1. April.",
        Some("Zum 1. März."),
    );
    check(
        en,
        "And your salary expectations?",
        "Around 55 thousand. Sorry, 57 thousand.",
        "Sorry, 57 thousand.",
        Some("Around 55 thousand."),
    );
    check(
        sv,
        "Och löneanspråk?",
        "Runt 50 000. Eller vänta, 52 000.",
        "Eller vänta, 52 000.",
        Some("Runt 50 000."),
    );
    check(
        en,
        "What's your notice period?",
        "Three months. No problem for us, I hope.",
        "Three months.",
        None,
    );
    check(
        sv,
        "Hur lång uppsägningstid har du?",
        "Tre månader. Jag kan nog komma loss tidigare.",
        "Tre månader. Jag kan nog komma loss tidigare.",
        None,
    );
}

/// A model that quotes what was taken back gets the correction all the same.
#[test]
fn a_quotation_that_was_taken_back_brings_its_correction() {
    let content =
        serde_json::from_value(serde_json::json!({"practical": {"notice_period": "Three months."}})).unwrap();
    let said = "Three months. No, sorry, two. It's two months.";
    let input = CandidateInput { content: Some(content), ..interview(&[("Your notice period?", said)]) };
    let detail = report(&made(input, &project_with(Language::En, NONE))).practical_details.notice_period;
    assert_eq!(detail.text, "No, sorry, two. It's two months.");
    assert_eq!(detail.corrected.unwrap().text, "Three months");
}

/// Native N3: an answer to another question is never a notice period.
#[test]
fn the_answer_to_another_question_is_no_notice_period() {
    let check = |language: Language, question: &str, said: &str| {
        let details = told(language, &[(question, said)]).practical_details;
        assert_eq!(details.notice_period.quote, None, "{said}");
    };
    check(
        Language::De,
        "Wie schnell könnten Sie sich das aneignen?",
        "Ich würde einen Kurs machen, drei, vier Tage.",
    );
    check(Language::No, "Hvor raskt kan du lære deg det?", "Jeg ville ta et kurs, tre, fire dager.");
    check(Language::Da, "Hvor hurtigt kan du lære det?", "Jeg ville tage et kursus, tre, fire dage.");
    check(Language::Sv, "Hur snart skulle du behärska det?", "Det tar nog tre månader.");
    check(Language::En, "How soon would you master that?", "It would take three months, I think.");
    check(
        Language::Sv,
        "Hur ser budgetarbetet ut hos er?",
        "Vi börjar i augusti med budgeten och blir klara i oktober.",
    );
}

/// Native N3: the background has sentences about jobs, education and work, with their corrections, and nothing private.
#[test]
fn the_background_is_about_jobs_and_education_alone() {
    let check = |file: &str, language: Language, name: &str, has: &[&str], lacks: &[&str]| {
        let input = CandidateInput {
            candidate_name: name.to_owned(),
            interview_date: "2026-11-12".to_owned(),
            transcript: transcript(&format!("native/{file}.txt")),
            ..CandidateInput::default()
        };
        let report = report(&made(input, &project(voice(language))));
        let told: Vec<&str> = report.background.iter().map(|one| one.text.as_str()).collect();
        let told = told.join("\n");
        for words in has {
            assert!(told.contains(words), "{file}: {words}: {told}");
        }
        for words in lacks {
            assert!(!told.contains(words), "{file}: {words}: {told}");
        }
    };
    check(
        "en",
        Language::En,
        "Martin Osei",
        &["major incident manager at Norlink Hosting since 2021"],
        &["let me put it differently", "daughter"],
    );
    check("sv", Language::Sv, "Malin Sjöström", &["controller på Vätterbygg"], &["sju år i år", "fotboll"]);
    check(
        "da",
        Language::Da,
        "Rasmus Thygesen",
        &["siden 2021", "Nej, fem år til marts."],
        &["flyttekasser"],
    );
    check(
        "no",
        Language::No,
        "Silje Hauan",
        &["bedriftsselger i Trønderstrøm", "Nei, tre og et halvt"],
        &["jeg blander"],
    );
    check(
        "de",
        Language::De,
        "Torben Heinemann",
        &["seit 2019 bin ich Vertragsmanager"],
        &["73.000", "zwanzig Minuten", "Sohn"],
    );
}

/// Family and private life stay out of the whole report, in whatever form people speak of it.
#[test]
fn family_stays_out_in_every_form() {
    let check = |language: Language, question: &str, said: &str| {
        let text = made(interview(&[(question, said)]), &project_with(language, NONE)).document.plain();
        assert!(!text.contains(said), "{said}: {text}");
    };
    check(Language::En, "The office is in Malmö.", "I pick up my son from preschool on Tuesdays.");
    check(Language::En, "Where do you live?", "In Lund, near my daughter's school.");
    check(Language::Sv, "Var bor du?", "I Mölndal, och på onsdagar tränar jag flickornas fotbollslag.");
    check(Language::Sv, "Var bor du?", "I Mölndal, nära barnens skola.");
    check(Language::Da, "Hvor bor du?", "I Vejle, jeg henter børnene klokken tre.");
    check(Language::Da, "Hvor bor du?", "I Vejle, tæt på børnehaven.");
    check(Language::No, "Hvor bor du?", "På Ranheim, og jeg henter i barnehagen klokka tre.");
    check(Language::No, "Hvor bor du?", "På Ranheim, sammen med sønnen vår.");
    check(Language::De, "Wo wohnen Sie?", "In Neuss, freitags hole ich um drei meinen Sohn ab.");
    check(Language::De, "Wo wohnen Sie?", "In Neuss, bei der Kita meiner Tochter.");
}

/// Native N10: what is said to a question about the conversation itself is no evidence for anything.
#[test]
fn small_talk_is_no_evidence() {
    let check = |language: Language, skill: &str, asked: &str, said: &str| {
        let project = project_with(language, [skill, "OTDR", "SAP", "PostGIS"]);
        let report = report(&made(interview(&[(asked, said)]), &project));
        assert!(report.quotes().all(|quote| quote.text != said), "{said}");
    };
    check(
        Language::En,
        "Incident management",
        "I will ask about the incident manager role. All right?",
        "Sounds good.",
    );
    check(
        Language::Sv,
        "Erfarenhet som controller",
        "Vi pratar om tjänsten som controller. Går det bra?",
        "Ja, absolut.",
    );
    check(Language::Da, "Netplanlægning", "Jeg spørger om netplanlægning. Er det okay?", "Det er helt fint.");
    check(Language::No, "Salg til bedrifter", "Jeg spør litt om salg til bedrifter. Greit?", "Helt greit.");
    check(
        Language::De,
        "Vertragsmanagement",
        "Ich frage zum Vertragsmanagement. Passt das?",
        "Ja, sehr gern.",
    );
    // The same words are evidence where the skill was asked for.
    let project = project_with(Language::Sv, ["B-körkort", "OTDR", "SAP", "PostGIS"]);
    let report = report(&made(interview(&[("Har du B-körkort?", "Ja, absolut.")]), &project));
    assert_eq!(report.skill_assessments[0].examples[0].text, "Ja, absolut.");
}

/// Native N10: why somebody wants to leave speaks for them, and a good "never" is nothing that is missing.
#[test]
fn a_positive_never_speaks_for_the_candidate() {
    let motivation = |language: Language, question: &str, said: &str| {
        let assessed = told(language, &[(question, said)]).motivation_assessment;
        assert_eq!((assessed.examples.len(), assessed.against.len()), (1, 0), "{said}: {assessed:?}");
    };
    motivation(
        Language::Da,
        "Hvad fik dig til at søge?",
        "Hvor jeg er nu, afleverer vi tegningen og ser den aldrig igen.",
    );
    motivation(
        Language::No,
        "Hva var det som gjorde at du søkte på denne stillingen?",
        "At dere bygger ut. Her har jeg aldri fått bygge noe nytt.",
    );
    motivation(
        Language::En,
        "What made you apply?",
        "I have never been able to follow a whole project where I am.",
    );
    motivation(
        Language::Sv,
        "Vad var det som fick dig att söka?",
        "Här har jag aldrig fått bygga något från grunden.",
    );
    motivation(
        Language::De,
        "Was reizt Sie an der Stelle?",
        "Dass ich mitverhandeln darf, das durfte ich noch nie.",
    );
    let skill = |language: Language, skill: &str, question: &str, said: &str| {
        let project = project_with(language, [skill, "OTDR", "SAP", "PostGIS"]);
        let assessed = report(&made(interview(&[(question, said)]), &project)).skill_assessments[0].clone();
        assert_eq!((assessed.examples.len(), assessed.against.len()), (1, 0), "{said}: {assessed:?}");
    };
    skill(
        Language::En,
        "Project management",
        "Tell me about project management.",
        "I ran nine projects and never missed a date.",
    );
    skill(
        Language::Sv,
        "Projektledning",
        "Berätta om projektledning.",
        "Jag ledde nio projekt och har aldrig missat ett datum.",
    );
    skill(
        Language::Da,
        "Projektledelse",
        "Fortæl om projektledelse.",
        "Jeg ledede ni projekter og var aldrig forsinket.",
    );
    skill(
        Language::No,
        "Prosjektledelse",
        "Fortell om prosjektledelse.",
        "Jeg ledet ni prosjekter og var aldri forsinket.",
    );
    skill(
        Language::De,
        "Projektleitung",
        "Erzählen Sie von der Projektleitung.",
        "Ich habe neun Projekte geleitet und nie eine Frist verpasst.",
    );
}

/// Native N10: that somebody cannot do it now is quoted where it was asked on, under what may speak against it.
#[test]
fn that_somebody_cannot_do_it_now_is_quoted() {
    let check = |language: Language, skill: &str, turns: &[(&str, &str)], words: &str| {
        let project = project_with(language, [skill, "OTDR", "PostGIS", "Terraform"]);
        let assessed = report(&made(interview(turns), &project)).skill_assessments[0].clone();
        assert!(assessed.against.iter().any(|quote| quote.text.contains(words)), "{words}: {assessed:#?}");
    };
    check(
        Language::Sv,
        "Excel och Power BI",
        &[
            ("Excel och Power BI då, hur jobbar du med det?", "Jag är nybörjare på Power BI."),
            (
                "Okej. Så om jag bad dig bygga en rapport från noll i dag?",
                "Jag lär mig gärna, men jag kan det inte nu.",
            ),
        ],
        "jag kan det inte nu",
    );
    check(
        Language::No,
        "Anbud og rammeavtaler",
        &[
            ("Har du jobbet med anbud og rammeavtaler?", "Nei, egentlig ikke."),
            (
                "Så om det kom en utlysning fra fylkeskommunen i morgen?",
                "Jeg kan ikke reglene, det skal jeg være ærlig på.",
            ),
        ],
        "Jeg kan ikke reglene",
    );
    check(
        Language::Da,
        "AutoCAD",
        &[
            ("Og AutoCAD?", "Der må jeg være ærlig. Det kan jeg ikke."),
            ("Okay. Så hvis du fik en opgave i AutoCAD i morgen?", "Så ville jeg gå i stå."),
        ],
        "Så ville jeg gå i stå",
    );
    check(
        Language::De,
        "Vergaberecht",
        &[
            ("Wie sieht es mit dem Vergaberecht aus?", "Im Vergaberecht bin ich nicht sicher."),
            (
                "Wie schnell könnten Sie sich das aneignen?",
                "Bis ich da sattelfest bin, vergeht kaum ein halbes Jahr.",
            ),
        ],
        "sattelfest",
    );
    check(
        Language::En,
        "ITIL certificate",
        &[
            ("Do you have an ITIL certificate?", "No, I don't."),
            ("OK. Is it something you'd be prepared to do?", "Of course. But I don't have it today."),
        ],
        "I don't have it today",
    );
}

/// Native N10, README 13: where somebody lives or how long the way is, told in passing.
#[test]
fn a_place_told_in_passing_is_found() {
    let check = |language: Language, question: &str, said: &str| {
        let found = told(language, &[(question, said)]).practical_details.location;
        assert!(found.quote.is_some() && said.contains(&found.text), "{said}: {found:?}");
    };
    check(
        Language::En,
        "And the office is at Havneholmen three days a week, with on-call every sixth week.",
        "That works. I'm door to door in about fifty minutes with the train.",
    );
    check(
        Language::En,
        "Is that snow behind you?",
        "It is, we got ten centimetres. I'm in Lund, so everyone panicked.",
    );
    check(
        Language::Sv,
        "Kontoret ligger i Gårda, måndag till onsdag på plats.",
        "Det är perfekt, tjugo minuter med bussen.",
    );
    check(
        Language::Da,
        "Fint. Kontoret er i Kolding tre dage om ugen.",
        "Det er 25 minutter for mig, det er perfekt.",
    );
    check(
        Language::No,
        "Da er du innenfor. Kontoret er på Lade, tirsdag og torsdag.",
        "Det passer bra, det tar ti minutter.",
    );
    check(Language::De, "Sind Sie im Büro oder zu Hause?", "Zu Hause, in Neuss.");
    check(
        Language::De,
        "Zwei Tage im Büro in Düsseldorf, drei mobil, und etwa vier Reisetage im Monat.",
        "Das passt. Von Neuss sind es zwanzig Minuten.",
    );
}

/// Browser H14: an answer is quoted whole, with the half that limits it.
#[test]
fn the_whole_answer_is_quoted() {
    let said = "Yes and no. I follow up the budget for my projects, about eighteen million kronor a year altogether, and I do \
        the forecast every month. But it's my manager who signs when it goes over. I wouldn't say that I owned it completely.";
    let project = project_with(Language::En, ["Owned a budget", "OTDR", "SAP", "PostGIS"]);
    let assessed =
        report(&made(interview(&[("And do you have experience of owning a budget?", said)]), &project));
    let quoted: Vec<&str> = assessed.skill_assessments[0].quotes().map(|quote| quote.text.as_str()).collect();
    assert_eq!(quoted, [said]);
}

/// Native N10: what a model rated is a proposal until a person rated it, and what every assessment would say stands once.
#[test]
fn a_rating_is_called_a_proposal_until_a_person_gave_it() {
    let skill = serde_json::json!({"skill_name": "Supplier negotiation", "rating": 4, "explanation": "Good.",
        "quotes": ["I negotiated the framework contract"]});
    let made = with_content(serde_json::json!({"skills": [skill]})).unwrap();
    let text = made.document.plain();
    let texts = Texts::of(voice(Language::En));
    assert!(text.contains("4/5 (strong, minor gaps), proposed"), "{text}");
    for usual in [key!("candidate.not_assessed.skill_found"), key!("candidate.assessment.summary_quoted")] {
        assert!(!text.contains(texts.get(usual)), "{text}");
    }
}
