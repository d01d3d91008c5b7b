use serde_json::{Value, json};

use super::{object, strict};

#[test]
fn a_missing_schema_is_an_empty_object() {
    assert_eq!(object(&Value::Null), json!({"type": "object", "properties": {}}));
    assert_eq!(
        object(&json!({"$schema": "x", "properties": {"a": {}}})),
        json!({"type": "object", "properties": {"a": {}}})
    );
}

#[test]
fn optional_fields_become_required_and_nullable() {
    let given = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 2},
            "days": {"type": ["integer", "null"], "format": "uint8", "minimum": 0},
            "unit": {"$ref": "#/$defs/Unit", "description": "beside a reference"}
        },
        "required": ["city"],
        "$defs": {"Unit": {"oneOf": [
            {"const": "c", "description": "Celsius", "type": "string"},
            {"const": "f", "description": "Fahrenheit", "type": "string"}
        ]}}
    });
    assert_eq!(
        strict(&given).unwrap(),
        json!({
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "days": {"type": ["integer", "null"], "minimum": 0},
                "unit": {"anyOf": [{"$ref": "#/$defs/Unit"}, {"type": "null"}]}
            },
            "required": ["city", "days", "unit"],
            "additionalProperties": false,
            "$defs": {"Unit": {
                "type": "string", "enum": ["c", "f"], "description": "(c: Celsius; f: Fahrenheit)"
            }}
        })
    );
}

#[test]
fn what_strict_mode_cannot_say_is_not_strict() {
    let property = |schema: Value| json!({"type": "object", "properties": {"x": schema}});
    for inexpressible in [
        json!(true),
        json!({}),
        json!({"type": "object", "additionalProperties": {"type": "string"}}),
        json!({"type": "object"}),
        json!({"not": {"type": "string"}}),
        json!({"allOf": [{"type": "string"}, {"minLength": 1}]}),
        json!({"type": "array", "prefixItems": [{"type": "string"}]}),
    ] {
        assert_eq!(strict(&property(inexpressible.clone())), None, "{inexpressible}");
    }
}

#[test]
fn a_nullable_enumeration_lists_null() {
    let given = json!({"type": "object", "properties": {"x": {"type": "string", "enum": ["a"]}}});
    assert_eq!(
        strict(&given).unwrap().pointer("/properties/x").unwrap(),
        &json!({"type": ["string", "null"], "enum": ["a", null]})
    );
}

#[test]
fn nothing_stands_beside_a_reference_and_fixed_numbers_are_no_texts() {
    let wrapped = json!({"type": "object", "properties": {"x": {"description": "d", "allOf": [{"$ref": "#/$defs/X"}]}},
        "required": ["x"], "$defs": {"X": {"type": "string"}}});
    assert_eq!(strict(&wrapped).unwrap().pointer("/properties/x").unwrap(), &json!({"$ref": "#/$defs/X"}));
    let numbers = json!({"type": "object", "properties": {"x": {"oneOf": [{"const": 1}, {"const": 2}]}}, "required": ["x"]});
    assert_eq!(
        strict(&numbers).unwrap().pointer("/properties/x").unwrap(),
        &json!({"anyOf": [{"enum": [1]}, {"enum": [2]}]})
    );
}
