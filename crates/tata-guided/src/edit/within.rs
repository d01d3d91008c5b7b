//! Where a change is meant: "in task 2", "from the tasks", at the beginning or at the end of what is said.

use tata_language::{Language, folded};

use super::{
    List,
    item::{in_list, list_named},
};
use crate::{answer::by_number, sort::Place};

/// A place that was named, and the sentence without it.
pub(super) struct Within {
    pub(super) rest: String,
    place: Place,
    /// The item, from 0; none for the whole list.
    at: Option<usize>,
}

/// The words that name a place are no more.
const MOST_WORDS: usize = 5;

impl Within {
    /// Reads such a place; none if nobody named one.
    pub(super) fn read(message: &str, language: Language) -> Option<Self> {
        let words: Vec<&str> = message.split_whitespace().collect();
        let joins = |at: usize| words.get(at).is_some_and(|word| JOINS.contains(&folded(word).as_ref()));
        let cut = |at: usize, count: usize| {
            let end = at + 1 + count;
            let (place, item) = named(words.get(at + 1..end)?, language)?;
            // A list as a whole is named at the end; a number points wherever it stands.
            let last = words.get(end - 1).is_some_and(|word| word.ends_with([',', '.', ':']));
            let whole = end == words.len() || at == 0 && last;
            let rest = [words.get(..at)?, words.get(end..)?].concat().join(" ");
            (item.is_some() || whole).then_some(Self { rest, place, at: item })
        };
        (0..words.len())
            .rev()
            .filter(|at| joins(*at))
            .find_map(|at| (1..=MOST_WORDS).find_map(|count| cut(at, count)))
    }

    /// The lists with nothing in them but what was named.
    pub(super) fn narrow(&self, lists: &[List<'_>]) -> Vec<(Place, Vec<String>)> {
        narrow(lists, Some((self.place, self.at)))
    }
}

/// The lists with nothing in them but what was named; every item keeps its place.
pub(super) fn narrow(lists: &[List<'_>], only: Option<(Place, Option<usize>)>) -> Vec<(Place, Vec<String>)> {
    let kept = |place: Place, at: usize| {
        only.is_none_or(|(own, item)| place == own && item.is_none_or(|item| item == at))
    };
    let items = |list: &List<'_>| {
        let item =
            |(at, item): (usize, &String)| if kept(list.place, at) { item.clone() } else { String::new() };
        list.items.iter().enumerate().map(item).collect()
    };
    lists.iter().map(|list| (list.place, items(list))).collect()
}

/// "Task 2", "the first must-have", "the tasks".
fn named(words: &[&str], language: Language) -> Option<(Place, Option<usize>)> {
    let small = |word: &&&str| ARTICLES.contains(&folded(word).as_ref());
    let from = words.iter().take_while(small).count();
    let text = words.get(from..)?.join(" ");
    let text = text.trim_matches(|letter: char| ",.!:;".contains(letter));
    if let (Some(place), rest) = in_list(text, language) {
        return Some((place, Some(by_number(&rest, language)?.checked_sub(1)?)));
    }
    list_named(text, language).map(|place| (place, None))
}

const ARTICLES: &[&str] = &["the", "den", "det", "de", "der", "die", "das", "dem"];

/// What joins a place to the rest.
pub(super) const JOINS: &[&str] = &[
    "in", "from", "under", "among", "of", "i", "fran", "bland", "av", "fra", "blant", "blandt", "af", "im",
    "aus", "bei", "unter", "von", "från",
];
