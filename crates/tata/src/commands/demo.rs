//! `tata demo`: a sample project with all ten documents, and its removal.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::Context;
use jiff::{ToSpan, civil::Weekday, tz::TimeZone};
use serde_json::{Value, json};
use tata_core::{NewSession, SessionChange, SessionId, Store};
use tata_recruit::{Kind, rendered, tool};

use super::{desk::erase, run::by_hand};
use crate::{
    config::Config,
    exit::Exit,
    terminal::{BOLD, DIM, GOOD, Terminal},
    wiring,
};

/// The steps: a tool and its input. The inputs are those of the worked examples.
const STEPS: [(&str, &str); 11] = [
    (
        tool::CREATE_REQUIREMENT_PROFILE,
        include_str!("../../../../docs/examples/1-requirement-profile/input.json"),
    ),
    (tool::EDIT_REQUIREMENT_PROFILE, r#"{"confirm": true}"#),
    (tool::CREATE_JOB_AD, include_str!("../../../../docs/examples/2-job-ad/input.json")),
    (
        tool::CREATE_TA_SCREENING_TEMPLATE,
        include_str!("../../../../docs/examples/3-ta-screening-template/input.json"),
    ),
    (
        tool::CREATE_HM_SCREENING_TEMPLATE,
        include_str!("../../../../docs/examples/4-hm-screening-template/input.json"),
    ),
    (
        tool::CREATE_HEADHUNTING_MESSAGES,
        include_str!("../../../../docs/examples/5-headhunting-messages/input.json"),
    ),
    (tool::CREATE_CANDIDATE_REPORT, include_str!("../../../../docs/examples/6-candidate-report/input.json")),
    (tool::CREATE_FUNNEL_REPORT, include_str!("../../../../docs/examples/7-funnel-report/input.json")),
    (tool::CREATE_JOB_AD_REVIEW, include_str!("../../../../docs/examples/8-job-ad-review/input.json")),
    (tool::CREATE_DI_REVIEW, include_str!("../../../../docs/examples/9-di-review/input.json")),
    (
        tool::CREATE_CALENDAR_INVITE,
        include_str!("../../../../docs/examples/10-calendar-invitation/input.json"),
    ),
];
/// What the conversation is called.
pub(super) const TITLE: &str = "Demo: Network Engineer";
/// The file that remembers which conversation it is.
pub(super) const MARK: &str = "session";

/// A document that was made, and where it is.
struct Placed {
    kind: Kind,
    file: PathBuf,
}

pub(crate) async fn run(
    remove: bool,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let folder = config.data_dir.join("demo");
    let store = wiring::open_store(config).await?;
    let outcome = if remove {
        let removed = take_away(store.as_ref(), &folder, config).await?;
        tell_removed(removed, as_json, terminal)
    } else {
        // A second demo takes the place of the first.
        take_away(store.as_ref(), &folder, config).await?;
        build(Arc::clone(&store), &folder, as_json, config, terminal).await
    };
    wiring::leave(store.as_ref()).await;
    outcome
}

async fn build(
    store: Arc<dyn Store>,
    folder: &Path,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let new = NewSession {
        user_id: config.user.clone(),
        ..NewSession::with(crate::config::DEFAULT_AGENT.to_owned(), config.clock.now())
    };
    let session = store.create_session(new).await?.id;
    write(&folder.join(MARK), &session.to_string())?;
    let mut placed = Vec::new();
    let mut material = Vec::new();
    for (tool, input) in steps(config)? {
        for (field, name) in
            [("startup_notes", "start-up-notes.txt"), ("transcript", "interview-transcript.vtt")]
        {
            if let Some(text) = input[field].as_str() {
                write(&folder.join(name), text)?;
                material.push(folder.join(name));
            }
        }
        let made = by_hand(&tool, &input.to_string(), session, Arc::clone(&store), config, terminal).await?;
        if made.result.is_error {
            anyhow::bail!("the sample project could not be made: {tool} refused its input: {}", made.text);
        }
    }
    for artifact in store.artifacts(session).await? {
        let Some(kind) = Kind::find(artifact.name.kind.as_str()) else { continue };
        let json = serde_json::from_str(artifact.json.as_str())?;
        let document = rendered(kind, &json).with_context(|| format!("{} cannot be shown", kind.name()))?;
        let file = folder.join(format!("{}.md", kind.name()));
        // Later versions come later.
        write(&file, &document.markdown())?;
        placed.retain(|one: &Placed| one.kind != kind);
        placed.push(Placed { kind, file });
    }
    placed.sort_by_key(|one| Kind::SERVICES.iter().position(|kind| *kind == one.kind));
    let change = SessionChange { title: Some(TITLE.to_owned()), ..SessionChange::default() };
    store.change_session(session, change).await?;
    tell(session, folder, &material, &placed, as_json, terminal)
}

/// The tools that make the sample project, with what each is given.
pub(super) fn steps(config: &Config) -> anyhow::Result<Vec<(String, Value)>> {
    let steps = STEPS.into_iter();
    steps
        .map(|(tool, input)| Ok((tool.to_owned(), at_present(serde_json::from_str(input)?, config)?)))
        .collect()
}

/// The example's days were good when it was written; an invitation lies ahead, an interview behind.
fn at_present(mut input: Value, config: &Config) -> anyhow::Result<Value> {
    let today = config.clock.now().to_zoned(TimeZone::get("Europe/Stockholm")?).date();
    let mut meeting = today.checked_add(9.days())?;
    while matches!(meeting.weekday(), Weekday::Saturday | Weekday::Sunday) {
        meeting = meeting.checked_add(1.day())?;
    }
    let days = [
        ("date", meeting),
        ("apply_by", today.checked_add(28.days())?),
        ("interview_date", today.checked_sub(2.days())?),
    ];
    for (field, day) in days {
        if input.get(field).is_some() {
            input[field] = json!(day.to_string());
        }
    }
    if let Some(fields) = input.as_object_mut() {
        fields.remove("weekday");
    }
    Ok(input)
}

fn tell(
    session: SessionId,
    folder: &Path,
    material: &[PathBuf],
    placed: &[Placed],
    as_json: bool,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    if as_json {
        let documents: Vec<Value> =
            placed.iter().map(|one| json!({ "document": one.kind.name(), "file": one.file })).collect();
        let document = json!({
            "session_id": session, "title": TITLE, "folder": folder, "material": material, "documents": documents,
        });
        writeln!(out, "{document:#}")?;
        return Ok(Exit::Done);
    }
    let id = session.to_string();
    let id = id.get(..8).unwrap_or(&id);
    writeln!(out, "{GOOD}A sample project is ready:{GOOD:#} {TITLE}, conversation {id}")?;
    writeln!(out, "\n{BOLD}What it was made from{BOLD:#}")?;
    for file in material {
        writeln!(out, "  {}", file.display())?;
    }
    writeln!(out, "\n{BOLD}What was made from it{BOLD:#}")?;
    for one in placed {
        writeln!(out, "  {:<24}{}", one.kind.name(), one.file.display())?;
    }
    writeln!(out, "\n{BOLD}What to do with it{BOLD:#}")?;
    writeln!(out, "  tata chat --session {id}                  go on with the conversation")?;
    writeln!(out, "  tata artifact list --session {id}         list the documents")?;
    writeln!(out, "  tata artifact show job_ad --session {id}  read one")?;
    writeln!(out, "  tata demo --remove                        remove the sample project")?;
    terminal.note(&format!("{DIM}People, places and numbers in it are invented.{DIM:#}"));
    Ok(Exit::Done)
}

fn tell_removed(removed: bool, as_json: bool, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut out = terminal.out();
    if as_json {
        writeln!(out, "{:#}", json!({ "removed": removed }))?;
    } else {
        let said = if removed {
            "The sample project is removed."
        } else {
            "There is no sample project; `tata demo` makes one."
        };
        writeln!(out, "{said}")?;
    }
    Ok(if removed { Exit::Done } else { Exit::NotFound })
}

/// Removes the conversation and the files of an earlier demo. False if there was none.
async fn take_away(store: &dyn Store, folder: &Path, config: &Config) -> anyhow::Result<bool> {
    let mark = match fs::read_to_string(folder.join(MARK)) {
        Ok(mark) => mark,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error).with_context(|| format!("{} cannot be read", folder.display())),
    };
    if let Ok(id) = mark.trim().parse::<SessionId>()
        && store.session(id).await?.is_some()
    {
        erase(store, id, config).await?;
    }
    fs::remove_dir_all(folder).with_context(|| format!("{} cannot be removed", folder.display()))?;
    Ok(true)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}
