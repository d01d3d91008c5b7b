//! The environment, the only place that reads it: real variables over a `.env` file.

use std::{collections::BTreeMap, fs, path::Path};

use secrecy::SecretString;

use super::ConfigError;

/// Variables by name. Printing it shows names only.
pub(crate) struct Environment {
    values: BTreeMap<String, String>,
}

impl std::fmt::Debug for Environment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.values.keys()).finish()
    }
}

impl Environment {
    /// Reads the process's variables and, beneath them, a `.env` file.
    pub(crate) fn load(dotenv: &Path) -> Result<Self, ConfigError> {
        let mut values = BTreeMap::new();
        if dotenv.is_file() {
            let wrong = |error: dotenvy::Error| ConfigError::File {
                path: dotenv.to_owned(),
                line: None,
                // Its own words quote the line, which may hold a secret.
                problem: if let dotenvy::Error::LineParse(_, at) = error {
                    format!("a line cannot be read, near character {at}")
                } else {
                    error.to_string()
                },
                hint: Some("Each line is NAME=value.".to_owned()),
            };
            for pair in dotenvy::from_path_iter(dotenv).map_err(wrong)? {
                let (name, value) = pair.map_err(wrong)?;
                values.insert(name, value);
            }
        }
        #[expect(clippy::disallowed_methods, reason = "this is the room where the environment is read")]
        let real = std::env::vars_os();
        values.extend(
            real.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?))),
        );
        Ok(Self { values })
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
        let text = text.trim();
        Ok((!text.is_empty()).then(|| SecretString::from(text)))
    }
}
