//! Words of the one scanner (`tata_phrases`), and the numbers, marks and line ends between them.

use std::borrow::Cow;

use tata_phrases::{first_word, is_invisible};

use crate::spans::Span;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Letters, perhaps with digits after them: "nurse", "C++", "B2".
    Word,
    /// Digits with their separators: "31 000", "12.80".
    Number,
    /// Any other visible character.
    Mark(char),
    /// The end of a line.
    Line,
}

/// A word, a number or a mark, with its place.
#[derive(Clone, Debug)]
pub struct Token<'t> {
    /// As it stands.
    pub text: &'t str,
    /// Its normalised form.
    pub norm: Cow<'t, str>,
    /// What it is.
    pub kind: Kind,
    /// Its first byte.
    pub byte: usize,
    /// Its characters.
    pub span: Span,
    /// Whether nothing stands between it and the token before.
    pub joined: bool,
}

impl Token<'_> {
    /// Whether it begins with a capital letter.
    pub fn capital(&self) -> bool {
        self.text.chars().next().is_some_and(char::is_uppercase)
    }

    /// Whether it is this mark.
    pub fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// Cuts a text into tokens. White space is no token, the end of a line is.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut reader = Reader { text, byte: 0, character: 0 };
    let mut found = Vec::with_capacity(text.len() / 5);
    let mut joined = false;
    while let Some(c) = reader.peek() {
        let (byte, start) = (reader.byte, reader.character);
        if c != '\n' && (c.is_whitespace() || is_invisible(c)) {
            reader.skip(c);
            joined = false;
            continue;
        }
        let (kind, word) = if c == '\n' {
            reader.skip(c);
            (Kind::Line, None)
        } else if c.is_ascii_digit() {
            reader.number();
            (Kind::Number, None)
        } else if let Some(word) = reader.word() {
            (Kind::Word, Some(word))
        } else {
            reader.skip(c);
            (Kind::Mark(plain(c)), None)
        };
        let piece = text.get(byte..reader.byte).unwrap_or_default();
        let norm = word.unwrap_or(Cow::Borrowed(piece));
        found.push(Token { text: piece, norm, kind, byte, span: Span::new(start, reader.character), joined });
        joined = true;
    }
    found
}

/// Quotes, dashes and blanks each in one form.
fn plain(c: char) -> char {
    match c {
        '’' | '‘' | '‛' | '´' | '`' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        '‐'..='―' | '−' => '-',
        '•' | '◦' | '▪' | '·' | '‣' | '●' => '•',
        _ => c,
    }
}

struct Reader<'t> {
    text: &'t str,
    byte: usize,
    character: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.byte..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        match self.text.as_bytes().get(self.byte) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) => self.rest().chars().next(),
            None => None,
        }
    }

    fn skip(&mut self, c: char) {
        self.byte += c.len_utf8();
        self.character += 1;
    }

    /// A word, and "+" and "#" at its end.
    fn word(&mut self) -> Option<Cow<'t, str>> {
        let word = first_word(self.rest())?;
        self.byte += word.bytes as usize;
        self.character += word.end;
        let signs = self.run(|byte| matches!(byte, b'+' | b'#'));
        if signs == 0 {
            return Some(word.text);
        }
        let signs = self.text.get(self.byte - signs..self.byte).unwrap_or_default();
        Some(Cow::Owned(word.text.into_owned() + signs))
    }

    /// Digits; a separator belongs to them when digits follow, a blank only before a group of three.
    fn number(&mut self) {
        let mut group = self.run(u8::is_ascii_digit);
        let zero = self.text.as_bytes().get(self.byte - group) == Some(&b'0');
        let mut spaced = group <= 3 && !zero;
        while let Some(c) = self.peek() {
            let after = self.text.get(self.byte + c.len_utf8()..).unwrap_or_default();
            let next = after.bytes().take_while(u8::is_ascii_digit).count();
            let blank = matches!(c, ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
            let takes = match c {
                '.' | ',' | ':' => next > 0,
                '\'' | '’' => next == 3,
                _ => blank && next == 3 && spaced,
            };
            if !takes {
                break;
            }
            self.skip(c);
            group = self.run(u8::is_ascii_digit);
            spaced = spaced && group == 3;
        }
    }

    /// Takes all letters of a kind that follow, one byte each, and counts them.
    fn run(&mut self, is: impl Fn(&u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(self.byte..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| is(byte)).count();
        self.byte += count;
        self.character += count;
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_numbers_and_marks() {
        assert_eq!(texts("C++, C# and B2-level"), ["C++", ",", "C#", "and", "B2", "-", "level"]);
        assert_eq!(texts("31 000–35 000 kr."), ["31 000", "–", "35 000", "kr", "."]);
        assert_eq!(texts("070-123 45 67"), ["070", "-", "123", "45", "67"]);
        assert_eq!(texts("6.30 don’t 5.–7."), ["6.30", "don’t", "5", ".", "–", "7", "."]);
    }

    #[test]
    fn places_are_characters() {
        let found = tokens("Så är\n😀 det");
        assert_eq!(found.iter().map(|token| token.span.start).collect::<Vec<_>>(), [0, 3, 5, 6, 8]);
    }
}
