//! Embedders over scripted servers, and search by meaning with them.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tata_knowledge::{
    Embedded, Embedder, EmbedderSettings, Engine, IngestOptions, Knowledge, KnowledgeError, Patience,
    Provider, Reranker, RetrievalSettings, SearchRequest, Source, ingest, reindex,
};
use tata_testkit::{Exchange, Upstream};

use crate::world::here;

fn settings(provider: Provider, base_url: String) -> EmbedderSettings {
    let patience =
        Patience { attempts: 3, first_wait: Duration::from_millis(5), time: Duration::from_secs(5) };
    EmbedderSettings {
        key: Some("secret-key".to_owned().into()),
        languages: vec!["*".into()],
        patience,
        ..EmbedderSettings::new(provider, base_url, "model-1")
    }
}

fn cohere(vectors: &[&[f32]]) -> Exchange {
    Exchange::json(200, &json!({ "id": "1", "embeddings": { "float": vectors } }))
}

fn open_ai(vectors: &[&[f32]]) -> Exchange {
    let data: Vec<Value> = vectors
        .iter()
        .enumerate()
        .rev()
        .map(|(at, vector)| json!({ "index": at, "embedding": vector }))
        .collect();
    Exchange::json(200, &json!({ "data": data, "usage": {} }))
}

fn knowledge(engine: Arc<Embedded>, embedder: Embedder) -> Knowledge {
    Knowledge::new(engine, RetrievalSettings::default()).unwrap().with_embedder(embedder)
}

#[tokio::test]
async fn cohere_gets_the_right_input_type_on_each_side_in_batches_of_96() {
    let many = |count: usize| cohere(&vec![[1.0_f32, 0.0].as_slice(); count]);
    let upstream = Upstream::start([many(96), many(4), many(1)]).await;
    let embedder = Embedder::new(settings(Provider::Cohere, format!("{}/v2", upstream.origin()))).unwrap();
    let texts: Vec<String> = (0..100).map(|at| format!("text {at}")).collect();
    assert_eq!(embedder.embed_passages(&texts).await.unwrap().len(), 100);
    embedder.embed_query("question").await.unwrap();
    let requests = upstream.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0].target, "/v2/embed");
    assert_eq!(requests[0].header("authorization"), Some("Bearer secret-key"));
    let told: Vec<_> = requests.iter().map(tata_testkit::Captured::json).collect();
    assert_eq!(told[0]["texts"].as_array().unwrap().len(), 96);
    assert_eq!(
        (&told[1]["input_type"], &told[2]["input_type"]),
        (&json!("search_document"), &json!("search_query"))
    );
    assert_eq!(embedder.id().await.unwrap().to_string(), "cohere/model-1 with 2 dimensions");
}

#[tokio::test]
async fn open_ai_answers_are_put_in_order_and_prefixes_are_set() {
    let upstream = Upstream::start([open_ai(&[&[1.0, 0.0], &[0.0, 1.0]])]).await;
    let mut settings = settings(Provider::OpenAi, upstream.base_url());
    settings.passage_prefix = "passage: ".into();
    let embedder = Embedder::new(settings).unwrap();
    let vectors = embedder.embed_passages(&["a".into(), "b".into()]).await.unwrap();
    assert_eq!(vectors, [[1.0, 0.0], [0.0, 1.0]]);
    let request = &upstream.requests()[0];
    assert_eq!(
        (request.target.as_str(), &request.json()["input"]),
        ("/v1/embeddings", &json!(["passage: a", "passage: b"]))
    );
}

#[tokio::test]
async fn answers_that_are_no_vectors_are_refused() {
    let long = json!({ "data": [{ "index": 0, "embedding": [1.0, 2.0, 3.0] }] });
    let cases = [
        (open_ai(&[&[1.0]]), "1 vectors for 2 texts"),
        (Exchange::json(200, &json!({ "data": "none" })), "no vectors"),
        (Exchange::json(200, &long), "vectors for 2 texts"),
        (Exchange::status(200).bytes("<html>"), "not JSON"),
        (Exchange::json(400, &json!({ "error": { "message": "too long" } })), "too long"),
    ];
    for (exchange, words) in cases {
        let upstream = Upstream::start([exchange]).await;
        let embedder = Embedder::new(settings(Provider::OpenAi, upstream.base_url())).unwrap();
        let error = embedder.embed_passages(&["a".into(), "b".into()]).await.unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        assert!(!error.to_string().contains("secret-key"));
    }
    let upstream = Upstream::start([Exchange::json(401, &json!({ "message": "bad key" }))]).await;
    let embedder = Embedder::new(settings(Provider::Cohere, upstream.base_url())).unwrap();
    let error = embedder.embed_query("a").await.unwrap_err();
    assert_eq!(error.kind(), "configuration");
}

#[tokio::test]
async fn a_rate_limit_is_waited_for() {
    let wait = Exchange::json(429, &json!({ "message": "slow down" })).header("retry-after", "0");
    let upstream = Upstream::start([wait.clone(), wait, cohere(&[&[1.0, 0.0]])]).await;
    let embedder = Embedder::new(settings(Provider::Cohere, upstream.base_url())).unwrap();
    assert_eq!(embedder.embed_query("a").await.unwrap(), [1.0, 0.0]);
}

fn folder_with(texts: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in texts {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

/// llama_index#22639, open-webui#11279: a failed re-ingest leaves the old answers, another embedder is told by name.
#[tokio::test]
async fn a_failing_embedder_changes_nothing_and_another_one_is_named() {
    let docs = folder_with(&[("a.md", "# Parking\n\nCars are parked behind the house.")]);
    let index = tempfile::tempdir().unwrap();
    let engine = Arc::new(Embedded::new(index.path()));
    let source = [Source::Path(docs.path().into())];
    let options = IngestOptions::default();

    // The probe, then one chunk.
    let good = Upstream::start([cohere(&[&[1.0, 0.0]]), cohere(&[&[1.0, 0.0]])]).await;
    let first =
        knowledge(engine.clone(), Embedder::new(settings(Provider::Cohere, good.base_url())).unwrap());
    let summary = ingest(&first, &source, &options, &here(), &|_| {}).await.unwrap();
    assert_eq!((summary.stored, summary.embedded, summary.failures.len()), (1, 1, 0), "{summary:?}");

    std::fs::write(docs.path().join("a.md"), "# Parking\n\nCars are parked on the roof.").unwrap();
    let down = Exchange::json(500, &json!({ "message": "down" }));
    let bad = Upstream::start([cohere(&[&[1.0, 0.0]]), down.clone(), down.clone(), down]).await;
    let failing =
        knowledge(engine.clone(), Embedder::new(settings(Provider::Cohere, bad.base_url())).unwrap());
    let summary = ingest(&failing, &source, &options, &here(), &|_| {}).await.unwrap();
    assert_eq!((summary.stored, summary.failures.len()), (0, 1), "{summary:?}");
    let url = engine.documents().await.unwrap()[0].url.clone();
    assert!(engine.chunks(&url).await.unwrap()[0].0.text.contains("behind the house"));

    // Answers come by words while the embedder is away, and say so.
    let away = knowledge(
        engine.clone(),
        Embedder::new(settings(Provider::Cohere, "http://127.0.0.1:9".into())).unwrap(),
    );
    let found =
        away.search(&SearchRequest { query: "Where are cars parked?".into(), ..Default::default() }).await;
    assert!(found.degraded && found.total == 1 && found.error.is_none(), "{found:?}");

    // Three dimensions: refused by name, still searchable, mended by a reindex.
    let wide = || cohere(&[&[0.0, 1.0, 0.0]]);
    let other = Upstream::start([wide(), wide(), wide(), wide()]).await;
    let changed =
        knowledge(engine.clone(), Embedder::new(settings(Provider::Cohere, other.base_url())).unwrap());
    let error = ingest(&changed, &source, &options, &here(), &|_| {}).await.unwrap_err();
    assert!(matches!(error, KnowledgeError::EmbedderChanged { .. }));
    let words = error.to_string();
    assert!(
        words.contains("2 dimensions")
            && words.contains("3 dimensions")
            && words.contains("tata docs reindex"),
        "{words}"
    );
    let found =
        changed.search(&SearchRequest { query: "Where are cars parked?".into(), ..Default::default() }).await;
    assert!(found.degraded && found.total == 1, "{found:?}");
    assert_eq!(reindex(&changed).await.unwrap().chunks, 1);
    let found =
        changed.search(&SearchRequest { query: "Where are cars parked?".into(), ..Default::default() }).await;
    assert!(!found.degraded && found.results[0].score_kind == "fused", "{found:?}");
}

/// Equal text at two addresses: two records, one embedding; unchanged files cost no call.
#[tokio::test]
async fn equal_text_is_embedded_once_and_unchanged_files_not_at_all() {
    let docs = folder_with(&[("a.md", "# Same\n\nThe same words."), ("b.md", "# Same\n\nThe same words.")]);
    let index = tempfile::tempdir().unwrap();
    let engine = Arc::new(Embedded::new(index.path()));
    let source = [Source::Path(docs.path().into())];
    let upstream = Upstream::start([cohere(&[&[1.0, 0.0]]), cohere(&[&[1.0, 0.0]])]).await;
    let knowledge =
        knowledge(engine, Embedder::new(settings(Provider::Cohere, upstream.base_url())).unwrap());
    let options = IngestOptions::default();
    let summary = ingest(&knowledge, &source, &options, &here(), &|_| {}).await.unwrap();
    assert_eq!((summary.stored, summary.embedded), (2, 1), "{summary:?}");
    let again = ingest(&knowledge, &source, &options, &here(), &|_| {}).await.unwrap();
    assert_eq!((again.stored, again.unchanged, again.embedded), (0, 2, 0));
    // Only what is said about the files changes: the vector is there already.
    let meta = IngestOptions { meta: [("owner".to_owned(), "me".to_owned())].into(), ..options };
    let again = ingest(&knowledge, &source, &meta, &here(), &|_| {}).await.unwrap();
    assert_eq!((again.stored, again.embedded, again.reused), (2, 0, 1), "{again:?}");
    assert_eq!(upstream.requests().len(), 2);
}

/// A language that the embedder does not know: it is not asked.
#[tokio::test]
async fn an_embedder_is_not_asked_in_a_language_it_does_not_know() {
    let docs = folder_with(&[(
        "a.md",
        "# Ferie\n\nAlle ansatte har fem uker ferie hvert år, og den avtales med lederen.",
    )]);
    let index = tempfile::tempdir().unwrap();
    let engine = Arc::new(Embedded::new(index.path()));
    let upstream = Upstream::start([cohere(&[&[1.0, 0.0]]), cohere(&[&[1.0, 0.0]])]).await;
    let mut settings = settings(Provider::Cohere, upstream.base_url());
    settings.languages = vec!["en".into()];
    let knowledge = knowledge(engine, Embedder::new(settings).unwrap());
    ingest(&knowledge, &[Source::Path(docs.path().into())], &IngestOptions::default(), &here(), &|_| {})
        .await
        .unwrap();
    let query = "Hvor mange uker ferie har de ansatte hvert år?".to_owned();
    let found = knowledge.search(&SearchRequest { query, ..Default::default() }).await;
    assert_eq!((found.total, &*found.results[0].score_kind, found.degraded), (1, "bm25", false), "{found:?}");
    assert_eq!(upstream.requests().len(), 2);
}

/// anything-llm#4080: the threshold holds after a rerank too.
#[tokio::test]
async fn the_threshold_holds_after_a_rerank() {
    let (_folder, engine) = crate::world::embedded();
    engine.replace(crate::world::handbook(), &crate::world::manifest(None)).await.unwrap();
    let results = json!({ "results": [{ "index": 0, "relevance_score": 0.02 }] });
    let upstream = Upstream::start([Exchange::json(200, &results)]).await;
    let reranker = Reranker::new(settings(Provider::Cohere, upstream.base_url())).unwrap();
    let knowledge = Knowledge::new(engine, RetrievalSettings::default()).unwrap().with_reranker(reranker);
    let query = "days of paid holiday each year".to_owned();
    let found = knowledge.search(&SearchRequest { query, ..Default::default() }).await;
    assert_eq!((found.total, found.error), (0, None));
    assert_eq!(upstream.requests()[0].target, "/v1/rerank");
}
