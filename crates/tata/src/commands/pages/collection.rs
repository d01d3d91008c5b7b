//! The documents that answers rest on, for the pages.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tata_core::{Store, StoreError};
use tata_document::{FileReader, Limits};
use tata_knowledge::{
    IngestOptions, Knowledge, KnowledgeError, RetrievalSettings, SearchRequest, Source, address_of_file,
    ingest, sealed_address, shown_address,
};
use tata_web::{Collection, Kept, PassageFound, Services, Taken};
use tokio::sync::Semaphore;

use crate::{
    cli::DEFAULT_TENANT,
    config::{Config, Origin},
    readers::{OneEach, Owner},
    uploads, wiring,
};

/// How many files on their way are remembered.
const MOST_TAKEN: usize = 20;

/// How many files are taken in at once, by all companies together. Of a company one file at a time waits for it, so that
/// companies take turns however many files one of them brings.
static TAKING: Semaphore = Semaphore::const_new(2);

/// When an index that could not be asked at the start is asked again.
const ASK_AGAIN: Duration = Duration::from_secs(30);

/// How files come into the collection of a company.
struct Intake {
    knowledge: Knowledge,
    company: Option<String>,
    folder: PathBuf,
    /// One file waits for its turn among all companies, or is taken in.
    turn: Semaphore,
    /// The files on their way, the newest first.
    way: Mutex<Vec<Taken>>,
}

pub(crate) fn collection(config: &Config, company: Option<&str>) -> anyhow::Result<Collection> {
    let usual = RetrievalSettings::default();
    let knowledge = wiring::knowledge(config, usual, (Origin::Person, "default"), company)?;
    let intake = Arc::new(Intake {
        knowledge: knowledge.clone(),
        company: company.map(str::to_owned),
        folder: uploads::folder(config, company),
        turn: Semaphore::new(1),
        way: Mutex::default(),
    });
    let (listed, searched) = (knowledge.clone(), knowledge);
    let (taking, resumed, removed) = (Arc::clone(&intake), Arc::clone(&intake), Arc::clone(&intake));
    Ok(Collection {
        list: Arc::new(move || {
            let knowledge = listed.clone();
            Box::pin(async move { list(&knowledge).await.map_err(|error| said(&error)) })
        }),
        search: Arc::new(move |query| {
            let knowledge = searched.clone();
            Box::pin(async move { Ok(search(&knowledge, query).await) })
        }),
        take: Arc::new(move |name, bytes| take(&taking, name, bytes)),
        resume: Arc::new(move || resume(&resumed)),
        taken: Arc::new(move || intake.way().clone()),
        remove: Arc::new(move |address| {
            let intake = Arc::clone(&removed);
            Box::pin(async move { remove(&intake.knowledge, &intake.folder, &address).await })
        }),
    })
}

/// Has every collection of a server go on with the files that an earlier process left: each company's as that company.
pub(crate) async fn resume_all(
    services: &Services,
    config: &Config,
    store: &dyn Store,
) -> Result<(), StoreError> {
    let Some(of_company) = &services.company else {
        if let Some(collection) = services.pages.as_ref().and_then(|pages| pages.collection.as_ref()) {
            (collection.resume)();
        }
        return Ok(());
    };
    let mut companies: BTreeSet<String> = [DEFAULT_TENANT.to_owned()].into();
    companies.extend(store.accounts(None).await?.into_iter().map(|account| account.tenant));
    for company in companies {
        if !uploads::folder(config, Some(&company)).is_dir() {
            continue;
        }
        match of_company(&company).map(|own| own.collection) {
            Ok(Some(collection)) => (collection.resume)(),
            Ok(None) => {}
            Err(why) => tracing::warn!(why, "what was left of a company's documents stays"),
        }
    }
    Ok(())
}

fn said(error: &KnowledgeError) -> String {
    tracing::warn!(%error, "the collection");
    error.without_paths()
}

/// Takes a document out, its file first: what is in the list can be removed again if this breaks off.
async fn remove(knowledge: &Knowledge, folder: &Path, address: &str) -> Result<Option<String>, String> {
    let Some(entry) = knowledge.document(address).await.map_err(|error| said(&error))? else {
        return Ok(None);
    };
    uploads::remove(folder, &entry.url).map_err(|error| {
        tracing::warn!(%error, "the file of a document");
        "the file of this document cannot be removed; the log says why".to_owned()
    })?;
    let (engine, name) = (knowledge.engine(), sealed_address(&entry.url));
    engine.remove(&[entry.url]).await.map_err(|error| said(&error))?;
    engine.finish().await.map_err(|error| said(&error))?;
    Ok(Some(name))
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
fn take(intake: &Arc<Intake>, name: String, bytes: Vec<u8>) -> String {
    let path = uploads::place(&intake.folder, &name);
    let called = sealed_address(&address_of_file(&path));
    intake.begins(&name);
    let intake = Arc::clone(intake);
    tokio::spawn(async move {
        let came = match keep(path.clone(), bytes).await {
            Ok(()) => intake.take_in(&path).await,
            Err(why) => Err(why),
        };
        intake.ends(&name, came);
    });
    called
}

async fn keep(path: PathBuf, bytes: Vec<u8>) -> Result<(), String> {
    let written = tokio::task::spawn_blocking(move || uploads::keep(&path, &bytes)).await;
    written.map_err(|error| error.to_string())?.map_err(|error| {
        tracing::warn!(error = format!("{error:#}"), "a file for the collection");
        "it cannot be kept; the log says why".to_owned()
    })
}

/// Goes on with the files that an earlier process kept, and may not have taken in. What the index has is read again only if
/// its bytes are others.
fn resume(intake: &Arc<Intake>) {
    let files = uploads::kept(&intake.folder).unwrap_or_else(|error| {
        tracing::warn!(%error, "the files of a collection cannot be looked through");
        Vec::new()
    });
    if files.is_empty() {
        return;
    }
    let intake = Arc::clone(intake);
    tokio::spawn(async move {
        let known: HashSet<String> = loop {
            match intake.knowledge.engine().documents().await {
                Ok(entries) => break entries.into_iter().map(|entry| entry.url).collect(),
                Err(error) => tracing::warn!(%error, "files that an earlier process left wait"),
            }
            tokio::time::sleep(ASK_AGAIN).await;
        };
        let (known, left): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|path| known.contains(&address_of_file(path)));
        for path in left {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            intake.begins(&name);
            let came = intake.take_in(&path).await;
            match &came {
                Ok(_) => tracing::info!("a file that an earlier process left is taken in"),
                Err(why) => tracing::warn!(why, "a file that an earlier process left is no document"),
            }
            intake.ends(&name, came);
        }
        if let Err(why) = intake.read(&known).await {
            tracing::warn!(why, "a document stays as it was before its file was replaced");
        }
    });
}

impl Intake {
    fn way(&self) -> MutexGuard<'_, Vec<Taken>> {
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file is on its way.
    fn begins(&self, name: &str) {
        let mut way = self.way();
        way.retain(|one| one.name != name);
        way.insert(0, Taken { name: name.to_owned(), came: None });
        way.truncate(MOST_TAKEN);
    }

    /// What came of it.
    fn ends(&self, name: &str, came: Result<usize, String>) {
        if let Some(one) = self.way().iter_mut().find(|one| one.name == name) {
            one.came = Some(came);
        }
    }

    /// Takes a file in that is kept. One that is no document is kept no longer.
    async fn take_in(&self, path: &Path) -> Result<usize, String> {
        let taken = self.read(&[path.to_owned()]).await;
        if taken.is_err() {
            forget(&self.knowledge, path).await;
        }
        taken
    }

    /// Reads files into the index, when it is this company's turn.
    async fn read(&self, files: &[PathBuf]) -> Result<usize, String> {
        let _own_turn = self.turn.acquire().await.map_err(|error| error.to_string())?;
        // Each is held in memory while it is read.
        let _turn = TAKING.acquire().await.map_err(|error| error.to_string())?;
        let owner = Owner { company: self.company.clone(), account: None };
        let sources: Vec<Source> = files.iter().cloned().map(Source::Path).collect();
        // People wait for the same places.
        let options = IngestOptions { limits: Limits::default(), ..IngestOptions::default() };
        let reader: Arc<dyn FileReader> = Arc::new(OneEach::in_background(owner));
        let summary = ingest(&self.knowledge, &sources, &options, &reader, &|_| {}).await;
        let summary = summary.map_err(|error| said(&error))?;
        match (summary.failures.first(), summary.stopped) {
            (Some(failure), _) => Err(failure.reason.clone()),
            (None, Some(why)) => Err(why),
            (None, None) => Ok(summary.chunks),
        }
    }
}

/// A file that is no document is not kept: nothing would ever remove it.
async fn forget(knowledge: &Knowledge, path: &Path) {
    let known = knowledge.engine().document(&address_of_file(path)).await;
    // Where the index cannot be asked, an older version of the document may be in it.
    let known = known.map_or(true, |known| known.is_some());
    if !known && let Err(error) = fs::remove_file(path) {
        tracing::warn!(%error, "a file that is no document stays");
    }
}
