//! The documents that answers rest on, for the pages.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicU64, Ordering},
    },
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
    way: Mutex<Vec<(u64, Taken)>>,
    begun: AtomicU64,
    /// The documents that are being changed, by address: of one document, one change at a time.
    documents: Mutex<HashMap<String, Weak<DocumentTurn>>>,
}

/// Held by whoever changes a document.
type DocumentTurn = tokio::sync::Mutex<()>;

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
        begun: AtomicU64::default(),
        documents: Mutex::default(),
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
        take: Arc::new(move |name, bytes, by, at| {
            let intake = Arc::clone(&taking);
            Box::pin(take(intake, name, bytes, by, at))
        }),
        resume: Arc::new(move || resume(&resumed)),
        taken: Arc::new(move || intake.way().iter().map(|(_, taken)| taken.clone()).collect()),
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
async fn take(
    intake: Arc<Intake>,
    name: String,
    bytes: Vec<u8>,
    by: Actor,
    at: Timestamp,
) -> Result<(), String> {
    let path = uploads::place(&intake.folder, &name);
    let change = intake.change(ChangeKind::Addition, address_of_file(&path), by, at);
    let folder = intake.folder.clone();
    let begun = tokio::task::spawn_blocking(move || change.begin_with(&folder, &bytes)).await;
    let change = begun.map_err(|error| error.to_string())?.map_err(|error| not_written(&error))?;
    let number = intake.begins(&name);
    // Whoever came first goes first.
    let turn = intake.turn_of(&change.url);
    let first = Arc::clone(&turn).try_lock_owned().ok();
    tokio::spawn(async move {
        let _turn = match first {
            Some(turn) => turn,
            None => turn.lock_owned().await,
        };
        intake.add(change, number, &path).await;
    });
    Ok(())
}

fn not_written(error: &anyhow::Error) -> String {
    tracing::warn!(error = format!("{error:#}"), "a change of the collection");
    "the change cannot be written down; the log says why".to_owned()
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
    let staged: Vec<&str> = changes.iter().filter_map(PendingChange::staged).collect();
    let files = uploads::kept(&intake.folder, &staged).unwrap_or_else(|error| {
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
    fn way(&self) -> MutexGuard<'_, Vec<(u64, Taken)>> {
        self.way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A file is on its way. Gives its number: another file of the same name may follow before this one is read.
    fn begins(&self, name: &str) -> u64 {
        let mut way = self.way();
        way.retain(|(_, one)| one.name != name);
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        way.insert(0, (number, Taken { name: name.to_owned(), came: None }));
        way.truncate(MOST_TAKEN);
        number
    }

    /// A file was taken in, or not.
    fn ends(&self, number: u64, came: Result<usize, String>) {
        if let Some((_, one)) = self.way().iter_mut().find(|(known, _)| *known == number) {
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
        let (removals, additions): (Vec<_>, Vec<_>) =
            changes.into_iter().partition(|change| change.kind == ChangeKind::Removal);
        // All that waits is shown, before the first of it is read.
        let additions: Vec<_> = additions
            .into_iter()
            .filter_map(|change| {
                let path = tata_knowledge::file_of(&change.url)?;
                Some((self.begins(&name_of(&path)), path, change))
            })
            .collect();
        files.retain(|path| {
            let address = address_of_file(path);
            let mut under_way = removals.iter().chain(additions.iter().map(|(_, _, change)| change));
            !under_way.any(|change| change.url == address)
        });
        let (known, left): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|path| known.contains(&address_of_file(path)));
        let left: Vec<_> = left.into_iter().map(|path| (self.begins(&name_of(&path)), path)).collect();
        for change in removals {
            let turn = self.turn_of(&change.url);
            let _turn = turn.lock().await;
            self.carry_out_removal(change).await;
        }
        for (number, path, change) in additions {
            let turn = self.turn_of(&change.url);
            let _turn = turn.lock().await;
            self.add(change, number, &path).await;
        }
        for (number, path) in left {
            let turn = self.turn_of(&address_of_file(&path));
            let _turn = turn.lock().await;
            let came = self.take_in(&path).await;
            match &came {
                Ok(_) => tracing::info!("a file that an earlier process left is taken in"),
                Err(why) => tracing::warn!(why, "a file that an earlier process left is no document"),
            }
            self.ends(number, came);
        }
        if let Err(why) = self.read(&known).await {
            tracing::warn!(why, "a document stays as it was before its file was replaced");
        }
    }

    /// The turn of whoever changes a document.
    fn turn_of(&self, url: &str) -> Arc<DocumentTurn> {
        let mut documents = self.documents.lock().unwrap_or_else(PoisonError::into_inner);
        documents.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = documents.get(url).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(DocumentTurn::default());
        documents.insert(url.to_owned(), Arc::downgrade(&turn));
        turn
    }

    /// Takes a file in whose turn has come.
    async fn add(&self, change: PendingChange, number: u64, path: &Path) {
        let came = match change.put_in_place(path) {
            Ok(()) => self.take_in(path).await,
            Err(error) => {
                tracing::warn!(%error, "a file for the collection");
                Err("it was not kept; please bring it again".to_owned())
            }
        };
        let came = self.settle(change, came).await;
        self.ends(number, came);
    }

    /// A change that is about to be made here.
    fn change(&self, kind: ChangeKind, url: String, by: Actor, at: Timestamp) -> PendingChange {
        PendingChange::new(kind, url, by, at, self.company.as_deref().unwrap_or(DEFAULT_TENANT))
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
        let turn = self.turn_of(&entry.url);
        let _turn = turn.lock().await;
        // Somebody else may have removed it meanwhile.
        if self.knowledge.document(address).await.map_err(|error| said(&error))?.is_none() {
            return Ok(false);
        }
        let change = self.change(ChangeKind::Removal, entry.url, by, at);
        let change = change.begin(&self.folder).map_err(|error| not_written(&error))?;
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

/// The name of a file, as people know it.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
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
