//! How much may be handed over at once. What is larger is refused before anything is stored or thought about.

use crate::{Block, Message, Reasoning, ResultPart};

/// The most bytes of what a person says at once: a million characters of any script.
pub const MOST_MESSAGE_BYTES: usize = 4 * 1024 * 1024;

/// The most bytes of a call's arguments: such a message written as JSON, where a line break takes two bytes.
pub const MOST_ARGUMENT_BYTES: usize = 2 * MOST_MESSAGE_BYTES;

/// A message that is too large to be taken in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "The message has {bytes} bytes; at most {MOST_MESSAGE_BYTES} (4 MiB) can be said at once. Shorten it, or say it in parts."
)]
pub struct MessageTooLarge {
    /// What it has.
    pub bytes: usize,
}

impl MessageTooLarge {
    /// The stable name used in JSON.
    pub const NAME: &'static str = "message_too_large";
}

/// Whether a message may be taken in.
pub fn check_message(message: &Message) -> Result<(), MessageTooLarge> {
    let bytes = message.blocks.iter().map(size).fold(0, usize::saturating_add);
    if bytes > MOST_MESSAGE_BYTES { Err(MessageTooLarge { bytes }) } else { Ok(()) }
}

fn size(block: &Block) -> usize {
    match block {
        Block::Text(part) => part.text.len(),
        Block::Refusal(part) => part.text.len(),
        Block::Reasoning(Reasoning::Item { summary, content, encrypted, .. }) => {
            let parts = summary.iter().chain(content).chain(encrypted);
            parts.map(String::len).fold(0, usize::saturating_add)
        }
        Block::Reasoning(Reasoning::Signed { text, signature }) => {
            text.len().saturating_add(signature.as_ref().map_or(0, String::len))
        }
        Block::Reasoning(Reasoning::Redacted { data }) => data.len(),
        Block::Reasoning(Reasoning::Plain { text }) => text.len(),
        Block::ToolCall(call) => call.arguments.len(),
        Block::ToolResult(result) => {
            let parts = result.content.iter().map(|part| match part {
                ResultPart::Text(text) => text.len(),
                ResultPart::Image(image) => image.data.len(),
                ResultPart::Opaque(opaque) => opaque.json.as_str().len(),
                ResultPart::Own(json) => json.len(),
            });
            parts.fold(0, usize::saturating_add)
        }
        Block::Opaque(opaque) => opaque.json.as_str().len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_has_a_limit_and_the_error_names_it() {
        let message = |bytes: usize| Message::user("x".repeat(bytes));
        assert_eq!(check_message(&message(MOST_MESSAGE_BYTES)), Ok(()));
        let refused = check_message(&message(MOST_MESSAGE_BYTES + 1)).unwrap_err();
        assert_eq!(refused.bytes, MOST_MESSAGE_BYTES + 1);
        assert!(refused.to_string().contains("4 MiB"), "{refused}");
    }
}
