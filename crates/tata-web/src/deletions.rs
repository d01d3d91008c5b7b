//! Projects that somebody deleted a moment ago: hidden at once, gone when nobody took it back. The wish stands in the store,
//! so that it outlives this process and counts for all that share the store.

use jiff::{SignedDuration, Timestamp};
use tata_core::{Actor, Scope, ScopedStore, Session, Sessions, StoreError};

use crate::state::ServerState;

/// How long a deletion can be taken back.
pub(crate) const TIME_TO_TAKE_BACK: SignedDuration = SignedDuration::from_secs(20);

/// Carries out what is due. One that fails, such as that of a session in use, is tried again the next time.
pub(crate) async fn carry_out_deletions(server: &ServerState) -> Result<(), StoreError> {
    let now = server.now();
    for session in server.store().due_deletions(now).await? {
        match delete(server, &session, now).await {
            // Somebody took it back, or another process was quicker.
            Ok(()) | Err(StoreError::NotFound { .. }) => {}
            Err(error) => tracing::warn!(session = %session.id, %error, "a session could not be deleted"),
        }
    }
    Ok(())
}

/// Deletes a session in the name of whose it is, also of somebody who may no longer sign in: they wished it when they could.
async fn delete(server: &ServerState, session: &Session, now: Timestamp) -> Result<(), StoreError> {
    let store = server.store();
    let (Some(tenant), Some(user)) = (session.tenant_id.clone(), session.user_id.clone()) else {
        return store.delete_due_session(session.id, server.operator().as_str().into(), now).await;
    };
    let name = store.account(user.clone()).await?.map_or_else(|| user.clone(), |account| account.name);
    let own = ScopedStore::new(store, Scope { tenant, user });
    own.delete_due_session(session.id, Actor { name, account: None }, now).await
}
