//! The conversation: a fold over the journal. What it is now follows from what was written, and from nothing else.

use std::{collections::HashSet, sync::Arc};

use jiff::Timestamp;

use crate::{
    About, ArtifactIndex, ArtifactName, Block, CallId, CheckedAnswer, Citation, Cost, Decision, Effect,
    Entry, Limit, Materials, Message, Name, Question, Record, ReplyOutcome, Role, StopReason, ToolCall,
    ToolResult, ToolStatus, TurnEnd, fingerprint,
};

/// The calls of one answer that run. A model that asks for more has lost its way: the rest is answered, but not run.
pub const MOST_CALLS: usize = 64;

/// A conversation as its journal tells it.
#[doc(alias = "ConversationManager")]
#[derive(Clone, Debug)]
pub struct Conversation {
    messages: Vec<Message>,
    /// The turns that still count.
    starts: Vec<Start>,
    last_turn: u32,
    position: u64,
    /// When its first entry was written; none before there is one.
    began: Option<Timestamp>,
    open: Option<OpenTurn>,
    last_end: Option<TurnEnd>,
    /// The last answer held against its sources.
    checked: Option<Box<CheckedAnswer>>,
    artifacts: ArtifactIndex,
    materials: Materials,
    /// What the searches of the last turn brought.
    found: SearchTally,
    /// What a model was told of the moment and of the project, by turn.
    states: Vec<(u32, Arc<str>)>,
    /// Every passage that was found in this session, once, by its number.
    citations: Arc<Vec<Citation>>,
    /// Calls that changed the world, or did not: their outcome was never learned.
    uncertain: HashSet<u64>,
}

/// A turn that still counts: where it begins, and whose words stand in it.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) turn: u32,
    /// Where it begins among the messages.
    message: usize,
    /// Somebody else than the program or a person answered in it: what it asked, nobody here wrote.
    pub(crate) foreign: bool,
    /// What the program asked at its end.
    asks: Option<Box<Question>>,
    /// The seal of what the program had asked, if it stood last on the person's screen.
    answers: Option<String>,
}

/// A turn that is not finished.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenTurn {
    pub(crate) turn: u32,
    /// Answers that asked for tools.
    pub(crate) rounds: u32,
    /// Rounds in a row in which no call could be understood.
    pub(crate) repairs: u32,
    pub(crate) tokens: u64,
    pub(crate) cost: Cost,
    /// The limit for which the last answer was asked.
    pub(crate) limit: Option<Limit>,
    /// How the last answer ended.
    pub(crate) last: Option<(ReplyOutcome, Option<StopReason>)>,
    /// The last answer had no words.
    pub(crate) is_mute: bool,
    /// The last answer is a call that a person made by hand.
    pub(crate) by_person: bool,
    /// The words of the last answer are the program's own.
    pub(crate) by_program: bool,
    /// The tools whose calls were rejected in this turn, one entry for each time.
    pub(crate) rejected: Vec<Name>,
    /// The documents about which a person decided in this turn so that they are settled.
    settling: Vec<ArtifactName>,
    /// The calls of the last answer, in its order, with what is known of each.
    pub(crate) steps: Vec<Step>,
    /// All steps before this one are finished.
    first_open: usize,
    /// How often the same call brought the same result. A turn has few calls: a list is enough.
    repeats: Vec<(u64, u32)>,
    pub(crate) most_repeated: u32,
    /// What a person was asked and has not answered.
    pub(crate) questions: Vec<Question>,
}

/// What the searches of a turn brought.
#[derive(Clone, Debug, Default)]
pub(crate) struct SearchTally {
    pub(crate) searches: u32,
    pub(crate) sources: Vec<String>,
}

/// One call and how far it has come.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Shared: whoever runs it keeps it beside the conversation.
    pub(crate) call: Arc<ToolCall>,
    pub(crate) started: Option<Effect>,
    pub(crate) decision: Option<Decision>,
    pub(crate) finished: Option<(ToolResult, ToolStatus)>,
}

impl Conversation {
    /// A conversation in which nothing was said yet. An empty prompt is none.
    pub fn new(system_prompt: &str) -> Self {
        Self::after(prompt(system_prompt), &[])
    }

    /// The conversation that a journal tells after a prompt, which all sessions of an agent share.
    pub(crate) fn after(prompt: Option<Message>, records: &[Record]) -> Self {
        // Room for a question, a call, its result and the answer.
        let mut messages = Vec::with_capacity(records.len() + 5);
        messages.extend(prompt);
        let mut conversation = Self {
            messages,
            starts: Vec::new(),
            last_turn: 0,
            position: 0,
            began: None,
            open: None,
            last_end: None,
            checked: None,
            artifacts: ArtifactIndex::default(),
            materials: Materials::default(),
            found: SearchTally::default(),
            states: Vec::new(),
            citations: Arc::default(),
            uncertain: HashSet::new(),
        };
        for record in records {
            conversation.apply(record);
        }
        conversation
    }

    /// The conversation that a journal tells.
    pub fn fold<'a>(system_prompt: &str, records: impl IntoIterator<Item = &'a Record>) -> Self {
        let mut conversation = Self::new(system_prompt);
        records.into_iter().for_each(|record| conversation.apply(record));
        conversation
    }

    /// The messages in order, the system prompt first. Results of calls that still run are not among them.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// The last text an assistant said.
    pub fn last_answer(&self) -> Option<String> {
        let said = self.messages.iter().rev().filter(|message| message.role == Role::Assistant);
        said.map(Message::joined_text).find(|text| !text.trim().is_empty())
    }

    /// The number of the last turn; 0 before the first.
    pub fn last_turn(&self) -> u32 {
        self.last_turn
    }

    /// How the last turn ended; none while one is open.
    pub fn last_end(&self) -> Option<&TurnEnd> {
        self.last_end.as_ref().filter(|_| self.open.is_none())
    }

    /// The last answer held against its sources; none while a turn is open, or where nothing was checked.
    pub fn last_checked(&self) -> Option<&CheckedAnswer> {
        self.checked.as_deref()
    }

    /// What the person said last.
    pub(crate) fn last_question_asked(&self) -> Option<&Message> {
        self.messages.iter().rev().find(|message| message.role == Role::User)
    }

    /// The turn that is not finished.
    pub fn open_turn(&self) -> Option<u32> {
        self.open.as_ref().map(|open| open.turn)
    }

    /// What a person must decide before the open turn can go on.
    pub fn questions(&self) -> &[Question] {
        self.open.as_ref().map_or(&[], |open| &open.questions)
    }

    /// The documents of the session.
    pub fn artifacts(&self) -> &ArtifactIndex {
        &self.artifacts
    }

    /// What people brought.
    pub fn materials(&self) -> &Materials {
        &self.materials
    }

    /// The turns that still count and begin at this message or after it, in order: one for each message of a person.
    pub(crate) fn turns_from(&self, message: usize) -> impl Iterator<Item = u32> {
        let from = self.starts.partition_point(|start| start.message < message);
        self.starts.iter().skip(from).map(|start| start.turn)
    }

    /// The last turn before this one that still counts.
    pub(crate) fn turn_before(&self) -> Option<&Start> {
        self.starts.iter().rev().nth(1)
    }

    /// The last turn that still counts.
    pub(crate) fn current_turn(&self) -> Option<&Start> {
        self.starts.last()
    }

    /// What the program asked at the end of the last turn: it stands last on the screen, and a plain yes in the next
    /// message decides it. None while a turn is open.
    pub fn closing_question(&self) -> Option<&Question> {
        self.starts.last().filter(|_| self.open.is_none())?.asks.as_deref()
    }

    /// The question that stands last on the screen: the one that an open turn waits for, or the one below the last
    /// answer. None where several are open: one answer cannot be for all of them.
    pub fn last_question(&self) -> Option<&Question> {
        match self.questions() {
            [] => self.closing_question(),
            [question] => Some(question),
            [_, ..] => None,
        }
    }

    /// The question of the program that the message of this turn answers: it was asked at the end of the turn before, and
    /// whoever wrote the message had it before them.
    pub(crate) fn answered_question(&self) -> Option<&Question> {
        let asked = self.turn_before()?.asks.as_deref()?;
        let seal = self.current_turn()?.answers.as_ref()?;
        (asked.seal == *seal).then_some(asked)
    }

    /// The seal of a call in this conversation.
    pub(crate) fn seal(&self, call: &ToolCall, about: Option<&About>) -> String {
        fingerprint::seal(self.began, call, about)
    }

    /// The position of the last entry.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// Whether a model was told of the moment and of the project.
    pub(crate) fn has_states(&self) -> bool {
        !self.states.is_empty()
    }

    /// What a model was told before the words of a turn.
    pub(crate) fn state_of(&self, turn: u32) -> Option<&str> {
        let at = self.states.binary_search_by_key(&turn, |(known, _)| *known).ok()?;
        self.states.get(at).map(|(_, state)| &**state)
    }

    /// Every passage that was found in this session, by its number.
    pub fn citations(&self) -> &Arc<Vec<Citation>> {
        &self.citations
    }

    /// Numbers passages: one that was found before keeps its number.
    pub(crate) fn number(&self, sources: &mut [Citation]) {
        let mut next = self.citations.len();
        for at in 0..sources.len() {
            let (before, rest) = sources.split_at_mut(at);
            let Some(source) = rest.first_mut() else { return };
            let known = self.citations.iter().chain(before.iter()).find(|known| known.is_same(source));
            source.number = if let Some(known) = known {
                known.number
            } else {
                next += 1;
                u32::try_from(next).unwrap_or(u32::MAX)
            };
        }
    }

    pub(crate) fn found(&self) -> &SearchTally {
        &self.found
    }

    pub(crate) fn open(&self) -> Option<&OpenTurn> {
        self.open.as_ref()
    }

    /// Whether a call like this one was made whose effect on the world was never learned.
    pub(crate) fn is_uncertain(&self, call: &ToolCall) -> bool {
        self.uncertain.contains(&fingerprint::of_call(call))
    }

    /// The turn that could be taken back: the last one that still counts, if it is finished.
    pub fn undoable(&self) -> Option<u32> {
        self.starts.last().map(|start| start.turn).filter(|_| self.open.is_none())
    }

    /// Goes one entry further.
    pub fn apply(&mut self, record: &Record) {
        self.position = record.position;
        self.began.get_or_insert(record.at);
        match &record.entry {
            Entry::UserMessage { turn, message, state, answers } => {
                self.states.extend(state.as_deref().map(|state| (*turn, state.into())));
                self.starts.push(Start {
                    turn: *turn,
                    message: self.messages.len(),
                    foreign: false,
                    asks: None,
                    answers: answers.clone(),
                });
                self.last_turn = *turn;
                self.found = SearchTally::default();
                self.checked = None;
                self.materials.add(*turn, record.at, message);
                self.messages.push(message.clone());
                self.open = Some(OpenTurn { turn: *turn, ..OpenTurn::default() });
            }
            Entry::ModelReply {
                message, outcome, stop, limit, tokens, cost, by_person, by_program, ..
            } => {
                self.reply(message, *outcome, *stop);
                if let Some(start) = self.starts.last_mut() {
                    start.foreign |= !by_person && !by_program;
                }
                if let Some(open) = &mut self.open {
                    (open.by_person, open.by_program) = (*by_person, *by_program);
                    open.limit = *limit;
                    open.tokens = open.tokens.saturating_add(*tokens);
                    open.cost += cost.unwrap_or_default();
                }
            }
            Entry::ToolStarted { call_id, effect, .. } => {
                if let Some(step) = self.step(call_id) {
                    step.started = Some(*effect);
                    // A person's yes is good for one run.
                    step.decision = None;
                }
            }
            Entry::ToolFinished { result, status, sources, .. } => {
                self.finish_call(result, *status, sources.as_deref());
            }
            Entry::ArtifactStored { name, version, turn } => {
                let settled = self.open.as_ref().is_some_and(|open| open.settling.contains(name));
                self.artifacts.note(name, *version, *turn, settled);
            }
            Entry::MadeStale { kinds, .. } => self.artifacts.note_stale(kinds),
            Entry::Waiting { questions, .. } => {
                if let Some(open) = &mut self.open {
                    open.questions.clone_from(questions);
                }
            }
            Entry::Decided { call_id, seal, decision, about, .. } => {
                self.decide(call_id, seal, about.as_ref(), *decision);
                if let (Some(open), Some(About { document, settles: true, .. }), Decision::Run) =
                    (&mut self.open, about, decision)
                {
                    open.settling.push(document.clone());
                }
            }
            Entry::TurnFinished { end, asks, checked, .. } => {
                if let Some(start) = self.starts.last_mut() {
                    start.asks.clone_from(asks);
                }
                self.checked.clone_from(checked);
                self.open = None;
                self.last_end = Some(end.clone());
            }
            Entry::TurnUndone { turn } => {
                if let Some(at) = self.starts.iter().position(|start| start.turn == *turn) {
                    let start = self.starts.get(at).map_or(self.messages.len(), |start| start.message);
                    self.messages.truncate(start);
                    self.starts.truncate(at);
                    self.materials.undo(*turn);
                }
                self.checked = None;
                self.open = None;
            }
        }
    }

    fn reply(&mut self, message: &Message, outcome: ReplyOutcome, stop: Option<StopReason>) {
        let kept = match outcome {
            ReplyOutcome::Complete | ReplyOutcome::Incomplete | ReplyOutcome::Paused => message.clone(),
            // Of a broken answer only what was said is kept: its calls never ran, its reasoning has no end.
            ReplyOutcome::Cancelled | ReplyOutcome::Failed => Message {
                blocks: message
                    .blocks
                    .iter()
                    .filter(|block| matches!(block, Block::Text(_)))
                    .cloned()
                    .collect(),
                ..message.clone()
            },
        };
        let Some(open) = &mut self.open else { return };
        open.last = Some((outcome, stop));
        open.is_mute = kept.spoken_parts().all(|part| part.trim().is_empty());
        open.first_open = 0;
        open.steps = kept
            .tool_calls()
            .map(|call| Step { call: Arc::new(call.clone()), started: None, decision: None, finished: None })
            .collect();
        open.rounds += u32::from(!open.steps.is_empty() || outcome == ReplyOutcome::Paused);
        if !kept.blocks.is_empty() {
            self.messages.push(kept);
        }
    }

    fn step(&mut self, call_id: &CallId) -> Option<&mut Step> {
        self.open.as_mut()?.step(call_id)
    }

    fn decide(&mut self, call_id: &CallId, seal: &str, about: Option<&About>, decision: Decision) {
        let began = self.began;
        if let Some(step) = self.step(call_id)
            && [
                fingerprint::seal(began, &step.call, about),
                fingerprint::seal_without_conversation(&step.call, about),
            ]
            .iter()
            .any(|own| own == seal)
        {
            step.decision = Some(decision);
            if decision == Decision::Run {
                step.started = None;
            }
        }
        if let Some(open) = &mut self.open {
            open.questions.retain(|question| question.call_id != *call_id);
        }
    }

    /// A call has its result. When it was the last of its answer, the results join the conversation in call order.
    fn finish_call(&mut self, result: &ToolResult, status: ToolStatus, sources: Option<&[Citation]>) {
        let Some(step) = self.step(&result.call_id) else { return };
        let outward = step.started == Some(Effect::Outward);
        let asked = fingerprint::of_call(&step.call);
        let done = fingerprint::of_step(asked, result);
        if outward && status.leaves_doubt() {
            self.uncertain.insert(asked);
        } else if status.is_success() {
            self.uncertain.remove(&asked);
        }
        let Some(open) = &mut self.open else { return };
        // What did not run at all is counted elsewhere, and may be much.
        if status != ToolStatus::NotRun {
            if open.repeats.iter().all(|(known, _)| *known != done) {
                open.repeats.push((done, 0));
            }
            for (_, times) in open.repeats.iter_mut().filter(|(known, _)| *known == done) {
                *times += 1;
                open.most_repeated = open.most_repeated.max(*times);
            }
        }
        if status == ToolStatus::Rejected {
            open.rejected.push(result.name.clone());
        }
        if let Some(step) = open.step(&result.call_id) {
            step.finished = Some((result.clone(), status));
        }
        // A result that somebody brought answers the question as well.
        open.questions.retain(|question| question.call_id != result.call_id);
        while open.steps.get(open.first_open).is_some_and(|step| step.finished.is_some()) {
            open.first_open += 1;
        }
        if let Some(sources) = sources {
            self.found.searches += 1;
            for source in sources {
                if !self.found.sources.contains(&source.url) {
                    self.found.sources.push(source.url.clone());
                }
                if source.number as usize == self.citations.len() + 1 {
                    Arc::make_mut(&mut self.citations).push(source.clone());
                }
            }
        }
        if open.first_open < open.steps.len() {
            return;
        }
        let not_understood = |status: ToolStatus| {
            matches!(status, ToolStatus::InvalidArguments | ToolStatus::UnknownTool | ToolStatus::NotRun)
        };
        let lost =
            open.steps.iter().all(|step| step.finished.as_ref().is_some_and(|(_, s)| not_understood(*s)));
        open.repairs = if lost { open.repairs + 1 } else { 0 };
        // The model goes on after its results, unless the provider itself had ended the answer.
        if open.calls_may_run() || open.was_capped() {
            open.last = None;
        }
        let results = open.steps.drain(..).filter_map(|step| step.finished).map(|(result, _)| result);
        self.messages.push(Message::tool_results(results));
    }
}

impl OpenTurn {
    /// How often this call has already brought this result in this turn.
    pub(crate) fn repeats(&self, call: &ToolCall, result: &ToolResult) -> u32 {
        // Nothing was had so often as to matter: the fingerprint need not be taken.
        if self.repeats.is_empty() {
            return 0;
        }
        let done = fingerprint::of_step(fingerprint::of_call(call), result);
        self.repeats.iter().find(|(known, _)| *known == done).map_or(0, |(_, times)| *times)
    }

    /// Whether the last answer arrived whole and stopped for its tools.
    pub(crate) fn calls_may_run(&self) -> bool {
        matches!(
            self.last,
            Some((ReplyOutcome::Complete, None | Some(StopReason::ToolUse | StopReason::EndTurn)))
        )
    }

    /// Whether the last answer reached its output limit.
    fn was_capped(&self) -> bool {
        matches!(self.last, Some((ReplyOutcome::Incomplete, Some(StopReason::MaxTokens))))
    }

    /// The calls that still need a result.
    pub(crate) fn unfinished(&self) -> impl Iterator<Item = &Step> {
        self.steps.iter().skip(self.first_open).filter(|step| step.finished.is_none())
    }

    /// The same among those that one answer may have run.
    pub(crate) fn may_run(&self) -> impl Iterator<Item = &Step> {
        let most = MOST_CALLS.saturating_sub(self.first_open);
        self.steps.iter().skip(self.first_open).take(most).filter(|step| step.finished.is_none())
    }

    /// The place of a call in its answer. Calls are mostly answered in their order: the look begins where that stands.
    pub(crate) fn place(&self, call: &CallId) -> Option<usize> {
        let found = self.steps.iter().skip(self.first_open).position(|step| step.is_open(call));
        found.map(|at| at + self.first_open)
    }

    fn step(&mut self, call_id: &CallId) -> Option<&mut Step> {
        let at = self.place(call_id)?;
        self.steps.get_mut(at)
    }
}

impl Step {
    fn is_open(&self, call_id: &CallId) -> bool {
        self.call.call_id == *call_id && self.finished.is_none()
    }
}

/// The message of a system prompt. An empty prompt is none.
pub(crate) fn prompt(text: &str) -> Option<Message> {
    (!text.is_empty()).then(|| Message::system(text))
}
