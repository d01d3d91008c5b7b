//! The files in which other programs keep their servers.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{ConfigError, Declared};

/// More servers than this are not somebody's servers.
const MOST_SERVERS: usize = 100;

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The servers, in order of name.
    pub servers: Vec<Declared>,
    /// What of the file is not used, and why.
    pub notes: Vec<String>,
}

/// Reads a file of servers: `{"mcpServers": {…}}`, VS Code's `{"servers": {…}}` or the `mcp` of its settings.
///
/// ```
/// let text = r#"{"mcpServers": {"notes": {"command": "notes-server", "args": ["${NOTES:-/notes}"]}}}"#;
/// let parsed = tata_mcp::parse_servers(".mcp.json", text)?;
/// assert_eq!(parsed.servers[0].what(), "notes-server ${NOTES:-/notes}");
/// # Ok::<(), tata_mcp::ConfigError>(())
/// ```
pub fn parse_servers(file: &str, text: &str) -> Result<Parsed, ConfigError> {
    let text = text.trim_start_matches('\u{feff}');
    let whole: Value = serde_json::from_str(text)
        .map_err(|error| ConfigError::NotJson { file: file.to_owned(), problem: error.to_string() })?;
    let places = [&whole["mcpServers"], &whole["servers"], &whole["mcp"]["servers"]];
    let Some((key, servers)) =
        ["mcpServers", "servers", "mcp.servers"].into_iter().zip(places).find(|(_, value)| !value.is_null())
    else {
        return Err(wrong(
            file,
            "mcpServers",
            "is missing (VS Code calls it servers); nothing else holds servers",
        ));
    };
    let Value::Object(servers) = servers else {
        return Err(wrong(file, key, "must be an object: the name of each server, and what it is"));
    };
    if servers.len() > MOST_SERVERS {
        let problem = format!("has {} servers; at most {MOST_SERVERS} are read", servers.len());
        return Err(wrong(file, key, &problem));
    }
    let mut parsed = Parsed::default();
    for (name, server) in servers {
        let place = format!("{key}.{name}");
        let Value::Object(fields) = server else {
            return Err(wrong(file, &place, "must be an object with a command or a url"));
        };
        if fields.get("disabled") == Some(&Value::Bool(true))
            || fields.get("enabled") == Some(&Value::Bool(false))
        {
            parsed.notes.push(format!("{name} is switched off in {file}."));
            continue;
        }
        parsed.servers.push(read(file, &place, name, fields, &mut parsed.notes)?);
    }
    Ok(parsed)
}

/// These servers as a file of ours, in the common shape.
pub fn servers_json(servers: &[Declared]) -> Value {
    let all: Map<String, Value> = servers
        .iter()
        .map(|server| {
            let mut fields = Map::new();
            let mut set = |name: &str, value: Value| fields.insert(name.to_owned(), value);
            for (name, text) in [
                ("type", &server.kind),
                ("command", &server.command),
                ("cwd", &server.cwd),
                ("url", &server.url),
            ] {
                if let Some(text) = text {
                    set(name, json!(text));
                }
            }
            if !server.args.is_empty() {
                set("args", json!(server.args));
            }
            for (name, map) in [("env", &server.env), ("headers", &server.headers)] {
                if !map.is_empty() {
                    set(name, json!(map));
                }
            }
            (server.name.clone(), Value::Object(fields))
        })
        .collect();
    json!({ "mcpServers": all })
}

fn read(
    file: &str,
    place: &str,
    name: &str,
    fields: &Map<String, Value>,
    notes: &mut Vec<String>,
) -> Result<Declared, ConfigError> {
    let mut server = Declared { name: name.to_owned(), ..Declared::default() };
    for (field, value) in fields {
        let at = format!("{place}.{field}");
        match field.as_str() {
            "type" | "transport" => server.kind = text(file, &at, value)?,
            "command" => server.command = text(file, &at, value)?,
            "cwd" => server.cwd = text(file, &at, value)?,
            // Some programs call it so.
            "url" | "serverUrl" | "httpUrl" => server.url = text(file, &at, value)?,
            "args" => server.args = list(file, &at, value)?,
            "env" => server.env = map(file, &at, value)?,
            "headers" => server.headers = map(file, &at, value)?,
            "disabled" | "enabled" | "description" | "name" | "icon" | "gallery" | "version" => {}
            // What a file says about asking is not the person's word.
            "alwaysAllow" | "autoApprove" | "trust" => {
                notes.push(format!("{name}: {field} is not used; what needs approval is asked about here."));
            }
            _ => notes.push(format!("{name}: {field} is not known and not used.")),
        }
    }
    Ok(server)
}

fn text(file: &str, at: &str, value: &Value) -> Result<Option<String>, ConfigError> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(wrong(file, at, "must be a text"))
        }
    }
}

fn list(file: &str, at: &str, value: &Value) -> Result<Vec<String>, ConfigError> {
    let texts = value.as_array().map(|items| items.iter().map(scalar).collect::<Option<Vec<_>>>());
    texts.flatten().ok_or_else(|| wrong(file, at, "must be a list of texts"))
}

fn map(file: &str, at: &str, value: &Value) -> Result<BTreeMap<String, String>, ConfigError> {
    let texts = value.as_object().map(|items| {
        items
            .iter()
            .map(|(name, value)| Some((name.clone(), scalar(value)?)))
            .collect::<Option<BTreeMap<_, _>>>()
    });
    texts.flatten().ok_or_else(|| wrong(file, at, "must be an object of texts"))
}

/// A text, or what people write without quotation marks.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn wrong(file: &str, field: &str, problem: &str) -> ConfigError {
    ConfigError::Field { place: file.to_owned(), field: field.to_owned(), problem: problem.to_owned() }
}
