//! One's own account: who one is here, the password, the keys of programs.

use askama::Template;
use axum::{Form, Json, response::Response};
use serde::Deserialize;
use tata_core::{Account, AccountRole};

use super::{
    ui::{Place, Shell, Ui, see},
    words::Words,
};
use crate::{
    Problem,
    access::{self, account},
    api::access::{KeyView, NewKey, NewPassword, end_key, keys, make_key, set_password},
    input::Given,
};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    shell: Shell,
    w: &'static Words,
    account: Account,
    is_admin: bool,
    keys: Vec<KeyRow>,
    /// A key that was just made: this is the one time its secret can be read.
    secret: Option<String>,
    problem: Option<String>,
    /// When a new key may end: days, what that is called, and whether it is the usual.
    ends: Vec<(i64, &'static str, bool)>,
}

/// A key in a list.
pub(super) struct KeyRow {
    pub(super) key: KeyView,
    pub(super) made: String,
    /// When it ends; none never does.
    pub(super) until: Option<String>,
}

impl KeyRow {
    pub(super) fn new(ui: &Ui, key: KeyView) -> Self {
        Self { made: ui.moment(key.created_at), until: key.expires_at.map(|at| ui.moment(at)), key }
    }
}

/// The days after which a key may end, as the form offers them.
const KEY_DAYS: [i64; 3] = [30, 90, 365];

pub(crate) async fn show(ui: Ui) -> Result<Response, Problem> {
    page(&ui, None, None).await
}

async fn page(ui: &Ui, secret: Option<String>, problem: Option<String>) -> Result<Response, Problem> {
    let own = account(&ui.app)?.clone();
    let Json(keys) = keys(ui.app.clone()).await?;
    ui.page(&AccountPage {
        shell: ui.shell(ui.words().account, Place::Account, None).await?,
        w: ui.words(),
        is_admin: own.role == AccountRole::Admin,
        account: own,
        keys: keys.into_iter().map(|key| KeyRow::new(ui, key)).collect(),
        secret,
        problem,
        ends: KEY_DAYS
            .into_iter()
            .zip(ui.words().key_days)
            .map(|(days, words)| (days, words, days == access::KEY_DAYS))
            .collect(),
    })
}

/// What a problem with a form is called in the reader's language; what only programs meet stays as it is.
pub(super) fn told(w: &Words, problem: &Problem) -> String {
    match (problem.code, problem.field.as_deref()) {
        ("wrong_password", _) => w.password_wrong.to_owned(),
        ("own_account", _) => w.person_own.to_owned(),
        (_, Some("password")) => w.password_bad.to_owned(),
        (_, Some("name")) => w.person_bad.to_owned(),
        _ => problem.detail.clone(),
    }
}

/// A new password, as a form sends it.
#[derive(Deserialize)]
pub(crate) struct PasswordForm {
    old: String,
    password: String,
    /// A box that is ticked.
    #[serde(default)]
    end_keys: Option<String>,
}

pub(crate) async fn password(ui: Ui, Form(form): Form<PasswordForm>) -> Result<Response, Problem> {
    let PasswordForm { old, password, end_keys } = form;
    let new = NewPassword { old, password, end_keys: end_keys.is_some() };
    match set_password(&ui.app, new).await {
        // Every browser is signed out, this one too.
        Ok(()) => Ok(see("/sign-in")),
        Err(problem) => page(&ui, None, Some(told(ui.words(), &problem))).await,
    }
}

pub(crate) async fn key(ui: Ui, Form(new): Form<NewKey>) -> Result<Response, Problem> {
    match make_key(ui.app.clone(), Given(new)).await {
        Ok((_, Json(key))) => page(&ui, key.secret, None).await,
        Err(problem) => page(&ui, None, Some(told(ui.words(), &problem))).await,
    }
}

/// Which key.
#[derive(Debug, Deserialize)]
pub(crate) struct KeyForm {
    key: String,
}

pub(crate) async fn end(ui: Ui, Form(meant): Form<KeyForm>) -> Result<Response, Problem> {
    end_key(ui.app.clone(), axum::extract::Path(meant.key)).await?;
    Ok(see("/account"))
}
