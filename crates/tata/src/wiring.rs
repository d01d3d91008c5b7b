//! Puts an agent together: definition, models, tools, store.

use std::sync::Arc;

use secrecy::ExposeSecret;
use tata_core::{
    Agent, AgentConfig, AgentParts, Budget, DirectCall, Limits, Model, ModelChoice, ModelError,
    ModelErrorKind, Session, Store, StoreError, ToolRegistry, Verify,
};
use tata_knowledge::{
    Embedded, Embedder, Engine, Knowledge, QUOTES, Qdrant, Quotes, READ_DOCUMENT, Reranker,
    RetrievalSettings, SEARCH_DOCS, answer_check, answer_of_search,
};
use tata_llm::ModelSpec;
use tata_recruit::{GUIDED, Guided, tool};
use tata_store::{MemoryStore, PostgresStore, SqliteStore};

use crate::{
    agents::{self, Definition},
    cli::DEFAULT_TENANT,
    config::{ChosenBy, Config, ConfigError, Database, Origin, Want},
    servers::Foreign,
};

/// The tools over documents.
const DOCUMENT_TOOLS: [&str; 2] = [SEARCH_DOCS, READ_DOCUMENT];

/// Which database could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct DatabasePlace(String);

/// What a person wants otherwise than the definition says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Overrides {
    pub(crate) model: Option<String>,
    pub(crate) system: Option<String>,
    pub(crate) max_tokens: Option<u64>,
    pub(crate) temperature: Option<f64>,
    pub(crate) effort: Option<String>,
    pub(crate) approve: Vec<String>,
    /// What is shown cannot be taken back.
    pub(crate) into_a_pipe: bool,
    /// The company whose documents are searched, on a server for many, where no session says it.
    pub(crate) company: Option<String>,
}

/// An agent and the models it will ask, in order.
pub(crate) struct Assembled {
    pub(crate) agent: Agent,
    pub(crate) models: Vec<ModelSpec>,
    /// What the person should know before anything is sent.
    pub(crate) notes: Vec<String>,
}

/// The tools there are, for a call without an agent.
pub(crate) fn all_tools(config: &Config) -> anyhow::Result<ToolRegistry> {
    tools_of(config, None)
}

/// The same over the documents of a company.
pub(crate) fn tools_of(config: &Config, company: Option<&str>) -> anyhow::Result<ToolRegistry> {
    tools(knowledge(config, RetrievalSettings::default(), (Origin::Person, "default"), company)?, true)
}

/// The names of the tools there are.
pub(crate) fn tool_names() -> anyhow::Result<Vec<String>> {
    let own = tata_recruit::tools()?;
    let own = own.iter().map(|tool| tool.spec().definition().name.clone());
    Ok(own.chain([SEARCH_DOCS.to_owned()]).collect())
}

/// The tools there are, over the documents of this knowledge.
fn tools(knowledge: Knowledge, recruits: bool) -> anyhow::Result<ToolRegistry> {
    let search = tata_knowledge::search_docs(knowledge.clone())?;
    // Of the two tools that read a document, a recruiter's agent has the one for the project.
    let mut tools = tata_recruit::tools()?;
    if !recruits {
        tools.retain(|tool| tool.spec().name != READ_DOCUMENT);
        tools.push(tata_knowledge::read_document(knowledge)?);
    }
    tools.push(search);
    Ok(ToolRegistry::new(tools)?)
}

/// A collection of documents: on the server that is configured, else in the data folder. `agent` is who wrote the settings,
/// and where. A company of a server has collections of its own.
pub(crate) fn knowledge(
    config: &Config,
    mut settings: RetrievalSettings,
    agent: (Origin, &str),
    company: Option<&str>,
) -> anyhow::Result<Knowledge> {
    if let Some(company) = other_company(company) {
        settings.collection_name = collection_of(&settings.collection_name, company);
    }
    let engine: Arc<dyn Engine> = match config.qdrant(&settings, agent)? {
        Some(server) => Arc::new(Qdrant::new(server)?),
        None => Arc::new(Embedded::new(config.data_dir.join("documents").join(&settings.collection_name))),
    };
    let mut knowledge = Knowledge::new(engine, settings)?;
    if let Some(embedder) = config.embedder()? {
        knowledge = knowledge.with_embedder(Embedder::new(embedder)?);
    }
    if let Some(reranker) = config.reranker()? {
        knowledge = knowledge.with_reranker(Reranker::new(reranker)?);
    }
    Ok(knowledge)
}

/// A company that is not the one there always is: what somebody reads in on this machine belongs to that.
pub(crate) fn other_company(company: Option<&str>) -> Option<&str> {
    company.filter(|name| *name != DEFAULT_TENANT)
}

/// What a collection is called for a company: a name that can be a folder's, and that no other company's collection has.
fn collection_of(name: &str, company: &str) -> String {
    let kept: String = name.chars().take(47).collect();
    format!("{kept}-{}", short_seal(&format!("{name}\n{company}")))
}

/// Sixteen letters that stand for a text.
pub(crate) fn short_seal(text: &str) -> String {
    tata_core::hash_secret(text).chars().take(16).collect()
}

/// The documents that an agent searches.
fn knowledge_of(
    config: &Config,
    definition: &Definition,
    company: Option<&str>,
) -> anyhow::Result<Knowledge> {
    knowledge(
        config,
        definition.retrieval.clone(),
        (definition.authority.origin(), &definition.from),
        company,
    )
}

/// The definition of an agent.
pub(crate) fn definition(config: &Config, name: &str) -> anyhow::Result<Definition> {
    let names = tool_names()?;
    agents::find(name, config, &names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The agent that answers when nobody names one.
pub(crate) fn usual_agent(config: &Config) -> anyhow::Result<String> {
    let agent = config.agent();
    if !agents::is_own(&agent.value, config) {
        config.trust.allow(agent.origin, &agent.place, Want::Agent { name: agent.value.clone() })?;
    }
    Ok(agent.value)
}

/// An agent's name as a session keeps it: a file by its whole path, since the next run may be in another folder.
pub(crate) fn lasting_name(name: String) -> String {
    let path = std::path::Path::new(&name);
    let is_file = path.extension().is_some_and(|end| end == "yaml" || end == "yml");
    match path.canonicalize() {
        Ok(whole) if is_file => whole.display().to_string(),
        Ok(_) | Err(_) => name,
    }
}

/// Where sessions live: the database that is configured, else a file.
pub(crate) async fn open_store(config: &Config) -> anyhow::Result<Arc<dyn Store>> {
    let database = config.database()?;
    let opened: Result<Arc<dyn Store>, StoreError> = match database {
        Database::File(path) => SqliteStore::open(path).await.map(|store| Arc::new(store) as _),
        Database::Postgres(url) => {
            PostgresStore::connect(url.expose_secret()).await.map(|store| Arc::new(store) as _)
        }
    };
    opened.map_err(|error| anyhow::Error::new(error).context(DatabasePlace(database.shown())))
}

/// What to do about a database role that row-level security does not bind.
pub(crate) const ROLE_WITHOUT_SUPERUSER: &str =
    "Connect as a role that is neither a superuser nor has BYPASSRLS, and that owns the schema `tata`.";

/// Whether a database that many companies share does not keep them apart by itself.
pub(crate) async fn lacks_row_level_security(config: &Config) -> anyhow::Result<bool> {
    match config.database()? {
        Database::File(_) => Ok(false),
        Database::Postgres(url) => {
            let store = PostgresStore::connect(url.expose_secret()).await?;
            Ok(!store.keeps_companies_apart().await?)
        }
    }
}

/// Leaves a store in order. That it cannot is nothing to stop for: everything is durable already.
pub(crate) async fn leave(store: &dyn Store) {
    if let Err(error) = store.settle().await {
        tracing::warn!(%error, "the database could not be put in order");
    }
}

/// A store that nobody wants to keep.
pub(crate) fn passing_store() -> Arc<dyn Store> {
    Arc::new(MemoryStore::default())
}

/// An agent by its definition.
pub(crate) fn assemble(
    config: &Config,
    definition: &Definition,
    session: Option<&Session>,
    overrides: &Overrides,
    foreign: &Foreign,
    store: Arc<dyn Store>,
) -> anyhow::Result<Assembled> {
    let own = session.and_then(|session| session.model.as_ref());
    let wanted = overrides.model.as_ref().or(own).map(String::as_str);
    let Chosen { models, specs, notes } = models_of(config, definition, wanted)?;
    let verifier = match &definition.verify {
        Verify::Rules => None,
        // Rules that write judge themselves.
        Verify::Model => models.first().filter(|choice| is_ai(choice.model.name())).cloned(),
        Verify::Named(name) => {
            let wanted = [(name.as_str(), definition.authority.chosen_by())];
            let chosen = choose_models(config, &wanted);
            chosen.map_err(|problem| by_definition(definition, problem))?.models.into_iter().next()
        }
    };
    // A conversation of a company is answered from its documents, whoever goes on with it and wherever.
    let company = session.map_or(overrides.company.as_deref(), |session| session.tenant_id.as_deref());
    let parts = AgentParts {
        system_prompt: overrides.system.as_ref().unwrap_or(&definition.system_prompt).as_str().into(),
        tools: with_foreign(
            &tools(knowledge_of(config, definition, company)?, recruits(definition))?
                .select(definition.tools.iter().map(String::as_str))?,
            foreign,
        )?,
        limits: if specs.iter().any(|spec| spec.name == GUIDED) {
            by_rules(definition.limits)
        } else {
            definition.limits
        },
        temperature: overrides.temperature.or(Some(definition.temperature)),
        max_output_tokens: overrides.max_tokens.or(definition.max_tokens),
        effort: overrides.effort.clone().or_else(|| definition.effort.clone()),
        approved: overrides.approve.clone(),
        can_reset: !overrides.into_a_pipe,
        check_answer: searches(definition).then(|| answer_check(only_searches(definition))),
        verifier,
        verbose: definition.verbose,
        state: recruits(definition).then(tata_recruit::project_state),
        zone: Some(jiff::tz::TimeZone::system()),
        clock: config.clock,
        ..AgentParts::new(definition.name.clone(), models, store)
    };
    Ok(Assembled { agent: Agent::new(parts), models: specs, notes })
}

/// The models of an agent, or the one that somebody wants instead.
fn models_of(config: &Config, definition: &Definition, wanted: Option<&str>) -> anyhow::Result<Chosen> {
    let names: Vec<(&str, ChosenBy)> = match wanted {
        Some(model) => vec![(model, ChosenBy::Person)],
        None => {
            definition.models.iter().map(|model| (model.as_str(), definition.authority.chosen_by())).collect()
        }
    };
    match choose_models(config, &names).map_err(|problem| by_definition(definition, problem)) {
        // Nobody set anything up: the recruiter's agent works all the same.
        Err(problem) if names.is_empty() && is_not_set_up(&problem) => match offline(definition) {
            Some(model) => choose_models(config, &[(model, ChosenBy::Nobody)]),
            None => Err(problem),
        },
        chosen => chosen,
    }
}

/// The model that is asked first when an agent answers: what people are told is what happens.
pub(crate) fn answering_model(
    config: &Config,
    agent: &str,
    wanted: Option<&str>,
) -> anyhow::Result<Option<String>> {
    let chosen = models_of(config, &definition(config, agent)?, wanted)?;
    Ok(chosen.specs.into_iter().next().map(|spec| spec.name))
}

/// That a definition may not choose its model names the definition's file.
fn by_definition(definition: &Definition, problem: anyhow::Error) -> anyhow::Error {
    match problem.downcast::<ConfigError>() {
        Ok(problem @ ConfigError::NeedsTrust { want: Want::Model { .. }, .. }) => {
            definition.authority.named_in(problem).into()
        }
        Ok(problem) => problem.into(),
        Err(problem) => problem,
    }
}

/// An agent's own tools, then those of its servers.
fn with_foreign(own: &ToolRegistry, foreign: &Foreign) -> anyhow::Result<ToolRegistry> {
    let foreign = foreign.tools();
    if foreign.is_empty() { Ok(own.clone()) } else { Ok(own.with(foreign)?) }
}

/// What answers when no model is set up: rules for the tools they know, quotations for an agent of documents.
fn offline(definition: &AgentConfig) -> Option<&'static str> {
    if recruits(definition) { Some(GUIDED) } else { only_searches(definition).then_some(QUOTES) }
}

/// Whether it has the tools of recruiting.
fn recruits(definition: &AgentConfig) -> bool {
    definition.tools.iter().any(|tool| tool == tool::CREATE_REQUIREMENT_PROFILE)
}

fn searches(definition: &AgentConfig) -> bool {
    definition.tools.iter().any(|tool| DOCUMENT_TOOLS.contains(&tool.as_str()))
}

fn only_searches(definition: &AgentConfig) -> bool {
    searches(definition) && definition.tools.iter().all(|tool| DOCUMENT_TOOLS.contains(&tool.as_str()))
}

fn is_not_set_up(problem: &anyhow::Error) -> bool {
    let error = problem.downcast_ref::<ModelError>();
    error.is_some_and(|error| error.kind == ModelErrorKind::NotConfigured)
}

/// The guided model remembers the conversation and nothing else, so it gets all of it: reading costs it nothing.
fn by_rules(limits: Limits) -> Limits {
    let budget = Budget { max_messages: usize::MAX, max_tokens: None };
    Limits { budget, tool_characters: usize::MAX, ..limits }
}

/// The models in this program: they need nothing, cost nothing and are no AI.
pub(crate) const BUILT_IN: [(&str, &str); 2] = [
    (
        GUIDED,
        "rules on this machine instead of AI; the recruiter's agent uses it when no other model is set up",
    ),
    (QUOTES, "quotations instead of AI; an agent of documents uses it when no other model is set up"),
];

/// Whether what the ledger names is an AI: neither rules of this program nor a person who called a tool.
pub(crate) fn is_ai(model: &str) -> bool {
    !is_built_in(model) && model != DirectCall::BY_PERSON
}

/// A model in this program.
pub(crate) fn is_built_in(name: &str) -> bool {
    BUILT_IN.iter().any(|(own, _)| *own == name)
}

/// A model with nothing around it: for a question that needs no agent.
pub(crate) fn bare(config: &Config, overrides: &Overrides) -> anyhow::Result<Assembled> {
    let names: Vec<_> = overrides.model.iter().map(|model| (model.as_str(), ChosenBy::Person)).collect();
    let Chosen { models, specs, notes } = choose_models(config, &names)?;
    let parts = AgentParts {
        system_prompt: overrides.system.as_deref().unwrap_or_default().into(),
        temperature: overrides.temperature,
        max_output_tokens: overrides.max_tokens,
        effort: overrides.effort.clone(),
        can_reset: !overrides.into_a_pipe,
        clock: config.clock,
        ..AgentParts::new("ask", models, passing_store())
    };
    Ok(Assembled { agent: Agent::new(parts), models: specs, notes })
}

/// The models of an agent.
#[derive(Default)]
struct Chosen {
    models: Vec<ModelChoice>,
    specs: Vec<ModelSpec>,
    notes: Vec<String>,
}

/// The models of these names that are set up, in order; the program's choice when none is named. That none is set up
/// is an error which names what the first one needs.
fn choose_models(config: &Config, names: &[(&str, ChosenBy)]) -> anyhow::Result<Chosen> {
    let wanted: Vec<Option<(&str, ChosenBy)>> =
        if names.is_empty() { vec![None] } else { names.iter().copied().map(Some).collect() };
    let (mut chosen, mut first_problem) = (Chosen::default(), None);
    for one in wanted {
        let name = one.map(|(name, _)| name);
        let built_in: Option<Arc<dyn Model>> = match name.or(config.model()) {
            Some(GUIDED) => Some(Arc::new(Guided::new(config.clock).with_documents(answer_of_search))),
            Some(QUOTES) => Some(Arc::new(Quotes)),
            Some(_) | None => None,
        };
        if let Some(model) = built_in {
            chosen.specs.push(ModelSpec::built_in(model.name()));
            chosen.models.push(ModelChoice { model, prices: None, context_window: None });
            continue;
        }
        let connected = config.choose(one).and_then(|route| {
            let model: Arc<dyn Model> = Arc::new(config.connect(&route)?);
            Ok((model, route))
        });
        match connected {
            Ok((model, route)) => {
                let (prices, context_window) = (route.spec.prices.clone(), route.spec.context_window);
                chosen.models.push(ModelChoice { model, prices, context_window });
                let left_out = config.left_out().filter(|note| !chosen.notes.contains(note));
                chosen.notes.extend(left_out);
                chosen.specs.push(route.spec);
            }
            Err(problem) => {
                tracing::warn!(model = name, problem = format!("{problem:#}"), "model cannot be used");
                first_problem = first_problem.or(Some(problem));
            }
        }
    }
    match first_problem {
        Some(problem) if chosen.models.is_empty() => Err(problem),
        Some(_) | None => Ok(chosen),
    }
}
