//! What each field of the input is, and which of them a person is asked for.

use serde_json::{Map, Value};
use tata_core::{Field, FieldKind, ToolFailure};

use super::{ProfileEdit, ProfileInput, cut, sorting::sort_lines};
use crate::{
    Language,
    form::{Asked, Need, Spec, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Number, Pick, Said, Source},
    },
};

impl Grounded for ProfileInput {
    const FIELDS: Fields = Fields(&[
        ("position_title", Said),
        ("startup_notes", Source),
        ("old_job_ad", Source),
        ("hiring_manager_input", Source),
        ("recruiter_input", Source),
        ("language", Choice),
        ("german_form", Choice),
        ("must_haves/*/text", Said),
        ("must_haves/*/source", Choice),
        ("chosen_must_haves/*", Pick),
        ("responsibilities/*/text", Said),
        ("responsibilities/*/source", Choice),
        ("good_to_haves/*/text", Said),
        ("good_to_haves/*/source", Choice),
        ("soft_skills/*/text", Said),
        ("soft_skills/*/source", Choice),
        ("motivations/*/text", Said),
        ("motivations/*/source", Choice),
        ("performance_measures/*/text", Said),
        ("performance_measures/*/source", Choice),
        ("challenges/*/text", Said),
        ("challenges/*/source", Choice),
        ("enrichments/must_haves/*", Said),
        ("enrichments/responsibilities/*", Said),
        ("enrichments/contribution_to_mission", Said),
        ("enrichments/team/size", Number),
        ("enrichments/team/location", Said),
        ("enrichments/team/collaboration_style", Said),
        ("enrichments/business_unit", Said),
        ("enrichments/performance_measures/*", Said),
        ("enrichments/challenges/*", Said),
        ("enrichments/nice_to_haves/*", Said),
        ("enrichments/soft_skills/*", Said),
        ("enrichments/motivations/*", Said),
        ("enrichments/pay_range", Said),
        ("enrichments/collective_agreement", Said),
    ]);
}

impl InLanguage for ProfileInput {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for ProfileInput {
    const ASKS: &'static [Spec] = {
        use FieldKind::{Material, Text};
        use Need::Always;
        &[field("position_title", Text, Always), field("startup_notes", Material, Always)]
    };

    fn lines(arguments: &Map<String, Value>, language: Language) -> Vec<Field> {
        let notes = arguments.get("startup_notes").and_then(Value::as_str);
        notes.map(|notes| cut(notes, language).form().fields).unwrap_or_default()
    }

    fn put_lines(
        arguments: &mut Map<String, Value>,
        answers: &[(&String, &Value)],
    ) -> Result<(), ToolFailure> {
        sort_lines(arguments, answers)
    }
}

impl Grounded for ProfileEdit {
    const FIELDS: Fields = Fields(&[
        ("recruiter_input", Source),
        ("position_title", Said),
        ("must_haves/add/*", Said),
        ("must_haves/remove/*", Choice),
        ("must_haves/replace/*/old", Choice),
        ("must_haves/replace/*/new", Said),
        ("must_haves/replace/*/part", Choice),
        ("responsibilities/add/*", Said),
        ("responsibilities/remove/*", Choice),
        ("responsibilities/replace/*/old", Choice),
        ("responsibilities/replace/*/new", Said),
        ("responsibilities/replace/*/part", Choice),
        ("good_to_haves/add/*", Said),
        ("good_to_haves/remove/*", Choice),
        ("good_to_haves/replace/*/old", Choice),
        ("good_to_haves/replace/*/new", Said),
        ("good_to_haves/replace/*/part", Choice),
        ("soft_skills/add/*", Said),
        ("soft_skills/remove/*", Choice),
        ("soft_skills/replace/*/old", Choice),
        ("soft_skills/replace/*/new", Said),
        ("soft_skills/replace/*/part", Choice),
        ("motivations/add/*", Said),
        ("motivations/remove/*", Choice),
        ("motivations/replace/*/old", Choice),
        ("motivations/replace/*/new", Said),
        ("motivations/replace/*/part", Choice),
        ("performance_measures/add/*", Said),
        ("performance_measures/remove/*", Choice),
        ("performance_measures/replace/*/old", Choice),
        ("performance_measures/replace/*/new", Said),
        ("performance_measures/replace/*/part", Choice),
        ("challenges/add/*", Said),
        ("challenges/remove/*", Choice),
        ("challenges/replace/*/old", Choice),
        ("challenges/replace/*/new", Said),
        ("challenges/replace/*/part", Choice),
        ("team/size", Number),
        ("team/location", Said),
        ("team/collaboration_style", Said),
        ("business_unit", Said),
        ("contribution_to_mission", Said),
        ("pay_range", Said),
        ("collective_agreement", Said),
    ]);
}

impl InLanguage for ProfileEdit {}

impl Asked for ProfileEdit {}
