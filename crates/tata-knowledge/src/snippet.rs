//! The part of a chunk that answers: the sentence that fits best, with as much around it as there is room for.

use std::collections::HashSet;

use tata_language::{Language, sentences, tokens};

use crate::{Lang, LexicalQuery, analysis::each_term};

/// A piece of a chunk, in bytes of its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The sentences of a text as pieces.
pub(crate) fn pieces(text: &str, lang: Option<Lang>) -> Vec<Piece> {
    let found = tokens(text);
    let language = lang.and_then(Lang::spoken).unwrap_or(Language::En);
    let piece = |range: std::ops::Range<usize>| {
        let (first, last) = (found.get(range.start)?, found.get(range.end.checked_sub(1)?)?);
        Some(Piece { start: first.byte, end: last.byte + last.text.len() })
    };
    sentences(language, &found).into_iter().filter_map(piece).collect()
}

/// The sentence with the most words of the question; the first if none has any.
pub(crate) fn best_sentence(text: &str, lang: Option<Lang>, query: &LexicalQuery) -> Option<Piece> {
    let mut best: Option<(usize, Piece)> = None;
    for piece in pieces(text, lang) {
        let words = text.get(piece.start..piece.end).unwrap_or_default();
        let mut seen: HashSet<usize> = HashSet::new();
        each_term(lang, words, |token| {
            let group = query.groups.iter().position(|forms| forms.contains(&token.text));
            seen.extend(group);
        });
        // Long words tell more than short ones.
        let weight =
            |group: &usize| query.groups.get(*group).and_then(|forms| forms.first()).map_or(0, String::len);
        let score: usize = seen.iter().map(|group| 4 + weight(group)).sum();
        if best.is_none_or(|(most, _)| score > most) {
            best = Some((score, piece));
        }
    }
    best.map(|(_, piece)| piece)
}

/// At most `most` characters around the best sentence, cut between words.
pub(crate) fn around(text: &str, lang: Option<Lang>, query: &LexicalQuery, most: usize) -> Piece {
    let trimmed = Piece { start: text.len() - text.trim_start().len(), end: text.trim_end().len() };
    let all = text.get(trimmed.start..trimmed.end).unwrap_or_default();
    if all.chars().count() <= most {
        return if trimmed.start < trimmed.end { trimmed } else { Piece { start: 0, end: 0 } };
    }
    let best = best_sentence(text, lang, query).unwrap_or(trimmed);
    let own = text.get(best.start..best.end).unwrap_or_default().chars().count();
    if own >= most {
        let end = forward(text, best.start, most);
        return Piece { start: best.start, end: back_to_blank(text, best.start, end) };
    }
    // A third of the room goes before the sentence, the rest after it; what one side does not need, the other gets.
    let room = most - own;
    let before = text.get(trimmed.start..best.start).unwrap_or_default().chars().count();
    let after = text.get(best.end..trimmed.end).unwrap_or_default().chars().count();
    let lead = (room / 3).max(room.saturating_sub(after)).min(before);
    let tail = (room - lead).min(after);
    let start = backward(text, best.start, lead);
    let start = if start > trimmed.start { forward_to_word(text, start, best.start) } else { start };
    let end = forward(text, best.end, tail);
    let end = if end < trimmed.end { back_to_blank(text, best.end, end) } else { end };
    Piece { start, end }
}

fn forward(text: &str, from: usize, characters: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    rest.char_indices().nth(characters).map_or(text.len(), |(at, _)| from + at)
}

fn backward(text: &str, from: usize, characters: usize) -> usize {
    let head = text.get(..from).unwrap_or_default();
    if characters == 0 {
        return from;
    }
    head.char_indices().rev().nth(characters - 1).map_or(0, |(at, _)| at)
}

/// The end of the last whole word before `end`, but not before `least`.
fn back_to_blank(text: &str, least: usize, end: usize) -> usize {
    let piece = text.get(least..end).unwrap_or_default();
    let cut = piece.rfind(char::is_whitespace).map_or(end, |at| least + at);
    let piece = text.get(least..cut).unwrap_or_default();
    least + piece.trim_end().len()
}

/// The beginning of the first whole word after `start`, but not after `most`.
fn forward_to_word(text: &str, start: usize, most: usize) -> usize {
    let piece = text.get(start..most).unwrap_or_default();
    let Some(blank) = piece.find(char::is_whitespace) else { return most };
    let rest = piece.get(blank..).unwrap_or_default();
    start + blank + (rest.len() - rest.trim_start().len())
}
