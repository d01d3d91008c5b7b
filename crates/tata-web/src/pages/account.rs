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
    access::account,
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
}

struct KeyRow {
    key: KeyView,
    made: String,
}

pub(crate) async fn show(ui: Ui) -> Result<Response, Problem> {
    page(&ui, None, None).await
}

async fn page(ui: &Ui, secret: Option<String>, problem: Option<String>) -> Result<Response, Problem> {
    let own = account(&ui.app)?.clone();
    let Json(keys) = keys(ui.app.clone()).await?;
    let row = |key: KeyView| KeyRow { made: ui.moment(key.created_at), key };
    ui.page(&AccountPage {
        shell: ui.shell(ui.words().account, Place::Account, None).await?,
        w: ui.words(),
        is_admin: own.role == AccountRole::Admin,
        account: own,
        keys: keys.into_iter().map(row).collect(),
        secret,
        problem,
    })
}

/// What a problem with a form is called in the reader's language; what only programs meet stays as it is.
pub(super) fn told(w: &Words, problem: &Problem) -> String {
    match (problem.code, problem.field.as_deref()) {
        ("wrong_password", _) => w.password_wrong.to_owned(),
        ("exists", _) => w.person_taken.to_owned(),
        ("own_account", _) => w.person_own.to_owned(),
        (_, Some("password")) => w.password_bad.to_owned(),
        _ => problem.detail.clone(),
    }
}

pub(crate) async fn password(ui: Ui, Form(new): Form<NewPassword>) -> Result<Response, Problem> {
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
