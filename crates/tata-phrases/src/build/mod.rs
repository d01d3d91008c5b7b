//! Reads lists, and makes patterns and words into the tables that [`crate::Matcher`], [`crate::Cues`] and [`crate::Trie`] read.

mod byte_writer;
mod cues;
pub(crate) mod graph;
mod list;
mod pattern;
mod plain;
mod rust;
mod script;
mod tables;
mod transitions;
mod trie;

pub use cues::cues;
pub use graph::Meaning;
pub use list::{List, Section};
pub use plain::{plain_files, plain_languages};
pub use rust::{LANGUAGES, by_language, entries, sections, variant};
pub use script::{Output, files, script, text};

use crate::words::Style;

/// The tables of patterns; each has an id. A pattern that cannot be read is named.
pub fn phrases<'a>(patterns: impl IntoIterator<Item = (usize, Meaning, &'a str)>) -> Result<Vec<u8>, String> {
    tables::write(&graph::Graph::new(patterns, Style::Prose)?, false)
}

/// The tables of words by their letters, each with a number. They are sorted, and none stands twice.
pub fn trie(words: &[(&[u8], u32)]) -> Vec<u8> {
    let mut output = byte_writer::ByteWriter::default();
    trie::write(words, &mut output);
    output.finish()
}
