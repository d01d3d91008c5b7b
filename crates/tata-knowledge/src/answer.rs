//! Answers that rest on what was found: quoted when there is no model, checked when there is one.

use std::sync::Arc;

use tata_core::{AnswerCheck, CheckedAnswer, CheckedSentence, Citation};
use tata_language::{Language, claims};

use crate::{Lang, SearchAnswer, SearchResult, lexical_query, snippet};

/// How many passages an answer without a model quotes.
const QUOTED: usize = 3;

/// The results of a search as passages that can be cited, numbered from 1 as long as no session has numbered them.
pub fn citations(results: &[SearchResult]) -> Vec<Citation> {
    let cite = |(at, result): (usize, &SearchResult)| Citation {
        number: u32::try_from(at + 1).unwrap_or(u32::MAX),
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
pub fn extractive(answer: &SearchAnswer) -> CheckedAnswer {
    quote(answer, citations(&answer.results))
}

/// The same from passages that have their numbers.
pub(crate) fn quote(answer: &SearchAnswer, passages: Vec<Citation>) -> CheckedAnswer {
    let said = Said::of(&answer.query);
    let mut text = String::new();
    let mut cited = Vec::new();
    if let Some(error) = &answer.error {
        text = format!("{} {}", said.failed, error.message);
    } else if answer.results.is_empty() {
        text.push_str(said.nothing);
        if !answer.nearest.is_empty() {
            text.push_str(&format!(" {} {}.", said.nearest, answer.nearest.join("; ")));
        }
    }
    for (result, mut citation) in answer.results.iter().zip(passages).take(QUOTED) {
        let lang = result.lang.as_deref().and_then(Lang::find);
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
    CheckedAnswer { text, citations: cited, ..CheckedAnswer::default() }
}

/// What is said around quotations, in the language of the question.
struct Said {
    failed: &'static str,
    nothing: &'static str,
    nearest: &'static str,
}

impl Said {
    fn of(question: &str) -> Self {
        let [failed, nothing, nearest] = match Lang::detect(question).and_then(Lang::spoken) {
            Some(Language::Sv) => [
                "Det gick inte att söka i dokumenten:",
                "I dokumenten står det inget om detta som är säkert nog.",
                "Närmast ligger:",
            ],
            Some(Language::Da) => [
                "Der kunne ikke søges i dokumenterne:",
                "Dokumenterne siger ikke noget om dette, som er sikkert nok.",
                "Nærmest er:",
            ],
            Some(Language::No) => [
                "Det var ikke mulig å søke i dokumentene:",
                "Dokumentene sier ikke noe om dette som er sikkert nok.",
                "Nærmest er:",
            ],
            Some(Language::De) => [
                "Die Dokumente konnten nicht durchsucht werden:",
                "In den Dokumenten steht dazu nichts, was sicher genug wäre.",
                "Am nächsten kommen:",
            ],
            Some(Language::En) | None => [
                "The documents could not be searched:",
                "The documents say nothing about this that is sure enough.",
                "Nearest are:",
            ],
        };
        Self { failed, nothing, nearest }
    }
}

/// Holds answers against what they cite. Where all of an agent's answers come from documents, a sentence without a source
/// is unproven as well; elsewhere only what cites is judged.
pub fn answer_check(all_from_documents: bool) -> AnswerCheck {
    Arc::new(move |text, sources| {
        let language = Lang::detect(text).and_then(Lang::spoken).unwrap_or(Language::En);
        let mut checked = check_answer(text, sources, language);
        // An answer that rests on nothing and found nothing says so; there is nothing to hold it against.
        if !all_from_documents || sources.is_empty() {
            checked.sentences.retain(|sentence| !sentence.cites.is_empty());
        }
        checked
    })
}

/// Checks an answer that a model wrote: numbers that stand for nothing go, each sentence is held against what it cites.
/// It saw the quotations and no more, so they are what counts.
pub fn check_answer(text: &str, sources: &[Citation], language: Language) -> CheckedAnswer {
    let (cleaned, removed) = without_unknown(text, sources);
    let mut used: Vec<u32> = Vec::new();
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
            .filter(|source| sentence.cites.contains(&source.number))
            .map(|source| (source.title.as_str(), source.quote.as_str()))
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
    CheckedAnswer { text: cleaned, citations, sentences, removed }
}

/// The text without numbers in brackets that stand for no source.
fn without_unknown(text: &str, known: &[Citation]) -> (String, Vec<u32>) {
    let mut cleaned = String::with_capacity(text.len());
    let mut removed = Vec::new();
    let mut rest = text;
    while let Some((before, number, after)) = next_number(rest) {
        if known.iter().any(|source| source.number == number) {
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
fn numbers(text: &str) -> (String, Vec<u32>) {
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
fn next_number(text: &str) -> Option<(&str, u32, &str)> {
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

    fn source(number: u32, quote: &str) -> Citation {
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
        let (text, removed) = without_unknown("Yes [1], and more [7]. See [x] and [0].", &[source(1, "x")]);
        assert_eq!((text.as_str(), removed), ("Yes [1], and more. See [x] and.", vec![7, 0]));
    }

    #[test]
    fn each_sentence_is_held_against_what_it_cites() {
        let sources =
            [source(1, "Employees have 30 days of holiday every year."), source(2, "Lunch costs 45 kronor.")];
        let text =
            "Employees have 30 days of holiday every year [1]. Lunch costs 60 kronor [2]. Dogs are welcome.";
        let answer = check_answer(text, &sources, Language::En);
        let told: Vec<_> = answer.sentences.iter().map(|one| (one.cites.clone(), one.supported)).collect();
        assert_eq!(told, [(vec![1], true), (vec![2], false), (vec![], false)], "{:?}", answer.sentences);
        assert_eq!(answer.citations.len(), 2);
        assert_eq!(answer.unproven().count(), 2);
        let loose = answer_check(false)(text, &sources);
        assert_eq!(loose.sentences.len(), 2, "only what cites is judged: {loose:?}");
    }
}
