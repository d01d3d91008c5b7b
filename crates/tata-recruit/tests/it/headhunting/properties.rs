//! The promises over thousands of profiles and candidates, and over strings that break careless code.

use proptest::prelude::*;
use tata_recruit::{DetailQuote, GivenMessage, HeadhuntingInput, Kind, Language, Version, Voice, rendered};

use super::{
    about,
    candidates::{any_candidate, hostile},
    create, profile,
    promises::{check_detail, check_language, check_refused, check_structure, check_truth, check_words},
    read,
};
use crate::profiles::any_profile;

fn any_language() -> impl Strategy<Value = Language> {
    proptest::sample::select(&Language::ALL[..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// Properties 3, 6, 15, 16, 17, 18, 19, with a candidate's profile in any mixture of languages.
    #[test]
    fn eighteen_texts_with_one_true_detail(
        profile in any_language().prop_flat_map(any_profile),
        candidate in any_candidate(),
    ) {
        match create(&profile, about(&candidate)) {
            Ok(made) => {
                let messages = read(&made);
                check_structure(&messages)?;
                check_words(&messages)?;
                check_truth(&messages, &profile)?;
                check_detail(&messages, &candidate)?;
            }
            Err(refusal) => check_refused(&refusal, &profile)?,
        }
    }

    /// The same without a candidate's profile: nobody pretends to know anybody.
    #[test]
    fn eighteen_texts_without_pretended_knowledge(profile in any_language().prop_flat_map(any_profile)) {
        match create(&profile, HeadhuntingInput::default()) {
            Ok(made) => {
                let messages = read(&made);
                prop_assert_eq!(&messages.personalization_detail, &None);
                check_structure(&messages)?;
                check_words(&messages)?;
                check_truth(&messages, &profile)?;
                check_detail(&messages, "")?;
            }
            Err(refusal) => check_refused(&refusal, &profile)?,
        }
    }

    /// Any title and any motivation: either all limits hold, or the refusal names one.
    #[test]
    fn long_words_are_refused_and_never_cut(
        mut profile in any_language().prop_flat_map(any_profile),
        title in "[A-Z][a-z]{2,12}( [A-Z][a-z]{2,12}){0,30}",
        candidate in any_candidate(),
    ) {
        profile.position_title.clone_from(&title);
        match create(&profile, about(&candidate)) {
            Ok(made) => {
                let messages = read(&made);
                check_structure(&messages)?;
                let title = title.to_lowercase();
                let whole = |text: &str| text.to_lowercase().contains(&title);
                prop_assert!(messages.versions.iter().all(|(_, _, message)| whole(&message.text)));
            }
            Err(refusal) => prop_assert!(refusal.problems.iter().all(|problem| problem.hint.is_some())),
        }
    }
}

proptest! {
    /// Property 36, and property 1: the same again, and the same when read back.
    #[test]
    fn equal_inputs_give_equal_messages(
        profile in any_language().prop_flat_map(any_profile),
        candidate in any_candidate(),
    ) {
        let (one, other) = (create(&profile, about(&candidate)), create(&profile, about(&candidate)));
        match (one, other) {
            (Ok(one), Ok(other)) => {
                prop_assert_eq!(&one.json, &other.json);
                prop_assert_eq!(&one.document, &other.document);
                prop_assert_eq!(rendered(Kind::HeadhuntingMessages, &one.json), Some(other.document));
                prop_assert_eq!(serde_json::to_value(read(&one)).unwrap(), one.json);
            }
            (one, other) => prop_assert_eq!(one.err(), other.err()),
        }
    }

    /// Properties 3, 5 and 7: every voice speaks its language, and no text breaks a rule.
    #[test]
    fn every_voice_speaks_its_language(
        profile in any_language().prop_flat_map(any_profile),
        candidate in any_candidate(),
    ) {
        if let Ok(made) = create(&profile, about(&candidate)) {
            check_language(&read(&made))?;
        }
    }

    /// No input can make the module panic, loop or invent.
    #[test]
    fn hostile_strings_change_nothing(
        mut profile in any_language().prop_flat_map(any_profile),
        title in proptest::option::of(hostile()),
        candidate in hostile(),
        company in any::<String>(),
        quote in proptest::option::of(any::<String>()),
        language in proptest::option::of(any::<String>()),
        place in proptest::option::of(hostile()),
        written in proptest::option::of((any::<String>(), any::<String>())),
    ) {
        if let Some(title) = title {
            profile.position_title = title;
        }
        if let (Some(place), Some(item)) = (place, &mut profile.team_info.location) {
            item.text = place;
        }
        let message = |(text, part): (String, String)| GivenMessage {
            version: Version::ShortDirect,
            voice: Voice::DeDu,
            text,
            hook: part.clone(),
            value_proposition: part.clone(),
            based_on: part.clone(),
            call_to_action: part,
        };
        let input = HeadhuntingInput {
            language,
            german_form: None,
            candidate_name: None,
            candidate_profile: Some(candidate.clone()),
            company_context: Some(company),
            personalization_detail: quote.map(|quote| DetailQuote { quote }),
            value_propositions: None,
            messages: written.map(message).into_iter().collect(),
        };
        match create(&profile, input) {
            Ok(made) => {
                let messages = read(&made);
                prop_assert!(messages.personalization_detail.iter().all(|one| one.item.holds(&messages.sources)));
                for (version, voice, message) in messages.versions.iter() {
                    prop_assert!(message.words < 100 && message.characters <= version.most_characters());
                    let title = tata_recruit::tidy(&profile.position_title).to_lowercase();
                    // A German title may be marked in its middle: (m/w) becomes (m/w/d).
                    let is_german = voice.language() == Language::De;
                    prop_assert!(is_german || message.hook.to_lowercase().contains(&title));
                }
            }
            Err(refusal) => prop_assert!(!refusal.problems.is_empty()),
        }
    }
}

/// A megabyte of anything is read in a moment.
#[test]
fn long_profiles_are_read_in_one_pass() {
    let profile = profile();
    for unit in
        ["a", "Engineer at Telia ", "word, ", "x.\n", "Skills: ", "45 år ", "å", "\n", "- ", "Telia: "]
    {
        let text = unit.repeat(1_000_000 / unit.chars().count());
        assert!(create(&profile, about(&text)).is_ok(), "{unit:?}");
    }
}
