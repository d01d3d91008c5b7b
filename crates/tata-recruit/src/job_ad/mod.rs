//! The job ad: ten sections in a fixed order, composed from the requirement profile.
//!
//! Code composes it from the profile's own items, or verifies the sections a model hands over. Either way every section
//! names its sources, the four must-haves stand in it word for word, and nothing is padded: what is missing is asked
//! for, all of it in one refusal. A section without facts behind it (the team, the steps) is a marked gap, and a question
//! for the recruiter.
//!
//! Two standard lines are statements of the company. The offer of adjustments is on unless switched off, since it only
//! repeats a duty; the welcome to every applicant is off unless switched on.

mod artifact;
mod compose;
mod cross_check;
mod days;
mod fields;
mod input;
mod market;
mod material;
mod practical;
mod proof;
mod questions;
mod ready;
mod render;
mod reword;
mod stored;
mod terms;
mod title;
mod unworded;
mod verify;
mod withheld;
mod words;

use std::sync::Arc;

use jiff::Timestamp;
use tata_core::{Tool, ToolNameError};

pub use artifact::{AdFacts, AdPart, JobAd, SectionName};
pub(crate) use artifact::{AdMarket, AdPoints, Section};
pub(crate) use compose::FEWEST_TASKS;
pub use input::{AdContact, AdGiven, AdPay, AdQuotation, CompanyFact, JobAdInput, WrittenSection};
pub use proof::{ProofDecision, ProofInput, decide_unproven_statements};
pub(crate) use stored::{carry_over, country, form_beside, of, text};

use crate::{
    Audience, Country, Gate, Kind, Language, Made, Notice, Project, Refusal, Texts, profile, tool,
    withheld::Sieve,
};
use compose::{Choice, Composer};
use material::Material;
use title::Title;
use verify::Written;

/// A title inside a sentence that addresses people: in German it speaks to everybody.
pub(crate) fn title_in_sentence(title: &str, language: Language) -> String {
    Title::of(title, language).in_sentence
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let tool = crate::module::deciding(
        tool::CREATE_JOB_AD,
        "Writes the job ad of this project from its requirement profile: headline, intro, role, why, tasks, \
         requirements, person, team, process, ending, with alternative headlines and intros and checks against the \
         sources. Call it when the recruiter wants an ad, a new version of it, or another headline. Without `sections` \
         the ad is composed from the profile. Never hand over anything the sources do not say; what is missing is \
         answered with questions for the recruiter.",
        Kind::JobAd,
        Kind::JobAd.requires(),
        Some(crate::acts::WRITES_AD),
        create_job_ad,
    )?;
    let decide = crate::module::deciding(
        tool::DECIDE_UNPROVEN_STATEMENTS,
        "Carries out what the recruiter decided about the statements of the ad that are not proven: each is kept, worded \
         otherwise in the recruiter's words, or deleted.",
        Kind::JobAd,
        &[Kind::JobAd],
        Some(crate::acts::DECIDES_PROOF),
        decide_unproven_statements,
    )?;
    Ok(vec![tool, decide])
}

/// Writes the ad, or says what is missing.
pub fn create_job_ad(mut input: JobAdInput, project: &Project, now: Timestamp) -> Result<Made, Refusal> {
    let own = project.texts();
    let profile = profile::needed(project, Kind::JobAd)?;
    let mut followed = None;
    // Statements are not translated: where nobody wished for a language, what is composed of them is in theirs.
    let of_statements = profile.written_in();
    if input.language.is_none() && input.sections.is_empty() && of_statements != project.voice().language() {
        input.language = Some(of_statements.code().to_owned());
        let name = [("language", own.language_name(of_statements))];
        followed = Some(Notice::say("language", own, key!("profile.other_language"), &name));
    }
    let before = of(project);
    if let Some(before) = &before {
        let wished =
            input.language.as_deref().and_then(Language::wished).unwrap_or(project.voice().language());
        let today = now.to_zoned(jiff::tz::TimeZone::UTC).date();
        input.keep(&before.given, wished == before.voice.language(), today);
    }
    let mut lengths = input.check_lengths(own);
    lengths.check_most("position_title", &profile.position_title, input::SHORT, own);
    lengths.or_ok()?;
    let place = input.work_place.as_deref().and_then(Country::of_place);
    let mut sieve = Sieve::new(own, project.voice().language(), profile.job_country().or(place));
    withheld::sift(&mut input, &profile, &mut sieve)?;

    let given = input.startup_notes.iter().chain(&input.company_context).map(String::as_str);
    let context = profile::form_context(project, given);
    let spoken = project.speak(input.language.as_deref(), input.german_form, &context);
    let mut notices = spoken.notices.clone();
    notices.extend(followed);
    let language = spoken.voice.language();
    let mut refusal = Refusal::default();
    let material = Material::gather(&profile, &input, language, now, own, &mut refusal, &mut notices);
    let verbatim = verbatim(&material);
    let verbatim: Vec<&str> = verbatim.iter().map(String::as_str).collect();
    let gate = Gate { voice: spoken.voice, audience: Audience::Candidates, verbatim: &verbatim };
    let mut written = Written {
        material: &material,
        gate: &gate,
        project,
        texts: own,
        refusal: &mut refusal,
        notices: &mut notices,
    };
    ready::check(&mut written, language);
    let (sections, unproven) = written.verify();
    refusal.or_ok()?;
    // Checked as it stands in the profile, written as it reads best.
    let readable = profile::readable(&profile, material.foreign.unwrap_or(language));
    let material = Material { profile: &readable.profile, ..material };

    let writer = Composer { texts: Texts::of(spoken.voice), material: &material, left_out: Vec::new() };
    let composed = writer.compose(&sections, own)?;
    notices.extend(material.title.notice(own));
    notices.extend(questions::notices(project, &material, &composed, own));
    notices.extend(readable.notices(own));
    notices.extend(cross_check::compare(&material, &composed.sections, own));

    let asked = questions::questions(&composed, &material, own);
    let others = |choice: &Choice| choice.others().map(|(_, text)| text.to_owned()).collect();
    let mut ad = JobAd {
        position_title: material.title.shown.clone(),
        voice: spoken.voice,
        form: spoken.form,
        profile_version: profile.version,
        alternative_headlines: others(&composed.headlines),
        alternative_intros: others(&composed.intros),
        sections: composed.sections,
        checks: Vec::new(),
        unproven,
        market: None,
        pay_range: material.pay.clone(),
        apply_by: material.apply_by.as_ref().map(|(date, _)| *date),
        given: input.given(material.given_day),
        sources: material.sources.clone(),
        created_at: now,
    };
    let document = ad.document();
    // The alternatives must be as good as what they may replace.
    let alternatives = ad.alternative_headlines.iter().chain(&ad.alternative_intros).map(String::as_str);
    let alternatives: Vec<&str> = alternatives.collect();
    let cleared = gate.pass(&document, own)?.and(gate.pass_lines(&alternatives, own)?);
    notices.extend(cleared.notices());
    notices.extend(ad.not_ready(own).map(|message| Notice::new("ready", message)));
    ad.market = market::compare(&document.plain(), &input.similar_ads);
    notices.push(market::notice(ad.market.as_ref(), own));
    ad.checks.clone_from(&notices);

    let mut made = Made::new(Kind::JobAd, &ad, ad.shown(), &cleared);
    made.notices = notices;
    // For the recruiter alone: the checks are stored with the ad.
    made.notices.extend(sieve.notice());
    made.questions = proof::question(&ad.unproven, own).into_iter().collect();
    made.questions.extend(asked);
    made.next_steps =
        [key!("job_ad.next.di_review"), key!("job_ad.next.headhunting"), key!("job_ad.next.screening")]
            .map(|step| own.get(step).to_owned())
            .into();
    Ok(made)
}

/// What stands in the ad as somebody wrote it, in whatever language.
fn verbatim(material: &Material<'_>) -> Vec<String> {
    let Material { profile, title, .. } = material;
    let skills = profile.must_have_skills.iter();
    let facts = [&material.contact, &material.place, &material.contract];
    let more = [&profile.team_info.location, &profile.collective_agreement];
    let items = skills.chain(facts.into_iter().flatten()).chain(more.into_iter().flatten());
    let titles = [&title.shown, &title.written, &title.in_sentence];
    let all = titles.into_iter().chain(items.map(|item| &item.text));
    let mut all: Vec<String> = all.filter(|text| !text.trim().is_empty()).cloned().collect();
    let work = profile.primary_responsibilities.iter().chain(&profile.good_to_haves);
    all.extend(work.flat_map(|item| names_in(&item.text)).map(str::to_owned));
    all
}

/// The words of a statement that are written as names: "deviations in Synergi" speaks of a system.
fn names_in(text: &str) -> impl Iterator<Item = &str> {
    let bare = |word| str::trim_matches(word, |letter: char| !letter.is_alphanumeric());
    text.split_whitespace().skip(1).map(bare).filter(|word| word.starts_with(char::is_uppercase))
}
