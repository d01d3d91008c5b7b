//! A branch of a conversation: a new session that holds another one up to some entry of its journal.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use crate::{
    Artifact, Batch, Block, Entry, NewArtifact, NewFile, NewSession, READ_OUTPUT, Record, Session, SessionId,
    Store, StoreError,
};

/// How long the copy of a journal may take.
const LEASE: Duration = Duration::from_mins(1);

/// Begins a session that holds another one up to a position: its entries, and the documents, whole outputs and files that
/// these tell of. What was used for them stays with the session that used it, and so do people's approvals of versions:
/// they were about that session's documents.
pub async fn fork(
    store: &dyn Store,
    from: &Session,
    position: u64,
    new: NewSession,
) -> Result<Session, StoreError> {
    let mut records = store.records(from.id, 0).await?;
    records.retain(|record| record.position <= position);
    let documents = store.artifacts(from.id).await?;
    let documents: BTreeMap<_, Artifact> =
        documents.into_iter().map(|one| ((one.name.clone(), one.version), one)).collect();
    let branch = store.create_session(new).await?;
    keep_files(store, from.id, branch.id, &records).await?;
    let begun = store.begin(branch.id, LEASE).await?;
    let mut batches = vec![Batch::default()];
    for record in records {
        // A write does not know whether a document was made before it went out of date or after.
        if matches!(record.entry, Entry::MadeStale { .. }) {
            batches.push(Batch::default());
        }
        let Some(batch) = batches.last_mut() else { break };
        match &record.entry {
            Entry::ArtifactStored { name, version, .. } => {
                if let Some(document) = documents.get(&(name.clone(), *version)) {
                    let Artifact { name, version, json, created_at, .. } = document.clone();
                    batch.artifacts.push(NewArtifact { name, version, json, created_at });
                }
            }
            Entry::MadeStale { kinds, .. } => batch.stale.extend(kinds.iter().cloned()),
            Entry::ToolFinished { result, .. } if result.joined_text().contains(READ_OUTPUT) => {
                let output = store.output(from.id, result.call_id.clone()).await?;
                batch.outputs.extend(output.map(|output| (result.call_id.clone(), output)));
            }
            Entry::ToolFinished { .. }
            | Entry::UserMessage { .. }
            | Entry::ModelReply { .. }
            | Entry::ToolStarted { .. }
            | Entry::Waiting { .. }
            | Entry::Decided { .. }
            | Entry::TurnFinished { .. }
            | Entry::TurnUndone { .. } => {}
        }
        batch.records.push(record);
    }
    batches.retain(|batch| !batch.records.is_empty());
    for batch in batches {
        store.append(&begun.lease, batch).await?;
    }
    store.release(&begun.lease).await?;
    store
        .session(branch.id)
        .await?
        .ok_or_else(|| StoreError::NotFound { what: format!("session {}", branch.id) })
}

/// Keeps the files whose texts stand in the branch.
async fn keep_files(
    store: &dyn Store,
    from: SessionId,
    branch: SessionId,
    records: &[Record],
) -> Result<(), StoreError> {
    let files = store.files(from).await?;
    if files.is_empty() {
        return Ok(());
    }
    let mut texts = HashSet::new();
    for record in records {
        if let Entry::UserMessage { message, .. } = &record.entry {
            texts.extend(message.blocks.iter().filter_map(|block| match block {
                Block::Text(text) => Some(text.text.as_str()),
                Block::Reasoning(_)
                | Block::Refusal(_)
                | Block::ToolCall(_)
                | Block::ToolResult(_)
                | Block::Opaque(_) => None,
            }));
        }
    }
    for about in files {
        if texts.iter().any(|text| about.became(text))
            && let Some(bytes) = store.file_bytes(from, about.digest.clone()).await?
        {
            store.keep_file(branch, NewFile { about, bytes }).await?;
        }
    }
    Ok(())
}
