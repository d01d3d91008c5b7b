//! The names of rows and columns of funnel tables (`data/funnel/labels.txt`) as Rust.

use std::{collections::BTreeMap, fmt::Write as _, path::Path};

use tata_phrases::build::List;

use super::fold::{key, words};

/// Lists of words that are no names.
const LISTS: [&str; 6] = ["total_row", "day_word", "empty", "filler", "mark_yes", "mark_no"];

/// The table as the text of statics. A name with two meanings is an error.
pub(crate) fn rust(path: &Path) -> Result<String, String> {
    let sections = List::read(path)?.each(|section| Ok((section.name.clone(), section.entries()?)))?;
    let entries: Vec<(&str, &str)> = sections
        .iter()
        .flat_map(|(meaning, names)| names.iter().map(|name| (meaning.as_str(), name.as_str())))
        .collect();
    let of = |meaning: &'static str| {
        entries.iter().filter(move |(own, _)| *own == meaning).map(|(_, name)| (*name).to_owned())
    };
    let fillers: Vec<String> = of("filler").flat_map(|name| words(&name)).collect();
    let is_filler = |word: &str| fillers.iter().any(|filler| filler == word);
    let mut names: BTreeMap<String, &str> = BTreeMap::new();
    for (meaning, name) in entries.iter().filter(|(meaning, _)| !LISTS.contains(meaning)) {
        let key = key(name, is_filler);
        if let Some(other) = names.insert(key, meaning).filter(|other| other != meaning) {
            return Err(format!("{}: {name} is {other} and {meaning}", path.display()));
        }
    }
    let mut text = String::from("pub(super) static NAMES: &[(&str, &str)] = &[\n");
    for (key, meaning) in names {
        let _ = writeln!(text, "({key:?}, {meaning:?}),");
    }
    text.push_str("];\n");
    let totals = of("total_row").map(|name| key(&name, is_filler));
    for (name, mut list) in [
        ("TOTALS", totals.collect::<Vec<_>>()),
        ("DAY_WORDS", of("day_word").collect()),
        ("MARK_YES", of("mark_yes").collect()),
        ("MARK_NO", of("mark_no").collect()),
        // An empty cell is no entry that a list could have.
        ("EMPTY", of("empty").chain([String::new()]).collect()),
        ("FILLERS", fillers.clone()),
    ] {
        list.sort_unstable();
        list.dedup();
        let _ = writeln!(text, "pub(super) static {name}: &[&str] = &{list:?};");
    }
    Ok(text)
}
