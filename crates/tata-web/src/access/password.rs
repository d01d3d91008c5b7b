//! Passwords: kept as Argon2id hashes, looked at by few at a time.

use std::{
    collections::{HashMap, HashSet, VecDeque},
    hash::{BuildHasher, RandomState},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use argon2::{
    Algorithm, Argon2, Block, Params, Version,
    password_hash::phc::{Output, ParamsString, PasswordHash, Salt},
};
use axum::http::StatusCode;
use jiff::{SignedDuration, Timestamp};
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
    check_password(name, password)?;
    hash_in(password, &mut Vec::new()).ok_or(WeakPassword::NotHashed)
}

fn check_password(name: &str, password: &str) -> Result<(), WeakPassword> {
    let length = password.chars().count();
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&length) {
        return Err(WeakPassword::Length(length));
    }
    if password.eq_ignore_ascii_case(name) {
        return Err(WeakPassword::Name);
    }
    Ok(())
}

/// The hash of a password. The memory is used again for the next one: allocated anew for each, it is kept by the allocator
/// once for every thread that ever hashed.
fn hash_in(password: &str, memory: &mut Vec<Block>) -> Option<String> {
    let (argon2, salt) = (Argon2::default(), Salt::generate());
    let mut computed = [0; Params::DEFAULT_OUTPUT_LEN];
    memory.resize(memory.len().max(argon2.params().block_count()), Block::default());
    argon2.hash_password_into_with_memory(password.as_bytes(), &salt, &mut computed, memory).ok()?;
    let hash = PasswordHash {
        algorithm: Algorithm::default().ident(),
        version: Some(Version::default().into()),
        params: ParamsString::try_from(argon2.params()).ok()?,
        salt: Some(salt),
        hash: Some(Output::new(&computed).ok()?),
    };
    Some(hash.to_string())
}

/// Whether a password is the one that was hashed.
fn is_right(hash: &str, password: &str, memory: &mut Vec<Block>) -> bool {
    let Ok(hash) = PasswordHash::new(hash) else { return false };
    let (Some(salt), Some(expected)) = (&hash.salt, &hash.hash) else { return false };
    let algorithm = Algorithm::try_from(hash.algorithm.as_str());
    let version = hash.version.map_or(Ok(Version::default()), Version::try_from);
    let (Ok(algorithm), Ok(version), Ok(params)) = (algorithm, version, Params::try_from(&hash)) else {
        return false;
    };
    memory.resize(memory.len().max(params.block_count()), Block::default());
    let argon2 = Argon2::new(algorithm, version, params);
    let mut computed = vec![0; expected.len()];
    let password = password.as_bytes();
    let hashed = argon2.hash_password_into_with_memory(password, salt, &mut computed, memory);
    // Takes as long wherever the two differ.
    let differs = computed.iter().zip(expected.as_bytes()).fold(0, |sum, (a, b)| sum | (a ^ b));
    hashed.is_ok() && differs == 0
}

/// Looks at passwords: not many at once, and not often for one name.
pub(crate) struct Passwords {
    room: Arc<Semaphore>,
    /// The memory of those who are in the room.
    memory: Arc<Mutex<Vec<Vec<Block>>>>,
    /// Tries with a name from one place.
    tries: Rates,
    /// Tries with a name from anywhere, but for places from which it signed in before: many places that try together do
    /// not keep the right person out.
    names: Rates,
    places: Mutex<Places>,
    /// What the audit is told of wrong tries.
    pub(crate) refused: RefusedSignIns,
    /// Those who change their own password; others' tries do not count here.
    changes: Rates,
}

/// What a name that nobody has is compared with, so that it takes as long. Made once, when the server starts.
static HASH_OF_NOBODY: LazyLock<String> =
    LazyLock::new(|| hash_in("nobody's password", &mut Vec::new()).unwrap_or_default());

/// Sign-ins that were refused, by account.
#[derive(Default)]
pub(crate) struct RefusedSignIns(Mutex<HashMap<String, RefusedToday>>);

/// How many there were since a moment, which is at most a day ago.
struct RefusedToday {
    since: Timestamp,
    count: u64,
}

/// Beyond it, they are counted anew.
const COUNTED_FOR: SignedDuration = SignedDuration::from_hours(24);

impl RefusedSignIns {
    /// Counts one more, and says what the audit has to tell of it: of the 1st of a day, the 10th, the 100th and so on, so
    /// that strangers who go on trying do not fill it.
    pub(crate) fn count(&self, account: &str, now: Timestamp) -> Option<String> {
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let anew = || RefusedToday { since: now, count: 0 };
        let today = accounts.entry(account.to_owned()).or_insert_with(anew);
        if now.duration_since(today.since) >= COUNTED_FOR {
            *today = anew();
        }
        today.count += 1;
        match today.count {
            1 => Some(String::new()),
            count if is_power_of_ten(count) => Some(format!("{count} times since {}", today.since)),
            _ => None,
        }
    }
}

fn is_power_of_ten(number: u64) -> bool {
    10_u64.checked_pow(number.ilog10()) == Some(number)
}

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
            room: Arc::new(Semaphore::new(AT_ONCE)),
            memory: Arc::default(),
            tries: Rates::new(0.05, 8.0),
            names: Rates::new(0.2, 60.0),
            places: Mutex::default(),
            refused: RefusedSignIns::default(),
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
        let is_right = self.in_room(move |memory| is_right(&hash, &password, memory)).await?;
        Ok(is_right && known)
    }

    /// Works with the memory of one who hashes, without keeping others waiting.
    async fn in_room<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Vec<Block>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let kept = Arc::clone(&self.memory);
        let place = Arc::clone(&self.room).acquire_owned().await;
        let done = spawn_blocking(move || {
            // Held until the work is done: whoever hangs up does not end it.
            let _place = place;
            let free = || kept.lock().unwrap_or_else(PoisonError::into_inner);
            let mut memory = free().pop().unwrap_or_default();
            let done = work(&mut memory);
            free().push(memory);
            done
        })
        .await;
        done.map_err(|_| {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The password was not looked at.")
        })
    }

    /// Hashes a password without keeping others waiting.
    pub(crate) async fn hash(&self, name: &str, password: String) -> Result<String, Problem> {
        let weak = |weak: WeakPassword| Problem::invalid("password", weak.to_string());
        check_password(name, &password).map_err(weak)?;
        let hash = self.in_room(move |memory| hash_in(&password, memory)).await?;
        hash.ok_or_else(|| weak(WeakPassword::NotHashed))
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
    fn wrong_tries_are_counted_and_few_are_told() {
        let refused = RefusedSignIns::default();
        let at = |hours: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(hours);
        let told: Vec<_> = (0..100_000).filter_map(|_| refused.count("anna", at(1))).collect();
        assert_eq!(told.len(), 6, "{told:?}");
        assert_eq!((told[0].as_str(), told[3].as_str()), ("", "1000 times since 1970-01-01T01:00:00Z"));
        assert_eq!(refused.count("bo", at(1)).as_deref(), Some(""), "others are counted apart");
        assert_eq!(refused.count("anna", at(24)), None);
        assert_eq!(refused.count("anna", at(25)).as_deref(), Some(""), "a new day");
    }

    #[test]
    fn a_password_is_kept_as_a_salted_argon2id_hash() {
        let (one, two) =
            (hash_password("anna", "correct horse battery"), hash_password("anna", "correct horse battery"));
        let (one, two) = (one.unwrap(), two.unwrap());
        assert!(one.starts_with("$argon2id$") && one != two, "{one}");
        let mut memory = Vec::new();
        assert!(is_right(&one, "correct horse battery", &mut memory));
        assert!(!is_right(&one, "correct horse batterz", &mut memory));
        assert!(is_right(&two, "correct horse battery", &mut memory), "after another password");
        assert!(!is_right("not a hash", "correct horse battery", &mut memory));
        assert_eq!(hash_password("anna", "short"), Err(WeakPassword::Length(5)));
        assert_eq!(hash_password("anna@acme.example", "Anna@acme.example"), Err(WeakPassword::Name));
    }
}
