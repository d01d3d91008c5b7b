//! Languages as they are named on the command line.

use tata_recruit::Language;

/// A language that documents are written in.
pub(super) fn language(text: &str) -> Result<Language, String> {
    Language::find(text).ok_or_else(|| "not a language of Tata; it knows en, sv, da, no and de".to_owned())
}

/// A language that texts are read in.
pub(super) fn text_language(text: &str) -> Result<tata_language::Language, String> {
    tata_language::Language::find(text)
        .ok_or_else(|| "not a language of Tata; it knows en, sv, da, no and de".to_owned())
}
