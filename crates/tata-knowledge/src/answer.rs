//! Answers that rest on what was found: quoted when there is no model, checked when there is one.

use serde::Serialize;
use tata_language::{Language, claims};

use crate::{Knowledge, KnowledgeError, Lang, SearchAnswer, SearchResult, lexical_query, snippet};

/// How many passages an answer without a model quotes.
const QUOTED: usize = 3;

/// A source of an answer: an exact span of a stored text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Citation {
    /// The number it has in the answer, from 1.
    pub number: usize,
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

/// An answer with its sources.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The text, with numbers in brackets.
    pub text: String,
    /// What the numbers stand for: only those that are in the text.
    pub citations: Vec<Citation>,
    /// Each sentence and whether its sources prove it; empty for quotations.
    pub sentences: Vec<CheckedSentence>,
    /// Numbers that stood for nothing and were removed.
    pub removed: Vec<usize>,
}

/// A sentence of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedSentence {
    /// The sentence, without its numbers.
    pub text: String,
    /// The sources it names.
    pub cites: Vec<usize>,
    /// Whether they prove it.
    pub supported: bool,
    /// What they do not prove, and why.
    pub unproven: Vec<String>,
}

/// Numbers the results of a search.
pub fn citations(results: &[SearchResult]) -> Vec<Citation> {
    let cite = |(at, result): (usize, &SearchResult)| Citation {
        number: at + 1,
        url: result.url.clone(),
        title: result.title.clone(),
        headings: result.headings.clone(),
        page: result.page,
        start: result.start,
        end: result.end,
        quote: result.text.clone(),
        score: result.score,
    };
    results.iter().enumerate().map(cite).collect()
}

/// An answer without a model: the sentences that fit best, quoted, with their sources; or that there is nothing.
pub fn extractive(answer: &SearchAnswer) -> Answer {
    let mut text = String::new();
    let mut cited = Vec::new();
    if let Some(error) = &answer.error {
        text = format!("The documents could not be searched: {}", error.message);
    } else if answer.results.is_empty() {
        text.push_str("The documents say nothing about this that is sure enough.");
        if !answer.nearest.is_empty() {
            text.push_str(&format!(" Nearest are: {}.", answer.nearest.join("; ")));
        }
    }
    for mut citation in citations(&answer.results).into_iter().take(QUOTED) {
        let lang = answer.results.get(citation.number - 1).and_then(|result| result.lang.as_deref());
        let lang = lang.and_then(Lang::find);
        let query = lexical_query(&answer.query, None, &[(lang, 1)]);
        if let Some(piece) = snippet::best_sentence(&citation.quote, lang, &query) {
            let before = citation.quote.get(..piece.start).unwrap_or_default().chars().count();
            let quote = citation.quote.get(piece.start..piece.end).unwrap_or_default().to_owned();
            citation.start += before;
            citation.end = citation.start + quote.chars().count();
            citation.quote = quote;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("“{}” [{}]", citation.quote, citation.number));
        cited.push(citation);
    }
    Answer { text, citations: cited, sentences: Vec::new(), removed: Vec::new() }
}

/// Checks an answer that a model wrote: numbers that stand for nothing go, each sentence is held against what it cites.
/// `whole` brings the full text around a citation, where the quotation alone is too short to judge by.
pub fn check_answer(text: &str, sources: &[Citation], whole: &[String], language: Language) -> Answer {
    let (cleaned, removed) = without_unknown(text, sources.len());
    if !removed.is_empty() {
        tracing::warn!(?removed, "an answer cited sources that do not exist");
    }
    let mut used: Vec<usize> = Vec::new();
    let mut sentences = Vec::new();
    for line in claims::check(language, &cleaned, &[]) {
        let (bare, cites) = numbers(line.text);
        if !bare.chars().any(char::is_alphabetic) {
            // A number after the full stop belongs to the sentence before.
            if let Some(CheckedSentence { cites: before, .. }) = sentences.last_mut() {
                before.extend(cites);
            }
            continue;
        }
        sentences.push(CheckedSentence { text: bare, cites, supported: false, unproven: Vec::new() });
    }
    for sentence in &mut sentences {
        used.extend(&sentence.cites);
        let named: Vec<(&str, &str)> = sources
            .iter()
            .zip(whole.iter().map(Some).chain(std::iter::repeat(None)))
            .filter(|(source, _)| sentence.cites.contains(&source.number))
            .map(|(source, whole)| {
                (source.title.as_str(), whole.map_or(source.quote.as_str(), String::as_str))
            })
            .collect();
        let judged = claims::check(language, &sentence.text, &named);
        sentence.supported = !named.is_empty() && judged.iter().all(claims::Sentence::supported);
        let part = |part: &claims::Unproven<'_>| format!("{}: {}", part.text, part.reason.explained());
        sentence.unproven = judged.iter().flat_map(|judged| judged.unproven.iter().map(part)).collect();
        if named.is_empty() {
            sentence.unproven.insert(0, "no source is named".to_owned());
        }
    }
    let citations = sources.iter().filter(|source| used.contains(&source.number)).cloned().collect();
    Answer { text: cleaned, citations, sentences, removed }
}

impl Answer {
    /// The text with a mark after every sentence that its sources do not prove.
    pub fn marked(&self) -> String {
        let mut text = self.text.clone();
        for sentence in self.sentences.iter().filter(|sentence| !sentence.supported) {
            let bare = sentence.text.trim_end_matches(['.', '!', '?', ' ']);
            if let Some(at) = text.find(bare) {
                text.insert_str(at + bare.len(), " (unproven)");
            }
        }
        text
    }
}

impl Knowledge {
    /// The full chunks around citations, for checking.
    pub async fn context(&self, citations: &[Citation]) -> Result<Vec<String>, KnowledgeError> {
        let mut texts = Vec::with_capacity(citations.len());
        for citation in citations {
            let chunks = self.engine.chunks(&citation.url).await?;
            let around = chunks.iter().rev().find(|(chunk, _)| chunk.start <= citation.start);
            texts.push(around.map_or_else(|| citation.quote.clone(), |(chunk, _)| chunk.text.clone()));
        }
        Ok(texts)
    }
}

/// The text without numbers in brackets that stand for no source.
fn without_unknown(text: &str, known: usize) -> (String, Vec<usize>) {
    let mut cleaned = String::with_capacity(text.len());
    let mut removed = Vec::new();
    let mut rest = text;
    while let Some((before, number, after)) = next_number(rest) {
        if (1..=known).contains(&number) {
            cleaned.push_str(before);
            cleaned.push_str(&format!("[{number}]"));
        } else {
            cleaned.push_str(before.trim_end());
            removed.push(number);
        }
        rest = after;
    }
    cleaned.push_str(rest);
    (cleaned, removed)
}

/// A sentence without its numbers, and the numbers.
fn numbers(text: &str) -> (String, Vec<usize>) {
    let mut bare = String::new();
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, number, after)) = next_number(rest) {
        bare.push_str(before.trim_end());
        found.push(number);
        rest = after;
    }
    bare.push_str(rest);
    (bare.trim().to_owned(), found)
}

/// What stands before the next `[12]`, the number, and what stands after it.
fn next_number(text: &str) -> Option<(&str, usize, &str)> {
    let mut from = 0;
    while let Some(open) = text.get(from..)?.find('[').map(|at| from + at) {
        let inside = text.get(open + 1..)?;
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        if (1..=4).contains(&digits) && inside.as_bytes().get(digits) == Some(&b']') {
            let number = inside.get(..digits)?.parse().ok()?;
            return Some((text.get(..open)?, number, inside.get(digits + 1..)?));
        }
        from = open + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(number: usize, quote: &str) -> Citation {
        Citation {
            number,
            url: format!("https://example.com/{number}"),
            title: "Handbook".into(),
            headings: Vec::new(),
            page: None,
            start: 0,
            end: quote.chars().count(),
            quote: quote.into(),
            score: 0.5,
        }
    }

    #[test]
    fn numbers_that_stand_for_nothing_are_removed() {
        let (text, removed) = without_unknown("Yes [1], and more [7]. See [x] and [0].", 1);
        assert_eq!((text.as_str(), removed), ("Yes [1], and more. See [x] and.", vec![7, 0]));
    }

    #[test]
    fn each_sentence_is_held_against_what_it_cites() {
        let sources =
            [source(1, "Employees have 30 days of holiday every year."), source(2, "Lunch costs 45 kronor.")];
        let text =
            "Employees have 30 days of holiday every year [1]. Lunch costs 60 kronor [2]. Dogs are welcome.";
        let answer = check_answer(text, &sources, &[], Language::En);
        let told: Vec<_> = answer.sentences.iter().map(|one| (one.cites.clone(), one.supported)).collect();
        assert_eq!(told, [(vec![1], true), (vec![2], false), (vec![], false)], "{:?}", answer.sentences);
        assert_eq!(answer.citations.len(), 2);
        assert!(answer.marked().contains("60 kronor (unproven) [2]"), "{}", answer.marked());
    }
}
