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
#[path = "src/funnel/fold.rs"]
mod fold;
#[path = "build/labels.rs"]
mod labels;
#[path = "src/withheld/order.rs"]
mod order;
#[path = "build/records.rs"]
mod records;
#[path = "build/texts.rs"]
mod texts;
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
    let mut lists = build::plain_files(Path::new("data/lists"))?;
    lists.push_str(&build::plain_languages(Path::new("data/shorthand"), &["certain", "unclear", "usual"])?);
    let torn =
        ["opening", "closing", "author", "chatter", "recruiter", "candidate", "clauses", "leads", "terms"];
    lists.push_str(&build::plain_languages(Path::new("data/torn"), &torn)?);
    output.write("lists.rs", lists)?;
    output.write("laws.rs", records::laws(Path::new("data/law"))?)?;
    output.write("offices.rs", records::offices(Path::new("data/offices.txt"))?)?;
    output.write("limits.rs", records::limits(Path::new("data/funnel/thresholds.txt"))?)?;
    output.write("withheld.graph", withheld::graph(Path::new("data/withheld"))?)?;
    let files =
        |folder: &str| LANGUAGES.map(|code| Path::new("data").join(folder).join(format!("{code}.txt")));
    let skills = cues::CueLists::read(&files("skills"), true)?;
    output.write("skills.cues", skills.tables(Style::Parts)?)?;
    output.write("skills.rs", skills.numbers())?;
    let mut interview = cues::CueLists::read(&files("interview"), false)?;
    let whole = ["service", "unnamed", "role_candidate", "role_interviewer", "everyday_name"];
    let whole = whole.map(|name| interview.take(name)).concat();
    output.write("interview.cues", interview.tables(Style::Signs)?)?;
    output.write("interview.rs", interview.numbers() + &whole)?;
    let mut headhunting = cues::CueLists::read(&[PathBuf::from("data/headhunting.txt")], true)?;
    let whole = ["employers", "present"].map(|name| headhunting.take(name)).concat();
    output.write("headhunting.cues", headhunting.tables(Style::Parts)?)?;
    output.write("headhunting.rs", headhunting.numbers() + &whole)?;
    let form = cues::CueLists::read(&[PathBuf::from("data/form.txt")], true)?;
    output.write("form.cues", form.tables(Style::Parts)?)?;
    output.write("form.rs", form.numbers())
}
