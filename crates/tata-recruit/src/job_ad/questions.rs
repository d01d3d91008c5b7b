//! What the recruiter is told and asked beside the ad.

use super::{JobAdInput, SectionName, compose::Composed, material::Material};
use crate::{Kind, Language, Notice, ProfileStatus, Project, Texts, clip::clipped};

/// What the recruiter should know.
pub(super) fn notices(
    project: &Project,
    material: &Material<'_>,
    composed: &Composed,
    foreign: Option<Language>,
    own: &Texts,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut tell = |about: &str, key: &str, values: &[(&str, &str)]| {
        notices.push(Notice::say(about, own, &format!("job_ad.notice.{key}"), values));
    };
    if material.profile.status == ProfileStatus::Draft {
        tell("requirement_profile", "draft", &[]);
    }
    if project.stored(Kind::RequirementProfile, "").is_some_and(|stored| stored.stale) {
        tell("requirement_profile", "stale", &[]);
    }
    if let Some(found) = foreign {
        tell("language", "foreign", &[("found", own.language_name(found))]);
    }
    for (field, items) in &composed.left_out {
        let items: Vec<String> = items.iter().map(|item| clipped(item, 120)).collect();
        let key = if *field == "primary_responsibilities" { "tasks_left" } else { "left_out" };
        tell(field, key, &[("items", &items.join("; "))]);
    }
    let gaps =
        composed.sections.iter().filter(|section| section.sources.iter().any(|source| source == "gap"));
    let gaps: Vec<&str> = gaps.map(|section| section.name.display(own)).collect();
    if !gaps.is_empty() {
        tell("gaps", "gaps", &[("sections", &own.enumerate(&gaps))]);
    }
    if material.pay.is_none() {
        tell("pay_range", "no_pay", &[]);
    }
    notices
}

/// What the recruiter is asked.
pub(super) fn questions(
    composed: &Composed,
    material: &Material<'_>,
    input: &JobAdInput,
    foreign: bool,
    own: &Texts,
) -> Vec<String> {
    let mut questions = Vec::new();
    let mut ask = |key: &str, values: &[(&str, &str)]| {
        questions.push(own.say(&format!("job_ad.ask.{key}"), values));
    };
    for (key, choice) in [("headline", &composed.headlines), ("intro", &composed.intros)] {
        // The number is the one that `choose_headline` and `choose_intro` understand.
        let others: Vec<String> =
            choice.others().map(|(number, text)| format!("({number}) {text}")).collect();
        ask(key, &[("chosen", choice.chosen()), ("others", &others.join(" "))]);
    }
    for text in &material.proposals {
        ask("fact", &[("text", text), ("source", own.get("job_ad.company_context"))]);
    }
    if material.more_proposals > 0 {
        ask("more_facts", &[("count", &material.more_proposals.to_string())]);
    }
    let team = &material.profile.team_info;
    let known = team.size.is_some() || team.location.is_some() || team.collaboration_style.is_some();
    if !known && !input.written(SectionName::TeamAndWhyGc) {
        ask("team", &[]);
    }
    if material.steps.is_empty() && !input.written(SectionName::Process) {
        ask("process", &[]);
    }
    if material.place.is_none() && (team.location.is_none() || foreign) {
        ask("place", &[]);
    }
    for (key, missing) in [
        ("pay", material.pay.is_none()),
        ("contract", material.contract.is_none()),
        ("contact", material.contact.is_none()),
        ("apply_by", material.apply_by.is_none()),
        ("equal_opportunity", !input.equal_opportunity_line),
    ] {
        if missing {
            ask(key, &[]);
        }
    }
    questions
}
