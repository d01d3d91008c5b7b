//! Makes the word lists into tables, so that none is read at run time.
#![expect(
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "cargo is spoken to by printing and by variables"
)]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

use tata_phrases::Style;

#[path = "build/cues.rs"]
mod cues;
#[path = "src/funnel/fold.rs"]
mod fold;
#[path = "build/labels.rs"]
mod labels;
#[path = "build/list.rs"]
mod list;
#[path = "build/lists.rs"]
mod lists;
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
    for place in ["build", "data", "texts", "src/funnel/fold.rs", "src/book/order.rs"] {
        println!("cargo::rerun-if-changed={place}");
    }
    match made() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn made() -> Result<(), String> {
    let folder = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let write =
        |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).map_err(|error| error.to_string());
    let codes = ["en", "sv", "da", "no", "de"];
    let english = texts::Voice::read(Path::new("texts/en"), "du")?;
    write("keys.rs", english.keys().as_bytes())?;
    for (voice, code, form) in [
        ("en", "en", "du"),
        ("sv", "sv", "du"),
        ("da", "da", "du"),
        ("no", "no", "du"),
        ("de-du", "de", "du"),
        ("de-sie", "de", "sie"),
    ] {
        let texts = texts::Voice::read(&Path::new("texts").join(code), form)?;
        write(&format!("texts.{voice}"), texts.records(&english, code)?.as_bytes())?;
    }
    write("labels.rs", labels::rust(Path::new("data/funnel/labels.txt"))?.as_bytes())?;
    let mut text = String::new();
    for code in codes {
        let lists = sources::Sources::read(Path::new("data"), code)?;
        write(&format!("{code}.graph"), &lists::graph(code, &lists)?)?;
        text.push_str(&lists::rust(code, &lists));
    }
    let decoder = list::List::read(Path::new("data/coding/decoder.txt"))?;
    write("decoder.trie", &lists::decoder(decoder)?)?;
    let vocabulary = vocabulary::Words::read(Path::new("data"), &codes)?;
    write("words.signs", &vocabulary.signs())?;
    write("words.graph", &vocabulary.phrases()?)?;
    write("words.rs", vocabulary.rust().as_bytes())?;
    let mut plain = plain::files(Path::new("data/lists"))?;
    plain.push_str(&plain::languages(Path::new("data/law"), &codes, &[""])?);
    plain.push_str(&plain::languages(Path::new("data/shorthand"), &codes, &["certain", "unclear", "usual"])?);
    plain.push_str(&plain::languages(Path::new("data/torn"), &codes, &["opening", "closing"])?);
    write("lists.rs", plain.as_bytes())?;
    write("offices.rs", records::offices(Path::new("data/offices.txt"))?.as_bytes())?;
    write("limits.rs", records::limits(Path::new("data/funnel/thresholds.txt"))?.as_bytes())?;
    write("withheld.graph", &withheld::graph(Path::new("data/withheld"), &codes)?)?;
    let titles = titles::Titles::read(Path::new("data/titles"))?;
    write("titles.trie", &titles.trie())?;
    text.push_str(&titles.rust());
    let files = |folder: &str| codes.map(|code| Path::new("data").join(folder).join(format!("{code}.txt")));
    let skills = cues::Cues::read(&files("skills"))?;
    write("skills.cues", &skills.tables(Style::Parts)?)?;
    write("skills.rs", skills.numbers().as_bytes())?;
    let mut interview = cues::Cues::read(&files("interview"))?;
    let whole = ["service", "unnamed", "role_candidate", "role_interviewer", "everyday_name"];
    let whole = whole.map(|name| interview.take(name)).concat();
    write("interview.cues", &interview.tables(Style::Signs)?)?;
    write("interview.rs", (interview.numbers() + &whole).as_bytes())?;
    let mut headhunting = cues::Cues::read(&[PathBuf::from("data/headhunting.txt")])?;
    let employers = headhunting.take("employers");
    write("headhunting.cues", &headhunting.tables(Style::Parts)?)?;
    write("headhunting.rs", (headhunting.numbers() + &employers).as_bytes())?;
    let form = cues::Cues::read(&[PathBuf::from("data/form.txt")])?;
    write("form.cues", &form.tables(Style::Parts)?)?;
    write("form.rs", form.numbers().as_bytes())?;
    write("book.rs", text.as_bytes())
}
