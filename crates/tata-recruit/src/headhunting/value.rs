//! The one reason to look at a role, as far as the profile gives one that can be said in a language.

use std::collections::BTreeMap;
use tata_language::identify::identify;

use super::{
    Reasons,
    artifact::ValueKind,
    cues::{lists, read},
    value_field,
};
use crate::{
    Audience, Evidence, Gate, GermanForm, Item, Language, Level, Notice, PayRange, Profile, Refusal, Source,
    Texts, Voice,
    capitals::capitalized,
    figures::{grouped_by, numbers},
    same, tidy,
    wording::{author, place_name},
};

/// A longer reason fits into no message.
const MOST: usize = 300;
/// How many motivations are tried.
const TRIED: usize = 10;
/// How sure the language of a short statement must be to overrule what the profile says about itself.
const SURE: f32 = 0.5;
/// The same between Danish and Norwegian, which share most of their words.
const SURE_OF_NEIGHBORS: f32 = 0.9;

/// A reason in one voice.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) kind: ValueKind,
    pub(super) evidence: Vec<Evidence>,
    /// The list of sentences it is put into.
    pub(super) frame: String,
    pub(super) values: Vec<(&'static str, String)>,
}

impl Value {
    /// A sentence as it stands.
    fn statement(kind: ValueKind, text: &str, evidence: Evidence) -> Self {
        let text = format!("{}.", capitalized(&bare(text)));
        Self { kind, evidence: vec![evidence], frame: "said".to_owned(), values: vec![("value", text)] }
    }
}

/// The reasons that can be said in a voice, the best first: what a model translated, motivations, team and place,
/// mission, pay.
pub(super) fn reasons(profile: &Profile, voice: Voice, given: Option<Value>) -> Vec<Value> {
    let content = content_language(profile);
    // A phrase fits into no sentence for certain; facts of known form do.
    let own = |item: &&Item| {
        let whole = item.text.starts_with(char::is_uppercase) && item.text.trim_end().ends_with('.');
        whole && language_of(item, content) == voice.language() && sayable(&item.text, voice)
    };
    let said = |kind: ValueKind, item: &Item| Value::statement(kind, &item.text, item.evidence.clone());
    // As the ad says it: "They get to build" is "You get to build", and nobody says "I".
    let language = voice.language();
    let in_ad_words = |item: &Item| {
        let text = author::addressed(&item.text, language).unwrap_or_else(|| item.text.clone());
        Item { text, ..item.clone() }
    };
    let told = |item: &Item| {
        !author::is_authors(&item.text, language) && !author::is_about_candidate(&item.text, language)
    };
    let motivations = motivations(profile).into_iter().filter(own).take(TRIED).map(in_ad_words).filter(told);
    let mut values: Vec<Value> = given.into_iter().collect();
    values.extend(motivations.map(|item| said(ValueKind::Motivation, &item)));
    let place = profile.team_info.location.as_ref().and_then(|item| {
        Some((item.evidence.clone(), ("place", local_place(&place_name(&item.text)?, voice))))
    });
    let size = profile.team_info.size.as_ref().filter(|size| size.people > 1);
    let size = size.map(|size| (size.evidence.clone(), ("people", Texts::of(voice).number(size.people))));
    let both = size.clone().zip(place.clone()).map(|(size, place)| vec![size, place]);
    for (kind, frame, facts) in [
        (ValueKind::TeamAndPlace, "team_place", both),
        (ValueKind::Team, "team", size.map(|size| vec![size])),
        (ValueKind::Place, "place", place.map(|place| vec![place])),
    ] {
        values.extend(facts.map(|facts| {
            let (evidence, values) = facts.into_iter().unzip();
            Value { kind, evidence, frame: frame.to_owned(), values }
        }));
    }
    let mission = profile.contribution_to_mission.as_ref().filter(own).filter(|item| told(item));
    values.extend(mission.map(|item| said(ValueKind::Mission, item)));
    values.extend(profile.pay_range.as_ref().and_then(|range| pay(range, Texts::of(voice))));
    // A perk of an old ad speaks of a role that may no longer be the same: only if there is nothing else.
    let old = |value: &Value| value.evidence.iter().any(|one| one.source == Source::OldJobAd);
    values.sort_by_key(|value| value.kind != ValueKind::Translated && old(value));
    values
}

/// Motivations in their own language that break a rule for texts to candidates: the recruiter should know.
pub(super) fn unused(profile: &Profile, texts: &Texts) -> Vec<Notice> {
    let content = content_language(profile);
    let broken = |item: &&Item| {
        let voice = Voice::new(language_of(item, content), GermanForm::Sie);
        breaks_a_rule(&bare(&item.text), voice)
    };
    let notice = |item: &Item| {
        Notice::say("motivations", texts, key!("headhunting.notice.unused"), &[("statement", &item.text)])
    };
    motivations(profile).into_iter().take(TRIED).filter(broken).map(notice).collect()
}

/// Shorthand in a reason that may be used: which words it stands for, only the recruiter knows.
pub(super) fn unclear(profile: &Profile, texts: &Texts) -> Vec<Notice> {
    let content = content_language(profile);
    let items = motivations(profile).into_iter().take(TRIED).chain(&profile.contribution_to_mission);
    let mut notices = Vec::new();
    for item in items {
        let found = crate::wording::shorthand::find(&item.text, language_of(item, content));
        let words: Vec<String> = found
            .into_iter()
            .filter(|short| short.reading.is_none())
            .map(|short| texts.say(key!("candidate.quoted"), &[("text", &short.written)]))
            .collect();
        if !words.is_empty() {
            let quoted = texts.say(key!("candidate.quoted"), &[("text", &item.text)]);
            let values = [("words", &*words.join(", ")), ("items", quoted.as_str())];
            notices.push(Notice::say("motivations", texts, key!("profile.wording.shorthand"), &values));
        }
    }
    notices
}

/// The motivations, those that people stand behind first: what was said about this role, then notes, then an old ad,
/// which may speak of a role that is no longer the same.
fn motivations(profile: &Profile) -> Vec<&Item> {
    let mut items: Vec<&Item> = profile.motivations.iter().collect();
    items.sort_by_key(|item| match item.evidence.source {
        Source::RecruiterInput | Source::HiringManagerInput => 0,
        Source::StartupNotes => 1,
        Source::CompanyContext | Source::CandidateProfile | Source::Transcript | Source::CandidateCv => 2,
        Source::OldJobAd => 3,
    });
    items
}

/// The reasons a model worded, checked against the statement they translate.
pub(super) fn given(
    reasons: &Reasons,
    profile: &Profile,
    texts: &Texts,
) -> Result<BTreeMap<Voice, Value>, Refusal> {
    let team = &profile.team_info;
    let single = [&profile.contribution_to_mission, &profile.bu_description, &profile.collective_agreement];
    let single = single.into_iter().chain([&team.collaboration_style, &team.location]).flatten();
    let mut statements = profile.motivations.iter().chain(single);
    let Some(item) = statements.find(|item| same(&item.text, &reasons.based_on)) else {
        let statement = [("statement", &*tidy(&reasons.based_on))];
        let key = key!("headhunting.refusal.value.based_on");
        return Err(Refusal::saying("value_propositions.based_on", texts, key, &statement));
    };
    let (mut refusal, mut values) = (Refusal::default(), BTreeMap::new());
    for (voice, text) in reasons.by_voice() {
        let text = bare(text);
        let problem = if numbers(&text) != numbers(&item.text) {
            key!("headhunting.refusal.value.numbers")
        } else if !sayable(&text, voice)
            || identify(&text).is_some_and(|one| one.language != voice.language())
        {
            key!("headhunting.refusal.value.unfit")
        } else {
            values.insert(voice, Value::statement(ValueKind::Translated, &text, item.evidence.clone()));
            continue;
        };
        refusal.say(value_field(voice), texts, problem, &[("voice", voice.display(texts))]);
    }
    refusal.or_ok().map(|()| values)
}

/// The language a statement is written in: its own words decide if they can, else those of the whole profile.
fn language_of(item: &Item, content: Language) -> Language {
    let near = |language: Language| matches!(language, Language::Da | Language::No);
    let enough = |language: Language| {
        if near(language) && near(content) { SURE_OF_NEIGHBORS } else { SURE }
    };
    let sure = identify(&item.text).filter(|one| one.confidence >= enough(one.language));
    sure.map_or(content, |one| one.language)
}

/// The language a profile is written in: what it says of itself, else all its words together, else the language of the
/// document.
fn content_language(profile: &Profile) -> Language {
    let known = profile.content_language.or_else(|| {
        let words: Vec<&str> = profile.items().map(|item| item.text.as_str()).collect();
        identify(&words.join(".\n")).map(|found| found.language)
    });
    known.unwrap_or(profile.voice.language())
}

/// Whether a statement can stand in a text of this voice.
fn sayable(statement: &str, voice: Voice) -> bool {
    let statement = bare(statement);
    let length = statement.chars().take(MOST + 1).count();
    // The text as a whole may have one question, and a statement may not be two.
    let plain = length > 2 && length <= MOST && !statement.contains(['?', '!', '\n', '{', '}']);
    plain && !statement.contains(". ") && !wrong_form(&statement, voice) && !breaks_a_rule(&statement, voice)
}

/// Whether a German text says du where it should say Sie, or the other way round.
pub(super) fn wrong_form(text: &str, voice: Voice) -> bool {
    match voice.form() {
        Some(GermanForm::Du) => read(text).has(lists::SIE),
        Some(GermanForm::Sie) => read(text).has(lists::DU),
        None => false,
    }
}

fn breaks_a_rule(statement: &str, voice: Voice) -> bool {
    let gate = Gate { voice, audience: Audience::Headhunting, verbatim: &[] };
    gate.check(statement).iter().any(|finding| finding.level == Level::Error)
}

/// A statement without the stop at its end: the sentence around it has its own.
fn bare(statement: &str) -> String {
    tidy(statement).trim_end_matches(['.', ',', ';', ':', ' ']).to_owned()
}

/// A place as people of a language call it: "København" to Danes, "Copenhagen" in English.
pub(crate) fn local_place(place: &str, voice: Voice) -> String {
    // The lists have the same places in the same order.
    let at = Voice::ALL.into_iter().find_map(|other| {
        let known = Texts::of(other).list(key!("job_ad.places"));
        known.iter().position(|names| names.split(' ').any(|name| name == place))
    });
    let own = at.and_then(|at| Texts::of(voice).list(key!("job_ad.places")).get(at));
    own.and_then(|names| names.split(' ').next()).map_or_else(|| place.to_owned(), str::to_owned)
}

/// What the role pays, as far as every language can say it: what comes with it is in the words of one.
fn pay(pay: &PayRange, texts: &Texts) -> Option<Value> {
    let letters = pay.currency.len() == 3 && pay.currency.chars().all(|letter| letter.is_ascii_uppercase());
    // A blank that does not break is right in all five languages, so a number looks the same everywhere.
    let [min, max] = [pay.min, pay.max].map(|sum| sum.map(|sum| grouped_by('\u{A0}', sum)));
    let sum = |range: &str| format!("{range} {}", pay.currency);
    let said = match (min, max) {
        _ if !letters || pay.min == Some(0) || pay.min.zip(pay.max).is_some_and(|(min, max)| min > max) => {
            return None;
        }
        (Some(min), Some(max)) if min == max => sum(&min),
        (Some(min), Some(max)) => sum(&format!("{min}–{max}")),
        (Some(min), None) => texts.say(key!("headhunting.pay.from"), &[("sum", &sum(&min))]),
        (None, Some(max)) => texts.say(key!("headhunting.pay.up_to"), &[("sum", &sum(&max))]),
        (None, None) => return None,
    };
    Some(Value {
        kind: ValueKind::Pay,
        evidence: vec![pay.evidence.clone()],
        frame: format!("pay_{}", pay.period.name()),
        values: vec![("pay", said)],
    })
}
