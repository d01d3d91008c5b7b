//! Which item of which list is meant.

use std::ops::Range;

use tata_language::{Language, folded};
use tata_phrases::whole_words;

use super::{List, are_years, item_of, items_of};
use crate::{
    answer::{
        by_number, only,
        pieces::pieces,
        words::{Meaning, Sense, Words},
    },
    sort::Place,
};

/// What words name.
pub(super) enum Found {
    /// One item, and the bytes of it that the words are.
    One { place: Place, at: usize, range: Range<usize> },
    /// Several items have these words.
    Several(Vec<(Place, usize)>),
    /// None has.
    None,
}

/// The item that is named by its number or by words that occur in exactly one.
pub(super) fn find(wanted: &str, language: Language, lists: &[List<'_>]) -> Found {
    let bare = bare(wanted, language);
    let (named, rest) = in_list(&bare, language);
    if let Some(number) = by_number(&rest, language) {
        let place = named.unwrap_or(Place::Must);
        let numbered = (1..).zip(items_of(lists, place)).find(|(known, _)| *known == number);
        let one =
            |(number, item): (usize, &String)| Found::One { place, at: number - 1, range: 0..item.len() };
        return numbered.map_or(Found::None, one);
    }
    let behind = behind_list(&bare, language);
    let candidates = [(None, bare.as_str()), (None, rest.as_str())];
    let candidates = candidates.into_iter().chain(behind.map(|(place, words)| (Some(place), words)));
    for (only, words) in candidates {
        match with_words(words, lists, |place, _| only.is_none_or(|only| only == place)) {
            Found::None => {}
            found @ (Found::One { .. } | Found::Several(_)) => return found,
        }
    }
    Found::None
}

/// The item that has these words, of all that may be meant.
pub(super) fn with_words(
    words: &str,
    lists: &[List<'_>],
    may_be: impl Fn(Place, usize) -> bool + Copy,
) -> Found {
    let found: Vec<(Place, usize, Range<usize>)> = lists
        .iter()
        .flat_map(|list| list.items.iter().enumerate().map(|(at, item)| (list.place, at, item)))
        .filter(|(place, at, _)| may_be(*place, *at))
        .filter_map(|(place, at, item)| Some((place, at, part(item, words)?)))
        .collect();
    // The whole of one item is that item, also if another one has its words in it.
    let whole =
        |(place, at, range): &&(Place, usize, Range<usize>)| item_of(lists, *place, *at).len() == range.len();
    let mut wholes = found.iter().filter(whole);
    match (found.as_slice(), wholes.next(), wholes.next()) {
        // "5 år" where the item says "5 years": the number is the same in every language.
        ([], ..) => match words.split_once(' ') {
            Some((number, unit)) if number.bytes().all(|byte| byte.is_ascii_digit()) && are_years(unit) => {
                with_words(number, lists, may_be)
            }
            _ => Found::None,
        },
        ([(place, at, range)], ..) | (_, Some((place, at, range)), None) => {
            Found::One { place: *place, at: *at, range: range.clone() }
        }
        (several, ..) => Found::Several(several.iter().map(|(place, at, _)| (*place, *at)).collect()),
    }
}

/// "The BGP one", "requirement number 3": without what only points.
pub(super) fn bare(wanted: &str, language: Language) -> String {
    let mut text = wanted.trim().trim_matches(['"', '“', '”', '„', '«', '»']).trim();
    loop {
        let words = Words::of(language);
        let first = text.split_once(char::is_whitespace).filter(|(first, _)| {
            words.is(&folded(first), Sense::Pointing) || words.is_whole(first, Sense::Filler)
        });
        let last = text.rsplit_once(char::is_whitespace);
        let last = last.filter(|(_, last)| words.is(&folded(last), Sense::PointingEnd));
        let shorter = first.map(|(_, rest)| rest.trim_start()).or(last.map(|(rest, _)| rest.trim_end()));
        match shorter.filter(|rest| !rest.is_empty()) {
            Some(rest) => text = rest,
            None => return text.to_owned(),
        }
    }
}

/// "Task 2", "number 2 of the tasks": the list, and what is left.
pub(super) fn in_list(bare: &str, language: Language) -> (Option<Place>, String) {
    let is = |text: &str| list_named(text, language);
    let words: Vec<&str> = bare.split_whitespace().collect();
    for length in (1..words.len().min(4)).rev() {
        let (first, rest) = words.split_at(length);
        if let Some(place) = is(&first.join(" ")).filter(|_| by_number(&rest.join(" "), language).is_some()) {
            return (Some(place), rest.join(" "));
        }
        let (first, rest) = words.split_at(words.len() - length);
        let number = first.iter().take(2).copied().collect::<Vec<_>>().join(" ");
        let number = [number.as_str(), first.first().copied().unwrap_or_default()]
            .into_iter()
            .find(|text| by_number(text, language).is_some())
            .map(str::to_owned);
        if let Some((place, number)) = is(&rest.join(" ")).zip(number) {
            return (Some(place), number);
        }
    }
    (None, bare.to_owned())
}

/// The list that these words name, all of them.
pub(super) fn list_named(text: &str, language: Language) -> Option<Place> {
    let pieces = pieces(text);
    let (place, length) = Words::of(language).at(&pieces, 0, Meaning::list)?;
    (length == pieces.len()).then_some(place)
}

/// "The reason You decide how the network is built": the words behind the name of a list.
fn behind_list(bare: &str, language: Language) -> Option<(Place, &str)> {
    let (first, rest) = bare.split_once(char::is_whitespace)?;
    let place = list_named(first.trim_end_matches([':', ',']), language)?;
    Some((place, rest.trim().trim_matches(['"', '“', '”', '„', '«', '»'])))
}

/// Where words stand in an item, as whole words, in whatever case.
fn part(item: &str, words: &str) -> Option<Range<usize>> {
    let (item_folded, wanted) = (folded(item), folded(words));
    if wanted.trim().is_empty() || item_folded.chars().count() != item.chars().count() {
        return None;
    }
    let at = only(whole_words(&item_folded, &wanted))?;
    let start = item_folded.get(..at)?.chars().count();
    let byte = |letters: usize| item.char_indices().nth(letters).map_or(item.len(), |(byte, _)| byte);
    Some(byte(start)..byte(start + wanted.chars().count()))
}
