//! People who sign in, and the tokens by which a program or a browser is known as theirs.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::audit::hex;

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
}

impl Account {
    /// A new account with an id of its own.
    pub fn new(tenant: String, name: String, role: AccountRole, password: String, now: Timestamp) -> Self {
        let id = uuid::Uuid::new_v4().to_string();
        Self { id, tenant, name, role, password: Some(password), disabled: false, created_at: now }
    }
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
}

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
    /// Whether it still counts.
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }
}

/// The hash under which a secret of ours is kept. Such secrets are random and long, so one round is enough.
pub fn hash_secret(secret: &str) -> String {
    hex(&Sha256::digest(secret))
}
