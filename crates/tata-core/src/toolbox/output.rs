//! Results that are too long for a context: the model reads the beginning and the end, the rest stays within reach.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Tool, ToolContext, ToolOutput, typed_tool};
use crate::{ResultPart, ToolFailure, ToolNameError};

/// The tool that reads the rest of a shortened result.
pub const READ_OUTPUT: &str = "read_output";

/// The most characters one reading brings.
const LARGEST_READING: usize = 20_000;

/// The most bytes of a picture or file that enter a context.
const LARGEST_OPAQUE: usize = 1024 * 1024;

/// Room for the line that says which part it is.
const HEAD: usize = 100;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The call whose result was shortened, as the note in the result names it.
    call_id: String,
    /// The character to begin at, from 0.
    #[serde(default)]
    offset: usize,
    /// How many characters to read; without it, as many as fit.
    #[serde(default)]
    length: Option<usize>,
}

pub(super) fn read_output() -> Result<Arc<dyn Tool>, ToolNameError> {
    let description = "Reads a part of an earlier tool result that was too long to be shown whole. \
                       Call it only when a result says that something was left out.";
    typed_tool(READ_OUTPUT, description, |_| {}, read)
}

async fn read(args: Args, context: ToolContext) -> Result<ToolOutput, ToolFailure> {
    let output = context.output(args.call_id.as_str().into()).await;
    let output = output.map_err(|error| ToolFailure::Failed {
        message: error.for_user().to_owned(),
        source: Some(Box::new(error)),
    })?;
    let Some(output) = output else {
        let message = format!("no result of the call {:?} was shortened", args.call_id);
        return Err(ToolFailure::rejected("/call_id", message));
    };
    part_of(&output, args.offset, args.length, &context)
}

/// A part of a text, with a line that says which.
pub(super) fn part_of(
    text: &str,
    offset: usize,
    length: Option<usize>,
    context: &ToolContext,
) -> Result<ToolOutput, ToolFailure> {
    let total = text.chars().count();
    if offset >= total {
        let message = format!("{offset} is beyond the end: there are {total} characters");
        return Err(ToolFailure::rejected("/offset", message));
    }
    let most = context.most_characters.saturating_sub(HEAD).clamp(1, LARGEST_READING);
    let length = length.unwrap_or(most).clamp(1, most);
    let part: String = text.chars().skip(offset).take(length).collect();
    let end = (offset + length).min(total);
    let rest = if end < total { format!(" Continue with offset {end}.") } else { String::new() };
    Ok(ToolOutput::text(format!("Characters {offset} to {end} of {total}.{rest}\n{part}")))
}

/// Shortens the text of a result to about `most` characters. Gives the whole text back when it did.
pub(super) fn shorten(content: &mut [ResultPart], call_id: &str, most: usize) -> Option<String> {
    for part in content.iter_mut() {
        // Pictures and files cannot be cut in the middle: one that is too large is not shown at all.
        if let ResultPart::Opaque(opaque) = part
            && opaque.json.as_str().len() > most.max(LARGEST_OPAQUE)
        {
            let note =
                format!("[{}: {} bytes, too large to be shown]", opaque.kind, opaque.json.as_str().len());
            *part = ResultPart::Text(note);
        }
        if let ResultPart::Image(image) = part
            && image.data.len() > most.max(LARGEST_OPAQUE)
        {
            let note =
                format!("[{}: {} bytes, too large to be shown]", image.media_type, image.data.len() / 4 * 3);
            *part = ResultPart::Text(note);
        }
    }
    let texts = |content: &[ResultPart]| -> usize { content.iter().filter_map(text).map(str::len).sum() };
    // Bytes are never fewer than characters: the count is needed only for what may be too long.
    if texts(content) <= most {
        return None;
    }
    let whole: String = content.iter().filter_map(text).collect();
    let total = whole.chars().count();
    if total <= most {
        return None;
    }
    let (head, tail) = (most * 3 / 4, most / 4);
    let (first, last): (String, String) =
        (whole.chars().take(head).collect(), whole.chars().skip(total - tail).collect());
    let note = format!(
        "{first}\n[{} of {total} characters left out here. Read them with {READ_OUTPUT} \
         {{\"call_id\": \"{call_id}\", \"offset\": {head}}}.]\n{last}",
        total - head - tail
    );
    let mut note = Some(note);
    for part in content {
        if let ResultPart::Text(text) = part {
            *text = note.take().unwrap_or_default();
        }
    }
    Some(whole)
}

fn text(part: &ResultPart) -> Option<&str> {
    match part {
        ResultPart::Text(text) => Some(text),
        ResultPart::Image(_) | ResultPart::Opaque(_) | ResultPart::Own(_) => None,
    }
}
