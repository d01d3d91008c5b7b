//! Who may sign in, and by what they are known then.

use serde::Serialize;
use sqlx::error::ErrorKind;
use tata_core::{AccessToken, Account, Accounts, DirectoryPerson, StoreError, StoreFuture, name_key};

use super::{PostgresStore, patiently};
use crate::{
    change::{name_taken, no_account},
    failure::Failure,
    rows::{self, json, maybe_json, millis},
    sql,
};

/// What a constraint that does not hold means here.
fn refused<T>(done: Result<T, sqlx::Error>, why: impl FnOnce() -> StoreError) -> Result<T, Failure> {
    let broken = |error: &sqlx::Error| {
        let kind = error.as_database_error().map(sqlx::error::DatabaseError::kind);
        matches!(kind, Some(ErrorKind::UniqueViolation | ErrorKind::ForeignKeyViolation))
    };
    match done {
        Err(error) if broken(&error) => Err(why().into()),
        done => Ok(done?),
    }
}

impl PostgresStore {
    async fn one_account(
        &self,
        sql: &'static str,
        key: &(impl Serialize + ?Sized),
    ) -> Result<Option<Account>, Failure> {
        let row = sqlx::query(sql).bind(json(key)?).fetch_optional(&self.pool).await?;
        row.map(|row| rows::account(&row, 0)).transpose()
    }
}

impl Accounts for PostgresStore {
    fn save_account(&self, account: Account) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let account = &account;
            patiently(|_| async move {
                let query = sqlx::query(sql::SAVE_ACCOUNT)
                    .bind(json(&account.id)?)
                    .bind(json(&account.name)?)
                    .bind(json(&account.tenant)?)
                    .bind(json(account)?)
                    .bind(json(&name_key(&account.name))?)
                    .bind(account.person.as_ref().map(json).transpose()?);
                refused(query.execute(&self.pool).await, || name_taken(&account.name)).map(drop)
            })
            .await
        })
    }

    fn account(&self, id: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move { patiently(|_| self.one_account(sql::ACCOUNT, id.as_str())).await })
    }

    fn account_named(&self, name: String) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move {
            let name = &name;
            patiently(|_| async move {
                let query = sqlx::query(sql::ACCOUNT_NAMED).bind(json(name)?).bind(json(&name_key(name))?);
                let row = query.fetch_optional(&self.pool).await?;
                row.map(|row| rows::account(&row, 0)).transpose()
            })
            .await
        })
    }

    fn account_of_person(&self, person: DirectoryPerson) -> StoreFuture<'_, Option<Account>> {
        Box::pin(async move { patiently(|_| self.one_account(sql::ACCOUNT_OF_PERSON, &person)).await })
    }

    fn accounts(&self, tenant: Option<String>) -> StoreFuture<'_, Vec<Account>> {
        Box::pin(async move {
            let tenant = tenant.as_deref();
            patiently(|_| async move {
                let query = sqlx::query(sql::ACCOUNTS).bind(maybe_json(tenant)?);
                let rows = query.fetch_all(&self.pool).await?;
                rows.iter().map(|row| rows::account(row, 0)).collect()
            })
            .await
        })
    }

    fn save_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let token = &token;
            patiently(|_| async move {
                let query = sqlx::query(sql::SAVE_TOKEN)
                    .bind(&token.hash)
                    .bind(json(&token.account)?)
                    .bind(millis(token.created_at))
                    .bind(json(token)?);
                refused(query.execute(&self.pool).await, || no_account(&token.account)).map(drop)
            })
            .await
        })
    }

    fn renew_token(&self, token: AccessToken) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let token = &token;
            patiently(|_| async move {
                let query = sqlx::query(sql::RENEW_TOKEN).bind(json(token)?).bind(&token.hash);
                query.execute(&self.pool).await?;
                Ok(())
            })
            .await
        })
    }

    fn token(&self, hash: String) -> StoreFuture<'_, Option<(AccessToken, Account)>> {
        Box::pin(async move {
            let hash = &hash;
            patiently(|_| async move {
                let row = sqlx::query(sql::TOKEN).bind(hash).fetch_optional(&self.pool).await?;
                row.map(|row| Ok((rows::token(&row)?, rows::account(&row, 1)?))).transpose()
            })
            .await
        })
    }

    fn tokens(&self, account: String) -> StoreFuture<'_, Vec<AccessToken>> {
        Box::pin(async move {
            let account = &account;
            patiently(|_| async move {
                let rows = sqlx::query(sql::TOKENS).bind(json(account)?).fetch_all(&self.pool).await?;
                rows.iter().map(rows::token).collect()
            })
            .await
        })
    }

    fn delete_token(&self, hash: String) -> StoreFuture<'_, bool> {
        Box::pin(async move {
            let hash = &hash;
            patiently(|attempt| async move {
                let ended = sqlx::query(sql::DELETE_TOKEN).bind(hash).execute(&self.pool).await?;
                // What a later attempt does not find, the first one may have ended.
                Ok(ended.rows_affected() > 0 || attempt > 0)
            })
            .await
        })
    }
}
