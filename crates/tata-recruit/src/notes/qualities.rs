//! How somebody should be, said in prose: "he wants somebody patient, who listens".

use std::ops::Range;

use super::{
    cues::Cues,
    words::{View, Word},
};

/// How many words may stand between "somebody" and the quality.
const NEAR: usize = 4;
/// A longer sentence that only begins with a quality is about something else.
const LONGEST_FRAGMENT: usize = 12;
/// Endings that adjectives take in Scandinavian languages and in German.
const ENDINGS: [&str; 7] = ["t", "e", "a", "er", "en", "em", "es"];

/// The words at the beginning that name a quality: how many they are.
fn quality(words: &[Word], cues: &Cues) -> Option<usize> {
    if let Some((length, ())) = cues.qualities.at(words) {
        return Some(length);
    }
    let first = words.first()?;
    let known = ENDINGS.iter().filter_map(|ending| first.text.strip_suffix(ending)).any(|stem| {
        let stem = Word { start: first.start, end: first.end, text: stem.to_owned(), glued: first.glued };
        stem.text.chars().count() >= 3 && cues.qualities.is(std::slice::from_ref(&stem))
    });
    known.then_some(1)
}

/// Whether a word, in the form that word lists have it in, says how somebody is.
pub(crate) fn is_quality(word: &str) -> bool {
    let word = Word { start: 0, end: word.len(), text: word.to_lowercase(), glued: true };
    Cues::get().qualities.is(std::slice::from_ref(&word))
}

/// Whether words begin with a quality, or with small words that lead to one.
pub(super) fn begins(words: &[Word], cues: &Cues) -> bool {
    near(words, cues).is_some()
}

/// Where the first quality is, if only small words stand before it.
fn near(words: &[Word], cues: &Cues) -> Option<usize> {
    let mut at = 0;
    while at <= NEAR {
        let rest = words.get(at..).filter(|rest| !rest.is_empty())?;
        if quality(rest, cues).is_some() {
            return Some(at);
        }
        at += small(rest, cues)?;
    }
    None
}

/// How many words at the beginning only lead to what follows: "who is", "en som", "lite".
fn small(words: &[Word], cues: &Cues) -> Option<usize> {
    let lists = [&cues.links, &cues.types, &cues.fillers, &cues.and, &cues.but, &cues.negations];
    lists.iter().filter_map(|list| list.at(words)).map(|(length, ())| length).max()
}

/// The part of a sentence that says how somebody should be: after "somebody who is", up to its end.
pub(super) fn sought(view: &View<'_>, sentence: &Range<usize>, cues: &Cues) -> Option<Range<usize>> {
    let words = view.words_in(sentence);
    let mut at = 0;
    while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((length, ())) = cues.sought.at(rest) else {
            at += 1;
            continue;
        };
        // "sieben Leute, flexible Arbeitszeit": a comma parts them.
        let after = rest.get(length..).filter(|after| after.first().is_some_and(|word| word.glued));
        let after = after.unwrap_or_default();
        if let Some(first) = near(after, cues).and_then(|lead| after.get(lead)) {
            return Some(first.start..named(view, after).unwrap_or(sentence.end));
        }
        at += length;
    }
    None
}

/// Where a word begins that means the position: "somebody calm" ends before it in "a calm electrician who …".
fn named(view: &View<'_>, words: &[Word]) -> Option<usize> {
    words.iter().take(NEAR + 2).skip(1).find(|word| view.is_name(word)).map(|word| word.start)
}

/// Whether a sentence is a few qualities and no more: "Noggrann, och lätt att ha att göra med", "ydmyk + nysgjerrig".
pub(super) fn is_fragment(view: &View<'_>, sentence: &Range<usize>, cues: &Cues) -> bool {
    let words = view.words_in(sentence);
    let mut lead = 0;
    while let Some((length, ())) =
        words.get(lead..).and_then(|rest| cues.fillers.at(rest).or_else(|| cues.types.at(rest)))
    {
        lead += length;
    }
    let rest = words.get(lead..).unwrap_or_default();
    let Some(length) = quality(rest, cues).filter(|_| rest.len() <= LONGEST_FRAGMENT) else { return false };
    // "Lugn miljö" is no person.
    let ends = rest.get(length).is_none_or(|next| {
        let one = rest.get(length..).unwrap_or_default();
        let joined = [&cues.and, &cues.but, &cues.prepositions, &cues.types, &cues.fillers, &cues.tails];
        !next.glued || !next_to(view, rest, length) || joined.iter().any(|list| list.at(one).is_some())
    });
    ends && !cues.finite.within(rest)
}

/// Whether only blanks stand between a word and the one before it.
fn next_to(view: &View<'_>, words: &[Word], at: usize) -> bool {
    let pair = at.checked_sub(1).and_then(|before| words.get(before)).zip(words.get(at));
    pair.is_some_and(|(before, next)| view.slice(&(before.end..next.start)).chars().all(char::is_whitespace))
}

/// Whether words can say how somebody is: few, without numbers, without money, and nothing somebody has to do.
pub(super) fn is_plausible(words: &[Word], cues: &Cues) -> bool {
    let digits = words.iter().any(|word| word.text.chars().any(|letter| letter.is_ascii_digit()));
    let modal = words.first().is_some_and(|_| cues.modals.at(words).is_some());
    words.len() <= LONGEST_FRAGMENT
        && !digits
        && !modal
        && !cues.pay_words.within(words)
        && !cues.sign_offs.is(words)
        && cues.subjects.at(words).is_none()
        && cues.todos.at(words).is_none()
}
