//! Who calls. On a machine with one person that is the person; on a server for many it is whoever a token belongs to,
//! and they get an [`App`] that sees their company and their sessions alone.

pub(crate) mod oidc;
mod password;

use std::sync::Arc;

use axum::http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{AUTHORIZATION, COOKIE},
};
use jiff::{SignedDuration, Timestamp};
use tata_core::{AccessToken, Account, AccountRole, NewAudit, Store, TokenKind, hash_secret};

use self::oidc::{Arrival, Oidc, OidcError, Return};
use crate::{
    Problem,
    state::{App, ServerState},
};

pub(crate) use password::Passwords;
pub use password::{LONGEST_PASSWORD, SHORTEST_PASSWORD, WeakPassword, hash_password};

/// The cookie of a browser that is signed in. The prefix has browsers keep it to this host, to TLS and to us.
pub(crate) const COOKIE_NAME: &str = "__Host-tata";
/// How long a browser stays signed in.
const BROWSER_TIME: SignedDuration = SignedDuration::from_hours(12);
/// How exact the time of the last use is.
const USE_IS_NOTED_EVERY: SignedDuration = SignedDuration::from_mins(5);
/// How long a key lasts when nobody says: long enough for a program, and nobody need remember to end it.
pub const KEY_DAYS: i64 = 365;
/// The most days that a key lasts, unless it never ends.
pub const MOST_KEY_DAYS: i64 = 3650;
/// What an API key begins with, so that people and scanners of leaked secrets know it.
const KEY_PREFIX: &str = "tata_";

/// Routes that nobody need be known for.
pub(crate) const OPEN: [&str; 8] = [
    "/healthz",
    "/readyz",
    "/openapi.json",
    "/api/v1/sign-in",
    "/sign-in",
    "/sign-in/company",
    oidc::BACK,
    "/assets/{hash}/{name}",
];

/// By what a request says who makes it.
enum Shown {
    Nothing,
    Bearer(String),
    Cookie(String),
}

/// The program as the caller of a request sees it.
pub(crate) async fn caller(
    server: &ServerState,
    route: &str,
    method: &Method,
    headers: &HeaderMap,
) -> Result<App, Problem> {
    if let Some(alone) = server.alone() {
        return Ok(alone);
    }
    let shown = shown(headers);
    if let Shown::Cookie(_) = shown
        && !method.is_safe()
        && !headers.contains_key("sec-fetch-site")
        && !headers.contains_key("origin")
    {
        // Every browser of today says where a request comes from; a cookie without that is no browser's.
        let detail = "A request with a cookie must say which page makes it (Origin or Sec-Fetch-Site).";
        return Err(Problem::new(StatusCode::FORBIDDEN, "cross_site", detail));
    }
    let secret = match shown {
        Shown::Bearer(secret) | Shown::Cookie(secret) => secret,
        Shown::Nothing if OPEN.contains(&route) => return Ok(server.stranger()),
        Shown::Nothing => {
            return Err(unknown("Sign in first, or send an API key as `Authorization: Bearer …`."));
        }
    };
    let now = server.now();
    let found = server.store().token(hash_secret(&secret)).await?;
    match found.filter(|(token, account)| token.is_valid(now) && !account.disabled) {
        Some((token, account)) => {
            let token = in_use(server.store().as_ref(), token, now).await;
            let mut app = server.of(&account)?;
            app.token = Some(Arc::new(token));
            Ok(app)
        }
        None if OPEN.contains(&route) => Ok(server.stranger()),
        None => Err(unknown("This key or sign-in is not known, or no longer. Sign in again.")),
    }
}

/// A token with the time of its last use. It is not written down at every request: idle times are long.
async fn in_use(store: &dyn Store, token: AccessToken, now: Timestamp) -> AccessToken {
    if now.duration_since(token.used_at.unwrap_or(token.created_at)) < USE_IS_NOTED_EVERY {
        return token;
    }
    let token = AccessToken { used_at: Some(now), ..token };
    // Whoever only reads may do so on a database that cannot be written.
    if let Err(error) = store.renew_token(token.clone()).await {
        tracing::warn!(%error, "the use of a sign-in could not be noted");
    }
    token
}

fn unknown(detail: &str) -> Problem {
    Problem::new(StatusCode::UNAUTHORIZED, "unauthenticated", detail)
}

fn shown(headers: &HeaderMap) -> Shown {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let bearer = bearer.and_then(|value| {
        let (scheme, secret) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim().to_owned())
    });
    if let Some(secret) = bearer {
        return Shown::Bearer(secret);
    }
    match cookie(headers) {
        Some(secret) => Shown::Cookie(secret),
        None => Shown::Nothing,
    }
}

/// The secret of a browser that is signed in.
pub(crate) fn cookie(headers: &HeaderMap) -> Option<String> {
    cookie_named(headers, COOKIE_NAME)
}

/// A cookie by its name.
pub(crate) fn cookie_named(headers: &HeaderMap, name: &str) -> Option<String> {
    let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(found, _)| *found == name).map(|(_, secret)| secret.to_owned())
}

/// What has a browser keep a secret, or with none forget it.
pub(crate) fn set_cookie(secret: Option<&str>) -> Option<HeaderValue> {
    kept_cookie(COOKIE_NAME, secret, BROWSER_TIME.as_secs())
}

/// What has a browser keep a value for some seconds, or with none forget it.
pub(crate) fn kept_cookie(name: &str, value: Option<&str>, seconds: i64) -> Option<HeaderValue> {
    let (value, age) = value.map_or(("", 0), |value| (value, seconds));
    let cookie = format!("{name}={value}; Path=/; Max-Age={age}; Secure; HttpOnly; SameSite=Lax");
    HeaderValue::from_str(&cookie).ok()
}

/// When a key ends that lasts so many days; 0 is for ever.
pub fn key_end(days: i64, now: Timestamp) -> Option<Timestamp> {
    (days > 0).then(|| now.checked_add(SignedDuration::from_hours(24 * days)).ok()).flatten()
}

/// Has a browser forget what our pages left in it, such as unsent drafts: the next person at it may be another.
pub(crate) fn forget_in_browser(response: &mut axum::response::Response) {
    let name = axum::http::HeaderName::from_static("clear-site-data");
    response.headers_mut().insert(name, HeaderValue::from_static("\"storage\""));
}

/// A new token and its secret, which is told once. A key ends at `end`; a browser is signed out after its time.
pub fn new_token(
    account: &Account,
    kind: TokenKind,
    label: &str,
    now: Timestamp,
    end: Option<Timestamp>,
) -> (AccessToken, String) {
    let random = || uuid::Uuid::new_v4().simple().to_string();
    let secret = match kind {
        TokenKind::ApiKey => format!("{KEY_PREFIX}{}{}", random(), random()),
        TokenKind::Browser => format!("{}{}", random(), random()),
    };
    let token = AccessToken {
        hash: hash_secret(&secret),
        account: account.id.clone(),
        kind,
        label: label.to_owned(),
        created_at: now,
        expires_at: match kind {
            TokenKind::ApiKey => end,
            TokenKind::Browser => now.checked_add(BROWSER_TIME).ok(),
        },
        used_at: Some(now),
    };
    (token, secret)
}

/// The caller's account; there is none where there is one person.
pub(crate) fn account(app: &App) -> Result<&Account, Problem> {
    app.account.as_deref().ok_or_else(|| {
        let detail = "There are no accounts here: this server serves the one person at this machine.";
        Problem::not_found("no_accounts", detail)
    })
}

/// The caller's account, if they may look after others'.
pub(crate) fn admin(app: &App) -> Result<&Account, Problem> {
    let account = account(app)?;
    if account.role == AccountRole::Admin {
        return Ok(account);
    }
    let detail = "Only an admin of your company may do this.";
    Err(Problem::new(StatusCode::FORBIDDEN, "not_an_admin", detail))
}

/// Has the list of admins count from the start of the server, and not only at everybody's next sign-in.
pub(crate) async fn take_off_list(server: &ServerState) -> Result<(), Problem> {
    let app = server.stranger();
    let Some(oidc) = app.services.oidc.as_deref() else { return Ok(()) };
    for account in oidc.take_off_list(app.accounts.as_ref()).await? {
        tracing::info!(account = %account.id, "no longer an admin: the list of admins does not name it");
        audit(&app, &account, "account.changed", &account.id, "recruiter by the list of admins").await?;
    }
    Ok(())
}

/// The account of whoever comes back from a company's directory.
pub(crate) async fn arrive(
    app: &App,
    oidc: &Oidc,
    host: &str,
    secret: Option<&str>,
    back: Return,
) -> Result<Result<Account, OidcError>, Problem> {
    let now = app.services.clock.now();
    let arrived = oidc.arrive(app.accounts.as_ref(), now, host, secret, back).await?;
    let Arrival { account, changes } = match arrived {
        Ok(arrival) => arrival,
        Err(error) => return Ok(Err(error)),
    };
    for change in changes {
        let detail = format!("{} by the company's directory", account.role.as_str());
        audit(app, &account, change, &account.id, &detail).await?;
    }
    Ok(Ok(account))
}

/// Writes who did what with accounts.
pub(crate) async fn audit(
    app: &App,
    account: &Account,
    action: &str,
    subject: &str,
    detail: &str,
) -> Result<(), Problem> {
    let entry = NewAudit {
        at: app.services.clock.now(),
        actor: account.name.clone(),
        account: Some(account.id.clone()),
        tenant: Some(account.tenant.clone()),
        action: action.to_owned(),
        subject: subject.to_owned(),
        detail: detail.to_owned(),
    };
    app.audit.record_audit(entry).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_found_among_other_cookies() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_static("a=b; __Host-tata=secret; __Host-tata2=x"));
        assert_eq!(cookie(&headers).as_deref(), Some("secret"));
        headers.insert(COOKIE, HeaderValue::from_static("x__Host-tata=secret"));
        assert_eq!(cookie(&headers), None);
    }

    #[test]
    fn a_cookie_is_kept_from_scripts_and_other_sites() {
        let line = set_cookie(Some("s")).unwrap();
        let line = line.to_str().unwrap();
        for part in ["Secure", "HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(line.contains(part), "{line}");
        }
        assert!(!line.contains("Domain"), "the prefix forbids it: {line}");
        assert!(set_cookie(None).unwrap().to_str().unwrap().contains("Max-Age=0"));
    }
}
