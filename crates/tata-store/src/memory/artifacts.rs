//! Documents and their versions.

use std::collections::BTreeMap;

use tata_core::{Approval, Artifact, ArtifactName, Artifacts, NewAudit, SessionId, StoreFuture};

use super::MemoryStore;
use crate::change::no_artifact;

impl Artifacts for MemoryStore {
    fn artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        self.read(id, |held| held.artifacts.values().flat_map(BTreeMap::values).cloned().collect())
    }

    fn newest_artifacts(&self, id: SessionId) -> StoreFuture<'_, Vec<Artifact>> {
        self.read(id, |held| {
            held.artifacts.values().filter_map(|versions| versions.values().next_back()).cloned().collect()
        })
    }

    fn artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: Option<u32>,
    ) -> StoreFuture<'_, Option<Artifact>> {
        self.read(id, move |held| {
            let versions = held.artifacts.get(&name)?;
            match version {
                Some(version) => versions.get(&version),
                None => versions.values().next_back(),
            }
            .cloned()
        })
    }

    fn approve_artifact(
        &self,
        id: SessionId,
        name: ArtifactName,
        version: u32,
        approval: Approval,
    ) -> StoreFuture<'_, ()> {
        Box::pin(async move {
            let mut state = self.state();
            let held = state.held(id)?;
            let tenant = held.session.tenant_id.clone();
            let versions = held.artifacts.get_mut(&name);
            let found = versions.and_then(|versions| versions.get_mut(&version));
            let found = found.ok_or_else(|| no_artifact(&name, version))?;
            let audit = NewAudit::approved(id, &name, version, found.json.as_str(), &approval);
            // As a database keeps it.
            found.approval = Some(Approval { account: None, ..approval });
            state.record(audit.in_tenant(tenant));
            Ok(())
        })
    }
}
