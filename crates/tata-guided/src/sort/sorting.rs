//! What the person says about lines: "1,4 must; 2-3 task; 7 reason; rest out".

use std::collections::BTreeMap;

use tata_language::Language;
use thiserror::Error;

use super::Place;
use crate::answer::{
    pieces::{Shape, pieces},
    words::{Cursor, Meaning, Sense},
};

/// Where lines go.
pub type Sorting = Groups<Place>;

/// Numbers in groups, each with what is said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups<T> {
    /// By number, from 1.
    pub placed: BTreeMap<usize, T>,
    /// What holds for every number that is not named.
    pub rest: Option<T>,
}

impl<T> Default for Groups<T> {
    fn default() -> Self {
        Self { placed: BTreeMap::new(), rest: None }
    }
}

/// A sorting that cannot be followed. Nothing of it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BadSorting {
    /// Nothing was said.
    #[error("no lines and no place; write for example: 1,4 must; 2-3 task; rest out")]
    Empty,
    /// Lines without a place.
    #[error("no place for line {number}; write for example: {number} must")]
    NoPlace {
        /// The first of them.
        number: usize,
    },
    /// A place without lines.
    #[error("a place without lines; write the numbers before it")]
    NoLines,
    /// A word that is no place.
    #[error("{word:?} is no place for a line")]
    UnknownWord {
        /// The word.
        word: String,
    },
    /// A line that is not there.
    #[error("there is no line {number}; there are {count}")]
    NoSuchLine {
        /// The number.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// A line with two places, or two places for the rest.
    #[error("line {number} has two places")]
    Twice {
        /// The number; 0 for the rest.
        number: usize,
    },
    /// "7-3".
    #[error("{from}-{to} runs backwards")]
    Backwards {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
    },
}

impl BadSorting {
    /// The key of the text that tells a person.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Empty => "sort.empty",
            Self::NoPlace { .. } => "sort.no_place",
            Self::NoLines => "sort.no_lines",
            Self::UnknownWord { .. } => "sort.unknown_word",
            Self::NoSuchLine { .. } => "sort.no_such_line",
            Self::Twice { .. } => "sort.twice",
            Self::Backwards { .. } => "sort.backwards",
        }
    }
}

/// What a group names before its place is known.
#[derive(Debug, Default)]
struct Group {
    lines: Vec<usize>,
    rest: bool,
}

impl Group {
    fn is_empty(&self) -> bool {
        self.lines.is_empty() && !self.rest
    }
}

impl Sorting {
    /// Reads a sorting of so many lines, in the words of a language. Groups are parted by semicolons or lines; within
    /// one the place may come first or last.
    pub fn read(said: &str, count: usize, language: Language) -> Result<Self, BadSorting> {
        Self::read_as(said, count, language, Meaning::place)
    }
}

impl<T: Copy> Groups<T> {
    /// Reads groups whose words are picked by their sense.
    pub(crate) fn read_as(
        said: &str,
        count: usize,
        language: Language,
        pick: impl Fn(Meaning) -> Option<T> + Copy,
    ) -> Result<Self, BadSorting> {
        let mut groups = Self::default();
        for part in said.split([';', '\n']) {
            groups.part(part, count, language, pick)?;
        }
        if groups.placed.is_empty() && groups.rest.is_none() {
            return Err(BadSorting::Empty);
        }
        Ok(groups)
    }

    fn part(
        &mut self,
        part: &str,
        count: usize,
        language: Language,
        pick: impl Fn(Meaning) -> Option<T> + Copy,
    ) -> Result<(), BadSorting> {
        let pieces = pieces(part);
        if pieces.is_empty() && !part.trim().is_empty() {
            return Err(BadSorting::UnknownWord { word: part.trim().chars().take(40).collect() });
        }
        let mut cursor = Cursor::new(language, &pieces);
        let mut group = Group::default();
        let mut lead: Option<T> = None;
        while let Some(piece) = cursor.peek(0) {
            if piece.shape == Shape::Digits {
                numbers(&mut cursor, count, &mut group)?;
            } else if cursor.eat(Sense::Rest) {
                group.rest = true;
            } else if let Some(place) = cursor.take(pick) {
                match (group.is_empty(), lead) {
                    (true, None) => lead = Some(place),
                    (true, Some(_)) => return Err(BadSorting::NoLines),
                    // "must 1, 2 task 3": the place before the numbers holds for them.
                    (false, Some(before)) => {
                        self.assign(&std::mem::take(&mut group), before)?;
                        lead = Some(place);
                    }
                    (false, None) => self.assign(&std::mem::take(&mut group), place)?,
                }
            } else if !(cursor.eat(Sense::And) || cursor.eat(Sense::Filler) || is_mark(&mut cursor)) {
                return Err(BadSorting::UnknownWord { word: piece.text.clone() });
            }
        }
        match (group.is_empty(), lead) {
            (true, Some(_)) => Err(BadSorting::NoLines),
            (false, Some(place)) => self.assign(&group, place),
            (false, None) => Err(BadSorting::NoPlace { number: group.lines.first().copied().unwrap_or(0) }),
            (true, None) => Ok(()),
        }
    }

    fn assign(&mut self, group: &Group, place: T) -> Result<(), BadSorting> {
        for number in &group.lines {
            if self.placed.insert(*number, place).is_some() {
                return Err(BadSorting::Twice { number: *number });
            }
        }
        if group.rest && self.rest.replace(place).is_some() {
            return Err(BadSorting::Twice { number: 0 });
        }
        Ok(())
    }
}

fn is_mark(cursor: &mut Cursor<'_>) -> bool {
    [',', ':', '.', '=', '→', '>', '-', '!'].into_iter().any(|mark| cursor.mark(mark))
}

/// "4" or "2-3".
fn numbers(cursor: &mut Cursor<'_>, count: usize, group: &mut Group) -> Result<(), BadSorting> {
    let missing = |number| BadSorting::NoSuchLine { number, count };
    let one = |cursor: &mut Cursor<'_>| {
        let number = cursor.digits(1..=6).and_then(|number| usize::try_from(number).ok());
        let number = number.ok_or(missing(usize::MAX))?;
        if (1..=count).contains(&number) { Ok(number) } else { Err(missing(number)) }
    };
    let from = one(cursor)?;
    let ranged = cursor.attempt(|cursor| {
        let to = cursor.eat(Sense::To) || cursor.mark('-');
        cursor.peek(0).filter(|next| to && next.shape == Shape::Digits).map(|_| ())
    });
    let to = if ranged.is_some() { one(cursor)? } else { from };
    if to < from {
        return Err(BadSorting::Backwards { from, to });
    }
    group.lines.extend(from..=to);
    Ok(())
}
