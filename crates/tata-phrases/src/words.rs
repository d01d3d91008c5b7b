//! The words of a text, made comparable, and the characters they came from.

use std::borrow::Cow;

use crate::{
    fold::{folded, is_invisible},
    rows::number,
};

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// In lower case and composed, without soft hyphens, apostrophes straightened. Most words are written so already.
    pub text: Cow<'a, str>,
    /// Its first byte.
    pub byte: u32,
    /// How many bytes it has.
    pub bytes: u32,
    /// The first character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// What stands between the word before and this one.
    pub gap: Gap,
    /// How it begins and goes on.
    pub case: Case,
}

impl Word<'_> {
    /// As it stands in its text.
    pub fn written<'t>(&self, text: &'t str) -> &'t str {
        let from = self.byte as usize;
        text.get(from..from + self.bytes as usize).unwrap_or_default()
    }

    /// The same without its text.
    pub fn into_owned(self) -> Word<'static> {
        Word { text: Cow::Owned(self.text.into_owned()), ..self }
    }
}

/// What stands before a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gap {
    /// Hyphens and underscores only.
    Hyphen,
    /// Blanks, quotation marks, a comma, a single line break.
    Blank,
    /// A colon: what follows may be a sentence of its own.
    Colon,
    /// The end of a sentence.
    Sentence,
    /// The beginning of the text, of a paragraph or of a point in a list.
    Paragraph,
}

/// The letter case of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// The first letter is small.
    Lower,
    /// The first letter is a capital, and not all are.
    Capital,
    /// Two or more letters, all capitals.
    Upper,
}

/// What belongs to a word besides letters and digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Apostrophes: "don't".
    #[default]
    Prose,
    /// These, and `+` and `#`: "C++", "C#".
    Signs,
    /// These signs, and the dot of ".NET"; apostrophes part words.
    Parts,
}

/// All words of a text.
pub fn spelled(text: &str) -> Vec<Word<'_>> {
    spelled_as(text, Style::Prose)
}

/// All words of a text in a style.
pub fn spelled_as(text: &str, style: Style) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    Scanner { text, style }.spell(&mut words);
    words
}

/// Adds all words of a text to others.
pub fn spell<'a>(text: &'a str, words: &mut Vec<Word<'a>>) {
    Scanner { text, style: Style::Prose }.spell(words);
}

/// The word that a text begins with, if it does.
pub fn first_word(text: &str) -> Option<Word<'_>> {
    Scanner { text, style: Style::Prose }.word(0, 0)
}

/// The runs of letters and digits in a text, whatever parts them.
pub fn runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|run| !run.is_empty())
}

/// Where words stand in a text as they are, not as a part of longer ones: the first byte of each place.
pub fn whole_words<'t>(text: &'t str, words: &'t str) -> impl Iterator<Item = usize> + 't {
    let places = text.match_indices(words).filter(|_| !words.is_empty()).map(|(at, _)| at);
    places.filter(|at| {
        let (before, after) = (text.get(..*at), text.get(at + words.len()..));
        !before.is_some_and(|before| before.ends_with(char::is_alphanumeric))
            && !after.is_some_and(|after| after.starts_with(char::is_alphanumeric))
    })
}

/// Reads words.
struct Scanner<'a> {
    text: &'a str,
    style: Style,
}

impl<'a> Scanner<'a> {
    fn spell(&self, words: &mut Vec<Word<'a>>) {
        // Words and what parts them are six letters or more on average, in all five languages.
        words.reserve(self.text.len() / 6 + 1);
        let mut gap = Gaps::default();
        let bytes = self.text.as_bytes();
        let (mut at, mut start) = (0, 0);
        while let Some(first) = bytes.get(at) {
            if *first == b' ' {
                gap.gap = gap.gap.max(Gap::Blank);
                (at, start) = (at + 1, start + 1);
            } else if first.is_ascii() && CLASSES[usize::from(*first)] == 0 && !self.is_dotted(at) {
                gap.take(char::from(*first));
                (at, start) = (at + 1, start + 1);
            } else if let Some(mut word) = self.word(at, start) {
                (at, start) = (at + word.bytes as usize, word.end);
                word.gap = gap.end();
                words.push(word);
            } else if let Some(letter) = self.text.get(at..).and_then(|rest| rest.chars().next()) {
                gap.take(letter);
                (at, start) = (at + letter.len_utf8(), start + 1);
            } else {
                return;
            }
        }
    }

    /// The word at a byte, which is so many characters from the beginning.
    #[expect(clippy::inline_always, reason = "a word is written where it is read: a third of the time")]
    #[inline(always)]
    fn word(&self, at: usize, start: usize) -> Option<Word<'a>> {
        let bytes = self.text.as_bytes();
        let Plain { length, wide, capitals } = Plain::of(bytes.get(at..).unwrap_or_default());
        let next = bytes.get(at + length);
        if length == 0 || next.is_some_and(|next| !matches!(next, 1..=127) || self.joins(char::from(*next))) {
            return self.rare_word(at, start);
        }
        let written = self.text.get(at..at + length)?;
        let (text, case) = if capitals {
            // These letters are composed, so nothing else is to be folded.
            (Cow::Owned(written.to_lowercase()), case(written))
        } else {
            (Cow::Borrowed(written), Case::Lower)
        };
        let end = start + length - wide;
        let (byte, bytes) = (number(at), number(length));
        Some(Word { text, byte, bytes, start, end, gap: Gap::Paragraph, case })
    }

    /// The same for any letters and signs.
    fn rare_word(&self, at: usize, start: usize) -> Option<Word<'a>> {
        let rest = self.text.get(at..)?;
        let mut letters = rest.chars().peekable();
        let first = letters.next_if(|letter| letter.is_alphanumeric() || self.is_dotted(at))?;
        let mut kept = String::with_capacity(24);
        kept.push(first);
        let (mut characters, mut length) = (1, first.len_utf8());
        let (mut end, mut bytes) = (characters, length);
        while let Some(next) = letters.next() {
            (characters, length) = (characters + 1, length + next.len_utf8());
            let sign = matches!(next, '+' | '#') && self.joins(next);
            if next.is_alphanumeric() || is_mark(next) || sign {
                kept.push(next);
                (end, bytes) = (characters, length);
            } else if self.joins(next) {
                // An apostrophe belongs to the word only if it goes on.
                if !letters.peek().is_some_and(|after| after.is_alphanumeric()) {
                    break;
                }
                kept.push('\'');
            } else if !is_invisible(next) {
                break;
            }
        }
        let (byte, bytes, case) = (number(at), number(bytes), case(&kept));
        let text = Cow::Owned(folded(&kept).into_owned());
        Some(Word { text, byte, bytes, start, end: start + end, gap: Gap::Paragraph, case })
    }

    /// Whether a sign belongs to the word before it, if this goes on.
    #[inline]
    fn joins(&self, letter: char) -> bool {
        match letter {
            '\'' | '\u{2019}' | '\u{2BC}' => self.style != Style::Parts,
            '+' | '#' => self.style != Style::Prose,
            _ => false,
        }
    }

    /// Whether the dot of ".NET" stands here.
    fn is_dotted(&self, at: usize) -> bool {
        self.style == Style::Parts && matches!(self.text.as_bytes().get(at..at + 4), Some(b".NET" | b".net"))
    }
}

/// The letters and digits of ASCII and Latin 1 that a text begins with: nearly all words are made of them alone.
struct Plain {
    /// Their bytes.
    length: usize,
    /// How many of them are two bytes.
    wide: usize,
    /// Whether there are capitals.
    capitals: bool,
}

/// What a byte of ASCII is in a word: nothing, a small letter or digit, a capital.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0_u8;
    while byte.is_ascii() {
        classes[byte as usize] = byte.is_ascii_alphanumeric() as u8 + byte.is_ascii_uppercase() as u8;
        byte += 1;
    }
    classes
};
const CAPITAL: u8 = 2;

impl Plain {
    fn of(bytes: &[u8]) -> Self {
        let (mut length, mut wide, mut classes) = (0, 0, 0);
        while let Some(byte) = bytes.get(length) {
            let class = CLASSES[usize::from(*byte)];
            if class > 0 {
                classes |= class;
                length += 1;
                continue;
            }
            // À to ÿ, without the signs × and ÷ among them.
            match bytes.get(length + 1).filter(|second| *byte == 0xC3 && !matches!(second, 0x97 | 0xB7)) {
                Some(second) => {
                    classes |= if *second < 0x9F { CAPITAL } else { 0 };
                    length += 2;
                    wide += 1;
                }
                None => break,
            }
        }
        Self { length, wide, capitals: classes & CAPITAL != 0 }
    }
}

/// What stands between two words, as it is read.
struct Gaps {
    gap: Gap,
    line_ended: bool,
}

impl Default for Gaps {
    fn default() -> Self {
        Self { gap: Gap::Paragraph, line_ended: false }
    }
}

impl Gaps {
    fn take(&mut self, letter: char) {
        if letter == ' ' {
            self.gap = self.gap.max(Gap::Blank);
            return;
        }
        if is_invisible(letter) {
            return;
        }
        let found = match letter {
            '\n' | '\u{85}' | '\u{2028}' | '\u{0B}' | '\u{0C}' if self.line_ended => Gap::Paragraph,
            '\n' | '\u{85}' | '\u{2028}' | '\u{0B}' | '\u{0C}' => {
                self.line_ended = true;
                Gap::Blank
            }
            '\u{2029}' | '|' | '•' => Gap::Paragraph,
            '.' | '!' | '?' | '…' | ';' => Gap::Sentence,
            ':' | '(' | ')' | '[' | ']' | '{' | '}' => Gap::Colon,
            '-' | '_' | '\u{2010}' | '\u{2011}' if !self.line_ended => Gap::Hyphen,
            blank if blank.is_whitespace() => Gap::Blank,
            quote if is_quote(quote) => Gap::Blank,
            // Anything else at the beginning of a line marks a point in a list.
            _ if self.line_ended => Gap::Paragraph,
            _ => Gap::Blank,
        };
        self.gap = self.gap.max(found);
    }

    /// What it was; the next word begins with nothing between.
    fn end(&mut self) -> Gap {
        self.line_ended = false;
        std::mem::replace(&mut self.gap, Gap::Hyphen)
    }
}

fn case(word: &str) -> Case {
    let mut letters = word.chars().filter(|letter| letter.is_alphabetic());
    match letters.next() {
        Some(first) if first.is_uppercase() => {
            let mut rest = letters.peekable();
            if rest.peek().is_some() && rest.all(char::is_uppercase) { Case::Upper } else { Case::Capital }
        }
        Some(_) | None => Case::Lower,
    }
}

/// Whether a character is an accent of the letter before.
pub fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}')
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '\u{AB}' | '\u{BB}' | '\u{2018}'..='\u{201F}' | '\u{2039}' | '\u{203A}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_characters_and_what_parts_them() {
        let check = |text: &str, expected: &[(&str, Gap)]| {
            let words = spelled(text);
            let found: Vec<(&str, Gap)> = words.iter().map(|word| (&*word.text, word.gap)).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("Rock\u{AD}stars", &[("rockstars", Gap::Paragraph)]);
        check("game-changer", &[("game", Gap::Paragraph), ("changer", Gap::Hyphen)]);
        check("young. Team", &[("young", Gap::Paragraph), ("team", Gap::Sentence)]);
        check(
            "a\nb\n\nc\n* d",
            &[("a", Gap::Paragraph), ("b", Gap::Blank), ("c", Gap::Paragraph), ("d", Gap::Paragraph)],
        );
        check("what’s ‘it’", &[("what's", Gap::Paragraph), ("it", Gap::Blank)]);
        check("Cafe\u{301} x", &[("café", Gap::Paragraph), ("x", Gap::Blank)]);
        check(
            "rock\0star' ÅR it\u{2019}s\u{AD}!",
            &[("rockstar", Gap::Paragraph), ("år", Gap::Blank), ("it's", Gap::Blank)],
        );
    }

    #[test]
    fn spans_are_characters() {
        let words = spelled("Ä ö\u{AD}b");
        assert_eq!((words[1].start, words[1].end, &*words[1].text), (2, 5, "öb"));
    }

    #[test]
    fn styles_keep_their_signs() {
        let check = |text: &str, style: Style, expected: &[&str]| {
            let words = spelled_as(text, style);
            assert_eq!(words.iter().map(|word| word.written(text)).collect::<Vec<_>>(), expected, "{text:?}");
            let lower: Vec<String> =
                expected.iter().map(|word| word.to_lowercase().replace('’', "'")).collect();
            assert_eq!(words.iter().map(|word| &*word.text).collect::<Vec<_>>(), lower, "{text:?}");
        };
        check("C++, C# don’t", Style::Prose, &["C", "C", "don’t"]);
        check("C++, C# don’t", Style::Signs, &["C++", "C#", "don’t"]);
        check("C++, C# don’t", Style::Parts, &["C++", "C#", "don", "t"]);
        check("+C ASP.NET .net", Style::Parts, &["C", "ASP", ".NET", ".net"]);
        check("+C ASP.NET", Style::Signs, &["C", "ASP", "NET"]);
    }

    #[test]
    fn a_text_begins_with_a_word_or_not() {
        let first =
            |text| first_word(text).map(|word| (word.text.clone().into_owned(), word.bytes, word.end));
        assert_eq!(first("O\u{fb03}ce’s, x"), Some(("office's".to_owned(), 10, 6)));
        assert_eq!(first(" x"), None);
        assert_eq!(runs("a-b, c'd 1.5").collect::<Vec<_>>(), ["a", "b", "c", "d", "1", "5"]);
    }
}
