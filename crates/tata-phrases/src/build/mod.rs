//! Reads lists, and makes patterns and words into the tables that [`crate::Matcher`], [`crate::Cues`] and [`crate::Trie`] read.

mod cues;
pub(crate) mod graph;
mod list;
mod pattern;
mod plain;
mod rust;
mod script;
mod stack;
mod tables;
mod trie;
mod ways;

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
    let mut stack = stack::Stack::default();
    trie::write(words, &mut stack);
    stack.finish()
}
