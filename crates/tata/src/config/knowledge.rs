//! Where documents are searched, and who turns them into vectors.

use tata_knowledge::{EmbedderSettings, Patience, Provider, QdrantSettings, RetrievalSettings};
use tata_llm::ProviderSpec;

use super::{
    Config, ConfigError,
    models::Route,
    origin::{Layers, Origin, Sourced},
    trust::Want,
};

/// Cohere has an interface of its own for vectors, so the catalog of models does not know it.
const COHERE: &str = "cohere";
const COHERE_ADDRESS: &str = "https://api.cohere.com/v2";

/// What is configured about documents.
#[derive(Debug)]
pub(super) struct KnowledgeSettings {
    qdrant_url: Option<Sourced<String>>,
    /// `PROVIDER/MODEL`, and after a comma the one that reads again what was found.
    embedder: Option<Sourced<String>>,
    languages: Vec<String>,
}

impl KnowledgeSettings {
    pub(super) fn find(layers: &Layers<'_>) -> Self {
        let languages = layers.find(&["TATA_EMBEDDER_LANGUAGES"], |file| file.embedder_languages.clone());
        let languages = languages.map(|set| set.value).unwrap_or_default();
        Self {
            qdrant_url: layers.find(&["QDRANT_URL"], |file| file.qdrant_url.clone()),
            embedder: layers.find(&["TATA_EMBEDDER"], |file| file.embedder.clone()),
            languages: languages
                .split([',', ' '])
                .filter(|code| !code.is_empty())
                .map(str::to_owned)
                .collect(),
        }
    }
}

impl Config {
    /// The server for a collection: the one that an agent names, else the configured one; none for the engine in this
    /// program. `agent` is who wrote the agent's definition, and where.
    pub(crate) fn qdrant(
        &self,
        settings: &RetrievalSettings,
        agent: (Origin, &str),
    ) -> Result<Option<QdrantSettings>, ConfigError> {
        let of_agent = settings.qdrant_url.clone();
        let of_agent = of_agent.map(|value| Sourced { value, origin: agent.0, place: agent.1.to_owned() });
        let Some(url) = of_agent.or_else(|| self.knowledge.qdrant_url.clone()) else { return Ok(None) };
        self.trust.allow(url.origin, &url.place, Want::Index { place: url.value.clone() })?;
        Ok(Some(QdrantSettings {
            url: url.value,
            key: self.environment.secret("QDRANT_API_KEY", self.sight(), &self.folder)?,
            collection: settings.collection_name.clone(),
            shards: None,
            replicas: None,
            patience: Patience::default(),
        }))
    }

    /// Who turns texts into vectors; nobody unless somebody said so, for the documents go there.
    pub(crate) fn embedder(&self) -> anyhow::Result<Option<EmbedderSettings>> {
        let Some(name) = self.service_named(false) else { return Ok(None) };
        let mut settings = self.vector_service(&name)?;
        settings.languages.clone_from(&self.knowledge.languages);
        if settings.languages.is_empty() && knows_all_languages(&settings.model) {
            settings.languages.push("*".to_owned());
        }
        Ok(Some(settings))
    }

    /// Who reads the best passages again; nobody unless somebody said so.
    pub(crate) fn reranker(&self) -> anyhow::Result<Option<EmbedderSettings>> {
        self.service_named(true).map(|name| self.vector_service(&name)).transpose()
    }

    /// The first of the configured services that reranks, or that does not.
    fn service_named(&self, reranks: bool) -> Option<Sourced<String>> {
        let named = self.knowledge.embedder.as_ref()?;
        let kind = |name: &&str| {
            name.split('/').next_back().is_some_and(|model| model.starts_with("rerank")) == reranks
        };
        let name = named.value.split(',').map(str::trim).find(kind)?;
        Some(Sourced { value: name.to_owned(), ..named.clone() })
    }

    /// `PROVIDER/MODEL` with its address and its key.
    fn vector_service(&self, name: &Sourced<String>) -> anyhow::Result<EmbedderSettings> {
        let (provider, model) = name.value.split_once('/').ok_or_else(|| ConfigError::Named {
            place: name.place.clone(),
            value: name.value.clone(),
            expected: "PROVIDER/MODEL, such as cohere/embed-v4.0 or openai/text-embedding-3-small",
        })?;
        let mut route = if provider == COHERE {
            let mut route = self.route("openai/any", name.origin.into())?;
            route.provider = ProviderSpec {
                name: COHERE.to_owned(),
                label: "Cohere".to_owned(),
                base_url: Some(COHERE_ADDRESS.to_owned()),
                base_url_env: Some("COHERE_BASE_URL".to_owned()),
                key_env: Some("COHERE_API_KEY".to_owned()),
                key_optional: false,
                headers: std::collections::BTreeMap::new(),
                headers_env: std::collections::BTreeMap::new(),
                ..route.provider
            };
            route
        } else {
            self.route(&name.value, name.origin.into())?
        };
        self.say_who_decides(&mut route);
        self.check_set_up(&route.provider)?;
        let endpoint = self.endpoint(&route)?;
        let kind = if provider == COHERE { Provider::Cohere } else { Provider::OpenAi };
        Ok(EmbedderSettings { key: endpoint.key, ..EmbedderSettings::new(kind, endpoint.base_url, model) })
    }

    /// The address of a service that only this room knows: whoever sets its variable decides.
    fn say_who_decides(&self, route: &mut Route) {
        if route.provider.name == COHERE {
            let set = self.environment.get("COHERE_BASE_URL");
            route.decided_by(set.filter(|set| set.origin == Origin::Folder).map(|set| set.place));
        }
    }

    /// What the folder would decide about documents.
    pub(super) fn wants_of_knowledge(&self) -> Vec<Want> {
        let of_folder = |set: &Option<Sourced<String>>| {
            set.as_ref().filter(|set| set.origin == Origin::Folder).map(|set| set.value.clone())
        };
        let mut wants = Vec::new();
        if let Some(place) = of_folder(&self.knowledge.qdrant_url) {
            if self.environment.of_person("QDRANT_API_KEY").is_some() {
                wants.push(Want::Variable { name: "QDRANT_API_KEY".to_owned(), address: place.clone() });
            }
            wants.push(Want::Index { place });
        }
        wants.extend(of_folder(&self.knowledge.embedder).map(|name| Want::Model { name }));
        wants
    }
}

/// Models that are known to know every language we meet; of others nobody says so.
fn knows_all_languages(model: &str) -> bool {
    ["embed-v4", "embed-multilingual", "text-embedding-3"].iter().any(|known| model.starts_with(known))
}
