//! A gateway behind `OPENAI_BASE_URL` or `ANTHROPIC_BASE_URL` has models of its own: when nobody names one, it is asked.

use std::time::Duration;

use tata_core::{AgentConfig, ModelError, ModelErrorKind, Session};
use tata_llm::{Endpoint, ModelSpec, ProviderSpec, Timeouts};

use crate::{
    config::Config,
    terminal::{NOTE, Terminal},
};

/// How long a gateway may think about its list. The question itself has its own patience.
const PATIENCE: Duration = Duration::from_secs(5);
/// As many as fit on a line or two.
const NAMED: usize = 10;

/// Whether the choice of a model is left to us.
pub(super) fn nobody_names_a_model(definition: &AgentConfig, session: Option<&Session>) -> bool {
    definition.models.is_empty() && session.is_none_or(|session| session.model.is_none())
}

/// The model to use when nobody names one and the first default would go to a gateway: the default if the gateway has
/// it, or the only one there is. None when there is nothing to ask, or no answer: then the default is as good as any.
pub(super) async fn default_model(config: &Config, terminal: &Terminal) -> anyhow::Result<Option<String>> {
    if config.model().is_some() {
        return Ok(None);
    }
    let Ok(route) = config.choose(None) else { return Ok(None) };
    let (spec, provider) = (&route.spec, &route.provider);
    if !is_gateway(config, provider) {
        return Ok(None);
    }
    let timeouts = Timeouts { first_byte: PATIENCE.min(config.timeouts.first_byte), ..config.timeouts };
    let model = config.connect_with(&route, timeouts)?;
    let address = config.shown_address(provider).unwrap_or_default();
    match model.list_models().await {
        Ok(listed) => choose(config, provider, &address, &listed, terminal),
        Err(error) => {
            // Who cannot be reached or refuses the key says so when it is asked the question.
            if error.kind == ModelErrorKind::UnreadableResponse || error.kind == ModelErrorKind::ModelNotFound
            {
                terminal.note(&format!(
                    "{NOTE}note:{NOTE:#} {address} does not say which models it has; {} is asked for. --model NAME \
                     asks for another.",
                    spec.name
                ));
            }
            Ok(None)
        }
    }
}

/// The address of the gateway that is asked when nobody names a model.
pub(super) fn address(config: &Config) -> Option<String> {
    let provider = config.choose(None).ok()?.provider;
    is_gateway(config, &provider).then(|| config.shown_address(&provider)).flatten()
}

/// Whether the address in use is another one than the provider's own.
fn is_gateway(config: &Config, provider: &ProviderSpec) -> bool {
    let Some(own) = provider.base_url.clone() else { return false };
    let own = Endpoint { base_url: own, key: None, headers: Vec::new() }.shown_address();
    let in_use = config.shown_address(provider);
    provider.quirks.official
        && in_use.is_some_and(|in_use| in_use.trim_end_matches('/') != own.trim_end_matches('/'))
}

fn choose(
    config: &Config,
    provider: &ProviderSpec,
    address: &str,
    listed: &[String],
    terminal: &Terminal,
) -> anyhow::Result<Option<String>> {
    let mut defaults =
        config.catalog().defaults().iter().filter_map(|name| config.catalog().resolve(name).ok());
    let has = |spec: &ModelSpec| spec.provider == provider.name && listed.contains(&spec.wire_name);
    if let Some((spec, _)) = defaults.find(|(spec, _)| has(spec)) {
        return Ok(Some(spec.name));
    }
    match listed {
        [] => Ok(None),
        [only] => {
            let name = in_catalog(config, provider, only);
            terminal.note(&format!("{NOTE}note:{NOTE:#} {name} answers: the only model at {address}."));
            Ok(Some(name))
        }
        several => {
            let names: Vec<String> =
                several.iter().take(NAMED).map(|id| in_catalog(config, provider, id)).collect();
            let more = several.len().saturating_sub(NAMED);
            let more = if more > 0 {
                format!(" and {more} more (`tata models list {}`)", provider.name)
            } else {
                String::new()
            };
            let message = format!(
                "{address} has {} models, and none is chosen: {}{more}. Name one with --model, TATA_MODEL or \
                 `model = \"…\"` in tata.toml.",
                several.len(),
                names.join(", ")
            );
            Err(ModelError::new(ModelErrorKind::NotConfigured).with_detail(message).into())
        }
    }
}

/// A server's name of a model as it is typed after `--model`.
pub(super) fn in_catalog(config: &Config, provider: &ProviderSpec, id: &str) -> String {
    let plain = config
        .catalog()
        .resolve(id)
        .is_ok_and(|(spec, _)| spec.provider == provider.name && spec.wire_name == id);
    if plain { id.to_owned() } else { format!("{}/{id}", provider.name) }
}
