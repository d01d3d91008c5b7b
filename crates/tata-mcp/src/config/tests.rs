use secrecy::ExposeSecret;

use super::*;

fn one(text: &str) -> Declared {
    parse_servers(".mcp.json", text).unwrap().servers.remove(0)
}

fn lookup(name: &str) -> Option<String> {
    match name {
        "HOME" => Some("/people/ada".to_owned()),
        "EMPTY" => Some(String::new()),
        "TRICKY" => Some("${HOME}".to_owned()),
        _ => None,
    }
}

fn check(text: &str, expected: &str) {
    let server = Declared { name: "s".to_owned(), command: Some(text.to_owned()), ..Declared::default() };
    let found = match server.resolve(&lookup) {
        Ok(ServerConfig { reach: Reach::Program { command, .. }, .. }) => command,
        Ok(_) => panic!("an address"),
        Err(error) => format!("! {error}"),
    };
    assert_eq!(found, expected, "{text}");
}

#[test]
fn variables_get_their_values_once() {
    check("${HOME}/x", "/people/ada/x");
    check("${env:HOME}/x", "/people/ada/x");
    check("a${HOME:-b}c", "a/people/adac");
    check("a${NONE:-b}c", "abc");
    check("a${NONE:-}c", "ac");
    check("a${EMPTY:-b}", "ab");
    check("a${EMPTY}", "a");
    check("${TRICKY}", "${HOME}");
    check("$HOME and $ {x}", "$HOME and $ {x}");
    check("${NONE}", "! the server s needs the environment variable NONE (in command), which is not set");
    check("${HOME", "! the server s: command has \"${\" without its \"}\"");
    check(
        "${input:key}",
        "! the server s: command has ${input:key}, which is not known here; ${VAR}, ${VAR:-otherwise} and ${env:VAR} are",
    );
}

#[test]
fn the_three_shapes_are_read_alike() {
    let inner = r#"{"a": {"command": "x", "args": ["1", 2], "env": {"K": "${HOME}"}}}"#;
    let shapes = [
        format!(r#"{{"mcpServers": {inner}}}"#),
        format!(r#"{{"servers": {inner}, "inputs": []}}"#),
        format!(r#"{{"mcp": {{"servers": {inner}}}}}"#),
    ];
    for shape in shapes {
        let server = one(&shape);
        assert_eq!(server.what(), "x 1 2");
        assert_eq!(server.variables().into_iter().collect::<Vec<_>>(), ["HOME"]);
        let Reach::Program { env, .. } = server.resolve(&lookup).unwrap().reach else {
            panic!("not a program")
        };
        assert_eq!(env["K"].expose_secret(), "/people/ada");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_field() {
    let errors = [
        ("[", ".mcp.json is not JSON: EOF while parsing a list at line 1 column 1"),
        ("{}", ".mcp.json: mcpServers is missing (VS Code calls it servers); nothing else holds servers"),
        (
            r#"{"mcpServers": []}"#,
            ".mcp.json: mcpServers must be an object: the name of each server, and what it is",
        ),
        (r#"{"mcpServers": {"a": 1}}"#, ".mcp.json: mcpServers.a must be an object with a command or a url"),
        (r#"{"mcpServers": {"a": {"command": 1}}}"#, ".mcp.json: mcpServers.a.command must be a text"),
        (
            r#"{"mcpServers": {"a": {"command": "x", "args": "y"}}}"#,
            ".mcp.json: mcpServers.a.args must be a list of texts",
        ),
    ];
    for (text, expected) in errors {
        assert_eq!(parse_servers(".mcp.json", text).unwrap_err().to_string(), expected);
    }
    let servers = [
        (r#"{"a": {}}"#, "the server a: command is missing; give a command to start, or a url"),
        (
            r#"{"a": {"command": "x", "url": "https://y"}}"#,
            "the server a: command and url exclude each other; keep one",
        ),
        (
            r#"{"a": {"url": "ftp://y"}}"#,
            "the server a: url must be an address that begins with http:// or https://",
        ),
        (
            r#"{"a": {"type": "ws", "url": "ws://y"}}"#,
            "the server a: type is \"ws\"; \"stdio\" needs a command, \"http\" needs a url",
        ),
    ];
    for (text, expected) in servers {
        let server = one(&format!(r#"{{"mcpServers": {text}}}"#));
        assert_eq!(server.resolve(&lookup).unwrap_err().to_string(), expected);
    }
    let old = one(r#"{"mcpServers": {"a": {"type": "sse", "url": "https://y/sse"}}}"#);
    assert!(old.resolve(&lookup).unwrap_err().to_string().contains("set type to \"http\""));
}

#[test]
fn a_file_cannot_approve_anything_and_switched_off_servers_stay_off() {
    let text = r#"{"mcpServers": {
        "a": {"command": "x", "alwaysAllow": ["pay"], "weird": 1},
        "b": {"command": "y", "disabled": true}}}"#;
    let parsed = parse_servers("f", text).unwrap();
    assert_eq!(parsed.servers.len(), 1);
    assert_eq!(
        parsed.notes,
        [
            "a: alwaysAllow is not used; what needs approval is asked about here.",
            "a: weird is not known and not used.",
            "b is switched off in f."
        ]
    );
}

#[test]
fn what_is_read_can_be_written_and_read_again() {
    let text = r#"{"servers": {"a": {"command": "x y", "args": ["it's", ""], "cwd": "/w"},
                               "b": {"type": "http", "url": "https://h/mcp", "headers": {"K": "${V}"}}}}"#;
    let parsed = parse_servers("f", text).unwrap();
    let again = parse_servers("g", &servers_json(&parsed.servers).to_string()).unwrap();
    assert_eq!(parsed.servers, again.servers);
    assert_eq!(parsed.servers[0].what(), r"'x y' 'it'\''s' '' (in /w)");
}

#[test]
fn secrets_are_not_shown() {
    let text = r#"{"mcpServers": {"a": {"url": "https://user:canary@h/mcp?key=canary", "headers": {"K": "canary"}}}}"#;
    let server = one(text);
    let resolved = server.resolve(&lookup).unwrap();
    assert_eq!(resolved.place(), "https://h/mcp");
    assert!(!format!("{resolved:?}").contains("canary"));
}
