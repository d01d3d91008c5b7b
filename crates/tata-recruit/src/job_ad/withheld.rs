//! Keeps what must not pass out of an ad.

use std::slice::from_ref;

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
    let mut check = |field: &str, texts: &[String]| {
        for text in texts {
            sieve.statement(field, text, &kept, &mut refusal);
        }
    };
    for fact in &input.approved_company_facts {
        check("approved_company_facts", from_ref(&fact.text));
    }
    if let Some(pay) = &input.pay_range {
        check("pay_range", &pay.beside);
    }
    check("process_steps", &input.process_steps);
    check("contract_type", input.contract_type.as_slice());
    check("work_place", input.work_place.as_slice());
    for section in &input.sections {
        let field = format!("sections.{}", section.name.name());
        check(&field, from_ref(&section.text));
        check(&field, &section.points);
    }
    check("alternative_headlines", &input.alternative_headlines);
    check("alternative_intros", &input.alternative_intros);
    refusal.or_ok()
}
