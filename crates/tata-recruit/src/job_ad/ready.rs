//! Whether there is enough to write an ad from. Everything that is missing is said at once.

use super::{
    SectionName,
    compose::{FEWEST_TASKS, spoken},
    verify::Written,
};
use tata_language::identify::identify;

use crate::{Item, Key, Language, MUST_HAVES, Profile, clip::clipped, profile::named_lists};

/// Sections that live on the free text of the profile: in another language they must be handed over.
const FREE_TEXT: [SectionName; 4] = [
    SectionName::RoleDescription,
    SectionName::TheWhy,
    SectionName::Responsibilities,
    SectionName::SoftSkillsParagraph,
];

/// The language the profile's statements are in, as far as it can be told.
pub(super) fn content_language(profile: &Profile) -> Option<Language> {
    profile.content_language.or_else(|| {
        let free = [&profile.primary_responsibilities, &profile.motivations, &profile.soft_skills];
        let text: Vec<&str> = free.into_iter().flatten().map(|item| item.text.as_str()).collect();
        identify(&text.join(".\n")).filter(|found| found.confidence >= 0.6).map(|found| found.language)
    })
}

/// What keeps an ad from being written.
pub(super) fn check(written: &mut Written<'_>, language: Language) {
    let (material, profile, texts) = (written.material, written.material.profile, written.texts);
    let mut miss =
        |field: &str, key: Key, values: &[(&str, &str)]| written.refusal.say(field, texts, key, values);
    if !material.title.written.chars().any(char::is_alphanumeric) {
        miss("position_title", key!("job_ad.refuse.title"), &[]);
    }
    let skills = spoken(&profile.must_have_skills).len();
    if skills != MUST_HAVES || profile.must_have_skills.len() != MUST_HAVES {
        miss("must_have_skills", key!("job_ad.refuse.must_haves"), &[("count", &skills.to_string())]);
    }
    let handed = |name| material.input.written(name);
    if let Some(found) = material.foreign {
        let missing: Vec<&str> =
            FREE_TEXT.into_iter().filter(|name| !handed(*name)).map(|name| name.display(texts)).collect();
        if !missing.is_empty() {
            let (found, wanted) = (texts.language_name(found), texts.language_name(language));
            let values = [("found", found), ("wanted", wanted), ("sections", &*texts.enumerate(&missing))];
            miss("language", key!("job_ad.refuse.language"), &values);
        }
    } else {
        let count = spoken(&profile.primary_responsibilities).len();
        if count < FEWEST_TASKS && !handed(SectionName::Responsibilities) {
            miss("primary_responsibilities", key!("job_ad.refuse.tasks"), &[("count", &count.to_string())]);
        }
        let reasons = [profile.motivations.as_slice(), profile.contribution_to_mission.as_slice()];
        if reasons.into_iter().all(|items| spoken(items).is_empty()) && !handed(SectionName::TheWhy) {
            miss("motivations", key!("job_ad.refuse.motivations"), &[]);
        }
        if spoken(&profile.soft_skills).is_empty() && !handed(SectionName::SoftSkillsParagraph) {
            miss("soft_skills", key!("job_ad.refuse.soft_skills"), &[]);
        }
    }
    check_items(written);
}

/// Items that cannot be traced, or that may not go out as they are: the profile has to change.
fn check_items(written: &mut Written<'_>) {
    let (material, profile, texts) = (written.material, written.material.profile, written.texts);
    let single = profile.singles().into_iter();
    let single = single.flat_map(|(field, item)| item.iter().map(move |item| (field.to_owned(), item)));
    let items = named_lists(profile.lists()).flat_map(|(list, items)| {
        items.iter().enumerate().map(move |(at, item)| (format!("{}[{at}]", list.stored), item))
    });
    let items: Vec<(String, &Item)> = items.chain(single).collect();
    // Free text in another language is not used, so it cannot do harm.
    let used = |field: &str| material.foreign.is_none() || field.starts_with("must_have_skills");
    // One look at all of them; only where something is found, it matters which one it was.
    let all: Vec<&str> =
        items.iter().filter(|(field, _)| used(field)).map(|(_, item)| item.text.as_str()).collect();
    let suspicious = written.problem(&all.join(".\n")).is_some();
    for (field, item) in items {
        let shown = clipped(&item.text, 120);
        if !item.holds(&profile.sources) {
            written.refusal.say(field, texts, key!("job_ad.refuse.untraced"), &[("text", &shown)]);
        } else if suspicious
            && used(&field)
            && let Some(problem) = written.problem(&item.text)
        {
            let values = [("text", shown.as_str()), ("problem", problem.as_str())];
            written.refusal.say(field, texts, key!("job_ad.refuse.item"), &values);
        }
    }
}
