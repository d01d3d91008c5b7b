//! Word lists as Rust: nothing is left to be read at run time.

use std::fmt::Write;

use super::{
    graph::Graph,
    order::CATEGORIES,
    sources::{Sources, Titles},
};

/// The graph of a language's patterns.
pub(crate) fn graph(name: &str, sources: &Sources) -> Result<Graph, String> {
    Graph::new(sources.patterns()).map_err(|(_, problem)| format!("the lists of {name}: {problem}"))
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
pub(crate) fn titles(titles: Titles) -> String {
    let titles = titles.inflected();
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
        "],\nnot_persons: &{:?},\nenglish_words: &{:?},\nenglish_phrases: &{:?},\nattached: &{:?},\ncomplete: &{:?},\n\
         incomplete: &{:?},\nmeant_for_all: &{:?},\nwithin_words: {},\nbetween_words: {},\n}};",
        sorted(&titles.not_persons),
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

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
