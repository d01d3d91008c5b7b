//! A tool call while its pieces arrive.

use tata_core::{
    CallId, CallKind, CallState, IdOrigin, ItemId, ModelEvent, Name, RawJson, ToolCall, WireWarningCode,
};

use super::{
    assembly::{Assembly, mint_call_id},
    lenient::{Arguments, is_json_object},
};

#[expect(clippy::struct_excessive_bools, reason = "what has been seen so far; no two exclude each other")]
/// A call in the making. Its `call_id` is the key as soon as it is known.
#[derive(Debug, Default)]
pub(crate) struct CallDraft {
    pub(crate) call_id: Option<CallId>,
    pub(crate) item_id: Option<ItemId>,
    pub(crate) kind: CallKind,
    pub(crate) name: Name,
    pub(crate) extra: Option<RawJson>,
    /// The wire said that the arguments are whole.
    pub(crate) ended: bool,
    /// The wire said that the call was cut off.
    pub(crate) cut: bool,
    /// The absence of a call id was reported.
    pub(crate) fallback_reported: bool,
    /// An id of ours, made early so that the events carry one.
    minted: Option<CallId>,
    initial: String,
    pieces: String,
    whole: Option<String>,
    announced: bool,
    shown: usize,
}

impl CallDraft {
    pub(crate) fn new(kind: CallKind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// The arguments as known now.
    pub(crate) fn text(&self) -> &str {
        match &self.whole {
            Some(whole) => whole,
            None if self.pieces.is_empty() => &self.initial,
            None => &self.pieces,
        }
    }

    /// Appends a piece.
    pub(crate) fn push(&mut self, piece: &str, assembly: &mut Assembly) {
        self.pieces.push_str(assembly.admit(piece));
    }

    /// Arguments that came with the announcement; pieces, if any follow, replace them.
    pub(crate) fn set_initial(&mut self, text: &str, assembly: &mut Assembly) {
        assembly.admit(text).clone_into(&mut self.initial);
    }

    /// Arguments in the announcement of a call; pieces, if any follow, replace them.
    pub(crate) fn begin_with(&mut self, arguments: Arguments, assembly: &mut Assembly) {
        match arguments {
            Arguments::Text(text) => self.initial = assembly.admit_whole(self.initial.len(), text),
            Arguments::Value(json) => {
                assembly
                    .warn(WireWarningCode::ArgumentsNotString, format!("arguments of {} as JSON", self.name));
                self.initial = assembly.admit_whole(self.initial.len(), json);
            }
        }
    }

    /// Appends what may be text or, wrongly, a JSON value.
    pub(crate) fn push_arguments(&mut self, arguments: Arguments, assembly: &mut Assembly) {
        match arguments {
            Arguments::Text(text) => self.push(&text, assembly),
            Arguments::Value(json) => {
                assembly
                    .warn(WireWarningCode::ArgumentsNotString, format!("arguments of {} as JSON", self.name));
                self.push(&json, assembly);
            }
        }
    }

    /// Sets the final arguments. They beat the joined pieces, except that a blank final value never erases
    /// pieces: it would turn a real call into one without arguments.
    pub(crate) fn conclude(&mut self, arguments: Arguments, assembly: &mut Assembly) {
        let text = match arguments {
            Arguments::Text(text) => text,
            Arguments::Value(json) => {
                assembly
                    .warn(WireWarningCode::ArgumentsNotString, format!("arguments of {} as JSON", self.name));
                json
            }
        };
        let known = self.whole.as_deref().unwrap_or(&self.pieces);
        if !known.is_empty() && known != text {
            let detail = format!("the final arguments of {} differ from their pieces", self.name);
            assembly.warn(WireWarningCode::ArgumentsMismatch, detail);
            if text.trim().is_empty() {
                return;
            }
        }
        self.whole = Some(assembly.admit_whole(self.text().len(), text));
    }

    /// Shows the call and the pieces not shown yet, once its name is known.
    pub(crate) fn show(&mut self, block: usize, assembly: &mut Assembly) {
        if self.name.is_empty() {
            return;
        }
        if !self.announced {
            self.announced = true;
            let call_id = self.provisional_id();
            assembly.events.push_back(ModelEvent::ToolCallStarted {
                block,
                call_id,
                name: self.name.clone(),
            });
        }
        if let Some(text) = self.pieces.get(self.shown..).filter(|text| !text.is_empty()) {
            assembly.events.push_back(ModelEvent::ToolArgumentsDelta { block, text: text.into() });
            self.shown = self.pieces.len();
        }
    }

    fn provisional_id(&mut self) -> CallId {
        if let Some(id) = &self.call_id {
            return id.clone();
        }
        if let Some(item) = &self.item_id {
            return CallId::from(item.as_str());
        }
        self.minted.get_or_insert_with(mint_call_id).clone()
    }

    /// The call as it stands at the end. `whole` says whether the wire delivered all of it; what was
    /// delivered whole and still cannot be read is reported.
    pub(crate) fn finish(mut self, whole: bool, assembly: &mut Assembly) -> ToolCall {
        let wish = match (self.call_id.take(), &self.item_id, self.minted.take()) {
            (Some(id), _, _) => Some((id, IdOrigin::Given)),
            (None, Some(item), _) => Some((CallId::from(item.as_str()), IdOrigin::ItemId)),
            (None, None, Some(id)) => Some((id, IdOrigin::Minted)),
            (None, None, None) => None,
        };
        let (call_id, id_origin) = assembly.claim_id(wish);
        assembly.count_id(&call_id, id_origin, &self.name);
        let mut arguments = self.text().to_owned();
        let readable = match self.kind {
            CallKind::Custom => true,
            CallKind::Function | CallKind::LegacyFunction => {
                if whole && arguments.trim().is_empty() {
                    "{}".clone_into(&mut arguments);
                }
                is_json_object(&arguments)
            }
        };
        if whole && !readable {
            let detail = format!("arguments of {} ({call_id}) are not a JSON object", self.name);
            assembly.warn(WireWarningCode::InvalidArgumentsJson, detail);
        }
        let finished = whole && readable && !self.cut && !self.name.is_empty();
        ToolCall {
            call_id,
            id_origin,
            item_id: self.item_id,
            kind: self.kind,
            name: self.name,
            arguments,
            state: if finished { CallState::Finished } else { CallState::Broken },
            extra: self.extra,
        }
    }
}
