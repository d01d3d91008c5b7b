//! `tata artifact …`: the documents of a conversation, with all their versions.

use std::{collections::BTreeMap, io::Write, sync::Arc};

use serde_json::{Value, json};
use similar::TextDiff;
use tata_core::{Artifact, ArtifactName, Session, SessionFilter, SessionId, Store, StoreError, near};
use tata_recruit::{Kind, State, Texts, Voice, not_ready, rendered};

use super::{
    desk::{desk, explained, find_at},
    exports,
    run::by_hand,
};
use crate::{
    cli::{ArtifactAction, DocumentForm, Which},
    config::Config,
    error::UnknownDocument,
    exit::Exit,
    shown,
    terminal::{BAD, BOLD, DIM, GOOD, NOTE, Terminal},
    wiring,
};

/// The most conversations whose documents are listed at once, the newest of them.
const MOST_LISTED: u32 = 200;

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

pub(super) async fn act(
    action: ArtifactAction,
    store: Arc<dyn Store>,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    match action {
        ArtifactAction::List { session, search, json } => {
            let sessions = if let Some(wish) = session {
                vec![find_at(&desk(store.as_ref(), config), &wish).await?]
            } else {
                let (limit, user_id) = (Some(MOST_LISTED), config.user.clone());
                store.sessions(SessionFilter { limit, user_id, ..SessionFilter::default() }).await?.sessions
            };
            let mut all = Vec::new();
            for session in sessions {
                let found = documents(store.as_ref(), session.id, terminal).await?;
                all.push((session, found));
            }
            list(&all, search.as_deref(), json, terminal)
        }
        ArtifactAction::Show { which, version, format } => {
            let (_, versions) = find(store.as_ref(), &which, config, terminal).await?;
            show(pick(&versions, version)?, format, terminal)
        }
        ArtifactAction::Diff { which, from, to } => {
            let (_, versions) = find(store.as_ref(), &which, config, terminal).await?;
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
            let (session, versions) = find(store.as_ref(), &which, config, terminal).await?;
            let artifact = pick(&versions, version)?;
            approve(store.as_ref(), &session, artifact, config, terminal).await
        }
        ArtifactAction::Export { which, version, format, output } => {
            let (session, versions) = find(store.as_ref(), &which, config, terminal).await?;
            let artifact = pick(&versions, version)?;
            exports::export(store.as_ref(), &session, artifact, format, output, terminal).await
        }
        ArtifactAction::Restore { which, version } => {
            let (session, versions) = find(store.as_ref(), &which, config, terminal).await?;
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
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<(Session, Vec<Artifact>)> {
    let session = find_at(&desk(store, config), &which.session).await?;
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

fn list(
    all: &[(Session, Vec<Artifact>)],
    search: Option<&str>,
    json: bool,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let wanted = search.map(str::to_lowercase);
    let has = |artifact: &Artifact| match &wanted {
        None => true,
        Some(words) => {
            let text = format!("{} {}", natural_name(artifact), readable(artifact, false)).to_lowercase();
            words.split_whitespace().all(|word| text.contains(word))
        }
    };
    let mut out = terminal.out();
    if json {
        let rows = all.iter().flat_map(|(session, found)| {
            found.iter().filter(|artifact| has(artifact)).map(move |artifact| {
                let mut row = row(artifact);
                (row["session_id"], row["session_title"]) = (json!(session.id), json!(session.title));
                row
            })
        });
        let rows: Vec<Value> = rows.collect();
        let session = if let [(only, _)] = all { Some(only.id) } else { None };
        writeln!(out, "{:#}", json!({ "session_id": session, "documents": rows }))?;
        return Ok(Exit::Done);
    }
    let mut any = false;
    for (session, found) in all {
        let mut newest: BTreeMap<&ArtifactName, &Artifact> = BTreeMap::new();
        for artifact in found.iter().filter(|artifact| shown::document(artifact).is_some()) {
            let known = newest.entry(&artifact.name).or_insert(artifact);
            if artifact.version > known.version {
                *known = artifact;
            }
        }
        newest.retain(|_, artifact| has(artifact));
        if newest.is_empty() {
            continue;
        }
        any = true;
        if all.len() > 1 {
            let id = session.id.to_string();
            writeln!(
                out,
                "{BOLD}{}{BOLD:#} {DIM}{}{DIM:#}",
                session.title.as_deref().unwrap_or("untitled"),
                id.get(..8).unwrap_or(&id)
            )?;
        }
        for artifact in newest.values() {
            writeln!(
                out,
                "  {}  {DIM}{}{DIM:#}  version {}  {}  {}",
                natural_name(artifact),
                called(&artifact.name),
                artifact.version,
                artifact.created_at.strftime("%Y-%m-%d %H:%M"),
                state(artifact),
            )?;
        }
    }
    if !any {
        let what =
            if search.is_some() { "No document has these words." } else { "There are no documents yet." };
        terminal.note(&format!("{what} `tata run` lists the tools that make them."));
    }
    Ok(Exit::Done)
}

/// The title of a document, as its readers know it.
fn natural_name(artifact: &Artifact) -> String {
    shown::document(artifact).map(|document| document.title).filter(|title| !title.is_empty()).unwrap_or_else(
        || {
            let kind = Kind::find(artifact.name.kind.as_str());
            kind.map_or_else(|| called(&artifact.name), |kind| kind.display(Texts::of(Voice::En)).to_owned())
        },
    )
}

/// How far a document is, in the word that every face has for it.
fn state_of(artifact: &Artifact) -> &'static str {
    let json: Value = serde_json::from_str(artifact.json.as_str()).unwrap_or_default();
    let kind = Kind::find(artifact.name.kind.as_str());
    kind.map_or("draft", |kind| State::of(kind, &json, artifact.approval.is_some()).name())
}

fn state(artifact: &Artifact) -> String {
    let by = artifact.approval.as_ref().map(|yes| format!(" by {}", &yes.by)).unwrap_or_default();
    let word = match state_of(artifact) {
        "draft" => "draft".to_owned(),
        word => format!("{GOOD}{word}{by}{GOOD:#}"),
    };
    if artifact.stale { format!("{word}, {NOTE}out of date{NOTE:#}") } else { word }
}

fn row(artifact: &Artifact) -> Value {
    json!({
        "kind": artifact.name.kind, "key": artifact.name.key, "version": artifact.version,
        "name": natural_name(artifact), "state": state_of(artifact), "stale": artifact.stale,
        "created_at": artifact.created_at, "approval": artifact.approval,
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
    match shown::document(artifact).filter(|_| form == DocumentForm::Text && terminal.is_screen()) {
        Some(document) => shown::show(&document, terminal)?,
        None => terminal.say(&text)?,
    }
    if artifact.stale {
        terminal.note(&format!("{NOTE}note:{NOTE:#} what this was made from has changed since."));
    }
    Ok(Exit::Done)
}

/// As people read it; a kind without a form of its own as JSON.
pub(super) fn readable(artifact: &Artifact, markdown: bool) -> String {
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
    let version = artifact.version;
    let approved = desk(store, config).approve(session.id, &artifact.name, version, &unready).await;
    approved.map_err(explained)?;
    terminal.note(&format!("Approved {}, version {version}.", called(&artifact.name)));
    Ok(Exit::Done)
}

/// Why a document cannot be approved as it is.
pub(super) fn unready(artifact: &Artifact) -> Option<String> {
    let json: Value = serde_json::from_str(artifact.json.as_str()).unwrap_or_default();
    Kind::find(artifact.name.kind.as_str()).and_then(|kind| not_ready(kind, &json))
}
