//! `read_document`: a whole document, or one section of it, in pages.
//!
//! For "summarise this file" a search finds nothing; reading does.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use tata_core::{Citation, Tool, ToolContext, ToolFailure, ToolNameError, ToolOutput, typed_tool};

use super::DATA_NOTE;
use crate::{ErrorReport, Knowledge, KnowledgeError, shown_address};

/// Its name.
pub const READ_DOCUMENT: &str = "read_document";

/// Characters of a page at most, and the room that is left for the rest of the answer.
const PAGE: usize = 8_000;
const ROOM: usize = 1_000;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Args {
    /// The url of the document, as a search result names it.
    url: String,
    /// A heading: only what stands under it is read.
    #[serde(default)]
    section: Option<String>,
    /// Which page of the text, from 1.
    #[serde(default)]
    page: Option<usize>,
}

/// The tool over a collection.
pub fn read_document(knowledge: Knowledge) -> Result<Arc<dyn Tool>, ToolNameError> {
    let description = "Reads a stored document from its beginning, or one section of it, page by page. Call it to \
                       summarise a document or to read around a search result.";
    typed_tool(
        READ_DOCUMENT,
        description,
        |_| {},
        move |args: Args, context: ToolContext| {
            let knowledge = knowledge.clone();
            async move { answered(&knowledge, &args, context.most_characters).await }
        },
    )
}

/// The same for a face that has arguments but no turn.
pub async fn call_read_document(
    knowledge: &Knowledge,
    arguments: Value,
    most_characters: usize,
) -> Result<ToolOutput, ToolFailure> {
    let args: Args =
        serde_json::from_value(arguments).map_err(|error| ToolFailure::rejected("", error.to_string()))?;
    answered(knowledge, &args, most_characters).await
}

async fn answered(
    knowledge: &Knowledge,
    args: &Args,
    most_characters: usize,
) -> Result<ToolOutput, ToolFailure> {
    let most = PAGE.min(most_characters.saturating_sub(ROOM)).max(500);
    match read(knowledge, args, most).await {
        Ok(Some(output)) => Ok(output),
        Ok(None) => Err(ToolFailure::rejected("/url", format!("there is no document {:?}", args.url))),
        Err(error) => Ok(ToolOutput::json(&json!({ "text": "", "error": ErrorReport::from(&error) }))),
    }
}

async fn read(knowledge: &Knowledge, args: &Args, most: usize) -> Result<Option<ToolOutput>, KnowledgeError> {
    let Some(entry) = knowledge.document(&args.url).await? else { return Ok(None) };
    let chunks = knowledge.engine().chunks(&entry.url).await?;
    let address = shown_address(&entry.url);
    let under = |headings: &[String]| match &args.section {
        Some(section) => headings.iter().any(|heading| heading.eq_ignore_ascii_case(section.trim())),
        None => true,
    };
    let text: String = chunks
        .iter()
        .filter(|(chunk, _)| under(&chunk.headings))
        .map(|(chunk, _)| chunk.text.as_str())
        .collect();
    let mut sections: Vec<String> = Vec::new();
    for heading in chunks.iter().flat_map(|(chunk, _)| &chunk.headings) {
        if !sections.contains(heading) && sections.len() < 100 {
            sections.push(heading.clone());
        }
    }
    let characters = text.chars().count();
    let pages = characters.div_ceil(most).max(1);
    let page = args.page.unwrap_or(1).clamp(1, pages);
    let part: String = text.chars().skip((page - 1) * most).take(most).collect();
    let message = (characters == 0).then(|| "there is no such section; these are the sections".to_owned());
    let json = json!({
        "url": address,
        "title": entry.title,
        "page": page,
        "pages": pages,
        "characters": characters,
        "sections": sections,
        "text": part,
        "message": message,
        "about_the_texts": DATA_NOTE,
    });
    let first = chunks.iter().map(|(chunk, _)| chunk).find(|chunk| under(&chunk.headings));
    // Sections of one name may lie apart: then the span is that of the first.
    let start = first.map_or(0, |chunk| chunk.start) + (page - 1) * most;
    let citation = Citation {
        url: address,
        title: entry.title,
        headings: first
            .map(|chunk| chunk.headings.clone())
            .filter(|_| args.section.is_some())
            .unwrap_or_default(),
        page: first.and_then(|chunk| chunk.page).filter(|_| page == 1),
        start,
        end: start + part.chars().count(),
        quote: part,
        score: 1.0,
        ..Citation::default()
    };
    let sources = if citation.quote.is_empty() { Vec::new() } else { vec![citation] };
    Ok(Some(ToolOutput { sources: Some(sources), ..ToolOutput::json(&json) }))
}
