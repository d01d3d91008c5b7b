//! `tata trust`: what the files of this folder want to decide, and whether they may.

use std::{
    io::{self, BufRead, Write},
    path::Path,
};

use anyhow::Context;
use serde_json::json;

use crate::{
    cli::Trust,
    config::{Config, Folder, KEYS, Want, regular},
    error::UsageError,
    exit::Exit,
    on_one_line::{beginning, on_one_line},
    terminal::{BOLD, DIM, GOOD, NOTE, Terminal},
};

/// The most characters of an entry, about eight lines of a usual screen.
const LONGEST_WANT: usize = 600;
/// The most entries, and their characters together: what is above that scrolls away before it is read.
const MOST_WANTS: usize = 100;
const MOST_SHOWN: usize = 6000;

pub(crate) fn run(wish: &Trust, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    if wish.keys {
        return keys(wish.json, terminal);
    }
    if wish.list {
        return list(wish.json, config, terminal);
    }
    let subject = Subject::new(config, wish.file.as_deref())?;
    if wish.forget {
        let was =
            config.trusted().forget(&subject.folder).context("the trusted folders cannot be changed")?;
        let what = if wish.file.is_some() { "file" } else { "folder" };
        terminal.note(&format!("This {what} {} trusted.", if was { "is no longer" } else { "was not" }));
        return Ok(Exit::Done);
    }
    if wish.json {
        let document = json!({
            "folder": subject.folder.root(), "trusted": subject.is_trusted, "wants": subject.wants,
        });
        writeln!(terminal.out(), "{document:#}")?;
        return Ok(Exit::Done);
    }
    if subject.folder.is_empty() {
        terminal.note("There is nothing of Tata's in this folder, so there is nothing to trust.");
        return Ok(Exit::Done);
    }
    subject.show(terminal);
    if subject.is_trusted {
        terminal.note(&format!("{GOOD}Trusted.{GOOD:#} `tata trust --forget` takes it back."));
        return Ok(Exit::Done);
    }
    if wish.show {
        return Ok(Exit::Done);
    }
    if !terminal.can_ask() {
        let why = "trust is given on a terminal only, by somebody who has read this; a script sets what it needs in the \
                   environment, or leaves the folder alone with --no-folder";
        return Err(UsageError(why.to_owned()).into());
    }
    Ok(if subject.ask(config, terminal)? { Exit::Done } else { Exit::Failed })
}

/// Shows what the folder, or a file that the person named, wants and asks; whether it is trusted now.
pub(crate) fn offer(config: &Config, file: Option<&Path>, terminal: &Terminal) -> anyhow::Result<bool> {
    let subject = Subject::new(config, file)?;
    subject.show(terminal);
    subject.ask(config, terminal)
}

/// Each in words, and once.
fn in_words<'w>(wants: impl Iterator<Item = &'w Want>) -> Vec<(String, &'w Want)> {
    let mut all: Vec<(String, &Want)> = Vec::new();
    for want in wants {
        let words = want.to_string();
        if !all.iter().any(|(known, _)| *known == words) {
            all.push((words, want));
        }
    }
    all
}

/// What is to be trusted.
struct Subject {
    folder: Folder,
    wants: Vec<Want>,
    is_trusted: bool,
}

impl Subject {
    fn new(config: &Config, file: Option<&Path>) -> anyhow::Result<Self> {
        let Some(file) = file else {
            let (folder, wants) = (config.folder.clone(), config.wants());
            return Ok(Self { folder, wants, is_trusted: config.trust.is_given() });
        };
        let shown = file.display();
        regular(file).map_err(|why| UsageError(format!("{shown} cannot be read: {why}")))?;
        let folder = Folder::of_file(file);
        let is_trusted = config.trusted().knows(&folder).is_given();
        let wants = config.wants_of_file(&folder);
        Ok(Self { folder, wants, is_trusted })
    }

    fn show(&self, terminal: &Terminal) {
        let root = on_one_line(&self.folder.root().display().to_string());
        terminal.note(&format!("The files of {BOLD}{root}{BOLD:#}"));
        for (file, _) in self.files() {
            terminal.note(&format!("  {DIM}{}{DIM:#}", shown(&file)));
        }
        let grave = self.grave();
        if grave.is_empty() {
            terminal.note("want nothing that would need your trust.");
            return;
        }
        terminal.note("would");
        for (want, _) in &grave {
            terminal.note(&format!("  {NOTE}{}{NOTE:#}", shown(want)));
        }
        if grave.iter().any(|(_, want)| want.starts_command()) {
            terminal.note(
                "A command can load more files of this folder, such as modules, makefiles and plugins. These may \
                 change later without a new question.",
            );
        }
    }

    /// The files it consists of.
    fn files(&self) -> Vec<(String, &Want)> {
        in_words(self.wants.iter().filter(|want| is_file(want)))
    }

    /// What needs trust.
    fn grave(&self) -> Vec<(String, &Want)> {
        in_words(self.wants.iter().filter(|want| !is_file(want)))
    }

    /// How much is wanted, in words: whatever stands above, this line stands right above the question.
    fn counted(&self) -> String {
        let mut counts: Vec<((&str, &str), usize)> = Vec::new();
        for (_, want) in self.grave().into_iter().chain(self.files()) {
            let name = want.counted_as();
            match counts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        let words = counts
            .into_iter()
            .map(|((one, several), count)| format!("{count} {}", if count == 1 { one } else { several }));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Why nobody could check this on a screen, if so: nothing is trusted that was not shown whole.
    fn too_much(&self) -> Option<String> {
        let grave = self.grave();
        let longest = grave.iter().map(|(words, _)| words.chars().count()).max().unwrap_or_default();
        let all: usize = grave.iter().map(|(words, _)| words.chars().count()).sum();
        if longest > LONGEST_WANT {
            Some(format!("one entry has {longest} characters"))
        } else if grave.len() > MOST_WANTS || all > MOST_SHOWN {
            Some(format!("{} entries of {all} characters together", grave.len()))
        } else {
            None
        }
    }

    fn ask(&self, config: &Config, terminal: &Terminal) -> anyhow::Result<bool> {
        if let Some(why) = self.too_much() {
            return Err(UsageError(format!(
                "this is more than a person can check on a screen ({why}), so it cannot be trusted as a whole; read it \
                 with `tata trust --json`, put what you want of it into your own configuration in {}, and use \
                 --no-folder here",
                config.own_dir.display()
            ))
            .into());
        }
        let what = if self.folder.root().is_file() { "file" } else { "folder" };
        terminal.note(&format!("{BOLD}This {what} wants: {}.{BOLD:#}", self.counted()));
        terminal.note("Trust exactly these files, until one of them changes? [y/N]");
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            terminal.note("Nothing was trusted.");
            return Ok(false);
        }
        config.trusted().remember(&self.folder).context("that cannot be remembered")?;
        terminal.note(&format!("{GOOD}Trusted.{GOOD:#} `tata trust --forget` takes it back."));
        Ok(true)
    }
}

fn is_file(want: &Want) -> bool {
    matches!(want, Want::File { .. })
}

/// An entry as it is shown, without its end where it is too long.
fn shown(words: &str) -> String {
    match beginning(words, LONGEST_WANT) {
        (whole, 0) => whole.to_owned(),
        (head, more) => format!("{head}… ({more} more characters)"),
    }
}

fn list(as_json: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let folders = config.trusted().list().context("the trusted folders cannot be read")?;
    let mut out = terminal.out();
    if as_json {
        writeln!(out, "{:#}", json!({ "folders": folders }))?;
        return Ok(Exit::Done);
    }
    for folder in &folders {
        writeln!(out, "{}", on_one_line(&folder.display().to_string()))?;
    }
    if folders.is_empty() {
        terminal.note("No folder is trusted.");
    }
    Ok(Exit::Done)
}

fn keys(as_json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    if as_json {
        writeln!(out, "{:#}", json!({ "keys": KEYS }))?;
        return Ok(Exit::Done);
    }
    for key in KEYS {
        writeln!(out, "{:<14} {:<26} {}", key.file, key.name, key.decides.in_words())?;
    }
    Ok(Exit::Done)
}
