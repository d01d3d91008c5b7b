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
    scripts: HashMap<Shape, Arc<str>>,
    /// Whether commits on this connection wait for the disk, if that is known.
    pub(super) commits_wait: Option<bool>,
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

    /// Saves what has changed, and keeps the heads of sessions that are in use. With [`After::Commit`] the transaction
    /// ends in the same breath: each call is a trip to the connection's own thread and back, and most transactions need
    /// no other.
    pub(super) async fn save(
        &mut self,
        connection: &mut SqliteConnection,
        after: After,
    ) -> Result<(), sqlx::Error> {
        let changed: Vec<&Head> = self.by_id.values().filter(|head| head.changed).collect();
        let (mut heads, mut lines, mut usage) = (&*changed, &*self.lines, &*self.usage);
        loop {
            let wanted = [(&*SAVE, heads.len()), (&*WRITE_LINES, lines.len()), (&*WRITE_USAGE, usage.len())];
            let parts = wanted.map(|(bulk, rows)| Part { bulk, rows: rows.min(LARGEST) });
            let [save, write_lines, write_usage] = parts;
            let (some_heads, other_heads) = heads.split_at(save.rows);
            let (some_lines, other_lines) = lines.split_at(write_lines.rows);
            let (some_usage, other_usage) = usage.split_at(write_usage.rows);
            (heads, lines, usage) = (other_heads, other_lines, other_usage);
            let last = heads.is_empty() && lines.is_empty() && usage.is_empty();
            let shape = Shape { sizes: parts.map(Part::size), commits: last && after == After::Commit };
            if !shape.is_empty() {
                let sql = self.scripts.entry(shape).or_insert_with(|| shape.sql());
                let mut query = sqlx::query(AssertSqlSafe(Arc::clone(sql)));
                query = save.filled(some_heads.iter().fold(query, |query, head| bind_head(query, head)));
                query = write_lines.filled(some_lines.iter().fold(query, |query, (key, line)| {
                    query.bind(key).bind(line.position).bind(line.at).bind(Arc::clone(&line.entry))
                }));
                query = write_usage.filled(some_usage.iter().fold(query, |query, (key, at, request)| {
                    query.bind(key).bind(at).bind(Arc::clone(request))
                }));
                query.execute(&mut *connection).await?;
            }
            if last {
                break;
            }
        }
        self.lines.clear();
        self.usage.clear();
        self.by_id.retain(|_, head| {
            (head.changed, head.named) = (false, None);
            head.holder.is_some()
        });
        Ok(())
    }
}

type Script<'q> = Query<'q, Sqlite, SqliteArguments>;

fn bind_head<'q>(query: Script<'q>, head: &Head) -> Script<'q> {
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
}

fn now() -> i64 {
    millis(Timestamp::now())
}

/// What follows when everything is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum After {
    /// The transaction goes on.
    More,
    /// The transaction ends.
    Commit,
}

/// For how many rows a statement may be made. Few sizes, so that all stay prepared.
const SIZES: [usize; 5] = [0, 1, 4, 16, LARGEST];
const LARGEST: usize = 64;

/// A statement for many rows. Rows that are null are passed over.
struct Bulk {
    before: &'static str,
    row: String,
    width: usize,
    after: &'static str,
}

impl Bulk {
    fn new(before: &'static str, width: usize, after: &'static str) -> Self {
        Self { before, row: format!("({})", vec!["?"; width].join(", ")), width, after }
    }

    fn sql(&self, size: usize) -> String {
        format!("{}VALUES {}{}", self.before, vec![self.row.as_str(); size].join(", "), self.after)
    }
}

/// A statement and the rows it has.
#[derive(Clone, Copy)]
struct Part {
    bulk: &'static Bulk,
    rows: usize,
}

impl Part {
    /// For how many rows the statement is made.
    fn size(self) -> usize {
        SIZES.into_iter().find(|size| *size >= self.rows).unwrap_or(LARGEST)
    }

    /// Binds nulls in place of the rows that are not there.
    fn filled(self, query: Script<'_>) -> Script<'_> {
        let missing = (self.size() - self.rows) * self.bulk.width;
        (0..missing).fold(query, |query, _| query.bind(None::<i64>))
    }
}

/// The statements of one script: for how many rows each is made, none for no rows, and whether a commit follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Shape {
    sizes: [usize; 3],
    commits: bool,
}

impl Shape {
    fn is_empty(self) -> bool {
        self.sizes == [0; 3] && !self.commits
    }

    fn sql(self) -> Arc<str> {
        let bulks = [&*SAVE, &*WRITE_LINES, &*WRITE_USAGE].into_iter().zip(self.sizes);
        let mut statements: Vec<String> =
            bulks.filter(|(_, size)| *size > 0).map(|(bulk, size)| bulk.sql(size)).collect();
        statements.extend(self.commits.then(|| "COMMIT".to_owned()));
        statements.join("; ").into()
    }
}
