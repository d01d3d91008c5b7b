//! Files, folders and pages into a collection: only what changed, and whatever happens, nothing half.

mod sources;

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
    time::{Duration, Instant},
};

use serde::Serialize;
use tata_document::{BlockKind, FileReader, Hint, Limits, Reading};

pub use self::sources::Source;
use self::sources::{Item, Listed, list};
use crate::{
    DocumentEntry, FetchRules, Fetcher, Knowledge, KnowledgeError, Lang, Manifest, Metadata, Prepared,
    chunk::{self, chunks},
    document::hashed,
    engine::check_filter,
};

/// The longest address that an index takes.
const LONGEST_URL: usize = 2_000;
/// Batches that may fail at the embedder one after another before the run is given up.
const PATIENCE: usize = 2;

/// How to ingest.
#[derive(Clone, Debug)]
pub struct IngestOptions {
    /// The language of everything; without it each document is looked at.
    pub lang: Option<Lang>,
    /// What is said about every document.
    pub meta: Metadata,
    /// Whether documents of the same source that are gone are removed.
    pub prune: bool,
    /// What one file may cost.
    pub limits: Limits,
    /// What may be fetched.
    pub fetch: FetchRules,
    /// Chunks that are embedded and committed together.
    pub batch: usize,
}

impl Default for IngestOptions {
    fn default() -> Self {
        Self {
            lang: None,
            meta: Metadata::new(),
            prune: false,
            // Nobody waits in front of one file here.
            limits: Limits { time: Duration::from_secs(30), ..Limits::default() },
            fetch: FetchRules::default(),
            batch: 2_000,
        }
    }
}

/// How far it has come.
#[derive(Clone, Debug, Default)]
pub struct Progress {
    /// Files and pages looked at.
    pub done: usize,
    /// Files and pages known so far.
    pub total: usize,
    /// Chunks stored.
    pub chunks: usize,
    /// Files and pages that failed.
    pub failures: usize,
    /// The time so far.
    pub elapsed: Duration,
}

/// What came of it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// Documents stored anew.
    pub stored: usize,
    /// Documents that had not changed.
    pub unchanged: usize,
    /// Documents removed because they are gone.
    pub removed: usize,
    /// Chunks stored.
    pub chunks: usize,
    /// Vectors asked of the embedder.
    pub embedded: usize,
    /// Vectors that were there already.
    pub reused: usize,
    /// What could not be stored, and why.
    pub failures: Vec<Failure>,
    /// What was left out, and why.
    pub notes: Vec<String>,
    /// Why the run was given up before its end; the same run again goes on where it stopped.
    pub stopped: Option<String>,
    /// Seconds.
    pub seconds: f64,
}

/// A file or page that could not be stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// Which.
    pub place: String,
    /// Why.
    pub reason: String,
}

/// Ingests sources; `reader` opens the files and pages. One bad file never stops the rest; a failed re-ingest leaves the old version answering.
pub async fn ingest(
    knowledge: &Knowledge,
    sources: &[Source],
    options: &IngestOptions,
    reader: &Arc<dyn FileReader>,
    progress: &(dyn Fn(&Progress) + Send + Sync),
) -> Result<Summary, KnowledgeError> {
    let begun = Instant::now();
    check_filter(&options.meta.iter().map(|(key, value)| (key.clone(), vec![value.clone()])).collect())?;
    let manifest = manifest(knowledge).await?;
    if let Some(stored) = knowledge.engine.manifest().await? {
        stored.check()?;
        stored.check_embedder(manifest.embedder.as_ref())?;
    }
    let fetcher = Fetcher::new(options.fetch)?;
    let Listed { items, whole, failures, notes } = list(sources, &fetcher).await;
    let mut run = Run {
        knowledge,
        options,
        reader,
        manifest,
        fallback: knowledge.engine.languages().await?.first().and_then(|(lang, _)| *lang),
        batch: Vec::new(),
        failed_batches: 0,
        summary: Summary { failures, notes, ..Summary::default() },
    };
    let mut seen: HashSet<String> = HashSet::new();
    let total = items.len();
    for (at, item) in items.into_iter().enumerate() {
        seen.insert(item.url.clone());
        if let Err(error) = run.take(&item, &fetcher).await {
            run.fail(&item.url, &error);
        }
        if run.batch.iter().map(|document| document.chunks.len()).sum::<usize>() >= options.batch {
            run.store().await?;
        }
        progress(&Progress {
            done: at + 1,
            total,
            chunks: run.summary.chunks,
            failures: run.summary.failures.len(),
            elapsed: begun.elapsed(),
        });
        if run.summary.stopped.is_some() {
            break;
        }
    }
    run.store().await?;
    // What could not be listed is not gone, and a run that was given up has not seen everything.
    if options.prune && run.summary.stopped.is_none() {
        run.prune(&whole, &seen).await?;
    }
    knowledge.engine.finish().await?;
    run.summary.seconds = begun.elapsed().as_secs_f64();
    Ok(run.summary)
}

/// Makes all terms and vectors anew from the stored text, with the configured embedder.
pub async fn reindex(knowledge: &Knowledge) -> Result<Summary, KnowledgeError> {
    let begun = Instant::now();
    let manifest = manifest(knowledge).await?;
    let mut summary = Summary::default();
    let mut documents = Vec::new();
    for Prepared { entry, mut chunks } in knowledge.engine.all().await? {
        let texts: Vec<String> = chunks.iter().map(|(chunk, _)| chunk.embedded(&entry.title)).collect();
        let vectors = match &knowledge.embedder {
            Some(embedder) => embedder.embed_passages(&texts).await?.into_iter().map(Some).collect(),
            None => vec![None; chunks.len()],
        };
        summary.embedded += vectors.iter().flatten().count();
        for ((_, old), new) in chunks.iter_mut().zip(vectors) {
            *old = new;
        }
        summary.stored += 1;
        summary.chunks += chunks.len();
        documents.push(Prepared { entry, chunks });
    }
    knowledge.engine.rebuild(documents, &manifest).await?;
    knowledge.engine.finish().await?;
    summary.seconds = begun.elapsed().as_secs_f64();
    Ok(summary)
}

async fn manifest(knowledge: &Knowledge) -> Result<Manifest, KnowledgeError> {
    let embedder = match &knowledge.embedder {
        Some(embedder) => Some(embedder.id().await?),
        None => None,
    };
    Ok(Manifest::current(embedder))
}

/// Does work on a thread where it blocks nobody.
async fn apart<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, KnowledgeError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| KnowledgeError::store(format!("reading broke down: {error}")))
}

/// What is known of a document before it is read.
struct Plan {
    lang: Option<Lang>,
    /// The language of most of the collection, for documents that do not tell theirs.
    fallback: Option<Lang>,
    meta: Metadata,
    url: String,
    source: String,
}

impl Plan {
    fn hash(&self, bytes: &[u8]) -> String {
        let lang = self.lang.map_or("", Lang::code);
        let meta = serde_json::to_string(&self.meta).unwrap_or_default();
        let version = chunk::VERSION.to_string();
        hashed(&[bytes, meta.as_bytes(), lang.as_bytes(), version.as_bytes(), self.source.as_bytes()])
    }

    fn prepared(self, reading: &Reading, name: &str, hash: String) -> Prepared {
        let declared = || reading.language.as_deref().and_then(Lang::find);
        let seen = || {
            let texts: Vec<&str> = reading.blocks.iter().take(40).map(|block| block.text.as_str()).collect();
            Lang::detect(&texts.join("\n"))
        };
        // What a page says of its language is often the template's: the text counts for more.
        let lang = self.lang.or_else(seen).or_else(declared).or(self.fallback);
        let chunks = chunks(reading, lang);
        let entry = DocumentEntry {
            url: self.url,
            title: title(reading, name),
            lang: lang.map(|lang| lang.code().to_owned()),
            hash,
            source: self.source,
            meta: self.meta,
            chunks: chunks.len(),
            characters: chunks.iter().map(|chunk| chunk.text.chars().count()).sum(),
        };
        Prepared { entry, chunks: chunks.into_iter().map(|chunk| (chunk, None)).collect() }
    }
}

struct Run<'r> {
    knowledge: &'r Knowledge,
    options: &'r IngestOptions,
    reader: &'r Arc<dyn FileReader>,
    manifest: Manifest,
    /// The language of most of the collection, for documents that do not tell theirs.
    fallback: Option<Lang>,
    batch: Vec<Prepared>,
    failed_batches: usize,
    summary: Summary,
}

impl Run<'_> {
    fn fail(&mut self, place: &str, error: &KnowledgeError) {
        self.summary.failures.push(Failure { place: place.to_owned(), reason: error.without_paths() });
    }

    /// Reads one file or page, unless it is stored already.
    async fn take(&mut self, item: &Item, fetcher: &Fetcher) -> Result<(), KnowledgeError> {
        if item.url.len() > LONGEST_URL {
            let message = format!("its address is longer than {LONGEST_URL} bytes");
            return Err(KnowledgeError::Unreachable { place: item.url.clone(), message });
        }
        let loaded = item.load(fetcher, &self.options.limits).await?;
        // Everything that goes over all its bytes or words happens apart from the threads that serve others.
        let plan = Plan {
            lang: self.options.lang,
            fallback: self.fallback,
            meta: self.options.meta.clone(),
            url: item.url.clone(),
            source: item.source.clone(),
        };
        let (plan, loaded, hash) = apart(move || {
            let hash = plan.hash(&loaded.bytes);
            (plan, loaded, hash)
        })
        .await?;
        let known = self.knowledge.engine.document(&item.url).await?;
        if known.is_some_and(|known| known.hash == hash) {
            self.summary.unchanged += 1;
            return Ok(());
        }
        let (limits, reader) = (self.options.limits, Arc::clone(self.reader));
        let prepared = apart(move || {
            let name = loaded.hint.name.clone().unwrap_or_default();
            let reading = reader.read_text(loaded.bytes, loaded.hint, limits)?;
            Ok::<_, KnowledgeError>(plan.prepared(&reading, &name, hash))
        });
        self.batch.push(prepared.await??);
        Ok(())
    }

    /// Embeds and commits what was read. If the embedder fails, the old versions stay.
    async fn store(&mut self) -> Result<(), KnowledgeError> {
        let mut documents = std::mem::take(&mut self.batch);
        if documents.is_empty() {
            return Ok(());
        }
        match self.embed(&mut documents).await {
            Ok(()) => self.failed_batches = 0,
            Err(error) => {
                for document in &documents {
                    self.fail(&document.entry.url, &error);
                }
                self.failed_batches += 1;
                if self.failed_batches >= PATIENCE || !error.retryable() {
                    self.summary.stopped = Some(error.to_string());
                }
                return Ok(());
            }
        }
        let chunks: usize = documents.iter().map(|document| document.chunks.len()).sum();
        let count = documents.len();
        self.knowledge.engine.replace(documents, &self.manifest).await?;
        self.summary.stored += count;
        self.summary.chunks += chunks;
        Ok(())
    }

    /// Equal text is embedded once, and not at all if the index has it.
    async fn embed(&mut self, documents: &mut [Prepared]) -> Result<(), KnowledgeError> {
        let Some(embedder) = &self.knowledge.embedder else { return Ok(()) };
        let mut texts: BTreeMap<String, String> = BTreeMap::new();
        for document in documents.iter() {
            for (chunk, _) in &document.chunks {
                texts.insert(chunk.hash(&document.entry.title), chunk.embedded(&document.entry.title));
            }
        }
        let hashes: Vec<String> = texts.keys().cloned().collect();
        let mut vectors = self.knowledge.engine.vectors(&hashes).await?;
        self.summary.reused += vectors.len();
        texts.retain(|hash, _| !vectors.contains_key(hash));
        let (missing, wanted): (Vec<String>, Vec<String>) = texts.into_iter().unzip();
        let made = embedder.embed_passages(&wanted).await?;
        self.summary.embedded += made.len();
        vectors.extend(missing.into_iter().zip(made));
        for document in documents {
            for (chunk, vector) in &mut document.chunks {
                *vector = vectors.get(&chunk.hash(&document.entry.title)).cloned();
            }
        }
        Ok(())
    }

    async fn prune(&mut self, whole: &[String], seen: &HashSet<String>) -> Result<(), KnowledgeError> {
        let entries = self.knowledge.engine.documents().await?;
        let gone = |entry: &DocumentEntry| whole.contains(&entry.source) && !seen.contains(&entry.url);
        let urls: Vec<String> = entries.into_iter().filter(gone).map(|entry| entry.url).collect();
        if !urls.is_empty() {
            self.knowledge.engine.remove(&urls).await?;
            self.summary.removed = urls.len();
        }
        Ok(())
    }
}

/// The title a document gives itself, its first heading, or the name of its file.
fn title(reading: &Reading, name: &str) -> String {
    let heading = reading.blocks.iter().find(|block| matches!(block.kind, BlockKind::Heading(_)));
    let file = name.rsplit('/').find(|part| !part.is_empty()).unwrap_or(name);
    let file = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let own = reading.title.as_deref().map(str::trim).filter(|title| !title.is_empty());
    let found = own.or_else(|| heading.map(|block| block.text.as_str())).unwrap_or(file);
    let title: String = found.chars().take(300).collect();
    if title.trim().is_empty() { "Untitled".to_owned() } else { title }
}

pub(crate) fn hint(name: &str, media_type: Option<String>) -> Hint {
    Hint { name: Some(name.to_owned()), media_type }
}
