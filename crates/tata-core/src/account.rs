//! People who sign in, and the tokens by which a program or a browser is known as theirs.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{account_name::name_key, audit::hex, visible::is_invisible};

/// Somebody who may sign in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The id that sessions are kept under; it never changes.
    pub id: String,
    /// The company they belong to.
    pub tenant: String,
    /// The name they sign in with, such as an e-mail address; no two are alike.
    pub name: String,
    /// What they may do.
    pub role: AccountRole,
    /// The hash of their password, as its algorithm writes it; none where somebody else vouches for them.
    pub password: Option<String>,
    /// They may no longer sign in.
    pub disabled: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// The person of a directory it belongs to; none for one that nobody of a directory has signed in with yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<DirectoryPerson>,
    /// Whether the directory's list of admins gave it its role, and so can take it away. Not for a role that an admin gave.
    #[serde(default)]
    pub role_by_directory: bool,
}

/// Somebody whom a directory knows, by what never changes and is never given to somebody else: addresses and names are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectoryPerson {
    /// The directory, as it names itself.
    pub issuer: String,
    /// Its own id for the person, `sub`.
    pub subject: String,
}

impl Account {
    /// A new account with an id of its own.
    pub fn new(tenant: String, name: String, role: AccountRole, password: String, now: Timestamp) -> Self {
        let id = uuid::Uuid::new_v4().to_string();
        let (person, role_by_directory) = (None, false);
        Self {
            id,
            tenant,
            name,
            role,
            password: Some(password),
            disabled: false,
            created_at: now,
            person,
            role_by_directory,
        }
    }
}

/// The most characters of an account's name.
pub const LONGEST_ACCOUNT_NAME: usize = 200;

/// Why a name is not taken for an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAccountName {
    /// Nothing, or too much.
    #[error("the name must have 1 to {LONGEST_ACCOUNT_NAME} characters; it has {0}")]
    Length(usize),
    /// A character that nobody sees, or that changes how others are shown.
    #[error("the name has an invisible character, U+{0:04X}; type it again without")]
    Invisible(u32),
    /// Letters of several alphabets in one word, as names have that are made to look like another.
    #[error("a word of the name has letters of several alphabets, {0:?} and {1:?}; type it in one")]
    MixedAlphabets(char, char),
    /// A name under which the program itself acts.
    #[error("this name stands for the program itself; choose another")]
    Reserved,
}

/// Names by which the audit trail tells of acts without an account, or that could be taken for the program's.
const RESERVED: [&str; 9] =
    ["administrator", "command line", "deleted", "operator", "person", "program", "server", "system", "tata"];

/// Checks the name of a new account: what looks like another account must not be taken for it. A store also refuses a name
/// that looks like one it has.
pub fn check_account_name(name: &str) -> Result<(), BadAccountName> {
    let length = name.chars().count();
    if name.trim().is_empty() || length > LONGEST_ACCOUNT_NAME {
        return Err(BadAccountName::Length(length));
    }
    if let Some(letter) = name.chars().find(|letter| is_unseen(*letter)) {
        return Err(BadAccountName::Invisible(letter.into()));
    }
    if RESERVED.contains(&name_key(name).as_str()) {
        return Err(BadAccountName::Reserved);
    }
    for word in name.split(|letter: char| !letter.is_alphanumeric()) {
        let mut known = None;
        for letter in word.chars() {
            let Some(alphabet) = alphabet(letter) else { continue };
            match known {
                Some((first, other)) if other != alphabet => {
                    return Err(BadAccountName::MixedAlphabets(first, letter));
                }
                Some(_) => {}
                None => known = Some((letter, alphabet)),
            }
        }
    }
    Ok(())
}

/// Control characters, those without ink, and every space but the usual one.
fn is_unseen(letter: char) -> bool {
    is_invisible(letter) || letter.is_control() || (letter.is_whitespace() && letter != ' ')
}

/// The alphabets that have letters in common to the eye.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Latin,
    Greek,
    Cyrillic,
    Armenian,
    Georgian,
    Cherokee,
}

fn alphabet(letter: char) -> Option<Alphabet> {
    if !letter.is_alphabetic() {
        return None;
    }
    Some(match u32::from(letter) {
        0x41..=0x24F | 0x1E00..=0x1EFF | 0x2C60..=0x2C7F | 0xA720..=0xA7FF | 0xFF21..=0xFF5A => {
            Alphabet::Latin
        }
        0x370..=0x3FF | 0x1F00..=0x1FFF => Alphabet::Greek,
        0x400..=0x52F | 0x1C80..=0x1C8F | 0x2DE0..=0x2DFF | 0xA640..=0xA69F => Alphabet::Cyrillic,
        0x530..=0x58F => Alphabet::Armenian,
        0x10A0..=0x10FF | 0x1C90..=0x1CBF | 0x2D00..=0x2D2F => Alphabet::Georgian,
        0x13A0..=0x13FF | 0xAB70..=0xABBF => Alphabet::Cherokee,
        _ => return None,
    })
}

/// What an account may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountRole {
    /// Their own projects.
    Recruiter,
    /// Also the accounts, keys and audit of their company.
    Admin,
}

impl AccountRole {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Recruiter => "recruiter",
            Self::Admin => "admin",
        }
    }
}

/// By what somebody is known after they signed in. The secret itself is not kept, only its hash.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessToken {
    /// The hash of the secret, by [`hash_secret`].
    pub hash: String,
    /// Whose it is.
    pub account: String,
    /// What it is for.
    pub kind: TokenKind,
    /// What its owner calls it.
    pub label: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; none does not.
    pub expires_at: Option<Timestamp>,
    /// When it was last seen in use, to some minutes; none where that is not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub used_at: Option<Timestamp>,
}

/// How long a browser may be left alone and stay signed in.
pub const LONGEST_IDLE: SignedDuration = SignedDuration::from_hours(2);

/// What a token is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A program calls with it.
    ApiKey,
    /// A browser is signed in with it.
    Browser,
}

impl AccessToken {
    /// Whether it still counts. A browser that nobody uses is signed out before its time.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        let idle = now.duration_since(self.used_at.unwrap_or(self.created_at));
        let is_left_alone = self.kind == TokenKind::Browser && idle >= LONGEST_IDLE;
        self.expires_at.is_none_or(|end| now < end) && !is_left_alone
    }
}

/// The hash under which a secret of ours is kept. Such secrets are random and long, so one round is enough.
pub fn hash_secret(secret: &str) -> String {
    hex(&Sha256::digest(secret))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_that_is_left_alone_is_signed_out() {
        let at = |hours: i64| Timestamp::from_second(1_800_000_000 + hours * 3600).unwrap();
        let token = |kind: TokenKind, used: Option<i64>| AccessToken {
            hash: String::new(),
            account: String::new(),
            kind,
            label: String::new(),
            created_at: at(0),
            expires_at: Some(at(12)),
            used_at: used.map(at),
        };
        for (kind, used, now, valid) in [
            (TokenKind::Browser, None, 1, true),
            (TokenKind::Browser, None, 2, false),
            (TokenKind::Browser, Some(10), 11, true),
            (TokenKind::Browser, Some(9), 11, false),
            (TokenKind::Browser, Some(12), 12, false),
            (TokenKind::ApiKey, None, 11, true),
            (TokenKind::ApiKey, Some(1), 12, false),
        ] {
            assert_eq!(token(kind, used).is_valid(at(now)), valid, "{kind:?}, used {used:?}, hour {now}");
        }
    }

    #[test]
    fn a_name_that_is_made_to_look_like_another_is_refused() {
        for good in ["anna@acme.example", "Åsa Öberg", "анна@acme.example", "Łukasz-O'Neil 2", "李雷"]
        {
            assert_eq!(check_account_name(good), Ok(()), "{good}");
        }
        let long = "a".repeat(LONGEST_ACCOUNT_NAME + 1);
        for (bad, why) in [
            ("", BadAccountName::Length(0)),
            ("  ", BadAccountName::Length(2)),
            (long.as_str(), BadAccountName::Length(201)),
            ("anna@acme.example\u{200b}", BadAccountName::Invisible(0x200b)),
            ("anna\u{e0061}", BadAccountName::Invisible(0xe0061)),
            ("anna\u{3164}", BadAccountName::Invisible(0x3164)),
            ("anna\u{202e}", BadAccountName::Invisible(0x202e)),
            ("anna\u{a0}b", BadAccountName::Invisible(0xa0)),
            ("an\nna", BadAccountName::Invisible(0xa)),
            ("\u{430}nna@acme.example", BadAccountName::MixedAlphabets('\u{430}', 'n')),
            ("b\u{3bf}ss", BadAccountName::MixedAlphabets('b', '\u{3bf}')),
        ] {
            assert_eq!(check_account_name(bad), Err(why), "{bad:?}");
        }
    }
}
