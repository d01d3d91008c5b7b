//! The tools that change the words of finished documents.

use std::sync::Arc;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use tata_core::{Tool, ToolNameError};

use crate::{
    HeadhuntingMessages, JobAd, Kind, Made, Project, Refusal, RewordInput, ScreeningTemplate, TextPart, acts,
    module::{Decides, deciding},
    questions,
    reword::{parts, reword},
    tool,
};

/// How the words of a kind of document are changed.
struct Editing {
    kind: Kind,
    tool: &'static str,
    decides: Decides,
    parts: fn(&Value) -> Vec<TextPart>,
    edit: fn(RewordInput, &Project, Timestamp) -> Result<Made, Refusal>,
}

macro_rules! editing {
    ($document:ty, $kind:expr, $tool:expr) => {
        Editing {
            kind: $kind,
            tool: $tool,
            decides: acts::asking(
                |arguments, documents| acts::rewords($kind, arguments, documents),
                |arguments, project| questions::rewords($kind, arguments, project),
            ),
            parts: |json| <$document>::deserialize(json).map(|mut one| parts(&mut one)).unwrap_or_default(),
            edit: |input, project, now| reword::<$document>($kind, &input, project, now),
        }
    };
}

/// Every kind whose words can be changed. The others are changed in other ways: by statements, ratings, decisions, or by
/// making them anew.
const EDITINGS: [Editing; 4] = [
    editing!(JobAd, Kind::JobAd, tool::EDIT_JOB_AD),
    editing!(ScreeningTemplate, Kind::TaScreeningTemplate, tool::EDIT_TA_SCREENING_TEMPLATE),
    editing!(ScreeningTemplate, Kind::HmScreeningTemplate, tool::EDIT_HM_SCREENING_TEMPLATE),
    editing!(HeadhuntingMessages, Kind::HeadhuntingMessages, tool::EDIT_HEADHUNTING_MESSAGES),
];

/// Changes the words of a document, as a new version of it.
pub fn edit_document(
    kind: Kind,
    input: &RewordInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let editing = EDITINGS.into_iter().find(|editing| editing.kind == kind);
    let editing = editing.ok_or_else(|| Refusal::lacking(kind, &[kind], project.texts()))?;
    (editing.edit)(input.clone(), project, now)
}

/// The tool that words a stored document otherwise, and the parts it can change, in the order of the document.
pub fn text_parts(kind: Kind, json: &Value) -> Option<(&'static str, Vec<TextPart>)> {
    let editing = EDITINGS.into_iter().find(|editing| editing.kind == kind)?;
    Some((editing.tool, (editing.parts)(json)))
}

/// The tools of this file.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let tool = |Editing { kind, tool, decides, edit, .. }| {
        let description = format!(
            "Changes the wording of the {} as the recruiter says: a part, named word for word, reads otherwise or goes. Pass \
             on the recruiter's own words.",
            kind.name().replace('_', " ")
        );
        deciding(tool, &description, kind, &[kind], Some(decides), edit)
    };
    EDITINGS.into_iter().map(tool).collect()
}
