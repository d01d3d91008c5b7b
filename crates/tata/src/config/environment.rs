//! The environment, the only place that reads it: the person's variables, and beneath them those of the folder's `.env`.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use secrecy::SecretString;

use super::{
    ConfigError, dotenv,
    folder::{DOTENV, Folder},
    origin::{Origin, Sourced},
};
use crate::named_file;

/// The largest file of a secret.
const LARGEST_SECRET: u64 = 64 * 1024;

/// Variables by name. Printing it shows names only.
pub(crate) struct Environment {
    person: BTreeMap<String, String>,
    folder: BTreeMap<String, String>,
}

/// Whose secrets may be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sight {
    /// The person's alone: a stranger's key would bring conversations into the stranger's account.
    Person,
    /// The person's, and the trusted folder's where the person has none.
    All,
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.person.keys().chain(self.folder.keys())).finish()
    }
}

impl Environment {
    /// The variables of this process alone.
    pub(super) fn of_process() -> Self {
        #[expect(clippy::disallowed_methods, reason = "this is the room where the environment is read")]
        let real = std::env::vars_os();
        let text = |(name, value): (std::ffi::OsString, std::ffi::OsString)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        };
        Self { person: real.filter_map(text).collect(), folder: BTreeMap::new() }
    }

    /// Lays the variables of the folder's `.env` beneath.
    pub(super) fn over(self, folder: &Folder) -> Self {
        let text = folder.text(DOTENV).and_then(Result::ok).unwrap_or_default();
        Self { folder: dotenv::parse(text).into_iter().collect(), ..self }
    }

    /// A variable's value; an empty one is not set. What the person set, even to nothing, is not looked for elsewhere.
    pub(super) fn get(&self, name: &str) -> Option<Sourced<&str>> {
        let person = self.person.get(name).map(|value| (value, Origin::Person));
        let (value, origin) = person.or_else(|| Some((self.folder.get(name)?, Origin::Folder)))?;
        let place = match origin {
            Origin::Person => format!("{name} in the environment"),
            Origin::Folder => format!("{name} in ./{DOTENV}"),
        };
        let value = value.trim();
        (!value.is_empty()).then_some(Sourced { value, origin, place })
    }

    /// The same, of the folder alone.
    pub(super) fn of_folder(&self, name: &str) -> Option<&str> {
        self.folder.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The same, of the person alone.
    pub(super) fn of_person(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|found| found.origin == Origin::Person).map(|found| found.value)
    }

    /// Who brings a secret, or the file that holds it; the person before the folder.
    pub(super) fn bringer(&self, name: &str) -> Option<Origin> {
        let file = format!("{name}_FILE");
        let brings = |find: fn(&Self, &str) -> bool| find(self, name) || find(self, &file);
        if brings(|all, name| all.of_person(name).is_some()) {
            Some(Origin::Person)
        } else if brings(|all, name| all.of_folder(name).is_some()) {
            Some(Origin::Folder)
        } else {
            None
        }
    }

    /// A secret: the variable itself, or the content of the file that `NAME_FILE` names. The folder's file is one of its
    /// own, whatever path it gives.
    pub(super) fn secret(
        &self,
        name: &str,
        sight: Sight,
        folder: &Folder,
    ) -> Result<Option<SecretString>, ConfigError> {
        let file = format!("{name}_FILE");
        if let Some(value) = self.of_person(name) {
            return Ok(Some(SecretString::from(value)));
        }
        if let Some(path) = self.of_person(&file) {
            let bytes = named_file::bytes_of_any_pipe(Path::new(path), LARGEST_SECRET);
            let text = bytes
                .map_err(|why| why.to_string())
                .and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is not UTF-8 text".to_owned()));
            return content(path, text).map(Some);
        }
        if sight == Sight::Person {
            return Ok(None);
        }
        if let Some(value) = self.of_folder(name) {
            return Ok(Some(SecretString::from(value)));
        }
        match self.of_folder(&file) {
            Some(path) => {
                content(path, folder.named(path).map(str::to_owned).map_err(str::to_owned)).map(Some)
            }
            None => Ok(None),
        }
    }
}

fn content(path: &str, text: Result<String, String>) -> Result<SecretString, ConfigError> {
    let unreadable =
        |why: String| ConfigError::Unreadable { path: PathBuf::from(path), source: io::Error::other(why) };
    let text = text.map_err(unreadable)?;
    match text.trim() {
        "" => Err(unreadable("it is empty".to_owned())),
        text => Ok(SecretString::from(text)),
    }
}
