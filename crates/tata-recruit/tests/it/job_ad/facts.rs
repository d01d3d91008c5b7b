//! Facts beside the profile: the company's, pay, dates and contacts.

use tata_recruit::{
    AdContact, AdPay, CompanyFact, GermanForm, Item, JobAdInput, Kind, Language, PayPeriod, Profile,
    SectionName, Source, Tracer, Voice, create_job_ad,
};

use super::{create, explained, fields, sample};

/// Company facts enter only when approved, with a source; the rest is proposed.
#[test]
fn only_approved_facts_enter() {
    let profile = sample(Language::En);
    let known = "GlobalConnect runs networks in the Nordics.";
    let context = format!("{known} The cafeteria serves waffles on Thursdays.");
    let fact = CompanyFact { text: known.to_owned(), source: "intranet".to_owned() };
    let input = JobAdInput {
        company_context: Some(context.clone()),
        approved_company_facts: vec![fact.clone()],
        ..JobAdInput::default()
    };
    let (made, ad) = create(&profile, Voice::En, input).unwrap();
    let team = &ad.section(SectionName::TeamAndWhyGc).unwrap();
    assert!(team.text.contains(known) && team.sources.contains(&"approved_company_facts".to_owned()));
    assert!(!made.document.plain().contains("waffles"));
    assert!(made.questions.iter().any(|question| question.contains("waffles")));
    assert!(!made.questions.iter().any(|question| question.contains(known)));

    let fact = CompanyFact { source: " ".to_owned(), ..fact };
    let input = JobAdInput { approved_company_facts: vec![fact], ..JobAdInput::default() };
    assert_eq!(fields(&create(&profile, Voice::En, input).unwrap_err()), ["approved_company_facts"]);
}

/// Pay, dates, contacts and choices are checked, and written as the country writes them.
#[test]
fn practical_facts_are_localized() {
    let pay = |min, max| AdPay {
        min: Some(min),
        max: Some(max),
        currency: "sek".to_owned(),
        period: PayPeriod::Month,
        beside: Vec::new(),
    };
    let check = |voice: Voice, texts: &[&str]| {
        let input = JobAdInput {
            pay_range: Some(pay(45_000, 52_000)),
            apply_by: Some("2026-12-15".to_owned()),
            contact: Some(AdContact {
                name: Some("Kim Berg".to_owned()),
                phone: Some("+46 8 123 45".to_owned()),
                ..AdContact::default()
            }),
            ..JobAdInput::default()
        };
        let (made, _) = create(&sample(voice.language()), voice, input).unwrap();
        let text = made.document.plain();
        for wanted in texts {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert!(!made.notices.iter().any(|notice| notice.about == "pay_range"));
    };
    check(Voice::En, &["SEK 45,000–52,000 per month", "15 December 2026", "Kim Berg, +46 8 123 45"]);
    check(Voice::Sv, &["45\u{A0}000–52\u{A0}000 kronor per månad", "15 december 2026"]);
    check(Voice::Da, &["45.000–52.000 svenske kroner om måneden", "15. december 2026"]);
    check(Voice::No, &["45\u{A0}000–52\u{A0}000 svenske kroner per måned", "15. desember 2026"]);
    check(Voice::DeDu, &["45.000 bis 52.000 schwedische Kronen pro Monat", "15. Dezember 2026"]);

    let refuse = |input: JobAdInput, field: &str| {
        let refusal = create(&sample(Language::En), Voice::En, input).unwrap_err();
        assert_eq!(fields(&refusal), [field]);
        assert!(explained(&refusal));
    };
    let base = JobAdInput::default;
    refuse(JobAdInput { pay_range: Some(pay(5, 4)), ..base() }, "pay_range");
    refuse(JobAdInput { apply_by: Some("15/12/2026".to_owned()), ..base() }, "apply_by");
    refuse(JobAdInput { apply_by: Some("2026-11-14".to_owned()), ..base() }, "apply_by");
    refuse(JobAdInput { choose_headline: Some(99), ..base() }, "choose_headline");
    refuse(JobAdInput { choose_intro: Some(0), ..base() }, "choose_intro");
    refuse(JobAdInput { similar_ads: vec!["ad".to_owned(); 6], ..base() }, "similar_ads");
    let contact = AdContact { name: Some("Kim".to_owned()), ..AdContact::default() };
    refuse(JobAdInput { contact: Some(contact), ..base() }, "contact");
    let contact = AdContact { email: Some("not an address".to_owned()), ..AdContact::default() };
    refuse(JobAdInput { contact: Some(contact), ..base() }, "contact.email");
    refuse(JobAdInput { startup_notes: Some("x".repeat(1_000_001)), ..base() }, "startup_notes");
    refuse(JobAdInput { work_place: Some("x".repeat(301)), ..base() }, "work_place");
}

/// The lines that speak for the company can be switched.
#[test]
fn company_lines_can_be_switched() {
    for voice in Voice::ALL {
        let profile = sample(voice.language());
        let text = |accommodation_line, equal| {
            let equal_opportunity_line = Some(equal);
            let input = JobAdInput { accommodation_line, equal_opportunity_line, ..JobAdInput::default() };
            create(&profile, voice, input).unwrap().1.section(SectionName::Ending).unwrap().text.len()
        };
        assert!(text(None, false) == text(Some(true), false) && text(None, false) > text(Some(false), false));
        assert!(text(None, true) > text(None, false));
    }
}

/// What is no name of a place stands in a list, in no sentence and in no headline.
#[test]
fn a_place_in_other_words_stands_in_a_list() {
    for (voice, place) in [
        (Voice::En, "Sits in Malmö, 2-3 days a week in the office"),
        (Voice::Sv, "Man kör mest i Värmland, två dagar på kontoret"),
        (Voice::Da, "Sidder i Kolding"),
        (Voice::No, "Sitter på Fornebu"),
        (Voice::DeSie, "Sitzt in Kiel"),
    ] {
        let mut profile = sample(voice.language());
        profile.team_info.location = Some(said(&mut profile, place));
        let (_, ad) = create(&profile, voice, JobAdInput::default()).unwrap();
        let prose: Vec<&str> = ad.sections.iter().map(|section| section.text.as_str()).collect();
        let headlines = ad.alternative_headlines.iter().map(String::as_str);
        assert!(!prose.into_iter().chain(headlines).any(|text| text.contains(place)), "{place}: {ad:?}");
        let team = ad.section(SectionName::TeamAndWhyGc).unwrap();
        let listed = team.further.iter().any(|more| more.points.iter().any(|point| point == place));
        assert!(listed, "{place}: {team:?}");
    }
}

/// Days, steps and the form of employment of the profile are in the ad; a day of no concern is told to be left out.
#[test]
fn days_steps_and_employment_of_the_profile_stand_in_the_ad() {
    for (voice, start, last, day, other, employment, step) in [
        (
            Voice::En,
            "Start: 1 March 2027",
            "Last day to apply: 10 January",
            "10 January 2027",
            "Photographer comes in week 49",
            "permanent, full time",
            "Two interviews",
        ),
        (
            Voice::Sv,
            "Tillträde 1 mars 2027",
            "Sista ansökningsdag 11 december",
            "11 december 2026",
            "Fotografen kommer vecka 49",
            "tillsvidare, heltid",
            "Två intervjuer",
        ),
        (
            Voice::Da,
            "Opstart: 1. marts 2027",
            "Ansøgningsfrist 13. december",
            "13. december 2026",
            "Fotografen kommer i uge 49",
            "fast, 37 timer",
            "To samtaler",
        ),
        (
            Voice::No,
            "Oppstart 1. mars 2027",
            "Søknadsfrist 3. januar",
            "3. januar 2027",
            "Fotografen kommer i uke 49",
            "fast, 100 prosent",
            "To intervjuer",
        ),
        (
            Voice::DeSie,
            "Beginn: 1. März 2027",
            "Bewerbungsschluss ist der 20. Dezember",
            "20. Dezember 2026",
            "Die Fotografin kommt in Woche 49",
            "unbefristet, Vollzeit",
            "Zwei Gespräche",
        ),
    ] {
        let mut profile = sample(voice.language());
        profile.dates = [start, last, other].map(|text| said(&mut profile, text)).to_vec();
        profile.employment = vec![said(&mut profile, employment)];
        profile.process_steps = vec![said(&mut profile, step)];
        let (made, ad) = create(&profile, voice, JobAdInput::default()).unwrap();
        let text = ad.document().plain();
        for wanted in [start, day, employment, step] {
            assert_eq!(text.matches(wanted).count(), 1, "{wanted}: {text}");
        }
        assert!(ad.apply_by.is_some() && !text.contains(other), "{text}");
        let told =
            made.notices.iter().any(|notice| notice.about == "dates" && notice.message.contains(other));
        assert!(told, "{:?}", made.notices);
    }
}

/// A statement that somebody added to a profile.
fn said(profile: &mut Profile, text: &str) -> Item {
    let known = profile.sources.get(Source::HiringManagerInput).unwrap_or_default();
    let words = format!("{known}\n{text}");
    profile.sources = profile.sources.clone().with(Source::HiringManagerInput, Some(&words));
    Tracer::new(&profile.sources).item(text, Some(Source::HiringManagerInput)).unwrap()
}

/// Contact, terms and steps that were given once hold for the next version, until something else is said.
#[test]
fn a_new_version_keeps_what_was_given() {
    let profile = sample(Language::En);
    let contact = |name: &str| AdContact {
        name: Some(name.to_owned()),
        phone: Some("+45 70 00 00 00".to_owned()),
        ..AdContact::default()
    };
    let input = JobAdInput {
        contact: Some(contact("Priya Nair")),
        apply_by: Some("2027-01-10".to_owned()),
        contract_type: Some("permanent, full time".to_owned()),
        work_place: Some("Copenhagen, three days a week".to_owned()),
        process_steps: vec!["A first interview".to_owned()],
        pay_range: Some(AdPay { max: Some(58_000), currency: "DKK".to_owned(), ..AdPay::default() }),
        ..JobAdInput::default()
    };
    let (_, first) = create(&profile, Voice::En, input).unwrap();
    let again = |input: JobAdInput| {
        let project = super::project(&profile, Voice::En).with(Kind::JobAd, "", &first);
        create_job_ad(input, &project, super::now()).unwrap().document.plain()
    };
    let text = again(JobAdInput { choose_headline: Some(2), ..JobAdInput::default() });
    for kept in [
        "Priya Nair",
        "10 January 2027",
        "permanent, full time",
        "Copenhagen, three days a week",
        "A first interview",
        "up to DKK 58,000 per month",
    ] {
        assert_eq!(text.matches(kept).count(), 1, "{kept}: {text}");
    }
    let text = again(JobAdInput { contact: Some(contact("Marcus Holm")), ..JobAdInput::default() });
    assert!(text.contains("Marcus Holm") && !text.contains("Priya Nair"), "{text}");
}

/// "Not in the ad" names nothing that is in it, in whatever order.
#[test]
fn nothing_in_the_ad_is_told_to_be_left_out() {
    let mut profile = sample(Language::En);
    profile.team_info.location = Some(said(&mut profile, "Copenhagen, Havneholmen, three days a week"));
    let input = JobAdInput {
        work_place: Some("Havneholmen, Copenhagen, three days a week".to_owned()),
        ..JobAdInput::default()
    };
    let (made, _) = create(&profile, Voice::En, input).unwrap();
    let told = made.notices.iter().find(|notice| notice.message.contains("Havneholmen"));
    assert!(told.is_none(), "{told:?}");
}

/// "Synergi" is a system for deviations, and "synergi" is hype: a task that names the system stopped the ad.
#[test]
fn a_system_named_in_a_task_stops_no_ad() {
    let mut profile = sample(Language::No);
    profile.primary_responsibilities[0] = said(&mut profile, "følge opp avvik i Synergi");
    let voice = Voice::new(Language::No, GermanForm::Sie);
    let (made, _) = create(&profile, voice, JobAdInput::default()).unwrap();
    assert!(made.document.plain().contains("Synergi"), "{}", made.document.plain());
    let mut hype = sample(Language::No);
    hype.primary_responsibilities[0] = said(&mut hype, "skape synergi i teamet");
    assert!(create(&hype, voice, JobAdInput::default()).is_err());
}
