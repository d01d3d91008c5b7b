//! Who may sign in, and by what they are known then.

use rusqlite::{Connection, ErrorCode, params};
use tata_core::{AccessToken, Account, Accounts, DirectoryPerson, StoreError, StoreFuture, name_key};

use super::{
    SqliteStore,
    connection::{all, first, run},
    writer::Request,
};
use crate::{
    change::{name_taken, no_account},
    failure::Failure,
    rows::{self, json, maybe_json, millis},
    sql,
};

/// What a constraint that does not hold means here.
fn refused(done: Result<usize, rusqlite::Error>, why: impl FnOnce() -> StoreError) -> Result<usize, Failure> {
    match done {
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => Err(why().into()),
        done => Ok(done?),
    }
}

pub(super) fn save(connection: &Connection, account: &Account) -> Result<(), Failure> {
    let person = account.person.as_ref().map(json).transpose()?;
    let values = params![
        json(&account.id)?,
        json(&account.name)?,
        json(&account.tenant)?,
        json(account)?,
        json(&name_key(&account.name))?,
        person
    ];
    refused(run(connection, sql::SAVE_ACCOUNT, values), || name_taken(&account.name)).map(drop)
}

pub(super) fn save_token(connection: &Connection, token: &AccessToken) -> Result<(), Failure> {
    let values = params![token.hash, json(&token.account)?, millis(token.created_at), json(token)?];
    refused(run(connection, sql::SAVE_TOKEN, values), || no_account(&token.account)).map(drop)
}

pub(super) fn renew_token(connection: &Connection, token: &AccessToken) -> Result<(), Failure> {
    run(connection, sql::RENEW_TOKEN, params![json(token)?, token.hash])?;
    Ok(())
}

pub(super) fn delete_token(connection: &Connection, hash: &String) -> Result<bool, Failure> {
    Ok(run(connection, sql::DELETE_TOKEN, [hash])? > 0)
}

impl Accounts for SqliteStore {
    fn save_account(&self, account: Account) -> StoreFuture<'_, ()> {
        Box::pin(self.ask(account, Request::Account))
    }

    fn account(&self, id: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(self.readers.read(move |connection| {
            first(connection, sql::ACCOUNT, [json(&id)?], |row| rows::account(row, 0))
        }))
    }

    fn account_named(&self, name: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(self.readers.read(move |connection| {
            let values = [json(&name)?, json(&name_key(&name))?];
            first(connection, sql::ACCOUNT_NAMED, values, |row| rows::account(row, 0))
        }))
    }

    fn account_of_person(&self, person: DirectoryPerson) -> StoreFuture<'_, Option<Account>> {
        Box::pin(self.readers.read(move |connection| {
            first(connection, sql::ACCOUNT_OF_PERSON, [json(&person)?], |row| rows::account(row, 0))
        }))
    }

    fn accounts(&self, tenant: Option<String>) -> StoreFuture<'_, Vec<Account>> {
        Box::pin(self.readers.read(move |connection| {
            let tenant = maybe_json(tenant.as_deref())?;
            all(connection, sql::ACCOUNTS, [tenant], |row| rows::account(row, 0))
        }))
    }

    fn save_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        Box::pin(self.ask(token, Request::Token))
    }

    fn renew_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        Box::pin(self.ask(token, Request::RenewToken))
    }

    fn token(&self, hash: String) -> StoreFuture<'_, Option<(AccessToken, Account)>> {
        Box::pin(self.readers.read(move |connection| {
            first(connection, sql::TOKEN, [hash], |row| Ok((rows::token(row)?, rows::account(row, 1)?)))
        }))
    }

    fn tokens(&self, account: String) -> StoreFuture<'_, Vec<AccessToken>> {
        Box::pin(
            self.readers.read(move |connection| {
                all(connection, sql::TOKENS, [json(&account)?], |row| rows::token(row))
            }),
        )
    }

    fn delete_token(&self, hash: String) -> StoreFuture<'_, bool> {
        Box::pin(self.ask(hash, Request::DeleteToken))
    }
}
