//! The tools that change the words of finished documents.

use std::sync::Arc;

use jiff::Timestamp;
use serde_json::Value;
use tata_core::{Tool, ToolNameError};

use crate::{
    HeadhuntingMessages, JobAd, Kind, Made, Project, Refusal, RewordInput, ScreeningTemplate, TextPart, acts,
    module::{Decides, deciding},
    reword::{Reworded, parts, reword},
};

/// Changes the words of a document, as a new version of it.
pub fn edit_document(
    kind: Kind,
    input: &RewordInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    match kind {
        Kind::JobAd => reword::<JobAd>(kind, input, project, &|ad| ad.created_at = now),
        Kind::TaScreeningTemplate | Kind::HmScreeningTemplate => {
            reword::<ScreeningTemplate>(kind, input, project, &|template| template.created_at = now)
        }
        Kind::HeadhuntingMessages => {
            reword::<HeadhuntingMessages>(kind, input, project, &|messages| messages.created_at = now)
        }
        // These are changed in other ways: by statements, ratings, decisions, or by making them anew.
        Kind::RequirementProfile
        | Kind::CandidateReport
        | Kind::FunnelReport
        | Kind::JobAdReview
        | Kind::DiReview
        | Kind::CalendarInvite
        | Kind::ProjectSettings => Err(Refusal::lacking(kind, &[kind], project.texts())),
    }
}

/// The parts of a stored document that a person can word otherwise, in its order; none where it is changed in other ways.
pub fn text_parts(kind: Kind, json: &Value) -> Vec<TextPart> {
    fn of<D: Reworded>(json: &Value) -> Vec<TextPart> {
        D::deserialize(json).map(|mut document| parts(&mut document)).unwrap_or_default()
    }
    match kind {
        Kind::JobAd => of::<JobAd>(json),
        Kind::TaScreeningTemplate | Kind::HmScreeningTemplate => of::<ScreeningTemplate>(json),
        Kind::HeadhuntingMessages => of::<HeadhuntingMessages>(json),
        Kind::RequirementProfile
        | Kind::CandidateReport
        | Kind::FunnelReport
        | Kind::JobAdReview
        | Kind::DiReview
        | Kind::CalendarInvite
        | Kind::ProjectSettings => Vec::new(),
    }
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
        let description = format!(
            "Changes the wording of the {} as the recruiter says: a part, named word for word, reads otherwise or goes. Pass \
             on the recruiter's own words.",
            kind.name().replace('_', " ")
        );
        deciding(&format!("edit_{}", kind.name()), &description, kind, &[kind], decides, edit)
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
