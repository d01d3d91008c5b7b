//! What every set of messages keeps: its structure, its words, its language, its truth, its one detail.

use proptest::prelude::*;
use tata_language::identify::identify;
use tata_recruit::{
    Audience, DetailKind, Gate, HeadhuntingMessages, Language, Level, Message, Profile, Refusal, Source,
    Version, Voice,
};

use super::candidates::{PRIVATE, ROLES, SENTENCES, SKILLS, YEARS};

/// A text without what others wrote: position, detail, and a statement of the profile.
fn own_words(message: &Message, messages: &HeadhuntingMessages) -> String {
    // In a sentence a title may begin small.
    let title = &messages.position_title;
    let mut text = message.text.replace(title, " ").replace(&title.to_lowercase(), " ");
    if let Some(detail) = &messages.personalization_detail {
        text = text.replace(&detail.item.text, " ");
    }
    text
}

fn numbers(text: &str) -> Vec<String> {
    let split = text.split(|letter: char| !letter.is_ascii_digit());
    let mut numbers: Vec<String> = split.filter(|part| !part.is_empty()).map(str::to_owned).collect();
    numbers.sort();
    numbers
}

fn words(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// Properties 15, 16, 17 and 19, and the limits of the specification.
pub(super) fn check_structure(messages: &HeadhuntingMessages) -> Result<(), TestCaseError> {
    prop_assert_eq!(messages.versions.iter().count(), 18);
    for (version, voice, message) in messages.versions.iter() {
        let what = format!("{} {}\n{}", version.name(), voice.name(), message.text);
        prop_assert!(message.text.split_whitespace().count() < 100, "{}", what);
        prop_assert_eq!(message.text.split_whitespace().count(), message.words);
        prop_assert!(message.text.chars().count() < 1_900, "{}", what);
        if version == Version::ShortDirect {
            prop_assert!(message.text.chars().count() <= 400, "{}", what);
        }
        let parts = [&message.hook, &message.value_proposition, &message.call_to_action];
        for part in parts {
            prop_assert!(!part.is_empty() && message.text.matches(part.as_str()).count() == 1, "{}", what);
        }
        // Inside a sentence the north writes it with a small letter, after a colon with a capital.
        let title = messages.position_title.to_lowercase();
        prop_assert!(message.hook.to_lowercase().contains(&title), "{}", what);
        prop_assert!(message.text.matches('?').count() <= 1, "{}", what);
        prop_assert!(!message.text.contains(['{', '}']), "{}", what);
        prop_assert!(!message.text.contains("  ") && !message.text.contains(".."), "{}", what);
        // Greeting, parts and closing are all there is.
        let rest = parts.into_iter().fold(message.text.clone(), |text, part| text.replace(part.as_str(), ""));
        let paragraphs: Vec<&str> =
            rest.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).collect();
        let expected = 2 + usize::from(messages.personalization_detail.is_some());
        prop_assert_eq!(paragraphs.len(), expected, "{}", what);
    }
    Ok(())
}

const NORDIC: &[whatlang::Lang] = &[whatlang::Lang::Dan, whatlang::Lang::Nob];

/// Properties 3 and 6: one form, no dash bullets.
pub(super) fn check_words(messages: &HeadhuntingMessages) -> Result<(), TestCaseError> {
    for (_, voice, message) in messages.versions.iter() {
        let own = own_words(message, messages);
        let address: &[&str] = match voice {
            Voice::DeDu => &["Sie", "Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihnen"],
            Voice::DeSie => &["du", "Du", "dein", "deine", "deinem", "deiner", "deinen", "dir", "dich"],
            Voice::En | Voice::Sv | Voice::Da | Voice::No => &[],
        };
        prop_assert!(words(&own).iter().all(|word| !address.contains(word)), "{}", message.text);
        for line in message.text.lines() {
            prop_assert!(!line.trim_start().starts_with(['-', '–', '—', '*', '•']), "{}", message.text);
        }
    }
    Ok(())
}

/// Properties 3, 5 and 7: the gate finds no emoji, no banned word and no other language, and neither does a second judge.
pub(super) fn check_language(messages: &HeadhuntingMessages) -> Result<(), TestCaseError> {
    let detail = messages.personalization_detail.as_ref().map_or("", |detail| detail.item.text.as_str());
    let verbatim: Vec<&str> =
        [messages.position_title.as_str(), detail].into_iter().filter(|text| !text.is_empty()).collect();
    for (_, voice, message) in messages.versions.iter() {
        let own = own_words(message, messages);
        let gate = Gate { voice, audience: Audience::Headhunting, verbatim: &verbatim };
        let errors: Vec<_> =
            gate.check(&message.text).into_iter().filter(|finding| finding.level == Level::Error).collect();
        prop_assert!(errors.is_empty(), "{}: {:?}", message.text, errors);
        if let Some(found) = identify(&own) {
            prop_assert_eq!(found.language, voice.language(), "{}", own);
        }
    }
    for voice in Voice::ALL {
        let own: Vec<String> =
            Version::ALL.map(|version| own_words(messages.versions.get(version).get(voice), messages)).into();
        let judge = whatlang::Detector::with_allowlist(vec![
            whatlang::Lang::Eng,
            whatlang::Lang::Swe,
            whatlang::Lang::Dan,
            whatlang::Lang::Nob,
            whatlang::Lang::Deu,
        ]);
        // Three-letter groups cannot tell Danish from Norwegian in a text this short; words can.
        let (expected, foreign): (&[whatlang::Lang], &[&str]) = match voice.language() {
            Language::En => (&[whatlang::Lang::Eng], &["och", "og", "und", "det", "jag"]),
            Language::Sv => (&[whatlang::Lang::Swe], &["og", "jeg", "ikke", "til", "der", "the", "und"]),
            Language::Da => {
                (NORDIC, &["av", "deg", "meg", "nå", "uka", "hei", "vennlig", "och", "jag", "the"])
            }
            Language::No => {
                (NORDIC, &["af", "dig", "mig", "nu", "uge", "hej", "venlig", "och", "jag", "the"])
            }
            Language::De => (&[whatlang::Lang::Deu], &["och", "og", "det", "jag", "the", "and", "you"]),
        };
        let own = own.join(" ");
        let found = judge.detect_lang(&own);
        prop_assert!(found.is_some_and(|found| expected.contains(&found)), "{:?}: {}", found, own);
        prop_assert!(words(&own.to_lowercase()).iter().all(|word| !foreign.contains(word)), "{}", own);
    }
    Ok(())
}

/// Nothing from another language, nothing from nowhere, numbers and names alike everywhere.
pub(super) fn check_truth(messages: &HeadhuntingMessages, profile: &Profile) -> Result<(), TestCaseError> {
    for (version, voice, message) in messages.versions.iter() {
        for item in &profile.motivations {
            if message.text.contains(&item.text) {
                prop_assert_eq!(Some(voice.language()), profile.content_language, "{}", message.text);
            }
        }
        prop_assert!(!message.value_evidence.is_empty());
        prop_assert!(message.value_evidence.iter().all(|evidence| evidence.holds(&profile.sources)));
        let english = messages.versions.get(version).get(Voice::En);
        let rest = |message: &Message| numbers(&message.text.replace(&message.value_proposition, ""));
        prop_assert_eq!(rest(message), rest(english), "{}", message.text);
        if message.value_kind == english.value_kind {
            prop_assert_eq!(numbers(&message.value_proposition), numbers(&english.value_proposition));
        }
        let quotes: String =
            message.value_evidence.iter().map(|evidence| evidence.quote.clone() + " ").collect();
        let known = quotes.replace(|letter: char| !letter.is_ascii_digit(), "");
        for number in numbers(&message.value_proposition) {
            prop_assert!(known.contains(&number), "{}: {}", message.value_proposition, quotes);
        }
    }
    Ok(())
}

/// Property 18: exactly one true detail, and never a private one.
pub(super) fn check_detail(messages: &HeadhuntingMessages, candidate: &str) -> Result<(), TestCaseError> {
    for (_, _, message) in messages.versions.iter() {
        if let Some(detail) = &messages.personalization_detail {
            prop_assert_eq!(message.text.matches(&detail.item.text).count(), 1, "{}", message.text);
        } else {
            prop_assert!(!message.text.to_lowercase().contains("profil"), "{}", message.text);
        }
        for line in PRIVATE.iter().chain(&["Crane Operator", "Nowhere"]) {
            prop_assert!(!message.text.contains(line), "{}", message.text);
        }
        let taken = |lines: &[&str]| {
            lines.iter().filter(|line| message.text.contains(line.trim_end_matches('.'))).count()
        };
        prop_assert!(taken(ROLES) + taken(YEARS) + taken(SKILLS) + taken(SENTENCES) <= 1, "{}", message.text);
    }
    let has = |lines: &[&str]| lines.iter().any(|line| candidate.contains(line));
    match &messages.personalization_detail {
        Some(detail) => {
            prop_assert!(detail.item.holds(&messages.sources));
            prop_assert_eq!(detail.item.evidence.source, Source::CandidateProfile);
            prop_assert!((10..=100).contains(&detail.item.text.chars().count()));
            let best = if has(ROLES) {
                DetailKind::Role
            } else if has(YEARS) {
                DetailKind::Years
            } else if has(SKILLS) {
                DetailKind::Skill
            } else {
                DetailKind::Sentence
            };
            prop_assert_eq!(detail.kind, best, "{}", candidate);
        }
        None => prop_assert!(!has(ROLES) && !has(YEARS) && !has(SKILLS) && !has(SENTENCES), "{}", candidate),
    }
    Ok(())
}

/// Whether something true can be said in every language.
fn has_facts(profile: &Profile) -> bool {
    profile.team_info.size.is_some() || profile.team_info.location.is_some() || profile.pay_range.is_some()
}

pub(super) fn check_refused(refusal: &Refusal, profile: &Profile) -> Result<(), TestCaseError> {
    prop_assert!(!has_facts(profile), "{:?}", refusal);
    prop_assert!(refusal.problems.iter().all(|problem| problem.hint.is_some()));
    prop_assert!(refusal.problems.iter().all(|problem| problem.field.starts_with("value_propositions.")));
    Ok(())
}
