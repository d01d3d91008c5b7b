//! What each field of the input is, and which of them a person is asked for.

use serde_json::{Map, Value, json};
use tata_core::{Field, FieldKind};

use super::{FunnelReport, Input, open_names};
use crate::{
    Kind, Project, Texts,
    form::{Asked, Known, NAMES, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Number, Said, Source},
    },
    mapping::{MappingQuestion, NeedsMapping},
    profile,
};

impl Asked for Input {
    const FIELDS: Fields = Fields(&[
        (Said, "job_title hiring_manager_name locations/*"),
        (Number, "number_of_positions"),
        (Number, "{attraction,time}/{job_ad_views,apply_clicks}"),
        (Number, "{attraction,time}/{applications_received,qualified_applications}"),
        (Number, "{sourcing,time}/{candidates_sourced,contacted,replied,interested}"),
        (Number, "sourcing/{accepted,declined}"),
        (Number, "{process,time}/{ta_screenings,hm_interviews,case_interviews,team_interviews}"),
        (Number, "{process,time}/{tests,references,offers_made,offers_accepted}"),
        (Number, "process/offers_rejected time/time_to_fill"),
        (Choice, "thresholds/*/stage"),
        (Number, "thresholds/*/{high_below,medium_below,high_above_days,medium_above_days}"),
        (Source, "pasted_table"),
        (Choice, "mapping/** language german_form"),
    ]);
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
    let proposed = question.proposal().map(|choice| json!(choice.text));
    let field = Field::new(format!("{NAMES}{}", question.label), FieldKind::Choice, question.question)
        .choices(question.choices.iter().map(|choice| choice.text.clone()))
        .values(question.choices.iter().map(|choice| choice.value.clone()));
    Field { proposed, ..field }
}
