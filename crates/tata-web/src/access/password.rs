//! Passwords: kept as Argon2id hashes, looked at by few at a time.

use std::{
    collections::{HashSet, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{LazyLock, Mutex, PoisonError},
};

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use axum::http::StatusCode;
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{
    Problem,
    limits::{Empty, Rates},
    peer::Peer,
};

/// The fewest characters of a password. Length is what counts; nothing else is asked for.
pub const SHORTEST_PASSWORD: usize = 12;
/// The most: hashing takes time.
pub const LONGEST_PASSWORD: usize = 256;
/// Each takes 19 MB while it is hashed, whoever asks: anybody may try to sign in.
const AT_ONCE: usize = 2;

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
    /// Tries with a name from one place.
    tries: Rates,
    /// Tries with a name from anywhere, but for places from which it signed in before: many places that try together do
    /// not keep the right person out.
    names: Rates,
    places: Mutex<Places>,
    /// Those who change their own password; others' tries do not count here.
    changes: Rates,
}

/// What a name that nobody has is compared with, so that it takes as long. Made once, when the server starts.
static HASH_OF_NOBODY: LazyLock<String> = LazyLock::new(|| {
    let hash = Argon2::default().hash_password(b"nobody's password");
    hash.map(|hash| hash.to_string()).unwrap_or_default()
});

/// Places from which somebody signed in, with their name, the oldest first.
#[derive(Default)]
struct Places {
    hasher: RandomState,
    known: HashSet<u64>,
    order: VecDeque<u64>,
}

/// The most of them.
const MOST_PLACES: usize = 10_000;

impl Places {
    fn has(&self, name: &str, peer: Peer) -> bool {
        self.known.contains(&self.hasher.hash_one((name, peer)))
    }

    fn put(&mut self, name: &str, peer: Peer) {
        let place = self.hasher.hash_one((name, peer));
        if self.known.insert(place) {
            self.order.push_back(place);
        }
        if self.order.len() > MOST_PLACES
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
    }
}

impl Default for Passwords {
    fn default() -> Self {
        // Not with the first try: that one would take longer.
        LazyLock::force(&HASH_OF_NOBODY);
        Self {
            room: Semaphore::new(AT_ONCE),
            tries: Rates::new(0.05, 8.0),
            names: Rates::new(0.2, 60.0),
            places: Mutex::default(),
            changes: Rates::new(0.05, 8.0),
        }
    }
}

impl Passwords {
    /// Whether the password of whoever signs in is right. A name without a hash takes as long and is never right.
    pub(crate) async fn check(
        &self,
        name: &str,
        peer: Peer,
        hash: Option<String>,
        password: String,
    ) -> Result<bool, Problem> {
        self.tries.take((name, peer)).map_err(too_many)?;
        let known = self.places.lock().unwrap_or_else(PoisonError::into_inner).has(name, peer);
        if !known {
            self.names.take(name).map_err(too_many)?;
        }
        let right = self.is_right(hash, password).await?;
        if right {
            // Who knows the password has not tried.
            self.tries.give_back((name, peer), 1.0);
            if !known {
                self.names.give_back(name, 1.0);
            }
            self.places.lock().unwrap_or_else(PoisonError::into_inner).put(name, peer);
        }
        Ok(right)
    }

    /// Whether the password of somebody who is signed in is right.
    pub(crate) async fn check_own(
        &self,
        account: &str,
        hash: Option<String>,
        password: String,
    ) -> Result<bool, Problem> {
        self.changes.take(account).map_err(too_many)?;
        self.is_right(hash, password).await
    }

    async fn is_right(&self, hash: Option<String>, password: String) -> Result<bool, Problem> {
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| HASH_OF_NOBODY.clone());
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

fn too_many(_: Empty) -> Problem {
    let detail = "Too many sign-ins with this name. Try again in a minute.";
    Problem::busy("too_many_sign_ins", detail, 60)
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
