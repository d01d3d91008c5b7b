//! A client as an offer sees it.
#![expect(deprecated, reason = "the protocol gives up its log; clients of today still listen to it")]

use std::{
    any::Any,
    sync::{Arc, OnceLock},
};

use rmcp::{
    model::{
        ElicitRequestParams, ElicitationAction, LoggingLevel, LoggingMessageNotificationParam,
        ProgressNotificationParam, ProgressToken,
    },
    service::{Peer, RequestContext, RoleServer},
};
use serde_json::{Value, json};

use crate::{Elicited, error::words};

/// A client, as far as one request of it goes.
pub struct Caller {
    session: Arc<str>,
    kept: Kept,
    principal: Option<Principal>,
    peer: Peer<RoleServer>,
    progress: Option<ProgressToken>,
    can_ask: bool,
    name: Option<String>,
}

/// What an offer remembers of a session.
pub(super) type Kept = Arc<OnceLock<Arc<dyn Any + Send + Sync>>>;

/// Who a client acts for, where whoever let it in found out. A server that mounts ours puts it into the extensions of a
/// request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal(pub String);

/// Nobody can be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nobody can be asked: {0}")]
pub struct CannotAsk(String);

impl Caller {
    pub(super) fn new(
        session: Arc<str>,
        kept: Kept,
        principal: Option<Principal>,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        let capabilities = context.client_capabilities();
        Self {
            session,
            kept,
            principal,
            peer: context.peer.clone(),
            progress: context.meta.get_progress_token(),
            can_ask: capabilities.is_some_and(|can| can.elicitation.is_some()),
            name: context.client_info().map(|info| words(&info.name)),
        }
    }

    /// What keeps this client apart from others: the same for all its requests, and never another's.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// What an offer remembers of this client, as long as its session lasts. All its requests get the same.
    pub fn keep<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        let made = || Arc::new(T::default()) as Arc<dyn Any + Send + Sync>;
        // Whoever asks for another type than the first gets one that nobody else sees.
        Arc::downcast(Arc::clone(self.kept.get_or_init(made))).unwrap_or_default()
    }

    /// Who it acts for, where that is known.
    pub fn principal(&self) -> Option<&Principal> {
        self.principal.as_ref()
    }

    /// How it calls itself. Its own word.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether a person can be asked through it.
    pub fn can_ask(&self) -> bool {
        self.can_ask
    }

    /// Asks the person behind the client. `schema` is a flat object schema: texts, numbers, yes or no, choices.
    ///
    /// That a person answered is the client's word: the protocol has nothing better. What is decided this way should be
    /// recorded as such.
    pub async fn ask(&self, message: &str, schema: Value) -> Result<Elicited, CannotAsk> {
        if !self.can_ask {
            return Err(CannotAsk("the client offers no way to".to_owned()));
        }
        let requested_schema =
            serde_json::from_value(schema).map_err(|error| CannotAsk(error.to_string()))?;
        let request = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: message.to_owned(),
            requested_schema,
        };
        let answer = self.peer.create_elicitation(request).await;
        let answer = answer.map_err(|error| CannotAsk(words(&error.to_string())))?;
        Ok(match (answer.action, answer.content) {
            (ElicitationAction::Accept, Some(Value::Object(values))) => Elicited::Given(values),
            (ElicitationAction::Accept, None) => Elicited::Given(serde_json::Map::new()),
            (ElicitationAction::Decline, _) => Elicited::Declined,
            _ => Elicited::Dismissed,
        })
    }

    /// Says how far the work has come, to a client that wants to know.
    pub async fn progress(&self, done: f64, of: Option<f64>, message: Option<&str>) {
        let Some(token) = &self.progress else { return };
        let mut progress = ProgressNotificationParam::new(token.clone(), done);
        progress.total = of;
        progress.message = message.map(str::to_owned);
        // A client that is gone needs no progress.
        drop(self.peer.notify_progress(progress).await);
    }

    /// Tells the client's log something.
    pub async fn note(&self, message: &str) {
        let note = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        drop(self.peer.notify_logging_message(note).await);
    }
}
