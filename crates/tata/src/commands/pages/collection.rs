//! The documents that answers rest on, for the pages.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use tata_knowledge::{
    IngestOptions, Knowledge, KnowledgeError, RetrievalSettings, SearchRequest, Source, ingest,
};
use tata_web::{Collection, Kept, PassageFound, Taken};

use crate::{
    config::{Config, Origin},
    wiring,
};

/// How many files on their way are remembered.
const MOST_TAKEN: usize = 20;

/// The files on their way, the newest first.
type Way = Arc<Mutex<Vec<Taken>>>;

pub(crate) fn collection(config: &Config, company: Option<&str>) -> anyhow::Result<Collection> {
    let usual = RetrievalSettings::default();
    let knowledge = wiring::knowledge(config, usual, (Origin::Person, "default"), company)?;
    let mut folder = config.data_dir.join("uploads");
    if let Some(company) = wiring::other_company(company) {
        folder.push(wiring::short_seal(company));
    }
    let way: Way = Arc::default();
    let (listed, searched, removed) = (knowledge.clone(), knowledge.clone(), knowledge.clone());
    let taking = Arc::clone(&way);
    Ok(Collection {
        list: Arc::new(move || {
            let knowledge = listed.clone();
            Box::pin(async move { list(&knowledge).await.map_err(|error| said(&error)) })
        }),
        search: Arc::new(move |query| {
            let knowledge = searched.clone();
            Box::pin(async move { Ok(search(&knowledge, query).await) })
        }),
        take: Arc::new(move |name, bytes| take(&knowledge, &taking, &folder, name, bytes)),
        taken: Arc::new(move || way.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        remove: Arc::new(move |address| {
            let knowledge = removed.clone();
            Box::pin(async move {
                let engine = knowledge.engine();
                engine.remove(&[address]).await.map_err(|error| said(&error))?;
                engine.finish().await.map_err(|error| said(&error))
            })
        }),
    })
}

fn said(error: &KnowledgeError) -> String {
    tracing::warn!(%error, "the collection");
    error.to_string()
}

async fn list(knowledge: &Knowledge) -> Result<Vec<Kept>, KnowledgeError> {
    let entries = knowledge.engine().documents().await?;
    let kept = |entry: tata_knowledge::DocumentEntry| Kept {
        address: entry.url,
        title: entry.title,
        language: entry.lang,
        passages: entry.chunks,
    };
    Ok(entries.into_iter().map(kept).collect())
}

async fn search(knowledge: &Knowledge, query: String) -> Vec<PassageFound> {
    let answer = knowledge.search(&SearchRequest { query, ..SearchRequest::default() }).await;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a score is between 0 and 1")]
    let found = |result: tata_knowledge::SearchResult| PassageFound {
        title: result.title,
        address: result.url,
        headings: result.headings,
        page: result.page,
        text: result.text,
        score: (result.score.clamp(0.0, 1.0) * 100.0).round() as u32,
    };
    answer.results.into_iter().map(found).collect()
}

/// Keeps a file and takes it in by itself: whoever sent it can leave.
fn take(knowledge: &Knowledge, way: &Way, folder: &Path, name: String, bytes: Vec<u8>) {
    let path = folder.join(file_name(&name));
    {
        let mut all = way.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| one.name != name);
        all.insert(0, Taken { name: name.clone(), came: None });
        all.truncate(MOST_TAKEN);
    }
    let (knowledge, way) = (knowledge.clone(), Arc::clone(way));
    tokio::spawn(async move {
        let came = keep(&knowledge, path, bytes).await;
        let mut all = way.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = all.iter_mut().find(|one| one.name == name) {
            one.came = Some(came);
        }
    });
}

async fn keep(knowledge: &Knowledge, path: PathBuf, bytes: Vec<u8>) -> Result<usize, String> {
    let place = path.clone();
    let written = tokio::task::spawn_blocking(move || {
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&place, bytes)
    });
    let written = written.await.map_err(|error| error.to_string())?;
    written.map_err(|error| format!("it cannot be kept: {error}"))?;
    let sources = [Source::parse(&path.display().to_string())];
    let summary = ingest(knowledge, &sources, &IngestOptions::default(), &|_| {}).await;
    let summary = summary.map_err(|error| said(&error))?;
    match (summary.failures.first(), summary.stopped) {
        (Some(failure), _) => Err(failure.reason.clone()),
        (None, Some(why)) => Err(why),
        (None, None) => Ok(summary.chunks),
    }
}

/// A name that is one, whatever the browser said.
fn file_name(name: &str) -> String {
    let plain =
        |letter: char| if letter.is_alphanumeric() || ".-_ ()".contains(letter) { letter } else { '_' };
    let name: String = name.chars().map(plain).take(100).collect();
    let name = name.trim().trim_start_matches('.');
    if name.is_empty() { "file".to_owned() } else { name.to_owned() }
}
