//! The accounts of a company, for its admins.

use std::collections::BTreeMap;

use axum::{Json, extract::Path, http::StatusCode};
use serde::{Deserialize, Serialize};
use tata_core::{Account, AccountRole, AuditEntry, Cost, UsageTotal};
use utoipa::{IntoParams, ToSchema};

use super::access::{AccountView, end_browsers};
use crate::{
    Problem,
    access::{admin, audit},
    error::ProblemDocument,
    input::{Asked, Given},
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
    pub(crate) name: String,
    /// Its first password, 12 to 256 characters.
    pub(crate) password: String,
    /// `recruiter` (the default) or `admin`.
    #[schema(value_type = Option<String>)]
    pub(crate) role: Option<AccountRole>,
}

/// Makes an account in one's company.
#[utoipa::path(post, path = "/api/v1/accounts", tag = "accounts", request_body = NewAccount,
    responses((status = 201, body = AccountView), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument), (status = 409, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn make(
    app: App,
    Given(new): Given<NewAccount>,
) -> Result<(StatusCode, Json<AccountView>), Problem> {
    let account = make_account(&app, new).await?;
    Ok((StatusCode::CREATED, Json((&account).into())))
}

/// The same for a page.
pub(crate) async fn make_account(app: &App, new: NewAccount) -> Result<Account, Problem> {
    let by = admin(app)?;
    let length = new.name.chars().count();
    if new.name.trim().is_empty() || length > LONGEST_NAME || new.name.chars().any(char::is_control) {
        let detail = format!("the name must have 1 to {LONGEST_NAME} printable characters; it has {length}");
        return Err(Problem::invalid("name", detail));
    }
    let hash = app.passwords.hash(&new.name, new.password).await?;
    let role = new.role.unwrap_or(AccountRole::Recruiter);
    let account = Account::new(by.tenant.clone(), new.name, role, hash, app.services.clock.now());
    app.root_store.save_account(account.clone()).await?;
    audit(app, by, "account.made", &account.id, account.role.as_str()).await?;
    Ok(account)
}

/// What to change.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AccountChange {
    /// `recruiter` or `admin`.
    #[schema(value_type = Option<String>)]
    pub(crate) role: Option<AccountRole>,
    /// Whether it may no longer sign in.
    pub(crate) disabled: Option<bool>,
    /// A new password, 12 to 256 characters; the account is signed out everywhere.
    pub(crate) password: Option<String>,
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
    Ok(Json((&change_account(&app, id, change).await?).into()))
}

/// The same for a page.
pub(crate) async fn change_account(app: &App, id: String, change: AccountChange) -> Result<Account, Problem> {
    let by = admin(app)?;
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
        end_browsers(app, &account.id).await?;
    }
    let detail = format!("{} disabled {}", account.role.as_str(), account.disabled);
    audit(app, by, "account.changed", &account.id, &detail).await?;
    Ok(account)
}

/// What one person used of one model.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct UsedView {
    /// The id of the account.
    pub(crate) account: String,
    /// Its name; none if there is no such account any more.
    pub(crate) name: Option<String>,
    /// The model.
    pub(crate) model: String,
    /// How often it was asked.
    pub(crate) requests: u64,
    /// The tokens it read, as far as they were reported.
    pub(crate) input_tokens: u64,
    /// The tokens it wrote.
    pub(crate) output_tokens: u64,
    /// What that costs in US dollars; none if a price is not known.
    pub(crate) cost_usd: Option<f64>,
}

/// From when on.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Since {
    /// The last days, 1 to 366 (default 30).
    #[param(minimum = 1, maximum = 366)]
    days: Option<i64>,
}

/// The days that are counted when nobody says how many.
pub(crate) const USUAL_DAYS: i64 = 30;
/// The most.
const MOST_DAYS: i64 = 366;

/// What the people of one's company used, by person and model.
#[utoipa::path(get, path = "/api/v1/usage", tag = "accounts", params(Since),
    responses((status = 200, body = Vec<UsedView>), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn usage(app: App, Asked(since): Asked<Since>) -> Result<Json<Vec<UsedView>>, Problem> {
    let days = since.days.unwrap_or(USUAL_DAYS);
    if !(1..=MOST_DAYS).contains(&days) {
        return Err(Problem::invalid("days", format!("days is {days}; it must be 1 to {MOST_DAYS}.")));
    }
    Ok(Json(used(&app, days).await?))
}

/// The same for a page.
pub(crate) async fn used(app: &App, days: i64) -> Result<Vec<UsedView>, Problem> {
    let tenant = admin(app)?.tenant.clone();
    let span = jiff::SignedDuration::from_hours(24 * days);
    let since = app.services.clock.now().checked_sub(span).unwrap_or(jiff::Timestamp::MIN);
    let people = app.root_store.accounts(Some(tenant.clone())).await?;
    let mut totals: BTreeMap<(String, String), UsageTotal> = BTreeMap::new();
    for (person, row) in app.root_store.usage_since(Some(tenant), since).await? {
        totals.entry((person.unwrap_or_default(), row.model.to_string())).or_default().add(&row);
    }
    let view = |((account, model), total): ((String, String), UsageTotal)| UsedView {
        name: people.iter().find(|one| one.id == account).map(|one| one.name.clone()),
        account,
        model,
        requests: total.requests,
        input_tokens: total.input_tokens,
        output_tokens: total.output_tokens,
        cost_usd: total.known_cost().map(Cost::usd),
    };
    Ok(totals.into_iter().map(view).collect())
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
    Ok(Json(AuditView { entries: entries(&app).await? }))
}

/// The same for a page.
pub(crate) async fn entries(app: &App) -> Result<Vec<AuditEntry>, Problem> {
    let tenant = &admin(app)?.tenant;
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
    Ok(entries)
}
