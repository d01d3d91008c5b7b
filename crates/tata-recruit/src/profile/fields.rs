//! What each field of the input is, and which of them a person is asked for.

use serde_json::{Map, Value};
use tata_core::{Field, FieldKind, ToolFailure};
use tata_guided::sort::{Place, Sorting};

use super::{MOST_SORTED, ProfileEdit, ProfileInput, cut_to_sort, sorted};
use crate::{
    Language,
    form::{self, Asked, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Number, Pick, Said, Source},
    },
};

/// A path behind the name of any of the ten lists.
macro_rules! lists {
    ($rest:literal) => {
        concat!(
            "{must_haves,responsibilities,good_to_haves,soft_skills,motivations,performance_measures,challenges,",
            "dates,process_steps,employment}",
            $rest
        )
    };
}

impl Asked for ProfileInput {
    const FIELDS: Fields = Fields(&[
        (Source, "startup_notes old_job_ad hiring_manager_input recruiter_input"),
        (Said, "position_title"),
        (Said, "settled_lines/*"),
        (Said, lists!("/*/text")),
        (Choice, lists!("/*/source")),
        (Choice, "language german_form country"),
        (Pick, "chosen_must_haves/*"),
        (Said, "enrichments/{must_haves,responsibilities,nice_to_haves,soft_skills,motivations}/*"),
        (Said, "enrichments/{performance_measures,challenges,dates,process_steps,employment}/*"),
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
        let notes = notes.and_then(|notes| cut_to_sort(notes, language));
        notes.map(|notes| notes.form().fields).unwrap_or_default()
    }

    /// Puts the lines of the notes where a program says, each by its number.
    fn put_lines(
        arguments: &mut Map<String, Value>,
        answers: &[(&String, &Value)],
    ) -> Result<(), ToolFailure> {
        let Some(text) = arguments.get("startup_notes").and_then(Value::as_str).map(str::to_owned) else {
            return Err(form::no_notes());
        };
        let Some(mut notes) = cut_to_sort(&text, Language::default()) else {
            let message =
                format!("the notes have more than {MOST_SORTED} lines, which is the most that is sorted");
            return Err(ToolFailure::rejected("startup_notes", message));
        };
        let count = notes.lines().count();
        let mut sorting = Sorting::default();
        for (id, value) in answers {
            let number: Option<usize> = id.trim_start_matches("line_").parse().ok();
            let place = value.as_str().and_then(Place::find);
            let (Some(number), Some(place)) = (number.filter(|number| (1..=count).contains(number)), place)
            else {
                let places = Place::ALL.map(Place::name).join(", ");
                let message = format!("there are {count} lines, and a line goes to one of: {places}");
                return Err(ToolFailure::rejected(id.as_str(), message));
            };
            sorting.placed.insert(number, place);
        }
        notes.sort(&sorting);
        sorted(arguments, &notes);
        Ok(())
    }
}

impl Asked for ProfileEdit {
    const FIELDS: Fields = Fields(&[
        (Source, "recruiter_input"),
        (Said, "position_title business_unit contribution_to_mission pay_range collective_agreement"),
        (Said, "team/{location,collaboration_style}"),
        (Number, "team/size"),
        (Choice, "country"),
        (Said, lists!("/add/*")),
        (Choice, lists!("/remove/*")),
        (Said, lists!("/replace/*/new")),
        (Choice, lists!("/replace/*/{old,part}")),
    ]);
}
