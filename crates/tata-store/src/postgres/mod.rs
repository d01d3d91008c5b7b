//! Sessions in Postgres, shared by any number of replicas.
//!
//! A server may restart at any moment, also between a commit and the word that it happened. So everything here may be
//! tried again: reads by nature, leases because each attempt carries the name of its taker, batches because each has a
//! random name that its session remembers.

mod accounts;
mod artifacts;
mod audit;
mod chat_marks;
mod files;
mod journal;
mod keys;
mod ledger;
mod sessions;
mod signals;
mod upkeep;

use std::{
    collections::HashMap,
    future::Future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use sqlx::{
    ConnectOptions, Connection, PgConnection, PgPool, SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tata_core::StoreError;
use tokio::time::{Instant, sleep, timeout};

use crate::{
    DatabaseVersion,
    failure::{Failure, migration_failed},
};

/// A server that vanished without a word leaves its connections open: no attempt waits longer than this.
const ATTEMPT: Duration = Duration::from_secs(8);
/// How long a server may be away before a caller hears of it.
const PATIENCE: Duration = Duration::from_secs(20);
/// At the start nothing is in flight yet, and the address is more likely wrong: whoever waits should hear of it soon.
const PATIENCE_AT_START: Duration = Duration::from_secs(3);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);
const CONNECTIONS: u32 = 16;
/// What one company can use of them at once, and how long one is kept that nobody uses.
const CONNECTIONS_OF_COMPANY: u32 = 8;
const IDLE_CONNECTION: Duration = Duration::from_secs(30);
/// Enough to be worth a question before use; a connection in steady use is not asked each time.
const IDLE: Duration = Duration::from_secs(1);

/// An acknowledged write must survive a crash, whatever the server's default is; `remote_apply` promises even more.
const DURABLE: &str = "SELECT set_config('synchronous_commit', 'on', false) \
    WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')";

/// A process that is stopped in the middle of a transaction holds its rows: the server ends it before the attempt of
/// another one does, so that this one gets them.
const AWAKE: &str = "SET idle_in_transaction_session_timeout TO '5s'";

/// Our tables live in a schema of their own: a database may be shared with other programs.
const OWN_SCHEMA: &str = "SET search_path TO tata";
/// The newest version of it that was applied.
const SCHEMA: &str = "SELECT MAX(version) FROM _sqlx_migrations";
const BOUND_BY_POLICIES: &str =
    "SELECT NOT (rolsuper OR rolbypassrls) FROM pg_roles WHERE rolname = current_user";
/// What is behind the wall; see the migration.
const WALL: &str = "SELECT set_config('tata.tenant', $1, false)";
const MAKE_SCHEMA: &str = "CREATE SCHEMA IF NOT EXISTS tata";

/// What time it is, by the only clock that all replicas share.
macro_rules! now {
    () => {
        "(EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT"
    };
}
use now;

/// A store in a Postgres database, which many replicas may share.
#[derive(Clone, Debug)]
pub struct PostgresStore {
    pool: PgPool,
    options: PgConnectOptions,
    /// The connections of each company that was asked for: behind the second wall.
    walled: Arc<Mutex<HashMap<String, PgPool>>>,
}

impl PostgresStore {
    /// Connects and brings the schema up to date; replicas that start together take turns at that. Refuses databases
    /// of newer versions of this program.
    pub async fn connect(url: &str) -> Result<Self, StoreError> {
        // The cause of a bad URL is left out: it may quote the password.
        let options: PgConnectOptions = url.parse().map_err(|_| StoreError::Unusable {
            reason: "its URL cannot be read; postgres://user@host/name is one".to_owned(),
        })?;
        let options = options.application_name("tata").disable_statement_logging();
        patiently_for(PATIENCE_AT_START, |_| migrate(&options)).await?;
        let pool = pool(&options, None);
        Ok(Self { pool, options, walled: Arc::default() })
    }

    /// The same database by connections that see this company's rows alone.
    #[must_use]
    pub fn of_tenant(&self, tenant: &str) -> Self {
        let mut walled = self.walled.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || pool(&self.options, serde_json::to_string(tenant).ok());
        let pool = walled.entry(tenant.to_owned()).or_insert_with(make).clone();
        Self { pool, options: self.options.clone(), walled: Arc::clone(&self.walled) }
    }

    /// Where an address leads, as the driver reads it: what a text looks like is no proof. No login is in it.
    pub fn place(url: &str) -> String {
        let Ok(options) = url.parse::<PgConnectOptions>() else {
            return "an address that cannot be read".to_owned();
        };
        let name = options.get_database().map(|name| format!("/{name}")).unwrap_or_default();
        match options.get_socket() {
            Some(socket) => format!("{}{name}", socket.display()),
            None => format!("{}:{}{name}", options.get_host(), options.get_port()),
        }
    }

    /// What this database is.
    pub async fn version(&self) -> Result<DatabaseVersion, StoreError> {
        patiently(|_| async move {
            let engine: String = sqlx::query_scalar("SHOW server_version").fetch_one(&self.pool).await?;
            let schema = sqlx::query_scalar(SCHEMA).fetch_one(&self.pool).await?;
            Ok(DatabaseVersion { engine: format!("PostgreSQL {engine}"), schema })
        })
        .await
    }

    /// Whether the database itself keeps companies apart. It does not for a superuser, nor for a role with BYPASSRLS: their
    /// connections see every row, whatever is asked of them.
    pub async fn keeps_companies_apart(&self) -> Result<bool, StoreError> {
        patiently(|_| async move { Ok(sqlx::query_scalar(BOUND_BY_POLICIES).fetch_one(&self.pool).await?) })
            .await
    }
}

/// Connections, of a company alone if one is named (as JSON text, as its column keeps it).
fn pool(options: &PgConnectOptions, tenant: Option<String>) -> PgPool {
    PgPoolOptions::new()
        .max_connections(if tenant.is_some() { CONNECTIONS_OF_COMPANY } else { CONNECTIONS })
        // There may be many companies, and a server gives few connections.
        .idle_timeout(IDLE_CONNECTION)
        .acquire_timeout(PATIENCE)
        // Instead of a question before every use; see below, and `patiently` for what slips through.
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            Box::pin(async move {
                if meta.idle_for >= IDLE {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
        .after_connect(move |connection, _| {
            let tenant = tenant.clone();
            Box::pin(async move {
                sqlx::query(OWN_SCHEMA).execute(&mut *connection).await?;
                sqlx::query(DURABLE).execute(&mut *connection).await?;
                sqlx::query(AWAKE).execute(&mut *connection).await?;
                if let Some(tenant) = tenant {
                    sqlx::query(WALL).bind(tenant).execute(connection).await?;
                }
                Ok(())
            })
        })
        .connect_lazy_with(options.clone())
}

/// Does something, and again while the server cannot be reached. An attempt that is not the first (they count from 0)
/// may find that the one before had succeeded, and only the answer was lost.
async fn patiently<T, F>(what: impl Fn(u32) -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, Failure>>,
{
    patiently_for(PATIENCE, what).await
}

async fn patiently_for<T, F>(patience: Duration, what: impl Fn(u32) -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, Failure>>,
{
    let deadline = Instant::now() + patience;
    let (mut pause, mut attempt) = (Duration::from_millis(20), 0);
    loop {
        let error = match timeout(ATTEMPT, what(attempt)).await {
            Ok(Ok(done)) => return Ok(done),
            Ok(Err(failure)) => StoreError::from(failure),
            Err(silence) => StoreError::Unavailable { source: Box::new(silence) },
        };
        if !matches!(error, StoreError::Unavailable { .. }) || Instant::now() + pause > deadline {
            return Err(error);
        }
        tracing::warn!(
            error = &error as &dyn std::error::Error,
            "the database cannot be reached; trying again"
        );
        sleep(pause).await;
        (pause, attempt) = ((pause * 2).min(LONGEST_PAUSE), attempt + 1);
    }
}

/// On a connection of its own: one that fails keeps the lock until it is closed.
async fn migrate(options: &PgConnectOptions) -> Result<(), Failure> {
    let migration = |version, name: &'static str, sql: &'static str| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    };
    let migrator = Migrator::with_migrations(vec![
        migration(1, "sessions", include_str!("../../migrations/postgres/0001_sessions.sql")),
        migration(2, "titles", include_str!("../../migrations/postgres/0002_titles.sql")),
        migration(3, "accounts", include_str!("../../migrations/postgres/0003_accounts.sql")),
        migration(4, "files", include_str!("../../migrations/postgres/0004_files.sql")),
        migration(5, "request keys", include_str!("../../migrations/postgres/0005_request_keys.sql")),
        migration(6, "people", include_str!("../../migrations/postgres/0006_people.sql")),
        migration(7, "chat marks", include_str!("../../migrations/postgres/0007_chat_marks.sql")),
        migration(8, "deletions", include_str!("../../migrations/postgres/0008_deletions.sql")),
    ]);
    let mut connection = PgConnection::connect_with(options).await?;
    make_schema(&mut connection).await?;
    // Runs under an advisory lock of the database.
    // (`run` does the same, but its future cannot be sent to another thread.)
    let done = migrator.run_direct(None, &mut connection, false).await;
    drop(connection.close().await);
    done.map_err(|error| migration_failed(error, &migrator).into())
}

/// Makes our schema, once. Two replicas that do it at the same moment may both find it missing.
async fn make_schema(connection: &mut PgConnection) -> Result<(), Failure> {
    let known = "SELECT EXISTS (SELECT FROM information_schema.schemata WHERE schema_name = 'tata')";
    if !sqlx::query_scalar::<_, bool>(known).fetch_one(&mut *connection).await? {
        let made = sqlx::query(MAKE_SCHEMA).execute(&mut *connection).await;
        if made.is_err() && !sqlx::query_scalar::<_, bool>(known).fetch_one(&mut *connection).await? {
            made?;
        }
    }
    sqlx::query(OWN_SCHEMA).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A replica that stands still in the middle of a write keeps no other from going on within one attempt.
    #[tokio::test]
    async fn a_transaction_that_sleeps_holds_nothing_for_long() {
        let Some(url) = tata_testkit::store::postgres_url() else { return };
        let connections = pool(&url.parse().unwrap(), None);
        let hold = "SELECT pg_advisory_xact_lock(7531)";
        let mut asleep = connections.begin().await.unwrap();
        sqlx::query(hold).execute(&mut *asleep).await.unwrap();
        let mut awake = connections.begin().await.unwrap();
        timeout(ATTEMPT, sqlx::query(hold).execute(&mut *awake)).await.unwrap().unwrap();
        assert!(sqlx::query("SELECT 1").execute(&mut *asleep).await.is_err());
    }
}
