//! What the database says about sessions whose turns write, changed here and saved when all of a group has been looked at.
//!
//! The heads of sessions whose turns go on are kept from one transaction to the next: each turn writes several times.
//! SQLite tells whether anybody else has written meanwhile; then they are read again.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use rusqlite::{Connection, params};
use tata_core::{Lease, Session, SessionId, StoreError};

use super::{
    connection::{first, prepared, run},
    lock::Owner,
};
use crate::{
    change::no_session,
    failure::{Failure, is_unreadable},
    rows::{self, Cells, Line, count, integer, millis},
    sql::session_columns,
};

const LOAD: &str = concat!(
    "SELECT ",
    session_columns!(),
    ", key, epoch, lease_holder, lease_until FROM sessions WHERE id = $1"
);
const SAVE: &str = "UPDATE sessions SET epoch = $1, lease_holder = $2, lease_until = $3, last_position = $4, \
    updated_at = $5, turn_count = $6, retrieval_count = $7, total_tokens_used = $8, open_turn = $9 WHERE key = $10";
const NAME: &str = "UPDATE sessions SET title = $1 WHERE key = $2";
const WRITE_LINE: &str = "INSERT INTO journal (session, position, at, entry) VALUES ($1, $2, $3, $4)";
const WRITE_USAGE: &str = "INSERT INTO usage (session, at, request) VALUES ($1, $2, $3)";

/// A session, and who may write it.
pub(super) struct Head {
    pub(super) key: i64,
    pub(super) session: Session,
    epoch: u64,
    /// Who holds the lease; none when it was given back.
    holder: Option<String>,
    until: i64,
    changed: bool,
    /// Its first title, to be saved, as JSON.
    named: Option<String>,
}

impl Head {
    pub(super) fn read(row: &impl Cells) -> Result<Self, Failure> {
        Ok(Self {
            session: rows::session(row)?,
            key: row.int(14)?,
            epoch: count(row.int(15)?),
            holder: row.maybe_text(16)?.map(str::to_owned),
            until: row.maybe_int(17)?.unwrap_or(0),
            changed: false,
            named: None,
        })
    }

    /// Whether somebody works on the session: the lease has not run out, and its owner lives.
    pub(super) fn is_in_use(&self, owner: &Owner) -> bool {
        is_in_use(self.holder.as_deref(), self.until, owner)
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
            self.named = Some(rows::json(title)?);
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
    /// Sessions whose rows are there and cannot be read.
    unreadable: HashSet<SessionId>,
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
    pub(super) fn load(
        &mut self,
        connection: &Connection,
        ids: impl Iterator<Item = SessionId>,
    ) -> Result<(), Failure> {
        self.unreadable.clear();
        for id in ids {
            if self.by_id.contains_key(&id) {
                continue;
            }
            match first(connection, LOAD, [id.to_string()], |row| Head::read(row)) {
                Ok(Some(head)) => drop(self.by_id.insert(id, head)),
                Ok(None) => {}
                // One row must not fail the others of its group.
                Err(failure) if is_unreadable(&failure) => drop(self.unreadable.insert(id)),
                Err(failure) => return Err(failure),
            }
        }
        Ok(())
    }

    pub(super) fn get(&mut self, id: SessionId) -> Result<&mut Head, StoreError> {
        if self.unreadable.contains(&id) {
            let what = format!("session {id}");
            return Err(StoreError::Unreadable { what, source: "its row is damaged".into() });
        }
        self.by_id.get_mut(&id).ok_or_else(|| no_session(id))
    }

    /// Adds lines and usage rows to be saved.
    pub(super) fn add(&mut self, key: i64, lines: &[Line], usage: &[(i64, Arc<str>)]) {
        self.lines.extend(lines.iter().map(|line| (key, line.clone())));
        self.usage.extend(usage.iter().map(|(at, request)| (key, *at, Arc::clone(request))));
    }

    /// Saves what has changed, and keeps the heads of sessions that are in use.
    pub(super) fn save(&mut self, connection: &Connection) -> Result<(), rusqlite::Error> {
        let mut save = prepared(connection, SAVE)?;
        for head in self.by_id.values_mut().filter(|head| head.changed) {
            head.changed = false;
            save.execute(params![
                integer(head.epoch),
                head.holder,
                head.holder.as_ref().map(|_| head.until),
                integer(head.session.last_position),
                millis(head.session.updated_at),
                head.session.turn_count,
                head.session.retrieval_count,
                integer(head.session.total_tokens_used),
                head.session.open_turn,
                head.key
            ])?;
            if let Some(title) = head.named.take() {
                run(connection, NAME, params![title, head.key])?;
            }
        }
        let mut write_line = prepared(connection, WRITE_LINE)?;
        for (key, line) in self.lines.drain(..) {
            write_line.execute(params![key, line.position, line.at, line.entry])?;
        }
        let mut write_usage = prepared(connection, WRITE_USAGE)?;
        for (key, at, request) in self.usage.drain(..) {
            write_usage.execute(params![key, at, request])?;
        }
        self.by_id.retain(|_, head| head.holder.is_some());
        Ok(())
    }
}

/// Whether a lease has not run out, and its owner lives.
pub(super) fn is_in_use(holder: Option<&str>, until: i64, owner: &Owner) -> bool {
    holder.is_some_and(|holder| until > now() && owner.is_alive(holder))
}

fn now() -> i64 {
    millis(Timestamp::now())
}
