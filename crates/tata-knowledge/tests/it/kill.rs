//! `kill -9` while it ingests: the index answers, nothing is there twice, no document is half old and half new.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    thread,
    time::Duration,
};

use tata_knowledge::{Embedded, Engine, IngestOptions, SearchRequest, Source, ingest};

use crate::world::{here, knowledge, variable};

const FILES: usize = 40;
const KILLS: usize = 20;
const FOLDER: &str = "TATA_KILL_FOLDER";

fn write(docs: &Path, version: usize) {
    for file in 0..FILES {
        let line =
            |at: usize| format!("Sentence {at} of file {file} is in version{version} as it should be.\n\n");
        let text: String = (0..60).map(line).collect();
        fs::write(docs.join(format!("f{file}.md")), text).unwrap();
    }
}

async fn run(folder: &Path) {
    let engine = Arc::new(Embedded::new(folder.join("index")));
    let options = IngestOptions { batch: 8, ..IngestOptions::default() };
    let summary =
        ingest(&knowledge(engine), &[Source::Path(folder.join("docs"))], &options, &here(), &|_| {})
            .await
            .unwrap();
    assert_eq!(summary.failures, []);
}

/// Every document is whole and of one version; gives how many there are.
async fn judge(folder: &Path) -> usize {
    let engine = Arc::new(Embedded::new(folder.join("index")));
    let entries = engine.documents().await.unwrap();
    for entry in &entries {
        let chunks = engine.chunks(&entry.url).await.unwrap();
        assert_eq!(chunks.len(), entry.chunks, "{}: every chunk once", entry.url);
        let whole: String = chunks.iter().map(|(chunk, _)| chunk.text.as_str()).collect();
        assert_eq!(whole.chars().count(), entry.characters);
        let versions: Vec<&str> =
            whole.split_whitespace().filter(|word| word.starts_with("version")).collect();
        assert_eq!(versions.len(), 60);
        assert!(versions.iter().all(|version| *version == versions[0]), "{}: {versions:?}", entry.url);
    }
    if !entries.is_empty() {
        let query = "Which sentence of the file is as it should be?".to_owned();
        let found = knowledge(engine)
            .search(&SearchRequest { query, threshold: Some(0.0), ..Default::default() })
            .await;
        assert!(found.total > 0 && found.error.is_none(), "{found:?}");
    }
    entries.len()
}

#[test]
#[ignore = "the child that is killed; started by the test below"]
fn child() {
    let Some(folder) = variable(FOLDER) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(run(&PathBuf::from(folder)));
}

#[tokio::test]
async fn a_killed_ingest_leaves_whole_documents_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let docs = folder.path().join("docs");
    fs::create_dir_all(&docs).unwrap();
    let mut interrupted = 0;
    for round in 0..KILLS {
        write(&docs, round);
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::child", "--ignored", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        thread::sleep(Duration::from_millis(fastrand::u64(50..2_500)));
        child.kill().unwrap();
        interrupted += usize::from(!child.wait().unwrap().success());
        println!("round {round}: {} documents", judge(folder.path()).await);
    }
    println!("{interrupted} of {KILLS} runs were killed before their end");
    assert!(interrupted > 0, "no run was killed: the moments are too late");
    run(folder.path()).await;
    assert_eq!(judge(folder.path()).await, FILES);
    let engine = Embedded::new(folder.path().join("index"));
    for entry in engine.documents().await.unwrap() {
        let chunks = engine.chunks(&entry.url).await.unwrap();
        assert!(chunks[0].0.text.contains(&format!("version{}", KILLS - 1)), "the run after it completes");
    }
}
