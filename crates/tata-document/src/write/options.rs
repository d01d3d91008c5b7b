//! What goes with a document: words, names, and the list of its sources.

use jiff::Timestamp;

use crate::{Document, Evidence};

/// What goes with a document when it leaves. This crate has no words of its own: they are handed to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What readers must know, at the end and in the file's properties: that a machine wrote it.
    pub notice: Option<String>,
    /// The heading of the list of sources; without one, there is no list and no reference to it.
    pub sources: Option<String>,
    /// Who answers for it.
    pub author: Option<String>,
    /// The company.
    pub organization: Option<String>,
    /// When it was made.
    pub created: Option<Timestamp>,
}

/// The numbers of the sources of a span, from 1; none where no list is shown.
pub(super) fn numbers(evidence: &[Evidence], sources: &[Evidence]) -> Vec<usize> {
    let place = |one: &Evidence| sources.iter().position(|known| known == one);
    evidence.iter().filter_map(place).map(|at| at + 1).collect()
}

/// The sources that are listed at the end of a document.
pub(super) fn listed(document: &Document, options: &Options) -> Vec<Evidence> {
    if options.sources.is_none() {
        return Vec::new();
    }
    document.sources().into_iter().cloned().collect()
}
