//! Keeps what a candidate said in confidence out of the report.

use tata_document::Talk;

use crate::withheld::Sieve;

/// Blanks remarks in confidence in a transcript that was read. Who speaks and when stays as it is.
pub(super) fn sift(text: &mut String, transcript: &Talk, sieve: &mut Sieve<'_>) {
    let mut spoken = transcript.utterances.iter().peekable();
    // Names and times are no part of a sentence: only what was said is searched, at its own place.
    let said: String = text
        .chars()
        .enumerate()
        .map(|(at, letter)| {
            while spoken.next_if(|utterance| utterance.end <= at).is_some() {}
            let inside = spoken.peek().is_some_and(|utterance| utterance.start <= at);
            if inside || letter == '\n' { letter } else { ' ' }
        })
        .collect();
    sieve.confided(text, &said);
}
