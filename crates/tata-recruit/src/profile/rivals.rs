//! Lines of the same notes that speak of one thing with different values: "37 h", and later "37 h after all, not 32". The
//! later one is proposed in the words of the first; which of them holds is for the recruiter to say.

use std::{collections::BTreeMap, ops::Range};

use tata_guided::sort::{Notes, Piece, Place};
use tata_language::named;
use tata_phrases::whole_words;

use super::{
    sorting::passing,
    values::{Claim, claims, replaced},
};
use crate::{Language, lists::CORRECTION, tidy, withheld::Withheld};

named! {
    /// What two lines speak of.
    pub(crate) enum Subject {
        /// The pay.
        Pay = "pay",
        /// When the work begins.
        Start = "start",
        /// The last day to apply.
        Apply = "apply",
        /// The hours of a week.
        Hours = "hours",
        /// The days away from the office.
        Home = "home",
        /// How often weekends are worked.
        Weekend = "weekend",
    }
}

/// Two lines that differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Rivals {
    pub(crate) subject: Subject,
    /// The line that speaks first, by its number from 1.
    pub(crate) first: usize,
    /// The line that speaks last.
    pub(crate) last: usize,
    /// What the first says with the value of the last.
    pub(crate) proposed: String,
    /// The proposal is the last line itself, and takes the place of the first.
    pub(crate) instead: bool,
}

/// Which of two lines hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holding {
    First,
    Last,
    Both,
}

/// The pairs of lines that differ, each subject once. A line without a place says nothing that could be printed.
pub(crate) fn rivals(notes: &Notes, withheld: &[Withheld], language: Language) -> Vec<Rivals> {
    let mut found: BTreeMap<Subject, Vec<(usize, Claim)>> = BTreeMap::new();
    for (number, line) in (1..).zip(notes.lines()) {
        if passing(line, withheld).as_deref() != Some(line.text.as_str()) {
            continue;
        }
        for claim in claims(&line.text, line.place, language) {
            found.entry(claim.subject).or_default().push((number, claim));
        }
    }
    let lines: Vec<&Piece> = notes.lines().collect();
    found.into_values().filter_map(|claims| differing(&lines, &claims)).collect()
}

/// The first line that is used and the last one that contradicts it.
fn differing(lines: &[&Piece], claims: &[(usize, Claim)]) -> Option<Rivals> {
    let line = |number: usize| lines.get(number.checked_sub(1)?).copied();
    let is_used =
        |number: usize| line(number).and_then(|line| line.place).is_some_and(|place| place != Place::Out);
    let (first, before) = claims.iter().find(|(number, _)| is_used(*number))?;
    let (last, after) = claims.iter().rev().find(|(number, claim)| {
        let corrects = || line(*number).is_some_and(|line| is_correction(&line.text));
        number > first && claim.contradicts(before) && (claim.is_plain() || corrects())
    })?;
    let text = line(*first)?.text.as_str();
    let (proposed, instead) = match replaced(text, before, &line(*last)?.text, after) {
        Some(text) => (text, false),
        None => (bare(&line(*last)?.text), true),
    };
    Some(Rivals { subject: before.subject, first: *first, last: *last, proposed, instead })
}

/// Whether a line takes back what another says.
pub(crate) fn is_correction(text: &str) -> bool {
    let words = format!(" {} ", tidy(text).to_lowercase());
    CORRECTION.iter().any(|cue| whole_words(&words, cue).next().is_some())
}

/// "M changed his mind re office: 1 day from home is OK": what stands before the colon only says that it is a correction.
fn bare(text: &str) -> String {
    let behind = text.split_once(": ").filter(|(before, _)| is_correction(before)).map(|(_, behind)| behind);
    behind.unwrap_or(text).trim().to_owned()
}

/// Puts what was decided into the notes: the line that does not hold is left out, the one that does says what was chosen.
pub(crate) fn settle(notes: &mut Notes, rivals: &[Rivals], holding: &[Holding]) {
    for (pair, holding) in rivals.iter().zip(holding) {
        let place = line_of(notes, pair.first).and_then(|line| line.place);
        match holding {
            Holding::Both => {}
            Holding::First => leave_out(notes, pair.last),
            Holding::Last => {
                let (keeps, goes) =
                    if pair.instead { (pair.last, pair.first) } else { (pair.first, pair.last) };
                leave_out(notes, goes);
                if let Some(line) = line_of(notes, keeps) {
                    line.text.clone_from(&pair.proposed);
                    line.place = place;
                }
            }
        }
    }
}

fn leave_out(notes: &mut Notes, number: usize) {
    if let Some(line) = line_of(notes, number) {
        line.place = Some(Place::Out);
    }
}

fn line_of(notes: &mut Notes, number: usize) -> Option<&mut Piece> {
    notes
        .pieces
        .iter_mut()
        .filter(|piece| piece.role == tata_guided::sort::Role::Line)
        .nth(number.checked_sub(1)?)
}

/// Whether a line says something else than its notes: what was chosen of two values.
pub(crate) fn is_settled(line: &Piece, whole: &str) -> bool {
    let range: Range<usize> = line.content.start..line.content.end;
    let written: String = whole.chars().skip(range.start).take(range.len()).collect();
    written != line.text
}
