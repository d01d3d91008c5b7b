//! Word lists as Rust: nothing is left to be read at run time.

use std::{collections::BTreeMap, fmt::Write as _};

use tata_phrases::build;

use super::{
    order::CATEGORIES,
    sources::{Decoder, Sources, Titles},
};

/// In bytes; a shorter ending would say nothing about a word.
const SHORTEST_NOUN: usize = 3;
/// How many feminine and masculine stems were published.
const DECODER_STEMS: [usize; 2] = [50, 52];

/// The tables of a language's patterns.
pub(crate) fn graph(name: &str, sources: &Sources) -> Result<Vec<u8>, String> {
    build::phrases(sources.patterns()).map_err(|problem| format!("the lists of {name}: {problem}"))
}

/// The lists of a language as the text of a static.
pub(crate) fn rust(code: &str, sources: &Sources) -> String {
    let name = code.to_uppercase();
    let mut text = format!("static {name}: Tables = Tables {{\n    inclusion: &[\n");
    for flag in &sources.inclusion {
        let severity =
            flag.severity.map_or_else(|| usual(&flag.category), |severity| format!("{severity:?}"));
        let _ = writeln!(
            text,
            "Flag {{ rule: {:?}, term: {:?}, category: Category::{}, severity: Severity::{severity}, reason: {:?}, \
             alternatives: &{:?} }},",
            flag.rule,
            flag.term,
            capital(&flag.category),
            flag.reason,
            flag.alternatives,
        );
    }
    text.push_str("],\nbanned: &[\n");
    for entry in &sources.banned {
        let _ = writeln!(
            text,
            "Banned {{ term: {:?}, family: Family::{:?}, scope: Scope::{:?}, suggestion: {:?} }},",
            entry.term, entry.family, entry.scope, entry.suggestion,
        );
    }
    text.push_str("],\nvague: &[\n");
    for entry in &sources.vague {
        let _ =
            writeln!(text, "Vague {{ term: {:?}, alternatives: &{:?} }},", entry.term, entry.alternatives);
    }
    let _ = writeln!(text, "],\ngraph: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{code}.graph\")),\n}};");
    text
}

/// The German nouns as the text of a static.
pub(crate) fn titles(titles: &Titles) -> String {
    let mut text = "static TITLES: Titles = Titles {\n    nouns: &[\n".to_owned();
    for noun in &titles.endings {
        let _ = writeln!(
            text,
            "Noun {{ masculine: {:?}, feminine: {:?}, forms: &{:?}, neutral: &{:?}, neutral_end: {:?}, stands: Stands::{:?}, \
             surname: {} }},",
            noun.masculine,
            noun.feminine,
            noun.forms,
            noun.neutral,
            noun.neutral_end,
            noun.stands,
            noun.surname,
        );
    }
    let english = &titles.english;
    let markers = &titles.markers;
    let _ = writeln!(
        text,
        "],\nby_ending: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/titles.trie\")),\nendings: &{:?},\nenglish_words: &{:?},\nenglish_phrases: &{:?},\nattached: &{:?},\ncomplete: &{:?},\n\
         incomplete: &{:?},\nmeant_for_all: &{:?},\nwithin_words: {},\nbetween_words: {},\n}};",
        endings(titles).into_values().map(Listed).collect::<Vec<_>>(),
        sorted(&english.words),
        sorted(&english.phrases),
        markers.attached,
        markers.complete,
        markers.incomplete,
        markers.words,
        markers.within_words,
        markers.between_words,
    );
    text
}

/// The endings of the German nouns, to be found from the last letter to the first.
pub(crate) fn trie(titles: &Titles) -> Vec<u8> {
    let endings = endings(titles);
    let words: Vec<(&[u8], u32)> = endings.keys().map(Vec::as_slice).zip(0..).collect();
    build::trie(&words)
}

/// The stems of the published Gender Decoder by their letters: 1 if it is feminine, 2 if it is masculine.
pub(crate) fn decoder(stems: &Decoder) -> Result<Vec<u8>, String> {
    let lists = [&stems.feminine, &stems.masculine];
    if lists.map(Vec::len) != DECODER_STEMS {
        return Err("data/coding/decoder.yaml: these are not the published stems".to_owned());
    }
    let mut all: BTreeMap<&[u8], u32> = BTreeMap::new();
    for (list, code) in lists.into_iter().zip([1, 2]) {
        for stem in list {
            *all.entry(stem.as_bytes()).or_default() |= code;
        }
    }
    Ok(build::trie(&all.into_iter().collect::<Vec<_>>()))
}

/// By the bytes of each form from the last to the first: the nouns, and which form of each; none for what is no person.
fn endings(titles: &Titles) -> BTreeMap<Vec<u8>, Vec<(usize, usize)>> {
    let reversed = |word: &str| word.bytes().rev().collect::<Vec<u8>>();
    let mut endings: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for (at, noun) in titles.endings.iter().enumerate() {
        for (form, text) in noun.forms.iter().enumerate().filter(|(_, text)| text.len() >= SHORTEST_NOUN) {
            endings.entry(reversed(text)).or_default().push((at, form));
        }
    }
    // What is no person stands above a noun of the same letters.
    endings.extend(titles.not_persons.iter().map(|thing| (reversed(thing), Vec::new())));
    endings
}

/// A list as Rust writes a slice.
struct Listed(Vec<(usize, usize)>);

impl std::fmt::Debug for Listed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "&{:?}", self.0)
    }
}

fn sorted(words: &[String]) -> Vec<&String> {
    let mut words: Vec<&String> = words.iter().collect();
    words.sort_unstable();
    words
}

/// The severity of a category.
fn usual(category: &str) -> String {
    let usual = CATEGORIES.iter().find(|(name, _)| *name == category).map_or("low", |(_, severity)| severity);
    capital(usual)
}

pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
