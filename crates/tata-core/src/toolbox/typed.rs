//! A tool from an input type and a function: the schema is derived, never written twice.

use std::{future::Future, marker::PhantomData, pin::Pin, sync::Arc};

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{Tool, ToolContext, ToolFuture, ToolOutput, ToolSpec};
use crate::{ToolFailure, ToolNameError};

/// Makes a tool whose arguments are an `Args`. The spec can be completed by `describe`: effect, prerequisites.
///
/// ```
/// use tata_core::{ToolOutput, typed_tool};
///
/// #[derive(serde::Deserialize, schemars::JsonSchema)]
/// struct Args {
///     /// The city, as people write it.
///     city: String,
/// }
///
/// let tool = typed_tool("get_weather", "Looks up the weather in one city.", |_| {}, |args: Args, _| async move {
///     Ok(ToolOutput::text(format!("Rain in {}.", args.city)))
/// })?;
/// assert_eq!(tool.spec().schema["required"][0], "city");
/// # Ok::<(), tata_core::ToolNameError>(())
/// ```
pub fn typed_tool<Args, Run, Running>(
    name: &str,
    description: &str,
    describe: impl FnOnce(&mut ToolSpec),
    run: Run,
) -> Result<Arc<dyn Tool>, ToolNameError>
where
    Args: DeserializeOwned + JsonSchema + Send + Sync + 'static,
    Run: Fn(Args, ToolContext) -> Running + Send + Sync + 'static,
    Running: Future<Output = Result<ToolOutput, ToolFailure>> + Send + 'static,
{
    let mut spec = ToolSpec::new(name, description, schema_of::<Args>())?;
    spec.derived = true;
    describe(&mut spec);
    Ok(Arc::new(TypedTool { spec, run, args: PhantomData }))
}

/// The JSON Schema of an input type.
pub fn schema_of<Args: JsonSchema>() -> Value {
    let mut schema = schemars::schema_for!(Args).to_value();
    if let Some(object) = schema.as_object_mut() {
        // The name of a Rust type and the dialect tell a model nothing.
        object.remove("$schema");
        object.remove("title");
        object.entry("properties").or_insert_with(|| Map::new().into());
    }
    schema
}

struct TypedTool<Args, Run> {
    spec: ToolSpec,
    run: Run,
    args: PhantomData<fn() -> Args>,
}

impl<Args, Run, Running> Tool for TypedTool<Args, Run>
where
    Args: DeserializeOwned + Send + Sync,
    Run: Fn(Args, ToolContext) -> Running + Send + Sync,
    Running: Future<Output = Result<ToolOutput, ToolFailure>> + Send + 'static,
{
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn run<'a>(&'a self, arguments: Map<String, Value>, context: &'a ToolContext) -> ToolFuture<'a> {
        match serde_json::from_value(Value::Object(arguments)) {
            Ok(args) => Box::pin((self.run)(args, context.clone())) as Pin<Box<_>>,
            // The schema let pass what the type does not take: still the model's to mend.
            Err(error) => Box::pin(async move { Err(ToolFailure::rejected("", error.to_string())) }),
        }
    }
}
