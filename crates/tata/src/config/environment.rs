//! The environment, the only place that reads it: real variables over a `.env` file.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use secrecy::SecretString;

use super::ConfigError;

/// Variables by name. Printing it shows names only.
pub(crate) struct Environment {
    values: BTreeMap<String, String>,
    /// Names whose values come from the `.env` of this folder.
    from_folder: BTreeSet<String>,
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.values.keys()).finish()
    }
}

impl Environment {
    /// Reads the process's variables and, beneath them, a `.env` file. Lines of the file that cannot be read are
    /// passed over: it may belong to another program.
    pub(crate) fn load(dotenv: &Path) -> Self {
        let pairs = dotenvy::from_path_iter(dotenv).into_iter().flatten();
        let mut values: BTreeMap<String, String> = pairs.filter_map(Result::ok).collect();
        #[expect(clippy::disallowed_methods, reason = "this is the room where the environment is read")]
        let real = std::env::vars_os();
        let real: BTreeMap<String, String> = real
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let from_folder = values.keys().filter(|name| !real.contains_key(*name)).cloned().collect();
        values.extend(real);
        Self { values, from_folder }
    }

    /// Whether a variable's value comes from this folder's `.env`.
    pub(crate) fn is_from_folder(&self, name: &str) -> bool {
        self.from_folder.contains(name)
    }

    /// Whether a secret, or the file that holds it, is named at all.
    pub(crate) fn names_secret(&self, name: &str) -> bool {
        self.get(name).is_some() || self.get(&format!("{name}_FILE")).is_some()
    }

    /// A variable's value; an empty one is not set.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// A secret: the variable itself, or the content of the file that `NAME_FILE` names.
    pub(crate) fn secret(&self, name: &str) -> Result<Option<SecretString>, ConfigError> {
        if let Some(value) = self.get(name) {
            return Ok(Some(SecretString::from(value)));
        }
        let Some(path) = self.get(&format!("{name}_FILE")) else {
            return Ok(None);
        };
        let text = fs::read_to_string(path)
            .map_err(|source| ConfigError::Unreadable { path: path.into(), source })?;
        match text.trim() {
            "" => Err(ConfigError::Unreadable { path: path.into(), source: io::Error::other("it is empty") }),
            text => Ok(Some(SecretString::from(text))),
        }
    }
}
