//! Retrieval on the shared sets, when they are there: the bars of the embedded engine without any model.

use std::path::{Path, PathBuf};

use tata_knowledge::{Embedded, Evaluation, Units, evaluate, load_corpus};

/// The shared sets lie beside the project; a clone has none.
fn set(name: &str) -> Option<PathBuf> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3)?.join("shared/data/retrieval").join(name);
    if folder.join("corpus.jsonl").is_file() {
        return Some(folder);
    }
    println!("SKIPPED: there is no retrieval set {name} at {}; quality was NOT measured", folder.display());
    None
}

async fn measured(name: &str, units: Units) -> Option<Evaluation> {
    let folder = set(name)?;
    let index = tempfile::tempdir().unwrap();
    let engine = Embedded::new(index.path());
    load_corpus(&folder, None, units, &engine).await.unwrap();
    let found = evaluate(&folder, None, &engine).await.unwrap();
    println!("{name}, {units:?}: nDCG@10 {:.4}, recall@10 {:.4}", found.ndcg_at_10, found.recall_at_10);
    Some(found)
}

/// With three decimals, as the bars are written.
fn rounded(share: f64) -> f64 {
    (share * 1000.0).round() / 1000.0
}

#[tokio::test]
async fn english_passages_are_found() {
    if let Some(found) = measured("xquad-en", Units::Passages).await {
        assert!(
            rounded(found.ndcg_at_10) >= 0.968 && rounded(found.recall_at_10) >= 0.994,
            "{}",
            found.ndcg_at_10
        );
    }
}

#[tokio::test]
async fn norwegian_passages_are_found() {
    if let Some(found) = measured("norquad", Units::Passages).await {
        assert!(
            rounded(found.ndcg_at_10) >= 0.930 && rounded(found.recall_at_10) >= 0.979,
            "{}",
            found.ndcg_at_10
        );
    }
}

/// Cut as ingestion cuts them, passages are found nearly as well: an answer comes from one chunk of a passage.
#[tokio::test]
async fn chunks_of_passages_are_found() {
    for (name, ndcg, recall) in [("xquad-en", 0.965, 0.99), ("norquad", 0.915, 0.97)] {
        if let Some(found) = measured(name, Units::Chunks).await {
            assert!(found.ndcg_at_10 >= ndcg && found.recall_at_10 >= recall, "{name}: {}", found.ndcg_at_10);
        }
    }
}

/// At 0.3, 97 % of correct best hits are kept and at most 10 % of the questions of the other set are answered.
#[tokio::test]
async fn the_threshold_parts_answers_from_noise() {
    for (name, other) in [("xquad-en", "norquad"), ("norquad", "xquad-en")] {
        let (Some(folder), Some(other)) = (set(name), set(other)) else { return };
        let index = tempfile::tempdir().unwrap();
        let engine = Embedded::new(index.path());
        load_corpus(&folder, None, Units::Chunks, &engine).await.unwrap();
        let own = evaluate(&folder, None, &engine).await.unwrap();
        let correct: Vec<_> = own.per_query.iter().filter(|measured| measured.correct).collect();
        let kept = correct.iter().filter(|measured| measured.score >= 0.3).count();
        let off = evaluate(&other, None, &engine).await.unwrap();
        let passed = off.per_query.iter().filter(|measured| measured.score >= 0.3).count();
        println!("{name}: kept {kept} of {}, off-topic passed {passed} of {}", correct.len(), off.queries);
        assert!(kept * 100 >= correct.len() * 97, "{name}: {kept} of {}", correct.len());
        assert!(passed * 10 <= off.queries, "{name}: {passed} of {}", off.queries);
    }
}
