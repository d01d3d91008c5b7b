//! Answers without a model: what was found, quoted.

use tata_core::{CheckedAnswer, Citation};
use tata_language::Language;

use crate::{
    Lang, SearchAnswer, SearchResult, lexical_query,
    snippet::{self, Asked},
};

/// How many passages an answer without a model quotes.
const QUOTED: usize = 3;
/// A passage that fits less well than this share of the best one is more often about something else.
const NEARLY: f64 = 0.9;
/// The kind of the failure that there is no index yet.
const NO_INDEX: &str = "no_index";

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
    match &answer.error {
        Some(error) if error.kind == NO_INDEX => text.push_str(said.no_documents),
        Some(error) => text = format!("{} {}", said.failed, error.message),
        None if answer.results.is_empty() => {
            text.push_str(said.nothing);
            if !answer.nearest.is_empty() {
                text.push_str(&format!(" {} {}.", said.nearest, answer.nearest.join("; ")));
            }
        }
        None => {}
    }
    let asked = Asked::of(&answer.query);
    let mut cited: Vec<Citation> = Vec::new();
    for (result, mut citation) in fitting(answer, passages, &asked) {
        let lang = result.lang.as_deref().and_then(Lang::find);
        let query = lexical_query(&answer.query, None, &[(lang, 1)]);
        if let Some(piece) = snippet::answering_sentence(&citation.quote, lang, &query, &asked) {
            let before = citation.quote.get(..piece.start).unwrap_or_default().chars().count();
            let quote = citation.quote.get(piece.start..piece.end).unwrap_or_default().to_owned();
            citation.start += before;
            citation.end = citation.start + quote.chars().count();
            citation.quote = quote;
        }
        // Copies of a document say the same.
        if cited.iter().any(|known| known.quote == citation.quote) {
            continue;
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&format!("“{}” [{}]", citation.quote, citation.number));
        cited.push(citation);
    }
    CheckedAnswer { text, citations: cited, ..CheckedAnswer::default() }
}

/// The results that are quoted: of those that speak of what the question names, if any does, the ones that fit nearly as
/// well as the best. A passage on another country is no answer.
fn fitting<'a>(
    answer: &'a SearchAnswer,
    passages: Vec<Citation>,
    asked: &Asked,
) -> Vec<(&'a SearchResult, Citation)> {
    let names = |result: &SearchResult| {
        let place = [result.headings.join(" "), result.title.clone(), result.text.clone()];
        asked.names_in(&place.join(" "))
    };
    let most = answer.results.iter().map(names).max().unwrap_or_default();
    let mut fitting: Vec<_> = answer.results.iter().zip(passages).collect();
    fitting.retain(|(result, _)| names(result) == most);
    let best = fitting.first().map_or(0.0, |(result, _)| result.score);
    fitting.retain(|(result, _)| result.score >= best * NEARLY);
    fitting.truncate(QUOTED);
    fitting
}

/// What is said around quotations, in the language of the question.
struct Said {
    no_documents: &'static str,
    failed: &'static str,
    nothing: &'static str,
    nearest: &'static str,
}

impl Said {
    fn of(question: &str) -> Self {
        let [no_documents, failed, nothing, nearest] = match Lang::detect(question).and_then(Lang::spoken) {
            Some(Language::Sv) => [
                "Det finns inga företagsdokument än, så jag har inget att söka i. Lägg till dem under Kunskap, eller med `tata ingest`.",
                "Det gick inte att söka i dokumenten:",
                "I dokumenten står det inget om detta som är säkert nog.",
                "Närmast ligger:",
            ],
            Some(Language::Da) => [
                "Der er ingen virksomhedsdokumenter endnu, så der er ikke noget at søge i. Tilføj dem under Viden, eller med `tata ingest`.",
                "Der kunne ikke søges i dokumenterne:",
                "Dokumenterne siger ikke noget om dette, som er sikkert nok.",
                "Nærmest er:",
            ],
            Some(Language::No) => [
                "Det finnes ingen bedriftsdokumenter ennå, så det er ingenting å søke i. Legg dem til under Kunnskap, eller med `tata ingest`.",
                "Det var ikke mulig å søke i dokumentene:",
                "Dokumentene sier ikke noe om dette som er sikkert nok.",
                "Nærmest er:",
            ],
            Some(Language::De) => [
                "Es gibt noch keine Dokumente des Unternehmens, in denen gesucht werden kann. Sie lassen sich unter Wissen hinzufügen oder mit `tata ingest`.",
                "Die Dokumente konnten nicht durchsucht werden:",
                "In den Dokumenten steht dazu nichts, was sicher genug wäre.",
                "Am nächsten kommen:",
            ],
            Some(Language::En) | None => [
                "There are no company documents yet, so there is nothing to search. Add them under Knowledge, or with `tata ingest`.",
                "The documents could not be searched:",
                "The documents say nothing about this that is sure enough.",
                "Nearest are:",
            ],
        };
        Self { no_documents, failed, nothing, nearest }
    }
}
