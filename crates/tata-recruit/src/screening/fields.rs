//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::ScreeningInput;
use crate::{
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Said, Written},
    },
};

impl Asked for ScreeningInput {
    const FIELDS: Fields = Fields(&[
        (Choice, "skills_to_include/* language german_form"),
        (Said, "additional_areas/*"),
        (Choice, "skill_types/*/{skill,type} questions/*/skill"),
        (Written, "skill_types/*/reason"),
        (Written, "questions/*/main_question questions/*/follow_ups/* questions/*/anchors/{1,3,5}"),
        (Written, "motivation/* closing/*"),
        (Written, "practical/{notice_period,salary_expectation,location,candidate_questions}"),
    ]);
    const ASKS: &'static [Spec] = &[field("additional_areas", FieldKind::List, Need::Never)];
}
