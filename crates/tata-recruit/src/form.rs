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

use tata_phrases::whole_words;

use crate::{
    GermanForm, Key, Kind, Language, Profile, Project, Texts, Voice, input::Fields, mapping::TableReading,
    profile::position, profile_of,
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
    /// What an ad takes from its profile.
    pub(crate) terms: Vec<&'static str>,
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
            terms: profile_of(project).map(|profile| terms_of(&profile)).unwrap_or_default(),
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

/// The fields of an ad that its profile fills.
pub(crate) fn terms_of(profile: &Profile) -> Vec<&'static str> {
    let known = [
        ("apply_by", names_deadline(profile)),
        ("contract_type", !profile.employment.is_empty()),
        ("process_steps", !profile.process_steps.is_empty()),
        ("work_place", profile.team_info.location.is_some()),
    ];
    known.into_iter().filter(|(_, known)| *known).map(|(id, _)| id).collect()
}

/// Whether a profile says until when people apply.
fn names_deadline(profile: &Profile) -> bool {
    Language::ALL.into_iter().any(|language| {
        let cues = Texts::of(Voice::new(language, GermanForm::Sie)).list(key!("job_ad.cues.deadline"));
        profile.dates.iter().any(|item| {
            let said = format!(" {} ", item.text.to_lowercase());
            cues.iter().any(|cue| whole_words(&said, &cue.to_lowercase()).next().is_some())
        })
    })
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
            id if known.terms.contains(&id) => at(arguments, spec.id).is_some(),
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
    let (lines, fields): (Vec<_>, Vec<_>) = answers.iter().partition(|(id, _)| id.starts_with("line_"));
    let mut left: Arguments = fields.into_iter().map(|(id, value)| (id.clone(), value.clone())).collect();
    // An answer may bring fields with it, and the same answers may fill them: the names of a table.
    while !left.is_empty() {
        let form = form::<Input>(&arguments, &Known::default(), Texts::of(Voice::En)).unwrap_or_default();
        let is_asked = |id: &String| form.fields.iter().any(|field| field.id == *id);
        let (asked, later): (Arguments, Arguments) = left.into_iter().partition(|(id, _)| is_asked(id));
        let unknown = asked.is_empty();
        let (asked, later) = if unknown { (later, asked) } else { (asked, later) };
        // What no form asks for is refused, with what is asked.
        arguments = taken::<Input>(arguments, form, &asked, today)?;
        left = later;
    }
    if !lines.is_empty() {
        Input::put_lines(&mut arguments, &lines)?;
    }
    Ok(arguments)
}

/// The arguments with the answers to the fields of one form.
fn taken<Input: Asked>(
    mut arguments: Arguments,
    form: Form,
    answers: &Arguments,
    today: Date,
) -> Result<Arguments, ToolFailure> {
    let mut filled = Filled::new(form);
    // A choice may be called by its label in any language, or as the arguments call it: what was proposed to somebody is
    // an answer, whatever language they were asked in.
    let elsewhere: Vec<Form> = Voice::ALL
        .into_iter()
        .filter_map(|voice| self::form::<Input>(&arguments, &Known::default(), Texts::of(voice)))
        .collect();
    let named = |id: &String, value: &Value| {
        let field = filled.form.fields.iter().find(|field| field.id == *id)?;
        let wanted = value.as_str()?;
        let by_name = field.values.iter().position(|name| name == wanted);
        let labels = |form: &Form| {
            let field = form.fields.iter().find(|field| field.id == *id)?;
            field.choices.iter().position(|label| label == wanted)
        };
        by_name.or_else(|| elsewhere.iter().find_map(labels)).map(|place| json!(place + 1))
    };
    let given: Arguments = answers
        .iter()
        .map(|(id, value)| (id.clone(), named(id, value).unwrap_or_else(|| value.clone())))
        .collect();
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
        "min": money.least().map(|sum| sum / 100),
        "max": money.most().map(|sum| sum / 100),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FunnelInput;

    /// A table, and what its names are, in one set of answers: each in the words in which it was proposed to somebody.
    #[test]
    fn what_was_proposed_is_an_answer_in_every_language() {
        let table = "Views: 1200\nApplications: 60\nVorauswahl: 40\nInterviews: 12\nHired: 1";
        let mut brought = Arguments::new();
        put(&mut brought, "pasted_table", json!(table));
        let mut taken = Vec::new();
        for voice in Voice::ALL {
            let form = form::<FunnelInput>(&brought, &Known::default(), Texts::of(voice)).unwrap();
            let name = form.fields.iter().find(|field| field.id == "mapping.Vorauswahl").unwrap();
            let mut answers = brought.clone();
            answers.insert(name.id.clone(), json!(name.choices.get(3).unwrap()));
            let today = Date::constant(2026, 11, 19);
            let arguments = answered::<FunnelInput>(Arguments::new(), &answers, today).unwrap();
            taken.push(arguments["mapping"]["Vorauswahl"].clone());
        }
        assert!(taken.iter().all(|one| *one == taken[0] && one.is_string()), "{taken:?}");
        let stray = json!({ "pasted_table": table, "town": "Oslo" });
        let refused = answered::<FunnelInput>(Arguments::new(), stray.as_object().unwrap(), Date::ZERO);
        assert!(format!("{refused:?}").contains("is no field of this form"), "{refused:?}");
    }
}
