//! Tools about the project itself: its language, its position, earlier versions of its documents.

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tata_core::{
    Artifact, Effect, FieldKind, MadeArtifact, ResultPart, Tool, ToolFailure, ToolNameError, ToolOutput,
    typed_tool,
};

use crate::{
    FormWish, Kind, Made, Project, Refusal, Texts, acts,
    form::{Asked, Need, Spec, choice, field},
    gate::Cleared,
    greeting,
    input::{
        Fields,
        Rule::{Choice, Said},
    },
    module::{module, unreadable, with_decision},
    project::Spoken,
    tool,
};

/// What can be chosen for the whole project. What is left out stays as it is.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsInput {
    /// The language of answers and documents from now on: en, sv, da, no or de.
    pub language: Option<String>,
    /// How German texts address people; auto decides by the context.
    pub german_form: Option<FormWish>,
    /// The position this project recruits for. It becomes the name of the conversation.
    pub position_name: Option<String>,
}

impl Asked for SettingsInput {
    const FIELDS: Fields = Fields(&[(Choice, "language german_form"), (Said, "position_name")]);
    const ASKS: &'static [Spec] = {
        use FieldKind::Text;
        use Need::Never;
        &[choice("language", Never, &["en", "sv", "da", "no", "de"]), field("position_name", Text, Never)]
    };
}

/// Changes the settings of a project.
pub fn set_project(input: SettingsInput, project: &Project, _: Timestamp) -> Result<Made, Refusal> {
    let mut settings = project.settings();
    let Spoken { voice, notices, .. } = project.speak(input.language.as_deref(), input.german_form, "");
    settings.language = voice.language();
    settings.german_form = input.german_form.unwrap_or(settings.german_form);
    let position = input.position_name.map(|name| crate::tidy(&name)).filter(|name| !name.is_empty());
    let mut refusal = Refusal::default();
    refusal.check_most("position_name", position.as_deref().unwrap_or_default(), 200, project.texts());
    refusal.or_ok()?;
    settings.position_name = position.or(settings.position_name);
    let shown = greeting(settings.voice(), settings.position_name.as_deref());
    let title = settings.position_name.clone();
    Ok(Made { notices, title, ..Made::new(Kind::ProjectSettings, &settings, shown, &Cleared::own_words()) })
}

/// Which version of which document.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct VersionInput {
    /// The kind of document, e.g. `job_ad`.
    kind: String,
    /// Which one, where there are several: the candidate's key.
    #[serde(default)]
    key: String,
    /// The version to bring back.
    version: u32,
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let restore = typed_tool(
        "restore_document",
        "Brings back an earlier version of a document as its newest version. Nothing is deleted. Call it when the \
         recruiter wants to go back to what a document said before.",
        |spec| (spec.effect, spec.alone, spec.decides) = (Effect::Own, true, true),
        |input: VersionInput, context| async move {
            let versions = context.artifacts().await.map_err(unreadable)?;
            let project = Project::of(versions.iter().cloned());
            restore(&input, &versions, project.texts()).map_err(ToolFailure::from)
        },
    )?;
    Ok(vec![
        module(
            tool::SET_PROJECT,
            "Sets the language, the German form of address or the position of this recruitment project. Call it when \
             the recruiter names the position, or asks for another language.",
            Kind::ProjectSettings,
            set_project,
        )?,
        with_decision(restore, acts::RESTORES),
    ])
}

fn restore(input: &VersionInput, versions: &[Artifact], texts: &Texts) -> Result<ToolOutput, Refusal> {
    let known =
        |artifact: &&Artifact| artifact.name.kind.as_str() == input.kind && artifact.name.key == input.key;
    let known = versions.iter().filter(known);
    let newest = known.clone().map(|artifact| artifact.version).max();
    let wanted = known.clone().find(|artifact| artifact.version == input.version);
    let (Some(wanted), Some(newest)) = (wanted, newest) else {
        let numbers: Vec<String> = known.map(|artifact| artifact.version.to_string()).collect();
        let (field, key, hint) = match newest {
            None => ("kind", key!("project.restore.no_document"), key!("project.restore.look")),
            Some(_) => ("version", key!("project.restore.no_version"), key!("project.restore.known")),
        };
        let values = [("document", input.kind.as_str()), ("version", &*input.version.to_string())];
        let hint = texts.say(hint, &[("versions", &texts.enumerate(&numbers))]);
        return Err(Refusal::of(field, texts.say(key, &values), hint));
    };
    let json: Value = serde_json::from_str(wanted.json.as_str()).unwrap_or_default();
    let stale = Kind::find(&input.kind).map(Kind::dependents).unwrap_or_default();
    let mut brief = json!({
        "document": input.kind, "key": input.key, "restored_version": input.version,
        "version": newest.saturating_add(1),
    });
    let mut answer = brief.clone();
    answer["artifact"] = for_model(&json);
    brief["note"] = json!("The recruiter sees this document on the screen.");
    Ok(ToolOutput {
        content: vec![ResultPart::Text(brief.to_string()), ResultPart::Own(answer.to_string())],
        artifacts: vec![MadeArtifact { name: wanted.name.clone(), json: wanted.json.clone() }],
        stale: stale.into_iter().map(Kind::artifact).collect(),
        ..ToolOutput::default()
    })
}

/// What the model reads of a document that is brought back. A candidate's report holds the name: the model reads the rest
/// when it asks for the report itself. The texts that a document was made from (notes, an interview, somebody's public
/// profile) are for the store.
fn for_model(json: &Value) -> Value {
    if json.get("candidate_name").is_some() {
        return Value::Null;
    }
    let mut json = json.clone();
    json.as_object_mut().map(|fields| fields.remove("sources"));
    json
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_brought_back_has_no_sources_for_the_model() {
        let messages = json!({ "position_title": "x", "sources": { "candidate_profile": "Anna" } });
        assert_eq!(for_model(&messages), json!({ "position_title": "x" }));
        assert_eq!(for_model(&json!({ "candidate_name": "Anna", "sources": {} })), Value::Null);
    }
}
