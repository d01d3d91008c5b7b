//! What the admins of a company look after: its people, what they used, and what happened.

use askama::Template;
use axum::{
    Form,
    extract::{Path, Query},
    response::Response,
};
use serde::Deserialize;
use tata_core::{Account, AccountRole, AuditEntry};

use super::{
    account::{KeyRow, told},
    ui::{Place, Shell, Ui, see},
    words::Words,
};
use crate::{
    Problem,
    access::admin,
    api::accounts::{
        self, AccountChange, NewAccount, USUAL_DAYS, UsedView, change_account, entries, keys_of_colleague,
        make_account, used,
    },
    encoded::encoded,
};

/// The entries of the trail on the page; programs get more.
const MOST_ENTRIES: usize = 100;

#[derive(Template)]
#[template(path = "admin.html")]
struct AdminPage {
    shell: Shell,
    w: &'static Words,
    own: String,
    people: Vec<Account>,
    used: Vec<UsedRow>,
    trail: Vec<TrailRow>,
    problem: Option<String>,
    /// A name that was typed and could not be taken.
    name: String,
}

struct UsedRow {
    used: UsedView,
    cost: String,
}

struct TrailRow {
    entry: AuditEntry,
    at: String,
    /// Who did it, by the name of their account.
    who: String,
    /// What it is about; a person by their name.
    about: String,
}

#[derive(Template)]
#[template(path = "admin_keys.html")]
struct KeysPage {
    shell: Shell,
    w: &'static Words,
    owner: Account,
    keys: Vec<KeyRow>,
}

/// Whose keys.
#[derive(Debug, Deserialize)]
pub(crate) struct KeysOf {
    account: String,
}

/// The keys of a person.
pub(crate) async fn keys(ui: Ui, Query(of): Query<KeysOf>) -> Result<Response, Problem> {
    let (owner, keys) = keys_of_colleague(&ui.app, &of.account).await?;
    let w = ui.words();
    ui.page(&KeysPage {
        shell: ui.shell(w.keys, Place::Admin, None).await?,
        w,
        owner,
        keys: keys.into_iter().map(|key| KeyRow::new(&ui, key)).collect(),
    })
}

/// A key of a person that shall end.
#[derive(Debug, Deserialize)]
pub(crate) struct EndedKey {
    account: String,
    key: String,
}

pub(crate) async fn end_key(ui: Ui, Form(meant): Form<EndedKey>) -> Result<Response, Problem> {
    let EndedKey { account, key } = meant;
    let back = format!("/admin/people/keys?account={}", encoded(&account));
    accounts::end_key(ui.app.clone(), Path((account, key))).await?;
    Ok(see(&back))
}

pub(crate) async fn show(ui: Ui) -> Result<Response, Problem> {
    page(&ui, None, String::new()).await
}

async fn page(ui: &Ui, problem: Option<String>, name: String) -> Result<Response, Problem> {
    let by = admin(&ui.app)?;
    let w = ui.words();
    let people = ui.app.accounts.accounts(Some(by.tenant.clone())).await?;
    let cost =
        |cost: Option<f64>| cost.map_or_else(|| w.usage_unknown.to_owned(), |usd| format!("{usd:.2} USD"));
    let used = used(&ui.app, USUAL_DAYS).await?.into_iter();
    let trail = entries(&ui.app).await?.into_iter().take(MOST_ENTRIES);
    let name_of = |id: &str| people.iter().find(|one| one.id == id).map(|one| one.name.clone());
    let trail: Vec<TrailRow> = trail
        .map(|entry| TrailRow {
            at: ui.moment(entry.at),
            who: entry.account.as_deref().and_then(name_of).unwrap_or_else(|| entry.actor.clone()),
            about: name_of(&entry.subject).unwrap_or_else(|| entry.subject.clone()),
            entry,
        })
        .collect();
    ui.page(&AdminPage {
        shell: ui.shell(w.admin, Place::Admin, None).await?,
        w,
        own: by.id.clone(),
        people,
        used: used.map(|used| UsedRow { cost: cost(used.cost_usd), used }).collect(),
        trail,
        problem,
        name,
    })
}

/// A person to add.
#[derive(Deserialize)]
pub(crate) struct Added {
    name: String,
    password: String,
    #[serde(default)]
    admin: Option<String>,
}

pub(crate) async fn add(ui: Ui, Form(added): Form<Added>) -> Result<Response, Problem> {
    let role = added.admin.map(|_| AccountRole::Admin);
    let new = NewAccount { name: added.name.clone(), password: added.password, role };
    match make_account(&ui.app, new).await {
        Ok(_) => Ok(see("/admin")),
        Err(problem) if problem.status.is_client_error() && problem.code != "not_an_admin" => {
            page(&ui, Some(told(ui.words(), &problem)), added.name).await
        }
        Err(problem) => Err(problem),
    }
}

/// What to do with a person's account.
#[derive(Debug, Deserialize)]
pub(crate) struct Changed {
    account: String,
    change: Change,
}

/// One of these.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Change {
    Disable,
    Enable,
    Promote,
    Demote,
}

pub(crate) async fn change(ui: Ui, Form(changed): Form<Changed>) -> Result<Response, Problem> {
    let (role, disabled) = match changed.change {
        Change::Disable => (None, Some(true)),
        Change::Enable => (None, Some(false)),
        Change::Promote => (Some(AccountRole::Admin), None),
        Change::Demote => (Some(AccountRole::Recruiter), None),
    };
    let change = AccountChange { role, disabled, password: None };
    match change_account(&ui.app, changed.account, change).await {
        Ok(_) => Ok(see("/admin")),
        Err(problem) if problem.code == "own_account" => {
            page(&ui, Some(told(ui.words(), &problem)), String::new()).await
        }
        Err(problem) => Err(problem),
    }
}
