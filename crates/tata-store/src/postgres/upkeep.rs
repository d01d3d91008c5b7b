//! Looking for damage, and saving what is left.

use sqlx::{PgPool, Postgres, Transaction};
use tata_core::{Salvage, StoreError, StoreFuture, Upkeep, Verified};

use super::{PostgresStore, patiently};
use crate::{
    failure::{Failure, is_outage},
    inspect::{RawSession, RawTable, TABLES, Verifier, inspect},
    raw::Row,
    rows::Cells,
    sql,
};

/// Everything is read as it is at one moment: a turn that goes on meanwhile is no damage.
const ONE_MOMENT: &str = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY";
/// Pages whose sums were wrong since the server last forgot its figures.
const WRONG_SUMS: &str = "SELECT COALESCE(checksum_failures, 0) FROM pg_stat_database \
    WHERE datname = current_database()";
/// Indexes whose making was broken off: the server does not trust them, and neither should anybody.
const BAD_INDEXES: &str = "SELECT c.relname::TEXT FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid \
    JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'tata' AND NOT i.indisvalid";
/// References that the server was told not to keep.
const OPEN_REFERENCES: &str = "SELECT conname::TEXT FROM pg_constraint c \
    JOIN pg_namespace n ON n.oid = c.connamespace \
    WHERE n.nspname = 'tata' AND c.contype = 'f' AND NOT c.convalidated";

/// What is read at one moment. An error ends a transaction, so the next part needs a new one, of a later moment.
struct Moment<'a> {
    pool: &'a PgPool,
    transaction: Option<Transaction<'a, Postgres>>,
}

impl Moment<'_> {
    /// All rows of a statement, or why there are none.
    async fn rows(&mut self, sql: &'static str, key: Option<i64>) -> Result<RawTable, Failure> {
        let transaction = match &mut self.transaction {
            Some(transaction) => transaction,
            none => {
                let mut transaction = self.pool.begin().await?;
                sqlx::query(ONE_MOMENT).execute(&mut *transaction).await?;
                none.insert(transaction)
            }
        };
        let query = match key {
            Some(key) => sqlx::query(sql).bind(key),
            None => sqlx::query(sql),
        };
        let read = query.fetch_all(&mut **transaction).await;
        let rows = read.and_then(|rows| rows.iter().map(Row::of_postgres).collect::<Result<_, _>>());
        match rows.map_err(Into::into) {
            Ok(rows) => Ok(RawTable { rows, faults: Vec::new() }),
            Err(fault) if is_outage(&fault) => Err(fault.into()),
            Err(fault) => {
                self.transaction = None;
                Ok(RawTable { rows: Vec::new(), faults: vec![fault.to_string()] })
            }
        }
    }

    async fn session(&mut self, row: Row) -> Result<RawSession, Failure> {
        let key = row.int(14)?;
        let mut tables: [RawTable; 5] = Default::default();
        for (table, raw) in TABLES.iter().zip(&mut tables) {
            *raw = self.rows(table.rows, Some(key)).await?;
        }
        Ok(RawSession { row, tables })
    }
}

impl PostgresStore {
    async fn look(&self) -> Result<Verified, Failure> {
        let mut verifier = Verifier::default();
        self.look_at_engine(&mut verifier).await?;
        let mut moment = Moment { pool: &self.pool, transaction: None };
        let sessions = moment.rows(sql::ALL_SESSIONS, None).await?;
        sessions.faults.iter().for_each(|fault| verifier.unreadable("sessions", fault));
        for row in sessions.rows {
            verifier.session(&moment.session(row).await?);
        }
        for table in &TABLES {
            let lost = moment.rows(table.lost, None).await?;
            lost.faults.iter().for_each(|fault| verifier.unreadable(table.name, fault));
            verifier.lost(table.name, &lost.rows);
        }
        let audit = moment.rows(sql::AUDIT_TRAIL, None).await?;
        audit.faults.iter().for_each(|fault| verifier.unreadable("audit", fault));
        Ok(verifier.audit(&audit.rows))
    }

    /// What the server knows about itself; reading every row, as follows, also reads every page and its sum.
    async fn look_at_engine(&self, verifier: &mut Verifier) -> Result<(), Failure> {
        let wrong: Option<i64> = sqlx::query_scalar(WRONG_SUMS).fetch_optional(&self.pool).await?;
        if let Some(wrong) = wrong.filter(|wrong| *wrong > 0) {
            verifier.engine(format!("the server met {wrong} pages whose sums are wrong"));
        }
        for name in sqlx::query_scalar::<_, String>(BAD_INDEXES).fetch_all(&self.pool).await? {
            verifier.engine(format!("the index {name} is not valid"));
        }
        for name in sqlx::query_scalar::<_, String>(OPEN_REFERENCES).fetch_all(&self.pool).await? {
            verifier.engine(format!("the reference {name} was never checked"));
        }
        Ok(())
    }
}

impl Upkeep for PostgresStore {
    fn verify(&self) -> StoreFuture<'_, Verified> {
        // A large database takes longer than an attempt may, and whoever asks can ask again.
        Box::pin(async move { self.look().await.map_err(StoreError::from) })
    }

    fn salvage(&self, id: String) -> StoreFuture<'_, Option<Salvage>> {
        Box::pin(async move {
            let id = &id.replace('\0', "\u{fffd}");
            patiently(|_| async move {
                let row = sqlx::query(sql::RAW_SESSION).bind(id).fetch_optional(&self.pool).await?;
                let Some(row) = row else { return Ok(None) };
                let mut moment = Moment { pool: &self.pool, transaction: None };
                let raw = moment.session(Row::of_postgres(&row)?).await?;
                Ok(Some(inspect(&raw)))
            })
            .await
        })
    }
}
