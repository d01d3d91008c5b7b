//! What is said: messages of ordered blocks.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use crate::{CallId, ItemId, RawJson, ToolCall, ToolResult};

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The operator's instructions.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// Our answer to the model's tool calls.
    Tool,
}

/// The dialect in which a message was made, e.g. `openai/responses`. Reasoning and opaque blocks go back only
/// to the origin they came from; everywhere else they would be refused, or worse, believed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Origin(Arc<str>);

/// The provider of what people write on pages.
const PAGE: &str = "page";

impl Origin {
    /// Names a dialect by provider and wire.
    pub fn new(provider: &str, wire: &str) -> Self {
        Self(format!("{provider}/{wire}").into())
    }

    /// What somebody wrote on a page in their language: "sv".
    pub fn page(language: &str) -> Self {
        Self::new(PAGE, language)
    }

    /// The language of the page that a message was written on.
    pub fn page_language(&self) -> Option<&str> {
        self.0.strip_prefix(PAGE)?.strip_prefix('/')
    }

    /// The origin as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// One message of a conversation.
#[doc(alias = "ConversationMessage")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said, in order. The order carries meaning: reasoning stands before the call it led to.
    pub blocks: Blocks,
    /// The dialect the blocks came from, or the page that a person wrote on; none for what we wrote ourselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
}

/// The blocks of a message. The journal, the conversation and every request hold the same message, so they share its
/// blocks; whoever changes them gets a copy of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Blocks(Arc<Vec<Block>>);

/// One piece of a message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    /// Text for the reader.
    Text(Text),
    /// The model's thinking, kept so that its own provider can have it back.
    Reasoning(Reasoning),
    /// The model declined, in words.
    Refusal(Refusal),
    /// The model wants a tool of ours to run.
    ToolCall(ToolCall),
    /// What that tool answered.
    ToolResult(ToolResult),
    /// Anything else: images, provider-run tools, variants we do not know yet.
    Opaque(Opaque),
}

/// A text block.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// The text, unchanged.
    pub text: String,
    /// Citations and annotations, as the provider sent them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<RawJson>,
    /// The provider's label for the part of the answer this is (commentary, final answer).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The provider item the text belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
}

/// A refusal in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// What the model said instead of an answer.
    pub text: String,
    /// The provider item the refusal belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item_id: Option<ItemId>,
}

/// Reasoning in the shape its provider wants back. None of these can be turned into another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reasoning {
    /// An item with a readable summary and, for stateless use, an encrypted body.
    Item {
        /// The item's id.
        id: Option<ItemId>,
        /// Readable summary parts.
        summary: Vec<String>,
        /// Raw reasoning text, from servers that show it.
        content: Vec<String>,
        /// What the provider needs to continue from it.
        encrypted: Option<String>,
    },
    /// Text with a signature over it.
    Signed {
        /// The thinking; empty when the provider keeps it to itself.
        text: String,
        /// Without it the block cannot be replayed.
        signature: Option<String>,
    },
    /// Thinking the provider hides.
    Redacted {
        /// Opaque data.
        data: String,
    },
    /// Plain text beside the answer.
    Plain {
        /// The thinking.
        text: String,
    },
}

/// A block kept as the JSON it arrived in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opaque {
    /// The provider's type name.
    pub kind: String,
    /// Its id, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its name, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The whole block.
    pub json: RawJson,
}

impl Message {
    /// A message of one text block.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, blocks: vec![Block::text(text)].into(), origin: None }
    }

    /// The operator's instructions.
    pub fn system(text: impl Into<String>) -> Self {
        Self::text(Role::System, text)
    }

    /// What the person says.
    pub fn user(text: impl Into<String>) -> Self {
        Self::text(Role::User, text)
    }

    /// A plain answer.
    pub fn assistant(text: impl Into<String>) -> Self {
        Self::text(Role::Assistant, text)
    }

    /// The results of one round of tool calls, in call order.
    pub fn tool_results(results: impl IntoIterator<Item = ToolResult>) -> Self {
        Self { role: Role::Tool, blocks: results.into_iter().map(Block::ToolResult).collect(), origin: None }
    }

    /// All text blocks joined.
    pub fn joined_text(&self) -> String {
        self.texts().map(|text| text.text.as_str()).collect()
    }

    /// Everything a person reads of an answer: text and refusals, joined.
    pub fn spoken(&self) -> String {
        self.spoken_parts().collect()
    }

    /// The same, part by part.
    pub fn spoken_parts(&self) -> impl Iterator<Item = &str> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(text.text.as_str()),
            Block::Refusal(refusal) => Some(refusal.text.as_str()),
            Block::Reasoning(_) | Block::ToolCall(_) | Block::ToolResult(_) | Block::Opaque(_) => None,
        })
    }

    /// The text blocks in order.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.blocks.iter().filter_map(|block| if let Block::Text(text) = block { Some(text) } else { None })
    }

    /// The tool calls in order, whatever their state.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.blocks.iter().filter_map(
            |block| {
                if let Block::ToolCall(call) = block { Some(call) } else { None }
            },
        )
    }

    /// The tool results in order.
    pub fn results(&self) -> impl Iterator<Item = &ToolResult> {
        self.blocks.iter().filter_map(|block| if let Block::ToolResult(r) = block { Some(r) } else { None })
    }

    /// The call ids in order: what a completion summary lists.
    pub fn call_ids(&self) -> impl Iterator<Item = &CallId> {
        self.tool_calls().map(|call| &call.call_id)
    }
}

impl Block {
    /// A plain text block.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(Text { text: text.into(), ..Text::default() })
    }
}

impl Deref for Blocks {
    type Target = Vec<Block>;

    fn deref(&self) -> &Vec<Block> {
        &self.0
    }
}

impl DerefMut for Blocks {
    fn deref_mut(&mut self) -> &mut Vec<Block> {
        Arc::make_mut(&mut self.0)
    }
}

impl From<Vec<Block>> for Blocks {
    fn from(blocks: Vec<Block>) -> Self {
        Self(Arc::new(blocks))
    }
}

impl FromIterator<Block> for Blocks {
    fn from_iter<T: IntoIterator<Item = Block>>(blocks: T) -> Self {
        Vec::from_iter(blocks).into()
    }
}

impl IntoIterator for Blocks {
    type Item = Block;
    type IntoIter = std::vec::IntoIter<Block>;

    fn into_iter(self) -> Self::IntoIter {
        Arc::unwrap_or_clone(self.0).into_iter()
    }
}

impl<'a> IntoIterator for &'a Blocks {
    type Item = &'a Block;
    type IntoIter = std::slice::Iter<'a, Block>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> IntoIterator for &'a mut Blocks {
    type Item = &'a mut Block;
    type IntoIter = std::slice::IterMut<'a, Block>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
