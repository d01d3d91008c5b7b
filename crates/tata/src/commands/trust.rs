//! `tata trust`: what the files of this folder want to decide, and whether they may.

use std::io::{self, BufRead, Write};

use anyhow::Context;
use serde_json::json;

use crate::{
    cli::Trust,
    config::{Config, KEYS, Want},
    error::UsageError,
    exit::Exit,
    terminal::{BOLD, DIM, GOOD, NOTE, Terminal},
};

pub(crate) fn run(wish: &Trust, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    if wish.keys {
        return keys(wish.json, terminal);
    }
    if wish.list {
        return list(wish.json, config, terminal);
    }
    if wish.forget {
        let was = config.trusted().forget(&config.folder).context("the trusted folders cannot be changed")?;
        terminal.note(if was { "This folder is no longer trusted." } else { "This folder was not trusted." });
        return Ok(Exit::Done);
    }
    if wish.json {
        let document = json!({
            "folder": config.folder.root(), "trusted": config.trust.is_given(), "wants": config.wants(),
        });
        writeln!(terminal.out(), "{document:#}")?;
        return Ok(Exit::Done);
    }
    if config.folder.is_empty() {
        terminal.note("There is nothing of Tata's in this folder, so there is nothing to trust.");
        return Ok(Exit::Done);
    }
    show(config, terminal);
    if config.trust.is_given() {
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
    Ok(if ask(config, terminal)? { Exit::Done } else { Exit::Failed })
}

/// Shows what the folder wants and asks; whether the folder is trusted now.
pub(crate) fn offer(config: &Config, terminal: &Terminal) -> anyhow::Result<bool> {
    show(config, terminal);
    ask(config, terminal)
}

fn show(config: &Config, terminal: &Terminal) {
    let wants = config.wants();
    let (files, grave): (Vec<&Want>, Vec<&Want>) =
        wants.iter().partition(|want| matches!(want, Want::File { .. }));
    terminal.note(&format!("The files of {BOLD}{}{BOLD:#}", config.folder.root().display()));
    for want in &files {
        terminal.note(&format!("  {DIM}{want}{DIM:#}"));
    }
    if grave.is_empty() {
        terminal.note("want nothing that would need your trust.");
        return;
    }
    terminal.note("would");
    for want in grave {
        terminal.note(&format!("  {NOTE}{want}{NOTE:#}"));
    }
}

fn ask(config: &Config, terminal: &Terminal) -> anyhow::Result<bool> {
    terminal.note("Trust exactly these files, until one of them changes? [y/N]");
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    if !matches!(answer.trim(), "y" | "Y" | "yes") {
        terminal.note("Nothing was trusted.");
        return Ok(false);
    }
    config.trusted().remember(&config.folder).context("that cannot be remembered")?;
    terminal.note(&format!("{GOOD}Trusted.{GOOD:#} `tata trust --forget` takes it back."));
    Ok(true)
}

fn list(as_json: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let folders = config.trusted().list().context("the trusted folders cannot be read")?;
    let mut out = terminal.out();
    if as_json {
        writeln!(out, "{:#}", json!({ "folders": folders }))?;
        return Ok(Exit::Done);
    }
    for folder in &folders {
        writeln!(out, "{}", folder.display())?;
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
