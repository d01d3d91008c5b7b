//! Properties over generated conversations and streams.

use proptest::{
    collection::vec,
    prelude::{ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, proptest},
};
use serde_json::Value;
use tata_core::{
    Block, CallKind, IdOrigin, Message, ModelEvent, ModelRequest, Origin, ResultPart, Role, ToolCall,
    ToolResult,
};
use tata_llm::{ReplyReader, Wire, encode_request, messages_from_json, messages_to_json, read_request};
use tata_testkit::{
    conversation::{Shape, Thoughts, arguments, conversation, json_value, text, tools},
    script::{self, Turn},
};

use crate::support::resolve;

const IDS: &str = "call_[a-zA-Z0-9]{4,10}_";

fn shape(provider: &str, wire: Wire) -> Shape {
    Shape {
        origin: Origin::new(provider, wire.as_str()),
        thoughts: match wire {
            Wire::Responses => Thoughts::Items,
            Wire::Chat => Thoughts::Plain,
            Wire::Messages => Thoughts::Signed,
        },
        ids: IDS,
        item_ids: wire == Wire::Responses,
        custom: wire != Wire::Messages,
        refusals: wire != Wire::Messages,
        errors: true,
        orphans: false,
    }
}

/// What a wire without an error flag makes of a failed result.
fn flagless(messages: &mut [Message]) {
    for block in messages.iter_mut().flat_map(|message| &mut message.blocks) {
        if let Block::ToolResult(result) = block
            && std::mem::take(&mut result.is_error)
        {
            let text = format!("Error: {}", result.joined_text());
            result.content = vec![ResultPart::Text(text)];
        }
    }
}

/// Sends a conversation through a wire and back.
fn there_and_back(model: &str, request: &ModelRequest) -> ModelRequest {
    let (spec, provider) = resolve(model);
    let body = encode_request(request, &spec, &provider).unwrap();
    let body = String::from_utf8(body).unwrap();
    read_request(spec.wire, &provider.name, &body).unwrap_or_else(|error| panic!("{error}: {body}"))
}

fn request(messages: &[Message], tools: Vec<tata_core::ToolDefinition>) -> ModelRequest {
    ModelRequest { messages: messages.to_vec(), tools: tools.into(), ..ModelRequest::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// encode → decode on Responses loses nothing that Responses can carry (D4).
    #[test]
    fn nothing_is_lost_on_responses(messages in conversation(&shape("openai", Wire::Responses)), tools in tools()) {
        let back = there_and_back("gpt-6-sol", &request(&messages, tools.clone()));
        let mut expected = messages;
        flagless(&mut expected);
        let mut got = back.messages;
        // A refusal without an item id is given one: the API requires it.
        for block in got.iter_mut().flat_map(|message| &mut message.blocks) {
            if let Block::Refusal(refusal) = block { refusal.item_id = None; }
        }
        prop_assert_eq!(got, expected);
        prop_assert_eq!(names(&back.tools), names(&tools));
    }

    /// encode → decode on Chat Completions loses nothing that Chat Completions can carry (D4).
    #[test]
    fn nothing_is_lost_on_chat(messages in conversation(&shape("vllm", Wire::Chat)), tools in tools()) {
        let back = there_and_back("vllm/qwen", &request(&messages, tools.clone()));
        let mut expected = messages;
        flagless(&mut expected);
        // Plain reasoning goes back only while its tool loop runs.
        let last_user = expected.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
        for message in &mut expected[..last_user] {
            message.blocks.retain(|block| !matches!(block, Block::Reasoning(_)));
        }
        prop_assert_eq!(back.messages, expected);
        prop_assert_eq!(names(&back.tools), names(&tools));
    }

    /// encode → decode on Messages loses nothing that Messages can carry (D4).
    #[test]
    fn nothing_is_lost_on_messages(messages in conversation(&shape("anthropic", Wire::Messages)), tools in tools()) {
        let back = there_and_back("claude-sonnet-5-5", &request(&messages, tools.clone()));
        let mut expected = messages;
        // A conversation may not end with the assistant there.
        expected.push(Message::user("Continue."));
        prop_assert_eq!(back.messages, expected);
        prop_assert_eq!(names(&back.tools), names(&tools));
    }

    /// AP3: a message survives the OpenAI form and back, legacy calls included (B2).
    #[test]
    fn ap3_messages_round_trip(messages in conversation(&shape("", Wire::Chat)), legacy in any::<bool>()) {
        let mut messages = messages;
        if legacy {
            make_legacy(&mut messages);
        }
        let json = messages_to_json(&messages).unwrap();
        let back = messages_from_json(&json).unwrap();
        let again = messages_to_json(&back).unwrap();
        prop_assert_eq!(&json, &again, "written the same twice");
        let mut expected = messages;
        flagless(&mut expected);
        let last_user = expected.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
        for message in &mut expected[..last_user] {
            message.blocks.retain(|block| !matches!(block, Block::Reasoning(_)));
        }
        prop_assert_eq!(without_legacy_ids(back), without_legacy_ids(expected));
    }

    /// AP6: arguments parse to what was sent, whatever they are.
    #[test]
    fn ap6_arguments_parse_to_what_was_sent(value in json_value(), text in arguments()) {
        let object = serde_json::json!({"value": value});
        let call = ToolCall::function("c", "t", object.to_string());
        prop_assert_eq!(Value::Object(call.parse_arguments().unwrap()), object);
        let sent: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(Value::Object(ToolCall::function("c", "t", text).parse_arguments().unwrap()), sent);
    }

    /// Text that is not a JSON object is an error, never an empty object (AP6, pain 4).
    #[test]
    fn unreadable_arguments_never_become_an_empty_object(text in "\\PC{0,20}") {
        let call = ToolCall::function("c", "t", text.clone());
        match call.parse_arguments() {
            Ok(map) if map.is_empty() => {
                let blank = text.trim().is_empty() || serde_json::from_str::<Value>(&text).unwrap() == serde_json::json!({});
                prop_assert!(blank, "{:?}", text);
            }
            Ok(map) => prop_assert_eq!(Value::Object(map), serde_json::from_str::<Value>(&text).unwrap()),
            Err(error) => prop_assert!(error.to_string().contains('t')),
        }
    }

    /// Any turn, on any wire, cut anywhere, gives equal events and the calls that were sent (C1.2).
    #[test]
    fn any_split_of_any_stream_gives_equal_events(turn in turn(), sizes in vec(1..40_usize, 1..50)) {
        for (wire, body) in [
            (Wire::Responses, script::responses(&turn)),
            (Wire::Chat, script::chat(&turn)),
            (Wire::Messages, script::messages(&turn)),
        ] {
            let (whole, reply) = read(wire, [body.as_bytes()].into_iter());
            let mut rest = body.as_bytes();
            let mut pieces = Vec::new();
            for size in sizes.iter().cycle() {
                if rest.is_empty() { break; }
                let (piece, after) = rest.split_at((*size).min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            let (cut, _) = read(wire, pieces.into_iter());
            prop_assert_eq!(whole, cut);
            prop_assert_eq!(reply.message.joined_text(), turn.text.concat());
            let got: Vec<(String, String, String)> = reply
                .runnable_calls()
                .map(|call| (call.call_id.to_string(), call.name.to_string(), call.arguments.clone()))
                .collect();
            let sent: Vec<(String, String, String)> = turn
                .calls
                .iter()
                .map(|(id, name, pieces)| (id.clone(), name.clone(), pieces.concat()))
                .collect();
            prop_assert_eq!(got, sent);
        }
    }

    /// A damaged stream never panics, never depends on how it is cut, and never runs a call that was not sent (R8).
    #[test]
    fn damaged_streams_are_survived(
        turn in turn(),
        damage in vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..12),
        size in 1..64_usize,
    ) {
        for (wire, body) in [
            (Wire::Responses, script::responses(&turn)),
            (Wire::Chat, script::chat(&turn)),
            (Wire::Messages, script::messages(&turn)),
        ] {
            let mut bytes = body.into_bytes();
            for (at, byte, kind) in &damage {
                let at = at.index(bytes.len());
                match kind {
                    0 => bytes[at] = *byte,
                    1 => { bytes.remove(at); }
                    2 => bytes.insert(at, *byte),
                    _ => { let tail = bytes[at..].to_vec(); bytes.splice(at..at, tail.into_iter().take(40)); }
                }
            }
            let (whole, reply) = read(wire, [bytes.as_slice()].into_iter());
            let (cut, _) = read(wire, bytes.chunks(size));
            prop_assert_eq!(masked(&whole), masked(&cut));
            for call in reply.runnable_calls() {
                prop_assert!(call.parse_arguments().is_ok() && !call.name.is_empty());
            }
        }
    }

    /// Unknown events and garbage anywhere in a stream change nothing but the warnings (pain 5).
    #[test]
    fn noise_between_events_is_only_warned_about(turn in turn(), places in vec((0..60_usize, 0..4_usize), 1..6)) {
        let noise = [
            "event: vendor.novelty\ndata: {\"type\":\"vendor.novelty\",\"delta\":{\"x\":1},\"item\":7}\n\n",
            "data: {broken\n\n",
            ": a comment\n\n",
            "data: {\"type\":\"response.novel.delta\",\"output_index\":0,\"item_id\":\"nobody\",\"delta\":\"zzz\"}\n\n",
        ];
        for (wire, body) in [
            (Wire::Responses, script::responses(&turn)),
            (Wire::Chat, script::chat(&turn)),
            (Wire::Messages, script::messages(&turn)),
        ] {
            let mut events: Vec<&str> = body.split_inclusive("\n\n").collect();
            for (at, kind) in &places {
                events.insert(at % events.len(), noise[*kind]);
            }
            let noisy = events.concat();
            let (_, clean) = read(wire, [body.as_bytes()].into_iter());
            let (_, reply) = read(wire, [noisy.as_bytes()].into_iter());
            prop_assert_eq!(&reply.message, &clean.message);
            prop_assert_eq!(&reply.usage, &clean.usage);
            prop_assert_eq!(&reply.stop, &clean.stop);
        }
    }
}

/// Events without minted ids, which are random by nature: those of calls, and where a warning names one.
fn masked(events: &[String]) -> Vec<String> {
    let minted = |text: &str| text.len() >= 32 && text.bytes().take(32).all(|byte| byte.is_ascii_hexdigit());
    let mask = |event: &String| {
        let mut parts = event.split("call_");
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            out.push_str("call_");
            out.push_str(if minted(part) { &part[32..] } else { part });
        }
        out
    };
    events.iter().map(mask).collect()
}

fn names(tools: &[tata_core::ToolDefinition]) -> Vec<(&str, &str)> {
    tools.iter().map(|tool| (tool.name.as_str(), tool.description.as_str())).collect()
}

fn turn() -> impl Strategy<Value = Turn> {
    let call = ("call_[a-z0-9]{6}", "[a-z_]{1,10}", arguments(), vec(1..9_usize, 1..6));
    (vec(text(), 0..4), vec(call, 0..4), (1..999_u64, 1..999_u64)).prop_map(|(text, calls, tokens)| {
        let calls = calls.into_iter().enumerate().map(|(at, (id, name, arguments, sizes))| {
            let mut pieces = Vec::new();
            let mut rest = arguments.chars().peekable();
            for size in sizes.into_iter().cycle() {
                if rest.peek().is_none() {
                    break;
                }
                pieces.push(rest.by_ref().take(size).collect::<String>());
            }
            (format!("{id}{at}"), name, pieces)
        });
        Turn { text, calls: calls.collect(), tokens }
    })
}

fn read<'a>(wire: Wire, pieces: impl Iterator<Item = &'a [u8]>) -> (Vec<String>, tata_core::Reply) {
    let mut reader =
        ReplyReader::new(wire, Origin::new("test", wire.as_str()), None, ReplyReader::EVENT_LIMIT);
    let mut events: Vec<ModelEvent> = Vec::new();
    for piece in pieces {
        reader.push(piece).unwrap();
        events.extend(reader.events());
    }
    let (last, reply) = reader.finish(None);
    events.extend(last);
    assert_eq!(
        crate::strange_servers::shown(&events),
        reply.message.spoken(),
        "what is shown is what is recorded"
    );
    (events.iter().map(|event| format!("{event:?}")).collect(), reply)
}

/// Turns rounds with a single call into the legacy form.
fn make_legacy(messages: &mut [Message]) {
    for message in messages.iter_mut() {
        if message.tool_calls().count() == 1 {
            for block in &mut message.blocks {
                if let Block::ToolCall(call) = block {
                    call.kind = CallKind::LegacyFunction;
                }
            }
        }
    }
}

/// Legacy calls have no ids: only that call and result belong together can be compared.
fn without_legacy_ids(mut messages: Vec<Message>) -> Vec<Message> {
    let mut legacy = None;
    for block in messages.iter_mut().flat_map(|message| &mut message.blocks) {
        match block {
            Block::ToolCall(call) if call.kind == CallKind::LegacyFunction => {
                legacy = Some(call.call_id.clone());
                call.call_id = "legacy".into();
                call.id_origin = IdOrigin::Minted;
            }
            Block::ToolResult(ToolResult { call_id, .. }) if Some(&*call_id) == legacy.as_ref() => {
                *call_id = "legacy".into();
            }
            _ => {}
        }
    }
    messages
}
