//! The accounts of a company, for its admins.

use axum::{Json, extract::Path, http::StatusCode};
use serde::{Deserialize, Serialize};
use tata_core::{Account, AccountRole, AuditEntry};
use utoipa::ToSchema;

use super::access::{AccountView, end_browsers};
use crate::{
    Problem,
    access::{admin, audit},
    error::ProblemDocument,
    input::Given,
    state::App,
};

/// The most characters of a name.
const LONGEST_NAME: usize = 200;

/// The accounts of one's company.
#[utoipa::path(get, path = "/api/v1/accounts", tag = "accounts",
    responses((status = 200, body = Vec<AccountView>), (status = 401, body = ProblemDocument),
        (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn list(app: App) -> Result<Json<Vec<AccountView>>, Problem> {
    let accounts = app.root_store.accounts(Some(admin(&app)?.tenant.clone())).await?;
    Ok(Json(accounts.iter().map(AccountView::from).collect()))
}

/// A new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    /// The name it signs in with; nobody else may have it.
    name: String,
    /// Its first password, 12 to 256 characters.
    password: String,
    /// `recruiter` (the default) or `admin`.
    #[schema(value_type = Option<String>)]
    role: Option<AccountRole>,
}

/// Makes an account in one's company.
#[utoipa::path(post, path = "/api/v1/accounts", tag = "accounts", request_body = NewAccount,
    responses((status = 201, body = AccountView), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn make(
    app: App,
    Given(new): Given<NewAccount>,
) -> Result<(StatusCode, Json<AccountView>), Problem> {
    let by = admin(&app)?;
    let length = new.name.chars().count();
    if new.name.trim().is_empty() || length > LONGEST_NAME || new.name.chars().any(char::is_control) {
        let detail = format!("the name must have 1 to {LONGEST_NAME} printable characters; it has {length}");
        return Err(Problem::invalid("name", detail));
    }
    let hash = app.passwords.hash(&new.name, new.password).await?;
    let role = new.role.unwrap_or(AccountRole::Recruiter);
    let account = Account::new(by.tenant.clone(), new.name, role, hash, app.services.clock.now());
    app.root_store.save_account(account.clone()).await?;
    audit(&app, by, "account.made", &account.id, account.role.as_str()).await?;
    Ok((StatusCode::CREATED, Json((&account).into())))
}

/// What to change.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountChange {
    /// `recruiter` or `admin`.
    #[schema(value_type = Option<String>)]
    role: Option<AccountRole>,
    /// Whether it may no longer sign in.
    disabled: Option<bool>,
    /// A new password, 12 to 256 characters; the account is signed out everywhere.
    password: Option<String>,
}

/// Changes an account of one's company.
#[utoipa::path(patch, path = "/api/v1/accounts/{account}", tag = "accounts", params(("account" = String, Path)),
    request_body = AccountChange,
    responses((status = 200, body = AccountView), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn change(
    app: App,
    Path(id): Path<String>,
    Given(change): Given<AccountChange>,
) -> Result<Json<AccountView>, Problem> {
    let by = admin(&app)?;
    let found = app.root_store.account(id.clone()).await?.filter(|found| found.tenant == by.tenant);
    let mut account = found.ok_or_else(|| {
        Problem::not_found("account_not_found", format!("There is no account {id:?} in your company."))
    })?;
    let loses = change.disabled == Some(true) || change.role == Some(AccountRole::Recruiter);
    if account.id == by.id && loses {
        let detail = "You cannot take your own rights away; another admin can.";
        return Err(Problem::new(StatusCode::CONFLICT, "own_account", detail));
    }
    account.role = change.role.unwrap_or(account.role);
    account.disabled = change.disabled.unwrap_or(account.disabled);
    let signed_out = account.disabled || change.password.is_some();
    if let Some(password) = change.password {
        account.password = Some(app.passwords.hash(&account.name, password).await?);
    }
    app.root_store.save_account(account.clone()).await?;
    if signed_out {
        end_browsers(&app, &account.id).await?;
    }
    let detail = format!("{} disabled {}", account.role.as_str(), account.disabled);
    audit(&app, by, "account.changed", &account.id, &detail).await?;
    Ok(Json((&account).into()))
}

/// Who did what, the newest first.
#[derive(Serialize, ToSchema)]
pub(crate) struct AuditView {
    /// The entries about accounts and keys of one's company, and about its people's sessions.
    #[schema(value_type = Vec<Object>)]
    entries: Vec<AuditEntry>,
}

/// The most entries of one answer.
const MOST_ENTRIES: usize = 500;

/// Who did what in one's company: sign-ins, keys, accounts, decisions, approvals, deletions.
#[utoipa::path(get, path = "/api/v1/audit", tag = "accounts",
    responses((status = 200, body = AuditView), (status = 401, body = ProblemDocument),
        (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn trail(app: App) -> Result<Json<AuditView>, Problem> {
    let tenant = &admin(&app)?.tenant;
    let people = app.root_store.accounts(Some(tenant.clone())).await?;
    let of_tenant = format!("tenant {tenant} ");
    let mut entries = app.root_store.audit_trail().await?;
    // Names are one account each, so an actor's name tells the company.
    entries.retain(|entry| {
        format!("{} ", entry.detail).starts_with(&of_tenant)
            || people.iter().any(|one| one.name == entry.actor)
    });
    entries.reverse();
    entries.truncate(MOST_ENTRIES);
    Ok(Json(AuditView { entries }))
}
