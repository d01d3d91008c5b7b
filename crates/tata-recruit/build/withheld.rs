//! What must not pass (`data/withheld`) as one table for all languages: people mix them in their notes.

use std::path::Path;

use tata_phrases::build::{self, LANGUAGES, List, Meaning};

use super::order::{GROUNDS, REMARKS};

/// The tables of all languages. First come the remarks, then the grounds, in the order of `withheld/order.rs`.
pub(crate) fn graph(folder: &Path) -> Result<Vec<u8>, String> {
    let mut all: Vec<(usize, Meaning, String)> = Vec::new();
    for code in LANGUAGES {
        all.extend(patterns(List::read(&folder.join(format!("{code}.txt")))?.patterns()?)?);
    }
    build::phrases(all.iter().map(|(id, meaning, text)| (*id, *meaning, text.as_str())))
}

fn patterns(mut list: List) -> Result<Vec<(usize, Meaning, String)>, String> {
    let fine = list.entries("fine")?;
    // What is fine is neither a remark in confidence nor one that points back.
    let mut all: Vec<_> = [0, 1]
        .into_iter()
        .flat_map(|id| fine.iter().map(move |pattern| (id, Meaning::Fine, pattern.clone())))
        .collect();
    let names = REMARKS.map(str::to_owned).into_iter().chain(GROUNDS.map(|ground| format!("wish {ground}")));
    for (id, name) in names.enumerate() {
        all.extend(list.entries(&name)?.into_iter().map(|pattern| (id, Meaning::Hit, pattern)));
    }
    list.end().map(|()| all)
}
