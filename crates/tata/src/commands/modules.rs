//! `tata funnel`, `tata invite`, `tata compare`: a module by hand, and its document as a file.

use std::{path::Path, sync::Arc};

use clap::ValueEnum;
use serde_json::{Map, Value, json};
use tata_core::{ArtifactName, NewFile, Store};
use tata_recruit::{Kind, tool};

use super::{
    desk::find_session,
    exports,
    run::{Handmade, answered, begin_session, by_hand, show},
};
use crate::{
    attached,
    cli::{Compare, ExportForm, Funnel, Invite, Place},
    config::Config,
    exit::Exit,
    private,
    terminal::Terminal,
    wiring,
};

/// `tata funnel FILE`.
pub(super) async fn funnel(wish: Funnel, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let (table, bytes) = attached::read_table(&wish.file).await?;
    let name = wish.file.file_name().unwrap_or_default().to_string_lossy();
    let file = NewFile::new(name, bytes, &table.text, config.clock.now());
    let mapping: Map<String, Value> =
        wish.map.iter().map(|(name, stage)| (name.clone(), json!(stage))).collect();
    let arguments = given(json!({
        "pasted_table": table.text,
        "job_title": wish.title,
        "number_of_positions": wish.positions,
        "hiring_manager_name": wish.manager,
        "mapping": mapping,
        "language": wish.place.lang.map(tata_recruit::Language::code),
    }));
    let work =
        Work { tool: tool::CREATE_FUNNEL_REPORT, kind: Kind::FunnelReport, arguments, file: Some(file) };
    made(work, &wish.place, &[], config, terminal).await
}

/// `tata invite`.
pub(super) async fn invite(wish: Invite, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let name = |value: &dyn Fn() -> Option<clap::builder::PossibleValue>| {
        value().map(|value| value.get_name().to_owned())
    };
    let manual = wish.date.is_some() || wish.time.is_some();
    let arguments = given(json!({
        "position_name": wish.position,
        "candidate_name": wish.candidate,
        "interview_type": name(&|| wish.kind?.to_possible_value()),
        "location_type": if wish.city.is_some() { Some("onsite") } else { wish.teams.then_some("teams") },
        "city": name(&|| wish.city?.to_possible_value()),
        "booking_method": if wish.jobylon { Some("jobylon") } else { manual.then_some("manual") },
        "date": wish.date,
        "time": wish.time,
        "duration": wish.minutes,
        "hiring_manager": wish.manager.as_ref().map(|name| json!({ "name": name })),
        "language": wish.place.lang.map(tata_recruit::Language::code),
    }));
    let calendar: Vec<(&Path, ExportForm)> = wish.ics.iter().map(|path| (&**path, ExportForm::Ics)).collect();
    let work = Work { tool: tool::CREATE_CALENDAR_INVITE, kind: Kind::CalendarInvite, arguments, file: None };
    made(work, &wish.place, &calendar, config, terminal).await
}

/// `tata compare SESSION`.
pub(super) async fn compare(wish: Compare, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let arguments = given(json!({
        "candidate_keys": wish.only,
        "transposed": wish.transposed,
        "language": wish.lang.map(tata_recruit::Language::code),
    }));
    let store = wiring::open_store(config).await?;
    let outcome = async {
        let session = find_session(store.as_ref(), &wish.session).await?.id;
        let arguments = Value::Object(arguments).to_string();
        let made =
            by_hand(tool::COMPARE_CANDIDATES, &arguments, session, Arc::clone(&store), config, terminal)
                .await?;
        let answer: Value = serde_json::from_str(&made.text).unwrap_or_default();
        if wish.json || made.result.is_error {
            show(&made, wish.json, terminal)?;
            return Ok(made.exit);
        }
        let text = |form: &str| answer[form].as_str().unwrap_or_default().to_owned();
        match &wish.out {
            Some(path) => {
                let plain = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("txt"));
                let bytes = text(if plain { "plain_text" } else { "markdown" }).into_bytes();
                private::write_bytes(path, &bytes)?;
                terminal.note(&format!("{} ({} bytes)", path.display(), bytes.len()));
            }
            None => terminal.say(&text("plain_text"))?,
        }
        Ok(made.exit)
    }
    .await;
    wiring::leave(store.as_ref()).await;
    outcome
}

/// What was given, without what was not.
fn given(arguments: Value) -> Map<String, Value> {
    let Value::Object(mut arguments) = arguments else { return Map::new() };
    arguments.retain(|_, value| !value.is_null());
    arguments
}

/// What is run, and the file that it was given.
struct Work {
    tool: &'static str,
    kind: Kind,
    arguments: Map<String, Value>,
    file: Option<NewFile>,
}

/// Runs a module, shows what came of it and writes its files.
async fn made(
    work: Work,
    place: &Place,
    also: &[(&Path, ExportForm)],
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let Work { tool, kind, arguments, file } = work;
    let arguments = Value::Object(arguments).to_string();
    let arguments = match (&place.answers, wiring::all_tools(config)?.get(tool)) {
        (Some(path), Some(tool)) => answered(tool.as_ref(), &arguments, path, config)?,
        (Some(_), None) | (None, _) => arguments,
    };
    let store = wiring::open_store(config).await?;
    let outcome = async {
        let session = match &place.session {
            Some(wish) => find_session(store.as_ref(), wish).await?.id,
            None => begin_session(store.as_ref(), config).await?,
        };
        if let Some(file) = file {
            store.keep_file(session, file).await?;
        }
        let made = by_hand(tool, &arguments, session, Arc::clone(&store), config, terminal).await?;
        show(&made, place.json, terminal)?;
        if !made.result.is_error {
            write(&made, kind, place, also, store.as_ref(), terminal).await?;
        }
        Ok(made.exit)
    }
    .await;
    wiring::leave(store.as_ref()).await;
    outcome
}

async fn write(
    made: &Handmade,
    kind: Kind,
    place: &Place,
    also: &[(&Path, ExportForm)],
    store: &dyn Store,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    let files = place.out.iter().map(|path| (&**path, None));
    let files: Vec<_> = files.chain(also.iter().map(|(path, form)| (*path, Some(*form)))).collect();
    if files.is_empty() {
        return Ok(());
    }
    let session = store.session(made.session).await?;
    let artifacts = store.artifacts(made.session).await?;
    let name = ArtifactName { kind: kind.artifact(), key: String::new() };
    let newest = artifacts.iter().filter(|artifact| artifact.name == name).max_by_key(|one| one.version);
    if let Some((session, artifact)) = session.as_ref().zip(newest) {
        for (path, form) in files {
            exports::export(store, session, artifact, form, Some(path.to_owned()), terminal).await?;
        }
    }
    Ok(())
}
