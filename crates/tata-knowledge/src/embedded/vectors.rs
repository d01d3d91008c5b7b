//! The dense scan: every vector is looked at, in one byte for each number; the best are scored again exactly.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use tantivy::{SegmentReader, index::SegmentId};

use super::schema::VECTOR;
use crate::KnowledgeError;

/// From here on two threads are faster than one.
const PARALLEL: usize = 20_000;

/// A vector of length 1 in bytes: its scale, then one signed byte for each number.
pub(super) fn quantized(vector: &[f32]) -> Vec<u8> {
    let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let largest = vector.iter().fold(0.0_f32, |most, value| most.max(value.abs()));
    let (length, largest) =
        (if length > 0.0 { length } else { 1.0 }, if largest > 0.0 { largest } else { 1.0 });
    let scale = largest / 127.0 / length;
    let mut bytes = Vec::with_capacity(vector.len() + 4);
    bytes.extend(scale.to_le_bytes());
    #[expect(clippy::cast_possible_truncation, reason = "within -127..=127 by the scale")]
    bytes.extend(vector.iter().map(|value| (value / largest * 127.0).round() as i8).map(i8::cast_unsigned));
    bytes
}

/// The vectors of one segment, which never changes.
pub(super) struct Matrix {
    dimensions: usize,
    scales: Vec<f32>,
    rows: Vec<i8>,
    /// The row of each document; `u32::MAX` for one without a vector.
    row_of: Vec<u32>,
}

impl Matrix {
    fn load(reader: &SegmentReader) -> Result<Self, KnowledgeError> {
        let mut matrix = Self { dimensions: 0, scales: Vec::new(), rows: Vec::new(), row_of: Vec::new() };
        let Some(column) = reader.fast_fields().bytes(VECTOR)? else { return Ok(matrix) };
        let damaged =
            |error: std::io::Error| KnowledgeError::store(format!("vectors cannot be read: {error}"));
        // In the order of the dictionary: equal vectors are there once.
        let mut stream = column.dictionary().stream().map_err(damaged)?;
        while stream.advance() {
            let (scale, row) = stream.key().split_at_checked(4).unwrap_or_default();
            if matrix.dimensions == 0 {
                matrix.dimensions = row.len();
                matrix.rows.reserve(row.len() * column.num_terms());
            }
            let Ok(scale) = <[u8; 4]>::try_from(scale) else {
                return Err(KnowledgeError::store("a vector of the index is damaged"));
            };
            matrix.scales.push(f32::from_le_bytes(scale));
            let row = row.iter().map(|byte| byte.cast_signed()).chain(std::iter::repeat(0));
            matrix.rows.extend(row.take(matrix.dimensions));
        }
        let row = |doc| column.ords().first(doc).and_then(|row| u32::try_from(row).ok()).unwrap_or(u32::MAX);
        matrix.row_of = (0..reader.max_doc()).map(row).collect();
        Ok(matrix)
    }

    /// The approximate cosine of every row.
    fn scan(&self, query: &[i8], scale: f32) -> Vec<f32> {
        let count = self.scales.len();
        let mut scores = vec![0.0; count];
        let half = if count > PARALLEL { count / 2 } else { count };
        let (first, second) = scores.split_at_mut(half);
        let score = |scores: &mut [f32], from: usize| {
            let rows =
                self.rows.get(from * self.dimensions..).unwrap_or_default().chunks_exact(self.dimensions);
            let scales = self.scales.get(from..).unwrap_or_default();
            for ((place, row), own) in scores.iter_mut().zip(rows).zip(scales) {
                *place = dot(row, query) * own * scale;
            }
        };
        if second.is_empty() {
            score(first, 0);
        } else {
            thread::scope(|scope| {
                scope.spawn(|| score(second, half));
                score(first, 0);
            });
        }
        scores
    }

    /// The best documents among those that may be shown, in no order.
    pub(super) fn best(
        &self,
        vector: &[f32],
        limit: usize,
        allowed: impl Fn(u32) -> bool,
    ) -> Vec<(f32, u32)> {
        if self.dimensions == 0 || self.dimensions != vector.len() {
            return Vec::new();
        }
        let bytes = quantized(vector);
        let (scale, query) = bytes.split_at_checked(4).unwrap_or_default();
        let scale = <[u8; 4]>::try_from(scale).map_or(0.0, f32::from_le_bytes);
        let query: Vec<i8> = query.iter().map(|byte| byte.cast_signed()).collect();
        let scores = self.scan(&query, scale);
        let mut found: Vec<(f32, u32)> = Vec::new();
        for (doc, row) in (0_u32..).zip(&self.row_of) {
            let score = usize::try_from(*row).ok().and_then(|row| scores.get(row));
            if let Some(score) = score.filter(|_| allowed(doc)) {
                found.push((*score, doc));
            }
        }
        if found.len() > limit {
            found.select_nth_unstable_by(limit, |a, b| b.0.total_cmp(&a.0));
            found.truncate(limit);
        }
        found
    }

    pub(super) fn count(&self) -> usize {
        self.row_of.iter().filter(|row| **row != u32::MAX).count()
    }
}

/// The compiler makes SIMD of it: sums of products of 32 bits, in steps of 32 numbers.
fn dot(a: &[i8], b: &[i8]) -> f32 {
    let (a_steps, a_rest) = a.as_chunks::<32>();
    let (b_steps, b_rest) = b.as_chunks::<32>();
    let mut sum = 0_i32;
    for (a, b) in a_steps.iter().zip(b_steps) {
        let mut step = 0_i32;
        for (a, b) in a.iter().zip(b) {
            step += i32::from(i16::from(*a) * i16::from(*b));
        }
        sum += step;
    }
    for (a, b) in a_rest.iter().zip(b_rest) {
        sum += i32::from(*a) * i32::from(*b);
    }
    #[expect(clippy::cast_precision_loss, reason = "a score needs no more than 24 bits")]
    let sum = sum as f32;
    sum
}

/// The cosine of two vectors; 0 where one has no length.
pub(super) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot: f32 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let length = |v: &[f32]| v.iter().map(|value| value * value).sum::<f32>().sqrt();
    let product = length(a) * length(b);
    if product > 0.0 { dot / product } else { 0.0 }
}

/// The matrices of the segments in use.
#[derive(Default)]
pub(super) struct Matrices {
    known: Mutex<HashMap<SegmentId, Arc<Matrix>>>,
}

impl Matrices {
    pub(super) fn of(&self, reader: &SegmentReader) -> Result<Arc<Matrix>, KnowledgeError> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(matrix) = known.get(&reader.segment_id()) {
            return Ok(Arc::clone(matrix));
        }
        let matrix = Arc::new(Matrix::load(reader)?);
        known.insert(reader.segment_id(), Arc::clone(&matrix));
        Ok(matrix)
    }

    /// Forgets segments that were merged away.
    pub(super) fn keep(&self, used: &[SegmentReader]) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|id, _| used.iter().any(|reader| reader.segment_id() == *id));
    }
}
