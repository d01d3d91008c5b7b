//! Changes of lists, in words: which item is meant, what goes, what comes.
//!
//! An item is named by its number or by words that occur in exactly one. Nothing is changed here: a reading says what
//! would be, and the person is shown both and asked.
//!
//! ```
//! use tata_guided::{
//!     edit::{Edit, List, Reading, read},
//!     sort::Place,
//! };
//! use tata_language::Language;
//!
//! let must = ["At least 5 years with BGP".to_owned(), "Swedish".to_owned()];
//! let lists = [List { place: Place::Must, items: &must }];
//! let Some(Reading::Edit(Edit::Replace { at: 0, after, .. })) = read("change 5 years to 3 years", Language::En, &lists)
//! else {
//!     panic!("not read")
//! };
//! assert_eq!(after, "At least 3 years with BGP");
//! ```

mod frames;
mod item;
mod parts;
mod small;
mod within;
mod words;

use std::ops::Range;

use tata_language::Language;

pub use self::parts::read_parts;
use self::{
    item::{Found, find, numbered},
    within::Within,
    words::Sentence,
};
use crate::{
    answer::words::{Sense, Words},
    sort::Place,
};

/// A wish of so many pieces is short.
const SHORT: usize = 8;

/// A list, as the person sees it.
#[derive(Clone, Copy, Debug)]
pub struct List<'l> {
    /// What its items are.
    pub place: Place,
    /// The items in order; the first has number 1.
    pub items: &'l [String],
}

/// A change of one thing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// An item goes.
    Remove {
        /// Its list.
        place: Place,
        /// Its place in it, from 0.
        at: usize,
    },
    /// An item becomes another, whole or in part.
    Replace {
        /// Its list.
        place: Place,
        /// Its place in it, from 0.
        at: usize,
        /// The part that goes; none if the whole item does.
        part: Option<String>,
        /// What comes, in the person's words.
        new: String,
        /// How the item reads then.
        after: String,
    },
    /// Something comes.
    Add {
        /// To which list; none if nobody said.
        place: Option<Place>,
        /// What, in the person's words.
        text: String,
    },
    /// An item goes to another list.
    Move {
        /// Its list.
        from: Place,
        /// Its place in it, from 0.
        at: usize,
        /// Its new list.
        to: Place,
    },
    /// A new title, pay, place or team.
    Set {
        /// What is set; none is the title.
        place: Option<Place>,
        /// To what, in the person's words.
        value: String,
    },
}

/// What a message says about a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// One change.
    Edit(Edit),
    /// The words occur in several items: in which lists and places.
    Several {
        /// The words.
        words: String,
        /// Where they occur.
        found: Vec<(Place, usize)>,
    },
    /// A change of something that is not there.
    NotFound {
        /// The words.
        words: String,
    },
    /// A change, but of what or to what is not said.
    Unclear,
}

/// Reads a change; none if the message speaks of none.
pub fn read(message: &str, language: Language, lists: &[List<'_>]) -> Option<Reading> {
    // A change is said in one line.
    if message.trim().lines().count() > 1 {
        return None;
    }
    let sentence = Sentence::new(message, language);
    if let Some(reading) = labelled(&sentence).or_else(|| renamed(&sentence, lists)) {
        return Some(reading);
    }
    // "… in task 2": what is meant lies there and nowhere else.
    if let Some(within) = Within::read(message, language) {
        let narrowed = within.narrow(lists);
        let lists: Vec<List<'_>> =
            narrowed.iter().map(|(place, items)| List { place: *place, items }).collect();
        let found = worded(&Sentence::new(&within.rest, language), &lists);
        if matches!(found, Some(Reading::Edit(Edit::Replace { .. } | Edit::Remove { .. }))) {
            return found;
        }
    }
    worded(&sentence, lists).or_else(|| added(&sentence))
}

fn worded(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    rather(sentence, lists)
        .or_else(|| instead(sentence, lists))
        .or_else(|| moved(sentence, lists))
        .or_else(|| changed(sentence, lists))
        .or_else(|| removed(sentence, lists))
}

/// "Must-have 4 should be: CCNP". Only a number points so surely that no verb is needed.
fn renamed(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    // "In task 1 it should be X instead of Y" speaks of a part.
    let instead = sentence.find(0, |sense| (sense == Sense::Instead).then_some(()));
    let (at, length) =
        sentence.find(2, |sense| (sense == Sense::Want).then_some(())).filter(|_| instead.is_none())?;
    // "… should instead be: X".
    let colon = sentence.colon().filter(|colon| *colon >= at + length);
    let new = sentence.text(colon.map_or(at + length, |colon| colon + 1), sentence.len());
    let old = sentence.text(0, at);
    (!new.is_empty() && numbered(&old, sentence.language))
        .then(|| replaced(&old, new, sentence.language, lists))
}

/// "Pay: 45 000–52 000 SEK a month", "title: Network Engineer".
fn labelled(sentence: &Sentence) -> Option<Reading> {
    let colon = (1..sentence.len().min(6)).find(|at| sentence.is_mark(*at, ':'))?;
    let place = sentence.whole(0, colon, settable)?;
    set(place, sentence.text(colon + 1, sentence.len()))
}

/// What is not a list, and set as a whole.
#[derive(Clone, Copy)]
enum Single {
    Title,
    Fact(Place),
}

fn settable(sense: Sense) -> Option<Single> {
    if sense == Sense::Title {
        return Some(Single::Title);
    }
    let facts = |place: &Place| matches!(place, Place::Pay | Place::Place | Place::Team);
    sense.place().filter(facts).map(Single::Fact)
}

fn set(single: Single, value: String) -> Option<Reading> {
    let place = match single {
        Single::Title => None,
        Single::Fact(place) => Some(place),
    };
    (!value.is_empty()).then_some(Reading::Edit(Edit::Set { place, value }))
}

/// "Not Cisco but Juniper". Only a whole item is sure to be meant.
fn rather(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    let (old, new) = sentence.rather()?;
    is_whole(&old, sentence.language, lists).then(|| replaced(&old, new, sentence.language, lists))
}

/// "Juniper instead of Cisco", "it should be Juniper instead of Cisco", "instead of Cisco we need Juniper".
fn instead(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    let wants = |sense: Sense| (sense == Sense::Want).then_some(());
    let (at, length) = sentence.find(0, |sense| (sense == Sense::Instead).then_some(()))?;
    let (new, old) = if at == 0 {
        // "Instead of Cisco we need Juniper": what is wanted parts the two.
        let (want, words) = sentence.find(length + 1, wants)?;
        (sentence.text(want + words, sentence.len()), sentence.text(length, want))
    } else {
        let mut start = sentence.after_opening();
        if let Some(((), verb)) = sentence
            .at(start, |sense| matches!(sense, Sense::Change | Sense::Add | Sense::Want).then_some(()))
        {
            start += verb;
        }
        // "The reason should read X instead of Y": what comes begins behind the want.
        if let Some((want, words)) = sentence.find(start, wants).filter(|(want, _)| *want < at) {
            start = want + words;
        }
        (sentence.text(start, at), sentence.text(at + length, sentence.len()))
    };
    if new.is_empty() || old.is_empty() {
        return Some(Reading::Unclear);
    }
    Some(replaced(&old, new, sentence.language, lists))
}

/// "Change 5 years to 3 years", "replace the second with CCNP", "change the title to …".
fn changed(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    let start = sentence.after_opening();
    let (begin, end) = match sentence.at(start, |sense| (sense == Sense::Change).then_some(())) {
        Some(((), verb)) => (start + verb, sentence.len()),
        // "Bitte 5 Jahre durch 3 Jahre ersetzen": the verb comes last.
        None => match sentence.ends_with(Sense::Change) {
            Some(end) => (sentence.after_small(), end),
            None => return passive(sentence, lists),
        },
    };
    let mut first = None;
    let mut from = begin + 1;
    while let Some((at, length)) = sentence.find(from, |sense| (sense == Sense::With).then_some(())) {
        if at >= end {
            break;
        }
        let (old, new) = (sentence.text(begin, at), sentence.text(at + length, end));
        if !old.is_empty() && !new.is_empty() {
            if let Some(place) = sentence.whole_of(begin, at, settable) {
                return set(place, new);
            }
            let reading = replaced(&old, new, sentence.language, lists);
            // A whole item is meant before a part of one: "with" may stand in it.
            if matches!(reading, Reading::Edit(Edit::Replace { part: None, .. })) {
                return Some(reading);
            }
            let better = matches!(reading, Reading::Edit(_)) && !matches!(first, Some(Reading::Edit(_)));
            if better || first.is_none() {
                first = Some(reading);
            }
        }
        from = at + length;
    }
    Some(first.unwrap_or(Reading::Unclear))
}

/// "X must be changed to Y": the verb between the two.
fn passive(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    let (at, length) = sentence.find(1, |sense| (sense == Sense::Change).then_some(()))?;
    let ((), with) = sentence.at(at + length, |sense| (sense == Sense::With).then_some(()))?;
    let (old, new) =
        (sentence.text(sentence.after_small(), at), sentence.text(at + length + with, sentence.len()));
    let reading =
        (!old.is_empty() && !new.is_empty()).then(|| replaced(&old, new, sentence.language, lists))?;
    matches!(reading, Reading::Edit(_)).then_some(reading)
}

fn replaced(old: &str, new: String, language: Language, lists: &[List<'_>]) -> Reading {
    match find(old, language, lists) {
        Found::One { place, at, range } => Reading::Edit(exchanged(lists, place, at, range, new)),
        Found::Several(found) => Reading::Several { words: old.to_owned(), found },
        Found::None => Reading::NotFound { words: old.to_owned() },
    }
}

/// An item with some of it, or all of it, exchanged. What stands there already is not said twice: "5" to "7 years" in
/// "5 years with BGP", "5 years" to "3".
fn exchanged(lists: &[List<'_>], place: Place, at: usize, mut range: Range<usize>, mut new: String) -> Edit {
    let item = item_of(lists, place, at);
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let leading = digits(item.get(range.clone()).unwrap_or_default());
    // "8 år" for "5 years": the item keeps its own word for years.
    let counted = item.get(range.start + leading..).and_then(|rest| rest.split_whitespace().next());
    if leading > 0
        && let Some((number, unit)) = new.split_once(' ')
        && digits(number) == number.len()
        && counted.is_some_and(|own| are_years(own) && are_years(unit) && own != unit)
    {
        new.truncate(number.len());
    }
    if leading > 0 && digits(&new) == new.len() {
        range.end = range.start + leading;
    }
    // "7 years of BGP" for "5": what it counts stands there already.
    let own: Vec<&str> = item.split_whitespace().collect();
    if leading > 0
        && range.len() == leading
        && digits(&new) > 0
        && new.split_whitespace().skip(1).any(|word| own.contains(&word))
        && new.split_whitespace().next().is_some_and(|number| digits(number) == number.len())
    {
        new.truncate(digits(&new));
    }
    let whole = range.len() == item.len();
    let following = item.get(range.end..).unwrap_or_default();
    let repeated = following.trim_start().split(' ').next().unwrap_or_default();
    if !whole && !repeated.is_empty() && new.split_whitespace().next_back() == Some(repeated) {
        range.end += following.len() - following.trim_start().len() + repeated.len();
    }
    let leading = item.get(..range.start).unwrap_or_default().trim_end();
    let folded = |text: &str| tata_language::folded(text).into_owned();
    let (before, first) = (folded(leading), folded(&new));
    // "At least" before the number, and again before the new one.
    let again = (1..=2).rev().find(|count| {
        let words: Vec<&str> = first.split_whitespace().take(*count).collect();
        let last: Vec<&str> = before.split_whitespace().rev().take(*count).collect();
        words.len() == *count && words.iter().eq(last.iter().rev())
    });
    if let Some(count) = again.filter(|_| !whole) {
        let start = leading.char_indices().rev().filter(|(_, letter)| letter.is_whitespace()).nth(count - 1);
        range.start = start.map_or(0, |(at, letter)| at + letter.len_utf8());
    }
    let (before, after) = (item.get(..range.start), item.get(range.end..));
    let part = item.get(range.clone()).filter(|part| part.trim() != item.trim()).map(str::to_owned);
    let after = match (&part, before, after) {
        (Some(_), Some(before), Some(after)) => format!("{before}{new}{after}"),
        _ => new.clone(),
    };
    Edit::Replace { place, at, part, new, after }
}

/// Whether a word counts years, in any language.
fn are_years(word: &str) -> bool {
    Language::ALL.into_iter().any(|language| Words::of(language).is_whole(word, Sense::Years))
}

fn item_of<'l>(lists: &[List<'l>], place: Place, at: usize) -> &'l str {
    let list = lists.iter().find(|list| list.place == place);
    list.and_then(|list| list.items.get(at)).map_or("", String::as_str)
}

/// The place of the one item that is named by its number or by words that only it has.
pub(crate) fn item_named(words: &str, language: Language, lists: &[List<'_>]) -> Option<usize> {
    if let Found::One { at, .. } = find(words, language, lists) { Some(at) } else { None }
}

/// "Remove number 3", "take BGP out", "Nummer 3 streichen".
fn removed(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    let start = sentence.after_opening();
    let is = |wanted: Sense| move |sense: Sense| (sense == wanted).then_some(());
    let wanted = if let Some(((), verb)) = sentence.at(start, is(Sense::Remove)) {
        sentence.text(start + verb, sentence.len())
    } else if let Some(((), verb)) = sentence.at(start, is(Sense::Take))
        && let Some(end) = sentence.ends_with(Sense::Away)
        && end > start + verb
    {
        sentence.text(start + verb, end)
    } else {
        // The verb at the end, of a short wish or after a whole item: else it may belong to something else.
        let end = sentence.ends_with(Sense::Remove).filter(|end| *end > start)?;
        let wanted = sentence.text(sentence.after_small(), end);
        if sentence.len() > SHORT && !is_whole(&wanted, sentence.language, lists) {
            return None;
        }
        wanted
    };
    if wanted.is_empty() {
        return Some(Reading::Unclear);
    }
    Some(match find(&wanted, sentence.language, lists) {
        Found::One { place, at, .. } => Reading::Edit(Edit::Remove { place, at }),
        Found::Several(found) => Reading::Several { words: wanted, found },
        Found::None => Reading::NotFound { words: wanted },
    })
}

/// Whether words name a whole item, by its number or by all of its own words.
fn is_whole(words: &str, language: Language, lists: &[List<'_>]) -> bool {
    let Found::One { place, at, range } = find(words, language, lists) else { return false };
    range.len() == item_of(lists, place, at).len()
}

/// "Make number 2 a good-to-have", "move Python to the tasks".
fn moved(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    let start = sentence.after_opening();
    let ((), verb) = sentence.at(start, |sense| (sense == Sense::Move).then_some(()))?;
    let (to, list) = sentence.list_at_end(start + verb + 1)?;
    let wanted = sentence.text(start + verb, list);
    Some(match find(&wanted, sentence.language, lists) {
        Found::One { place, at, .. } => Reading::Edit(Edit::Move { from: place, at, to }),
        Found::Several(found) => Reading::Several { words: wanted, found },
        Found::None => return None,
    })
}

/// "Add a fifth must-have: CCNP", "add CCNP as a must-have", "lägg till Python som meriterande".
fn added(sentence: &Sentence) -> Option<Reading> {
    let start = sentence.after_opening();
    let Some(((), verb)) = sentence.at(start, |sense| (sense == Sense::Add).then_some(())) else {
        // "One more reason: …", "another task: …".
        let (place, at) = sentence.another()?;
        let text = sentence.text(at, sentence.len());
        return (!text.is_empty()).then_some(Reading::Edit(Edit::Add { place: Some(place), text }));
    };
    let begin = start + verb;
    if let Some((place, at)) = sentence.list_at_start(begin) {
        let text = sentence.text(at, sentence.len());
        return Some(if text.is_empty() {
            Reading::Unclear
        } else {
            Reading::Edit(Edit::Add { place: Some(place), text })
        });
    }
    if let Some((place, list)) = sentence.list_at_end(begin + 1) {
        let text = sentence.text(begin, list);
        return Some(Reading::Edit(Edit::Add { place: Some(place), text }));
    }
    let text = sentence.text(begin, sentence.len());
    if let Some((place, text)) = item::behind_definite(&text, sentence.language) {
        return Some(Reading::Edit(Edit::Add { place: Some(place), text: text.to_owned() }));
    }
    Some(if text.is_empty() { Reading::Unclear } else { Reading::Edit(Edit::Add { place: None, text }) })
}

#[cfg(test)]
mod tests;
