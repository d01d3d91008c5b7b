//! The accounts of a company, for its admins.

use std::collections::BTreeMap;

use axum::{Json, extract::Path, http::StatusCode};
use serde::{Deserialize, Serialize};
use tata_core::{Account, AccountRole, AuditEntry, Cost, StoreError, UsageTotal, check_account_name};
use utoipa::{IntoParams, ToSchema};

use super::access::{AccountView, KeyView, end_key_of, end_tokens, shown_keys};
use crate::{
    Problem,
    access::{admin, audit},
    error::ProblemDocument,
    input::{Asked, Given},
    state::App,
};

/// The accounts of one's company.
#[utoipa::path(get, path = "/api/v1/accounts", tag = "accounts",
    responses((status = 200, body = Vec<AccountView>), (status = 401, body = ProblemDocument),
        (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn list(app: App) -> Result<Json<Vec<AccountView>>, Problem> {
    let accounts = app.accounts.accounts(Some(admin(&app)?.tenant.clone())).await?;
    Ok(Json(accounts.iter().map(AccountView::from).collect()))
}

/// A new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    /// The name it signs in with; nobody else may have it.
    pub(crate) name: String,
    /// Its first password, 12 to 256 characters.
    #[schema(format = Password)]
    pub(crate) password: String,
    /// `recruiter` (the default) or `admin`.
    #[schema(value_type = Option<String>)]
    pub(crate) role: Option<AccountRole>,
}

/// Makes an account in one's company.
#[utoipa::path(post, path = "/api/v1/accounts", tag = "accounts", request_body = NewAccount,
    responses((status = 201, body = AccountView), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument), (status = 422, body = ProblemDocument)))]
pub(crate) async fn make(
    app: App,
    Given(new): Given<NewAccount>,
) -> Result<(StatusCode, Json<AccountView>), Problem> {
    let account = make_account(&app, new).await?;
    Ok((StatusCode::CREATED, Json((&account).into())))
}

/// What is said of a name that another account has, or one that looks like it, in whatever company.
const NAME_REFUSED: &str =
    "This name cannot be had here. Choose another, such as the person's whole e-mail address.";

/// The same for a page.
pub(crate) async fn make_account(app: &App, new: NewAccount) -> Result<Account, Problem> {
    let by = admin(app)?;
    check_account_name(&new.name).map_err(|why| Problem::invalid("name", why.to_string()))?;
    let hash = app.passwords.hash(&new.name, new.password).await?;
    let role = new.role.unwrap_or(AccountRole::Recruiter);
    let account = Account::new(by.tenant.clone(), new.name, role, hash, app.services.clock.now());
    match app.accounts.save_account(account.clone()).await {
        // No two accounts of a server have names that are alike. Whose the other one is, and how alike, is told to nobody.
        Err(StoreError::Exists { .. }) => return Err(Problem::invalid("name", NAME_REFUSED)),
        saved => saved?,
    }
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
    /// A new password, 12 to 256 characters; the account is signed out everywhere and its API keys end.
    #[schema(format = Password)]
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
    let mut account = colleague(app, by, &id).await?;
    let loses = change.disabled == Some(true) || change.role == Some(AccountRole::Recruiter);
    if account.id == by.id && loses {
        let detail = "You cannot take your own rights away; another admin can.";
        return Err(Problem::new(StatusCode::CONFLICT, "own_account", detail));
    }
    if let Some(role) = change.role {
        // What an admin gives, the directory's list does not take away.
        (account.role, account.role_by_directory) = (role, false);
    }
    account.disabled = change.disabled.unwrap_or(account.disabled);
    // Who gets a new password may have lost the old one to somebody, who may have made keys.
    let (signed_out, with_keys) = (account.disabled || change.password.is_some(), change.password.is_some());
    if let Some(password) = change.password {
        if account.person.is_some() {
            let detail = "This person signs in with the company's directory; a second way in would be somebody else's.";
            return Err(Problem::new(StatusCode::CONFLICT, "signs_in_by_directory", detail));
        }
        account.password = Some(app.passwords.hash(&account.name, password).await?);
    }
    app.accounts.save_account(account.clone()).await?;
    if signed_out {
        end_tokens(app, &account.id, with_keys).await?;
    }
    app.presence.look_again();
    let detail = format!("{} disabled {}", account.role.as_str(), account.disabled);
    audit(app, by, "account.changed", &account.id, &detail).await?;
    Ok(account)
}

/// An account of the admin's company.
async fn colleague(app: &App, by: &Account, id: &str) -> Result<Account, Problem> {
    let found = app.accounts.account(id.to_owned()).await?.filter(|found| found.tenant == by.tenant);
    found.ok_or_else(|| {
        Problem::not_found("account_not_found", format!("There is no account {id:?} in your company."))
    })
}

/// The API keys of an account of one's company.
#[utoipa::path(get, path = "/api/v1/accounts/{account}/keys", tag = "accounts", params(("account" = String, Path)),
    responses((status = 200, body = Vec<KeyView>), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument)))]
pub(crate) async fn keys(app: App, Path(id): Path<String>) -> Result<Json<Vec<KeyView>>, Problem> {
    Ok(Json(keys_of_colleague(&app, &id).await?.1))
}

/// The same for a page, with whose they are.
pub(crate) async fn keys_of_colleague(app: &App, id: &str) -> Result<(Account, Vec<KeyView>), Problem> {
    let owner = colleague(app, admin(app)?, id).await?;
    let keys = shown_keys(app, &owner).await?;
    Ok((owner, keys))
}

/// Ends an API key of an account of one's company.
#[utoipa::path(delete, path = "/api/v1/accounts/{account}/keys/{key}", tag = "accounts",
    params(("account" = String, Path), ("key" = String, Path)),
    responses((status = 204), (status = 401, body = ProblemDocument), (status = 403, body = ProblemDocument),
        (status = 404, body = ProblemDocument)))]
pub(crate) async fn end_key(
    app: App,
    Path((id, key)): Path<(String, String)>,
) -> Result<StatusCode, Problem> {
    let by = admin(&app)?;
    let owner = colleague(&app, by, &id).await?;
    end_key_of(&app, by, &owner, &key).await?;
    Ok(StatusCode::NO_CONTENT)
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
    let people = app.accounts.accounts(Some(tenant.clone())).await?;
    let mut totals: BTreeMap<(String, String), UsageTotal> = BTreeMap::new();
    for (person, row) in app.ledger.usage_since(Some(tenant), since).await? {
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
    /// The entries of one's company: `account` is who was signed in, `actor` what they were called.
    #[schema(value_type = Vec<Object>)]
    entries: Vec<AuditEntry>,
}

/// The most entries of one answer.
const MOST_ENTRIES: u32 = 500;

/// Who did what in one's company: sign-ins, keys, accounts, decisions, approvals, deletions.
#[utoipa::path(get, path = "/api/v1/audit", tag = "accounts",
    responses((status = 200, body = AuditView), (status = 401, body = ProblemDocument),
        (status = 403, body = ProblemDocument), (status = 404, body = ProblemDocument)))]
pub(crate) async fn trail(app: App) -> Result<Json<AuditView>, Problem> {
    Ok(Json(AuditView { entries: entries(&app).await? }))
}

/// The same for a page.
pub(crate) async fn entries(app: &App) -> Result<Vec<AuditEntry>, Problem> {
    let tenant = admin(app)?.tenant.clone();
    Ok(app.audit.audit_of(tenant, MOST_ENTRIES).await?)
}
