//! What a server wants to know, as questions that a person can answer one by one.

use serde_json::{Number, Value};

use super::options::Elicitation;
use crate::error::words;

/// One field of what a server wants to know. Its texts are the server's, not ours.
#[derive(Clone, Debug, PartialEq)]
pub struct ElicitedField {
    /// Its name in the answer.
    pub name: String,
    /// What is asked for.
    pub question: String,
    /// What may be said.
    pub kind: FieldKind,
    /// It must be said.
    pub required: bool,
    /// What counts when nothing is said.
    pub default: Option<Value>,
}

/// What may be said.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldKind {
    /// Words, this many characters at least and at most.
    Text(Option<u64>, Option<u64>),
    /// A number; whole if so marked; not below and not above.
    Number {
        /// Without a fraction.
        whole: bool,
        /// The least.
        least: Option<f64>,
        /// The most.
        most: Option<f64>,
    },
    /// Yes or no.
    YesNo,
    /// One of these: the value, and how it is shown.
    Choice(Vec<(String, String)>),
    /// Any number of these.
    Choices(Vec<(String, String)>),
}

impl Elicitation {
    /// Its fields, in the order of the server.
    pub fn fields(&self) -> Vec<ElicitedField> {
        let required: Vec<&str> =
            self.schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let fields = self.schema["properties"].as_object().into_iter().flatten();
        fields
            .map(|(name, schema)| ElicitedField {
                question: question(name, schema),
                kind: kind(schema),
                required: required.contains(&name.as_str()),
                default: schema.get("default").cloned(),
                name: name.clone(),
            })
            .collect()
    }
}

impl ElicitedField {
    /// What counts when nothing is said, as people read it; none if there is none.
    pub fn default_in_words(&self) -> Option<String> {
        let shown = |value: &str| match &self.kind {
            FieldKind::Choice(choices) | FieldKind::Choices(choices) => {
                choices.iter().find(|(known, _)| known == value).map(|(_, shown)| shown.clone())
            }
            FieldKind::Text(..) | FieldKind::Number { .. } | FieldKind::YesNo => None,
        };
        Some(match self.default.as_ref()? {
            Value::Null => return None,
            Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
            Value::Number(number) => number.to_string(),
            Value::String(text) => shown(text).unwrap_or_else(|| words(text)),
            Value::Array(values) => {
                let each = values.iter().map(|value| match value {
                    Value::String(text) => shown(text).unwrap_or_else(|| words(text)),
                    other @ (Value::Null
                    | Value::Bool(_)
                    | Value::Number(_)
                    | Value::Array(_)
                    | Value::Object(_)) => words(&other.to_string()),
                });
                words(&each.collect::<Vec<_>>().join(", "))
            }
            other @ Value::Object(_) => words(&other.to_string()),
        })
    }

    /// Reads what was typed. Nothing typed is no answer, which only an optional field or one with a default takes.
    pub fn read(&self, typed: &str) -> Result<Option<Value>, String> {
        let typed = typed.trim();
        if typed.is_empty() {
            return match (&self.default, self.required) {
                (Some(_), _) | (None, false) => Ok(None),
                (None, true) => Err(format!("{} must be answered", words(&self.name))),
            };
        }
        match &self.kind {
            FieldKind::Text(least, most) => text(typed, *least, *most),
            FieldKind::Number { whole, least, most } => number(typed, *whole, *least, *most),
            FieldKind::YesNo => match typed.to_lowercase().as_str() {
                "y" | "yes" | "true" => Ok(Some(Value::Bool(true))),
                "n" | "no" | "false" => Ok(Some(Value::Bool(false))),
                _ => Err("answer yes or no".to_owned()),
            },
            FieldKind::Choice(choices) => one_of(typed, choices).map(|value| Some(Value::String(value))),
            FieldKind::Choices(choices) => {
                let chosen: Result<Vec<Value>, String> =
                    typed.split(',').map(|one| one_of(one.trim(), choices).map(Value::String)).collect();
                chosen.map(|chosen| Some(Value::Array(chosen)))
            }
        }
    }
}

fn question(name: &str, schema: &Value) -> String {
    let title = schema["title"].as_str().unwrap_or(name);
    match schema["description"].as_str() {
        Some(about) => words(&format!("{title} ({about})")),
        None => words(title),
    }
}

fn kind(schema: &Value) -> FieldKind {
    let whole = schema["type"] == "integer";
    match schema["type"].as_str() {
        Some("boolean") => FieldKind::YesNo,
        Some("integer" | "number") => {
            FieldKind::Number { whole, least: schema["minimum"].as_f64(), most: schema["maximum"].as_f64() }
        }
        Some("array") => FieldKind::Choices(choices(&schema["items"]).unwrap_or_default()),
        Some(_) | None => match choices(schema) {
            Some(choices) => FieldKind::Choice(choices),
            None => FieldKind::Text(schema["minLength"].as_u64(), schema["maxLength"].as_u64()),
        },
    }
}

/// The values to choose from. Titles stand beside them in one form of the protocol, and with them in another.
fn choices(schema: &Value) -> Option<Vec<(String, String)>> {
    if let Some(values) = schema["enum"].as_array() {
        let names = schema["enumNames"].as_array();
        let shown = values.iter().enumerate().filter_map(|(index, value)| {
            let value = value.as_str()?;
            let name = names.and_then(|names| names.get(index)?.as_str()).unwrap_or(value);
            Some((value.to_owned(), words(name)))
        });
        return Some(shown.collect());
    }
    let values = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array())?;
    let named = values.iter().filter_map(|one| {
        let value = one["const"].as_str()?;
        Some((value.to_owned(), words(one["title"].as_str().unwrap_or(value))))
    });
    Some(named.collect())
}

fn text(typed: &str, least: Option<u64>, most: Option<u64>) -> Result<Option<Value>, String> {
    let count = typed.chars().count() as u64;
    if let Some(least) = least.filter(|least| count < *least) {
        return Err(format!("at least {least} characters, not {count}"));
    }
    if let Some(most) = most.filter(|most| count > *most) {
        return Err(format!("at most {most} characters, not {count}"));
    }
    Ok(Some(Value::String(typed.to_owned())))
}

fn number(typed: &str, whole: bool, least: Option<f64>, most: Option<f64>) -> Result<Option<Value>, String> {
    let value: Option<Number> = if whole {
        typed.parse::<i64>().ok().map(Number::from)
    } else {
        typed.parse::<f64>().ok().and_then(Number::from_f64)
    };
    let Some(value) = value else {
        return Err(if whole { "a whole number, please" } else { "a number, please" }.to_owned());
    };
    let size = value.as_f64().unwrap_or_default();
    if let Some(least) = least.filter(|least| size < *least) {
        return Err(format!("not less than {least}"));
    }
    if let Some(most) = most.filter(|most| size > *most) {
        return Err(format!("not more than {most}"));
    }
    Ok(Some(Value::Number(value)))
}

/// A choice by its number or by its words.
fn one_of(typed: &str, choices: &[(String, String)]) -> Result<String, String> {
    let by_number = typed.parse::<usize>().ok().and_then(|number| choices.get(number.checked_sub(1)?));
    let alike = |words: &str| words.to_lowercase() == typed.to_lowercase();
    let chosen = choices.iter().find(|(value, shown)| alike(value) || alike(shown)).or(by_number);
    chosen.map(|(value, _)| value.clone()).ok_or_else(|| {
        let shown: Vec<String> =
            choices.iter().enumerate().map(|(index, (_, shown))| format!("{}) {shown}", index + 1)).collect();
        words(&format!("one of {}", shown.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn fields() -> Vec<ElicitedField> {
        let schema = json!({
            "type": "object", "required": ["name", "size"],
            "properties": {
                "name": {"type": "string", "title": "Name", "description": "of the athlete", "maxLength": 5},
                "size": {"type": "integer", "minimum": 1, "maximum": 3},
                "share": {"type": "number", "default": 0.5},
                "sure": {"type": "boolean", "default": true},
                "colour": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"], "default": "g"},
                "days": {
                    "type": "array", "default": ["mo", "tu"],
                    "items": {"anyOf": [{"const": "mo", "title": "Monday"}, {"const": "tu"}]},
                },
            },
        });
        Elicitation { server: "s".to_owned(), message: "?".to_owned(), schema }.fields()
    }

    #[test]
    fn a_default_is_told_in_words_and_not_in_json() {
        let told: Vec<(String, Option<String>)> =
            fields().into_iter().map(|field| (field.name.clone(), field.default_in_words())).collect();
        for (name, words) in [
            ("name", None),
            ("share", Some("0.5")),
            ("sure", Some("yes")),
            ("colour", Some("Green")),
            ("days", Some("Monday, tu")),
        ] {
            let found = told.iter().find(|(known, _)| known == name).unwrap();
            assert_eq!(found.1.as_deref(), words, "{name}");
        }
    }

    fn read(name: &str, typed: &str) -> Result<Option<Value>, String> {
        fields().into_iter().find(|field| field.name == name).unwrap().read(typed)
    }

    /// C1: what a server wants to know is asked in its kinds, and what does not fit is asked again.
    #[test]
    fn every_kind_of_field_is_read_as_its_schema_says() {
        assert_eq!(
            fields().iter().find(|field| field.name == "name").unwrap().question,
            "Name (of the athlete)"
        );
        assert_eq!(read("name", " Anna "), Ok(Some(json!("Anna"))));
        assert_eq!(read("name", "Charlotte").unwrap_err(), "at most 5 characters, not 9");
        assert_eq!(read("name", "").unwrap_err(), "name must be answered");
        assert_eq!(read("size", "2"), Ok(Some(json!(2))));
        assert_eq!(read("size", "2.5").unwrap_err(), "a whole number, please");
        assert_eq!(read("size", "4").unwrap_err(), "not more than 3");
        assert_eq!(read("share", ""), Ok(None));
        assert_eq!(read("share", "NaN").unwrap_err(), "a number, please");
        assert_eq!(read("sure", "Yes"), Ok(Some(json!(true))));
        assert_eq!(read("sure", "maybe").unwrap_err(), "answer yes or no");
        assert_eq!(read("colour", "green"), Ok(Some(json!("g"))));
        assert_eq!(read("colour", "1"), Ok(Some(json!("r"))));
        assert_eq!(read("colour", "blue").unwrap_err(), "one of 1) Red, 2) Green");
        assert_eq!(read("days", "Monday, 2"), Ok(Some(json!(["mo", "tu"]))));
    }
}
