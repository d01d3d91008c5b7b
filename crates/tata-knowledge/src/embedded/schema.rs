//! The fields of the index, and a chunk as one of its rows.

use serde::{Deserialize, Serialize};
use tantivy::{
    TantivyDocument, Term,
    schema::{
        Field, IndexRecordOption, NumericOptions, OwnedValue, STRING, Schema, TextFieldIndexing, TextOptions,
        Value as _,
    },
};

use super::vectors;
use crate::{Chunk, DocumentEntry, KnowledgeError, Lang, analysis, document::hashed};

/// The fields. Everything that is shown lies in `record`; the others only find it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fields {
    /// The document and the chunk, as JSON.
    record: Field,
    /// The terms of the title, the headings and the text.
    pub(super) body: Field,
    pub(super) url: Field,
    pub(super) ordinal: Field,
    /// The hash of what was embedded.
    pub(super) hash: Field,
    /// `key=value` of the metadata and of the language.
    pub(super) facet: Field,
    /// A number for the document, so that hits of one can be counted without reading them.
    pub(super) source: Field,
    /// The vector in bytes of one number each, for the scan.
    vector: Field,
    /// The vector as it came.
    exact: Field,
}

/// What is stored of a chunk.
#[derive(Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) entry: DocumentEntry,
    pub(super) chunk: Chunk,
}

impl Record {
    /// Reads what a row holds.
    pub(super) fn read(text: Option<&str>) -> Result<Self, KnowledgeError> {
        let text = text.ok_or_else(|| KnowledgeError::store("a row of the index is empty"))?;
        serde_json::from_str(text)
            .map_err(|error| KnowledgeError::store(format!("a row of the index is damaged: {error}")))
    }
}

/// The same, to be written.
#[derive(Serialize)]
struct RecordRef<'r> {
    entry: &'r DocumentEntry,
    chunk: &'r Chunk,
}

impl Fields {
    pub(super) fn schema() -> (Schema, Self) {
        let mut schema = Schema::builder();
        let stored = TextOptions::default().set_stored();
        // The terms are found before: between them stand blanks and nothing else.
        let indexing = TextFieldIndexing::default()
            .set_tokenizer("whitespace")
            .set_index_option(IndexRecordOption::WithFreqs);
        let number = NumericOptions::default();
        let fields = Self {
            record: schema.add_text_field(RECORD, stored),
            body: schema.add_text_field("body", TextOptions::default().set_indexing_options(indexing)),
            url: schema.add_text_field("url", STRING),
            ordinal: schema.add_u64_field("ordinal", number.clone().set_indexed()),
            hash: schema.add_text_field("hash", STRING),
            facet: schema.add_text_field("facet", STRING),
            source: schema.add_u64_field(SOURCE, number.set_fast()),
            vector: schema.add_bytes_field(VECTOR, tantivy::schema::FAST),
            exact: schema.add_bytes_field("exact", tantivy::schema::STORED),
        };
        (schema.build(), fields)
    }

    pub(super) fn row(
        &self,
        lang: Option<Lang>,
        entry: &DocumentEntry,
        chunk: &Chunk,
        vector: Option<&[f32]>,
    ) -> TantivyDocument {
        let indexed = chunk.embedded(&entry.title);
        let mut row = TantivyDocument::new();
        let record = serde_json::to_string(&RecordRef { entry, chunk }).unwrap_or_default();
        row.add_text(self.record, record);
        let mut terms = String::with_capacity(indexed.len());
        analysis::each_term(lang, &indexed, |token| {
            terms.push_str(&token.text);
            terms.push(' ');
        });
        row.add_text(self.body, terms);
        row.add_text(self.url, &entry.url);
        row.add_u64(self.ordinal, u64::try_from(chunk.ordinal).unwrap_or(u64::MAX));
        row.add_text(self.hash, hashed(&[&indexed]));
        row.add_text(self.facet, facet("lang", entry.lang.as_deref().unwrap_or_default()));
        for (key, value) in &entry.meta {
            row.add_text(self.facet, facet(key, value));
        }
        row.add_u64(self.source, number_of(&entry.url));
        if let Some(vector) = vector {
            row.add_bytes(self.vector, &vectors::quantized(vector));
            let exact: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
            row.add_bytes(self.exact, &exact);
        }
        row
    }

    pub(super) fn record(&self, row: &TantivyDocument) -> Result<Record, KnowledgeError> {
        let text = row.get_first(self.record).and_then(|value| value.as_str().map(str::to_owned));
        Record::read(text.as_deref())
    }

    pub(super) fn exact(&self, row: &TantivyDocument) -> Option<Vec<f32>> {
        let value: OwnedValue = row.get_first(self.exact)?.into();
        let OwnedValue::Bytes(bytes) = value else { return None };
        Some(bytes.as_chunks::<4>().0.iter().map(|four| f32::from_le_bytes(*four)).collect())
    }

    pub(super) fn url_term(&self, url: &str) -> Term {
        Term::from_field_text(self.url, url)
    }

    pub(super) fn facet_term(&self, key: &str, value: &str) -> Term {
        if key == "url" {
            self.url_term(value)
        } else {
            Term::from_field_text(self.facet, &facet(key, value))
        }
    }
}

pub(super) const RECORD: &str = "record";
pub(super) const SOURCE: &str = "source";
pub(super) const VECTOR: &str = "vector";

fn facet(key: &str, value: &str) -> String {
    format!("{key}={value}")
}

/// A number that two documents hardly share; if they do, they are counted as one when hits are capped.
pub(super) fn number_of(url: &str) -> u64 {
    url.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
