//! German nouns for persons (`data/titles`) as tables.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use tata_phrases::build::{self, List, Section};

/// In bytes; a shorter ending would say nothing about a word.
const SHORTEST_NOUN: usize = 3;

/// The nouns, and the signs that a title means all genders.
pub(crate) struct Titles {
    nouns: Vec<Noun>,
    not_persons: Vec<String>,
    /// By its name in Rust.
    lists: Vec<(&'static str, Vec<String>)>,
    limits: Vec<(&'static str, String)>,
}

/// A masculine noun for persons: as Rust, and its forms.
struct Noun {
    rust: String,
    forms: Vec<String>,
}

impl Noun {
    fn new(mut section: Section, inflections: &[(String, String)]) -> Result<Self, String> {
        let masculine = section.name.clone();
        let mut forms: Vec<String> = words(&section.find("forms").unwrap_or_default());
        if forms.is_empty() {
            let fits = inflections
                .iter()
                .filter_map(|(end, ends)| Some((end, masculine.strip_suffix(end.as_str())?, ends)));
            forms = match fits.max_by_key(|(end, _, _)| end.len()) {
                Some((_, stem, ends)) => words(ends).iter().map(|end| format!("{stem}{end}")).collect(),
                None => vec![masculine.clone()],
            };
        }
        let rust = format!(
            "Noun {{ masculine: {masculine:?}, feminine: {:?}, forms: &{forms:?}, neutral: &{:?}, neutral_end: {:?}, \
             stands: Stands::{}, surname: {} }},\n",
            section.find("feminine").unwrap_or_else(|| format!("{masculine}in")),
            section.values("neutral"),
            section.find("neutral_end"),
            stands(&mut section)?,
            section.find("surname").is_some(),
        );
        section.end().map(|()| Self { rust, forms })
    }
}

impl Titles {
    /// Reads both files; the forms of every noun are written out.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut signs = List::read(&folder.join("signs.txt"))?;
        let inflections = signs.section("inflections")?.pairs()?;
        let nouns =
            List::read(&folder.join("nouns.txt"))?.each(|section| Noun::new(section, &inflections))?;
        let inflected = |word: &String| ["", "s", "n", "en", "e", "es"].map(|end| format!("{word}{end}"));
        let not_persons = signs.entries("not_persons")?.iter().flat_map(inflected).collect();
        let mut lists = Vec::new();
        for name in
            ["english_words", "english_phrases", "attached", "complete", "incomplete", "meant_for_all"]
        {
            let mut list = signs.entries(name)?;
            if name.starts_with("english") {
                list.sort_unstable();
            }
            lists.push((name, list));
        }
        let mut limits = signs.section("limits")?;
        let values =
            ["within_words", "between_words"].map(|name| limits.value(name).map(|value| (name, value)));
        let values = values.into_iter().collect::<Result<_, _>>()?;
        limits.end()?;
        signs.end().map(|()| Self { nouns, not_persons, lists, limits: values })
    }

    /// As the text of a static.
    pub(crate) fn rust(&self) -> String {
        let mut text = "static TITLES: Titles = Titles {\n    nouns: &[\n".to_owned();
        text.extend(self.nouns.iter().map(|noun| noun.rust.as_str()));
        let endings = self.endings().into_values().map(Listed).collect::<Vec<_>>();
        let _ = write!(
            text,
            "],\nby_ending: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/titles.trie\")),\nendings: &{endings:?},\n"
        );
        for (name, list) in &self.lists {
            let _ = writeln!(text, "{name}: &{list:?},");
        }
        for (name, value) in &self.limits {
            let _ = writeln!(text, "{name}: {value},");
        }
        text.push_str("};\n");
        text
    }

    /// The endings of the nouns, to be found from the last letter to the first.
    pub(crate) fn trie(&self) -> Vec<u8> {
        let endings = self.endings();
        let words: Vec<(&[u8], u32)> = endings.keys().map(Vec::as_slice).zip(0..).collect();
        build::trie(&words)
    }

    /// By the bytes of each form from the last to the first: the nouns, and which form of each; none for what is no person.
    fn endings(&self) -> BTreeMap<Vec<u8>, Vec<(usize, usize)>> {
        let reversed = |word: &str| word.bytes().rev().collect::<Vec<u8>>();
        let mut endings: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for (at, noun) in self.nouns.iter().enumerate() {
            for (form, text) in noun.forms.iter().enumerate().filter(|(_, text)| text.len() >= SHORTEST_NOUN)
            {
                endings.entry(reversed(text)).or_default().push((at, form));
            }
        }
        // What is no person stands above a noun of the same letters.
        endings.extend(self.not_persons.iter().map(|thing| (reversed(thing), Vec::new())));
        endings
    }
}

/// A list as Rust writes a slice.
struct Listed(Vec<(usize, usize)>);

impl std::fmt::Debug for Listed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "&{:?}", self.0)
    }
}

/// Where in a word the noun stands, by its name in Rust.
fn stands(section: &mut Section) -> Result<&'static str, String> {
    match section.find("where").as_deref() {
        None => Ok("End"),
        Some("word") => Ok("Word"),
        Some("compound") => Ok("Compound"),
        Some(other) => Err(section.problem(&format!("{other:?} is neither word nor compound"))),
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
