//! Against the real APIs, opt-in: set `OPENAI_API_KEY` and/or `ANTHROPIC_API_KEY`. Each costs a few hundred tokens.
//!
//! With `TATA_RECORD=FOLDER` the traffic is also written there as cassettes, secrets scrubbed. The models are
//! the catalog's defaults; `TATA_LIVE_OPENAI` and `TATA_LIVE_ANTHROPIC` name others.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "opt-in by environment, and loud when skipped"
)]

use std::path::PathBuf;

use tata_core::{Message, ModelRequest, Outcome, ToolResult};
use tata_testkit::cassette::Recorder;

use crate::support::{ask, model_with, resolve, weather_tool};

fn transport() -> tata_llm::Transport {
    tata_llm::Transport::new(tata_llm::Timeouts::default(), tata_llm::Retry::default()).unwrap()
}

/// One whole tool conversation: question, call, result, answer (A7.6–A7.9).
async fn tool_conversation(key_name: &str, model_name: &str, default: &str) {
    let Some(key) = std::env::var(key_name).ok().filter(|key| !key.is_empty()) else {
        eprintln!("SKIPPED: {key_name} is not set, so nothing was sent to the real API");
        return;
    };
    let name = std::env::var(model_name).unwrap_or_else(|_| default.to_owned());
    let (spec, provider) = resolve(&name);
    let real = provider.base_url.clone().expect("a public address");
    let record = std::env::var_os("TATA_RECORD").map(PathBuf::from);
    let recorder = Recorder::start(&real, &[&key]).await;
    let base_url = if record.is_some() { recorder.base_url().to_owned() } else { real };
    let model = model_with(&name, &base_url, &key, &transport());

    let mut request = ModelRequest {
        messages: vec![
            Message::system("Use the tool for any question about weather."),
            Message::user("What is the weather in Oslo and in Bergen?"),
        ],
        tools: vec![weather_tool()].into(),
        max_output_tokens: Some(2_000),
        ..ModelRequest::default()
    };
    for _ in 0..4 {
        let reply = ask(&model, request.clone()).await;
        assert!(matches!(reply.outcome, Outcome::Complete), "{reply:?}");
        assert!(reply.usage.as_ref().is_some_and(|usage| usage.total_tokens > Some(0)), "{:?}", reply.usage);
        let results: Vec<ToolResult> = reply
            .runnable_calls()
            .map(|call| ToolResult::text(call, "{\"sky\":\"clear\",\"celsius\":4}"))
            .collect();
        let done = results.is_empty();
        request.messages.push(reply.message.clone());
        if done {
            assert!(!reply.message.joined_text().is_empty());
            break;
        }
        request.messages.push(Message::tool_results(results));
    }
    assert!(request.messages.iter().any(|message| message.results().next().is_some()), "the tool was used");
    if let Some(folder) = record {
        recorder.finish().save(&folder.join(format!("{}.{name}.json", spec.provider)));
    }
}

#[tokio::test]
async fn live_openai() {
    tool_conversation("OPENAI_API_KEY", "TATA_LIVE_OPENAI", "gpt-6.1-sol").await;
}

#[tokio::test]
async fn live_anthropic() {
    tool_conversation("ANTHROPIC_API_KEY", "TATA_LIVE_ANTHROPIC", "claude-sonnet-5-5").await;
}
