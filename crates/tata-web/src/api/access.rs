//! Signing in and out, one's own account and keys.

use axum::{
    Json,
    extract::Path,
    http::{HeaderMap, StatusCode, header::SET_COOKIE},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{AccessToken, Account, AccountRole, TokenKind, hash_secret, name_key};
use utoipa::ToSchema;

use crate::{
    Problem,
    access::{self, KEY_DAYS, MOST_KEY_DAYS, account, audit},
    error::ProblemDocument,
    input::Given,
    peer::Peer,
    state::App,
};

/// The most characters of a key's label.
const LONGEST_LABEL: usize = 100;
/// The most keys of one account.
const MOST_KEYS: usize = 50;

/// Who signs in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SignIn {
    /// The name of the account.
    name: String,
    /// Its password.
    #[schema(format = Password)]
    password: String,
}

/// An account as others may see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AccountView {
    /// Its id.
    id: String,
    /// The company.
    tenant: String,
    /// The name it signs in with.
    name: String,
    /// `recruiter` or `admin`.
    #[schema(value_type = String)]
    role: AccountRole,
    /// It may no longer sign in.
    disabled: bool,
    /// When it was made.
    #[schema(value_type = String)]
    created_at: Timestamp,
}

impl From<&Account> for AccountView {
    fn from(account: &Account) -> Self {
        Self {
            id: account.id.clone(),
            tenant: account.tenant.clone(),
            name: account.name.clone(),
            role: account.role,
            disabled: account.disabled,
            created_at: account.created_at,
        }
    }
}

/// Signs in: the answer has the browser keep a cookie.
#[utoipa::path(post, path = "/api/v1/sign-in", tag = "accounts", request_body = SignIn,
    responses((status = 200, body = AccountView), (status = 401, body = ProblemDocument),
        (status = 404, body = ProblemDocument), (status = 429, body = ProblemDocument)))]
pub(crate) async fn sign_in(app: App, peer: Peer, Given(who): Given<SignIn>) -> Result<Response, Problem> {
    if !app.services.accounts {
        account(&app)?;
    }
    let (found, secret) = sign_in_as(&app, peer, &who.name, who.password).await?;
    let mut response = Json(AccountView::from(&found)).into_response();
    if let Some(cookie) = access::set_cookie(Some(&secret)) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Whoever signs in, and the secret that their browser keeps.
pub(crate) async fn sign_in_as(
    app: &App,
    peer: Peer,
    name: &str,
    password: String,
) -> Result<(Account, String), Problem> {
    let found = app.accounts.account_named(name.to_owned()).await?;
    let hash = found.as_ref().and_then(|found| found.password.clone());
    // However it is typed, a name signs in to one account, so it has one limit of tries.
    let right = app.passwords.check(&name_key(name), peer, hash, password).await?;
    let refused = || {
        let detail = "The name or the password is not right.";
        Problem::new(StatusCode::UNAUTHORIZED, "wrong_sign_in", detail)
    };
    let found = match found {
        Some(found) if right && !found.disabled => found,
        Some(found) => {
            if let Some(detail) = app.passwords.refused.count(&found.id, app.services.clock.now()) {
                audit(app, &found, "account.refused", &found.id, &detail).await?;
            }
            return Err(refused());
        }
        None => return Err(refused()),
    };
    let secret = open_browser(app, &found, "").await?;
    Ok((found, secret))
}

/// The secret of a browser that somebody is signed in with from now on.
pub(crate) async fn open_browser(app: &App, account: &Account, how: &str) -> Result<String, Problem> {
    let (token, secret) =
        access::new_token(account, TokenKind::Browser, "browser", app.services.clock.now(), None);
    app.accounts.save_token(token).await?;
    audit(app, account, "account.signed_in", &account.id, how).await?;
    Ok(secret)
}

/// Signs out: the cookie counts no longer.
#[utoipa::path(post, path = "/api/v1/sign-out", tag = "accounts",
    responses((status = 204), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn sign_out(app: App, headers: HeaderMap) -> Result<Response, Problem> {
    end_browser(&app, &headers).await?;
    let mut response = StatusCode::NO_CONTENT.into_response();
    if let Some(cookie) = access::set_cookie(None) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    access::forget_in_browser(&mut response);
    Ok(response)
}

/// The cookie of a browser counts no longer.
pub(crate) async fn end_browser(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let account = account(app)?;
    if let Some(secret) = access::cookie(headers) {
        app.accounts.delete_token(hash_secret(&secret)).await?;
        app.presence.look_again();
        audit(app, account, "account.signed_out", &account.id, "").await?;
    }
    Ok(())
}

/// The caller's own account.
#[utoipa::path(get, path = "/api/v1/me", tag = "accounts",
    responses((status = 200, body = AccountView), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn me(app: App) -> Result<Json<AccountView>, Problem> {
    Ok(Json(account(&app)?.into()))
}

/// A new password, and the one it replaces.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The one there is.
    #[schema(format = Password)]
    pub(crate) old: String,
    /// The one there shall be, 12 to 256 characters.
    #[schema(format = Password)]
    pub(crate) password: String,
    /// Whether one's API keys end as well: for somebody who fears that another person knows the password.
    #[serde(default)]
    pub(crate) end_keys: bool,
}

/// Changes one's own password. Every browser that is signed in is signed out; API keys end if that is asked for.
#[utoipa::path(put, path = "/api/v1/me/password", tag = "accounts", request_body = NewPassword,
    responses((status = 204), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument),
        (status = 422, body = ProblemDocument)))]
pub(crate) async fn password(app: App, Given(new): Given<NewPassword>) -> Result<StatusCode, Problem> {
    set_password(&app, new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The same for a page.
pub(crate) async fn set_password(app: &App, new: NewPassword) -> Result<(), Problem> {
    let account = account(app)?;
    if !app.passwords.check_own(&account.id, account.password.clone(), new.old).await? {
        let detail = "The old password is not right.";
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "wrong_password", detail));
    }
    let hash = app.passwords.hash(&account.name, new.password).await?;
    app.accounts.save_account(Account { password: Some(hash), ..account.clone() }).await?;
    end_tokens(app, &account.id, new.end_keys).await?;
    let detail = if new.end_keys { "with all keys" } else { "" };
    audit(app, account, "account.password", &account.id, detail).await
}

/// Signs an account out everywhere, and ends its keys as well if that is wanted.
pub(super) async fn end_tokens(app: &App, account: &str, with_keys: bool) -> Result<(), Problem> {
    for token in app.accounts.tokens(account.to_owned()).await? {
        if with_keys || token.kind == TokenKind::Browser {
            app.accounts.delete_token(token.hash).await?;
        }
    }
    app.presence.look_again();
    Ok(())
}

/// An API key; its secret is not kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct KeyView {
    /// Its id.
    pub(crate) id: String,
    /// What its owner calls it.
    pub(crate) label: String,
    /// When it was made.
    #[schema(value_type = String)]
    pub(crate) created_at: Timestamp,
    /// When it ends; none never does.
    #[schema(value_type = Option<String>)]
    pub(crate) expires_at: Option<Timestamp>,
    /// When it was used last, to some minutes.
    #[schema(value_type = Option<String>)]
    pub(crate) used_at: Option<Timestamp>,
    /// The secret, told this once.
    #[schema(format = Password)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
}

impl KeyView {
    fn of(token: AccessToken, secret: Option<String>) -> Self {
        // Enough to tell keys apart, and no help to guess one.
        let id = token.hash.get(..16).unwrap_or(&token.hash).to_owned();
        let AccessToken { label, created_at, expires_at, used_at, .. } = token;
        Self { id, label, created_at, expires_at, used_at, secret }
    }
}

async fn keys_of(app: &App, account: &Account) -> Result<Vec<AccessToken>, Problem> {
    let tokens = app.accounts.tokens(account.id.clone()).await?;
    Ok(tokens.into_iter().filter(|token| token.kind == TokenKind::ApiKey).collect())
}

/// The keys of an account, as they may be shown.
pub(super) async fn shown_keys(app: &App, account: &Account) -> Result<Vec<KeyView>, Problem> {
    Ok(keys_of(app, account).await?.into_iter().map(|token| KeyView::of(token, None)).collect())
}

/// One's own API keys.
#[utoipa::path(get, path = "/api/v1/keys", tag = "accounts",
    responses((status = 200, body = Vec<KeyView>), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn keys(app: App) -> Result<Json<Vec<KeyView>>, Problem> {
    Ok(Json(shown_keys(&app, account(&app)?).await?))
}

/// What a new key is called.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewKey {
    /// What it is for, up to 100 characters.
    pub(crate) label: String,
    /// After how many days it ends, up to 3650 (default 365). 0: never.
    #[schema(minimum = 0, maximum = 3650)]
    pub(crate) days: Option<i64>,
}

/// Makes an API key. Its secret is in this answer and nowhere else.
#[utoipa::path(post, path = "/api/v1/keys", tag = "accounts", request_body = NewKey,
    responses((status = 201, body = KeyView), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument),
        (status = 422, body = ProblemDocument)))]
pub(crate) async fn make_key(
    app: App,
    Given(new): Given<NewKey>,
) -> Result<(StatusCode, Json<KeyView>), Problem> {
    let length = new.label.chars().count();
    if length == 0 || length > LONGEST_LABEL {
        let detail = format!("the label must have 1 to {LONGEST_LABEL} letters; it has {length}");
        return Err(Problem::invalid("label", detail));
    }
    let days = new.days.unwrap_or(KEY_DAYS);
    if !(0..=MOST_KEY_DAYS).contains(&days) {
        let detail = format!("days is {days}; it must be 0 (never ends) to {MOST_KEY_DAYS}.");
        return Err(Problem::invalid("days", detail));
    }
    let now = app.services.clock.now();
    let known = keys_of(&app, account(&app)?).await?;
    // One that has ended takes nobody's place.
    if known.iter().filter(|token| token.is_valid(now)).count() >= MOST_KEYS {
        let detail = format!("An account has at most {MOST_KEYS} keys. Delete one first.");
        return Err(Problem::new(StatusCode::CONFLICT, "too_many_keys", detail));
    }
    let account = account(&app)?;
    let end = access::key_end(days, now);
    let (token, secret) = access::new_token(account, TokenKind::ApiKey, &new.label, now, end);
    app.accounts.save_token(token.clone()).await?;
    let view = KeyView::of(token, Some(secret));
    audit(&app, account, "key.made", &view.id, "").await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Ends an API key.
#[utoipa::path(delete, path = "/api/v1/keys/{key}", tag = "accounts", params(("key" = String, Path)),
    responses((status = 204), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn end_key(app: App, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    let own = account(&app)?;
    end_key_of(&app, own, own, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends a key of an account; `by` does it.
pub(super) async fn end_key_of(app: &App, by: &Account, owner: &Account, id: &str) -> Result<(), Problem> {
    let found = keys_of(app, owner).await?.into_iter().find(|token| token.hash.get(..16) == Some(id));
    let token =
        found.ok_or_else(|| Problem::not_found("key_not_found", format!("There is no key {id:?}.")))?;
    app.accounts.delete_token(token.hash).await?;
    app.presence.look_again();
    let detail = if by.id == owner.id { String::new() } else { format!("of account {}", owner.id) };
    audit(app, by, "key.ended", id, &detail).await
}
