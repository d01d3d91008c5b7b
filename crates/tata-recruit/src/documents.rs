//! Tools to look at what the project holds: all documents in a list, one of them to read.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tata_core::{
    ArtifactKind, StateNote, Tool, ToolContext, ToolFailure, ToolNameError, ToolOutput, typed_tool,
};
use tata_language::named;

use crate::{Kind, Profile, ProfileStatus, Project, Stored, Texts, module::unreadable, rendered, tool};

/// Characters of a page at most, and the room that is left for the rest of the answer.
const PAGE: usize = 8_000;
const ROOM: usize = 1_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoInput {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReadInput {
    /// The document by its kind, as the list has it: `job_ad`.
    document: String,
    /// Which one, where there are several: the candidate's key.
    #[serde(default)]
    key: String,
    /// An earlier version.
    #[serde(default)]
    version: Option<u32>,
    /// Which page of a long one, from 1.
    #[serde(default)]
    page: Option<usize>,
}

named! {
    /// How far a document is, in one word that every face uses.
    pub enum State {
        /// It awaits a person's word.
        Draft = "draft",
        /// A person confirmed what it says.
        Confirmed = "confirmed",
        /// A person approved it as final.
        Approved = "approved",
    }
}

impl State {
    /// The state of a stored document.
    pub fn of(kind: Kind, json: &Value, approved: bool) -> Self {
        let profile = |profile: Profile| profile.status == ProfileStatus::Confirmed;
        let confirmed = || {
            kind == Kind::RequirementProfile && Profile::deserialize(json).is_ok_and(profile)
                || kind == Kind::CandidateReport && json["status"] == "confirmed"
        };
        if approved {
            Self::Approved
        } else if confirmed() {
            Self::Confirmed
        } else {
            Self::Draft
        }
    }
}

impl Stored {
    /// How far it is.
    pub fn state(&self) -> State {
        State::of(self.kind, &self.json, self.approved)
    }
}

/// The tools of this file.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let list = typed_tool(
        tool::LIST_DOCUMENTS,
        "Lists the documents of this project with version and state.",
        |spec| spec.reads = every_kind(),
        |_: NoInput, context: ToolContext| async move {
            let project = Project::load(&context).await.map_err(unreadable)?;
            Ok::<_, ToolFailure>(ToolOutput::json(&json!({ "documents": listed(&project) })))
        },
    )?;
    let read = typed_tool(
        tool::READ_DOCUMENT,
        "Reads a document of this project as the recruiter sees it. Call it when you need what a document says.",
        |spec| spec.reads = every_kind(),
        |input: ReadInput, context: ToolContext| async move { read(&input, &context).await },
    )?;
    Ok(vec![list, read])
}

/// What was made in the same answer is there before it is looked at.
fn every_kind() -> Vec<ArtifactKind> {
    Kind::ALL.map(Kind::artifact).into()
}

fn listed(project: &Project) -> Vec<Value> {
    let one = |stored: &Stored| {
        let mut line = json!({
            "document": stored.kind.name(), "version": stored.version, "state": stored.state().name(),
        });
        if !stored.key.is_empty() {
            line["key"] = json!(stored.key);
        }
        if stored.stale {
            line["stale"] = json!(true);
        }
        line
    };
    project.made().map(one).collect()
}

async fn read(input: &ReadInput, context: &ToolContext) -> Result<ToolOutput, ToolFailure> {
    let (said, texts) = (input.document.trim(), Texts::of(crate::Voice::En));
    let wanted = said.to_lowercase().replace([' ', '-'], "_");
    let named = |kind: &Kind| kind.name() == wanted || kind.display(texts).eq_ignore_ascii_case(said);
    let Some(kind) = Kind::SERVICES.into_iter().find(named) else {
        let known = Kind::SERVICES.map(Kind::name).join(", ");
        let message = format!("{:?} is no kind of document; there are {known}", input.document);
        return Err(ToolFailure::rejected("/document", message));
    };
    let stored = context.version_of(&kind.artifact(), &input.key, input.version).await.map_err(unreadable)?;
    let Some(stored) = stored else {
        let project = Project::load(context).await.map_err(unreadable)?;
        let message = format!("it is not there; these are: {}", json!(listed(&project)));
        return Err(ToolFailure::rejected("/document", message));
    };
    let json: Value = serde_json::from_str(stored.json.as_str()).unwrap_or_default();
    // A candidate's name stays here; the key stands for the person.
    let json = crate::candidate::without_name(kind, json);
    let text = rendered(kind, &json).map(|document| document.plain()).unwrap_or_default();
    let most = PAGE.min(context.most_characters.saturating_sub(ROOM)).max(500);
    let pages = text.chars().count().div_ceil(most).max(1);
    let page = input.page.unwrap_or(1).clamp(1, pages);
    let part: String = text.chars().skip((page - 1) * most).take(most).collect();
    let state = State::of(kind, &json, stored.approval.is_some());
    Ok(ToolOutput::json(&json!({
        "document": kind.name(), "key": stored.name.key, "version": stored.version, "state": state.name(),
        "stale": stored.stale, "page": page, "pages": pages, "text": part,
    })))
}

/// The state of the project in a few words, for a model: what there is, and in which language it speaks.
pub fn project_state() -> StateNote {
    Arc::new(|context| Box::pin(state(context)))
}

async fn state(context: ToolContext) -> Option<String> {
    let project = Project::load(&context).await.ok()?;
    let settings = project.settings();
    let mut lines = Vec::new();
    if let Some(position) = &settings.position_name {
        lines.push(format!("position: {position}"));
    }
    lines.push(format!("language: {}", settings.voice().name()));
    let one = |stored: &Stored| {
        let key = if stored.key.is_empty() { String::new() } else { format!(" {}", stored.key) };
        let stale = if stored.stale { ", out of date" } else { "" };
        format!("{}{key} v{} ({}{stale})", stored.kind.name(), stored.version, stored.state().name())
    };
    let documents: Vec<String> = project.made().map(one).collect();
    let documents = if documents.is_empty() { "none yet".to_owned() } else { documents.join("; ") };
    lines.push(format!("documents: {documents}"));
    Some(lines.join("; "))
}
