//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::JobAdReviewInput;
use crate::{
    Kind, Project,
    form::{Asked, Known, Need, Spec, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Said, Source},
    },
};

impl Grounded for JobAdReviewInput {
    const FIELDS: Fields = Fields(&[
        ("job_ad_text", Source),
        ("language", Choice),
        ("position_title", Said),
        ("explain_in", Choice),
    ]);
}

// The language of a review's input is that of the ad; what explains it has a field of its own.
impl InLanguage for JobAdReviewInput {
    fn language(&self) -> Option<&str> {
        self.explain_in.as_deref()
    }
}

impl Asked for JobAdReviewInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::Material;
        use Need::Always;
        &[field("job_ad_text", Material, Always)]
    };

    fn known(project: &Project) -> Known {
        Known { ad: project.stored(Kind::JobAd, "").is_some(), ..Known::default() }
    }
}
