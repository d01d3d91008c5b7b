//! A tool's form beside the conversation: all it needs at once, answers that are kept, what is wrong said where it is.
//!
//! Nothing is remembered between two requests: the page sends every answer again, so a form can be left and sent from
//! anywhere. What is asked only because of an answer (the lines of notes, the names of a table) joins the form below it.

use axum::{extract::Path, response::Response};
use serde_json::{Map, Value, json};
use tata_core::{ArtifactKind, Entry, Field, FieldKind, Form, Session, Tool, ToolContext, ToolFailure};

use super::{
    chat::{self, Looking},
    turns::document_address,
    ui::{Ui, see},
    upload::Sent,
};
use crate::{
    Problem,
    api::{catalog, sessions},
    files,
    state::Named,
};

/// What the places of lines are called, and the words of the line each was chosen for.
const LINE: &str = "line_";
const TEXT_OF: &str = "text.line_";
/// How often an answer may bring new questions: a column of a table brings its rows.
const MOST_ROUNDS: usize = 5;

/// A form as the page shows it.
pub(crate) struct FormView {
    pub(crate) tool: String,
    pub(crate) title: String,
    pub(crate) fields: Vec<FieldView>,
    /// The lines of a text, each with its place.
    pub(crate) lines: Vec<FieldView>,
    /// What is wrong with the whole.
    pub(crate) problem: Option<String>,
    /// A file may bring the text that is asked for.
    pub(crate) takes_file: bool,
}

/// A field.
pub(crate) struct FieldView {
    pub(crate) id: String,
    /// Its name in the page, which knows no dots.
    pub(crate) mark: String,
    pub(crate) question: String,
    pub(crate) why: Option<String>,
    pub(crate) required: bool,
    pub(crate) shape: Shape,
    pub(crate) value: String,
    pub(crate) problem: Option<String>,
}

/// How a field is filled in.
pub(crate) enum Shape {
    /// One line, by the type of its input.
    Line(&'static str),
    /// Many lines.
    Area,
    /// One of these: what is sent, and what it is called.
    Choice(Vec<(String, String)>),
}

impl FieldView {
    /// Whether this choice is the one that was made.
    pub(crate) fn is(&self, value: &str) -> bool {
        self.value == value
    }
}

/// What was typed, and what is wrong with it.
#[derive(Default)]
struct Typed {
    values: Vec<(String, String)>,
    problems: Vec<(String, String)>,
    whole: Option<String>,
}

impl Typed {
    fn value(&self, id: &str) -> Option<&str> {
        self.values.iter().find(|(name, _)| name == id).map(|(_, value)| value.as_str())
    }

    /// Lets the places of lines follow their texts: whoever changes the notes moves the lines below to other numbers.
    fn follow_lines(&mut self, fields: &[Field]) {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let shown: Vec<(String, String)> = self
            .values
            .iter()
            .filter_map(|(id, text)| Some((format!("{LINE}{}", id.strip_prefix(TEXT_OF)?), words(text))))
            .collect();
        if shown.is_empty() {
            return;
        }
        let lines = fields.iter().filter(|field| field.id.starts_with(LINE));
        let placed: Vec<(String, String)> = lines
            .filter_map(|line| {
                let text = words(&line.question);
                let same = |(id, known): &&(String, String)| *known == text && self.value(id).is_some();
                // The same words twice are told apart by their numbers.
                let own = shown.iter().filter(same).find(|(id, _)| *id == line.id);
                let (id, _) = own.or_else(|| shown.iter().find(same))?;
                Some((line.id.clone(), self.value(id)?.to_owned()))
            })
            .collect();
        self.values.retain(|(id, _)| !id.starts_with(LINE) && !id.starts_with(TEXT_OF));
        self.values.extend(placed);
    }

    fn refuse(&mut self, failure: ToolFailure) {
        match failure {
            ToolFailure::Rejected { problems } => {
                for problem in problems {
                    let hint = problem.hint.map(|hint| format!(" {hint}")).unwrap_or_default();
                    self.complain(problem.field, format!("{}{hint}", problem.message));
                }
            }
            ToolFailure::Failed { message, .. } | ToolFailure::Unknown { message, .. } => {
                self.whole = Some(message);
            }
        }
    }

    fn complain(&mut self, field: String, message: String) {
        if field.is_empty() {
            let before = self.whole.take().map(|before| format!("{before} ")).unwrap_or_default();
            self.whole = Some(before + &message);
        } else {
            self.problems.push((field, message));
        }
    }

    fn is_good(&self) -> bool {
        self.problems.is_empty() && self.whole.is_none()
    }
}

/// A tool that has a form, and what it is asked for.
struct Asking<'a> {
    ui: &'a Ui,
    session: &'a Session,
    tool: &'a dyn Tool,
    name: &'a str,
}

impl Asking<'_> {
    /// What the tool still needs after these arguments, in the reader's language where the project has none.
    async fn form(&self, arguments: &Map<String, Value>) -> Form {
        let services = &self.ui.app.services;
        let context = ToolContext::for_form(services.store.clone(), self.session.id, services.clock.now());
        let mut spoken = arguments.clone();
        spoken.entry("language").or_insert_with(|| json!(self.ui.lang.code()));
        self.tool.form(&spoken, &context).await.unwrap_or_default()
    }

    /// The first document of a project is written in the reader's language; later ones follow it.
    async fn speak(&self, arguments: &mut Map<String, Value>) -> Result<(), Problem> {
        let takes_language = self.tool.spec().schema["properties"]["language"].is_object();
        if takes_language && self.ui.app.services.store.artifacts(self.session.id).await?.is_empty() {
            arguments.entry("language").or_insert_with(|| json!(self.ui.lang.code()));
        }
        Ok(())
    }

    /// The arguments with what was typed into these fields; what cannot be read is remembered.
    fn answered(
        &self,
        arguments: Map<String, Value>,
        fields: &[Field],
        typed: &mut Typed,
    ) -> Map<String, Value> {
        let given = fields.iter().filter_map(|field| {
            let text = typed.value(&field.id)?.trim();
            let value = if field.kind == FieldKind::List {
                json!(text.lines().filter(|line| !line.trim().is_empty()).collect::<Vec<_>>())
            } else {
                json!(text)
            };
            (!text.is_empty()).then(|| (field.id.clone(), value))
        });
        let given: Map<String, Value> = given.collect();
        match self.tool.answered(arguments.clone(), &given, self.ui.app.services.clock.now()) {
            Ok(arguments) => arguments,
            Err(failure) => {
                typed.refuse(failure);
                arguments
            }
        }
    }

    /// The form with what was typed. The first look asks for everything that can be said.
    fn view(&self, form: Form, typed: &Typed) -> FormView {
        let (lines, fields): (Vec<_>, Vec<_>) =
            form.fields.into_iter().partition(|field| field.id.starts_with(LINE));
        let mut known: Vec<&str> = lines.iter().chain(&fields).map(|field| field.id.as_str()).collect();
        known.push("");
        // What is wrong with something that has no field of its own is wrong with the whole.
        let rest: Vec<&str> = typed
            .problems
            .iter()
            .filter(|(id, _)| !known.contains(&id.as_str()))
            .map(|(_, message)| message.as_str())
            .chain(typed.whole.as_deref())
            .collect();
        let problem = (!rest.is_empty()).then(|| rest.join(" "));
        FormView {
            tool: self.name.to_owned(),
            title: (self.ui.pages.tool_name)(self.name, self.ui.lang.code()),
            takes_file: fields.iter().any(|field| field.kind == FieldKind::Material),
            fields: fields.into_iter().map(|field| self.field(field, typed)).collect(),
            lines: lines.into_iter().map(|field| self.field(field, typed)).collect(),
            problem,
        }
    }

    fn field(&self, field: Field, typed: &Typed) -> FieldView {
        let shape = match field.kind {
            FieldKind::Choice | FieldKind::YesNo => Shape::Choice(self.choices(&field)),
            FieldKind::List | FieldKind::Material => Shape::Area,
            FieldKind::Date => Shape::Line("date"),
            FieldKind::Time => Shape::Line("time"),
            FieldKind::Email => Shape::Line("email"),
            FieldKind::Count => Shape::Line("number"),
            FieldKind::Duration | FieldKind::Money | FieldKind::Name | FieldKind::Text => Shape::Line("text"),
        };
        let proposed = || field.proposed.as_ref().and_then(Value::as_str);
        let value = typed.value(&field.id).or_else(proposed).unwrap_or_default().to_owned();
        let problem =
            typed.problems.iter().find(|(id, _)| *id == field.id).map(|(_, message)| message.clone());
        let mark = field.id.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
        FieldView {
            mark,
            value,
            problem,
            shape,
            question: field.question,
            why: field.why,
            required: field.required,
            id: field.id,
        }
    }

    fn choices(&self, field: &Field) -> Vec<(String, String)> {
        if field.kind == FieldKind::YesNo {
            let w = self.ui.words();
            return vec![("yes".to_owned(), w.yes.to_owned()), ("no".to_owned(), w.no.to_owned())];
        }
        let named = |choice: &String| {
            let shown = (self.ui.pages.choice_name)(&field.id, choice, self.ui.lang.code());
            (choice.clone(), shown.unwrap_or_else(|| choice.clone()))
        };
        field.choices.iter().map(named).collect()
    }
}

fn asking<'a>(ui: &'a Ui, session: &'a Session, name: &'a str) -> Result<Asking<'a>, Problem> {
    let known = ui.pages.forms.iter().any(|form| form == name);
    let tool = ui.app.services.tools.get(name).filter(|_| known);
    let tool = tool.ok_or_else(|| Problem::not_found("tool_not_found", "There is no such form."))?;
    Ok(Asking { ui, session, tool: tool.as_ref(), name })
}

/// Begins a project with a form.
pub(crate) async fn begin(ui: Ui, Path(tool): Path<String>) -> Result<Response, Problem> {
    if !ui.pages.forms.contains(&tool) {
        return Err(Problem::not_found("tool_not_found", "There is no such form."));
    }
    let session = sessions::begin(&ui.app, None, None, None).await?;
    Ok(see(&format!("/p/{}/t/{tool}", session.id)))
}

/// The form, empty but for what is known.
pub(crate) async fn show(
    ui: Ui,
    Named(session): Named,
    Path((_, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let asking = asking(&ui, &session, &name)?;
    let form = asking.view(asking.form(&Map::new()).await, &Typed::default());
    chat::show_with(&ui, session.clone(), None, Looking::default(), Some(form)).await
}

/// The form as it was sent: run when nothing is missing, else shown again with what is.
pub(crate) async fn send(
    ui: Ui,
    Named(session): Named,
    Path((_, name)): Path<(String, String)>,
    mut sent: Sent,
) -> Result<Response, Problem> {
    let asking = asking(&ui, &session, &name)?;
    let file = sent.files.pop();
    let mut typed = Typed { values: std::mem::take(&mut sent.fields), ..Typed::default() };
    for (_, value) in &mut typed.values {
        *value = value.replace("\r\n", "\n");
    }
    let first = asking.form(&Map::new()).await;
    if let (Some(file), Some(field)) =
        (file, first.fields.iter().find(|field| field.kind == FieldKind::Material))
    {
        match files::read(&ui.app, &file.name, file.bytes).await {
            Ok(read) => {
                typed.values.retain(|(id, _)| *id != field.id);
                typed.values.push((field.id.clone(), read.text));
            }
            Err(problem) => typed.complain(field.id.clone(), problem.detail),
        }
    }
    let mut arguments = asking.answered(Map::new(), &first.fields, &mut typed);
    // What is asked only because of an answer, and what the answer to that asks for.
    let mut lacking = asking.form(&arguments).await;
    typed.follow_lines(&lacking.fields);
    let mut needed = lacking.fields.clone();
    let mut added: Vec<Field> = Vec::new();
    for _ in 0..MOST_ROUNDS {
        let is_known = |field: &Field| first.fields.iter().chain(&added).any(|one| one.id == field.id);
        let new: Vec<Field> = lacking.fields.iter().filter(|field| !is_known(field)).cloned().collect();
        if new.is_empty() {
            break;
        }
        arguments = asking.answered(arguments, &new, &mut typed);
        added.extend(new);
        lacking = asking.form(&arguments).await;
        needed.extend(lacking.fields.iter().filter(|field| !field.id.starts_with(LINE)).cloned());
    }
    let required = needed.iter().filter(|field| field.required);
    let missing: Vec<String> = required
        .filter(|field| typed.value(&field.id).unwrap_or_default().trim().is_empty())
        .filter(|field| !typed.problems.iter().any(|(id, _)| *id == field.id))
        .map(|field| field.id.clone())
        .collect();
    // Lines that are new to the reader are no mistake of theirs.
    for id in missing.iter().filter(|id| first.fields.iter().any(|field| field.id == **id)) {
        typed.problems.push((id.clone(), ui.words().form_missing.to_owned()));
    }
    if missing.is_empty() && typed.is_good() {
        asking.speak(&mut arguments).await?;
        let called = catalog::call_by_hand(&ui.app, session.id, &name, &Value::Object(arguments)).await?;
        if !called.is_error {
            return Ok(see(&made(&ui, &session, called.report.turn_number).await?));
        }
        let error = &called.result["error"];
        let listed = error["problems"].as_array().cloned().unwrap_or_default();
        for problem in &listed {
            let text = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
            typed.complain(text("field"), format!("{} {}", text("message"), text("hint")).trim().to_owned());
        }
        if listed.is_empty() {
            let said = error["message"].as_str().map_or_else(|| called.result.to_string(), str::to_owned);
            typed.complain(String::new(), said);
        }
    }
    let mut whole = first;
    for field in &mut whole.fields {
        field.required = field.required || needed.iter().any(|one| one.id == field.id && one.required);
    }
    whole.fields.extend(added);
    let form = asking.view(whole, &typed);
    chat::show_with(&ui, session.clone(), None, Looking::default(), Some(form)).await
}

/// Where what a turn made can be read.
async fn made(ui: &Ui, session: &Session, turn: u32) -> Result<String, Problem> {
    let records = ui.app.services.store.records(session.id, 0).await?;
    let stored = records.iter().rev().find_map(|record| {
        let Entry::ArtifactStored { turn: of, name, .. } = &record.entry else { return None };
        (*of == turn).then(|| name.clone())
    });
    let id = session.id.to_string();
    let shown = |kind: &ArtifactKind| (ui.pages.is_document)(kind.as_str());
    Ok(match stored.filter(|name| shown(&name.kind)) {
        Some(name) => document_address(&id, &name),
        None => format!("/p/{id}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever parts a line of the notes moves all below it to other numbers; what they chose stays with its words.
    #[test]
    fn places_follow_the_words_of_their_lines() {
        let values = [
            ("startup_notes", "…"),
            ("line_1", "must"),
            ("text.line_1", "BGP"),
            ("line_2", "trait"),
            ("text.line_2", "calm, and a driving licence"),
            ("line_3", "pay"),
            ("text.line_3", "55k\na month"),
        ];
        let values = values.map(|(id, value)| (id.to_owned(), value.to_owned())).to_vec();
        let mut typed = Typed { values, ..Typed::default() };
        let line = |number: u32, text: &str| Field::new(format!("line_{number}"), FieldKind::Choice, text);
        typed.follow_lines(&[
            line(1, "BGP"),
            line(2, "calm"),
            line(3, "a driving licence"),
            line(4, "55k a month"),
        ]);
        let places: Vec<Option<&str>> =
            ["line_1", "line_2", "line_3", "line_4", "startup_notes"].map(|id| typed.value(id)).to_vec();
        assert_eq!(places, [Some("must"), None, None, Some("pay"), Some("…")]);
    }
}
