//! How fast a stream becomes events: framing and typed decoding of more than 10 MB of Responses events, relative
//! to a bare loop over the same bytes (memchr for lines, borrowed serde structs, nothing kept).
//!
//! Read the ratio, not the megabytes: `cargo bench -p tata-llm` prints both from one run.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench, not a part of the product")]

use std::{borrow::Cow, fmt::Write, hint::black_box, time::Instant};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde::Deserialize;
use serde_json::json;
use tata_core::Origin;
use tata_llm::{ReplyReader, Wire};

const PIECE: usize = 16 * 1024;

/// An answer as a long tool session would stream it: text, reasoning, then calls with many argument pieces.
fn stream() -> Vec<u8> {
    let mut out = String::new();
    let mut number = 0_u64;
    let mut push = |mut event: serde_json::Value| {
        event["sequence_number"] = json!(number);
        number += 1;
        let kind = event["type"].as_str().unwrap().to_owned();
        write!(out, "event: {kind}\ndata: {event}\n\n").unwrap();
    };
    push(
        json!({"type": "response.created", "response": {"id": "resp_1", "model": "gpt-6-sol", "output": []}}),
    );
    for item in 0..40_u64 {
        let (kind, id) = if item % 2 == 0 {
            ("message", format!("msg_{item:048}"))
        } else {
            ("function_call", format!("fc_{item:048}"))
        };
        let added = json!({"id": id, "type": kind, "status": "in_progress", "role": "assistant", "content": [],
            "call_id": format!("call_{item:024}"), "name": "search_docs", "arguments": ""});
        push(json!({"type": "response.output_item.added", "output_index": item, "item": added}));
        let mut whole = String::new();
        for piece in 0..1500 {
            if kind == "message" {
                let delta = format!(" token{piece}");
                whole.push_str(&delta);
                push(json!({"type": "response.output_text.delta", "item_id": id, "output_index": item,
                    "content_index": 0, "delta": delta, "logprobs": [], "obfuscation": "k3Jd8sLq"}));
            } else {
                let delta = if piece == 0 { "{\"q\":\"".to_owned() } else { format!("wörd {piece} ") };
                whole.push_str(&delta);
                push(json!({"type": "response.function_call_arguments.delta", "item_id": id,
                    "output_index": item, "delta": delta, "obfuscation": "k3Jd8sLq"}));
            }
        }
        let done = if kind == "message" {
            json!({"id": id, "type": kind, "status": "completed", "role": "assistant",
                "content": [{"type": "output_text", "text": whole, "annotations": [], "logprobs": []}]})
        } else {
            json!({"id": id, "type": kind, "status": "completed", "call_id": format!("call_{item:024}"),
                "name": "search_docs", "arguments": format!("{whole}\"}}")})
        };
        push(json!({"type": "response.output_item.done", "output_index": item, "item": done}));
    }
    push(
        json!({"type": "response.completed", "response": {"id": "resp_1", "status": "completed", "output": [],
        "usage": {"input_tokens": 1, "output_tokens": 2, "total_tokens": 3}}}),
    );
    out.into_bytes()
}

/// What we compare with: no buffering, no state, no events.
#[derive(Deserialize)]
struct Bare<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    item_id: Option<&'a str>,
    #[serde(default)]
    output_index: Option<u64>,
    #[serde(borrow, default)]
    delta: Option<Cow<'a, str>>,
}

fn bare(bytes: &[u8]) -> usize {
    let mut length = 0;
    let mut rest = bytes;
    while let Some(end) = memchr::memchr(b'\n', rest) {
        let (line, after) = rest.split_at(end);
        rest = &after[1..];
        if let Some(data) = line.strip_prefix(b"data: ") {
            let event: Bare<'_> = serde_json::from_slice(data).unwrap();
            length += event.kind.len() + event.delta.as_deref().map_or(0, str::len);
            black_box((event.item_id, event.output_index));
        }
    }
    length
}

fn ours(bytes: &[u8]) -> usize {
    let origin = Origin::new("bench", "responses");
    let mut reader = ReplyReader::new(Wire::Responses, origin, None, ReplyReader::EVENT_LIMIT);
    let mut events = 0;
    for piece in bytes.chunks(PIECE) {
        reader.push(piece).unwrap();
        events += reader.events().count();
    }
    let (last, reply) = reader.finish(None);
    assert_eq!(reply.runnable_calls().count(), 20);
    events + last.len()
}

/// Alternates the two, so that both see the same noise, and reports the ratio of the best times.
fn ratio(bytes: &[u8]) {
    let time = |run: fn(&[u8]) -> usize| {
        let begun = Instant::now();
        black_box(run(black_box(bytes)));
        begun.elapsed().as_secs_f64()
    };
    let (mut best_bare, mut best_ours) = (f64::MAX, f64::MAX);
    for _ in 0..25 {
        best_bare = best_bare.min(time(bare));
        best_ours = best_ours.min(time(ours));
    }
    #[expect(clippy::cast_precision_loss, reason = "megabytes")]
    let megabytes = bytes.len() as f64 / 1e6;
    println!(
        "{megabytes:.1} MB of Responses events: bare {:.0} MB/s, ours {:.0} MB/s, ratio {:.2}",
        megabytes / best_bare,
        megabytes / best_ours,
        best_bare / best_ours
    );
}

fn decode(criterion: &mut Criterion) {
    let bytes = stream();
    assert!(bytes.len() > 10_000_000, "{} bytes", bytes.len());
    ratio(&bytes);
    let mut group = criterion.benchmark_group("responses");
    group.sample_size(20).throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("bare memchr and serde", |b| {
        b.iter_batched(|| (), |()| bare(&bytes), BatchSize::PerIteration);
    });
    group.bench_function("framing and decoding", |b| {
        b.iter_batched(|| (), |()| ours(&bytes), BatchSize::PerIteration);
    });
    group.finish();
}

criterion_group!(benches, decode);
criterion_main!(benches);
