//! What a turn came to, as its journal tells it: the same on every machine, and long after.

use std::{collections::HashMap, sync::Arc, time::Duration};

use crate::{
    CallId, CallReport, CheckedAnswer, Entry, Record, ReplyOutcome, ResultPart, SessionId, ToolCall,
    ToolResult, ToolStatus, TurnOutcome, TurnReport, UsageRow, UsageTotal,
};

impl TurnReport {
    /// The report of a turn from its session's entries and usage; none if the turn is not among them. Requests that were
    /// repeated before anything arrived are not in the journal, so `attempts` counts the requests that were recorded.
    pub fn from_journal<'a>(
        session_id: SessionId,
        turn: u32,
        records: impl IntoIterator<Item = &'a Record>,
        usage: &[Arc<UsageRow>],
    ) -> Option<Self> {
        let mut told = None;
        let mut calls: HashMap<CallId, Arc<ToolCall>> = HashMap::new();
        for record in records.into_iter().filter(|record| record.entry.turn() == turn) {
            if let Entry::UserMessage { .. } = record.entry {
                told = Some(Self::begun(session_id, turn));
            }
            if let Some(report) = &mut told {
                report.read(&record.entry, &mut calls);
            }
        }
        let mut report = told?;
        report.requests = usage.iter().filter(|row| row.turn == turn).cloned().collect();
        let total: UsageTotal = report.requests.iter().collect();
        if total.requests > total.uncounted {
            report.tokens_used = Some(total.total_tokens);
            (report.input_tokens, report.output_tokens) =
                (Some(total.input_tokens), Some(total.output_tokens));
        }
        report.attempts = u32::try_from(total.requests).unwrap_or(u32::MAX);
        report.cost = total.known_cost().filter(|_| total.requests > 0);
        Some(report)
    }

    fn begun(session_id: SessionId, turn_number: u32) -> Self {
        Self {
            content: String::new(),
            session_id,
            turn_number,
            accepted: true,
            model: None,
            outcome: TurnOutcome::Broken { error: Self::UNFINISHED },
            stop_reason: None,
            retrieval_performed: false,
            retrieved_sources: Vec::new(),
            checked: None,
            tokens_used: None,
            input_tokens: None,
            output_tokens: None,
            attempts: 0,
            cost: None,
            execution_time_seconds: 0.0,
            error: None,
            asks: None,
            calls: Vec::new(),
            requests: Vec::new(),
            failure: None,
        }
    }

    fn read(&mut self, entry: &Entry, calls: &mut HashMap<CallId, Arc<ToolCall>>) {
        match entry {
            Entry::ModelReply { model, message, outcome, stop, .. } => {
                let said = message.spoken();
                if !said.is_empty() || *outcome == ReplyOutcome::Complete {
                    self.content = said;
                }
                (self.model, self.stop_reason) = (Some(model.clone()), *stop);
                calls.extend(message.tool_calls().map(|call| (call.call_id.clone(), Arc::new(call.clone()))));
            }
            Entry::ToolFinished { result, status, millis, sources, .. } => {
                if let Some(found) = sources {
                    self.retrieval_performed = true;
                    for source in found {
                        if !self.retrieved_sources.contains(&source.url) {
                            self.retrieved_sources.push(source.url.clone());
                        }
                    }
                }
                if let Some(call) = calls.get(&result.call_id) {
                    self.calls.push(CallReport {
                        call: Arc::clone(call),
                        status: *status,
                        problem: problem(result, *status),
                        duration: Duration::from_millis(*millis),
                    });
                }
            }
            Entry::Waiting { .. } => self.outcome = TurnOutcome::Waiting,
            Entry::Decided { .. } => self.outcome = TurnOutcome::Broken { error: Self::UNFINISHED },
            Entry::TurnFinished { end, millis, asks, checked, .. } => {
                self.asks.clone_from(asks);
                self.take_verdict(checked.as_deref().cloned());
                self.error = end.for_user().map(str::to_owned);
                self.outcome = TurnOutcome::Ended { end: end.clone() };
                self.execution_time_seconds = Duration::from_millis(*millis).as_secs_f64();
            }
            Entry::UserMessage { .. }
            | Entry::ToolStarted { .. }
            | Entry::ArtifactStored { .. }
            | Entry::MadeStale { .. }
            | Entry::TurnUndone { .. } => {}
        }
        if matches!(self.outcome, TurnOutcome::Waiting) {
            self.error = Some("A person must decide before this can go on.".to_owned());
        }
    }

    /// Takes in what came of the check of the answer: numbers that stood for nothing are not in the text.
    pub(crate) fn take_verdict(&mut self, checked: Option<CheckedAnswer>) {
        if let Some(checked) = checked.as_ref().filter(|checked| !checked.removed.is_empty()) {
            self.content.clone_from(&checked.text);
        }
        self.checked = checked;
    }

    /// The stable name for a turn that runs, or was interrupted.
    pub const UNFINISHED: &'static str = "unfinished";
}

/// What the person should know of a call that went wrong, as far as its result tells it.
pub(super) fn problem(result: &ToolResult, status: ToolStatus) -> Option<String> {
    // What the model got wrong is the model's to mend, and not quoted.
    let for_the_model = [ToolStatus::InvalidArguments, ToolStatus::UnknownTool, ToolStatus::NotRun];
    if status.is_success() || for_the_model.contains(&status) {
        return None;
    }
    let text = result.content.iter().find_map(|part| match part {
        ResultPart::Text(text) => Some(text),
        ResultPart::Image(_) | ResultPart::Opaque(_) | ResultPart::Own(_) => None,
    })?;
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    let said = json.get("message").or_else(|| json.get("error")?.get("message"))?;
    said.as_str().map(str::to_owned)
}
