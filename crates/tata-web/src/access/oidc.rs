//! Signing in with a company's own directory: the code flow of OpenID Connect with PKCE.
//!
//! Nothing is kept here between leaving for the directory and coming back: the browser holds one secret in a cookie, and
//! state, nonce and challenge are made from it. So any replica can finish what another began, and nobody can finish what
//! another browser began.

mod directory;
mod error;
mod fetch;
mod token;

use std::sync::Arc;

use base64::{
    Engine as _,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use jiff::Timestamp;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tata_core::{Account, AccountRole, Store, StoreError};

use self::{
    directory::{Directory, Known},
    fetch::{is_safe, is_this_machine},
    token::Claims,
};
use crate::encoded::encoded;

pub use self::{
    error::OidcError,
    fetch::{Fetch, FetchFuture, FetchRequest},
};

/// The cookie of a browser that is on its way.
pub(crate) const DOOR_COOKIE: &str = "__Host-tata-door";
/// Where the directory sends people back to.
pub(crate) const BACK: &str = "/sign-in/company/back";
/// How long somebody may take there.
pub(crate) const TIME_AT_DIRECTORY: i64 = 15 * 60;
/// The most characters of a name that is taken over.
const LONGEST_NAME: usize = 200;

/// Whom the server believes, and what for.
#[derive(Clone)]
pub struct OidcOptions {
    /// The directory's address, exactly as it names itself.
    pub issuer: String,
    /// Who we are there.
    pub client_id: String,
    /// How we prove it, if the directory wants that.
    pub client_secret: Option<String>,
    /// The company of those who sign in.
    pub tenant: String,
    /// Verified addresses of those who look after the accounts.
    pub admins: Vec<String>,
    /// If any are named, only people with a verified address of one of these get in.
    pub domains: Vec<String>,
    /// The way to the directory.
    pub fetch: Fetch,
}

/// The directory whose word counts.
pub struct Oidc {
    options: OidcOptions,
    directory: Directory,
}

/// What a browser takes along to the directory.
pub(crate) struct Departure {
    /// Where to.
    pub(crate) address: String,
    /// What the browser keeps meanwhile.
    pub(crate) secret: String,
}

/// What a browser brings back.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Return {
    code: Option<String>,
    state: Option<String>,
    iss: Option<String>,
    error: Option<String>,
}

impl Oidc {
    /// A directory by its address, which must be one that nobody can listen in on.
    pub fn new(options: OidcOptions) -> Result<Self, OidcError> {
        if !is_safe(&options.issuer) {
            let message = format!("the issuer {:?} must begin with https://", options.issuer);
            return Err(OidcError::Setup(message));
        }
        if options.client_id.is_empty() {
            return Err(OidcError::Setup("the directory's client id is missing".to_owned()));
        }
        let directory = Directory::new(options.issuer.clone(), Arc::clone(&options.fetch));
        Ok(Self { options, directory })
    }

    /// The way to the directory for a browser that reached us by `host`.
    pub(crate) async fn depart(&self, host: &str) -> Result<Departure, OidcError> {
        let known = self.directory.known().await?;
        let random = || uuid::Uuid::new_v4().simple().to_string();
        let secret = format!("{}{}", random(), random());
        let fields = [
            ("response_type", "code"),
            ("client_id", &self.options.client_id),
            ("redirect_uri", &back_address(host)),
            ("scope", "openid email profile"),
            ("state", &derived("state", &secret)),
            ("nonce", &derived("nonce", &secret)),
            ("code_challenge", &URL_SAFE_NO_PAD.encode(Sha256::digest(&secret))),
            ("code_challenge_method", "S256"),
        ];
        let fields: Vec<String> =
            fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let joint = if known.authorization_endpoint.contains('?') { '&' } else { '?' };
        let address = format!("{}{joint}{}", known.authorization_endpoint, fields.join("&"));
        Ok(Departure { address, secret })
    }

    /// The account of whoever comes back, and what was done to it.
    pub(super) async fn arrive(
        &self,
        store: &dyn Store,
        now: Timestamp,
        host: &str,
        secret: Option<&str>,
        back: Return,
    ) -> Result<Result<(Account, Option<&'static str>), OidcError>, StoreError> {
        match self.identify(host, secret, back, now).await {
            Ok(claims) => self.account(store, &claims, now).await,
            Err(error) => Ok(Err(error)),
        }
    }

    async fn identify(
        &self,
        host: &str,
        secret: Option<&str>,
        back: Return,
        now: Timestamp,
    ) -> Result<Claims, OidcError> {
        let secret = secret.ok_or(OidcError::Stray("this browser did not set out from here, or long ago"))?;
        if back.state.as_deref() != Some(&derived("state", secret)) {
            return Err(OidcError::Stray("another browser set out"));
        }
        if back.iss.is_some_and(|issuer| issuer != self.options.issuer) {
            return Err(OidcError::Stray("another directory answers"));
        }
        if let Some(error) = back.error {
            return Err(OidcError::Directory(format!("it refuses with {error:?}")));
        }
        let code = back.code.ok_or(OidcError::Stray("there is no code"))?;
        let known = self.directory.known().await?;
        let tokens = self.redeem(&known, host, code, secret).await?;
        let nonce = derived("nonce", secret);
        let mut claims = match self.read(&known, &tokens.id_token, &nonce, now) {
            // The directory may have new keys.
            Err(OidcError::Token(_)) => {
                let renewed = self.directory.renewed().await?;
                self.read(&renewed, &tokens.id_token, &nonce, now)?
            }
            read => read?,
        };
        if claims.email.is_none()
            && let (Some(address), Some(token)) = (&known.userinfo_endpoint, &tokens.access_token)
        {
            claims = self.more(address, token, claims).await?;
        }
        Ok(claims)
    }

    /// The tokens for a code.
    async fn redeem(
        &self,
        known: &Known,
        host: &str,
        code: String,
        secret: &str,
    ) -> Result<Tokens, OidcError> {
        let mut form = vec![
            ("grant_type".to_owned(), "authorization_code".to_owned()),
            ("code".to_owned(), code),
            ("redirect_uri".to_owned(), back_address(host)),
            ("code_verifier".to_owned(), secret.to_owned()),
        ];
        let id = &self.options.client_id;
        let authorization = match &self.options.client_secret {
            Some(secret) if known.takes_basic() => {
                let pair = format!("{}:{}", encoded(id), encoded(secret));
                Some(format!("Basic {}", STANDARD.encode(pair)))
            }
            secret => {
                form.push(("client_id".to_owned(), id.clone()));
                form.extend(secret.iter().map(|secret| ("client_secret".to_owned(), secret.clone())));
                None
            }
        };
        let request = FetchRequest { address: known.token_endpoint.clone(), form, authorization };
        self.directory.ask(request).await
    }

    fn read(&self, known: &Known, token: &str, nonce: &str, now: Timestamp) -> Result<Claims, OidcError> {
        token::read(token, &known.keys, &self.options.issuer, &self.options.client_id, nonce, now)
    }

    /// What the token left out: many directories tell addresses on demand only.
    async fn more(&self, address: &str, token: &str, claims: Claims) -> Result<Claims, OidcError> {
        let authorization = Some(format!("Bearer {token}"));
        let request = FetchRequest { address: address.to_owned(), form: Vec::new(), authorization };
        let more: Claims = self.directory.ask(request).await?;
        if more.sub != claims.sub {
            return Err(OidcError::Token("the directory tells of somebody else".to_owned()));
        }
        Ok(Claims {
            email: more.email,
            email_verified: more.email_verified,
            preferred_username: claims.preferred_username.or(more.preferred_username),
            name: claims.name.or(more.name),
            ..claims
        })
    }

    /// The account that belongs to somebody, and what was done to it. It is theirs by the directory's own id for them; an
    /// account that an admin made before is theirs by its address, if the directory vouches for that.
    async fn account(
        &self,
        store: &dyn Store,
        claims: &Claims,
        now: Timestamp,
    ) -> Result<Result<(Account, Option<&'static str>), OidcError>, StoreError> {
        let refused = |why| Ok(Err(OidcError::NotAllowed(why)));
        let verified = claims.verified();
        let listed = |list: &[String], what: &str| list.iter().any(|one| one.eq_ignore_ascii_case(what));
        let domain = verified.and_then(|address| address.rsplit_once('@'));
        let welcome = domain.is_some_and(|(_, domain)| listed(&self.options.domains, domain));
        if !welcome && !self.options.domains.is_empty() {
            return refused("no verified address of an allowed domain");
        }
        let id = account_id(&self.options.issuer, &claims.sub);
        let mut found = store.account(id.clone()).await?;
        if let (None, Some(address)) = (&found, verified) {
            found = store.account_named(address.to_owned()).await?;
            found = found.filter(|found| found.tenant == self.options.tenant);
        }
        if found.as_ref().is_some_and(|found| found.disabled) {
            return refused("the account is disabled");
        }
        let mut change = found.is_none().then_some("account.made");
        let mut account = found.unwrap_or_else(|| Account {
            id,
            tenant: self.options.tenant.clone(),
            name: claims.label().chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect(),
            role: AccountRole::Recruiter,
            password: None,
            disabled: false,
            created_at: now,
        });
        let is_admin = verified.is_some_and(|address| listed(&self.options.admins, address));
        if is_admin && account.role != AccountRole::Admin {
            account.role = AccountRole::Admin;
            change = change.or(Some("account.changed"));
        }
        if change.is_some() {
            match store.save_account(account.clone()).await {
                Err(StoreError::Exists { .. }) => return refused("another account has the name"),
                saved => saved?,
            }
        }
        Ok(Ok((account, change)))
    }
}

/// What the directory gives for a code.
#[derive(Deserialize)]
struct Tokens {
    id_token: String,
    access_token: Option<String>,
}

/// The id of an account of the directory: the same for the same person, and nobody else's.
fn account_id(issuer: &str, subject: &str) -> String {
    let digest = tata_core::hash_secret(&format!("{issuer}\n{subject}"));
    format!("oidc-{}", digest.get(..32).unwrap_or(&digest))
}

/// A value that only whoever holds the secret can tell.
fn derived(what: &str, secret: &str) -> String {
    tata_core::hash_secret(&format!("{what} {secret}"))
}

/// Where the directory sends a browser back to. The host is one that the server was told; whatever is not this machine is
/// behind TLS.
fn back_address(host: &str) -> String {
    let scheme = if is_this_machine(host) { "http" } else { "https" };
    format!("{scheme}://{host}{BACK}")
}

#[cfg(test)]
mod tests;
