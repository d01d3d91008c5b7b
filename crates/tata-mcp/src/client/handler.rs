//! What a server may ask of us: whether we are there, and, if somebody can be asked, a person's word. No sampling, no
//! folders.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use rmcp::{
    ClientHandler,
    model::{
        ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationAction,
        ElicitationCapability, ErrorData, Implementation, ProtocolVersion,
    },
    service::{NotificationContext, RequestContext, RoleClient},
};
use serde_json::Value;
use tokio::sync::Notify;

use super::options::{Asker, ClientOptions, Elicitation, Elicited, with_defaults};
use crate::error::words_up_to;

/// The most characters of a server's question: more would push what stands before it off the screen.
const LONGEST_MESSAGE: usize = 1_000;

/// Our side of one connection.
pub(super) struct Handler {
    server: String,
    info: ClientConfig,
    ask: Option<Asker>,
    /// The list of tools is no longer what it was. Many changes at once are one.
    pub(super) changed: Arc<Notify>,
    asking: Arc<AtomicUsize>,
}

/// A question is open as long as this lives.
struct Asking(Arc<AtomicUsize>);

impl Asking {
    fn begin(count: &Arc<AtomicUsize>) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(Arc::clone(count))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Handler {
    pub(super) fn new(server: &str, options: &ClientOptions) -> Self {
        let mut capabilities = ClientCapabilities::default();
        if options.ask.is_some() {
            capabilities.elicitation = Some(ElicitationCapability::default());
        }
        let us = Implementation::new(&options.name, &options.version);
        let info = ClientConfig::new(capabilities, us)
            .with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE);
        let (server, ask) = (server.to_owned(), options.ask.clone());
        Self { server, info, ask, changed: Arc::default(), asking: Arc::default() }
    }

    /// Whether a person is being asked.
    pub(super) fn is_asking(&self) -> bool {
        self.asking.load(Ordering::Relaxed) > 0
    }
}

impl ClientHandler for Handler {
    fn get_info(&self) -> ClientConfig {
        self.info.clone()
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.changed.notify_one();
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let (Some(ask), ElicitRequestParams::FormElicitationParams { message, requested_schema, .. }) =
            (&self.ask, request)
        else {
            // Addresses that a server wants opened are not opened for it.
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let schema = serde_json::to_value(requested_schema)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let message = words_up_to(&message, LONGEST_MESSAGE);
        let asked = Elicitation { server: self.server.clone(), message, schema: schema.clone() };
        let _open = Asking::begin(&self.asking);
        Ok(match ask(asked).await {
            Elicited::Given(values) => ElicitResult::new(ElicitationAction::Accept)
                .with_content(Value::Object(with_defaults(values, &schema))),
            Elicited::Declined => ElicitResult::new(ElicitationAction::Decline),
            Elicited::Dismissed => ElicitResult::new(ElicitationAction::Cancel),
        })
    }
}
