//! Makes the word lists into tables, so that none is read at run time.

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

use tata_phrases::{
    Style,
    build::{self, LANGUAGES, Output},
};

#[path = "build/cues.rs"]
mod cues;
#[path = "build/decoder.rs"]
mod decoder;
#[path = "src/funnel/fold.rs"]
mod fold;
#[path = "build/labels.rs"]
mod labels;
#[path = "src/book/order.rs"]
mod order;
#[path = "build/plain.rs"]
mod plain;
#[path = "build/records.rs"]
mod records;
#[path = "build/sources.rs"]
mod sources;
#[path = "build/texts.rs"]
mod texts;
#[path = "build/titles.rs"]
mod titles;
#[path = "build/vocabulary.rs"]
mod vocabulary;
#[path = "build/withheld.rs"]
mod withheld;

fn main() -> ExitCode {
    build::script(made)
}

fn made(output: &Output) -> Result<(), String> {
    let english = texts::Voice::read(Path::new("texts/en"), "du")?;
    output.write("keys.rs", english.keys())?;
    for (voice, code, form) in [
        ("en", "en", "du"),
        ("sv", "sv", "du"),
        ("da", "da", "du"),
        ("no", "no", "du"),
        ("de-du", "de", "du"),
        ("de-sie", "de", "sie"),
    ] {
        let texts = texts::Voice::read(&Path::new("texts").join(code), form)?;
        output.write(&format!("texts.{voice}"), texts.records(&english, code)?)?;
    }
    output.write("labels.rs", labels::rust(Path::new("data/funnel/labels.txt"))?)?;
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
    output.write("words.rs", vocabulary.rust())?;
    let mut lists = plain::files(Path::new("data/lists"))?;
    lists.push_str(&plain::languages(Path::new("data/law"), &[""])?);
    lists.push_str(&plain::languages(Path::new("data/shorthand"), &["certain", "unclear", "usual"])?);
    lists.push_str(&plain::languages(Path::new("data/torn"), &["opening", "closing"])?);
    output.write("lists.rs", lists)?;
    output.write("offices.rs", records::offices(Path::new("data/offices.txt"))?)?;
    output.write("limits.rs", records::limits(Path::new("data/funnel/thresholds.txt"))?)?;
    output.write("withheld.graph", withheld::graph(Path::new("data/withheld"))?)?;
    let files =
        |folder: &str| LANGUAGES.map(|code| Path::new("data").join(folder).join(format!("{code}.txt")));
    let skills = cues::Cues::read(&files("skills"), true)?;
    output.write("skills.cues", skills.tables(Style::Parts)?)?;
    output.write("skills.rs", skills.numbers())?;
    let mut interview = cues::Cues::read(&files("interview"), false)?;
    let whole = ["service", "unnamed", "role_candidate", "role_interviewer", "everyday_name"];
    let whole = whole.map(|name| interview.take(name)).concat();
    output.write("interview.cues", interview.tables(Style::Signs)?)?;
    output.write("interview.rs", interview.numbers() + &whole)?;
    let mut headhunting = cues::Cues::read(&[PathBuf::from("data/headhunting.txt")], true)?;
    let employers = headhunting.take("employers");
    output.write("headhunting.cues", headhunting.tables(Style::Parts)?)?;
    output.write("headhunting.rs", headhunting.numbers() + &employers)?;
    let form = cues::Cues::read(&[PathBuf::from("data/form.txt")], true)?;
    output.write("form.cues", form.tables(Style::Parts)?)?;
    output.write("form.rs", form.numbers())
}
