//! `tata artifact …`: the documents of a conversation, with all their versions.

use std::{collections::BTreeMap, io::Write, sync::Arc};

use serde_json::{Value, json};
use similar::TextDiff;
use tata_core::{Approval, Artifact, ArtifactName, Session, SessionId, Store, StoreError, near};
use tata_recruit::{Kind, not_ready, rendered};

use super::{run::by_hand, sessions::find_session};
use crate::{
    cli::{ArtifactAction, DocumentForm, Which},
    config::Config,
    exit::{Exit, UsageError},
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal},
    wiring,
};

/// A document, or a version of one, that is not there.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub(crate) struct UnknownDocument {
    what: String,
    pub(crate) hint: String,
}

pub(crate) async fn run(
    action: ArtifactAction,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let store = wiring::open_store(config).await?;
    let exit = act(action, Arc::clone(&store), config, terminal).await;
    wiring::leave(store.as_ref()).await;
    exit
}

async fn act(
    action: ArtifactAction,
    store: Arc<dyn Store>,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    match action {
        ArtifactAction::List { session, json } => {
            let session = find_session(store.as_ref(), &session).await?;
            list(&session, &documents(store.as_ref(), session.id, terminal).await?, json, terminal)
        }
        ArtifactAction::Show { which, version, format } => {
            let (_, versions) = find(store.as_ref(), &which, terminal).await?;
            show(pick(&versions, version)?, format, terminal)
        }
        ArtifactAction::Diff { which, from, to } => {
            let (_, versions) = find(store.as_ref(), &which, terminal).await?;
            let new = pick(&versions, to)?;
            if from.is_none() && new.version <= 1 {
                let what =
                    "There is only one version of this document, so there is nothing to compare.".to_owned();
                let hint = "`tata artifact show` shows it.".to_owned();
                return Err(UnknownDocument { what, hint }.into());
            }
            let old = pick(&versions, Some(from.unwrap_or(new.version.saturating_sub(1))))?;
            diff(old, new, terminal)
        }
        ArtifactAction::Approve { which, version } => {
            let (session, versions) = find(store.as_ref(), &which, terminal).await?;
            let artifact = pick(&versions, version)?;
            approve(store.as_ref(), &session, artifact, config, terminal).await
        }
        ArtifactAction::Restore { which, version } => {
            let (session, versions) = find(store.as_ref(), &which, terminal).await?;
            let name = &pick(&versions, Some(version))?.name;
            let arguments = json!({ "kind": name.kind, "key": name.key, "version": version }).to_string();
            let made = by_hand("restore_document", &arguments, session.id, store, config, terminal).await?;
            match &made.problem {
                Some(problem) => terminal.note(&format!("{NOTE}refused:{NOTE:#} {problem}")),
                None => terminal.note(&format!("Version {version} of {} is the newest again.", called(name))),
            }
            Ok(made.exit)
        }
    }
}

/// All documents of a conversation. One that cannot be read does not hide the others.
async fn documents(store: &dyn Store, id: SessionId, terminal: &Terminal) -> anyhow::Result<Vec<Artifact>> {
    match store.artifacts(id).await {
        Err(error @ StoreError::Unreadable { .. }) => {
            let saved = store.salvage(id.to_string()).await?.ok_or(error)?;
            for lost in saved.lost.iter().filter(|lost| lost.damage.table == "artifacts") {
                terminal.note(&format!(
                    "{NOTE}damaged:{NOTE:#} {}. {}",
                    lost.damage.what,
                    lost.damage.remedy()
                ));
            }
            Ok(saved.artifacts)
        }
        found => Ok(found?),
    }
}

/// All versions of the document somebody means.
async fn find(
    store: &dyn Store,
    which: &Which,
    terminal: &Terminal,
) -> anyhow::Result<(Session, Vec<Artifact>)> {
    let session = find_session(store, &which.session).await?;
    let all = documents(store, session.id, terminal).await?;
    let wish = which.kind.trim().to_lowercase().replace(['-', ' '], "_");
    let kinds: Vec<&str> = all.iter().map(|artifact| artifact.name.kind.as_str()).collect();
    // "profile" is as good as "requirement_profile" while only one kind is meant.
    let mut meant: Vec<&str> = kinds.iter().copied().filter(|kind| *kind == wish).collect();
    if meant.is_empty() {
        meant = kinds.iter().copied().filter(|kind| kind.contains(&wish)).collect();
    }
    meant.sort_unstable();
    meant.dedup();
    let [kind] = meant.as_slice() else {
        let what = format!("There is no document {:?} in this conversation.", which.kind);
        let mut near = near(&wish, kinds.iter().copied());
        near.dedup();
        let hint = match (meant.len(), near.as_slice()) {
            (2.., _) => format!("It could be: {}.", meant.join(", ")),
            (_, []) => "`tata artifact list` shows what there is.".to_owned(),
            (_, near) => format!("Did you mean {}? `tata artifact list` shows all.", near.join(", ")),
        };
        return Err(UnknownDocument { what, hint }.into());
    };
    let mut of_kind: Vec<Artifact> =
        all.iter().filter(|artifact| artifact.name.kind.as_str() == *kind).cloned().collect();
    let mut keys: Vec<String> = of_kind.iter().map(|artifact| artifact.name.key.clone()).collect();
    keys.dedup();
    let key = match (&which.key, keys.as_slice()) {
        (Some(key), keys) if keys.contains(key) => key.clone(),
        (None, [only]) => only.clone(),
        (wished, _) => {
            let what = match wished {
                Some(key) => format!("There is no {kind} with the key {key:?}."),
                None => format!("There are several documents of the kind {kind}."),
            };
            return Err(
                UnknownDocument { what, hint: format!("Choose with --key: {}.", keys.join(", ")) }.into()
            );
        }
    };
    of_kind.retain(|artifact| artifact.name.key == key);
    Ok((session, of_kind))
}

fn pick(versions: &[Artifact], version: Option<u32>) -> anyhow::Result<&Artifact> {
    let newest = versions.iter().max_by_key(|artifact| artifact.version);
    let found = match version {
        Some(version) => versions.iter().find(|artifact| artifact.version == version),
        None => newest,
    };
    found.ok_or_else(|| {
        let wished = version.map(|version| format!("version {version}")).unwrap_or_default();
        let count = newest.map_or(0, |artifact| artifact.version);
        let hint = format!("The newest is version {count}; `tata artifact list` shows all.");
        UnknownDocument { what: format!("There is no {wished} of this document."), hint }.into()
    })
}

fn list(session: &Session, all: &[Artifact], json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    if json {
        let rows: Vec<Value> = all.iter().map(row).collect();
        writeln!(out, "{:#}", json!({ "session_id": session.id, "documents": rows }))?;
        return Ok(Exit::Done);
    }
    let mut newest: BTreeMap<&ArtifactName, &Artifact> = BTreeMap::new();
    for artifact in all {
        let known = newest.entry(&artifact.name).or_insert(artifact);
        if artifact.version > known.version {
            *known = artifact;
        }
    }
    if newest.is_empty() {
        terminal.note(
            "There are no documents in this conversation yet. `tata run` lists the tools that make them.",
        );
        return Ok(Exit::Done);
    }
    for artifact in newest.values() {
        let approved = artifact.approval.as_ref().map(|yes| format!("approved by {}", &yes.by));
        let state = match (artifact.stale, approved) {
            (true, _) => format!("{NOTE}out of date{NOTE:#}"),
            (false, Some(approved)) => format!("{GOOD}{approved}{GOOD:#}"),
            (false, None) => "draft".to_owned(),
        };
        writeln!(
            out,
            "{BOLD}{}{BOLD:#}  version {}  {}  {state}",
            called(&artifact.name),
            artifact.version,
            artifact.created_at.strftime("%Y-%m-%d %H:%M"),
        )?;
    }
    Ok(Exit::Done)
}

fn row(artifact: &Artifact) -> Value {
    json!({
        "kind": artifact.name.kind, "key": artifact.name.key, "version": artifact.version,
        "stale": artifact.stale, "created_at": artifact.created_at, "approval": artifact.approval,
    })
}

fn called(name: &ArtifactName) -> String {
    match name.key.as_str() {
        "" => name.kind.to_string(),
        key => format!("{} {}", name.kind, key),
    }
}

fn show(artifact: &Artifact, form: DocumentForm, terminal: &Terminal) -> anyhow::Result<Exit> {
    let text = match form {
        DocumentForm::Json => {
            let mut document = row(artifact);
            document["artifact"] = serde_json::from_str(artifact.json.as_str())?;
            format!("{document:#}\n")
        }
        DocumentForm::Md => readable(artifact, true),
        DocumentForm::Text => readable(artifact, false),
    };
    terminal.say(&text)?;
    if artifact.stale {
        terminal.note(&format!("{NOTE}note:{NOTE:#} what this was made from has changed since."));
    }
    Ok(Exit::Done)
}

/// As people read it; a kind without a form of its own as JSON.
fn readable(artifact: &Artifact, markdown: bool) -> String {
    let json: Value = serde_json::from_str(artifact.json.as_str()).unwrap_or_default();
    let document = Kind::find(artifact.name.kind.as_str()).and_then(|kind| rendered(kind, &json));
    match document {
        Some(document) if markdown => document.markdown(),
        Some(document) => document.plain(),
        None => format!("{json:#}\n"),
    }
}

fn diff(old: &Artifact, new: &Artifact, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (before, after) = (readable(old, false), readable(new, false));
    if before == after {
        terminal.note(&format!("Versions {} and {} read the same.", old.version, new.version));
        return Ok(Exit::Done);
    }
    let mut out = terminal.out();
    let differences = TextDiff::from_lines(&before, &after);
    let header = |artifact: &Artifact| format!("{} version {}", called(&artifact.name), artifact.version);
    let unified = differences.unified_diff().header(&header(old), &header(new)).to_string();
    for line in unified.lines() {
        match line.chars().next() {
            Some('+') => writeln!(out, "{GOOD}{line}{GOOD:#}")?,
            Some('-') => writeln!(out, "{BAD}{line}{BAD:#}")?,
            Some('@') => writeln!(out, "{DIM}{line}{DIM:#}")?,
            _ => writeln!(out, "{line}")?,
        }
    }
    Ok(Exit::Done)
}

async fn approve(
    store: &dyn Store,
    session: &Session,
    artifact: &Artifact,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let json: Value = serde_json::from_str(artifact.json.as_str()).unwrap_or_default();
    if let Some(why) = Kind::find(artifact.name.kind.as_str()).and_then(|kind| not_ready(kind, &json)) {
        return Err(UsageError(why).into());
    }
    let by = config.user.clone().unwrap_or_else(|| "terminal".to_owned());
    let at = config.clock.now();
    let (name, version) = (artifact.name.clone(), artifact.version);
    store.approve_artifact(session.id, name, version, Approval { by, at }).await?;
    terminal.note(&format!("Approved {}, version {version}.", called(&artifact.name)));
    Ok(Exit::Done)
}
