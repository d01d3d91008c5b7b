//! Answers from documents without a model: the question is searched, the best sentences are quoted with their sources.

use std::sync::Arc;

use futures_util::stream;
use serde_json::{Value, json};
use tata_core::{
    Block, Message, Model, ModelRequest, ReplyStream, ResultPart, Role, ToolCall, ToolResult, at_once,
};

use crate::{SEARCH_DOCS, SearchAnswer, answer::quote, citations};

/// Its name.
pub const QUOTES: &str = "quotes";

/// The question is asked once; what was found is quoted. It understands nothing and says so by quoting.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quotes;

impl Model for Quotes {
    fn name(&self) -> &str {
        QUOTES
    }

    fn thinks_here(&self) -> bool {
        true
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        Box::pin(stream::iter(at_once(QUOTES, reply(&request))))
    }
}

fn reply(request: &ModelRequest) -> Message {
    if let Some(answer) = answer_of_search(request) {
        return Message::assistant(answer);
    }
    let asked = request.messages.iter().rfind(|message| message.role == Role::User);
    let question = asked.map(Message::joined_text).unwrap_or_default();
    let (id, asked) = (format!("search_{}", request.messages.len()), json!({ "query": question }));
    let call = ToolCall::function(id, SEARCH_DOCS, asked.to_string());
    Message { blocks: vec![Block::ToolCall(call)].into(), ..Message::assistant("") }
}

/// What the search of this turn brought, quoted, for a model that has no words for it; none if it did not search last.
pub fn answer_of_search(request: &ModelRequest) -> Option<String> {
    let asked = request.messages.iter().rposition(|message| message.role == Role::User).unwrap_or(0);
    let result = request.messages.iter().skip(asked + 1).flat_map(Message::results).last()?;
    (result.name == SEARCH_DOCS).then(|| quoted(result))
}

/// What was found, in the words of the documents. The numbers are those that the session gave.
fn quoted(result: &ToolResult) -> String {
    let texts = || {
        result.content.iter().filter_map(|part| match part {
            ResultPart::Text(text) => Some(text.as_str()),
            ResultPart::Image(_) | ResultPart::Opaque(_) | ResultPart::Own(_) => None,
        })
    };
    let found: Option<SearchAnswer> = texts().find_map(|text| serde_json::from_str(text).ok());
    let Some(found) = found else {
        // A search that could not even begin says why in words of its own.
        let told = texts().next().and_then(|text| serde_json::from_str::<Value>(text).ok());
        let told = told.as_ref().and_then(|told| told.get("message")).and_then(Value::as_str);
        return told.unwrap_or("The documents could not be searched.").to_owned();
    };
    let mut passages = citations(&found.results);
    let numbers = texts().filter(|text| text.contains("cite")).flat_map(bracketed);
    for (passage, number) in passages.iter_mut().zip(numbers) {
        passage.number = number;
    }
    quote(&found, passages).text
}

/// The numbers in brackets of a note.
fn bracketed(note: &str) -> Vec<u32> {
    note.split('[').filter_map(|part| part.split_once(']')?.0.parse().ok()).collect()
}
