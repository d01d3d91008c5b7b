//! Signing in and out, one's own account and keys.

use axum::{
    Json,
    extract::Path,
    http::{HeaderMap, StatusCode, header::SET_COOKIE},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{AccessToken, Account, AccountRole, TokenKind, hash_secret};
use utoipa::ToSchema;

use crate::{
    Problem,
    access::{self, account, audit},
    error::ProblemDocument,
    input::Given,
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
pub(crate) async fn sign_in(app: App, Given(who): Given<SignIn>) -> Result<Response, Problem> {
    if !app.services.accounts {
        account(&app)?;
    }
    let (found, secret) = sign_in_as(&app, &who.name, who.password).await?;
    let mut response = Json(AccountView::from(&found)).into_response();
    if let Some(cookie) = access::set_cookie(Some(&secret)) {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Whoever signs in, and the secret that their browser keeps.
pub(crate) async fn sign_in_as(
    app: &App,
    name: &str,
    password: String,
) -> Result<(Account, String), Problem> {
    let found = app.root_store.account_named(name.to_owned()).await?;
    let hash = found.as_ref().and_then(|found| found.password.clone());
    let right = app.passwords.check(name, hash, password).await?;
    let refused = || {
        let detail = "The name or the password is not right.";
        Problem::new(StatusCode::UNAUTHORIZED, "wrong_sign_in", detail)
    };
    let found = match found {
        Some(found) if right && !found.disabled => found,
        Some(found) => {
            audit(app, &found, "account.refused", &found.id, "").await?;
            return Err(refused());
        }
        None => return Err(refused()),
    };
    let secret = open_browser(app, &found, "").await?;
    Ok((found, secret))
}

/// The secret of a browser that somebody is signed in with from now on.
pub(crate) async fn open_browser(app: &App, account: &Account, how: &str) -> Result<String, Problem> {
    let (token, secret) = access::new_token(account, TokenKind::Browser, "browser", app.services.clock.now());
    app.root_store.save_token(token).await?;
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
    Ok(response)
}

/// The cookie of a browser counts no longer.
pub(crate) async fn end_browser(app: &App, headers: &HeaderMap) -> Result<(), Problem> {
    let account = account(app)?;
    if let Some(secret) = access::cookie(headers) {
        app.root_store.delete_token(hash_secret(&secret)).await?;
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
    old: String,
    /// The one there shall be, 12 to 256 characters.
    password: String,
}

/// Changes one's own password. Every browser that is signed in is signed out.
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
    if !app.passwords.check(&account.name, account.password.clone(), new.old).await? {
        let detail = "The old password is not right.";
        return Err(Problem::new(StatusCode::UNAUTHORIZED, "wrong_password", detail));
    }
    let hash = app.passwords.hash(&account.name, new.password).await?;
    app.root_store.save_account(Account { password: Some(hash), ..account.clone() }).await?;
    end_browsers(app, &account.id).await?;
    audit(app, account, "account.password", &account.id, "").await
}

/// Signs an account out everywhere.
pub(super) async fn end_browsers(app: &App, account: &str) -> Result<(), Problem> {
    for token in app.root_store.tokens(account.to_owned()).await? {
        if token.kind == TokenKind::Browser {
            app.root_store.delete_token(token.hash).await?;
        }
    }
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
    /// The secret, told this once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) secret: Option<String>,
}

impl KeyView {
    fn of(token: AccessToken, secret: Option<String>) -> Self {
        // Enough to tell keys apart, and no help to guess one.
        let id = token.hash.get(..16).unwrap_or(&token.hash).to_owned();
        Self { id, label: token.label, created_at: token.created_at, secret }
    }
}

async fn keys_of(app: &App) -> Result<Vec<AccessToken>, Problem> {
    let tokens = app.root_store.tokens(account(app)?.id.clone()).await?;
    Ok(tokens.into_iter().filter(|token| token.kind == TokenKind::ApiKey).collect())
}

/// One's own API keys.
#[utoipa::path(get, path = "/api/v1/keys", tag = "accounts",
    responses((status = 200, body = Vec<KeyView>), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn keys(app: App) -> Result<Json<Vec<KeyView>>, Problem> {
    Ok(Json(keys_of(&app).await?.into_iter().map(|token| KeyView::of(token, None)).collect()))
}

/// What a new key is called.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewKey {
    /// What it is for, up to 100 characters.
    label: String,
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
        let detail = format!("the label must have 1 to {LONGEST_LABEL} characters; it has {length}");
        return Err(Problem::invalid("label", detail));
    }
    if keys_of(&app).await?.len() >= MOST_KEYS {
        let detail = format!("An account has at most {MOST_KEYS} keys. Delete one first.");
        return Err(Problem::new(StatusCode::CONFLICT, "too_many_keys", detail));
    }
    let account = account(&app)?;
    let (token, secret) = access::new_token(account, TokenKind::ApiKey, &new.label, app.services.clock.now());
    app.root_store.save_token(token.clone()).await?;
    let view = KeyView::of(token, Some(secret));
    audit(&app, account, "key.made", &view.id, "").await?;
    Ok((StatusCode::CREATED, Json(view)))
}

/// Ends an API key.
#[utoipa::path(delete, path = "/api/v1/keys/{key}", tag = "accounts", params(("key" = String, Path)),
    responses((status = 204), (status = 401, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn end_key(app: App, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    let found = keys_of(&app).await?.into_iter().find(|token| token.hash.get(..16) == Some(id.as_str()));
    let token =
        found.ok_or_else(|| Problem::not_found("key_not_found", format!("There is no key {id:?}.")))?;
    app.root_store.delete_token(token.hash).await?;
    audit(&app, account(&app)?, "key.ended", &id, "").await?;
    Ok(StatusCode::NO_CONTENT)
}
