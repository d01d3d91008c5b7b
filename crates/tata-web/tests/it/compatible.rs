//! Clients of another API.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_core::ModelErrorKind;
use tata_testkit::{Answer, PlannedModel};

use crate::support::{Stream, World, read};

fn model() -> PlannedModel {
    let call = || {
        Answer::say(vec![
            tata_core::Block::text("Let me look. "),
            tata_core::Block::ToolCall(tata_core::ToolCall::function("c1", "look_up", r#"{"what":"x"}"#)),
        ])
    };
    PlannedModel::new("planned")
        .on("Hello", [Answer::text("Hello, Ada.")])
        .on("Look", [call(), Answer::text("Found.")])
        .on("Long", [Answer::text("Cut").stopped(tata_core::StopReason::MaxTokens)])
        .on("Fail", [Answer::fails(ModelErrorKind::Server)])
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

#[tokio::test]
async fn an_agent_is_a_model() {
    let world = World::new(model()).await;
    let (_, models) = world.get("/v1/models").await;
    assert_eq!((&models["object"], &models["data"][0]["id"]), (&json!("list"), &json!("tata")));
    assert_eq!(world.get("/v1/models/docs").await.1["id"], "docs");
    assert_eq!(world.get("/v1/models/none").await.1["error"]["code"], "agent_not_found");
    let body =
        json!({"model": "tata", "messages": [{"role": "system", "content": "Be nice."}, user("Look")]});
    let (status, answer) = world.post("/v1/chat/completions", &body).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let choice = &answer["choices"][0];
    assert_eq!(
        (&choice["message"]["content"], &choice["finish_reason"]),
        (&json!("Let me look. \n\nFound."), &json!("stop"))
    );
    assert_eq!(answer["usage"], json!({"prompt_tokens": 20, "completion_tokens": 10, "total_tokens": 30}));
    let (_, cut) = world
        .post("/v1/chat/completions", &json!({"model": "tata:planned", "messages": [user("Long")]}))
        .await;
    assert_eq!(cut["choices"][0]["finish_reason"], "length");
}

#[tokio::test]
async fn chat_completions_are_streamed() {
    let world = World::new(model()).await;
    let body = json!({"model": "tata", "stream": true, "stream_options": {"include_usage": true},
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Look"}]}]});
    let request = world.request(Method::POST, "/v1/chat/completions").json(&body);
    let mut sent = Stream::of(request.send().await.unwrap()).all().await;
    assert_eq!(sent.pop().unwrap().data, "[DONE]");
    let chunks: Vec<Value> = sent.iter().map(crate::support::Sent::json).collect();
    let text: String =
        chunks.iter().filter_map(|chunk| chunk["choices"][0]["delta"]["content"].as_str()).collect();
    assert_eq!(text, "Let me look. \n\nFound.");
    assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant");
    let (usage, last) = (chunks.last().unwrap(), &chunks[chunks.len() - 2]);
    assert_eq!((&usage["choices"], &usage["usage"]["total_tokens"]), (&json!([]), &json!(30)));
    assert_eq!(last["choices"][0]["finish_reason"], "stop");
    assert!(
        chunks
            .iter()
            .all(|chunk| chunk["id"] == chunks[0]["id"] && chunk["object"] == "chat.completion.chunk")
    );
}

#[tokio::test]
async fn a_client_that_sends_everything_again_stays_in_its_session() {
    let world = World::new(model()).await;
    let send = |messages: Value| {
        let request = world.request(Method::POST, "/v1/chat/completions");
        let sent = request.json(&json!({"model": "tata", "messages": messages})).send();
        async {
            let response = sent.await.unwrap();
            let session = response.headers()["x-tata-session"].to_str().unwrap().to_owned();
            (session, read(response).await.1)
        }
    };
    let (session, first) = send(json!([user("Hello")])).await;
    let answer = first["choices"][0]["message"].clone();
    let (same, _) = send(json!([user("Hello"), answer, user("Look")])).await;
    assert_eq!(same, session);
    // Somebody else's history becomes a new session that knows it.
    let (other, _) =
        send(json!([user("Before"), {"role": "assistant", "content": "Said elsewhere."}, user("Look")]))
            .await;
    assert_ne!(other, session);
    let (_, page) = world.get(&format!("/api/v1/sessions/{other}/messages")).await;
    let said: Vec<_> =
        page["messages"].as_array().unwrap().iter().map(|message| message["content"].clone()).collect();
    assert_eq!(said[..3], [json!("Before"), json!("Said elsewhere."), json!("Look")]);
    let named = world.request(Method::POST, "/v1/chat/completions").header("x-tata-session", &session);
    let named = named.json(&json!({"model": "tata", "messages": [user("Hello")]})).send().await.unwrap();
    assert_eq!(named.headers()["x-tata-session"], session.as_str());
    assert_eq!(world.get(&format!("/api/v1/sessions/{session}")).await.1["turn_count"], 3);
}

#[tokio::test]
async fn responses_go_on_by_their_id() {
    let world = World::new(model()).await;
    let (status, first) = world.post("/v1/responses", &json!({"model": "tata", "input": "Hello"})).await;
    assert_eq!((status, &first["status"]), (StatusCode::OK, &json!("completed")), "{first}");
    assert_eq!(first["output"][0]["content"][0]["text"], "Hello, Ada.");
    assert_eq!(first["usage"]["total_tokens"], 15);
    let next = json!({"model": "tata", "previous_response_id": first["id"], "input": [user("Look")]});
    let (_, second) = world.post("/v1/responses", &next).await;
    assert_eq!(second["conversation"], first["conversation"]);
    let next =
        json!({"model": "tata", "conversation": {"id": first["conversation"]["id"]}, "input": "Hello"});
    let (_, third) = world.post("/v1/responses", &next).await;
    assert!(third["id"].as_str().unwrap().ends_with("_3"), "{third}");
    let (status, wrong) = world
        .post("/v1/responses", &json!({"model": "tata", "previous_response_id": "resp_x", "input": "Hello"}))
        .await;
    assert_eq!((status, &wrong["error"]["param"]), (StatusCode::BAD_REQUEST, &json!("previous_response_id")));
}

#[tokio::test]
async fn responses_are_streamed_with_typed_events() {
    let world = World::new(model()).await;
    let request = world.request(Method::POST, "/v1/responses");
    let request = request.json(&json!({"model": "tata", "input": "Look", "stream": true}));
    let sent = Stream::of(request.send().await.unwrap()).all().await;
    let events: Vec<Value> = sent.iter().map(crate::support::Sent::json).collect();
    for (at, (sent, event)) in sent.iter().zip(&events).enumerate() {
        assert_eq!((&event["type"], &event["sequence_number"]), (&json!(sent.event), &json!(at)));
    }
    let mut names: Vec<&str> = sent.iter().map(|sent| sent.event.as_str()).collect();
    names.dedup();
    assert_eq!(
        names,
        [
            "response.created",
            "response.in_progress",
            "response.output_item.added",
            "response.content_part.added",
            "response.output_text.delta",
            "response.output_text.done",
            "response.content_part.done",
            "response.output_item.done",
            "response.completed",
        ]
    );
    let text: String = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    let whole = &events.last().unwrap()["response"];
    assert_eq!(
        (text.as_str(), whole["output"][0]["content"][0]["text"].as_str()),
        ("Let me look. \n\nFound.", Some("Let me look. \n\nFound."))
    );
}

/// D8: whatever goes wrong has the one shape that these clients read.
#[tokio::test]
async fn errors_have_the_shape_that_these_clients_read() {
    let world = World::new(model()).await;
    let chat = "/v1/chat/completions";
    for (path, body, status, code) in [
        (
            chat,
            json!({"model": "nobody", "messages": [user("Hello")]}),
            StatusCode::NOT_FOUND,
            "agent_not_found",
        ),
        (chat, json!({"model": "tata", "messages": []}), StatusCode::BAD_REQUEST, "no_question"),
        (chat, json!({"model": "tata", "messages": [user("Fail")]}), StatusCode::BAD_GATEWAY, "model_failed"),
        (
            chat,
            json!({"model": "tata", "messages": [user("Hello")], "tools": [{}]}),
            StatusCode::BAD_REQUEST,
            "unsupported",
        ),
        (chat, json!({"model": "tata"}), StatusCode::UNPROCESSABLE_ENTITY, "invalid_body"),
        (
            chat,
            json!({"model": "tata", "messages": [{"role": "user", "content": [{"type": "image_url"}]}]}),
            StatusCode::BAD_REQUEST,
            "unsupported",
        ),
        ("/v1/responses", json!({"model": "tata", "input": "Fail"}), StatusCode::BAD_GATEWAY, "model_failed"),
        ("/v1/nothing", json!({}), StatusCode::NOT_FOUND, "no_such_route"),
    ] {
        let (found, answer) = world.post(path, &body).await;
        assert_eq!((found, answer["error"]["code"].as_str()), (status, Some(code)), "{answer}");
        assert!(answer["error"]["message"].is_string() && answer["error"]["type"].is_string());
    }
    let request = world
        .request(Method::POST, chat)
        .json(&json!({"model": "tata", "stream": true, "messages": [user("Fail")]}));
    let sent = Stream::of(request.send().await.unwrap()).all().await;
    assert!(sent.iter().any(|sent| sent.data.contains(r#""error""#)), "{sent:?}");
    let request = world
        .request(Method::POST, "/v1/responses")
        .json(&json!({"model": "tata", "stream": true, "input": "Fail"}));
    let sent = Stream::of(request.send().await.unwrap()).all().await;
    assert_eq!(sent.last().unwrap().event, "response.failed");
}
