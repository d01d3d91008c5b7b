//! What the recruiter is told and asked beside the ad.

use std::collections::BTreeSet;

use super::{Section, SectionName, compose::Composed, material::Material, words::long_words};
use crate::{Key, Kind, Notice, ProfileStatus, Project, Texts, clip::clipped};

/// What the recruiter should know.
pub(super) fn notices(
    project: &Project,
    material: &Material<'_>,
    composed: &Composed,
    own: &Texts,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut tell =
        |about: &str, key: Key, values: &[(&str, &str)]| notices.push(Notice::say(about, own, key, values));
    if material.profile.status == ProfileStatus::Draft {
        tell("requirement_profile", key!("job_ad.notice.draft"), &[]);
    }
    if project.stored(Kind::RequirementProfile, "").is_some_and(|stored| stored.stale) {
        tell("requirement_profile", key!("job_ad.notice.stale"), &[]);
    }
    if let Some(found) = material.foreign {
        tell("language", key!("job_ad.notice.foreign"), &[("found", own.language_name(found))]);
    }
    let said: BTreeSet<String> =
        composed.sections.iter().flat_map(Section::texts).flat_map(|text| long_words(text, 0)).collect();
    for (field, items) in &composed.left_out {
        // What stands in the ad in another order stands in it.
        let absent = items.iter().filter(|item| !long_words(item, 0).is_subset(&said));
        let items: Vec<String> = absent.map(|item| clipped(item, 120)).collect();
        if items.is_empty() {
            continue;
        }
        let key = match *field {
            "primary_responsibilities" => key!("job_ad.notice.tasks_left"),
            _ => key!("job_ad.notice.left_out"),
        };
        tell(field, key, &[("items", &items.join("; "))]);
    }
    let is_gap = |section: &&Section| section.sources.iter().any(|source| source == "gap");
    let gaps = composed.sections.iter().filter(is_gap);
    let gaps: Vec<&str> = gaps.map(|section| section.name.display(own)).collect();
    if !gaps.is_empty() {
        tell("gaps", key!("job_ad.notice.gaps"), &[("sections", &own.enumerate(&gaps))]);
    }
    if material.pay.is_none() {
        tell("pay_range", key!("job_ad.notice.no_pay"), &[("rule", material.country().pay_rule(own))]);
    }
    notices
}

/// What the recruiter is asked.
pub(super) fn questions(composed: &Composed, material: &Material<'_>, own: &Texts) -> Vec<String> {
    let mut questions = Vec::new();
    let mut ask = |key: Key, values: &[(&str, &str)]| questions.push(own.say(key, values));
    for (key, choice) in
        [(key!("job_ad.ask.headline"), &composed.headlines), (key!("job_ad.ask.intro"), &composed.intros)]
    {
        // The number is the one that `choose_headline` and `choose_intro` understand.
        let others: Vec<String> =
            choice.others().map(|(number, text)| format!("({number}) {text}")).collect();
        ask(key, &[("chosen", choice.chosen()), ("others", &others.join(" "))]);
    }
    for text in &material.proposals {
        ask(key!("job_ad.ask.fact"), &[("text", text), ("source", own.get(key!("job_ad.company_context")))]);
    }
    if material.more_proposals > 0 {
        ask(key!("job_ad.ask.more_facts"), &[("count", &material.more_proposals.to_string())]);
    }
    let team = &material.profile.team_info;
    let no_team = team.size.is_none() && team.location.is_none() && team.collaboration_style.is_none();
    let no_place = material.place.is_none() && (team.location.is_none() || material.foreign.is_some());
    let no_steps = material.steps.is_empty();
    for (key, missing) in [
        (key!("job_ad.ask.team"), no_team && !material.input.written(SectionName::TeamAndWhyGc)),
        (key!("job_ad.ask.process"), no_steps && !material.input.written(SectionName::Process)),
        (key!("job_ad.ask.place"), no_place),
        (key!("job_ad.ask.pay"), material.pay.is_none()),
        (key!("job_ad.ask.contract"), material.contract.is_none()),
        (key!("job_ad.ask.contact"), material.contact.is_none()),
        (key!("job_ad.ask.apply_by"), material.apply_by.is_none()),
        (key!("job_ad.ask.equal_opportunity"), material.input.equal_opportunity_line.is_none()),
    ] {
        if missing {
            ask(key, &[]);
        }
    }
    questions
}
