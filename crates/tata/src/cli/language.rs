//! Languages as they are named on the command line.

use tata_language::Language;

/// A language that texts are read and documents are written in.
pub(super) fn language(text: &str) -> Result<Language, String> {
    Language::wished(text).ok_or_else(|| "not a language of Tata; it knows en, sv, da, no and de".to_owned())
}
