//! Tool schemas in the shapes that providers accept.

use serde_json::{Map, Value, json};

/// Keywords that strict mode refuses and that only advise: dropping them loosens nothing that we check.
const ADVISORY: [&str; 14] = [
    "$schema",
    "title",
    "default",
    "examples",
    "minLength",
    "maxLength",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "readOnly",
    "writeOnly",
    "deprecated",
    "contentMediaType",
    "$comment",
];
/// Keywords whose meaning strict mode cannot express.
const INEXPRESSIBLE: [&str; 11] = [
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "propertyNames",
    "prefixItems",
    "contains",
    "dependentRequired",
    "dependentSchemas",
    "unevaluatedProperties",
];
const FORMATS: [&str; 9] =
    ["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"];
const DEEPEST: usize = 10;

/// An object schema, whatever was given: providers refuse anything else at the root.
pub(crate) fn object(schema: &Value) -> Value {
    let mut schema = match schema {
        Value::Object(map) => map.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    schema.remove("$schema");
    schema.insert("type".to_owned(), json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    Value::Object(schema)
}

/// The schema in strict mode's subset, or nothing where it says something strict mode cannot say. Optional
/// fields become required and nullable; null then means "not given".
pub(crate) fn strict(schema: &Value) -> Option<Value> {
    let schema = convert(&object(schema), 0)?;
    (schema.get("anyOf").is_none()).then_some(schema)
}

fn convert(schema: &Value, depth: usize) -> Option<Value> {
    let Value::Object(given) = schema else { return None };
    if depth > DEEPEST || given.is_empty() || INEXPRESSIBLE.iter().any(|key| given.contains_key(*key)) {
        return None;
    }
    if let Some(target) = given.get("$ref") {
        // Nothing may stand beside a reference, not even a description.
        return (depth > 0).then(|| json!({ "$ref": target }));
    }
    let mut out: Map<String, Value> = given
        .iter()
        .filter(|(key, _)| !ADVISORY.contains(&key.as_str()))
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    if out.get("format").and_then(Value::as_str).is_some_and(|format| !FORMATS.contains(&format)) {
        out.remove("format");
    }
    if let Some(constant) = out.remove("const") {
        out.insert("enum".to_owned(), json!([constant]));
    }
    if let Some(Value::Array(all)) = out.remove("allOf") {
        let [only] = all.as_slice() else { return None };
        let Value::Object(only) = convert(only, depth)? else {
            return None;
        };
        if only.contains_key("$ref") {
            return (depth > 0).then_some(Value::Object(only));
        }
        out.extend(only);
    }
    if let Some(Value::Array(choices)) = out.remove("oneOf").or_else(|| out.remove("anyOf")) {
        merge_choices(&mut out, &choices, depth)?;
    }
    if let Some(items) = out.get("items") {
        let items = convert(items, depth + 1)?;
        out.insert("items".to_owned(), items);
    }
    if let Some(Value::Object(definitions)) = out.remove("$defs").or_else(|| out.remove("definitions")) {
        let converted: Option<Map<_, _>> = definitions
            .iter()
            .map(|(name, value)| Some((name.clone(), convert(value, depth + 1)?)))
            .collect();
        out.insert("$defs".to_owned(), Value::Object(converted?));
    }
    if is_object(&out) {
        close_object(&mut out, depth)?;
    }
    Some(Value::Object(out))
}

fn is_object(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(_) | None => schema.contains_key("properties"),
    }
}

/// Alternatives that are all fixed texts are an enumeration; anything else stays a choice.
fn merge_choices(out: &mut Map<String, Value>, choices: &[Value], depth: usize) -> Option<()> {
    let fixed = |choice: &Value| match (choice.get("const"), choice.get("enum")) {
        (Some(value), _) => Some(vec![value.clone()]),
        (None, Some(Value::Array(values))) => Some(values.clone()),
        (None, _) => None,
    };
    let texts = choices.iter().map(fixed).collect::<Option<Vec<_>>>().map(|values| values.concat());
    if let Some(values) = texts.filter(|values| values.iter().all(Value::is_string)) {
        let described: Vec<String> = choices
            .iter()
            .filter_map(|choice| {
                let value = choice.get("const")?.as_str()?;
                Some(format!("{value}: {}", choice.get("description")?.as_str()?))
            })
            .collect();
        if !described.is_empty() {
            let own = out.get("description").and_then(Value::as_str).map(|text| format!("{text} "));
            let text = format!("{}({})", own.unwrap_or_default(), described.join("; "));
            out.insert("description".to_owned(), json!(text));
        }
        out.insert("type".to_owned(), json!("string"));
        out.insert("enum".to_owned(), json!(values));
        return Some(());
    }
    let choices: Option<Vec<Value>> = choices.iter().map(|choice| convert(choice, depth + 1)).collect();
    out.insert("anyOf".to_owned(), json!(choices?));
    Some(())
}

fn close_object(out: &mut Map<String, Value>, depth: usize) -> Option<()> {
    // An open map cannot be closed without changing what it may hold.
    if !matches!(out.get("additionalProperties"), None | Some(Value::Bool(false))) {
        return None;
    }
    let required: Vec<Value> = out.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let given = out.remove("properties");
    let given = given.as_ref().and_then(Value::as_object);
    if depth > 0 && given.is_none() && !out.contains_key("additionalProperties") {
        return None;
    }
    let mut properties = Map::new();
    for (name, property) in given.into_iter().flatten() {
        let converted = convert(property, depth + 1)?;
        let optional = !required.iter().any(|required| required == name);
        properties.insert(name.clone(), if optional { nullable(converted) } else { converted });
    }
    let names: Vec<&String> = properties.keys().collect();
    out.insert("required".to_owned(), json!(names));
    out.insert("properties".to_owned(), Value::Object(properties));
    out.insert("additionalProperties".to_owned(), json!(false));
    Some(())
}

fn nullable(mut schema: Value) -> Value {
    let Some(map) = schema.as_object_mut() else {
        return schema;
    };
    if let Some(Value::Array(choices)) = map.get_mut("anyOf") {
        if !choices.iter().any(|choice| choice.get("type") == Some(&json!("null"))) {
            choices.push(json!({"type": "null"}));
        }
        return schema;
    }
    match map.get_mut("type") {
        Some(Value::Array(kinds)) => {
            if !kinds.iter().any(|kind| kind == "null") {
                kinds.push(json!("null"));
            }
        }
        Some(Value::String(kind)) => {
            let both = json!([kind, "null"]);
            map.insert("type".to_owned(), both);
        }
        Some(_) | None => return json!({"anyOf": [schema, {"type": "null"}]}),
    }
    if let Some(Value::Array(values)) = map.get_mut("enum")
        && !values.contains(&Value::Null)
    {
        values.push(Value::Null);
    }
    schema
}

#[cfg(test)]
mod tests;
