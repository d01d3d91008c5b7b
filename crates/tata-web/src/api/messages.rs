//! What was said: messages as people read them, and what people brought.

use axum::Json;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tata_core::{CheckedAnswer, CheckedSentence, Citation, Conversation, Entry, Record};
use utoipa::{IntoParams, ToSchema};

use super::rows;
use crate::{
    Problem,
    error::ProblemDocument,
    input::Asked,
    state::{App, Named},
};

/// A message. They alternate: a person's, then the answer to it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MessageView {
    pub(crate) turn_number: u32,
    /// `user` or `assistant`.
    pub(crate) role: &'static str,
    pub(crate) content: String,
    #[schema(value_type = String, format = DateTime)]
    pub(crate) timestamp: Timestamp,
    /// The passages that an answer cites.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub(crate) citations: Vec<Citation>,
    /// The sentences of an answer that were held against what they cite, with their places in `content`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<Object>)]
    pub(crate) sentences: Vec<CheckedSentence>,
}

impl MessageView {
    fn new(turn_number: u32, role: &'static str, content: String, timestamp: Timestamp) -> Self {
        Self { turn_number, role, content, timestamp, citations: Vec::new(), sentences: Vec::new() }
    }

    /// Takes in what came of the check of the last thing that was said.
    fn take_verdict(&mut self, checked: &CheckedAnswer, last_said: &str) {
        let Some(before) = self.content.strip_suffix(last_said) else { return };
        let shift = before.chars().count();
        self.content = format!("{before}{}", checked.text);
        self.citations.clone_from(&checked.citations);
        self.sentences.clone_from(&checked.sentences);
        for sentence in &mut self.sentences {
            sentence.start += shift;
            sentence.end += shift;
        }
    }
}

/// A page of messages.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MessagePage {
    messages: Vec<MessageView>,
    /// Hand it over as `cursor` for the next page; none on the last.
    next_cursor: Option<String>,
}

/// Which page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// How many turns at most, up to 200.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
    /// Where the last page ended.
    cursor: Option<u32>,
}

/// The messages of a session, the first turn first.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/messages", tag = "messages", params(("id" = String, Path), Which),
    responses((status = 200, body = MessagePage), (status = 404, body = ProblemDocument)))]
pub(crate) async fn list(
    app: App,
    Named(session): Named,
    Asked(which): Asked<Which>,
) -> Result<Json<MessagePage>, Problem> {
    let most = rows(which.limit)?;
    let records = app.services.store.records(session.id, 0).await?;
    let after = which.cursor.unwrap_or(0);
    let mut messages = alternating(&records);
    messages.retain(|message| message.turn_number > after);
    let mut turns: Vec<u32> = messages.iter().map(|message| message.turn_number).collect();
    turns.dedup();
    let last = turns.get(most.saturating_sub(1)).copied().filter(|_| turns.len() > most);
    if let Some(last) = last {
        messages.retain(|message| message.turn_number <= last);
    }
    Ok(Json(MessagePage { messages, next_cursor: last.map(|turn| turn.to_string()) }))
}

/// One message of a person and one answer for each turn that still counts.
pub(crate) fn alternating(records: &[Record]) -> Vec<MessageView> {
    let mut messages: Vec<MessageView> = Vec::new();
    let mut last_said = String::new();
    for Record { at, entry, .. } in records {
        match entry {
            Entry::UserMessage { turn, message, .. } => {
                messages.push(MessageView::new(*turn, "user", message.joined_text(), *at));
            }
            Entry::ModelReply { turn, message, .. } => {
                let said = message.spoken();
                if said.trim().is_empty() {
                    continue;
                }
                last_said.clone_from(&said);
                match messages.last_mut().filter(|last| last.role == "assistant" && last.turn_number == *turn)
                {
                    // What was said before a step and after it is one answer.
                    Some(last) => {
                        last.content.push_str("\n\n");
                        last.content.push_str(&said);
                        last.timestamp = *at;
                    }
                    None => messages.push(MessageView::new(*turn, "assistant", said, *at)),
                }
            }
            Entry::TurnFinished { turn, end, asks, checked, .. } => {
                if let (Some(last), Some(checked)) = (messages.last_mut(), checked)
                    && last.role == "assistant"
                    && last.turn_number == *turn
                {
                    last.take_verdict(checked, &last_said);
                }
                // What the program asks stands below the answer.
                if let (Some(last), Some(question)) = (messages.last_mut(), asks)
                    && last.role == "assistant"
                    && last.turn_number == *turn
                {
                    last.content = format!("{}\n\n{}", last.content, question.in_words());
                }
                // A turn without an answer has one all the same: why there is none.
                if let Some(last) =
                    messages.last().filter(|last| last.role == "user" && last.turn_number == *turn)
                {
                    let content = end.for_user().unwrap_or_default().to_owned();
                    let turn_number = last.turn_number;
                    messages.push(MessageView::new(turn_number, "assistant", content, *at));
                }
            }
            Entry::TurnUndone { turn } => messages.retain(|message| message.turn_number < *turn),
            Entry::ToolStarted { .. }
            | Entry::ToolFinished { .. }
            | Entry::ArtifactStored { .. }
            | Entry::MadeStale { .. }
            | Entry::Waiting { .. }
            | Entry::Decided { .. } => {}
        }
    }
    messages
}

/// Something a person brought.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MaterialView {
    /// Its number in the session, such as `m4`.
    material_id: String,
    turn_number: u32,
    #[schema(value_type = String, format = DateTime)]
    brought_at: Timestamp,
    /// The file it was read from, by its digest.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    text: String,
}

/// What people brought.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MaterialList {
    materials: Vec<MaterialView>,
}

/// What people brought into a session, numbered: what documents are traced to.
#[utoipa::path(get, path = "/api/v1/sessions/{id}/materials", tag = "messages", params(("id" = String, Path)),
    responses((status = 200, body = MaterialList), (status = 404, body = ProblemDocument)))]
pub(crate) async fn materials(app: App, Named(session): Named) -> Result<Json<MaterialList>, Problem> {
    let records = app.services.store.records(session.id, 0).await?;
    let conversation = Conversation::fold("", &records);
    let files = app.services.store.files(session.id).await?;
    let file = |text: &str| files.iter().find(|file| file.became(text)).map(|file| file.digest.clone());
    let view = |material: &tata_core::Material| MaterialView {
        material_id: material.id().to_string(),
        turn_number: material.turn(),
        brought_at: material.at(),
        file: file(material.text()),
        text: material.text().to_owned(),
    };
    Ok(Json(MaterialList { materials: conversation.materials().iter().map(view).collect() }))
}
