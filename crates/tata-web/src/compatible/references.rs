//! Items of earlier answers that a client names by their ids instead of bringing them.

use std::collections::HashMap;

use tata_core::{Conversation, Entry, Record, Session, SessionId};

use super::{
    history::AgentStep,
    place::{self, AnswerId},
    question, tools,
};
use crate::{Problem, state::App};

/// What was found under the ids of a request.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// The items by their ids.
    pub(super) items: HashMap<String, AgentStep>,
    /// The sessions that gave them.
    pub(super) sessions: Vec<SessionId>,
}

/// Which item of an answer an id names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Message,
    Call(usize),
}

/// Reads the id of an item that was given out here.
fn read(id: &str) -> Option<(AnswerId, Item)> {
    if let Some(tail) = id.strip_prefix("msg_") {
        return Some((AnswerId::read(&format!("resp_{tail}"))?, Item::Message));
    }
    let (tail, number) = id.strip_prefix("fc_")?.rsplit_once('_')?;
    Some((AnswerId::read(&format!("resp_{tail}"))?, Item::Call(number.parse().ok()?)))
}

/// Finds the items of these ids in the caller's own sessions. One that is not there is refused by its id.
pub(super) async fn given(app: &App, named: &[(String, &str)]) -> Result<Given, Problem> {
    let mut given = Given::default();
    let mut sessions: HashMap<SessionId, (Session, Vec<Record>)> = HashMap::new();
    for (place, id) in named {
        if given.items.contains_key(*id) {
            continue;
        }
        let (answer, item) = read(id).ok_or_else(|| unknown(place, id))?;
        if !sessions.contains_key(&answer.session) {
            let found = place::session(app, answer.session).await?.ok_or_else(|| unknown(place, id))?;
            let records = app.services.store.records(found.id, 0).await?;
            sessions.insert(found.id, (found, records));
        }
        let Some((session, records)) = sessions.get(&answer.session) else { continue };
        let whole = whole(app, session, records, answer).await?.ok_or_else(|| unknown(place, id))?;
        let found = match item {
            Item::Message => AgentStep { calls: Vec::new(), ..whole },
            Item::Call(number) => {
                let call = whole.calls.into_iter().nth(number).ok_or_else(|| unknown(place, id))?;
                AgentStep { text: String::new(), calls: vec![call] }
            }
        };
        given.items.insert((*id).to_owned(), found);
    }
    given.sessions = sessions.into_keys().collect();
    Ok(given)
}

/// An answer as it was given; none if there is no such turn.
async fn whole(
    app: &App,
    session: &Session,
    records: &[Record],
    answer: AnswerId,
) -> Result<Option<AgentStep>, Problem> {
    if !records.iter().any(|record| record.entry.turn() == answer.turn) {
        return Ok(None);
    }
    let end = answer.end(records).ok_or_else(place::unfinished)?;
    let after = answer.after.unwrap_or_default();
    let until = || records.iter().filter(|record| record.position <= end);
    let said = until().filter(|record| record.position > after).filter_map(|record| {
        let Entry::ModelReply { turn, message, .. } = &record.entry else { return None };
        (*turn == answer.turn).then(|| message.joined_text())
    });
    let mut texts: Vec<String> = said.filter(|text| !text.trim().is_empty()).collect();
    let conversation = Conversation::fold("", until());
    let parts = app.parts(&session.agent, session.model.clone()).await?;
    let (calls, own) = tools::apart(conversation.questions(), &parts);
    let asked = own.first().or(conversation.closing_question()).filter(|_| calls.is_empty());
    texts.extend(asked.map(question::words));
    Ok(Some(AgentStep::given(&texts.join("\n\n"), &calls)))
}

fn unknown(place: &str, id: &str) -> Problem {
    let id: String = id.chars().take(120).collect();
    let detail = format!(
        "There is no item {id:?} here. Send the item itself, or name one of an answer that this server gave to you and \
         that is still there."
    );
    Problem { field: Some(place.to_owned()), ..Problem::bad("unknown_item", detail) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_items_are_read_as_they_were_given() {
        let session = SessionId::random();
        let answer = AnswerId { session, turn: 3, after: Some(17) };
        let tail = answer.tail('_');
        assert_eq!(read(&format!("msg_{tail}")), Some((answer, Item::Message)));
        assert_eq!(read(&format!("fc_{tail}_2")), Some((answer, Item::Call(2))));
        for wrong in ["", "msg_1", "fc_1", "rs_1", &format!("fc_{tail}_x"), &format!("msg_{tail}_1")] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
