//! What must not pass (`data/withheld`) as one table for all languages: people mix them in their notes.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use tata_phrases::build::{self, Meaning};

use super::{
    order::{GROUNDS, REMARKS},
    sources::file,
};

/// A file as a linguist writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    confidential: Vec<String>,
    pointing: Vec<String>,
    fine: Vec<String>,
    whom: Vec<String>,
    neutral: Vec<String>,
    pay: Vec<String>,
    wishes: BTreeMap<String, Vec<String>>,
}

/// The tables of all languages. First come the remarks, then the grounds, in the order of `book/order.rs`.
pub(crate) fn graph(folder: &Path, codes: &[&str]) -> Result<Vec<u8>, String> {
    let mut all: Vec<(usize, Meaning, String)> = Vec::new();
    for code in codes {
        let path = folder.join(format!("{code}.yaml"));
        let patterns = patterns(file(&path)?).map_err(|problem| format!("{}: {problem}", path.display()))?;
        // Alone first, so that a pattern that cannot be read is named with its file.
        build::phrases(patterns.iter().map(|(id, meaning, text)| (*id, *meaning, text.as_str())))
            .map_err(|problem| format!("{}: {problem}", path.display()))?;
        all.extend(patterns);
    }
    build::phrases(all.iter().map(|(id, meaning, text)| (*id, *meaning, text.as_str())))
        .map_err(|problem| format!("{}: {problem}", folder.display()))
}

fn patterns(lists: Lists) -> Result<Vec<(usize, Meaning, String)>, String> {
    let Lists { confidential, pointing, fine, whom, neutral, pay, mut wishes } = lists;
    let mut all = Vec::new();
    let mut add = |id: usize, meaning: Meaning, patterns: Vec<String>| {
        all.extend(patterns.into_iter().map(|pattern| (id, meaning, pattern)));
    };
    add(0, Meaning::Fine, fine.clone());
    add(1, Meaning::Fine, fine);
    for (id, patterns) in [confidential, pointing, whom, neutral, pay].into_iter().enumerate() {
        add(id, Meaning::Hit, patterns);
    }
    for (at, ground) in GROUNDS.into_iter().enumerate() {
        let patterns = wishes.remove(ground).ok_or_else(|| format!("{ground:?} is missing"))?;
        add(REMARKS.len() + at, Meaning::Hit, patterns);
    }
    match wishes.keys().next() {
        Some(unknown) => Err(format!("there is no ground {unknown:?}")),
        None => Ok(all),
    }
}
