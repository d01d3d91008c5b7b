//! The rules of an engine. Every engine runs all of them.

use std::sync::Arc;

use tata_knowledge::{
    Engine, Filter, Knowledge, KnowledgeError, Lang, Prepared, Scope, SearchRequest, lexical_query,
};

use crate::world::{document, embedded, handbook, knowledge, manifest, with_vector};

/// Runs the whole contract on engines that are made fresh for each rule.
pub(crate) async fn holds<E: Engine + 'static>(mut fresh: impl FnMut(&str) -> Arc<E>) {
    nothing_is_there_before_the_first_document(&*fresh("nothing")).await;
    documents_are_listed_and_read_back(&*fresh("listed")).await;
    a_document_is_replaced_whole(&*fresh("replaced")).await;
    removed_documents_are_gone(&*fresh("removed")).await;
    filters_hold_for_every_hit(&*fresh("filters")).await;
    scores_are_bm25_of_the_whole_index(&*fresh("scores")).await;
    hits_of_one_document_are_capped(&*fresh("capped")).await;
    meaning_is_found_exactly(&*fresh("meaning")).await;
    stored_vectors_are_found_by_hash(&*fresh("vectors")).await;
    a_rebuild_changes_the_embedder(&*fresh("rebuild")).await;
    the_threshold_means_the_same(fresh("threshold")).await;
}

async fn words(engine: &dyn Engine, query: &str, scope: &Scope) -> Vec<(String, f32)> {
    let query = lexical_query(query, Lang::find("en"), &engine.languages().await.unwrap());
    let found = engine.lexical(&query, scope).await.unwrap();
    found.hits.into_iter().map(|hit| (hit.entry.url, hit.score)).collect()
}

fn ten() -> Scope {
    Scope { limit: 10, ..Scope::default() }
}

fn one_each() -> Scope {
    Scope { per_url: 1, ..ten() }
}

async fn nothing_is_there_before_the_first_document(engine: &dyn Engine) {
    assert_eq!(engine.manifest().await.unwrap(), None);
    assert_eq!(engine.documents().await.unwrap(), []);
    assert_eq!(engine.document("https://example.com/x").await.unwrap(), None);
    let query = lexical_query("anything", None, &[]);
    let error = engine.lexical(&query, &ten()).await.unwrap_err();
    assert!(matches!(error, KnowledgeError::NoIndex(_)), "{error}");
}

async fn documents_are_listed_and_read_back(engine: &dyn Engine) {
    let documents = handbook();
    engine.replace(documents.clone(), &manifest(None)).await.unwrap();
    engine.finish().await.unwrap();
    assert_eq!(engine.manifest().await.unwrap(), Some(manifest(None)));
    let mut wanted: Vec<_> = documents.iter().map(|document| document.entry.clone()).collect();
    wanted.sort_by(|a, b| a.url.cmp(&b.url));
    assert_eq!(engine.documents().await.unwrap(), wanted);
    for Prepared { entry, chunks } in &documents {
        assert_eq!(engine.document(&entry.url).await.unwrap().as_ref(), Some(entry));
        assert_eq!(&engine.chunks(&entry.url).await.unwrap(), chunks, "every chunk, in order");
    }
    let stats = engine.stats().await.unwrap();
    let chunks: usize = documents.iter().map(|document| document.chunks.len()).sum();
    assert_eq!((stats.documents, stats.chunks, stats.vectors), (3, chunks as u64, 0));
    assert_eq!(engine.languages().await.unwrap(), [(Lang::find("en"), chunks as u64)]);
}

async fn a_document_is_replaced_whole(engine: &dyn Engine) {
    let url = "https://example.com/a";
    let long = "The old rule speaks of umbrellas. ".repeat(200);
    engine.replace(vec![document(url, "Old", &long)], &manifest(None)).await.unwrap();
    assert!(engine.chunks(url).await.unwrap().len() > 3);
    let new = document(url, "New", "The new rule speaks of raincoats.");
    engine.replace(vec![new.clone()], &manifest(None)).await.unwrap();
    assert_eq!(engine.chunks(url).await.unwrap(), new.chunks);
    assert_eq!(words(engine, "umbrellas", &ten()).await, []);
    assert_eq!(words(engine, "raincoats", &ten()).await.len(), 1);
    // The same again changes nothing.
    engine.replace(vec![new.clone()], &manifest(None)).await.unwrap();
    assert_eq!(engine.stats().await.unwrap().chunks, 1);
    engine.finish().await.unwrap();
}

async fn removed_documents_are_gone(engine: &dyn Engine) {
    engine.replace(handbook(), &manifest(None)).await.unwrap();
    assert_eq!(words(engine, "hotels", &ten()).await.len(), 1);
    engine.remove(&["https://example.com/travel".into(), "https://example.com/none".into()]).await.unwrap();
    assert_eq!(words(engine, "hotels", &ten()).await, []);
    assert_eq!(engine.document("https://example.com/travel").await.unwrap(), None);
    assert_eq!(engine.stats().await.unwrap().documents, 2);
    engine.finish().await.unwrap();
}

async fn filters_hold_for_every_hit(engine: &dyn Engine) {
    engine.replace(handbook(), &manifest(None)).await.unwrap();
    let scope = |pairs: &[(&str, &[&str])]| Scope {
        filter: pairs
            .iter()
            .map(|(key, values)| ((*key).into(), values.iter().map(|value| (*value).into()).collect()))
            .collect(),
        ..one_each()
    };
    let all = "holiday hotels canteen";
    assert_eq!(words(engine, all, &one_each()).await.len(), 3);
    let found = words(engine, all, &scope(&[("department", &["finance"])])).await;
    assert_eq!(found.iter().map(|(url, _)| url.as_str()).collect::<Vec<_>>(), ["https://example.com/travel"]);
    assert_eq!(words(engine, all, &scope(&[("department", &["finance", "people"])])).await.len(), 2);
    assert_eq!(words(engine, all, &scope(&[("department", &["people"]), ("lang", &["sv"])])).await, []);
    assert_eq!(words(engine, all, &scope(&[("url", &["https://example.com/lunch"])])).await.len(), 1);
    // A filter does not change what a hit is worth.
    let open = words(engine, "hotels", &one_each()).await;
    assert_eq!(words(engine, "hotels", &scope(&[("department", &["finance"])])).await, open);
    let query = lexical_query("hotels", None, &[]);
    for bad in [("", vec!["x".to_owned()]), ("a=b", vec!["x".to_owned()]), ("a", vec![])] {
        let filter = Filter::from([(bad.0.to_owned(), bad.1)]);
        let error = engine.lexical(&query, &Scope { filter, ..ten() }).await.unwrap_err();
        assert!(matches!(error, KnowledgeError::BadFilter { .. }), "{error}");
    }
    engine.finish().await.unwrap();
}

async fn scores_are_bm25_of_the_whole_index(engine: &dyn Engine) {
    let texts = ["apples and pears", "apples and plums", "apples and cherries", "walnuts"];
    let documents =
        texts.iter().enumerate().map(|(at, text)| document(&format!("https://example.com/{at}"), "T", text));
    engine.replace(documents.collect(), &manifest(None)).await.unwrap();
    let query =
        lexical_query("apples walnuts unicorns", Lang::find("en"), &engine.languages().await.unwrap());
    let found = engine.lexical(&query, &ten()).await.unwrap();
    assert_eq!(found.hits.len(), 4);
    assert_eq!(found.hits[0].entry.url, "https://example.com/3", "the rare word counts for more");
    assert!(found.hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
    assert!(found.hits.iter().all(|hit| hit.score > 0.0));
    // ln(1 + (N - n + 0.5) / (n + 0.5)) for n of 3, 1 and 0; a small index counts as one of 100 chunks.
    let wanted: f32 = [3.0_f32, 1.0, 0.0].iter().map(|n| (1.0 + (100.0 - n + 0.5) / (n + 0.5)).ln()).sum();
    assert!((found.information - wanted).abs() < 0.01, "{} and {wanted}", found.information);
    engine.finish().await.unwrap();
}

async fn hits_of_one_document_are_capped(engine: &dyn Engine) {
    let long: String =
        (0..12).map(|at| format!("# Part {at}\n\nBicycles are parked in cellar {at}.\n\n")).collect();
    let documents = vec![
        document("https://example.com/long", "Long", &long),
        document("https://example.com/short", "Short", "Bicycles may be leased by anybody who works here."),
    ];
    engine.replace(documents, &manifest(None)).await.unwrap();
    for per_url in [1, 3] {
        let found = words(engine, "bicycles", &Scope { per_url, ..ten() }).await;
        let long = found.iter().filter(|(url, _)| url.ends_with("long")).count();
        assert_eq!((long, found.len()), (per_url, per_url + 1), "{found:?}");
    }
    assert_eq!(words(engine, "bicycles", &ten()).await.len(), 10);
    engine.finish().await.unwrap();
}

async fn meaning_is_found_exactly(engine: &dyn Engine) {
    let vectors: [[f32; 3]; 3] = [[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [-1.0, 0.0, 0.0]];
    let documents: Vec<_> = handbook()
        .into_iter()
        .zip(vectors)
        .map(|(document, vector)| with_vector(document, &vector))
        .collect();
    engine.replace(documents, &manifest(Some(3))).await.unwrap();
    let found = engine.dense(&[2.0, 0.0, 0.0], &Scope { per_url: 1, ..ten() }).await.unwrap();
    let told: Vec<_> =
        found.iter().map(|hit| (hit.entry.title.as_str(), (hit.score * 1000.0).round())).collect();
    assert_eq!(told, [("Holiday", 1000.0), ("Travel", 600.0), ("Lunch", 0.0)], "the cosine, never negative");
    let filter = Filter::from([("department".to_owned(), vec!["finance".to_owned()])]);
    let found = engine.dense(&[1.0, 0.0, 0.0], &Scope { filter, ..ten() }).await.unwrap();
    assert_eq!(found.iter().map(|hit| hit.entry.title.as_str()).collect::<Vec<_>>(), ["Travel"]);
    assert!(engine.stats().await.unwrap().vectors >= 3);
    engine.finish().await.unwrap();
}

async fn stored_vectors_are_found_by_hash(engine: &dyn Engine) {
    let one = with_vector(document("https://example.com/a", "A", "Some words."), &[0.0, 1.0]);
    let hash = one.chunks[0].0.hash("A");
    engine.replace(vec![one], &manifest(Some(2))).await.unwrap();
    let found = engine.vectors(&[hash.clone(), "none".into()]).await.unwrap();
    assert_eq!(found.into_iter().collect::<Vec<_>>(), [(hash, vec![0.0, 1.0])]);
    engine.finish().await.unwrap();
}

async fn a_rebuild_changes_the_embedder(engine: &dyn Engine) {
    let documents: Vec<_> = handbook().into_iter().map(|one| with_vector(one, &[1.0, 0.0, 0.0])).collect();
    engine.replace(documents, &manifest(Some(3))).await.unwrap();
    let documents: Vec<_> = handbook().into_iter().map(|one| with_vector(one, &[1.0, 0.0])).collect();
    engine.rebuild(documents, &manifest(Some(2))).await.unwrap();
    engine.finish().await.unwrap();
    assert_eq!(engine.manifest().await.unwrap(), Some(manifest(Some(2))));
    assert_eq!(engine.stats().await.unwrap().documents, 3);
    assert!(!engine.dense(&[1.0, 0.0], &ten()).await.unwrap().is_empty());
    assert_eq!(words(engine, "hotels", &ten()).await.len(), 1);
}

/// B4, B6: what is asked is found above 0.3, what is off the topic is not; every score is in 0..1.
async fn the_threshold_means_the_same(engine: Arc<dyn Engine>) {
    engine.replace(handbook(), &manifest(None)).await.unwrap();
    engine.finish().await.unwrap();
    let knowledge: Knowledge = knowledge(engine);
    let ask = |query: &str| SearchRequest { query: query.into(), ..SearchRequest::default() };
    let found = knowledge.search(&ask("How many days of paid holiday does an employee have?")).await;
    assert_eq!(found.results.first().map(|one| one.title.as_str()), Some("Holiday"), "{found:?}");
    let score = found.results[0].score;
    assert!((0.3..=1.0).contains(&score), "{score}");
    let found = knowledge.search(&ask("Who won the football championship in Brazil?")).await;
    assert_eq!((found.total, found.error, found.results.len()), (0, None, 0));
    assert!(found.message.is_some());
}

#[tokio::test]
async fn the_embedded_engine_keeps_the_contract() {
    let mut folders = Vec::new();
    holds(|_| {
        let (folder, engine) = embedded();
        folders.push(folder);
        engine
    })
    .await;
}

/// The files of a folder in which a text stands.
fn files_with(folder: &std::path::Path, text: &str) -> usize {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| std::fs::read(entry.unwrap().path()).unwrap());
    files.filter(|bytes| bytes.windows(text.len()).any(|window| window == text.as_bytes())).count()
}

/// A removed or replaced document shared its part of the index with others, and its words stood there until that part was
/// written anew for another reason.
#[tokio::test]
async fn no_byte_of_a_removed_document_stays_in_the_index() {
    let (folder, engine) = embedded();
    let place = folder.path().join("index");
    let removed = document("a", "Pay", "# Pay\n\nThe director Xanthippe Quillfeather earns a lot.");
    let before = document("b", "Leave", "# Leave\n\nParents of Wolfdietrich Brandebusemeyer get leave.");
    let after = document("b", "Leave", "# Leave\n\nParents get 28 weeks of leave.");
    let stays = document("c", "Lunch", "# Lunch\n\nThere is soup for Ferdinandine Oberhuemer.");
    engine.replace(vec![removed, before, stays], &manifest(None)).await.unwrap();
    engine.finish().await.unwrap();
    let names = ["Quillfeather", "Brandebusemeyer", "Oberhuemer"];
    assert!(names.iter().all(|name| files_with(&place, name) > 0), "the test looks for nothing");
    // Readers have the files open while they are replaced.
    assert_eq!(words(&*engine, "soup", &ten()).await.len(), 1);
    engine.remove(&["a".to_owned()]).await.unwrap();
    engine.replace(vec![after], &manifest(None)).await.unwrap();
    engine.finish().await.unwrap();
    assert_eq!(names.map(|name| files_with(&place, name) > 0), [false, false, true]);
    assert_eq!(words(&*engine, "soup", &ten()).await.len(), 1);
    assert_eq!(words(&*engine, "director", &ten()).await, []);
}
