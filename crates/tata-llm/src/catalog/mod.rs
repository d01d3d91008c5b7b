//! The catalog: which models there are, how each is reached, what it can do and what it costs.

mod check;
mod file;
mod spec;
mod status;

use tata_core::{FileError, from_yaml, near};

use self::file::{CapabilitiesEntry, CatalogFile, ModelEntry, ProviderEntry};
pub(crate) use self::spec::neutral;
pub use self::{
    spec::{Auth, Capabilities, ChatTools, ModelSpec, ProviderSpec, Quirks, Thinking},
    status::ModelStatus,
};
use crate::wire::Wire;

/// All models and providers, the built-in ones overlaid by the user's.
#[derive(Clone, Debug)]
pub struct Catalog {
    file: CatalogFile,
    overlays: Vec<String>,
}

/// A name that no provider claims.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no provider is known for the model {name:?}")]
pub struct UnknownModel {
    /// What was asked for.
    pub name: String,
    /// Listed names that look like it.
    pub near: Vec<String>,
}

impl Catalog {
    /// The built-in file as it is written, with its comments.
    pub const BUILT_IN: &str = include_str!("../../models.yaml");

    /// The built-in catalog alone.
    pub fn built_in() -> Result<Self, FileError> {
        Ok(Self { file: from_yaml("built-in models.yaml", Self::BUILT_IN)?, overlays: Vec::new() })
    }

    /// The files that lie over the built-in one, as they were named.
    pub fn overlays(&self) -> &[String] {
        &self.overlays
    }

    /// Lays the text of a user's file over the catalog; `path` is for error messages.
    pub fn overlay(&mut self, path: &str, text: &str) -> Result<(), FileError> {
        let over = from_yaml(path, text)?;
        let mut merged = self.file.clone();
        merged.lay(over);
        check::check(path, text, &merged)?;
        self.file = merged;
        self.overlays.push(path.to_owned());
        Ok(())
    }

    /// The models to try, in order, when none was chosen.
    pub fn defaults(&self) -> &[String] {
        &self.file.defaults
    }

    /// Every listed model, by name.
    pub fn models(&self) -> Vec<ModelSpec> {
        self.file.models.keys().filter_map(|name| self.resolve(name).ok()).map(|(model, _)| model).collect()
    }

    /// Every provider, by name.
    pub fn providers(&self) -> Vec<ProviderSpec> {
        self.file.providers.iter().map(|(name, entry)| provider(name, entry)).collect()
    }

    /// Finds a model: `PROVIDER/MODEL`, a listed name (a date at its end does not matter), or a name that
    /// fits a provider's pattern.
    ///
    /// ```
    /// let catalog = tata_llm::Catalog::built_in()?;
    /// assert_eq!(catalog.resolve("claude-sonnet-5-5").map(|(model, _)| model.provider), Ok("anthropic".into()));
    /// assert_eq!(catalog.resolve("ollama/qwen3:8b").map(|(model, _)| model.wire_name), Ok("qwen3:8b".into()));
    /// # Ok::<(), tata_core::FileError>(())
    /// ```
    pub fn resolve(&self, name: &str) -> Result<(ModelSpec, ProviderSpec), UnknownModel> {
        let name = name.trim();
        if let Some((prefix, rest)) = name.split_once('/')
            && !rest.is_empty()
            && self.file.providers.contains_key(prefix)
        {
            return self.build(name, prefix, rest).ok_or_else(|| self.unknown(name));
        }
        let listed = self.listed(name).and_then(|(_, entry)| entry.provider.as_deref());
        let claimed = || {
            let fits =
                |entry: &ProviderEntry| entry.models.iter().flatten().any(|pattern| matches(pattern, name));
            self.file.providers.iter().find(|(_, entry)| fits(entry)).map(|(name, _)| name.as_str())
        };
        let provider = listed.or_else(claimed);
        provider.and_then(|provider| self.build(name, provider, name)).ok_or_else(|| self.unknown(name))
    }

    /// Listed names that look like `name`.
    pub fn near(&self, name: &str) -> Vec<String> {
        near(name, self.file.models.keys().map(String::as_str))
    }

    fn unknown(&self, name: &str) -> UnknownModel {
        // In PROVIDER/MODEL it is the provider that was mistyped: the model may be any.
        let by_provider = name.split_once('/').map(|(prefix, rest)| {
            let providers = near(prefix, self.file.providers.keys().map(String::as_str));
            providers.into_iter().map(|provider| format!("{provider}/{rest}")).collect()
        });
        UnknownModel { name: name.to_owned(), near: by_provider.unwrap_or_else(|| self.near(name)) }
    }

    /// The entry of a name, also when a date is appended to it.
    fn listed(&self, name: &str) -> Option<(&String, &ModelEntry)> {
        self.file.models.get_key_value(name).or_else(|| self.file.models.get_key_value(without_date(name)?))
    }

    fn build(&self, name: &str, provider_name: &str, wire_name: &str) -> Option<(ModelSpec, ProviderSpec)> {
        let entry = self.file.providers.get(provider_name)?;
        let provider = provider(provider_name, entry);
        // What is known of a model at one provider says nothing of its namesake at another.
        let listed =
            self.listed(wire_name).filter(|(_, model)| model.provider.as_deref() == Some(provider_name));
        let mut capabilities = entry.capabilities.clone();
        // A house name stands for the model it names: the family is that model's.
        let true_name = listed.and_then(|(_, model)| model.id.as_deref()).unwrap_or(wire_name);
        for family in &self.file.families {
            if family.provider == provider_name && family.patterns.iter().any(|p| matches(p, true_name)) {
                capabilities.lay(family.capabilities.clone());
            }
        }
        let default = ModelEntry::default();
        let model = listed.map_or(&default, |(_, model)| model);
        capabilities.lay(model.capabilities.clone());
        let spec = ModelSpec {
            name: name.to_owned(),
            wire_name: model.id.clone().unwrap_or_else(|| wire_name.to_owned()),
            provider: provider_name.to_owned(),
            wire: model.wire.unwrap_or(provider.wire),
            context_window: model.context_window,
            max_input: model.max_input,
            max_output: model.max_output,
            retires: model.retires.clone(),
            capabilities: resolved(capabilities),
            prices: model.prices.clone(),
            listed: listed.is_some(),
        };
        Some((spec, provider))
    }
}

fn provider(name: &str, entry: &ProviderEntry) -> ProviderSpec {
    let quirks = &entry.quirks;
    ProviderSpec {
        name: name.to_owned(),
        label: entry.label.clone().unwrap_or_else(|| name.to_owned()),
        wire: entry.wire.unwrap_or(Wire::Chat),
        base_url: entry.base_url.clone(),
        base_url_env: entry.base_url_env.clone(),
        key_env: entry.key_env.clone(),
        key_optional: entry.key_optional.unwrap_or(entry.key_env.is_none()),
        auth: entry.auth.unwrap_or(Auth::Bearer),
        headers: entry.headers.clone(),
        headers_env: entry.headers_env.clone(),
        quirks: Quirks {
            official: quirks.official.unwrap_or(false),
            encrypted_reasoning: quirks.encrypted_reasoning.unwrap_or(false),
            developer_role: quirks.developer_role.unwrap_or(false),
            // Servers that know only the newer name are rare, and refuse the older one aloud; those that know only the
            // older one pass over the newer in silence, and write without an end.
            max_tokens: quirks.max_tokens.unwrap_or(!quirks.official.unwrap_or(false)),
            stream_options: quirks.stream_options.unwrap_or(true),
            replay_reasoning: quirks.replay_reasoning.unwrap_or(false),
            legacy_functions: quirks.legacy_functions.unwrap_or(false),
        },
    }
}

fn resolved(entry: CapabilitiesEntry) -> Capabilities {
    Capabilities {
        tools: entry.tools.unwrap_or(true),
        parallel_tools: entry.parallel_tools.unwrap_or(true),
        strict_tools: entry.strict_tools.unwrap_or(false),
        forced_tool_choice: entry.forced_tool_choice.unwrap_or(true),
        temperature: entry.temperature.unwrap_or(true),
        stop_sequences: entry.stop_sequences.unwrap_or(true),
        efforts: entry.efforts.unwrap_or_default(),
        thinking: entry.thinking.unwrap_or_default(),
        chat_tools: entry.chat_tools.unwrap_or_default(),
    }
}

/// Whether a name fits a pattern in which `*` stands for any text.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = rest.get(at + part.len()..).unwrap_or_default();
    }
    rest.ends_with(last)
}

/// The name without a date at its end: `-2026-10-21` or `-20261021`.
fn without_date(name: &str) -> Option<&str> {
    let digits = |text: &str, n: usize| text.len() == n && text.bytes().all(|b| b.is_ascii_digit());
    let (head, tail) = name.rsplit_once('-')?;
    if digits(tail, 8) {
        return Some(head);
    }
    let (head, month) = head.rsplit_once('-')?;
    let (head, year) = head.rsplit_once('-')?;
    (digits(tail, 2) && digits(month, 2) && digits(year, 4)).then_some(head)
}

#[cfg(test)]
mod tests;
