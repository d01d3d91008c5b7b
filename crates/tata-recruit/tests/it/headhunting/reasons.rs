//! Which reason a message gives, and in which language it is.

use tata_recruit::{
    GermanForm, HeadhuntingInput, Item, Language, PayPeriod, PayRange, Profile, Reasons, Source, ValueKind,
    Voice,
};

use super::{
    create, problems, profile,
    promises::{check_language, check_structure, check_words},
    read,
};

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

#[test]
fn a_translated_motivation_speaks_every_language() {
    let mut profile = profile();
    profile.team_info = tata_recruit::TeamInfo::default();
    profile.pay_range = None;
    let quote = "Utbyggnaden når 40 000 hushåll nästa år.";
    let notes = format!("Motiv: {quote}\n");
    profile.sources = tata_recruit::Sources::default().with(Source::StartupNotes, Some(&notes));
    let item = tata_recruit::Tracer::new(&profile.sources).item(quote, None).unwrap();
    profile.motivations = vec![item];
    let reasons = Reasons {
        based_on: quote.to_owned(),
        en: Some("the rollout reaches 40,000 homes next year".to_owned()),
        sv: None,
        da: Some("udrulningen når ud til 40.000 husstande næste år".to_owned()),
        no: Some("utbyggingen når ut til 40 000 husstander neste år".to_owned()),
        de_du: Some("der Ausbau erreicht im nächsten Jahr 40.000 Haushalte".to_owned()),
        de_sie: Some("der Ausbau erreicht im nächsten Jahr 40.000 Haushalte.".to_owned()),
    };
    let input =
        |reasons: Reasons| HeadhuntingInput { value_propositions: Some(reasons), ..Default::default() };
    let messages = read(&create(&profile, input(reasons.clone())).unwrap());
    check_structure(&messages).unwrap();
    check_words(&messages).unwrap();
    check_language(&messages).unwrap();
    assert_eq!(messages.versions.short_direct.de_du.value_kind, ValueKind::Translated);
    assert_eq!(messages.versions.short_direct.sv.value_kind, ValueKind::Motivation);
    assert!(messages.versions.value_proposition.da.text.contains("40.000 husstande næste år."));

    let wrong =
        Reasons { en: Some("the rollout reaches 50,000 homes next year".to_owned()), ..reasons.clone() };
    assert_eq!(problems(create(&profile, input(wrong)))[0].0, "value_propositions.en");
    let wrong = Reasons { de_sie: Some("du erreichst 40.000 Haushalte".to_owned()), ..reasons.clone() };
    assert_eq!(problems(create(&profile, input(wrong)))[0].0, "value_propositions.de_sie");
    let wrong = Reasons { based_on: "free lunch".to_owned(), ..reasons };
    assert_eq!(problems(create(&profile, input(wrong)))[0].0, "value_propositions.based_on");
}

/// A German motivation that addresses somebody is quoted only where the text addresses people the same way.
#[test]
fn a_motivation_keeps_its_form() {
    let check = |motive: &str, du: ValueKind, sie: ValueKind| {
        let mut profile = profile();
        let notes = format!("{motive}\n");
        let sources = tata_recruit::Sources::default().with(Source::StartupNotes, Some(&notes));
        profile.motivations = vec![tata_recruit::Tracer::new(&sources).item(motive, None).unwrap()];
        profile.content_language = Some(Language::De);
        let messages = read(&create(&profile, HeadhuntingInput::default()).unwrap());
        check_words(&messages).unwrap();
        assert_eq!(messages.versions.short_direct.de_du.value_kind, du, "{motive}");
        assert_eq!(messages.versions.short_direct.de_sie.value_kind, sie, "{motive}");
    };
    check("Bei uns gestaltest du die Stelle selbst.", ValueKind::Motivation, ValueKind::TeamAndPlace);
    check("Bei uns gestalten Sie die Stelle selbst.", ValueKind::TeamAndPlace, ValueKind::Motivation);
    check("Der Urlaub dauert sechs Wochen im Jahr.", ValueKind::Motivation, ValueKind::Motivation);
    // A phrase fits into no sentence for certain.
    check("sechs Wochen bezahlter Urlaub im Jahr", ValueKind::TeamAndPlace, ValueKind::TeamAndPlace);
}

/// A place that is no name is in no message: "based in Sits in Malmö".
#[test]
fn a_place_in_other_words_is_in_no_message() {
    for place in ["Sits in Malmö, 2-3 days", "Sitter i Solna", "Sidder i Kolding", "Sitzt in Kiel"] {
        let mut profile = profile();
        profile.motivations.clear();
        profile.contribution_to_mission = None;
        profile.team_info.location =
            profile.team_info.location.map(|item| Item { text: place.into(), ..item });
        let made = create(&profile, HeadhuntingInput::default()).unwrap();
        let text = made.document.plain();
        let town = place.split([' ', ',']).nth(2).unwrap();
        assert!(!text.contains(town), "{text}");
    }
}

/// One end of a pay stays one end in every language.
#[test]
fn one_end_of_a_pay_stays_one_end_in_a_message() {
    for (min, max, wanted) in [
        (None, Some(58_000), ["up to 58", "upp till 58", "op til 58", "opptil 58", "bis zu 58", "bis zu 58"]),
        (Some(48_000), None, ["from 48", "från 48", "fra 48", "fra 48", "mindestens 48", "mindestens 48"]),
    ] {
        let mut profile = profile();
        profile.motivations.clear();
        profile.contribution_to_mission = None;
        profile.team_info.size = None;
        profile.team_info.location = None;
        profile.pay_range = Some(PayRange {
            min,
            max,
            currency: "SEK".to_owned(),
            period: PayPeriod::Month,
            beside: vec!["plus bonus".to_owned()],
            evidence: profile.must_have_skills[0].evidence.clone(),
        });
        let made = create(&profile, HeadhuntingInput::default()).unwrap();
        let text = made.document.plain();
        for words in wanted {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
}
