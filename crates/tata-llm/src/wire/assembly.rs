//! What a decoder gathers while events come in, whatever the wire.

use std::collections::{HashSet, VecDeque};

use tata_core::{
    Block, CallId, CallIdCounts, CallState, IdOrigin, Message, ModelError, ModelErrorKind, ModelEvent,
    Origin, Outcome, Reply, Role, Stop, StopReason, Usage, WireWarning, WireWarningCode,
};
use tracing::{debug, info, warn};

use super::shape::shape;

/// Beyond this many of one kind, warnings are only counted: a broken server must not fill memory or logs, nor may one
/// habit of it hide another.
const KEPT_OF_A_KIND: usize = 10;

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
}

impl Assembly {
    pub(crate) fn new(origin: Origin, output_cap: Option<u64>) -> Self {
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
        }
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

    /// The reply: our own checks over what the provider said, and the summary in the log.
    pub(crate) fn finish(mut self, blocks: Vec<Block>, ending: Ending) -> Reply {
        let message =
            Message { role: Role::Assistant, blocks: blocks.into(), origin: Some(self.origin.clone()) };
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
        Reply {
            message,
            outcome,
            stop,
            usage: self.usage,
            response_id: self.response_id,
            model: self.model,
            request_id: None,
            service_tier: self.service_tier,
            warnings: self.warnings,
            call_ids: self.counts,
        }
    }

    fn judge(&mut self, message: &Message, ending: Ending) -> (Outcome, Option<Stop>) {
        let has_call = message.tool_calls().any(|call| call.state == CallState::Finished);
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
            | StopReason::Error
            | StopReason::Other => Outcome::Incomplete,
        };
        (outcome, Some(stop))
    }
}

/// A stop without sequence or details.
pub(crate) fn plain_stop(reason: StopReason, raw: Option<String>) -> Stop {
    Stop { reason, raw, sequence: None, details: None }
}

/// A call id of our own making.
pub(crate) fn mint_call_id() -> CallId {
    CallId::from(format!("call_{}", uuid::Uuid::new_v4().simple()))
}
