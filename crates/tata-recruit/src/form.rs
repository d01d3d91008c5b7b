//! What each tool asks for, as a form: the fields of its input that a person can fill, with the texts of the project.
//!
//! One table for all tools; questions, reasons and names of choices are texts. What is long or written by a model has no
//! field.

use jiff::civil::Date;
use serde_json::{Map, Value, json};
use tata_core::{Field, FieldKind, Form, Problem, ToolFailure, put};
use tata_guided::{
    answer::{Answer, Period},
    form::{Filled, Setting},
    sort::{Place, Role},
};

use crate::{
    FunnelReport, Kind, Language, MappingQuestion, NeedsMapping, Project, Source, TableReading, Texts,
    funnel::open_names,
    profile::{self, cut},
};

/// What the fields of a table's names begin with; the rest is the name, whatever stands in it.
pub(crate) const NAMES: &str = "mapping.";

/// Whether a field must be filled.
#[derive(Clone, Copy)]
enum Need {
    Always,
    /// Only if this argument has this value.
    If(&'static str, &'static str),
    Never,
}

/// A field of a tool.
struct Spec {
    id: &'static str,
    kind: FieldKind,
    need: Need,
    /// What the choices are called in the arguments.
    choices: &'static [&'static str],
}

const fn field(id: &'static str, kind: FieldKind, need: Need) -> Spec {
    Spec { id, kind, need, choices: &[] }
}

const fn choice(id: &'static str, need: Need, choices: &'static [&'static str]) -> Spec {
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
    pub(crate) fn of(project: &Project) -> Self {
        Self {
            position: profile::position(project).is_some(),
            ad: project.stored(Kind::JobAd, "").is_some(),
            pay: profile::of(project).is_some_and(|profile| profile.pay_range.is_some()),
            table: project.read::<FunnelReport>(Kind::FunnelReport, "").and_then(|report| report.reading),
        }
    }
}

/// The fields of a tool, in the order in which they are asked.
fn specs(tool: &str) -> &'static [Spec] {
    use FieldKind::{Count, Date, Duration, Email, List, Material, Money, Name, Text, Time};
    use Need::{Always, If, Never};
    const PROFILE: &[Spec] =
        &[field("position_title", Text, Always), field("startup_notes", Material, Always)];
    const AD: &[Spec] = &[
        field("apply_by", Date, Never),
        field("contact.name", Name, Never),
        field("contact.email", Email, Never),
        field("contract_type", Text, Never),
        field("work_place", Text, Never),
        field("pay_range", Money, Never),
    ];
    const REPORT: &[Spec] = &[
        field("candidate_name", Name, Always),
        field("interview_date", Date, Always),
        field("transcript", Material, Always),
        field("candidate_speaker", Text, Never),
    ];
    const FUNNEL: &[Spec] = &[
        field("job_title", Text, Always),
        field("number_of_positions", Count, Always),
        field("hiring_manager_name", Name, Always),
        field("pasted_table", Material, Always),
    ];
    const INVITE: &[Spec] = &[
        field("position_name", Text, Always),
        field("candidate_name", Name, Never),
        choice("interview_type", Always, &["ta_screening", "hiring_manager", "case", "team"]),
        choice("location_type", Always, &["teams", "onsite"]),
        choice("city", If("location_type", "onsite"), &["stockholm", "copenhagen", "oslo"]),
        choice("booking_method", Always, &["manual", "jobylon"]),
        field("date", Date, If("booking_method", "manual")),
        field("time", Time, If("booking_method", "manual")),
        field("duration", Duration, Always),
        field("hiring_manager.name", Name, Always),
        field("hiring_manager.title", Text, Never),
    ];
    const REVIEW: &[Spec] = &[field("job_ad_text", Material, Always)];
    const COMPARE: &[Spec] = &[field("candidate_keys", List, Never)];
    const SCREENING: &[Spec] = &[field("additional_areas", List, Never)];
    const HEADHUNTING: &[Spec] = &[field("candidate_profile", Material, Never)];
    const PROJECT: &[Spec] =
        &[choice("language", Never, &["en", "sv", "da", "no", "de"]), field("position_name", Text, Never)];
    match tool {
        "create_requirement_profile" => PROFILE,
        "create_job_ad" => AD,
        "create_candidate_report" => REPORT,
        "create_funnel_report" => FUNNEL,
        "create_calendar_invite" => INVITE,
        "create_di_review" | "create_job_ad_review" => REVIEW,
        "compare_candidates" => COMPARE,
        "create_ta_screening_template" | "create_hm_screening_template" => SCREENING,
        "create_headhunting_messages" => HEADHUNTING,
        "set_project" => PROJECT,
        _ => &[],
    }
}

/// The form of a tool: every field, also those that are filled. None if the tool has no form.
pub(crate) fn form(tool: &str, arguments: &Map<String, Value>, known: &Known, texts: &Texts) -> Option<Form> {
    let needed = |need: Need| match need {
        Need::Always => true,
        Need::If(path, value) => at(arguments, path).is_some_and(|found| found == value),
        Need::Never => false,
    };
    let mut fields: Vec<Field> = specs(tool)
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
    if tool == "create_funnel_report" {
        fields.extend(names(arguments, known, texts).into_iter().flat_map(|open| open.questions).map(named));
    }
    (!fields.is_empty()).then(|| Form::new(fields))
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

/// What a call lacks, for programs: the fields that have no value yet, and the lines of notes that have no place.
pub(crate) fn lacking(tool: &str, arguments: &Map<String, Value>, project: &Project) -> Option<Form> {
    let texts = project.texts();
    let mut whole = form(tool, arguments, &Known::of(project), texts)?;
    whole.fields.retain(|field| at(arguments, &field.id).is_none_or(|value| value.as_str() == Some("")));
    if tool == "create_requirement_profile"
        && let Some(notes) = arguments.get("startup_notes").and_then(Value::as_str)
    {
        let notes = cut(notes, project.voice().language());
        whole.fields.extend(notes.form().fields);
    }
    (!whole.fields.is_empty()).then_some(whole)
}

/// The arguments with a program's answers in their places, each read by the parser of its field.
pub(crate) fn answered(
    tool: &str,
    mut arguments: Map<String, Value>,
    answers: &Map<String, Value>,
    today: Date,
) -> Result<Map<String, Value>, ToolFailure> {
    let texts = Project::default();
    let form = form(tool, &arguments, &Known::default(), texts.texts()).unwrap_or_default();
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
    let setting = Setting::new(tata_language::Language::En, today);
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
        let Some(text) = arguments.get("startup_notes").and_then(Value::as_str).map(str::to_owned) else {
            return Err(ToolFailure::rejected(
                "startup_notes",
                "the lines of which notes? give startup_notes",
            ));
        };
        let mut notes = cut(&text, Language::default());
        let count = notes.lines().count();
        for (id, value) in lines {
            let number: Option<usize> = id.trim_start_matches("line_").parse().ok();
            let place = value.as_str().and_then(Place::find);
            let (Some(number), Some(place)) = (number.filter(|number| (1..=count).contains(number)), place)
            else {
                let places: Vec<&str> = Place::ALL.into_iter().map(Place::name).collect();
                let message =
                    format!("there are {count} lines, and a line goes to one of: {}", places.join(", "));
                return Err(ToolFailure::rejected(id.as_str(), message));
            };
            if let Some(line) =
                notes.pieces.iter_mut().filter(|piece| piece.role == Role::Line).nth(number - 1)
            {
                line.place = Some(place);
            }
        }
        sorted(&mut arguments, &notes);
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
            "currency": money.currency.code(),
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

/// Puts sorted notes into the arguments of a new profile: every line where the person said, word for word.
pub(crate) fn sorted(arguments: &mut Map<String, Value>, notes: &tata_guided::sort::Notes) {
    let of = |place: Place| notes.lines().filter(move |line| line.place == Some(place));
    for (name, place) in [
        ("must_haves", Place::Must),
        ("responsibilities", Place::Task),
        ("good_to_haves", Place::Good),
        ("soft_skills", Place::Trait),
        ("motivations", Place::Reason),
        ("performance_measures", Place::Measure),
        ("challenges", Place::Challenge),
    ] {
        let said: Vec<Value> = of(place)
            .map(|line| json!({ "text": line.text, "source": Source::StartupNotes.name() }))
            .collect();
        put(arguments, name, json!(said));
    }
    let first = |place: Place| of(place).next().map(|line| line.text.clone());
    for (path, place) in [
        ("enrichments.business_unit", Place::Company),
        ("enrichments.team.collaboration_style", Place::Team),
        ("enrichments.team.location", Place::Place),
    ] {
        if let Some(text) = first(place) {
            put(arguments, path, json!(text));
        }
    }
    let text = notes.lines().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    let language = crate::identify(&text).map_or(Language::default(), |found| found.language);
    if let Some(pay) = first(Place::Pay).and_then(|text| profile::pay_within(&text, language)) {
        put(arguments, "enrichments.pay_range", json!(pay));
    }
    let size = of(Place::Team).find_map(|line| profile::people(&line.text));
    if let Some(size) = size {
        put(arguments, "enrichments.team.size", json!(size));
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
