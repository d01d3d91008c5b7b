//! `tata audit …`: who did what, and whether everything that is stored is as it was written.

use std::io::Write;

use serde_json::{Value, json};
use tata_core::{AuditEntry, Damage, Verified, missing_positions};

use crate::{
    cli::AuditAction,
    config::{Config, Database},
    exit::Exit,
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal},
    wiring,
};

/// The shape of the JSON; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

pub(crate) async fn run(action: AuditAction, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    // Whoever only looks makes no database.
    if matches!(config.database()?, Database::File(path) if std::fs::symlink_metadata(path).is_err()) {
        terminal.note("There is no database yet; `tata` makes one with the first conversation.");
        return match action {
            AuditAction::Verify { json: true } => tell(&Verified::default(), true, terminal),
            AuditAction::List { json: true } => list(&[], true, terminal),
            AuditAction::Verify { json: false } | AuditAction::List { json: false } => Ok(Exit::Done),
        };
    }
    let store = wiring::open_store(config).await?;
    match action {
        AuditAction::Verify { json } => tell(&store.verify().await?, json, terminal),
        AuditAction::List { json } => list(&store.audit_trail().await?, json, terminal),
    }
}

/// A damage as JSON: what, where, what still works, what helps.
pub(super) fn as_json(damage: &Damage) -> Value {
    let mut value = json!(damage);
    value["still_works"] = damage.still_works().into();
    value["remedy"] = damage.remedy().into();
    value
}

/// What was looked at, in a line.
pub(super) fn summary(verified: &Verified) -> String {
    let Verified { sessions, entries, artifacts, audit, .. } = verified;
    format!(
        "{sessions} conversations, {entries} journal entries, {artifacts} versions of documents, {audit} audit entries"
    )
}

fn tell(verified: &Verified, json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    let damages = &verified.damages;
    let exit = if damages.is_empty() { Exit::Done } else { Exit::Failed };
    if json {
        let Verified { sessions, entries, artifacts, audit, .. } = verified;
        let document = json!({
            "version": VERSION, "ok": damages.is_empty(), "sessions": sessions, "entries": entries,
            "artifacts": artifacts, "audit": audit, "damages": damages.iter().map(as_json).collect::<Vec<_>>(),
        });
        writeln!(out, "{document:#}")?;
        return Ok(exit);
    }
    for damage in damages {
        writeln!(out, "{BAD}damaged{BAD:#}  {damage}")?;
        writeln!(out, "         {DIM}Still works: {}{DIM:#}", damage.still_works())?;
        writeln!(out, "         {DIM}What helps:  {}{DIM:#}", damage.remedy())?;
    }
    match damages.len() {
        0 => writeln!(out, "{GOOD}Whole.{GOOD:#} {}", summary(verified))?,
        count => writeln!(out, "\n{BAD}{count} damages.{BAD:#} {}", summary(verified))?,
    }
    Ok(exit)
}

/// The trail, newest last.
fn list(trail: &[AuditEntry], json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    if json {
        writeln!(out, "{:#}", json!({ "version": VERSION, "entries": trail }))?;
        return Ok(Exit::Done);
    }
    if trail.is_empty() {
        terminal.note("Nothing was approved, decided or deleted yet.");
        return Ok(Exit::Done);
    }
    let has_companies = trail.iter().any(|entry| entry.tenant.is_some());
    let company = |name: &str| if has_companies { format!("{name:<12}  ") } else { String::new() };
    let head = company("COMPANY");
    writeln!(out, "{BOLD}{:>5}  {:<16}  {head}{:<12}  WHAT{BOLD:#}", "NO", "WHEN (UTC)", "WHO")?;
    for entry in trail {
        let when = entry.at.strftime("%Y-%m-%d %H:%M").to_string();
        let about = format!("{} {} {}", entry.action, entry.subject, entry.detail);
        let company = company(entry.tenant.as_deref().unwrap_or_default());
        writeln!(
            out,
            "{:>5}  {when:<16}  {company}{:<12}  {}",
            entry.position,
            entry.actor,
            about.trim_end()
        )?;
    }
    let missing = missing_positions(trail.iter().map(|entry| entry.position), 0);
    if !missing.is_empty() {
        terminal.note(&format!("{NOTE}Entries are missing here:{NOTE:#} `tata audit verify` says which."));
    }
    Ok(Exit::Done)
}
