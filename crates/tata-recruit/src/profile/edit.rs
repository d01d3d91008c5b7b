//! The recruiter's yes, and explicit changes.

use jiff::Timestamp;

use super::{
    artifact::{MUST_HAVES, Profile, ProfileStatus},
    create::{content_language, finish, listed, pick},
    input::{ListEdit, ProfileEdit, Replacement, Said},
    lists::named,
    statements::{Spoken, pay, quotable, traced},
    withheld,
};
use crate::{
    Item, Kind, Made, Notice, Project, Refusal, Source, Texts, Tracer, clip::start, tidy, withheld::Sieve,
};

/// Confirms or changes the profile of a project, as a new version.
pub fn edit_requirement_profile(
    mut input: ProfileEdit,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let Some(mut profile) = super::of(project) else {
        let the = texts.get("project.services.requirement_profile.the");
        let message = texts.say("profile.no_profile", &[("missing", the)]);
        return Err(Refusal::of("", message, texts.say("project.missing_way_out", &[("missing", the)])));
    };
    // Whoever changes something by a message has said it there.
    if input.recruiter_input.as_deref().is_none_or(|words| words.trim().is_empty()) {
        input.recruiter_input = project.said_beside(&profile.sources);
    }
    let mut refusal = Refusal::default();
    let words = input.recruiter_input.as_deref().unwrap_or_default();
    refusal.check_length("recruiter_input", words, texts);
    refusal.check_most("position_title", input.position_title.as_deref().unwrap_or_default(), 200, texts);
    refusal.or_ok()?;
    let mut sieve = Sieve::new(texts, project.voice().language());
    withheld::sift_edit(&mut input, &profile.sources, &mut sieve)?;
    let before = profile.clone();
    let mut refusal = Refusal::default();
    change(&mut profile, &input, &mut refusal, texts);
    refusal.or_ok()?;
    let changed = profile != before;
    if !changed && !input.confirm {
        return Err(Refusal::saying("", texts, "profile.nothing_said", &[]));
    }
    if profile.must_have_skills.len() != MUST_HAVES {
        let all: Vec<&Item> = profile.must_have_skills.iter().collect();
        let values = [("count", &*all.len().to_string()), ("found", &*listed(&all, texts))];
        return Err(Refusal::saying("must_haves", texts, "profile.edit_not_four", &values));
    }
    profile.status = if input.confirm { ProfileStatus::Confirmed } else { ProfileStatus::Draft };
    profile.version =
        project.stored(Kind::RequirementProfile, "").map_or(0, |stored| stored.version).saturating_add(1);
    profile.created_at = now;
    if changed {
        profile.content_language = content_language(&profile);
    }
    let mut notices: Vec<Notice> = sieve.notice().into_iter().collect();
    if changed && before.status == ProfileStatus::Confirmed && !input.confirm {
        notices.push(Notice::say("status", texts, "profile.draft_again", &[]));
    }
    let mut made = finish(&profile, notices, Vec::new(), texts)?;
    // A yes alone changes nothing that others build on.
    made.outdates = changed;
    Ok(made)
}

/// Makes the changes. What is added must stand in the recruiter's words or in an earlier source.
fn change(profile: &mut Profile, input: &ProfileEdit, refusal: &mut Refusal, texts: &Texts) {
    let mut sources = profile.sources.clone();
    if let Some(words) = input.recruiter_input.as_deref().filter(|words| !words.trim().is_empty()) {
        sources.extend(Source::RecruiterInput, words);
    }
    if let Some(title) = input.position_title.as_deref().map(tidy).filter(|title| !title.is_empty()) {
        profile.position_title = title;
    }
    let quotable = quotable(&sources);
    let tracer = Tracer::new(&quotable);
    let mut spoken = Spoken::after(sources.get(Source::RecruiterInput));
    let mut quoted = false;
    for ((list, edit), items) in named(input.lists()).zip(profile.lists_mut()) {
        quoted |= *edit != ListEdit::default();
        change_list(list.name, edit, items, (&tracer, &mut spoken), refusal, texts);
    }
    for ((field, text), place) in input.singles().into_iter().zip(profile.singles_mut()) {
        if text.trim().is_empty() {
            continue;
        }
        quoted = true;
        let said = Said { text: text.to_owned(), source: None };
        if let Some(item) = traced(field, &[said], &tracer, refusal, texts).pop() {
            *place = Some(item);
        }
    }
    if let Some(size) = input.team.size.and_then(|people| spoken.size(people)) {
        profile.team_info.size = Some(size);
    }
    if let Some(range) =
        pay("pay_range", input.pay_range.as_deref().unwrap_or_default(), &mut spoken, refusal, texts)
    {
        profile.pay_range = Some(range);
    }
    // What the recruiter said is kept only with something that was changed by it.
    let said = quoted || input.team.size.is_some() || input.pay_range.is_some();
    if said {
        profile.sources = sources.clone().with(Source::RecruiterInput, spoken.whole());
    }
}

fn change_list(
    field: &str,
    edit: &ListEdit,
    items: &mut Vec<Item>,
    (tracer, spoken): (&Tracer<'_>, &mut Spoken),
    refusal: &mut Refusal,
    texts: &Texts,
) {
    // Numbers mean the list as it was shown.
    let shown = items.clone();
    let mut find = |wish: &str, part: &str| {
        let at = pick(&shown, wish.trim());
        if at.is_none() {
            let all: Vec<&Item> = shown.iter().collect();
            let wish = tidy(wish);
            let values = [("text", start(&wish, 200)), ("found", &*listed(&all, texts))];
            refusal.say(format!("/{field}/{part}"), texts, "profile.not_in_list", &values);
        }
        at
    };
    let gone: Vec<usize> = edit.remove.iter().filter_map(|wish| find(wish, "remove")).collect();
    let swaps: Vec<(usize, &Replacement)> =
        edit.replace.iter().filter_map(|swap| Some((find(&swap.old, "replace")?, swap))).collect();
    let mut kept = Vec::with_capacity(items.len() + edit.add.len());
    for (at, item) in shown.iter().enumerate() {
        if gone.contains(&at) {
            continue;
        }
        match swaps.iter().find(|(index, _)| *index == at) {
            Some((_, swap)) if swap.part.is_some() => {
                kept.extend(in_part(field, item, swap, (tracer, &mut *spoken), refusal, texts));
            }
            Some((_, swap)) => {
                let said = Said { text: swap.new.clone(), source: None };
                kept.extend(traced(field, &[said], tracer, refusal, texts));
            }
            None => kept.push(item.clone()),
        }
    }
    let added: Vec<Said> = edit.add.iter().map(|text| Said { text: text.clone(), source: None }).collect();
    for item in traced(field, &added, tracer, refusal, texts) {
        if !kept.iter().any(|known: &Item| known.text.to_lowercase() == item.text.to_lowercase()) {
            kept.push(item);
        }
    }
    *items = kept;
}

/// A statement in which one part becomes another: the rest stays as it was said, the new part is the recruiter's.
fn in_part(
    field: &str,
    item: &Item,
    swap: &Replacement,
    (tracer, spoken): (&Tracer<'_>, &mut Spoken),
    refusal: &mut Refusal,
    texts: &Texts,
) -> Option<Item> {
    let part = swap.part.as_deref().unwrap_or_default();
    if part.trim().is_empty() || item.text.matches(part).count() != 1 {
        let part = tidy(part);
        let values = [("text", start(&part, 200)), ("found", &*listed(&[item], texts))];
        refusal.say(format!("/{field}/replace"), texts, "profile.not_in_list", &values);
        return None;
    }
    let said = Said { text: swap.new.clone(), source: None };
    let new = traced(field, &[said], tracer, refusal, texts).pop()?;
    spoken.item(&item.text.replacen(part, &new.text, 1))
}
