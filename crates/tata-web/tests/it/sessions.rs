//! Sessions, messages, search, the retrieval service's routes, and what operators look at.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tata_testkit::{Answer, PlannedModel};

use crate::support::{World, read};

fn model() -> PlannedModel {
    let call = Answer::calls(&[("c1", "look_up", r#"{"what":"x"}"#)]);
    PlannedModel::new("planned")
        .on("Look it up", [call, Answer::text("Found it.")])
        .on("Hello", [Answer::text("Hello, Ada Lovelace.")])
}

#[tokio::test]
async fn a_session_is_begun_renamed_listed_and_deleted() {
    let world = World::new(model()).await;
    let session = world.session().await;
    let (_, shown) = world.get(&session).await;
    assert_eq!((&shown["state"], &shown["agent"]), (&json!("created"), &json!("tata")));
    let patch = world.request(Method::PATCH, &session).json(&json!({"title": "  A \n name "}));
    assert_eq!(read(patch.send().await.unwrap()).await.1["title"], "A name");
    let patch = world.request(Method::PATCH, &session).json(&json!({"title": ""}));
    let (status, problem) = read(patch.send().await.unwrap()).await;
    assert_eq!(
        (status, &problem["code"], &problem["field"]),
        (StatusCode::UNPROCESSABLE_ENTITY, &json!("invalid_field"), &json!("title"))
    );
    world.say(&session, "Hello").await;
    assert_eq!(world.get(&session).await.1["state"], "completed");
    let deleted = world.request(Method::DELETE, &session).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    let (status, problem) = world.get(&session).await;
    assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &json!("session_not_found")));
    let trail = world.store.audit_trail().await.unwrap();
    assert_eq!((trail[0].action.as_str(), trail[0].actor.as_str()), ("session.deleted", "local"));
}

#[tokio::test]
async fn pages_follow_each_other_without_gap_or_overlap() {
    let world = World::new(model()).await;
    let mut begun = Vec::new();
    for _ in 0..7 {
        begun.push(world.session().await);
    }
    let (mut listed, mut cursor) = (Vec::new(), String::new());
    for pages in 1.. {
        let (_, page) = world.get(&format!("/api/v1/sessions?limit=3{cursor}")).await;
        let ids = page["sessions"].as_array().unwrap().iter();
        listed.extend(
            ids.map(|session| format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap())),
        );
        let Some(next) = page["next_cursor"].as_str() else {
            assert_eq!(pages, 3);
            break;
        };
        cursor = format!("&cursor={next}");
    }
    begun.sort();
    listed.sort();
    assert_eq!(listed, begun);
    for (query, field) in [("limit=0", "limit"), ("limit=201", "limit"), ("cursor=x", "cursor")] {
        let (status, problem) = world.get(&format!("/api/v1/sessions?{query}")).await;
        assert!(status.is_client_error(), "{query}");
        assert_eq!(problem["field"], field, "{problem}");
    }
}

/// B5, B10: the fields of an answer, two decimals, messages that alternate.
#[tokio::test]
async fn the_routes_of_the_retrieval_service_answer_with_its_fields() {
    let world = World::new(model()).await;
    let (status, first) = world.post("/api/chat", &json!({"message": "Look it up"})).await;
    assert_eq!(status, StatusCode::OK, "{first}");
    assert_eq!((&first["content"], &first["turn_number"]), (&json!("Found it."), &json!(1)));
    assert_eq!((&first["tokens_used"], &first["error"]), (&json!(30), &json!(null)));
    assert_eq!((&first["retrieval_performed"], &first["retrieved_sources"]), (&json!(false), &json!([])));
    let seconds = first["execution_time_seconds"].as_f64().unwrap();
    assert!((seconds * 100.0 - (seconds * 100.0).round()).abs() < 1e-9, "{seconds}");
    let id = first["session_id"].as_str().unwrap();
    let (_, second) = world.post(&format!("/api/chat/{id}"), &json!({"message": "Hello"})).await;
    assert_eq!((&second["turn_number"], &second["session_id"]), (&json!(2), &json!(id)));
    let (_, session) = world.get(&format!("/api/session/{id}")).await;
    let roles: Vec<_> =
        session["messages"].as_array().unwrap().iter().map(|message| message["role"].clone()).collect();
    assert_eq!(roles, ["user", "assistant", "user", "assistant"]);
    assert_eq!((&session["state"], &session["turn_count"]), (&json!("completed"), &json!(2)));
    let (_, reset) = world.post(&format!("/api/session/{id}/reset"), &json!({})).await;
    assert_eq!(reset["turns_undone"], 2);
    assert_eq!(world.get(&format!("/api/session/{id}")).await.1["messages"], json!([]));
    let (_, again) = world.post("/api/chat", &json!({"message": "Hello", "session_id": id})).await;
    assert_eq!(again["turn_number"], 3, "the journal is never rewritten");
}

#[tokio::test]
async fn what_was_said_and_brought_is_found_again() {
    let world = World::new(model()).await;
    let session = world.session().await;
    world.say(&session, "Hello").await;
    let (_, found) = world.get("/api/v1/search?q=lovelace%20ADA").await;
    assert_eq!(found["hits"][0]["role"], "assistant", "{found}");
    assert_eq!(world.get("/api/v1/search?q=nobody").await.1["hits"], json!([]));
    assert_eq!(world.get("/api/v1/search?q=x").await.1["field"], "q");
    let (_, brought) = world.get(&format!("{session}/materials")).await;
    assert_eq!(
        (&brought["materials"][0]["material_id"], &brought["materials"][0]["text"]),
        (&json!("m1"), &json!("Hello"))
    );
}

/// D2, C3.5, D5: models with what they still need; counters of tokens, turns and call ids.
#[tokio::test]
async fn operators_see_what_there_is_and_what_was_used() {
    let world = World::new(model()).await;
    let (_, models) = world.get("/api/v1/models").await;
    assert_eq!(
        (&models["models"][1]["configured"], &models["models"][1]["missing"]),
        (&json!(false), &json!(["PLANNED_KEY"]))
    );
    assert_eq!(world.get("/api/v1/agents").await.1["usual"], "tata");
    let (_, tools) = world.get("/api/v1/tools").await;
    assert!(tools["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "look_up"));
    let session = world.session().await;
    world.say(&session, "Hello").await;
    let (status, metrics) = world.get("/metrics").await;
    assert_eq!(status, StatusCode::OK);
    let metrics = metrics.as_str().unwrap().to_owned();
    for line in [
        "tata_call_ids_extracted_total 3",
        r#"tata_input_tokens_total{model="planned"} 10"#,
        r#"tata_output_tokens_total{model="planned"} 5"#,
        r#"tata_turns_total{outcome="answered"} 1"#,
        r#"tata_http_requests_total{route="/api/v1/sessions/{id}/turns",method="POST",status="200"} 1"#,
    ] {
        assert!(metrics.contains(line), "{line}\n{metrics}");
    }
    for path in ["/healthz", "/readyz"] {
        assert_eq!(world.get(path).await.0, StatusCode::OK);
    }
}

#[tokio::test]
async fn an_agent_or_model_that_is_not_there_is_named() {
    let world = World::new(model()).await;
    for (body, status, code) in [
        (json!({"agent": "nobody"}), StatusCode::NOT_FOUND, "agent_not_found"),
        (json!({"model": "unset"}), StatusCode::SERVICE_UNAVAILABLE, "model_not_configured"),
        (json!({"unknown": 1}), StatusCode::UNPROCESSABLE_ENTITY, "invalid_body"),
    ] {
        let (found, problem) = world.post("/api/v1/sessions", &body).await;
        assert_eq!((found, problem["code"].as_str().unwrap()), (status, code), "{problem}");
        assert!(problem["request_id"].is_string() && problem["type"].as_str().unwrap().starts_with("urn:"));
    }
}
