//! Files over the API: brought, kept byte for byte, used in a turn.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_testkit::PlannedModel;

use crate::support::{World, local, read};

async fn bring(world: &World, session: &str, name: &str, bytes: &[u8]) -> (StatusCode, Value) {
    let request = world.request(Method::POST, &format!("{session}/files?name={name}"));
    let request = request.header("content-type", "application/octet-stream").body(bytes.to_vec());
    read(request.send().await.unwrap()).await
}

#[tokio::test]
async fn a_file_is_kept_and_becomes_a_material() {
    let world = World::new(PlannedModel::new("planned")).await;
    let session = world.session().await;
    let (status, file) = bring(&world, &session, "..%2Fnotes%20a.txt", b"Juniper\r\nsince 2017").await;
    assert_eq!(status, StatusCode::CREATED, "{file}");
    assert_eq!((&file["name"], &file["kind"]), (&json!("notes a.txt"), &json!("text")));
    assert_eq!((&file["text"], &file["more"]), (&json!("Juniper\r\nsince 2017"), &json!(false)));
    assert_eq!(file["notes"], json!(["a note"]));
    // The same again is the same file.
    assert_eq!(bring(&world, &session, "b.txt", b"Juniper\r\nsince 2017").await.0, StatusCode::CREATED);
    let (_, listed) = world.get(&format!("{session}/files")).await;
    assert_eq!(listed["files"].as_array().unwrap().len(), 1, "{listed}");
    let digest = file["digest"].as_str().unwrap();
    let fetched = world.request(Method::GET, &format!("{session}/files/{digest}")).send().await.unwrap();
    let disposition = fetched.headers()["content-disposition"].to_str().unwrap().to_owned();
    assert!(disposition.starts_with("attachment; filename=\"notes a.txt\""), "{disposition}");
    assert_eq!(fetched.bytes().await.unwrap(), b"Juniper\r\nsince 2017".as_slice());
    let saying = json!({ "message": "A report, please.", "files": [digest], "wait": true });
    let (status, report) = world.post(&format!("{session}/turns"), &saying).await;
    assert_eq!(status, StatusCode::OK, "{report}");
    let (_, brought) = world.get(&format!("{session}/materials")).await;
    let materials = brought["materials"].as_array().unwrap();
    assert_eq!((&materials[0]["text"], &materials[0]["file"]), (&file["text"], &json!(digest)), "{brought}");
    assert_eq!(materials[1].get("file"), None);
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_told() {
    let world = World::new(PlannedModel::new("planned")).await;
    let session = world.session().await;
    let cases = [
        ("a.txt", vec![b'x'; 1001], StatusCode::PAYLOAD_TOO_LARGE, "body_too_large"),
        ("a.bad", b"x".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "file_unreadable"),
        ("a.busy", b"x".to_vec(), StatusCode::SERVICE_UNAVAILABLE, "readers_busy"),
        ("%20", b"x".to_vec(), StatusCode::UNPROCESSABLE_ENTITY, "invalid_field"),
    ];
    for (name, bytes, status, code) in cases {
        let (found, problem) = bring(&world, &session, name, &bytes).await;
        assert_eq!((found, &problem["code"]), (status, &json!(code)), "{name}: {problem}");
    }
    let form = world.request(Method::POST, &format!("{session}/files?name=a.txt"));
    let (status, problem) =
        read(form.header("content-type", "text/plain").body("x").send().await.unwrap()).await;
    assert_eq!((status, &problem["code"]), (StatusCode::UNSUPPORTED_MEDIA_TYPE, &json!("not_a_file")));
    let (status, problem) = world.post(&format!("{session}/turns"), &json!({ "files": ["0"] })).await;
    assert_eq!((status, &problem["code"]), (StatusCode::NOT_FOUND, &json!("file_not_found")));
    let (status, _) = world.post(&format!("{session}/turns"), &json!({ "files": [], "message": " " })).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
    let (_, listed) = world.get(&format!("{session}/files")).await;
    assert_eq!(listed["files"], json!([]), "nothing is kept of what was refused");
}

/// A file may be larger than what a body of JSON may be.
#[tokio::test]
async fn a_file_has_a_limit_of_its_own() {
    let options = tata_web::ServerOptions { largest_body: 500, ..local() };
    let world = World::with(PlannedModel::new("planned"), options).await;
    let session = world.session().await;
    let (status, file) = bring(&world, &session, "a.txt", &[b'x'; 900]).await;
    assert_eq!(status, StatusCode::CREATED, "{file}");
}
