//! Server-sent events, from bytes in any pieces to frames.
//!
//! Own framing, not a crate's, for four reasons the wire cases need: a pending event at the end of the body is
//! used, undecodable bytes cost one line and not the stream, an event has a size limit, and a frame borrows.

use std::borrow::Cow;

use memchr::memchr2;

/// One event of a stream, borrowed from the framer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame<'a> {
    /// The `event:` line, if there was one.
    pub(crate) event: Option<&'a [u8]>,
    /// The `data:` lines joined by LF.
    pub(crate) data: Cow<'a, str>,
    /// Bytes that are no UTF-8 were replaced in this frame.
    pub(crate) repaired: bool,
    /// The body ended before the blank line that ends an event: the data may be cut.
    pub(crate) at_end: bool,
}

/// The event is larger than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    pub(crate) limit: usize,
}

#[expect(clippy::struct_excessive_bools, reason = "what has been seen so far; no two exclude each other")]
/// Cuts bytes into frames. The result does not depend on how the bytes are cut.
#[derive(Debug)]
pub(crate) struct Framer {
    line: Vec<u8>,
    event: Vec<u8>,
    has_event: bool,
    data: Vec<u8>,
    has_data: bool,
    after_cr: bool,
    at_start: bool,
    limit: usize,
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

impl Framer {
    pub(crate) fn new(limit: usize) -> Self {
        Self {
            line: Vec::new(),
            event: Vec::new(),
            has_event: false,
            data: Vec::new(),
            has_data: false,
            after_cr: false,
            at_start: true,
            limit,
        }
    }

    /// Takes the next bytes and hands every finished frame to `sink`.
    pub(crate) fn push(&mut self, mut rest: &[u8], sink: &mut impl FnMut(Frame<'_>)) -> Result<(), TooLarge> {
        while !rest.is_empty() {
            if std::mem::take(&mut self.after_cr)
                && let Some(after) = rest.strip_prefix(b"\n")
            {
                rest = after;
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', rest) else {
                self.line.extend_from_slice(rest);
                return self.check_size();
            };
            self.after_cr = rest.get(end) == Some(&b'\r');
            let (head, tail) = rest.split_at(end);
            rest = tail.get(1..).unwrap_or_default();
            if self.line.is_empty() {
                // The usual case, a whole `data:` line with its blank line behind it, is not copied.
                if !self.after_cr
                    && !self.has_data
                    && !self.at_start
                    && let Some(after) = rest.strip_prefix(b"\n")
                    && let Some(data) = field(head, b"data")
                {
                    if data.len() > self.limit {
                        return Err(TooLarge { limit: self.limit });
                    }
                    rest = after;
                    self.hand_out(data, false, sink);
                    continue;
                }
                self.take_line(head, sink);
            } else {
                self.line.extend_from_slice(head);
                let line = std::mem::take(&mut self.line);
                self.take_line(&line, sink);
                self.line = line;
                self.line.clear();
            }
            self.check_size()?;
        }
        Ok(())
    }

    /// The body is over: a pending event is handed out, marked as possibly cut.
    pub(crate) fn finish(&mut self, sink: &mut impl FnMut(Frame<'_>)) {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            self.take_line(&line, sink);
        }
        self.dispatch(true, sink);
    }

    fn check_size(&self) -> Result<(), TooLarge> {
        if self.line.len() + self.data.len() > self.limit {
            return Err(TooLarge { limit: self.limit });
        }
        Ok(())
    }

    fn take_line(&mut self, mut line: &[u8], sink: &mut impl FnMut(Frame<'_>)) {
        if std::mem::take(&mut self.at_start) {
            line = line.strip_prefix(BOM).unwrap_or(line);
        }
        if line.is_empty() {
            self.dispatch(false, sink);
        } else if let Some(value) = field(line, b"data") {
            if self.has_data {
                self.data.push(b'\n');
            }
            self.data.extend_from_slice(value);
            self.has_data = true;
        } else if let Some(value) = field(line, b"event") {
            self.event.clear();
            self.event.extend_from_slice(value);
            self.has_event = true;
        } else if line.starts_with(b"{\"error\"") {
            // Some servers break off an event stream with a bare JSON error line.
            self.data.clear();
            self.data.extend_from_slice(line);
            self.has_data = true;
            self.dispatch(false, sink);
        }
    }

    fn dispatch(&mut self, at_end: bool, sink: &mut impl FnMut(Frame<'_>)) {
        let mut data = std::mem::take(&mut self.data);
        self.hand_out(&data, at_end, sink);
        data.clear();
        self.data = data;
        self.has_data = false;
    }

    /// Hands out an event with this data, unless it is empty, and forgets its name.
    fn hand_out(&mut self, data: &[u8], at_end: bool, sink: &mut impl FnMut(Frame<'_>)) {
        if !data.is_empty() {
            let data = decode(data);
            let event = self.has_event.then_some(self.event.as_slice());
            let repaired = matches!(data, Cow::Owned(_));
            sink(Frame { event, data, repaired, at_end });
        }
        self.event.clear();
        self.has_event = false;
    }
}

impl Frame<'_> {
    /// The `event:` line as text.
    pub(crate) fn name(&self) -> Option<Cow<'_, str>> {
        self.event.map(decode)
    }
}

/// Text, with undecodable bytes replaced. The strict check first: it takes 32 bytes at a time, the lossy one single
/// bytes. Checked once here, the texts inside need no check of their own, which is the faster way round.
fn decode(bytes: &[u8]) -> Cow<'_, str> {
    simdutf8::basic::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The value of the line if it is the field `name`: what follows the colon, less one space.
fn field<'a>(line: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = line.strip_prefix(name)?;
    match rest.strip_prefix(b":") {
        Some(value) => Some(value.strip_prefix(b" ").unwrap_or(value)),
        None if rest.is_empty() => Some(rest),
        None => None,
    }
}

#[cfg(test)]
mod tests;
