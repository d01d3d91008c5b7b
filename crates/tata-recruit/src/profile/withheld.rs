//! Keeps what must not pass out of a profile: what was said in confidence, and unlawful wishes.

use super::{
    artifact::Profile,
    input::{ListEdit, ProfileEdit, ProfileInput},
    lists::{List, named},
};
use crate::{
    Evidence, Item, Refusal, Source, Sources,
    withheld::{Sieve, Withheld, blanked, find, overlaps},
};

/// Blanks the sources of a new profile, and refuses statements that must not pass.
pub(super) fn sift(input: &mut ProfileInput, sieve: &mut Sieve<'_>) -> Result<(), Refusal> {
    sieve.text(&mut input.startup_notes);
    for text in [&mut input.hiring_manager_input, &mut input.old_job_ad, &mut input.recruiter_input] {
        sieve.optional(text);
    }
    let kept = input.sources();
    let mut refusal = Refusal::default();
    let mut check = |field: String, text: &str| sieve.statement(&field, text, &kept, &mut refusal);
    for (list, said) in named(input.lists()) {
        let said = said.into_iter().flatten().enumerate();
        said.for_each(|(at, said)| check(format!("/{}/{at}", list.name), &said.text));
    }
    for (field, at, text) in input.enrichments.statements() {
        let at = at.map_or_else(String::new, |at| format!("/{at}"));
        check(format!("/enrichments/{field}{at}"), text);
    }
    refusal.or_ok()
}

/// The same for a change of a profile.
pub(super) fn sift_edit(
    input: &mut ProfileEdit,
    kept: &Sources,
    sieve: &mut Sieve<'_>,
) -> Result<(), Refusal> {
    sieve.optional(&mut input.recruiter_input);
    let mut kept = kept.clone();
    if let Some(words) = &input.recruiter_input {
        kept.extend(Source::RecruiterInput, words);
    }
    let mut refusal = Refusal::default();
    let mut check = |field: String, text: &str| sieve.statement(&field, text, &kept, &mut refusal);
    for (List { name, .. }, ListEdit { add, replace, .. }) in named(input.lists()) {
        for text in add {
            check(format!("/{name}/add"), text);
        }
        for swap in replace {
            check(format!("/{name}/replace"), &swap.new);
        }
    }
    for (field, text) in input.singles() {
        check(format!("/{field}"), text);
    }
    refusal.or_ok()
}

/// A profile without what must not pass: one that was stored by an earlier version may still have it.
pub(crate) fn cleaned(mut profile: Profile) -> Profile {
    let language = profile.written_in();
    let found: Vec<(Source, Vec<Withheld>)> =
        profile.sources.iter().map(|(source, text)| (source, find(text, language))).collect();
    if found.iter().all(|(_, withheld)| withheld.is_empty()) {
        return profile;
    }
    profile.sources = found.iter().fold(Sources::default(), |kept, (source, withheld)| {
        let text = profile.sources.get(*source).unwrap_or_default();
        kept.with(*source, Some(&blanked(text, withheld)))
    });
    let passes =
        |evidence: &Evidence| !found.iter().any(|(source, spans)| overlaps(evidence, *source, spans));
    for items in profile.lists_mut() {
        items.retain(|item| passes(&item.evidence));
    }
    for item in profile.singles_mut() {
        *item = item.take().filter(|item: &Item| passes(&item.evidence));
    }
    let team = &mut profile.team_info;
    team.size = team.size.take().filter(|size| passes(&size.evidence));
    profile.pay_range = profile.pay_range.take().filter(|pay| passes(&pay.evidence));
    if let Some(pay) = &mut profile.pay_range {
        pay.beside.retain(|text| find(text, language).is_empty());
    }
    profile
}
