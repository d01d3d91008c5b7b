//! YAML files that people write: errors name the file, the line, the key and the nearest valid one.

use std::fmt;

use serde::de::DeserializeOwned;

use crate::near;

/// A file that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FileError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: String,
    /// What would be right.
    pub hint: Option<String>,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.path)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.problem)?;
        self.hint.iter().try_for_each(|hint| write!(f, " ({hint})"))
    }
}

impl FileError {
    /// A key to a service is an unknown key for a good reason: definitions are shared.
    #[must_use]
    pub fn without_secret(self) -> Self {
        let name = self.problem.strip_prefix("unknown key \"").and_then(|rest| rest.strip_suffix('"'));
        match name.filter(|name| name.ends_with("api_key")) {
            None => self,
            Some(name) => {
                let hint = Some(format!("set {} in the environment instead", name.to_uppercase()));
                Self { problem: format!("{name} does not belong into a file"), hint, ..self }
            }
        }
    }
}

/// Reads a file's text; one without content is the default.
pub fn from_yaml<T: DeserializeOwned + Default>(path: &str, text: &str) -> Result<T, FileError> {
    if text.trim().is_empty() {
        return Ok(T::default());
    }
    serde_saphyr::from_str(text).map_err(|error| {
        let line = error.location().map(|location| location.line()).filter(|line| *line > 0);
        let (problem, hint) = explain(error.without_snippet());
        FileError { path: path.to_owned(), line, problem, hint }
    })
}

/// Serde names an unknown key and the valid ones; people want the nearest.
fn explain(error: &serde_saphyr::Error) -> (String, Option<String>) {
    let (what, word, valid) = if let serde_saphyr::Error::SerdeUnknownField { field, expected, .. } = error {
        ("key", field, expected)
    } else if let serde_saphyr::Error::SerdeUnknownVariant { variant, expected, .. } = error {
        ("value", variant, expected)
    } else {
        return (error.to_string().lines().next().unwrap_or_default().to_owned(), None);
    };
    let best = near(word, valid.iter().copied()).into_iter().next();
    let meant = best.map(|best| format!("did you mean {best:?}? ")).unwrap_or_default();
    (format!("unknown {what} {word:?}"), Some(format!("{meant}valid: {}", valid.join(", "))))
}
