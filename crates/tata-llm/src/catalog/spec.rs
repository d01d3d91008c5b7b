//! A model and its provider, resolved: nothing is optional that a request needs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tata_core::Prices;

use crate::wire::Wire;

/// One model at one provider.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelSpec {
    /// The name people use.
    pub name: String,
    /// The name the provider knows.
    pub wire_name: String,
    /// The provider's name in the catalog.
    pub provider: String,
    /// The protocol to speak.
    pub wire: Wire,
    /// Tokens it can see at once.
    pub context_window: Option<u64>,
    /// Tokens it can read, where that is less.
    pub max_input: Option<u64>,
    /// Tokens it can write.
    pub max_output: Option<u64>,
    /// When the provider switches it off (`YYYY-MM-DD`).
    pub retires: Option<String>,
    /// What it can do.
    pub capabilities: Capabilities,
    /// What it costs; unknown is not free.
    pub prices: Option<Prices>,
    /// Whether it is in the catalog, or only fits a pattern.
    pub listed: bool,
}

impl ModelSpec {
    /// A model that is part of the program: no wire, no key, no price.
    pub fn built_in(name: &str) -> Self {
        let (model, _) = neutral(Wire::Chat);
        let name = name.to_owned();
        Self { wire_name: name.clone(), provider: name.clone(), name, listed: true, ..model }
    }
}

/// What a model takes. A request never contains what its model refuses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, written as such in models.yaml")]
pub struct Capabilities {
    /// Calls tools.
    pub tools: bool,
    /// Can be told whether to call several at once.
    pub parallel_tools: bool,
    /// Guarantees arguments that fit a strict schema.
    pub strict_tools: bool,
    /// Can be forced to call a tool.
    pub forced_tool_choice: bool,
    /// Takes temperature and top_p.
    pub temperature: bool,
    /// Takes stop sequences.
    pub stop_sequences: bool,
    /// The efforts it knows; none if it does not reason on request.
    pub efforts: Vec<String>,
    /// How its thinking is switched on.
    pub thinking: Thinking,
    /// Tools over Chat Completions.
    pub chat_tools: ChatTools,
}

/// How a model's thinking is switched on, on the Messages wire.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Thinking {
    /// It does not think.
    #[default]
    None,
    /// With a token budget. Not used: the budget is better spent by newer models themselves.
    Manual,
    /// On request, as much as it finds fit.
    Adaptive,
    /// Always.
    Always,
}

/// Whether Chat Completions takes tools for a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChatTools {
    /// Yes.
    #[default]
    Yes,
    /// Only with the effort `none`.
    WithoutEffort,
    /// No: use the Responses wire.
    No,
}

/// One provider: an address, a way to prove who we are, and the habits of its server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProviderSpec {
    /// Its name in the catalog.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// The protocol of its models.
    pub wire: Wire,
    /// The address; none when the user must give it.
    pub base_url: Option<String>,
    /// The environment variable with another address.
    pub base_url_env: Option<String>,
    /// The environment variable with the key.
    pub key_env: Option<String>,
    /// Works without a key.
    pub key_optional: bool,
    /// How the key is sent.
    pub auth: Auth,
    /// Further headers.
    pub headers: BTreeMap<String, String>,
    /// Further headers whose values are in environment variables.
    pub headers_env: BTreeMap<String, String>,
    /// The habits of its server.
    pub quirks: Quirks,
}

impl ProviderSpec {
    /// What must still be set before this provider can be used, in words; `is_set` knows the environment.
    pub fn missing(&self, is_set: impl Fn(&str) -> bool) -> Vec<String> {
        let set = |name: &Option<String>| name.as_deref().is_some_and(&is_set);
        let mut missing = Vec::new();
        if self.base_url.is_none() && !set(&self.base_url_env) {
            missing.push(self.base_url_env.as_ref().map_or_else(
                || format!("no base_url for the provider {}", self.name),
                |name| format!("{name} not set"),
            ));
        }
        if !self.key_optional && !set(&self.key_env) {
            missing.extend(self.key_env.as_ref().map(|name| format!("{name} not set")));
        }
        missing
    }
}

/// How a key is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Auth {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// `x-api-key: KEY`.
    XApiKey,
    /// `api-key: KEY`.
    ApiKey,
}

/// Where a server differs from the one that defined the protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts, written as such in models.yaml")]
pub struct Quirks {
    /// It is that server: it knows the cache and user marks.
    pub official: bool,
    /// Reasoning comes back encrypted, and only so is it accepted again.
    pub encrypted_reasoning: bool,
    /// The system prompt's role is `developer`.
    pub developer_role: bool,
    /// The output cap is called `max_tokens`.
    pub max_tokens: bool,
    /// It takes `stream_options`.
    pub stream_options: bool,
    /// It wants plain reasoning back while tools are in use.
    pub replay_reasoning: bool,
    /// It knows only the old `functions`.
    pub legacy_functions: bool,
}

/// A server about which nothing is known but its wire.
pub(crate) fn neutral(wire: Wire) -> (ModelSpec, ProviderSpec) {
    let capabilities = Capabilities {
        tools: true,
        parallel_tools: true,
        strict_tools: false,
        forced_tool_choice: true,
        temperature: true,
        stop_sequences: true,
        efforts: Vec::new(),
        thinking: Thinking::None,
        chat_tools: ChatTools::Yes,
    };
    let model = ModelSpec {
        name: String::new(),
        wire_name: String::new(),
        provider: String::new(),
        wire,
        context_window: None,
        max_input: None,
        max_output: None,
        retires: None,
        capabilities,
        prices: None,
        listed: false,
    };
    let provider = ProviderSpec {
        name: String::new(),
        label: String::new(),
        wire,
        base_url: None,
        base_url_env: None,
        key_env: None,
        key_optional: true,
        auth: Auth::Bearer,
        headers: BTreeMap::new(),
        headers_env: BTreeMap::new(),
        quirks: Quirks { stream_options: true, replay_reasoning: true, ..Quirks::default() },
    };
    (model, provider)
}
