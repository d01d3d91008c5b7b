//! The words that always work: `?`, skip, back, cancel, show.

use tata_language::Language;

use crate::answer::{
    by_number,
    words::{Sense, Words},
};

/// What may be said instead of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Why is this asked? About a field by its place from 0, or about the one in turn.
    Explain(Option<usize>),
    /// Leave it out: a field by its place from 0, or the one in turn.
    Skip(Option<usize>),
    /// Take the last answer back.
    Back,
    /// Leave the form.
    Cancel,
    /// Show the form.
    Show,
}

impl Command {
    /// The command that a whole message is.
    pub fn read(message: &str, language: Language, fields: usize) -> Option<Self> {
        let words = Words::of(language);
        let message = message.trim();
        let is = |sense| words.is_whole(message, sense);
        let plain = [
            (Sense::Cancel, Self::Cancel),
            (Sense::Back, Self::Back),
            (Sense::Show, Self::Show),
            (Sense::Skip, Self::Skip(None)),
            (Sense::Explain, Self::Explain(None)),
        ];
        if let Some((_, command)) = plain.into_iter().find(|(sense, _)| is(*sense)) {
            return Some(command);
        }
        // "skip 2", "? 2", "2?".
        let about = |text: &str| {
            let place = by_number(text, language)?.checked_sub(1)?;
            (place < fields).then_some(place)
        };
        if let Some(number) = message.strip_suffix('?').or_else(|| message.strip_prefix('?')) {
            return about(number).map(|place| Self::Explain(Some(place)));
        }
        let (verb, number) = message.rsplit_once(char::is_whitespace)?;
        let place = about(number)?;
        if words.is_whole(verb, Sense::Skip) {
            return Some(Self::Skip(Some(place)));
        }
        words.is_whole(verb, Sense::Explain).then_some(Self::Explain(Some(place)))
    }
}
