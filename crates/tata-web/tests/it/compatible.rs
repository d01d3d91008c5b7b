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
    assert!(third["id"].as_str().unwrap().contains("_3_"), "{third}");
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
            "invalid_tool",
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

/// The weather, which only the client can tell.
fn weather() -> PlannedModel {
    let call = Answer::calls(&[("call_9", "get_weather", r#"{"city":"Oslo"}"#)]);
    PlannedModel::new("planned")
        .on("Weather", [call, Answer::text("It is 7 degrees.")])
        .on("Never mind", [Answer::text("As you wish.")])
        .on("Hello", [Answer::text("Hello.")])
}

fn chat_tool() -> Value {
    let parameters =
        json!({"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]});
    json!({"type": "function", "function": {"name": "get_weather", "description": "d", "parameters": parameters}})
}

/// The client's own tools: the call goes back to it under its id, and its result reaches the model.
#[tokio::test]
async fn a_clients_own_tools_are_called_by_the_client() {
    let world = World::new(weather()).await;
    let ask = json!({"model": "tata", "messages": [user("Weather")], "tools": [chat_tool()]});
    let (status, answer) = world.post("/v1/chat/completions", &ask).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let choice = &answer["choices"][0];
    assert_eq!(choice["finish_reason"], "tool_calls", "{answer}");
    let call = &choice["message"]["tool_calls"][0];
    assert_eq!(
        (&call["id"], &call["function"]["name"], &call["function"]["arguments"]),
        (&json!("call_9"), &json!("get_weather"), &json!(r#"{"city":"Oslo"}"#))
    );
    let result = json!({"role": "tool", "tool_call_id": "call_9", "content": "7 degrees"});
    let again = json!({"model": "tata", "tools": [chat_tool()],
        "messages": [user("Weather"), choice["message"], result]});
    let (status, answer) = world.post("/v1/chat/completions", &again).await;
    assert_eq!(
        (status, &answer["choices"][0]["message"]["content"]),
        (StatusCode::OK, &json!("It is 7 degrees.")),
        "{answer}"
    );
    assert_eq!(answer["choices"][0]["finish_reason"], "stop");
    // The same result once more, as after a lost connection, is answered once more.
    let (status, answer) = world.post("/v1/chat/completions", &again).await;
    assert_eq!(
        (status, &answer["choices"][0]["message"]["content"]),
        (StatusCode::OK, &json!("It is 7 degrees.")),
        "{answer}"
    );
    // A result without its call is none of anything.
    let stray = json!({"role": "tool", "tool_call_id": "call_8", "content": "7 degrees"});
    let stray = json!({"model": "tata", "messages": [user("Weather"), stray]});
    let (status, answer) = world.post("/v1/chat/completions", &stray).await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::BAD_REQUEST, &json!("no_such_call")),
        "{answer}"
    );
}

#[tokio::test]
async fn a_clients_own_tools_in_the_newer_api_and_in_streams() {
    let world = World::new(weather()).await;
    let mut tool = chat_tool()["function"].clone();
    tool["type"] = json!("function");
    let ask = json!({"model": "tata", "input": "Weather", "tools": [tool], "stream": true});
    let request = world.request(Method::POST, "/v1/responses").json(&ask);
    let sent = Stream::of(request.send().await.unwrap()).all().await;
    let events: Vec<Value> = sent.iter().map(crate::support::Sent::json).collect();
    let of =
        |kind: &str| events.iter().find(|event| event["type"] == kind).unwrap_or_else(|| panic!("no {kind}"));
    assert_eq!(of("response.function_call_arguments.done")["arguments"], r#"{"city":"Oslo"}"#);
    let whole = &of("response.completed")["response"];
    let call = &whole["output"][1];
    assert_eq!((&call["type"], &call["call_id"]), (&json!("function_call"), &json!("call_9")), "{whole}");
    let result = json!({"type": "function_call_output", "call_id": "call_9", "output": "7 degrees"});
    let go_on = json!({"model": "tata", "previous_response_id": whole["id"], "input": [result]});
    let (status, answer) = world.post("/v1/responses", &go_on).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["output"][0]["content"][0]["text"], "It is 7 degrees.");
    let chat =
        json!({"model": "tata", "messages": [user("Weather")], "tools": [chat_tool()], "stream": true});
    let request = world.request(Method::POST, "/v1/chat/completions").json(&chat);
    let mut sent = Stream::of(request.send().await.unwrap()).all().await;
    assert_eq!(sent.pop().unwrap().data, "[DONE]");
    let chunks: Vec<Value> = sent.iter().map(crate::support::Sent::json).collect();
    let call = chunks.iter().find_map(|chunk| chunk["choices"][0]["delta"]["tool_calls"].as_array()).unwrap();
    assert_eq!((&call[0]["index"], &call[0]["id"]), (&json!(0), &json!("call_9")));
    assert_eq!(chunks.last().unwrap()["choices"][0]["finish_reason"], "tool_calls");
}

/// Somebody who goes on without the result is answered all the same.
#[tokio::test]
async fn a_call_that_the_client_does_not_make_is_given_up() {
    let world = World::new(weather()).await;
    let ask =
        json!({"model": "tata", "input": "Weather", "tools": [{"type": "function", "name": "get_weather"}]});
    let (_, first) = world.post("/v1/responses", &ask).await;
    let next = json!({"model": "tata", "input": "Never mind", "previous_response_id": first["id"]});
    let (status, answer) = world.post("/v1/responses", &next).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["output"][0]["content"][0]["text"], "As you wish.");
    // A tool of the agent's own name would be mistaken for it.
    let twin = json!({"model": "tata", "input": "Hello", "tools": [{"type": "function", "name": "look_up"}]});
    let (status, answer) = world.post("/v1/responses", &twin).await;
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::BAD_REQUEST, &json!("invalid_tool")),
        "{answer}"
    );
}
