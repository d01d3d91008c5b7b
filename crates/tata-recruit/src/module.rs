//! A module as a tool: the input type gives the schema, a plain function does the work.

use std::sync::Arc;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use tata_core::{Effect, Tool, ToolFailure, ToolNameError, typed_tool};

use crate::{Kind, Made, Project, Refusal};

/// Makes a tool that creates documents of one kind.
pub(crate) fn module<Input>(
    name: &str,
    description: &str,
    kind: Kind,
    create: fn(Input, &Project, Timestamp) -> Result<Made, Refusal>,
) -> Result<Arc<dyn Tool>, ToolNameError>
where
    Input: DeserializeOwned + JsonSchema + Send + Sync + 'static,
{
    typed_tool(
        name,
        description,
        |spec| {
            spec.effect = Effect::Own;
            spec.requires = kind.requires().iter().map(|kind| kind.artifact()).collect();
            spec.produces = Some(kind.artifact());
        },
        move |input: Input, context| async move {
            let project = Project::load(&context).await.map_err(|error| ToolFailure::Failed {
                message: "the documents of this project could not be read".to_owned(),
                source: Some(Box::new(error)),
            })?;
            Ok(create(input, &project, context.now)?.into_output())
        },
    )
}
