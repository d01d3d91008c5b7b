//! Words of a text and phrases in it, as a linguist writes them down (`data/README.md`).

#[cfg_attr(not(test), expect(dead_code, reason = "the build writes tables, the program reads them"))]
mod graph;
mod marks;
mod matcher;
mod pattern;
mod rows;
mod spelling;
#[cfg_attr(not(test), expect(dead_code, reason = "the build writes tables, the program reads them"))]
mod tables;
mod trie;
mod vocabulary;
mod ways;
mod words;

pub(crate) use matcher::{Hit, MOST_WORDS, Matcher, longest};
pub(crate) use rows::Shelf;
pub(crate) use trie::Trie;
pub(crate) use vocabulary::{Known, Vocabulary};
pub(crate) use words::{Case, Gap, Word, is_invisible, lowered, spell, spelled, spelled_from};
