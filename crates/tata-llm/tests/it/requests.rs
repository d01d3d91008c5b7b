//! Requests respect what a model and its server take (wire rules that produce a 400 otherwise).

use serde_json::{Value, json};
use tata_core::{
    Block, Image, Message, ModelRequest, Origin, ResultPart, Role, ToolCall, ToolChoice, ToolDefinition,
    ToolResult,
};
use tata_llm::{Catalog, encode_request};
use tata_testkit::conversation::image;

use crate::support::weather_tool;

fn body(model: &str, request: &ModelRequest) -> Value {
    body_with("", model, request)
}

/// The body for a model of the catalog with `overlay` on top.
fn body_with(overlay: &str, model: &str, request: &ModelRequest) -> Value {
    let mut catalog = Catalog::built_in().unwrap();
    catalog.overlay("test", overlay).unwrap();
    let (spec, provider) = catalog.resolve(model).unwrap();
    serde_json::from_slice(&encode_request(request, &spec, &provider).unwrap()).unwrap()
}

fn request() -> ModelRequest {
    ModelRequest {
        messages: vec![Message::system("s"), Message::user("u")],
        tools: vec![weather_tool()].into(),
        temperature: Some(0.7),
        top_p: Some(0.9),
        max_output_tokens: Some(1_000_000),
        stop_sequences: vec!["END".into()],
        effort: Some("high".into()),
        parallel_tools: Some(true),
        ..ModelRequest::default()
    }
}

#[test]
fn a_reasoning_model_gets_no_sampling_and_its_own_cap() {
    let sent = body("gpt-6.1-sol", &request());
    for refused in ["temperature", "top_p", "stop", "max_tokens", "max_completion_tokens"] {
        assert_eq!(sent.get(refused), None, "{refused}");
    }
    assert_eq!(sent["max_output_tokens"], 128_000, "never above the model's own cap");
    assert_eq!(sent["reasoning"]["effort"], "high");
    assert_eq!((&sent["store"], &sent["include"]), (&json!(false), &json!(["reasoning.encrypted_content"])));
    let unknown_effort = ModelRequest { effort: Some("none".into()), ..request() };
    assert_eq!(body("gpt-6.1-sol", &unknown_effort).get("reasoning"), None);
    assert_eq!(body("gpt-6-sol", &unknown_effort)["reasoning"]["effort"], "none");
}

#[test]
fn an_older_model_gets_sampling() {
    let sent = body("gpt-4o", &request());
    assert_eq!((sent["temperature"].as_f64(), sent["top_p"].as_f64()), (Some(0.7), Some(0.9)));
    assert_eq!((sent.get("reasoning"), sent.get("include")), (None, None));
}

#[test]
fn the_cap_has_the_name_the_server_knows() {
    assert_eq!(body("ollama/x", &request())["max_tokens"], 1_000_000);
    let chat = "models: { m: { provider: openai, wire: chat } }";
    let sent = body_with(chat, "m", &request());
    assert_eq!((sent.get("max_tokens"), sent["max_completion_tokens"].as_u64()), (None, Some(1_000_000)));
    assert_eq!(sent["messages"][0]["role"], "developer");
    assert_eq!(body("ollama/x", &request())["messages"][0]["role"], "system");
}

#[test]
fn tools_over_chat_follow_the_model() {
    let chat = "models: { gpt-5.4: { provider: openai, wire: chat }, gpt-6.1-sol: { provider: openai, wire: chat } }";
    let sent = body_with(chat, "gpt-5.4", &request());
    assert_eq!(
        (sent["reasoning_effort"].as_str(), sent["tools"].as_array().map(Vec::len)),
        (Some("none"), Some(1))
    );
    assert_eq!(body_with(chat, "gpt-6.1-sol", &request()).get("tools"), None);
    let deaf = "models: { deaf: { provider: ollama, capabilities: { tools: false } } }";
    let sent = body_with(deaf, "deaf", &request());
    assert_eq!(
        (sent.get("tools"), sent.get("parallel_tool_calls"), sent.get("tool_choice")),
        (None, None, None)
    );
}

#[test]
fn claude_gets_what_its_version_takes() {
    let sent = body("claude-sonnet-5-5", &request());
    for refused in ["temperature", "top_p", "stop"] {
        assert_eq!(sent.get(refused), None, "{refused}");
    }
    assert_eq!((sent["max_tokens"].as_u64(), &sent["stop_sequences"]), (Some(128_000), &json!(["END"])));
    assert_eq!(
        (&sent["thinking"], &sent["output_config"]),
        (&json!({"type": "adaptive"}), &json!({"effort": "high"}))
    );
    assert_eq!(sent["tool_choice"], json!({"type": "auto", "disable_parallel_tool_use": false}));
    let forced = ModelRequest { tool_choice: ToolChoice::Required, parallel_tools: None, ..request() };
    assert_eq!(body("claude-sonnet-5-5", &forced).get("tool_choice"), None, "this model refuses force");
    assert_eq!(body("claude-sonnet-5", &forced)["tool_choice"], json!({"type": "any"}));
    let plain = ModelRequest { messages: vec![Message::user("u")], ..ModelRequest::default() };
    assert_eq!(body("claude-sonnet-5-5", &plain)["max_tokens"], 16_000, "the cap is required there");
}

#[test]
fn strict_schemas_are_normalised_or_sent_as_they_are() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer", "format": "uint8"}},
        "required": ["a"]});
    let tool = |schema| ToolDefinition { strict: true, ..ToolDefinition::new("t", "d", schema).unwrap() };
    let ask = |schema| ModelRequest { tools: vec![tool(schema)].into(), ..request() };
    let sent = body("gpt-6-sol", &ask(schema.clone()));
    assert_eq!(sent["tools"][0]["strict"], true);
    assert_eq!(sent["tools"][0]["parameters"]["required"], json!(["a", "b"]));
    assert_eq!(sent["tools"][0]["parameters"]["properties"]["b"], json!({"type": ["integer", "null"]}));
    let open =
        json!({"type": "object", "properties": {"m": {"type": "object", "additionalProperties": true}}});
    let sent = body("gpt-6-sol", &ask(open.clone()));
    assert_eq!((&sent["tools"][0]["strict"], &sent["tools"][0]["parameters"]), (&json!(false), &open));
    assert_eq!(body("ollama/x", &ask(schema))["tools"][0]["function"].get("strict"), None);
}

#[test]
fn an_image_reaches_its_own_wire_and_is_named_elsewhere() {
    let part = r#"{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}"#;
    let mut message = Message::user("What is this?");
    message.blocks.push(image("image_url", part));
    message.origin = Some(Origin::new("openrouter", "chat"));
    let ask = ModelRequest { messages: vec![message], ..ModelRequest::default() };
    let kept = body("ollama/x", &ask);
    assert_eq!(kept["messages"][0]["content"][1], serde_json::from_str::<Value>(part).unwrap());
    for other in ["gpt-6-sol", "claude-sonnet-5-5"] {
        let sent = body(other, &ask).to_string();
        assert!(!sent.contains("base64") && sent.contains("[image_url left out"), "{other}: {sent}");
    }
}

#[test]
fn a_server_that_knows_only_functions_gets_functions() {
    let old = "providers: { ollama: { quirks: { legacy_functions: true } } }";
    let named = ModelRequest { tool_choice: ToolChoice::Named("get_weather".into()), ..request() };
    let sent = body_with(old, "ollama/x", &named);
    assert_eq!((sent.get("tools"), sent["functions"][0]["name"].as_str()), (None, Some("get_weather")));
    assert_eq!((&sent["function_call"], sent.get("tool_choice")), (&json!({"name": "get_weather"}), None));
}

/// A picture that a tool brought is seen where the wire can carry it, and named where it cannot.
#[test]
fn a_picture_in_a_result_is_shown_or_named() {
    let call = ToolCall::function("call_1", "get_weather", "{}");
    let picture = |media_type: &str| {
        ResultPart::Image(Image { media_type: media_type.to_owned(), data: "iVBORw0KGgo=".to_owned() })
    };
    let content = vec![ResultPart::Text("a map".to_owned()), picture("image/png"), picture("image/tiff")];
    let result = ToolResult { content, ..ToolResult::text(&call, "") };
    let made = Message { role: Role::Assistant, blocks: vec![Block::ToolCall(call)].into(), origin: None };
    let messages = vec![Message::user("u"), made, Message::tool_results([result])];
    let request = ModelRequest { messages, ..ModelRequest::default() };
    let left_out = "[image/tiff left out: this model's API cannot read it]";
    let output = &body("gpt-6-sol", &request)["input"][2]["output"];
    assert_eq!(
        output,
        &json!([
            {"type": "input_text", "text": "a map"},
            {"type": "input_image", "image_url": "data:image/png;base64,iVBORw0KGgo="},
            {"type": "input_text", "text": left_out},
        ])
    );
    let content = &body("claude-sonnet-5-5", &request)["messages"][2]["content"][0]["content"];
    let source = json!({"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="});
    assert_eq!(
        content,
        &json!([
            {"type": "text", "text": "a map"},
            {"type": "image", "source": source},
            {"type": "text", "text": left_out},
        ])
    );
    let text = body("ollama/qwen3:8b", &request)["messages"][2]["content"].as_str().unwrap().to_owned();
    assert_eq!(text, format!("a map[image/png left out: this model's API cannot read it]{left_out}"));
}
