//! Words of a text and phrases in it, as a linguist writes them down (`data/README.md`).

mod graph;
mod matcher;
mod pattern;
mod rows;
mod spelling;
mod tables;
mod trie;
mod words;

pub(crate) use graph::Meaning;
pub(crate) use matcher::{Hit, Matcher, longest};
pub(crate) use rows::Shelf;
pub(crate) use trie::Trie;
pub(crate) use words::{Case, Gap, Word, is_invisible, spelled};
