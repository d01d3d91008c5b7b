//! Which sessions a filter means. Titles are compared here and not by the databases: they differ about letters.

use tata_core::{Session, SessionFilter};
use unicode_normalization::UnicodeNormalization;

/// A title that is looked for.
#[derive(Debug)]
pub(crate) struct Wanted(Option<String>);

impl Wanted {
    pub(crate) fn new(filter: &SessionFilter) -> Self {
        Self(filter.title_contains.as_deref().map(folded))
    }

    pub(crate) fn fits(&self, session: &Session) -> bool {
        let Some(part) = &self.0 else { return true };
        session.title.as_deref().is_some_and(|title| folded(title).contains(part.as_str()))
    }
}

/// What every database finds alike of words that are looked for: their longest runs of plain letters and digits, with signs
/// that mean "anything" around them.
pub(crate) fn pieces(filter: &SessionFilter) -> Option<Vec<String>> {
    let plain = |letter: char| letter.is_ascii_alphanumeric();
    let longest = |word: &String| {
        let runs = word.split(|letter| !plain(letter)).filter(|run| !run.is_empty());
        runs.max_by_key(|run| run.len()).map(|run| format!("%{}%", run.to_ascii_lowercase()))
    };
    let pieces: Vec<String> = filter.mentions.iter().filter_map(longest).collect();
    (!pieces.is_empty()).then_some(pieces)
}

/// The beginning of an id that is looked for. Postgres keeps no NUL, and no id has one.
pub(crate) fn id_prefix(filter: &SessionFilter) -> Option<String> {
    filter.id_prefix.as_deref().map(|prefix| prefix.to_lowercase().replace('\0', "\u{fffd}"))
}

/// Text as it is compared when letter case, and how a letter is put together, are set aside. By way of upper case, so that
/// `ß` meets `SS` and both Greek sigmas meet.
fn folded(text: &str) -> String {
    text.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}
