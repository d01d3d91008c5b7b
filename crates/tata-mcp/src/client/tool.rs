//! A tool of a server as one of ours.

use serde_json::{Map, Value};
use tata_core::{Tool, ToolContext, ToolFailure, ToolFuture, ToolSpec};

use super::{CallError, McpClient, content, list::RemoteTool};

/// A tool of a server. Dropping its future tells the server that nobody waits any longer.
pub(super) struct ForeignTool {
    found: RemoteTool,
    client: McpClient,
}

impl ForeignTool {
    pub(super) fn new(found: RemoteTool, client: McpClient) -> Self {
        Self { found, client }
    }
}

impl Tool for ForeignTool {
    fn spec(&self) -> &ToolSpec {
        &self.found.spec
    }

    fn is_asking(&self) -> bool {
        self.client.is_asking()
    }

    fn run<'a>(&'a self, arguments: Map<String, Value>, _: &'a ToolContext) -> ToolFuture<'a> {
        Box::pin(async move {
            let result =
                self.client.call(&self.found.remote, arguments).await.map_err(|error| match error {
                    CallError::NotDone(cause) => {
                        ToolFailure::Failed { message: cause.to_string(), source: Some(Box::new(cause)) }
                    }
                    CallError::Lost(cause) => {
                        ToolFailure::Unknown { message: cause.to_string(), source: Some(Box::new(cause)) }
                    }
                })?;
            content::output(result)
        })
    }
}
