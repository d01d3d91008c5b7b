//! `tata eval`: how well a review does on labelled sentences; here the inclusion review.

use std::io::Write;

use serde_json::{Value, json};
use tata_recruit::Language;

use super::measure::{Measured, Tally, measure, read_labelled};
use crate::{
    cli::EvalAction,
    commands::claims,
    error::UsageError,
    exit::Exit,
    input,
    terminal::{BOLD, DIM, NOTE, Terminal},
};

pub(crate) fn eval(action: EvalAction, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (files, lang, mistakes, json, fail_under) = match action {
        EvalAction::Claims(wish) => return claims::eval(&wish, terminal),
        // It needs a runtime, so it went another way.
        EvalAction::Retrieval(_) => return Ok(Exit::Usage),
        EvalAction::Di { files, lang, mistakes, json, fail_under } => {
            (files, lang, mistakes, json, fail_under)
        }
    };
    let mut all = Vec::new();
    for path in &files {
        let text = input::file(path)?;
        let name = path.display().to_string();
        let sentences = read_labelled(&name, &text).map_err(|error| UsageError(error.to_string()))?;
        let Some(language) = lang.or_else(|| claims::by_name(path)) else {
            let message =
                format!("the language of {name} is not known; name it with --lang, or call the file sv.yaml");
            return Err(UsageError(message).into());
        };
        all.push((name, language, measure(&sentences, language)));
    }
    if json {
        let documents: Vec<Value> =
            all.iter().map(|(name, language, found)| document(name, *language, found)).collect();
        writeln!(terminal.out(), "{:#}", json!(documents))?;
    } else {
        for (name, language, found) in &all {
            show(name, *language, found, mistakes, terminal)?;
        }
    }
    let under = |least: f64| {
        let totals = all.iter().map(|(_, _, found)| found.total());
        totals.into_iter().any(|total| total.precision() < least || total.recall() < least)
    };
    if let Some(least) = fail_under.filter(|least| under(*least)) {
        terminal.note(&format!("{NOTE}failed:{NOTE:#} precision or recall is under {least}"));
        return Ok(Exit::Failed);
    }
    Ok(Exit::Done)
}

fn show(
    name: &str,
    language: Language,
    found: &Measured,
    mistakes: bool,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let mut out = terminal.out();
    writeln!(out, "{BOLD}{name}{BOLD:#} {DIM}({}, {} sentences){DIM:#}", language.code(), found.sentences)?;
    writeln!(
        out,
        "  {:<16} {:>9} {:>6} {:>5} {:>6} {:>5}",
        "category", "precision", "recall", "right", "missed", "wrong"
    )?;
    let mut row = |name: &str, tally: Tally| {
        writeln!(
            out,
            "  {name:<16} {:>9.3} {:>6.3} {:>5} {:>6} {:>5}",
            tally.precision(),
            tally.recall(),
            tally.hits,
            tally.missed,
            tally.wrong
        )
    };
    for (category, tally) in &found.categories {
        row(category.name(), *tally)?;
    }
    row("all", found.total())?;
    if mistakes {
        for (category, piece, sentence, missed) in &found.mistakes {
            let what = if *missed { "missed" } else { "wrong" };
            writeln!(out, "  {NOTE}{what}{NOTE:#} {} {piece:?} {DIM}{sentence}{DIM:#}", category.name())?;
        }
    }
    Ok(())
}

fn document(name: &str, language: Language, found: &Measured) -> Value {
    let tally = |tally: Tally| {
        json!({
            "precision": tally.precision(),
            "recall": tally.recall(),
            "right": tally.hits,
            "missed": tally.missed,
            "wrong": tally.wrong,
        })
    };
    let categories: serde_json::Map<String, Value> = found
        .categories
        .iter()
        .map(|(category, found)| (category.name().to_owned(), tally(*found)))
        .collect();
    json!({
        "file": name,
        "language": language.code(),
        "sentences": found.sentences,
        "all": tally(found.total()),
        "categories": categories,
    })
}
