//! `tata agents`: who there is, and whether each definition is right.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::json;

use super::ask::note_what_is_unknown;
use crate::{
    agents::{self, BadDefinition, Source},
    config::Config,
    exit::Exit,
    on_one_line::on_one_line,
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal},
    wiring,
};

pub(crate) fn list(as_json: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let names = wiring::tool_names()?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut rows = Vec::new();
    let sources = agents::sources(config)?;
    for (name, source) in &sources.used {
        rows.push((name, &source.from, agents::check(source, name, config, &names)));
    }
    let usual = config.agent().value;
    let mut out = terminal.out();
    if as_json {
        let agents: Vec<_> = rows
            .iter()
            .map(|(name, from, checked)| match checked {
                Ok(agent) => json!({"name": name, "from": from, "description": agent.description,
                    "models": agent.models, "tools": agent.tools, "default": **name == usual}),
                Err(BadDefinition(problems)) => json!({"name": name, "from": from,
                    "problems": problems.iter().map(ToString::to_string).collect::<Vec<_>>()}),
            })
            .collect();
        writeln!(out, "{:#}", json!({ "agents": agents }))?;
        return Ok(Exit::Done);
    }
    for (name, from, checked) in &rows {
        let mark = if **name == usual { " *" } else { "" };
        match checked {
            Ok(agent) => {
                writeln!(
                    out,
                    "{BOLD}{}{BOLD:#}{mark}  {}",
                    on_one_line(name),
                    on_one_line(&agent.description)
                )?;
                let models = match agent.models.as_slice() {
                    [] => "whichever is set up".to_owned(),
                    models => on_one_line(&models.join(", then ")),
                };
                let tools = if agent.tools.is_empty() {
                    "none".to_owned()
                } else {
                    on_one_line(&agent.tools.join(", "))
                };
                let from = on_one_line(from);
                writeln!(out, "  {DIM}{from} · model: {models} · tools: {tools}{DIM:#}")?;
            }
            Err(bad) => {
                writeln!(out, "{BOLD}{}{BOLD:#}  {BAD}cannot be used:{BAD:#} {bad}", on_one_line(name))?;
            }
        }
    }
    writeln!(out, "{DIM}* talks when none is named{DIM:#}")?;
    for note in sources.left_out.iter().chain(&sources.instead).filter_map(|name| agents::note(name, config))
    {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
    }
    Ok(Exit::Done)
}

/// Checks files, or every agent there is.
pub(crate) fn check(files: &[PathBuf], config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let names = wiring::tool_names()?;
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let sources: Vec<(String, Source)> = if files.is_empty() {
        agents::sources(config)?.used.into_iter().collect()
    } else {
        files
            .iter()
            .map(|path| Ok((stem(path), agents::named(path)?)))
            .collect::<Result<_, BadDefinition>>()?
    };
    let mut bad = Vec::new();
    for (name, source) in sources {
        match agents::check(&source, &name, config, &names) {
            Ok(agent) => {
                writeln!(terminal.out(), "{GOOD}ok{GOOD:#}  {}", on_one_line(&source.from))?;
                let specs = agent.models.iter().filter_map(|model| config.catalog().resolve(model).ok());
                specs.for_each(|(spec, _)| note_what_is_unknown(&spec, config, terminal));
            }
            Err(BadDefinition(problems)) => bad.extend(problems),
        }
    }
    if bad.is_empty() { Ok(Exit::Done) } else { Err(BadDefinition(bad).into()) }
}

fn stem(path: &Path) -> String {
    path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("agent").to_owned()
}
