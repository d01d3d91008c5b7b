//! Every key and variable that a file of the folder can set, and what it could decide. A key that is not here does not
//! pass the tests.

use serde::Serialize;

/// A key of a file, or a variable.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Key {
    pub(crate) file: &'static str,
    pub(crate) name: &'static str,
    pub(crate) decides: Decides,
}

/// What a key could decide for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Decides {
    /// Nothing that leaves this machine or is the person's.
    Nothing,
    /// Where a secret of the person goes, or which.
    Secret,
    /// Where a conversation goes.
    Conversation,
    /// Which file is read or written.
    File,
    /// Who somebody is, or what time it is.
    Identity,
    /// Never taken from a folder, trusted or not.
    Home,
}

impl Decides {
    /// For people.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Nothing => "decides nothing that needs trust",
            Self::Secret => "where a key goes, or whose account is used: needs trust",
            Self::Conversation => "where conversations go, or who answers: needs trust",
            Self::File => "which file is read: always one of the folder's own",
            Self::Identity => "who somebody is, or what time it is: needs trust",
            Self::Home => "never taken from a folder",
        }
    }
}

use Decides::{Conversation, File, Home, Identity, Nothing, Secret};

const fn key(file: &'static str, name: &'static str, decides: Decides) -> Key {
    Key { file, name, decides }
}

/// All of them. `*` stands for what a provider of the catalog names.
pub(crate) const KEYS: &[Key] = &[
    key(".env", "TATA_HOME", Home),
    key(".env", "TATA_MODEL", Conversation),
    key(".env", "TATA_MODELS", File),
    key(".env", "TATA_AGENT", Conversation),
    key(".env", "TATA_DATABASE_URL", Conversation),
    key(".env", "DATABASE_URL", Conversation),
    key(".env", "QDRANT_URL", Conversation),
    key(".env", "TATA_EMBEDDER", Conversation),
    key(".env", "TATA_EMBEDDER_LANGUAGES", Nothing),
    key(".env", "TATA_OIDC_ISSUER", Identity),
    key(".env", "TATA_OIDC_CLIENT_ID", Identity),
    key(".env", "TATA_OIDC_CLIENT_SECRET", Identity),
    key(".env", "TATA_OIDC_COMPANY", Identity),
    key(".env", "TATA_OIDC_ADMINS", Identity),
    key(".env", "TATA_OIDC_DOMAINS", Identity),
    key(".env", "TATA_METRICS_KEY", Identity),
    key(".env", "TATA_USER", Identity),
    key(".env", "TATA_NOW", Identity),
    key(".env", "TATA_LOG", Nothing),
    key(".env", "TATA_TIMEOUT", Nothing),
    key(".env", "*_BASE_URL", Secret),
    key(".env", "*_API_KEY", Secret),
    key(".env", "*_API_KEY_FILE", File),
    key("tata.toml", "model", Conversation),
    key("tata.toml", "models_file", File),
    key("tata.toml", "log", Nothing),
    key("tata.toml", "agent", Conversation),
    key("tata.toml", "database", Conversation),
    key("tata.toml", "qdrant_url", Conversation),
    key("tata.toml", "embedder", Conversation),
    key("tata.toml", "embedder_languages", Nothing),
    key("tata.toml", "timeouts", Nothing),
    key("tata.toml", "retry", Nothing),
    key("models.yaml", "defaults", Conversation),
    key("models.yaml", "providers", Conversation),
    key("models.yaml", "families", Nothing),
    key("models.yaml", "models", Conversation),
    key("models.yaml", "providers.label", Nothing),
    key("models.yaml", "providers.wire", Nothing),
    key("models.yaml", "providers.base_url", Secret),
    key("models.yaml", "providers.base_url_env", Secret),
    key("models.yaml", "providers.key_env", Secret),
    key("models.yaml", "providers.key_optional", Nothing),
    key("models.yaml", "providers.auth", Secret),
    key("models.yaml", "providers.models", Conversation),
    key("models.yaml", "providers.headers", Secret),
    key("models.yaml", "providers.headers_env", Secret),
    key("models.yaml", "providers.quirks", Nothing),
    key("models.yaml", "providers.capabilities", Nothing),
    key("agents/*.yaml", "description", Nothing),
    key("agents/*.yaml", "model", Conversation),
    key("agents/*.yaml", "system_prompt", Conversation),
    key("agents/*.yaml", "system_prompt_file", File),
    key("agents/*.yaml", "temperature", Nothing),
    key("agents/*.yaml", "max_tokens", Nothing),
    key("agents/*.yaml", "effort", Nothing),
    key("agents/*.yaml", "tools", Nothing),
    key("agents/*.yaml", "limits", Nothing),
    key("agents/*.yaml", "verify", Conversation),
    key("agents/*.yaml", "retrieval", Conversation),
    key("agents/*.yaml", "mcp_servers", Conversation),
    key("agents/*.yaml", "verbose", Nothing),
    key(".mcp.json", "mcpServers", Conversation),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tata_core::{Surroundings, read_agent};
    use tata_llm::Catalog;

    use super::*;
    use crate::config::file::ConfigFile;

    fn listed(file: &str, under: &str) -> BTreeSet<String> {
        let of_file = KEYS.iter().filter(|key| key.file == file).map(|key| key.name);
        let names = of_file.filter_map(|name| match under {
            "" => Some(name).filter(|name| !name.contains('.')),
            under => name.strip_prefix(under)?.strip_prefix('.'),
        });
        names.map(str::to_owned).collect()
    }

    /// The keys that a reader of ours names when it meets one it does not know.
    fn named(hint: Option<String>) -> BTreeSet<String> {
        let hint = hint.unwrap();
        let (_, keys) = hint.rsplit_once(": ").unwrap();
        keys.trim_end_matches('.').split(", ").map(str::to_owned).collect()
    }

    /// A new key of any file must be judged before it can be used.
    #[test]
    fn every_key_of_every_file_is_judged() {
        let problem = ConfigFile::parse("tata.toml".as_ref(), "no_such_key = 1").unwrap_err();
        assert_eq!(named(problem.hint()), listed("tata.toml", ""));
        let catalog =
            |text: &str| Catalog::built_in().unwrap().overlay("models.yaml", text).unwrap_err().hint;
        assert_eq!(named(catalog("no_such_key: 1")), listed("models.yaml", ""));
        assert_eq!(
            named(catalog("providers: { x: { no_such_key: 1 } }")),
            listed("models.yaml", "providers")
        );
        let around = Surroundings { model: &|_| Ok(None), tools: &[], prompt: &|_| Ok(String::new()) };
        let problems = read_agent("a.yaml", "a", "no_such_key: 1", &around).unwrap_err();
        assert_eq!(named(problems[0].hint.clone()), listed("agents/*.yaml", ""));
    }

    /// A new variable, too: what the configuration reads by name stands in these files.
    #[test]
    fn every_variable_is_judged() {
        let sources = [
            include_str!("mod.rs"),
            include_str!("models.rs"),
            include_str!("database.rs"),
            include_str!("knowledge.rs"),
            include_str!("scripts.rs"),
            include_str!("wants.rs"),
        ];
        let variables = sources.iter().flat_map(|source| source.split('"').skip(1).step_by(2));
        let is_variable = |name: &&str| {
            name.len() > 4 && name.contains('_') && name.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        };
        let read: BTreeSet<String> = variables.filter(is_variable).map(str::to_owned).collect();
        assert!(read.len() >= 8, "{read:?}");
        let judged = listed(".env", "");
        let covered = |name: &&String| {
            let ends = |end: &str| name.ends_with(end) && judged.contains(&format!("*{end}"));
            judged.contains(*name) || ends("_API_KEY") || ends("_BASE_URL")
        };
        assert_eq!(read.iter().filter(|name| !covered(name)).collect::<Vec<_>>(), Vec::<&String>::new());
    }
}
