//! `tata claims` and `tata eval claims`: does a text say only what its sources say?

mod labelled;

use std::{
    io::{self, Write},
    path::Path,
};

use serde_json::{Value, json};
use tata_language::{
    Language,
    claims::{Sentence, check},
};

use self::labelled::{Labelled, Measured, measure, read_labelled};
use crate::{
    cli::{Claims, EvalClaims},
    error::UsageError,
    exit::Exit,
    input,
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal},
};

/// The longest text or source: what it costs still grows faster than the text where that has no sentences.
const LARGEST: usize = 256 * 1024;

/// `tata claims`.
pub(super) fn run(wish: &Claims, terminal: &Terminal) -> anyhow::Result<Exit> {
    let text = if wish.text == Path::new("-") {
        bounded(input::piped(terminal)?, "standard input")?
    } else {
        read(&wish.text)?
    };
    let mut sources = Vec::new();
    for (name, path) in &wish.source {
        sources.push((name.as_str(), read(path)?));
    }
    let named: Vec<(&str, &str)> = sources.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let checked = check(wish.lang, &text, &named);
    if wish.json {
        writeln!(terminal.out(), "{:#}", document(&checked, &named))?;
    } else {
        show(&checked, &named, terminal)?;
    }
    Ok(if checked.iter().all(Sentence::supported) { Exit::Done } else { Exit::Failed })
}

fn read(path: &Path) -> anyhow::Result<String> {
    bounded(input::file(path)?, &path.display().to_string())
}

/// A text that is not longer than a long interview.
fn bounded(text: String, name: &str) -> anyhow::Result<String> {
    if text.len() > LARGEST {
        let message = format!(
            "{name} has {} bytes; claims are checked up to {LARGEST}. Check it in parts.",
            text.len()
        );
        return Err(UsageError(message).into());
    }
    Ok(text)
}

fn document(checked: &[Sentence<'_>], sources: &[(&str, &str)]) -> Value {
    let name = |at: usize| sources.get(at).map_or("", |(name, _)| name);
    let sentence = |sentence: &Sentence<'_>| {
        let unproven: Vec<Value> = sentence
            .unproven
            .iter()
            .map(|part| {
                json!({
                    "text": part.text,
                    "start": part.span.start,
                    "end": part.span.end,
                    "why": part.reason.explained(),
                })
            })
            .collect();
        let evidence: Vec<Value> = sentence
            .evidence
            .iter()
            .map(|place| json!({"source": name(place.source), "start": place.span.start, "end": place.span.end}))
            .collect();
        let mut value = json!({
            "text": sentence.text,
            "start": sentence.span.start,
            "end": sentence.span.end,
            "status": if sentence.supported() { "supported" } else { "unproven" },
            "unproven": unproven,
            "evidence": evidence,
        });
        if sentence.translated {
            value["translated"] = json!(true);
        }
        value
    };
    json!({"sentences": checked.iter().map(sentence).collect::<Vec<_>>()})
}

fn show(checked: &[Sentence<'_>], sources: &[(&str, &str)], terminal: &Terminal) -> io::Result<()> {
    let mut out = terminal.out();
    for sentence in checked {
        let (style, mark) = if sentence.supported() { (GOOD, "ok") } else { (BAD, "??") };
        writeln!(out, "{style}{mark}{style:#} {}", on_one_line(sentence.text))?;
        for part in &sentence.unproven {
            writeln!(out, "   {NOTE}{}{NOTE:#}: {}", on_one_line(part.text), part.reason.explained())?;
        }
        if sentence.translated {
            writeln!(out, "   {DIM}translated: only numbers, dates and names were checked{DIM:#}")?;
        }
        for place in &sentence.evidence {
            let Some((name, text)) = sources.get(place.source) else { continue };
            let quoted: String =
                text.chars().skip(place.span.start).take(place.span.end - place.span.start).collect();
            writeln!(out, "   {DIM}{name}: {}{DIM:#}", on_one_line(&quoted))?;
        }
    }
    let unproven = checked.iter().filter(|sentence| !sentence.supported()).count();
    writeln!(out, "{BOLD}{} of {} sentences are proven{BOLD:#}", checked.len() - unproven, checked.len())
}

fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `tata eval claims`.
pub(super) fn eval(wish: &EvalClaims, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut all = Vec::new();
    for path in &wish.files {
        let name = path.display().to_string();
        let labelled = read_labelled(&read(path)?);
        let labelled: Vec<Labelled> = labelled.map_err(|error| UsageError(format!("{name}: {error}")))?;
        let Some(language) = wish.lang.or_else(|| by_name(path)) else {
            let message =
                format!("the language of {name} is not known; name it with --lang, or call the file sv.txt");
            return Err(UsageError(message).into());
        };
        all.push((name, language, measure(language, &labelled)));
    }
    if wish.json {
        let documents: Vec<Value> =
            all.iter().map(|(name, language, found)| figures(name, *language, found)).collect();
        writeln!(terminal.out(), "{:#}", json!(documents))?;
    } else {
        for (name, language, found) in &all {
            figures_shown(name, *language, found, wish.mistakes, terminal)?;
        }
    }
    let under = |least: f64| {
        all.iter().any(|(_, _, found)| found.caught_share() < least || found.left_alone_share() < least)
    };
    if let Some(least) = wish.fail_under.filter(|least| under(*least)) {
        terminal.note(&format!("{NOTE}failed:{NOTE:#} caught or left alone is under {least}"));
        return Ok(Exit::Failed);
    }
    Ok(Exit::Done)
}

/// The language that a file's name begins with.
pub(super) fn by_name(path: &Path) -> Option<Language> {
    let stem = path.file_stem()?.to_str()?;
    Language::wished(stem.split(['-', '_', '.']).next()?)
}

fn figures(name: &str, language: Language, found: &Measured) -> Value {
    json!({
        "file": name,
        "language": language.code(),
        "unsupported": found.unsupported,
        "caught": found.caught,
        "caught_share": found.caught_share(),
        "honest": found.honest,
        "left_alone": found.left_alone,
        "left_alone_share": found.left_alone_share(),
    })
}

fn figures_shown(
    name: &str,
    language: Language,
    found: &Measured,
    mistakes: bool,
    terminal: &Terminal,
) -> io::Result<()> {
    let mut out = terminal.out();
    writeln!(
        out,
        "{BOLD}{name}{BOLD:#} {DIM}({}){DIM:#} caught {}/{} {:.3}, left alone {}/{} {:.3}",
        language.code(),
        found.caught,
        found.unsupported,
        found.caught_share(),
        found.left_alone,
        found.honest,
        found.left_alone_share()
    )?;
    for mistake in found.mistakes.iter().filter(|_| mistakes) {
        let Labelled { line, kind, text, honest, .. } = &mistake.labelled;
        let what = if *honest { "not left alone" } else { "not caught" };
        let why = mistake.unproven.join(", ");
        writeln!(out, "  {NOTE}{what}{NOTE:#} line {line}, {kind}: {text} {DIM}{why}{DIM:#}")?;
    }
    Ok(())
}
