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
    /// Where it stands, in words: title, heading, page.
    pub fn place(&self) -> String {
        let title = if self.title.is_empty() { &self.url } else { &self.title };
        let heading = self.headings.last().filter(|heading| *heading != title);
        let page = self.page.map(|page| format!("page {page}"));
        let parts = [Some(title.clone()), heading.cloned(), page];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    /// Whether another one is the same passage.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.start, self.end) == (other.start, other.end) && self.url == other.url
    }
}

/// The same words with the names of the documents beside their numbers: a person who decides must see what `[2]` is.
pub(crate) fn named(words: &str, citations: &[Citation]) -> String {
    let mut named = String::with_capacity(words.len());
    let mut rest = words;
    while let Some((before, after)) = rest.split_once('[') {
        named.push_str(before);
        named.push('[');
        let inside = after.split_once(']').map_or("", |(inside, _)| inside);
        let cited =
            inside.parse().ok().and_then(|number: u32| citations.iter().find(|one| one.number == number));
        match cited {
            Some(cited) => {
                named.push_str(&format!("{inside}] {}", cited.place()));
                rest = after.get(inside.len() + 1..).unwrap_or_default();
            }
            None => rest = after,
        }
    }
    named.push_str(rest);
    named
}

/// An answer that was held against its sources.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedSentence {
    /// The sentence, without its numbers.
    pub text: String,
    /// Its first character in the answer.
    pub start: usize,
    /// The first character after it and its numbers.
    pub end: usize,
    /// The sources it names.
    pub cites: Vec<u32>,
    /// Whether they prove it.
    pub supported: bool,
    /// What they do not prove, and why, in English.
    pub unproven: Vec<String>,
    /// The same for whoever words it in another language.
    #[serde(default)]
    pub gaps: Vec<Gap>,
}

/// A part of a sentence that its sources do not prove.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gap {
    /// The part; empty where it is the whole sentence.
    pub text: String,
    /// The stable name of what is missing: `value`, `name`, `word` and others; `source` where none is named.
    pub reason: String,
}

impl CheckedAnswer {
    /// The sentences that nothing proves.
    pub fn unproven(&self) -> impl Iterator<Item = &CheckedSentence> {
        self.sentences.iter().filter(|sentence| !sentence.supported)
    }
}

/// An answer, and what it can be held against.
#[derive(Clone, Copy, Debug)]
pub struct AnswerToCheck<'a> {
    /// What was asked. A short answer does not tell its language; the question may.
    pub question: &'a str,
    /// The answer.
    pub answer: &'a str,
    /// Every passage that was found in the session.
    pub sources: &'a [Citation],
    /// The turn did nothing but search: the answer has nothing else to rest on.
    pub only_searched: bool,
}

/// Holds an answer against the sources of its session.
pub type AnswerCheck = Arc<dyn Fn(&AnswerToCheck<'_>) -> CheckedAnswer + Send + Sync>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_the_names_of_their_documents() {
        let handbook = Citation {
            number: 2,
            title: "Handbook".into(),
            headings: vec!["Handbook".into(), "Benefits".into()],
            page: Some(4),
            ..Citation::default()
        };
        let shown = |words| named(words, std::slice::from_ref(&handbook));
        assert_eq!(shown("“30 days” ([2])."), "“30 days” ([2] Handbook, Benefits, page 4).");
        for same in ["no number", "[3] of nobody", "[", "[2", "a [x] b ]", ""] {
            assert_eq!(shown(same), same);
        }
    }

    #[test]
    fn journals_of_before_are_read() {
        let before: Vec<Citation> = serde_json::from_str(r#"["https://example.com/a"]"#).unwrap();
        assert_eq!((before[0].url.as_str(), before[0].number), ("https://example.com/a", 0));
        let now = Citation { number: 3, url: "u".into(), quote: "q".into(), end: 1, ..Citation::default() };
        let read: Citation = serde_json::from_str(&serde_json::to_string(&now).unwrap()).unwrap();
        assert_eq!(read, now);
    }
}
