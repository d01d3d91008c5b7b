//! What an agent is by definition: values with their ranges, checked once and then unchangeable.

mod file;

use std::{collections::BTreeMap, fmt, ops::Deref, sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use crate::{Budget, Cost, Limits};

pub use file::{ModelKnown, Surroundings, read_agent};

/// The most tokens of one answer, unless the model's own limit is known to be higher.
pub const MAX_TOKENS: u64 = 4_096;

/// The values of an agent, not yet checked.
#[derive(Clone, Debug)]
pub struct AgentSettings {
    /// Its name.
    pub name: String,
    /// What it is for, in a sentence.
    pub description: String,
    /// Its models, the preferred one first; none leaves the choice to the program.
    pub models: Vec<String>,
    /// What it is told before everything else.
    pub system_prompt: String,
    /// Sampling temperature, from 0 to 2; left out for models that take none.
    pub temperature: f64,
    /// The most tokens of one answer; none is as many as the model gives.
    pub max_tokens: Option<u64>,
    /// How hard to think, for models that can be told.
    pub effort: Option<String>,
    /// The tools it may use, by name.
    pub tools: Vec<String>,
    /// What a turn may use.
    pub limits: Limits,
    /// Who judges what the model writes.
    pub verify: Verify,
    /// Where further tools come from.
    pub mcp_servers: BTreeMap<String, McpServer>,
    /// Shows the arguments of every step and the tokens of every request.
    pub verbose: bool,
}

impl Default for AgentSettings {
    fn default() -> Self {
        Self {
            name: "agent".to_owned(),
            description: String::new(),
            models: Vec::new(),
            system_prompt: "You are a helpful assistant. Say so when you do not know something.".to_owned(),
            temperature: 0.7,
            max_tokens: Some(1_000),
            effort: None,
            tools: Vec::new(),
            limits: Limits { counts_tokens_alone: true, ..Limits::default() },
            verify: Verify::default(),
            mcp_servers: BTreeMap::new(),
            verbose: false,
        }
    }
}

/// Who holds what a model writes against what it rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verify {
    /// Rules of this program.
    #[default]
    Rules,
    /// The rules, and then the agent's own model in a request of its own.
    Model,
    /// The rules, and then this model.
    Named(String),
}

/// A server that brings tools: a program to start, or an address.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpServer {
    /// The kind of connection, where it is not clear from the rest.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its environment.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Headers sent to it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub headers: BTreeMap<String, String>,
}

impl fmt::Debug for McpServer {
    /// The values of environment and headers may be secrets: only their names are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (env, headers): (Vec<_>, Vec<_>) = (self.env.keys().collect(), self.headers.keys().collect());
        f.debug_struct("McpServer")
            .field("command", &self.command)
            .field("url", &self.url)
            .field("env", &env)
            .field("headers", &headers)
            .finish_non_exhaustive()
    }
}

/// The values of an agent, checked. They can be read and no longer changed.
#[derive(Clone, Debug)]
pub struct AgentConfig(Arc<AgentSettings>);

/// A value that cannot be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct InvalidValue {
    /// The field.
    pub field: &'static str,
    /// What it was; never a key.
    pub value: String,
    /// What it may be.
    pub expected: String,
}

impl fmt::Display for InvalidValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}, but must be {}", self.field, self.value, self.expected)
    }
}

impl AgentConfig {
    /// Checks every value and names all that are wrong. `model_limit` is the most tokens the model itself can write,
    /// where that is known.
    pub fn new(settings: AgentSettings, model_limit: Option<u64>) -> Result<Self, Vec<InvalidValue>> {
        let problems = problems(&settings, model_limit);
        if problems.is_empty() { Ok(Self(Arc::new(settings))) } else { Err(problems) }
    }
}

impl Deref for AgentConfig {
    type Target = AgentSettings;

    fn deref(&self) -> &AgentSettings {
        &self.0
    }
}

fn problems(settings: &AgentSettings, model_limit: Option<u64>) -> Vec<InvalidValue> {
    let mut problems = Vec::new();
    let mut check = |fine: bool, field: &'static str, value: String, expected: String| {
        if !fine {
            problems.push(InvalidValue { field, value, expected });
        }
    };
    let most = model_limit.unwrap_or(0).max(MAX_TOKENS);
    let temperature = settings.temperature;
    check(
        (0.0..=2.0).contains(&temperature),
        "temperature",
        temperature.to_string(),
        "a number from 0 to 2".to_owned(),
    );
    check(
        settings.max_tokens.is_none_or(|tokens| (1..=most).contains(&tokens)),
        "max_tokens",
        settings.max_tokens.unwrap_or_default().to_string(),
        format!("a number from 1 to {most}"),
    );
    for (field, text) in [("name", &settings.name), ("system_prompt", &settings.system_prompt)] {
        check(!text.trim().is_empty(), field, "empty".to_owned(), "a text".to_owned());
    }
    let Limits { rounds, time, tokens, cost, budget, tool_time, tool_characters, .. } = settings.limits;
    let Budget { max_messages, max_tokens } = budget;
    let ranges: [(&'static str, u64, u64, u64); 7] = [
        ("limits.rounds", u64::from(rounds), 1, 1_000),
        ("limits.seconds", time.as_secs(), 1, 86_400),
        ("limits.tokens", tokens.unwrap_or(1), 1, u64::MAX),
        ("limits.max_messages", max_messages as u64, 2, 100_000),
        ("limits.context_tokens", max_tokens.unwrap_or(1_000), 500, u64::MAX),
        ("limits.tool_seconds", tool_time.as_secs(), 1, 3_600),
        ("limits.tool_characters", tool_characters as u64, 500, 1_000_000),
    ];
    for (field, value, least, most) in ranges {
        let expected = if most == u64::MAX {
            format!("{least} or more")
        } else {
            format!("a number from {least} to {most}")
        };
        check((least..=most).contains(&value), field, value.to_string(), expected);
    }
    let costs = cost.is_none_or(|cost| cost > Cost::default());
    check(costs, "limits.cost_usd", "0".to_owned(), "more than 0".to_owned());
    problems
}

/// Seconds as people write them.
fn seconds(value: f64) -> Duration {
    Duration::try_from_secs_f64(value).unwrap_or(Duration::ZERO)
}
