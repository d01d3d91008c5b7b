//! Tools as a program offers them: the port, the registry, and the executor that stands before every tool.

mod compact;
mod executor;
mod material;
mod output;
mod registry;
mod typed;

use std::{future::Future, pin::Pin, sync::Arc, time::Duration};

use jiff::Timestamp;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::{
    Artifact, ArtifactIndex, ArtifactKind, ArtifactName, CallId, Citation, Effect, FormFuture, Materials,
    Problem, RawJson, ResultPart, SessionId, Store, StoreError, ToolDefinition, ToolFailure, ToolNameError,
    Verifier, check_tool_name, put,
};

pub use executor::{Executed, ToolExecutor};
pub use material::READ_MATERIAL;
pub use output::READ_OUTPUT;
pub use registry::{RegistryError, ToolRegistry};
pub use typed::{schema_of, typed_tool};

/// Something an agent can do.
pub trait Tool: Send + Sync {
    /// What it is and what it needs.
    fn spec(&self) -> &ToolSpec;

    /// Does it. The arguments fit the schema; what it builds on exists.
    fn run<'a>(&'a self, arguments: Map<String, Value>, context: &'a ToolContext) -> ToolFuture<'a>;

    /// What this call would decide in a person's name, if it would: to confirm a version, to rate, to accept. The tool
    /// only declares it; whether a person did decide it is judged elsewhere, before the tool runs.
    fn decides(&self, arguments: &Map<String, Value>, documents: &ArtifactIndex) -> Option<Act> {
        let _ = (arguments, documents);
        None
    }

    /// The call by which a person would settle this document just as it stands, for a tool that can do that now. Below the
    /// answer that made the document, the program asks whether that is what they want.
    fn offer<'a>(&'a self, document: &'a ArtifactName, context: &'a ToolContext) -> OfferFuture<'a> {
        let _ = (document, context);
        Box::pin(std::future::ready(None))
    }

    /// The question that a person is asked about a call that decides, in the language of the project: what is decided, about
    /// which version, and nothing of tools and fields.
    fn in_words<'a>(
        &'a self,
        arguments: &'a Map<String, Value>,
        documents: &'a ArtifactIndex,
        context: &'a ToolContext,
    ) -> WordsFuture<'a> {
        let _ = (arguments, documents, context);
        Box::pin(std::future::ready(None))
    }

    /// What a call that decides would be refused for, whatever the person said: nobody is asked about what cannot be.
    fn refusal<'a>(
        &'a self,
        arguments: &'a Map<String, Value>,
        context: &'a ToolContext,
    ) -> RefusalFuture<'a> {
        let _ = (arguments, context);
        Box::pin(std::future::ready(None))
    }

    /// Whether it waits for a person's answer right now: the time they take is not counted as the tool's.
    fn is_asking(&self) -> bool {
        false
    }

    /// Says in natural words what it builds on is missing, and how to go on. Without it, the kinds are named.
    fn lacking<'a>(&'a self, missing: &'a [ArtifactKind], context: &'a ToolContext) -> LackingFuture<'a> {
        let _ = (missing, context);
        Box::pin(std::future::ready(None))
    }

    /// The form of what a call with these arguments still needs, for a person or a program to fill; none if it has no
    /// form. Asked for when the tool found its input wanting.
    fn form<'a>(&'a self, arguments: &'a Map<String, Value>, context: &'a ToolContext) -> FormFuture<'a> {
        let _ = (arguments, context);
        Box::pin(std::future::ready(None))
    }

    /// The arguments with a program's answers to its form in their places: `{"id": value}`. A null leaves a field out.
    fn answered(
        &self,
        mut arguments: Map<String, Value>,
        answers: &Map<String, Value>,
        now: Timestamp,
    ) -> Result<Map<String, Value>, ToolFailure> {
        let _ = now;
        for (id, answer) in answers.iter().filter(|(_, answer)| !answer.is_null()) {
            put(&mut arguments, id, answer.clone());
        }
        Ok(arguments)
    }
}

/// Something that only a person can do, about the newest version of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Act {
    /// The document.
    pub document: ArtifactName,
    /// What is decided, in plain words, all of it.
    pub words: String,
    /// It is a plain yes to the version as it stands: a message that says yes is enough.
    pub plain: bool,
    /// The document is settled by it.
    pub settles: bool,
}

/// A call by which a person would settle a document as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// The question whether that is what they want, in the language of the project.
    pub words: String,
}

/// An offer, if there is one to make.
pub type OfferFuture<'a> = Pin<Box<dyn Future<Output = Option<Offer>> + Send + 'a>>;

/// Why a call cannot be carried out, if it cannot.
pub type RefusalFuture<'a> = Pin<Box<dyn Future<Output = Option<ToolFailure>> + Send + 'a>>;

/// A question in words.
pub type WordsFuture<'a> = Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>>;

/// What a tool says about what it lacks.
pub type LackingFuture<'a> = Pin<Box<dyn Future<Output = Option<Problem>> + Send + 'a>>;

/// A tool at work. Dropping it stops it.
pub type ToolFuture<'a> = Pin<Box<dyn Future<Output = Result<ToolOutput, ToolFailure>> + Send + 'a>>;

/// What the registry and the executor must know of a tool.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each says another thing about the tool, and they combine freely"
)]
pub struct ToolSpec {
    /// Its name, as the model uses it.
    pub name: String,
    /// What it does and when to call it. What it requires is added by the registry.
    pub description: String,
    /// JSON Schema of its arguments, derived from its input type.
    pub schema: Value,
    /// The schema is that of a Rust type, so it is one.
    pub(crate) derived: bool,
    /// What running it changes.
    pub effect: Effect,
    /// The kinds of documents that must exist before it can run.
    pub requires: Vec<ArtifactKind>,
    /// The kind of document it makes; a call in the same answer that requires it waits.
    pub produces: Option<ArtifactKind>,
    /// The kinds of documents it looks at where there are any, such as the settings of a project.
    pub reads: Vec<ArtifactKind>,
    /// It may change any document: in its answer it runs alone, in its place.
    pub alone: bool,
    /// Some of its calls decide something in a person's name: see [`Tool::decides`].
    pub decides: bool,
    /// It takes what people brought, by number: the model is told the numbers.
    pub materials: bool,
    /// A person must say yes before it runs.
    pub needs_approval: bool,
    /// The time it gets, if another than the agent's.
    pub time: Option<Duration>,
}

impl ToolSpec {
    /// A tool that only reads.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        schema: Value,
    ) -> Result<Self, ToolNameError> {
        let name = name.into();
        check_tool_name(&name)?;
        Ok(Self {
            name,
            description: description.into(),
            schema,
            derived: false,
            effect: Effect::Read,
            requires: Vec::new(),
            produces: None,
            reads: Vec::new(),
            alone: false,
            decides: false,
            materials: false,
            needs_approval: false,
            time: None,
        })
    }

    /// The same, for a schema that was derived from a Rust type: it need not be checked before a call comes.
    #[must_use]
    pub fn derived(mut self) -> Self {
        self.derived = true;
        self
    }

    /// Whether it must wait for a call of that tool which stands before it in an answer: one makes what the other looks at
    /// or makes. Two that only look do not get in each other's way.
    pub(crate) fn waits_for(&self, before: &Self) -> bool {
        let looks_at = |spec: &Self, made: &ArtifactKind| {
            spec.requires.contains(made) || spec.reads.contains(made) || spec.produces.as_ref() == Some(made)
        };
        self.alone
            || before.alone
            || before.produces.as_ref().is_some_and(|made| looks_at(self, made))
            || self.produces.as_ref().is_some_and(|made| looks_at(before, made))
    }

    /// What the model is told: what it requires stands in the description.
    pub fn definition(&self) -> ToolDefinition {
        let mut description = self.description.trim_end().to_owned();
        if !self.requires.is_empty() {
            let names: Vec<_> = self.requires.iter().map(ArtifactKind::as_str).collect();
            description.push_str(&format!(" This tool requires: {}.", names.join(", ")));
        }
        // A schema of our own says the same in fewer words; another's is theirs.
        let schema = if self.derived { compact::compact(&self.schema) } else { self.schema.clone() };
        ToolDefinition { name: self.name.clone(), description, schema, strict: false }
    }
}

/// What a tool sees of the world.
#[derive(Clone)]
pub struct ToolContext {
    /// The session it works for.
    pub session: SessionId,
    /// The turn.
    pub turn: u32,
    /// The call it answers.
    pub call_id: CallId,
    /// The time of day.
    pub now: Timestamp,
    /// The most characters of a result that enter the model's context.
    pub most_characters: usize,
    /// What people brought to this session.
    pub materials: Materials,
    /// The passages of stored documents that were found in this session, by their numbers.
    pub passages: Arc<Vec<Citation>>,
    /// A person makes this call by hand: what it says, they say.
    pub by_person: bool,
    /// The program itself makes this call, and what it answers reaches a person word for word.
    pub by_program: bool,
    /// How often a call of this tool was rejected in this turn before.
    pub rejected_before: usize,
    /// A second opinion on what the model wrote, if the agent wants one.
    pub verifier: Option<Verifier>,
    /// A person stopped the turn. A tool that takes long looks here; any other is simply dropped.
    pub cancel: CancellationToken,
    /// A tool reads its own session, by the methods below, and never writes: what it makes is stored together with its
    /// result.
    pub(crate) store: Arc<dyn Store>,
}

impl ToolContext {
    /// Whether a person reads what the tool answers: no model stands in between that could put it in other words.
    pub fn read_by_person(&self) -> bool {
        self.by_person || self.by_program
    }

    /// What a tool sees that is only asked for its form: the documents of a session, and no call.
    pub fn for_form(store: Arc<dyn Store>, session: SessionId, now: Timestamp) -> Self {
        Self {
            session,
            turn: 0,
            call_id: CallId::from("form"),
            now,
            most_characters: usize::MAX,
            materials: Materials::default(),
            passages: Arc::default(),
            by_person: true,
            by_program: false,
            rejected_before: 0,
            verifier: None,
            cancel: CancellationToken::new(),
            store,
        }
    }

    /// The newest version of a document of this session.
    pub async fn artifact(&self, kind: &ArtifactKind, key: &str) -> Result<Option<Artifact>, StoreError> {
        let name = ArtifactName { kind: kind.clone(), key: key.to_owned() };
        self.store.artifact(self.session, name, None).await
    }

    /// A version of a document of this session; the newest if none is named.
    pub async fn version_of(
        &self,
        kind: &ArtifactKind,
        key: &str,
        version: Option<u32>,
    ) -> Result<Option<Artifact>, StoreError> {
        let name = ArtifactName { kind: kind.clone(), key: key.to_owned() };
        self.store.artifact(self.session, name, version).await
    }

    /// The newest version of each document of this session.
    pub async fn newest_artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.store.newest_artifacts(self.session).await
    }

    /// All documents of this session with all their versions.
    pub async fn artifacts(&self) -> Result<Vec<Artifact>, StoreError> {
        self.store.artifacts(self.session).await
    }

    /// The whole output of an earlier call whose result was shortened.
    pub async fn output(&self, call_id: CallId) -> Result<Option<String>, StoreError> {
        self.store.output(self.session, call_id).await
    }
}

/// What a tool brings.
#[derive(Clone, Debug, Default)]
pub struct ToolOutput {
    /// What the model reads.
    pub content: Vec<ResultPart>,
    /// Documents made; stored together with the result, or not at all.
    pub artifacts: Vec<MadeArtifact>,
    /// Kinds of documents that are out of date by this.
    pub stale: Vec<ArtifactKind>,
    /// The passages it brings, in the order of its text; present, even when empty, makes it a search. The session numbers
    /// them and tells the model.
    pub sources: Option<Vec<Citation>>,
    /// A better name for the session.
    pub title: Option<String>,
}

/// A document a tool made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeArtifact {
    /// Which document.
    pub name: ArtifactName,
    /// The document.
    pub json: RawJson,
}

impl ToolOutput {
    /// A textual result.
    pub fn text(text: impl Into<String>) -> Self {
        Self { content: vec![ResultPart::Text(text.into())], ..Self::default() }
    }

    /// A JSON result.
    pub fn json(value: &Value) -> Self {
        Self::text(value.to_string())
    }

    /// A document: it is stored, and its JSON goes back to the model.
    pub fn artifact(kind: ArtifactKind, key: impl Into<String>, value: &Value) -> Self {
        let json = RawJson::from(value);
        Self {
            content: vec![ResultPart::Text(json.as_str().to_owned())],
            artifacts: vec![MadeArtifact { name: ArtifactName { kind, key: key.into() }, json }],
            ..Self::default()
        }
    }
}
