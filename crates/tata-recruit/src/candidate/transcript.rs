//! A transcript as a list of utterances. It does **not** decide who the candidate is.

use tata_document::{Names, Talk};

use super::{
    lexicon::lists,
    names::{NameParts, is_role},
};

/// Reads a transcript. `known` are names of people who took part: they make a name at the start of a line more credible.
pub(crate) fn read(text: &str, known: &[&str]) -> Talk {
    let known: Vec<NameParts> = known.iter().map(|name| NameParts::of(name)).collect();
    let is_known = |name: &str| {
        let parts = NameParts::of(name);
        known.iter().any(|known| known.fits(&parts).is_some())
    };
    Talk::read(text, &Names { known: &is_known, role: &is_role, service: &is_service })
}

/// Whether a line is written by the program: "… started transcription".
fn is_service(line: &str) -> bool {
    let line = line.trim();
    let text = line.trim_end_matches('.').to_lowercase();
    let written = lists::SERVICE.iter().any(|known| text.ends_with(known));
    line.len() <= 160 && line.split_whitespace().count() <= 12 && written
}

#[cfg(test)]
mod tests;
