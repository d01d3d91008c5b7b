//! The introduction of the role: facts of the profile that are in the language of the template.

use super::{compose::bare, select::start};
use tata_language::identify::identify;

use crate::{Item, Key, Language, Notice, Profile, Texts, Voice, tidy};

/// How many responsibilities are named.
const MOST_TASKS: usize = 3;
/// How sure a guess about one statement must be to outweigh what is known of the whole profile.
const SURE: f32 = 0.8;

/// The place of work, if the profile names it in this language.
pub(super) fn place(profile: &Profile, language: Language) -> Option<String> {
    let place = profile.team_info.location.as_ref()?;
    // Most places are a name, which is the same everywhere; only a sentence has a language.
    let foreign = is_sentence(&place.text) && !speaks(&place.text, language, profile.content_language);
    Some(tidy(&place.text)).filter(|place| !foreign && !place.is_empty())
}

/// Introduces the role; notes what had to stay out.
pub(super) fn introduce(
    profile: &Profile,
    voice: Voice,
    notices: &mut Vec<Notice>,
    answers: &Texts,
) -> String {
    let texts = Texts::of(voice);
    let language = voice.language();
    // Tasks read as they do in the ad.
    let readable = crate::profile::readable(profile, profile.content_language.unwrap_or(language));
    let profile = &readable.profile;
    let mut leave_out = |item: &Item| {
        let text = [("text", &*start(&item.text))];
        notices.push(Notice::say("role_intro", answers, key!("screening.notice.left_out"), &text));
    };
    let mut fitting = |item: &Item| {
        let text = Some(tidy(&item.text)).filter(|text| !text.is_empty())?;
        let fits = speaks(&text, language, profile.content_language);
        if !fits {
            leave_out(item);
        }
        fits.then_some(text)
    };
    let say = |key: Key, name: &str, value: &str| texts.say(key, &[(name, value)]);

    let unit = profile.bu_description.as_ref().and_then(&mut fitting);
    let tasks: Vec<String> =
        profile.primary_responsibilities.iter().take(MOST_TASKS).filter_map(&mut fitting).collect();
    let place = place(profile, language);
    if let (None, Some(item)) = (&place, &profile.team_info.location) {
        leave_out(item);
    }
    let mut lines = vec![say(
        key!("screening.intro.position"),
        "title",
        &crate::wording::title_in_sentence(bare(&tidy(&profile.position_title)), language),
    )];
    if let Some(size) = &profile.team_info.size {
        lines.push(say(key!("screening.intro.size"), "size", &size.people.to_string()));
    }
    lines.extend(place.map(|place| say(key!("screening.intro.place"), "place", bare(&place))));
    lines.extend(unit.map(|unit| say(key!("screening.intro.unit"), "unit", &unit)));
    if lines.len() == 1 && tasks.is_empty() {
        notices.push(Notice::say("role_intro", answers, key!("screening.notice.bare_intro"), &[]));
    }
    if !tasks.is_empty() {
        lines.push(texts.get(key!("screening.intro.tasks")).to_owned());
        lines.extend(tasks.iter().map(|task| format!("• {task}")));
    }
    lines.join("\n")
}

/// Whether a statement is in this language: by its own words if they are clear, else by those of the whole profile.
fn speaks(text: &str, language: Language, content: Option<Language>) -> bool {
    let guess = identify(text);
    match (guess, content) {
        (Some(guess), _) if guess.confidence >= SURE => guess.language == language,
        (_, Some(content)) => content == language,
        (Some(guess), None) => guess.language == language,
        (None, None) => true,
    }
}

fn is_sentence(text: &str) -> bool {
    text.split_whitespace().nth(2).is_some()
}
