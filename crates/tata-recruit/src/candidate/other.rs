//! Answers about work that no other part of a report quotes. Nothing that a candidate said about work is dropped
//! silently; private life, greetings and questions are.

use super::{
    artifact::{CandidateReport, Quote},
    exchange::{Exchange, Interview, LEAST_ANSWER, Link, may_quote, sentences},
    lexicon::{ANY, cues, lists, words},
    speech::Sentence,
    topics::Topic,
};
use crate::Source;

/// Fewer words than this beside an answer that is quoted say nothing more: "That works."
const LEAST_REST: usize = 5;
/// Fewer sentences do not tell the language of an interview for certain.
const FEW_SENTENCES: usize = 10;

/// What is quoted nowhere else, in the order of the interview.
pub(super) fn answers(interview: &Interview<'_>, report: &CandidateReport) -> Vec<Quote> {
    let spans = report.quotes().flat_map(|quote| &quote.spans);
    let spans = spans.filter(|span| span.source == Source::Transcript);
    let quoted: Vec<(usize, usize)> = spans.map(|span| (span.start, span.end)).collect();
    let opening = interview.exchanges.iter().position(is_about_work).unwrap_or(0);
    let mut closing = false;
    let mut found = Vec::new();
    for exchange in interview.exchanges.iter().skip(opening) {
        closing |= sentences(&exchange.asked)
            .any(|one| cues(&words(one), interview.speech.spoken).has(lists::ASK_QUESTIONS));
        if !exchange.aside {
            found.extend(rest(interview, exchange, &quoted, closing));
        }
    }
    found
}

/// Whether the talk before the first question about the work ends here. Where somebody is sitting is small talk, too.
fn is_about_work(exchange: &Exchange) -> bool {
    let asked = exchange.skills.values().any(|link| *link == Link::Asked);
    let topic = exchange.topic.is_some_and(|topic| !matches!(topic, Topic::Location | Topic::Languages));
    !exchange.aside && (asked || topic)
}

/// The runs of sentences in an answer that are quoted nowhere.
fn rest(
    interview: &Interview<'_>,
    exchange: &Exchange,
    quoted: &[(usize, usize)],
    closing: bool,
) -> Vec<Quote> {
    let speech = interview.speech;
    let is_quoted = |sentence: &Sentence| {
        let spans = speech.quote(sentence).spans;
        spans.iter().all(|span| quoted.iter().any(|(start, end)| *start < span.end && span.start < *end))
    };
    let answer = interview.sentences(exchange);
    let partly = answer.iter().any(is_quoted);
    let asks =
        exchange.asked.contains('?') || cues(&words(&exchange.asked), speech.spoken).has(lists::ASK_TELL);
    // What was taken back before the value that counts is no answer.
    let practical = matches!(exchange.topic, Some(Topic::Notice | Topic::Start | Topic::Salary));
    let corrected = practical && answer.iter().any(|sentence| speech.corrects(sentence));
    let first_quoted = answer.iter().position(is_quoted).filter(|_| corrected).unwrap_or(0);
    let answer = answer.get(first_quoted..).unwrap_or_default();
    // The language of a few words is a guess: what is private in any language stays out then.
    let guessed = speech.sentences.len() < FEW_SENTENCES;
    let is_private =
        |sentence: &Sentence| !may_quote(sentence) || guessed && cues(&sentence.words, ANY).is_protected();
    let runs = answer.split(|sentence| is_private(sentence) || is_quoted(sentence));
    let mut found = Vec::new();
    for run in runs {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        let length: usize = run.iter().map(|sentence| sentence.words.len()).sum();
        let has_figure = run.iter().any(|sentence| sentence.number);
        let is_told = run.iter().any(|one| one.cues.has(lists::OWN) || one.cues.has(lists::WORK));
        let tells = if closing {
            has_figure && is_told && length >= LEAST_REST
        } else if partly {
            length >= LEAST_REST && (is_told || has_figure)
        } else {
            asks || length >= LEAST_ANSWER && (is_told || has_figure)
        };
        if tells {
            let question = interview.question(exchange);
            found.push(Quote { question, ..speech.quote_between(first, last) });
        }
    }
    found
}
