//! What an index costs and how it grows: 1,000, 10,000 and 100,000 generated chunks, by words, by meaning, both, filtered.
//!
//!     cargo bench -p tata-knowledge            1k and 10k
//!     cargo bench -p tata-knowledge -- 100000  one size of your choice
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints and may fail"
)]

use std::{
    collections::BTreeMap,
    fs,
    time::{Duration, Instant},
};

use tata_knowledge::{
    Chunk, DocumentEntry, Embedded, EmbedderId, Engine, Filter, Lang, LexicalQuery, Manifest, Prepared,
    Scope, lexical_query,
};

const DIMENSIONS: usize = 384;
const CHUNKS_OF_A_DOCUMENT: usize = 10;
const QUERIES: usize = 200;

fn main() {
    // Questions are asked by a process of their own: what writing left in memory is not theirs.
    let mut arguments = std::env::args().skip_while(|argument| argument != "--ask").skip(1);
    if let (Some(folder), Some(size), Some(rate)) = (arguments.next(), arguments.next(), arguments.next()) {
        let dense = arguments.next().is_some_and(|dense| dense == "true");
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(ask(folder.as_ref(), size.parse().unwrap(), rate.parse().unwrap(), dense));
        return;
    }
    let asked: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if asked.is_empty() { vec![1_000, 10_000] } else { asked };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    println!(
        "chunks  vectors  ingest/s  bytes/chunk  open ms  RSS MB (files)  query                p50 ms   p99 ms"
    );
    for size in sizes {
        for dense in [false, true] {
            runtime.block_on(measure(size, dense));
        }
    }
}

async fn measure(size: usize, dense: bool) {
    let folder = tempfile::tempdir().unwrap();
    let words = vocabulary();
    let embedder = dense.then(|| EmbedderId { model: "bench".into(), dimensions: DIMENSIONS });
    let manifest = Manifest::current(embedder);
    let documents: Vec<Prepared> =
        (0..size / CHUNKS_OF_A_DOCUMENT).map(|at| document(at, &words, dense)).collect();
    let engine = Embedded::new(folder.path());
    let begun = Instant::now();
    for batch in documents.chunks(500) {
        engine.replace(batch.to_vec(), &manifest).await.unwrap();
    }
    engine.finish().await.unwrap();
    let rate = size as f64 / begun.elapsed().as_secs_f64();
    drop((engine, documents));
    let asking = std::process::Command::new(std::env::current_exe().unwrap())
        .arg("--ask")
        .arg(folder.path())
        .args([size.to_string(), rate.to_string(), dense.to_string()])
        .status();
    assert!(asking.unwrap().success());
}

async fn ask(folder: &std::path::Path, size: usize, rate: f64, dense: bool) {
    let words = vocabulary();
    let files = fs::read_dir(folder).unwrap().flatten();
    let bytes: u64 = files.map(|file| file.metadata().unwrap().len()).sum();

    let begun = Instant::now();
    let engine = Embedded::new(folder);
    engine.manifest().await.unwrap();
    let languages = engine.languages().await.unwrap();
    let open = begun.elapsed();

    let questions: Vec<LexicalQuery> =
        (0..QUERIES).map(|_| lexical_query(&sentence(&words, 7), Lang::find("en"), &languages)).collect();
    let open_scope = Scope { limit: 20, per_url: 3, ..Scope::default() };
    let filter = Filter::from([("part".to_owned(), vec!["3".to_owned()])]);
    let filtered = Scope { filter, ..open_scope.clone() };
    let mut kinds: Vec<(&str, Vec<Duration>)> = Vec::new();
    for (name, scope) in [("words", &open_scope), ("words, filtered", &filtered)] {
        let mut times = Vec::new();
        for question in &questions {
            let begun = Instant::now();
            engine.lexical(question, scope).await.unwrap();
            times.push(begun.elapsed());
        }
        kinds.push((name, times));
    }
    if dense {
        let first = Instant::now();
        engine.dense(&vector(), &open_scope).await.unwrap();
        println!(
            "        the first search by meaning, which loads the vectors: {:.0} ms",
            millis(first.elapsed())
        );
        for (name, scope) in [("meaning", &open_scope), ("meaning, filtered", &filtered)] {
            let mut times = Vec::new();
            for _ in 0..QUERIES / 2 {
                let vector = vector();
                let begun = Instant::now();
                engine.dense(&vector, scope).await.unwrap();
                times.push(begun.elapsed());
            }
            kinds.push((name, times));
        }
        let mut times = Vec::new();
        for question in questions.iter().take(QUERIES / 2) {
            let vector = vector();
            let begun = Instant::now();
            engine.lexical(question, &open_scope).await.unwrap();
            engine.dense(&vector, &open_scope).await.unwrap();
            times.push(begun.elapsed());
        }
        kinds.push(("both", times));
    }
    for (name, mut times) in kinds {
        times.sort();
        let at = |share: usize| millis(times[(times.len() - 1) * share / 100]);
        println!(
            "{size:>6}  {dense:>7}  {rate:>8.0}  {:>11}  {:>7.1}  {:>6} {:>7}  {name:<18}  {:>7.2}  {:>7.2}",
            bytes / size as u64,
            millis(open),
            resident("VmRSS:"),
            format!("({})", resident("RssFile:")),
            at(50),
            at(99),
        );
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Megabytes of this process in memory; those of files are the system's to take back.
fn resident(which: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with(which)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kilobytes| kilobytes.parse::<u64>().ok()).unwrap_or(0) / 1024
}

/// Words whose frequencies fall as those of a language do; the most frequent are those that say nothing.
fn vocabulary() -> Vec<String> {
    fastrand::seed(7);
    let small = SMALL.split(' ').map(str::to_owned);
    small
        .chain((0..30_000).map(|_| (0..fastrand::usize(3..11)).map(|_| fastrand::lowercase()).collect()))
        .collect()
}

/// English, by how often they stand in a text.
const SMALL: &str = "the of and to a in is that for it as with be on by at are this not but or they an will there if no into then such these their was";

fn sentence(words: &[String], count: usize) -> String {
    let pick = || {
        let place = (words.len() as f64).powf(fastrand::f64()) - 1.0;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within the list")]
        words[place as usize].as_str()
    };
    (0..count).map(|_| pick()).collect::<Vec<_>>().join(" ")
}

fn vector() -> Vec<f32> {
    (0..DIMENSIONS).map(|_| fastrand::f32() - 0.5).collect()
}

fn document(at: usize, words: &[String], dense: bool) -> Prepared {
    let mut start = 0;
    let chunks: Vec<(Chunk, Option<Vec<f32>>)> = (0..CHUNKS_OF_A_DOCUMENT)
        .map(|ordinal| {
            let text = sentence(words, 180) + "\n\n";
            let chunk = Chunk { ordinal, start, headings: vec![sentence(words, 3)], page: None, text };
            start += chunk.text.chars().count();
            (chunk, dense.then(vector))
        })
        .collect();
    let entry = DocumentEntry {
        url: format!("https://example.com/{at}"),
        title: sentence(words, 4),
        lang: Some("en".into()),
        hash: at.to_string(),
        source: "bench".into(),
        meta: BTreeMap::from([("part".to_owned(), (at % 10).to_string())]),
        chunks: chunks.len(),
        characters: start,
    };
    Prepared { entry, chunks }
}
