//! What an answer rests on: numbered passages of stored documents, and an answer held against them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A passage of a document: an exact span of its stored text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct Citation {
    /// Its number in the session, from 1: the same passage keeps it. 0 until the session has numbered it.
    #[serde(default)]
    pub number: u32,
    /// The document.
    pub url: String,
    /// Its title.
    pub title: String,
    /// The headings it stands under.
    pub headings: Vec<String>,
    /// Its page.
    pub page: Option<u32>,
    /// The first character of the quotation in the document.
    pub start: usize,
    /// The first character after it.
    pub end: usize,
    /// The quotation, exactly as it is stored.
    pub quote: String,
    /// How well it fits the question, 0..1.
    pub score: f64,
}

/// As journals have it: earlier ones knew only the address.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Address(String),
    Whole {
        #[serde(default)]
        number: u32,
        url: String,
        title: String,
        headings: Vec<String>,
        page: Option<u32>,
        start: usize,
        end: usize,
        quote: String,
        score: f64,
    },
}

impl From<Stored> for Citation {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Address(url) => Self { url, ..Self::default() },
            Stored::Whole { number, url, title, headings, page, start, end, quote, score } => {
                Self { number, url, title, headings, page, start, end, quote, score }
            }
        }
    }
}

impl Citation {
    /// Whether another one is the same passage.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.start, self.end) == (other.start, other.end) && self.url == other.url
    }
}

/// An answer that was held against its sources.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CheckedAnswer {
    /// The text, with numbers in brackets that all stand for a source.
    pub text: String,
    /// What the numbers stand for: only those that are in the text.
    pub citations: Vec<Citation>,
    /// Each sentence and whether its sources prove it.
    pub sentences: Vec<CheckedSentence>,
    /// Numbers that stood for nothing and were removed.
    pub removed: Vec<u32>,
}

/// A sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedSentence {
    /// The sentence, without its numbers.
    pub text: String,
    /// The sources it names.
    pub cites: Vec<u32>,
    /// Whether they prove it.
    pub supported: bool,
    /// What they do not prove, and why.
    pub unproven: Vec<String>,
}

impl CheckedAnswer {
    /// The sentences that nothing proves.
    pub fn unproven(&self) -> impl Iterator<Item = &CheckedSentence> {
        self.sentences.iter().filter(|sentence| !sentence.supported)
    }
}

/// Holds an answer against the sources of its session.
pub type AnswerCheck = Arc<dyn Fn(&str, &[Citation]) -> CheckedAnswer + Send + Sync>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journals_of_before_are_read() {
        let before: Vec<Citation> = serde_json::from_str(r#"["https://example.com/a"]"#).unwrap();
        assert_eq!((before[0].url.as_str(), before[0].number), ("https://example.com/a", 0));
        let now = Citation { number: 3, url: "u".into(), quote: "q".into(), end: 1, ..Citation::default() };
        let read: Citation = serde_json::from_str(&serde_json::to_string(&now).unwrap()).unwrap();
        assert_eq!(read, now);
    }
}
