//! Reads a session row by row, keeps what can be read, and names the rest. What both SQL stores share: they bring rows.

use std::collections::{BTreeMap, BTreeSet};

use tata_core::{
    Acts, ArtifactName, CallId, Damage, DamageKind, Lost, Salvage, StoreError, Verified, check_chain,
    check_session, missing_positions,
};

use crate::{
    failure::Failure,
    raw::Row,
    rows::{self, Cells, Line, count},
};

/// A table with the rows of sessions: its name, its columns, and the statement that reads those of one session.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    columns: &'static [&'static str],
    pub(crate) rows: &'static str,
    /// Those of sessions that are not there, by the number of the session.
    pub(crate) lost: &'static str,
}

macro_rules! table {
    ($name:literal, $columns:literal, $order:literal, $names:expr) => {
        Table {
            name: $name,
            columns: &$names,
            rows: concat!("SELECT ", $columns, " FROM ", $name, " WHERE session = $1 ORDER BY ", $order),
            lost: concat!(
                "SELECT t.session, COUNT(*) FROM ",
                $name,
                " t LEFT JOIN sessions s ON s.key = t.session WHERE s.key IS NULL GROUP BY t.session"
            ),
        }
    };
}

/// In the order of [`RawSession::tables`].
pub(crate) const TABLES: [Table; 5] = [
    table!("journal", "position, at, entry", "position", ["position", "at", "entry"]),
    table!(
        "artifacts",
        "kind, key, version, json, stale, created_at, approved_by, approved_at",
        "kind, key, version",
        ["kind", "key", "version", "json", "stale", "created_at", "approved_by", "approved_at"]
    ),
    table!("usage", "request, at, seq", "seq", ["request", "at", "seq"]),
    table!("feedback", "opinion, turn, person, at", "turn, person", ["opinion", "turn", "person", "at"]),
    table!("outputs", "output, call_id", "call_id", ["output", "call_id"]),
];
const SESSION_COLUMNS: [&str; 14] = [
    "id",
    "agent",
    "title",
    "user_id",
    "model",
    "created_at",
    "updated_at",
    "turn_count",
    "retrieval_count",
    "total_tokens_used",
    "open_turn",
    "last_position",
    "tenant_id",
    "key",
];

/// The rows of a table that could be read, and why not all could.
#[derive(Debug, Default)]
pub(crate) struct RawTable {
    pub(crate) rows: Vec<Row>,
    pub(crate) faults: Vec<String>,
}

/// Everything of a session, in the words of the database. The row has the columns of [`rows::session`] and the key.
#[derive(Debug)]
pub(crate) struct RawSession {
    pub(crate) row: Row,
    pub(crate) tables: [RawTable; 5],
}

/// Why something cannot be read, without a word of what it says.
pub(crate) fn why(failure: &Failure) -> String {
    match failure {
        Failure::Refused(StoreError::Unreadable { source, .. }) => {
            match source.downcast_ref::<serde_json::Error>() {
                Some(error) => {
                    let how = match error.classify() {
                        serde_json::error::Category::Eof => "it is cut off",
                        serde_json::error::Category::Data => "it has a shape that is not known here",
                        serde_json::error::Category::Syntax | serde_json::error::Category::Io => {
                            "it is not JSON"
                        }
                    };
                    format!("{how}, at character {}", error.column())
                }
                // Our own words; those of others may quote what is stored.
                None => "it is not what is written there".to_owned(),
            }
        }
        Failure::Refused(error) => error.to_string(),
        Failure::Database(fault) => fault.to_string(),
    }
}

/// The damage of a row in a listing.
pub(crate) fn damaged_session(row: &Row, failure: &Failure) -> Damage {
    let id = row.value(0);
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let what = format!("its row cannot be read: {}", why(failure));
    let kind = DamageKind::SessionUnreadable;
    Damage { kind, table: "sessions", session: Some(id), position: None, what }
}

/// Gathers what can be read of one session.
struct Reader {
    id: String,
    lost: Vec<Lost>,
}

impl Reader {
    fn lose(
        &mut self,
        (kind, table): (DamageKind, &'static str),
        position: Option<u64>,
        what: String,
        stored: Option<(&[&'static str], &Row)>,
    ) {
        let damage = Damage { kind, table, session: Some(self.id.clone()), position, what };
        let columns = stored.map(|(names, row)| {
            names.iter().enumerate().map(|(column, name)| (*name, row.value(column))).collect()
        });
        self.lost.push(Lost { damage, columns: columns.unwrap_or_default() });
    }

    /// The rows of a table that can be read.
    fn table<T>(
        &mut self,
        (kind, table): (DamageKind, &Table),
        raw: &RawTable,
        called: &str,
        read: impl Fn(&Row) -> Result<T, Failure>,
    ) -> Vec<T> {
        for fault in &raw.faults {
            let what = format!("a part of the table cannot be read: {fault}");
            self.lose((DamageKind::TableUnreadable, table.name), None, what, None);
        }
        let mut found = Vec::new();
        for row in &raw.rows {
            match read(row) {
                Ok(value) => found.push(value),
                Err(failure) => {
                    let position =
                        (kind == DamageKind::EntryUnreadable).then(|| row.int(0).ok().map(count)).flatten();
                    let which = position.map_or_else(|| called.to_owned(), |at| format!("{called} {at}"));
                    let what = format!("{which} cannot be read: {}", why(&failure));
                    self.lose((kind, table.name), position, what, Some((table.columns, row)));
                }
            }
        }
        found
    }

    /// Positions without an entry, and a row that names another last one.
    fn positions(&mut self, journal: &RawTable, last: Option<u64>) {
        let positions: BTreeSet<u64> =
            journal.rows.iter().filter_map(|row| row.int(0).ok().map(count)).collect();
        let end = positions.last().copied().unwrap_or(0);
        for (first, until) in missing_positions(positions, 0) {
            let what = if first == until {
                format!("entry {first} is missing")
            } else {
                format!("entries {first} to {until} are missing")
            };
            self.lose((DamageKind::EntryMissing, "journal"), Some(first), what, None);
        }
        if let Some(last) = last.filter(|last| *last != end) {
            let what = format!("its row says that its last entry is {last}, but its journal ends at {end}");
            self.lose((DamageKind::LastPositionWrong, "journal"), Some(end), what, None);
        }
    }
}

/// Everything of a session that can be read, and what cannot.
pub(crate) fn inspect(raw: &RawSession) -> Salvage {
    let id = raw.row.value(0);
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    let mut reader = Reader { id, lost: Vec::new() };
    let session = match rows::session(&raw.row) {
        Ok(session) => Some(session),
        Err(failure) => {
            let what = damaged_session(&raw.row, &failure).what;
            let stored = Some((&SESSION_COLUMNS[..], &raw.row));
            reader.lose((DamageKind::SessionUnreadable, "sessions"), None, what, stored);
            None
        }
    };
    let [journal, artifacts, usage, feedback, outputs] = &TABLES;
    let [raw_journal, raw_artifacts, raw_usage, raw_feedback, raw_outputs] = &raw.tables;
    let records = reader.table((DamageKind::EntryUnreadable, journal), raw_journal, "entry", |row| {
        Ok(Line::read(row)?.parse_of(&format!("session {}", reader_id(raw)))?)
    });
    reader.positions(raw_journal, session.as_ref().map(|session| session.last_position));
    let documents = reader.table(
        (DamageKind::ArtifactUnreadable, artifacts),
        raw_artifacts,
        "a version of a document",
        |row| Ok((rows::unapproved(row)?, row.clone())),
    );
    let mut found = Vec::new();
    for (mut document, row) in documents {
        match rows::approval(&row) {
            Ok(approval) => document.approval = approval,
            Err(failure) => {
                let ArtifactName { kind, .. } = &document.name;
                let what = format!(
                    "who approved version {} of a document of kind {kind} cannot be read: {}",
                    document.version,
                    why(&failure)
                );
                let stored = Some((artifacts.columns, &row));
                reader.lose((DamageKind::ApprovalUnreadable, "artifacts"), None, what, stored);
            }
        }
        found.push(document);
    }
    Salvage {
        records,
        artifacts: rows::sorted_artifacts(found),
        usage: reader.table((DamageKind::UsageUnreadable, usage), raw_usage, "a request", rows::usage),
        feedback: rows::sorted_feedback(reader.table(
            (DamageKind::FeedbackUnreadable, feedback),
            raw_feedback,
            "an opinion",
            rows::feedback,
        )),
        outputs: reader.table(
            (DamageKind::OutputUnreadable, outputs),
            raw_outputs,
            "the output of a call",
            output,
        ),
        lost: reader.lost,
        session,
    }
}

fn reader_id(raw: &RawSession) -> String {
    raw.row.text(0).unwrap_or_default().to_owned()
}

fn output(row: &Row) -> Result<(CallId, String), Failure> {
    let call_id: CallId = rows::call_id(row.text(1)?)?;
    Ok((call_id.clone(), rows::output(row, &call_id)?))
}

/// A check of a whole database, part by part.
#[derive(Debug, Default)]
pub(crate) struct Verifier {
    found: Verified,
    acts: Acts,
}

impl Verifier {
    /// What the engine said about itself.
    pub(crate) fn engine(&mut self, said: String) {
        let (kind, table) = (DamageKind::Engine, "database");
        self.found.damages.push(Damage { kind, table, session: None, position: None, what: said });
    }

    /// A part of a table that nobody can read.
    pub(crate) fn unreadable(&mut self, table: &'static str, why: &str) {
        let what = format!("a part of the table cannot be read: {why}");
        let kind = DamageKind::TableUnreadable;
        self.found.damages.push(Damage { kind, table, session: None, position: None, what });
    }

    pub(crate) fn session(&mut self, raw: &RawSession) {
        let salvage = inspect(raw);
        self.found.sessions += 1;
        self.found.entries += salvage.records.len() as u64;
        self.found.artifacts += salvage.artifacts.len() as u64;
        self.acts.note(&reader_id(raw), &salvage);
        let fits = check_session(&salvage);
        self.found.damages.extend(salvage.lost.into_iter().map(|lost| lost.damage).chain(fits));
    }

    /// Rows whose session is not there, by its number and how many they are.
    pub(crate) fn lost(&mut self, table: &'static str, rows: &[Row]) {
        for row in rows {
            let (key, many) = (row.value(0), row.value(1));
            let what = format!("{many} rows belong to the session with the number {key}, which is not there");
            let kind = DamageKind::NoSession;
            self.found.damages.push(Damage { kind, table, session: None, position: None, what });
        }
    }

    /// The audit trail; with it the check is complete.
    pub(crate) fn audit(mut self, rows: &[Row]) -> Verified {
        let (mut entries, mut unreadable) = (Vec::new(), BTreeMap::new());
        for row in rows {
            match rows::audit(row) {
                Ok(entry) => entries.push(entry),
                Err(failure) => {
                    unreadable.insert(row.int(0).map_or(0, count), why(&failure));
                }
            }
        }
        self.found.audit = rows.len() as u64;
        self.found.damages.extend(unreadable.iter().map(|(position, why)| Damage {
            kind: DamageKind::AuditUnreadable,
            table: "audit",
            session: None,
            position: Some(*position),
            what: format!("entry {position} cannot be read: {why}"),
        }));
        self.found.damages.extend(check_chain(&entries, &unreadable.keys().copied().collect()));
        // What an unreadable entry tells, nobody knows: it may be what seems to be missing.
        if unreadable.is_empty() {
            self.found.damages.extend(self.acts.check(&entries));
        }
        self.found
    }
}
