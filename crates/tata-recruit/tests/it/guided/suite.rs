//! The sentences of `tests/guided`, each in the situation it was said in.

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tata_core::{
    Block, Clock, Message, ModelRequest, Origin, Reasoning, Role, ToolCall, ToolDefinition, ToolResult,
};
use tata_recruit::{Guided, Intent, Language, Thought};

/// One sentence and what it means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Sentence {
    pub say: String,
    #[serde(default)]
    pub after: Option<String>,
    pub intent: Intent,
    #[serde(default)]
    pub slots: BTreeMap<String, Value>,
}

/// How a sentence was understood.
#[derive(Debug)]
pub(super) struct Understood {
    pub thought: Thought,
    pub tool: Option<String>,
    pub arguments: Map<String, Value>,
}

/// How a half did.
#[derive(Debug, Default)]
pub(super) struct Score {
    pub sentences: usize,
    pub right_tool: usize,
    pub right_intent: usize,
    pub slots: usize,
    pub right_slots: usize,
    pub mistakes: Vec<String>,
}

/// Reads a half.
pub(super) fn read(text: &str) -> Vec<Sentence> {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Lets the guided model hear a sentence.
pub(super) fn hear(sentence: &Sentence, language: Language) -> Understood {
    let mut messages = situation(sentence.after.as_deref(), language);
    messages.push(Message::user(sentence.say.clone()));
    let tools = tata_recruit::tools().unwrap_or_else(|error| panic!("{error}"));
    let tools: Vec<ToolDefinition> = tools
        .iter()
        .map(|tool| {
            ToolDefinition::new(tool.spec().name.clone(), "", json!({}))
                .unwrap_or_else(|error| panic!("{error}"))
        })
        .collect();
    let request = ModelRequest { messages, tools: Arc::from(tools), ..ModelRequest::default() };
    let now: Timestamp = "2026-11-16T08:00:00Z".parse().unwrap_or_else(|error| panic!("{error}"));
    let reply = Guided::new(Clock::Fixed(now)).reply(&request);
    let thought = reply
        .blocks
        .iter()
        .find_map(|block| match block {
            Block::Reasoning(Reasoning::Plain { text }) => serde_json::from_str(text).ok(),
            Block::Text(_)
            | Block::Reasoning(_)
            | Block::Refusal(_)
            | Block::ToolCall(_)
            | Block::ToolResult(_)
            | Block::Opaque(_) => None,
        })
        .unwrap_or_default();
    let call = reply.tool_calls().next();
    let arguments = call.map(|call| call.parse_arguments().unwrap_or_default()).unwrap_or_default();
    Understood { thought, tool: call.map(|call| call.name.to_string()), arguments }
}

/// Counts what was understood.
pub(super) fn score(sentences: &[Sentence], language: Language) -> Score {
    let mut score = Score { sentences: sentences.len(), ..Score::default() };
    for sentence in sentences {
        let heard = hear(sentence, language);
        let expected = sentence.intent.tool();
        let tool_right = heard.tool.as_deref() == expected;
        let intent = heard.thought.intent.unwrap_or(Intent::Unclear);
        score.right_tool += usize::from(tool_right);
        score.right_intent += usize::from(intent == sentence.intent);
        let wrong: Vec<String> = sentence
            .slots
            .iter()
            .filter(|(path, value)| !(tool_right && same(at(&heard.arguments, path), value, path)))
            .map(|(path, value)| {
                format!("{path}: {value} but {}", at(&heard.arguments, path).cloned().unwrap_or_default())
            })
            .collect();
        score.slots += sentence.slots.len();
        score.right_slots += sentence.slots.len() - wrong.len();
        if !tool_right || !wrong.is_empty() || intent != sentence.intent {
            let after = sentence.after.as_deref().unwrap_or("-");
            score.mistakes.push(format!(
                "[{after}] {:?}\n    {} but {} {}",
                sentence.say,
                sentence.intent.name(),
                intent.name(),
                if tool_right { wrong.join("; ") } else { String::new() }
            ));
        }
    }
    score
}

fn at<'a>(arguments: &'a Map<String, Value>, path: &str) -> Option<&'a Value> {
    let mut parts = path.split('.');
    let mut value = arguments.get(parts.next()?)?;
    for part in parts {
        value = value.get(part)?;
    }
    Some(value)
}

/// Whether a slot has the value, apart from letter case, articles and signs around it.
fn same(found: Option<&Value>, expected: &Value, path: &str) -> bool {
    let Some(found) = found else { return false };
    match (found, expected) {
        (Value::String(found), Value::String(expected)) if path == "startup_notes" => {
            plain(found).starts_with(&plain(expected))
        }
        (Value::Array(found), Value::Array(expected)) => {
            found.len() == expected.len()
                && found.iter().zip(expected).all(|(found, expected)| {
                    let found = found.get("finding").unwrap_or(found);
                    same(Some(found), expected, "")
                })
        }
        (Value::Object(found), Value::Object(expected)) => {
            expected.iter().all(|(key, value)| same(found.get(key), value, ""))
        }
        (found, expected) => plain(&text(found)) == plain(&text(expected)),
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn plain(text: &str) -> String {
    let text = text.to_lowercase();
    let words: Vec<&str> = text
        .split(|sign: char| sign.is_whitespace() || sign == '-')
        .map(|word| word.trim_matches(|sign: char| !sign.is_alphanumeric() && sign != '+' && sign != '#'))
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// What had happened before.
fn situation(after: Option<&str>, language: Language) -> Vec<Message> {
    let Some(after) = after else { return Vec::new() };
    let profile = |status: &str| {
        json!({ "document": "requirement_profile", "artifact": {
            "status": status, "position_title": "Network Engineer",
            "must_have_skills": [{ "text": "BGP" }, { "text": "Linux" }, { "text": "Python" }, { "text": "Swedish" }],
        } })
    };
    let asked = |field: &str| {
        let error = json!({ "error": {
            "kind": "rejected", "tool": "create_calendar_invite", "message": "", "what_to_do": "",
            "problems": [{ "field": field, "message": "Missing." }],
        } });
        exchange(
            "create_calendar_invite",
            &json!({ "position_name": "Network Engineer" }),
            &error,
            true,
            language,
            None,
        )
    };
    match after {
        "profile_draft" => {
            exchange("create_requirement_profile", &json!({}), &profile("draft"), false, language, None)
        }
        "profile_confirmed" => exchange(
            "edit_requirement_profile",
            &json!({ "confirm": true }),
            &profile("confirmed"),
            false,
            language,
            None,
        ),
        "offer_next" => {
            let offer = Some(Intent::JobAd);
            exchange(
                "edit_requirement_profile",
                &json!({ "confirm": true }),
                &profile("confirmed"),
                false,
                language,
                offer,
            )
        }
        "asked_date" => asked("date"),
        "asked_city" => asked("city"),
        "asked_duration" => asked("duration"),
        "asked_type" => asked("interview_type"),
        "asked_manager" => asked("hiring_manager"),
        "asked_position" => {
            let thought = Thought {
                intent: Some(Intent::Greeting),
                language,
                asks_position: true,
                ..Thought::default()
            };
            vec![Message::user("..."), said(&thought, Vec::new())]
        }
        "di_review" => {
            let items: Vec<Value> = (1..=5).map(|number| json!({ "number": number })).collect();
            let result = json!({ "document": "di_review", "artifact": { "flagged_items": items } });
            exchange("create_di_review", &json!({}), &result, false, language, None)
        }
        other => panic!("no situation {other}"),
    }
}

fn said(thought: &Thought, calls: Vec<Block>) -> Message {
    let text = serde_json::to_string(thought).unwrap_or_default();
    let mut blocks = vec![Block::Reasoning(Reasoning::Plain { text })];
    if calls.is_empty() {
        blocks.push(Block::text("..."));
    }
    blocks.extend(calls);
    Message { role: Role::Assistant, blocks: blocks.into(), origin: Some(Origin::new("guided", "rules")) }
}

fn exchange(
    tool: &str,
    arguments: &Value,
    result: &Value,
    failed: bool,
    language: Language,
    offer: Option<Intent>,
) -> Vec<Message> {
    let call = ToolCall::function("call_1", tool, arguments.to_string());
    let result = if failed {
        ToolResult::error(&call, result.to_string())
    } else {
        ToolResult::text(&call, result.to_string())
    };
    let thought = Thought { language, ..Thought::default() };
    vec![
        Message::user("..."),
        said(&thought, vec![Block::ToolCall(call)]),
        Message::tool_results([result]),
        said(&Thought { offer, ..thought }, Vec::new()),
    ]
}
