//! Makes the word lists into tables and statics, so that none is read at run time.

use std::{path::Path, process::ExitCode};

use tata_phrases::{
    build::{self, LANGUAGES, List, Output},
    folded,
};

use crate::cue::{Critical, Cue};

#[path = "src/cue.rs"]
mod cue;
#[path = "build/decoder.rs"]
mod decoder;
#[path = "src/book/order.rs"]
mod order;
#[path = "build/sources.rs"]
mod sources;
#[path = "build/titles.rs"]
mod titles;
#[path = "build/vocabulary.rs"]
mod vocabulary;

fn main() -> ExitCode {
    build::script(made)
}

fn made(output: &Output) -> Result<(), String> {
    claims(output)?;
    let mut book = String::new();
    for code in LANGUAGES {
        let lists = sources::Sources::read(Path::new("data"), code)?;
        let graph = build::phrases(lists.patterns());
        output.write(
            &format!("{code}.graph"),
            graph.map_err(|problem| format!("the lists of {code}: {problem}"))?,
        )?;
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

/// What claims are judged by, and the plain lists.
fn claims(output: &Output) -> Result<(), String> {
    let cue = |name: &str| Cue::find(name).map(|cue| format!("Cue::{cue:?}"));
    let critical = |name: &str| Critical::find(name).map(|critical| format!("Critical::{critical:?}"));
    let mut text = build::plain_files(Path::new("data/lists"))?;
    for (name, kind, lists) in [
        ("ENDINGS", "&str", normalised("endings", build::entries)?),
        ("ORDINARY", "&str", normalised("ordinary", build::entries)?),
        ("SYNONYMS", "&str", normalised("synonyms", synonyms)?),
        ("CUES", "(Cue, &[&str])", normalised("cues", |list| build::sections(list, cue))?),
        ("CRITICAL", "(Critical, &[&str])", normalised("critical", |list| build::sections(list, critical))?),
        ("NUMBERS", "(&str, Numeral)", build::by_language("data/numbers", numbers)?),
    ] {
        text.push_str(&format!("static {name}: [&[{kind}]; {}] = {lists};\n", LANGUAGES.len()));
    }
    output.write("lists.rs", text)
}

/// The lists of a kind whose entries are compared with the words of texts.
fn normalised(kind: &str, make: impl Fn(List) -> Result<String, String>) -> Result<String, String> {
    build::by_language(&format!("data/{kind}"), |list| {
        list.refuse("is not in small letters and plain signs", |entry| folded(entry) != entry)?;
        make(list)
    })
}

/// One set a line.
fn synonyms(list: List) -> Result<String, String> {
    list.refuse("is no set", |line| !line.contains(' '))?;
    build::entries(list)
}

/// `word = number`, as the lists say at their beginning.
fn numbers(mut list: List) -> Result<String, String> {
    let numbers =
        list.section("")?.pairs_as(|word, value| numeral(value).filter(|_| folded(word) == word))?;
    let rows: Vec<String> = numbers.iter().map(|(word, numeral)| format!("({word:?}, {numeral})")).collect();
    list.end().map(|()| format!("&[{}]", rows.join(", ")))
}

/// A number as Rust.
fn numeral(text: &str) -> Option<String> {
    let (kind, number) = if let Some(scale) = text.strip_prefix('x') {
        ("Scale", scale)
    } else if let Some(month) = text.strip_prefix('m') {
        ("Month", month)
    } else if let Some(order) = text.strip_suffix('.') {
        ("Order", order)
    } else if let Some(turn) = text.strip_suffix('?') {
        ("Turn", turn)
    } else {
        ("Count", text)
    };
    // As it is written: `1_000_000` stays readable.
    number.replace('_', "").parse::<u64>().ok().map(|_| format!("Numeral::{kind}({number})"))
}
