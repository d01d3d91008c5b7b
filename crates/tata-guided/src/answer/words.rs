//! The words of answers (`data/words`), made into tables by the build.

use std::str::FromStr;

use tata_language::Language;
use tata_phrases::Trie;

use super::pieces::{Piece, pieces};
pub(crate) use super::sense::Sense;
use crate::sort::Place;

/// A sense, and for some the value behind a dot: `month.3`, `place.must`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Meaning {
    pub(crate) sense: Sense,
    pub(crate) value: &'static str,
}

/// Looks for a sense.
pub(crate) fn is(wanted: Sense) -> impl Fn(Meaning) -> Option<()> + Copy {
    move |meaning| (meaning.sense == wanted).then_some(())
}

/// Looks for the value of a sense.
pub(crate) fn value<T: FromStr>(wanted: Sense) -> impl Fn(Meaning) -> Option<T> + Copy {
    move |meaning| if meaning.sense == wanted { meaning.value.parse().ok() } else { None }
}

/// Looks for one of several senses, each with what it stands for.
pub(crate) fn among<T: Copy, const N: usize>(table: [(Sense, T); N]) -> impl Fn(Meaning) -> Option<T> {
    move |meaning| table.iter().find(|(known, _)| *known == meaning.sense).map(|(_, value)| *value)
}

impl Meaning {
    /// A number, small or a scale.
    pub(crate) fn number(self) -> Option<u64> {
        value(Sense::Number)(self).or_else(|| value(Sense::Scale)(self))
    }

    /// A list that is spoken of.
    pub(crate) fn list(self) -> Option<Place> {
        Place::find(self.value).filter(|_| self.sense == Sense::Name)
    }

    /// A place for a line of notes.
    pub(crate) fn place(self) -> Option<Place> {
        Place::find(self.value).filter(|_| self.sense == Sense::Place)
    }

    /// A list, as the headings of notes call it.
    pub(crate) fn heading(self) -> Option<Place> {
        let lists = [
            Place::Must,
            Place::Task,
            Place::Good,
            Place::Trait,
            Place::Reason,
            Place::Measure,
            Place::Challenge,
        ];
        self.place().filter(|place| lists.contains(place))
    }
}

/// The words of one language.
#[derive(Debug)]
pub(crate) struct Words {
    /// All wordings by their letters, a blank behind each piece.
    wordings: &'static [u8],
    /// How many pieces a wording has and what it means, by its number in the table.
    meanings: &'static [(usize, &'static [Meaning])],
}

include!(concat!(env!("OUT_DIR"), "/words.rs"));

impl Words {
    /// The words of a language.
    pub(crate) fn of(language: Language) -> &'static Self {
        &WORDS[language as usize]
    }

    /// The wordings that stand here, the longest first: how many pieces they have, and what they mean.
    fn standing(&self, pieces: &[Piece], at: usize) -> impl Iterator<Item = (usize, Meaning)> {
        self.beginning(pieces.get(at..).unwrap_or_default().iter().map(|piece| piece.text.as_str()))
    }

    /// The wordings that some pieces begin with.
    fn beginning<'p>(&self, pieces: impl Iterator<Item = &'p str>) -> impl Iterator<Item = (usize, Meaning)> {
        let mut found = Vec::new();
        let letters = pieces.flat_map(|piece| piece.bytes().chain([b' ']));
        Trie::of(self.wordings)
            .along(letters, |wording, _| found.extend(self.meanings.get(wording as usize)));
        found
            .into_iter()
            .rev()
            .flat_map(|(length, meanings)| meanings.iter().map(move |meaning| (length, *meaning)))
    }

    /// The longest wording here that is looked for, and how many pieces it has.
    pub(crate) fn at<T>(
        &self,
        pieces: &[Piece],
        at: usize,
        pick: impl Fn(Meaning) -> Option<T>,
    ) -> Option<(T, usize)> {
        self.standing(pieces, at).find_map(|(length, meaning)| Some((pick(meaning)?, length)))
    }

    /// What a single word means, of what is looked for.
    fn of_word<T>(&self, word: &str, pick: impl Fn(Meaning) -> Option<T>) -> Option<T> {
        self.beginning(std::iter::once(word)).find_map(|(_, meaning)| pick(meaning))
    }

    /// The number that a single word names.
    pub(crate) fn number(&self, word: &str) -> Option<u64> {
        self.of_word(word, Meaning::number)
    }

    /// The value of a single word that has this sense.
    pub(crate) fn first_value(&self, word: &str, sense: Sense) -> Option<u64> {
        self.of_word(&tata_language::folded(word), value(sense))
    }

    /// Whether a single word, in small letters, has this sense.
    pub(crate) fn is(&self, word: &str, sense: Sense) -> bool {
        self.of_word(word, is(sense)).is_some()
    }

    /// Whether a wording of this sense stands anywhere in the text.
    pub(crate) fn is_inside(&self, text: &str, sense: Sense) -> bool {
        let pieces = pieces(text);
        (0..pieces.len()).any(|at| self.at(&pieces, at, is(sense)).is_some())
    }

    /// Whether a text is nothing but wordings of one sense and courtesies: "yep, looks good, thanks".
    pub(crate) fn is_all(&self, text: &str, sense: Sense) -> bool {
        let pieces: Vec<Piece> = pieces(text).into_iter().filter(|piece| !is_end(piece)).collect();
        // "Yes that is right" and "yes" both begin "yes that is right profile": every way through is followed. A place is
        // reached with a wording of the sense, or by courtesies alone.
        let mut reached = vec![(false, false); pieces.len() + 1];
        if let Some(first) = reached.first_mut() {
            first.0 = true;
        }
        for at in 0..pieces.len() {
            let (polite, meant) = reached.get(at).copied().unwrap_or_default();
            for (length, meaning) in self.standing(&pieces, at) {
                let Some(next) = reached.get_mut(at + length) else { continue };
                if meaning.sense == sense {
                    next.1 |= polite || meant;
                } else if meaning.sense == Sense::Courtesy {
                    *next = (next.0 || polite, next.1 || meant);
                }
            }
        }
        reached.last().is_some_and(|last| last.1)
    }

    /// Whether the whole text is a wording of this sense, but for marks at its end.
    pub(crate) fn is_whole(&self, text: &str, sense: Sense) -> bool {
        let mut pieces = pieces(text);
        while pieces.len() > 1 && pieces.last().is_some_and(is_end) {
            pieces.pop();
        }
        // "yes, please": a comma inside says nothing.
        let inside: Vec<Piece> = pieces.into_iter().filter(|piece| !piece.is(',')).collect();
        let found = self.at(&inside, 0, is(sense));
        found.is_some_and(|((), length)| length == inside.len())
    }
}

/// Whether a piece is a mark that may end a message. A question mark is none.
fn is_end(piece: &Piece) -> bool {
    ['.', '!', ',', ')', ';', ':'].into_iter().any(|mark| piece.is(mark))
}

/// What is left of an answer while it is read.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'p> {
    pub(crate) words: &'static Words,
    pub(crate) pieces: &'p [Piece],
    pub(crate) at: usize,
}

impl<'p> Cursor<'p> {
    /// At the beginning.
    pub(crate) fn new(language: Language, pieces: &'p [Piece]) -> Self {
        Self { words: Words::of(language), pieces, at: 0 }
    }

    /// The piece so many places ahead.
    pub(crate) fn peek(&self, ahead: usize) -> Option<&'p Piece> {
        self.pieces.get(self.at + ahead)
    }

    /// Whether everything was read.
    pub(crate) fn done(&self) -> bool {
        self.at >= self.pieces.len()
    }

    /// Takes the longest wording here whose sense is looked for.
    pub(crate) fn take<T>(&mut self, pick: impl Fn(Meaning) -> Option<T>) -> Option<T> {
        let (found, length) = self.words.at(self.pieces, self.at, pick)?;
        self.at += length;
        Some(found)
    }

    /// Takes a wording of this sense.
    pub(crate) fn eat(&mut self, sense: Sense) -> bool {
        self.take(is(sense)).is_some()
    }

    /// Takes this mark.
    pub(crate) fn mark(&mut self, mark: char) -> bool {
        let is = self.peek(0).is_some_and(|piece| piece.is(mark));
        self.at += usize::from(is);
        is
    }

    /// Takes a run of so many digits.
    pub(crate) fn digits(&mut self, lengths: std::ops::RangeInclusive<usize>) -> Option<u64> {
        let piece = self.peek(0).filter(|piece| lengths.contains(&piece.text.len()))?;
        let number = piece.number()?;
        self.at += 1;
        Some(number)
    }

    /// Takes words and marks that say nothing.
    pub(crate) fn fillers(&mut self) {
        while self.eat(Sense::Filler) || self.mark(',') || self.mark('.') || self.mark('!') {}
    }

    /// Tries a reading; what it took is given back if it fails.
    pub(crate) fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let before = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = before;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Currency;

    #[test]
    fn every_value_is_known() {
        let known = |meaning: &Meaning| {
            let valued = [
                meaning.number().is_some(),
                value::<u64>(Sense::Ordinal)(*meaning).is_some(),
                value::<u64>(Sense::Month)(*meaning).is_some_and(|month| (1..=12).contains(&month)),
                value::<i8>(Sense::Weekday)(*meaning).is_some_and(|day| (0..=6).contains(&day)),
                value::<i64>(Sense::Day)(*meaning).is_some(),
                meaning.place().or_else(|| meaning.list()).is_some(),
                meaning.sense == Sense::Currency
                    && (Currency::find(meaning.value).is_some() || meaning.value == "crown"),
            ];
            meaning.value.is_empty() || valued.contains(&true)
        };
        for meaning in WORDS.iter().flat_map(|words| words.meanings).flat_map(|(_, meanings)| *meanings) {
            assert!(known(meaning), "{meaning:?}");
        }
    }

    #[test]
    fn no_wording_is_both_yes_and_no_or_doubt() {
        for language in Language::ALL {
            for file in [language.code(), "shared"] {
                let path = format!("{}/data/words/{file}.txt", env!("CARGO_MANIFEST_DIR"));
                for text in std::fs::read_to_string(path).unwrap().lines() {
                    let is = |sense| Words::of(language).is_whole(text, sense);
                    let both =
                        [Sense::Yes, Sense::No, Sense::Doubt].into_iter().filter(|sense| is(*sense)).count();
                    assert!(both <= 1, "{text:?} is more than one of yes, no and doubt");
                }
            }
        }
    }
}
