//! Labelled sentences: `label<TAB>sentence`, one a line.

use tata_language::Language;
use thiserror::Error;

use super::label::Wish;

/// A sentence and what it means.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Labelled {
    /// The language of the file.
    pub language: Language,
    /// What it means.
    pub wish: Wish,
    /// The sentence.
    pub text: String,
}

/// A line that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadLine {
    /// No tab.
    #[error("line {line}: no tab between label and sentence; write `label<TAB>sentence`")]
    NoTab {
        /// From 1.
        line: usize,
    },
    /// A label that does not exist.
    #[error("line {line}: {label:?} is no wish; see `Wish::name` for the names")]
    UnknownLabel {
        /// From 1.
        line: usize,
        /// What stands there.
        label: String,
    },
    /// Nothing after the tab.
    #[error("line {line}: no sentence after the tab")]
    Empty {
        /// From 1.
        line: usize,
    },
}

/// The sentences of one file.
pub fn labelled(language: Language, file: &str) -> Result<Vec<Labelled>, BadLine> {
    let mut found = Vec::new();
    for (at, row) in file.lines().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
        let line = at + 1;
        let (label, text) = row.split_once('\t').ok_or(BadLine::NoTab { line })?;
        let wish = Wish::find(label.trim())
            .ok_or_else(|| BadLine::UnknownLabel { line, label: label.trim().to_owned() })?;
        let text = text.trim().to_owned();
        if text.is_empty() {
            return Err(BadLine::Empty { line });
        }
        found.push(Labelled { language, wish, text });
    }
    Ok(found)
}

/// Each sentence once, in an order that no file system decides.
pub fn in_order(mut sentences: Vec<Labelled>) -> Vec<Labelled> {
    sentences.sort();
    sentences.dedup();
    sentences
}

/// A fingerprint of sentences in order; the weights carry that of the sentences they were trained on.
pub fn fingerprint(sentences: &[Labelled]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for sentence in sentences {
        let parts = [sentence.language.code(), sentence.wish.name(), &sentence.text];
        for byte in parts.iter().flat_map(|part| part.bytes().chain([0])) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_lines_are_named() {
        let check = |file: &str| labelled(Language::En, file).unwrap_err().to_string();
        assert!(check("job_ad\tan ad\nan ad").starts_with("line 2: no tab"));
        assert!(check("haircut\tan ad").contains("\"haircut\" is no wish"));
        assert!(check("job_ad\t ").contains("no sentence"));
        assert_eq!(labelled(Language::En, "\njob_ad\tan ad\n").unwrap().len(), 1);
    }
}
