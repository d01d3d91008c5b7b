//! Secrets never leave: not in logs, not in errors, not in what a server echoes back.

use secrecy::{ExposeSecret, SecretString};
use tata_core::ModelError;

/// Shorter texts are not secrets, and replacing them would garble messages.
const SHORTEST: usize = 6;

/// Knows the secrets of one endpoint and takes them out of any text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Redactor {
    secrets: Vec<SecretString>,
}

impl Redactor {
    pub(crate) fn new(secrets: impl IntoIterator<Item = SecretString>) -> Self {
        Self { secrets: secrets.into_iter().filter(|s| s.expose_secret().len() >= SHORTEST).collect() }
    }

    /// The text without any of the secrets.
    pub(crate) fn scrub(&self, text: &str) -> String {
        self.secrets
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret.expose_secret(), "[redacted]"))
    }

    /// The error without any of the secrets.
    pub(crate) fn scrub_error(&self, mut error: ModelError) -> ModelError {
        for field in [&mut error.message, &mut error.code, &mut error.error_type, &mut error.param] {
            *field = field.take().map(|text| self.scrub(&text));
        }
        error
    }
}
