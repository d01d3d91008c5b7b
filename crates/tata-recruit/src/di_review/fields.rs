//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::DiReviewInput;
use crate::{
    Kind, Project,
    form::{Asked, Known, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Said, Source},
    },
};

impl Asked for DiReviewInput {
    const FIELDS: Fields = Fields(&[
        (Source, "job_ad_text"),
        (Choice, "language explain_in title_form"),
        (Said, "position_title"),
    ]);
    // The language of a review's input is that of the ad; what explains it has a field of its own.
    const LANGUAGE: &'static str = "explain_in";
    const ASKS: &'static [Spec] = &[field("job_ad_text", FieldKind::Material, Need::Always)];

    fn known(project: &Project) -> Known {
        Known { ad: project.stored(Kind::JobAd, "").is_some(), ..Known::default() }
    }
}
