//! What a decoder gathers while events come in, whatever the wire.

use std::collections::{HashSet, VecDeque};

use tata_core::{
    Block, CallId, CallIdCounts, CallState, IdOrigin, Message, ModelError, ModelErrorKind, ModelEvent,
    Origin, Outcome, Reply, Role, Stop, StopReason, Usage, WireWarning, WireWarningCode,
};
use tracing::{debug, info, warn};

use super::{
    Wire,
    dialect::{dialect, foreign},
    shape::shape,
    shown::{Missing, Shown},
};

/// Beyond this many of one kind, warnings are only counted: a broken server must not fill memory or logs, nor may one
/// habit of it hide another.
const KEPT_OF_A_KIND: usize = 10;

/// Bytes of an answer for each token of its cap. Four are usual; a token of many blanks or of a long word has more.
const BYTES_OF_A_TOKEN: u64 = 16;
/// Bytes beyond that: servers count what they count.
const SLACK: u64 = 64 * 1024;
/// The cap of an answer for which neither the request nor the model has one, in tokens.
const USUAL_CAP: u64 = 128_000;
/// What a call takes beside its name and its arguments, in bytes.
const BYTES_OF_A_CALL: usize = 64;

/// How the provider ended the stream, before our own checks.
#[derive(Debug)]
pub(crate) enum Ending {
    /// It said why.
    Stopped(Stop),
    /// It ended properly without saying why.
    Unexplained,
    /// It failed.
    Failed(ModelError, Option<String>),
    /// It just ended, perhaps after having said why.
    Cut(Option<Stop>),
}

/// State common to all decoders.
#[derive(Debug)]
pub(crate) struct Assembly {
    pub(crate) events: VecDeque<ModelEvent>,
    pub(crate) usage: Option<Usage>,
    pub(crate) counts: CallIdCounts,
    origin: Origin,
    output_cap: Option<u64>,
    response_id: Option<String>,
    model: Option<String>,
    service_tier: Option<String>,
    started: bool,
    warnings: Vec<WireWarning>,
    suppressed: usize,
    used_ids: HashSet<CallId>,
    wire: Wire,
    /// What was shown of text and refusals.
    shown: Shown,
    /// The bytes that the answer may still have.
    room: usize,
    /// It wanted more than that.
    overflown: bool,
    /// Events that could not be read and may have held a piece of it.
    lost: u64,
    /// The wire whose marks an event had, when it was not ours.
    foreign: Option<Wire>,
}

impl Assembly {
    pub(crate) fn new(wire: Wire, origin: Origin, output_cap: Option<u64>) -> Self {
        Self {
            events: VecDeque::new(),
            usage: None,
            counts: CallIdCounts::default(),
            origin,
            output_cap,
            response_id: None,
            model: None,
            service_tier: None,
            started: false,
            warnings: Vec::new(),
            suppressed: 0,
            used_ids: HashSet::new(),
            wire,
            shown: Shown::default(),
            room: room_of(output_cap.unwrap_or(USUAL_CAP)),
            overflown: false,
            lost: 0,
            foreign: None,
        }
    }

    /// Makes room for an answer of so many tokens, where the request itself sets no cap.
    pub(crate) fn make_room_for(&mut self, tokens: u64) {
        if self.output_cap.is_none() {
            self.room = room_of(tokens);
        }
    }

    /// The answer is far beyond its cap: nothing more of it is taken.
    pub(crate) fn is_overflown(&self) -> bool {
        self.overflown
    }

    /// What of a piece still has room in the answer: nearly always all of it.
    #[inline]
    pub(crate) fn admit<'t>(&mut self, piece: &'t str) -> &'t str {
        if piece.len() <= self.room {
            self.room -= piece.len();
            return piece;
        }
        self.overflown = true;
        let fits = piece.floor_char_boundary(self.room);
        self.room = 0;
        piece.get(..fits).unwrap_or_default()
    }

    /// The same for a text that stands in for one of `known` bytes.
    pub(crate) fn admit_whole(&mut self, known: usize, mut text: String) -> String {
        self.room = self.room.saturating_add(known);
        let fits = self.admit(&text).len();
        text.truncate(fits);
        text
    }

    /// A call begins: each takes some room, however short it is.
    pub(crate) fn admit_call(&mut self) {
        self.overflown |= self.room < BYTES_OF_A_CALL;
        self.room = self.room.saturating_sub(BYTES_OF_A_CALL);
    }

    /// Shows a piece of text, or of a refusal.
    pub(crate) fn show(&mut self, block: usize, piece: &str, refusal: bool) {
        if piece.is_empty() {
            return;
        }
        self.shown.note(piece);
        let text = piece.into();
        self.events.push_back(if refusal {
            ModelEvent::RefusalDelta { block, text }
        } else {
            ModelEvent::TextDelta { block, text }
        });
    }

    /// A text became whole: shows what its pieces lacked, if they were how it begins and were shown last. Whatever else
    /// became of it is put right at the end.
    pub(crate) fn show_rest(&mut self, block: usize, pieces: &str, whole: &str, refusal: bool) {
        if let Some(rest) = whole.strip_prefix(pieces)
            && self.shown.ends_with(pieces)
        {
            self.show(block, rest, refusal);
        }
    }

    /// Lets the listener have exactly what the message has.
    fn put_shown_right(&mut self, message: &Message) {
        fn spoken(block: &Block) -> Option<(&str, bool)> {
            match block {
                Block::Text(text) => Some((&text.text, false)),
                Block::Refusal(refusal) => Some((&refusal.text, true)),
                Block::Reasoning(_) | Block::ToolCall(_) | Block::ToolResult(_) | Block::Opaque(_) => None,
            }
        }
        let parts = message.blocks.iter().enumerate();
        let parts = parts.filter_map(|(at, block)| spoken(block).map(|(text, _)| (at, text)));
        let missing = match self.shown.missing(parts.clone()) {
            Missing::Rest(rest) => rest,
            Missing::All => {
                warn!(target: "tata_llm::wire", origin = self.origin.as_str(), "what was shown is revoked: the text differs");
                self.events.push_back(ModelEvent::TextRevoked);
                parts.collect()
            }
        };
        for (at, text) in missing {
            let refusal = message.blocks.get(at).and_then(spoken).is_some_and(|(_, refusal)| refusal);
            self.show(at, text, refusal);
        }
    }

    /// An event that says nothing on this wire: perhaps it is of another.
    pub(crate) fn note_foreign(&mut self, data: &str) {
        if self.foreign.is_none() {
            self.foreign = dialect(data).filter(|wire| *wire != self.wire);
        }
    }

    /// The wire whose marks were seen, if it is not ours.
    pub(crate) fn foreign(&self) -> Option<Wire> {
        self.foreign
    }

    /// What could not be read was sent again and is here: nothing is lost.
    pub(crate) fn nothing_is_lost(&mut self) {
        self.lost = 0;
    }

    /// Remembers the first non-empty id, model and tier, and announces the start once.
    pub(crate) fn identify(&mut self, id: Option<&str>, model: Option<&str>, tier: Option<&str>) {
        let keep = |slot: &mut Option<String>, text: Option<&str>| {
            if slot.is_none() {
                *slot = text.filter(|text| !text.is_empty()).map(str::to_owned);
            }
        };
        keep(&mut self.response_id, id);
        keep(&mut self.model, model);
        keep(&mut self.service_tier, tier);
        if !self.started && (self.response_id.is_some() || self.model.is_some()) {
            self.started = true;
            let (response_id, model) = (self.response_id.clone(), self.model.clone());
            self.events.push_back(ModelEvent::Started { response_id, model });
        }
    }

    /// Notes an oddity: logged, counted, part of the reply.
    pub(crate) fn warn(&mut self, code: WireWarningCode, detail: impl Into<String>) {
        if self.warnings.iter().filter(|warning| warning.code == code).count() >= KEPT_OF_A_KIND {
            self.suppressed += 1;
            return;
        }
        let warning = WireWarning::new(code, detail);
        warn!(target: "tata_llm::wire", code = code.as_str(), origin = self.origin.as_str(), "{}", warning.detail);
        self.events.push_back(ModelEvent::Warning(warning.clone()));
        self.warnings.push(warning);
    }

    /// An event that cannot be read: skipped, with its structure in the log.
    pub(crate) fn malformed(&mut self, data: &str, at_end: bool) {
        if at_end {
            debug!(target: "tata_llm::wire", "the body ended inside an event: {}", shape(data));
        } else {
            self.lost += 1;
            self.warn(WireWarningCode::MalformedEvent, format!("skipped an event: {}", shape(data)));
        }
    }

    /// Claims an id for a call. A taken one is not unique and a fresh one is minted.
    pub(crate) fn claim_id(&mut self, wish: Option<(CallId, IdOrigin)>) -> (CallId, IdOrigin) {
        if let Some((id, origin)) = wish {
            if self.used_ids.insert(id.clone()) {
                return (id, origin);
            }
            self.warn(WireWarningCode::DuplicateCallId, format!("a second call carries the id {id}"));
        }
        let id = mint_call_id();
        self.used_ids.insert(id.clone());
        (id, IdOrigin::Minted)
    }

    /// Counts how a call got its id, with a line in the log.
    pub(crate) fn count_id(&mut self, call_id: &CallId, origin: IdOrigin, name: &str) {
        match origin {
            IdOrigin::Given => self.counts.extracted += 1,
            IdOrigin::ItemId | IdOrigin::Minted => {
                self.counts.failed += 1;
                self.counts.fallbacks += 1;
            }
        }
        debug!(target: "tata_llm::wire", %call_id, tool = name, ?origin, "tool call received");
    }

    /// The last events and the reply: our own checks over what the provider said, and the summary in the log.
    pub(crate) fn finish(mut self, blocks: Vec<Block>, ending: Ending) -> (VecDeque<ModelEvent>, Reply) {
        let message =
            Message { role: Role::Assistant, blocks: blocks.into(), origin: Some(self.origin.clone()) };
        self.put_shown_right(&message);
        let (outcome, stop) = self.judge(&message, ending);
        let counted = matches!(outcome, Outcome::Complete | Outcome::Incomplete | Outcome::Paused)
            && self.usage.is_none();
        if counted {
            self.warn(WireWarningCode::MissingUsage, "no token counts were reported");
        }
        let finished: Vec<&str> = message
            .tool_calls()
            .filter(|call| call.state == CallState::Finished)
            .map(|call| call.call_id.as_str())
            .collect();
        info!(
            target: "tata_llm::wire",
            origin = self.origin.as_str(),
            response_id = self.response_id.as_deref(),
            outcome = outcome.as_str(),
            stop = stop.as_ref().map(|stop| stop.reason.as_str()),
            call_ids = ?finished,
            extracted = self.counts.extracted,
            fallbacks = self.counts.fallbacks,
            warnings = self.warnings.len() + self.suppressed,
            "reply finished"
        );
        let reply = Reply {
            message,
            outcome,
            stop,
            usage: self.usage,
            response_id: self.response_id,
            model: self.model,
            request_id: None,
            service_tier: self.service_tier,
            warnings: self.warnings,
            lost_events: self.lost,
            attempts: 1,
            attempts_left: 0,
            call_ids: self.counts,
        };
        (self.events, reply)
    }

    fn judge(&mut self, message: &Message, ending: Ending) -> (Outcome, Option<Stop>) {
        let has_call = message.tool_calls().any(|call| call.state == CallState::Finished);
        if self.overflown && !matches!(ending, Ending::Failed(..)) {
            self.warn(
                WireWarningCode::AnswerTooLong,
                "the answer grew far beyond its token cap and was ended",
            );
            return (Outcome::Incomplete, Some(plain_stop(StopReason::MaxTokens, None)));
        }
        if let Some(found) = self.foreign
            && message.blocks.is_empty()
            && matches!(ending, Ending::Cut(_) | Ending::Unexplained)
        {
            let error = foreign(found, self.wire);
            return (Outcome::Failed(error), Some(plain_stop(StopReason::Error, None)));
        }
        let mut stop = match ending {
            Ending::Cut(stop) => {
                self.warn(WireWarningCode::MissingTerminal, "the stream ended without its end mark");
                return (Outcome::Truncated(ModelError::new(ModelErrorKind::StreamTruncated)), stop);
            }
            Ending::Failed(error, raw) => {
                return (Outcome::Failed(error), Some(plain_stop(StopReason::Error, raw)));
            }
            Ending::Unexplained => {
                self.warn(WireWarningCode::MissingFinishReason, "the stream ended without a stop reason");
                plain_stop(if has_call { StopReason::ToolUse } else { StopReason::EndTurn }, None)
            }
            Ending::Stopped(stop) => stop,
        };
        let refused = message.blocks.iter().any(|block| matches!(block, Block::Refusal(_)));
        let any_call = message.tool_calls().next().is_some();
        match stop.reason {
            StopReason::EndTurn | StopReason::ToolUse if refused => stop.reason = StopReason::Refusal,
            StopReason::EndTurn | StopReason::StopSequence if has_call => {
                self.warn(
                    WireWarningCode::StopReasonOverridden,
                    "the reply stopped as if done, but made calls",
                );
                stop.reason = StopReason::ToolUse;
            }
            StopReason::ToolUse if !any_call => {
                self.warn(
                    WireWarningCode::StopReasonOverridden,
                    "the reply stopped for tools but made no call",
                );
                stop.reason = StopReason::EndTurn;
            }
            StopReason::EndTurn
            | StopReason::ToolUse
            | StopReason::MaxTokens
            | StopReason::StopSequence
            | StopReason::ContentFilter
            | StopReason::Refusal
            | StopReason::PauseTurn
            | StopReason::ContextWindow
            | StopReason::Damaged
            | StopReason::Error
            | StopReason::Other => {}
        }
        // Some servers label a reply that hit the output cap as one that calls tools: the count tells.
        let written = self.usage.as_ref().and_then(|usage| usage.output_tokens);
        if stop.reason == StopReason::ToolUse
            && let (Some(written), Some(cap)) = (written, self.output_cap)
            && written >= cap
        {
            self.warn(
                WireWarningCode::StopReasonOverridden,
                format!("the reply used its whole cap of {cap} tokens"),
            );
            stop.reason = StopReason::MaxTokens;
        }
        let outcome = match stop.reason {
            StopReason::EndTurn | StopReason::ToolUse | StopReason::StopSequence | StopReason::Refusal => {
                Outcome::Complete
            }
            StopReason::PauseTurn => Outcome::Paused,
            StopReason::MaxTokens
            | StopReason::ContentFilter
            | StopReason::ContextWindow
            | StopReason::Damaged
            | StopReason::Error
            | StopReason::Other => Outcome::Incomplete,
        };
        (outcome, Some(stop))
    }
}

/// The bytes that an answer of so many tokens may have.
fn room_of(tokens: u64) -> usize {
    usize::try_from(tokens.saturating_mul(BYTES_OF_A_TOKEN).saturating_add(SLACK)).unwrap_or(usize::MAX)
}

/// A stop without sequence or details.
pub(crate) fn plain_stop(reason: StopReason, raw: Option<String>) -> Stop {
    Stop { reason, raw, sequence: None, details: None }
}

/// A call id of our own making.
pub(crate) fn mint_call_id() -> CallId {
    CallId::from(format!("call_{}", uuid::Uuid::new_v4().simple()))
}
