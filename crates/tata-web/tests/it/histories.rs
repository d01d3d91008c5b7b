//! What a client has really read, what it names by an id, and chats that begin alike.

use std::{sync::Arc, time::Duration};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_core::{Block, Store, ToolCall};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};

use crate::{
    branches::{CHAT, Peer, user},
    support::{Stream, World, local, read},
};

const RESPONSES: &str = "/v1/responses";

/// A client that hangs up before the program's question is written has not read it: its yes is about something else.
#[tokio::test]
async fn a_yes_does_not_answer_a_question_that_was_never_heard() {
    let invite = Answer::calls(&[("c_invite", "send_invite", r#"{"what":"Anna"}"#)]);
    let look = Answer::calls(&[("c_look", "look_up", r#"{"what":"Anna"}"#)]);
    let plan = [look, invite.after(Duration::from_millis(600)), Answer::text("It went as you decided.")];
    let model = Arc::new(PlannedModel::new("planned").on("Invite", plan));
    let store = Arc::new(MemoryStore::new()) as Arc<dyn Store>;
    let peer = Peer { world: World::at(&store, &model, local()).await, model };
    for (path, how) in
        [(CHAT, "header"), (RESPONSES, "header"), (RESPONSES, "conversation"), (RESPONSES, "previous")]
    {
        for heard in [false, true] {
            let mut body = json!({"model": "tata", "stream": true});
            let field = if path == CHAT { "messages" } else { "input" };
            body[field] = json!([user("Invite")]);
            let response = peer.world.request(Method::POST, path).json(&body).send().await.unwrap();
            let session = response.headers()["x-tata-session"].to_str().unwrap().to_owned();
            let mut stream = Stream::of(response);
            let begun = stream.next().await.unwrap();
            if heard {
                stream.all().await;
            } else {
                drop(stream);
            }
            until_it_asks(&peer.world, &session).await;
            let yes = |id: String| {
                let mut body = json!({"model": "tata"});
                body[field] = json!([user("yes")]);
                match how {
                    "conversation" => body["conversation"] = json!(format!("conv_{session}")),
                    "previous" => body["previous_response_id"] = json!(id),
                    _ => {}
                }
                let header = ("x-tata-session", session.as_str());
                let headers = if how == "header" { vec![header] } else { Vec::new() };
                let peer = &peer;
                async move {
                    let got = peer.send(path, &headers, body).await;
                    assert_eq!(got.status, StatusCode::OK, "{}", got.body);
                    got
                }
            };
            let id = if path == CHAT {
                String::new()
            } else {
                begun.json()["response"]["id"].as_str().unwrap().to_owned()
            };
            let mut got = yes(id).await;
            if !heard {
                assert!(said(&got.body).ends_with("Answer yes or no."), "{path} {how}: {}", got.body);
                got = yes(got.body["id"].as_str().unwrap().to_owned()).await;
            }
            assert_eq!(said(&got.body), "It went as you decided.", "{path} {how} {heard}");
        }
    }
}

/// The same of an answer in one piece: it was read when it was handed over.
#[tokio::test]
async fn a_yes_does_not_answer_a_question_whose_answer_nobody_waited_for() {
    let invite = Answer::calls(&[("c_invite", "send_invite", r#"{"what":"Anna"}"#)]);
    let plan = [invite.after(Duration::from_millis(600)), Answer::text("It went as you decided.")];
    let model = PlannedModel::new("planned").on("Hello", [Answer::text("Hello.")]).on("Invite", plan);
    let world = World::new(model).await;
    for key in [None, Some("k1")] {
        let (_, first) = world.post(RESPONSES, &json!({"model": "tata", "input": "Hello"})).await;
        let (conversation, session) = (
            &first["conversation"]["id"],
            first["conversation"]["id"].as_str().unwrap().trim_start_matches("conv_"),
        );
        let ask = |input: &str| json!({"model": "tata", "input": input, "conversation": conversation});
        let mut request = world.request(Method::POST, RESPONSES).json(&ask("Invite"));
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        request.timeout(Duration::from_millis(200)).send().await.unwrap_err();
        until_it_asks(&world, session).await;
        let (_, again) = world.post(RESPONSES, &ask("yes")).await;
        assert!(said(&again).ends_with("Answer yes or no."), "{again}");
        let (_, done) = world.post(RESPONSES, &ask("yes")).await;
        assert_eq!(said(&done), "It went as you decided.");
    }
}

/// A model that leaves a comment, a fence or a folded block open takes the program's question with it where a client renders
/// the answer: what the person sees last is the model's own question, and their yes is to that.
#[tokio::test]
async fn a_yes_does_not_answer_a_question_that_the_answer_can_hide() {
    for (above, is_seen) in [
        ("Shall I send you a joke?\n\n<!-- ", false),
        ("Shall I?\n\n```", false),
        ("Here it is, **done**.", true),
    ] {
        let call = ToolCall::function("c_invite", "send_invite", r#"{"what":"Anna"}"#);
        let invite = Answer::say(vec![Block::text(above), Block::ToolCall(call)]);
        let plan = [invite, Answer::text("It went as you decided.")];
        let world = World::new(PlannedModel::new("planned").on("Invite", plan)).await;
        let ask = |input: &str, conversation: &Value| json!({"model": "tata", "input": input, "conversation": conversation});
        let (_, first) = world.post(RESPONSES, &json!({"model": "tata", "input": "Invite"})).await;
        assert!(said(&first).starts_with(above) && said(&first).ends_with("Answer yes or no."), "{first}");
        let conversation = first["conversation"]["id"].clone();
        let (_, mut done) = world.post(RESPONSES, &ask("yes", &conversation)).await;
        if !is_seen {
            assert!(said(&done).ends_with("Answer yes or no.") && !said(&done).contains("joke"), "{done}");
            done = world.post(RESPONSES, &ask("yes", &conversation)).await.1;
        }
        assert_eq!(said(&done), "It went as you decided.", "{above}");
    }
}

/// The text of an answer of either API.
fn said(body: &Value) -> &str {
    let text = &body["choices"][0]["message"]["content"];
    let text = if text.is_null() { &body["output"][0]["content"][0]["text"] } else { text };
    text.as_str().unwrap_or_else(|| panic!("{body}"))
}

async fn until_it_asks(world: &World, session: &str) {
    for _ in 0..200 {
        let (_, session) = world.get(&format!("/api/v1/sessions/{session}")).await;
        if session["questions"].as_array().is_some_and(|questions| !questions.is_empty()) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nothing is asked");
}

/// Some clients name the items of earlier answers by the ids that they were given.
#[tokio::test]
async fn items_are_found_by_the_ids_that_were_given_out() {
    let peer = Peer::new().await;
    let tool = json!({"type": "function", "name": "get_weather"});
    let refer = |id: &Value| json!({"type": "item_reference", "id": id});
    let ask = |input: Value| json!({"model": "tata", "input": input, "tools": [tool]});
    let first = peer.send(RESPONSES, &[], ask(json!([user("Weather")]))).await;
    let output = first.body["output"].clone();
    let result = json!({"type": "function_call_output", "call_id": "call_9", "output": "7 degrees"});
    let mut items = vec![user("Weather"), refer(&output[0]["id"]), refer(&output[1]["id"]), result];
    let second = peer.send(RESPONSES, &[], ask(json!(items))).await;
    assert_eq!((second.status, said(&second.body)), (StatusCode::OK, "It is 7 degrees."));
    assert_eq!(peer.asked(), ["Weather", r#"call get_weather {"city":"Oslo"}"#, "result 7 degrees"]);
    items.extend([refer(&second.body["output"][0]["id"]), user("Thanks")]);
    let third = peer.send(RESPONSES, &[], ask(json!(items))).await;
    assert_eq!(said(&third.body), "Welcome.");
    assert_eq!((&second.session, &third.session), (&first.session, &first.session));
    // A question that stands in an answer that was read.
    let asked = peer.send(RESPONSES, &[], ask(json!([user("Invite")]))).await;
    let yes = json!([user("Invite"), refer(&asked.body["output"][0]["id"]), user("yes")]);
    assert_eq!(said(&peer.send(RESPONSES, &[], ask(yes)).await.body), "It went as you decided.");
    let unknown = output[0]["id"]
        .as_str()
        .unwrap()
        .replace(&first.session, &tata_core::SessionId::random().to_string());
    for wrong in [unknown.as_str(), "msg_1", "rs_1"] {
        let got = peer
            .send(RESPONSES, &[], ask(json!([user("Hello"), refer(&json!(wrong)), user("Thanks")])))
            .await;
        assert_eq!((got.status, &got.body["error"]["param"]), (StatusCode::BAD_REQUEST, &json!("input[1]")));
        assert!(got.body["error"]["message"].as_str().unwrap().contains(wrong), "{}", got.body);
    }
}

/// Every chat of one key that begins as another did has its own work, however many there are.
#[tokio::test]
async fn chats_that_begin_alike_keep_their_documents() {
    let peer = Peer::new().await;
    let mut sessions = std::collections::BTreeSet::new();
    for round in 0..11 {
        let first = peer.chat(json!([user("Profile")])).await;
        let second = json!([user("Profile"), first.message(), user("Thanks")]);
        let second = peer.chat(second).await;
        assert!(peer.asked().concat().contains("call write_profile"), "{round}: {:?}", peer.asked());
        let third =
            json!([user("Profile"), first.message(), user("Thanks"), second.message(), user("Hello")]);
        let third = peer.chat(third).await;
        let path = format!("/api/v1/sessions/{}/artifacts", third.session);
        let (_, documents) = peer.world.get(&path).await;
        assert!(documents.to_string().contains("Profile"), "{round}: {documents}");
        assert!(sessions.insert(third.session), "no two go on in one session");
    }
}

/// Where they hold something else, nobody can say whose the history is, and nothing of either is told, however many follow.
#[tokio::test]
async fn chats_that_were_told_the_same_and_hold_something_else_stay_apart() {
    let other = Answer::calls(&[("c_profile", "write_profile", r#"{"what":"a secret"}"#)]);
    let profile = Answer::calls(&[("c_profile", "write_profile", r#"{"what":"engineer"}"#)]);
    let model = PlannedModel::new("planned")
        .on("Profile", [profile, Answer::text("The profile is made.")])
        .on("Thanks", [Answer::text("Welcome.")])
        .disturbed(1, other);
    let store = Arc::new(MemoryStore::new()) as Arc<dyn Store>;
    let model = Arc::new(model);
    let peer = Peer { world: World::at(&store, &model, local()).await, model };
    for _ in 0..11 {
        let first = peer.chat(json!([user("Profile")])).await;
        if peer.model.requests().len() > 2 {
            peer.chat(json!([user("Profile"), first.message(), user("Thanks")])).await;
            assert_eq!(peer.asked(), ["Profile", "The profile is made.", "Thanks"]);
        }
    }
}

/// What was answered under a key of a request is gone with the conversation that it told of.
#[tokio::test]
async fn an_answer_under_a_key_goes_with_its_conversation() {
    let peer = Peer::new().await;
    let cases = [
        ("/api/v1/sessions", json!({"title": "Hello Anna"})),
        (CHAT, json!({"model": "tata", "messages": [user("Hello")]})),
        (RESPONSES, json!({"model": "tata", "input": "Hello"})),
    ];
    for (path, body) in cases {
        let send = || async {
            let request = peer.world.request(Method::POST, path).header("idempotency-key", "k1").json(&body);
            read(request.send().await.unwrap()).await
        };
        let (status, first) = send().await;
        assert!(status.is_success() && first.to_string().contains("Hello"), "{first}");
        assert_eq!(send().await, (status, first));
        let (_, all) = peer.world.get("/api/v1/sessions").await;
        for session in all["sessions"].as_array().unwrap() {
            let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
            peer.world.request(Method::DELETE, &path).send().await.unwrap().error_for_status().unwrap();
        }
        for _ in 0..2 {
            let (status, gone) = send().await;
            assert_eq!(status, StatusCode::CONFLICT, "{gone}");
            assert!(!gone.to_string().contains("Hello"), "{gone}");
        }
    }
}
