//! `tata models`: what there is, what each still needs, and what a server says it has.

use std::io::Write;

use serde_json::json;
use tata_llm::{Catalog, ModelStatus, ProviderSpec, UnknownModel};

use super::gateway::in_catalog;
use crate::{
    cli::ModelsAction,
    config::{ChosenBy, Config},
    exit::Exit,
    terminal::{BOLD, DIM, GOOD, NOTE, Terminal},
    wiring,
};

/// A provider of one's own, explained.
const EXAMPLE: &str = include_str!("../../models.example.yaml");

/// What is printed as it is written, whatever the configuration.
pub(crate) fn written_example(action: &ModelsAction) -> Option<&'static str> {
    match action {
        ModelsAction::Example => Some(EXAMPLE),
        ModelsAction::Catalog => Some(Catalog::BUILT_IN),
        ModelsAction::Check { .. } | ModelsAction::List { .. } => None,
    }
}

/// `tata models list`: which models a server has, by its own word.
pub(crate) async fn list(
    name: &str,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let providers = config.catalog().providers();
    let Some(provider) = providers.iter().find(|provider| provider.name == name) else {
        let near = tata_core::near(name, providers.iter().map(|provider| provider.name.as_str()));
        return Err(UnknownModel { name: name.to_owned(), near }.into());
    };
    // Any model will do: the list is the server's, not the model's.
    let route = config.choose(Some((&format!("{}/any", provider.name), ChosenBy::Person)))?;
    let listed = config.connect(&route)?.list_models().await?;
    let mut out = terminal.out();
    if as_json {
        let document =
            json!({"provider": provider.name, "base_url": config.shown_address(provider), "models": listed});
        writeln!(out, "{document:#}")?;
        return Ok(Exit::Done);
    }
    for id in &listed {
        writeln!(out, "{}", in_catalog(config, provider, id))?;
    }
    if listed.is_empty() {
        terminal.note(&format!("{} has no model.", provider.label));
    }
    Ok(Exit::Done)
}

pub(crate) fn run(as_json: bool, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let providers = config.catalog().providers();
    let rows = config.catalog().statuses(|name| config.is_set(name), config.model());
    let chosen = config.catalog().first_ready(|name| config.is_set(name), config.model());
    let mut out = terminal.out();
    if as_json {
        let providers: Vec<_> = providers
            .iter()
            .map(|provider| {
                let missing = provider.missing(|name| config.is_set(name));
                json!({"name": provider.name, "label": provider.label, "wire": provider.wire,
                    "base_url": config.shown_address(provider),
                    "base_url_env": provider.base_url_env, "key_env": provider.key_env,
                    "key_optional": provider.key_optional, "configured": missing.is_empty(), "missing": missing})
            })
            .collect();
        let document = json!({"default": chosen, "built_in": wiring::BUILT_IN.map(|(name, _)| name), "models": rows, "providers": providers});
        writeln!(out, "{}", serde_json::to_string_pretty(&document)?)?;
        return Ok(Exit::Done);
    }
    write_models(&mut out, &rows, chosen.as_deref())?;
    for (name, what) in wiring::BUILT_IN {
        writeln!(out, "{name}: {what}")?;
    }
    writeln!(out)?;
    write_providers(&mut out, &providers, config)?;
    if let Some(left_out) = config.left_out() {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {left_out}"));
    }
    if chosen.is_none() {
        terminal.note("");
        terminal.note(&format!(
            "{NOTE}No model is set up yet.{NOTE:#} Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or use a local server: \
             tata ask --model ollama/qwen3:8b \"…\""
        ));
    }
    Ok(Exit::Done)
}

fn write_models(out: &mut impl Write, rows: &[ModelStatus], chosen: Option<&str>) -> anyhow::Result<()> {
    let cells: Vec<[String; 7]> = rows
        .iter()
        .map(|ModelStatus { model, .. }| {
            let price =
                |price: Option<f64>| price.map_or_else(|| "?".to_owned(), |price| format!("{price:.2}"));
            let mark = if chosen == Some(&model.name) { " *" } else { "" };
            [
                format!("{}{mark}", model.name),
                model.provider.clone(),
                model.wire.as_str().to_owned(),
                tokens(model.context_window),
                tokens(model.max_output),
                price(model.prices.as_ref().map(|prices| prices.input)),
                price(model.prices.as_ref().map(|prices| prices.output)),
            ]
        })
        .collect();
    let heads = ["MODEL", "PROVIDER", "WIRE", "CONTEXT", "OUTPUT", "$/M IN", "$/M OUT"];
    let width = |column: usize| {
        let longest = cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
        longest.unwrap_or(0).max(heads.get(column).map_or(0, |head| head.len()))
    };
    let widths: Vec<usize> = (0..heads.len()).map(width).collect();
    let line = |row: &[String]| -> String {
        let padded = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0..=2 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        padded.collect::<Vec<_>>().join("  ")
    };
    writeln!(out, "{BOLD}{}  STATUS{BOLD:#}", line(&heads.map(str::to_owned)))?;
    for (row, ModelStatus { model, missing, .. }) in cells.iter().zip(rows) {
        let retires = model.retires.as_ref().map(|date| format!(", retires {date}")).unwrap_or_default();
        let status = if missing.is_empty() {
            format!("{GOOD}configured{GOOD:#}{retires}")
        } else {
            format!("{NOTE}{}{NOTE:#}{retires}", missing.join(", "))
        };
        writeln!(out, "{}  {status}", line(row))?;
    }
    if chosen.is_some() {
        writeln!(out, "{DIM}* used when no model is named{DIM:#}")?;
    }
    Ok(())
}

fn write_providers(out: &mut impl Write, providers: &[ProviderSpec], config: &Config) -> anyhow::Result<()> {
    writeln!(out, "{BOLD}Any other model of a provider: PROVIDER/MODEL{BOLD:#}")?;
    for provider in providers {
        let missing = provider.missing(|name| config.is_set(name));
        let address = config.shown_address(provider).unwrap_or_else(|| "-".to_owned());
        let status = match (missing.is_empty(), provider.key_optional) {
            (true, true) => "no key needed".to_owned(),
            (true, false) => "configured".to_owned(),
            (false, _) => missing.join(", "),
        };
        writeln!(out, "  {:<11} {:<10} {:<36} {status}", provider.name, provider.wire.as_str(), address)?;
    }
    Ok(())
}

/// Token counts as people write them.
fn tokens(count: Option<u64>) -> String {
    match count {
        None => "?".to_owned(),
        Some(count) if count >= 1_000_000 && count % 1_000_000 == 0 => format!("{}M", count / 1_000_000),
        Some(count) if count >= 1_000_000 => {
            format!("{}.{:02}M", count / 1_000_000, count % 1_000_000 / 10_000)
        }
        Some(count) if count >= 1_000 => format!("{}k", count / 1_000),
        Some(count) => count.to_string(),
    }
}
