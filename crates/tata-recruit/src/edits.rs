//! The tools that change the words of finished documents.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;
use tata_core::{Tool, ToolNameError};

use crate::{
    HeadhuntingMessages, JobAd, Kind, Made, Project, Refusal, RewordInput, ScreeningTemplate, TextPart, acts,
    module::{Decides, deciding},
    reword::{Reworded, parts, reword},
    tool,
};

/// How the words of a kind of document are changed.
struct Editing {
    tool: &'static str,
    parts: fn(&Value) -> Vec<TextPart>,
    edit: fn(Kind, &RewordInput, &Project, Timestamp) -> Result<Made, Refusal>,
}

impl Editing {
    /// Of this kind; none where it is changed in other ways: by statements, ratings, decisions, or by making it anew.
    fn of(kind: Kind) -> Option<Self> {
        fn of<D: Reworded>(tool: &'static str) -> Editing {
            let parts = |json: &Value| D::deserialize(json).map(|mut of| parts(&mut of)).unwrap_or_default();
            Editing { tool, parts, edit: reword::<D> }
        }
        Some(match kind {
            Kind::JobAd => of::<JobAd>(tool::EDIT_JOB_AD),
            Kind::TaScreeningTemplate => of::<ScreeningTemplate>(tool::EDIT_TA_SCREENING_TEMPLATE),
            Kind::HmScreeningTemplate => of::<ScreeningTemplate>(tool::EDIT_HM_SCREENING_TEMPLATE),
            Kind::HeadhuntingMessages => of::<HeadhuntingMessages>(tool::EDIT_HEADHUNTING_MESSAGES),
            Kind::RequirementProfile
            | Kind::CandidateReport
            | Kind::FunnelReport
            | Kind::JobAdReview
            | Kind::DiReview
            | Kind::CalendarInvite
            | Kind::ProjectSettings => return None,
        })
    }
}

/// Changes the words of a document, as a new version of it.
pub fn edit_document(
    kind: Kind,
    input: &RewordInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    match Editing::of(kind) {
        Some(editing) => (editing.edit)(kind, input, project, now),
        None => Err(Refusal::lacking(kind, &[kind], project.texts())),
    }
}

/// The tool that words a stored document otherwise, and the parts it can change, in the order of the document.
pub fn text_parts(kind: Kind, json: &Value) -> Option<(&'static str, Vec<TextPart>)> {
    Editing::of(kind).map(|editing| (editing.tool, (editing.parts)(json)))
}

type Edit = fn(RewordInput, &Project, Timestamp) -> Result<Made, Refusal>;

/// The tools of this file.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    macro_rules! of {
        ($kind:expr) => {{
            let decides: Decides = |arguments, documents| acts::rewords($kind, arguments, documents);
            let edit: Edit = |input, project, now| edit_document($kind, &input, project, now);
            ($kind, decides, edit)
        }};
    }
    let tool = |(kind, decides, edit): (Kind, Decides, Edit)| {
        let name = Editing::of(kind).map_or("", |editing| editing.tool);
        let description = format!(
            "Changes the wording of the {} as the recruiter says: a part, named word for word, reads otherwise or goes. Pass \
             on the recruiter's own words.",
            kind.name().replace('_', " ")
        );
        deciding(name, &description, kind, &[kind], Some(decides), edit)
    };
    [
        of!(Kind::JobAd),
        of!(Kind::TaScreeningTemplate),
        of!(Kind::HmScreeningTemplate),
        of!(Kind::HeadhuntingMessages),
    ]
    .into_iter()
    .map(tool)
    .collect()
}
