//! Secrets never leave: not in logs, not in errors, not in what a server echoes back.

use secrecy::{ExposeSecret, SecretString};
use tata_core::ModelError;

/// A text from this length on is replaced wherever it stands. A shorter one is replaced where it stands alone: as a part of
/// longer words it gives nothing away, and to replace it there would garble every message.
const LONG: usize = 6;
/// A text below this length is a word like any other: it is replaced only where it is given as a value, in quotes or after
/// what announces one.
const SHORT: usize = 3;
/// What stands instead.
const REDACTED: &str = "[redacted]";

/// Knows the secrets of one endpoint and takes them out of any text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Redactor {
    secrets: Vec<SecretString>,
}

impl Redactor {
    pub(crate) fn new(secrets: impl IntoIterator<Item = SecretString>) -> Self {
        let mut secrets: Vec<_> = secrets.into_iter().filter(|s| !s.expose_secret().is_empty()).collect();
        // A secret may be a part of another: the longer one first.
        secrets.sort_by_key(|secret| std::cmp::Reverse(secret.expose_secret().len()));
        Self { secrets }
    }

    /// The text without any of the secrets.
    pub(crate) fn scrub(&self, text: &str) -> String {
        self.secrets.iter().fold(text.to_owned(), |text, secret| without(&text, secret.expose_secret()))
    }

    /// The error without any of the secrets.
    pub(crate) fn scrub_error(&self, mut error: ModelError) -> ModelError {
        for field in
            [&mut error.message, &mut error.detail, &mut error.code, &mut error.error_type, &mut error.param]
        {
            *field = field.take().map(|text| self.scrub(&text));
        }
        error
    }
}

fn without(text: &str, secret: &str) -> String {
    if secret.len() >= LONG {
        return text.replace(secret, REDACTED);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(secret) {
        let (before, after) = (&rest[..at], &rest[at + secret.len()..]);
        out.push_str(before);
        let alone = !out.ends_with(is_word) && !after.starts_with(is_word);
        let hidden = alone && (secret.len() >= SHORT || is_value(&out));
        out.push_str(if hidden { REDACTED } else { secret });
        rest = after;
    }
    out.push_str(rest);
    out
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '-')
}

/// Whether what follows this text is given as a value: in quotes, or after a mark or a word that announces one.
fn is_value(before: &str) -> bool {
    let before = before.to_ascii_lowercase();
    let words = before.trim_end();
    ["\"", "'", "`", ":", "="].iter().any(|mark| words.ends_with(mark))
        || ["bearer", "key", "token"].iter().any(|word| words.ends_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(secret: &str, text: &str, expected: &str) {
        assert_eq!(Redactor::new([SecretString::from(secret)]).scrub(text), expected, "{secret:?}");
    }

    #[test]
    fn keys_under_six_characters_are_redacted_where_they_stand_alone() {
        check("abcde", "Incorrect API key provided: abcde.", "Incorrect API key provided: [redacted].");
        check("abcde", "abcdefg and xabcde stay", "abcdefg and xabcde stay");
        check("k3y", "Bearer k3y was refused", "Bearer [redacted] was refused");
        check("sk-1", "{\"key\":\"sk-1\"}", "{\"key\":\"[redacted]\"}");
        check("sk-1", "sk-12 is another", "sk-12 is another");
    }

    #[test]
    fn a_key_of_a_letter_is_redacted_as_a_value_and_not_as_a_word() {
        check("a", "a key is a must: a", "a key is a must: [redacted]");
        check("a", "Bearer a", "Bearer [redacted]");
        check("x", "the key 'x' at index x", "the key '[redacted]' at index x");
    }

    #[test]
    fn a_long_key_is_redacted_wherever_it_stands() {
        check("secret-key", "xsecret-keyx", "x[redacted]x");
        let both = Redactor::new([SecretString::from("secret"), SecretString::from("secret-key")]);
        assert_eq!(both.scrub("secret-key"), "[redacted]", "the longer one first");
    }
}
