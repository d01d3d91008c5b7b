//! The words of the guided model as one sorted text, which the program searches where it lies.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    path::Path,
};

use serde::Deserialize;

use super::{
    sources::file,
    tokens::{folded, tokens},
};

/// One language's file, as a linguist writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    concepts: BTreeMap<String, Vec<String>>,
    slots: BTreeMap<String, Vec<String>>,
    dates: BTreeMap<String, Dates>,
    numbers: Vec<Vec<String>>,
    ordinals: Vec<Vec<String>>,
    last_one: Vec<String>,
    articles: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Dates {
    Wordings(Vec<String>),
    Names(Vec<Vec<String>>),
}

/// The file that all languages share.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Shared {
    lists: BTreeMap<String, Vec<String>>,
    words: BTreeMap<String, String>,
    stages: BTreeMap<String, Vec<String>>,
    /// Words of a number, parted by blanks.
    numerals: BTreeMap<u32, String>,
    ordinals: BTreeMap<u32, String>,
}

/// The shortest word in which a slip of the keyboard is forgiven.
const SHORTEST_SLIP: usize = 4;

/// Everything, ready to be searched: a line per entry, fields parted by tabs.
pub(crate) fn shelf(folder: &Path, codes: &[&str]) -> Result<Shelf, String> {
    let languages: Vec<Words> =
        codes.iter().map(|code| file(&folder.join(format!("{code}.yaml")))).collect::<Result<_, _>>()?;
    let shared: Shared = file(&folder.join("shared.yaml"))?;
    let [first, others @ ..] = languages.as_slice() else { return Err("no language".to_owned()) };
    for (code, other) in codes.iter().skip(1).zip(others) {
        same(code, "concepts", first.concepts.keys(), other.concepts.keys())?;
        same(code, "slots", first.slots.keys(), other.slots.keys())?;
        same(code, "dates", first.dates.keys(), other.dates.keys())?;
        if (other.numbers.len(), other.ordinals.len()) != (first.numbers.len(), first.ordinals.len()) {
            return Err(format!(
                "data/guided/{code}.yaml: numbers or ordinals are not as many as in English"
            ));
        }
    }
    let mut sections = Sections::default();
    for name in first.concepts.keys() {
        sections.line("concepts", name);
    }
    let mut wordings: BTreeMap<(Vec<String>, usize), u8> = BTreeMap::new();
    let mut spelled: BTreeSet<String> = BTreeSet::new();
    for (at, words) in languages.iter().enumerate() {
        let bit = 1_u8 << at;
        for (concept, (_, entries)) in words.concepts.iter().enumerate() {
            for wording in entries.iter().map(|entry| patterns(entry)).filter(|wording| !wording.is_empty()) {
                spelled.extend(wording.iter().map(|word| word.trim_end_matches('*').to_owned()));
                *wordings.entry((wording, concept)).or_default() |= bit;
            }
        }
        words.add_rest(&mut sections)?;
    }
    for ((wording, concept), languages) in &wordings {
        let first = wording.first().map(String::as_str).unwrap_or_default();
        let section = if first.ends_with('*') { "open" } else { "wordings" };
        let rest = wording.get(1..).unwrap_or_default().join(" ");
        sections.line(section, &format!("{}\t{rest}\t{concept}\t{languages}", first.trim_end_matches('*')));
    }
    for (stage, entries) in &shared.stages {
        for words in entries.iter().map(|entry| patterns(entry)) {
            spelled.extend(words.iter().map(|word| word.trim_end_matches('*').to_owned()));
            sections.line("stages", &format!("{}\t{stage}", words.join(" ")));
        }
    }
    for word in spelled.iter().filter(|word| word.chars().count() >= SHORTEST_SLIP) {
        sections.line("spelled", word);
    }
    for (name, words) in &shared.words {
        for word in words.split_whitespace() {
            sections.line(name, &folded(word));
        }
    }
    for (section, numbers) in [("numbers", &shared.numerals), ("ordinals", &shared.ordinals)] {
        for (value, words) in numbers {
            for word in words.split_whitespace() {
                sections.line(section, &format!("{}\t{value}", plain(word)));
            }
        }
    }
    for (name, entries) in &shared.lists {
        for entry in entries {
            sections.line(name, &plain(entry));
        }
    }
    sections.shelf()
}

fn same<'a>(
    code: &str,
    part: &str,
    first: impl Iterator<Item = &'a String>,
    other: impl Iterator<Item = &'a String>,
) -> Result<(), String> {
    let (first, other): (BTreeSet<&String>, BTreeSet<&String>) = (first.collect(), other.collect());
    match first.symmetric_difference(&other).next() {
        None => Ok(()),
        Some(key) => Err(format!("data/guided/{code}.yaml: {part} differ from the English file in {key:?}")),
    }
}

impl Words {
    /// What is looked up word by word.
    fn add_rest(&self, sections: &mut Sections) -> Result<(), String> {
        for (slot, cues) in &self.slots {
            for cue in cues {
                sections.line(&format!("slot {slot}"), &plain(cue));
            }
        }
        for (sense, dates) in &self.dates {
            match dates {
                Dates::Wordings(entries) => {
                    for entry in entries {
                        sections.line("senses", &format!("{sense}\t{}", plain(entry)));
                    }
                }
                Dates::Names(lists) => {
                    let expected = if sense == "months" { 12 } else { 7 };
                    if lists.len() != expected {
                        return Err(format!(
                            "data/guided: {sense} has {} lists instead of {expected}",
                            lists.len()
                        ));
                    }
                    for (at, name) in lists
                        .iter()
                        .enumerate()
                        .flat_map(|(at, names)| names.iter().map(move |name| (at, name)))
                    {
                        sections.line(sense, &format!("{}\t{at}", plain(name).replace(' ', "")));
                    }
                }
            }
        }
        for (name, lists, first) in [("numbers", &self.numbers, 0), ("ordinals", &self.ordinals, 1)] {
            for (value, words) in (first..).zip(lists) {
                for word in words {
                    sections.line(name, &format!("{}\t{value}", plain(word)));
                }
            }
        }
        for (name, list) in [("last_one", &self.last_one), ("articles", &self.articles)] {
            for word in list {
                sections.line(name, &plain(word));
            }
        }
        Ok(())
    }
}

#[derive(Default)]
struct Sections(BTreeMap<String, Vec<String>>);

impl Sections {
    fn line(&mut self, section: &str, line: &str) {
        self.0.entry(section.to_owned()).or_default().push(line.to_owned());
    }

    fn shelf(mut self) -> Result<Shelf, String> {
        let mut made = Shelf::default();
        let mut count = 0_usize;
        for (name, lines) in &mut self.0 {
            // Concepts are counted by their place. Everything else is searched by its order: wordings by their first
            // word, the longest first; what has fields by them.
            if name != "concepts" {
                lines.sort_by(|one, other| {
                    let key = |line: &str| {
                        (line.split(' ').next().map(str::to_owned), Reverse(line.split(' ').count()))
                    };
                    let by_field = one.contains('\t') || other.contains('\t');
                    if by_field {
                        one.cmp(other)
                    } else {
                        key(one).cmp(&key(other)).then_with(|| one.cmp(other))
                    }
                });
                lines.dedup();
            }
            let _ = writeln!(made.sections, "{name}\t{count}\t{}", lines.len());
            count += lines.len();
            for line in lines {
                made.start()?;
                made.text.push_str(line);
            }
        }
        made.start()?;
        Ok(made)
    }
}

/// The three files the program holds.
#[derive(Default)]
pub(crate) struct Shelf {
    pub(crate) text: String,
    pub(crate) starts: Vec<u8>,
    pub(crate) sections: String,
}

impl Shelf {
    fn start(&mut self) -> Result<(), String> {
        let start = u32::try_from(self.text.len()).map_err(|_| "data/guided is larger than 4 GB")?;
        self.starts.extend(start.to_le_bytes());
        Ok(())
    }
}

/// A wording as its words, each with a star where its end is open.
fn patterns(wording: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for piece in wording.split_whitespace() {
        let mut own: Vec<String> =
            tokens(piece.trim_end_matches('*')).into_iter().map(|token| token.text).collect();
        if let Some(last) = own.last_mut().filter(|_| piece.ends_with('*')) {
            last.push('*');
        }
        words.append(&mut own);
    }
    words
}

fn plain(text: &str) -> String {
    tokens(text).into_iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}
