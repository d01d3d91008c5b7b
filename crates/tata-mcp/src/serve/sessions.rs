//! The sessions of a service: as many as one person's clients need. A client that says goodbye ends its own; of those that
//! do not, the oldest makes way for a new one.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use futures_util::Stream;
use rmcp::{
    model::{ClientJsonRpcMessage, ServerJsonRpcMessage},
    transport::streamable_http_server::session::{
        EventStore, RestoreOutcome, ServerSseMessage, SessionId, SessionManager, local::LocalSessionManager,
    },
};

/// The sessions of one service.
pub(super) struct Sessions {
    local: LocalSessionManager,
    most: usize,
    /// The oldest first.
    order: Mutex<VecDeque<SessionId>>,
}

type Local = LocalSessionManager;
type Failure = <Local as SessionManager>::Error;

impl Sessions {
    /// So many at once.
    pub(super) fn new(most: usize) -> Self {
        Self { local: Local::default(), most: most.max(1), order: Mutex::default() }
    }

    /// Takes note of a new one, and tells which must go for it.
    fn admit(&self, id: &SessionId) -> Vec<SessionId> {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        order.push_back(id.clone());
        let beyond = order.len().saturating_sub(self.most);
        order.drain(..beyond).collect()
    }

    fn forget(&self, id: &SessionId) {
        self.order.lock().unwrap_or_else(PoisonError::into_inner).retain(|known| known != id);
    }
}

impl SessionManager for Sessions {
    type Error = Failure;
    type Transport = <Local as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Failure> {
        let (id, transport) = self.local.create_session().await?;
        for oldest in self.admit(&id) {
            self.local.close_session(&oldest).await?;
            tracing::info!("the oldest session of a client made way for a new one");
        }
        Ok((id, transport))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Failure> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Failure> {
        self.local.has_session(id).await
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Failure> {
        self.forget(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.local.create_stream(id, message).await
    }

    async fn accept_message(&self, id: &SessionId, message: ClientJsonRpcMessage) -> Result<(), Failure> {
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.local.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Failure> {
        self.local.resume(id, last_event_id).await
    }

    async fn restore_session(&self, id: SessionId) -> Result<RestoreOutcome<Self::Transport>, Failure> {
        self.local.restore_session(id).await
    }

    fn event_store(&self) -> Option<Arc<dyn EventStore>> {
        self.local.event_store()
    }
}
