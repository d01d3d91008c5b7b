//! Titles that speak to everybody, and headlines that do not all read alike.

use tata_recruit::{JobAdInput, Language, SectionName, Voice};

use super::{create, sample};
use crate::profiles::pool;

/// A title that speaks to men only is completed, and the recruiter is told.
#[test]
fn german_titles_speak_to_everybody() {
    let mut profile = sample(Language::De);
    for (title, shown) in [
        ("Netzwerktechniker", "Netzwerktechniker (m/w/d)"),
        ("Netzwerktechniker (m/w)", "Netzwerktechniker (m/w/d)"),
        ("Netzwerktechniker:in", "Netzwerktechniker:in"),
    ] {
        profile.position_title = title.to_owned();
        for voice in [Voice::DeDu, Voice::DeSie] {
            let (made, ad) = create(&profile, voice, JobAdInput::default()).unwrap();
            assert_eq!(ad.position_title, shown);
            assert!(made.document.title.contains(shown));
            let told = made.notices.iter().any(|notice| notice.about == "position_title");
            assert_eq!(told, title != shown, "{title}");
        }
    }
}

/// Ads of different positions do not all read alike, and the choice of a headline is obeyed.
#[test]
fn frames_differ_and_choices_are_obeyed() {
    for voice in Voice::ALL {
        let mut profile = sample(voice.language());
        let mut leads = std::collections::BTreeSet::new();
        for title in &pool(voice.language()).titles {
            profile.position_title.clone_from(title);
            let (_, ad) = create(&profile, voice, JobAdInput::default()).unwrap();
            leads.insert(ad.section(SectionName::Headline).unwrap().text.replace(&ad.position_title, "X"));
            let chosen = JobAdInput { choose_headline: Some(2), ..JobAdInput::default() };
            let (_, other) = create(&profile, voice, chosen).unwrap();
            assert_eq!(other.section(SectionName::Headline).unwrap().text, ad.alternative_headlines[0]);
        }
        assert!(leads.len() >= 3, "{voice:?}: {leads:?}");
    }
}
