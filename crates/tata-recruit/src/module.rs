//! A module as a tool: the input type gives the schema, a plain function does the work.

use std::{collections::BTreeMap, sync::Arc};

use jiff::{Timestamp, tz::TimeZone};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tata_core::{
    Act, ArtifactIndex, ArtifactKind, ArtifactName, Effect, FormFuture, LackingFuture, MaterialId, Materials,
    Objection, Offer, OfferFuture, RefusalFuture, StoreError, Tool, ToolContext, ToolFailure, ToolFuture,
    ToolNameError, ToolOutput, ToolSpec, WordsFuture, schema_of,
};

use crate::{
    Kind, Made, Project, Refusal,
    apart::apart,
    form::{self, Arguments, Asked},
    grounds::{Given, Reader, ground, placed, refuse},
    office::OFFICE_ZONE,
    prose::Judge,
};

/// What a module does: a document from an input, or what keeps it from that.
type Create<Input> = fn(Input, &Project, Timestamp) -> Result<Made, Refusal>;

/// Makes a tool that creates documents of one kind.
pub(crate) fn module<Input: DeserializeOwned + JsonSchema + Asked>(
    name: &str,
    description: &str,
    kind: Kind,
    create: Create<Input>,
) -> Result<Arc<dyn Tool>, ToolNameError> {
    deciding(name, description, kind, kind.requires(), None, create)
}

/// The same for a tool that requires other documents, and whose calls may decide something in a person's name.
pub(crate) fn deciding<Input: DeserializeOwned + JsonSchema + Asked>(
    name: &str,
    description: &str,
    kind: Kind,
    requires: &[Kind],
    decides: Option<Decides>,
    create: Create<Input>,
) -> Result<Arc<dyn Tool>, ToolNameError> {
    let mut spec = ToolSpec::new(name, description, schema_of::<Input>())?.derived();
    spec.effect = Effect::Own;
    spec.requires = requires.iter().map(|kind| kind.artifact()).collect();
    spec.produces = Some(kind.artifact());
    spec.reads = vec![Kind::ProjectSettings.artifact()];
    (spec.materials, spec.decides) = (true, decides.is_some());
    Ok(Arc::new(Module { spec, kind, decides, create }))
}

/// The messages in which the values of a call stand, each once.
fn said(given: &[Given], materials: &Materials) -> Vec<String> {
    let mut ids: Vec<MaterialId> = Vec::new();
    for place in given.iter().flat_map(|given| &given.places) {
        if !ids.contains(&place.material) {
            ids.push(place.material);
        }
    }
    ids.into_iter().filter_map(|id| materials.get(id)).map(|material| material.text().to_owned()).collect()
}

/// What a person reads when the store fails.
pub(crate) fn unreadable(error: StoreError) -> ToolFailure {
    let message = "The documents of this project could not be read.".to_owned();
    ToolFailure::Failed { message, source: Some(Box::new(error)) }
}

/// The same tool, which stores nothing itself, and whose calls may decide something in a person's name.
pub(crate) fn with_decision(inner: Arc<dyn Tool>, decides: Decides) -> Arc<dyn Tool> {
    Arc::new(Deciding { inner, decides })
}

struct Deciding {
    inner: Arc<dyn Tool>,
    decides: Decides,
}

impl Tool for Deciding {
    fn spec(&self) -> &ToolSpec {
        self.inner.spec()
    }

    fn decides(&self, arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
        (self.decides.act)(arguments, documents)
    }

    fn offer<'a>(&'a self, document: &'a ArtifactName, context: &'a ToolContext) -> OfferFuture<'a> {
        Box::pin(self.decides.offer(document, context))
    }

    fn in_words<'a>(
        &'a self,
        arguments: &'a Arguments,
        _: &'a ArtifactIndex,
        context: &'a ToolContext,
    ) -> WordsFuture<'a> {
        Box::pin(self.decides.in_words(arguments, context))
    }

    fn refusal<'a>(&'a self, arguments: &'a Arguments, context: &'a ToolContext) -> RefusalFuture<'a> {
        Box::pin(async move { self.inner.run(arguments.clone(), context).await.err() })
    }

    fn run<'a>(&'a self, arguments: Arguments, context: &'a ToolContext) -> ToolFuture<'a> {
        self.inner.run(arguments, context)
    }
}

/// All that a module needs to make its document, away from the thread that waits for it.
struct Work<Input> {
    arguments: Arguments,
    project: Project,
    context: ToolContext,
    create: Create<Input>,
}

impl<Input: DeserializeOwned + Asked> Work<Input> {
    fn done(&self, judge: Judge) -> Result<ToolOutput, Refusal> {
        let Self { project, create, context: ToolContext { materials, passages, now, .. }, .. } = self;
        let mut arguments = self.arguments.clone();
        let reader = if self.context.read_by_person() { Reader::Person } else { Reader::Model };
        let given = ground(&mut arguments, &Input::FIELDS, materials, passages, *now)
            .map_err(|groundless| refuse(&groundless, materials, reader, project.texts()))?;
        let language = arguments.get(Input::LANGUAGE).and_then(Value::as_str);
        let mut project = project.clone().speaking(language);
        (project.said, project.judge) = (said(&given, materials), judge);
        // The schema let pass what the type does not take: still the model's to mend.
        let input = Input::deserialize(Value::Object(arguments))
            .map_err(|error| Refusal::of("", error.to_string(), ""))?;
        let made = create(input, &project, *now)?;
        let (answer, brief) = (made.answer(), made.brief());
        let made = placed(made, materials, &given, &project)
            .map_err(|lost| lost.refuse(materials, reader, project.texts()))?;
        Ok(made.into_output(&brief, &answer))
    }
}

/// How a call is asked about, in the language of the project.
pub(crate) type Words = fn(&Arguments, &Project) -> Option<String>;

/// The call that settles a document as it stands, and its question.
pub(crate) type Settling = fn(&ArtifactName, &Project) -> Option<Offer>;

/// The earlier version of a document that a call is about.
pub(crate) type EarlierVersion = fn(&Arguments) -> Option<(ArtifactName, u32)>;

/// What calls of a tool decide in a person's name, and how the person is asked.
#[derive(Clone, Copy)]
pub(crate) struct Decides {
    /// What a call would decide.
    pub(crate) act: fn(&Arguments, &ArtifactIndex) -> Option<Act>,
    /// The question about such a call.
    pub(crate) words: Words,
    /// The call that settles a document as it stands, where there is one.
    pub(crate) offer: Option<Settling>,
    /// The earlier version that a call is about, where it is about one.
    pub(crate) earlier: Option<EarlierVersion>,
}

impl Decides {
    async fn offer(&self, document: &ArtifactName, context: &ToolContext) -> Option<Offer> {
        let offer = self.offer?;
        offer(document, &Project::load(context).await.ok()?)
    }

    async fn in_words(&self, arguments: &Arguments, context: &ToolContext) -> Option<String> {
        let mut project = Project::load(context).await.ok()?;
        if let Some(earlier) = self.earlier {
            let (document, version) = earlier(arguments)?;
            let stored = context.version_of(&document.kind, &document.key, Some(version)).await.ok()?;
            project.earlier = stored.and_then(|stored| serde_json::from_str(stored.json.as_str()).ok());
        }
        (self.words)(arguments, &project)
    }
}

/// A module as a tool: it stands on what people brought, and says in the project's language what it lacks.
struct Module<Input> {
    spec: ToolSpec,
    kind: Kind,
    decides: Option<Decides>,
    create: Create<Input>,
}

impl<Input: DeserializeOwned + Asked> Tool for Module<Input> {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn decides(&self, arguments: &Arguments, documents: &ArtifactIndex) -> Option<Act> {
        self.decides.and_then(|decides| (decides.act)(arguments, documents))
    }

    fn offer<'a>(&'a self, document: &'a ArtifactName, context: &'a ToolContext) -> OfferFuture<'a> {
        Box::pin(async move { self.decides.as_ref()?.offer(document, context).await })
    }

    fn in_words<'a>(
        &'a self,
        arguments: &'a Arguments,
        _: &'a ArtifactIndex,
        context: &'a ToolContext,
    ) -> WordsFuture<'a> {
        Box::pin(async move { self.decides.as_ref()?.in_words(arguments, context).await })
    }

    fn refusal<'a>(&'a self, arguments: &'a Arguments, context: &'a ToolContext) -> RefusalFuture<'a> {
        Box::pin(async move {
            self.decides?;
            let project = Project::load(context).await.ok()?.tried_before(context.rejected_before);
            let (arguments, context) = (arguments.clone(), context.clone());
            let work = Work { arguments, project, context, create: self.create };
            // A module stores nothing itself: what it makes now is thrown away.
            apart(move || work.done(Judge::default())).await.err().map(ToolFailure::from)
        })
    }

    fn run<'a>(&'a self, arguments: Arguments, context: &'a ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            let project =
                Project::load(context).await.map_err(unreadable)?.tried_before(context.rejected_before);
            let work = Arc::new(Work { arguments, project, context: context.clone(), create: self.create });
            let Some(verifier) = &context.verifier else {
                return Ok(apart(move || work.done(Judge::default())).await?);
            };
            // Made once to know what was written, and again if the second opinion objects to some of it.
            let judge = Judge::knowing(BTreeMap::new());
            let (first, collecting) = (Arc::clone(&work), judge.clone());
            let made = apart(move || first.done(collecting)).await?;
            let statements = judge.collected();
            let objections = verifier.objections(&statements).await.unwrap_or_default();
            if objections.is_empty() {
                return Ok(made);
            }
            let sentence = |one: Objection| Some((statements.get(one.at)?.sentence.clone(), one.words));
            let judge = Judge::knowing(objections.into_iter().filter_map(sentence).collect());
            Ok(apart(move || work.done(judge)).await?)
        })
    }

    fn form<'a>(&'a self, arguments: &'a Arguments, context: &'a ToolContext) -> FormFuture<'a> {
        Box::pin(async move {
            let project = Project::load(context).await.unwrap_or_default();
            let language = arguments.get("language").and_then(Value::as_str);
            form::lacking::<Input>(arguments, &project.speaking(language))
        })
    }

    fn answered(
        &self,
        arguments: Arguments,
        answers: &Arguments,
        now: Timestamp,
    ) -> Result<Arguments, ToolFailure> {
        let zone = TimeZone::get(OFFICE_ZONE).unwrap_or(TimeZone::UTC);
        form::answered::<Input>(arguments, answers, now.to_zoned(zone).date())
    }

    fn lacking<'a>(&'a self, missing: &'a [ArtifactKind], context: &'a ToolContext) -> LackingFuture<'a> {
        Box::pin(async move {
            // In English, if even the language cannot be read.
            let project = Project::load(context).await.unwrap_or_default();
            let missing: Vec<Kind> = missing.iter().filter_map(|kind| Kind::find(kind.as_str())).collect();
            Refusal::lacking(self.kind, &missing, project.texts()).problems.pop()
        })
    }
}
