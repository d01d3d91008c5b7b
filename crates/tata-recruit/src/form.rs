//! What a tool asks for, as a form: the fields of its input that a person can fill, with the texts of the project.
//!
//! Each input says which fields those are; questions, reasons and names of choices are texts. What is long or written by a
//! model has no field.

use jiff::civil::Date;
use serde_json::{Map, Value, json};
use tata_core::{Field, FieldKind, Form, Problem, ToolFailure, put};
use tata_guided::{
    answer::{Answer, Period},
    form::{Filled, Setting},
};

use crate::{Language, Project, Texts, input::Fields, mapping::TableReading};

/// What the fields of a table's names begin with; the rest is the name, whatever stands in it.
pub(crate) const NAMES: &str = "mapping.";

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

/// What a tool is given: what each field of it is, and which of them a person fills as a form.
pub(crate) trait Asked: 'static {
    /// The rules of its fields.
    const FIELDS: Fields;
    /// The field that says in which language the document is to be.
    const LANGUAGE: &'static str = "language";
    /// Its fields, in the order in which they are asked.
    const ASKS: &'static [Spec] = &[];

    /// What the project knows, as far as these fields ask for it.
    fn known(_project: &Project) -> Known {
        Known::default()
    }

    /// Further fields that what is given brings with it.
    fn more(_arguments: &Map<String, Value>, _known: &Known, _texts: &Texts) -> Vec<Field> {
        Vec::new()
    }

    /// The lines of notes that have no place yet.
    fn lines(_arguments: &Map<String, Value>, _language: Language) -> Vec<Field> {
        Vec::new()
    }

    /// Puts the lines of notes where a program says.
    fn put_lines(
        _arguments: &mut Map<String, Value>,
        _answers: &[(&String, &Value)],
    ) -> Result<(), ToolFailure> {
        Err(no_notes())
    }
}

/// Lines were given a place, but there are no notes.
pub(crate) fn no_notes() -> ToolFailure {
    ToolFailure::rejected("startup_notes", "the lines of which notes? give startup_notes")
}

/// The form of a tool: every field, also those that are filled. None if the tool has no form.
pub(crate) fn form<Input: Asked>(
    arguments: &Map<String, Value>,
    known: &Known,
    texts: &Texts,
) -> Option<Form> {
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
            let labels: Vec<&str> =
                spec.choices.iter().map(|value| texts.get(&format!("guided.choice.{key}.{value}"))).collect();
            let mut field = Field::new(spec.id, spec.kind, texts.get(&format!("guided.field.{key}")))
                .choices(labels)
                .values(spec.choices.iter().copied());
            let need = needed(spec.need) && !(spec.id == "job_ad_text" && known.ad);
            field.required = need;
            field.behind = spec.id == "interview_date";
            let why = format!("guided.why.{key}");
            field.why = texts.has(&why).then(|| texts.get(&why).to_owned());
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
pub(crate) fn lacking<Input: Asked>(arguments: &Map<String, Value>, project: &Project) -> Option<Form> {
    let texts = project.texts();
    let mut whole = form::<Input>(arguments, &Input::known(project), texts)?;
    whole.fields.retain(|field| at(arguments, &field.id).is_none_or(|value| value.as_str() == Some("")));
    whole.fields.extend(Input::lines(arguments, project.voice().language()));
    (!whole.fields.is_empty()).then_some(whole)
}

/// The arguments with a program's answers in their places, each read by the parser of its field.
pub(crate) fn answered<Input: Asked>(
    mut arguments: Map<String, Value>,
    answers: &Map<String, Value>,
    today: Date,
) -> Result<Map<String, Value>, ToolFailure> {
    let texts = Project::default();
    let form = form::<Input>(&arguments, &Known::default(), texts.texts()).unwrap_or_default();
    let mut filled = Filled::new(form);
    let (lines, fields): (Vec<_>, Vec<_>) = answers.iter().partition(|(id, _)| id.starts_with("line_"));
    // A choice may be called by its label in any language, or as the arguments call it.
    let named = |id: &String, value: &Value| {
        let field = filled.form.fields.iter().find(|field| field.id == *id);
        let at = field.and_then(|field| {
            let value = value.as_str()?;
            let key = id.replace('.', "_");
            let place = field.choices.iter().position(|label| label == value);
            place.or_else(|| {
                field.values.iter().position(|name| {
                    *name == value
                        || Language::ALL.into_iter().any(|language| {
                            let texts = Texts::of(crate::Voice::new(language, crate::GermanForm::default()));
                            texts.get(&format!("guided.choice.{key}.{name}")) == value
                        })
                })
            })
        });
        at.map_or_else(|| value.clone(), |at| json!(at + 1))
    };
    let given: Map<String, Value> =
        fields.into_iter().map(|(id, value)| (id.clone(), named(id, value))).collect();
    let setting = Setting::new(Language::En, today);
    let refused =
        filled.take(&json!(given), setting).map_err(|bad| ToolFailure::rejected("", bad.to_string()))?;
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
pub(crate) fn lay(arguments: &mut Map<String, Value>, filled: &Filled) {
    for field in &filled.form.fields {
        if let Some(answer) = filled.answer(&field.id) {
            match field.id.strip_prefix(NAMES) {
                Some(name) => put_name(arguments, name, argument(field, answer)),
                None => put(arguments, &field.id, argument(field, answer)),
            }
        }
    }
}

fn put_name(arguments: &mut Map<String, Value>, name: &str, value: Value) {
    let names = arguments.entry("mapping").or_insert_with(|| json!({}));
    if let Some(names) = names.as_object_mut() {
        names.insert(name.to_owned(), value);
    }
}

fn argument(field: &Field, answer: &Answer) -> Value {
    match answer {
        Answer::Duration(length) => json!(length.days * 24 * 60 + length.minutes),
        Answer::Money(money) => json!({
            "min": money.from / 100,
            "max": money.to.unwrap_or(money.from) / 100,
            "currency": money.currency.name(),
            "period": match money.period { Period::Hour => "hour", Period::Month => "month", Period::Year => "year" },
        }),
        Answer::Choice(_) => field.argument(answer.to_json()),
        Answer::Date(_)
        | Answer::Time(_)
        | Answer::Count(_)
        | Answer::YesNo(_)
        | Answer::Name(_)
        | Answer::List(_)
        | Answer::Email(_)
        | Answer::Text(_)
        | Answer::Material(_) => answer.to_json(),
    }
}

/// The value at a dotted path.
pub(crate) fn at<'a>(arguments: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    if let Some(name) = path.strip_prefix(NAMES) {
        return arguments.get("mapping")?.get(name);
    }
    let mut parts = path.split('.');
    let mut value = arguments.get(parts.next()?)?;
    for part in parts {
        value = value.get(part)?;
    }
    Some(value).filter(|value| !value.is_null())
}
