//! Names, places, titles and forms as natives write them, and not the same for every role.

use tata_recruit::{FormRule, FormWish, GermanForm, HeadhuntingInput, Language, Source, Voice};

use super::{create, profile, read};
use crate::profiles::pool;

/// Trial 3: first names, places as people call them, and a German title that speaks to everybody.
#[test]
fn trial_3_names_places_and_titles_as_natives_write_them() {
    let mut profile = profile();
    profile.position_title = "Bauleiter".to_owned();
    let notes = "Copenhagen\n7 people\n";
    let sources = tata_recruit::Sources::default().with(Source::StartupNotes, Some(notes));
    profile.team_info.location = tata_recruit::Tracer::new(&sources).item("Copenhagen", None);
    profile.motivations.clear();
    let input = HeadhuntingInput { candidate_name: Some("Anna Holm".to_owned()), ..Default::default() };
    let messages = read(&create(&profile, input).unwrap());
    for (_, voice, message) in messages.versions.iter() {
        let (hello, place) = match voice {
            Voice::En => ("Hello Anna,", "Copenhagen"),
            Voice::Sv => ("Hej Anna,", "Köpenhamn"),
            Voice::Da => ("Hej Anna", "København"),
            Voice::No => ("Hei Anna!", "København"),
            Voice::DeDu => ("Hallo Anna,", "Kopenhagen"),
            Voice::DeSie => ("Guten Tag Anna Holm,", "Kopenhagen"),
        };
        assert!(message.text.starts_with(&format!("{hello}\n")), "{}", message.text);
        assert!(message.text.contains(place), "{}", message.text);
        let is_german = voice.language() == Language::De;
        assert_eq!(message.text.contains("Bauleiter (m/w/d)"), is_german, "{}", message.text);
        assert!(
            !message.text.contains("reason") && !message.value_proposition.contains(':'),
            "{}",
            message.text
        );
    }
}

/// The German form follows the recruiter, then the context; both forms are there in any case.
#[test]
fn the_form_that_is_shown_has_a_reason() {
    let profile = profile();
    let check = |form: Option<FormWish>, company: &str, expected: GermanForm, chosen: bool| {
        let input = HeadhuntingInput {
            language: Some("de".to_owned()),
            german_form: form,
            company_context: Some(company.to_owned()),
            ..Default::default()
        };
        let made = create(&profile, input).unwrap();
        let messages = read(&made);
        assert_eq!(messages.german_form.form, expected, "{company:?}");
        assert_eq!(messages.german_form.rule == FormRule::Chosen, chosen);
        assert_eq!(messages.shown, Voice::new(Language::De, expected));
        let shown = made.document.plain();
        let closing = messages.versions.short_direct.get(messages.shown).text.rsplit("\n\n").next().unwrap();
        assert!(shown.contains(closing), "{shown}");
    };
    check(Some(FormWish::Du), "leading bank", GermanForm::Du, true);
    check(None, "tech startup, tech, agile, modern, digital", GermanForm::Du, false);
    check(Some(FormWish::Auto), "leading bank", GermanForm::Sie, false);
    check(None, "", GermanForm::Sie, false);
}

#[test]
fn different_roles_do_not_read_alike() {
    let mut profile = profile();
    profile.motivations.clear();
    let mut hooks = std::collections::BTreeSet::new();
    for title in &pool(Language::En).titles {
        profile.position_title.clone_from(title);
        let messages = read(&create(&profile, HeadhuntingInput::default()).unwrap());
        hooks.insert(messages.versions.call_to_action.en.text.replace(title, ""));
    }
    assert!(hooks.len() > 6, "{hooks:?}");
}
