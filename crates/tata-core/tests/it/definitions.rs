//! What a model is told about tools: valid on every wire, with what each requires (A1.1–A1.5).

use std::sync::Arc;

use proptest::{
    collection::vec,
    prelude::{BoxedStrategy, Just, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest},
};
use serde_json::{Value, json};
use tata_core::{ArtifactKind, Effect, Message, ModelRequest, ToolDefinition, ToolRegistry, ToolSpec};
use tata_llm::{Catalog, encode_request};
use tata_testkit::{
    CountingTool, Runs,
    conversation::{text, tool_name},
};

use crate::{properties::kind_name, support::registry};

/// One model per wire.
const MODELS: [&str; 3] = ["gpt-6-sol", "ollama/qwen3:8b", "claude-sonnet-5-5"];

/// Object schemas with the shapes that schemars and MCP servers send.
fn schema() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "string", "enum": ["a", "b"], "description": "One of two."})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"type": "integer", "format": "uint8", "minimum": 0, "maximum": 255})),
        Just(json!({"type": "array", "items": {"type": "number"}, "minItems": 1})),
        Just(json!({"anyOf": [{"$ref": "#/$defs/Inner"}, {"type": "null"}], "description": "Beside a ref."})),
        Just(json!({"oneOf": [{"const": "x", "description": "x"}, {"const": "y", "description": "y"}]})),
        Just(json!(true)),
    ];
    (vec(("[a-z_]{1,10}", leaf, any::<bool>()), 0..5), any::<bool>())
        .prop_map(|(fields, closed)| {
            let mut required: Vec<&String> =
                fields.iter().filter(|(_, _, required)| *required).map(|(name, ..)| name).collect();
            required.sort();
            required.dedup();
            let mut schema = json!({"type": "object", "required": required,
                "$defs": {"Inner": {"type": "object", "properties": {"n": {"type": "number"}}}}});
            schema["properties"] =
                Value::Object(fields.iter().map(|(name, leaf, _)| (name.clone(), leaf.clone())).collect());
            if closed {
                schema["additionalProperties"] = json!(false);
            }
            schema
        })
        .boxed()
}

/// Tools with any names, descriptions, schemas and prerequisites.
fn specs() -> BoxedStrategy<Vec<ToolSpec>> {
    let tool = (tool_name(), text(), schema(), vec(kind_name(), 0..3));
    let spec = tool.prop_map(|(name, description, schema, kinds)| {
        let mut spec = ToolSpec::new(name, description, schema).unwrap();
        spec.requires = kinds.iter().map(|kind| ArtifactKind::new(kind)).collect();
        spec
    });
    vec(spec, 1..5)
        .prop_map(|mut specs| {
            specs.sort_by(|a, b| a.name.cmp(&b.name));
            specs.dedup_by(|a, b| a.name == b.name);
            specs
        })
        .boxed()
}

fn registry_of(specs: &[ToolSpec]) -> ToolRegistry {
    let tool = |spec: &ToolSpec| {
        CountingTool::new(&spec.name, Effect::Read, &Runs::default()).with(|own| *own = spec.clone())
    };
    registry(specs.iter().map(tool))
}

fn body(model: &str, tools: Arc<[ToolDefinition]>) -> Value {
    let (spec, provider) = Catalog::built_in().unwrap().resolve(model).unwrap();
    let messages = vec![Message::system("s"), Message::user("u")];
    let request = ModelRequest { messages, tools, ..ModelRequest::default() };
    serde_json::from_slice(&encode_request(&request, &spec, &provider).unwrap()).unwrap()
}

proptest! {
    /// AP1: any definition in the registry is a valid function tool on all three wires (A1.1, A1.2, A1.5).
    #[test]
    fn ap1_definitions_are_valid_on_every_wire(specs in specs()) {
        let definitions = registry_of(&specs).definitions();
        for model in MODELS {
            let body = body(model, Arc::clone(&definitions));
            let tools = body["tools"].as_array().unwrap();
            prop_assert_eq!(tools.len(), definitions.len());
            for (tool, definition) in tools.iter().zip(definitions.iter()) {
                let function = tool.get("function").unwrap_or(tool);
                prop_assert!(tool.get("type").is_none_or(|kind| kind == "function" || kind == "custom"), "{}", tool);
                prop_assert_eq!(&function["name"], &json!(definition.name));
                prop_assert!(!definition.name.is_empty() && function["description"].is_string(), "{}", tool);
                let parameters = function.get("parameters").or_else(|| function.get("input_schema")).unwrap();
                prop_assert_eq!(&parameters["type"], &json!("object"));
                prop_assert!(jsonschema::meta::is_valid(parameters), "{}", parameters);
                prop_assert!(jsonschema::validator_for(parameters).is_ok(), "{}", parameters);
            }
        }
    }

    /// AP2: a tool with prerequisites says so, with the word and their names (A1.4).
    #[test]
    fn ap2_prerequisites_are_documented(specs in specs()) {
        let definitions = registry_of(&specs).definitions();
        for (spec, definition) in specs.iter().zip(definitions.iter()) {
            prop_assert!(spec.requires.is_empty() || definition.description.contains("requires"), "{}", definition.description);
            for kind in &spec.requires {
                prop_assert!(definition.description.contains(kind.as_str()), "{}", definition.description);
            }
        }
    }

    /// Every tool of a registry can be chosen by its name (A1.5, D6).
    #[test]
    fn all_tools_can_be_selected_by_name(specs in specs()) {
        let registry = registry_of(&specs);
        let names: Vec<String> = registry.names().map(str::to_owned).collect();
        let chosen = registry.select(names.iter().map(String::as_str));
        prop_assert!(chosen.is_ok(), "{:?}: {:?}", names, chosen.err());
    }
}
