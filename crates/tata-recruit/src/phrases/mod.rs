//! Words of a text and phrases in it, as a linguist writes them down (`data/README.md`).

mod graph;
mod matcher;
mod pattern;
mod spelling;
mod words;

pub(crate) use graph::{Graph, Meaning};
pub(crate) use matcher::{Hit, Matcher, longest};
pub(crate) use words::{Case, Gap, Word, is_invisible, spelled};
