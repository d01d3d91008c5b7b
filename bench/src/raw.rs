//! The loop anyone would write: reqwest, typed events, no checks, no limits. Alone, or with the least that keeps what was
//! said: one page made durable before the model is asked, and one after its answer.

use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::disk::Pages;

pub(crate) struct Raw {
    client: reqwest::Client,
    url: String,
    tools: Value,
    pages: Option<Pages>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    delta: Option<String>,
    item: Option<Item>,
}

#[derive(Deserialize)]
struct Item {
    #[serde(rename = "type")]
    kind: String,
    call_id: Option<String>,
    name: Option<String>,
    arguments: Option<String>,
}

impl Raw {
    pub(crate) fn new(address: &str, pages: Option<Pages>) -> Self {
        let tools = json!([{"type": "function", "name": "look_up", "description": "Looks up the weather in a city.",
            "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}}]);
        Self { client: reqwest::Client::new(), url: format!("{address}/responses"), tools, pages }
    }

    pub(crate) async fn turn(&self) {
        let mut input = vec![json!({"role": "user", "content": "What is the weather in Oslo?"})];
        self.keep();
        let (text, calls) = self.request(&input).await;
        assert!(text.is_empty() && calls.len() == 1);
        for call in calls {
            let (call_id, name, arguments) =
                (call.call_id.unwrap(), call.name.unwrap(), call.arguments.unwrap());
            let parsed: Value = serde_json::from_str(&arguments).unwrap();
            let output = format!("Rain in {}.", parsed["city"].as_str().unwrap());
            input.push(
                json!({"type": "function_call", "call_id": call_id, "name": name, "arguments": arguments}),
            );
            input.push(json!({"type": "function_call_output", "call_id": call_id, "output": output}));
        }
        let (text, _) = self.request(&input).await;
        assert_eq!(text.split_whitespace().count(), 50);
        self.keep();
    }

    fn keep(&self) {
        if let Some(pages) = &self.pages {
            pages.write();
        }
    }

    async fn request(&self, input: &[Value]) -> (String, Vec<Item>) {
        let body = json!({"model": "gpt-6.1-sol", "instructions": "You are helpful.", "input": input,
            "tools": self.tools, "stream": true});
        let response = self
            .client
            .post(&self.url)
            .header("authorization", "Bearer key")
            .header("content-type", "application/json")
            .body(body.to_string())
            .send()
            .await
            .unwrap();
        let (mut text, mut calls, mut rest) = (String::new(), Vec::new(), Vec::<u8>::new());
        let mut bytes = response.bytes_stream();
        while let Some(chunk) = bytes.next().await {
            rest.extend_from_slice(&chunk.unwrap());
            let mut from = 0;
            while let Some(length) = rest[from..].windows(2).position(|two| two == b"\n\n") {
                let frame = std::str::from_utf8(&rest[from..from + length]).unwrap();
                from += length + 2;
                let Some(data) = frame.lines().find_map(|line| line.strip_prefix("data: ")) else { continue };
                let event: Event = serde_json::from_str(data).unwrap();
                match (event.kind.as_str(), event.item) {
                    ("response.output_text.delta", _) => text.push_str(&event.delta.unwrap_or_default()),
                    ("response.output_item.done", Some(item)) if item.kind == "function_call" => {
                        calls.push(item);
                    }
                    _ => {}
                }
            }
            rest.drain(..from);
        }
        (text, calls)
    }
}
