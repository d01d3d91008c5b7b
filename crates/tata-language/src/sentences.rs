//! Where sentences end.

use std::ops::Range;

use crate::{
    Language,
    lists::{Cue, Lists, Numeral},
    tokens::{Kind, Token},
};

/// A line this long may have been wrapped: its end is no end of a sentence.
const WRAPPED: usize = 60;

/// A sentence of more tokens is cut: who writes without a full stop is read in pieces.
const LONGEST: usize = 200;

/// The sentences of a text, as ranges of its tokens. A point of a list, a heading and a line of notes count as one.
pub fn sentences(language: Language, tokens: &[Token<'_>]) -> Vec<Range<usize>> {
    let lists = Lists::of(language);
    let mut found = Vec::new();
    let mut start = 0;
    let mut line = 0;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let mut end = at + 1;
        let ends = match token.kind {
            Kind::Line => {
                let ends = line_ends(tokens, line, at);
                line = at + 1;
                ends
            }
            Kind::Mark('.' | '!' | '?' | '…') => {
                while tokens.get(end).is_some_and(|next| next.joined && closes(next)) {
                    end += 1;
                }
                stops(lists, tokens, at, end)
            }
            Kind::Mark(_) | Kind::Word | Kind::Number => false,
        };
        if ends || end - start >= LONGEST {
            push(tokens, start..end, &mut found);
            start = end;
        }
        at = end;
    }
    push(tokens, start..tokens.len(), &mut found);
    found
}

fn closes(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Mark('.' | '!' | '?' | '…' | '"' | '\'' | ')' | ']'))
}

/// Keeps a sentence that has a word or a number, without the line ends and bullets around it.
fn push(tokens: &[Token<'_>], range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let spoken = |token: &Token<'_>| matches!(token.kind, Kind::Word | Kind::Number);
    let piece = tokens.get(range.clone()).unwrap_or_default();
    let lead = |token: &&Token<'_>| matches!(token.kind, Kind::Line | Kind::Mark('-' | '•' | '*' | '>'));
    let start = range.start + piece.iter().take_while(lead).count();
    let end = range.end - piece.iter().rev().take_while(|token| token.kind == Kind::Line).count();
    if start < end && piece.iter().any(spoken) {
        found.push(start..end);
    }
}

/// Whether the mark at `at` ends a sentence whose next token is at `end`.
fn stops(lists: &Lists, tokens: &[Token<'_>], at: usize, end: usize) -> bool {
    let Some(next) = tokens.get(end) else { return true };
    let point = tokens.get(at).is_some_and(|mark| mark.is('.'));
    if next.kind == Kind::Line {
        return !point || !abbreviated(lists, tokens, at);
    }
    if next.joined {
        return false;
    }
    // "(...) sagt:", and what a bracket or a quotation begins.
    let next = tokens.get(end..).unwrap_or_default().iter().find(|token| !opens(token)).unwrap_or(next);
    let begins = next.capital() || next.kind == Kind::Number || matches!(next.kind, Kind::Mark('•'));
    if !begins {
        return false;
    }
    if !point {
        return true;
    }
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    // "1. August" goes on; "until 2027. August is free" is rarer.
    let month = matches!(lists.word(&next.norm).numeral, Some(Numeral::Month(_)));
    if before.is_some_and(|before| before.kind == Kind::Number && before.text.len() < 3) && month {
        return false;
    }
    !abbreviated(lists, tokens, at)
}

fn opens(token: &Token<'_>) -> bool {
    matches!(token.kind, Kind::Mark('"' | '\'' | '('))
}

fn abbreviated(lists: &Lists, tokens: &[Token<'_>], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).and_then(|before| tokens.get(before)) else { return false };
    let initial = before.kind == Kind::Word && before.text.chars().count() == 1 && before.capital();
    initial || lists.word(&before.norm).cues.has(Cue::Abbreviation)
}

/// Whether the end of a line ends a sentence too: not in the middle of a wrapped paragraph.
fn line_ends(tokens: &[Token<'_>], line: usize, at: usize) -> bool {
    let Some(next) = tokens.get(at + 1) else { return true };
    let (Some(first), Some(end)) = (tokens.get(line), tokens.get(at)) else { return true };
    if first.kind == Kind::Line || next.kind == Kind::Line || matches!(next.kind, Kind::Mark('-' | '•' | '*'))
    {
        return true;
    }
    let lower = next.kind == Kind::Word && !next.capital();
    let list = matches!(first.kind, Kind::Mark('-' | '•' | '*'));
    let long = end.span.start - first.span.start >= WRAPPED;
    !(long || (lower && !list && end.span.start - first.span.start >= WRAPPED / 2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::tokens;

    fn texts(language: Language, text: &str) -> Vec<&str> {
        let found = tokens(text);
        let place = |at: usize| found.get(at).unwrap();
        let piece = |range: Range<usize>| {
            let last = place(range.end - 1);
            &text[place(range.start).byte..last.byte + last.text.len()]
        };
        sentences(language, &found).into_iter().map(piece).collect()
    }

    #[test]
    fn points_that_end_nothing_end_nothing() {
        assert_eq!(texts(Language::De, "Ab 1. August bei Dr. Vogt. Bitte melden!").len(), 2);
        assert_eq!(
            texts(Language::Da, "Løn 215 kr. i timen. Ca. 40 dage om året."),
            ["Løn 215 kr. i timen.", "Ca. 40 dage om året."]
        );
    }

    #[test]
    fn what_never_ends_is_cut() {
        let text = "so ".repeat(3 * LONGEST + 1);
        let found = sentences(Language::En, &tokens(&text));
        assert_eq!(found.iter().map(Range::len).collect::<Vec<_>>(), [LONGEST, LONGEST, LONGEST, 1]);
    }

    #[test]
    fn lines_of_notes_are_sentences_and_wrapped_ones_are_not() {
        assert_eq!(
            texts(Language::En, "Must have:\n- SQL\n- budget work\n\nPay 30"),
            ["Must have:", "SQL", "budget work", "Pay 30"]
        );
        let wrapped = "This is a rather long line of an ordinary letter that goes on\nAnd ends here.";
        assert_eq!(texts(Language::En, wrapped).len(), 1);
    }
}
