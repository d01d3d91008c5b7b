//! Which of the five languages a text is in, by its most frequent words.

use crate::Language;

/// A guess.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Identified {
    /// The language.
    pub language: Language,
    /// How sure: 0 to 1.
    pub confidence: f32,
}

/// Which language a text is in; nothing when it is too short to tell.
pub fn identify(text: &str) -> Option<Identified> {
    let _ = text;
    None
}
