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

mod act;
mod frames;
mod item;
mod parts;
mod small;
mod words;

use std::ops::Range;

use tata_language::Language;

use self::{
    item::{Found, find},
    words::Sentence,
};
use crate::{
    answer::words::{Meaning, Sense, Words, is},
    sort::Place,
};

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
    if message.trim().contains('\n') {
        return None;
    }
    let sentence = Sentence::new(message, language);
    if let Some(edit) = parts::read(&sentence, lists) {
        return Some(Reading::Edit(edit));
    }
    set(&sentence).or_else(|| by_verb(&sentence, lists))
}

/// Whether a message begins like a change: "remove that again", "replace number 2". No requirement begins so.
pub fn opens_with_change(message: &str, language: Language) -> bool {
    let sentence = Sentence::new(message, language);
    [Sense::Remove, Sense::Move].into_iter().any(|verb| sentence.opens_with(verb))
        || sentence.opens_with(Sense::Change) && sentence.find(1, is(Sense::With)).is_some()
}

/// "Pay: 45 000–52 000 SEK a month", "change the title to Network Engineer": what is no list is set as a whole.
fn set(sentence: &Sentence) -> Option<Reading> {
    let facts = [Place::Pay, Place::Place, Place::Team];
    let fact = |meaning: Meaning| meaning.place().filter(|place| facts.contains(place)).map(Some);
    let single = |meaning: Meaning| if meaning.sense == Sense::Title { Some(None) } else { fact(meaning) };
    let colon = (1..sentence.len().min(6)).find(|at| sentence.is_mark(*at, ':'));
    let labelled = colon.and_then(|colon| Some((sentence.whole(0, colon, single)?, colon + 1)));
    let changed = || {
        let about = sentence.behind(Sense::Change).or_else(|| sentence.before(Sense::Change))?;
        let (with, words) = sentence.find(about.start, is(Sense::With))?;
        Some((sentence.whole_of(about.start, with, single)?, with + words))
    };
    // "The pay is 38-43 000 SEK a month": the pay, and soon after it a figure.
    let pay = |meaning: Meaning| meaning.place().filter(|place| *place == Place::Pay).map(|_| ());
    let figured = || {
        let (at, length) = sentence.find(0, pay).filter(|(at, _)| sentence.are_small(0..*at))?;
        let soon = at + length..sentence.len().min(at + length + MOST_BEFORE_FIGURE);
        let figure = soon.into_iter().find(|at| sentence.are_digits(*at..at + 1))?;
        (!sentence.is_question()).then_some((Some(Place::Pay), figure))
    };
    let (place, from) = labelled.or_else(changed).or_else(figured)?;
    let value = sentence.text(from..sentence.len());
    (!value.is_empty()).then_some(Reading::Edit(Edit::Set { place, value }))
}

/// What a verb at the beginning or at the end speaks of, where the parts leave no reading: often something that is not there.
fn by_verb(sentence: &Sentence, lists: &[List<'_>]) -> Option<Reading> {
    let (first, last) = (|verb| sentence.behind(verb), |verb| sentence.before(verb));
    let (old, new) = if let Some((at, length)) = sentence.find(0, is(Sense::Instead)) {
        // "Instead of Cisco we need Juniper", "Juniper instead of Cisco".
        let want = sentence.find(length, is(Sense::Want)).filter(|_| at == 0);
        (at + length..want.map_or(sentence.len(), |(want, _)| want), None)
    } else if let Some(about) = first(Sense::Remove).or_else(|| last(Sense::Remove)) {
        (about, None)
    } else if let Some(about) = first(Sense::Change).or_else(|| last(Sense::Change)) {
        let with = sentence.find(about.start + 1, is(Sense::With)).filter(|(with, _)| *with < about.end);
        let Some((with, words)) = with else { return first(Sense::Change).map(|_| Reading::Unclear) };
        (about.start..with, Some(with + words..about.end))
    } else {
        let text = sentence.text(first(Sense::Add).filter(|_| sentence.opens_with(Sense::Add))?);
        let add = |text| Reading::Edit(Edit::Add { place: None, text });
        return Some(if text.is_empty() { Reading::Unclear } else { add(text) });
    };
    let (old, new) = (sentence.text(old), new.map(|new| sentence.text(new)));
    if old.is_empty() || new.as_ref().is_some_and(String::is_empty) {
        return Some(Reading::Unclear);
    }
    Some(match (find(&old, sentence.language, lists), new) {
        (Found::One { place, at, range }, Some(new)) => {
            Reading::Edit(exchanged(lists, place, at, range, new))
        }
        (Found::One { .. }, None) if sentence.has(0..sentence.len(), Sense::Instead) => Reading::Unclear,
        (Found::One { place, at, .. }, None) => Reading::Edit(Edit::Remove { place, at }),
        (Found::Several(found), _) => Reading::Several { words: old, found },
        (Found::None, _) => Reading::NotFound { words: old },
    })
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
        && counted.is_some_and(|own| own != unit && [own, unit].into_iter().all(are_years))
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

/// So many pieces may stand between "the pay" and its figure.
const MOST_BEFORE_FIGURE: usize = 4;

fn are_years(word: &str) -> bool {
    in_any_language(word, Sense::Years)
}

/// Whether all of a text has this sense, in any language.
fn in_any_language(text: &str, sense: Sense) -> bool {
    Language::ALL.into_iter().any(|language| Words::of(language).is_whole(text, sense))
}

fn items_of<'l>(lists: &[List<'l>], place: Place) -> &'l [String] {
    lists.iter().find(|list| list.place == place).map_or(&[], |list| list.items)
}

fn item_of<'l>(lists: &[List<'l>], place: Place, at: usize) -> &'l str {
    items_of(lists, place).get(at).map_or("", String::as_str)
}

/// The place of the one item that is named by its number or by words that only it has.
pub(crate) fn item_named(words: &str, language: Language, lists: &[List<'_>]) -> Option<usize> {
    if let Found::One { at, .. } = find(words, language, lists) { Some(at) } else { None }
}

#[cfg(test)]
mod tests;
