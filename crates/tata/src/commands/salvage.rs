//! `tata session salvage`: everything of a damaged conversation that can still be read, as lines of JSON.

use std::path::Path;

use serde::Serialize;
use serde_json::{Value, json};
use tata_core::{Salvage, Store};

use super::audit;
use crate::{
    error::UnknownSession,
    exit::Exit,
    private,
    terminal::{DIM, Terminal},
};

pub(super) async fn run(
    store: &dyn Store,
    id: String,
    output: Option<&Path>,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let saved = store.salvage(id.clone()).await?.ok_or(UnknownSession::NotFound(id))?;
    let (text, read) = lines(&saved);
    match output {
        None => terminal.say(&text)?,
        Some(path) => {
            private::write(path, &text)?;
            terminal.note(&format!("{DIM}Written to {}{DIM:#}", path.display()));
        }
    }
    terminal.note(&match saved.lost.len() {
        0 => format!("{read} things were read; nothing is damaged."),
        lost => {
            format!("{read} things were read, {lost} could not be: the lines of kind \"lost\" tell of them.")
        }
    });
    Ok(Exit::Done)
}

/// One line for each thing, by its kind; the last says how many there are.
fn lines(saved: &Salvage) -> (String, usize) {
    let mut all = Vec::new();
    all.extend(saved.session.iter().map(|session| line("session", session)));
    all.extend(saved.records.iter().map(|record| line("entry", record)));
    all.extend(saved.artifacts.iter().map(|artifact| line("document", artifact)));
    all.extend(saved.usage.iter().map(|row| line("request", row)));
    all.extend(saved.feedback.iter().map(|feedback| line("feedback", feedback)));
    let output = |(call_id, output)| json!({ "call_id": call_id, "output": output });
    all.extend(saved.outputs.iter().map(|(id, text)| line("output", &output((id, text)))));
    let read = all.len();
    for lost in &saved.lost {
        let mut about = audit::as_json(&lost.damage);
        about["columns"] = json!(lost.columns);
        all.push(json!({ "line": "lost", "lost": about }));
    }
    all.push(json!({ "line": "end", "read": read, "lost": saved.lost.len() }));
    let lines: Vec<String> = all.iter().map(Value::to_string).collect();
    (lines.join("\n") + "\n", read)
}

fn line(kind: &str, value: &impl Serialize) -> Value {
    json!({ "line": kind, kind: value })
}
