//! `tata.toml`, in this folder and in the user's configuration folder.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use serde::Deserialize;
use tata_core::near;

use super::{
    ConfigError,
    folder::{Folder, SETTINGS, regular},
};

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct ConfigFile {
    pub(crate) model: Option<String>,
    pub(crate) models_file: Option<PathBuf>,
    pub(crate) log: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) database: Option<String>,
    pub(crate) qdrant_url: Option<String>,
    pub(crate) embedder: Option<String>,
    pub(crate) embedder_languages: Option<String>,
    pub(crate) timeouts: TimeoutsTable,
    pub(crate) retry: RetryTable,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct TimeoutsTable {
    pub(crate) connect: Option<f64>,
    pub(crate) first_byte: Option<f64>,
    pub(crate) idle: Option<f64>,
    pub(crate) total: Option<f64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct RetryTable {
    pub(crate) most: Option<u32>,
}

impl ConfigFile {
    /// Reads the person's own file; one that is not there is an empty one.
    pub(crate) fn load(path: &Path) -> Result<Self, ConfigError> {
        let there = fs::metadata(path);
        let gone = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
        };
        if there.as_ref().is_err_and(gone) {
            return Ok(Self::default());
        }
        let text = regular(path).map_err(|why| ConfigError::Unreadable {
            path: path.to_owned(),
            source: io::Error::other(why),
        })?;
        Self::parse(path, &text)
    }

    /// Reads the folder's file; one that is not there, or is no file, is an empty one.
    pub(crate) fn of_folder(folder: &Folder) -> Result<Self, ConfigError> {
        let path = Path::new(SETTINGS);
        match folder.text(SETTINGS) {
            Some(Ok(text)) => Self::parse(path, text),
            // One that cannot be used is told of and stops nothing: whoever made the folder may be a stranger.
            None | Some(Err(_)) => Ok(Self::default()),
        }
    }

    pub(super) fn parse(path: &Path, text: &str) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error: toml::de::Error| {
            let head = error.span().and_then(|span| text.get(..span.start));
            let line = head.map(|head| head.matches('\n').count() + 1);
            let (problem, hint) = explain(error.message());
            ConfigError::File { path: path.to_owned(), line, problem, hint }
        })
    }

    /// This file, and another's values where it has none.
    pub(crate) fn over(self, under: Self) -> Self {
        Self {
            model: self.model.or(under.model),
            models_file: self.models_file.or(under.models_file),
            log: self.log.or(under.log),
            agent: self.agent.or(under.agent),
            database: self.database.or(under.database),
            qdrant_url: self.qdrant_url.or(under.qdrant_url),
            embedder: self.embedder.or(under.embedder),
            embedder_languages: self.embedder_languages.or(under.embedder_languages),
            timeouts: TimeoutsTable {
                connect: self.timeouts.connect.or(under.timeouts.connect),
                first_byte: self.timeouts.first_byte.or(under.timeouts.first_byte),
                idle: self.timeouts.idle.or(under.timeouts.idle),
                total: self.timeouts.total.or(under.timeouts.total),
            },
            retry: RetryTable { most: self.retry.most.or(under.retry.most) },
        }
    }
}

/// Serde names an unknown key and the valid ones in backticks; people want the nearest.
fn explain(message: &str) -> (String, Option<String>) {
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((key, valid)) if message.starts_with("unknown field") => {
            let meant = near(key, valid.iter().copied()).into_iter().next();
            let meant = meant.map(|best| format!("Did you mean {best:?}? ")).unwrap_or_default();
            (format!("unknown key {key:?}"), Some(format!("{meant}Valid keys: {}.", valid.join(", "))))
        }
        Some(_) | None => (message.lines().next().unwrap_or_default().to_owned(), None),
    }
}
