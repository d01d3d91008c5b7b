//! An answer as runs of digits, words and single marks. Dates and times need the digits apart, which the tokenizer of
//! running text keeps together.

use tata_phrases::folded;

/// An answer that is read as a value has no more characters.
const LONGEST: usize = 200;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Digits,
    Word,
    Mark,
}

/// A piece of an answer, in small letters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) shape: Shape,
    /// Whether no blank stands before it.
    pub(crate) glued: bool,
    /// Where it begins and ends, in letters of the folded text.
    pub(crate) start: usize,
    pub(crate) end: usize,
}

impl Piece {
    /// Whether it is this mark.
    pub(crate) fn is(&self, mark: char) -> bool {
        self.shape == Shape::Mark && self.text.chars().eq([mark])
    }

    /// The number of its digits.
    pub(crate) fn number(&self) -> Option<u64> {
        (self.shape == Shape::Digits).then(|| self.text.parse().ok()).flatten()
    }
}

/// The pieces of an answer; none if it is far too long to be a value.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    if text.chars().count() > LONGEST {
        return Vec::new();
    }
    let mut found: Vec<Piece> = Vec::new();
    let mut glued = false;
    for (at, letter) in folded(text.trim()).chars().enumerate() {
        if letter.is_whitespace() {
            glued = false;
            continue;
        }
        let shape = if letter.is_ascii_digit() {
            Shape::Digits
        } else if letter.is_alphanumeric() || letter == '\'' {
            Shape::Word
        } else {
            Shape::Mark
        };
        match found.last_mut().filter(|last| glued && last.shape == shape && shape != Shape::Mark) {
            Some(last) => {
                last.text.push(letter);
                last.end = at + 1;
            }
            None => found.push(Piece { text: letter.to_string(), shape, glued, start: at, end: at + 1 }),
        }
        glued = true;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_words_and_marks_come_apart() {
        let texts: Vec<String> =
            pieces("Kl 14.30, o’clock 45k").into_iter().map(|piece| piece.text).collect();
        assert_eq!(texts, ["kl", "14", ".", "30", ",", "o'clock", "45", "k"]);
        assert!(pieces(&"9".repeat(LONGEST + 1)).is_empty());
    }
}
