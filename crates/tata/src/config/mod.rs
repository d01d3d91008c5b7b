//! Configuration: flags over environment over `.env` over `tata.toml` over defaults. Every value knows who brought it.

mod database;
mod dotenv;
mod environment;
mod file;
mod folder;
mod keys;
mod knowledge;
mod models;
mod origin;
mod scripts;
mod trust;
mod wants;

use std::{
    fmt, io,
    path::{Path, PathBuf},
    time::Duration,
};

use etcetera::BaseStrategy;
use secrecy::SecretString;
use tata_core::{Clock, FileError};
use tata_llm::{Catalog, Retry, Timeouts};

pub(crate) use self::{
    database::Database,
    folder::{Folder, MCP as MCP_FILE, beside_agent, inside, regular},
    keys::KEYS,
    models::ChosenBy,
    origin::{Origin, Setting, Sourced, is_writable},
    trust::{Authority, Trust, TrustStore, Want},
};
use self::{
    environment::{Environment, Sight},
    file::ConfigFile,
    knowledge::KnowledgeSettings,
    models::{Catalogs, load_catalogs},
    origin::Layers,
};
use crate::{cli::Cli, on_one_line::on_one_line};

/// The agent that answers when none is named.
pub(crate) const DEFAULT_AGENT: &str = "tata";

/// Everything resolved.
#[derive(Debug)]
pub(crate) struct Config {
    catalogs: Catalogs,
    pub(crate) timeouts: Timeouts,
    pub(crate) retry: Retry,
    pub(crate) log: String,
    pub(crate) state_dir: PathBuf,
    /// Where the person's own configuration is.
    pub(crate) own_dir: PathBuf,
    pub(crate) data_dir: PathBuf,
    /// What is set, and where.
    pub(crate) settings: Vec<Setting>,
    /// The files of the current folder.
    pub(crate) folder: Folder,
    /// Whether they may decide for the person.
    pub(crate) trust: Trust,
    /// What of the folder cannot be used at all.
    pub(crate) warnings: Vec<String>,
    database: Sourced<Database>,
    agent: Option<Sourced<String>>,
    /// Whose sessions these are.
    pub(crate) user: Option<String>,
    model: Option<Sourced<String>>,
    knowledge: KnowledgeSettings,
    /// The model that is configured without any word of the folder.
    own_model: Option<String>,
    /// What time it is; TATA_NOW fixes it for examples and tests.
    pub(crate) clock: Clock,
    environment: Environment,
}

/// A configuration that cannot be used.
#[derive(Debug)]
pub(crate) enum ConfigError {
    Catalog(FileError),
    File {
        path: PathBuf,
        line: Option<usize>,
        problem: String,
        hint: Option<String>,
    },
    Unreadable {
        path: PathBuf,
        source: io::Error,
    },
    Value {
        name: &'static str,
        value: String,
        expected: &'static str,
    },
    /// `file` is one that the person named; without it, it is the current folder that is not trusted.
    NeedsTrust {
        want: Want,
        place: String,
        file: Option<PathBuf>,
    },
    Named {
        place: String,
        value: String,
        expected: &'static str,
    },
    Address {
        name: String,
    },
    Database {
        place: String,
    },
    NoHome,
}

impl ConfigError {
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::File { hint, .. } => hint.clone(),
            Self::NoHome => Some("Set HOME, or TATA_HOME to a folder for Tata's files.".to_owned()),
            Self::NeedsTrust { file: Some(file), .. } => Some(format!(
                "If that is meant, `tata trust {}` shows all that it wants and lets you decide; or keep it among your \
                 own agents, in the folder `agents` of your configuration.",
                file.display()
            )),
            Self::NeedsTrust { want, .. } => {
                let instead = match want {
                    Want::Key { name } => format!("set {name} in the environment"),
                    Want::Variable { .. } | Want::Address { .. } => {
                        "set the address in the environment".to_owned()
                    }
                    Want::Model { .. } => "name the model with --model".to_owned(),
                    Want::Database { .. } => "set TATA_DATABASE_URL in the environment".to_owned(),
                    Want::Index { .. } => "set QDRANT_URL in the environment".to_owned(),
                    Want::Agent { .. } | Want::Instead { .. } => "name the agent with --agent".to_owned(),
                    Want::Tools { .. } => "import the file with `tata mcp import`".to_owned(),
                    Want::Server { .. } | Want::User { .. } | Want::Clock { .. } | Want::File { .. } => {
                        "set it in the environment".to_owned()
                    }
                };
                Some(format!(
                    "If that is meant, `tata trust` shows all that this folder wants and lets you decide; or \
                     {instead}. --no-folder leaves its files alone."
                ))
            }
            Self::Address { .. } => {
                Some("An address begins with http:// or https://, and most end in /v1.".to_owned())
            }
            Self::Database { .. } => Some(
                "Give postgres://… or sqlite:FILE. If it belongs to another program, set TATA_DATABASE_URL."
                    .to_owned(),
            ),
            Self::Catalog(_) | Self::Unreadable { .. } | Self::Value { .. } | Self::Named { .. } => None,
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
            Self::Named { place, value, expected } => {
                write!(f, "{place} is {value:?}, but must be {expected}")
            }
            Self::NeedsTrust { want, file: Some(file), .. } => {
                let file = on_one_line(&file.display().to_string());
                write!(f, "the file {file} would {want}, and you have not trusted it")
            }
            Self::NeedsTrust { want, place, file: None } => {
                let place = on_one_line(place);
                write!(
                    f,
                    "a file in this folder would {want} ({place}), and you have not trusted this folder"
                )
            }
            Self::Address { name } => write!(f, "{name} is not an address"),
            Self::Database { place } => write!(f, "{place} names a database that Tata cannot use"),
            Self::NoHome => f.write_str("there is no home folder"),
        }
    }
}

impl std::error::Error for ConfigError {}

impl Config {
    /// Gathers the configuration from all its places.
    pub(crate) fn load(cli: &Cli) -> anyhow::Result<Self> {
        let process = Environment::of_process();
        let Folders { config: own_dir, state: state_dir, data: data_dir } = folders(&process)?;
        let user_file = own_dir.join(folder::SETTINGS);
        let user = ConfigFile::load(&user_file)?;
        let folder = folder_of(Path::new("."), &own_dir, cli.no_folder);
        let trust = TrustStore::new(&own_dir).knows(&folder);
        let environment = process.over(&folder);
        let project = ConfigFile::of_folder(&folder)?;
        let warnings = folder.warnings();
        let own_models = user.models_file.clone();
        let own_models =
            own_models.or_else(|| Some(own_dir.join(folder::MODELS)).filter(|path| path.is_file()));
        let catalogs = load_catalogs(cli, &environment, &folder, &project, own_models)?;
        let layers = Layers { environment: &environment, project: &project, user: &user, user_file };
        let mut settings = settings(&layers, trust);
        if cli.timeout.is_some() {
            settings.retain(|setting| setting.name != "timeout");
        }
        let model = layers.find(&["TATA_MODEL"], |file| file.model.clone());
        let own_model = layers.find_own("TATA_MODEL", |file| file.model.clone()).map(|own| own.value);
        let agent = layers.find(&["TATA_AGENT"], |file| file.agent.clone());
        let log = layers.find(&["TATA_LOG"], |file| file.log.clone());
        let database = layers.find(&[], |file| file.database.clone());
        let database = database::database(&environment, database, &data_dir)?;
        let (user_name, now) = (own_word(&layers, trust, "TATA_USER"), own_word(&layers, trust, "TATA_NOW"));
        let knowledge = KnowledgeSettings::find(&layers);
        let given = match (cli.timeout, environment.get("TATA_TIMEOUT")) {
            (Some(seconds), _) => Some(seconds),
            (None, Some(set)) => {
                Some(set.value.parse().map_err(|_| bad_seconds("TATA_TIMEOUT", &set.value))?)
            }
            (None, None) => None,
        };
        let file = project.over(user);
        Ok(Self {
            catalogs,
            timeouts: timeouts(&file, given)?,
            retry: file.retry.most.map_or_else(Retry::default, |most| Retry { most, ..Retry::default() }),
            log: log.map_or_else(|| "info".to_owned(), |log| log.value),
            state_dir,
            data_dir,
            settings,
            folder,
            trust,
            warnings,
            own_dir,
            database,
            agent,
            user: user_name,
            model,
            knowledge,
            own_model,
            clock: clock(now.as_deref())?,
            environment,
        })
    }

    /// Every model and provider there is, the folder's among them.
    pub(crate) fn catalog(&self) -> &Catalog {
        &self.catalogs.all
    }

    /// The configured model.
    pub(crate) fn model(&self) -> Option<&str> {
        self.model.as_ref().map(|model| model.value.as_str())
    }

    /// Where conversations are kept, if that is the person's choice.
    pub(crate) fn database(&self) -> Result<&Database, ConfigError> {
        let want = Want::Database { place: self.database.value.place() };
        self.trust.allow(self.database.origin, &self.database.place, want)?;
        Ok(&self.database.value)
    }

    /// The agent to talk with when none is named, and who says so.
    pub(crate) fn agent(&self) -> Sourced<String> {
        self.agent.clone().unwrap_or_else(|| Sourced {
            value: DEFAULT_AGENT.to_owned(),
            origin: Origin::Person,
            place: "default".to_owned(),
        })
    }

    /// What the person trusted.
    pub(crate) fn trusted(&self) -> TrustStore {
        TrustStore::new(&self.own_dir)
    }

    /// A key as it may be shown: that it is there, and its last letters.
    pub(crate) fn masked(&self, name: &str) -> Option<String> {
        if let Some(set) = self.environment.get(name) {
            let place = if set.origin == Origin::Folder { "./.env" } else { "the environment" };
            let count = set.value.chars().count();
            let end: String = set.value.chars().skip(count.saturating_sub(4)).collect();
            // The end of a short key would be too much of it.
            let not_used = if self.is_left_out(name) { ", not used: this folder is not trusted" } else { "" };
            return Some(if count >= 20 {
                format!("set in {place}, ends in …{end}{not_used}")
            } else {
                format!("set in {place}{not_used}")
            });
        }
        let file = self.environment.get(&format!("{name}_FILE"))?;
        let not_used = if self.is_left_out(name) { ", not used: this folder is not trusted" } else { "" };
        Some(format!("read from the file {}{not_used}", file.value))
    }

    /// A variable's value, for whoever the person or the trusted folder wrote it down for. What an untrusted folder sets is not
    /// there: it could send what belongs to the person elsewhere.
    pub(crate) fn variable(&self, name: &str) -> Option<String> {
        let set = self.environment.get(name)?;
        (set.origin == Origin::Person || self.trust.is_given()).then(|| set.value.to_owned())
    }

    /// A secret in a variable, or in the file that `NAME_FILE` names, under the same rule.
    pub(crate) fn secret(&self, name: &str) -> Result<Option<SecretString>, ConfigError> {
        self.environment.secret(name, self.sight(), &self.folder)
    }

    /// Whose secrets are used.
    fn sight(&self) -> Sight {
        if self.trust.is_given() { Sight::All } else { Sight::Person }
    }

    /// Whether a variable, or a file named by it, is set by somebody whose word counts.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.environment.bringer(name).is_some() && !self.is_left_out(name)
    }

    /// Whether a file that the person names by its path may decide for them: it lies in their own folder, or they trusted it
    /// as it is, alone or with the current folder. `text` is what was read of it and is used: the same bytes are judged.
    pub(crate) fn authority_of(&self, file: &Path, text: &str) -> Authority {
        let Ok(path) = file.canonicalize() else { return Authority::of_file(Trust::NONE, file) };
        if self.own_dir.canonicalize().is_ok_and(|own| path.starts_with(own)) {
            return Authority::of_person();
        }
        if self.trust.is_given() && self.folder.text_at(&path) == Some(text) {
            return Authority::of_file(self.trust, file);
        }
        let alone = Folder::of_file(file);
        let trust =
            if alone.text_at(&path) == Some(text) { self.trusted().knows(&alone) } else { Trust::NONE };
        Authority::of_file(trust, file)
    }
}

/// The current folder, unless it is to be left alone, or is the person's own configuration folder.
fn folder_of(here: &Path, own_dir: &Path, leave_alone: bool) -> Folder {
    let is_own = match (here.canonicalize(), own_dir.canonicalize()) {
        (Ok(here), Ok(own)) => here == own,
        (Ok(_) | Err(_), _) => false,
    };
    if leave_alone || is_own { Folder::default() } else { Folder::read(here) }
}

/// A variable that says who somebody is or what time it is: the folder's word counts only when it is trusted.
fn own_word(layers: &Layers<'_>, trust: Trust, name: &str) -> Option<String> {
    let set = layers.environment.get(name)?;
    (set.origin == Origin::Person || trust.is_given()).then(|| set.value.to_owned())
}

/// The settings that are in use, and where each comes from.
fn settings(layers: &Layers<'_>, trust: Trust) -> Vec<Setting> {
    let find = |variable: &'static str, key: fn(&ConfigFile) -> Option<String>| layers.find(&[variable], key);
    let word = |name: &str| {
        let set = layers.environment.get(name).map(|set| set.map(str::to_owned));
        let ignored = |set: Sourced<String>| match set.origin {
            Origin::Folder if !trust.is_given() => Sourced {
                value: "as if it were not set".to_owned(),
                place: format!("{}, not trusted", set.place),
                ..set
            },
            Origin::Person | Origin::Folder => set,
        };
        set.map(ignored)
    };
    let home = layers.environment.get("TATA_HOME").filter(|set| set.origin == Origin::Person);
    let database = layers.find(&["TATA_DATABASE_URL", "DATABASE_URL"], |file| file.database.clone());
    vec![
        Setting::new("model", find("TATA_MODEL", |file| file.model.clone()), "the first that is set up"),
        Setting::new("agent", find("TATA_AGENT", |file| file.agent.clone()), DEFAULT_AGENT),
        Setting::new(
            "models_file",
            find("TATA_MODELS", |file| file.models_file.as_ref().map(|path| path.display().to_string())),
            "none beside the built-in one",
        ),
        Setting::new(
            "timeout",
            find("TATA_TIMEOUT", |file| file.timeouts.first_byte.map(|seconds| seconds.to_string())),
            "30",
        ),
        Setting::new("log", find("TATA_LOG", |file| file.log.clone()), "info"),
        Setting::new("user", word("TATA_USER"), "nobody in particular"),
        Setting::new("now", word("TATA_NOW"), "the clock of this machine"),
        Setting::new("home", home.map(|set| set.map(str::to_owned)), "the folders of the operating system"),
        // Its address may hold a password; the finding about the database shows the rest.
        Setting::new("database", database.map(|set| set.map(|_| "see database".to_owned())), "see database"),
    ]
}

/// Where our files are.
struct Folders {
    config: PathBuf,
    state: PathBuf,
    data: PathBuf,
}

/// The folders: TATA_HOME for all, else the XDG ones. Never by a file of the current folder: its files would pass for
/// the person's own.
fn folders(process: &Environment) -> Result<Folders, ConfigError> {
    if let Some(home) = process.of_person("TATA_HOME").map(PathBuf::from) {
        return Ok(Folders { config: home.clone(), state: home.clone(), data: home });
    }
    let base = etcetera::choose_base_strategy().map_err(|_| ConfigError::NoHome)?;
    let state = base.state_dir().unwrap_or_else(|| base.data_dir());
    let of = |folder: PathBuf| folder.join("tata");
    Ok(Folders { config: of(base.config_dir()), state: of(state), data: of(base.data_dir()) })
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
