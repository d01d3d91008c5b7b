//! Requests of ours as a server receives them, written out for the official SDKs' types to judge
//! (`tests/peers/run`). Without `TATA_PEERS_OUT` they are only captured.

use std::{fs, path::PathBuf};

use serde_json::json;
use tata_core::{
    Block, CallKind, Delivery, ItemId, Message, ModelRequest, OutputFormat, RawJson, Reasoning, Role, Text,
    ToolCall, ToolChoice, ToolResult,
};
use tata_testkit::{Exchange, Upstream};

use crate::support::{MODELS, ask, model_at, weather_tool};

/// Conversations that together use every shape we can send.
fn requests() -> Vec<(&'static str, ModelRequest)> {
    let base = || ModelRequest { tools: vec![weather_tool()].into(), ..ModelRequest::default() };
    let strict = tata_core::ToolDefinition { strict: true, ..weather_tool() };
    let mut out = vec![
        ("plain", ModelRequest { messages: vec![Message::user("Hi")], ..ModelRequest::default() }),
        (
            "options",
            ModelRequest {
                messages: vec![Message::system("Be brief."), Message::user("Hi")],
                tools: vec![strict].into(),
                tool_choice: ToolChoice::None,
                parallel_tools: Some(false),
                max_output_tokens: Some(500),
                temperature: Some(0.5),
                top_p: Some(0.9),
                stop_sequences: vec!["END".into()],
                effort: Some("low".into()),
                user_mark: Some("user-1".into()),
                cache_key: Some("cache-1".into()),
                output_format: Some(OutputFormat {
                    name: "answer".into(),
                    schema: json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}),
                }),
                delivery: Delivery::Whole,
                sent_before: 0,
            },
        ),
        (
            "forced",
            ModelRequest { messages: vec![Message::user("Go")], tool_choice: ToolChoice::Required, ..base() },
        ),
        (
            "named",
            ModelRequest {
                messages: vec![Message::user("Go")],
                tool_choice: ToolChoice::Named("get_weather".into()),
                ..base()
            },
        ),
    ];
    for origin in ["openai/responses", "ollama/chat", "anthropic/messages"] {
        out.push((origin, ModelRequest { messages: history(origin), ..base() }));
    }
    out
}

/// A tool conversation as each provider would have left it, with reasoning, parallel calls, an error, a refusal.
fn history(origin: &str) -> Vec<Message> {
    let origin: tata_core::Origin = serde_json::from_value(json!(origin)).unwrap();
    let said = |blocks: Vec<Block>| Message {
        role: Role::Assistant,
        blocks: blocks.into(),
        origin: Some(origin.clone()),
    };
    let thought = match origin.as_str() {
        "openai/responses" => Reasoning::Item {
            id: Some(ItemId::from("rs_1")),
            summary: vec!["Thinking".into()],
            content: Vec::new(),
            encrypted: Some("gAAAA".into()),
        },
        "anthropic/messages" => Reasoning::Signed { text: "Thinking".into(), signature: Some("EqQB".into()) },
        _ => Reasoning::Plain { text: "Thinking".into() },
    };
    let annotation = match origin.as_str() {
        "openai/responses" => {
            r#"{"type":"url_citation","url":"https://a.example","title":"A","start_index":0,"end_index":1}"#
        }
        _ => {
            r#"{"type":"char_location","cited_text":"x","document_index":0,"document_title":"d","start_char_index":0,"end_char_index":1}"#
        }
    };
    let first = ToolCall {
        item_id: Some(ItemId::from("fc_1")),
        ..ToolCall::function("call_1", "get_weather", "{\"city\": \"Oslo\"}")
    };
    let second = ToolCall::function("id with spaces/ø", "get_weather", "");
    let custom =
        ToolCall { kind: CallKind::Custom, ..ToolCall::function("call_3", "get_weather", "raw text") };
    let results = vec![
        ToolResult::text(&first, "sun"),
        ToolResult::error(&second, "city is required"),
        ToolResult::text(&custom, "ok"),
    ];
    vec![
        Message::system("Be brief."),
        Message::user("Weather?"),
        said(vec![
            Block::Reasoning(thought),
            Block::text("Let me look."),
            Block::ToolCall(first),
            Block::ToolCall(second),
            Block::ToolCall(custom),
        ]),
        Message::tool_results(results),
        said(vec![Block::Text(Text {
            text: "Sun.".into(),
            annotations: vec![RawJson::new(annotation).unwrap()],
            phase: Some("final_answer".into()),
            item_id: Some(ItemId::from("msg_1")),
        })]),
        Message::user("And now something bad"),
        said(vec![Block::Refusal(tata_core::Refusal { text: "I will not.".into(), item_id: None })]),
        Message::user("Then goodbye"),
    ]
}

#[tokio::test]
async fn captured_requests_for_the_official_types() {
    #[expect(clippy::disallowed_methods, reason = "the documented switch of this test")]
    let folder = std::env::var_os("TATA_PEERS_OUT").map(PathBuf::from);
    let mut count = 0;
    // The official Chat endpoint as well, whose rules are stricter than a compatible server's.
    let chat = ("gpt-4o-chat", tata_llm::Wire::Chat);
    for (name, wire) in MODELS.into_iter().chain([chat]) {
        for (case, request) in requests() {
            let upstream =
                Upstream::start([Exchange::json(400, &json!({"error": {"message": "captured"}}))]).await;
            ask(&model_at(name, &upstream.base_url()), request).await;
            let sent = upstream.requests().remove(0);
            assert_eq!(sent.method, "POST");
            let expected = match wire {
                tata_llm::Wire::Responses => "/v1/responses",
                tata_llm::Wire::Chat => "/v1/chat/completions",
                tata_llm::Wire::Messages => "/v1/messages",
            };
            assert_eq!(sent.target, expected);
            count += 1;
            if let Some(folder) = &folder {
                let file = format!(
                    "{}.{}.{}.json",
                    wire.as_str(),
                    name.replace(['/', ':'], "-"),
                    case.replace('/', "-")
                );
                fs::create_dir_all(folder).unwrap();
                fs::write(folder.join(file), &sent.body).unwrap();
            }
        }
    }
    assert_eq!(count, 28);
}
