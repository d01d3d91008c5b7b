//! Keeps what must not pass out of messages.

use super::{HeadhuntingInput, Reasons, value_field};
use crate::{Refusal, Sources, withheld::Sieve};

/// Blanks what was said about the company, and refuses texts that must not pass.
pub(super) fn sift(input: &mut HeadhuntingInput, sieve: &mut Sieve<'_>) -> Result<(), Refusal> {
    sieve.optional(&mut input.company_context);
    let mut refusal = Refusal::default();
    let kept = Sources::default();
    for one in &input.messages {
        sieve.statement(&one.version.field(one.voice), &one.text, &kept, &mut refusal);
    }
    for (voice, text) in input.value_propositions.iter().flat_map(Reasons::by_voice) {
        sieve.statement(&value_field(voice), text, &kept, &mut refusal);
    }
    refusal.or_ok()
}
