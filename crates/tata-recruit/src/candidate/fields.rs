//! What each field of the input is, and which of them a person is asked for.

use tata_core::FieldKind;

use super::{CandidateInput, CompareInput, ConfirmInput};
use crate::{
    form::{Asked, Need, Spec, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Day, Said, Source, Written},
    },
};

impl Grounded for CandidateInput {
    const FIELDS: Fields = Fields(&[
        ("candidate_name", Said),
        ("interview_date", Day),
        ("transcript", Source),
        ("candidate_cv", Source),
        ("candidate_speaker", Said),
        ("interviewers/*", Said),
        ("also_known_as/*", Said),
        ("candidate_key", Choice),
        ("language", Choice),
        ("german_form", Choice),
        ("content/summary/*/text", Written),
        ("content/summary/*/quotes/*", Written),
        ("content/background/*/text", Written),
        ("content/background/*/quotes/*", Written),
        ("content/motivation/rating", Choice),
        ("content/motivation/explanation", Written),
        ("content/motivation/summary", Written),
        ("content/motivation/quotes/*", Written),
        ("content/skills/*/skill_name", Choice),
        ("content/skills/*/rating", Choice),
        ("content/skills/*/explanation", Written),
        ("content/skills/*/summary", Written),
        ("content/skills/*/quotes/*", Written),
        ("content/practical/notice_period", Written),
        ("content/practical/salary_expectation", Written),
        ("content/practical/location", Written),
        ("content/practical/languages", Written),
        ("content/risks/*/text", Written),
        ("content/risks/*/quotes/*", Written),
    ]);
}

impl InLanguage for CandidateInput {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for CandidateInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::{Date, Material, Name, Text};
        use Need::{Always, Never};
        &[
            field("candidate_name", Name, Always),
            field("interview_date", Date, Always),
            field("transcript", Material, Always),
            field("candidate_speaker", Text, Never),
        ]
    };
}

impl Grounded for ConfirmInput {
    // What is decided is put to the person, word by word; the reason is their own.
    const FIELDS: Fields = Fields(&[
        ("candidate_key", Choice),
        ("decisions/*/about", Choice),
        ("decisions/*/choice", Choice),
        ("decisions/*/rating", Choice),
        ("decisions/*/reason", Said),
    ]);
}

impl InLanguage for ConfirmInput {}

impl Asked for ConfirmInput {}

impl Grounded for CompareInput {
    const FIELDS: Fields =
        Fields(&[("candidate_keys/*", Choice), ("language", Choice), ("german_form", Choice)]);
}

impl InLanguage for CompareInput {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for CompareInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::List;
        use Need::Never;
        &[field("candidate_keys", List, Never)]
    };
}
