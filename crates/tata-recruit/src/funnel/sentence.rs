//! Figures in sentences: each with the words around it, to be confirmed one by one.

use tata_language::{Amount, Detected, Kind, Language, Token, Unit, detect, tokens, values};

use super::labels;
use crate::{
    clip,
    lists::{AMOUNT_AND, AMOUNT_ONE},
    tidy,
};

/// More figures than this are a table, not a sentence.
const MOST_FIGURES: usize = 60;
/// The longest label, in characters.
const LONGEST: usize = 80;
/// More text than this is no message about a funnel.
const MOST_BYTES: usize = 20_000;

/// A figure with the words around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Clause {
    /// The words, with the figure in them. No two clauses have the same.
    pub(super) label: String,
    /// The figure, in digits.
    pub(super) figure: String,
    /// Whether it counts days.
    pub(super) days: bool,
}

/// The figures of a text in sentences; nothing for a table or a list.
pub(super) fn clauses(text: &str) -> Option<Vec<Clause>> {
    Some(text).filter(|text| text.len() <= MOST_BYTES && is_prose(text)).and_then(in_words)
}

/// The figures of any text that is not too long.
pub(super) fn in_words(text: &str) -> Option<Vec<Clause>> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let tokens = tokens(text);
    let language = match detect(text, &tokens) {
        Detected::Known(language) => language,
        Detected::Unsure | Detected::Foreign => Language::En,
    };
    let mut figures: Vec<(usize, usize, u64)> = values(language, &tokens)
        .into_iter()
        .filter_map(|value| match value.amount {
            Amount::Number(hundredths, Unit::Things) => Some((value.first, value.last, hundredths)),
            Amount::Number(_, Unit::Place | Unit::Money(_) | Unit::Percent) | Amount::Date(_) => None,
        })
        .take(MOST_FIGURES)
        .collect();
    // "One said yes": elsewhere a pronoun more often than a number, here a figure to be confirmed.
    let ones =
        tokens.iter().enumerate().filter(|(_, token)| AMOUNT_ONE.contains(&&*token.text.to_lowercase()));
    figures.extend(ones.take(MOST_FIGURES).map(|(at, _)| (at, at, 100)));
    figures.sort_unstable();
    figures.dedup_by_key(|(first, _, _)| *first);
    if figures.is_empty() {
        return None;
    }
    let mut clauses: Vec<Clause> = Vec::new();
    for (at, (first, last, hundredths)) in figures.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| figures.get(at)).map_or(0, |(_, last, _)| last + 1);
        let after = figures.get(at + 1).map_or(tokens.len(), |(first, _, _)| *first);
        let start = start_of(&tokens, before, *first);
        let end = end_of(&tokens, *last + 1, after);
        let label = label(text, &tokens, start, end);
        let next = tokens.get(last + 1..end).unwrap_or_default().iter().take(3);
        let days = next.map(|token| token.text).any(labels::names_days);
        let number = clauses.iter().filter(|clause| clause.label == label).count();
        let label = if number > 0 { format!("{label} ({})", number + 1) } else { label };
        let figure = digits(*hundredths);
        // "One got an offer and has said yes": the same one, told of a second stage.
        let also = (!days).then(|| also(text, &tokens, end, after)).flatten();
        clauses.push(Clause { label, figure: figure.clone(), days });
        if let Some(label) = also.filter(|also| clauses.iter().all(|clause| clause.label != *also)) {
            clauses.push(Clause { label, figure, days: false });
        }
    }
    Some(clauses)
}

/// What is said behind a conjunction, without a figure of its own, if it names a stage.
fn also(text: &str, tokens: &[Token<'_>], end: usize, after: usize) -> Option<String> {
    let joint = tokens.get(end)?;
    if joint.kind != Kind::Word || !parts(joint) {
        return None;
    }
    let words = label(text, tokens, end + 1, end_of(tokens, end + 1, after));
    labels::nearest(&words).map(|_| words)
}

/// Whether a text is sentences: no cells, and figures that stand among words.
fn is_prose(text: &str) -> bool {
    if text.contains(['\t', ';', '|']) {
        return false;
    }
    text.lines().any(|line| {
        let words = line.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count();
        let pieces = line.split([',', '.', ':']).filter(|piece| {
            piece.chars().any(|c| c.is_ascii_digit()) && piece.split_whitespace().count() > 1
        });
        let ends = line.trim_end().ends_with(['.', '!', '?']);
        words > 3 && (pieces.count() > 1 || ends) && !line.contains('"')
    })
}

/// Where the words of a figure begin: after the last mark before it, or after the figure before.
fn start_of(tokens: &[Token<'_>], from: usize, to: usize) -> usize {
    let parted = (from..to).rev().find(|at| tokens.get(*at).is_some_and(parts)).map(|at| at + 1);
    // Words between two figures without a mark belong to the first one.
    let first = if from == 0 { 0 } else { to };
    parted.unwrap_or(first)
}

/// Where they end: before the next mark, a conjunction, or the next figure.
fn end_of(tokens: &[Token<'_>], from: usize, to: usize) -> usize {
    (from..to).find(|at| tokens.get(*at).is_some_and(parts)).unwrap_or(to)
}

fn parts(token: &Token<'_>) -> bool {
    match token.kind {
        Kind::Line => true,
        Kind::Mark(mark) => matches!(mark, ',' | '.' | ';' | ':' | '!' | '?' | '(' | ')' | '–' | '—'),
        Kind::Word => AMOUNT_AND.contains(&&*token.norm),
        Kind::Number => false,
    }
}

fn label(text: &str, tokens: &[Token<'_>], start: usize, end: usize) -> String {
    let from = tokens.get(start).map_or(0, |token| token.byte);
    let to =
        end.checked_sub(1).and_then(|at| tokens.get(at)).map_or(from, |token| token.byte + token.text.len());
    let words = tidy(text.get(from..to).unwrap_or_default());
    clip::start(&words, LONGEST).trim().to_owned()
}

fn digits(hundredths: u64) -> String {
    match (hundredths / 100, hundredths % 100) {
        (whole, 0) => whole.to_string(),
        (whole, rest) => format!("{whole}.{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, bool)]) {
        let found = clauses(text).unwrap_or_default();
        let found: Vec<(&str, &str, bool)> =
            found.iter().map(|clause| (&*clause.label, &*clause.figure, clause.days)).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn figures_keep_the_words_around_them() {
        check(
            "3,400 views, 210 clicks on apply, 64 applications of which 15 were good enough. I screened 12, Karin met \
             6, two did a case, 2 offers went out and one said yes, the other said no. It took 16 days on average \
             before Karin could see people.",
            &[
                ("3,400 views", "3400", false),
                ("210 clicks on apply", "210", false),
                ("64 applications of which", "64", false),
                ("15 were good enough", "15", false),
                ("I screened 12", "12", false),
                ("Karin met 6", "6", false),
                ("two did a case", "2", false),
                ("2 offers went out", "2", false),
                ("one said yes", "1", false),
                ("It took 16 days on average before Karin could see people", "16", true),
            ],
        );
        check(
            "Vi fick 96 ansökningar och ringde 18 av dem, nio träffade chefen.",
            &[
                ("Vi fick 96 ansökningar", "96", false),
                ("ringde 18 av dem", "18", false),
                ("nio träffade chefen", "9", false),
            ],
        );
    }

    #[test]
    fn tables_and_lists_are_no_sentences() {
        for text in ["Views: 1200\nApplications: 80", "Stage,Count\nViews,\"1,200\"", "a;b\n1;2", ""] {
            assert_eq!(clauses(text), None, "{text}");
        }
    }
}
