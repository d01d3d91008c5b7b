//! The documents that answers rest on, for the pages.

use std::{
    collections::{BTreeSet, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use tata_core::{Actor, Store, StoreError};
use tata_document::{FileReader, Limits};
use tata_knowledge::{
    IngestOptions, Knowledge, KnowledgeError, RetrievalSettings, SearchRequest, Source, address_of_file,
    ingest, shown_address,
};
use tata_web::{Collection, Kept, PassageFound, Services, Taken};
use tokio::sync::Semaphore;

use crate::{
    cli::DEFAULT_TENANT,
    config::{Config, Origin},
    pending::{ChangeKind, PendingChange},
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
    /// The audit trail is kept there.
    store: Arc<dyn Store>,
    company: Option<String>,
    folder: PathBuf,
    /// One file waits for its turn among all companies, or is taken in.
    turn: Semaphore,
    /// The files on their way, the newest first.
    way: Mutex<Vec<Taken>>,
}

pub(crate) fn collection(
    config: &Config,
    store: &Arc<dyn Store>,
    company: Option<&str>,
) -> anyhow::Result<Collection> {
    let usual = RetrievalSettings::default();
    let knowledge = wiring::knowledge(config, usual, (Origin::Person, "default"), company)?;
    let intake = Arc::new(Intake {
        knowledge: knowledge.clone(),
        store: Arc::clone(store),
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
        take: Arc::new(move |name, bytes, by, at| take(&taking, name, bytes, by, at)),
        resume: Arc::new(move || resume(&resumed)),
        taken: Arc::new(move || intake.way().clone()),
        remove: Arc::new(move |address, by, at| {
            let intake = Arc::clone(&removed);
            Box::pin(async move { intake.remove(&address, by, at).await })
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

/// Keeps a file and takes it in by itself: whoever sent it can leave. The audit tells of it once it is a document.
fn take(intake: &Arc<Intake>, name: String, bytes: Vec<u8>, by: Actor, at: Timestamp) -> Result<(), String> {
    let path = uploads::place(&intake.folder, &name);
    let change = intake.begin(ChangeKind::Addition, address_of_file(&path), by, at)?;
    intake.begins(&name);
    let intake = Arc::clone(intake);
    tokio::spawn(async move {
        let came = match keep(path.clone(), bytes).await {
            Ok(()) => intake.take_in(&path).await,
            Err(why) => Err(why),
        };
        let came = intake.settle(change, came).await;
        intake.ends(&name, came);
    });
    Ok(())
}

async fn keep(path: PathBuf, bytes: Vec<u8>) -> Result<(), String> {
    let written = tokio::task::spawn_blocking(move || uploads::keep(&path, &bytes)).await;
    written.map_err(|error| error.to_string())?.map_err(|error| {
        tracing::warn!(error = format!("{error:#}"), "a file for the collection");
        "it cannot be kept; the log says why".to_owned()
    })
}

/// Goes on with what an earlier process left: documents that it was removing, and files that it kept and may not have taken
/// in. What the index has is read again only if its bytes are others.
fn resume(intake: &Arc<Intake>) {
    if !intake.folder.is_dir() {
        return;
    }
    let intake = Arc::clone(intake);
    let changes = PendingChange::left(&intake.folder).unwrap_or_else(|error| {
        tracing::warn!(%error, "the changes that were under way cannot be looked through");
        Vec::new()
    });
    // Looked through before anybody is served: what comes later is being written.
    let files = uploads::kept(&intake.folder).unwrap_or_else(|error| {
        tracing::warn!(%error, "the files of a collection cannot be looked through");
        Vec::new()
    });
    tokio::spawn(async move {
        if !changes.is_empty() || !files.is_empty() {
            intake.go_on(changes, files).await;
        }
        // A process that was killed may have left bytes of what was removed.
        if let Err(error) = intake.knowledge.engine().finish().await {
            tracing::warn!(%error, "the index is not tidied");
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

    /// Ends the changes of an earlier process, and takes in the files that it left.
    async fn go_on(&self, changes: Vec<PendingChange>, mut files: Vec<PathBuf>) {
        let known: HashSet<String> = loop {
            match self.knowledge.engine().documents().await {
                Ok(entries) => break entries.into_iter().map(|entry| entry.url).collect(),
                Err(error) => tracing::warn!(%error, "what an earlier process left waits"),
            }
            tokio::time::sleep(ASK_AGAIN).await;
        };
        let (removals, mut additions): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| change.kind == ChangeKind::Removal);
        for change in removals {
            // A file of the same name that came afterwards is another document.
            if additions.iter().any(|later| later.url == change.url && later.is_after(&change)) {
                change.forget();
                continue;
            }
            files.retain(|path| address_of_file(path) != change.url);
            self.carry_out_removal(change).await;
        }
        let (known, left): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|path| known.contains(&address_of_file(path)));
        for path in left {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            self.begins(&name);
            let mut came = self.take_in(&path).await;
            match &came {
                Ok(_) => tracing::info!("a file that an earlier process left is taken in"),
                Err(why) => tracing::warn!(why, "a file that an earlier process left is no document"),
            }
            let address = address_of_file(&path);
            if let Some(at) = additions.iter().position(|change| change.url == address) {
                came = self.settle(additions.remove(at), came).await;
            }
            self.ends(&name, came);
        }
        if let Err(why) = self.read(&known).await {
            tracing::warn!(why, "a document stays as it was before its file was replaced");
        }
        for change in additions {
            match self.knowledge.engine().document(&change.url).await {
                Ok(Some(_)) => self.tell(change).await,
                Ok(None) => change.forget(),
                Err(error) => tracing::warn!(%error, "a change that was under way waits for the next start"),
            }
        }
    }

    /// Writes down what is about to be changed, and by whom.
    fn begin(
        &self,
        kind: ChangeKind,
        url: String,
        by: Actor,
        at: Timestamp,
    ) -> Result<PendingChange, String> {
        let company = self.company.as_deref().unwrap_or(DEFAULT_TENANT);
        PendingChange::begin(&self.folder, kind, url, by, at, company).map_err(|error| {
            tracing::warn!(error = format!("{error:#}"), "a change of the collection");
            "the change cannot be written down; the log says why".to_owned()
        })
    }

    /// Ends the record of an addition: the audit tells of one that became a document.
    async fn settle(&self, change: PendingChange, came: Result<usize, String>) -> Result<usize, String> {
        if came.is_ok() {
            self.tell(change).await;
        } else {
            change.forget();
        }
        came
    }

    /// Tells the audit of a change that was made. If that fails, its record stays for the next start.
    async fn tell(&self, change: PendingChange) {
        if let Err(error) = change.done(self.store.as_ref()).await {
            tracing::error!(%error, "a change of the collection is not in the audit trail yet");
        }
    }

    /// Takes a document out. Its file goes last: a file without a document would be read again at the next start.
    async fn remove(&self, address: &str, by: Actor, at: Timestamp) -> Result<bool, String> {
        let Some(entry) = self.knowledge.document(address).await.map_err(|error| said(&error))? else {
            return Ok(false);
        };
        let change = self.begin(ChangeKind::Removal, entry.url, by, at)?;
        if let Err(error) = self.knowledge.engine().remove(std::slice::from_ref(&change.url)).await {
            change.forget();
            return Err(said(&error));
        }
        self.remove_rest(&change).await?;
        self.tell(change).await;
        Ok(true)
    }

    /// Carries a removal out that an earlier process began. What cannot be done now stays for the next start.
    async fn carry_out_removal(&self, change: PendingChange) {
        if let Err(error) = self.knowledge.engine().remove(std::slice::from_ref(&change.url)).await {
            tracing::warn!(%error, "a removal that was under way waits for the next start");
            return;
        }
        if self.remove_rest(&change).await.is_ok() {
            tracing::info!("a removal that was under way is carried out");
            self.tell(change).await;
        }
    }

    /// Removes what is left of a document that no search finds any more: its file, and its bytes in the index.
    async fn remove_rest(&self, change: &PendingChange) -> Result<(), String> {
        uploads::remove(&self.folder, &change.url).map_err(|error| {
            tracing::warn!(%error, "the file of a document");
            "the file of this document cannot be removed; the log says why".to_owned()
        })?;
        self.knowledge.engine().finish().await.map_err(|error| said(&error))
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
