//! Documents and their versions.

use std::collections::HashSet;

use sqlx::SqliteConnection;
use tata_core::{Approval, Artifact, ArtifactName, Artifacts, SessionId, StoreFuture};

use super::{SqliteStore, writer::Request};
use crate::{
    change::{artifact_taken, no_artifact},
    failure::Failure,
    rows::{self, Written, json, millis},
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
pub(super) async fn store(
    connection: &mut SqliteConnection,
    session: i64,
    batch: &Written,
) -> Result<(), Failure> {
    let (mut seen, mut made) = (HashSet::new(), Vec::new());
    for new in &batch.artifacts {
        let (kind, key) = (json(&new.name.kind)?, json(&new.name.key)?);
        let query = sqlx::query_scalar(IS_TAKEN).bind(session).bind(&kind).bind(&key).bind(new.version);
        let taken: bool = query.fetch_one(&mut *connection).await?;
        if taken || !seen.insert((&new.name, new.version)) {
            return Err(artifact_taken(&new.name, new.version).into());
        }
        made.push((kind, key, new));
    }
    if !batch.stale.is_empty() {
        let kinds: Vec<String> = batch.stale.iter().map(json).collect::<Result<_, _>>()?;
        let names: Vec<String> = made.iter().map(|(kind, key, _)| format!("{kind}{key}")).collect();
        let query = sqlx::query(MARK_STALE).bind(session).bind(json(&kinds)?).bind(json(&names)?);
        query.execute(&mut *connection).await?;
    }
    for (kind, key, new) in made {
        sqlx::query(STORE)
            .bind(session)
            .bind(kind)
            .bind(key)
            .bind(new.version)
            .bind(new.json.as_str())
            .bind(millis(new.created_at))
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

pub(super) async fn approve(
    connection: &mut SqliteConnection,
    (id, name, version, approval): &(SessionId, ArtifactName, u32, Approval),
) -> Result<(), Failure> {
    let approved = sqlx::query(sql::APPROVE)
        .bind(id.to_string())
        .bind(json(&name.kind)?)
        .bind(json(&name.key)?)
        .bind(i64::from(*version))
        .bind(json(&approval.by)?)
        .bind(millis(approval.at))
        .execute(connection)
        .await?;
    match approved.rows_affected() {
        0 => Err(no_artifact(name, *version).into()),
        _ => Ok(()),
    }
}

impl Artifacts for SqliteStore {
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(async move {
            let query = sqlx::query(sql::ARTIFACTS).bind(id.to_string());
            let rows = query.fetch_all(&self.readers).await.map_err(Failure::from)?;
            Ok(rows::artifacts(&rows)?)
        })
    }

    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>> {
        Box::pin(async move {
            let row = sqlx::query(sql::ARTIFACT)
                .bind(id.to_string())
                .bind(json(&name.kind)?)
                .bind(json(&name.key)?)
                .bind(version.map(i64::from))
                .fetch_optional(&self.readers)
                .await
                .map_err(Failure::from)?;
            Ok(row.map(|row| rows::artifact(&row)).transpose()?)
        })
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
