//! What a tool found missing, as a form that a client can show to a person.

use serde_json::{Map, Value, json};

/// The words and the fields, if all that is missing or wrong can be asked for: flat texts, numbers, yes or no, choices.
/// What cannot is left to the words of the refusal.
pub(super) fn missing(
    schema: &Value,
    arguments: &Map<String, Value>,
    error: &Value,
) -> Option<(String, Value)> {
    let problems = error["problems"].as_array()?;
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let absent = required.filter(|name| !arguments.contains_key(*name)).map(|name| (name.to_owned(), None));
    let wrong = problems.iter().filter_map(|problem| {
        let name = problem["field"].as_str()?.trim_start_matches('/').split('/').next()?;
        let words = [problem["message"].as_str(), problem["hint"].as_str()].into_iter().flatten();
        (!name.is_empty()).then(|| (name.to_owned(), Some(words.collect::<Vec<_>>().join(" "))))
    });
    let mut fields = Map::new();
    for (name, words) in absent.chain(wrong) {
        let field = field(schema, &name, words.as_deref())?;
        fields.entry(name).or_insert(field);
    }
    if fields.is_empty() {
        return None;
    }
    let names: Vec<&String> = fields.keys().collect();
    let form = json!({"type": "object", "properties": fields, "required": names});
    let message = error["message"].as_str().unwrap_or("Something is missing.").to_owned();
    Some((message, form))
}

/// One field, as the protocol's forms have it; none if it is no flat value.
fn field(schema: &Value, name: &str, words: Option<&str>) -> Option<Value> {
    let found = resolved(schema, schema["properties"].get(name)?);
    let kind = match &found["type"] {
        Value::String(kind) => kind.as_str(),
        // A value that may be left out: what it is otherwise.
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).find(|kind| *kind != "null")?,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => return None,
    };
    if !matches!(kind, "string" | "number" | "integer" | "boolean") {
        return None;
    }
    let about = [found["description"].as_str(), words].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let mut field = json!({"type": kind, "title": name.replace('_', " "), "description": about});
    for rule in ["enum", "minimum", "maximum", "minLength", "maxLength"] {
        if let Some(value) = found.get(rule) {
            field[rule] = value.clone();
        }
    }
    Some(field)
}

fn resolved<'a>(schema: &'a Value, field: &'a Value) -> &'a Value {
    let target = field["$ref"].as_str().and_then(|target| target.strip_prefix('#'));
    target.and_then(|path| schema.pointer(path)).unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_person_can_fill_in_is_asked_for() {
        let schema = json!({
            "properties": {
                "title": {"type": "string", "description": "The position."},
                "seats": {"type": ["integer", "null"], "minimum": 1},
                "size": {"$ref": "#/$defs/Size"},
                "people": {"type": "array", "items": {"type": "string"}},
            },
            "required": ["title"],
            "$defs": {"Size": {"type": "string", "enum": ["small", "large"]}},
        });
        let error =
            |field: &str| json!({"message": "No.", "problems": [{"field": field, "message": "is wrong"}]});
        let (message, form) = missing(&schema, &Map::new(), &error("/seats")).unwrap();
        assert_eq!(message, "No.");
        assert_eq!(form["required"], json!(["seats", "title"]));
        assert_eq!(form["properties"]["title"]["description"], "The position.");
        assert_eq!(form["properties"]["seats"]["minimum"], 1);
        let given = json!({"title": "Tester"}).as_object().cloned().unwrap();
        let (_, form) = missing(&schema, &given, &error("/size")).unwrap();
        assert_eq!(form["properties"]["size"]["enum"], json!(["small", "large"]));
        assert!(missing(&schema, &given, &error("/people/0")).is_none(), "a list is no flat value");
        assert!(missing(&schema, &given, &error("/nobody")).is_none());
        assert!(missing(&schema, &given, &json!({"message": "x"})).is_none());
    }
}
