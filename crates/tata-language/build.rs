//! Makes the word lists into tables and statics, so that none is read at run time.

use std::{path::Path, process::ExitCode};

use tata_phrases::build::{self, Output};

use crate::language::Language;

#[path = "build/claims.rs"]
mod claims;
#[path = "src/cue.rs"]
#[expect(dead_code, reason = "the program asks what a set has")]
mod cue;
#[path = "build/decoder.rs"]
mod decoder;
#[path = "src/book/kinds.rs"]
#[expect(dead_code, unreachable_pub, reason = "lists need the names alone")]
mod kinds;
#[path = "src/language.rs"]
#[expect(dead_code, unreachable_pub, reason = "lists need the names alone")]
mod language;
#[path = "build/sources.rs"]
mod sources;
#[path = "src/stem.rs"]
mod stem;
#[path = "build/titles.rs"]
mod titles;
#[path = "build/vocabulary.rs"]
mod vocabulary;

fn main() -> ExitCode {
    build::script(made)
}

fn made(output: &Output) -> Result<(), String> {
    output.write("lists.rs", build::plain_files(Path::new("data/lists"))?)?;
    let lists = Language::ALL.map(|language| claims::lists(language, output));
    let lists = lists.into_iter().collect::<Result<Vec<_>, _>>()?.join(",\n");
    let count = Language::ALL.len();
    output.write("claims.rs", format!("pub(super) static LISTS: [Lists; {count}] = [\n{lists}];\n"))?;
    let mut book = String::new();
    for code in Language::ALL.map(Language::name) {
        let lists = sources::Sources::read(Path::new("data"), code)?;
        output.made_of(&format!("{code}.graph"), lists.patterns().collect::<Vec<_>>(), || {
            build::phrases(lists.patterns()).map_err(|problem| format!("the lists of {code}: {problem}"))
        })?;
        book.push_str(&lists.rust(code));
    }
    let (titles, endings) = titles::read(Path::new("data/titles"))?;
    output.write("titles.trie", endings)?;
    output.write("book.rs", book + &titles)?;
    output.write("decoder.trie", decoder::trie(Path::new("data/coding/decoder.txt"))?)?;
    let vocabulary = vocabulary::Words::read(Path::new("data"))?;
    output.write("words.signs", vocabulary.signs())?;
    output.write("words.graph", vocabulary.phrases()?)?;
    output.write("words.rs", vocabulary.rust())
}
