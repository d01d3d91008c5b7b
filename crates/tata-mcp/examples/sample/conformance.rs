//! What the conformance suite wants of a server, on our layer.

use std::time::Duration;

use serde_json::{Map, Value, json};
use tata_core::ToolSpec;
use tata_mcp::{
    About, Call, Caller, Elicited, Given, Offer, OfferedTool, Offering, Part, Prompt, PromptField, Resource,
    Said, Template,
};

/// One red pixel.
const PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/// A sound without sound.
const SILENCE: &str = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA==";
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct Conformance;

impl Offer for Conformance {
    fn about(&self) -> About {
        About {
            name: "conformance".to_owned(),
            version: "1.0.0".to_owned(),
            instructions: "For tests.".to_owned(),
        }
    }

    fn tools(&self) -> Vec<OfferedTool> {
        let plain = || json!({"type": "object", "properties": {}});
        let tool = |name: &str, schema: Value| {
            OfferedTool::new(ToolSpec::new(name, format!("Tests {name}."), schema).unwrap())
        };
        let message =
            json!({"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]});
        let modern = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "$defs": {"address": {"type": "object", "properties": {
                "street": {"type": "string"}, "city": {"type": "string"}}}},
            "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
            "additionalProperties": false,
        });
        vec![
            tool("test_simple_text", plain()),
            tool("test_image_content", plain()),
            tool("test_audio_content", plain()),
            tool("test_embedded_resource", plain()),
            tool("test_multiple_content_types", plain()),
            tool("test_tool_with_logging", plain()),
            tool("test_tool_with_progress", plain()),
            tool("test_error_handling", plain()),
            tool("test_elicitation", message),
            tool("test_elicitation_sep1034_defaults", plain()),
            tool("test_elicitation_sep1330_enums", plain()),
            tool("test_reconnection", plain()),
            tool("json_schema_2020_12_tool", modern),
        ]
    }

    fn call<'a>(&'a self, call: Call, caller: &'a Caller) -> Offering<'a, Given> {
        Box::pin(async move {
            let picture = || Part::Image { data: PIXEL.to_owned(), kind: "image/png".to_owned() };
            match call.tool.as_str() {
                "test_simple_text" => Given::text("This is a simple text response for testing."),
                "test_image_content" => Given { parts: vec![picture()], ..Given::default() },
                "test_audio_content" => {
                    let sound = Part::Audio { data: SILENCE.to_owned(), kind: "audio/wav".to_owned() };
                    Given { parts: vec![sound], ..Given::default() }
                }
                "test_embedded_resource" => {
                    let text = "This is an embedded resource content.";
                    Given {
                        parts: vec![document("test://embedded-resource", "text/plain", text)],
                        ..Given::default()
                    }
                }
                "test_multiple_content_types" => {
                    let data = document(
                        "test://mixed-content-resource",
                        "application/json",
                        r#"{"test":"data","value":123}"#,
                    );
                    let parts = vec![Part::Text("Multiple content types test:".to_owned()), picture(), data];
                    Given { parts, ..Given::default() }
                }
                "test_tool_with_logging" => {
                    for note in ["Tool execution started", "Tool processing data", "Tool execution completed"]
                    {
                        caller.note(note).await;
                        tokio::time::sleep(PAUSE).await;
                    }
                    Given::text("Noted.")
                }
                "test_tool_with_progress" => {
                    for done in [0.0, 50.0, 100.0] {
                        caller.progress(done, Some(100.0), None).await;
                        tokio::time::sleep(PAUSE).await;
                    }
                    Given::text("Done.")
                }
                "test_error_handling" => {
                    Given::failure("This tool intentionally returns an error for testing")
                }
                "test_elicitation" => {
                    let text = |about: &str| json!({"type": "string", "description": about});
                    let fields =
                        json!({"username": text("User's response"), "email": text("User's email address")});
                    let schema =
                        json!({"type": "object", "properties": fields, "required": ["username", "email"]});
                    let message = call.arguments.get("message").and_then(Value::as_str).unwrap_or_default();
                    ask(caller, "User response", message, schema).await
                }
                "test_elicitation_sep1034_defaults" => {
                    ask(caller, "Elicitation completed", "Defaults", defaults()).await
                }
                "test_elicitation_sep1330_enums" => {
                    ask(caller, "Elicitation completed", "Choices", choices()).await
                }
                other => Given::text(other),
            }
        })
    }

    fn resources<'a>(&'a self, _: &'a Caller) -> Offering<'a, Vec<Resource>> {
        let resource = |uri: &str, name: &str, kind: &str| Resource {
            uri: uri.to_owned(),
            name: name.to_owned(),
            kind: Some(kind.to_owned()),
            ..Resource::default()
        };
        Box::pin(std::future::ready(vec![
            resource("test://static-text", "static-text", "text/plain"),
            resource("test://static-binary", "static-binary", "image/png"),
            resource("test://watched-resource", "watched-resource", "text/plain"),
        ]))
    }

    fn templates(&self) -> Vec<Template> {
        let uri = "test://template/{id}/data".to_owned();
        vec![Template { uri, name: "template".to_owned(), ..Template::default() }]
    }

    fn read<'a>(&'a self, uri: &'a str, _: &'a Caller) -> Offering<'a, Option<Vec<Part>>> {
        let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
        let found = match (uri, id) {
            (_, Some(id)) => {
                let text =
                    json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")}).to_string();
                Some(document(uri, "application/json", &text))
            }
            ("test://static-text", None) => {
                Some(document(uri, "text/plain", "This is the content of the static text resource."))
            }
            ("test://static-binary", None) => Some(Part::Binary {
                uri: uri.to_owned(),
                kind: "image/png".to_owned(),
                data: PIXEL.to_owned(),
            }),
            ("test://watched-resource", None) => Some(document(uri, "text/plain", "Watched.")),
            _ => None,
        };
        Box::pin(std::future::ready(found.map(|part| vec![part])))
    }

    fn prompts(&self) -> Vec<Prompt> {
        let prompt = |name: &str, fields: &[&str]| Prompt {
            name: name.to_owned(),
            description: Some(format!("Tests {name}.")),
            fields: fields
                .iter()
                .map(|name| PromptField { name: (*name).to_owned(), description: None, required: true })
                .collect(),
            ..Prompt::default()
        };
        vec![
            prompt("test_simple_prompt", &[]),
            prompt("test_prompt_with_arguments", &["arg1", "arg2"]),
            prompt("test_prompt_with_embedded_resource", &["resourceUri"]),
            prompt("test_prompt_with_image", &[]),
        ]
    }

    fn prompt(&self, name: &str, filled: &Map<String, Value>) -> Option<Vec<Said>> {
        let given = |name: &str| filled.get(name).and_then(Value::as_str).unwrap_or_default();
        let text = |text: &str| Part::Text(text.to_owned());
        let parts = match name {
            "test_simple_prompt" => vec![text("This is a simple prompt for testing.")],
            "test_prompt_with_arguments" => {
                vec![text(&format!(
                    "Prompt with arguments: arg1='{}', arg2='{}'",
                    given("arg1"),
                    given("arg2")
                ))]
            }
            "test_prompt_with_embedded_resource" => vec![
                document(given("resourceUri"), "text/plain", "Embedded resource content for testing."),
                text("Please process the embedded resource above."),
            ],
            "test_prompt_with_image" => vec![
                Part::Image { data: PIXEL.to_owned(), kind: "image/png".to_owned() },
                text("Please analyze the image above."),
            ],
            _ => return None,
        };
        Some(parts.into_iter().map(|part| Said { by_assistant: false, part }).collect())
    }
}

async fn ask(caller: &Caller, done: &str, message: &str, schema: Value) -> Given {
    match caller.ask(message, schema).await {
        Ok(Elicited::Given(values)) => {
            Given::text(format!("{done}: action=accept, content={}", Value::Object(values)))
        }
        Ok(Elicited::Declined) => Given::text(format!("{done}: action=decline, content={{}}")),
        Ok(Elicited::Dismissed) => Given::text(format!("{done}: action=cancel, content={{}}")),
        Err(error) => Given::failure(error.to_string()),
    }
}

fn defaults() -> Value {
    json!({"type": "object", "required": [], "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": true},
    }})
}

fn choices() -> Value {
    let titled = |kind: &str| {
        let one = |at: &str, name: &str| json!({"const": at, "title": format!("{name} {kind}")});
        json!([one("value1", "First"), one("value2", "Second"), one("value3", "Third")])
    };
    json!({"type": "object", "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {"type": "string", "oneOf": titled("Option")},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"],
                       "enumNames": ["Option One", "Option Two", "Option Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {"type": "array", "items": {"anyOf": titled("Choice")}},
    }})
}

fn document(uri: &str, kind: &str, text: &str) -> Part {
    Part::Document { uri: uri.to_owned(), kind: kind.to_owned(), text: text.to_owned() }
}
