//! Sections that a model wrote: each is proven, marked or refused.

use serde_json::json;
use tata_recruit::{
    AdContact, AdPay, AdQuotation, Item, JobAdInput, Language, SectionName, Source, Voice, WrittenSection,
};

use super::{create, create_again, fields, sample, with_capital};

/// Nothing of the profile is mixed into an ad of another language; the way out offers both roads.
#[test]
fn languages_are_not_mixed() {
    let mut profile = sample(Language::Sv);
    profile.position_title = "Network Engineer".to_owned();
    // Nobody named a language: the ad is in that of its statements, and says so.
    let (made, ad) = create(&profile, Voice::En, JobAdInput::default()).unwrap();
    assert_eq!(ad.voice, Voice::Sv);
    assert!(made.notices.iter().any(|notice| notice.message.contains("Swedish")), "{:?}", made.notices);
    let wished = JobAdInput { language: Some("en".to_owned()), ..JobAdInput::default() };
    let refusal = create(&profile, Voice::En, wished).unwrap_err();
    assert_eq!(fields(&refusal), ["language"]);
    assert!(refusal.problems[0].hint.as_deref().unwrap().contains("Swedish"), "{refusal:?}");

    let quote = |item: &Item| AdQuotation { source: Some(Source::StartupNotes), quote: item.text.clone() };
    let section = |name, text: &str, points: &[&str], items: &[Item]| WrittenSection {
        name,
        text: text.to_owned(),
        points: points.iter().map(|point| (*point).to_owned()).collect(),
        evidence: items.iter().map(quote).collect(),
    };
    let tasks = &profile.primary_responsibilities;
    let sections = vec![
        section(
            SectionName::RoleDescription,
            "You look after a network that many people use.",
            &[],
            &tasks[..1],
        ),
        section(SectionName::TheWhy, "There are good reasons to join us.", &[], &profile.motivations),
        section(SectionName::Responsibilities, "", &["plan the work", "do the work", "follow it up"], tasks),
        section(
            SectionName::SoftSkillsParagraph,
            "We look for somebody who listens.",
            &[],
            &profile.soft_skills,
        ),
    ];
    let input = JobAdInput { sections: sections.clone(), ..JobAdInput::default() };
    let (made, ad) = create(&profile, Voice::En, input).unwrap();
    assert!(ad.section(SectionName::TheWhy).unwrap().sources.contains(&"translated".to_owned()));
    assert_eq!(made.notices.iter().filter(|notice| notice.about.starts_with("sections.")).count(), 4);
    let text = made.document.plain();
    for item in profile.items().filter(|item| !profile.must_have_skills.contains(item)) {
        if item.text.split_whitespace().count() > 2 {
            assert!(!text.contains(&item.text), "{}", item.text);
        }
    }
    let shown = |text: &str, skill: &str| text.contains(skill) || text.contains(&with_capital(skill));
    assert!(profile.must_have_skills.iter().all(|item| shown(&text, &item.text)));

    let fewer = JobAdInput { sections: sections[1..].to_vec(), ..JobAdInput::default() };
    assert_eq!(fields(&create(&profile, Voice::En, fewer).unwrap_err()), ["language"]);
}

/// A section that was handed over is refused with its name and the reason.
#[test]
fn written_sections_are_verified() {
    use SectionName::{
        Headline, Intro, Requirements, Responsibilities, RoleDescription, SoftSkillsParagraph,
    };
    let profile = sample(Language::En);
    let title = profile.position_title.clone();
    let quotes = |items: &[Item]| -> Vec<AdQuotation> {
        items.iter().map(|item| AdQuotation { source: None, quote: item.text.clone() }).collect()
    };
    let tasks = quotes(&profile.primary_responsibilities);
    let check =
        |name: SectionName, text: &str, points: &[&str], evidence: &[AdQuotation], wanted: Option<&str>| {
            let section = WrittenSection {
                name,
                text: text.to_owned(),
                points: points.iter().map(|point| (*point).to_owned()).collect(),
                evidence: evidence.to_vec(),
            };
            let input = JobAdInput { sections: vec![section], ..JobAdInput::default() };
            let made = if wanted.is_some() { create } else { create_again };
            match (made(&profile, Voice::En, input), wanted) {
                (Ok((_, ad)), None) => assert_eq!(ad.section(name).unwrap().text, text),
                (Err(refusal), Some(wanted)) => {
                    assert!(
                        fields(&refusal).iter().all(|field| *field == format!("sections.{}", name.name()))
                    );
                    let found = refusal.problems.iter().any(|one| one.message.contains(wanted));
                    assert!(found, "{wanted}: {refusal:?}");
                }
                (outcome, wanted) => panic!("{text}: {wanted:?}, {:?}", outcome.map(|(_, ad)| ad)),
            }
        };
    check(Headline, "Join us", &[], &[], Some(&title));
    check(Headline, &format!("Join us as {title}"), &[], &[], None);
    check(Intro, "One. Two. Three.", &[], &[], Some("3 sentences"));
    check(Intro, "One is enough. Two is the limit.", &[], &[], None);
    check(Intro, "", &[], &[], Some("empty"));
    check(RoleDescription, "You run the network.", &[], &[], Some("no quotation"));
    let wrong = [AdQuotation { source: None, quote: "flies to the moon".to_owned() }];
    check(RoleDescription, "You run the network.", &[], &wrong, Some("flies to the moon"));
    check(RoleDescription, "You run the network.", &[], &tasks[..1], None);
    check(RoleDescription, "You look after 987654 homes.", &[], &tasks[..1], Some("987654"));
    check(RoleDescription, "You work with Zorbatron every day.", &[], &tasks[..1], Some("Zorbatron"));
    check(RoleDescription, "You work at GlobalConnect.", &[], &tasks[..1], None);
    check(Responsibilities, "", &["one task", "two tasks"], &tasks, Some("2 points"));
    check(Responsibilities, "", &["run it", "mend it", "plan it"], &tasks[..2], Some("only 2 quotations"));
    check(Responsibilities, "", &["run it", "mend it", "plan it"], &tasks[..3], None);
    check(SoftSkillsParagraph, "", &["calm"], &tasks[..1], Some("prose"));
    check(Requirements, "We need much.", &["much"], &tasks[..1], Some("must-have"));
    let skills: Vec<&str> = profile.must_have_skills.iter().map(|item| item.text.as_str()).collect();
    check(Requirements, "We need:", &skills, &quotes(&profile.must_have_skills), None);
    let more: Vec<&str> = skills.iter().copied().chain(["a pilot's certificate"]).collect();
    check(Requirements, "We need:", &more, &quotes(&profile.must_have_skills), Some("1 points"));
}

/// Tasks in other words than the profile's are sent back, then let through with a mark and a warning.
#[test]
fn foreign_vocabulary_is_noticed() {
    let profile = sample(Language::En);
    let evidence = profile.primary_responsibilities.iter();
    let section = WrittenSection {
        name: SectionName::Responsibilities,
        points: ["juggling oranges", "painting elephants", "baking bread"].map(str::to_owned).to_vec(),
        evidence: evidence.map(|item| AdQuotation { source: None, quote: item.text.clone() }).collect(),
        ..WrittenSection::default()
    };
    let input = JobAdInput { sections: vec![section], ..JobAdInput::default() };
    let refused = create(&profile, Voice::En, input.clone()).unwrap_err();
    assert!(refused.problems.iter().any(|one| one.message.contains("juggling oranges")), "{refused:?}");
    let (made, ad) = create_again(&profile, Voice::En, input).unwrap();
    assert!(made.notices.iter().any(|notice| notice.message.contains("0 per cent")), "{:?}", made.notices);
    assert_eq!(ad.unproven.len(), 3);
    assert!(made.document.plain().contains("not ready to be published"));
}

/// The schema of the tool can be filled as a model would.
#[test]
fn the_input_reads_json() {
    let input: JobAdInput = serde_json::from_value(json!({
        "language": "sv",
        "contact": {"email": "a@b.se"},
        "pay_range": {"min": 1, "max": 2, "currency": "SEK"},
        "sections": [{"name": "the_why", "text": "x", "evidence": [{"source": "startup_notes", "quote": "x"}]}],
    }))
    .unwrap();
    assert_eq!(input.sections[0].name, SectionName::TheWhy);
    assert!(serde_json::from_value::<JobAdInput>(json!({"lang": "sv"})).is_err());
}

/// Sections as a model writes them, and facts as they are printed.
struct Native {
    voice: Voice,
    team: &'static str,
    process: &'static str,
    ending: &'static str,
    place: &'static str,
    contract: &'static str,
    pay: &'static str,
    day: &'static str,
    adjustment: &'static str,
}

const NATIVES: [Native; 5] = [
    Native {
        voice: Voice::En,
        team: "You join colleagues who help each other every day.",
        process: "This is how we go about it.",
        ending: "We look forward to your application.",
        place: "Copenhagen, three days a week",
        contract: "permanent, full time",
        pay: "DKK 52,000–58,000 per month",
        day: "10 January 2027",
        adjustment: "because of a disability",
    },
    Native {
        voice: Voice::Sv,
        team: "Du kommer till kollegor som hjälper varandra varje dag.",
        process: "Så här går det till hos oss.",
        ending: "Vi ser fram emot din ansökan.",
        place: "Göteborg, tre dagar i veckan",
        contract: "tillsvidare, heltid",
        pay: "52\u{A0}000–58\u{A0}000 danska kronor per månad",
        day: "10 januari 2027",
        adjustment: "funktionsnedsättning",
    },
    Native {
        voice: Voice::Da,
        team: "Du får kolleger, der hjælper hinanden hver dag.",
        process: "Sådan foregår det hos os.",
        ending: "Vi glæder os til at læse din ansøgning.",
        place: "Kolding, tre dage om ugen",
        contract: "fastansættelse på fuld tid",
        pay: "52.000–58.000 kroner om måneden",
        day: "10. januar 2027",
        adjustment: "handicap",
    },
    Native {
        voice: Voice::No,
        team: "Du får kolleger som hjelper hverandre hver dag.",
        process: "Slik går det for seg hos oss.",
        ending: "Vi gleder oss til å lese søknaden din.",
        place: "Trondheim, tre dager i uken",
        contract: "fast stilling på heltid",
        pay: "52\u{A0}000–58\u{A0}000 danske kroner per måned",
        day: "10. januar 2027",
        adjustment: "funksjonsnedsettelse",
    },
    Native {
        voice: Voice::DeSie,
        team: "Hier helfen sich alle jeden Tag gegenseitig.",
        process: "So gehen wir dabei vor.",
        ending: "Wir freuen uns auf Ihre Bewerbung.",
        place: "Düsseldorf, drei Tage in der Woche",
        contract: "unbefristet, Vollzeit",
        pay: "52.000 bis 58.000 dänische Kronen pro Monat",
        day: "10. Januar 2027",
        adjustment: "Behinderung",
    },
];

/// Terms, steps, last day, contact and the offer of adjustments are printed once each, whoever wrote the sections.
#[test]
fn terms_and_contact_stand_once_whoever_wrote_the_sections() {
    use SectionName::{Ending, Process, TeamAndWhyGc};
    for native in NATIVES {
        let profile = sample(native.voice.language());
        let quote = AdQuotation { source: None, quote: profile.must_have_skills[0].text.clone() };
        let all = [(TeamAndWhyGc, native.team), (Process, native.process), (Ending, native.ending)];
        for handed in 0_u8..8 {
            let written = all.iter().enumerate().filter(|(at, _)| handed & (1 << at) != 0);
            let sections = written.map(|(_, (name, text))| WrittenSection {
                name: *name,
                text: (*text).to_owned(),
                evidence: vec![quote.clone()],
                ..WrittenSection::default()
            });
            let input = JobAdInput {
                sections: sections.collect(),
                apply_by: Some("2027-01-10".to_owned()),
                contract_type: Some(native.contract.to_owned()),
                work_place: Some(native.place.to_owned()),
                pay_range: Some(AdPay {
                    min: Some(52_000),
                    max: Some(58_000),
                    currency: "DKK".to_owned(),
                    ..AdPay::default()
                }),
                contact: Some(AdContact {
                    name: Some("Priya Nair".to_owned()),
                    phone: Some("+45 70 00 00 00".to_owned()),
                    ..AdContact::default()
                }),
                process_steps: vec!["Zoom 45".to_owned()],
                ..JobAdInput::default()
            };
            let (_, ad) = create_again(&profile, native.voice, input).unwrap();
            let text = ad.document().plain();
            let facts = [
                native.pay,
                native.place,
                native.contract,
                native.day,
                native.adjustment,
                "+45 70 00 00 00",
                "Zoom 45",
            ];
            for fact in facts {
                assert_eq!(text.matches(fact).count(), 1, "{fact} with {handed:03b}: {text}");
            }
        }
    }
}

/// What a written ending already says is not said a second time.
#[test]
fn a_written_ending_that_names_day_and_contact_is_not_repeated() {
    let profile = sample(Language::En);
    let section = WrittenSection {
        name: SectionName::Ending,
        text: "Apply by January 10, 2027. Priya Nair answers questions: +45 70 00 00 00.".to_owned(),
        ..WrittenSection::default()
    };
    let input = JobAdInput {
        sections: vec![section],
        apply_by: Some("2027-01-10".to_owned()),
        contact: Some(AdContact {
            name: Some("Priya Nair".to_owned()),
            phone: Some("+45 70 00 00 00".to_owned()),
            ..AdContact::default()
        }),
        ..JobAdInput::default()
    };
    let (_, ad) = create_again(&profile, Voice::En, input).unwrap();
    let ending = &ad.section(SectionName::Ending).unwrap().text;
    assert_eq!(ending.matches("2027").count(), 1, "{ending}");
    assert_eq!(ending.matches("+45 70 00 00 00").count(), 1, "{ending}");
}
