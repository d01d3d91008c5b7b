//! Folders into an index.

use std::{fs, sync::Mutex};

use tata_knowledge::{
    Embedded, Engine, IngestOptions, Progress, SearchRequest, Source, Summary, ingest, reindex,
};

use crate::world::{document, embedded, here, knowledge};

#[tokio::test]
async fn one_bad_file_never_stops_the_rest_and_only_changes_are_read() {
    let docs = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &[u8]| fs::write(docs.path().join(name), text).unwrap();
    fs::create_dir_all(docs.path().join("deep/er")).unwrap();
    write("a.md", b"# Keys\n\nKeys are handed out at the reception.");
    write(
        "deep/er/b.txt",
        "Nøkler leveres tilbake på siste arbeidsdag, og det kvitteres for dem.".as_bytes(),
    );
    write("c.csv", b"room,phone\nReception,4711\n");
    write("broken.pdf", b"%PDF-1.7\nnothing of use");
    write("empty.txt", b"  ");
    write("picture.png", b"\x89PNG");
    write(".hidden.md", b"# Hidden");
    let (_folder, engine) = embedded();
    let knowledge = knowledge(engine.clone());
    let source = [Source::Path(docs.path().into()), Source::Path("/nonexistent/file".into())];
    let last: Mutex<Option<Progress>> = Mutex::default();
    let watch = |progress: &Progress| *last.lock().unwrap() = Some(progress.clone());
    let run =
        async |options: &IngestOptions| ingest(&knowledge, &source, options, &here(), &watch).await.unwrap();

    let summary = run(&IngestOptions::default()).await;
    assert_eq!((summary.stored, summary.unchanged), (3, 0), "{summary:?}");
    let reasons =
        |summary: &Summary| summary.failures.iter().map(|one| one.place.clone()).collect::<Vec<_>>();
    let failed = reasons(&summary);
    assert_eq!(failed.len(), 3, "{:?}", summary.failures);
    assert!(
        failed.iter().any(|place| place.ends_with("broken.pdf"))
            && failed.iter().any(|place| place.ends_with("empty.txt"))
    );
    let progress = last.lock().unwrap().clone().unwrap();
    assert_eq!((progress.done, progress.total), (5, 5));
    let entries = engine.documents().await.unwrap();
    assert!(
        entries.iter().all(|entry| entry.url.starts_with("file:///") && !entry.title.is_empty()),
        "{entries:?}"
    );
    assert_eq!(
        entries.iter().find(|entry| entry.url.ends_with("b.txt")).unwrap().lang.as_deref(),
        Some("no")
    );

    let summary = run(&IngestOptions::default()).await;
    assert_eq!((summary.stored, summary.unchanged), (0, 3));
    write("a.md", b"# Keys\n\nKeys are handed out at the gate.");
    fs::remove_file(docs.path().join("c.csv")).unwrap();
    let summary = run(&IngestOptions::default()).await;
    assert_eq!((summary.stored, summary.unchanged, summary.removed), (1, 2 - 1, 0), "{summary:?}");
    assert_eq!(engine.documents().await.unwrap().len(), 3, "without --prune nothing goes");
    let summary = run(&IngestOptions { prune: true, ..IngestOptions::default() }).await;
    assert_eq!((summary.stored, summary.removed), (0, 1));
    let ask = |query: &str| SearchRequest { query: query.into(), ..SearchRequest::default() };
    assert_eq!(knowledge.search(&ask("reception phone 4711")).await.total, 0);
    assert!(knowledge.search(&ask("Where are keys handed out?")).await.results[0].text.contains("gate"));
}

/// A folder that cannot be read is not a folder whose files are gone.
#[tokio::test]
async fn pruning_keeps_what_could_not_be_looked_at() {
    let docs = tempfile::tempdir().unwrap();
    fs::write(docs.path().join("a.md"), "# One\n\nSome words.").unwrap();
    let (_folder, engine) = embedded();
    let knowledge = knowledge(engine.clone());
    let prune = IngestOptions { prune: true, ..IngestOptions::default() };
    ingest(&knowledge, &[Source::Path(docs.path().into())], &prune, &here(), &|_| {}).await.unwrap();
    let other = tempfile::tempdir().unwrap();
    ingest(&knowledge, &[Source::Path(other.path().into())], &prune, &here(), &|_| {}).await.unwrap();
    fs::remove_dir_all(docs.path()).unwrap();
    let summary =
        ingest(&knowledge, &[Source::Path(docs.path().into())], &prune, &here(), &|_| {}).await.unwrap();
    assert_eq!((summary.failures.len(), summary.removed), (1, 0));
    assert_eq!(engine.documents().await.unwrap().len(), 1);
}

#[test]
fn sources_are_known_by_what_they_look_like() {
    assert_eq!(Source::parse("docs/a.md"), Source::Path("docs/a.md".into()));
    assert_eq!(Source::parse("https://a.example/x.xml"), Source::Page("https://a.example/x.xml".into()));
    let map = "https://a.example/sitemap_index.xml?x=1";
    assert_eq!(Source::parse(map), Source::Sitemap(map.into()));
}

/// An index whose rows have other fields is named with its way out, and `reindex` writes it anew from what it holds.
#[tokio::test]
async fn an_index_of_another_version_is_written_anew() {
    let (folder, engine) = embedded();
    let place = folder.path().join("index");
    fs::create_dir_all(&place).unwrap();
    let mut schema = tantivy::schema::Schema::builder();
    let record = schema.add_text_field("record", tantivy::schema::STORED);
    let old = tantivy::Index::create_in_dir(&place, schema.build()).unwrap();
    let mut writer: tantivy::IndexWriter = old.writer_with_num_threads(1, 20_000_000).unwrap();
    let mut texts = Vec::new();
    for (url, text) in
        [("a", "# Parking\n\nCars stand behind the house."), ("b", "# Lunch\n\nThere is soup.")]
    {
        let document = document(url, url, text);
        for (chunk, _) in &document.chunks {
            let row = serde_json::json!({ "entry": document.entry, "chunk": chunk }).to_string();
            writer.add_document(tantivy::doc!(record => row)).unwrap();
            texts.push(chunk.text.clone());
        }
    }
    let mut commit = writer.prepare_commit().unwrap();
    commit.set_payload(r#"{"layout":1,"analysis":1,"chunker":1}"#);
    commit.commit().unwrap();
    drop((writer, old));

    let knowledge = knowledge(engine.clone());
    let said = engine.documents().await.unwrap_err().to_string();
    assert!(said.contains("(1, this one writes 2)") && said.contains("tata docs reindex"), "{said}");

    let summary = reindex(&knowledge).await.unwrap();
    assert_eq!((summary.stored, summary.chunks), (2, texts.len()));
    let request = SearchRequest { query: "cars behind the house".into(), ..SearchRequest::default() };
    let found = knowledge.search(&request).await;
    assert_eq!(found.results.first().map(|hit| hit.url.as_str()), Some("a"), "{found:?}");
    let stored: Vec<String> = engine
        .all()
        .await
        .unwrap()
        .into_iter()
        .flat_map(|one| one.chunks)
        .map(|(chunk, _)| chunk.text)
        .collect();
    assert_eq!(stored, texts);
    let left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, ["index"]);

    // Whoever is stopped between the two steps of the exchange finds the old one in its place.
    let aside = folder.path().join("index.old");
    fs::rename(&place, aside).unwrap();
    assert_eq!(Embedded::new(&place).documents().await.unwrap().len(), 2);
}
