//! `agents/*.yaml`: an agent as a file, every mistake named with its line.

use std::{collections::BTreeMap, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{self, IgnoredAny, SeqAccess, Visitor},
};
use serde_saphyr::Spanned;

use super::{AgentConfig, AgentSettings, McpServer, Verify, seconds};
use crate::{Cost, FileError, from_yaml, near};

/// What a definition is checked against.
pub struct Surroundings<'a> {
    /// Whether a model is known.
    pub model: &'a dyn Fn(&str) -> ModelKnown,
    /// The tools there are.
    pub tools: &'a [&'a str],
    /// Reads the file that a definition names for its prompt, or says why it cannot.
    pub prompt: &'a dyn Fn(&str) -> Result<String, String>,
}

/// A known model's own output limit, where that is known; or the names that look like an unknown one.
pub type ModelKnown = Result<Option<u64>, Vec<String>>;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct AgentFile {
    description: Option<String>,
    model: Option<Spanned<Names>>,
    system_prompt: Option<Spanned<String>>,
    system_prompt_file: Option<Spanned<String>>,
    temperature: Option<Spanned<f64>>,
    max_tokens: Option<Spanned<OutputCap>>,
    effort: Option<String>,
    tools: Vec<Spanned<String>>,
    limits: LimitsTable,
    verify: Option<Spanned<String>>,
    /// Another crate reads it: this one knows no search.
    retrieval: Option<IgnoredAny>,
    mcp_servers: BTreeMap<String, Spanned<McpServer>>,
    verbose: bool,
}

/// One name, or a list in order of preference. Read by hand: serde's untagged enums lose the lines.
struct Names(Vec<(String, Option<u64>)>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NamesVisitor;
        impl<'de> Visitor<'de> for NamesVisitor {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a name or a list of names")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Names, E> {
                Ok(Names(vec![(name.to_owned(), None)]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = list.next_element::<Spanned<String>>()? {
                    names.push((name.value, Some(name.referenced.line())));
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_any(NamesVisitor)
    }
}

/// A number of tokens, or `model` for as many as the model gives. Read by hand for the same reason.
struct OutputCap(Option<u64>);

impl<'de> Deserialize<'de> for OutputCap {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CapVisitor;
        impl Visitor<'_> for CapVisitor {
            type Value = OutputCap;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number of tokens, or \"model\" for as many as the model gives")
            }

            fn visit_u64<E: de::Error>(self, tokens: u64) -> Result<OutputCap, E> {
                Ok(OutputCap(Some(tokens)))
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<OutputCap, E> {
                if word == "model" {
                    return Ok(OutputCap(None));
                }
                Err(E::invalid_value(de::Unexpected::Str(word), &self))
            }
        }
        deserializer.deserialize_any(CapVisitor)
    }
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LimitsTable {
    rounds: Option<Spanned<u32>>,
    seconds: Option<Spanned<f64>>,
    tokens: Option<Spanned<u64>>,
    cost_usd: Option<Spanned<f64>>,
    max_messages: Option<Spanned<usize>>,
    context_tokens: Option<Spanned<u64>>,
    tool_seconds: Option<Spanned<f64>>,
    tool_characters: Option<Spanned<usize>>,
}

/// Reads a definition. `name` is the file's own, for one that does not name itself.
pub fn read_agent(
    path: &str,
    name: &str,
    text: &str,
    around: &Surroundings<'_>,
) -> Result<AgentConfig, Vec<FileError>> {
    let file: AgentFile = from_yaml(path, text).map_err(|error| vec![error.without_secret()])?;
    let mut reading = Reading { path, lines: BTreeMap::new(), problems: Vec::new() };
    let settings = reading.settings(name, file, around);
    let model_limit = settings.models.first().and_then(|model| (around.model)(model).ok().flatten());
    match AgentConfig::new(settings, model_limit) {
        Ok(config) if reading.problems.is_empty() => Ok(config),
        Ok(_) => Err(reading.problems),
        Err(values) => {
            for value in values {
                let line = reading.lines.get(value.field).copied();
                reading.problem(line, value.to_string(), None);
            }
            reading.problems.sort_by_key(|problem| problem.line);
            Err(reading.problems)
        }
    }
}

/// A file on its way to settings: where each value stood, and what is wrong.
struct Reading<'a> {
    path: &'a str,
    lines: BTreeMap<&'static str, u64>,
    problems: Vec<FileError>,
}

impl Reading<'_> {
    fn problem(&mut self, line: Option<u64>, problem: String, hint: Option<String>) {
        self.problems.push(FileError { path: self.path.to_owned(), line, problem, hint });
    }

    /// Takes a value over where the file has one, and remembers its line.
    fn take<T>(&mut self, field: &'static str, value: Option<Spanned<T>>, into: &mut T) {
        if let Some(value) = value {
            self.lines.insert(field, value.referenced.line());
            *into = value.value;
        }
    }

    fn settings(&mut self, name: &str, file: AgentFile, around: &Surroundings<'_>) -> AgentSettings {
        let mut settings = AgentSettings {
            name: name.to_owned(),
            description: file.description.unwrap_or_default(),
            effort: file.effort,
            verbose: file.verbose,
            ..AgentSettings::default()
        };
        self.take("temperature", file.temperature, &mut settings.temperature);
        let mut cap = OutputCap(settings.max_tokens);
        self.take("max_tokens", file.max_tokens, &mut cap);
        settings.max_tokens = cap.0;
        settings.models = self.models(file.model, around);
        settings.tools = self.tools(file.tools, around);
        self.prompt(file.system_prompt, file.system_prompt_file, around, &mut settings.system_prompt);
        self.limits(file.limits, &mut settings);
        settings.verify = self.verify(file.verify, around);
        settings.mcp_servers = self.servers(file.mcp_servers);
        settings
    }

    fn models(&mut self, models: Option<Spanned<Names>>, around: &Surroundings<'_>) -> Vec<String> {
        let Some(models) = models else { return Vec::new() };
        let first = models.referenced.line();
        for (model, line) in &models.value.0 {
            self.check_model(model, line.unwrap_or(first), around);
        }
        models.value.0.into_iter().map(|(model, _)| model).collect()
    }

    fn check_model(&mut self, model: &str, line: u64, around: &Surroundings<'_>) {
        if let Err(near) = (around.model)(model) {
            let hint = match near.as_slice() {
                [] => "`tata models` lists the known ones; any other is PROVIDER/MODEL".to_owned(),
                near => format!("did you mean {}?", near.join(" or ")),
            };
            self.problem(Some(line), format!("unknown model {model:?}"), Some(hint));
        }
    }

    /// `rules`, `model`, or the name of a model.
    fn verify(&mut self, verify: Option<Spanned<String>>, around: &Surroundings<'_>) -> Verify {
        let Some(verify) = verify else { return Verify::default() };
        match verify.value.as_str() {
            "rules" => Verify::Rules,
            "model" => Verify::Model,
            name => {
                if (around.model)(name).is_err() {
                    let problem =
                        format!("verify is {name:?}, but must be rules, model or the name of a model");
                    let hint = "`tata models` lists the known ones; any other is PROVIDER/MODEL".to_owned();
                    self.problem(Some(verify.referenced.line()), problem, Some(hint));
                }
                Verify::Named(name.to_owned())
            }
        }
    }

    fn tools(&mut self, tools: Vec<Spanned<String>>, around: &Surroundings<'_>) -> Vec<String> {
        for tool in tools.iter().filter(|tool| !around.tools.contains(&tool.value.as_str())) {
            let near = near(&tool.value, around.tools.iter().copied());
            let hint = match (near.as_slice(), around.tools) {
                ([], []) => "there are no tools yet".to_owned(),
                ([], known) => format!("known: {}", known.join(", ")),
                (near, _) => format!("did you mean {}?", near.join(" or ")),
            };
            self.problem(Some(tool.referenced.line()), format!("unknown tool {:?}", tool.value), Some(hint));
        }
        tools.into_iter().map(|tool| tool.value).collect()
    }

    fn prompt(
        &mut self,
        inline: Option<Spanned<String>>,
        file: Option<Spanned<String>>,
        around: &Surroundings<'_>,
        into: &mut String,
    ) {
        match (inline, file) {
            (Some(_), Some(file)) => {
                let problem = "system_prompt and system_prompt_file are both given".to_owned();
                self.problem(Some(file.referenced.line()), problem, Some("keep one of them".to_owned()));
            }
            (None, Some(file)) => match (around.prompt)(&file.value) {
                Ok(text) => {
                    self.lines.insert("system_prompt", file.referenced.line());
                    *into = text;
                }
                Err(why) => {
                    let problem = format!("system_prompt_file {:?} cannot be read: {why}", file.value);
                    self.problem(Some(file.referenced.line()), problem, None);
                }
            },
            (inline, None) => self.take("system_prompt", inline, into),
        }
    }

    fn limits(&mut self, table: LimitsTable, settings: &mut AgentSettings) {
        let limits = &mut settings.limits;
        self.take("limits.rounds", table.rounds, &mut limits.rounds);
        self.take("limits.max_messages", table.max_messages, &mut limits.budget.max_messages);
        self.take("limits.tool_characters", table.tool_characters, &mut limits.tool_characters);
        let (mut time, mut tool_time) = (limits.time.as_secs_f64(), limits.tool_time.as_secs_f64());
        self.take("limits.seconds", table.seconds, &mut time);
        self.take("limits.tool_seconds", table.tool_seconds, &mut tool_time);
        (limits.time, limits.tool_time) = (seconds(time), seconds(tool_time));
        let (mut tokens, mut context, mut cost) = (0, 0, 0.0);
        self.take("limits.tokens", table.tokens, &mut tokens);
        self.take("limits.context_tokens", table.context_tokens, &mut context);
        self.take("limits.cost_usd", table.cost_usd, &mut cost);
        let given = |field: &str| self.lines.contains_key(field);
        limits.counts_tokens_alone = !given("limits.max_messages");
        limits.tokens = given("limits.tokens").then_some(tokens);
        limits.budget.max_tokens = given("limits.context_tokens").then_some(context);
        limits.cost = given("limits.cost_usd").then(|| Cost::from_usd(cost));
    }

    fn servers(&mut self, servers: BTreeMap<String, Spanned<McpServer>>) -> BTreeMap<String, McpServer> {
        for (name, server) in &servers {
            let problem = match (&server.value.command, &server.value.url) {
                (Some(_), Some(_)) => "has both a command and a url; keep one of them",
                (None, None) => "has neither a command nor a url",
                (Some(_), None) | (None, Some(_)) => continue,
            };
            self.problem(Some(server.referenced.line()), format!("MCP server {name:?} {problem}"), None);
        }
        servers.into_iter().map(|(name, server)| (name, server.value)).collect()
    }
}
