//! What an answer rests on, and what nothing proves, on every face of the server.

use std::sync::Arc;

use serde_json::{Value, json};
use tata_core::{
    AgentParts, AnswerCheck, AnswerToCheck, CheckedAnswer, CheckedSentence, Citation, Effect, Gap, Model,
    ModelChoice, Store, Tool, ToolOutput, ToolRegistry,
};
use tata_store::MemoryStore;
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};
use tata_web::Services;

use crate::{
    pages::pages,
    support::{World, local, services},
};

const QUESTION: &str = "How many days?";
const ANSWER: &str = "You have 45 days [1]. There is a pool [1].";

fn found(number: u32) -> Citation {
    Citation {
        number,
        url: format!("https://example.com/{number}"),
        title: format!("Policy {number}"),
        start: number as usize,
        quote: "You have 45 days.".to_owned(),
        ..Citation::default()
    }
}

/// A search that finds three passages, two of them in one document.
fn search() -> Arc<dyn Tool> {
    let mut twice = found(2);
    (twice.start, twice.number) = (9, 3);
    let sources = vec![found(1), found(2), twice];
    CountingTool::new("look_up", Effect::Read, &Runs::default())
        .doing(move |_, _| Ok(ToolOutput { sources: Some(sources.clone()), ..ToolOutput::text("found") }))
        .shared()
}

/// The second sentence is not proven.
fn check() -> AnswerCheck {
    Arc::new(|given: &AnswerToCheck<'_>| {
        let sentence = |text: &str, start: usize, supported: bool| CheckedSentence {
            text: text.to_owned(),
            start,
            end: start + text.len() + 4,
            cites: vec![1],
            supported,
            unproven: if supported { Vec::new() } else { vec!["pool: not in a source".to_owned()] },
            gaps: if supported {
                Vec::new()
            } else {
                vec![Gap { text: "pool".to_owned(), reason: "word".to_owned() }]
            },
        };
        CheckedAnswer {
            text: given.answer.to_owned(),
            citations: given.sources.iter().take(1).cloned().collect(),
            sentences: vec![sentence("You have 45 days.", 0, true), sentence("There is a pool.", 22, false)],
            removed: Vec::new(),
        }
    })
}

fn model() -> PlannedModel {
    let call = Answer::calls(&[("c1", "look_up", r#"{"what":"x"}"#)]);
    PlannedModel::new("planned").on(QUESTION, [call, Answer::text(ANSWER)])
}

async fn world() -> World {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let model = Arc::new(model());
    let (agent_model, agent_store) = (Arc::clone(&model), Arc::clone(&store));
    let mut services: Services = services(&store, &model);
    services.pages = Some(Arc::new(pages()));
    services.agents.parts = Arc::new(move |name: String, _: Option<String>| -> tata_web::AgentFuture {
        let (model, store) = (Arc::clone(&agent_model) as Arc<dyn Model>, Arc::clone(&agent_store));
        Box::pin(async move {
            let tools = ToolRegistry::new([search()]).unwrap();
            let check_answer = Some(check());
            Ok(AgentParts {
                tools,
                check_answer,
                ..AgentParts::new(name, vec![ModelChoice::new(model)], store)
            })
        })
    });
    World::serving(services, local()).await
}

fn holds(face: &str, told: &Value) {
    let sentences = &told["sentences"];
    assert_eq!(sentences[0]["supported"], json!(true), "{face}: {told:#}");
    assert_eq!(
        (&sentences[1]["supported"], &sentences[1]["start"]),
        (&json!(false), &json!(22)),
        "{face}: {told:#}"
    );
    assert_eq!(sentences[1]["gaps"][0], json!({"text": "pool", "reason": "word"}), "{face}");
    let citations = told["citations"].as_array().unwrap();
    assert_eq!((citations.len(), &citations[0]["title"]), (1, &json!("Policy 1")), "{face}: {told:#}");
}

#[tokio::test]
async fn the_verdict_stands_in_every_answer_of_the_api() {
    let world = world().await;
    let (_, answer) = world.post("/api/chat", &json!({"message": QUESTION})).await;
    let session = answer["session_id"].as_str().unwrap().to_owned();
    let (_, turn) = world.get(&format!("/api/v1/sessions/{session}/turns/1")).await;
    for (face, told) in [("POST /api/chat", &answer), ("GET turns", &turn)] {
        holds(face, told);
        let urls = json!(["https://example.com/1", "https://example.com/2"]);
        assert_eq!(told["retrieved_sources"], urls, "{face}: each document once");
    }
    let (_, shown) = world.get(&format!("/api/session/{session}")).await;
    holds("GET session", &shown["messages"][1]);
    let (_, messages) = world.get(&format!("/api/v1/sessions/{session}/messages")).await;
    holds("GET messages", &messages["messages"][1]);
    assert_eq!(messages["messages"][0].get("sentences"), None, "a person's words are not checked");
}

#[tokio::test]
async fn the_verdict_stands_in_the_answers_of_other_apis() {
    let world = world().await;
    let place =
        json!({"start_index": 17, "end_index": 20, "url": "https://example.com/1", "title": "Policy 1"});
    let body = json!({"model": "tata", "messages": [{"role": "user", "content": QUESTION}]});
    let (_, answer) = world.post("/v1/chat/completions", &body).await;
    let message = &answer["choices"][0]["message"];
    assert_eq!(
        message["annotations"][0],
        json!({"type": "url_citation", "url_citation": place}),
        "{message:#}"
    );
    assert_eq!(message["annotations"].as_array().unwrap().len(), 2);
    assert_eq!(message["sentences"][1]["supported"], json!(false), "{message:#}");

    let body = json!({"model": "tata", "stream": true, "messages": [{"role": "user", "content": QUESTION}]});
    let streamed =
        world.request(reqwest::Method::POST, "/v1/chat/completions").json(&body).send().await.unwrap();
    let streamed = streamed.text().await.unwrap();
    assert!(streamed.contains("url_citation") && streamed.contains("\"supported\":false"), "{streamed}");

    let (_, answer) = world.post("/v1/responses", &json!({"model": "tata", "input": QUESTION})).await;
    let part = &answer["output"][0]["content"][0];
    let mut place = place;
    place["type"] = json!("url_citation");
    assert_eq!(part["annotations"][0], place, "{part:#}");
    assert_eq!(part["sentences"][1]["supported"], json!(false), "{part:#}");
    let body = json!({"model": "tata", "stream": true, "input": QUESTION});
    let streamed = world.request(reqwest::Method::POST, "/v1/responses").json(&body).send().await.unwrap();
    let streamed = streamed.text().await.unwrap();
    assert!(streamed.contains("response.output_text.annotation.added"), "{streamed}");
}

/// The sentence is marked where it stands, and what is missing is said in the reader's language.
#[tokio::test]
async fn the_page_marks_what_nothing_proves() {
    let world = world().await;
    let (_, answer) = world.post("/api/chat", &json!({"message": QUESTION})).await;
    let session = answer["session_id"].as_str().unwrap();
    for (language, mark, why, left) in [
        ("en", "Not in its source", "this is not in the source", "Also found, but not used"),
        ("sv", "Står inte i källan", "det står inte i källan", "Hittades också"),
        ("da", "Står ikke i kilden", "det står ikke i kilden", "Også fundet"),
        ("nb", "Står ikke i kilden", "det står ikke i kilden", "Også funnet"),
        ("de", "Steht nicht in der Quelle", "das steht nicht in der Quelle", "Auch gefunden"),
    ] {
        let page = world
            .request(reqwest::Method::GET, &format!("/p/{session}"))
            .header("accept-language", language)
            .header("accept", "text/html");
        let page = page.send().await.unwrap().text().await.unwrap();
        let marked = page.find(mark).unwrap_or_else(|| panic!("{language}: {page}"));
        assert!(
            page[..marked].contains("There is a pool") && !page[..marked].contains("#unproven-1-2"),
            "{language}"
        );
        assert!(
            page.contains("href=\"#unproven-1-1\"") && page.contains("id=\"unproven-1-1\""),
            "{language}"
        );
        assert!(page.contains(why), "{language}: {page}");
        let cited = page.find("id=\"cite-1-1\"").unwrap();
        let apart = page.find(left).unwrap_or_else(|| panic!("{language}: {page}"));
        assert!(
            cited < apart && page[apart..].contains("Policy 2"),
            "{language}: what is cited stands apart"
        );
        assert!(!page.contains("id=\"cite-1-2\""), "{language}");
    }
}
