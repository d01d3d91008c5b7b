//! The end of a Responses answer: the terminal event, what it adds, and the reply.

use std::collections::VecDeque;

use serde_json::value::RawValue;
use tata_core::{
    Block, ItemId, ModelError, ModelErrorKind, ModelEvent, Reasoning, Refusal, Reply, StopReason, Text,
    WireWarningCode,
};

use super::{
    decode::Decoder,
    slot::Body,
    usage::usage,
    wire::{Event, IncompleteDetails, Item, ItemHead, PROVIDER_ITEMS, Response},
};
use crate::wire::{
    assembly::{Ending, plain_stop},
    error_body,
    lenient::Index,
    shape::shape,
};

/// An object that was left raw.
fn parse<'a, T: serde::Deserialize<'a>>(raw: &'a RawValue) -> Option<T> {
    serde_json::from_str(raw.get()).ok()
}

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

    /// The terminal event repeats the output. What the stream left open or never announced is taken from there.
    fn reconcile(&mut self, output: &[&RawValue]) {
        let mut taken = vec![false; self.slots.len()];
        let mut unknown = Vec::new();
        // Exact matches first: a weaker likeness must not take the place of another item.
        for (place, raw) in output.iter().enumerate() {
            let Some(head) = parse::<ItemHead<'_>>(raw) else { continue };
            let by_call_id = head.call_id.non_empty();
            let exact = self.slots.iter().zip(&taken).position(|(slot, taken)| {
                let same_call = by_call_id.is_some_and(|id| slot.has_call_id(id));
                let other_call = by_call_id.is_some() && slot.has_other_call_id(by_call_id);
                !taken
                    && (same_call || (!other_call && head.id.non_empty().is_some_and(|id| slot.has_id(id))))
            });
            match exact {
                Some(at) => self.settle(at, raw, &mut taken),
                None => unknown.extend(parse::<Item<'_>>(raw).map(|item| (place as u64, item, *raw))),
            }
        }
        for (place, item, raw) in unknown {
            let (kind, call_id) = (item.kind.or_empty(), item.call_id.non_empty());
            let like = self.slots.iter().zip(&taken).position(|(slot, taken)| {
                let other_call = call_id.is_some() && slot.has_other_call_id(call_id);
                let here = slot.index == Some(place) && slot.body.kind_is(kind) && !other_call;
                !taken && (here || slot.body.same_content(kind, &item))
            });
            let at = like.unwrap_or_else(|| {
                let body = Body::of(kind);
                if matches!(body, Body::Server(_)) && !PROVIDER_ITEMS.contains(&kind) {
                    let detail = format!("{kind}: {}", shape(raw.get()));
                    self.assembly.warn(WireWarningCode::UnknownItemType, detail);
                }
                let event = Event { output_index: Index(Some(place)), ..Event::default() };
                taken.push(true);
                self.open(&event, item.id.non_empty(), body)
            });
            self.settle(at, raw, &mut taken);
        }
    }

    /// Takes the final form of an item, unless its slot already has it.
    fn settle(&mut self, at: usize, raw: &RawValue, taken: &mut [bool]) {
        if let Some(taken) = taken.get_mut(at) {
            *taken = true;
        }
        if self.slots.get(at).is_some_and(|slot| !slot.done)
            && let Some(item) = parse::<Item<'_>>(raw)
        {
            self.deliver_early(at);
            self.fill(at, &item, raw, true);
        }
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
