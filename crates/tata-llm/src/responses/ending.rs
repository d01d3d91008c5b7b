//! The end of a Responses answer: the terminal event and the reply.

use std::collections::VecDeque;

use serde_json::value::RawValue;
use tata_core::{
    Block, ItemId, ModelError, ModelErrorKind, ModelEvent, Reasoning, Refusal, Reply, StopReason, Text,
};

use super::{
    decode::Decoder,
    reconcile::parse,
    slot::Body,
    usage::usage,
    wire::{IncompleteDetails, Response},
};
use crate::wire::{
    assembly::{Ending, plain_stop},
    error_body,
};

impl Decoder {
    /// A body in one piece: a response, or an error that came with a good status. Anything else is no answer.
    pub(super) fn whole_response(&mut self, body: &str, raw: &RawValue) {
        let response = parse::<Response<'_>>(raw).unwrap_or_default();
        if response.status.non_empty().is_none() && response.error.is_some() {
            let value = serde_json::from_str(body).unwrap_or_default();
            self.ending = Some(Ending::Failed(error_body::from_value(None, &value), None));
        } else if response.status.non_empty().is_some() || !response.output.0.is_empty() {
            self.terminal("response", Some(raw));
        }
    }

    pub(super) fn terminal(&mut self, kind: &str, response: Option<&RawValue>) {
        let response =
            response.and_then(|raw| serde_json::from_str::<Response<'_>>(raw.get()).ok()).unwrap_or_default();
        let (id, model) = (response.id.non_empty(), response.model.non_empty());
        self.assembly.identify(id, model, response.service_tier.non_empty());
        if let Some(usage) = response.usage.and_then(usage) {
            self.assembly.usage = Some(usage);
        }
        self.reconcile(&response.output.0);
        self.restated = !response.output.0.is_empty();
        let status = match (kind, response.status.or_empty()) {
            ("response.failed", _) | (_, "failed") => "failed",
            ("response.incomplete", _) | (_, "incomplete") => "incomplete",
            ("response.cancelled", _) | (_, "cancelled") => "cancelled",
            ("response", status @ ("queued" | "in_progress")) => status,
            _ => "completed",
        };
        self.ending = Some(match status {
            "completed" => {
                let calls = self.slots.iter().any(|slot| matches!(slot.body, Body::Call(_)));
                let reason = if calls { StopReason::ToolUse } else { StopReason::EndTurn };
                Ending::Stopped(plain_stop(reason, Some(status.to_owned())))
            }
            "failed" => {
                let value = response.error.and_then(|raw| serde_json::from_str(raw.get()).ok());
                let error = value.map_or_else(
                    || {
                        ModelError::new(ModelErrorKind::Server)
                            .with_detail("the response failed without a reason")
                    },
                    |value| error_body::from_value(None, &value),
                );
                Ending::Failed(error, Some(status.to_owned()))
            }
            "incomplete" => {
                let details = response.incomplete_details;
                let details =
                    details.and_then(|raw| serde_json::from_str::<IncompleteDetails<'_>>(raw.get()).ok());
                let details = details.unwrap_or_default();
                let (reason, raw) = match details.reason.non_empty() {
                    Some("max_output_tokens") => {
                        (StopReason::MaxTokens, "incomplete:max_output_tokens".to_owned())
                    }
                    Some("content_filter") => {
                        (StopReason::ContentFilter, "incomplete:content_filter".to_owned())
                    }
                    Some(other) => (StopReason::Other, format!("incomplete:{other}")),
                    None => (StopReason::Other, "incomplete".to_owned()),
                };
                Ending::Stopped(plain_stop(reason, Some(raw)))
            }
            other => Ending::Stopped(plain_stop(StopReason::Other, Some(other.to_owned()))),
        });
    }

    /// Whether every text came whole at its end, whatever became of its pieces.
    fn is_whole(&self) -> bool {
        let mut texts = self.slots.iter().filter_map(|slot| match &slot.body {
            Body::Message { parts, .. } => Some(parts.iter().all(|part| part.done)),
            Body::Reasoning { .. } | Body::Call(_) | Body::Server(_) => None,
        });
        let first = texts.next();
        (first.is_some() || self.restated) && first.unwrap_or(true) && texts.all(|whole| whole)
    }

    pub(crate) fn finish(mut self, failure: Option<ModelError>) -> (VecDeque<ModelEvent>, Reply) {
        let ending = match (self.ending.take(), failure) {
            (Some(ending), _) => ending,
            (None, Some(error)) => Ending::Failed(error, None),
            (None, None) => Ending::Cut(None),
        };
        // A completed response is whole even where a server skipped the end marks of its items.
        let completed = matches!(&ending, Ending::Stopped(stop) if stop.raw.as_deref() == Some("completed"));
        if self.is_whole() {
            self.assembly.nothing_is_lost();
        }
        self.slots.sort_by_key(|slot| slot.order);
        let mut blocks = Vec::with_capacity(self.slots.len());
        for slot in self.slots {
            let item_id = slot.id.as_deref().and_then(ItemId::non_empty);
            match slot.body {
                Body::Call(draft) => {
                    let whole = slot.done || draft.ended || completed;
                    blocks.push(Block::ToolCall(draft.finish(whole, &mut self.assembly)));
                }
                Body::Message { parts, phase } => {
                    for part in parts.into_iter().filter(|part| !part.text.is_empty()) {
                        let (text, item_id) = (part.text, item_id.clone());
                        blocks.push(if part.refusal {
                            Block::Refusal(Refusal { text, item_id })
                        } else {
                            let (annotations, phase) = (part.annotations, phase.clone());
                            Block::Text(Text { text, annotations, phase, item_id })
                        });
                    }
                }
                Body::Reasoning { summary, content, encrypted } => {
                    blocks.push(Block::Reasoning(Reasoning::Item {
                        id: item_id,
                        summary,
                        content,
                        encrypted,
                    }));
                }
                Body::Server(opaque) => blocks.extend(opaque.map(Block::Opaque)),
            }
        }
        self.assembly.finish(blocks, ending)
    }
}
