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

/// The beginning of an id that is looked for. Postgres keeps no NUL, and no id has one.
pub(crate) fn id_prefix(filter: &SessionFilter) -> Option<String> {
    filter.id_prefix.as_deref().map(|prefix| prefix.to_lowercase().replace('\0', "\u{fffd}"))
}

/// Text as it is compared when letter case, and how a letter is put together, are set aside. By way of upper case, so that
/// `ß` meets `SS` and both Greek sigmas meet.
fn folded(text: &str) -> String {
    text.nfc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfc().collect()
}
