//! Places in a text. Everywhere else they are counted in characters; the way from and to bytes is here.

use std::ops::Range;

/// A piece of a text, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first character.
    pub start: usize,
    /// The first character after it.
    pub end: usize,
}

impl Span {
    /// From here to there.
    pub fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }
}

/// Characters between two marks of the table.
const STEP: usize = 64;

/// Converts between bytes and characters of one text, in short steps from a table.
#[derive(Debug)]
pub struct Offsets<'t> {
    text: &'t str,
    /// The byte at which each 64th character begins; empty when every character is one byte.
    marks: Vec<usize>,
    count: usize,
}

impl<'t> Offsets<'t> {
    /// Reads the text once.
    pub fn new(text: &'t str) -> Self {
        if text.is_ascii() {
            return Self { text, marks: Vec::new(), count: text.len() };
        }
        let mut marks = Vec::with_capacity(text.len() / STEP + 1);
        let mut count = 0;
        for (at, _) in text.char_indices() {
            if count % STEP == 0 {
                marks.push(at);
            }
            count += 1;
        }
        Self { text, marks, count }
    }

    /// The byte at which a character begins; the end of the text for any after the last.
    pub fn byte(&self, character: usize) -> usize {
        if character >= self.count {
            return self.text.len();
        }
        if self.marks.is_empty() {
            return character;
        }
        let mark = self.marks.get(character / STEP).copied().unwrap_or(self.text.len());
        let rest = self.text.get(mark..).unwrap_or_default();
        rest.char_indices().nth(character % STEP).map_or(self.text.len(), |(at, _)| mark + at)
    }

    /// The character that begins at, or contains, a byte; the number of characters for any after the last.
    pub fn character(&self, byte: usize) -> usize {
        if byte >= self.text.len() {
            return self.count;
        }
        if self.marks.is_empty() {
            return byte;
        }
        let block = self.marks.partition_point(|mark| *mark <= byte).saturating_sub(1);
        let mark = self.marks.get(block).copied().unwrap_or_default();
        let inside = self.text.get(mark..).unwrap_or_default().char_indices();
        block * STEP + inside.take_while(|(at, _)| mark + at <= byte).count().saturating_sub(1)
    }

    /// The bytes of a span.
    pub fn bytes(&self, span: Span) -> Range<usize> {
        let start = self.byte(span.start);
        start..self.byte(span.end).max(start)
    }

    /// The span of a range of bytes.
    pub fn span(&self, bytes: Range<usize>) -> Span {
        Span::new(self.character(bytes.start), self.character(bytes.end))
    }

    /// The words of a span.
    pub fn text(&self, span: Span) -> &'t str {
        self.text.get(self.bytes(span)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_characters_convert_both_ways() {
        let long = "Räksmörgås – ”så” 😀 ".repeat(40);
        for text in ["", "plain", "ä", long.as_str()] {
            let offsets = Offsets::new(text);
            for (character, (byte, c)) in text.char_indices().enumerate() {
                assert_eq!(offsets.byte(character), byte);
                for inside in byte..byte + c.len_utf8() {
                    assert_eq!(offsets.character(inside), character);
                }
            }
            let end = text.chars().count();
            assert_eq!((offsets.byte(end), offsets.byte(end + 9)), (text.len(), text.len()));
            assert_eq!((offsets.character(text.len()), offsets.character(text.len() + 9)), (end, end));
        }
    }
}
