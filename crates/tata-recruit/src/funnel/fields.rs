//! What each field of the input is, and which of them a person is asked for.

use serde_json::{Map, Value, json};
use tata_core::{Field, FieldKind};

use super::{FunnelReport, Input, open_names};
use crate::{
    Kind, Project, Texts,
    form::{Asked, Known, NAMES, Need, Spec, field},
    input::{
        Fields, Grounded, InLanguage,
        Rule::{Choice, Number, Said, Source},
    },
    mapping::{MappingQuestion, NeedsMapping},
    profile,
};

impl Grounded for Input {
    const FIELDS: Fields = Fields(&[
        ("job_title", Said),
        ("number_of_positions", Number),
        ("hiring_manager_name", Said),
        ("locations/*", Said),
        ("attraction/job_ad_views", Number),
        ("attraction/apply_clicks", Number),
        ("attraction/applications_received", Number),
        ("attraction/qualified_applications", Number),
        ("sourcing/candidates_sourced", Number),
        ("sourcing/contacted", Number),
        ("sourcing/replied", Number),
        ("sourcing/interested", Number),
        ("sourcing/accepted", Number),
        ("sourcing/declined", Number),
        ("process/ta_screenings", Number),
        ("process/hm_interviews", Number),
        ("process/case_interviews", Number),
        ("process/team_interviews", Number),
        ("process/tests", Number),
        ("process/references", Number),
        ("process/offers_made", Number),
        ("process/offers_accepted", Number),
        ("process/offers_rejected", Number),
        ("time/job_ad_views", Number),
        ("time/apply_clicks", Number),
        ("time/applications_received", Number),
        ("time/qualified_applications", Number),
        ("time/candidates_sourced", Number),
        ("time/contacted", Number),
        ("time/replied", Number),
        ("time/interested", Number),
        ("time/ta_screenings", Number),
        ("time/hm_interviews", Number),
        ("time/case_interviews", Number),
        ("time/team_interviews", Number),
        ("time/tests", Number),
        ("time/references", Number),
        ("time/offers_made", Number),
        ("time/offers_accepted", Number),
        ("time/time_to_fill", Number),
        ("thresholds/*/stage", Choice),
        ("thresholds/*/high_below", Number),
        ("thresholds/*/medium_below", Number),
        ("thresholds/*/high_above_days", Number),
        ("thresholds/*/medium_above_days", Number),
        ("pasted_table", Source),
        ("mapping/**", Choice),
        ("language", Choice),
        ("german_form", Choice),
    ]);
}

impl InLanguage for Input {
    fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }
}

impl Asked for Input {
    const ASKS: &'static [Spec] = {
        use FieldKind::{Count, Material, Name, Text};
        use Need::Always;
        &[
            field("job_title", Text, Always),
            field("number_of_positions", Count, Always),
            field("hiring_manager_name", Name, Always),
            field("pasted_table", Material, Always),
        ]
    };

    fn known(project: &Project) -> Known {
        let report = project.read::<FunnelReport>(Kind::FunnelReport, "");
        Known {
            position: profile::position(project).is_some(),
            table: report.and_then(|report| report.reading),
            ..Known::default()
        }
    }

    fn more(arguments: &Map<String, Value>, known: &Known, texts: &Texts) -> Vec<Field> {
        names(arguments, known, texts).into_iter().flat_map(|open| open.questions).map(named).collect()
    }
}

/// The names of a table that are not certain.
pub(crate) fn names(arguments: &Map<String, Value>, known: &Known, texts: &Texts) -> Option<NeedsMapping> {
    let table = arguments.get("pasted_table").and_then(Value::as_str)?;
    let mapping = arguments.get("mapping").cloned().unwrap_or_else(|| json!({}));
    open_names(table, &serde_json::from_value(mapping).ok()?, known.table.as_ref(), texts)
}

/// A name of a table as a field.
fn named(question: MappingQuestion) -> Field {
    let label = |value: &String| {
        question.choices.iter().find(|choice| choice.value == *value).map(|choice| json!(choice.text))
    };
    let proposed = question.proposed.as_ref().and_then(label);
    let field = Field::new(format!("{NAMES}{}", question.label), FieldKind::Choice, question.question)
        .choices(question.choices.iter().map(|choice| choice.text.clone()))
        .values(question.choices.iter().map(|choice| choice.value.clone()));
    match proposed {
        Some(proposed) => field.proposed(proposed),
        None => field,
    }
}
