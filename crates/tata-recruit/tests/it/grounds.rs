//! Whatever a model sends, every quotation of every stored document lies in what a person brought, and every decision has
//! a person's act after the version it is about (A8.2, A8.9).

use std::sync::Arc;

use futures_util::StreamExt;
use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any},
    prop_oneof,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};
use tata_core::{
    Agent, AgentParts, Clock, Conversation, Entry, Input, Message, Model, ModelChoice, NewSession, Record,
    SessionId, Store, ToolRegistry,
};
use tata_store::MemoryStore;
use tata_testkit::{
    Answer, PlannedModel,
    dishonest::{NOTES, TRANSCRIPT},
};
use tokio_util::sync::CancellationToken;

/// What people say in these conversations.
const SAID: [&str; 6] = [
    NOTES,
    TRANSCRIPT,
    "yes",
    "not sure",
    "Write the ad, please.",
    "We sit in Malmö and pay 52 000 SEK a month.",
];

/// Values that a model may write anywhere, true and false.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("m1".to_owned()),
        Just("m2".to_owned()),
        Just("m7".to_owned()),
        Just("Network Engineer".to_owned()),
        Just("calm".to_owned()),
        Just("Fluent English, spoken and written".to_owned()),
        Just("Robin Lund".to_owned()),
        Just("Malmö".to_owned()),
        Just("2026-11-13".to_owned()),
        Just("A degree in astrophysics".to_owned()),
        Just(NOTES.replace("Five", "Nine")),
        Just(NOTES.to_owned()),
        Just(TRANSCRIPT.to_owned()),
        "[a-zåäö ]{1,12}",
    ]
}

fn profile() -> impl Strategy<Value = (String, String)> {
    (word(), word(), vec(word(), 0..3), vec(word(), 0..3), any::<bool>()).prop_map(
        |(title, notes, must, more, replace)| {
            let must: Vec<Value> = must.into_iter().map(|text| json!({ "text": text })).collect();
            let mut input = json!({ "position_title": title, "startup_notes": notes, "replace": replace,
            "enrichments": { "soft_skills": more.clone(), "team": { "size": more.len() } } });
            if !must.is_empty() {
                input["good_to_haves"] = must.into();
            }
            ("create_requirement_profile".to_owned(), input.to_string())
        },
    )
}

fn call() -> impl Strategy<Value = (String, String)> {
    let edit = (any::<bool>(), vec(word(), 0..2)).prop_map(|(confirm, add)| {
        (
            "edit_requirement_profile".to_owned(),
            json!({ "confirm": confirm, "soft_skills": { "add": add } }).to_string(),
        )
    });
    let ad = (word(), word()).prop_map(|(place, contract)| {
        ("create_job_ad".to_owned(), json!({ "work_place": place, "contract_type": contract }).to_string())
    });
    let template = Just(("create_ta_screening_template".to_owned(), "{}".to_owned()));
    let report = (word(), word()).prop_map(|(name, transcript)| {
        let input =
            json!({ "candidate_name": name, "interview_date": "2026-11-13", "transcript": transcript });
        ("create_candidate_report".to_owned(), input.to_string())
    });
    let rate = word().prop_map(|reason| {
        let decisions = json!([{ "about": "motivation", "choice": "rate", "rating": 5, "reason": reason }]);
        let input = json!({ "candidate_key": "RL", "decisions": decisions });
        ("confirm_candidate_report".to_owned(), input.to_string())
    });
    // The honest ones come more often, so that there is something to lie about.
    let honest = Just((
        "create_requirement_profile".to_owned(),
        json!({ "position_title": "Network Engineer", "startup_notes": "m1" }).to_string(),
    ));
    let honest_report = Just((
        "create_candidate_report".to_owned(),
        json!({ "candidate_name": "Robin Lund", "interview_date": "2026-11-13", "transcript": "m2" })
            .to_string(),
    ));
    prop_oneof![3 => honest, 2 => honest_report, 3 => profile(), 3 => edit, 2 => ad, 2 => template, 2 => report, 2 => rate]
}

struct World {
    store: Arc<dyn Store>,
    session: SessionId,
}

impl World {
    async fn run(turns: &[(usize, Vec<(String, String)>)]) -> Self {
        let turns: Vec<(&str, Vec<(String, String)>)> =
            turns.iter().map(|(said, calls)| (SAID[*said], calls.clone())).collect();
        Self::talk(&turns).await
    }

    async fn talk(turns: &[(&str, Vec<(String, String)>)]) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let session = store.create_session(NewSession::with("t", Clock::System.now())).await.unwrap().id;
        for (at, (said, calls)) in turns.iter().enumerate() {
            let said = *said;
            let calls: Vec<(String, String, String)> = calls
                .iter()
                .enumerate()
                .map(|(place, (tool, input))| (format!("c{at}_{place}"), tool.clone(), input.clone()))
                .collect();
            let answers = [Answer::calls(&calls), Answer::text("Done.")];
            let model: Arc<dyn Model> = Arc::new(PlannedModel::new("m").on(said, answers));
            let mut parts = AgentParts::new("t", vec![ModelChoice::new(model)], Arc::clone(&store));
            parts.tools = ToolRegistry::new(tata_recruit::tools().unwrap()).unwrap();
            let agent = Agent::new(parts);
            // Whoever sits there has the program's question before them.
            let conversation = Conversation::fold("", &store.records(session, 0).await.unwrap());
            let input = Input::reply(Message::user(said), conversation.closing_question());
            agent.turn(session, input, CancellationToken::new()).collect::<Vec<_>>().await;
            // Nobody answers the questions of these models with a yes.
            let records = store.records(session, 0).await.unwrap();
            let questions = Conversation::fold("", &records).questions().to_vec();
            if !questions.is_empty() {
                let no =
                    questions.iter().map(|question| question.decide(tata_core::Decision::Refuse)).collect();
                let input = Input::Decide { decisions: no, by: "eve".to_owned() };
                agent.turn(session, input, CancellationToken::new()).collect::<Vec<_>>().await;
            }
        }
        Self { store, session }
    }

    /// What is wrong with what was stored.
    async fn problems(&self) -> Vec<String> {
        let records = self.store.records(self.session, 0).await.unwrap();
        let conversation = Conversation::fold("", &records);
        let mut problems = Vec::new();
        for artifact in self.store.artifacts(self.session).await.unwrap() {
            let json: Value = serde_json::from_str(artifact.json.as_str()).unwrap();
            quotations(&json, &mut |quotation| {
                let quote = quotation["quote"].as_str().unwrap();
                let places = quotation["said_in"].as_array().cloned().unwrap_or_default();
                let words: Vec<String> = places.iter().map(|place| words(&conversation, place)).collect();
                let exact = words.len() == 1 && words[0] == quote;
                // What code put together from several values has a place for each of them.
                let together = words.len() > 1 && words.iter().all(|word| !word.is_empty());
                // A number or a day that was said in words stands there as code writes it.
                let is_value = quote.chars().all(|letter| letter.is_ascii_digit() || letter == '-');
                let named = is_value && words.len() == 1 && !words[0].is_empty();
                if !exact && !together && !named {
                    problems.push(format!("{}: {quote:?} lies in {words:?}", artifact.name.kind));
                }
            });
            let settled = json["status"] == "confirmed" || json.to_string().contains("\"decided_at\"");
            if settled && !decided(&records, &artifact.name, artifact.version) {
                problems.push(format!(
                    "{} version {} was settled by nobody",
                    artifact.name.kind, artifact.version
                ));
            }
        }
        problems
    }
}

/// The words at a place.
fn words(conversation: &Conversation, place: &Value) -> String {
    let id = place["material"].as_str().unwrap().parse().unwrap();
    let at = |name: &str| usize::try_from(place[name].as_u64().unwrap()).unwrap();
    let text = conversation.materials().get(id).map_or("", |material| material.text());
    text.chars().skip(at("start")).take(at("end") - at("start")).collect()
}

fn quotations(json: &Value, visit: &mut impl FnMut(&Value)) {
    match json {
        Value::Object(object) => {
            if ["source", "start", "end", "quote"].into_iter().all(|name| object.contains_key(name)) {
                visit(json);
            }
            object.values().for_each(|one| quotations(one, visit));
        }
        Value::Array(all) => all.iter().for_each(|one| quotations(one, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a person decided about an earlier version of a document, after it was stored and before this one was.
fn decided(records: &[Record], name: &tata_core::ArtifactName, version: u32) -> bool {
    let stored = |wanted: u32| {
        records.iter().find_map(|record| {
            let Entry::ArtifactStored { name: known, version, turn } = &record.entry else { return None };
            (known == name && *version == wanted).then_some((record.position, *turn))
        })
    };
    let Some((made, _)) = stored(version) else { return false };
    records.iter().any(|record| {
        let Entry::Decided { about: Some(about), decision: tata_core::Decision::Run, turn, .. } =
            &record.entry
        else {
            return false;
        };
        let (shown, shown_in) = stored(about.version).unwrap_or_default();
        about.document == *name && shown < record.position && record.position < made && shown_in < *turn
    })
}

#[test]
fn every_statement_lies_in_a_material_and_every_decision_is_a_persons() {
    let turns =
        (vec((0..SAID.len(), vec(call(), 0..4)), 1..5), any::<bool>()).prop_map(|(mut turns, says_yes)| {
            // The notes come first: without them nothing is ever made. Some people say yes right after.
            let made = json!({ "position_title": "Network Engineer", "startup_notes": "m1" }).to_string();
            if let Some(first) = turns.first_mut() {
                first.0 = 0;
                if says_yes {
                    first.1 = vec![("create_requirement_profile".to_owned(), made)];
                }
            }
            if let Some(second) = turns.get_mut(1).filter(|_| says_yes) {
                second.0 = 2;
                second.1.insert(
                    0,
                    ("edit_requirement_profile".to_owned(), json!({ "confirm": true }).to_string()),
                );
            }
            turns
        });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let (mut made, mut confirmed) = (0, 0);
    let (made_in, confirmed_in) = (&mut made, &mut confirmed);
    let cell = std::cell::RefCell::new((made_in, confirmed_in));
    TestRunner::new(Config { cases: 512, failure_persistence: None, ..Config::default() })
        .run(&turns, |turns| {
            let (problems, stored) = runtime.block_on(async {
                let world = World::run(&turns).await;
                (world.problems().await, world.store.artifacts(world.session).await.unwrap())
            });
            let mut counts = cell.borrow_mut();
            *counts.0 += stored.len();
            *counts.1 += stored.iter().filter(|one| one.json.as_str().contains("\"confirmed\"")).count();
            proptest::prop_assert!(problems.is_empty(), "{problems:#?}");
            Ok(())
        })
        .unwrap();
    assert!(made > 300, "the models get somewhere: {made} documents");
    assert!(confirmed > 100, "a yes confirms: {confirmed}");
}

/// Browser C3: a word that stands in the interview many times, and in the chat in other letters, is evidence where it was
/// said: in one message, in two, and where something said in confidence is blanked.
#[test]
fn a_one_word_answer_never_refuses_a_report() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let check = |question: &str, answer: &str| {
        let first = format!(
            "Interview on 2026-11-13\nKim Dahl: Hi, can you hear me?\nRobin Lund: {answer}\nKim Dahl: {question}\n\
             Robin Lund: {answer}\nKim Dahl: Where are you today?\nRobin Lund: At a bank. Between us, please keep that \
             out of the report, they are closing the office."
        );
        let second = format!("Kim Dahl: And a driving licence?\nRobin Lund: {answer}\nKim Dahl: Thank you.");
        let whole = format!("{first}\n{second}");
        let call = |tool: &str, input: Value| vec![(tool.to_owned(), input.to_string())];
        let report = |transcript: &str| {
            call(
                "create_candidate_report",
                json!({ "candidate_name": "Robin Lund", "interview_date": "2026-11-13", "transcript": transcript }),
            )
        };
        let profile = json!({ "position_title": "Network Engineer", "startup_notes": "m1" });
        let before = [
            (NOTES, call("create_requirement_profile", profile)),
            ("yes", call("edit_requirement_profile", json!({ "confirm": true }))),
            ("And the template, please.", call("create_ta_screening_template", json!({}))),
        ];
        for said in [
            vec![(whole.as_str(), report("m4"))],
            vec![
                (first.as_str(), Vec::new()),
                (second.as_str(), Vec::new()),
                ("yes, no, ja, nei, nej, nein", report("m4, m5")),
            ],
        ] {
            let turns: Vec<_> = before.iter().cloned().chain(said).collect();
            let (problems, kinds) = runtime.block_on(async {
                let world = World::talk(&turns).await;
                let stored = world.store.artifacts(world.session).await.unwrap();
                let reports = stored.iter().filter(|one| one.name.kind.as_str() == "candidate_reports");
                (world.problems().await, reports.map(|one| one.json.as_str().to_owned()).collect::<Vec<_>>())
            });
            assert!(problems.is_empty(), "{answer}: {problems:#?}");
            assert!(kinds.len() == 1 && kinds[0].contains(&format!("\"{answer}\"")), "{answer}: {kinds:?}");
            assert!(!kinds[0].contains("closing the office"), "{answer}");
        }
    };
    check("Do you speak fluent English?", "Yes.");
    check("Have you worked with BGP and MPLS?", "No.");
    check("Talar du flytande English?", "Ja.");
    check("Har du kørekort, a driving licence?", "Nej.");
    check("Har du førerkort, a driving licence?", "Nei.");
    check("Haben Sie einen Führerschein, a driving licence?", "Nein.");
    check("Do you have a driving licence?", "yes");
}
