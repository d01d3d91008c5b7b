//! Documents and their versions.

use std::collections::HashSet;

use rusqlite::{Connection, params};
use tata_core::{Approval, Artifact, ArtifactName, Artifacts, NewAudit, SessionId, StoreFuture};

use super::{
    SqliteStore, audit,
    connection::{all, first, run},
    writer::Request,
};
use crate::{
    change::{artifact_taken, no_artifact},
    failure::Failure,
    rows::{self, Cells, Written, json, millis},
    sql,
};

const IS_TAKEN: &str =
    "SELECT EXISTS (SELECT 1 FROM artifacts WHERE session = $1 AND kind = $2 AND key = $3 AND version = $4)";
const STORE: &str = "INSERT INTO artifacts (session, kind, key, version, json, created_at) \
    VALUES ($1, $2, $3, $4, $5, $6)";
/// The newest versions of some kinds (`$2`), but not of the documents that this batch makes (`$3`). Kind and key are
/// quoted JSON strings, so their concatenation names exactly one document.
const MARK_STALE: &str = "UPDATE artifacts SET stale = 1 \
    WHERE session = $1 AND kind IN (SELECT value FROM json_each($2)) \
    AND kind || key NOT IN (SELECT value FROM json_each($3)) \
    AND version = (SELECT MAX(n.version) FROM artifacts n \
        WHERE n.session = $1 AND n.kind = artifacts.kind AND n.key = artifacts.key)";

/// Stores the documents of a batch, and marks those that are out of date by it. Refuses before it writes.
pub(super) fn store(connection: &Connection, session: i64, batch: &Written) -> Result<(), Failure> {
    let (mut seen, mut made) = (HashSet::new(), Vec::new());
    for new in &batch.artifacts {
        let (kind, key) = (json(&new.name.kind)?, json(&new.name.key)?);
        let taken =
            first(connection, IS_TAKEN, params![session, kind, key, new.version], |row| Ok(row.flag(0)?))?;
        if taken == Some(true) || !seen.insert((&new.name, new.version)) {
            return Err(artifact_taken(&new.name, new.version).into());
        }
        made.push((kind, key, new));
    }
    if !batch.stale.is_empty() {
        let kinds: Vec<String> = batch.stale.iter().map(json).collect::<Result<_, _>>()?;
        let names: Vec<String> = made.iter().map(|(kind, key, _)| format!("{kind}{key}")).collect();
        run(connection, MARK_STALE, params![session, json(&kinds)?, json(&names)?])?;
    }
    for (kind, key, new) in made {
        let values = params![session, kind, key, new.version, new.json.as_str(), millis(new.created_at)];
        run(connection, STORE, values)?;
    }
    Ok(())
}

pub(super) fn approve(
    connection: &Connection,
    (id, name, version, approval): &(SessionId, ArtifactName, u32, Approval),
) -> Result<(), Failure> {
    let (kind, key) = (json(&name.kind)?, json(&name.key)?);
    let values = params![json(&approval.by)?, millis(approval.at), id.to_string(), kind, key, version];
    let approved = first(connection, sql::APPROVE, values, |row| Ok(row.text(0)?.to_owned()))?;
    let document = approved.ok_or_else(|| no_artifact(name, *version))?;
    let act = NewAudit::approved(*id, name, *version, &document, approval);
    audit::record_act(connection, &act.in_tenant(audit::tenant_of(connection, *id)?))
}

impl Artifacts for SqliteStore {
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(self.readers.read(move |connection| {
            all(connection, sql::ARTIFACTS, [id.to_string()], |row| rows::artifact(row))
                .map(rows::sorted_artifacts)
        }))
    }

    fn newest_artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(self.readers.read(move |connection| {
            all(connection, sql::NEWEST_ARTIFACTS, [id.to_string()], |row| rows::artifact(row))
                .map(rows::sorted_artifacts)
        }))
    }

    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>> {
        Box::pin(self.readers.read(move |connection| {
            let values = params![id.to_string(), json(&name.kind)?, json(&name.key)?, version];
            first(connection, sql::ARTIFACT, values, |row| rows::artifact(row))
        }))
    }

    fn approve_artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: u32,
        approval: Approval,
    ) -> StoreFuture<'_, ()> {
        Box::pin(self.ask((id, name, version, approval), Request::Approve))
    }
}
