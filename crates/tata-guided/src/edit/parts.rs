//! A change read by its parts, in whatever order: what is there already, the list, the verb, small words around them, and
//! one run of words that is left.
//!
//! "Bitte noch die Aufgabe ‚Train new people‘ hinzufügen", "in task 1 soll CCNP statt CCNA stehen", "change the reason to …".
//! Two runs of other words mean that something was not understood, and nothing is read.

use std::ops::Range;

use super::{
    Edit, List, exchanged,
    frames::{Act, Frames, ITEM, LIST, NEW, NUMBER},
    in_any_language,
    item::{self, Found},
    item_of, items_of,
    words::Sentence,
};
use crate::{
    answer::{
        by_number, only,
        pieces::Shape,
        words::{Meaning, Sense, is},
    },
    sort::Place,
};

/// A wish of more pieces is not read by its parts.
const LONGEST: usize = 60;

/// The change that the parts of a message make; none unless they leave one reading.
pub(super) fn read(sentence: &Sentence, lists: &[List<'_>]) -> Option<Edit> {
    let question = (0..sentence.len().saturating_sub(1)).any(|at| sentence.is_mark(at, '?'));
    if question || sentence.len() > LONGEST {
        return None;
    }
    let (with_numbers, bare) = (named(sentence, true), named(sentence, false));
    let number = numbered(sentence);
    let read = |named, number| Parts { sentence, named, number, lists }.read();
    let found = with_numbers.iter().map(Some).chain([None]).find_map(|named| read(named, None));
    // A number without a list is that of a must-have, if nothing else is meant.
    found.or_else(|| {
        let number = number.as_ref()?;
        let alone = bare.is_empty().then_some(None);
        bare.iter().map(Some).chain(alone).find_map(|named| read(named, Some(number)))
    })
}

/// What is less likely is not tried.
const LIKELY: f32 = 0.1;
/// What comes without quotation marks or a colon must be wanted as surely by the words alone.
const SURE: f32 = 0.8;

/// What a message wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Add,
    Change,
    Remove,
    /// "Put", "take", "we need": what is there already changes, what is not comes.
    Put,
}

/// A list that is named, and the number of an item in it.
#[derive(Clone, Debug)]
struct Named {
    place: Place,
    at: Option<usize>,
    /// Whether the number stands before it: "one more task", "a fifth task", "the second task".
    counted: bool,
    pieces: Range<usize>,
}

/// The lists that are named outside of quotation marks: those with a number first, then the last ones. Without numbers, a
/// number before a list is something else: "number 2 to the tasks".
fn named(sentence: &Sentence, with_numbers: bool) -> Vec<Named> {
    let mut found: Vec<Named> = Vec::new();
    // What stands behind a colon is what comes.
    let count = sentence.colon().unwrap_or(sentence.len());
    let mut at = 0;
    while at < count {
        // Headings of notes name a list too, if they are more than a word: "under Why join".
        let heading = || sentence.at(at, Meaning::heading).filter(|(_, length)| *length > 1);
        let list = sentence.at(at, Meaning::list).or_else(heading).filter(|_| !sentence.is_quoted(at));
        let Some((place, length)) = list else {
            at += 1;
            continue;
        };
        let number =
            |range: Range<usize>| by_number(&sentence.text(range.clone()), sentence.language)?.checked_sub(1);
        let end = at + length;
        // "Task 2", "task number 2", "the second task", "number 2 of the tasks".
        let after = (end + 1..=(end + 2).min(count)).find_map(|to| Some((number(end..to)?, at..to)));
        let before = (at.saturating_sub(4)..at).find_map(|from| {
            let to = (from + 1..=(from + 2).min(at))
                .find(|to| number(from..*to).is_some() && sentence.rest_is_small(*to..at))?;
            Some((number(from..to)?, from..end))
        });
        let before = before.filter(|_| with_numbers);
        // "In the first requirement 5 years": the number behind it counts.
        let ordinal = at > 0 && sentence.at(at - 1, is(Sense::Ordinal)).is_some();
        let after = after.filter(|_| !(ordinal && before.is_some()));
        // "In the BGP requirement": what joins it, and what tells it from the others.
        let near = (at.saturating_sub(4)..at).rev().take_while(|from| !sentence.is_apart(*from));
        let told = near.into_iter().find(|from| sentence.is(*from, Sense::Join));
        let counted = after.is_none() && before.is_some();
        let (number, pieces) = match after.or(before) {
            Some((number, pieces)) => (Some(number), pieces),
            None => (None, told.unwrap_or(at)..end),
        };
        found.push(Named { place, at: number, counted, pieces });
        at = end;
    }
    found.reverse();
    found.sort_by_key(|named| named.at.is_none());
    found
}

/// The one number that points without a list: "number 2", "the second", "2" where nothing is counted.
fn numbered(sentence: &Sentence) -> Option<Named> {
    let number = |pieces: Range<usize>| {
        let at = by_number(&sentence.text(pieces.clone()), sentence.language)?.checked_sub(1)?;
        Some(Named { place: Place::Must, at: Some(at), counted: false, pieces })
    };
    let word = |at: usize| sentence.is(at, Sense::NumberWord) || sentence.is_mark(at, '#');
    let begins = (0..sentence.len()).filter(|at| !sentence.is_quoted(*at));
    let begins = begins.filter(|at| word(*at) || sentence.points(*at) && !(*at > 0 && word(at - 1)));
    only(begins.filter_map(|at| number(at..at + if word(at) { 2 } else { 1 })))
}

/// The parts of a message, with one of the lists that it may name.
struct Parts<'s> {
    sentence: &'s Sentence,
    named: Option<&'s Named>,
    /// A must-have that is meant by its number alone.
    number: Option<&'s Named>,
    lists: &'s [List<'s>],
}

/// Words of an item that a message has.
struct Anchor {
    pieces: Range<usize>,
    words: String,
}

impl Parts<'_> {
    /// The likeliest change that the parts allow.
    fn read(&self) -> Option<Edit> {
        let frames = Frames::of(self.sentence.language);
        let masked = self.masked();
        for (act, likely) in frames.acts(&masked) {
            if act == Act::Nothing && likely >= LIKELY {
                // "Don't remove it": the verb alone would say the opposite.
                return if likely >= 0.5 { None } else { self.read_by_verb() };
            }
            let read = (likely >= LIKELY).then(|| match act {
                Act::Remove => self.removed(),
                Act::Add => self.added().filter(|_| self.is_sure_to_add(frames, &masked)),
                Act::Change => self.corrected().or_else(|| self.changed()),
                Act::Move => self.moved(),
                Act::Nothing => None,
            });
            if let Some(edit) = read.flatten() {
                return Some(edit);
            }
        }
        self.read_by_verb()
    }

    /// A number alone says too little: "1", "number 2 is wrong", "not the second".
    fn is_sure_to_remove(&self) -> bool {
        let said = || self.sentence.verb() == Some(Verb::Remove) && self.sentence.last_not().is_none();
        self.number.is_none() || said()
    }

    fn is_sure_to_add(&self, frames: &Frames, masked: &[String]) -> bool {
        let set_off =
            (0..self.sentence.len()).any(|at| self.sentence.is_quoted(at)) || self.sentence.colon().is_some();
        let [(act, likely), ..] = frames.acts_by_words(masked);
        set_off || act == Act::Add && likely >= SURE
    }

    /// The same by the first verb, where nothing that was learned fits.
    fn read_by_verb(&self) -> Option<Edit> {
        if self.sentence.is_question() {
            return None;
        }
        // "Task 3 …: Help customers" needs no verb.
        let pointed = self.named.is_some_and(|named| named.at.is_some()) && self.sentence.colon().is_some();
        // "Under tasks there should also be “…”": a list, and words in quotation marks.
        let quoted = self.named.is_some() && (0..self.sentence.len()).any(|at| self.sentence.is_quoted(at));
        let default = if pointed { Some(Verb::Change) } else { quoted.then_some(Verb::Put) };
        match self.sentence.verb().or(default)? {
            Verb::Add => self.added(),
            Verb::Put if self.anchor().is_none() && !self.is_subject() => self.added(),
            Verb::Put | Verb::Change => self.corrected().or_else(|| self.changed()),
            Verb::Remove => self.removed(),
        }
    }

    /// The message with slots in place of what it is about, as the learned sentences have them.
    fn masked(&self) -> Vec<String> {
        let anchor = self.anchor();
        let colon = self.sentence.colon();
        let mut words: Vec<String> = Vec::new();
        let about = anchor.map(|anchor| anchor.pieces).or(self.number.map(|number| number.pieces.clone()));
        for (at, piece) in self.sentence.pieces.iter().enumerate() {
            let named = self.named.filter(|named| named.pieces.contains(&at));
            let slot = if about.as_ref().is_some_and(|pieces| pieces.contains(&at)) {
                Some(ITEM)
            } else if let Some(named) = named {
                // "Task 2" and "the second task" alike: the list, then its number.
                if at == named.pieces.start {
                    words.push(LIST.to_owned());
                    words.extend(named.at.map(|_| NUMBER.to_owned()));
                }
                continue;
            } else if piece.is('"') {
                None
            } else if self.sentence.is_quoted(at) || colon.is_some_and(|colon| colon < at) {
                Some(NEW)
            } else if piece.shape == Shape::Mark {
                None
            } else {
                (!self.sentence.is_said_around(at)).then_some(NEW)
            };
            match slot {
                Some(slot) if words.last().is_some_and(|last| last == slot) => {}
                Some(slot) => words.push(slot.to_owned()),
                None if piece.shape != Shape::Mark || piece.is(':') || piece.is('?') => {
                    words.push(piece.text.clone());
                }
                None => {}
            }
        }
        words
    }

    /// "It should be 7 years with BGP, not 5".
    fn corrected(&self) -> Option<Edit> {
        let not = self.sentence.last_not()?;
        let (old, new) = (self.sentence.core(not + 1..self.sentence.len()), self.sentence.core(0..not));
        if old.is_empty() || new.is_empty() {
            return None;
        }
        let (place, at, range) = self.found(&self.sentence.text(old.clone()))?;
        let mut text = self.sentence.text(new.clone());
        let same = self.found(&text).is_some();
        // "BGP must be 6 years, not 5": a number for a number.
        if self.sentence.are_digits(old) {
            text = self.sentence.only_number(new)?;
        }
        (!same).then(|| exchanged(self.lists, place, at, range, text))
    }

    /// An item goes to the list that is named.
    fn moved(&self) -> Option<Edit> {
        let to = self.named.filter(|named| named.at.is_none())?.place;
        // The item stands in another list than the one that is named.
        let everywhere = Parts { named: None, ..*self };
        let anchor = self.anchor_in(&everywhere);
        if self.says_more(anchor.as_ref()) {
            return None;
        }
        let (from, at) = everywhere.item(anchor.as_ref())?;
        (from != to).then_some(Edit::Move { from, at, to })
    }

    /// "The reason should be …": the list begins the sentence, and has one item.
    fn is_subject(&self) -> bool {
        let Some(named) = self.named else { return false };
        let alone = items_of(self.lists, named.place).len() == 1;
        let joined = (0..=named.pieces.start).any(|at| self.sentence.is(at, Sense::Join));
        alone && !joined && self.sentence.rest_is_small(0..named.pieces.start)
    }

    /// Something comes to the list that is named.
    fn added(&self) -> Option<Edit> {
        let named =
            self.named.filter(|named| self.number.is_none() && (named.at.is_none() || named.counted))?;
        let text = self.one_run(std::slice::from_ref(&named.pieces))?;
        Some(Edit::Add { place: Some(named.place), text: self.sentence.text(text.clone()) })
    }

    /// An item goes, and nothing else is said.
    fn removed(&self) -> Option<Edit> {
        let anchor = self.anchor();
        if self.says_more(anchor.as_ref()) {
            return None;
        }
        let (place, at) = self.item(anchor.as_ref()).filter(|_| self.is_sure_to_remove())?;
        Some(Edit::Remove { place, at })
    }

    /// An item, or a part of one, becomes what is left of the message.
    fn changed(&self) -> Option<Edit> {
        let anchor = self.anchor().filter(|_| self.number.is_none());
        let alone = anchor.is_none();
        // What has words of an item may all be what comes, but only if it is marked so.
        self.changed_at(anchor, false).or_else(|| self.changed_at(None, !alone))
    }

    fn changed_at(&self, anchor: Option<Anchor>, marked: bool) -> Option<Edit> {
        let cut = self.cut(anchor.as_ref());
        let meant = |new: &Range<usize>| self.sentence.is_marked_off(new) || self.is_renamed(new);
        let new = self.one_run(&cut).filter(|new| !marked || meant(new))?;
        let old = anchor.as_ref().map(|anchor| anchor.pieces.clone());
        let old = old.or_else(|| self.number.or(self.named).map(|named| named.pieces.clone()))?;
        if !self.in_order(&old, &new) {
            return None;
        }
        let text = self.sentence.text(new.clone());
        let part = anchor.and_then(|anchor| self.found(&anchor.words));
        let (place, at) = part.as_ref().map(|(place, at, _)| (*place, *at)).or_else(|| self.item(None))?;
        let item = item_of(self.lists, place, at);
        // "Replace driving licence with “B-körkort”": the article goes with it.
        let is_whole =
            |part: &Range<usize>| self.sentence.is_marked_off(&new) && is_all_but_article(item, part);
        let range = part.map(|(.., range)| range).filter(|part| !is_whole(part)).unwrap_or(0..item.len());
        Some(exchanged(self.lists, place, at, range, text))
    }

    /// "Task 1 should read …": the number of an item, what is wanted, and what comes.
    fn is_renamed(&self, new: &Range<usize>) -> bool {
        let numbered = self.named.filter(|named| named.at.is_some());
        numbered.is_some_and(|named| self.sentence.has(named.pieces.end..new.start, Sense::Want))
    }

    /// Whether what stands between the two says that the one becomes the other, and not the other way round.
    fn in_order(&self, old: &Range<usize>, new: &Range<usize>) -> bool {
        let old_first = old.start < new.start;
        let gap = if old_first { old.end..new.start } else { new.end..old.start };
        let has = |wanted: Sense| self.sentence.has(gap.clone(), wanted);
        if gap.is_empty() {
            return false;
        }
        // "Number 4 should say X", "number 4: X".
        if self.number.is_some_and(|number| number.pieces == *old) && old_first {
            let wanted = self.sentence.is_marked_off(new) || has(Sense::Want);
            return wanted && self.sentence.rest_is_small(0..old.start);
        }
        // "I would rather have X as task 1": a number names what is there, wherever it stands.
        if self.named.is_some_and(|named| named.at.is_some() && named.pieces == *old) {
            return true;
        }
        // "Curious instead of calm". All else names first what is there: "calm to curious", "instead of calm we need curious".
        old_first != has(Sense::Instead)
    }

    /// The item that is meant: the one that has the words, the one with the number, the only one of its list.
    fn item(&self, anchor: Option<&Anchor>) -> Option<(Place, usize)> {
        if let Some(anchor) = anchor {
            return self.found(&anchor.words).map(|(place, at, _)| (place, at));
        }
        let named = self.named.or(self.number)?;
        let count = items_of(self.lists, named.place).len();
        let at = named.at.or(self.number.and_then(|number| number.at)).or((count == 1).then_some(0))?;
        (at < count).then_some((named.place, at))
    }

    /// The most of an item that the message has, in one piece.
    fn anchor(&self) -> Option<Anchor> {
        self.anchor_in(self)
    }

    /// The same, looked for where another reading of the message looks.
    fn anchor_in(&self, where_: &Parts<'_>) -> Option<Anchor> {
        let count = self.sentence.len();
        let spans = (0..count).flat_map(|start| (start + 1..=count).map(move |end| start..end));
        let spans = spans.filter(|range| range.len() <= 20 && self.is_free(range));
        let spans = spans.filter(|range| !self.sentence.rest_is_small(range.clone()));
        let anchors = spans.filter_map(|pieces| {
            let words = self.sentence.exactly(pieces.clone());
            let (_, _, range) = where_.found(&words)?;
            Some((range.len(), Anchor { pieces, words }))
        });
        // The first of the longest; "5 år" before "5", where the item has "5 years".
        let longest = anchors.rev().max_by_key(|(length, anchor)| (*length, anchor.pieces.len()));
        longest.map(|(_, anchor)| anchor)
    }

    /// Whether pieces lie outside of the name of the list, and of the number.
    fn is_free(&self, pieces: &Range<usize>) -> bool {
        let mut taken = self.named.into_iter().chain(self.number);
        taken.all(|named| pieces.end <= named.pieces.start || named.pieces.end <= pieces.start)
    }

    fn found(&self, words: &str) -> Option<(Place, usize, Range<usize>)> {
        let may_be = |place: Place, at: usize| {
            self.named.is_none_or(|named| place == named.place && named.at.is_none_or(|own| own == at))
        };
        match item::with_words(words, self.lists, may_be) {
            Found::One { place, at, range } => Some((place, at, range)),
            Found::Several(_) | Found::None => None,
        }
    }

    /// What was understood.
    fn cut(&self, anchor: Option<&Anchor>) -> Vec<Range<usize>> {
        let mut cut: Vec<Range<usize>> = self.named.map(|named| named.pieces.clone()).into_iter().collect();
        cut.extend(anchor.map(|anchor| anchor.pieces.clone()));
        cut.extend(self.number.map(|number| number.pieces.clone()));
        cut.sort_by_key(|range| range.start);
        cut
    }

    /// The one run of words that is left. What stands in quotation marks or after a colon is it, whatever else is said.
    fn one_run(&self, cut: &[Range<usize>]) -> Option<Range<usize>> {
        let runs: Vec<Range<usize>> = self.runs(cut).into_iter().filter(|run| !run.is_empty()).collect();
        let marked: Vec<&Range<usize>> = runs.iter().filter(|run| self.sentence.is_marked_off(run)).collect();
        match (runs.as_slice(), marked.as_slice()) {
            ([run], _) => Some(run.clone()),
            (_, [run]) => Some((*run).clone()),
            _ => None,
        }
    }

    /// Whether anything is left besides what was understood.
    fn says_more(&self, anchor: Option<&Anchor>) -> bool {
        self.runs(&self.cut(anchor)).iter().any(|run| !run.is_empty())
    }

    /// What is left between what was understood, small words around it aside.
    fn runs(&self, cut: &[Range<usize>]) -> Vec<Range<usize>> {
        let starts = std::iter::once(0).chain(cut.iter().map(|range| range.end));
        let ends = cut.iter().map(|range| range.start).chain([self.sentence.len()]);
        starts
            .zip(ends)
            .flat_map(|(start, end)| self.sentence.marked_apart(start..end))
            .map(|range| self.sentence.core(range))
            .collect()
    }
}

/// Whether nothing of an item lies outside a part of it but an article.
fn is_all_but_article(item: &str, part: &Range<usize>) -> bool {
    let (before, after) =
        (item.get(..part.start).unwrap_or_default(), item.get(part.end..).unwrap_or_default());
    after.is_empty() && in_any_language(before.trim(), Sense::Article)
}
