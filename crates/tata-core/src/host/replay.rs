//! From entries to events: what a listener is told of a journal.

use std::{collections::HashMap, sync::Arc, time::Duration};

use super::{EventId, Told, report::problem};
use crate::{
    CallId, Entry, Event, Name, Question, Record, SessionId, ToolCall, ToolEnd, ToolStart, TurnOutcome,
    TurnReport, UsageRow,
};

/// Reads entries in order and tells of those behind a place. Earlier ones are read too: a result does not repeat what
/// was asked.
pub(super) struct Replay {
    session: SessionId,
    /// Where the listener stands.
    pub(super) heard: EventId,
    calls: HashMap<CallId, (Name, String)>,
    /// The turn that is not finished.
    open: Option<u32>,
    /// What a person must decide before it can go on.
    questions: Vec<Question>,
}

impl Replay {
    pub(super) fn new(session: SessionId, heard: EventId) -> Self {
        Self { session, heard, calls: HashMap::new(), open: None, questions: Vec::new() }
    }

    /// The turn that is not finished, as far as it was read.
    pub(super) fn open(&self) -> Option<u32> {
        self.open
    }

    /// Whether that turn waits for a person.
    pub(super) fn waits(&self) -> bool {
        self.open.is_some() && !self.questions.is_empty()
    }

    /// Reads an entry. `report` makes the report of a turn that is finished.
    pub(super) fn read(
        &mut self,
        record: &Record,
        report: impl FnOnce(u32) -> Option<TurnReport>,
        told: &mut Vec<Told>,
    ) {
        self.note(&record.entry);
        if record.position <= self.heard.position {
            return;
        }
        if let Entry::ModelReply { message, model, .. } = &record.entry {
            self.text(&message.spoken(), model, told);
            self.heard = EventId::at(record.position);
            return;
        }
        // What was heard of an answer was never kept: it is asked for again.
        self.text("", &Name::default(), told);
        self.heard = EventId::at(record.position);
        let event = match &record.entry {
            Entry::UserMessage { turn, .. } => {
                Some(Event::TurnStarted { session_id: self.session, turn: *turn, resumed: false })
            }
            Entry::ToolStarted { call_id, tool, .. } => {
                let arguments = self.calls.get(call_id).map(|(_, arguments)| arguments.clone());
                let arguments = arguments.unwrap_or_default();
                let (call_id, tool) = (call_id.clone(), tool.clone());
                Some(Event::ToolStarted(Box::new(ToolStart { call_id, tool, arguments })))
            }
            Entry::ToolFinished { result, status, millis, .. } => {
                let (tool, arguments) = self.calls.get(&result.call_id).cloned().unwrap_or_default();
                Some(Event::ToolFinished(Box::new(ToolEnd {
                    call_id: result.call_id.clone(),
                    tool: if tool.is_empty() { result.name.clone() } else { tool },
                    arguments,
                    status: *status,
                    problem: problem(result, *status),
                    duration: Duration::from_millis(*millis),
                })))
            }
            Entry::ArtifactStored { name, version, .. } => {
                Some(Event::Artifact { name: name.clone(), version: *version })
            }
            Entry::Waiting { questions, .. } => Some(Event::Waiting { questions: questions.clone() }),
            Entry::TurnFinished { turn, .. } => report(*turn).map(|report| Event::Finished(Box::new(report))),
            Entry::ModelReply { .. }
            | Entry::MadeStale { .. }
            | Entry::Decided { .. }
            | Entry::TurnUndone { .. } => None,
        };
        told.extend(event.map(|event| Told { id: Some(self.heard), event }));
    }

    /// Tells what the listener has not heard of an answer, or all of it if they heard something else.
    pub(super) fn text(&mut self, text: &str, model: &Name, told: &mut Vec<Told>) {
        let unheard = self.heard.unheard(text).unwrap_or_else(|| {
            self.heard = EventId::at(self.heard.position);
            let reason = "What was shown of the answer no longer counts.".to_owned();
            told.push(Told { id: Some(self.heard), event: Event::Reset { model: model.clone(), reason } });
            text
        });
        if !unheard.is_empty() {
            self.heard = self.heard.after(unheard);
            told.push(Told { id: Some(self.heard), event: Event::TextDelta { text: unheard.into() } });
        }
    }

    /// The end of a turn that waits for a person: told again to everybody who comes.
    pub(super) fn waiting(&self, records: &[Record], usage: &[Arc<UsageRow>]) -> Option<Told> {
        let turn = self.open.filter(|_| self.waits())?;
        let mut report = TurnReport::from_journal(self.session, turn, records, usage)?;
        report.outcome = TurnOutcome::Waiting;
        Some(Told { id: None, event: Event::Finished(Box::new(report)) })
    }

    fn note(&mut self, entry: &Entry) {
        match entry {
            Entry::UserMessage { turn, .. } => {
                self.open = Some(*turn);
                self.questions.clear();
                self.calls.clear();
            }
            Entry::ModelReply { message, .. } => {
                let known =
                    |call: &ToolCall| (call.call_id.clone(), (call.name.clone(), call.arguments.clone()));
                self.calls.extend(message.tool_calls().map(known));
            }
            Entry::Waiting { questions, .. } => self.questions.clone_from(questions),
            Entry::Decided { call_id, .. } => self.questions.retain(|question| question.call_id != *call_id),
            Entry::TurnFinished { .. } | Entry::TurnUndone { .. } => self.open = None,
            Entry::ToolStarted { .. }
            | Entry::ToolFinished { .. }
            | Entry::ArtifactStored { .. }
            | Entry::MadeStale { .. } => {}
        }
    }
}
