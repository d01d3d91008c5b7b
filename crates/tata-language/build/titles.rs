//! German nouns for persons (`data/titles`) as tables.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use tata_phrases::build::{self, List, Section};

/// In bytes; a shorter ending would say nothing about a word.
const SHORTEST_NOUN: usize = 3;

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

/// The nouns, and the signs that a title means all genders, as the text of a static; and the endings of the nouns as a
/// table, to be found from the last letter to the first.
pub(crate) fn read(folder: &Path) -> Result<(String, Vec<u8>), String> {
    let mut signs = List::read(&folder.join("signs.txt"))?;
    let inflections = signs.section("inflections")?.pairs()?;
    let nouns = List::read(&folder.join("nouns.txt"))?.each(|section| Noun::new(section, &inflections))?;
    let endings = endings(&nouns, &signs.entries("not_persons")?);
    let mut text = "static TITLES: Titles = Titles {\n    nouns: &[\n".to_owned();
    text.extend(nouns.iter().map(|noun| noun.rust.as_str()));
    let meant: Vec<String> = endings.values().map(|nouns| format!("&{nouns:?}")).collect();
    let _ = write!(
        text,
        "],\nby_ending: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/titles.trie\")),\nendings: &[{}],\n",
        meant.join(", "),
    );
    let lists = [
        "english_words",
        "english_phrases",
        "attached",
        "complete",
        "incomplete",
        "meant_for_all",
        "customers",
    ];
    for name in lists {
        let mut list = signs.entries(name)?;
        if name.starts_with("english") {
            list.sort_unstable();
        }
        let _ = writeln!(text, "{name}: &{list:?},");
    }
    let mut limits = signs.section("limits")?;
    for name in ["within_words", "between_words"] {
        let _ = writeln!(text, "{name}: {},", limits.value(name)?);
    }
    limits.end()?;
    signs.end()?;
    let words: Vec<(&[u8], u32)> = endings.keys().map(Vec::as_slice).zip(0..).collect();
    Ok((text + "};\n", build::trie(&words)))
}

/// By the bytes of each form from the last to the first: the nouns, and which form of each; none for what is no person.
fn endings(nouns: &[Noun], not_persons: &[String]) -> BTreeMap<Vec<u8>, Vec<(usize, usize)>> {
    let reversed = |word: &str| word.bytes().rev().collect::<Vec<u8>>();
    let mut endings: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (at, noun) in nouns.iter().enumerate() {
        for (form, text) in noun.forms.iter().enumerate().filter(|(_, text)| text.len() >= SHORTEST_NOUN) {
            endings.entry(reversed(text)).or_default().push((at, form));
        }
    }
    // What is no person stands above a noun of the same letters.
    for thing in not_persons {
        for end in ["", "s", "n", "en", "e", "es"] {
            endings.insert(reversed(&format!("{thing}{end}")), Vec::new());
        }
    }
    endings
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
