//! What a candidate takes back in the answer itself: "Three months. No, sorry, two." The last word counts.

use super::{
    artifact::Quote,
    exchange::may_quote,
    lexicon::lists,
    speech::{Sentence, Speech},
};

/// What counts after a candidate corrected an answer.
pub(super) struct Correction {
    /// The words that count.
    pub(super) quote: Quote,
    /// The value differs from the one before: who hesitates and comes back to it has taken nothing back.
    pub(super) changes: bool,
}

/// What takes back a sentence later in the same answer: "Three months. No, sorry, two. I checked the contract, it is two
/// full months." The last of it counts.
pub(super) fn correction(
    speech: &Speech,
    at: usize,
    says: fn(&Sentence, bool) -> bool,
) -> Option<Correction> {
    let before = speech.sentences.get(at)?;
    let rest = speech.rest_of_turn(at);
    let corrects = |sentence: &Sentence| speech.corrects(sentence) && has_value(sentence);
    let first = rest.iter().position(corrects)?;
    let corrected = rest.get(first..)?;
    let more = corrected.iter().skip(1).take_while(|sentence| says(sentence, true) || corrects(sentence));
    let all = corrected.get(..=more.count())?;
    if !all.iter().all(may_quote) {
        return None;
    }
    let last = all.last()?;
    let changes = changes(before, last);
    let quote = if changes { speech.quote_between(counting(speech, all)?, last) } else { speech.quote(last) };
    Some(Correction { quote, changes })
}

/// The sentence from which on the words count: after one that ends by taking itself back, else the last that corrects.
fn counting<'a>(speech: &Speech, all: &'a [Sentence]) -> Option<&'a Sentence> {
    let taken_back = all.iter().rposition(|sentence| speech.takes_itself_back(sentence));
    let after = taken_back.and_then(|at| all.get(at + 1));
    after.or_else(|| all.iter().rfind(|sentence| speech.corrects(sentence) && has_value(sentence)))
}

fn has_value(sentence: &Sentence) -> bool {
    sentence.number || sentence.cues.has(lists::PERIOD)
}

/// Whether a sentence has a value that the one before it lacked.
pub(super) fn changes(before: &Sentence, after: &Sentence) -> bool {
    let known = before.values();
    after.values().iter().any(|value| !known.contains(value))
}
