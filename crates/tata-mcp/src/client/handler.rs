//! What a server may ask of us: whether we are there, and, if somebody can be asked, a person's word. No sampling, no
//! folders.

use std::sync::Arc;

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

/// Our side of one connection.
pub(super) struct Handler {
    server: String,
    info: ClientConfig,
    ask: Option<Asker>,
    /// The list of tools is no longer what it was. Many changes at once are one.
    pub(super) changed: Arc<Notify>,
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
        Self { server: server.to_owned(), info, ask: options.ask.clone(), changed: Arc::default() }
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
        let asked = Elicitation { server: self.server.clone(), message, schema: schema.clone() };
        Ok(match ask(asked).await {
            Elicited::Given(values) => ElicitResult::new(ElicitationAction::Accept)
                .with_content(Value::Object(with_defaults(values, &schema))),
            Elicited::Declined => ElicitResult::new(ElicitationAction::Decline),
            Elicited::Dismissed => ElicitResult::new(ElicitationAction::Cancel),
        })
    }
}
