//! From what a client sends to a turn of a session.

use std::time::Duration;

use axum::http::{HeaderMap, StatusCode};
use tata_core::{
    Batch, CallId, Conversation, Input, MessageTooLarge, PastStep, Question, SessionId, check_message,
    take_over,
};

use super::{
    answering::{Answering, Mark},
    history::{AgentStep, BroughtResult, ClientRequest, Step, digests, said_by_person},
    place::{self, Named, Place, has_moved_on},
    question, tools,
};
use crate::{Problem, events, input::header, state::App};

/// The header by which a client names its session.
pub(super) const SESSION: &str = "x-tata-session";

/// How often a place is looked for when somebody else goes on with it at the same moment.
const ATTEMPTS: usize = 4;

/// How long a history may take to be written.
const LEASE: Duration = Duration::from_secs(30);

/// Begins a turn with what was said last, in the session that is meant.
pub(super) async fn converse(
    app: &App,
    headers: &HeaderMap,
    model: &str,
    named: Option<Named>,
    request: ClientRequest,
) -> Result<Answering, Problem> {
    let (agent, model) = match model.split_once(':') {
        Some((agent, model)) => (agent, Some(model.to_owned())),
        None => (model, None),
    };
    check(&request)?;
    let named = match (named, header(headers, SESSION)?) {
        (Some(named), _) => Some(named),
        (None, Some(session)) => Some(Named::Session(session.parse::<SessionId>()?)),
        (None, None) => None,
    };
    let digests = digests(&request.identity.digest(app, agent), &request.steps);
    let mut attempt = 1;
    loop {
        let asked = (agent, model.clone());
        let place = place::find(app, asked, named, (&request, &digests), attempt > 1).await?;
        let exact = place.position.is_some();
        match begin(app, place, model.clone(), &request, &digests).await {
            // Somebody else goes on with it at this moment: this client's history gets a branch.
            Err(problem) if exact && attempt < ATTEMPTS && has_moved_on(&problem) => attempt += 1,
            begun => return begun,
        }
    }
}

/// Refuses what cannot be answered.
fn check(request: &ClientRequest) -> Result<(), Problem> {
    let Some(Step::Person(_) | Step::Results(_)) = request.steps.last() else {
        let detail = "The last message must be the user's: there is nothing to answer.";
        return Err(Problem { field: Some("messages".to_owned()), ..Problem::bad("no_question", detail) });
    };
    if let Some(Step::Person(said)) = request.steps.last()
        && said.iter().all(|text| text.trim().is_empty())
    {
        return Err(Problem::invalid("messages", "The last message is empty; say something."));
    }
    for step in &request.steps {
        if let Step::Person(said) = step {
            check_message(&said_by_person(said)).map_err(|error| {
                Problem::new(StatusCode::PAYLOAD_TOO_LARGE, MessageTooLarge::NAME, error.to_string())
            })?;
        }
    }
    Ok(())
}

/// Begins a turn at its place.
async fn begin(
    app: &App,
    mut place: Place,
    model: Option<String>,
    request: &ClientRequest,
    digests: &[String],
) -> Result<Answering, Problem> {
    let parts = app.parts(&place.session.agent, model.or(place.session.model.clone())).await?;
    let agent = app.agent_with(parts.clone(), &request.tools)?;
    let taken_over = bring_history(app, &mut place, request).await?;
    // Only an open turn waits for something, and only a plain yes or no may answer what stands below an answer.
    let decides = matches!(request.steps.last(), Some(Step::Person(said)) if question::may_decide(said));
    let records = if place.session.open_turn || decides {
        app.services.store.records(place.session.id, 0).await?
    } else {
        Vec::new()
    };
    let conversation = Conversation::fold("", &records);
    let (calls, own) = tools::apart(conversation.questions(), &parts);
    let input = match request.steps.last() {
        Some(Step::Results(brought)) => {
            // What the client itself brought the calls of is its own, whatever they are called.
            let waiting = if taken_over { conversation.questions() } else { calls.as_slice() };
            results(waiting, brought)?
        }
        Some(Step::Person(said)) => {
            let before = Before { app, place: &place, held: held(&place, request) };
            before.says(&conversation, said, (&calls, &own)).await?
        }
        Some(Step::Agent(_)) | None => Input::Resume,
    };
    let input = match place.position {
        Some(position) => Input::After { position, input: Box::new(input) },
        None => input,
    };
    let begun = events::begin(app, &agent, place.session.id, input).await?;
    let mark = digests.last().filter(|_| place.by_history);
    let mark = mark.map(|question| Mark { question: question.clone(), setting: request.setting() });
    Answering::follow(app, place.session, begun, mark).await
}

/// Results of the calls that wait. A call for which the client brings none is given up.
fn results(waiting: &[Question], brought: &[BroughtResult]) -> Result<Input, Problem> {
    let output = |call: &Question| {
        let mut brought = brought.iter();
        let found = brought.find(|one| one.call_id == call.call_id.as_str());
        (call.call_id.clone(), found.map(|one| one.output.clone()))
    };
    let results: Vec<(CallId, Option<String>)> = waiting.iter().map(output).collect();
    if results.iter().all(|(_, output)| output.is_none()) {
        let detail = "No call waits for these results here. Send the whole conversation, with the calls.";
        let field = Some("tool_call_id".to_owned());
        return Err(Problem { field, ..Problem::bad("no_such_call", detail) });
    }
    Ok(Input::Results(results))
}

/// The answer that the client's own history brings as the last one before what is said now, if it is that of the place. One
/// that is only named by its id was not brought.
fn held<'a>(place: &Place, request: &'a ClientRequest) -> Option<&'a AgentStep> {
    let (_, history) = request.steps.split_last()?;
    match history.last() {
        Some(Step::Agent(answer))
            if place.by_history && place.known == history.len() && request.named.is_empty() =>
        {
            Some(answer)
        }
        Some(Step::Agent(_) | Step::Person(_) | Step::Results(_)) | None => None,
    }
}

/// What stands before somebody when they say something.
struct Before<'a> {
    app: &'a App,
    place: &'a Place,
    /// The last answer, as the client's own history holds it.
    held: Option<&'a AgentStep>,
}

impl Before<'_> {
    /// What a person says: the answer to the question that stands last before them, or something else.
    async fn says(
        &self,
        conversation: &Conversation,
        said: &[String],
        (calls, own): (&[Question], &[Question]),
    ) -> Result<Input, Problem> {
        let message = said_by_person(said);
        let position = conversation.position();
        if let ([], [asked, ..], [text]) = (calls, own, said)
            && let Some(decision) = question::verdict(asked, text)
        {
            // A yes counts for the question that this very conversation has shown last, and for no other.
            if !self.has_read(asked, position).await? {
                return Ok(Input::AskAgain);
            }
            let by = self.app.services.person.name.clone();
            return Ok(Input::Decide { decisions: vec![asked.decide(decision)], by });
        }
        if let Some(asked) = conversation.closing_question() {
            // Of several that stand at the same, each asks the same about documents of its own.
            let alike = self.place.alike && self.held.is_some_and(|answer| question::is_in(answer, asked));
            let shown = alike || self.has_read(asked, position).await?;
            return Ok(Input::reply(message, Some(asked).filter(|_| shown)));
        }
        // Whatever else is asked there is given up by going on without it.
        let waits = !calls.is_empty() || !own.is_empty();
        Ok(if waits { Input::Instead(message) } else { Input::Say(message) })
    }

    /// Whether the client has the question as the last thing of this conversation: its history holds it, or it was written to
    /// a line that was still open.
    async fn has_read(&self, asked: &Question, position: u64) -> Result<bool, Problem> {
        if !self.place.continued {
            return Ok(false);
        }
        if self.held.is_some_and(|answer| question::is_in(answer, asked)) {
            return Ok(true);
        }
        Ok(question::was_shown(self.app, self.place.session.id, position, asked).await?)
    }
}

/// Writes what the client says was said into its session, as far as that does not hold it: a person's words as theirs, an
/// answer's as an answer's, calls and results of the client's tools as such. It proves nothing more than that. Tells
/// whether the calls that wait now are of what the client brought.
async fn bring_history(app: &App, place: &mut Place, request: &ClientRequest) -> Result<bool, Problem> {
    let Some((last, history)) = request.steps.split_last() else { return Ok(false) };
    let past: Vec<PastStep> = history.iter().skip(place.known).filter_map(Step::past).collect();
    if past.is_empty() {
        return Ok(false);
    }
    let (store, now) = (&app.services.store, app.services.clock.now());
    let begun = store.begin(place.session.id, LEASE).await?;
    if place.position.is_some_and(|position| position != begun.session.last_position) {
        store.release(&begun.lease).await?;
        return Err(Problem::new(StatusCode::CONFLICT, tata_core::MOVED_ON, "The conversation has gone on."));
    }
    let taken = take_over(Conversation::fold("", &begun.records), &past, now);
    let records = match last {
        Step::Results(brought) => {
            let ids: Vec<CallId> = brought.iter().map(|one| CallId::from(one.call_id.as_str())).collect();
            taken.waiting(&ids)
        }
        Step::Person(_) | Step::Agent(_) => taken.closed(),
    };
    if let Some(last) = records.last() {
        place.session.last_position = last.position;
        place.position = Some(last.position);
        place.session.open_turn = true;
    }
    store.append(&begun.lease, Batch { records, release: true, ..Batch::default() }).await?;
    Ok(matches!(past.last(), Some(PastStep::Answered(_))))
}
