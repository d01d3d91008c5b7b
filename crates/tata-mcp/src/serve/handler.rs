//! An offer as the SDK wants it: translation, and nothing else.
#![expect(deprecated, reason = "the protocol gives up its log; clients of today still ask for it")]

use std::{
    borrow::Cow,
    sync::{Arc, OnceLock},
};

use rmcp::{
    ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, GetPromptRequestParams,
        GetPromptResponse, GetPromptResult, Implementation, ListPromptsResult, ListResourceTemplatesResult,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion,
        ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ServerCapabilities,
        ServerConfig, SetLevelRequestParams, SubscribeRequestParams, UnsubscribeRequestParams,
    },
    service::{RequestContext, RoleServer},
};

use super::{
    Caller, Offer, Principal,
    caller::Kept,
    offer::{Call, Speaker},
    translate,
};
use crate::error::words;

/// One client's way to an offer.
pub(super) struct Handler {
    offer: Arc<dyn Offer>,
    session: Arc<str>,
    /// Who the session belongs to, from its first request on.
    owner: OnceLock<Option<Principal>>,
    kept: Kept,
}

impl Handler {
    pub(super) fn new(offer: Arc<dyn Offer>, session: Arc<str>) -> Self {
        Self { offer, session, owner: OnceLock::new(), kept: Kept::default() }
    }

    /// The caller; refused if the session is another's.
    fn caller(&self, context: &RequestContext<RoleServer>) -> Result<Caller, ErrorData> {
        let parts = context.extensions.get::<http::request::Parts>();
        let principal = parts.and_then(|parts| parts.extensions.get::<Principal>()).cloned();
        if *self.owner.get_or_init(|| principal.clone()) != principal {
            return Err(ErrorData::invalid_request("this session belongs to somebody else", None));
        }
        Ok(Caller::new(Arc::clone(&self.session), Arc::clone(&self.kept), principal, context))
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let about = self.offer.about();
        let mut can = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_prompts()
            .enable_completions()
            .build();
        can.logging = Some(serde_json::Map::new());
        let mut info = ServerConfig::new(can).with_instructions(about.instructions);
        info.protocol_version = ProtocolVersion::LATEST_WITH_INITIALIZE;
        info.server_info = Implementation::new(about.name, about.version);
        info
    }

    /// Without the newest one, which knows no sessions: a client's documents would belong to one request each.
    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        let known = ProtocolVersion::KNOWN_VERSIONS.iter().filter(|version| version.has_initialize());
        Cow::Owned(known.cloned().collect())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.offer.tools().iter().map(translate::tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let caller = self.caller(&context)?;
        let tool = request.name.into_owned();
        if !self.offer.tools().iter().any(|offered| offered.spec.name == tool) {
            return Err(ErrorData::invalid_params(format!("there is no tool {:?}", words(&tool)), None));
        }
        let call = Call {
            tool,
            arguments: request.arguments.unwrap_or_default(),
            speaker: Speaker::Model,
            cancel: context.ct.clone(),
        };
        let given = self.offer.call(call, &caller).await;
        let mut result = CallToolResult::success(given.parts.into_iter().map(translate::block).collect());
        result.structured_content = given.structured;
        result.is_error = Some(given.failed);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let caller = self.caller(&context)?;
        let found = self.offer.resources(&caller).await;
        Ok(ListResourcesResult::with_all_items(found.into_iter().map(translate::resource).collect()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let found = self.offer.templates();
        Ok(ListResourceTemplatesResult::with_all_items(found.into_iter().map(translate::template).collect()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let caller = self.caller(&context)?;
        let Some(parts) = self.offer.read(&request.uri, &caller).await else {
            let message = format!("there is no document at {}", words(&request.uri));
            return Err(ErrorData::resource_not_found(
                message,
                Some(serde_json::json!({"uri": request.uri})),
            ));
        };
        let contents = parts.into_iter().map(|part| translate::contents(part, &request.uri)).collect();
        Ok(ReadResourceResult::new(contents).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(
            self.offer.prompts().into_iter().map(translate::prompt).collect(),
        ))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        self.caller(&context)?;
        let prompt = self.offer.prompts().into_iter().find(|prompt| prompt.name == request.name);
        let filled = request.arguments.unwrap_or_default();
        let missing = prompt
            .iter()
            .flat_map(|prompt| &prompt.fields)
            .find(|field| field.required && !filled.contains_key(&field.name));
        if let Some(field) = missing {
            return Err(ErrorData::invalid_params(format!("{} must be filled in", field.name), None));
        }
        let filled = filled.into_iter().map(|(name, value)| (name, serde_json::json!(value))).collect();
        let Some(said) = self.offer.prompt(&request.name, &filled) else {
            let message = format!("there is no prompt {:?}", words(&request.name));
            return Err(ErrorData::invalid_params(message, None));
        };
        Ok(GetPromptResult::new(said.into_iter().map(translate::said).collect()).into())
    }

    /// Notes are few; every client gets all of them.
    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }
}
