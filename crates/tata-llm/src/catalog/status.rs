//! Which models are ready to be used: for the terminal, the web and programs alike.

use serde::Serialize;

use super::{Catalog, ModelSpec};

/// A model and what it still needs.
#[derive(Clone, Debug, Serialize)]
pub struct ModelStatus {
    /// The model.
    #[serde(flatten)]
    pub model: ModelSpec,
    /// It can be used as things are.
    pub configured: bool,
    /// What must be set first.
    pub missing: Vec<String>,
    /// It is used when none is named.
    pub default: bool,
}

impl Catalog {
    /// Every listed model with its status. `is_set` tells whether a variable is set; `wish` is the configured model.
    pub fn statuses(&self, is_set: impl Fn(&str) -> bool, wish: Option<&str>) -> Vec<ModelStatus> {
        let providers = self.providers();
        let missing = |model: &ModelSpec| {
            let provider = providers.iter().find(|provider| provider.name == model.provider);
            provider.map_or_else(Vec::new, |provider| provider.missing(&is_set))
        };
        let chosen = self.first_ready(&is_set, wish);
        self.models()
            .into_iter()
            .map(|model| {
                let missing = missing(&model);
                let default = chosen.as_deref() == Some(&model.name);
                ModelStatus { configured: missing.is_empty(), missing, default, model }
            })
            .collect()
    }

    /// The model to use when none is named: the configured one, or the first default that is ready.
    pub fn first_ready(&self, is_set: impl Fn(&str) -> bool, wish: Option<&str>) -> Option<String> {
        if let Some(name) = wish {
            return self.resolve(name).ok().map(|(model, _)| model.name);
        }
        let defaults = self.defaults().iter().filter_map(|name| self.resolve(name).ok());
        let mut ready = defaults.filter(|(_, provider)| provider.missing(&is_set).is_empty());
        ready.next().map(|(model, _)| model.name)
    }
}
