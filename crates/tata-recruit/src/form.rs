//! What a tool asks for, as a form: the fields of its input that a person can fill, with the texts of the project.
//!
//! Each input says which fields those are; questions, reasons and names of choices are texts. What is long or written by a
//! model has no field.

use jiff::civil::Date;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tata_core::{Field, FieldKind, Form, Problem, ToolFailure, put};
use tata_guided::{
    answer::{Answer, Context},
    form::Filled,
};

use crate::{
    Key, Kind, Language, Project, Texts, Voice, input::Fields, mapping::TableReading, profile::position,
    profile_of,
};

/// What the fields of a table's names begin with; the rest is the name, whatever stands in it.
pub(crate) const NAMES: &str = "mapping.";

/// What a tool is called with.
pub(crate) type Arguments = Map<String, Value>;

/// Whether a field must be filled.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    Always,
    /// Only if this argument has this value.
    If(&'static str, &'static str),
    Never,
}

/// A field of a tool.
pub(crate) struct Spec {
    id: &'static str,
    kind: FieldKind,
    need: Need,
    /// What the choices are called in the arguments.
    choices: &'static [&'static str],
}

pub(crate) const fn field(id: &'static str, kind: FieldKind, need: Need) -> Spec {
    Spec { id, kind, need, choices: &[] }
}

pub(crate) const fn choice(id: &'static str, need: Need, choices: &'static [&'static str]) -> Spec {
    Spec { id, kind: FieldKind::Choice, need, choices }
}

/// What is known of the project without asking.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    pub(crate) position: bool,
    pub(crate) ad: bool,
    pub(crate) pay: bool,
    /// How the last table of figures was read.
    pub(crate) table: Option<TableReading>,
}

impl Known {
    /// Of a project as it is stored.
    fn of(project: &Project) -> Self {
        let report = project.stored(Kind::FunnelReport, "");
        Self {
            position: position(project).is_some(),
            ad: project.stored(Kind::JobAd, "").is_some(),
            pay: profile_of(project).is_some_and(|profile| profile.pay_range.is_some()),
            table: report.and_then(|report| TableReading::deserialize(&report.json["reading"]).ok()),
        }
    }
}

/// What a tool is given: what each field of it is, and which of them a person fills as a form.
pub(crate) trait Asked: 'static {
    /// The rules of its fields.
    const FIELDS: Fields;
    /// The field that says in which language the document is to be.
    const LANGUAGE: &'static str = "language";
    /// Its fields, in the order in which they are asked.
    const ASKS: &'static [Spec] = &[];

    /// Further fields that what is given brings with it.
    fn more(_arguments: &Arguments, _known: &Known, _texts: &Texts) -> Vec<Field> {
        Vec::new()
    }

    /// The lines of notes that have no place yet.
    fn lines(_arguments: &Arguments, _language: Language) -> Vec<Field> {
        Vec::new()
    }

    /// Puts the lines of notes where a program says.
    fn put_lines(_arguments: &mut Arguments, _answers: &[(&String, &Value)]) -> Result<(), ToolFailure> {
        Err(no_notes())
    }
}

/// Lines were given a place, but there are no notes.
pub(crate) fn no_notes() -> ToolFailure {
    ToolFailure::rejected("startup_notes", "the lines of which notes? give startup_notes")
}

/// The form of a tool: every field, also those that are filled. None if the tool has no form.
pub(crate) fn form<Input: Asked>(arguments: &Arguments, known: &Known, texts: &Texts) -> Option<Form> {
    let needed = |need: Need| match need {
        Need::Always => true,
        Need::If(path, value) => at(arguments, path).is_some_and(|found| found == value),
        Need::Never => false,
    };
    let mut fields: Vec<Field> = Input::ASKS
        .iter()
        .filter(|spec| match spec.id {
            // What the project knows is not asked.
            "position_name" | "job_title" => !known.position || at(arguments, spec.id).is_some(),
            "pay_range" => !known.pay || at(arguments, spec.id).is_some(),
            _ => true,
        })
        .map(|spec| {
            let key = spec.id.replace('.', "_");
            let labels: Vec<&str> = spec
                .choices
                .iter()
                .map(|value| texts.get(group!("guided.choice").key(format_args!("{key}.{value}"))))
                .collect();
            let mut field = Field::new(spec.id, spec.kind, texts.get(group!("guided.field").key(&key)))
                .choices(labels)
                .values(spec.choices.iter().copied());
            field.required = needed(spec.need) && !(spec.id == "job_ad_text" && known.ad);
            field.behind = spec.id == "interview_date";
            let why = Key::find(&format!("guided.why.{key}"));
            field.why = why.map(|why| texts.get(why).to_owned());
            if spec.id == "booking_method" {
                field.proposed = field.choices.first().map(|label| json!(label));
            }
            field
        })
        .collect();
    fields.extend(Input::more(arguments, known, texts));
    (!fields.is_empty()).then(|| Form::new(fields))
}

/// What a call lacks, for programs: the fields that have no value yet, and the lines of notes that have no place.
pub(crate) fn lacking<Input: Asked>(arguments: &Arguments, project: &Project) -> Option<Form> {
    let texts = project.texts();
    let mut whole = form::<Input>(arguments, &Known::of(project), texts)?;
    whole.fields.retain(|field| at(arguments, &field.id).is_none_or(|value| value.as_str() == Some("")));
    whole.fields.extend(Input::lines(arguments, project.voice().language()));
    (!whole.fields.is_empty()).then_some(whole)
}

/// The arguments with a program's answers in their places, each read by the parser of its field.
pub(crate) fn answered<Input: Asked>(
    mut arguments: Arguments,
    answers: &Arguments,
    today: Date,
) -> Result<Arguments, ToolFailure> {
    let form = form::<Input>(&arguments, &Known::default(), Texts::of(Voice::En)).unwrap_or_default();
    let mut filled = Filled::new(form);
    let (lines, fields): (Vec<_>, Vec<_>) = answers.iter().partition(|(id, _)| id.starts_with("line_"));
    // A choice may be called by its label in any language, or as the arguments call it.
    let place = |id: &String, value: &Value| {
        let (field, value) = (filled.form.fields.iter().find(|field| field.id == *id)?, value.as_str()?);
        let in_a_language = |name: &String| {
            let key = group!("guided.choice").find(format_args!("{}.{name}", id.replace('.', "_")));
            key.is_some_and(|key| Voice::ALL.into_iter().any(|voice| Texts::of(voice).get(key) == value))
        };
        let mut choices = field.choices.iter().zip(&field.values);
        choices.position(|(label, name)| label == value || name == value || in_a_language(name))
    };
    let named =
        |id: &String, value: &Value| place(id, value).map_or_else(|| value.clone(), |place| json!(place + 1));
    let given: Arguments = fields.into_iter().map(|(id, value)| (id.clone(), named(id, value))).collect();
    let context = Context::new(Language::En, today);
    let refused =
        filled.take(&json!(given), context).map_err(|bad| ToolFailure::rejected("", bad.to_string()))?;
    if !refused.is_empty() {
        let problems = refused.into_iter().map(|refused| {
            let readings: Vec<String> = refused.readings.iter().map(Value::to_string).collect();
            let hint = (!readings.is_empty()).then(|| readings.join(" | "));
            Problem { field: refused.id, message: refused.problem.to_string(), hint }
        });
        return Err(ToolFailure::Rejected { problems: problems.collect() });
    }
    lay(&mut arguments, &filled);
    if !lines.is_empty() {
        Input::put_lines(&mut arguments, &lines)?;
    }
    Ok(arguments)
}

/// Puts answers into the arguments, as the tool takes them.
pub(crate) fn lay(arguments: &mut Arguments, filled: &Filled) {
    for field in &filled.form.fields {
        if let Some(answer) = filled.answer(&field.id) {
            let value = argument(field, answer);
            match field.id.strip_prefix(NAMES) {
                Some(name) => {
                    let names = arguments.entry("mapping").or_insert_with(|| json!({}));
                    names.as_object_mut().map(|names| names.insert(name.to_owned(), value));
                }
                None => put(arguments, &field.id, value),
            }
        }
    }
}

fn argument(field: &Field, answer: &Answer) -> Value {
    if let Answer::Duration(length) = answer {
        return json!(length.days * 24 * 60 + length.minutes);
    }
    let Answer::Money(money) = answer else { return field.argument(answer.to_json()) };
    json!({
        "min": money.from / 100,
        "max": money.to.unwrap_or(money.from) / 100,
        "currency": money.currency.name(),
        "period": money.period.name(),
    })
}

/// The value at a dotted path.
pub(crate) fn at<'a>(arguments: &'a Arguments, path: &str) -> Option<&'a Value> {
    if let Some(name) = path.strip_prefix(NAMES) {
        return arguments.get("mapping")?.get(name);
    }
    let mut parts = path.split('.');
    let first = arguments.get(parts.next()?)?;
    let value = parts.try_fold(first, |value, part| value.get(part))?;
    Some(value).filter(|value| !value.is_null())
}
