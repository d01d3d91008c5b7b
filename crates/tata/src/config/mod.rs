//! Configuration: flags over environment over `.env` over `tata.toml` over defaults.

mod environment;
mod file;

use std::{
    fmt, fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use etcetera::BaseStrategy;
use secrecy::SecretString;
use tata_core::{ModelError, ModelErrorKind};
use tata_llm::{
    Catalog, CatalogError, Endpoint, HttpModel, ModelSpec, ProviderSpec, Retry, Timeouts, Transport,
};

use self::{environment::Environment, file::ConfigFile};
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
    model: Option<String>,
    environment: Environment,
}

/// A configuration that cannot be used.
#[derive(Debug)]
pub(crate) enum ConfigError {
    Catalog(CatalogError),
    File { path: PathBuf, line: Option<usize>, problem: String, hint: Option<String> },
    Unreadable { path: PathBuf, source: io::Error },
    Value { name: &'static str, value: String, expected: &'static str },
    Redirected { provider: String, address: String, key: String },
    Address { name: String },
    NoHome,
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
        let (config_dir, state_dir) = folders(&environment)?;
        let user = ConfigFile::load(&config_dir.join("tata.toml"))?;
        let own_models = user.models_file.clone().unwrap_or_else(|| config_dir.join("models.yaml"));
        let file = ConfigFile::load(&here.join("tata.toml"))?.over(user);
        let (catalog, trusted) = load_catalog(cli, &environment, &file, &own_models)?;
        let given = match (cli.timeout, environment.get("TATA_TIMEOUT")) {
            (Some(seconds), _) => Some(seconds),
            (None, Some(text)) => Some(text.parse().map_err(|_| bad_seconds("TATA_TIMEOUT", &text))?),
            (None, None) => None,
        };
        Ok(Self {
            catalog,
            trusted,
            timeouts: timeouts(&file, given)?,
            retry: file.retry.most.map_or_else(Retry::default, |most| Retry { most, ..Retry::default() }),
            log: environment
                .get("TATA_LOG")
                .map(str::to_owned)
                .or(file.log)
                .unwrap_or_else(|| "info".to_owned()),
            state_dir,
            model: environment.get("TATA_MODEL").map(str::to_owned).or(file.model),
            environment,
        })
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
        let ready = self.catalog.defaults().iter().filter_map(|name| self.catalog.resolve(name).ok());
        let mut ready = ready.filter(|(_, provider)| provider.missing(|name| self.is_set(name)).is_empty());
        ready.next().ok_or_else(|| {
            let message =
                "Set OPENAI_API_KEY or ANTHROPIC_API_KEY, or name a local model: --model ollama/qwen3:8b.";
            ModelError::new(ModelErrorKind::NotConfigured).with_message(message).into()
        })
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

/// The configuration and state folders: TATA_HOME, else the XDG ones.
fn folders(environment: &Environment) -> Result<(PathBuf, PathBuf), ConfigError> {
    // Not from this folder's .env: its files would pass for the person's own.
    let home = environment.get("TATA_HOME").filter(|_| !environment.is_from_folder("TATA_HOME"));
    if let Some(home) = home.map(PathBuf::from) {
        return Ok((home.clone(), home));
    }
    let base = etcetera::choose_base_strategy().map_err(|_| ConfigError::NoHome)?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    Ok((base.config_dir().join("tata"), state.join("tata")))
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
