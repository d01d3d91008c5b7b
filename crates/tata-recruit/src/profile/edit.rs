//! The recruiter's yes, and explicit changes.

use jiff::Timestamp;

use super::{
    artifact::{MUST_HAVES, Profile, ProfileStatus},
    create::{content_language, finish, listed, pick},
    input::{ListEdit, ProfileEdit, Replacement, Said},
    lists::named,
    statements::{pay, quotable, size, traced},
    withheld,
};
use crate::{
    Item, Kind, Made, Notice, Project, Refusal, Source, Sources, Texts, Tracer, clip::start, tidy,
    withheld::Sieve,
};

/// Confirms or changes the profile of a project, as a new version.
pub fn edit_requirement_profile(
    mut input: ProfileEdit,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let Some(mut profile) = super::of(project) else {
        let the = texts.get(key!("project.services.requirement_profile.the"));
        let message = texts.say(key!("profile.no_profile"), &[("missing", the)]);
        return Err(Refusal::of("", message, Kind::RequirementProfile.offer(texts)));
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
    let mut sieve = Sieve::new(texts, project.voice().language(), profile.job_country());
    withheld::sift_edit(&mut input, &profile.sources, &mut sieve)?;
    let before = profile.clone();
    change(&mut profile, &input, texts)?;
    let changed = profile != before;
    if !changed && !input.confirm {
        return Err(Refusal::saying("", texts, key!("profile.nothing_said"), &[]));
    }
    if profile.must_have_skills.len() != MUST_HAVES {
        let all = &profile.must_have_skills;
        let values = [("count", &*all.len().to_string()), ("found", &*listed(all, texts))];
        return Err(Refusal::saying("must_haves", texts, key!("profile.edit_not_four"), &values));
    }
    profile.status = if input.confirm { ProfileStatus::Confirmed } else { ProfileStatus::Draft };
    profile.version = project.next_version(Kind::RequirementProfile, "");
    profile.created_at = now;
    if changed {
        profile.content_language = content_language(&profile);
    }
    let mut notices: Vec<Notice> = sieve.notice().into_iter().collect();
    if changed && before.status == ProfileStatus::Confirmed && !input.confirm {
        notices.push(Notice::say("status", texts, key!("profile.draft_again"), &[]));
    }
    let mut made = finish(&profile, notices, Vec::new(), texts)?;
    // A yes alone changes nothing that others build on.
    made.outdates = changed;
    Ok(made)
}

/// Makes the changes. What is added must stand in the recruiter's words or in an earlier source.
fn change(profile: &mut Profile, input: &ProfileEdit, texts: &Texts) -> Result<(), Refusal> {
    let mut sources = profile.sources.clone();
    if let Some(words) = input.recruiter_input.as_deref().filter(|words| !words.trim().is_empty()) {
        sources.extend(Source::RecruiterInput, words);
    }
    if let Some(title) = input.position_title.as_deref().map(tidy).filter(|title| !title.is_empty()) {
        profile.position_title = title;
    }
    profile.country = input.country.or(profile.country);
    let quotable = quotable(&sources);
    let tracer = Tracer::new(&quotable);
    let mut changes = Changes { tracer: &tracer, sources, refusal: Refusal::default(), texts };
    // What the recruiter said is kept only with something that was changed by it.
    let mut said = input.team.size.is_some() || input.pay_range.is_some();
    for ((list, edit), items) in named(input.lists()).zip(profile.lists_mut()) {
        said |= *edit != ListEdit::default();
        changes.list(list.name, edit, items);
    }
    for ((field, text), place) in input.singles().into_iter().zip(profile.singles_mut()) {
        if !text.trim().is_empty() {
            said = true;
            *place = changes.item(field, text).or_else(|| place.take());
        }
    }
    let Changes { mut sources, mut refusal, .. } = changes;
    if let Some(size) = input.team.size.and_then(|people| size(people, &mut sources)) {
        profile.team_info.size = Some(size);
    }
    let pay = pay("pay_range", input.pay_range.as_deref(), &mut sources, &mut refusal, texts);
    profile.pay_range = pay.or_else(|| profile.pay_range.take());
    if said {
        profile.sources = sources;
    }
    refusal.or_ok()
}

/// Changes being made.
struct Changes<'a> {
    tracer: &'a Tracer<'a>,
    /// With what the recruiter says.
    sources: Sources,
    refusal: Refusal,
    texts: &'a Texts,
}

impl Changes<'_> {
    fn list(&mut self, field: &str, edit: &ListEdit, items: &mut Vec<Item>) {
        // Numbers mean the list as it was shown.
        let shown = std::mem::take(items);
        let mut find = |wish: &str, part: &str| {
            let at = pick(&shown, wish.trim());
            if at.is_none() {
                self.unknown(format!("/{field}/{part}"), wish, &shown);
            }
            at
        };
        let gone: Vec<usize> = edit.remove.iter().filter_map(|wish| find(wish, "remove")).collect();
        let swaps: Vec<(usize, &Replacement)> =
            edit.replace.iter().filter_map(|swap| Some((find(&swap.old, "replace")?, swap))).collect();
        for (at, item) in shown.iter().enumerate().filter(|(at, _)| !gone.contains(at)) {
            match swaps.iter().find(|(index, _)| *index == at) {
                Some((_, swap)) => items.extend(self.swapped(field, item, swap)),
                None => items.push(item.clone()),
            }
        }
        for item in self.items(field, &edit.add) {
            if !items.iter().any(|known| known.text.to_lowercase() == item.text.to_lowercase()) {
                items.push(item);
            }
        }
    }

    /// A statement in other words. Where one part becomes another, the rest stays as it was said, and the new part is the
    /// recruiter's.
    fn swapped(&mut self, field: &str, item: &Item, swap: &Replacement) -> Option<Item> {
        let new = |changes: &mut Self| changes.item(field, &swap.new);
        let Some(part) = swap.part.as_deref() else { return new(self) };
        if part.trim().is_empty() || item.text.matches(part).count() != 1 {
            self.unknown(format!("/{field}/replace"), part, std::slice::from_ref(item));
            return None;
        }
        let new = new(self)?;
        self.sources.say(Source::RecruiterInput, &item.text.replacen(part, &new.text, 1))
    }

    fn item(&mut self, field: &str, text: &str) -> Option<Item> {
        self.items(field, &[text.to_owned()]).pop()
    }

    fn items(&mut self, field: &str, texts: &[String]) -> Vec<Item> {
        let said: Vec<Said> = texts.iter().map(|text| Said { text: text.clone(), source: None }).collect();
        traced(field, &said, self.tracer, &mut self.refusal, self.texts)
    }

    fn unknown(&mut self, field: String, wish: &str, known: &[Item]) {
        let wish = tidy(wish);
        let values = [("text", start(&wish, 200)), ("found", &*listed(known, self.texts))];
        self.refusal.say(field, self.texts, key!("profile.not_in_list"), &values);
    }
}
