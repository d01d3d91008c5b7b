//! Word lists as Rust: nothing is left to be read at run time.

use std::{collections::BTreeMap, fmt::Write as _};

use tata_phrases::build;

use super::{list::List, sources::Sources};

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
        let _ = writeln!(
            text,
            "Flag {{ rule: {:?}, term: {:?}, category: Category::{}, severity: Severity::{}, reason: {:?}, \
             alternatives: &{:?} }},",
            flag.rule,
            flag.term,
            capital(flag.category),
            capital(flag.severity),
            flag.reason,
            flag.better,
        );
    }
    text.push_str("],\nbanned: &[\n");
    for entry in &sources.banned {
        let _ = writeln!(
            text,
            "Banned {{ term: {:?}, family: Family::{}, scope: Scope::{}, suggestion: {:?} }},",
            entry.term,
            capital(entry.family),
            capital(entry.scope),
            entry.better,
        );
    }
    text.push_str("],\nvague: &[\n");
    for entry in &sources.vague {
        let _ = writeln!(text, "Vague {{ term: {:?}, alternatives: &{:?} }},", entry.term, entry.better);
    }
    let _ = writeln!(text, "],\ngraph: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{code}.graph\")),\n}};");
    text
}

/// The stems of the published Gender Decoder by their letters: 1 if it is feminine, 2 if it is masculine.
pub(crate) fn decoder(mut list: List) -> Result<Vec<u8>, String> {
    let lists = [list.entries("feminine")?, list.entries("masculine")?];
    list.end()?;
    if lists.each_ref().map(Vec::len) != DECODER_STEMS {
        return Err("data/coding/decoder.txt: these are not the published stems".to_owned());
    }
    let mut all: BTreeMap<&[u8], u32> = BTreeMap::new();
    for (list, code) in lists.iter().zip([1, 2]) {
        for stem in list {
            *all.entry(stem.as_bytes()).or_default() |= code;
        }
    }
    Ok(build::trie(&all.into_iter().collect::<Vec<_>>()))
}

pub(crate) fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
