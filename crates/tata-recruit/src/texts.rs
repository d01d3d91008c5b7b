//! The texts of documents and answers, one folder of files per language that a linguist can edit.
//!
//! A file is a tree of texts; `job_ad.ending` is the text `ending` under `job_ad`. German texts that address somebody
//! have two forms, `du` and `sie`. `{name}` stands for a value.

use std::{collections::BTreeMap, sync::OnceLock};

use jiff::civil::Date;

use crate::{Language, Voice};

macro_rules! records {
    ($($voice:literal)*) => { [$(include_str!(concat!(env!("OUT_DIR"), "/texts.", $voice))),*] };
}

/// Every text by voice, as `build/texts.rs` writes them.
const RECORDS: [&str; 6] = records!("en" "sv" "da" "no" "de-du" "de-sie");

/// The texts of one voice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    entries: BTreeMap<String, Entry>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    One(String),
    Many(Vec<String>),
}

impl Texts {
    /// The texts of a voice.
    pub fn of(voice: Voice) -> &'static Self {
        static ALL: [OnceLock<Texts>; 6] = [const { OnceLock::new() }; 6];
        ALL[voice as usize].get_or_init(|| Self::read(RECORDS[voice as usize]))
    }

    fn read(records: &str) -> Self {
        let entry = |record: &str| {
            let mut fields = record.split('\u{1f}');
            let (key, kind) = (fields.next()?, fields.next()?);
            let entry = match kind {
                "*" => Entry::Many(fields.map(str::to_owned).collect()),
                _ => Entry::One(fields.next()?.to_owned()),
            };
            Some((key.to_owned(), entry))
        };
        Self { entries: records.split('\u{1e}').filter_map(entry).collect() }
    }

    /// A text with its values.
    pub fn say(&self, key: &str, values: &[(&str, &str)]) -> String {
        match self.entries.get(key) {
            Some(Entry::One(text)) => fill(text, values),
            // A test knows every key that the code uses; should one slip through, its name is better than nothing.
            Some(Entry::Many(_)) | None => key.to_owned(),
        }
    }

    /// A text without values.
    pub fn get(&self, key: &str) -> &str {
        match self.entries.get(key) {
            Some(Entry::One(text)) => text,
            Some(Entry::Many(_)) | None => "",
        }
    }

    /// A list of texts; empty when there is none.
    pub fn list(&self, key: &str) -> &[String] {
        match self.entries.get(key) {
            Some(Entry::Many(texts)) => texts,
            Some(Entry::One(_)) | None => &[],
        }
    }

    /// The language they are in.
    pub(crate) fn language(&self) -> Language {
        Language::wished(self.get("job_ad.language")).unwrap_or_default()
    }

    /// A day as people write it: "13 November 2026".
    pub fn date(&self, date: Date) -> String {
        let (day, year) = (&*date.day().to_string(), &*date.year().to_string());
        self.say("project.date", &[("day", day), ("month", self.month(date)), ("year", year)])
    }

    /// The name of a month.
    pub(crate) fn month(&self, date: Date) -> &str {
        let at = usize::try_from(date.month()).unwrap_or(1).saturating_sub(1);
        self.list("project.months").get(at).map_or("", String::as_str)
    }

    /// A number as a sentence has it: in words up to twelve.
    pub(crate) fn number(&self, number: u32) -> String {
        let word = usize::try_from(number).ok().and_then(|at| self.list("project.numbers").get(at));
        word.cloned().unwrap_or_else(|| number.to_string())
    }

    /// Whether there is such a text or list.
    pub fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Words as people enumerate them: "a, b and c".
    pub fn enumerate(&self, words: &[impl AsRef<str>]) -> String {
        match words {
            [] => String::new(),
            [only] => only.as_ref().to_owned(),
            [first @ .., last] => {
                let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
                format!("{} {} {}", first.join(", "), self.get("project.and"), last.as_ref())
            }
        }
    }

    /// What people call a language.
    pub(crate) fn language_name(&self, language: Language) -> &str {
        self.get(&format!("job_ad.languages.{}", language.code()))
    }

    /// The key of every text.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }
}

impl Voice {
    /// What people call it.
    pub(crate) fn display(self, texts: &Texts) -> &str {
        texts.get(&format!("headhunting.voices.{}", self.name()))
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
    use std::{collections::BTreeSet, fs, path::Path};

    use super::*;

    /// The names of the values that a text wants, in order, each once.
    fn placeholders(text: &str) -> Vec<&str> {
        let mut names: Vec<&str> =
            text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Every key with its placeholders.
    fn shape(texts: &Texts) -> BTreeMap<&str, Vec<Vec<&str>>> {
        texts
            .entries
            .iter()
            .map(|(key, entry)| {
                let texts = match entry {
                    Entry::One(text) => vec![placeholders(text)],
                    Entry::Many(texts) => texts.iter().map(|text| placeholders(text)).collect(),
                };
                (key.as_str(), texts)
            })
            .collect()
    }

    #[test]
    fn no_language_lacks_a_text() {
        let english = Texts::of(Voice::En);
        assert!(english.entries.len() > 500, "{}", english.entries.len());
        for voice in Voice::ALL {
            let texts = Texts::of(voice);
            let (own, other) = (shape(texts), shape(english));
            for (key, shape) in &other {
                let found = own.get(key).unwrap_or_else(|| panic!("{}: {key} is missing", voice.name()));
                if let (Some(Entry::One(_)), [wanted]) = (english.entries.get(*key), shape.as_slice()) {
                    assert_eq!(found, &vec![wanted.clone()], "{}: values of {key}", voice.name());
                }
            }
            let extra: Vec<_> = own.keys().filter(|key| !other.contains_key(*key)).collect();
            assert!(extra.is_empty(), "{} has texts that English lacks: {extra:?}", voice.name());
        }
    }

    /// A slip in a key would be said to people: every key that stands in the code, or the beginning of one that is put
    /// together there, is a text or a list.
    #[test]
    fn the_code_names_no_text_that_is_missing() {
        let english = Texts::of(Voice::En);
        let areas: BTreeSet<&str> = english.entries.keys().filter_map(|key| key.split('.').next()).collect();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let code = fs::read_to_string(&path).unwrap();
                for literal in code.split('"') {
                    let plain =
                        |letter: char| letter.is_ascii_lowercase() || "0123456789_.{}".contains(letter);
                    let of_area = literal.split_once('.').is_some_and(|(area, _)| areas.contains(area));
                    if !of_area || !literal.chars().all(plain) {
                        continue;
                    }
                    seen += 1;
                    let (key, open) = literal.split_once('{').map_or((literal, "."), |(key, _)| (key, ""));
                    let begins = format!("{key}{open}");
                    let known =
                        english.has(key) || english.entries.keys().any(|one| one.starts_with(&begins));
                    assert!(known, "{literal} in {}", path.display());
                }
            }
        }
        assert!(seen > 400, "{seen}");
    }

    #[test]
    fn values_are_put_in_once() {
        assert_eq!(fill("{a} and {b}, {c} {", &[("a", "{b}"), ("b", "2")]), "{b} and 2, {c} {");
    }
}
