//! Sessions in which the same was said: whether they also hold the same.
//!
//! A client that names no conversation is known by its history alone. Where several sessions have that history, nobody can
//! say whose it is. If they also hold the same documents, results and open question, it makes no difference: whoever goes
//! on from one of them learns nothing that their own does not hold. So each mark of an answer has, below the part that the
//! client plays, a digest of what the session held after it. It stays when the session is deleted.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;
use tata_core::{ChatMark, Entry, MOST_CHAT_MARKS, Question, SessionId, StoreError};

use super::{
    answering::Mark,
    history::{Hash, canonical},
};
use crate::state::App;

/// What stands between both parts of a mark's setting.
const BELOW: char = '.';
/// In place of an answer: what is asked for are the marks whose answer is not known.
const NO_ANSWER: &str = "";

/// A digest of what a session held at a position of its journal: what its tools were asked and brought, its documents with
/// every decision about them, and what is open. What was said is not part of it: that is the history.
pub(super) async fn state(app: &App, session: SessionId, position: u64) -> Result<String, StoreError> {
    let store = &app.services.store;
    let records = store.records(session, 0).await?;
    let documents = store.artifacts(session).await?;
    let documents: BTreeMap<_, _> =
        documents.iter().map(|one| ((&one.name, one.version), one.json.as_str())).collect();
    let mut hash = Hash::new("state");
    for record in records.iter().filter(|record| record.position <= position) {
        match &record.entry {
            Entry::ModelReply { message, .. } => {
                for call in message.tool_calls() {
                    hash.add("call");
                    hash.add(&call.name);
                    hash.add(&canonical(&call.arguments));
                }
            }
            Entry::ToolFinished { result, status, .. } => {
                hash.add("result");
                hash.add(&format!("{status:?}"));
                hash.add(&content(&result.joined_text()));
            }
            Entry::ArtifactStored { name, version, .. } => {
                hash.add("document");
                hash.add(&format!("{name:?} {version}"));
                hash.add(&content(documents.get(&(name, *version)).copied().unwrap_or_default()));
            }
            Entry::MadeStale { kinds, .. } => hash.add(&format!("stale {kinds:?}")),
            Entry::Waiting { questions, .. } => {
                for asked in questions {
                    add_question(&mut hash, asked);
                }
            }
            Entry::TurnFinished { asks, .. } => {
                hash.add("end");
                if let Some(asked) = asks {
                    add_question(&mut hash, asked);
                }
            }
            Entry::Decided { decision, tool, .. } => hash.add(&format!("decided {tool} {decision:?}")),
            Entry::TurnUndone { turn } => hash.add(&format!("undone {turn}")),
            Entry::UserMessage { .. } | Entry::ToolStarted { .. } => {}
        }
    }
    Ok(hash.done())
}

/// What a document or a result says, whenever it was made.
fn content(json: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(json) else { return json.to_owned() };
    leave_out_times(&mut value);
    value.to_string()
}

fn leave_out_times(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, member| {
                let time = member.as_str().is_some_and(|text| text.parse::<Timestamp>().is_ok());
                !(time && name.ends_with("_at"))
            });
            members.values_mut().for_each(leave_out_times);
        }
        Value::Array(members) => members.iter_mut().for_each(leave_out_times),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn add_question(hash: &mut Hash, asked: &Question) {
    hash.add(&format!("asked {:?} {:?}", asked.reason, asked.about));
    for part in [&*asked.tool, asked.words.as_str(), &canonical(&asked.arguments)] {
        hash.add(part);
    }
}

/// The setting of a mark with the state after its answer; without it where another session that was told the same holds
/// something else. Whoever comes later then finds that among the newest, however many there are.
pub(super) async fn with_state(
    app: &App,
    mark: &Mark,
    answer: &str,
    state: String,
) -> Result<String, StoreError> {
    let others = app.services.store.chat_marks(mark.question.clone(), answer.to_owned()).await?;
    let mut known = others.iter().filter(|other| other.answer.is_some());
    let same = known.all(|other| state_of(other) == Some(state.as_str()));
    let setting = &mark.setting;
    Ok(if same { format!("{setting}{BELOW}{state}") } else { setting.clone() })
}

/// The part that the client played, of a mark.
pub(super) fn setting(mark: &ChatMark) -> &str {
    mark.setting.split_once(BELOW).map_or(mark.setting.as_str(), |(setting, _)| setting)
}

fn state_of(mark: &ChatMark) -> Option<&str> {
    mark.setting.split_once(BELOW).map(|(_, state)| state)
}

/// Whether all sessions that were told an answer held the same after it. Of one whose answer is not known, nobody can say.
pub(super) async fn are_alike(app: &App, question: &str, marks: &[ChatMark]) -> Result<bool, StoreError> {
    let Some(first) = marks.first().and_then(state_of) else { return Ok(false) };
    if !marks.iter().all(|mark| mark.answer.is_some() && state_of(mark) == Some(first)) {
        return Ok(false);
    }
    // There was no room for others.
    let full = marks.len() >= MOST_CHAT_MARKS;
    let unknown = if full {
        app.services.store.chat_marks(question.to_owned(), NO_ANSWER.to_owned()).await?
    } else {
        Vec::new()
    };
    Ok(unknown.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn when_a_document_was_made_is_no_part_of_what_it_says() {
        let made = |at: &str, title: &str| {
            content(&serde_json::json!({"document": {"created_at": at, "title": title}, "list": [{"made_at": at}]}).to_string())
        };
        let one = made("2026-11-19T15:12:33.295Z", "Controller");
        assert_eq!(one, made("2026-11-19T15:12:37.847Z", "Controller"));
        assert_ne!(one, made("2026-11-19T15:12:33.295Z", "Engineer"));
        assert_ne!(made("at noon", "Controller"), made("at night", "Controller"));
        assert_eq!(content("no JSON"), "no JSON");
    }
}
