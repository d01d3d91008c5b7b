//! A form on the screen, and in a note.

use serde_json::{Value, json};
use tata_core::{Field, FieldKind};
use tata_guided::{
    answer::{Answer, Bound, Context, Problem},
    form::{Entry, Filled},
};

use super::say;
use crate::{Texts, clip, form::Arguments};

/// More choices stand below the questions, not in them.
const MOST_CHOICES: usize = 6;
/// So many characters of an answer are shown again.
const MOST_NOTED: usize = 60;

/// What a form knows, with its proposals.
pub(super) fn stored(filled: &Filled) -> Value {
    let mut state = filled.state();
    let proposed: Vec<Value> =
        filled.form.fields.iter().map(|field| field.proposed.clone().unwrap_or_default()).collect();
    state["proposed"] = json!(proposed);
    state
}

/// Fills what the arguments say.
pub(super) fn prefill(filled: &mut Filled, arguments: &Arguments, context: Context<'_>) {
    for field in filled.form.fields.clone() {
        let Some(value) = crate::form::at(arguments, &field.id) else { continue };
        let place = field.values.iter().position(|name| value == name.as_str());
        let label = place.and_then(|place| field.choices.get(place)).map(|label| json!(label));
        filled.prefill(&field.id, &label.unwrap_or_else(|| sum(&field, value)), context);
    }
}

/// A pay as its field takes it: in hundredths.
fn sum(field: &Field, value: &Value) -> Value {
    let hundredths = |name: &str| value[name].as_u64().map(|whole| whole.saturating_mul(100));
    let (from, to, bound) = match (hundredths("min"), hundredths("max")) {
        _ if field.kind != FieldKind::Money => return value.clone(),
        (Some(from), Some(to)) => (from, Some(to), Bound::Exact),
        (Some(from), None) => (from, None, Bound::AtLeast),
        (None, Some(to)) => (to, None, Bound::AtMost),
        (None, None) => return value.clone(),
    };
    json!({
        "from": from, "to": to, "bound": bound, "period": value["period"],
        "currency": value["currency"].as_str().unwrap_or_default().to_lowercase(),
    })
}

/// A field that takes nearly anything.
pub(super) fn is_free(field: &Field) -> bool {
    matches!(field.kind, FieldKind::Text | FieldKind::List | FieldKind::Name)
}

/// The fields that wait, with their places.
pub(super) fn waiting(filled: &Filled) -> impl Iterator<Item = (usize, &Field)> {
    filled.waiting().into_iter().filter_map(|at| Some((at, filled.form.fields.get(at)?)))
}

/// The fields that wait, each with its number.
pub(super) fn shown(filled: &Filled, texts: &Texts) -> String {
    let waiting = || waiting(filled);
    let line = |(at, field): (usize, &Field)| {
        let mut notes: Vec<String> = Vec::new();
        if (1..=MOST_CHOICES).contains(&field.choices.len()) {
            notes.push(field.choices.join(" / "));
        }
        if !field.required {
            notes.push(texts.get(key!("guided.form.optional")).to_owned());
        }
        if let Some(value) = field.proposed.as_ref().and_then(Value::as_str) {
            notes.push(texts.say(key!("guided.form.proposed"), &[("value", value)]));
        }
        let notes = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        format!("{}. {}{notes}", at + 1, field.question)
    };
    let mut lines: Vec<String> = waiting().map(line).collect();
    // Long lists are the same for every name of a table: once is enough.
    let choices = waiting().map(|(_, field)| &field.choices);
    let mut long: Vec<&Vec<String>> = choices.filter(|choices| choices.len() > MOST_CHOICES).collect();
    long.dedup();
    lines.extend(long.into_iter().map(|choices| {
        let numbered = (1..).zip(choices).map(|(number, choice)| format!("{number} {choice}"));
        let numbered: Vec<String> = numbered.collect();
        format!("\n{}", texts.say(key!("guided.form.choices"), &[("choices", &numbered.join("; "))]))
    }));
    lines.join("\n")
}

/// What is answered already.
pub(super) fn noted(filled: &Filled, texts: &Texts) -> String {
    let item = |(at, entry): (usize, &Entry)| {
        let Entry::Answered(answer) = entry else { return None };
        let value = answer.shown(texts.language()).replace('\n', ", ");
        let start = clip::start(&value, MOST_NOTED);
        let more = if start.len() < value.len() { " …" } else { "" };
        Some(format!("{} = {start}{more}", at + 1))
    };
    let items: Vec<String> = filled.entries.iter().enumerate().filter_map(item).collect();
    if items.is_empty() {
        String::new()
    } else {
        texts.say(key!("guided.form.noted"), &[("items", &items.join("; "))])
    }
}

pub(super) fn refusals(refused: &[(usize, String, Problem)], texts: &Texts) -> String {
    let line = |(at, _, problem): &(usize, String, Problem)| {
        format!("{}: {}", at + 1, texts.get(group!("guided").key(problem.key())))
    };
    refused.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// The readings of an answer that has several.
pub(super) fn readings(filled: &Filled, at: usize, said: &str, texts: &Texts) -> String {
    let Some(Entry::Unsure(several)) = filled.entries.get(at) else { return String::new() };
    let shown = |answer: &Answer| answer.shown(texts.language()).replace('\n', "; ");
    let lines: Vec<String> = several.iter().map(shown).collect();
    let lead = texts.say(key!("guided.form.choose"), &[("text", said), ("number", &(at + 1).to_string())]);
    say::joined(&[lead, say::numbered(&lines)])
}
