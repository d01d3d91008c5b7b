//! The tools of an agent, by name.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use jsonschema::Validator;
use serde_json::Value;

use super::{READ_MATERIAL, READ_OUTPUT, Tool, ToolSpec, material::read_material, output::read_output};
use crate::{ArtifactIndex, ArtifactKind, ToolDefinition, ToolNameError, check_tool_name, near};

/// The tools of an agent. Definitions keep the order in which the tools came: a stable order keeps prompt caches warm.
#[derive(Clone, Default)]
pub struct ToolRegistry {
    tools: BTreeMap<String, Registered>,
    definitions: Arc<[ToolDefinition]>,
    /// The last list that was not the whole one, by who is in it.
    offered: Arc<Mutex<Option<Offered>>>,
}

/// Which tools are offered, and the list of them.
type Offered = (Vec<bool>, Arc<[ToolDefinition]>);

#[derive(Clone)]
pub(super) struct Registered {
    pub(super) tool: Arc<dyn Tool>,
    validator: Arc<OnceLock<Validator>>,
}

/// A tool that cannot be offered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The name is not one that every provider takes.
    #[error(transparent)]
    Name(#[from] ToolNameError),
    /// Two tools with one name.
    #[error("there are two tools named {0:?}")]
    Twice(String),
    /// The schema is not one.
    #[error("the schema of tool {tool:?} is not valid: {problem}")]
    Schema {
        /// The tool.
        tool: String,
        /// Why.
        problem: String,
    },
    /// A tool was asked for that is not there.
    #[error("there is no tool named {name:?}")]
    Unknown {
        /// The name.
        name: String,
        /// What may have been meant.
        near: Vec<String>,
    },
}

impl ToolRegistry {
    /// A registry of these tools.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Result<Self, RegistryError> {
        let mut registry = Self::default();
        let mut definitions = Vec::new();
        for tool in tools {
            let spec = tool.spec();
            definitions.push(registry.check(spec)?);
            registry.tools.insert(spec.name.clone(), Registered::new(Arc::clone(&tool))?);
        }
        if !definitions.is_empty() {
            // Whatever tool there is, its result may be too long for the context: the rest must be readable.
            let mut more = vec![read_output()?];
            if registry.takes_materials() {
                more.push(read_material()?);
            }
            for tool in more {
                definitions.push(registry.check(tool.spec())?);
                registry.tools.insert(tool.spec().name.clone(), Registered::new(tool)?);
            }
        }
        registry.definitions = definitions.into();
        Ok(registry)
    }

    /// The tools with these names, in this order.
    pub fn select<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<Self, RegistryError> {
        let chosen: Result<Vec<_>, _> = names
            .into_iter()
            // They come with the tools that need them.
            .filter(|name| !matches!(*name, READ_OUTPUT | READ_MATERIAL))
            .map(|name| {
                self.get(name).cloned().ok_or_else(|| RegistryError::Unknown {
                    name: name.to_owned(),
                    near: near(name, self.names()),
                })
            })
            .collect();
        Self::new(chosen?)
    }

    /// These tools, and more behind them.
    pub fn with(&self, more: impl IntoIterator<Item = Arc<dyn Tool>>) -> Result<Self, RegistryError> {
        let own = self.definitions.iter().map(|definition| definition.name.as_str());
        let own = own.filter(|name| !matches!(*name, READ_OUTPUT | READ_MATERIAL));
        Self::new(own.filter_map(|name| self.get(name).cloned()).chain(more))
    }

    fn check(&self, spec: &ToolSpec) -> Result<ToolDefinition, RegistryError> {
        check_tool_name(&spec.name)?;
        if self.tools.contains_key(&spec.name) {
            return Err(RegistryError::Twice(spec.name.clone()));
        }
        Ok(spec.definition())
    }

    /// A tool by its name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.get(name).map(|registered| &registered.tool)
    }

    pub(super) fn registered(&self, name: &str) -> Option<&Registered> {
        self.tools.get(name)
    }

    /// Whether any tool takes what people brought.
    pub fn takes_materials(&self) -> bool {
        self.tools.values().any(|registered| registered.tool.spec().materials)
    }

    /// Whether any tool decides about documents of this kind.
    pub(crate) fn decides_about(&self, kind: &ArtifactKind) -> bool {
        self.that_decide_about(kind).next().is_some()
    }

    /// The tools that decide about documents of this kind.
    pub(crate) fn that_decide_about(&self, kind: &ArtifactKind) -> impl Iterator<Item = &Arc<dyn Tool>> {
        let tools = self.tools.values().map(|registered| &registered.tool);
        tools.filter(move |tool| tool.spec().decides && tool.spec().produces.as_ref() == Some(kind))
    }

    /// The names, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tools.keys().map(String::as_str)
    }

    /// Whether every schema is one, also those that are taken at their word until a call comes.
    pub fn verify(&self) -> Result<(), RegistryError> {
        self.tools.values().try_for_each(|registered| registered.validator().map(drop))
    }

    /// The tools that can do something with these documents, as one list for a model: what builds on a document that is not
    /// there yet is offered once it is.
    pub(crate) fn offered(&self, documents: &ArtifactIndex) -> Arc<[ToolDefinition]> {
        let has = |name: &str| {
            let needed =
                self.tools.get(name).map(|tool| tool.tool.spec().requires.as_slice()).unwrap_or_default();
            needed.iter().all(|kind| documents.has(kind))
        };
        if self.definitions.iter().all(|definition| has(&definition.name)) {
            return self.definitions();
        }
        let wanted: Vec<bool> = self.definitions.iter().map(|definition| has(&definition.name)).collect();
        let mut last = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((known, offered)) if *known == wanted => Arc::clone(offered),
            Some(_) | None => {
                let some = self.definitions.iter().zip(&wanted).filter(|(_, wanted)| **wanted);
                let offered: Arc<[ToolDefinition]> = some.map(|(definition, _)| definition.clone()).collect();
                *last = Some((wanted, Arc::clone(&offered)));
                offered
            }
        }
    }

    /// All tools as one list for a model.
    pub fn definitions(&self) -> Arc<[ToolDefinition]> {
        Arc::clone(&self.definitions)
    }
}

impl Registered {
    fn new(tool: Arc<dyn Tool>) -> Result<Self, RegistryError> {
        let registered = Self { tool, validator: Arc::default() };
        let spec = registered.tool.spec();
        if spec.schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(not_valid(spec, "its type is not \"object\"".to_owned()));
        }
        // The schema of a Rust type is one. To make its validator takes a while and half a megabyte, for tools that are
        // seldom called.
        if !spec.derived {
            registered.validator()?;
        }
        Ok(registered)
    }

    /// What tells whether arguments fit the schema.
    pub(super) fn validator(&self) -> Result<&Validator, RegistryError> {
        if let Some(made) = self.validator.get() {
            return Ok(made);
        }
        let spec = self.tool.spec();
        let made = jsonschema::validator_for(&spec.schema)
            .map_err(|problem| not_valid(spec, problem.to_string()))?;
        Ok(self.validator.get_or_init(|| made))
    }
}

fn not_valid(spec: &ToolSpec, problem: String) -> RegistryError {
    RegistryError::Schema { tool: spec.name.clone(), problem }
}
