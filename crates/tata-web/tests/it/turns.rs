//! Turns over HTTP: streams that can be left and come back to, keys, decisions.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_core::Store;
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};

use crate::support::{Sent, Stream, World, id_of, local, read};

const LONG: &str = "Grüße aus Köln, 漢字 und ein 🐦 auf dem Dach; ";

fn model() -> PlannedModel {
    let call = Answer::calls(&[("c1", "write_profile", r#"{"what":"x"}"#)]);
    let invite = Answer::calls(&[("c1", "send_invite", r#"{"what":"x"}"#)]);
    PlannedModel::new("planned")
        .on("Go", [call, Answer::text(&LONG.repeat(20))])
        .on("Invite", [invite, Answer::text("Sent.")])
        .on("Slow", [Answer::text("Late.").after(Duration::from_millis(300))])
        .on("Stall", [Answer::stalls("Wait ")])
        .on("Hello", [Answer::text("Hello.")])
}

/// A page that shows a stream: the text of each answer by where it begins, and the last id.
#[derive(Debug, Default, PartialEq)]
struct Page {
    last: String,
    texts: BTreeMap<u64, String>,
    ends: Vec<Value>,
}

impl Page {
    fn show(&mut self, sent: &Sent) {
        if let Some(id) = &sent.id {
            self.last.clone_from(id);
        }
        let at = self.last.split('.').next().unwrap().parse().unwrap_or(0);
        let json = sent.json();
        assert_eq!(json["event"], sent.event.as_str());
        match sent.event.as_str() {
            "text_delta" => self.texts.entry(at).or_default().push_str(json["text"].as_str().unwrap()),
            "reset" => drop(self.texts.remove(&at)),
            "finished" => self.ends.push(json["content"].clone()),
            _ => {}
        }
    }
}

#[tokio::test]
async fn a_turn_is_streamed_and_ends_with_its_end() {
    let world = World::new(model()).await;
    let session = world.session().await;
    let request =
        world.request(Method::POST, &format!("{session}/turns")).header("accept", "text/event-stream");
    let sent = Stream::of(request.json(&json!({"message": "Go"})).send().await.unwrap()).all().await;
    let names: Vec<&str> = sent.iter().map(|sent| sent.event.as_str()).collect();
    assert_eq!((names.first(), names.last()), (Some(&"turn_started"), Some(&"finished")), "{names:?}");
    for name in ["model_asked", "tool_started", "tool_finished", "artifact", "text_delta", "usage"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let (_, report) = world.get(&format!("{session}/turns/1")).await;
    assert_eq!(report["content"], LONG.repeat(20));
    assert_eq!(report["steps"][0]["tool"], "write_profile");
    // Whoever has heard the end is told that there is no more.
    let last = sent.last().unwrap().id.clone().unwrap();
    for path in ["turns/1/events", "events"] {
        let request = world.request(Method::GET, &format!("{session}/{path}")).header("last-event-id", &last);
        assert_eq!(request.send().await.unwrap().status(), StatusCode::NO_CONTENT);
    }
    let again = world.request(Method::GET, &format!("{session}/turns/1/events")).send().await.unwrap();
    let mut page = Page::default();
    Stream::of(again).all().await.iter().for_each(|sent| page.show(sent));
    assert_eq!(page.texts.into_values().collect::<String>(), LONG.repeat(20));
}

/// R6: connections that end anywhere, on two servers over one store; the text is byte-equal in the end.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_drops_lose_no_byte() {
    let (store, model): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::new()), Arc::new(model()));
    let here = World::at(&store, &model, local()).await;
    let there = World::at(&store, &model, local()).await;
    let (mut drops, mut seed) = (0_u64, 7_u64);
    let mut random = |most: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % most
    };
    while drops < 1000 {
        let session = here.session().await;
        let (status, begun) = here.post(&format!("{session}/turns"), &json!({"message": "Go"})).await;
        assert_eq!(status, StatusCode::ACCEPTED, "{begun}");
        let events = begun["events"].as_str().unwrap().to_owned();
        let mut page = Page::default();
        while page.ends.is_empty() {
            let world = if random(4) == 0 { &there } else { &here };
            let mut request = world.request(Method::GET, &events);
            if !page.last.is_empty() {
                request = request.header("last-event-id", &page.last);
            }
            let mut stream = Stream::of(request.send().await.unwrap());
            for _ in 0..random(9) {
                match stream.next().await {
                    Some(sent) => page.show(&sent),
                    None => break,
                }
            }
            drops += 1;
        }
        assert_eq!(page.texts.into_values().collect::<String>(), LONG.repeat(20));
        assert_eq!(page.ends, [json!(LONG.repeat(20))]);
    }
}

#[tokio::test]
async fn a_turn_goes_on_when_its_listener_leaves_and_can_be_cancelled() {
    let world = World::new(model()).await;
    let session = world.session().await;
    let request =
        world.request(Method::POST, &format!("{session}/turns")).header("accept", "text/event-stream");
    let mut stream = Stream::of(request.json(&json!({"message": "Stall"})).send().await.unwrap());
    while stream.next().await.unwrap().event != "text_delta" {}
    drop(stream);
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(world.host.is_running(id_of(&session)));
    let (status, busy) = world.post(&format!("{session}/turns"), &json!({"message": "Hello"})).await;
    assert_eq!((status, &busy["code"]), (StatusCode::CONFLICT, &json!("busy")));
    let late = world.request(Method::GET, &format!("{session}/turns/1/events")).send().await.unwrap();
    let mut late = Stream::of(late);
    assert_eq!(world.post(&format!("{session}/cancel"), &json!({})).await.1["cancelled"], true);
    let mut last = Sent::default();
    while let Some(sent) = late.next().await {
        last = sent;
    }
    assert_eq!((last.event.as_str(), &last.json()["content"]), ("finished", &json!("Wait ")));
    assert_eq!(world.post(&format!("{session}/cancel"), &json!({})).await.1["cancelled"], false);
}

/// A turn that another process runs is stopped there; the next turn is not meant by that.
#[tokio::test]
async fn a_turn_is_stopped_by_way_of_another_server() {
    let (store, model): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::new()), Arc::new(model()));
    let here = World::at(&store, &model, local()).await;
    let there = World::at(&store, &model, local()).await;
    let session = here.session().await;
    let request =
        here.request(Method::POST, &format!("{session}/turns")).header("accept", "text/event-stream");
    let mut stream = Stream::of(request.json(&json!({"message": "Stall"})).send().await.unwrap());
    while stream.next().await.unwrap().event != "text_delta" {}
    assert_eq!(there.post(&format!("{session}/cancel"), &json!({})).await.1["cancelled"], true);
    let mut last = Sent::default();
    while let Some(sent) = stream.next().await {
        last = sent;
    }
    assert_eq!((last.event.as_str(), &last.json()["content"]), ("finished", &json!("Wait ")));
    assert_eq!(there.post(&format!("{session}/cancel"), &json!({})).await.1["cancelled"], false);
    // A wish about an earlier turn is forgotten.
    store.ask_to_stop(id_of(&session), 1, jiff::Timestamp::now()).await.unwrap();
    let said = here.say(&session, "Slow").await;
    assert_eq!(said["content"], "Late.", "{said}");
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(here.say(&session, "Hello").await["content"], "Hello.");
}

#[tokio::test]
async fn a_stream_without_events_shows_that_it_is_alive() {
    let options = tata_web::ServerOptions { heartbeat: Duration::from_millis(20), ..local() };
    let world = World::with(model(), options).await;
    let session = world.session().await;
    let request =
        world.request(Method::POST, &format!("{session}/turns")).header("accept", "text/event-stream");
    let mut stream = Stream::of(request.json(&json!({"message": "Slow"})).send().await.unwrap());
    while let Some(_sent) = stream.next().await {}
    assert!(stream.comments >= 5, "{}", stream.comments);
}

#[tokio::test]
async fn the_same_key_is_served_once() {
    let (store, model): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::new()), Arc::new(model()));
    let world = World::at(&store, &model, local()).await;
    let there = World::at(&store, &model, local()).await;
    let session = world.session().await;
    let send = |body: Value, key: &'static str, accept: &'static str| {
        let request = world.request(Method::POST, &format!("{session}/turns"));
        request.header("idempotency-key", key).header("accept", accept).json(&body).send()
    };
    let body = json!({"message": "Hello", "wait": true});
    let first = read(send(body.clone(), "k1", "*/*").await.unwrap()).await;
    let second = send(body.clone(), "k1", "*/*").await.unwrap();
    assert_eq!(second.headers()["idempotency-replayed"], "true");
    assert_eq!(read(second).await, first);
    // Whichever process is asked again.
    let elsewhere = there.request(Method::POST, &format!("{session}/turns")).header("idempotency-key", "k1");
    let elsewhere = elsewhere.json(&body).send().await.unwrap();
    assert_eq!(elsewhere.headers()["idempotency-replayed"], "true");
    assert_eq!(read(elsewhere).await, first);
    let other = read(send(json!({"message": "Other"}), "k1", "*/*").await.unwrap()).await;
    assert_eq!(
        (other.0, &other.1["code"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("idempotency_key_reused"))
    );
    let long = world.request(Method::POST, "/api/v1/sessions").header("idempotency-key", "k".repeat(256));
    assert_eq!(read(long.json(&json!({})).send().await.unwrap()).await.1["code"], "invalid_idempotency_key");
    // A stream is followed anew, from its beginning.
    let text = |sent: Vec<Sent>| {
        let pieces = sent.iter().filter(|sent| sent.event == "text_delta");
        pieces.map(|sent| sent.json()["text"].as_str().unwrap().to_owned()).collect::<String>()
    };
    let go = json!({"message": "Go"});
    for _ in 0..2 {
        let stream = Stream::of(send(go.clone(), "k2", "text/event-stream").await.unwrap());
        assert_eq!(text(stream.all().await), LONG.repeat(20));
    }
    // Two at once: one is served, the other is told to come back.
    let (one, two) = tokio::join!(
        send(json!({"message": "Slow", "wait": true}), "k3", "*/*"),
        send(json!({"message": "Slow", "wait": true}), "k3", "*/*")
    );
    let mut statuses = [one.unwrap().status(), two.unwrap().status()];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    let (_, session) = world.get(&session).await;
    assert_eq!(session["turn_count"], 3);
}

#[tokio::test]
async fn a_person_decides_what_a_turn_asks() {
    let world = World::new(model()).await;
    let session = world.session().await;
    let waiting = world.say(&session, "Invite").await;
    assert_eq!(waiting["outcome"]["outcome"], "waiting", "{waiting}");
    let (status, problem) = world.post(&format!("{session}/turns"), &json!({"message": "Hello"})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("decision_needed")));
    let (_, shown) = world.get(&session).await;
    let question = &shown["questions"][0];
    let decide = |seal: &Value, decision: &str| json!({"wait": true, "decisions": [{"call_id": question["call_id"], "seal": seal, "decision": decision}]});
    let path = format!("{session}/decisions");
    let (status, problem) = world.post(&path, &decide(&json!("another"), "run")).await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("nothing_to_decide")));
    assert_eq!(
        world.post(&path, &decide(&question["seal"], "maybe")).await.0,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    let (status, report) = world.post(&path, &decide(&question["seal"], "run")).await;
    assert_eq!((status, &report["content"]), (StatusCode::OK, &json!("Sent.")), "{report}");
    let trail = world.store.audit_trail().await.unwrap();
    assert_eq!((trail[0].action.as_str(), trail[0].actor.as_str()), ("tool.decided", "local"));
}

/// A yes that brings the seal of what was asked is an answer to it; without the seal, nobody had the question before them.
#[tokio::test]
async fn a_yes_in_a_message_answers_the_question_whose_seal_it_brings() {
    for (said, content) in [("yes", "Sent."), ("Nein.", "Sent.")] {
        let world = World::new(model()).await;
        let session = world.session().await;
        world.say(&session, "Invite").await;
        let (_, shown) = world.get(&session).await;
        let seal = &shown["questions"][0]["seal"];
        let path = format!("{session}/turns");
        for wrong in [
            json!({"message": said}),
            json!({"message": said, "answers": "another"}),
            json!({"message": format!("{said} and Anna"), "answers": seal}),
        ] {
            let (status, problem) = world.post(&path, &wrong).await;
            assert_eq!(
                (status, &problem["code"]),
                (StatusCode::CONFLICT, &json!("decision_needed")),
                "{wrong}"
            );
        }
        let right = json!({"message": said, "answers": seal, "wait": true});
        let (status, report) = world.post(&path, &right).await;
        assert_eq!((status, &report["content"]), (StatusCode::OK, &json!(content)), "{report}");
        let trail = world.store.audit_trail().await.unwrap();
        let decision = if said == "yes" { "run" } else { "refuse" };
        assert_eq!(trail[0].action.as_str(), "tool.decided");
        assert!(format!("{:?}", trail[0]).contains(decision), "{:?}", trail[0]);
    }
}

#[tokio::test]
async fn an_answer_is_rated_and_a_turn_taken_back() {
    let world = World::new(model()).await;
    let session = world.session().await;
    world.say(&session, "Hello").await;
    let (status, given) =
        world.post(&format!("{session}/feedback"), &json!({"rating": "up", "comment": "Good."})).await;
    assert_eq!((status, &given["turn"]), (StatusCode::OK, &json!(1)));
    let (status, problem) =
        world.post(&format!("{session}/feedback"), &json!({"rating": "up", "turn": 9})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &json!("turn_not_found")));
    assert_eq!(world.get(&session).await.1["feedback"][0]["comment"], "Good.");
    assert_eq!(world.post(&format!("{session}/undo"), &json!({})).await.1["turn_number"], 1);
    assert_eq!(world.get(&format!("{session}/messages")).await.1["messages"], json!([]));
}

/// A process that died left a turn behind: another one takes it over, and whoever listens hears its end.
#[tokio::test]
async fn a_turn_that_nobody_works_on_is_taken_over() {
    let (store, model): (Arc<dyn Store>, _) = (Arc::new(MemoryStore::new()), Arc::new(model()));
    let session =
        store.create_session(tata_core::NewSession::with("tata", jiff::Timestamp::now())).await.unwrap();
    let begun = store.begin(session.id, Duration::from_secs(30)).await.unwrap();
    let message = tata_core::Message::user("Hello");
    let entry = tata_core::Entry::UserMessage { turn: 1, message, state: None, answers: None };
    let record = tata_core::Record { position: 1, at: jiff::Timestamp::now(), entry };
    let batch = tata_core::Batch { records: vec![record], ..tata_core::Batch::default() };
    store.append(&begun.lease, batch).await.unwrap();
    store.release(&begun.lease).await.unwrap();
    let world = World::at(&store, &model, local()).await;
    let events = format!("/api/v1/sessions/{}/turns/1/events", session.id);
    let sent = Stream::of(world.request(Method::GET, &events).send().await.unwrap()).all().await;
    assert_eq!(sent.last().unwrap().json()["content"], "Hello.");
}
