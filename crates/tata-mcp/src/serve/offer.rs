//! What is offered to clients, in our own words.

use std::{future::Future, pin::Pin};

use serde_json::{Map, Value};
use tata_core::{Effect, ToolSpec};
use tokio_util::sync::CancellationToken;

use super::Caller;

/// What is offered, as the callbacks of a server. One offer serves many clients at once; [`Caller::session`] keeps them
/// apart.
pub trait Offer: Send + Sync + 'static {
    /// Who we are.
    fn about(&self) -> About;

    /// The tools, in order.
    fn tools(&self) -> Vec<OfferedTool>;

    /// Runs a tool. What goes wrong is an answer too: the client's model reads it.
    fn call<'a>(&'a self, call: Call, caller: &'a Caller) -> Offering<'a, Given>;

    /// The documents there are for this caller.
    fn resources<'a>(&'a self, caller: &'a Caller) -> Offering<'a, Vec<Resource>> {
        let _ = caller;
        Box::pin(std::future::ready(Vec::new()))
    }

    /// Documents that can be had by filling in an address.
    fn templates(&self) -> Vec<Template> {
        Vec::new()
    }

    /// A document; none if it is not there, or not for this caller.
    fn read<'a>(&'a self, uri: &'a str, caller: &'a Caller) -> Offering<'a, Option<Vec<Part>>> {
        let _ = (uri, caller);
        Box::pin(std::future::ready(None))
    }

    /// Texts to begin with.
    fn prompts(&self) -> Vec<Prompt> {
        Vec::new()
    }

    /// A text with what was filled in; none if there is no such text.
    fn prompt(&self, name: &str, filled: &Map<String, Value>) -> Option<Vec<Said>> {
        let _ = (name, filled);
        None
    }
}

/// A callback at work.
pub type Offering<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Who we are.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// The name.
    pub name: String,
    /// The version.
    pub version: String,
    /// What a client's model should know before it begins.
    pub instructions: String,
}

/// A tool on offer.
#[derive(Clone, Debug)]
pub struct OfferedTool {
    /// What it is.
    pub spec: ToolSpec,
    /// Its name for people.
    pub title: Option<String>,
}

impl OfferedTool {
    /// A tool without a name for people.
    pub fn new(spec: ToolSpec) -> Self {
        Self { spec, title: None }
    }

    /// Whether it changes nothing.
    pub(super) fn reads_only(&self) -> bool {
        self.spec.effect == Effect::Read
    }

    /// Whether it changes something beyond our own store.
    pub(super) fn reaches_out(&self) -> bool {
        self.spec.effect == Effect::Outward
    }
}

/// A call of a client.
#[derive(Debug)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Map<String, Value>,
    /// Whose word the arguments are. A client sends what its model wrote: never a person's word.
    pub speaker: Speaker,
    /// The client does not wait any longer.
    pub cancel: CancellationToken,
}

/// Whose word something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Speaker {
    /// A model's: a claim, not a source.
    Model,
    /// A person's, given in answer to a question of ours.
    Person,
}

/// What a call brings.
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// What the client's model reads.
    pub parts: Vec<Part>,
    /// The same as JSON, where it is JSON.
    pub structured: Option<Value>,
    /// It did not work, and the parts say why.
    pub failed: bool,
}

impl Given {
    /// A text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { parts: vec![Part::Text(text.into())], ..Self::default() }
    }

    /// A failure, in words that the model can act on.
    pub fn failure(text: impl Into<String>) -> Self {
        Self { failed: true, ..Self::text(text) }
    }
}

/// One part of an answer, a document or a text.
#[derive(Clone, Debug)]
pub enum Part {
    /// Text.
    Text(String),
    /// A picture.
    Image {
        /// Base64.
        data: String,
        /// Its media type.
        kind: String,
    },
    /// A sound.
    Audio {
        /// Base64.
        data: String,
        /// Its media type.
        kind: String,
    },
    /// A document of text.
    Document {
        /// Its address.
        uri: String,
        /// Its media type.
        kind: String,
        /// The text.
        text: String,
    },
    /// A document of bytes.
    Binary {
        /// Its address.
        uri: String,
        /// Its media type.
        kind: String,
        /// Base64.
        data: String,
    },
}

/// A document on offer.
#[derive(Clone, Debug, Default)]
pub struct Resource {
    /// Its address.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Its media type.
    pub kind: Option<String>,
}

/// Documents that can be had by filling in an address.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The address, with the places to fill in as `{name}`.
    pub uri: String,
    /// Its name.
    pub name: String,
    /// What they are.
    pub description: Option<String>,
    /// Their media type.
    pub kind: Option<String>,
}

/// A text to begin with.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// What is to be filled in.
    pub fields: Vec<PromptField>,
}

/// Something to be filled in.
#[derive(Clone, Debug, Default)]
pub struct PromptField {
    /// Its name.
    pub name: String,
    /// What it is.
    pub description: Option<String>,
    /// Without it, the text makes no sense.
    pub required: bool,
}

/// One message of a text to begin with.
#[derive(Clone, Debug)]
pub struct Said {
    /// It is the assistant's; otherwise the person's.
    pub by_assistant: bool,
    /// What is said.
    pub part: Part,
}
