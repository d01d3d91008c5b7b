//! The texts of documents and answers, one folder of files per language that a linguist can edit.
//!
//! A file is a tree of texts; `project.date` is the text `date` of `project.yaml`. German texts that address somebody
//! have two forms, `du` and `sie`. `{name}` stands for a value.

use std::{fmt::Display, sync::OnceLock};

use jiff::civil::Date;

use crate::{Language, Voice};

macro_rules! records {
    ($($voice:literal)*) => { [$(include_str!(concat!(env!("OUT_DIR"), "/texts.", $voice))),*] };
}

/// Every text by voice, as `build/texts.rs` writes them.
const RECORDS: [&str; 6] = records!("en" "sv" "da" "no" "de-du" "de-sie");

// The names of all texts, sorted, as `build/texts.rs` writes them.
include!(concat!(env!("OUT_DIR"), "/keys.rs"));

/// The name of a text. With [`key!`](crate::key), one that no file has does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key(usize);

/// Texts of which one is chosen by a name: severities, stages, reasons. With [`group!`](crate::group), one that no file
/// has does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group(&'static str);

/// The key of a text: `key!("project.date")`.
#[macro_export]
macro_rules! key {
    ($name:literal) => {
        const { $crate::Key::named($name) }
    };
}

/// A group of texts: `group!("review.severities")`.
#[macro_export]
macro_rules! group {
    ($name:literal) => {
        const { $crate::Group::named($name) }
    };
}

impl Key {
    /// For what no text has.
    const NONE: Self = Self(usize::MAX);

    /// The key of this name; without one, the build stops.
    pub const fn named(name: &str) -> Self {
        let at = first_not_before(name.as_bytes());
        assert!(
            at < NAMES.len() && is_before(NAMES[at].as_bytes(), name.as_bytes()).is_none(),
            "no such text"
        );
        Self(at)
    }

    /// The key of a name that was put together, if there is such a text.
    pub fn find(name: &str) -> Option<Self> {
        NAMES.binary_search(&name).ok().map(Self)
    }

    /// The key whose name goes on so.
    #[must_use]
    pub fn with(self, ending: &str) -> Self {
        let key = Self::find(&format!("{}{ending}", self.name()));
        debug_assert!(key.is_some(), "{}{ending} is no text", self.name());
        key.unwrap_or(Self::NONE)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        NAMES.get(self.0).copied().unwrap_or_default()
    }
}

impl Group {
    /// The group of this name; without one, the build stops.
    pub const fn named(name: &'static str) -> Self {
        let at = first_not_before(name.as_bytes());
        let (group, first) = (name.as_bytes(), NAMES[at].as_bytes());
        assert!(first.len() > group.len() && first[group.len()] == b'.', "no such group of texts");
        assert!(is_before(first.split_at(group.len()).0, group).is_none(), "no such group of texts");
        Self(name)
    }

    /// The key of one of them.
    pub fn key(self, name: impl Display) -> Key {
        let key = self.find(&name);
        debug_assert!(key.is_some(), "{}.{name} is no text", self.0);
        key.unwrap_or(Key::NONE)
    }

    /// The same, if there is such a text.
    pub fn find(self, name: impl Display) -> Option<Key> {
        Key::find(&format!("{}.{name}", self.0))
    }

    /// Its own name, without those of the groups around it.
    pub fn name(self) -> &'static str {
        self.0.rsplit('.').next().unwrap_or_default()
    }
}

/// Where a name stands among all, or would stand.
const fn first_not_before(name: &[u8]) -> usize {
    let (mut from, mut to) = (0, NAMES.len());
    while from < to {
        let middle = from.midpoint(to);
        match is_before(NAMES[middle].as_bytes(), name) {
            Some(true) => from = middle + 1,
            Some(false) | None => to = middle,
        }
    }
    from
}

/// Whether letters come before others; nothing if they are the same. What std compares with cannot be asked in a build.
const fn is_before(one: &[u8], other: &[u8]) -> Option<bool> {
    let mut at = 0;
    while at < one.len() && at < other.len() {
        if one[at] != other[at] {
            return Some(one[at] < other[at]);
        }
        at += 1;
    }
    if one.len() == other.len() { None } else { Some(one.len() < other.len()) }
}

/// The texts of one voice, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    entries: Vec<Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    One(&'static str),
    Many(Vec<String>),
}

impl Texts {
    /// The texts of a voice.
    pub fn of(voice: Voice) -> &'static Self {
        static ALL: [OnceLock<Texts>; 6] = [const { OnceLock::new() }; 6];
        ALL[voice as usize].get_or_init(|| Self::read(RECORDS[voice as usize]))
    }

    fn read(records: &'static str) -> Self {
        let entry = |record: &'static str| match record.strip_prefix('*') {
            Some(texts) => Entry::Many(texts.split_terminator('\u{1f}').map(str::to_owned).collect()),
            None => Entry::One(record.strip_prefix('=').unwrap_or_default()),
        };
        Self { entries: records.split_terminator('\u{1e}').map(entry).collect() }
    }

    /// A text with its values.
    pub fn say(&self, key: Key, values: &[(&str, &str)]) -> String {
        fill(self.get(key), values)
    }

    /// A text without values.
    pub fn get(&self, key: Key) -> &'static str {
        match self.entries.get(key.0) {
            Some(Entry::One(text)) => text,
            Some(Entry::Many(_)) | None => "",
        }
    }

    /// A list of texts; empty when there is none.
    pub fn list(&self, key: Key) -> &[String] {
        match self.entries.get(key.0) {
            Some(Entry::Many(texts)) => texts,
            Some(Entry::One(_)) | None => &[],
        }
    }

    /// The language they are in.
    pub(crate) fn language(&self) -> Language {
        Language::wished(self.get(key!("job_ad.language"))).unwrap_or_default()
    }

    /// A day as people write it: "13 November 2026".
    pub fn date(&self, date: Date) -> String {
        let (day, year) = (&*date.day().to_string(), &*date.year().to_string());
        self.say(key!("project.date"), &[("day", day), ("month", self.month(date)), ("year", year)])
    }

    /// The name of a month.
    pub(crate) fn month(&self, date: Date) -> &str {
        let at = usize::try_from(date.month()).unwrap_or(1).saturating_sub(1);
        self.list(key!("project.months")).get(at).map_or("", String::as_str)
    }

    /// A number as a sentence has it: in words up to twelve.
    pub(crate) fn number(&self, number: u32) -> String {
        let word = usize::try_from(number).ok().and_then(|at| self.list(key!("project.numbers")).get(at));
        word.cloned().unwrap_or_else(|| number.to_string())
    }

    /// Words as people enumerate them: "a, b and c".
    pub fn enumerate(&self, words: &[impl AsRef<str>]) -> String {
        match words {
            [] => String::new(),
            [only] => only.as_ref().to_owned(),
            [first @ .., last] => {
                let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
                format!("{} {} {}", first.join(", "), self.get(key!("project.and")), last.as_ref())
            }
        }
    }

    /// What people call a language.
    pub(crate) fn language_name(&self, language: Language) -> &str {
        self.get(group!("job_ad.languages").key(language.code()))
    }

    /// The key of every text.
    pub fn keys(&self) -> impl Iterator<Item = Key> {
        (0..self.entries.len()).map(Key)
    }
}

impl Voice {
    /// What people call it.
    pub(crate) fn display(self, texts: &Texts) -> &str {
        texts.get(group!("headhunting.voices").key(self.name()))
    }
}

/// Puts values in for their names; what a value contains is never looked at again.
pub(crate) fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len() + 32);
    fill_into(&mut filled, text, values);
    filled
}

/// The same, added to a text.
pub(crate) fn fill_into(filled: &mut String, text: &str, values: &[(&str, &str)]) {
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        filled.push_str(before);
        let named = from.find('}').and_then(|close| {
            let name = &from[1..close];
            let value = values.iter().find(|(known, _)| *known == name)?.1;
            Some((value, close))
        });
        if let Some((value, close)) = named {
            if opens(&from[1..close], filled) {
                filled.push_str(&crate::capitals::capitalized(value));
            } else {
                filled.push_str(value);
            }
            rest = &from[close + 1..];
        } else {
            filled.push('{');
            rest = &from[1..];
        }
    }
    filled.push_str(rest);
}

/// Whether a value stands where it has a capital letter: a title that begins a line or follows a colon, and a skill in
/// quotation marks, as in its heading.
fn opens(name: &str, before: &str) -> bool {
    match name {
        "title" | "position" => {
            before.is_empty() || [": ", ". ", "? ", "! "].iter().any(|end| before.ends_with(end))
        }
        "skill" => before.ends_with(['”', '«', '„', '“']),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of the values that a text wants, in order, each once.
    fn placeholders(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> =
            text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    #[test]
    fn all_languages_want_the_same_values() {
        let english = Texts::of(Voice::En);
        assert!(NAMES.len() > 500, "{}", NAMES.len());
        for voice in Voice::ALL {
            for (name, (own, english)) in
                NAMES.iter().zip(Texts::of(voice).entries.iter().zip(&english.entries))
            {
                match (own, english) {
                    (Entry::One(own), Entry::One(english)) => {
                        assert_eq!(
                            placeholders(own),
                            placeholders(english),
                            "{}: values of {name}",
                            voice.name()
                        );
                    }
                    (Entry::Many(_), Entry::Many(_)) => {}
                    (Entry::One(_), Entry::Many(_)) | (Entry::Many(_), Entry::One(_)) => {
                        panic!("{}: {name} is a list in one language and none in the other", voice.name());
                    }
                }
            }
        }
    }

    #[test]
    fn a_name_that_is_put_together_is_found() {
        let texts = Texts::of(Voice::En);
        assert_eq!(
            texts.get(group!("review.severities").key("high")),
            texts.get(key!("review.severities.high"))
        );
        assert_eq!(group!("review.severities").find("none"), None);
    }

    #[test]
    fn values_are_put_in_once() {
        assert_eq!(fill("{a} and {b}, {c} {", &[("a", "{b}"), ("b", "2")]), "{b} and 2, {c} {");
    }
}
