//! Our words as the SDK's.

use std::sync::Arc;

use rmcp::model::{
    ContentBlock, Prompt as WirePrompt, PromptArgument, PromptMessage, Resource as WireResource,
    ResourceContents, ResourceTemplate, Role, Tool, ToolAnnotations,
};
use serde_json::{Map, Value};

use super::offer::{OfferedTool, Part, Prompt, Resource, Said, Template};

pub(super) fn tool(offered: &OfferedTool) -> Tool {
    let definition = offered.spec.definition();
    let schema = match definition.schema {
        Value::Object(schema) => schema,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => Map::new(),
    };
    let hints = ToolAnnotations::new()
        .read_only(offered.reads_only())
        .destructive(offered.reaches_out())
        .open_world(offered.reaches_out());
    let mut tool =
        Tool::new(definition.name, definition.description, Arc::new(schema)).with_annotations(hints);
    tool.title.clone_from(&offered.title);
    tool
}

pub(super) fn block(part: Part) -> ContentBlock {
    match part {
        Part::Text(text) => ContentBlock::text(text),
        Part::Image { data, kind } => ContentBlock::image(data, kind),
        Part::Audio { data, kind } => ContentBlock::audio(data, kind),
        Part::Document { .. } | Part::Binary { .. } => ContentBlock::resource(contents(part, "")),
    }
}

pub(super) fn contents(part: Part, asked: &str) -> ResourceContents {
    match part {
        Part::Text(text) => ResourceContents::text(text, asked),
        Part::Image { data, kind } | Part::Audio { data, kind } => {
            ResourceContents::blob(data, asked).with_mime_type(kind)
        }
        Part::Document { uri, kind, text } => ResourceContents::text(text, uri).with_mime_type(kind),
        Part::Binary { uri, kind, data } => ResourceContents::blob(data, uri).with_mime_type(kind),
    }
}

pub(super) fn resource(found: Resource) -> WireResource {
    let mut resource = WireResource::new(found.uri, found.name);
    resource.title = found.title;
    resource.description = found.description;
    resource.mime_type = found.kind;
    resource
}

pub(super) fn template(found: Template) -> ResourceTemplate {
    let mut template = ResourceTemplate::new(found.uri, found.name);
    template.description = found.description;
    template.mime_type = found.kind;
    template
}

pub(super) fn prompt(found: Prompt) -> WirePrompt {
    let fields = found.fields.into_iter().map(|field| {
        let mut argument = PromptArgument::new(field.name).with_required(field.required);
        argument.description = field.description;
        argument
    });
    let mut prompt = WirePrompt::new(found.name, found.description, Some(fields.collect()));
    prompt.title = found.title;
    prompt
}

pub(super) fn said(said: Said) -> PromptMessage {
    PromptMessage::new(if said.by_assistant { Role::Assistant } else { Role::User }, block(said.part))
}
