//! `models.yaml` as it is written: every field optional, so that one file can lie over another.

use std::collections::BTreeMap;

use serde::Deserialize;
use tata_core::Prices;

use super::{Auth, ChatTools, Thinking};
use crate::wire::Wire;

/// A whole file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CatalogFile {
    pub(super) defaults: Vec<String>,
    pub(super) providers: BTreeMap<String, ProviderEntry>,
    pub(super) families: Vec<Family>,
    pub(super) models: BTreeMap<String, ModelEntry>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ProviderEntry {
    pub(super) label: Option<String>,
    pub(super) wire: Option<Wire>,
    pub(super) base_url: Option<String>,
    pub(super) base_url_env: Option<String>,
    pub(super) key_env: Option<String>,
    pub(super) key_optional: Option<bool>,
    pub(super) auth: Option<Auth>,
    pub(super) models: Option<Vec<String>>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) headers_env: BTreeMap<String, String>,
    pub(super) quirks: QuirksEntry,
    pub(super) capabilities: CapabilitiesEntry,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct QuirksEntry {
    pub(super) official: Option<bool>,
    pub(super) encrypted_reasoning: Option<bool>,
    pub(super) developer_role: Option<bool>,
    pub(super) max_tokens: Option<bool>,
    pub(super) stream_options: Option<bool>,
    pub(super) replay_reasoning: Option<bool>,
    pub(super) legacy_functions: Option<bool>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CapabilitiesEntry {
    pub(super) tools: Option<bool>,
    pub(super) parallel_tools: Option<bool>,
    pub(super) strict_tools: Option<bool>,
    pub(super) forced_tool_choice: Option<bool>,
    pub(super) temperature: Option<bool>,
    pub(super) stop_sequences: Option<bool>,
    pub(super) efforts: Option<Vec<String>>,
    pub(super) thinking: Option<Thinking>,
    pub(super) chat_tools: Option<ChatTools>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Family {
    #[serde(rename = "match")]
    pub(super) patterns: Vec<String>,
    pub(super) provider: String,
    #[serde(default)]
    pub(super) capabilities: CapabilitiesEntry,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct ModelEntry {
    pub(super) provider: Option<String>,
    /// The name the provider knows, where it differs (an Azure deployment, a pinned version).
    pub(super) id: Option<String>,
    pub(super) wire: Option<Wire>,
    pub(super) context_window: Option<u64>,
    pub(super) max_input: Option<u64>,
    pub(super) max_output: Option<u64>,
    pub(super) retires: Option<String>,
    pub(super) capabilities: CapabilitiesEntry,
    pub(super) prices: Option<Prices>,
}

/// Fields of `$over` win where they are given.
macro_rules! lay_over {
    ($under:expr, $over:expr; $($field:ident),* $(,)?) => {
        $(if $over.$field.is_some() { $under.$field = $over.$field; })*
    };
}

impl CatalogFile {
    /// Lays another file over this one.
    pub(super) fn lay(&mut self, over: Self) {
        if !over.defaults.is_empty() {
            self.defaults = over.defaults;
        }
        for (name, entry) in over.providers {
            self.providers.entry(name).or_default().lay(entry);
        }
        self.families.extend(over.families);
        for (name, entry) in over.models {
            self.models.entry(name).or_default().lay(entry);
        }
    }
}

impl ProviderEntry {
    fn lay(&mut self, over: Self) {
        lay_over!(self, over; label, wire, base_url, base_url_env, key_env, key_optional, auth, models);
        self.headers.extend(over.headers);
        self.headers_env.extend(over.headers_env);
        self.capabilities.lay(over.capabilities);
        lay_over!(self.quirks, over.quirks; official, encrypted_reasoning, developer_role, max_tokens,
            stream_options, replay_reasoning, legacy_functions);
    }
}

impl CapabilitiesEntry {
    pub(super) fn lay(&mut self, over: Self) {
        lay_over!(self, over; tools, parallel_tools, strict_tools, forced_tool_choice, temperature,
            stop_sequences, efforts, thinking, chat_tools);
    }
}

impl ModelEntry {
    fn lay(&mut self, over: Self) {
        lay_over!(self, over; provider, id, wire, context_window, max_input, max_output, retires, prices);
        self.capabilities.lay(over.capabilities);
    }
}
