//! Which reason a message gives, and in which language it is.

use super::*;

/// A profile with motivations from several texts, in this order.
fn motivated(language: Language, statements: &[(Source, &str)]) -> Profile {
    let mut profile = profile();
    profile.voice = Voice::new(language, GermanForm::Sie);
    profile.content_language = Some(language);
    // Only whole sentences can stand in a message.
    let item = |(source, text): &(Source, &str)| {
        let (first, rest) = text.split_at(1);
        let text = format!("{}{}.", first.to_uppercase(), rest.trim_end_matches('.'));
        let sources = tata_recruit::Sources::default().with(*source, Some(&text));
        tata_recruit::Tracer::new(&sources).item(&text, None).unwrap()
    };
    profile.motivations = statements.iter().map(item).collect();
    profile
}

/// What somebody said about this role comes before notes, and an old ad comes last.
#[test]
fn the_reason_is_what_people_stand_behind() {
    use Source::{HiringManagerInput, OldJobAd, RecruiterInput, StartupNotes};
    let check = |language: Language, statements: &[(Source, &str)], expected: &str| {
        let messages = read(&create(&motivated(language, statements), HeadhuntingInput::default()).unwrap());
        let voice = Voice::new(language, GermanForm::Sie);
        let reason = &messages.versions.value_proposition.get(voice).value_proposition;
        assert!(reason.to_lowercase().contains(&expected.to_lowercase()), "{reason}");
    };
    check(
        Language::En,
        &[
            (OldJobAd, "free fruit on Fridays"),
            (StartupNotes, "a network that is being rebuilt"),
            (RecruiterInput, "the team decides how the work is done"),
        ],
        "the team decides how the work is done",
    );
    check(
        Language::Sv,
        &[
            (OldJobAd, "fruktkorg på fredagar"),
            (StartupNotes, "teamet bestämmer själv hur arbetet läggs upp"),
        ],
        "teamet bestämmer själv hur arbetet läggs upp",
    );
    check(
        Language::Da,
        &[
            (OldJobAd, "frugtordning og fredagsbar"),
            (HiringManagerInput, "teamet bestemmer selv, hvordan arbejdet lægges op"),
        ],
        "teamet bestemmer selv, hvordan arbejdet lægges op",
    );
    check(
        Language::No,
        &[
            (OldJobAd, "fredagspils og bedriftshytte"),
            (RecruiterInput, "Teamet bestemmer selv hvordan arbeidet legges opp."),
        ],
        "Teamet bestemmer selv hvordan arbeidet legges opp",
    );
    check(
        Language::De,
        &[
            (OldJobAd, "Obstkorb am Freitag"),
            (RecruiterInput, "Das Team entscheidet selbst, wie es arbeitet"),
        ],
        "Das Team entscheidet selbst, wie es arbeitet",
    );
}

/// A perk of an old ad is a reason only when the notes and the people give no other.
#[test]
fn a_perk_of_an_old_ad_is_the_last_resort() {
    let profile = motivated(Language::No, &[(Source::OldJobAd, "bedriftshytte på Sirdal")]);
    let kind = |profile: &Profile| {
        let messages = read(&create(profile, HeadhuntingInput::default()).unwrap());
        messages.versions.short_direct.get(Voice::No).value_kind
    };
    assert_eq!(kind(&profile), ValueKind::TeamAndPlace);
    // Where all else stands in the old ad too, its perk comes first again.
    let mut old = profile;
    let team = &mut old.team_info;
    team.size.iter_mut().for_each(|size| size.evidence.source = Source::OldJobAd);
    team.location.iter_mut().for_each(|item| item.evidence.source = Source::OldJobAd);
    old.contribution_to_mission = None;
    old.pay_range = None;
    assert_eq!(kind(&old), ValueKind::Motivation);
}

/// A statement too short to be told by itself is in the language of the profile, or of its document.
#[test]
fn a_short_statement_is_in_the_language_of_its_profile() {
    let check = |language: Language, statement: &str| {
        for content in [Some(language), None] {
            let mut profile = motivated(language, &[(Source::RecruiterInput, statement)]);
            profile.content_language = content;
            if content.is_none() {
                let Profile { position_title, voice, motivations, mut team_info, .. } = profile;
                team_info.collaboration_style = None;
                profile = Profile { position_title, voice, motivations, team_info, ..Profile::default() };
            }
            let messages = read(&create(&profile, HeadhuntingInput::default()).unwrap());
            let voice = Voice::new(language, GermanForm::Sie);
            let message = messages.versions.short_direct.get(voice);
            assert_eq!(
                message.value_kind,
                ValueKind::Motivation,
                "{language:?} {content:?}: {}",
                message.text
            );
        }
    };
    check(Language::En, "freedom with responsibility");
    check(Language::Sv, "frihet under ansvar");
    check(Language::Da, "frihed under ansvar");
    check(Language::No, "Teamet bestemmer selv hvordan arbeidet legges opp.");
    check(Language::No, "frihet under ansvar");
    check(Language::De, "Freiheit und Verantwortung");
}
