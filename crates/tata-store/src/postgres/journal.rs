//! The journal: leases, and what turns write.

use std::time::Duration;

use sqlx::{
    PgPool, Postgres, Row,
    error::ErrorKind,
    postgres::{PgArguments, PgRow},
    query::Query,
};
use tata_core::{
    Batch, Begun, CallId, Journal, Lease, NewAudit, Record, Session, SessionId, StoreError, StoreFuture,
};
use tokio::runtime::Handle;
use uuid::Uuid;

use super::{PostgresStore, artifacts, audit, now, patiently};
use crate::{
    change::no_session,
    failure::Failure,
    rows::{self, Cells, Line, Written, count, integer, maybe_json, millis},
    sql::{self, session_columns},
};

/// Leases end by time alone here, and by the database's clock: no replica can see whether another one lives. The
/// holder is a random name for each wish to begin, so that an attempt whose answer was lost can be made again without
/// finding itself in the way.
const TAKE: &str = concat!(
    "UPDATE sessions SET epoch = epoch + 1, lease_holder = $2, lease_until = $3 + ",
    now!(),
    " WHERE id = $1 AND (lease_holder IS NULL OR lease_holder = $2 OR lease_until <= ",
    now!(),
    ") RETURNING ",
    session_columns!(),
    ", key, epoch"
);
/// And one more, which should not be there.
const JOURNAL: &str = "SELECT position, at, entry FROM journal \
    WHERE session = $1 AND position <= $2 + 1 AND position > $3 ORDER BY position";
const EPOCH: &str = "SELECT epoch FROM sessions WHERE id = $1";
const RENEW: &str = concat!(
    "UPDATE sessions SET lease_until = $3 + ",
    now!(),
    " WHERE id = $1 AND epoch = $2 AND lease_holder IS NOT NULL"
);
const RELEASE: &str =
    "UPDATE sessions SET lease_holder = NULL, lease_until = NULL WHERE id = $1 AND epoch = $2";
const GIVE_BACK: &str =
    "UPDATE sessions SET lease_holder = NULL, lease_until = NULL WHERE id = $1 AND lease_holder = $2";
/// A turn that waits for a person is open as well, and nobody works on it: whoever resumes it will see that and wait.
const INTERRUPTED: &str = concat!(
    "SELECT ",
    session_columns!(),
    " FROM sessions WHERE open_turn AND delete_at IS NULL AND (lease_holder IS NULL OR lease_until <= ",
    now!(),
    ") ORDER BY updated_at, id"
);
const STANDING: &str = "SELECT epoch, lease_holder IS NOT NULL, last_position, \
    COALESCE(last_batch = $2, FALSE) FROM sessions WHERE id = $1";

/// The part of a batch that every one has. One statement is one transaction and one trip to the server.
///
/// Fencing is by epoch: a lease that ran out, but that nobody took over, may still be used. A replica that was stopped
/// for a while must be able to go on.
macro_rules! append {
    () => {
        concat!(
            "WITH head AS (UPDATE sessions SET last_position = COALESCE($5, last_position), \
             updated_at = GREATEST(updated_at, $6), turn_count = turn_count + $7, \
             retrieval_count = retrieval_count + $8, \
             total_tokens_used = LEAST(total_tokens_used::NUMERIC + $9, 9223372036854775807)::BIGINT, \
             open_turn = COALESCE($10, open_turn), title = COALESCE(title, $11), \
             lease_holder = CASE WHEN $12 THEN NULL ELSE lease_holder END, lease_until = $13 + ",
            now!(),
            ", last_batch = $3 WHERE id = $1 AND epoch = $2 AND lease_holder IS NOT NULL \
             AND last_batch IS DISTINCT FROM $3 AND last_position = COALESCE($4, last_position) \
             RETURNING key), \
             lines AS (INSERT INTO journal (session, position, at, entry) \
             SELECT head.key, line.* FROM head, unnest($14::BIGINT[], $15::BIGINT[], $16::TEXT[]) AS line), \
             used AS (INSERT INTO usage (session, at, request) SELECT head.key, row.at, row.request FROM head, \
             unnest($17::BIGINT[], $18::TEXT[]) WITH ORDINALITY AS row (at, request, place) ORDER BY row.place)"
        )
    };
}
const APPEND: &str = concat!(append!(), " SELECT COUNT(*) FROM head");
/// With documents, with kinds whose newest versions are out of date by it, and with whole outputs. Kind and key are
/// quoted JSON strings, so their concatenation names exactly one document. All parts see the tables as they were before
/// the statement: documents of this batch are not marked.
const APPEND_ALL: &str = concat!(
    append!(),
    ", marked AS (UPDATE artifacts old SET stale = TRUE FROM head WHERE old.session = head.key \
     AND old.kind = ANY ($19) AND old.kind || old.key <> ALL ($20) AND old.version = (SELECT MAX(version) \
     FROM artifacts n WHERE n.session = old.session AND n.kind = old.kind AND n.key = old.key)), \
     made AS (INSERT INTO artifacts (session, kind, key, version, json, created_at) SELECT head.key, new.* \
     FROM head, unnest($21::TEXT[], $22::TEXT[], $23::BIGINT[], $24::TEXT[], $25::BIGINT[]) AS new), \
     kept AS (INSERT INTO outputs (session, call_id, output) SELECT head.key, whole.* \
     FROM head, unnest($26::TEXT[], $27::TEXT[]) AS whole \
     ON CONFLICT (session, call_id) DO UPDATE SET output = excluded.output) \
     SELECT COUNT(*) FROM head"
);

impl PostgresStore {
    /// Takes the lease, then reads the journal up to where the session stood at that moment. That is one step as far
    /// as anybody can tell: what is written does not change, and only the holder adds to it.
    async fn take(
        &self,
        id: SessionId,
        (time, known): (Duration, u64),
        holder: &str,
    ) -> Result<Begun, Failure> {
        let query = sqlx::query(TAKE).bind(id.to_string()).bind(holder).bind(lasting(time));
        let Some(row) = query.fetch_optional(&self.pool).await? else {
            let there = sqlx::query(sql::SESSION).bind(id.to_string()).fetch_optional(&self.pool).await?;
            let refused = there.map_or_else(|| no_session(id), |_| StoreError::Busy { session: id });
            return Err(refused.into());
        };
        let session = rows::session(&row)?;
        let lease = Lease { session: id, epoch: count(row.int(15)?), time };
        let records = match session.last_position {
            0 => Vec::new(),
            last => {
                let query = sqlx::query(JOURNAL).bind(row.int(14)?).bind(integer(last)).bind(integer(known));
                let lines = lines(&query.fetch_all(&self.pool).await?)?;
                if known + lines.len() as u64 > last && self.is_overtaken(&lease).await? {
                    return Err(StoreError::Busy { session: id }.into());
                }
                rows::journal(&lines, id, known, Some(last))?
            }
        };
        Ok(Begun { lease, session, records })
    }

    /// Whether the lease ran out before the journal was read, and somebody else has written since.
    async fn is_overtaken(&self, lease: &Lease) -> Result<bool, Failure> {
        let query = sqlx::query_scalar::<_, i64>(EPOCH).bind(lease.session.to_string());
        Ok(query.fetch_optional(&self.pool).await? != Some(integer(lease.epoch)))
    }

    async fn write(&self, lease: &Lease, batch: &Written, name: &str) -> Result<(), Failure> {
        let change = &batch.change;
        let (made, rare) = (artifacts::Columns::of(&batch.artifacts)?, !batch.is_plain());
        let query = sqlx::query(if rare { APPEND_ALL } else { APPEND })
            .bind(lease.session.to_string())
            .bind(integer(lease.epoch))
            .bind(name)
            .bind(change.positions.map(|(first, _)| integer(first) - 1))
            .bind(change.positions.map(|(_, last)| integer(last)))
            .bind(change.at.map(millis))
            .bind(i64::from(change.turns))
            .bind(i64::from(change.retrievals))
            .bind(integer(change.tokens))
            .bind(change.open_turn)
            .bind(maybe_json(change.title.as_deref())?)
            .bind(change.release)
            .bind(lasting(lease.time))
            .bind(batch.records.iter().map(|line| line.position).collect::<Vec<_>>())
            .bind(batch.records.iter().map(|line| line.at).collect::<Vec<_>>())
            .bind(batch.records.iter().map(|line| &*line.entry).collect::<Vec<_>>())
            .bind(batch.usage.iter().map(|(at, _)| *at).collect::<Vec<_>>())
            .bind(batch.usage.iter().map(|(_, request)| &**request).collect::<Vec<_>>());
        let query = if rare {
            query
                .bind(batch.stale.iter().map(rows::json).collect::<Result<Vec<_>, _>>()?)
                .bind(made.names)
                .bind(made.kinds)
                .bind(made.keys)
                .bind(made.versions)
                .bind(made.documents)
                .bind(made.times)
                .bind(batch.outputs.keys().map(String::as_str).collect::<Vec<_>>())
                .bind(batch.outputs.values().map(String::as_str).collect::<Vec<_>>())
        } else {
            query
        };
        fail::fail_point!("postgres::before_commit");
        let written = if batch.audit.is_empty() {
            query.fetch_one(&self.pool).await
        } else {
            self.write_with_audit(query, lease.session, &batch.audit).await
        };
        let written: i64 = match written {
            Ok(row) => row.int(0)?,
            Err(error) if is_taken(&error) => {
                return Err(artifacts::find_taken(&self.pool, lease.session, &batch.artifacts, error).await);
            }
            Err(error) => return Err(error.into()),
        };
        fail::fail_point!("postgres::after_commit");
        if written == 0 { self.why_not(lease, batch, name).await } else { Ok(()) }
    }

    /// Decisions and their audit entries. The batch has a name, so what was written is not written again.
    async fn write_with_audit(
        &self,
        query: Query<'_, Postgres, PgArguments>,
        session: SessionId,
        audit: &[NewAudit],
    ) -> Result<PgRow, sqlx::Error> {
        let mut transaction = audit::begin(&self.pool).await?;
        let row = query.fetch_one(&mut *transaction).await?;
        if row.try_get::<i64, _>(0)? > 0 {
            let tenant = audit::tenant_of(&mut transaction, session).await?;
            for act in audit {
                audit::add(&mut transaction, &act.clone().in_tenant(tenant.clone())).await?;
            }
            audit::commit(transaction).await?;
        }
        Ok(row)
    }

    /// Why nothing was written, or that it had been written before.
    async fn why_not(&self, lease: &Lease, batch: &Written, name: &str) -> Result<(), Failure> {
        let query = sqlx::query(STANDING).bind(lease.session.to_string()).bind(name);
        let row = query.fetch_optional(&self.pool).await?.ok_or_else(|| no_session(lease.session))?;
        if row.try_get(3)? {
            return Ok(());
        }
        check(&row, lease)?;
        batch.change.follows(count(row.int(2)?))?;
        // Whatever stood in the way has gone.
        Err(StoreError::Unavailable { source: "the session changed meanwhile".into() }.into())
    }
}

/// Refuses a lease that is no longer the session's.
fn check(standing: &PgRow, lease: &Lease) -> Result<(), Failure> {
    if standing.int(0)? == integer(lease.epoch) && standing.flag(1)? {
        Ok(())
    } else {
        Err(StoreError::LeaseLost { session: lease.session, epoch: lease.epoch }.into())
    }
}

fn is_taken(error: &sqlx::Error) -> bool {
    error.as_database_error().is_some_and(|error| error.kind() == ErrorKind::UniqueViolation)
}

fn lasting(time: Duration) -> i64 {
    // Half of all time, so that adding the present does not overflow.
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX).min(i64::MAX / 2)
}

fn lines(rows: &[PgRow]) -> Result<Vec<Line>, Failure> {
    rows.iter().map(|row| Ok(Line::read(row)?)).collect()
}

/// Gives a lease back when it is dropped: whoever wanted it has gone before it was there.
struct GivesBack<'a> {
    pool: &'a PgPool,
    id: SessionId,
    holder: &'a str,
}

impl Drop for GivesBack<'_> {
    fn drop(&mut self) {
        let Ok(runtime) = Handle::try_current() else { return };
        let (pool, id, holder) = (self.pool.clone(), self.id.to_string(), self.holder.to_owned());
        runtime.spawn(async move {
            let query = sqlx::query(GIVE_BACK).bind(id).bind(holder);
            drop(query.execute(&pool).await);
        });
    }
}

impl Journal for PostgresStore {
    fn begin_after(&self, id: SessionId, time: Duration, known: u64) -> StoreFuture<'_, Begun> {
        Box::pin(async move {
            let holder = &*Uuid::new_v4().to_string();
            let gone = GivesBack { pool: &self.pool, id, holder };
            let begun = patiently(|_| self.take(id, (time, known), holder)).await;
            std::mem::forget(gone);
            if let Err(StoreError::Unreadable { .. }) = begun {
                // A journal that nobody can read should at least not look busy.
                let query = sqlx::query(GIVE_BACK).bind(id.to_string()).bind(holder);
                drop(query.execute(&self.pool).await);
            }
            begun
        })
    }

    fn append(&self, lease: &Lease, batch: Batch) -> StoreFuture<'static, ()> {
        let (store, lease) = (self.clone(), lease.clone());
        Box::pin(async move {
            let (batch, name) = (&Written::of(lease.session, batch)?, &*Uuid::new_v4().to_string());
            patiently(|_| store.write(&lease, batch, name)).await
        })
    }

    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(patiently(move |_| async move {
            let id = lease.session.to_string();
            let query = sqlx::query(RENEW).bind(&id).bind(integer(lease.epoch)).bind(lasting(lease.time));
            if query.execute(&self.pool).await?.rows_affected() > 0 {
                return Ok(());
            }
            let row = sqlx::query(STANDING).bind(&id).bind("").fetch_optional(&self.pool).await?;
            check(&row.ok_or_else(|| no_session(lease.session))?, lease)
        }))
    }

    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()> {
        Box::pin(patiently(move |_| async move {
            let query = sqlx::query(RELEASE).bind(lease.session.to_string()).bind(integer(lease.epoch));
            query.execute(&self.pool).await?;
            Ok(())
        }))
    }

    fn settle(&self) -> StoreFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn abandon(&self, lease: Lease) {
        // Outside a runtime nothing can be sent; the lease then ends by itself.
        let Ok(runtime) = Handle::try_current() else { return };
        let pool = self.pool.clone();
        runtime.spawn(async move {
            let query = sqlx::query(RELEASE).bind(lease.session.to_string()).bind(integer(lease.epoch));
            let _ = query.execute(&pool).await;
        });
    }

    fn records(&self, id: SessionId, after: u64) -> StoreFuture<'_, Vec<Record>> {
        Box::pin(patiently(move |_| async move {
            let query = sqlx::query(sql::RECORDS).bind(id.to_string()).bind(integer(after));
            let lines = lines(&query.fetch_all(&self.pool).await?)?;
            Ok(rows::journal(&lines, id, after, None)?)
        }))
    }

    fn interrupted(&self) -> StoreFuture<'_, Vec<Session>> {
        Box::pin(patiently(move |_| async move {
            // A row that cannot be read is told by the listing, and must not keep the others from going on.
            let rows = sqlx::query(INTERRUPTED).fetch_all(&self.pool).await?;
            Ok(rows.iter().filter_map(|row| rows::session(row).ok()).collect())
        }))
    }

    fn output(&self, id: SessionId, call_id: CallId) -> StoreFuture<'_, Option<String>> {
        Box::pin(async move {
            let call_id = &call_id;
            patiently(|_| async move {
                let query = sqlx::query(sql::OUTPUT).bind(id.to_string()).bind(rows::json(call_id)?);
                let row = query.fetch_optional(&self.pool).await?;
                row.map(|row| rows::output(&row, call_id)).transpose()
            })
            .await
        })
    }
}
