//! What each field of the input is, and which of them a person is asked for.

use std::collections::BTreeMap;

use serde_json::json;
use tata_core::{Field, FieldKind};

use super::{Input, MOST_BYTES, import, mapping::Answers};
use crate::{
    Refusal, Texts,
    form::{Arguments, Asked, Known, NAMES, Need, Spec, field},
    input::{
        Fields,
        Rule::{Choice, Number, Said, Source},
    },
    mapping::{MappingQuestion, NeedsMapping},
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

    fn more(arguments: &Arguments, known: &Known, texts: &Texts) -> Vec<Field> {
        names(arguments, known, texts).into_iter().flat_map(|open| open.questions).map(named).collect()
    }
}

/// What a table and the answers so far leave open: every name that is not certain, also those answered already, so that
/// an answer can be changed.
pub(crate) fn names(arguments: &Arguments, known: &Known, texts: &Texts) -> Option<NeedsMapping> {
    let table = arguments.get("pasted_table")?.as_str().filter(|table| table.len() <= MOST_BYTES)?;
    let mapping = arguments.get("mapping").cloned().unwrap_or_else(|| json!({}));
    let mapping: BTreeMap<String, String> = serde_json::from_value(mapping).ok()?;
    let needs = |mapping: &BTreeMap<String, String>| {
        let mut refusal = Refusal::default();
        let answers = Answers::of(mapping, texts, &mut refusal);
        import::read(table, answers, known.table.as_ref(), texts, &mut refusal);
        refusal.mapping
    };
    let mut all = needs(&BTreeMap::new())?;
    let later = needs(&mapping).filter(|_| !mapping.is_empty());
    for question in later.into_iter().flat_map(|later| later.questions) {
        if !all.questions.iter().any(|known| known.label == question.label) {
            all.questions.push(question);
        }
    }
    Some(*all)
}

/// A name of a table as a field.
fn named(question: MappingQuestion) -> Field {
    let proposed = question.proposal().map(|choice| json!(choice.text));
    let field = Field::new(format!("{NAMES}{}", question.label), FieldKind::Choice, question.question)
        .choices(question.choices.iter().map(|choice| choice.text.clone()))
        .values(question.choices.iter().map(|choice| choice.value.clone()));
    Field { proposed, ..field }
}
