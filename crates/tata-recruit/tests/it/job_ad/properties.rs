//! The promises over thousands of profiles, in every voice, and over strings that break careless code.

use proptest::prelude::*;
use tata_language::identify::identify;
use tata_recruit::{
    AdContact, AdPay, AdQuotation, Block, CompanyFact, JobAd, JobAdInput, Kind, Language, PayPeriod, Profile,
    SectionName, Voice, WrittenSection, rendered,
};
use whatlang::Lang::{Dan, Deu, Eng, Nob, Swe};

use super::{create, explained, with_capital};
use crate::profiles::{any_profile, pool};

fn any_case() -> impl Strategy<Value = (Voice, Profile)> {
    proptest::sample::select(&Voice::ALL[..])
        .prop_flat_map(|voice| any_profile(voice.language()).prop_map(move |profile| (voice, profile)))
}

/// An input with some of what a recruiter may add.
fn any_input(language: Language) -> impl Strategy<Value = JobAdInput> {
    let place = proptest::option::of(proptest::sample::select(pool(language).locations.clone()));
    let facts = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (place, facts, proptest::option::of(1_usize..4), proptest::option::of(1_usize..4)).prop_map(
        move |(work_place, (contact, date, pay, equal), choose_headline, choose_intro)| JobAdInput {
            work_place,
            contact: contact.then(|| AdContact {
                name: Some("Kim Berg".to_owned()),
                email: Some("kim.berg@example.com".to_owned()),
                ..AdContact::default()
            }),
            apply_by: date.then(|| "2026-12-15".to_owned()),
            pay_range: pay.then(|| AdPay {
                min: Some(45_000),
                max: Some(52_000),
                currency: "SEK".to_owned(),
                period: PayPeriod::Month,
                beside: Vec::new(),
            }),
            equal_opportunity_line: Some(equal),
            choose_headline,
            choose_intro,
            ..JobAdInput::default()
        },
    )
}

fn any_full_case() -> impl Strategy<Value = (Voice, Profile, JobAdInput)> {
    any_case().prop_flat_map(|(voice, profile)| {
        any_input(voice.language()).prop_map(move |input| (voice, profile.clone(), input))
    })
}

/// Counts sentences by another rule than the module: a stop, then a blank and a capital, a digit or a quote.
fn counted_sentences(text: &str) -> usize {
    let letters: Vec<char> = text.trim().chars().collect();
    let mut count = usize::from(!letters.is_empty());
    for window in letters.windows(3) {
        let stop = matches!(window[0], '.' | '!' | '?');
        count +=
            usize::from(stop && window[1] == ' ' && (window[2].is_uppercase() || window[2].is_numeric()));
    }
    count
}

/// What the ad says in its own words: without the title, the must-haves and names.
fn own_words(ad: &JobAd, profile: &Profile) -> String {
    let mut text = ad.document().plain();
    for item in &profile.must_have_skills {
        text = text.replace(&item.text, " ");
    }
    text.replace(&ad.position_title, " ")
}

proptest! {
    /// Property 1: what is stored reads back equal, and so does the document.
    #[test]
    fn property_1_an_ad_reads_back_equal((voice, profile, input) in any_full_case()) {
        let (made, ad) = create(&profile, voice, input).unwrap();
        let text = serde_json::to_string(&ad).unwrap();
        prop_assert_eq!(&serde_json::from_str::<JobAd>(&text).unwrap(), &ad);
        prop_assert_eq!(serde_json::to_value(&ad).unwrap(), made.json.clone());
        prop_assert_eq!(rendered(Kind::JobAd, &made.json).unwrap(), made.document);
    }

    /// Property 3: one language and one German form, judged by two identifiers that share nothing.
    #[test]
    fn property_3_an_ad_speaks_one_language((voice, profile, input) in any_full_case()) {
        let (_, ad) = create(&profile, voice, input).unwrap();
        prop_assert_eq!(ad.voice, voice);
        let text = own_words(&ad, &profile);
        if let Some(found) = identify(&text) {
            prop_assert_eq!(found.language, voice.language(), "{}", text);
        }
        let judge = whatlang::Detector::with_allowlist(vec![Eng, Swe, Dan, Nob, Deu]);
        let found = judge.detect_lang(&text).unwrap();
        let fine: &[whatlang::Lang] = match voice {
            Voice::En => &[Eng],
            Voice::Sv => &[Swe],
            // The judge takes one for the other now and then; `identify` does not.
            Voice::Da | Voice::No => &[Dan, Nob],
            Voice::DeDu | Voice::DeSie => &[Deu],
        };
        prop_assert!(fine.contains(&found), "{found:?}: {text}");
        let words: Vec<String> =
            text.split(|letter: char| !letter.is_alphanumeric()).map(str::to_owned).collect();
        let has = |forms: &[&str]| forms.iter().any(|form| words.iter().any(|word| word == form));
        // "Sie" and "Ihre" at the start of a sentence can mean somebody else, but no frame uses them so.
        match voice {
            Voice::DeDu => prop_assert!(!has(&["Sie", "Ihnen", "Ihre", "Ihrer", "Ihr"]), "{text}"),
            Voice::DeSie => prop_assert!(!has(&["du", "Du", "dir", "dich", "deine", "Deine", "deiner"]), "{text}"),
            Voice::En | Voice::Sv | Voice::Da | Voice::No => {}
        }
    }

    /// Properties 4, 5, 6, 7 and 9: the company's name, no emoji, no dash bullets, no hype, no module letters.
    #[test]
    fn properties_4_to_7_and_9_the_rules_of_text((voice, profile, input) in any_full_case()) {
        let (made, ad) = create(&profile, voice, input).unwrap();
        let mut texts = vec![made.document.plain(), made.document.markdown()];
        texts.extend(ad.alternative_headlines.iter().chain(&ad.alternative_intros).cloned());
        texts.extend(made.notices.iter().map(|notice| notice.message.clone()));
        texts.extend(made.questions.iter().chain(&made.next_steps).cloned());
        for text in &texts {
            let lower = text.to_lowercase();
            prop_assert_eq!(lower.matches("globalconnect").count(), text.matches("GlobalConnect").count());
            prop_assert!(!lower.contains("global connect"));
            prop_assert!(!text.chars().any(|letter| matches!(letter as u32, 0x1F000..=0x1FAFF | 0x2600..=0x27BF)));
            for line in text.lines() {
                let line = line.trim_start();
                prop_assert!(!["- ", "– ", "— "].iter().any(|dash| line.starts_with(dash)), "{line}");
            }
            for letter in 'a'..='j' {
                let module = format!("module {letter}");
                prop_assert!(!lower.split(['.', '\n', ',']).any(|part| part.trim() == module), "{text}");
            }
            for hype in ["rockstar", "ninja", "world-class", "fantastisk", "spännande", "spændende", "spennende",
                "spannende", "einzigartig", "cutting edge", "fast-paced", "dynami"] {
                prop_assert!(!lower.contains(hype), "{hype}: {text}");
            }
        }
    }

    /// Property 10: the four must-haves stand word for word in the requirements.
    #[test]
    fn property_10_the_must_haves_are_verbatim((voice, profile, input) in any_full_case()) {
        let (made, ad) = create(&profile, voice, input).unwrap();
        let section = ad.section(SectionName::Requirements).unwrap();
        let points: Vec<&str> = section.points.iter().map(String::as_str).collect();
        let skills: Vec<&str> = profile.must_have_skills.iter().map(|item| item.text.as_str()).collect();
        prop_assert_eq!(points, skills.clone());
        let text = made.document.plain();
        // In the text a point begins with a capital letter; nothing else may differ.
        let shown = |skill: &&str| text.contains(*skill) || text.contains(&with_capital(skill));
        prop_assert!(skills.iter().all(shown));
    }

    /// Property 11: every span holds, and every point is an item of the profile or the recruiter's own word.
    #[test]
    fn property_11_everything_can_be_traced((voice, profile, input) in any_full_case()) {
        let steps = vec!["Ansökan".to_owned(), "Interview".to_owned()];
        let (_, ad) = create(&profile, voice, JobAdInput { process_steps: steps.clone(), ..input }).unwrap();
        let items: Vec<&str> = profile.items().map(|item| item.text.as_str()).collect();
        for section in &ad.sections {
            prop_assert!(!section.sources.is_empty(), "{:?}", section.name);
            prop_assert!(section.evidence.iter().all(|one| one.holds(&ad.sources)), "{section:?}");
            let points = section.points.iter().chain(section.further.iter().flat_map(|more| &more.points));
            for point in points {
                let known = items.contains(&point.as_str()) || steps.contains(point);
                // Place, contract, agreement and pay stand beside the team, each with its name.
                let term = section.name == SectionName::TeamAndWhyGc && point.contains(": ");
                prop_assert!(known || term, "{point}");
            }
        }
        let quoted: Vec<&str> =
            ad.sections.iter().flat_map(|section| &section.evidence).map(|one| one.quote.as_str()).collect();
        for item in profile.must_have_skills.iter().chain(&profile.primary_responsibilities) {
            prop_assert!(quoted.contains(&item.evidence.quote.as_str()), "{}", item.text);
        }
    }

    /// Property 12: ten sections in order, none empty; the limits of each; at least two alternatives.
    #[test]
    fn property_12_all_sections_are_there((voice, profile, input) in any_full_case()) {
        let (made, ad) = create(&profile, voice, input).unwrap();
        let names: Vec<SectionName> = ad.sections.iter().map(|section| section.name).collect();
        prop_assert_eq!(names, SectionName::ALL.to_vec());
        for section in &ad.sections {
            prop_assert!(section.texts().any(|text| !text.trim().is_empty()), "{:?}", section.name);
            // A frame that is missing shows its key; a value that is missing shows its braces.
            prop_assert!(section.texts().all(unbroken), "{section:?}");
        }
        let text = |name| ad.section(name).unwrap().text.as_str();
        prop_assert!(text(SectionName::Headline).contains(&profile.position_title));
        let tasks = ad.section(SectionName::Responsibilities).unwrap().points.len();
        prop_assert!((3..=5).contains(&tasks));
        prop_assert!(ad.alternative_headlines.len() >= 2 && ad.alternative_intros.len() >= 2);
        prop_assert!(ad.alternative_headlines.iter().all(|headline| headline.contains(&profile.position_title)));
        let mut intros: Vec<&String> = ad.alternative_intros.iter().collect();
        let intro = text(SectionName::Intro).to_owned();
        intros.push(&intro);
        for intro in &intros {
            prop_assert!(counted_sentences(&intro.replace(&ad.position_title, "X")) <= 2, "{intro}");
        }
        intros.sort_unstable();
        intros.dedup();
        prop_assert_eq!(intros.len(), ad.alternative_intros.len() + 1);
        let messages = made.notices.iter().map(|notice| &notice.message);
        for text in made.questions.iter().chain(&made.next_steps).chain(messages) {
            prop_assert!(unbroken(text), "{text}");
        }
    }

    /// Every point but a must-have begins with a capital letter, or is written small wherever it stands.
    #[test]
    fn points_begin_with_a_capital_letter((voice, profile, input) in any_full_case()) {
        let (made, _) = create(&profile, voice, input).unwrap();
        let small = |point: &&str| point.starts_with(char::is_lowercase);
        for block in &made.document.blocks {
            let Block::Bullets(points) = block else { continue };
            for point in points.iter().map(tata_document::Inline::as_str).filter(small) {
                let must = profile.must_have_skills.iter().any(|item| item.text == point);
                let word = point.split_whitespace().next().unwrap();
                prop_assert!(must || word.chars().skip(1).any(|letter| !letter.is_lowercase()), "{point}");
            }
        }
    }

    /// Property 36: the same input gives the same ad.
    #[test]
    fn property_36_equal_input_equal_ad((voice, profile, input) in any_full_case()) {
        let first = create(&profile, voice, input.clone()).unwrap();
        let second = create(&profile, voice, input).unwrap();
        prop_assert_eq!(&first.0.json, &second.0.json);
        prop_assert_eq!(first.0.document, second.0.document);
        prop_assert_eq!(first.0.questions, second.0.questions);
    }

    /// No two sections tell the same fact, except the tasks that the role description draws on.
    #[test]
    fn nothing_is_told_twice((voice, profile, input) in any_full_case()) {
        let (made, _) = create(&profile, voice, input).unwrap();
        // A point begins with a capital letter, whatever the item does.
        let text = made.document.plain().to_lowercase();
        let once = profile.motivations.iter().chain(&profile.soft_skills).chain(&profile.contribution_to_mission);
        for item in once.chain(&profile.bu_description) {
            // A short word may be part of another one.
            if item.text.split_whitespace().count() > 2 {
                prop_assert_eq!(text.matches(&item.text.to_lowercase()).count(), 1, "{}", item.text);
            }
        }
    }

    /// No input can make the module panic or invent: what comes out is refused or keeps every promise.
    #[test]
    fn hostile_strings_do_no_harm(
        (voice, mut profile) in any_case(),
        texts in proptest::collection::vec(hostile(), 14),
        number in any::<u64>(),
    ) {
        let some = |at: usize| Some(texts[at].clone());
        profile.position_title = if number % 3 == 0 { texts[13].clone() } else { profile.position_title };
        let input = JobAdInput {
            startup_notes: some(0),
            old_job_ad: some(1),
            company_context: some(2),
            approved_company_facts: vec![CompanyFact { text: texts[3].clone(), source: "page".to_owned() }],
            language: if number % 5 == 0 { some(4) } else { None },
            pay_range: Some(AdPay { min: Some(number), max: Some(number.wrapping_mul(3)), currency: texts[5].clone(), ..AdPay::default() }).filter(|_| number % 7 == 0),
            contact: Some(AdContact { role: some(6), ..AdContact::default() }),
            apply_by: some(7).filter(|_| number % 11 == 0),
            process_steps: vec![texts[8].clone(), texts[9].clone()],
            contract_type: some(10),
            work_place: some(11),
            similar_ads: vec![texts[12].clone()],
            ..JobAdInput::default()
        };
        match create(&profile, voice, input) {
            Ok((_, ad)) => {
                prop_assert!(ad.sections.iter().flat_map(|section| &section.evidence).all(|one| one.holds(&ad.sources)));
                for item in &profile.must_have_skills {
                    prop_assert!(ad.section(SectionName::Requirements).unwrap().points.contains(&item.text));
                }
            }
            Err(refusal) => prop_assert!(explained(&refusal), "{refusal:?}"),
        }
    }

    /// Written sections of any content are refused or traced.
    #[test]
    fn hostile_sections_do_no_harm(
        (voice, profile) in any_case(),
        name in proptest::sample::select(&SectionName::ALL[..]),
        texts in proptest::collection::vec(hostile(), 1..8),
    ) {
        let section = WrittenSection {
            name,
            text: texts[0].clone(),
            points: texts.clone(),
            evidence: texts.iter().map(|quote| AdQuotation { source: None, quote: quote.clone() }).collect(),
        };
        let input = JobAdInput {
            sections: vec![section],
            alternative_headlines: texts.clone(),
            alternative_intros: texts.clone(),
            ..JobAdInput::default()
        };
        match create(&profile, voice, input) {
            Ok((_, ad)) => prop_assert_eq!(ad.sections.len(), 10),
            Err(refusal) => prop_assert!(explained(&refusal), "{refusal:?}"),
        }
    }
}

/// Strings that break careless code.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        Just(String::new()),
        Just("\u{0}\u{202E}Module A\u{200B} - x\n- y\n— z".to_owned()),
        Just("🚀👩‍💻 {title} {text} job_ad.frames".to_owned()),
        Just("must have: \u{301}\u{301}\n* krav:\n* ".to_owned()),
        Just("Title: ://:::\n5 years\n3 years (((".to_owned()),
        Just("İ ß ﬁ \u{FFFF} 99999999999999999999999 years".to_owned()),
        Just("a ".repeat(400)),
    ]
}

/// Neither a key nor a placeholder shows.
fn unbroken(text: &str) -> bool {
    !text.contains("job_ad.") && !text.contains('{')
}
