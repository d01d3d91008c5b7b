//! `tata ingest`, `tata docs`, `tata search` and `tata eval retrieval`.

use std::{
    cell::Cell,
    collections::BTreeMap,
    io::Write,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use anyhow::Context;
use serde_json::json;
use tata_core::{Actor, NewAudit, Store, StoreError};
use tata_document::FileReader;
use tata_knowledge::{
    Embedded, Evaluation, FetchRules, Filter, IngestOptions, Knowledge, KnowledgeError, Progress,
    RetrievalSettings, SearchAnswer, SearchRequest, Source, Summary, Units, evaluate, extractive, ingest,
    load_corpus, reindex,
};

use crate::{
    cli::{Collection, DEFAULT_TENANT, DocsAction, EvalRetrieval, Ingest, Search},
    config::{Config, Origin},
    error::{NoDocument, UsageError},
    exit::Exit,
    pending::{ChangeKind, PendingChange},
    private,
    readers::Series,
    terminal::{BOLD, DIM, GOOD, NOTE, Terminal},
    uploads, wiring,
};

/// How often the progress is told.
const TOLD_EVERY: Duration = Duration::from_millis(200);

fn open(config: &Config, place: &Collection) -> anyhow::Result<Knowledge> {
    let settings =
        RetrievalSettings { collection_name: place.collection.clone(), ..RetrievalSettings::default() };
    settings.check().map_err(|error| UsageError(error.to_string()))?;
    private::mend(&config.data_dir.join("documents"));
    wiring::knowledge(config, settings, (Origin::Person, "--collection"), place.company.as_deref())
}

/// `tata ingest`.
pub(super) async fn ingest_sources(
    wish: Ingest,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let knowledge = open(config, &wish.place)?;
    // What cannot be written down is not done.
    let store = wiring::open_store(config).await?;
    let sources: Vec<Source> = wish.sources.iter().map(|source| Source::parse(source)).collect();
    let options = IngestOptions {
        lang: wish.lang,
        meta: wish.meta.into_iter().collect(),
        prune: wish.prune,
        fetch: FetchRules { allow_private: wish.allow_private, ..FetchRules::default() },
        ..IngestOptions::default()
    };
    let bar = Bar { terminal, told: Mutex::new(Cell::new(Instant::now())) };
    let reader: Arc<dyn FileReader> = Arc::new(Series::default());
    let summary = ingest(&knowledge, &sources, &options, &reader, &|progress| bar.tell(progress)).await?;
    if summary.stored + summary.removed > 0 {
        let detail = format!("{} stored, {} removed", summary.stored, summary.removed);
        let subject = wish.place.collection.clone();
        audit(store.as_ref(), config, &wish.place, "documents.ingested", subject, detail).await?;
    }
    wiring::leave(store.as_ref()).await;
    if wish.json {
        writeln!(terminal.out(), "{:#}", serde_json::to_value(&summary)?)?;
    } else {
        show_summary(&summary, terminal)?;
    }
    let failed = summary.stopped.is_some() || (wish.strict && !summary.failures.is_empty());
    let nothing = summary.stored + summary.unchanged == 0 && !summary.failures.is_empty();
    Ok(if failed || nothing { Exit::Failed } else { Exit::Done })
}

/// Writes that somebody changed a collection from the command line, for the admins of its company.
async fn audit(
    store: &dyn Store,
    config: &Config,
    place: &Collection,
    action: &str,
    subject: String,
    detail: String,
) -> Result<(), StoreError> {
    let entry = NewAudit {
        at: config.clock.now(),
        actor: "command line".to_owned(),
        account: None,
        tenant: Some(place.company.clone().unwrap_or_else(|| DEFAULT_TENANT.to_owned())),
        action: action.to_owned(),
        subject,
        detail,
    };
    store.record_audit(entry).await.map(drop)
}

/// Takes documents out, with the files that were brought to a server. Written down before: a server ends what is cut off.
async fn remove(
    knowledge: &Knowledge,
    store: &dyn Store,
    config: &Config,
    place: &Collection,
    urls: &[String],
) -> anyhow::Result<()> {
    let folder = uploads::folder(config, place.company.as_deref());
    let company = place.company.as_deref().unwrap_or(DEFAULT_TENANT);
    // What an earlier command began and did not end is ended here: one removal is told once.
    let mut left = PendingChange::left(&folder).unwrap_or_default();
    let mut changes = Vec::new();
    for url in urls {
        let begun = left.iter().position(|left| left.kind == ChangeKind::Removal && left.url == *url);
        if let Some(begun) = begun {
            changes.push(left.swap_remove(begun));
            continue;
        }
        let (by, at) = (Actor::from("command line"), config.clock.now());
        let change = PendingChange::new(ChangeKind::Removal, url.clone(), by, at, company);
        changes.push(change.begin(&folder)?);
    }
    if let Err(error) = knowledge.engine().remove(urls).await {
        changes.into_iter().for_each(PendingChange::forget);
        return Err(error.into());
    }
    for url in urls {
        uploads::remove(&folder, url).with_context(|| format!("the file of {url} stays"))?;
    }
    knowledge.engine().finish().await?;
    for change in changes {
        change.done(store).await?;
    }
    Ok(())
}

/// Lines on standard error, not too many of them.
struct Bar<'t> {
    terminal: &'t Terminal,
    told: Mutex<Cell<Instant>>,
}

impl Bar<'_> {
    fn tell(&self, progress: &Progress) {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let last = progress.done == progress.total;
        if !self.terminal.is_watched() || !(last || told.get().elapsed() >= TOLD_EVERY) {
            return;
        }
        told.set(Instant::now());
        let Progress { done, total, chunks, failures, elapsed } = progress;
        #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
        let rate = *done as f64 / elapsed.as_secs_f64().max(0.001);
        let failed = if *failures > 0 { format!(", {failures} failed") } else { String::new() };
        let share = done * 20 / (*total).max(1);
        let bar: String = (0..20).map(|at| if at < share { '█' } else { '░' }).collect();
        self.terminal.note(&format!(
            "{DIM}{bar} {done} of {total} files, {chunks} chunks, {rate:.0}/s{failed}{DIM:#}"
        ));
    }
}

fn show_summary(summary: &Summary, terminal: &Terminal) -> anyhow::Result<()> {
    let mut out = terminal.out();
    writeln!(
        out,
        "{BOLD}{} documents stored{BOLD:#} in {} chunks, {} unchanged, {} removed, {:.1} s",
        summary.stored, summary.chunks, summary.unchanged, summary.removed, summary.seconds
    )?;
    for note in &summary.notes {
        writeln!(out, "{DIM}{note}{DIM:#}")?;
    }
    for failure in &summary.failures {
        writeln!(out, "{NOTE}not stored:{NOTE:#} {}: {}", failure.place, failure.reason)?;
    }
    if let Some(reason) = &summary.stopped {
        writeln!(out, "{NOTE}stopped:{NOTE:#} {reason}. The same command goes on where it stopped.")?;
    }
    Ok(())
}

/// `tata docs`.
pub(super) async fn docs(action: DocsAction, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    match action {
        DocsAction::List { place, json } => {
            let entries = open(config, &place)?.engine().documents().await?;
            if json {
                writeln!(out, "{:#}", json!({ "documents": entries }))?;
                return Ok(Exit::Done);
            }
            for entry in &entries {
                let lang = entry.lang.as_deref().unwrap_or("--");
                writeln!(
                    out,
                    "{lang}  {BOLD}{}{BOLD:#}  {DIM}{} chunks{DIM:#}  {}",
                    entry.title, entry.chunks, entry.url
                )?;
            }
            writeln!(out, "{} documents", entries.len())?;
        }
        DocsAction::Show { url, place, json } => {
            let knowledge = open(config, &place)?;
            let Some(entry) = knowledge.document(&url).await? else {
                return Err(NoDocument(url).into());
            };
            let chunks: Vec<_> =
                knowledge.engine().chunks(&entry.url).await?.into_iter().map(|(chunk, _)| chunk).collect();
            if json {
                writeln!(out, "{:#}", json!({ "document": entry, "chunks": chunks }))?;
            } else {
                drop(out);
                let text: String = chunks.iter().map(|chunk| chunk.text.as_str()).collect();
                terminal.say(&format!("{text}\n"))?;
            }
        }
        DocsAction::Delete { urls, place } => {
            let knowledge = open(config, &place)?;
            let mut known = Vec::new();
            for url in urls {
                match knowledge.document(&url).await? {
                    Some(entry) => known.push(entry.url),
                    None => return Err(NoDocument(url).into()),
                }
            }
            let store = wiring::open_store(config).await?;
            remove(&knowledge, store.as_ref(), config, &place, &known).await?;
            wiring::leave(store.as_ref()).await;
            writeln!(out, "{} documents removed", known.len())?;
        }
        DocsAction::Reindex { place, json } => {
            let summary = reindex(&open(config, &place)?).await?;
            if json {
                writeln!(out, "{:#}", serde_json::to_value(&summary)?)?;
            } else {
                show_summary(&summary, terminal)?;
            }
        }
        DocsAction::Stats { place, json } => {
            let knowledge = open(config, &place)?;
            let (stats, manifest) = (knowledge.engine().stats().await?, knowledge.engine().manifest().await?);
            let languages: BTreeMap<&str, u64> = knowledge
                .engine()
                .languages()
                .await?
                .into_iter()
                .map(|(lang, count)| (lang.map_or("unknown", tata_knowledge::Lang::code), count))
                .collect();
            if json {
                writeln!(
                    out,
                    "{:#}",
                    json!({ "stats": stats, "manifest": manifest, "languages": languages })
                )?;
            } else {
                writeln!(
                    out,
                    "{} documents, {} chunks, {} vectors",
                    stats.documents, stats.chunks, stats.vectors
                )?;
                for (lang, count) in languages {
                    writeln!(out, "{lang:>8}  {count} chunks")?;
                }
                if let Some(bytes) = stats.bytes {
                    writeln!(out, "{bytes} bytes on disk")?;
                }
            }
        }
    }
    Ok(Exit::Done)
}

/// `tata search`.
pub(super) async fn search(wish: Search, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let knowledge = open(config, &wish.place)?;
    let mut filter = Filter::new();
    for (key, value) in wish.filter {
        filter.entry(key).or_default().push(value);
    }
    let request = SearchRequest {
        query: wish.query,
        top_k: wish.top_k,
        threshold: wish.threshold,
        filter,
        lang: wish.lang,
        per_url: None,
    };
    let found = knowledge.search(&request).await;
    if wish.json {
        writeln!(terminal.out(), "{:#}", serde_json::to_value(&found)?)?;
    } else {
        show_found(&found, terminal)?;
    }
    Ok(match (&found.error, found.total) {
        (Some(error), _) if error.kind == "no_index" => Exit::NotFound,
        (Some(_), _) => Exit::Failed,
        (None, 0) => Exit::NotFound,
        (None, _) => Exit::Done,
    })
}

fn show_found(found: &SearchAnswer, terminal: &Terminal) -> anyhow::Result<()> {
    let mut out = terminal.out();
    let answer = extractive(found);
    writeln!(out, "{}", answer.text)?;
    for note in &found.notes {
        writeln!(out, "{DIM}{note}{DIM:#}")?;
    }
    for (at, result) in found.results.iter().enumerate() {
        let place = result.headings.join(" › ");
        let page = result.page.map(|page| format!(", page {page}")).unwrap_or_default();
        writeln!(
            out,
            "\n{GOOD}[{}]{GOOD:#} {BOLD}{}{BOLD:#}  {DIM}{:.3}{DIM:#}",
            at + 1,
            result.title,
            result.score
        )?;
        writeln!(out, "    {DIM}{place}{page}{DIM:#}\n    {}", result.url)?;
        writeln!(out, "    {}", result.text.split_whitespace().collect::<Vec<_>>().join(" "))?;
    }
    Ok(())
}

/// `tata eval retrieval`.
pub(super) async fn eval(wish: EvalRetrieval, terminal: &Terminal) -> anyhow::Result<Exit> {
    let folder = std::env::temp_dir().join(format!("tata-eval-{}", std::process::id()));
    let engine = Arc::new(Embedded::new(&folder));
    let units = if wish.chunks { Units::Chunks } else { Units::Passages };
    let measured = async {
        load_corpus(&wish.folder, wish.lang, units, &*engine).await?;
        evaluate(&wish.folder, wish.lang, &*engine).await
    };
    let measured: Result<Evaluation, KnowledgeError> = measured.await;
    // Whatever came of it, the index is of no use any more.
    let _ = std::fs::remove_dir_all(&folder);
    let found = measured?;
    let mut out = terminal.out();
    if wish.json {
        writeln!(out, "{:#}", serde_json::to_value(&found)?)?;
        return Ok(Exit::Done);
    }
    writeln!(
        out,
        "{BOLD}nDCG@10 {:.4}  recall@10 {:.4}{BOLD:#}  {} questions over {} documents",
        found.ndcg_at_10, found.recall_at_10, found.queries, found.documents
    )?;
    for one in found.per_query.iter().filter(|one| wish.mistakes && !one.correct) {
        writeln!(
            out,
            "{}  nDCG {:.3}  score {:.3}  {}",
            one.query_id,
            one.ndcg,
            one.score,
            one.found.join(" ")
        )?;
    }
    Ok(Exit::Done)
}
