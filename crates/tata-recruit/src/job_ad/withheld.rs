//! Keeps what must not pass out of an ad.

use super::JobAdInput;
use crate::{Profile, Refusal, Source, Sources, withheld::Sieve};

/// Blanks the texts that came with the call, and refuses what was written for the ad and must not pass.
pub(super) fn sift(input: &mut JobAdInput, profile: &Profile, sieve: &mut Sieve<'_>) -> Result<(), Refusal> {
    sieve.again(&mut input.startup_notes, profile.sources.get(Source::StartupNotes));
    sieve.again(&mut input.old_job_ad, profile.sources.get(Source::OldJobAd));
    sieve.optional(&mut input.company_context);
    let mut refusal = Refusal::default();
    // Prose may not say it even where a source has the same words elsewhere.
    let kept = Sources::default();
    let mut check = |field: &str, text: &str| sieve.statement(field, text, &kept, &mut refusal);
    for fact in &input.approved_company_facts {
        check("approved_company_facts", &fact.text);
    }
    for step in &input.process_steps {
        check("process_steps", step);
    }
    if let Some(text) = &input.contract_type {
        check("contract_type", text);
    }
    if let Some(text) = &input.work_place {
        check("work_place", text);
    }
    for section in &input.sections {
        let field = format!("sections.{}", section.name.name());
        std::iter::once(&section.text).chain(&section.points).for_each(|text| check(&field, text));
    }
    for text in &input.alternative_headlines {
        check("alternative_headlines", text);
    }
    for text in &input.alternative_intros {
        check("alternative_intros", text);
    }
    refusal.or_ok()
}
