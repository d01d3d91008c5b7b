//! Materials that are too long for a context: the model reads what it needs of them.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Tool, ToolContext, ToolOutput, output::part_of, typed_tool};
use crate::{MaterialId, ToolFailure, ToolNameError};

/// The tool that reads what people brought.
pub const READ_MATERIAL: &str = "read_material";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The material, e.g. m4.
    material: String,
    /// The character to begin at, from 0.
    #[serde(default)]
    offset: usize,
    /// How many characters to read; without it, as many as fit.
    #[serde(default)]
    length: Option<usize>,
}

pub(super) fn read_material() -> Result<Arc<dyn Tool>, ToolNameError> {
    let description = "Reads a part of something the person brought that was too long to be shown whole.";
    typed_tool(READ_MATERIAL, description, |_| {}, |args, context| async move { read(&args, &context) })
}

fn read(args: &Args, context: &ToolContext) -> Result<ToolOutput, ToolFailure> {
    let known = || {
        let all: Vec<String> = context.materials.iter().map(|material| material.id().to_string()).collect();
        format!("{:?} is no material of this conversation; there are {}", args.material, all.join(", "))
    };
    let id = args.material.trim().parse::<MaterialId>().ok();
    let material = id.and_then(|id| context.materials.get(id));
    let material = material.ok_or_else(|| ToolFailure::rejected("/material", known()))?;
    part_of(material.text(), args.offset, args.length, context)
}
