//! The document that describes the API, for people: it needs no network and no script.

use std::sync::LazyLock;

use askama::Template;
use axum::response::Response;
use serde_json::Value;

use super::{
    ui::{Place, Shell, Ui},
    words::Words,
};
use crate::{Problem, openapi};

#[derive(Template)]
#[template(path = "reference.html")]
struct ReferencePage {
    shell: Shell,
    w: &'static Words,
    reference: &'static Reference,
}

/// The document, as it is shown.
struct Reference {
    about: String,
    groups: Vec<Group>,
    shapes: Vec<Shape>,
}

/// Operations that belong together.
struct Group {
    name: String,
    about: String,
    operations: Vec<Operation>,
}

/// What can be asked of a path.
struct Operation {
    method: String,
    path: String,
    about: String,
    parameters: Vec<Field>,
    body: Option<Kind>,
    answers: Vec<Answer>,
}

/// A value with a name.
struct Field {
    name: String,
    /// Where a parameter stands.
    place: String,
    required: bool,
    kind: Kind,
    about: String,
}

/// What a value is; a shape is linked.
struct Kind {
    text: String,
    shape: Option<String>,
}

/// What may come back.
struct Answer {
    status: String,
    about: String,
    kind: Option<Kind>,
}

/// An object with fields.
struct Shape {
    name: String,
    about: String,
    fields: Vec<Field>,
}

pub(crate) async fn show(ui: Ui) -> Result<Response, Problem> {
    // It is always the same.
    static MADE: LazyLock<Reference> = LazyLock::new(|| Reference::of(&openapi()));
    let shell = ui.shell(ui.words().api_reference, Place::Settings, None).await?;
    ui.page(&ReferencePage { shell, w: ui.words(), reference: &MADE })
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

impl Reference {
    fn of(document: &Value) -> Self {
        let mut groups: Vec<Group> = Vec::new();
        for tag in document["tags"].as_array().into_iter().flatten() {
            groups.push(Group {
                name: text(&tag["name"]),
                about: text(&tag["description"]),
                operations: Vec::new(),
            });
        }
        for (path, operations) in document["paths"].as_object().into_iter().flatten() {
            for (method, operation) in operations.as_object().into_iter().flatten() {
                let tag = &operation["tags"][0];
                let group = groups.iter_mut().find(|group| *tag == group.name);
                if let Some(group) = group {
                    group.operations.push(Operation::of(path, method, operation));
                }
            }
        }
        let shapes = document["components"]["schemas"].as_object().into_iter().flatten();
        Self {
            about: text(&document["info"]["description"]),
            groups,
            shapes: shapes.map(|(name, schema)| Shape::of(name, schema)).collect(),
        }
    }
}

impl Operation {
    fn of(path: &str, method: &str, operation: &Value) -> Self {
        let said = [text(&operation["summary"]), text(&operation["description"])];
        let parameters = operation["parameters"].as_array().into_iter().flatten().map(|one| Field {
            name: text(&one["name"]),
            place: text(&one["in"]),
            required: one["required"] == true,
            kind: Kind::of(&one["schema"]),
            about: text(&one["description"]),
        });
        let answers = operation["responses"].as_object().into_iter().flatten();
        let answers = answers.filter(|(status, _)| *status != "default").map(|(status, answer)| Answer {
            status: status.clone(),
            about: text(&answer["description"]),
            kind: Kind::of_content(&answer["content"]),
        });
        Self {
            method: method.to_uppercase(),
            path: path.to_owned(),
            about: said.into_iter().filter(|one| !one.is_empty()).collect::<Vec<_>>().join(" "),
            parameters: parameters.collect(),
            body: Kind::of_content(&operation["requestBody"]["content"]),
            answers: answers.collect(),
        }
    }
}

impl Kind {
    fn of_content(content: &Value) -> Option<Self> {
        let (kind, content) = content.as_object()?.iter().next()?;
        let found = Self::of(&content["schema"]);
        let plain = kind.ends_with("json");
        Some(if plain { found } else { Self { text: kind.clone(), shape: None } })
    }

    fn of(schema: &Value) -> Self {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return Self { text: name.to_owned(), shape: Some(name.to_owned()) };
        }
        let choices = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
        if let Some(choices) = choices {
            let named = choices.iter().filter(|one| one["type"] != "null").map(Self::of);
            let named: Vec<Self> = named.collect();
            let text: Vec<&str> = named.iter().map(|one| one.text.as_str()).collect();
            return Self { text: text.join(" | "), shape: named.iter().find_map(|one| one.shape.clone()) };
        }
        let kind = match schema["type"].as_array() {
            Some(all) => all.iter().find(|one| *one != "null").map(text).unwrap_or_default(),
            None => text(&schema["type"]),
        };
        if kind == "array" {
            let item = Self::of(&schema["items"]);
            return Self { text: format!("[{}]", item.text), shape: item.shape };
        }
        let values: Vec<String> = schema["enum"].as_array().into_iter().flatten().map(text).collect();
        let text = if values.is_empty() { kind } else { values.join(" | ") };
        Self { text: if text.is_empty() { "any".to_owned() } else { text }, shape: None }
    }
}

impl Shape {
    fn of(name: &str, schema: &Value) -> Self {
        let required = schema["required"].as_array();
        let fields = schema["properties"].as_object().into_iter().flatten().map(|(field, schema)| Field {
            name: field.clone(),
            place: String::new(),
            required: required.is_some_and(|all| all.iter().any(|one| one == field)),
            kind: Kind::of(schema),
            about: text(&schema["description"]),
        });
        Self { name: name.to_owned(), about: text(&schema["description"]), fields: fields.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_and_shape_of_the_document_is_shown() {
        let document = openapi();
        let reference = Reference::of(&document);
        let shown: usize = reference.groups.iter().map(|group| group.operations.len()).sum();
        let paths = document["paths"].as_object().unwrap().values();
        assert_eq!(shown, paths.map(|path| path.as_object().unwrap().len()).sum::<usize>());
        assert_eq!(reference.shapes.len(), document["components"]["schemas"].as_object().unwrap().len());
        for group in &reference.groups {
            assert!(!group.operations.is_empty() && !group.about.is_empty(), "{}", group.name);
            for operation in &group.operations {
                assert!(!operation.about.is_empty(), "{} says nothing", operation.path);
                let kinds =
                    operation.answers.iter().filter_map(|answer| answer.kind.as_ref()).chain(&operation.body);
                for shape in kinds.filter_map(|kind| kind.shape.as_ref()) {
                    assert!(
                        reference.shapes.iter().any(|known| known.name == *shape),
                        "{shape} leads nowhere"
                    );
                }
            }
        }
    }
}
