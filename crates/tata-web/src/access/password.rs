//! Passwords: kept as Argon2id hashes, looked at by few at a time.

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use axum::http::StatusCode;
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{Problem, limits::Rates};

/// The fewest characters of a password. Length is what counts; nothing else is asked for.
pub const SHORTEST_PASSWORD: usize = 12;
/// The most: hashing takes time.
pub const LONGEST_PASSWORD: usize = 256;
/// Each takes 19 MB while it is hashed.
const AT_ONCE: usize = 4;

/// Why a password is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WeakPassword {
    /// Too short or too long.
    #[error("a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters; this one has {0}")]
    Length(usize),
    /// It is the name.
    #[error("the name is no password")]
    Name,
    /// It could not be hashed.
    #[error("the password could not be hashed")]
    NotHashed,
}

/// Hashes a password of whoever signs in with `name`, if it is one.
pub fn hash_password(name: &str, password: &str) -> Result<String, WeakPassword> {
    let length = password.chars().count();
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&length) {
        return Err(WeakPassword::Length(length));
    }
    if password.eq_ignore_ascii_case(name) {
        return Err(WeakPassword::Name);
    }
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|hash| hash.to_string()).map_err(|_| WeakPassword::NotHashed)
}

/// Whether a password is the one that was hashed.
fn is_right(hash: &str, password: &str) -> bool {
    let Ok(hash) = PasswordHash::new(hash) else { return false };
    Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
}

/// Looks at passwords: not many at once, and not often for one name.
pub(crate) struct Passwords {
    room: Semaphore,
    tries: Rates,
    /// What a name that nobody has is compared with, so that it takes as long.
    nobody: String,
}

impl Default for Passwords {
    fn default() -> Self {
        let nobody = Argon2::default().hash_password(b"nobody's password");
        Self {
            room: Semaphore::new(AT_ONCE),
            tries: Rates::slow(0.05, 8),
            nobody: nobody.map(|hash| hash.to_string()).unwrap_or_default(),
        }
    }
}

impl Passwords {
    /// Whether the password is right. A name without a hash takes as long and is never right.
    pub(crate) async fn check(
        &self,
        name: &str,
        hash: Option<String>,
        password: String,
    ) -> Result<bool, Problem> {
        self.tries.take(name).map_err(|_| {
            let detail = "Too many sign-ins with this name. Try again in a minute.";
            Problem::busy("too_many_sign_ins", detail, 60)
        })?;
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobody.clone());
        let _place = self.room.acquire().await;
        let looked = spawn_blocking(move || is_right(&hash, &password)).await;
        let ended =
            |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The password was not checked.");
        Ok(looked.map_err(ended)? && known)
    }

    /// Hashes a password without keeping others waiting.
    pub(crate) async fn hash(&self, name: &str, password: String) -> Result<String, Problem> {
        let _place = self.room.acquire().await;
        let name = name.to_owned();
        let hashed = spawn_blocking(move || hash_password(&name, &password)).await;
        let ended =
            |_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The password was not hashed.");
        hashed.map_err(ended)?.map_err(|weak| Problem::invalid("password", weak.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_kept_as_a_salted_argon2id_hash() {
        let (one, two) =
            (hash_password("anna", "correct horse battery"), hash_password("anna", "correct horse battery"));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert!(one.starts_with("$argon2id$") && one != two, "{one}");
        assert!(is_right(&one, "correct horse battery"));
        assert!(!is_right(&one, "correct horse batterz"));
        assert!(!is_right("not a hash", "correct horse battery"));
        assert_eq!(hash_password("anna", "short"), Err(WeakPassword::Length(5)));
        assert_eq!(hash_password("anna@acme.example", "Anna@acme.example"), Err(WeakPassword::Name));
    }
}
