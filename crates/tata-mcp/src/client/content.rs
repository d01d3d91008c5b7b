//! What a foreign tool answered, as parts of a result of ours.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use tata_core::{Image, ResultPart, ToolFailure, ToolOutput};

use crate::error::words;

/// The most characters of a failure that go to a model.
const LONGEST_FAILURE: usize = 4_000;

/// A result, or the failure that a server tells as one.
pub(super) fn output(result: CallToolResult) -> Result<ToolOutput, ToolFailure> {
    let failed = result.is_error == Some(true);
    let mut content: Vec<ResultPart> = result.content.into_iter().map(part).collect();
    if content.is_empty() {
        // Some servers give only the structured form, which others repeat as text.
        let text = result.structured_content.map(|value| value.to_string()).unwrap_or_default();
        content.push(ResultPart::Text(text));
    }
    if !failed {
        return Ok(ToolOutput { content, ..ToolOutput::default() });
    }
    let texts = content.iter().filter_map(|part| match part {
        ResultPart::Text(text) => Some(text.as_str()),
        ResultPart::Image(_) | ResultPart::Opaque(_) | ResultPart::Own(_) => None,
    });
    let message: String = texts.collect::<Vec<_>>().join("\n").chars().take(LONGEST_FAILURE).collect();
    Err(ToolFailure::failed(if message.is_empty() {
        "it says nothing about why".to_owned()
    } else {
        message
    }))
}

fn part(block: ContentBlock) -> ResultPart {
    match block {
        ContentBlock::Text(text) => ResultPart::Text(text.text),
        ContentBlock::Image(image) => picture(&image.mime_type, image.data),
        ContentBlock::Audio(audio) => left_out("a sound", &audio.mime_type, audio.data.len()),
        ContentBlock::Resource(embedded) => match embedded.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => {
                ResultPart::Text(format!("[{}]\n{text}", words(&uri)))
            }
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                let kind = mime_type.unwrap_or_default();
                if kind.starts_with("image/") {
                    picture(&kind, blob)
                } else {
                    left_out(&words(&uri), &kind, blob.len())
                }
            }
            _ => ResultPart::Text("[a resource of a kind that is not known here]".to_owned()),
        },
        ContentBlock::ResourceLink(link) => {
            let about = link.description.map(|text| format!(": {}", words(&text))).unwrap_or_default();
            ResultPart::Text(format!("[{} at {}{about}]", words(&link.name), words(&link.uri)))
        }
        _ => ResultPart::Text("[something of a kind that is not known here]".to_owned()),
    }
}

/// What models cannot be shown is named, so that nobody believes it was not there.
fn left_out(what: &str, kind: &str, encoded: usize) -> ResultPart {
    ResultPart::Text(format!("[{what}, {}, about {} bytes: not shown]", words(kind), encoded / 4 * 3))
}

fn picture(kind: &str, data: String) -> ResultPart {
    ResultPart::Image(Image { media_type: words(kind), data })
}
