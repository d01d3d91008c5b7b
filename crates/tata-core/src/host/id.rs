//! Where a listener stands in a session: behind an entry of the journal, and so far in the text that follows it.

use std::{fmt, str::FromStr};

/// The place behind an event. The text of an answer is not stored piece by piece, so a place within it is the entry
/// before the answer, the bytes heard of it, and a mark of what they were: whoever holds the answer, or what there is of
/// it, can tell whether a listener heard its beginning or something that was taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EventId {
    /// The position of the last entry that was told.
    pub position: u64,
    /// The bytes heard of the answer after it.
    pub bytes: u64,
    mark: u64,
}

/// The mark of no text; with each byte it is multiplied on (FNV-1a).
const EMPTY: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

impl EventId {
    /// Before everything.
    pub const START: Self = Self::at(0);

    /// The place behind the entry at a position.
    pub const fn at(position: u64) -> Self {
        Self { position, bytes: 0, mark: EMPTY }
    }

    /// The place behind one more piece of text.
    #[must_use]
    pub fn after(self, piece: &str) -> Self {
        let mark = piece.bytes().fold(self.mark, |mark, byte| (mark ^ u64::from(byte)).wrapping_mul(PRIME));
        Self { bytes: self.bytes + piece.len() as u64, mark, ..self }
    }

    /// What of an answer was not heard yet; none if what was heard is not its beginning.
    pub(super) fn unheard(self, text: &str) -> Option<&str> {
        let (heard, rest) = text.split_at_checked(usize::try_from(self.bytes).ok()?)?;
        (Self::at(self.position).after(heard) == self).then_some(rest)
    }
}

impl Default for EventId {
    fn default() -> Self {
        Self::START
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, bytes, mark } = self;
        if *bytes == 0 { write!(f, "{position}") } else { write!(f, "{position}.{bytes}.{mark:016x}") }
    }
}

/// The text is not the id of an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the id of an event: send the id of the last event you got, or none")]
pub struct NotAnEventId(String);

impl FromStr for EventId {
    type Err = NotAnEventId;

    fn from_str(text: &str) -> Result<Self, NotAnEventId> {
        let read = || {
            let mut parts = text.split('.');
            let number =
                |part: &str| part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse().ok());
            let position = number(parts.next()?)??;
            let Some(bytes) = parts.next() else { return Some(Self::at(position)) };
            let bytes = number(bytes)??;
            let mark = parts.next().filter(|mark| mark.len() == 16 && parts.next().is_none())?;
            Some(Self { position, bytes, mark: u64::from_str_radix(mark, 16).ok()? })
        };
        read().ok_or_else(|| NotAnEventId(text.chars().take(60).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_was_written() {
        let text = EventId::at(7).after("Grüße, ").after("Ada");
        for id in [EventId::START, EventId::at(7), text] {
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for wrong in
            ["", "x", "1.", "1.2", "1.2.3", "-1", "1.2.00000000000000000", "1.2.0000000000000000.4", "+1"]
        {
            assert!(wrong.parse::<EventId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_beginning_of_an_answer_counts_as_heard() {
        let id = EventId::at(3).after("Grü").after("ße");
        assert_eq!(id.unheard("Grüße, Ada"), Some(", Ada"));
        assert_eq!(id.unheard("Grüße"), Some(""));
        assert_eq!(id.unheard("Großes"), None);
        assert_eq!(id.unheard("Gr"), None);
        assert_eq!(EventId::at(3).after("Gr").unheard("Größe"), Some("öße"));
    }
}
