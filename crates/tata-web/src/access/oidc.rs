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
use tata_core::{Account, AccountRole, Accounts, DirectoryPerson, StoreError, check_account_name};

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
/// How the ids of accounts begin that the directory made.
const DIRECTORY_ID: &str = "oidc-";
/// The most characters of the directory's id for a person in the name of an account.
const LONGEST_SUBJECT: usize = 100;

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
            ("scope", "openid email"),
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
        store: &dyn Accounts,
        now: Timestamp,
        host: &str,
        secret: Option<&str>,
        back: Return,
    ) -> Result<Result<Arrival, OidcError>, StoreError> {
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
        Ok(Claims { email: more.email, email_verified: more.email_verified, ..claims })
    }

    /// The account that belongs to somebody, and what was done to it. It is theirs by the directory's own id for them, and by
    /// nothing else: names and addresses change, and are given to others. The one exception is an account that an admin
    /// prepared for an address: it has no password, nobody of a directory owns it yet, and the directory vouches for the
    /// address.
    async fn account(
        &self,
        store: &dyn Accounts,
        claims: &Claims,
        now: Timestamp,
    ) -> Result<Result<Arrival, OidcError>, StoreError> {
        let refused = |why| Ok(Err(OidcError::NotAllowed(why)));
        let address = claims.verified();
        let domain = address.and_then(|address| address.rsplit_once('@'));
        let welcome = domain.is_some_and(|(_, domain)| is_listed(&self.options.domains, domain));
        if !welcome && !self.options.domains.is_empty() {
            return refused("no verified address of an allowed domain");
        }
        let mut changes = Vec::new();
        let found = match self.owned(store, &claims.sub).await? {
            Some(found) => Some(found),
            None => self.prepared(store, address).await?,
        };
        if found.as_ref().is_some_and(|found| found.disabled) {
            return refused("the account is disabled");
        }
        // Whoever signs in to it by password may be somebody else, and may have left conversations and keys.
        if found.as_ref().is_some_and(|found| found.person.is_none() && found.password.is_some()) {
            return refused(
                "an account with this address has a password; an admin must hand it over first: tata account directory NAME",
            );
        }
        let is_new = found.is_none();
        let mut account = found.unwrap_or_else(|| Account {
            id: account_id(&self.options.issuer, &claims.sub),
            tenant: self.options.tenant.clone(),
            name: usual_name(claims),
            role: AccountRole::Recruiter,
            password: None,
            disabled: false,
            created_at: now,
            person: None,
            role_by_directory: false,
        });
        if account.person.is_none() {
            account.person = Some(self.person(&claims.sub));
            changes.push(if is_new { "account.made" } else { "account.linked" });
        }
        if self.give_role(&mut account, address) && !is_new {
            changes.push("account.changed");
        }
        if changes.is_empty() {
            return Ok(Ok(Arrival { account, changes }));
        }
        if is_new {
            return Ok(save_new(store, account).await?.map(|account| Arrival { account, changes }));
        }
        match store.save_account(account.clone()).await {
            // Somebody else of the directory was quicker.
            Err(StoreError::Exists { .. }) => refused("the person has another account"),
            saved => saved.map(|()| Ok(Arrival { account, changes })),
        }
    }

    /// Takes the role of an admin from those whom the list of admins gave it and names no more, by what they are called: keys
    /// and browsers would keep it until the next sign-in. Whoever is on the list by another address has it again then.
    pub(crate) async fn take_off_list(&self, store: &dyn Accounts) -> Result<Vec<Account>, StoreError> {
        let mut taken = Vec::new();
        for account in store.accounts(Some(self.options.tenant.clone())).await? {
            let by_the_list = account.role == AccountRole::Admin && account.role_by_directory;
            if !by_the_list || is_listed(&self.options.admins, &account.name) {
                continue;
            }
            let account = Account { role: AccountRole::Recruiter, role_by_directory: false, ..account };
            store.save_account(account.clone()).await?;
            taken.push(account);
        }
        Ok(taken)
    }

    fn person(&self, subject: &str) -> DirectoryPerson {
        DirectoryPerson { issuer: self.options.issuer.clone(), subject: subject.to_owned() }
    }

    /// The account that the directory's id for somebody stands in.
    async fn owned(&self, store: &dyn Accounts, subject: &str) -> Result<Option<Account>, StoreError> {
        if let Some(found) = store.account_of_person(self.person(subject)).await? {
            return Ok(Some(found));
        }
        // Accounts from before it stood in them have an id that was made of it.
        store.account(account_id(&self.options.issuer, subject)).await
    }

    /// The account that an admin prepared for an address, if nobody of a directory owns it.
    async fn prepared(
        &self,
        store: &dyn Accounts,
        address: Option<&str>,
    ) -> Result<Option<Account>, StoreError> {
        let Some(address) = address else { return Ok(None) };
        let found = store.account_named(address.to_owned()).await?;
        Ok(found.filter(|found| {
            // A name that only looks like the address was prepared for somebody else.
            found.name.trim().eq_ignore_ascii_case(address.trim())
                && found.tenant == self.options.tenant
                && found.person.is_none()
                && !found.id.starts_with(DIRECTORY_ID)
        }))
    }

    /// Gives an account the role that the list of admins says; tells whether that changed it. What an admin gave stays.
    fn give_role(&self, account: &mut Account, address: Option<&str>) -> bool {
        let is_admin = address.is_some_and(|address| is_listed(&self.options.admins, address));
        let (role, by_directory) = (account.role, account.role_by_directory);
        if is_admin && role != AccountRole::Admin {
            (account.role, account.role_by_directory) = (AccountRole::Admin, true);
        } else if is_admin && account.id.starts_with(DIRECTORY_ID) {
            // Of an account that the directory made, from before it was written down where the role came from.
            account.role_by_directory = true;
        } else if !is_admin && by_directory {
            (account.role, account.role_by_directory) = (AccountRole::Recruiter, false);
        }
        (role, by_directory) != (account.role, account.role_by_directory)
    }
}

/// Who came back from the directory.
#[derive(Debug)]
pub(super) struct Arrival {
    /// Their account.
    pub(super) account: Account,
    /// What was done to it, for the audit.
    pub(super) changes: Vec<&'static str>,
}

/// Whether a list has a text, whatever the case of its letters.
fn is_listed(list: &[String], text: &str) -> bool {
    list.iter().any(|one| one.trim().eq_ignore_ascii_case(text.trim()))
}

/// What an account of the directory is called: the address that it vouches for, or its own id for the person. What people
/// choose for themselves, such as a user name, names nobody: it could be another's.
fn usual_name(claims: &Claims) -> String {
    let address = claims.verified().filter(|address| check_account_name(address).is_ok());
    if let Some(address) = address {
        return address.to_owned();
    }
    // The id goes through a digest where it could be taken for something else.
    let plain = claims.sub.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_|".contains(&byte));
    let id = if plain { claims.sub.clone() } else { tata_core::hash_secret(&claims.sub) };
    format!("directory {}", id.chars().take(LONGEST_SUBJECT).collect::<String>())
}

/// How many accounts may be called alike, told apart by a number.
const MOST_NAMESAKES: u32 = 20;

/// Keeps a new account, under another name where somebody has the name: an address may be given to another person, who
/// shall be able to work while an admin clears up whose the old account is.
async fn save_new(store: &dyn Accounts, account: Account) -> Result<Result<Account, OidcError>, StoreError> {
    let name = account.name.clone();
    for number in 1..=MOST_NAMESAKES {
        let name = if number == 1 { name.clone() } else { format!("{name} ({number})") };
        let account = Account { name, ..account.clone() };
        match store.save_account(account.clone()).await {
            Err(StoreError::Exists { .. }) => {}
            saved => return saved.map(|()| Ok(account)),
        }
    }
    Ok(Err(OidcError::NotAllowed("too many accounts have the name; an admin must clear them up")))
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
    format!("{DIRECTORY_ID}{}", digest.get(..32).unwrap_or(&digest))
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
