//! What the files of a folder may decide.
//!
//! One rule: nothing that came from the folder decides where a secret, a conversation, a file or an environment variable
//! of the person goes, unless the person trusted exactly these files. Whoever is about to let a value decide asks
//! [`Trust::allow`]; there is no other way in.

use std::{
    collections::BTreeMap,
    fmt,
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::{
    ConfigError,
    folder::{Folder, regular},
    models::ChosenBy,
    origin::Origin,
};
use crate::on_one_line::on_one_line;

/// The file in the person's configuration folder that remembers.
const FILE: &str = "trusted.json";

/// Whether the files of the current folder may decide for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trust(bool);

/// Something that a file of the folder would decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Want {
    /// Conversations go into somebody's account, by a key that the folder brings.
    Key { name: String },
    /// A key or another variable of the person goes to an address.
    Variable { name: String, address: String },
    /// Conversations go to an address.
    Address { address: String, provider: String },
    /// Conversations go to another model than the person's own choice.
    Model { name: String },
    /// Conversations are kept somewhere else.
    Database { place: String },
    /// Documents are searched and kept somewhere else.
    Index { place: String },
    /// The agent that answers is one of the folder.
    Agent { name: String },
    /// An agent of the folder stands in for one that is built in or the person's own.
    Instead { name: String },
    /// An agent of the folder wants its questions sent to an address, or a command started.
    Server { name: String, what: String, starts: bool },
    /// A file of the folder wants a command started, or an address asked, for tools.
    Tools { server: String, what: String, starts: bool },
    /// Conversations are marked as this person's, and so are their decisions.
    User { name: String },
    /// The clock stands still.
    Clock { now: String },
    /// A file of the folder is read.
    File { name: String, problem: Option<String> },
}

/// What is wanted, on one line: the names and addresses in it are somebody else's words.
impl fmt::Display for Want {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&on_one_line(&self.in_words()))
    }
}

impl Want {
    fn in_words(&self) -> String {
        match self {
            Self::Key { name } => format!("send conversations with its own {name}"),
            Self::Variable { name, address } => format!("send {name} to {address}"),
            Self::Address { address, provider } => {
                format!("send conversations to {address} (the provider {provider})")
            }
            Self::Model { name } => format!("send conversations to the model {name}"),
            Self::Database { place } => format!("keep every conversation in {place}"),
            Self::Index { place } => format!("search and keep documents at {place}"),
            Self::Agent { name } => format!("let its own agent {name} answer"),
            Self::Instead { name } => format!("put its own agent in the place of {name}"),
            Self::Server { name, what, .. } => format!("let the agent {name} use {what}"),
            Self::Tools { server, what, .. } => format!("use the tools of {server}: {what}"),
            Self::User { name } => format!("mark conversations and decisions as those of {name}"),
            Self::Clock { now } => format!("set the clock to {now}"),
            Self::File { name, problem: None } => format!("read {name}"),
            Self::File { name, problem: Some(problem) } => format!("read {name}, but {problem}"),
        }
    }

    /// What it is, for a count: one of them, and several.
    pub(crate) fn counted_as(&self) -> (&'static str, &'static str) {
        match self {
            Self::Server { starts: true, .. } | Self::Tools { starts: true, .. } => ("command", "commands"),
            Self::Address { .. } | Self::Server { .. } | Self::Tools { .. } => ("address", "addresses"),
            Self::Key { .. } => ("key of its own", "keys of its own"),
            Self::Variable { .. } => ("variable of yours", "variables of yours"),
            Self::Model { .. } => ("model", "models"),
            Self::Database { .. } | Self::Index { .. } => ("place to keep things", "places to keep things"),
            Self::Agent { .. } | Self::Instead { .. } => ("agent", "agents"),
            Self::User { .. } | Self::Clock { .. } => ("other setting", "other settings"),
            Self::File { .. } => ("file", "files"),
        }
    }

    /// Whether a command is started.
    pub(crate) fn starts_command(&self) -> bool {
        matches!(self, Self::Server { starts: true, .. } | Self::Tools { starts: true, .. })
    }
}

impl Trust {
    /// What nobody trusted.
    pub(crate) const NONE: Self = Self(false);

    /// The rule.
    pub(crate) fn allow(self, origin: Origin, place: &str, want: Want) -> Result<(), ConfigError> {
        match origin {
            Origin::Person => Ok(()),
            Origin::Folder if self.0 => Ok(()),
            Origin::Folder => Err(ConfigError::NeedsTrust { want, place: place.to_owned(), file: None }),
        }
    }

    pub(crate) fn is_given(self) -> bool {
        self.0
    }
}

/// Who brought a definition, and whether that may decide for the person.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    origin: Origin,
    trust: Trust,
    /// The file, where the person named one.
    file: Option<PathBuf>,
}

impl Authority {
    pub(crate) fn of_person() -> Self {
        Self { origin: Origin::Person, trust: Trust::NONE, file: None }
    }

    /// What the current folder brings.
    pub(crate) fn of_folder(trust: Trust) -> Self {
        Self { origin: Origin::Folder, trust, file: None }
    }

    /// What a file brings that the person named by its path. That they name it does not mean that they have read it.
    pub(crate) fn of_file(trust: Trust, file: &Path) -> Self {
        Self { origin: Origin::Folder, trust, file: Some(file.to_owned()) }
    }

    /// The rule.
    pub(crate) fn allow(&self, place: &str, want: Want) -> Result<(), ConfigError> {
        self.trust.allow(self.origin, place, want).map_err(|error| self.named_in(error))
    }

    /// An error about what this wants names the file that has to be trusted.
    pub(crate) fn named_in(&self, error: ConfigError) -> ConfigError {
        if self.counts() {
            return error;
        }
        if let ConfigError::NeedsTrust { want, place, file: None } = error {
            ConfigError::NeedsTrust { want, place, file: self.file.clone() }
        } else {
            error
        }
    }

    /// Whether somebody else than the person wrote it, as far as is known.
    pub(crate) fn is_folder(&self) -> bool {
        self.origin == Origin::Folder
    }

    /// Whether it decides as the person does.
    pub(crate) fn counts(&self) -> bool {
        self.origin == Origin::Person || self.trust.is_given()
    }

    /// Whose word it is, once it is known whether it counts.
    pub(crate) fn origin(&self) -> Origin {
        if self.counts() { Origin::Person } else { Origin::Folder }
    }

    /// Who chooses a model by it.
    pub(crate) fn chosen_by(&self) -> ChosenBy {
        match &self.file {
            _ if self.counts() => ChosenBy::Person,
            None => ChosenBy::Folder,
            Some(_) => ChosenBy::File,
        }
    }
}

/// The folders and files that are trusted: where, and with which contents.
#[derive(Debug, Default, Deserialize, Serialize)]
struct Trusted {
    folders: BTreeMap<PathBuf, String>,
}

/// What the person trusted, in their own configuration folder.
#[derive(Clone, Debug)]
pub(crate) struct TrustStore {
    file: PathBuf,
}

impl TrustStore {
    pub(super) fn new(own_dir: &Path) -> Self {
        Self { file: own_dir.join(FILE) }
    }

    /// Whether exactly these files are trusted. A memory that cannot be read trusts nothing.
    pub(crate) fn knows(&self, folder: &Folder) -> Trust {
        let known = self.load().unwrap_or_default();
        Trust(known.folders.get(folder.root()).is_some_and(|seal| *seal == folder.seal()))
    }

    /// Trusts these files as they are.
    pub(crate) fn remember(&self, folder: &Folder) -> io::Result<()> {
        let mut known = self.load()?;
        known.folders.insert(folder.root().to_owned(), folder.seal());
        self.save(&known)
    }

    /// Trusts a folder no longer; whether it was trusted.
    pub(crate) fn forget(&self, folder: &Folder) -> io::Result<bool> {
        let mut known = self.load()?;
        let was = known.folders.remove(folder.root()).is_some();
        if was {
            self.save(&known)?;
        }
        Ok(was)
    }

    /// The folders that are trusted, whatever is in them now.
    pub(crate) fn list(&self) -> io::Result<Vec<PathBuf>> {
        Ok(self.load()?.folders.into_keys().collect())
    }

    fn load(&self) -> io::Result<Trusted> {
        if !self.file.exists() {
            return Ok(Trusted::default());
        }
        let text = regular(&self.file).map_err(io::Error::other)?;
        serde_json::from_str(&text).map_err(io::Error::other)
    }

    /// Writes beside and then in place: a cut leaves the old one.
    fn save(&self, known: &Trusted) -> io::Result<()> {
        if let Some(folder) = self.file.parent() {
            let mut builder = fs::DirBuilder::new();
            builder.recursive(true);
            #[cfg(unix)]
            std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
            builder.create(folder)?;
        }
        let beside = self.file.with_extension(format!("{}.new", std::process::id()));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&beside)?;
        file.write_all(format!("{:#}\n", serde_json::json!(known)).as_bytes())?;
        file.sync_all()?;
        fs::rename(&beside, &self.file)
    }
}
