//! What the words of a line of notes say about where it belongs: its own kind, who speaks, what is taken back.

use std::ops::Range;

use tata_language::Language;

use super::Place;
use crate::answer::{
    pieces::{Piece, pieces},
    words::{Meaning, Sense, Words, is, value},
};

/// What a line is stands in so many letters at its beginning.
const BEGIN: usize = 70;
/// A figure stands no further behind what it is a figure of.
const NEAR: usize = 5;
/// Words such as "of" and "är" are no longer: "team of 7".
const SMALL: usize = 3;
/// A label that nobody knows has no more words.
const LABEL: usize = 3;
/// Sums with so many digits are pay wherever they stand.
const SUM: usize = 3;

/// The place that the first words of a line make plain: "Lön 38 000–44 000 kr/mån", "Team of 7", "start 1/3", "permanent".
pub(super) fn kind(line: &str, language: Language) -> Option<Place> {
    let begin: String = line.chars().take(BEGIN).collect();
    let pieces = pieces(&begin);
    let own = Words::of(language);
    if own.at(&pieces, 0, is(Sense::Employed)).is_some() {
        return Some(Place::Employment);
    }
    let named = languages(language).find_map(|language| {
        let words = Words::of(language);
        let (place, length) = words.at(&pieces, 0, Meaning::place)?;
        has_figure(&pieces, length, place, words).then_some(place)
    });
    named.or_else(|| {
        let ((), length) = own.at(&pieces, 0, is(Sense::Begins))?;
        has_figure(&pieces, length, Place::Date, own).then_some(Place::Date)
    })
}

/// Whether the figure of a pay, a team or a day stands behind its name.
fn has_figure(pieces: &[Piece], length: usize, place: Place, words: &Words) -> bool {
    let near = || pieces.get(length..).unwrap_or_default().iter().take(NEAR);
    let next = pieces.get(length);
    let first = next.is_some_and(|piece| piece.number().is_some());
    match place {
        Place::Pay => {
            // A budget that somebody owns is a task.
            let is_budget = pieces.first().is_some_and(|piece| piece.text.contains("budget"));
            !is_budget && (first || near().any(|piece| piece.number().is_some() && piece.text.len() >= SUM))
        }
        Place::Team => {
            let small = next.is_some_and(|piece| piece.text.chars().count() <= SMALL);
            first || small && pieces.get(length + 1).is_some_and(|piece| counts(piece, words))
        }
        Place::Date => {
            let month = near().any(|piece| is_month(piece, words));
            month || (length..length + NEAR).any(|at| is_day(pieces.get(at..).unwrap_or_default()))
        }
        Place::Must
        | Place::Good
        | Place::Task
        | Place::Reason
        | Place::Trait
        | Place::Company
        | Place::Place
        | Place::Employment
        | Place::Process
        | Place::Contact
        | Place::Challenge
        | Place::Measure
        | Place::Out => false,
    }
}

/// "1/3", "1.2.": a day of a month in digits.
fn is_day(pieces: &[Piece]) -> bool {
    let [day, mark, month, ..] = pieces else { return false };
    let fits = |piece: &Piece, most: u64| {
        piece.text.len() <= 2 && piece.number().is_some_and(|number| (1..=most).contains(&number))
    };
    fits(day, 31) && (mark.is('/') || mark.is('.')) && fits(month, 12)
}

fn counts(piece: &Piece, words: &Words) -> bool {
    piece.number().is_some() || words.number(&piece.text).is_some()
}

fn is_month(piece: &Piece, words: &Words) -> bool {
    words.at(std::slice::from_ref(piece), 0, value::<u64>(Sense::Month)).is_some()
}

/// Whether a label stands before the name of a position: "Stelle".
pub(super) fn names_position(label: &str, language: Language) -> bool {
    Words::of(language).is_whole(label, Sense::Position)
}

/// Whether a sentence says that something is only welcome: "Finnish would be nice". One word alone says little: "good
/// English" is no wish.
pub(super) fn is_welcome(sentence: &str, language: Language) -> bool {
    let begin: String = sentence.chars().take(BEGIN).collect();
    let pieces = pieces(&begin);
    let words = Words::of(language);
    let good = |meaning: Meaning| meaning.place().filter(|place| *place == Place::Good);
    (0..pieces.len()).any(|at| words.at(&pieces, at, good).is_some_and(|(_, length)| length > 1))
}

/// Whether a sentence speaks of those who recruit: "We are eight in the team".
pub(super) fn speaks_of_us(sentence: &str, language: Language) -> bool {
    begins(sentence, language, Sense::Speaker)
}

/// Whether a line is about the recruitment itself, and none of the role: "M on holiday wk 48, needs ad text by Fri".
pub(super) fn is_aside(line: &str, language: Language) -> bool {
    Words::of(language).is_inside(line, Sense::Aside)
}

/// Whether a sentence begins with a short label that no list has: "reporting line: Anna".
pub(super) fn is_labelled(line: &str) -> bool {
    let Some((name, rest)) = line.split_once(": ") else { return false };
    let short = (1..=LABEL).contains(&name.split_whitespace().count());
    short
        && !rest.trim().is_empty()
        && name.chars().all(|letter| letter.is_alphabetic() || " -/?&".contains(letter))
}

/// The part of a line that its own words take back: the clause that says so, and the one it points to.
pub(super) fn scrapped(line: &str, language: Language) -> Option<Range<usize>> {
    let at = place_of_scrap(line, language)?;
    let ends = [',', ';', '–', '—'];
    let clause = |end: usize| {
        let text = line.get(..end).unwrap_or_default();
        let dash = text.rfind(" - ").map(|at| at + 2);
        let mark = text
            .rfind(ends)
            .map(|at| at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8));
        dash.max(mark).unwrap_or_default()
    };
    // In brackets it is about what stands before them.
    let opened = line
        .get(..at)
        .and_then(|text| text.rfind('('))
        .filter(|open| line.get(*open..at).is_some_and(|inside| !inside.contains(')')));
    let own = opened.unwrap_or_else(|| clause(at));
    let bare = line.get(own..at).is_some_and(|text| !text.contains(char::is_alphanumeric));
    let about =
        line.get(..own).unwrap_or_default().trim_end().trim_end_matches(ends).trim_end_matches(" -").len();
    let start = if bare || opened.is_some() { clause(about) } else { own };
    let end = match opened {
        Some(open) => line.get(open..).and_then(|rest| rest.find(')')).map_or(line.len(), |at| open + at + 1),
        // "… – no wait, that was the tech role, scrap" speaks of nothing else to its end.
        None => line.len(),
    };
    Some(start..end)
}

fn is_in_capitals(word: &str) -> bool {
    word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_lowercase)
}

fn is_behind_an_arrow(before: &str) -> bool {
    ["->", "→", "←", "<-", "=>", ">>"].iter().any(|arrow| before.trim_end().ends_with(arrow))
}

/// Where the first wording stands that takes something back, in bytes.
fn place_of_scrap(line: &str, language: Language) -> Option<usize> {
    let words = Words::of(language);
    let mut from = 0;
    for word in line.split_inclusive(|letter: char| letter.is_whitespace() || "(/–-,".contains(letter)) {
        let rest: String = line.get(from..)?.chars().take(BEGIN).collect();
        if words.at(&pieces(&rest), 0, is(Sense::Scrapped)).is_some() {
            return Some(from);
        }
        // "Scrap metal" is a task, "forklift licence -> SCRAP" is none.
        let marked = is_in_capitals(word) || is_behind_an_arrow(line.get(..from)?);
        if marked && words.at(&pieces(&rest), 0, is(Sense::ScrapMark)).is_some() {
            return Some(from);
        }
        from += word.len();
    }
    None
}

fn begins(line: &str, language: Language, sense: Sense) -> bool {
    let begin: String = line.chars().take(BEGIN).collect();
    let pieces = pieces(&begin);
    let words = Words::of(language);
    let skipped = words.at(&pieces, 0, is(Sense::And)).map_or(0, |((), length)| length);
    words.at(&pieces, skipped, is(sense)).is_some()
}

/// Notes have labels in one language and lines in another: their own first.
fn languages(first: Language) -> impl Iterator<Item = Language> {
    std::iter::once(first).chain(Language::ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words that strike an item out behind an arrow or in capitals were proposed with it as a requirement.
    #[test]
    fn an_item_that_is_struck_out_is_none() {
        for (line, language, expected) in [
            ("forklift licence -> SCRAP, \"we train them\"", Language::En, true),
            ("sort scrap metal", Language::En, false),
            ("eftergymnasial utb – STRYKS, C ångrade sig", Language::Sv, true),
            ("AutoCAD ← UDGÅR, bruger vi ikke mere", Language::Da, true),
            ("fagbrev telekom – STRØKET, F: nei", Language::No, true),
            ("Staatsexamen → gestrichen", Language::De, true),
            ("Texte streichen und kürzen", Language::De, false),
        ] {
            assert_eq!(scrapped(line, language).is_some(), expected, "{line}");
        }
    }
}
