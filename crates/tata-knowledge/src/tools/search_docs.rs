//! `search_docs`: passages of the company's documents for a question.
//!
//! The model calls it whenever an answer should rest on the documents. The answer is one JSON object: results, nothing,
//! or an error, and never an exception: a search that fails does not end a conversation.

use std::{collections::BTreeMap, sync::Arc};

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tata_core::{Tool, ToolFailure, ToolNameError, ToolOutput, typed_tool};

use super::DATA_NOTE;
use crate::{Filter, Knowledge, Lang, SearchAnswer, SearchRequest, citations};

/// Its name.
pub const SEARCH_DOCS: &str = "search_docs";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// What to look for: a question or its main words, in the language of the documents if it is known.
    query: String,
    /// How many results, 1 to 20; 5 if not given.
    #[serde(default)]
    top_k: Option<i64>,
    /// The least score of a result, 0 to 1; 0.3 if not given.
    #[serde(default)]
    score_threshold: Option<f64>,
    /// Only documents whose metadata has one of these values, by key; `lang` and `url` are keys too.
    #[serde(default)]
    filters: BTreeMap<String, Values>,
    /// The language of the query as a code (`en`, `sv`), if it is known.
    #[serde(default)]
    lang: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Values {
    One(String),
    Any(Vec<String>),
}

/// The tool over a collection.
pub fn search_docs(knowledge: Knowledge) -> Result<Arc<dyn Tool>, ToolNameError> {
    let description = "Searches the stored documents and returns passages with url, title and score. Call it before \
                       answering anything that the documents may say. Cite what you use by the numbers that stand below \
                       the results. If nothing is found, say so.";
    typed_tool(
        SEARCH_DOCS,
        description,
        |_| {},
        move |args: Args, _| {
            let knowledge = knowledge.clone();
            async move { Ok::<_, ToolFailure>(output(&knowledge.search(&request(args)).await)) }
        },
    )
}

/// The same for a face that has arguments but no turn.
pub async fn call_search_docs(knowledge: &Knowledge, arguments: Value) -> Result<ToolOutput, ToolFailure> {
    let args =
        serde_json::from_value(arguments).map_err(|error| ToolFailure::rejected("", error.to_string()))?;
    Ok(output(&knowledge.search(&request(args)).await))
}

fn request(args: Args) -> SearchRequest {
    let values = |values: Values| match values {
        Values::One(value) => vec![value],
        Values::Any(values) => values,
    };
    let filter: Filter = args.filters.into_iter().map(|(key, any)| (key, values(any))).collect();
    SearchRequest {
        query: args.query,
        top_k: args.top_k,
        threshold: args.score_threshold,
        filter,
        lang: args.lang.as_deref().and_then(Lang::find),
        per_url: None,
    }
}

fn output(answer: &SearchAnswer) -> ToolOutput {
    let mut json = serde_json::to_value(answer).unwrap_or_default();
    if let Some(object) = json.as_object_mut().filter(|_| !answer.results.is_empty()) {
        object.insert("about_the_texts".to_owned(), Value::from(DATA_NOTE));
    }
    ToolOutput { sources: Some(citations(&answer.results)), ..ToolOutput::json(&json) }
}
