//! A turn that answers a client: what is spoken in it, and the marks by which its history is recognised later.

use axum::http::StatusCode;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{
    ChatMark, CheckedSentence, Citation, Event, Question, Session, SessionId, StoreError, TurnEnd,
    TurnOutcome, TurnReport,
};
use tokio::sync::mpsc;

use super::{alike, history::AgentStep, markup::may_hide_what_follows, place::AnswerId, question, tools};
use crate::{Problem, events::Begun, state::App};

/// What stands for the answer of a turn that gave none.
const NO_ANSWER: &str = "none";

/// What is told of a turn.
pub(super) enum AnswerEvent {
    /// A piece of the answer.
    Text(String),
    /// The answer is whole.
    Done(Box<Answer>),
    /// There is none.
    Failed(Problem),
}

/// A whole answer.
pub(super) struct Answer {
    pub(super) text: String,
    /// The calls that the client must make.
    pub(super) calls: Vec<Question>,
    /// The question with which it ends.
    pub(super) asked: Option<Asked>,
    pub(super) report: Box<TurnReport>,
}

/// A question on its way to its reader. Until they have it, nothing they say answers it.
#[derive(Clone)]
pub(super) struct Asked {
    app: App,
    session: SessionId,
    position: u64,
    question: Question,
}

impl Asked {
    /// Notes that it was written to a line that is still open. Called where a line writes; it is not called any more when
    /// the other side has hung up.
    pub(super) async fn note_written(self) {
        // Once more around: the line has taken what was given to it, and has looked whether anybody is there.
        tokio::task::yield_now().await;
        let Self { app, session, position, question } = self;
        if let Err(error) = question::note_shown(&app, session, position, &question).await {
            tracing::warn!(%error, "that a question was shown could not be noted; it will be asked again");
        }
    }
}

/// A turn that answers a client.
pub(super) struct Answering {
    pub(super) session: Session,
    /// Its id, different from that of every other answer.
    pub(super) id: AnswerId,
    told: mpsc::UnboundedReceiver<AnswerEvent>,
}

/// By what an answer is recognised in a client's history.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) question: String,
    pub(super) setting: String,
}

impl Answering {
    /// Follows a turn to its end, whether or not the client still listens: it may come back with what it heard.
    pub(super) async fn follow(
        app: &App,
        session: Session,
        begun: Begun,
        mark: Option<Mark>,
    ) -> Result<Self, Problem> {
        let id =
            AnswerId { session: session.id, turn: begun.started.turn, after: Some(session.last_position) };
        // Before anything is told: whoever comes back with the same words must be known to be one of several.
        if let Some(mark) = &mark {
            keep(app, &session, mark, None, 0).await?;
        }
        let (tell, told) = mpsc::unbounded_channel();
        let work = Work { app: app.clone(), session: session.clone(), id, mark, tell };
        tokio::spawn(work.run(begun));
        Ok(Self { session, id, told })
    }

    /// What comes next; nothing after the end.
    pub(super) async fn next(&mut self) -> Option<AnswerEvent> {
        self.told.recv().await
    }

    /// Waits for the whole answer.
    pub(super) async fn whole(mut self) -> Result<Answer, Problem> {
        while let Some(told) = self.next().await {
            match told {
                AnswerEvent::Text(_) => {}
                AnswerEvent::Done(answer) => return Ok(*answer),
                AnswerEvent::Failed(problem) => return Err(problem),
            }
        }
        Err(unfinished())
    }
}

impl Answer {
    /// The numbers in the text that stand for a source, as annotations: where each stands, and what it leads to.
    pub(super) fn citations(&self) -> Vec<CitedPlace<'_>> {
        let known = self.report.checked.as_ref().map_or(&[][..], |checked| &checked.citations);
        let mut places = Vec::new();
        let (mut rest, mut at) = (self.text.as_str(), 0);
        while let Some((before, after)) = rest.split_once('[') {
            at += before.chars().count();
            let number = after.split_once(']').and_then(|(number, _)| number.parse().ok());
            let cited = known.iter().find(|citation| Some(citation.number) == number);
            if let Some(citation) = cited {
                // Brackets and digits are one character each.
                let end = at + 2 + citation.number.to_string().len();
                places.push(CitedPlace { start: at, end, citation });
            }
            at += 1;
            rest = after;
        }
        places
    }

    /// The sentences that were held against what they cite, with their places in the text: for programs that read more
    /// than their vendor's fields.
    pub(super) fn sentences(&self) -> Vec<CheckedSentence> {
        let Some(checked) = &self.report.checked else { return Vec::new() };
        // What was said before a step stands before the answer that was checked.
        let before = self.text.rfind(&checked.text).and_then(|at| self.text.get(..at));
        let shift = before.map_or(0, |before| before.chars().count());
        let mut sentences = checked.sentences.clone();
        for sentence in &mut sentences {
            sentence.start += shift;
            sentence.end += shift;
        }
        sentences
    }
}

/// A number in an answer.
pub(super) struct CitedPlace<'a> {
    pub(super) start: usize,
    pub(super) end: usize,
    citation: &'a Citation,
}

impl CitedPlace<'_> {
    /// The fields that both APIs have.
    pub(super) fn fields(&self) -> Value {
        let Citation { url, title, .. } = self.citation;
        json!({ "start_index": self.start, "end_index": self.end, "url": url, "title": title })
    }
}

pub(super) fn unfinished() -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "The turn ended without a report.")
}

/// The task that follows a turn.
struct Work {
    app: App,
    session: Session,
    id: AnswerId,
    mark: Option<Mark>,
    tell: mpsc::UnboundedSender<AnswerEvent>,
}

impl Work {
    async fn run(self, begun: Begun) {
        let (mut speech, mut report) = (Speech::default(), None);
        let mut events = Box::pin(begun.own_events());
        while let Some(told) = events.next().await {
            if let Some(piece) = speech.hear(&told.event) {
                self.say(AnswerEvent::Text(piece));
            }
            if let Event::Finished(finished) = told.event {
                report = Some(finished);
            }
        }
        let told = match report {
            Some(report) => self.conclude(speech, report).await.unwrap_or_else(AnswerEvent::Failed),
            None => AnswerEvent::Failed(unfinished()),
        };
        self.say(told);
    }

    /// That nobody listens any more is no error.
    fn say(&self, told: AnswerEvent) {
        let _gone = self.tell.send(told);
    }

    async fn conclude(&self, mut speech: Speech, report: Box<TurnReport>) -> Result<AnswerEvent, Problem> {
        if let Some(problem) = failure(&report) {
            if let Some(mark) = &self.mark {
                keep(&self.app, &self.session, mark, Some(NO_ANSWER.to_owned()), 0).await?;
            }
            return Ok(AnswerEvent::Failed(problem));
        }
        let (app, session) = (&self.app, &self.session);
        let (mut calls, mut own) = (Vec::new(), Vec::new());
        if matches!(report.outcome, TurnOutcome::Waiting) {
            let parts = app.parts(&session.agent, session.model.clone()).await?;
            (calls, own) = tools::waiting(app, session.id, &parts).await?;
        }
        let records = app.services.store.records(session.id, session.last_position).await?;
        let end = self.id.end(&records);
        // What waits for a person, or what the program asks below the answer: it stands last.
        let asked = own.first().or(report.asks.as_deref());
        let mut on_its_way = None;
        if let Some(asked) = asked.filter(|_| calls.is_empty()) {
            // A yes to a question that the client may not have shown decides nothing: it is asked again.
            let is_visible = !may_hide_what_follows(&speech.text);
            self.say(AnswerEvent::Text(speech.ask(asked)));
            on_its_way = end.filter(|_| is_visible).map(|position| Asked {
                app: app.clone(),
                session: session.id,
                position,
                question: asked.clone(),
            });
        }
        if let (Some(mark), Some(end)) = (&self.mark, end) {
            let answer = AgentStep::given(&speech.text, &calls).digest();
            let state = alike::state(app, session.id, end).await?;
            let setting = alike::with_state(app, mark, &answer, state).await?;
            keep(app, session, &Mark { setting, ..mark.clone() }, Some(answer), end).await?;
        }
        Ok(AnswerEvent::Done(Box::new(Answer { text: speech.text, calls, asked: on_its_way, report })))
    }
}

async fn keep(
    app: &App,
    session: &Session,
    mark: &Mark,
    answer: Option<String>,
    position: u64,
) -> Result<(), StoreError> {
    let Mark { question, setting } = mark.clone();
    let at = app.services.clock.now();
    let mark = ChatMark { question, session: Some(session.id), answer, setting, position, at };
    app.services.store.keep_chat_mark(mark).await
}

/// What is spoken in a turn: the text of all its answers, those before a step apart from those after it.
#[derive(Default)]
struct Speech {
    text: String,
    another: bool,
}

impl Speech {
    /// The next piece, if the event has one.
    fn hear(&mut self, event: &Event) -> Option<String> {
        let Event::TextDelta { text } = event else {
            self.another |= matches!(event, Event::ToolStarted(_) | Event::ToolFinished(_));
            return None;
        };
        let gap = if self.another { self.gap() } else { "" };
        self.another = false;
        let piece = format!("{gap}{text}");
        self.text.push_str(&piece);
        Some(piece)
    }

    /// What is said at the end when a person must decide.
    fn ask(&mut self, asked: &Question) -> String {
        let piece = format!("{}{}", self.gap(), question::words(asked));
        self.text.push_str(&piece);
        piece
    }

    fn gap(&self) -> &'static str {
        if self.text.is_empty() { "" } else { "\n\n" }
    }
}

/// Why a turn brought no answer, as a problem; none if it brought one.
fn failure(report: &TurnReport) -> Option<Problem> {
    if let Some(problem) = Problem::of_broken(report) {
        return Some(problem);
    }
    let TurnOutcome::Ended { end: TurnEnd::Failed { error, message } } = &report.outcome else { return None };
    let (status, code) = match error.as_str() {
        "rate_limited" | "quota_exhausted" => (StatusCode::TOO_MANY_REQUESTS, "model_rate_limited"),
        "context_too_long" => (StatusCode::BAD_REQUEST, "context_length_exceeded"),
        "not_configured" => (StatusCode::SERVICE_UNAVAILABLE, "model_not_configured"),
        _ => (StatusCode::BAD_GATEWAY, "model_failed"),
    };
    Some(Problem::new(status, code, message.clone()))
}
