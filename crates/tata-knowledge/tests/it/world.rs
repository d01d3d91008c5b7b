//! What the tests share: documents, engines, a switch from the environment.

use std::{collections::BTreeMap, sync::Arc};

use tata_document::{
    FileReader, Hint, Limits,
    in_process::{ReadHere, read},
};
use tata_knowledge::{
    DocumentEntry, Embedded, EmbedderId, Engine, Knowledge, Lang, Manifest, Prepared, RetrievalSettings,
    chunks,
};
use tempfile::TempDir;

#[expect(clippy::disallowed_methods, reason = "a test binary's own switches")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Reads files in the test's own process.
pub(crate) fn here() -> Arc<dyn FileReader> {
    Arc::new(ReadHere)
}

/// A document of Markdown, cut as ingestion cuts it.
pub(crate) fn document(url: &str, title: &str, markdown: &str) -> Prepared {
    let reading = read(markdown.as_bytes().to_vec(), &Hint::named("a.md"), &Limits::default()).unwrap();
    let lang = Lang::detect(markdown).or(Lang::find("en"));
    let chunks = chunks(&reading, lang);
    let entry = DocumentEntry {
        url: url.into(),
        title: title.into(),
        lang: lang.map(|lang| lang.code().into()),
        hash: format!("{markdown:?}"),
        source: "test".into(),
        meta: BTreeMap::new(),
        chunks: chunks.len(),
        characters: chunks.iter().map(|chunk| chunk.text.chars().count()).sum(),
    };
    Prepared { entry, chunks: chunks.into_iter().map(|chunk| (chunk, None)).collect() }
}

pub(crate) fn with_meta(mut document: Prepared, key: &str, value: &str) -> Prepared {
    document.entry.meta.insert(key.into(), value.into());
    document
}

/// Every chunk of a document with this vector.
pub(crate) fn with_vector(mut document: Prepared, vector: &[f32]) -> Prepared {
    for (_, own) in &mut document.chunks {
        *own = Some(vector.to_vec());
    }
    document
}

pub(crate) fn manifest(dimensions: Option<usize>) -> Manifest {
    Manifest::current(dimensions.map(|dimensions| EmbedderId { model: "test/one".into(), dimensions }))
}

pub(crate) fn embedded() -> (TempDir, Arc<Embedded>) {
    let folder = tempfile::tempdir().unwrap();
    let engine = Arc::new(Embedded::new(folder.path().join("index")));
    (folder, engine)
}

pub(crate) fn knowledge(engine: Arc<dyn Engine>) -> Knowledge {
    Knowledge::new(engine, RetrievalSettings::default()).unwrap()
}

/// A little handbook in two languages.
pub(crate) fn handbook() -> Vec<Prepared> {
    vec![
        with_meta(
            document(
                "https://example.com/holiday",
                "Holiday",
                "# Holiday\n\nEvery employee has thirty days of paid holiday each year. Unused days expire in March.\n\n\
                 ## Sick leave\n\nA doctor's certificate is needed from the fourth day of illness on.",
            ),
            "department",
            "people",
        ),
        with_meta(
            document(
                "https://example.com/travel",
                "Travel",
                "# Travel\n\nTrains come before flights. Hotels are paid up to 1500 kronor a night.",
            ),
            "department",
            "finance",
        ),
        document(
            "https://example.com/lunch",
            "Lunch",
            "# Lunch\n\nThe canteen on the second floor serves lunch between eleven and one o'clock every day.",
        ),
    ]
}
