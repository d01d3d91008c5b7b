//! Headhunting messages: three short versions in six voices, with one true detail if there is a public profile.
//!
//! The texts are put together from sentences of each language (`texts/<language>/headhunting.yaml`). A statement of the
//! profile is quoted only where the text speaks its language; elsewhere numbers and names do, or what a model
//! translated. Where nothing true can be said, nothing is written.

mod artifact;
mod compose;
mod cues;
mod detail;
mod given;
mod input;
mod render;
mod reword;
mod value;
mod withheld;

use std::{collections::BTreeMap, sync::Arc};

use jiff::Timestamp;
use serde::Deserialize;
use tata_core::{Tool, ToolNameError};

pub use artifact::{DetailKind, HeadhuntingMessages, Message, ValueKind, Version};
pub(crate) use artifact::{PersonalDetail, Versions};
pub use input::{DetailQuote, GivenMessage, HeadhuntingInput, Reasons};
pub(crate) use render::{not_ready, render};

use crate::{
    Audience, Gate, Item, Key, Kind, MUST_HAVES, Made, Notice, Profile, Project, Refusal, Source, Sources,
    Texts, Tracer, Voice, gate::Cleared, job_ad, module::module, profile, screening, tidy, tool,
    withheld::Sieve,
};
use compose::{Unwritable, Writer};
use given::Checker;
use value::Value;

/// A longer title fits into no message.
const MOST_TITLE: usize = 200;
/// The most characters of a text that a model wrote; far more than a message may have.
const MOST_GIVEN: usize = 10_000;
/// A shorter public profile hardly says anything.
const SHORT_PROFILE: usize = 20;
/// The longest name that a greeting has room for.
const MOST_NAME: usize = 60;

/// Writes eighteen messages, or says what is missing.
pub fn create_headhunting_messages(
    mut input: HeadhuntingInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let profile = profile::needed(project, Kind::HeadhuntingMessages)?;
    check_input(&input, &profile, texts)?;
    let mut sieve = Sieve::new(texts, project.voice().language(), profile.job_country());
    withheld::sift(&mut input, &mut sieve)?;
    let sources = Sources::default()
        .with(Source::CandidateProfile, input.candidate_profile.as_deref())
        .with(Source::CompanyContext, input.company_context.as_deref());

    let details = details(&input, &sources, &profile, texts)?;
    let reasons = reasons(&input, &profile, texts)?;
    let (detail, versions) = write(&input, &profile, &sources, &details, &reasons, project)?;

    let german_form = job_ad::form_beside(project, input.german_form, sources.get(Source::CompanyContext));
    let spoken = project.speak_in(input.language.as_deref(), german_form);
    let messages = HeadhuntingMessages {
        position_title: profile.position_title.clone(),
        profile_version: profile.version,
        personalization_detail: detail,
        versions,
        shown: spoken.voice,
        german_form,
        sources,
        created_at: now,
    };
    let mut notices = spoken.notices;
    notices.extend(sieve.notice());
    notices.extend(self::notices(&messages, &profile, texts));
    notices.extend(not_ready(&messages, texts).map(|message| Notice::new("ready", message)));
    let cleared = released(&messages, texts)?;
    for notice in cleared.notices() {
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }
    let mut made =
        Made { notices, ..Made::new(Kind::HeadhuntingMessages, &messages, render(&messages), &cleared) };
    without_sources(&mut made);
    if messages.personalization_detail.is_none() {
        made.next_steps.push(texts.get(key!("headhunting.next.personalize")).to_owned());
    }
    if screening::ta_template(project).is_none() {
        made.next_steps.push(texts.get(key!("headhunting.next.screening")).to_owned());
    }
    Ok(made)
}

/// The model has read the candidate's profile once; the rest is for the store.
fn without_sources(made: &mut Made) {
    let mut json = made.json.clone();
    json.as_object_mut().map(|fields| fields.remove("sources"));
    let shown = HeadhuntingMessages::deserialize(&json).ok().as_ref().map(render);
    made.read_by_model(json, shown);
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(vec![module(
        tool::CREATE_HEADHUNTING_MESSAGES,
        "Writes short messages to people who have not applied: three versions in English, Swedish, Danish, Norwegian and \
         German (du and Sie). Call it when the recruiter wants to approach somebody; hand over the pasted public profile \
         if there is one. The requirement profile must exist. If its motivations are in one language only, translate one \
         into value_propositions.",
        Kind::HeadhuntingMessages,
        create_headhunting_messages,
    )?])
}

fn check_input(input: &HeadhuntingInput, profile: &Profile, texts: &Texts) -> Result<(), Refusal> {
    let mut refusal = Refusal::default();
    let long = [("candidate_profile", &input.candidate_profile), ("company_context", &input.company_context)];
    for (field, text) in long {
        refusal.check_length(field, text.as_deref().unwrap_or_default(), texts);
    }
    for one in &input.messages {
        for text in [&one.text, &one.hook, &one.value_proposition, &one.call_to_action, &one.based_on] {
            refusal.check_most("messages", text, MOST_GIVEN, texts);
        }
    }
    if let Some(reasons) = &input.value_propositions {
        let all = reasons.by_voice().map(|(_, text)| text).chain([reasons.based_on.as_str()]);
        all.for_each(|text| refusal.check_most("value_propositions", text, MOST_GIVEN, texts));
    }
    if let Some(detail) = &input.personalization_detail {
        refusal.check_most("personalization_detail", &detail.quote, MOST_GIVEN, texts);
    }
    let name = input.candidate_name.as_deref().unwrap_or_default();
    refusal.check_most("candidate_name", name, MOST_NAME, texts);
    refusal.check_most("position_title", &profile.position_title, MOST_TITLE, texts);
    if tidy(&profile.position_title).is_empty() {
        refusal.say("position_title", texts, key!("headhunting.refusal.no_title"), &[]);
    }
    refusal.or_ok()
}

/// What could be taken up from the candidate's profile: the model's choice, checked, or what code finds.
fn details(
    input: &HeadhuntingInput,
    sources: &Sources,
    profile: &Profile,
    texts: &Texts,
) -> Result<Vec<PersonalDetail>, Refusal> {
    let candidate = sources.get(Source::CandidateProfile);
    let Some(wish) = &input.personalization_detail else {
        return Ok(candidate.map(|text| detail::find(text, profile)).unwrap_or_default());
    };
    let refuse = |key: Key, values: &[(&str, &str)]| {
        Err(Refusal::saying("personalization_detail", texts, key, values))
    };
    if candidate.is_none() {
        return refuse(key!("headhunting.refusal.detail.no_profile"), &[]);
    }
    let text = tidy(&wish.quote);
    let text = text.trim_end_matches(['.', ',', ';', ':', ' ']);
    let Some(evidence) = Tracer::new(sources).find(text, Some(Source::CandidateProfile)) else {
        return refuse(key!("headhunting.refusal.detail.not_found"), &[]);
    };
    // As the person wrote it, not as the model spelled it.
    let text = tidy(&evidence.quote);
    if let Err(unfit) = detail::fits(&text) {
        let [least, most] = [detail::LEAST, detail::MOST].map(|number| number.to_string());
        return refuse(unfit, &[("least", &*least), ("most", &*most)]);
    }
    Ok(vec![PersonalDetail { kind: detail::classify(&text), item: Item { text, evidence } }])
}

/// The reasons of every voice. Without any, a voice has texts only if a model wrote them.
fn reasons(input: &HeadhuntingInput, profile: &Profile, texts: &Texts) -> Result<[Vec<Value>; 6], Refusal> {
    let mut given = match &input.value_propositions {
        Some(reasons) => value::given(reasons, profile, texts)?,
        None => BTreeMap::new(),
    };
    let mut refusal = Refusal::default();
    let all = Voice::ALL.map(|voice| {
        let reasons = value::reasons(profile, voice, given.remove(&voice));
        let written = input.messages.iter().filter(|one| one.voice == voice).map(|one| one.version);
        let written = Version::ALL.into_iter().all(|version| written.clone().any(|one| one == version));
        if reasons.is_empty() && !written {
            let name = [("voice", voice.display(texts))];
            refusal.say(value_field(voice), texts, key!("headhunting.refusal.no_value"), &name);
        }
        reasons
    });
    refusal.or_ok().map(|()| all)
}

/// All texts with the first detail that fits into every one of them.
fn write(
    input: &HeadhuntingInput,
    profile: &Profile,
    sources: &Sources,
    details: &[PersonalDetail],
    reasons: &[Vec<Value>; 6],
    project: &Project,
) -> Result<(Option<PersonalDetail>, Versions), Refusal> {
    let (texts, judge, candidate) = (project.texts(), &project.judge, sources.get(Source::CandidateProfile));
    // Texts that a model wrote have taken up a detail already.
    let taken =
        |detail: &&PersonalDetail| input.messages.iter().all(|one| one.text.contains(&detail.item.text));
    let mut tried: Vec<Option<&PersonalDetail>> = details.iter().filter(taken).map(Some).collect();
    if tried.is_empty() {
        tried.push(details.first());
    }
    let mut problem = None;
    let name = input.candidate_name.as_deref().map(tidy).filter(|name| !name.is_empty());
    for detail in tried {
        let quoted = detail.map_or("", |detail| detail.item.text.as_str());
        let refusal = Refusal::default();
        let checker = Checker { profile, candidate, detail: quoted, judge, texts, refusal };
        let given = checker.check(&input.messages)?;
        let writer = Writer { position: &profile.position_title, detail, name: name.as_deref() };
        let versions = Versions::each(|version, voice| match given.get(&(version, voice)) {
            Some(message) => Ok(message.clone()),
            None => writer.write(version, voice, &reasons[voice as usize]),
        });
        match versions {
            Ok(versions) => return Ok((detail.cloned(), versions)),
            Err(found) => problem = problem.or(found),
        }
    }
    let mut refusal = Refusal::default();
    if let Some(problem) = problem {
        refuse_text(&mut refusal, problem, texts);
    }
    Err(refusal)
}

fn refuse_text(refusal: &mut Refusal, problem: Unwritable, texts: &Texts) {
    let Unwritable { version, voice, rule: (key, count, limit), .. } = problem;
    let values = [
        ("version", version.display(texts)),
        ("voice", voice.display(texts)),
        ("count", &*count.to_string()),
        ("limit", &*limit.to_string()),
        ("part", ""),
    ];
    let way_out = texts.get(key!("headhunting.refusal.length_way_out"));
    refusal.add(version.field(voice), texts.say(key, &values), way_out);
}

/// The field of a reason in a voice.
fn value_field(voice: Voice) -> String {
    format!("value_propositions.{}", voice.name())
}

fn notices(messages: &HeadhuntingMessages, profile: &Profile, texts: &Texts) -> Vec<Notice> {
    let mut notices = Vec::new();
    let candidate = messages.sources.get(Source::CandidateProfile);
    let count = profile.must_have_skills.len();
    if count != MUST_HAVES {
        let count = [("count", &*count.to_string())];
        notices.push(Notice::say("must_have_skills", texts, key!("headhunting.notice.must_haves"), &count));
    }
    if candidate.is_some_and(|text| text.trim().chars().count() < SHORT_PROFILE) {
        notices.push(Notice::say("candidate_profile", texts, key!("headhunting.notice.short_profile"), &[]));
    }
    if candidate.is_some() && messages.personalization_detail.is_none() {
        notices.push(Notice::say("candidate_profile", texts, key!("headhunting.notice.no_detail"), &[]));
    }
    notices.extend(value::unused(profile, texts));
    notices.extend(value::unclear(profile, texts));
    notices
}

/// Sends every text through the gate in its own voice, then the document that shows them.
fn released(messages: &HeadhuntingMessages, texts: &Texts) -> Result<Cleared, Refusal> {
    let detail = messages.personalization_detail.as_ref().map(|detail| detail.item.text.as_str());
    let verbatim: Vec<&str> = detail.into_iter().chain([messages.position_title.as_str()]).collect();
    let shown = Gate { voice: messages.shown, audience: Audience::Colleagues, verbatim: &verbatim };
    let mut all = shown.pass_lines(&[], texts)?;
    for voice in Voice::ALL {
        let said = Version::ALL.map(|version| messages.versions.get(version).get(voice).text.as_str());
        let title = crate::wording::title_in_sentence(&messages.position_title, voice.language());
        let verbatim: Vec<&str> = verbatim.iter().copied().chain([title.as_str()]).collect();
        let gate = Gate { voice, audience: Audience::Headhunting, verbatim: &verbatim };
        all = all.and(gate.pass_lines(&said, texts)?);
    }
    // The other languages have passed as what they are.
    Ok(all.and(shown.pass(&render::own_part(messages), texts)?))
}
