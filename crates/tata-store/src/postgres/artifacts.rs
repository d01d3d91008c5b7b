//! Documents and their versions.

use std::collections::HashSet;

use sqlx::PgPool;
use tata_core::{
    Approval, Artifact, ArtifactName, Artifacts, NewArtifact, NewAudit, SessionId, StoreError, StoreFuture,
};

use super::{
    PostgresStore,
    audit::{self, Tried},
    patiently,
};
use crate::{
    change::{artifact_taken, no_artifact},
    failure::Failure,
    rows::{self, Cells, json, millis},
    sql,
};

/// New documents as the arrays that one statement takes.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub(super) names: Vec<String>,
    pub(super) kinds: Vec<String>,
    pub(super) keys: Vec<String>,
    pub(super) versions: Vec<i64>,
    pub(super) documents: Vec<&'a str>,
    pub(super) times: Vec<i64>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(made: &'a [NewArtifact]) -> Result<Self, StoreError> {
        let mut columns = Self::default();
        for new in made {
            let (kind, key) = (json(&new.name.kind)?, json(&new.name.key)?);
            columns.names.push(format!("{kind}{key}"));
            columns.kinds.push(kind);
            columns.keys.push(key);
            columns.versions.push(i64::from(new.version));
            columns.documents.push(new.json.as_str());
            columns.times.push(millis(new.created_at));
        }
        Ok(columns)
    }
}

/// Which of the documents was already there when the database refused them.
pub(super) async fn find_taken(
    pool: &PgPool,
    id: SessionId,
    made: &[NewArtifact],
    refused: sqlx::Error,
) -> Failure {
    let mut seen = HashSet::new();
    for new in made {
        match find(pool, id, &new.name, Some(new.version)).await {
            Ok(None) if seen.insert((&new.name, new.version)) => {}
            Ok(_) => return artifact_taken(&new.name, new.version).into(),
            Err(failure) => return failure,
        }
    }
    refused.into()
}

async fn find(
    pool: &PgPool,
    id: SessionId,
    name: &ArtifactName,
    version: Option<u32>,
) -> Result<Option<Artifact>, Failure> {
    let row = sqlx::query(sql::ARTIFACT)
        .bind(id.to_string())
        .bind(json(&name.kind)?)
        .bind(json(&name.key)?)
        .bind(version.map(i64::from))
        .fetch_optional(pool)
        .await?;
    row.map(|row| rows::artifact(&row)).transpose()
}

impl Artifacts for PostgresStore {
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::ARTIFACTS).bind(id.to_string()).fetch_all(&self.pool).await?;
            let found = rows.iter().map(rows::artifact).collect::<Result<_, _>>()?;
            Ok(rows::sorted_artifacts(found))
        }))
    }

    fn newest_artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        Box::pin(patiently(move |_| async move {
            let rows = sqlx::query(sql::NEWEST_ARTIFACTS).bind(id.to_string()).fetch_all(&self.pool).await?;
            let found = rows.iter().map(rows::artifact).collect::<Result<_, _>>()?;
            Ok(rows::sorted_artifacts(found))
        }))
    }

    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>> {
        Box::pin(async move { patiently(|_| find(&self.pool, id, &name, version)).await })
    }

    fn approve_artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: u32,
        approval: Approval,
    ) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let (name, approval, tried) = (&name, &approval, &Tried::default());
            patiently(|_| async move {
                let mut transaction = audit::begin(&self.pool).await?;
                if tried.done(&mut transaction).await?.is_some() {
                    return Ok(());
                }
                let approved = sqlx::query(sql::APPROVE)
                    .bind(json(&approval.by)?)
                    .bind(millis(approval.at))
                    .bind(id.to_string())
                    .bind(json(&name.kind)?)
                    .bind(json(&name.key)?)
                    .bind(i64::from(version))
                    .fetch_optional(&mut *transaction)
                    .await?;
                let approved = approved.ok_or_else(|| no_artifact(name, version))?;
                let act = NewAudit::approved(id, name, version, approved.text(0)?, approval);
                let act = act.in_tenant(audit::tenant_of(&mut transaction, id).await?);
                tried.commit(transaction, &act).await?;
                Ok(())
            })
            .await
        })
    }
}
