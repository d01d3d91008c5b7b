//! Scores: from BM25 to 0..1, and two rankings to one.

use std::collections::HashMap;

use crate::Hit;

/// An index with fewer chunks than this is scored as if it had so many: in a handful of chunks no word is rare, and a
/// question with two words that are not there would find nothing.
pub(crate) const LEAST_CHUNKS: u64 = 100;

/// The idf of a term that is in `with` of `all` chunks.
#[expect(clippy::cast_precision_loss, reason = "counts of chunks are far below 2^24 where it matters")]
pub(crate) fn idf(with: u64, all: u64) -> f32 {
    let all = all.max(LEAST_CHUNKS);
    let with = with.min(all);
    (1.0 + ((all - with) as f32 + 0.5) / (with as f32 + 0.5)).ln()
}

/// A BM25 score as a number of 0..1: how much of the question's information the chunk carries. Half means that every
/// word stands in it about once. Monotone, so that the ranking stays.
pub(crate) fn calibrated(score: f32, information: f32) -> f32 {
    if score <= 0.0 || !score.is_finite() {
        0.0
    } else {
        (score / (score + information.max(f32::EPSILON))).min(1.0)
    }
}

/// How two rankings become one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fusion {
    /// By the distribution of the scores of each: a score counts as far as it stands out from its list.
    #[default]
    Dbsf,
    /// By ranks.
    Rrf,
}

/// The constant of reciprocal ranks, as in the paper.
const RRF_K: f32 = 60.0;

/// A hit of the fused ranking: the better of its two scores is reported, the fused one only ranks.
#[derive(Clone, Debug)]
pub(crate) struct Fused {
    pub(crate) hit: Hit,
    pub(crate) rank: f32,
}

/// Fuses two rankings whose scores are 0..1, the second with a weight.
pub(crate) fn fuse(method: Fusion, lexical: Vec<Hit>, dense: Vec<Hit>, weight: f32) -> Vec<Fused> {
    let mut fused: HashMap<(String, usize), Fused> = HashMap::new();
    for (hits, weight) in [(lexical, 1.0), (dense, weight)] {
        let marks = marks(method, &hits);
        for (hit, mark) in hits.into_iter().zip(marks) {
            let key = (hit.entry.url.clone(), hit.chunk.ordinal);
            let entry = fused.entry(key).or_insert_with(|| Fused { hit: hit.clone(), rank: 0.0 });
            entry.rank += mark * weight;
            entry.hit.score = entry.hit.score.max(hit.score);
        }
    }
    let mut fused: Vec<Fused> = fused.into_values().collect();
    fused.sort_by(|a, b| {
        let place = |fused: &Fused| (fused.hit.entry.url.clone(), fused.hit.chunk.ordinal);
        b.rank.total_cmp(&a.rank).then_with(|| place(a).cmp(&place(b)))
    });
    fused
}

#[expect(clippy::cast_precision_loss, reason = "lists of hits are short")]
fn marks(method: Fusion, hits: &[Hit]) -> Vec<f32> {
    match method {
        Fusion::Rrf => (0..hits.len()).map(|rank| 1.0 / (RRF_K + rank as f32 + 1.0)).collect(),
        Fusion::Dbsf => {
            let count = hits.len().max(1) as f32;
            let mean = hits.iter().map(|hit| hit.score).sum::<f32>() / count;
            let variance = hits.iter().map(|hit| (hit.score - mean).powi(2)).sum::<f32>() / count;
            let spread = variance.sqrt() * 3.0;
            // Alone or among equals a score says nothing about its list: it lies in the middle.
            let mark = |score: f32| if spread > 0.0 { (score - mean + spread) / (2.0 * spread) } else { 0.5 };
            hits.iter().map(|hit| mark(hit.score).clamp(0.0, 1.0)).collect()
        }
    }
}
