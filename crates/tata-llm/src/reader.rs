//! From the bytes of one answer to events and a reply, on any wire.

use std::collections::{VecDeque, vec_deque};

use tata_core::{ModelError, ModelErrorKind, ModelEvent, Origin, Reply, WireWarningCode};

use crate::{
    anthropic, chat, responses,
    transport::sse::{Frame, Framer, TooLarge},
    wire::{Wire, assembly::Assembly},
};

/// The least bytes that an event of text has on any wire, about.
const BYTES_OF_AN_EVENT: usize = 160;

/// Reads one answer. Bytes in any pieces give the same events and the same reply.
#[derive(Debug)]
pub struct ReplyReader {
    framer: Framer,
    decoder: Decoder,
    taken: usize,
    limit: usize,
}

#[derive(Debug)]
enum Decoder {
    Responses(responses::decode::Decoder),
    Chat(chat::decode::Decoder),
    Messages(anthropic::decode::Decoder),
}

impl Decoder {
    fn assembly(&mut self) -> &mut Assembly {
        match self {
            Self::Responses(decoder) => &mut decoder.assembly,
            Self::Chat(decoder) => &mut decoder.assembly,
            Self::Messages(decoder) => &mut decoder.assembly,
        }
    }

    fn is_done(&self) -> bool {
        match self {
            Self::Responses(decoder) => decoder.is_done() || decoder.assembly.is_overflown(),
            Self::Chat(decoder) => decoder.is_done() || decoder.assembly.is_overflown(),
            Self::Messages(decoder) => decoder.is_done() || decoder.assembly.is_overflown(),
        }
    }

    fn frame(&mut self, frame: &Frame<'_>) {
        if self.is_done() {
            return;
        }
        // The usual case needs no trimming.
        if !frame.data.starts_with('{') {
            let data = frame.data.trim();
            if !data.starts_with('{') && data != "[DONE]" {
                // Serde would read a list as a struct: only objects are events.
                self.assembly().malformed(data, frame.at_end);
                return;
            }
        }
        if frame.repaired && !frame.at_end {
            self.assembly().warn(WireWarningCode::InvalidUtf8, "undecodable bytes were replaced");
        }
        match self {
            Self::Responses(decoder) => decoder.frame(frame),
            Self::Chat(decoder) => decoder.frame(frame),
            Self::Messages(decoder) => decoder.frame(frame),
        }
    }
}

impl ReplyReader {
    /// The largest event accepted unless told otherwise.
    pub const EVENT_LIMIT: usize = 32 * 1024 * 1024;
    /// The largest answer accepted, all its events together: this, and so much for each token that it may have. What is
    /// said in it is limited far more closely.
    const ANSWER_LIMIT: usize = 2 * Self::EVENT_LIMIT;
    const ANSWER_LIMIT_OF_A_TOKEN: usize = 1024;

    /// Begins an answer. `output_cap` is the cap of the request: an answer that used all of it may be cut,
    /// whatever it says.
    pub fn new(wire: Wire, origin: Origin, output_cap: Option<u64>, event_limit: usize) -> Self {
        let decoder = match wire {
            Wire::Responses => Decoder::Responses(responses::decode::Decoder::new(origin, output_cap)),
            Wire::Chat => Decoder::Chat(chat::decode::Decoder::new(origin, output_cap)),
            Wire::Messages => Decoder::Messages(anthropic::decode::Decoder::new(origin, output_cap)),
        };
        let limit = answer_limit(output_cap.unwrap_or(0));
        Self { framer: Framer::new(event_limit), decoder, taken: 0, limit }
    }

    /// The same, for a model that writes at most so many tokens. It matters where the request has no cap.
    #[must_use]
    pub fn with_most_output(mut self, tokens: Option<u64>) -> Self {
        if let Some(tokens) = tokens {
            self.decoder.assembly().make_room_for(tokens);
            self.limit = self.limit.max(answer_limit(tokens));
        }
        self
    }

    /// Takes the next bytes of an event stream.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), ModelError> {
        let Self { framer, decoder, taken, limit } = self;
        *taken += bytes.len();
        if *taken > *limit {
            let message = format!("the answer is larger than the limit of {limit} bytes");
            return Err(ModelError::new(ModelErrorKind::EventTooLarge).with_detail(message));
        }
        // A packet may bring many events: room for all of them at once, not doubled time after time.
        decoder.assembly().events.reserve(bytes.len() / BYTES_OF_AN_EVENT);
        framer.push(bytes, &mut |frame| decoder.frame(&frame)).map_err(|TooLarge { limit }| {
            ModelError::new(ModelErrorKind::EventTooLarge)
                .with_detail(format!("one event is larger than the limit of {limit} bytes"))
        })
    }

    /// Takes a body that is not a stream but the whole answer. One that is none leaves the reader not done.
    pub fn push_whole(&mut self, body: &str) {
        if !body.trim_start().starts_with('{') {
            return;
        }
        match &mut self.decoder {
            Decoder::Responses(decoder) => decoder.whole(body),
            Decoder::Chat(decoder) => decoder.whole(body),
            Decoder::Messages(decoder) => decoder.whole(body),
        }
        if !self.is_done() {
            self.decoder.assembly().note_foreign(body);
        }
    }

    /// What a body that is no answer looks like: an answer of another wire, perhaps.
    pub(crate) fn foreign(&mut self) -> Option<Wire> {
        self.decoder.assembly().foreign()
    }

    /// The answer is far beyond its cap: the rest of it is not wanted.
    pub(crate) fn is_overflown(&mut self) -> bool {
        self.decoder.assembly().is_overflown()
    }

    /// The events since the last call.
    pub fn events(&mut self) -> vec_deque::Drain<'_, ModelEvent> {
        self.decoder.assembly().events.drain(..)
    }

    /// Puts the events since the last call behind those in `queue`. An empty queue is exchanged for the full one, so
    /// that nothing is copied and both lists are used again.
    pub(crate) fn hand_over(&mut self, queue: &mut VecDeque<ModelEvent>) {
        let events = &mut self.decoder.assembly().events;
        if queue.is_empty() {
            std::mem::swap(queue, events);
        } else {
            queue.append(events);
        }
    }

    /// The answer has its end mark: nothing that follows matters.
    pub fn is_done(&self) -> bool {
        self.decoder.is_done()
    }

    /// The answer could end here: only niceties are missing.
    pub fn may_end(&self) -> bool {
        match &self.decoder {
            Decoder::Chat(decoder) => self.is_done() || decoder.may_end(),
            Decoder::Messages(decoder) => self.is_done() || decoder.may_end(),
            Decoder::Responses(_) => self.is_done(),
        }
    }

    /// Ends the answer: the body is over, or `failure` stopped it. Returns the last events and the reply.
    pub fn finish(self, failure: Option<ModelError>) -> (VecDeque<ModelEvent>, Reply) {
        let Self { mut framer, mut decoder, .. } = self;
        framer.finish(&mut |frame| decoder.frame(&frame));
        match decoder {
            Decoder::Responses(decoder) => decoder.finish(failure),
            Decoder::Chat(decoder) => decoder.finish(failure),
            Decoder::Messages(decoder) => decoder.finish(failure),
        }
    }
}

fn answer_limit(tokens: u64) -> usize {
    let tokens = usize::try_from(tokens).unwrap_or(usize::MAX);
    ReplyReader::ANSWER_LIMIT.saturating_add(tokens.saturating_mul(ReplyReader::ANSWER_LIMIT_OF_A_TOKEN))
}
