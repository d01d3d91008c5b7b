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

/// How many bytes are counted at once.
const BLOCK: usize = 64;

/// Converts between bytes and characters of one text. A table of all characters would cost more than the few that are
/// asked for.
#[derive(Debug)]
pub struct Offsets<'t> {
    text: &'t str,
    /// How many characters begin before each block of bytes; empty when every character is one byte.
    blocks: Vec<usize>,
    count: usize,
}

impl<'t> Offsets<'t> {
    /// Reads the text once.
    pub fn new(text: &'t str) -> Self {
        if text.is_ascii() {
            return Self { text, blocks: Vec::new(), count: text.len() };
        }
        let mut count = 0;
        let blocks: Vec<usize> = text
            .as_bytes()
            .chunks(BLOCK)
            .map(|block| {
                let before = count;
                count += block.iter().filter(|byte| begins_character(**byte)).count();
                before
            })
            .collect();
        Self { text, blocks, count }
    }

    /// The byte at which a character begins; the end of the text for any after the last.
    pub fn byte(&self, character: usize) -> usize {
        if character >= self.count {
            return self.text.len();
        }
        if self.blocks.is_empty() {
            return character;
        }
        let block = self.blocks.partition_point(|before| *before <= character).saturating_sub(1);
        let before = self.blocks.get(block).copied().unwrap_or_default();
        let bytes = self.text.as_bytes().iter().enumerate().skip(block * BLOCK);
        let mut starts = bytes.filter(|(_, byte)| begins_character(**byte)).skip(character - before);
        starts.next().map_or(self.text.len(), |(at, _)| at)
    }

    /// The character that begins at, or contains, a byte; the number of characters for any after the last.
    pub fn character(&self, byte: usize) -> usize {
        if byte >= self.text.len() {
            return self.count;
        }
        let Some(before) = self.blocks.get(byte / BLOCK) else { return byte };
        let block = self.text.as_bytes().get(byte / BLOCK * BLOCK..=byte).unwrap_or_default();
        (before + block.iter().filter(|byte| begins_character(**byte)).count()).saturating_sub(1)
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

fn begins_character(byte: u8) -> bool {
    byte & 0xC0 != 0x80
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
