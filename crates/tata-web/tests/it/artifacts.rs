//! Documents and tools over HTTP.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_testkit::PlannedModel;

use crate::support::{World, read};

async fn made(world: &World, what: &str) -> String {
    let session = world.session().await;
    let (status, made) =
        world.post(&format!("{session}/tools/write_profile"), &json!({ "what": what })).await;
    assert_eq!((status, &made["is_error"]), (StatusCode::OK, &json!(false)), "{made}");
    session
}

#[tokio::test]
async fn a_tool_is_called_by_hand_with_the_same_checks() {
    let world = World::new(PlannedModel::new("planned")).await;
    let session = world.session().await;
    let (status, made) = world.post(&format!("{session}/tools/look_up"), &json!({"what": "x"})).await;
    assert_eq!((status, &made["result"]["what"]), (StatusCode::OK, &json!("x")), "{made}");
    assert_eq!(made["turn"]["turn_number"], 1);
    let (_, refused) = world.post(&format!("{session}/tools/look_up"), &json!({"wrong": 1})).await;
    assert_eq!(
        (&refused["is_error"], &refused["result"]["error"]["kind"]),
        (&json!(true), &json!("invalid_arguments")),
        "{refused}"
    );
    let (status, problem) = world.post(&format!("{session}/tools/look_upp"), &json!({})).await;
    assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &json!("tool_not_found")));
    assert!(problem["detail"].as_str().unwrap().contains("look_up"), "{problem}");
}

#[tokio::test]
async fn a_document_is_read_and_exported() {
    let world = World::new(PlannedModel::new("planned")).await;
    let session = made(&world, "x").await;
    let (_, list) = world.get(&format!("{session}/artifacts")).await;
    assert_eq!(
        (&list["artifacts"][0]["kind"], &list["artifacts"][0]["version"]),
        (&json!("Profile"), &json!(1))
    );
    let path = format!("{session}/artifacts/Profile");
    let response = world.request(Method::GET, &format!("{path}?key=x")).send().await.unwrap();
    let mark = response.headers()["etag"].to_str().unwrap().to_owned();
    let (_, shown) = read(response).await;
    assert_eq!(
        (&shown["document"]["what"], &shown["markdown"]),
        (&json!("x"), &json!("# Profile\n")),
        "{shown}"
    );
    let again = world.request(Method::GET, &format!("{path}?key=x")).header("if-none-match", &mark);
    assert_eq!(again.send().await.unwrap().status(), StatusCode::NOT_MODIFIED);
    for (format, kind, text) in [
        ("md", "text/markdown", "# v1 "),
        ("txt", "text/plain", "# v1 "),
        ("json", "application/json", "# v1 "),
    ] {
        let response =
            world.request(Method::GET, &format!("{path}/export?key=x&format={format}")).send().await.unwrap();
        assert!(response.headers()["content-type"].to_str().unwrap().starts_with(kind));
        let name = response.headers()["content-disposition"].to_str().unwrap().to_owned();
        assert_eq!(name, format!("attachment; filename=\"Profile-v1.{format}\""));
        assert!(response.text().await.unwrap().contains(text));
    }
    let exported: Vec<String> = world
        .store
        .audit_trail()
        .await
        .unwrap()
        .into_iter()
        .filter(|entry| entry.action == "artifact.exported")
        .map(|entry| entry.detail)
        .collect();
    assert_eq!(exported.len(), 3, "what leaves is written down: {exported:?}");
    assert!(exported[0].contains("Profile") && exported[0].ends_with("v1 md"), "{exported:?}");
    let (status, problem) = world.get(&format!("{path}/export?key=x&format=exe")).await;
    assert_eq!((status, &problem["field"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("format")));
    assert_eq!(
        world.get(&format!("{path}/versions?key=x")).await.1["artifacts"].as_array().unwrap().len(),
        1
    );
    let (_, made) = world.post(&format!("{session}/tools/write_profile"), &json!({"what": "x"})).await;
    assert_eq!(made["is_error"], false, "{made}");
    let (_, difference) = world.get(&format!("{path}/diff?key=x")).await;
    assert_eq!((&difference["from"], &difference["to"]), (&json!(1), &json!(2)), "{difference}");
    for missing in ["?key=y", "?key=x&version=3", "/diff?key=x&from=9", "/versions?key=y", "/export?key=y"] {
        assert_eq!(world.get(&format!("{path}{missing}")).await.1["code"], "artifact_not_found", "{missing}");
    }
}

#[tokio::test]
async fn an_approval_is_about_what_was_seen() {
    let world = World::new(PlannedModel::new("planned")).await;
    let session = made(&world, "x").await;
    let path = format!("{session}/artifacts/Profile");
    let seen = world.get(&format!("{path}?key=x")).await.1["etag"].as_str().unwrap().to_owned();
    let approve = |mark: String, body: Value| {
        let request = world.request(Method::POST, &format!("{path}/approve")).header("if-match", mark);
        let sent = request.json(&body).send();
        async { read(sent.await.unwrap()).await }
    };
    let body = json!({"key": "x", "version": 1});
    let (status, problem) = approve("\"other\"".to_owned(), body.clone()).await;
    assert_eq!((status, &problem["code"]), (StatusCode::PRECONDITION_FAILED, &json!("changed_since")));
    let (status, approved) = approve(seen.clone(), body.clone()).await;
    assert_eq!((status, &approved["approval"]["by"]), (StatusCode::OK, &json!("local")), "{approved}");
    // The approval changed the document's state: what was seen before it counts no more.
    assert_eq!(approve(seen, body).await.0, StatusCode::PRECONDITION_FAILED);
    let trail = world.store.audit_trail().await.unwrap();
    assert_eq!(trail.iter().map(|entry| entry.action.as_str()).collect::<Vec<_>>(), ["artifact.approved"]);
    let draft = made(&world, "draft").await;
    let (status, problem) = world
        .post(&format!("{draft}/artifacts/Profile/approve"), &json!({"key": "draft", "version": 1}))
        .await;
    assert_eq!((status, &problem["code"]), (StatusCode::CONFLICT, &json!("not_ready")));
}
