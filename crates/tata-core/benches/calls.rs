//! What an answer with many calls costs: read from its stream, answered in a turn, sent back. The time for each call must
//! not grow with their number.
//!
//! Read the last column: `cargo bench -p tata-core --bench calls`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a bench, not a part of the product")]

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};

use futures_util::StreamExt;
use tata_core::{
    Agent, AgentParts, Clock, Conversation, Effect, Input, Model, ModelChoice, ModelRequest, NewSession,
    Origin, Store, ToolRegistry,
};
use tata_llm::{Catalog, ReplyReader, Wire, encode_request};
use tata_store::MemoryStore;
use tata_testkit::{
    Answer, CountingTool, PlannedModel, Runs,
    script::{self, Turn},
};
use tokio_util::sync::CancellationToken;

fn calls(count: usize) -> Vec<(String, String, String)> {
    (0..count)
        .map(|at| (format!("call_{at:024}"), "look_up".to_owned(), format!(r#"{{"what":"{at}"}}"#)))
        .collect()
}

fn read(wire: Wire, body: &str) -> usize {
    let mut reader =
        ReplyReader::new(wire, Origin::new("bench", wire.as_str()), None, ReplyReader::EVENT_LIMIT);
    for bytes in body.as_bytes().chunks(16 * 1024) {
        reader.push(bytes).unwrap();
        black_box(reader.events().count());
    }
    reader.finish(None).1.message.tool_calls().count()
}

/// One turn whose first answer makes so many calls; the request that follows it.
async fn turn(count: usize) -> ModelRequest {
    let plan = [Answer::calls(&calls(count)), Answer::text("Done.")];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let session = store.create_session(NewSession::with("t", Clock::System.now())).await.unwrap().id;
    let mut parts = AgentParts::new("t", vec![ModelChoice::new(model as Arc<dyn Model>)], Arc::clone(&store));
    let tool = CountingTool::new("look_up", Effect::Read, &Runs::default()).shared();
    parts.tools = ToolRegistry::new([tool]).unwrap();
    let events = Agent::new(parts).turn(session, Input::say("Go"), CancellationToken::new());
    black_box(events.count().await);
    let records = store.records(session, 0).await.unwrap();
    ModelRequest { messages: Conversation::fold("", &records).messages().to_vec(), ..ModelRequest::default() }
}

fn best(mut run: impl FnMut()) -> Duration {
    (0..3)
        .map(|_| {
            let begun = Instant::now();
            run();
            begun.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    for count in [100, 1_000, 4_000] {
        let many = calls(count)
            .into_iter()
            .fold(Turn::text(&[]), |turn, (id, name, text)| turn.call(&id, &name, &[&text]));
        let streams = [
            ("responses", Wire::Responses, script::responses(&many)),
            ("chat", Wire::Chat, script::chat(&many)),
            ("messages", Wire::Messages, script::messages(&many)),
        ];
        for (name, wire, body) in streams {
            assert_eq!(read(wire, &body), count);
            tell(&format!("read {name}"), count, best(|| _ = black_box(read(wire, &body))));
        }
    }
    for count in [100, 1_000, 5_000] {
        let mut request = ModelRequest::default();
        tell("a turn", count, best(|| request = runtime.block_on(turn(count))));
        let (spec, provider) = Catalog::built_in().unwrap().resolve("claude-sonnet-5-5").unwrap();
        tell(
            "sent back",
            count,
            best(|| drop(black_box(encode_request(&request, &spec, &provider).unwrap()))),
        );
    }
}

fn tell(what: &str, count: usize, time: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "few calls")]
    let each = time.as_secs_f64() * 1e6 / count as f64;
    println!("{what:16} {count:5} calls {:8.1} ms {each:7.1} µs a call", time.as_secs_f64() * 1e3);
}
