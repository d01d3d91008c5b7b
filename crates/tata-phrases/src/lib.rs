//! The words of a text, and the phrases in it as a linguist writes them down.
//!
//! Text in, spans out; offsets are characters. Patterns are made into tables when a program is built (feature `build`),
//! and read where they lie. The same feature has the one format of lists. This crate knows nothing of languages or documents.

#[cfg(any(test, feature = "build"))]
pub mod build;
mod cues;
mod fold;
mod matcher;
mod named;
mod rows;
mod spelling;
mod symbol_filter;
mod tables;
mod transitions;
mod trie;
mod vocabulary;
mod word_set;
mod words;

pub use cues::Cues;
pub use fold::{folded, is_invisible};
pub use matcher::{Hit, MOST_WORDS, Matcher, longest};
pub use trie::Trie;
pub use word_set::WordSet;
pub use words::{Case, Gap, Style, Word, first_word, is_mark, runs, spell, spelled, spelled_as, whole_words};
