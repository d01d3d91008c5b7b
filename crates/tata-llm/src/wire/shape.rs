//! The structure of an event without its content, for logs.

use serde_json::Value;

/// Names whose values say what an event is, not what it says.
const KEPT: [&str; 8] = ["type", "role", "status", "object", "id", "item_id", "call_id", "finish_reason"];
const DEPTH: usize = 5;
const FIELDS: usize = 24;

/// Writes keys, types and lengths: enough to see what a server sent, nothing of what a person said.
pub(crate) fn shape(json: &str) -> String {
    match serde_json::from_str(json) {
        Ok(value) => {
            let mut out = String::new();
            write(&value, "", 0, &mut out);
            out
        }
        Err(error) => format!("{} bytes, not JSON: {error}", json.len()),
    }
}

fn write(value: &Value, name: &str, depth: usize, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(_) => out.push_str("bool"),
        Value::Number(_) => out.push_str("number"),
        Value::String(text) if KEPT.contains(&name) && text.len() <= 80 => {
            out.push_str(&Value::from(text.as_str()).to_string());
        }
        Value::String(text) => out.push_str(&format!("text({})", text.len())),
        Value::Array(list) if depth >= DEPTH || list.is_empty() => {
            out.push_str(&format!("list({})", list.len()));
        }
        Value::Array(list) => {
            out.push('[');
            if let Some(first) = list.first() {
                write(first, "", depth + 1, out);
            }
            if list.len() > 1 {
                out.push_str(&format!(" ×{}", list.len()));
            }
            out.push(']');
        }
        Value::Object(map) if depth >= DEPTH => out.push_str(&format!("object({})", map.len())),
        Value::Object(map) => {
            out.push('{');
            for (at, (key, value)) in map.iter().take(FIELDS).enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                out.extend(key.chars().take(40));
                out.push_str(": ");
                write(value, key, depth + 1, out);
            }
            if map.len() > FIELDS {
                out.push_str(", …");
            }
            out.push('}');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn shows_structure_and_hides_content() {
        let json = r#"{"type":"x","item":{"id":"fc_1","name":"Anna","list":["a","b"]},"n":1}"#;
        assert_eq!(
            shape(json),
            r#"{item: {id: "fc_1", list: [text(1) ×2], name: text(4)}, n: number, type: "x"}"#
        );
        assert!(shape("{\"delta\":\"Anna").starts_with("14 bytes, not JSON"));
    }
}
