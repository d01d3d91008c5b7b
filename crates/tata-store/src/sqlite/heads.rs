//! What the database says about sessions whose turns write, changed here and saved in one statement.
//!
//! The heads of sessions whose turns go on are kept from one transaction to the next: each turn writes several times.
//! SQLite tells whether anybody else has written meanwhile; then they are read again.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
    time::Duration,
};

use jiff::Timestamp;
use sqlx::{AssertSqlSafe, Sqlite, SqliteConnection, query::Query, sqlite::SqliteArguments};
use tata_core::{Lease, Session, SessionId, StoreError};

use super::lock::Owner;
use crate::{
    change::{folded, no_session},
    failure::Failure,
    rows::{self, Cells, Line, count, integer, millis},
    sql::session_columns,
};

const LOAD: &str = concat!(
    "SELECT ",
    session_columns!(),
    ", key, epoch, lease_holder, lease_until FROM sessions WHERE id IN (SELECT value FROM json_each($1))"
);

static SAVE: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "UPDATE sessions SET epoch = v.column2, lease_holder = v.column3, lease_until = v.column4, \
         last_position = v.column5, updated_at = v.column6, turn_count = v.column7, retrieval_count = v.column8, \
         total_tokens_used = v.column9, open_turn = v.column10, title = COALESCE(v.column11, title), \
         title_folded = COALESCE(v.column12, title_folded) FROM (",
        12,
        ") AS v WHERE sessions.key = v.column1",
    )
});

static WRITE_LINES: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new(
        "INSERT INTO journal (session, position, at, entry) SELECT * FROM (",
        4,
        ") WHERE column1 IS NOT NULL",
    )
});

static WRITE_USAGE: LazyLock<Bulk> = LazyLock::new(|| {
    Bulk::new("INSERT INTO usage (session, at, request) SELECT * FROM (", 3, ") WHERE column1 IS NOT NULL")
});

/// A session, and who may write it.
pub(super) struct Head {
    pub(super) key: i64,
    pub(super) session: Session,
    epoch: u64,
    /// Who holds the lease; none when it was given back.
    holder: Option<String>,
    until: i64,
    changed: bool,
    /// Its first title, to be saved: as JSON, and with letter case set aside.
    named: Option<(String, String)>,
}

impl Head {
    pub(super) fn read(row: &impl Cells) -> Result<Self, Failure> {
        Ok(Self {
            session: rows::session(row)?,
            key: row.int(12)?,
            epoch: count(row.int(13)?),
            holder: row.maybe_text(14)?.map(str::to_owned),
            until: row.maybe_int(15)?.unwrap_or(0),
            changed: false,
            named: None,
        })
    }

    /// Whether somebody works on the session: the lease has not run out, and its owner lives.
    pub(super) fn is_in_use(&self, owner: &Owner) -> bool {
        self.holder.as_ref().is_some_and(|holder| self.until > now() && owner.is_alive(holder))
    }

    pub(super) fn take(&mut self, owner: &Owner, time: Duration) -> Result<Lease, StoreError> {
        if self.is_in_use(owner) {
            return Err(StoreError::Busy { session: self.session.id });
        }
        self.epoch += 1;
        self.holder = Some(owner.token().to_owned());
        self.extend(time);
        Ok(Lease { session: self.session.id, epoch: self.epoch, time })
    }

    /// Fencing is by epoch: a lease that ran out, but that nobody took over, may still be used. A laptop that slept
    /// through its lease must be able to go on.
    pub(super) fn check(&self, lease: &Lease) -> Result<(), StoreError> {
        if self.epoch == lease.epoch && self.holder.is_some() {
            Ok(())
        } else {
            Err(StoreError::LeaseLost { session: lease.session, epoch: lease.epoch })
        }
    }

    pub(super) fn extend(&mut self, time: Duration) {
        self.until = now().saturating_add(i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
        self.changed = true;
    }

    /// Gives the session a title, unless it has one. To be saved with the rest.
    pub(super) fn name(&mut self, title: Option<&str>) -> Result<(), StoreError> {
        if let (None, Some(title)) = (&self.session.title, title) {
            self.named = Some((rows::json(title)?, folded(title)));
        }
        Ok(())
    }

    /// Gives the lease back, unless somebody took over.
    pub(super) fn release(&mut self, lease: &Lease) {
        if self.epoch == lease.epoch {
            (self.holder, self.until, self.changed) = (None, 0, true);
        }
    }
}

/// The heads of some sessions, and what is to be added to their tables.
#[derive(Default)]
pub(super) struct Heads {
    by_id: HashMap<SessionId, Head>,
    /// The database's `data_version` when they were read: it changes with the writes of others, not with ours.
    version: i64,
    lines: Vec<(i64, Line)>,
    usage: Vec<(i64, i64, Arc<str>)>,
}

impl Heads {
    /// A transaction has begun, and the database is at this version.
    pub(super) fn see(&mut self, version: i64) {
        if version != self.version {
            self.forget();
            self.version = version;
        }
    }

    /// What is known may no longer be so: a transaction failed, or wrote past these heads.
    pub(super) fn forget(&mut self) {
        self.by_id.clear();
        self.lines.clear();
        self.usage.clear();
    }

    /// Reads the heads of these sessions that are not known.
    pub(super) async fn load(
        &mut self,
        connection: &mut SqliteConnection,
        ids: impl Iterator<Item = SessionId>,
    ) -> Result<(), Failure> {
        let unknown: Vec<SessionId> = ids.filter(|id| !self.by_id.contains_key(id)).collect();
        if unknown.is_empty() {
            return Ok(());
        }
        for row in &sqlx::query(LOAD).bind(rows::json(&unknown)?).fetch_all(connection).await? {
            let head = Head::read(row)?;
            self.by_id.insert(head.session.id, head);
        }
        Ok(())
    }

    pub(super) fn get(&mut self, id: SessionId) -> Result<&mut Head, StoreError> {
        self.by_id.get_mut(&id).ok_or_else(|| no_session(id))
    }

    /// Adds lines and usage rows to be saved.
    pub(super) fn add(&mut self, key: i64, lines: &[Line], usage: &[(i64, Arc<str>)]) {
        self.lines.extend(lines.iter().map(|line| (key, line.clone())));
        self.usage.extend(usage.iter().map(|(at, request)| (key, *at, Arc::clone(request))));
    }

    /// Saves what has changed, and keeps the heads of sessions that are in use.
    pub(super) async fn save(&mut self, connection: &mut SqliteConnection) -> Result<(), sqlx::Error> {
        let changed: Vec<&Head> = self.by_id.values().filter(|head| head.changed).collect();
        SAVE.run(connection, &changed, |query, head| {
            query
                .bind(head.key)
                .bind(integer(head.epoch))
                .bind(head.holder.clone())
                .bind(head.holder.as_ref().map(|_| head.until))
                .bind(integer(head.session.last_position))
                .bind(millis(head.session.updated_at))
                .bind(i64::from(head.session.turn_count))
                .bind(i64::from(head.session.retrieval_count))
                .bind(integer(head.session.total_tokens_used))
                .bind(head.session.open_turn)
                .bind(head.named.as_ref().map(|(title, _)| title.clone()))
                .bind(head.named.as_ref().map(|(_, folded)| folded.clone()))
        })
        .await?;
        WRITE_LINES
            .run(connection, &self.lines, |query, (key, line)| {
                query.bind(key).bind(line.position).bind(line.at).bind(Arc::clone(&line.entry))
            })
            .await?;
        WRITE_USAGE
            .run(connection, &self.usage, |query, (key, at, request)| {
                query.bind(key).bind(at).bind(Arc::clone(request))
            })
            .await?;
        self.lines.clear();
        self.usage.clear();
        self.by_id.retain(|_, head| {
            (head.changed, head.named) = (false, None);
            head.holder.is_some()
        });
        Ok(())
    }
}

fn now() -> i64 {
    millis(Timestamp::now())
}

/// A statement for many rows. Each call is a trip to the connection's own thread and back, so rows travel together, in
/// few sizes that all stay prepared. Values that are left unbound are null, and the statement passes over their rows.
struct Bulk {
    sizes: [(usize, Arc<str>); 4],
}

impl Bulk {
    fn new(before: &str, width: usize, after: &str) -> Self {
        let row = format!("({})", vec!["?"; width].join(", "));
        let sql = |size| format!("{before}VALUES {}{after}", vec![row.as_str(); size].join(", ")).into();
        Self { sizes: [1, 4, 16, 64].map(|size| (size, sql(size))) }
    }

    async fn run<T>(
        &self,
        connection: &mut SqliteConnection,
        mut rows: &[T],
        bind: impl for<'q> Fn(Query<'q, Sqlite, SqliteArguments>, &T) -> Query<'q, Sqlite, SqliteArguments>,
    ) -> Result<(), sqlx::Error> {
        while !rows.is_empty() {
            let [.., largest] = &self.sizes;
            let (size, sql) = self.sizes.iter().find(|(size, _)| *size >= rows.len()).unwrap_or(largest);
            let (now, later) = rows.split_at(rows.len().min(*size));
            let query = now.iter().fold(sqlx::query(AssertSqlSafe(Arc::clone(sql))), &bind);
            query.execute(&mut *connection).await?;
            rows = later;
        }
        Ok(())
    }
}
