//! Names of people: how transcripts write them, the initials that stand for them, and how they are kept out of texts.

use std::collections::BTreeSet;

use tata_phrases::{is_invisible, is_mark};
use unicode_normalization::UnicodeNormalization;

use super::lexicon::{is_any, is_unnamed, lists};
use crate::lists::NAME_PARTICLES;

/// A name in comparable parts: "Berg, Anna (Extern)" and "anna.berg@example.com" are both `anna berg`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct NameParts(Vec<String>);

/// How well one name fits another; the best comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fit {
    /// The same, or one with a middle name.
    Whole,
    /// "Anna B" or "A Berg".
    Shortened,
    /// "Anna", "Berg" or "AB".
    Part,
}

impl NameParts {
    /// The parts of a name.
    pub(crate) fn of(name: &str) -> Self {
        Self(ordered(name).iter().map(|part| fold(part)).filter(|part| !part.is_empty()).collect())
    }

    /// Whether there is no name.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How well another name fits this one, if it does. "Anna Lind" does not fit "Anna Berg".
    pub(crate) fn fits(&self, other: &Self) -> Option<Fit> {
        let (own, other) = (&self.0, &other.0);
        if own.is_empty() || other.is_empty() {
            return None;
        }
        let inside = |some: &[String], all: &[String]| some.iter().all(|part| all.contains(part));
        if own.len().min(other.len()) >= 2 && (inside(own, other) || inside(other, own)) || own == other {
            return Some(Fit::Whole);
        }
        let initial =
            |short: &String, long: &String| short.chars().count() == 1 && long.starts_with(short.as_str());
        if let ([first, .., last], [other_first, .., other_last]) = (own.as_slice(), other.as_slice()) {
            let fits = |one: &String, two: &String| one == two || initial(one, two) || initial(two, one);
            let whole = first == other_first || last == other_last;
            return (whole && fits(first, other_first) && fits(last, other_last)).then_some(Fit::Shortened);
        }
        let (single, full) = if own.len() == 1 { (own.first()?, other) } else { (other.first()?, own) };
        let initials: String = full.iter().filter_map(|part| part.chars().next()).collect();
        let ends = |part: Option<&String>| part.is_some_and(|part| part == single);
        let part = ends(full.first()) || ends(full.last());
        (part || (full.len() >= 2 && initials == *single)).then_some(Fit::Part)
    }
}

/// First letters of up to three parts; one part gets an X, no part is XX.
pub(super) fn initials(name: &str) -> String {
    let letter = |part: &String| part.chars().find(|letter| letter.is_alphabetic());
    let upper = |letter: char| letter.to_uppercase().next().unwrap_or(letter);
    let mut initials: String = ordered(name).iter().filter_map(letter).map(upper).take(3).collect();
    while initials.chars().count() < 2 {
        initials.push('X');
    }
    initials
}

/// The parts of a name as it is spoken, given name first, without a company in brackets.
fn ordered(name: &str) -> Vec<String> {
    let name: String = name.chars().take(200).collect();
    let bare = name.split(['(', '[', '|', '<']).next().unwrap_or_default();
    let bare = bare.split(" - ").next().unwrap_or_default().trim();
    let bare = match bare.split_once('@') {
        Some((local, _)) => local.replace(['.', '_'], " "),
        None => bare.to_owned(),
    };
    let spoken = match bare.split_once(',') {
        Some((last, first)) if !first.trim().is_empty() => format!("{first} {last}"),
        Some(_) | None => bare,
    };
    let alphabetic = |part: &&str| part.chars().any(char::is_alphanumeric);
    spoken.split_whitespace().filter(alphabetic).map(str::to_owned).collect()
}

/// A word without case, accents and invisible characters.
pub(crate) fn fold(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for letter in word.nfd().flat_map(char::to_lowercase) {
        match letter {
            'ø' => folded.push('o'),
            'æ' => folded.push_str("ae"),
            'ß' => folded.push_str("ss"),
            letter if letter.is_alphanumeric() || letter == '-' => folded.push(letter),
            _ => {}
        }
    }
    folded.trim_matches('-').to_owned()
}

/// Replaces the parts of names by something else, in any text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scrubber {
    names: Vec<(BTreeSet<String>, String)>,
}

impl Scrubber {
    /// One more person: the forms of the name, and what stands for them.
    pub(crate) fn with<'a>(mut self, forms: impl IntoIterator<Item = &'a str>, key: &str) -> Self {
        let mut parts = BTreeSet::new();
        for form in forms {
            if !is_role(form) {
                for word in ordered(form) {
                    // "O'Hara" and "Anna-Lena" may be said in pieces.
                    let pieces = word.split(|letter: char| !letter.is_alphanumeric() && !is_silent(letter));
                    let pieces = pieces.map(fold).chain([fold(&word).replace('-', "")]);
                    parts.extend(pieces.filter(|part| part.chars().count() > 1 && !is_particle(part)));
                }
            }
        }
        self.names.push((parts, key.to_owned()));
        self
    }

    /// The text without the names.
    pub(crate) fn scrub(&self, text: &str) -> String {
        let inside = |letter: char| letter.is_alphanumeric() || is_silent(letter);
        let mut out = String::with_capacity(text.len());
        let (mut rest, mut last) = (text, None);
        while !rest.is_empty() {
            let end = rest.find(|letter: char| !inside(letter)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            let (between, next) = after.split_at(after.find(inside).unwrap_or(after.len()));
            let key = self.key(word);
            if key.is_some() && key == last {
                // "Anna Berg" becomes one key, not two.
                let gap = |letter: char| letter.is_whitespace() || letter == '-';
                out.truncate(out.trim_end_matches(gap).len());
            } else {
                out.push_str(key.unwrap_or(word));
            }
            last = key.filter(|_| between.trim().is_empty() || between == "-");
            out.push_str(between);
            rest = next;
        }
        out
    }

    /// What stands for a word, if it is a name: also "Annas", and with accents or invisible characters.
    fn key(&self, word: &str) -> Option<&str> {
        if word.is_empty() || word.len() > 200 {
            return None;
        }
        let folded = fold(word);
        let lower = word.chars().next().is_some_and(char::is_lowercase);
        // "per month" is not Per.
        if lower && is_any(lists::EVERYDAY_NAME, word) {
            return None;
        }
        let stem = folded.strip_suffix('s');
        let named = |parts: &BTreeSet<String>| {
            parts.contains(&folded) || stem.is_some_and(|stem| parts.contains(stem))
        };
        self.names.iter().find(|(parts, _)| named(parts)).map(|(_, key)| key.as_str())
    }
}

/// "Candidate", "Interviewer", "Speaker 1".
pub(super) fn is_role(name: &str) -> bool {
    is_any(lists::ROLE_CANDIDATE, name) || is_any(lists::ROLE_INTERVIEWER, name) || is_unnamed(name)
}

/// Characters that nobody sees, and marks that belong to the letter before.
fn is_silent(letter: char) -> bool {
    is_invisible(letter) || is_mark(letter)
}

fn is_particle(part: &str) -> bool {
    NAME_PARTICLES.binary_search(&part).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fit_as_people_write_them() {
        let check = |candidate: &str, speaker: &str, fit: Option<Fit>| {
            let found = NameParts::of(candidate).fits(&NameParts::of(speaker));
            assert_eq!(found, fit, "{candidate:?} and {speaker:?}");
        };
        check("Anna Berg", "Anna Berg (Extern)", Some(Fit::Whole));
        check("Anna Berg", "Berg, Anna", Some(Fit::Whole));
        check("Anna Berg", "anna.berg@example.com", Some(Fit::Whole));
        check("Anna Berg", "Anna Maria Berg", Some(Fit::Whole));
        check("Björn Sjöö", "BJORN SJOO | Acme", Some(Fit::Whole));
        check("Anna Berg", "Anna B.", Some(Fit::Shortened));
        check("Anna Berg", "A. Berg", Some(Fit::Shortened));
        check("Anna Berg", "Anna", Some(Fit::Part));
        check("Anna", "Anna Berg", Some(Fit::Part));
        check("Anna Berg", "AB", Some(Fit::Part));
        check("Anna Berg", "Anna Lind", None);
        check("Anna Berg", "Annabel", None);
        check("Anna Berg", "A B", None);
        check("", "Anna", None);
    }

    #[test]
    fn initials_have_two_or_three_letters() {
        let check = |name: &str, expected: &str| assert_eq!(initials(name), expected, "{name:?}");
        check("Johan Svensson", "JS");
        check("Svensson, Johan", "JS");
        check("Anna Maria af Klint", "AMA");
        check("øyvind", "ØX");
        check("  ", "XX");
        check("123 !!", "XX");
        check("ßeta Zug", "SZ");
    }

    #[test]
    fn names_are_scrubbed_in_every_form() {
        let scrubber = Scrubber::default().with(["Anna-Lena Berg (Extern)", "Per Åström"], "AB");
        let check = |text: &str, expected: &str| assert_eq!(scrubber.scrub(text), expected, "{text:?}");
        check("Tack Anna-Lena Berg, bra.", "Tack AB, bra.");
        check("Annas projekt och BERGS kund", "AB projekt och AB kund");
        check("per månad, sa Per", "per månad, sa AB");
        check("A\u{200B}nna o\u{308}st, Astrom", "AB o\u{308}st, AB");
        check("Bergsprängning", "Bergsprängning");
        check("", "");
        check("  ... Anna", "  ... AB");
        let scrubber = Scrubber::default().with(["Zoë O'Hara"], "ZO");
        assert_eq!(scrubber.scrub("Zoë O’Hara, OHara"), "ZO O’ZO, ZO");
    }
}
