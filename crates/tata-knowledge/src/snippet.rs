//! The part of a chunk that answers: the sentence that fits best, with as much around it as there is room for.

use std::collections::HashSet;

use tata_language::{Kind, Language, sentences, tokens};

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

/// What a question asks about by name, and whether it asks for a number: by that people tell sentences apart that share
/// all other words with it.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    names: Vec<String>,
    number: bool,
}

/// Countries as Germans write them: there a capital letter makes no name.
const GERMAN_COUNTRIES: [&str; 7] =
    ["deutschland", "dänemark", "norwegen", "schweden", "finnland", "österreich", "schweiz"];
/// How questions for a number or a day begin or go on.
const QUANTITIES: [&str; 26] = [
    "how many",
    "how much",
    "how long",
    "when",
    "hur många",
    "hur mycket",
    "hur länge",
    "hur lång",
    "när",
    "hvor mange",
    "hvor meget",
    "hvor mye",
    "hvor længe",
    "hvor lenge",
    "hvor lang",
    "hvornår",
    "når",
    "wie viele",
    "wie viel",
    "wie lange",
    "wie lang",
    "wie hoch",
    "wann",
    "how high",
    "hur hög",
    "hvor høj",
];
/// The most words of a line that may be a heading.
const HEADING_WORDS: usize = 8;
/// What a number is worth where one is asked for, in letters.
const NUMBER_WORTH: f64 = 12.0;

impl Asked {
    pub(crate) fn of(question: &str) -> Self {
        let found = tokens(question);
        let is_german = Lang::detect(question).and_then(Lang::spoken) == Some(Language::De);
        let mut names = Vec::new();
        for token in found.iter().skip(1).filter(|token| token.kind == Kind::Word) {
            let word = token.text.to_lowercase();
            let is_name = token.capital() && !is_german && word.chars().count() > 1;
            if is_name || GERMAN_COUNTRIES.contains(&word.as_str()) {
                names.push(word);
            }
        }
        let spaced = question.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
        let number = QUANTITIES.iter().any(|phrase| spaced.contains(phrase));
        Self { names, number }
    }

    /// How many of the names stand in a text.
    pub(crate) fn names_in(&self, text: &str) -> usize {
        if self.names.is_empty() {
            return 0;
        }
        let found = tokens(text);
        let words: Vec<String> = found.iter().map(|token| token.text.to_lowercase()).collect();
        self.names.iter().filter(|name| words.iter().any(|word| word.starts_with(name.as_str()))).count()
    }
}

/// The sentence that answers best: it has what the question names, and the words that tell the sentences of this text
/// apart. No heading: it says what the answer is about, not what it is.
pub(crate) fn answering_sentence(
    text: &str,
    lang: Option<Lang>,
    query: &LexicalQuery,
    asked: &Asked,
) -> Option<Piece> {
    let all = pieces(text, lang);
    let of = |piece: &Piece| text.get(piece.start..piece.end).unwrap_or_default();
    let told: Vec<Piece> = all.iter().filter(|piece| !is_heading(of(piece))).copied().collect();
    let candidates = if told.is_empty() { all } else { told };
    let groups: Vec<HashSet<usize>> =
        candidates.iter().map(|piece| groups_in(of(piece), lang, query)).collect();
    let mut best: Option<((usize, f64), Piece)> = None;
    for (piece, seen) in candidates.iter().zip(&groups) {
        let words = of(piece);
        let mut worth: f64 = seen.iter().map(|group| rarity(*group, &groups) * weight(*group, query)).sum();
        if asked.number && worth > 0.0 && words.chars().any(|c| c.is_ascii_digit()) {
            worth += NUMBER_WORTH;
        }
        let score = (asked.names_in(words), worth);
        if best.is_none_or(|(most, _)| score.0 > most.0 || score.0 == most.0 && score.1 > most.1) {
            best = Some((score, *piece));
        }
    }
    best.map(|(_, piece)| piece)
}

/// A line without an end, a number or a label: a heading, or the name of an entry.
fn is_heading(line: &str) -> bool {
    let line = line.trim();
    let ends = line.ends_with(['.', '!', '?', ':', ';', '”', '"', '…']);
    !ends
        && !line.contains([':', '|'])
        && !line.chars().any(|c| c.is_ascii_digit())
        && line.split_whitespace().count() <= HEADING_WORDS
}

/// The words of the question that stand in a piece, by their place among the groups.
fn groups_in(words: &str, lang: Option<Lang>, query: &LexicalQuery) -> HashSet<usize> {
    let mut seen = HashSet::new();
    each_term(lang, words, |token| {
        seen.extend(query.groups.iter().position(|forms| forms.contains(&token.text)));
    });
    seen
}

/// What a word of the question weighs: long words tell more than short ones.
#[expect(clippy::cast_precision_loss, reason = "words are short")]
fn weight(group: usize, query: &LexicalQuery) -> f64 {
    let length = query.groups.get(group).and_then(|forms| forms.first()).map_or(0, String::len);
    (4 + length) as f64
}

/// A word that stands in every sentence tells none of them apart.
#[expect(clippy::cast_precision_loss, reason = "a chunk has few sentences")]
fn rarity(group: usize, sentences: &[HashSet<usize>]) -> f64 {
    let with = sentences.iter().filter(|seen| seen.contains(&group)).count().max(1);
    (1.0 + sentences.len() as f64 / with as f64).ln()
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
