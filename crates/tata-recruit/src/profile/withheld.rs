//! Keeps what must not pass out of a profile: what was said in confidence, and unlawful wishes.

use super::{
    artifact::Profile,
    input::{ListEdit, ProfileEdit, ProfileInput, Said},
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
    let kept = Sources::default()
        .with(Source::StartupNotes, Some(&input.startup_notes))
        .with(Source::HiringManagerInput, input.hiring_manager_input.as_deref())
        .with(Source::OldJobAd, input.old_job_ad.as_deref())
        .with(Source::RecruiterInput, input.recruiter_input.as_deref());
    let mut refusal = Refusal::default();
    let mut check = |field: String, text: &str| sieve.statement(&field, text, &kept, &mut refusal);
    let quoted = [
        ("must_haves", &input.must_haves),
        ("responsibilities", &input.responsibilities),
        ("good_to_haves", &input.good_to_haves),
        ("soft_skills", &input.soft_skills),
        ("motivations", &input.motivations),
        ("performance_measures", &input.performance_measures),
        ("challenges", &input.challenges),
    ];
    for (field, said) in quoted {
        let said = said.iter().flatten().enumerate();
        said.for_each(|(at, Said { text, .. })| check(format!("/{field}/{at}"), text));
    }
    let wishes = &input.enrichments;
    let lists = [
        ("must_haves", &wishes.must_haves),
        ("responsibilities", &wishes.responsibilities),
        ("nice_to_haves", &wishes.nice_to_haves),
        ("soft_skills", &wishes.soft_skills),
        ("motivations", &wishes.motivations),
        ("performance_measures", &wishes.performance_measures),
        ("challenges", &wishes.challenges),
    ];
    for (field, statements) in lists {
        let statements = statements.iter().enumerate();
        statements.for_each(|(at, text)| check(format!("/enrichments/{field}/{at}"), text));
    }
    let single = [
        ("contribution_to_mission", &wishes.contribution_to_mission),
        ("business_unit", &wishes.business_unit),
        ("team/location", &wishes.team.location),
        ("team/collaboration_style", &wishes.team.collaboration_style),
        ("pay_range", &wishes.pay_range),
        ("collective_agreement", &wishes.collective_agreement),
    ];
    for (field, text) in single {
        if let Some(text) = text {
            check(format!("/enrichments/{field}"), text);
        }
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
    let lists = [
        ("must_haves", &input.must_haves),
        ("responsibilities", &input.responsibilities),
        ("good_to_haves", &input.good_to_haves),
        ("soft_skills", &input.soft_skills),
        ("motivations", &input.motivations),
        ("performance_measures", &input.performance_measures),
        ("challenges", &input.challenges),
    ];
    for (field, ListEdit { add, replace, .. }) in lists {
        for text in add {
            check(format!("/{field}/add"), text);
        }
        for swap in replace {
            check(format!("/{field}/replace"), &swap.new);
        }
    }
    let single = [
        ("team/location", &input.team.location),
        ("team/collaboration_style", &input.team.collaboration_style),
        ("business_unit", &input.business_unit),
        ("contribution_to_mission", &input.contribution_to_mission),
        ("pay_range", &input.pay_range),
        ("collective_agreement", &input.collective_agreement),
    ];
    for (field, text) in single {
        if let Some(text) = text {
            check(format!("/{field}"), text);
        }
    }
    refusal.or_ok()
}

/// A profile without what must not pass: one that was stored by an earlier version may still have it.
pub(crate) fn cleaned(mut profile: Profile) -> Profile {
    let language = profile.content_language.unwrap_or(profile.voice.language());
    let found: Vec<(Source, Vec<Withheld>)> =
        profile.sources.iter().map(|(source, text)| (source, find(text, language))).collect();
    if found.iter().all(|(_, withheld)| withheld.is_empty()) {
        return profile;
    }
    let sources = found.iter().fold(Sources::default(), |kept, (source, withheld)| {
        let text = profile.sources.get(*source).unwrap_or_default();
        kept.with(*source, Some(&blanked(text, withheld)))
    });
    profile.sources = sources;
    let passes =
        |evidence: &Evidence| !found.iter().any(|(source, spans)| overlaps(evidence, *source, spans));
    for items in [
        &mut profile.must_have_skills,
        &mut profile.primary_responsibilities,
        &mut profile.good_to_haves,
        &mut profile.soft_skills,
        &mut profile.motivations,
        &mut profile.performance_measures,
        &mut profile.challenges,
    ] {
        items.retain(|item| passes(&item.evidence));
    }
    let team = &mut profile.team_info;
    for item in [
        &mut profile.bu_description,
        &mut profile.contribution_to_mission,
        &mut profile.collective_agreement,
        &mut team.location,
        &mut team.collaboration_style,
    ] {
        *item = item.take().filter(|item: &Item| passes(&item.evidence));
    }
    team.size = team.size.take().filter(|size| passes(&size.evidence));
    profile.pay_range = profile.pay_range.take().filter(|pay| passes(&pay.evidence));
    profile
}
