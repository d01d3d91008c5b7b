//! Configuration: flags over environment over `.env` over `tata.toml` over defaults.

mod environment;
mod file;
mod origin;

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use etcetera::BaseStrategy;
use secrecy::SecretString;
use tata_core::{Clock, FileError, ModelError, ModelErrorKind};
use tata_llm::{Catalog, Endpoint, HttpModel, ModelSpec, ProviderSpec, Retry, Timeouts, Transport};

pub(crate) use self::origin::{Setting, is_writable};
use self::{environment::Environment, file::ConfigFile, origin::Origins};
use crate::cli::Cli;

/// Everything resolved.
#[derive(Debug)]
pub(crate) struct Config {
    pub(crate) catalog: Catalog,
    /// The catalog without what a file of this folder added.
    trusted: Catalog,
    pub(crate) timeouts: Timeouts,
    pub(crate) retry: Retry,
    pub(crate) log: String,
    pub(crate) state_dir: PathBuf,
    /// Where the person's own configuration is.
    pub(crate) own_dir: PathBuf,
    pub(crate) data_dir: PathBuf,
    /// What is set, and where.
    pub(crate) settings: Vec<Setting>,
    /// Where agents are defined, beside the built-in ones; the last folder wins.
    pub(crate) agent_folders: Vec<PathBuf>,
    /// Where sessions live.
    pub(crate) database: Database,
    /// The agent to talk with when none is named.
    pub(crate) agent: String,
    /// Whose sessions these are.
    pub(crate) user: Option<String>,
    pub(crate) model: Option<String>,
    /// What time it is; TATA_NOW fixes it for examples and tests.
    pub(crate) clock: Clock,
    environment: Environment,
}

/// Where sessions live.
#[derive(Debug)]
pub(crate) enum Database {
    File(PathBuf),
    Postgres(SecretString),
}

/// A configuration that cannot be used.
#[derive(Debug)]
pub(crate) enum ConfigError {
    Catalog(FileError),
    File { path: PathBuf, line: Option<usize>, problem: String, hint: Option<String> },
    Unreadable { path: PathBuf, source: io::Error },
    Value { name: &'static str, value: String, expected: &'static str },
    Redirected { provider: String, address: String, key: String },
    Address { name: String },
    Database { name: &'static str },
    ForeignDatabase { name: &'static str },
    NoHome,
}

impl Database {
    /// Where it is, fit to be shown: no login, no password.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::File(path) => format!("The database is the file {}.", path.display()),
            Self::Postgres(url) => {
                let url = secrecy::ExposeSecret::expose_secret(url);
                let rest = url.split_once("://").map_or("", |(_, rest)| rest);
                let place = rest.rsplit('@').next().unwrap_or_default();
                let place = place.split('?').next().unwrap_or_default();
                format!("The database is Postgres at {place} (DATABASE_URL).")
            }
        }
    }
}

impl ConfigError {
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::File { hint, .. } => hint.clone(),
            Self::NoHome => Some("Set HOME, or TATA_HOME to a folder for Tata's files.".to_owned()),
            Self::Redirected { key, .. } => Some(format!(
                "If that is meant: put {key} into this folder's .env, or set the address in the environment."
            )),
            Self::Address { .. } => {
                Some("An address begins with http:// or https://, and most end in /v1.".to_owned())
            }
            Self::Database { name } => Some(format!(
                "Give postgres://… or sqlite:FILE. If {name} belongs to another program, set TATA_DATABASE_URL."
            )),
            Self::ForeignDatabase { .. } => {
                Some("If that is meant, set TATA_DATABASE_URL in the environment.".to_owned())
            }
            Self::Catalog(_) | Self::Unreadable { .. } | Self::Value { .. } => None,
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Catalog(error) => error.fmt(f),
            Self::File { path, line, problem, .. } => {
                write!(f, "{}", path.display())?;
                line.iter().try_for_each(|line| write!(f, ", line {line}"))?;
                write!(f, ": {problem}")
            }
            Self::Unreadable { path, source } => write!(f, "{} cannot be read: {source}", path.display()),
            Self::Value { name, value, expected } => write!(f, "{name} is {value:?}, but must be {expected}"),
            Self::Redirected { provider, address, key } => write!(
                f,
                "a file in this folder would send {key} to {address}, which it names for the provider {provider}"
            ),
            Self::Address { name } => write!(f, "{name} is not an address"),
            Self::Database { name } => write!(f, "{name} names a database that Tata cannot use"),
            Self::ForeignDatabase { name } => {
                write!(f, "{name} in this folder would send every conversation to another machine")
            }
            Self::NoHome => f.write_str("there is no home folder"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Gathers the configuration from all its places.
    pub(crate) fn load(cli: &Cli) -> anyhow::Result<Self> {
        let here = Path::new(".");
        let environment = Environment::load(&here.join(".env"));
        let Folders { config: config_dir, state: state_dir, data } = folders(&environment)?;
        let user = ConfigFile::load(&config_dir.join("tata.toml"))?;
        let own_models = user.models_file.clone().unwrap_or_else(|| config_dir.join("models.yaml"));
        let own_database = user.database.clone();
        let project = ConfigFile::load(&here.join("tata.toml"))?;
        let origins = Origins {
            environment: &environment,
            project: &project,
            user: &user,
            user_file: config_dir.join("tata.toml"),
        };
        let mut settings = settings(&origins);
        if cli.timeout.is_some() {
            settings.retain(|setting| setting.name != "timeout");
        }
        let file = project.over(user);
        let (catalog, trusted) = load_catalog(cli, &environment, &file, &own_models)?;
        let given = match (cli.timeout, environment.get("TATA_TIMEOUT")) {
            (Some(seconds), _) => Some(seconds),
            (None, Some(text)) => Some(text.parse().map_err(|_| bad_seconds("TATA_TIMEOUT", &text))?),
            (None, None) => None,
        };
        let text = |name: &str| environment.get(name).map(str::to_owned);
        Ok(Self {
            catalog,
            trusted,
            timeouts: timeouts(&file, given)?,
            retry: file.retry.most.map_or_else(Retry::default, |most| Retry { most, ..Retry::default() }),
            log: text("TATA_LOG").or(file.log).unwrap_or_else(|| "info".to_owned()),
            state_dir,
            data_dir: data.clone(),
            settings,
            agent_folders: vec![config_dir.join("agents"), here.join("agents")],
            own_dir: config_dir,
            database: database(&environment, file.database, own_database.as_deref(), &data)?,
            agent: text("TATA_AGENT").or(file.agent).unwrap_or_else(|| crate::agents::DEFAULT.to_owned()),
            user: text("TATA_USER"),
            model: text("TATA_MODEL").or(file.model),
            clock: clock(environment.get("TATA_NOW"))?,
            environment,
        })
    }

    /// A key as it may be shown: that it is there, and its last letters.
    pub(crate) fn masked(&self, name: &str) -> Option<String> {
        let place = if self.environment.is_from_folder(name) { "./.env" } else { "the environment" };
        if let Some(value) = self.environment.get(name) {
            let count = value.chars().count();
            let end: String = value.chars().skip(count.saturating_sub(4)).collect();
            // The end of a short key would be too much of it.
            return Some(if count >= 20 {
                format!("set in {place}, ends in …{end}")
            } else {
                format!("set in {place}")
            });
        }
        let file = self.environment.get(&format!("{name}_FILE"))?;
        Some(format!("read from the file {file}"))
    }

    /// Whether a variable, or a file named by it, is set.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.environment.names_secret(name)
    }

    /// The address in use for a provider, fit to be shown.
    pub(crate) fn shown_address(&self, provider: &ProviderSpec) -> Option<String> {
        self.address(provider).map(|endpoint| endpoint.shown_address())
    }

    fn address(&self, provider: &ProviderSpec) -> Option<Endpoint> {
        let base_url = self.base_url(provider)?;
        Some(Endpoint { base_url, key: None, headers: Vec::new() })
    }

    fn base_url(&self, provider: &ProviderSpec) -> Option<String> {
        let other = provider.base_url_env.as_deref().and_then(|name| self.environment.get(name));
        other.map(str::to_owned).or_else(|| provider.base_url.clone())
    }

    /// The model to use: the one asked for, the configured one, or the first default that is set up.
    pub(crate) fn choose(&self, wish: Option<&str>) -> anyhow::Result<(ModelSpec, ProviderSpec)> {
        if let Some(name) = wish.or(self.model.as_deref()) {
            return Ok(self.catalog.resolve(name)?);
        }
        if let Some(name) = self.catalog.first_ready(|name| self.is_set(name), None) {
            return Ok(self.catalog.resolve(&name)?);
        }
        let message =
            "Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or name a local model: --model ollama/qwen3:8b.";
        Err(ModelError::new(ModelErrorKind::NotConfigured).with_message(message).into())
    }

    /// A file in the current folder may not send a key it did not bring to an address of its choice: whoever
    /// unpacks or clones somebody's folder would give the key away.
    fn refuse_redirection(&self, provider: &ProviderSpec) -> Result<(), ConfigError> {
        let brings = |name: &str| {
            self.environment.is_from_folder(name) || self.environment.is_from_folder(&format!("{name}_FILE"))
        };
        let known = self.trusted.providers().into_iter().find(|known| known.name == provider.name);
        let by_variable =
            provider.base_url_env.as_deref().filter(|name| self.environment.get(name).is_some());
        let moved = match by_variable {
            Some(name) => self.environment.is_from_folder(name),
            None => known.as_ref().is_none_or(|known| known.base_url != provider.base_url),
        };
        let renamed = known.is_none_or(|known| known.key_env != provider.key_env);
        let secrets = provider.key_env.iter().chain(provider.headers_env.values());
        let foreign =
            secrets.filter(|name| self.environment.names_secret(name) && !brings(name)).collect::<Vec<_>>();
        let address = self.shown_address(provider).unwrap_or_default();
        let local = self.address(provider).is_some_and(|endpoint| endpoint.is_loopback());
        match foreign.first() {
            Some(name) if (moved || renamed) && !local => Err(ConfigError::Redirected {
                provider: provider.name.clone(),
                address,
                key: (*name).clone(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// Puts a model behind the port.
    pub(crate) fn connect(&self, spec: ModelSpec, provider: ProviderSpec) -> anyhow::Result<HttpModel> {
        self.connect_with(spec, provider, self.timeouts)
    }

    /// The same with another patience.
    pub(crate) fn connect_with(
        &self,
        spec: ModelSpec,
        provider: ProviderSpec,
        timeouts: Timeouts,
    ) -> anyhow::Result<HttpModel> {
        let missing = provider.missing(|name| self.is_set(name));
        if !missing.is_empty() {
            let message = format!("{}: {}.", provider.label, missing.join(", "));
            return Err(ModelError::new(ModelErrorKind::NotConfigured).with_message(message).into());
        }
        self.refuse_redirection(&provider)?;
        let key = match provider.key_env.as_deref() {
            Some(name) => self.environment.secret(name)?,
            None => None,
        };
        let headers = provider
            .headers_env
            .iter()
            .filter_map(|(header, name)| {
                Some((header.clone(), SecretString::from(self.environment.get(name)?)))
            })
            .collect();
        let base_url = self.base_url(&provider).unwrap_or_default();
        if !(base_url.starts_with("http://") || base_url.starts_with("https://")) {
            let name =
                provider.base_url_env.clone().unwrap_or_else(|| format!("base_url of {}", provider.name));
            return Err(ConfigError::Address { name }.into());
        }
        let transport = Transport::new(timeouts, self.retry)?;
        Ok(HttpModel::new(spec, provider, Endpoint { base_url, key, headers }, transport))
    }
}

/// The settings that are in use, and where each comes from.
fn settings(origins: &Origins<'_>) -> Vec<Setting> {
    let environment = origins.environment;
    let text = |name: &str| environment.get(name).map(str::to_owned);
    let file =
        |value: fn(&ConfigFile) -> Option<String>| value(origins.project).or_else(|| value(origins.user));
    let setting = |name: &'static str, value: Option<String>, default: &str, origin: String| Setting {
        name,
        value: value.unwrap_or_else(|| default.to_owned()),
        origin,
    };
    let shown = |file: &ConfigFile| file.models_file.as_ref().map(|path| path.display().to_string());
    vec![
        setting(
            "model",
            text("TATA_MODEL").or_else(|| file(|file| file.model.clone())),
            "the first that is set up",
            origins.of(&["TATA_MODEL"], |file| file.model.is_some()),
        ),
        setting(
            "agent",
            text("TATA_AGENT").or_else(|| file(|file| file.agent.clone())),
            crate::agents::DEFAULT,
            origins.of(&["TATA_AGENT"], |file| file.agent.is_some()),
        ),
        setting(
            "models_file",
            text("TATA_MODELS").or_else(|| shown(origins.project)).or_else(|| shown(origins.user)),
            "none beside the built-in one",
            origins.of(&["TATA_MODELS"], |file| file.models_file.is_some()),
        ),
        setting(
            "timeout",
            text("TATA_TIMEOUT")
                .or_else(|| file(|file| file.timeouts.first_byte.map(|seconds| seconds.to_string()))),
            "30",
            origins.of(&["TATA_TIMEOUT"], |file| file.timeouts.first_byte.is_some()),
        ),
        setting(
            "log",
            text("TATA_LOG").or_else(|| file(|file| file.log.clone())),
            "info",
            origins.of(&["TATA_LOG"], |file| file.log.is_some()),
        ),
        setting("user", text("TATA_USER"), "nobody in particular", origins.of(&["TATA_USER"], |_| false)),
        setting("now", text("TATA_NOW"), "the clock of this machine", origins.of(&["TATA_NOW"], |_| false)),
        setting(
            "home",
            text("TATA_HOME"),
            "the folders of the operating system",
            origins.of(&["TATA_HOME"], |_| false),
        ),
        Setting {
            name: "database",
            // Its address may hold a password; the finding about the database shows the rest.
            value: "see database".to_owned(),
            origin: origins.of(&["TATA_DATABASE_URL", "DATABASE_URL"], |file| file.database.is_some()),
        },
    ]
}

/// Where our files are.
struct Folders {
    config: PathBuf,
    state: PathBuf,
    data: PathBuf,
}

/// The folders: TATA_HOME for all, else the XDG ones.
fn folders(environment: &Environment) -> Result<Folders, ConfigError> {
    // Not from this folder's .env: its files would pass for the person's own.
    let home = environment.get("TATA_HOME").filter(|_| !environment.is_from_folder("TATA_HOME"));
    if let Some(home) = home.map(PathBuf::from) {
        return Ok(Folders { config: home.clone(), state: home.clone(), data: home });
    }
    let base = etcetera::choose_base_strategy().map_err(|_| ConfigError::NoHome)?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    let of = |folder: PathBuf| folder.join("tata");
    Ok(Folders { config: of(base.config_dir()), state: of(state), data: of(base.data_dir()) })
}

/// The database: TATA_DATABASE_URL, DATABASE_URL, the file's, else a file of our own.
fn database(
    environment: &Environment,
    file: Option<String>,
    own: Option<&str>,
    data: &Path,
) -> Result<Database, ConfigError> {
    let named = ["TATA_DATABASE_URL", "DATABASE_URL"];
    let found = named.into_iter().find_map(|name| Some((name, environment.get(name)?.to_owned())));
    let Some((name, url)) = found.or_else(|| file.map(|url| ("database in tata.toml", url))) else {
        return Ok(Database::File(data.join("tata.db")));
    };
    let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
    match scheme {
        "postgres" | "postgresql" => {
            // Whoever unpacks somebody's folder would send every conversation there.
            let from_file = !named.contains(&name) && own != Some(&url);
            let from_folder = environment.is_from_folder(name) || from_file;
            if from_folder && !is_on_this_machine(&url) {
                return Err(ConfigError::ForeignDatabase { name });
            }
            Ok(Database::Postgres(SecretString::from(url)))
        }
        "sqlite" => {
            let path = url.trim_start_matches("sqlite:").trim_start_matches("//");
            Ok(Database::File(PathBuf::from(path.split('?').next().unwrap_or(path))))
        }
        _ => Err(ConfigError::Database { name }),
    }
}

/// Whether an address names this machine: a loopback host, or a socket in the file system.
fn is_on_this_machine(url: &str) -> bool {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let (authority, query) = rest.split_once('?').unwrap_or((rest, ""));
    let authority = authority.split('/').next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let host = host.strip_prefix('[').map_or_else(
        || host.split(':').next().unwrap_or_default(),
        |six| six.split(']').next().unwrap_or_default(),
    );
    let asked_elsewhere =
        query.split('&').any(|pair| pair.starts_with("host") && !pair.starts_with("host=/"));
    !asked_elsewhere && matches!(host, "localhost" | "127.0.0.1" | "::1" | "")
}

/// The catalog in use, and the same without what this folder's own file added.
fn load_catalog(
    cli: &Cli,
    environment: &Environment,
    file: &ConfigFile,
    own_models: &Path,
) -> Result<(Catalog, Catalog), ConfigError> {
    let mut catalog = Catalog::built_in().map_err(ConfigError::Catalog)?;
    let mut trusted = catalog.clone();
    let named = cli.models_file.clone();
    let named = named.or_else(|| environment.get("TATA_MODELS").map(PathBuf::from));
    let chosen = named.is_some() && !environment.is_from_folder("TATA_MODELS");
    let found =
        || [PathBuf::from("models.yaml"), own_models.to_owned()].into_iter().find(|path| path.is_file());
    let Some(path) = named.or_else(|| file.models_file.clone()).or_else(found) else {
        return Ok((catalog, trusted));
    };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(source) => return Err(ConfigError::Unreadable { path, source }),
    };
    catalog.overlay(&path.display().to_string(), &text).map_err(ConfigError::Catalog)?;
    if chosen || path == own_models {
        trusted = catalog.clone();
    }
    Ok((catalog, trusted))
}

fn clock(now: Option<&str>) -> Result<Clock, ConfigError> {
    let Some(now) = now else { return Ok(Clock::System) };
    now.parse().map(Clock::Fixed).map_err(|_| ConfigError::Value {
        name: "TATA_NOW",
        value: now.to_owned(),
        expected: "a moment such as 2026-11-15T09:00:00Z",
    })
}

fn bad_seconds(name: &'static str, value: &dyn fmt::Display) -> ConfigError {
    ConfigError::Value { name, value: value.to_string(), expected: "a number of seconds from 0.1 to 86400" }
}

fn timeouts(file: &ConfigFile, given: Option<f64>) -> Result<Timeouts, ConfigError> {
    let seconds = |name, value: Option<f64>, default: Duration| match value {
        None => Ok(default),
        Some(value) if (0.1..=86_400.0).contains(&value) => Ok(Duration::from_secs_f64(value)),
        Some(value) => Err(bad_seconds(name, &value)),
    };
    let default = Timeouts::default();
    let (set, first) = (&file.timeouts, given.or(file.timeouts.first_byte));
    let first_byte = seconds("timeout", first, default.first_byte)?;
    Ok(Timeouts {
        connect: seconds("timeouts.connect", set.connect, default.connect)?.min(first_byte),
        first_byte,
        idle: seconds("timeouts.idle", set.idle, default.idle)?,
        total: seconds("timeouts.total", set.total, default.total)?,
    })
}
