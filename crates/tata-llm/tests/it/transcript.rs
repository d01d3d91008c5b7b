//! The same scripted conversation over all three wires gives the same canonical transcript (A4.*, D4, D8, D9).

use tata_core::{Block, CallState, Message, ModelRequest, Reply, Role, ToolResult};
use tata_llm::Wire;
use tata_testkit::{Exchange, Upstream, script::Turn};

use crate::support::{MODELS, ask, model_at, stream_of, weather_tool};

fn turns() -> Vec<Turn> {
    vec![
        Turn::text(&["Let me ", "check."]).call("call_a", "get_weather", &["{\"city\":", "\"Oslo\"}"]).call(
            "call_b",
            "get_weather",
            &["{\"ci", "ty\": \"Zażółć 🇳🇴\"}"],
        ),
        Turn::text(&["Oslo: sun. ", "👍🏽"]),
    ]
}

/// What was said, without the ids and origins that only one provider knows.
fn canonical(messages: &[Message]) -> Vec<String> {
    let block = |block: &Block| match block {
        Block::Text(text) => format!("text {}", text.text),
        Block::ToolCall(call) => {
            format!("call {} {} {} {:?}", call.call_id, call.name, call.arguments, call.state)
        }
        Block::ToolResult(result) => format!("result {} {}", result.call_id, result.joined_text()),
        other => format!("{other:?}"),
    };
    messages
        .iter()
        .map(|message| {
            format!("{:?}: {:?}", message.role, message.blocks.iter().map(block).collect::<Vec<_>>())
        })
        .collect()
}

/// Plays the loop: ask, run the calls, ask again.
async fn play(models: &[(&str, Wire)]) -> (Vec<Message>, Vec<Reply>) {
    let mut messages = vec![Message::system("Be brief."), Message::user("Weather?")];
    let mut replies = Vec::new();
    for (turn, (name, wire)) in turns().iter().zip(models) {
        let upstream = Upstream::start([Exchange::sse(stream_of(*wire, turn))]).await;
        let request = ModelRequest {
            messages: messages.clone(),
            tools: vec![weather_tool()].into(),
            ..ModelRequest::default()
        };
        let reply = ask(&model_at(name, &upstream.base_url()), request).await;
        assert!(reply.warnings.is_empty(), "{wire:?}: {:?}", reply.warnings);
        let results: Vec<ToolResult> = reply
            .runnable_calls()
            .map(|call| ToolResult::text(call, format!("sun for {}", call.arguments)))
            .collect();
        messages.push(reply.message.clone());
        if !results.is_empty() {
            messages.push(Message::tool_results(results));
        }
        replies.push(reply);
    }
    (messages, replies)
}

#[tokio::test]
async fn three_wires_one_transcript() {
    let mut transcripts = Vec::new();
    for model in MODELS {
        let (messages, replies) = play(&[model, model]).await;
        for reply in &replies {
            let usage = reply.usage.as_ref().unwrap();
            assert_eq!(
                (usage.input_tokens, usage.output_tokens, usage.total_tokens),
                (Some(20), Some(7), Some(27))
            );
        }
        transcripts.push(canonical(&messages));
    }
    assert_eq!(transcripts[0], transcripts[1]);
    assert_eq!(transcripts[0], transcripts[2]);
    assert_eq!(transcripts[0].len(), 5);
}

/// After a tool turn, any other provider can go on (D9): nine combinations, one transcript.
#[tokio::test]
async fn the_conversation_can_change_provider_after_any_turn() {
    let mut transcripts = Vec::new();
    for first in MODELS {
        for second in MODELS {
            let (messages, _) = play(&[first, second]).await;
            assert!(
                messages.iter().flat_map(Message::tool_calls).all(|call| call.state == CallState::Finished)
            );
            assert_eq!(messages.last().unwrap().role, Role::Assistant);
            transcripts.push(canonical(&messages));
        }
    }
    assert!(transcripts.windows(2).all(|pair| pair[0] == pair[1]));
}
