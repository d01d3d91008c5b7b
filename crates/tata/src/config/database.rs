//! Where conversations are kept.

use std::path::{Path, PathBuf};

use secrecy::{ExposeSecret, SecretString};
use tata_store::PostgresStore;

use super::{
    ConfigError,
    environment::Environment,
    origin::{Origin, Sourced},
};

/// Where sessions live.
#[derive(Debug)]
pub(crate) enum Database {
    File(PathBuf),
    Postgres(SecretString),
}

const VARIABLES: [&str; 2] = ["TATA_DATABASE_URL", "DATABASE_URL"];

impl Database {
    /// Where it is, fit to be shown: no login, no password.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::File(_) => format!("The database is {}.", self.place()),
            Self::Postgres(_) => format!("The database is {} (DATABASE_URL).", self.place()),
        }
    }

    /// The same in a few words.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::File(path) => format!("the file {}", path.display()),
            Self::Postgres(url) => format!("Postgres at {}", PostgresStore::place(url.expose_secret())),
        }
    }
}

/// The database: TATA_DATABASE_URL, DATABASE_URL, the file's, else a file of our own.
pub(super) fn database(
    environment: &Environment,
    file: Option<Sourced<String>>,
    data: &Path,
) -> Result<Sourced<Database>, ConfigError> {
    let set = VARIABLES.into_iter().find_map(|name| environment.get(name));
    let Some(url) = set.map(|set| set.map(str::to_owned)).or(file) else {
        let value = Database::File(data.join("tata.db"));
        return Ok(Sourced { value, origin: Origin::Person, place: "default".to_owned() });
    };
    let scheme = url.value.split_once(':').map_or("", |(scheme, _)| scheme);
    let value = match scheme {
        "postgres" | "postgresql" => Database::Postgres(SecretString::from(url.value)),
        "sqlite" => {
            let path = url.value.trim_start_matches("sqlite:").trim_start_matches("//");
            Database::File(PathBuf::from(path.split('?').next().unwrap_or(path)))
        }
        _ => return Err(ConfigError::Database { place: url.place }),
    };
    Ok(Sourced { value, origin: url.origin, place: url.place })
}
