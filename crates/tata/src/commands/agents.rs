//! `tata agents`: who there is, and whether each definition is right.

use std::{fs, io::Write, path::PathBuf};

use serde_json::json;
use tata_core::FileError;

use crate::{
    agents::{self, BadDefinition},
    config::Config,
    exit::Exit,
    terminal::{BAD, BOLD, DIM, GOOD, Terminal},
    wiring,
};

pub(crate) fn list(as_json: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let tools = wiring::tools()?;
    let names: Vec<&str> = tools.names().collect();
    let mut rows = Vec::new();
    for (name, (from, text)) in agents::sources(&config.agent_folders)? {
        let checked = agents::check(&from, &name, &text, &config.catalog, &names);
        rows.push((name, from, checked));
    }
    let mut out = terminal.out();
    if as_json {
        let agents: Vec<_> = rows
            .iter()
            .map(|(name, from, checked)| match checked {
                Ok(agent) => json!({"name": name, "from": from, "description": agent.description,
                    "models": agent.models, "tools": agent.tools, "default": *name == config.agent}),
                Err(BadDefinition(problems)) => json!({"name": name, "from": from,
                    "problems": problems.iter().map(ToString::to_string).collect::<Vec<_>>()}),
            })
            .collect();
        writeln!(out, "{:#}", json!({ "agents": agents }))?;
        return Ok(Exit::Done);
    }
    for (name, from, checked) in &rows {
        let mark = if *name == config.agent { " *" } else { "" };
        match checked {
            Ok(agent) => {
                writeln!(out, "{BOLD}{name}{BOLD:#}{mark}  {}", agent.description)?;
                let models = match agent.models.as_slice() {
                    [] => "whichever is set up".to_owned(),
                    models => models.join(", then "),
                };
                let tools = if agent.tools.is_empty() { "none".to_owned() } else { agent.tools.join(", ") };
                writeln!(out, "  {DIM}{from} · model: {models} · tools: {tools}{DIM:#}")?;
            }
            Err(bad) => writeln!(out, "{BOLD}{name}{BOLD:#}  {BAD}cannot be used:{BAD:#} {bad}")?,
        }
    }
    writeln!(out, "{DIM}* talks when none is named{DIM:#}")?;
    Ok(Exit::Done)
}

/// Checks files, or every agent there is.
pub(crate) fn check(files: &[PathBuf], config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let tools = wiring::tools()?;
    let names: Vec<&str> = tools.names().collect();
    let sources: Vec<(String, String, String)> = if files.is_empty() {
        let all = agents::sources(&config.agent_folders)?;
        all.into_iter().map(|(name, (from, text))| (name, from, text)).collect()
    } else {
        files.iter().map(read).collect::<Result<_, _>>()?
    };
    let mut bad = Vec::new();
    for (name, from, text) in sources {
        match agents::check(&from, &name, &text, &config.catalog, &names) {
            Ok(_) => writeln!(terminal.out(), "{GOOD}ok{GOOD:#}  {from}")?,
            Err(BadDefinition(problems)) => bad.extend(problems),
        }
    }
    if bad.is_empty() { Ok(Exit::Done) } else { Err(BadDefinition(bad).into()) }
}

fn read(path: &PathBuf) -> Result<(String, String, String), BadDefinition> {
    let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or("agent").to_owned();
    let from = path.display().to_string();
    let text = fs::read_to_string(path).map_err(|why| {
        let problem = format!("it cannot be read: {why}");
        BadDefinition(vec![FileError { path: from.clone(), line: None, problem, hint: None }])
    })?;
    Ok((name, from, text))
}
