//! Chunks of a Chat Completions stream to a reply. A pure state machine.
//!
//! A call's first piece brings its id, name and index, later ones only the index: on paper. The slot rules here
//! hold for servers that leave out, repeat or reuse any of the three; N calls in are N calls out.

use std::collections::VecDeque;

use tata_core::{
    Block, CallId, CallKind, ModelError, ModelErrorKind, ModelEvent, Origin, RawJson, Reasoning, Refusal,
    Reply, StopReason, Text, WireWarningCode,
};

use super::{
    lookup::Lookup,
    usage::usage,
    wire::{CallDelta, Choice, Chunk, Delta, FunctionDelta},
};
use crate::{
    transport::sse::Frame,
    wire::{
        Wire,
        assembly::{Assembly, Ending, plain_stop},
        draft::CallDraft,
        error_body,
        lenient::{Str, arguments, is_json_object},
    },
};

#[derive(Debug)]
pub(crate) struct Decoder {
    pub(crate) assembly: Assembly,
    pieces: Vec<Piece>,
    /// Where among them the parts are that there is one of.
    first: First,
    finish_reason: Option<String>,
    /// Something came in pieces: a whole message after it says the same again.
    in_pieces: bool,
    /// Where its calls are found again.
    lookup: Lookup,
    done: bool,
    failure: Option<ModelError>,
}

/// Parts of the message in order of first appearance.
#[derive(Debug)]
enum Piece {
    Reasoning(String),
    Text(String, Vec<RawJson>),
    Refusal(String),
    Call(Slot),
}

#[derive(Debug, Default)]
struct First {
    reasoning: Option<usize>,
    text: Option<usize>,
    refusal: Option<usize>,
    legacy: Option<usize>,
}

#[derive(Debug)]
struct Slot {
    index: Option<u64>,
    draft: CallDraft,
}

impl Decoder {
    pub(crate) fn new(origin: Origin, output_cap: Option<u64>) -> Self {
        Self {
            assembly: Assembly::new(Wire::Chat, origin, output_cap),
            pieces: Vec::new(),
            first: First::default(),
            finish_reason: None,
            in_pieces: false,
            lookup: Lookup::default(),
            done: false,
            failure: None,
        }
    }

    pub(crate) fn is_done(&self) -> bool {
        self.done || self.failure.is_some()
    }

    /// The provider said why it stopped: what follows (usage, the sentinel) is welcome but not needed.
    pub(crate) fn may_end(&self) -> bool {
        self.finish_reason.is_some()
    }

    pub(crate) fn frame(&mut self, frame: &Frame<'_>) {
        let data = frame.data.as_ref();
        if !data.starts_with('{') && data.trim() == "[DONE]" {
            self.done = true;
            return;
        }
        match serde_json::from_str::<Chunk<'_>>(data) {
            Ok(chunk) => self.chunk(chunk, data),
            Err(_) => self.assembly.malformed(data, frame.at_end),
        }
    }

    /// A body that arrived whole: one chunk with everything in it.
    pub(crate) fn whole(&mut self, body: &str) {
        match serde_json::from_str::<Chunk<'_>>(body) {
            Ok(chunk) => {
                let answered = !chunk.choices.0.is_empty() || chunk.error.is_some();
                self.chunk(chunk, body);
                self.done = answered;
            }
            Err(_) => self.assembly.malformed(body, false),
        }
    }

    fn chunk(&mut self, chunk: Chunk<'_>, data: &str) {
        if chunk.error.is_some() {
            let value = serde_json::from_str(data).unwrap_or_default();
            self.failure = Some(error_body::from_value(None, &value));
            let reason = chunk.choices.0.first().and_then(|choice| choice.finish_reason.owned());
            self.finish_reason = self.finish_reason.take().or(reason);
            return;
        }
        if chunk.choices.0.is_empty() && chunk.usage.is_none() {
            self.assembly.note_foreign(data);
        }
        self.assembly.identify(chunk.id.non_empty(), chunk.model.non_empty(), chunk.service_tier.non_empty());
        if let Some(usage) = chunk.usage.and_then(usage) {
            self.assembly.usage = Some(usage);
        }
        for choice in chunk.choices.0 {
            if choice.index.0.unwrap_or(0) == 0 {
                self.choice(choice);
            } else {
                self.assembly
                    .warn(WireWarningCode::ExtraChoices, format!("choice {:?} ignored", choice.index.0));
            }
        }
    }

    fn choice(&mut self, choice: Choice<'_>) {
        if let Some(delta) = choice.delta {
            let before = self.pieces.len();
            self.delta(delta);
            self.in_pieces |= self.pieces.len() > before;
        }
        if let Some(message) = choice.message {
            self.message(message);
        }
        if let Some(raw) = choice.error {
            let value = serde_json::from_str(raw.get()).unwrap_or_default();
            self.failure = Some(error_body::from_value(None, &value));
        }
        if self.finish_reason.is_none() {
            self.finish_reason = choice.finish_reason.owned();
        }
    }

    /// A message that is no piece: all of it, or what it is so far. What came in pieces before it is not added to.
    fn message(&mut self, mut message: Delta<'_>) {
        // Only deltas have indices: in a whole message the place is the index.
        for (place, call) in message.tool_calls.0.iter_mut().enumerate() {
            call.index.0 = call.index.0.or(Some(place as u64));
        }
        let calls = self.first.legacy.is_some() || self.lookup.last(None).is_some();
        if self.in_pieces && calls {
            message.tool_calls.0.clear();
            message.function_call = None;
        }
        if self.in_pieces && self.first.reasoning.is_some() {
            (message.reasoning_content, message.reasoning) = (Str::default(), Str::default());
            message.reasoning_details.0.clear();
        }
        self.whole_text(&mut message.content.0, false);
        self.whole_text(&mut message.refusal, true);
        self.delta(message);
    }

    /// Takes a text that stands for the pieces before it, and leaves what is to be added to them.
    fn whole_text(&mut self, sent: &mut Str<'_>, refusal: bool) {
        let Some(whole) = sent.non_empty() else { return };
        let Some(block) = (if refusal { self.first.refusal } else { self.first.text }) else { return };
        let Some(Piece::Text(text, _) | Piece::Refusal(text)) = self.pieces.get_mut(block) else { return };
        if self.in_pieces || whole.starts_with(text.as_str()) {
            let whole = self.assembly.admit_whole(text.len(), whole.to_owned());
            self.assembly.show_rest(block, text, &whole, refusal);
            *text = whole;
            *sent = Str::default();
        }
    }

    fn delta(&mut self, delta: Delta<'_>) {
        // One thought under several names: the first non-empty counts, adding them up would double it.
        let details: String = delta
            .reasoning_details
            .0
            .iter()
            .map(|detail| detail.text.non_empty().or(detail.summary.non_empty()).unwrap_or_default())
            .collect();
        let thought = delta.reasoning_content.non_empty().or(delta.reasoning.non_empty()).unwrap_or(&details);
        if !thought.is_empty() {
            let block = self.piece(|first| &mut first.reasoning, || Piece::Reasoning(String::new()));
            let thought = self.assembly.admit(thought);
            if let Some(Piece::Reasoning(text)) = self.pieces.get_mut(block) {
                text.push_str(thought);
            }
            self.assembly.events.push_back(ModelEvent::ReasoningDelta { block, text: thought.into() });
        }
        if delta.content.0.non_empty().is_some() || !delta.annotations.0.is_empty() {
            let block = self.piece(|first| &mut first.text, || Piece::Text(String::new(), Vec::new()));
            let added = self.assembly.admit(delta.content.0.or_empty());
            if let Some(Piece::Text(text, annotations)) = self.pieces.get_mut(block) {
                text.push_str(added);
                annotations.extend(delta.annotations.0.iter().map(|raw| RawJson::from(*raw)));
            }
            self.assembly.show(block, added, false);
        }
        if let Some(refusal) = delta.refusal.non_empty() {
            let block = self.piece(|first| &mut first.refusal, || Piece::Refusal(String::new()));
            let refusal = self.assembly.admit(refusal);
            if let Some(Piece::Refusal(text)) = self.pieces.get_mut(block) {
                text.push_str(refusal);
            }
            self.assembly.show(block, refusal, true);
        }
        for call in delta.tool_calls.0 {
            self.call(call);
        }
        if let Some(call) = delta.function_call {
            self.legacy(&call);
        }
    }

    fn piece(
        &mut self,
        first: impl Fn(&mut First) -> &mut Option<usize>,
        new: impl FnOnce() -> Piece,
    ) -> usize {
        let next = self.pieces.len();
        let at = *first(&mut self.first).get_or_insert(next);
        if at == next {
            self.pieces.push(new());
        }
        at
    }

    fn call(&mut self, delta: CallDelta<'_>) {
        let function = delta.function.unwrap_or_default();
        let (name, sent, kind) = match &delta.custom {
            Some(custom) => (custom.name.non_empty(), None, CallKind::Custom),
            None => (function.name.non_empty(), arguments(function.arguments), CallKind::Function),
        };
        let id = delta.id.non_empty();
        if delta.index.0.is_none() {
            self.assembly.warn(WireWarningCode::MissingIndex, "a call's piece has no index");
        }
        let opening = match (&sent, &delta.custom) {
            (Some(crate::wire::lenient::Arguments::Value(_)), _) => true,
            (Some(crate::wire::lenient::Arguments::Text(text)), _) => text.trim_start().starts_with('{'),
            (None, _) => false,
        };
        let at = self.slot(delta.index.0, id, name, opening, kind);
        let Some(Piece::Call(slot)) = self.pieces.get_mut(at) else {
            return;
        };
        let draft = &mut slot.draft;
        if draft.call_id.is_none()
            && let Some(id) = id
        {
            draft.call_id = CallId::non_empty(id);
            self.lookup.named(at, slot.index, id);
        }
        if draft.name.is_empty() {
            draft.name = name.unwrap_or_default().into();
        }
        if let Some(sent) = sent {
            draft.push_arguments(sent, &mut self.assembly);
        }
        if let Some(custom) = &delta.custom {
            draft.kind = CallKind::Custom;
            draft.push(custom.input.or_empty(), &mut self.assembly);
        }
        // Not before an id could have come: with id and name in one piece, as usual, that is at once.
        if draft.call_id.is_some() {
            draft.show(at, &mut self.assembly);
        }
    }

    /// Which call a piece belongs to.
    fn slot(
        &mut self,
        index: Option<u64>,
        id: Option<&str>,
        name: Option<&str>,
        opening: bool,
        kind: CallKind,
    ) -> usize {
        if let Some(at) = id.and_then(|id| self.lookup.with_id(index, id)) {
            return at;
        }
        let last = self.lookup.last(index);
        if let Some((at, Piece::Call(slot))) = last.and_then(|at| Some((at, self.pieces.get(at)?))) {
            let draft = &slot.draft;
            let other_id = id.is_some() && draft.call_id.is_some();
            let no_index_new_id = index.is_none() && id.is_some() && name.is_some() && !draft.name.is_empty();
            // Without ids, a name on a call whose arguments are already whole starts the next one.
            let renamed = id.is_none()
                && name.is_some_and(|name| {
                    !draft.name.is_empty()
                        && (name != draft.name || (opening && is_json_object(draft.text())))
                });
            if !(other_id || no_index_new_id || renamed) {
                return at;
            }
            if index.is_some() {
                let detail = format!("index {index:?} is used by another call");
                self.assembly.warn(WireWarningCode::IndexReused, detail);
            }
        }
        self.open_call(index, kind)
    }

    fn open_call(&mut self, index: Option<u64>, kind: CallKind) -> usize {
        self.assembly.admit_call();
        let at = self.pieces.len();
        self.lookup.opened(at, index);
        self.pieces.push(Piece::Call(Slot { index, draft: CallDraft::new(kind) }));
        at
    }

    fn legacy(&mut self, delta: &FunctionDelta<'_>) {
        let new = || Piece::Call(Slot { index: None, draft: CallDraft::new(CallKind::LegacyFunction) });
        let at = self.piece(|first| &mut first.legacy, new);
        let Some(Piece::Call(slot)) = self.pieces.get_mut(at) else {
            return;
        };
        if slot.draft.name.is_empty() {
            slot.draft.name = delta.name.or_empty().into();
        }
        if let Some(sent) = arguments(delta.arguments) {
            slot.draft.push_arguments(sent, &mut self.assembly);
        }
        slot.draft.show(at, &mut self.assembly);
    }

    pub(crate) fn finish(mut self, failure: Option<ModelError>) -> (VecDeque<ModelEvent>, Reply) {
        let ending = self.ending(failure);
        // This wire has no end mark per call: only a proper end of the whole makes calls whole. At the output
        // cap the last call may be cut even where its text happens to read as JSON so far.
        let (all_whole, capped) = match &ending {
            Ending::Stopped(stop) => (true, stop.reason == StopReason::MaxTokens),
            Ending::Unexplained => (true, false),
            Ending::Failed(..) | Ending::Cut(_) => (false, false),
        };
        let mut blocks = Vec::with_capacity(self.pieces.len());
        for piece in self.pieces {
            match piece {
                Piece::Reasoning(text) => blocks.push(Block::Reasoning(Reasoning::Plain { text })),
                Piece::Text(text, annotations) if !text.is_empty() => {
                    blocks.push(Block::Text(Text { text, annotations, ..Text::default() }));
                }
                Piece::Text(..) => {}
                Piece::Refusal(text) => blocks.push(Block::Refusal(Refusal { text, item_id: None })),
                Piece::Call(slot) => {
                    let draft = slot.draft;
                    if draft.call_id.is_none() && draft.kind != CallKind::LegacyFunction {
                        let detail = format!("call of {} never got an id; one is minted", draft.name);
                        self.assembly.warn(WireWarningCode::MissingToolCallId, detail);
                    }
                    let whole = all_whole && !(capped && draft.text().trim().is_empty());
                    blocks.push(Block::ToolCall(draft.finish(whole, &mut self.assembly)));
                }
            }
        }
        self.assembly.finish(blocks, ending)
    }

    fn ending(&mut self, failure: Option<ModelError>) -> Ending {
        if let Some(error) = self.failure.take() {
            return Ending::Failed(error, self.finish_reason.take());
        }
        let Some(raw) = self.finish_reason.take() else {
            return match failure {
                Some(error) => Ending::Failed(error, None),
                None if self.done => Ending::Unexplained,
                None => Ending::Cut(None),
            };
        };
        if !self.done {
            self.assembly.warn(WireWarningCode::MissingDoneSentinel, "the stream has no [DONE]");
        }
        if raw == "error" {
            return Ending::Failed(ModelError::new(ModelErrorKind::Server), Some(raw));
        }
        Ending::Stopped(plain_stop(stop_reason(&raw), Some(raw)))
    }
}

/// The normalised reason; besides OpenAI's words those of common compatible servers.
fn stop_reason(raw: &str) -> StopReason {
    match raw {
        "stop" | "eos" | "eos_token" | "end_turn" => StopReason::EndTurn,
        "tool_calls" | "tool_use" | "function_call" => StopReason::ToolUse,
        "length" | "max_tokens" | "model_length" => StopReason::MaxTokens,
        "content_filter" => StopReason::ContentFilter,
        "stop_sequence" => StopReason::StopSequence,
        _ => StopReason::Other,
    }
}
