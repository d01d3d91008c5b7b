//! Every recorded-style stream, in any pieces, gives exactly the expected reply (C1–C3, pains 1–7).

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use tata_core::{Block, CallKind, CallState, ModelEvent, Origin, Outcome, Reasoning, Reply, WireWarning};
use tata_llm::{ReplyReader, Wire};

const APIS: [(&str, Wire); 3] = [
    ("openai-responses", Wire::Responses),
    ("openai-chat", Wire::Chat),
    ("anthropic-messages", Wire::Messages),
];

struct Case {
    name: String,
    wire: Wire,
    bytes: Vec<u8>,
    expected: Value,
}

/// The cases of the repository, or those of another folder of the same form.
fn folders() -> Vec<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "the documented switch of this test")]
    if let Some(other) = std::env::var_os("TATA_WIRE_CASES") {
        // A relative path is meant from the root of the repository, where the command is typed.
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
        return vec![root.join(other)];
    }
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    vec![tests.join("wire"), tests.join("wire-quirks")]
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for (folder, (api, wire)) in folders().iter().flat_map(|folder| APIS.map(|api| (folder, api))) {
        let Ok(entries) = fs::read_dir(folder.join(api)) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| path.extension().is_some_and(|kind| kind == "sse")) {
            let expected =
                fs::read_to_string(path.with_extension("expected.json")).expect("an expected file");
            cases.push(Case {
                name: format!("{api}/{}", path.file_stem().unwrap().to_string_lossy()),
                wire,
                bytes: fs::read(path).unwrap(),
                expected: serde_json::from_str(&expected).unwrap(),
            });
        }
    }
    assert!(!cases.is_empty(), "no cases in {:?}", folders());
    cases
}

/// Reads a stream cut at the given places.
fn read<'a>(wire: Wire, pieces: impl Iterator<Item = &'a [u8]>) -> (Vec<ModelEvent>, Reply) {
    let origin = Origin::new("test", wire.as_str());
    let mut reader = ReplyReader::new(wire, origin, None, ReplyReader::EVENT_LIMIT);
    let mut events = Vec::new();
    for piece in pieces {
        reader.push(piece).unwrap();
        events.extend(reader.events());
    }
    let (last, reply) = reader.finish(None);
    events.extend(last);
    (events, reply)
}

/// A reply in the form of the expected files.
fn summary(reply: &Reply) -> Value {
    let blocks = &reply.message.blocks;
    let call = |wanted: CallState| {
        blocks.iter().filter_map(move |block| match block {
            Block::ToolCall(call) if call.state == wanted => Some(call),
            _ => None,
        })
    };
    let kind = |kind: CallKind| match kind {
        CallKind::Function => "function",
        CallKind::Custom => "custom",
        CallKind::LegacyFunction => "legacy_function",
    };
    let texts: Vec<&str> = reply.message.texts().map(|text| text.text.as_str()).collect();
    let refusal: Vec<&str> = blocks
        .iter()
        .filter_map(
            |block| {
                if let Block::Refusal(refusal) = block { Some(refusal.text.as_str()) } else { None }
            },
        )
        .collect();
    let stop = reply.stop.as_ref();
    let error = reply.error();
    json!({
        "outcome": reply.outcome.as_str(),
        "response_id": reply.response_id,
        "model": reply.model,
        "text": texts.concat(),
        "text_blocks": texts,
        "refusal": if refusal.is_empty() { Value::Null } else { json!(refusal.concat()) },
        "reasoning": blocks.iter().filter_map(reasoning).collect::<Vec<_>>(),
        "tool_calls": call(CallState::Finished).map(|call| json!({
            "call_id": call.call_id, "item_id": call.item_id, "kind": kind(call.kind),
            "name": call.name, "arguments": call.arguments,
        })).collect::<Vec<_>>(),
        "call_ids": call(CallState::Finished).map(|call| json!(call.call_id)).collect::<Vec<_>>(),
        "incomplete_tool_calls": call(CallState::Broken).map(|call| json!({
            "call_id": call.call_id, "item_id": call.item_id, "name": call.name,
            "arguments_partial": call.arguments,
        })).collect::<Vec<_>>(),
        "server_items": blocks.iter().filter_map(|block| match block {
            Block::Opaque(opaque) => Some(json!({"type": opaque.kind, "id": opaque.id, "name": opaque.name})),
            _ => None,
        }).collect::<Vec<_>>(),
        "block_order": blocks.iter().map(|block| match block {
            Block::Text(_) => "text",
            Block::Reasoning(_) => "reasoning",
            Block::Refusal(_) => "refusal",
            Block::ToolCall(_) => "tool_call",
            Block::ToolResult(_) => "tool_result",
            Block::Opaque(_) => "server_item",
        }).collect::<Vec<_>>(),
        "annotations_count": reply.message.texts().map(|text| text.annotations.len()).sum::<usize>(),
        "stop_reason": match reply.outcome {
            Outcome::Truncated(_) => None,
            _ => stop.map(|stop| stop.reason.as_str()),
        },
        "stop_reason_raw": stop.and_then(|stop| stop.raw.clone()),
        "stop_sequence": stop.and_then(|stop| stop.sequence.clone()),
        "stop_details": stop.and_then(|stop| stop.details.as_ref()).map(tata_core::RawJson::to_value),
        "usage": reply.usage.as_ref().map(|usage| json!({
            "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens,
            "total_tokens": usage.total_tokens, "cached_input_tokens": usage.cached_input_tokens,
            "cache_write_tokens": usage.cache_write_tokens, "reasoning_tokens": usage.reasoning_tokens,
        })),
        "usage_raw": reply.usage.as_ref().map(|usage| usage.raw.clone()),
        "error": error.map(|error| json!({
            "kind": error.kind.as_str(), "code": error.code, "type": error.error_type,
            "message": error.message, "retryable": error.retryable(),
            "retry_after_ms": error.retry_after.map(|wait| u64::try_from(wait.as_millis()).unwrap()),
            "request_id": error.request_id,
        })),
    })
}

fn reasoning(block: &Block) -> Option<Value> {
    let Block::Reasoning(reasoning) = block else {
        return None;
    };
    Some(match reasoning {
        Reasoning::Item { id, summary, content, encrypted } => json!({
            "kind": "openai_reasoning_item", "id": id, "summary": summary, "content": content,
            "encrypted_content": encrypted,
        }),
        Reasoning::Signed { text, signature } => {
            json!({"kind": "thinking", "text": text, "signature": signature})
        }
        Reasoning::Redacted { data } => json!({"kind": "redacted_thinking", "data": data}),
        Reasoning::Plain { text } => json!({"kind": "reasoning_content", "text": text}),
    })
}

/// The differences between a reply and what was expected, one per line.
fn differences(case: &Case, reply: &Reply) -> String {
    let mut out = String::new();
    let found = summary(reply);
    let expected = &case.expected;
    let ignored: Vec<&str> =
        expected["ignore"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (field, wanted) in expected.as_object().unwrap() {
        let got = &found[field];
        let same = match field.as_str() {
            "schema" | "case" | "api" | "title" | "origin" | "tags" | "notes" | "well_formed"
            | "warnings" | "warnings_allowed" | "ignore" => true,
            "tool_calls" => same_calls(wanted, got, &ignored),
            "call_ids" => same_ids(wanted, &expected["tool_calls"], got, &ignored),
            "error" => same_error(wanted, got),
            _ => wanted == got,
        };
        if !same {
            writeln!(out, "  {field}: expected {wanted}, got {got}").unwrap();
        }
    }
    // Fields the expected file mentions only when the stream carried them.
    for field in ["stop_sequence", "stop_details"] {
        if expected.get(field).is_none() && !found[field].is_null() {
            writeln!(out, "  {field}: not expected, got {}", found[field]).unwrap();
        }
    }
    out + &warning_differences(expected, &reply.warnings)
}

fn same_calls(wanted: &Value, got: &Value, ignored: &[&str]) -> bool {
    let (wanted, got) = (wanted.as_array().unwrap(), got.as_array().unwrap());
    wanted.len() == got.len()
        && wanted.iter().zip(got).all(|(wanted, got)| {
            ["call_id", "item_id", "kind", "name", "arguments"].iter().all(|field| {
                ignored.contains(field)
                    || match *field {
                        "call_id" => same_id(wanted, &got["call_id"]),
                        "arguments" if wanted["arguments_compare"] == "json" => {
                            let parse =
                                |v: &Value| serde_json::from_str::<Value>(v.as_str().unwrap()).unwrap();
                            parse(&wanted["arguments"]) == parse(&got["arguments"])
                        }
                        field => wanted[field] == got[field],
                    }
            })
        })
}

fn same_id(wanted: &Value, got: &Value) -> bool {
    if wanted["call_id_synthesized"] == true {
        return got.as_str().is_some_and(|id| !id.is_empty());
    }
    wanted["call_id"] == *got
        || wanted["call_id_any_of"].as_array().is_some_and(|any| any.iter().any(|one| one == got))
}

fn same_ids(wanted: &Value, calls: &Value, got: &Value, ignored: &[&str]) -> bool {
    let (wanted, got) = (wanted.as_array().unwrap(), got.as_array().unwrap());
    let calls = calls.as_array().unwrap();
    let unique = got.iter().map(ToString::to_string).collect::<BTreeSet<_>>().len() == got.len();
    wanted.len() == got.len()
        && unique
        && (ignored.contains(&"call_id") || calls.iter().zip(got).all(|(call, got)| same_id(call, got)))
}

/// Every field the expected error names; a message is only compared where one was sent.
fn same_error(wanted: &Value, got: &Value) -> bool {
    match wanted.as_object() {
        None => wanted == got,
        Some(fields) => {
            let optional =
                ["retry_after_ms", "request_id"].iter().all(|f| wanted.get(f).is_some() || got[f].is_null());
            optional && fields.iter().all(|(name, value)| got[name] == *value)
        }
    }
}

fn warning_differences(expected: &Value, warnings: &[WireWarning]) -> String {
    let list = |field: &str| -> BTreeSet<String> {
        expected[field]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect()
    };
    let raised: BTreeSet<String> = warnings.iter().map(|warning| warning.code.as_str().to_owned()).collect();
    let (wanted, allowed) = (list("warnings"), list("warnings_allowed"));
    let mut out = String::new();
    for code in wanted.difference(&raised) {
        writeln!(out, "  warning {code} was not raised").unwrap();
    }
    for code in raised.iter().filter(|code| !wanted.contains(*code) && !allowed.contains(*code)) {
        writeln!(out, "  warning {code} was raised but not expected").unwrap();
    }
    out
}

/// Runs all cases, cut by `cut`, and reports every difference at once.
fn check_all(cut: impl Fn(&[u8]) -> Vec<usize>, skip_large: bool) {
    let mut report = String::new();
    let mut count = 0;
    for case in cases() {
        if skip_large && case.bytes.len() > 150_000 {
            continue;
        }
        count += 1;
        let mut rest = case.bytes.as_slice();
        let pieces: Vec<&[u8]> = cut(rest)
            .into_iter()
            .map(|size| {
                let (piece, after) = rest.split_at(size.min(rest.len()));
                rest = after;
                piece
            })
            .collect();
        let (_, reply) = read(case.wire, pieces.into_iter().chain([rest]));
        let found = differences(&case, &reply);
        if !found.is_empty() {
            write!(report, "{}:\n{found}", case.name).unwrap();
        }
        let runnable = reply.runnable_calls().count();
        if !matches!(reply.outcome, Outcome::Complete) && runnable > 0 {
            writeln!(report, "{}: {runnable} calls could run after {}", case.name, reply.outcome.as_str())
                .unwrap();
        }
    }
    assert!(report.is_empty(), "{count} cases read, with differences:\n{report}");
    println!("{count} cases");
}

/// Whatever pieces get lost, what was shown in the end is what is recorded, on every wire.
#[test]
fn what_is_shown_is_what_is_recorded_whatever_is_lost() {
    let mut checked = 0;
    for case in cases().into_iter().filter(|case| case.bytes.len() < 150_000) {
        let text = String::from_utf8_lossy(&case.bytes).replace("\r\n", "\n").replace('\r', "\n");
        let frames: Vec<&str> = text.split_inclusive("\n\n").collect();
        let losable: Vec<usize> = (0..frames.len()).filter(|at| frames[*at].contains("delta")).collect();
        let one_by_one = losable.iter().map(|at| vec![*at]);
        let at_random = (0..24_u64).map(|seed| {
            let sizes = random_sizes(&vec![0; losable.len() * 61], seed * 7 + 1);
            losable.iter().zip(sizes).filter(|(_, size)| size % 3 == 0).map(|(at, _)| *at).collect()
        });
        for lost in std::iter::once(Vec::new()).chain(one_by_one).chain(at_random) {
            let left: String = frames
                .iter()
                .enumerate()
                .filter(|(at, _)| !lost.contains(at))
                .map(|(_, frame)| *frame)
                .collect();
            let (events, reply) = read(case.wire, [left.as_bytes()].into_iter());
            let shown = crate::strange_servers::shown(&events);
            assert_eq!(shown, reply.message.spoken(), "{} without {lost:?}", case.name);
            checked += 1;
        }
    }
    println!("{checked} streams");
}

/// A small generator that needs no seed file: the pieces differ, the run repeats.
fn random_sizes(bytes: &[u8], mut state: u64) -> Vec<usize> {
    let mut sizes = Vec::new();
    let mut total = 0;
    while total < bytes.len() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let size = usize::try_from(state >> 33).unwrap() % 61 + 1;
        sizes.push(size);
        total += size;
    }
    sizes
}

#[test]
fn whole() {
    check_all(|bytes| vec![bytes.len()], false);
}

#[test]
fn byte_by_byte() {
    check_all(|bytes| vec![1; bytes.len()], false);
}

#[test]
fn in_random_pieces() {
    for seed in 0..8 {
        check_all(|bytes| random_sizes(bytes, seed), false);
    }
}

#[test]
fn with_every_line_end() {
    for (name, end) in [("CRLF", "\r\n"), ("CR", "\r")] {
        for case in cases().iter().filter(|case| !case.bytes.contains(&b'\r')) {
            let text = case.bytes.iter().map(|byte| char::from(*byte)).collect::<String>();
            let bytes: Vec<u8> =
                text.replace('\n', end).chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
            let (_, reply) = read(case.wire, bytes.chunks(97));
            assert_eq!(differences(case, &reply), "", "{} with {name}", case.name);
        }
    }
}

/// Any two ways to cut a stream give the same events, not only the same reply.
#[test]
fn equal_events_however_it_is_cut() {
    let shown = |case: &Case, pieces: Vec<&[u8]>| {
        let (events, _) = read(case.wire, pieces.into_iter());
        without_minted_ids(&format!("{events:?}"))
    };
    for case in cases().iter().filter(|case| case.bytes.len() < 20_000) {
        let whole = shown(case, vec![&case.bytes]);
        // A step that shares no factor with line lengths: over the cases, every kind of place is cut.
        for at in (0..case.bytes.len()).step_by(7) {
            let (head, tail) = case.bytes.split_at(at);
            assert_eq!(shown(case, vec![head, tail]), whole, "{} cut at {at}", case.name);
        }
    }
}

/// Minted ids are random by nature: `call_` and 32 hexadecimal digits.
fn without_minted_ids(text: &str) -> String {
    let mut parts = text.split("call_");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let minted = part.len() >= 32 && part.bytes().take(32).all(|b| b.is_ascii_hexdigit());
        out.push_str(if minted { "minted" } else { "call_" });
        out.push_str(if minted { &part[32..] } else { part });
    }
    out
}

/// However early a stream ends, it is never taken for complete and never yields a runnable call.
#[test]
fn a_cut_stream_never_runs_a_call() {
    for case in cases().iter().filter(|case| case.bytes.len() < 20_000) {
        for at in (0..case.bytes.len()).step_by(3) {
            let (_, reply) = read(case.wire, case.bytes[..at].chunks(64));
            if reply.runnable_calls().next().is_some() {
                let (_, whole) = read(case.wire, case.bytes.chunks(64));
                let ids = |reply: &Reply| -> Vec<String> {
                    reply.runnable_calls().map(|call| format!("{} {}", call.name, call.arguments)).collect()
                };
                assert_eq!(ids(&reply), ids(&whole), "{} cut at {at} runs other calls", case.name);
            }
        }
    }
}
