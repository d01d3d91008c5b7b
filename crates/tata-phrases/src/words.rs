//! The words of a text, made comparable, and the characters they came from.

use std::{borrow::Cow, str::Chars};

use unicode_normalization::UnicodeNormalization;

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word<'a> {
    /// In lower case and composed, without soft hyphens, apostrophes straightened. Most words are written so already.
    pub text: Cow<'a, str>,
    /// The first character.
    pub start: usize,
    /// The character after the last.
    pub end: usize,
    /// What stands between the word before and this one.
    pub gap: Gap,
    /// How it begins and goes on.
    pub case: Case,
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

/// All words of a text.
pub fn spelled(text: &str) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    spell(text, &mut words);
    words
}

/// The same for a text that is there in lower case too, see [`lowered`]: no word needs room of its own.
pub fn spelled_from<'a>(text: &'a str, lower: &'a str) -> Vec<Word<'a>> {
    let mut words = Vec::new();
    spell_from(text, lower, &mut words);
    words
}

/// Adds all words of a text to others.
pub fn spell<'a>(text: &'a str, words: &mut Vec<Word<'a>>) {
    spell_from(text, "", words);
}

/// A text with small letters for the capitals of ASCII and Latin 1; each stands where its capital stood.
pub fn lowered(text: &str) -> String {
    let mut bytes = text.as_bytes().to_ascii_lowercase();
    if !text.is_ascii() {
        let mut before = 0;
        for byte in &mut bytes {
            // À to Þ, without the sign × among them.
            let capital = before == 0xC3 && matches!(byte, 0x80..=0x9E) && *byte != 0x97;
            before = *byte;
            *byte += u8::from(capital) << 5;
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

fn spell_from<'a>(text: &'a str, lower: &'a str, words: &mut Vec<Word<'a>>) {
    // Words and what parts them are six letters or more on average, in all five languages.
    words.reserve(text.len() / 6 + 1);
    let mut gap = Gaps::default();
    let bytes = text.as_bytes();
    let (mut at, mut start) = (0, 0);
    while let Some(first) = bytes.get(at) {
        if *first == b' ' {
            gap.gap = gap.gap.max(Gap::Blank);
            (at, start) = (at + 1, start + 1);
            continue;
        }
        if first.is_ascii() && CLASSES[usize::from(*first)] == 0 {
            gap.take(char::from(*first));
            (at, start) = (at + 1, start + 1);
            continue;
        }
        let Plain { length, wide, capitals } = Plain::of(bytes.get(at..).unwrap_or_default());
        let ends = bytes.get(at + length).is_none_or(|next| matches!(next, 1..=127) && *next != b'\'');
        if length > 0 && ends {
            let plain = text.get(at..at + length).unwrap_or_default();
            let end = start + length - wide;
            let (text, case) = match capitals.then(|| lower.get(at..at + length)).flatten() {
                Some(lower) => (Cow::Borrowed(lower), case(plain)),
                None if capitals => (Cow::Owned(fold(plain)), case(plain)),
                None => (Cow::Borrowed(plain), Case::Lower),
            };
            words.push(Word { text, start, end, gap: gap.end(), case });
            (at, start) = (at + length, end);
            continue;
        }
        let mut rest = text.get(at..).unwrap_or_default().chars();
        match word(rest.clone()) {
            Some(found) => {
                let end = start + found.characters;
                words.push(Word {
                    case: case(&found.letters),
                    text: Cow::Owned(fold(&found.letters)),
                    start,
                    end,
                    gap: gap.end(),
                });
                (at, start) = (at + found.bytes, end);
            }
            None => {
                if let Some(letter) = rest.next() {
                    gap.take(letter);
                    (at, start) = (at + letter.len_utf8(), start + 1);
                }
            }
        }
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

/// A word as it stands.
struct Raw {
    /// Without what nobody sees.
    letters: String,
    /// To the end of its last letter.
    characters: usize,
    bytes: usize,
}

/// The word that some letters begin with, if they do.
fn word(letters: Chars<'_>) -> Option<Raw> {
    let mut letters = letters.peekable();
    let first = letters.next_if(|letter| is_letter(*letter))?;
    let mut raw = String::with_capacity(24);
    raw.push(first);
    let mut word = Raw { letters: raw, characters: 1, bytes: first.len_utf8() };
    let (mut characters, mut bytes) = (word.characters, word.bytes);
    while let Some(next) = letters.next() {
        characters += 1;
        bytes += next.len_utf8();
        if is_letter(next) || is_mark(next) {
            word.letters.push(next);
            (word.characters, word.bytes) = (characters, bytes);
        } else if is_apostrophe(next) {
            // An apostrophe belongs to the word only if it goes on.
            if !letters.peek().is_some_and(|after| is_letter(*after)) {
                break;
            }
            word.letters.push('\'');
        } else if !is_invisible(next) {
            break;
        }
    }
    Some(word)
}

/// A word made comparable.
fn fold(word: &str) -> String {
    if word.is_ascii() {
        word.to_ascii_lowercase()
    } else if word.chars().all(|letter| letter <= '\u{FF}') {
        // Such letters are composed already, and each has one small letter at most.
        word.chars().flat_map(char::to_lowercase).collect()
    } else {
        word.nfc().flat_map(char::to_lowercase).nfc().collect()
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

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric()
}

fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}')
}

fn is_apostrophe(letter: char) -> bool {
    matches!(letter, '\'' | '\u{2019}' | '\u{2BC}')
}

fn is_quote(letter: char) -> bool {
    matches!(letter, '"' | '\'' | '\u{AB}' | '\u{BB}' | '\u{2018}'..='\u{201F}' | '\u{2039}' | '\u{203A}')
}

/// Characters that nobody sees and that part no word.
pub fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\0' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
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
}
