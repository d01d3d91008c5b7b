//! What the tests share: models of the catalog at a test upstream.

use std::{
    io::Write,
    sync::{Arc, Mutex},
    time::Duration,
};

use secrecy::SecretString;
use tata_core::{Message, Model, ModelRequest, Reply, ToolDefinition, collect};
use tata_llm::{Catalog, Endpoint, HttpModel, ModelSpec, ProviderSpec, Retry, Timeouts, Transport, Wire};
use tata_testkit::script::{self, Turn};
use tracing_subscriber::fmt::MakeWriter;

/// One model per wire.
pub(crate) const MODELS: [(&str, Wire); 3] =
    [("gpt-6-sol", Wire::Responses), ("ollama/qwen3:8b", Wire::Chat), ("claude-sonnet-5-5", Wire::Messages)];

pub(crate) fn resolve(name: &str) -> (ModelSpec, ProviderSpec) {
    let mut catalog = Catalog::built_in().unwrap();
    // OpenAI's own Chat Completions, which the catalog uses for no model by default.
    let own = "models: { gpt-4o-chat: { provider: openai, id: gpt-4o, wire: chat, capabilities: { temperature: true } } }";
    catalog.overlay("test", own).unwrap();
    catalog.resolve(name).unwrap()
}

/// Limits that only a hanging upstream reaches, however busy the machine, and almost no pauses.
pub(crate) fn patient() -> (Timeouts, Retry) {
    let timeouts = Timeouts {
        connect: Duration::from_secs(10),
        first_byte: Duration::from_secs(10),
        idle: Duration::from_secs(10),
        total: Duration::from_secs(40),
    };
    (timeouts, Retry { first: Duration::from_millis(5), ..Retry::default() })
}

/// For upstreams that do hang: the wait for them is the test's own time.
pub(crate) fn impatient() -> Timeouts {
    let short = Duration::from_millis(400);
    Timeouts { first_byte: short, idle: short, ..patient().0 }
}

pub(crate) fn transport() -> Transport {
    let (timeouts, retry) = patient();
    Transport::new(timeouts, retry).unwrap()
}

pub(crate) fn model_at(name: &str, base_url: &str) -> HttpModel {
    model_with(name, base_url, "sk-test-0123456789", &transport())
}

pub(crate) fn model_with(name: &str, base_url: &str, key: &str, transport: &Transport) -> HttpModel {
    let (spec, provider) = resolve(name);
    let endpoint =
        Endpoint { base_url: base_url.to_owned(), key: Some(SecretString::from(key)), headers: Vec::new() };
    HttpModel::new(spec, provider, endpoint, transport.clone())
}

pub(crate) fn question() -> ModelRequest {
    ModelRequest { messages: vec![Message::user("What is the weather in Oslo?")], ..ModelRequest::default() }
}

pub(crate) fn weather_tool() -> ToolDefinition {
    let schema = serde_json::json!({
        "type": "object", "properties": {"city": {"type": "string", "description": "A city"}}, "required": ["city"]
    });
    ToolDefinition::new("get_weather", "The weather in a city.", schema).unwrap()
}

/// A turn in the words of a wire.
pub(crate) fn stream_of(wire: Wire, turn: &Turn) -> String {
    match wire {
        Wire::Responses => script::responses(turn),
        Wire::Chat => script::chat(turn),
        Wire::Messages => script::messages(turn),
    }
}

/// A log that can be read.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;
    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

pub(crate) async fn ask(model: &dyn Model, request: ModelRequest) -> Reply {
    collect(model.stream(Arc::new(request))).await
}
