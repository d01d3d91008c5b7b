//! Schemas as a model reads them: each costs tokens in every request, so nothing is said that a name says already.
//!
//! The full schema checks the arguments; this one only tells. A plain type stands where a value may be left out, the values
//! of a choice stand in one list, and a part that is described elsewhere stands where it is used.

use serde_json::{Map, Value};

/// Words that only a validator needs.
const FOR_VALIDATORS: [&str; 6] = ["$schema", "$defs", "title", "format", "default", "additionalProperties"];
/// A description of so few words repeats the name of its field.
const FEW_WORDS: usize = 4;
/// How deep parts are put in place of their names; deeper ones hold themselves.
const DEEPEST: usize = 12;

/// The schema of an arguments object, as short as it can be said.
pub(super) fn compact(schema: &Value) -> Value {
    let none = Map::new();
    let parts = schema.get("$defs").and_then(Value::as_object).unwrap_or(&none);
    let mut told = shortened(schema, parts, 0);
    if let Some(object) = told.as_object_mut() {
        // What the whole is for, the tool itself says.
        object.remove("description");
        object.insert("type".to_owned(), "object".into());
        object.entry("properties").or_insert_with(|| Map::new().into());
    }
    told
}

fn shortened(schema: &Value, parts: &Map<String, Value>, depth: usize) -> Value {
    let Some(object) = schema.as_object().filter(|_| depth < DEEPEST) else {
        return if depth < DEEPEST { schema.clone() } else { Value::Object(Map::new()) };
    };
    if let Some(part) = object.get("$ref").and_then(Value::as_str) {
        let part = part.rsplit('/').next().and_then(|name| parts.get(name)).unwrap_or(&Value::Null);
        return described(shortened(part, parts, depth + 1), object);
    }
    let mut told = Map::new();
    for (name, value) in object {
        match name.as_str() {
            word if FOR_VALIDATORS.contains(&word) => {}
            "minimum" if value.as_f64() == Some(0.0) => {}
            "description" => {}
            "type" => {
                told.insert("type".to_owned(), without_null(value));
            }
            "enum" => {
                let values = value.as_array().into_iter().flatten().filter(|value| !value.is_null());
                told.insert("enum".to_owned(), values.cloned().collect());
            }
            "anyOf" | "oneOf" => {
                if let Some(only) = choices(value, parts, depth, &mut told) {
                    return described(only, object);
                }
            }
            "properties" => {
                let fields = value.as_object().into_iter().flatten();
                let fields = fields.map(|(name, field)| (name.clone(), shortened(field, parts, depth + 1)));
                told.insert("properties".to_owned(), Value::Object(fields.collect()));
            }
            "items" => {
                told.insert("items".to_owned(), shortened(value, parts, depth + 1));
            }
            _ => {
                told.insert(name.clone(), value.clone());
            }
        }
    }
    if told.contains_key("enum") || told.contains_key("properties") && depth > 0 {
        told.remove("type");
    }
    described(Value::Object(told), object)
}

/// The description of a field goes before that of its type.
fn described(mut told: Value, field: &Map<String, Value>) -> Value {
    let words = field.get("description").and_then(Value::as_str).map(|text| text.replace('\n', " "));
    let words = words.filter(|text| text.split_whitespace().count() > FEW_WORDS);
    if let (Some(words), Some(told)) = (words, told.as_object_mut()) {
        told.insert("description".to_owned(), words.into());
    }
    told
}

/// One of several: the only one there is, a list of words, or what they are.
fn choices(
    value: &Value,
    parts: &Map<String, Value>,
    depth: usize,
    told: &mut Map<String, Value>,
) -> Option<Value> {
    let all: Vec<&Value> =
        value.as_array()?.iter().filter(|one| one.get("type").is_none_or(|kind| kind != "null")).collect();
    let words: Option<Vec<Value>> = all.iter().map(|one| one.get("const").cloned()).collect();
    match (words, all.as_slice()) {
        (Some(words), _) => {
            told.insert("enum".to_owned(), words.into());
            None
        }
        (None, [only]) => Some(shortened(only, parts, depth + 1)),
        (None, all) => {
            let all = all.iter().map(|one| shortened(one, parts, depth + 1));
            told.insert("anyOf".to_owned(), all.collect());
            None
        }
    }
}

/// A field that may be left out needs no null.
fn without_null(kind: &Value) -> Value {
    let Some(kinds) = kind.as_array() else { return kind.clone() };
    let kinds: Vec<&Value> = kinds.iter().filter(|kind| *kind != "null").collect();
    if let [only] = kinds.as_slice() { (*only).clone() } else { kinds.into_iter().cloned().collect() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_schema_says_what_a_model_needs_and_no_more() {
        let full = json!({
            "$defs": {"Form": {"description": "Which form is wanted.", "oneOf": [
                {"const": "du", "description": "Informal.", "type": "string"}, {"const": "sie", "type": "string"}]}},
            "description": "What comes with the call.",
            "additionalProperties": false,
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string", "description": "The name."},
                "form": {"anyOf": [{"$ref": "#/$defs/Form"}, {"type": "null"}], "default": null,
                    "description": "How a German text addresses its readers."},
                "count": {"type": ["integer", "null"], "format": "uint64", "minimum": 0, "default": null},
                "days": {"type": "array", "items": {"type": "string"}, "default": []},
            },
        });
        let told = json!({
            "type": "object",
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "form": {"enum": ["du", "sie"], "description": "How a German text addresses its readers."},
                "count": {"type": "integer"},
                "days": {"type": "array", "items": {"type": "string"}},
            },
        });
        assert_eq!(compact(&full), told);
    }

    #[test]
    fn what_holds_itself_ends() {
        let tree = json!({"$defs": {"T": {"properties": {"next": {"$ref": "#/$defs/T"}}, "type": "object"}},
            "properties": {"root": {"$ref": "#/$defs/T"}}, "type": "object"});
        assert!(compact(&tree).to_string().len() < 1_000);
    }
}
