//! A module as a tool: the input type gives the schema, a plain function does the work.

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tata_core::{
    ArtifactKind, Effect, LackingFuture, Problem, StoreError, Tool, ToolContext, ToolFailure, ToolFuture,
    ToolNameError, ToolSpec, typed_tool,
};

use crate::{Kind, Made, Project, Refusal, Texts, apart::apart};

/// An input that may say in which language its document is to be.
pub(crate) trait InLanguage {
    /// The language, as somebody named it.
    fn language(&self) -> Option<&str> {
        None
    }
}

macro_rules! in_language {
    ($($input:ty),* $(,)?) => {
        $(impl InLanguage for $input {
            fn language(&self) -> Option<&str> {
                self.language.as_deref()
            }
        })*
    };
}

in_language!(
    crate::CandidateInput,
    crate::CompareInput,
    crate::FunnelInput,
    crate::HeadhuntingInput,
    crate::InviteInput,
    crate::JobAdInput,
    crate::ProfileInput,
    crate::ScreeningInput,
    crate::SettingsInput,
);
// The language of a review's input is that of the ad; what explains it has a field of its own.
macro_rules! explained_in {
    ($($input:ty),* $(,)?) => {
        $(impl InLanguage for $input {
            fn language(&self) -> Option<&str> {
                self.explain_in.as_deref()
            }
        })*
    };
}

explained_in!(crate::DiReviewInput, crate::JobAdReviewInput);
// What changes a document keeps its language.
impl InLanguage for crate::ConfirmInput {}
impl InLanguage for crate::DecideInput {}
impl InLanguage for crate::ProfileEdit {}

/// Makes a tool that creates documents of one kind.
pub(crate) fn module<Input>(
    name: &str,
    description: &str,
    kind: Kind,
    create: fn(Input, &Project, Timestamp) -> Result<Made, Refusal>,
) -> Result<Arc<dyn Tool>, ToolNameError>
where
    Input: DeserializeOwned + JsonSchema + InLanguage + Send + Sync + 'static,
{
    module_requiring(name, description, kind, kind.requires(), create)
}

/// The same for a tool that needs other documents than its kind does: one that changes a document needs it to be there.
pub(crate) fn module_requiring<Input>(
    name: &str,
    description: &str,
    kind: Kind,
    requires: &[Kind],
    create: fn(Input, &Project, Timestamp) -> Result<Made, Refusal>,
) -> Result<Arc<dyn Tool>, ToolNameError>
where
    Input: DeserializeOwned + JsonSchema + InLanguage + Send + Sync + 'static,
{
    let inner = typed_tool(
        name,
        description,
        |spec| {
            spec.effect = Effect::Own;
            spec.requires = requires.iter().map(|kind| kind.artifact()).collect();
            spec.produces = Some(kind.artifact());
            spec.reads = vec![Kind::ProjectSettings.artifact()];
        },
        move |input: Input, context| async move {
            let project = Project::load(&context).await.map_err(unreadable)?.speaking(input.language());
            let now = context.now;
            Ok(apart(move || create(input, &project, now).map(Made::into_output)).await?)
        },
    )?;
    Ok(Arc::new(Module { inner, kind }))
}

/// What a person reads when the store fails.
pub(crate) fn unreadable(error: StoreError) -> ToolFailure {
    let message = "The documents of this project could not be read.".to_owned();
    ToolFailure::Failed { message, source: Some(Box::new(error)) }
}

/// A tool that can say in the project's language what it lacks.
struct Module {
    inner: Arc<dyn Tool>,
    kind: Kind,
}

impl Tool for Module {
    fn spec(&self) -> &ToolSpec {
        self.inner.spec()
    }

    fn run<'a>(&'a self, arguments: Map<String, Value>, context: &'a ToolContext) -> ToolFuture<'a> {
        self.inner.run(arguments, context)
    }

    fn lacking<'a>(&'a self, missing: &'a [ArtifactKind], context: &'a ToolContext) -> LackingFuture<'a> {
        Box::pin(async move {
            // In English, if even the language cannot be read.
            let project = Project::load(context).await.unwrap_or_default();
            Some(lacking(self.kind, missing, project.texts()))
        })
    }
}

/// Which documents are missing for one of this kind, by their natural names, and the offer to make them.
pub(crate) fn lacking(kind: Kind, missing: &[ArtifactKind], texts: &Texts) -> Problem {
    let names: Vec<&str> = missing
        .iter()
        .filter_map(|kind| Kind::find(kind.as_str()))
        .map(|kind| texts.get(&format!("project.services.{}.the", kind.name())))
        .collect();
    let missing = texts.enumerate(&names);
    let values = [("document", kind.display(texts)), ("missing", missing.as_str())];
    Problem {
        field: String::new(),
        message: texts.say("project.missing", &values),
        hint: Some(texts.say("project.missing_way_out", &values)),
    }
}
