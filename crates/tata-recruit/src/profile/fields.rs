//! What each field of the input is, and which of them a person is asked for.

use serde_json::{Map, Value};
use tata_core::{Field, FieldKind, ToolFailure};

use super::{ProfileEdit, ProfileInput, cut, sorting::sort_lines};
use crate::{
    Language,
    form::{Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Number, Pick, Said, Source},
    },
};

/// A path behind the name of any of the seven lists.
macro_rules! lists {
    ($rest:literal) => {
        concat!(
            "{must_haves,responsibilities,good_to_haves,soft_skills,motivations,performance_measures,challenges}",
            $rest
        )
    };
}

impl Asked for ProfileInput {
    const FIELDS: Fields = Fields(&[
        (Source, "startup_notes old_job_ad hiring_manager_input recruiter_input"),
        (Said, "position_title"),
        (Said, lists!("/*/text")),
        (Choice, lists!("/*/source")),
        (Choice, "language german_form"),
        (Pick, "chosen_must_haves/*"),
        (Said, "enrichments/{must_haves,responsibilities,nice_to_haves,soft_skills,motivations}/*"),
        (Said, "enrichments/{performance_measures,challenges}/*"),
        (Said, "enrichments/{business_unit,contribution_to_mission,pay_range,collective_agreement}"),
        (Said, "enrichments/team/{location,collaboration_style}"),
        (Number, "enrichments/team/size"),
    ]);
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

impl Asked for ProfileEdit {
    const FIELDS: Fields = Fields(&[
        (Source, "recruiter_input"),
        (Said, "position_title business_unit contribution_to_mission pay_range collective_agreement"),
        (Said, "team/{location,collaboration_style}"),
        (Number, "team/size"),
        (Said, lists!("/add/*")),
        (Choice, lists!("/remove/*")),
        (Said, lists!("/replace/*/new")),
        (Choice, lists!("/replace/*/{old,part}")),
    ]);
}
