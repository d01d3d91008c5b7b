//! What servers gave at a sign-in: a file that only its owner can read.

use std::{collections::BTreeMap, fs, io, path::PathBuf, sync::Mutex};

use secrecy::{ExposeSecret, SecretString};
use tata_mcp::Vault;

use crate::{config::Config, private};

/// The file in the data folder.
const FILE: &str = "mcp-tokens.json";

/// Several servers may give new tokens at the same moment.
static WRITING: Mutex<()> = Mutex::new(());

/// Tokens by the address of their server.
pub(crate) struct Tokens {
    path: PathBuf,
}

impl Tokens {
    pub(crate) fn of(config: &Config) -> Self {
        Self { path: config.data_dir.join(FILE) }
    }

    fn all(&self) -> Result<BTreeMap<String, String>, String> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
            Err(error) => return Err(format!("{} cannot be read: {error}", self.path.display())),
        };
        serde_json::from_str(&text)
            .map_err(|_| format!("{} is damaged; delete it and sign in again", self.path.display()))
    }
}

impl Vault for Tokens {
    fn load(&self, address: &str) -> Result<Option<SecretString>, String> {
        Ok(self.all()?.remove(address).map(Into::into))
    }

    fn save(&self, address: &str, secret: Option<SecretString>) -> Result<(), String> {
        let _one_at_a_time = WRITING.lock().map_err(|error| error.to_string())?;
        let mut all = self.all()?;
        match secret {
            Some(secret) => all.insert(address.to_owned(), secret.expose_secret().to_owned()),
            None => all.remove(address),
        };
        let text = serde_json::to_string(&all).map_err(|error| error.to_string())?;
        let folder = self.path.parent().map_or(Ok(()), fs::create_dir_all);
        folder.map_err(|error| error.to_string())?;
        private::write(&self.path, &text).map_err(|error| format!("{error:#}"))
    }
}
