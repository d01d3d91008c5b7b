//! Makes the words of answers and the sentences of changes into tables, so that none is read at run time.

use std::{collections::BTreeMap, path::Path, process::ExitCode};

use tata_phrases::build::{self, LANGUAGES, List, Output};

use crate::{act::Act, pieces::pieces, sense::Sense};

#[path = "src/edit/act.rs"]
mod act;
#[path = "src/answer/pieces.rs"]
#[expect(dead_code, reason = "lists need the text of pieces alone")]
mod pieces;
#[path = "src/answer/sense.rs"]
mod sense;

fn main() -> ExitCode {
    build::script(made)
}

fn made(output: &Output) -> Result<(), String> {
    let act = |name: &str| Act::find(name).map(|act| format!("Act::{act:?}"));
    let sentences = build::by_language("data/frames", |list| build::sections(list, act))?;
    let count = LANGUAGES.len();
    output.write("frames.rs", format!("static SENTENCES: [&[(Act, &[&str])]; {count}] = {sentences};\n"))?;
    let mut words = format!("static WORDS: [Words; {count}] = [\n");
    for code in LANGUAGES {
        let mut wordings = BTreeMap::new();
        for file in ["shared", code] {
            read(&Path::new("data/words").join(format!("{file}.txt")), &mut wordings)?;
        }
        words.push_str(&table(code, &wordings, output)?);
    }
    output.write("words.rs", words + "];\n")
}

/// What each wording means, as Rust; a wording has a blank behind each of its pieces.
type Wordings = BTreeMap<String, Vec<String>>;

fn read(path: &Path, wordings: &mut Wordings) -> Result<(), String> {
    let list = List::read(path)?;
    list.refuse("is no wording", |wording| pieces(wording).is_empty())?;
    list.each(|section| {
        let unknown = || section.problem(&format!("there is no sense {:?}", section.name));
        let meaning = meaning(&section.name).ok_or_else(unknown)?;
        for wording in section.sorted()? {
            let wording: String = pieces(&wording).into_iter().map(|piece| piece.text + " ").collect();
            wordings.entry(wording).or_default().push(meaning.clone());
        }
        Ok(())
    })?;
    Ok(())
}

/// A sense, and for some the value behind a dot: `month.3`, `place.must`.
fn meaning(name: &str) -> Option<String> {
    let plain = Sense::find(name).map(|sense| (sense, ""));
    let (sense, value) = match name.split_once('.') {
        Some((sense, value)) => plain.or_else(|| Some((Sense::find(sense)?, value)))?,
        None => plain?,
    };
    Some(format!("Meaning {{ sense: Sense::{sense:?}, value: {value:?} }}"))
}

/// The words of a language as Rust. Wordings of as many pieces that mean the same have one number.
fn table(code: &str, wordings: &Wordings, output: &Output) -> Result<String, String> {
    let mut numbers = BTreeMap::new();
    let mut rows = String::new();
    let mut words: Vec<(&[u8], u32)> = Vec::new();
    for (wording, meanings) in wordings {
        let row = format!("({}, &[{}]),\n", wording.matches(' ').count(), meanings.join(", "));
        let next = u32::try_from(numbers.len()).map_err(|error| error.to_string())?;
        let number = *numbers.entry(row).or_insert_with_key(|row| {
            rows.push_str(row);
            next
        });
        words.push((wording.as_bytes(), number));
    }
    let file = format!("{code}.words");
    output.write(&file, build::trie(&words))?;
    Ok(format!(
        "Words {{ wordings: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{file}\")), meanings: &[\n{rows}] }},\n"
    ))
}
