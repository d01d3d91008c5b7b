//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::ScreeningInput;
use crate::{
    form::{Asked, Need, Spec, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Said, Written},
    },
};

impl Grounded for ScreeningInput {
    const FIELDS: Fields = Fields(&[
        ("skills_to_include/*", Choice),
        ("additional_areas/*", Said),
        ("language", Choice),
        ("german_form", Choice),
        ("skill_types/*/skill", Choice),
        ("skill_types/*/type", Choice),
        ("skill_types/*/reason", Written),
        ("questions/*/skill", Choice),
        ("questions/*/main_question", Written),
        ("questions/*/follow_ups/*", Written),
        ("questions/*/anchors/1", Written),
        ("questions/*/anchors/3", Written),
        ("questions/*/anchors/5", Written),
        ("motivation/*", Written),
        ("practical/notice_period", Written),
        ("practical/salary_expectation", Written),
        ("practical/location", Written),
        ("practical/candidate_questions", Written),
        ("closing/*", Written),
    ]);
}

impl InLanguage for ScreeningInput {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for ScreeningInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::List;
        use Need::Never;
        &[field("additional_areas", List, Never)]
    };
}
