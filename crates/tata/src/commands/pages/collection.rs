//! The documents that answers rest on, for the pages.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use tata_document::{FileReader, Limits};
use tata_knowledge::{
    IngestOptions, Knowledge, KnowledgeError, RetrievalSettings, SearchRequest, Source, ingest, shown_address,
};
use tata_web::{Collection, Kept, PassageFound, Taken};
use tokio::sync::Semaphore;

use crate::{
    config::{Config, Origin},
    readers::{OneEach, Owner},
    uploads, wiring,
};

/// How many files on their way are remembered.
const MOST_TAKEN: usize = 20;

/// How many files are taken in at once, by all companies together. Of a company one file at a time waits for it, so that
/// companies take turns however many files one of them brings.
static TAKING: Semaphore = Semaphore::const_new(2);

/// The files of a company that wait to be taken in.
#[derive(Debug)]
struct Line {
    company: Option<String>,
    /// One of them waits for its turn among all companies, or is taken in.
    turn: Semaphore,
}

/// The files on their way, the newest first.
type Way = Arc<Mutex<Vec<Taken>>>;

pub(crate) fn collection(config: &Config, company: Option<&str>) -> anyhow::Result<Collection> {
    let usual = RetrievalSettings::default();
    let knowledge = wiring::knowledge(config, usual, (Origin::Person, "default"), company)?;
    let folder = uploads::folder(config, company);
    let own = folder.clone();
    let way: Way = Arc::default();
    let line = Arc::new(Line { company: company.map(str::to_owned), turn: Semaphore::new(1) });
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
        take: Arc::new(move |name, bytes| take(&knowledge, &line, &taking, &folder, name, bytes)),
        taken: Arc::new(move || way.lock().unwrap_or_else(PoisonError::into_inner).clone()),
        remove: Arc::new(move |address| {
            let (knowledge, folder) = (removed.clone(), own.clone());
            Box::pin(async move { remove(&knowledge, &folder, &address).await })
        }),
    })
}

fn said(error: &KnowledgeError) -> String {
    tracing::warn!(%error, "the collection");
    error.without_paths()
}

/// Takes a document out, its file first: what is in the list can be removed again if this breaks off.
async fn remove(knowledge: &Knowledge, folder: &Path, address: &str) -> Result<bool, String> {
    let Some(entry) = knowledge.document(address).await.map_err(|error| said(&error))? else {
        return Ok(false);
    };
    uploads::remove(folder, &entry.url).map_err(|error| {
        tracing::warn!(%error, "the file of a document");
        "the file of this document cannot be removed; the log says why".to_owned()
    })?;
    let engine = knowledge.engine();
    engine.remove(&[entry.url]).await.map_err(|error| said(&error))?;
    engine.finish().await.map_err(|error| said(&error))?;
    Ok(true)
}

async fn list(knowledge: &Knowledge) -> Result<Vec<Kept>, KnowledgeError> {
    let entries = knowledge.engine().documents().await?;
    let kept = |entry: tata_knowledge::DocumentEntry| Kept {
        address: shown_address(&entry.url),
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
fn take(knowledge: &Knowledge, line: &Arc<Line>, way: &Way, folder: &Path, name: String, bytes: Vec<u8>) {
    let path = folder.join(file_name(&name));
    {
        let mut all = way.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|one| one.name != name);
        all.insert(0, Taken { name: name.clone(), came: None });
        all.truncate(MOST_TAKEN);
    }
    let (knowledge, line, way) = (knowledge.clone(), Arc::clone(line), Arc::clone(way));
    tokio::spawn(async move {
        let came = keep(&knowledge, &line, path, bytes).await;
        let mut all = way.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(one) = all.iter_mut().find(|one| one.name == name) {
            one.came = Some(came);
        }
    });
}

async fn keep(knowledge: &Knowledge, line: &Line, path: PathBuf, bytes: Vec<u8>) -> Result<usize, String> {
    let place = path.clone();
    let written = tokio::task::spawn_blocking(move || uploads::keep(&place, &bytes)).await;
    written.map_err(|error| error.to_string())?.map_err(|error| {
        tracing::warn!(error = format!("{error:#}"), "a file for the collection");
        "it cannot be kept; the log says why".to_owned()
    })?;
    let _own_turn = line.turn.acquire().await.map_err(|error| error.to_string())?;
    // Each is held in memory while it is read.
    let _turn = TAKING.acquire().await.map_err(|error| error.to_string())?;
    let taken = taken_in(knowledge, line, &path).await;
    if taken.is_err() {
        forget(knowledge, &path).await;
    }
    taken
}

async fn taken_in(knowledge: &Knowledge, line: &Line, path: &Path) -> Result<usize, String> {
    let owner = Owner { company: line.company.clone(), account: None };
    let sources = [Source::Path(path.to_owned())];
    // People wait for the same places.
    let options = IngestOptions { limits: Limits::default(), ..IngestOptions::default() };
    let reader: Arc<dyn FileReader> = Arc::new(OneEach::in_background(owner));
    let summary = ingest(knowledge, &sources, &options, &reader, &|_| {}).await;
    let summary = summary.map_err(|error| said(&error))?;
    match (summary.failures.first(), summary.stopped) {
        (Some(failure), _) => Err(failure.reason.clone()),
        (None, Some(why)) => Err(why),
        (None, None) => Ok(summary.chunks),
    }
}

/// A file that is no document is not kept: nothing would ever remove it.
async fn forget(knowledge: &Knowledge, path: &Path) {
    let entries = knowledge.engine().documents().await;
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    // Where the index cannot be asked, an older version of the document may be in it.
    let known = entries.map_or(true, |entries| {
        entries.iter().any(|entry| tata_knowledge::file_of(&entry.url).as_ref() == Some(&path))
    });
    if !known && let Err(error) = fs::remove_file(&path) {
        tracing::warn!(%error, "a file that is no document stays");
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
