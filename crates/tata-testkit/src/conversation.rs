//! Generated histories: every kind of block, in the orders that really occur.

use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any},
    prop_oneof,
    strategy::BoxedStrategy,
};
use serde_json::{Value, json};
use tata_core::{
    Block, CallKind, IdOrigin, ItemId, Message, Opaque, Origin, RawJson, Reasoning, Refusal, Role, Text,
    ToolCall, ToolDefinition, ToolResult,
};

/// The shapes of reasoning a wire knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thoughts {
    /// Items with summary and encrypted body.
    Items,
    /// Signed and redacted blocks.
    Signed,
    /// Plain text.
    Plain,
}

/// Text with all the characters that break escaping and framing; never blank.
pub fn text() -> BoxedStrategy<String> {
    let piece = prop_oneof![
        4 => "[a-zæøåäöüß ]{1,12}",
        1 => Just("\"quoted\" \\ back/slash".to_owned()),
        1 => Just("line\nbreak\r\n\ttab".to_owned()),
        1 => Just("data: {\"x\":1}\n\n".to_owned()),
        1 => Just("👩‍👩‍👧‍👦🇳🇴\u{2028}\u{feff}\u{0}\u{7f}".to_owned()),
        1 => "\\PC{1,8}",
    ];
    vec(piece, 1..4).prop_map(|pieces| format!("x{}", pieces.concat())).boxed()
}

/// Any JSON value.
pub fn json_value() -> BoxedStrategy<Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1.0e6..1.0e6_f64).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec(("[a-z]{1,6}", inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
    .boxed()
}

/// The text of a JSON object, in its writer's own spacing and key order.
pub fn arguments() -> BoxedStrategy<String> {
    let pairs = vec(("[a-z_]{1,8}", json_value()), 0..4);
    (pairs, any::<bool>())
        .prop_map(|(mut pairs, spaced)| {
            pairs.sort_by(|a, b| b.0.cmp(&a.0));
            pairs.dedup_by(|a, b| a.0 == b.0);
            let gap = if spaced { " " } else { "" };
            let pairs: Vec<String> =
                pairs.iter().map(|(key, value)| format!("\"{key}\":{gap}{value}")).collect();
            format!("{{{}}}", pairs.join(&format!(",{gap}")))
        })
        .boxed()
}

/// A tool name every provider takes.
pub fn tool_name() -> BoxedStrategy<String> {
    "[a-z][a-z0-9_-]{0,20}".boxed()
}

/// Tool definitions with distinct names.
pub fn tools() -> BoxedStrategy<Vec<ToolDefinition>> {
    vec((tool_name(), text(), any::<bool>()), 0..4)
        .prop_map(|mut tools| {
            tools.sort();
            tools.dedup_by(|a, b| a.0 == b.0);
            let schema =
                json!({"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]});
            tools
                .into_iter()
                .map(|(name, description, strict)| {
                    let tool = ToolDefinition::new(name, description, schema.clone()).expect("a valid name");
                    ToolDefinition { strict, ..tool }
                })
                .collect()
        })
        .boxed()
}

fn reasoning(thoughts: Thoughts) -> BoxedStrategy<Reasoning> {
    match thoughts {
        Thoughts::Items => ("rs_[a-z0-9]{6}", vec(text(), 0..3), "[A-Za-z0-9]{8,20}")
            .prop_map(|(id, summary, encrypted)| Reasoning::Item {
                id: Some(ItemId::from(id)),
                summary,
                content: Vec::new(),
                encrypted: Some(encrypted),
            })
            .boxed(),
        Thoughts::Signed => prop_oneof![
            (text(), "[A-Za-z0-9=]{8,20}")
                .prop_map(|(text, signature)| Reasoning::Signed { text, signature: Some(signature) }),
            "[A-Za-z0-9]{8,20}".prop_map(|data| Reasoning::Redacted { data }),
        ]
        .boxed(),
        Thoughts::Plain => text().prop_map(|text| Reasoning::Plain { text }).boxed(),
    }
}

#[expect(clippy::struct_excessive_bools, reason = "switches of a generator")]
/// What shapes a generated conversation may take.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The dialect its answers come from.
    pub origin: Origin,
    /// Its reasoning.
    pub thoughts: Thoughts,
    /// Call ids, as a pattern.
    pub ids: &'static str,
    /// Whether calls carry item ids.
    pub item_ids: bool,
    /// Custom calls occur.
    pub custom: bool,
    /// Refusals occur.
    pub refusals: bool,
    /// Failed tool results are marked as such.
    pub errors: bool,
    /// Some calls are never answered and some results answer nothing.
    pub orphans: bool,
}

/// A conversation: a system prompt, then exchanges with or without tool rounds.
pub fn conversation(shape: &Shape) -> BoxedStrategy<Vec<Message>> {
    let exchanges = vec(exchange(shape), 1..4);
    (proptest::option::of(text()), exchanges)
        .prop_map(|(system, exchanges)| {
            let mut messages: Vec<Message> = system.into_iter().map(Message::system).collect();
            messages.extend(exchanges.into_iter().flatten());
            unique_ids(&mut messages);
            messages
        })
        .boxed()
}

fn exchange(shape: &Shape) -> BoxedStrategy<Vec<Message>> {
    let last = shape.clone();
    let refusals = shape.refusals;
    (text(), vec(round(shape), 0..3), text(), any::<bool>(), any::<bool>())
        .prop_map(move |(question, rounds, answer, refuse, cite)| {
            let mut messages = vec![Message::user(question)];
            messages.extend(rounds.into_iter().flatten());
            let mut text = Text { text: answer, ..Text::default() };
            if cite && last.item_ids {
                text.item_id = Some(ItemId::from("msg_1"));
                text.phase = Some("final_answer".to_owned());
                text.annotations =
                    vec![RawJson::new("{\"type\":\"url_citation\",\"url\":\"https://x.example\"}").unwrap()];
            }
            let block = if refuse && refusals {
                Block::Refusal(Refusal { text: text.text, item_id: None })
            } else {
                Block::Text(text)
            };
            messages.push(Message {
                role: Role::Assistant,
                blocks: vec![block].into(),
                origin: Some(last.origin.clone()),
            });
            messages
        })
        .boxed()
}

/// One round: the model thinks, says something, calls; the results follow.
fn round(shape: &Shape) -> BoxedStrategy<Vec<Message>> {
    let call = (shape.ids, tool_name(), arguments(), any::<bool>());
    let owned = shape.clone();
    (
        proptest::option::of(reasoning(shape.thoughts)),
        proptest::option::of(text()),
        vec(call, 1..4),
        vec((text(), any::<bool>()), 4),
        0..8_u8,
    )
        .prop_map(move |(thought, said, calls, answers, orphan)| {
            let shape = &owned;
            let mut blocks: Vec<Block> = thought.map(Block::Reasoning).into_iter().collect();
            blocks.extend(said.map(Block::text));
            let mut results = Vec::new();
            for (at, ((id, name, arguments, custom), (answer, failed))) in
                calls.into_iter().zip(answers).enumerate()
            {
                let mut call = ToolCall::function(id, name, arguments);
                call.id_origin = IdOrigin::Given;
                if custom && shape.custom {
                    call.kind = CallKind::Custom;
                }
                if shape.item_ids {
                    call.item_id = Some(ItemId::from(format!("fc_{at}")));
                }
                let mut result = ToolResult::text(&call, answer);
                result.is_error = failed && shape.errors;
                if !(shape.orphans && orphan == 1 && at == 0) {
                    results.push(result);
                }
                blocks.push(Block::ToolCall(call));
            }
            if shape.orphans && orphan == 2 {
                results.push(ToolResult::text(&ToolCall::function("nobody", "t", "{}"), "for nobody"));
            }
            let origin = Some(shape.origin.clone());
            let mut messages = vec![Message { role: Role::Assistant, blocks: blocks.into(), origin }];
            if !results.is_empty() {
                messages.push(Message::tool_results(results));
            }
            messages
        })
        .boxed()
}

/// Makes call ids unique over the conversation, results included: generators may repeat themselves.
fn unique_ids(messages: &mut [Message]) {
    let mut count = 0;
    let mut current: Vec<(tata_core::CallId, tata_core::CallId)> = Vec::new();
    for message in messages {
        if message.role == Role::Assistant {
            current.clear();
        }
        for block in &mut message.blocks {
            match block {
                Block::ToolCall(call) => {
                    count += 1;
                    let fresh = tata_core::CallId::from(format!("{}{count}", call.call_id));
                    current.push((call.call_id.clone(), fresh.clone()));
                    call.call_id = fresh;
                }
                Block::ToolResult(result) => {
                    if let Some(at) = current.iter().position(|(old, _)| *old == result.call_id) {
                        result.call_id = current.remove(at).1;
                    }
                }
                Block::Text(_) | Block::Reasoning(_) | Block::Refusal(_) | Block::Opaque(_) => {}
            }
        }
    }
}

/// An image in the words of a wire, as a user might attach it.
pub fn image(kind: &str, json: &str) -> Block {
    Block::Opaque(Opaque { kind: kind.to_owned(), id: None, name: None, json: RawJson::new(json).unwrap() })
}
