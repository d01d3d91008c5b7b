//! The profile of a project, and what the others ask it for.

use serde::Deserialize;

use super::{Profile, ProfileStatus, cleaned};
use crate::{Kind, Project, Refusal, tidy};

/// The requirement profile of a project, without what must not pass: read and cleaned once.
pub fn of(project: &Project) -> Option<Profile> {
    project.profile_once(|| read(project))
}

/// The same, or the offer to make one first.
pub(crate) fn needed(project: &Project, kind: Kind) -> Result<Profile, Refusal> {
    of(project).ok_or_else(|| Refusal::lacking(kind, &[Kind::RequirementProfile], project.texts()))
}

fn read(project: &Project) -> Option<Profile> {
    let stored = project.stored(Kind::RequirementProfile, "")?;
    let mut profile = Profile::deserialize(&stored.json).ok()?;
    // A person's approval is a confirmation, wherever it was given.
    if stored.approved {
        profile.status = ProfileStatus::Confirmed;
    }
    Some(cleaned(profile))
}

/// The position: as the profile has it, else as it was named for the project.
pub(crate) fn position(project: &Project) -> Option<String> {
    let known = of(project).map(|profile| profile.position_title);
    known.or(project.settings().position_name).map(|title| tidy(&title)).filter(|title| !title.is_empty())
}

/// What decides about du and Sie where nobody chose: the profile's title and sources, and what was said about the
/// company for this document. Each text counts once.
pub(crate) fn form_context<'a>(project: &Project, given: impl IntoIterator<Item = &'a str>) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut add = |text: &str| {
        if !texts.iter().any(|known| known == text.trim()) {
            texts.push(text.trim().to_owned());
        }
    };
    if let Some(profile) = of(project) {
        add(&profile.position_title);
        profile.sources.iter().for_each(|(_, text)| add(text));
    }
    given.into_iter().for_each(add);
    texts.join("\n")
}
