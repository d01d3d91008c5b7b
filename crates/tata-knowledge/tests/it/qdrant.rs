//! The contract on Qdrant: `TATA_TEST_QDRANT` (the REST face over its engine, see tests/peers/qdrant) or `QDRANT_URL`.

use std::{sync::Arc, time::Duration};

use serde_json::json;
use tata_knowledge::{Engine, KnowledgeError, Patience, Qdrant, QdrantSettings, SearchRequest};
use tata_testkit::{Exchange, Upstream};

use crate::{
    contract,
    world::{handbook, knowledge, manifest, variable},
};

fn settings(url: &str, collection: &str) -> QdrantSettings {
    QdrantSettings {
        url: url.into(),
        key: variable("QDRANT_API_KEY").map(Into::into),
        collection: collection.into(),
        shards: None,
        replicas: None,
        patience: Patience {
            attempts: 3,
            first_wait: Duration::from_millis(5),
            time: Duration::from_secs(20),
        },
    }
}

#[tokio::test]
async fn qdrant_keeps_the_contract() {
    let Some(url) = variable("TATA_TEST_QDRANT").or_else(|| variable("QDRANT_URL")) else {
        println!(
            "SKIPPED: neither TATA_TEST_QDRANT nor QDRANT_URL is set; Qdrant was NOT tried (tests/peers/qdrant)"
        );
        return;
    };
    let run = format!("{:08x}", fastrand::u32(..));
    contract::holds(|rule| {
        let name = format!("tata_test_{rule}_{run}");
        Arc::new(Qdrant::new(settings(&url, &name)).unwrap())
    })
    .await;
}

/// B7: what is wrong with a server is told, and told apart.
#[tokio::test]
async fn failures_of_qdrant_are_told_apart() {
    let refused = json!({ "status": { "error": "Wrong input: strict mode" }, "time": 0.0 });
    let cases = [
        (vec![Exchange::json(401, &json!({}))], "qdrant_api_key", "configuration"),
        (vec![Exchange::json(400, &refused)], "strict mode", "store_unavailable"),
        (vec![Exchange::json(503, &json!({})); 3], "status 503", "store_unavailable"),
    ];
    for (exchanges, words, kind) in cases {
        let upstream = Upstream::start(exchanges).await;
        let engine = Qdrant::new(settings(&upstream.origin(), "docs")).unwrap();
        let error = engine.documents().await.unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert_eq!(error.kind(), kind);
    }
    let engine = Qdrant::new(settings("http://127.0.0.1:9", "docs")).unwrap();
    let error = engine.documents().await.unwrap_err();
    assert!(error.to_string().contains("QDRANT_URL") && error.retryable(), "{error}");
}

/// A proxy, a sign-in page or another server that answers 200 is not Qdrant: nothing was found there and nothing stored.
#[tokio::test]
async fn a_page_that_is_not_qdrants_is_no_success() {
    let page = "<!DOCTYPE html><html><head><title>Sign in</title></head><body>Hello</body></html>";
    let cases = [
        (page.to_owned(), "a web page, “Sign in”"),
        ("<html><body>Hello</body></html>".to_owned(), "a web page"),
        (String::new(), "an empty answer"),
        ("{}".to_owned(), "an answer in another format"),
        (r#"{"status":"ok"}"#.to_owned(), "an answer in another format"),
    ];
    for (body, words) in cases {
        let answers = || Exchange::status(200).header("content-type", "text/html").bytes(body.clone());
        let upstream = Upstream::start(std::iter::repeat_with(answers).take(8)).await;
        let engine = Qdrant::new(settings(&upstream.origin(), "docs")).unwrap();
        let told = [
            engine.replace(handbook(), &manifest(None)).await.map(|()| "replace"),
            engine.rebuild(handbook(), &manifest(None)).await.map(|()| "rebuild"),
            engine.remove(&["https://example.com/holiday".to_owned()]).await.map(|()| "remove"),
            engine.documents().await.map(|_| "documents"),
            engine.languages().await.map(|_| "languages"),
            engine.manifest().await.map(|_| "manifest"),
            engine.stats().await.map(|_| "stats"),
        ];
        for told in told {
            let error = told.unwrap_err();
            assert!(error.to_string().contains(words) && error.to_string().contains("QDRANT_URL"), "{error}");
            assert_eq!((error.kind(), error.retryable()), ("store_unavailable", false));
        }
        let found = knowledge(Arc::new(engine)).search(&SearchRequest::default()).await;
        assert!(found.error.is_some() && found.results.is_empty(), "{found:?}");
    }
}

#[tokio::test]
async fn a_request_is_repeated_while_that_may_help() {
    let upstream = Upstream::start([
        Exchange::json(429, &json!({})).header("retry-after", "0"),
        Exchange::json(500, &json!({})),
        Exchange::json(404, &json!({ "status": { "error": "Not found" } })),
    ])
    .await;
    let engine = Qdrant::new(settings(&upstream.origin(), "docs")).unwrap();
    assert_eq!(engine.documents().await.unwrap(), []);
    assert_eq!(upstream.requests().len(), 3);
}

#[test]
fn settings_are_refused_by_name() {
    for (url, collection, field) in
        [("localhost:6333", "docs", "qdrant_url"), ("http://a", "do/cs", "collection_name")]
    {
        let error = Qdrant::new(settings(url, collection)).unwrap_err();
        assert!(
            matches!(&error, KnowledgeError::Configuration { field: found, .. } if *found == field),
            "{error}"
        );
    }
}
