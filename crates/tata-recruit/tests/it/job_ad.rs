//! The job ad: ten sections, every one of them true.

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::json;
use tata_recruit::{
    AdContact, AdFacts, AdPart, AdPay, AdQuotation, Block, CompanyFact, FormWish, GermanForm, Item, JobAd,
    JobAdInput, Kind, Language, Made, PayPeriod, Profile, ProfileStatus, Project, Refusal, SectionName,
    Settings, Source, Texts, Voice, WrittenSection, create_job_ad, identify, rendered,
};

use whatlang::Lang::{Dan, Deu, Eng, Nob, Swe};

use crate::profiles::{any_profile, pool};

mod lists;

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn form(voice: Voice) -> FormWish {
    match voice.form() {
        Some(GermanForm::Du) => FormWish::Du,
        Some(GermanForm::Sie) | None => FormWish::Sie,
    }
}

/// A project in the language of a voice.
fn project(profile: &Profile, voice: Voice) -> Project {
    let settings = Settings { language: voice.language(), german_form: form(voice), position_name: None };
    Project::default().with(Kind::ProjectSettings, "", &settings).with(Kind::RequirementProfile, "", profile)
}

fn create(profile: &Profile, voice: Voice, input: JobAdInput) -> Result<(Made, JobAd), Refusal> {
    let made = create_job_ad(input, &project(profile, voice), now())?;
    let ad = serde_json::from_value(made.json.clone()).unwrap();
    Ok((made, ad))
}

/// The same for texts that were sent back once: what is not proven is marked.
fn create_again(profile: &Profile, voice: Voice, input: JobAdInput) -> Result<(Made, JobAd), Refusal> {
    let made = create_job_ad(input, &project(profile, voice).tried_before(1), now())?;
    let ad = serde_json::from_value(made.json.clone()).unwrap();
    Ok((made, ad))
}

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
                min: 45_000,
                max: 52_000,
                currency: "SEK".to_owned(),
                period: PayPeriod::Month,
            }),
            equal_opportunity_line: equal,
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

/// A fixed profile of a language, for the tables.
fn sample(language: Language) -> Profile {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    any_profile(language).new_tree(&mut TestRunner::deterministic()).unwrap().current()
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

/// The same words with a capital first letter.
fn with_capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
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
            pay_range: Some(AdPay { min: number, max: number.wrapping_mul(3), currency: texts[5].clone(), period: PayPeriod::Year }).filter(|_| number % 7 == 0),
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

/// Every problem has a field, a message and a way out, and no key or placeholder shows.
fn explained(refusal: &Refusal) -> bool {
    !refusal.problems.is_empty()
        && refusal.problems.iter().all(|problem| {
            let hint = problem.hint.as_deref().unwrap_or_default();
            !problem.message.is_empty()
                && !hint.is_empty()
                && !problem.message.starts_with("job_ad.")
                && !hint.starts_with("job_ad.")
        })
}

/// Neither a key nor a placeholder shows.
fn unbroken(text: &str) -> bool {
    !text.contains("job_ad.") && !text.contains('{')
}

fn fields(refusal: &Refusal) -> Vec<&str> {
    refusal.problems.iter().map(|problem| problem.field.as_str()).collect()
}

/// Property 39: one refusal says everything that is missing and how to go on, in the language of the project.
#[test]
fn property_39_a_refusal_names_all_that_is_missing() {
    for voice in Voice::ALL {
        let mut profile = sample(voice.language());
        profile.position_title = "  ".to_owned();
        profile.must_have_skills.pop();
        profile.primary_responsibilities.truncate(2);
        profile.soft_skills.clear();
        profile.motivations.clear();
        profile.contribution_to_mission = None;
        let refusal = create(&profile, voice, JobAdInput::default()).unwrap_err();
        let wanted =
            ["position_title", "must_have_skills", "primary_responsibilities", "motivations", "soft_skills"];
        assert_eq!(fields(&refusal), wanted, "{voice:?}");
        assert!(explained(&refusal), "{refusal:?}");
        let parts =
            refusal.problems.iter().flat_map(|one| [one.message.as_str(), one.hint.as_deref().unwrap()]);
        let text = parts.collect::<Vec<_>>().join("\n");
        let found = whatlang::detect_lang(&text).unwrap();
        let code = match voice.language() {
            Language::En => "eng",
            Language::Sv => "swe",
            Language::Da => "dan",
            Language::No => "nob",
            Language::De => "deu",
        };
        let nordic = ["dan", "nob"];
        assert!(
            found.code() == code || nordic.contains(&code) && nordic.contains(&found.code()),
            "{found}: {text}"
        );
    }
}

/// A missing profile is refused in natural words.
#[test]
fn property_8_without_a_profile_the_way_there_is_offered() {
    for voice in Voice::ALL {
        let settings = Settings { language: voice.language(), german_form: form(voice), position_name: None };
        let project = Project::default().with(Kind::ProjectSettings, "", &settings);
        let refusal = create_job_ad(JobAdInput::default(), &project, now()).unwrap_err();
        assert!(explained(&refusal), "{refusal:?}");
        assert!(!refusal.problems[0].message.contains('_'), "{refusal:?}");
    }
}

/// Nothing of the profile is mixed into an ad of another language; the way out offers both roads.
#[test]
fn languages_are_not_mixed() {
    let mut profile = sample(Language::Sv);
    profile.position_title = "Network Engineer".to_owned();
    let refusal = create(&profile, Voice::En, JobAdInput::default()).unwrap_err();
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
    let pay = |min, max| AdPay { min, max, currency: "sek".to_owned(), period: PayPeriod::Month };
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

/// The recruiter is told what differs between the ad and its sources.
#[test]
fn the_ad_is_compared_with_its_sources() {
    let mut profile = sample(Language::En);
    profile.status = ProfileStatus::Draft;
    profile.pay_range = None;
    let notes =
        "Title: Chief Balloonist\nMust-haves:\n* valid balloon pilot certificate\nWe want 9 years of it.";
    let input = JobAdInput {
        startup_notes: Some(notes.to_owned()),
        old_job_ad: Some("At least 4 years. Module B says so.".to_owned()),
        ..JobAdInput::default()
    };
    let (made, ad) = create(&profile, Voice::En, input).unwrap();
    let told = |about: &str, words: &str| {
        let found = made.notices.iter().any(|one| one.about == about && one.message.contains(words));
        assert!(found, "{about} {words}: {:?}", made.notices);
    };
    told("position_title", "Chief Balloonist");
    told("requirements", "balloon pilot");
    told("sources", "4 years");
    told("requirement_profile", "draft");
    told("pay_range", "before the interview");
    told("old_job_ad", "old_job_ad");
    told("market", "no ads given");
    assert!(!ad.sources.get(Source::OldJobAd).unwrap().contains("Module B"));
    assert!(ad.market.is_none());
}

/// Similar ads are compared by what can be counted.
#[test]
fn similar_ads_are_compared_mechanically() {
    let other =
        "Fibre planner\n\nYour tasks\n* dig\n* plan\n\nSalary: SEK 40,000\nApply by 1 May. Contact: a@b.se";
    let input = JobAdInput { similar_ads: vec![other.to_owned(), " ".to_owned()], ..JobAdInput::default() };
    let (made, ad) = create(&sample(Language::En), Voice::En, input).unwrap();
    let market = ad.market.unwrap();
    assert_eq!(market.others.len(), 1);
    let facts = &market.others[0];
    assert_eq!(facts.bullets, 2);
    let has = |facts: &AdFacts, parts: &[AdPart]| parts.iter().all(|part| facts.parts.contains(part));
    assert!(has(facts, &[AdPart::Tasks, AdPart::Pay, AdPart::Deadline, AdPart::Contact]), "{facts:?}");
    assert!(!has(facts, &[AdPart::Process]));
    assert!(has(&market.own, &[AdPart::Tasks, AdPart::Requirements, AdPart::Process]), "{:?}", market.own);
    assert!(!has(&market.own, &[AdPart::Deadline]));
    assert!(
        made.notices.iter().any(|notice| notice.about == "market" && notice.message.contains("1 similar"))
    );
}

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

/// The lines that speak for the company can be switched.
#[test]
fn company_lines_can_be_switched() {
    for voice in Voice::ALL {
        let profile = sample(voice.language());
        let text = |accommodation_line, equal_opportunity_line| {
            let input = JobAdInput { accommodation_line, equal_opportunity_line, ..JobAdInput::default() };
            create(&profile, voice, input).unwrap().1.section(SectionName::Ending).unwrap().text.len()
        };
        assert!(text(None, false) == text(Some(true), false) && text(None, false) > text(Some(false), false));
        assert!(text(None, true) > text(None, false));
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

/// A statement of the profile that its source does not contain stops the ad.
#[test]
fn an_untraced_item_is_refused() {
    let mut profile = sample(Language::En);
    profile.must_have_skills[1].text = "a licence to fly".to_owned();
    let refusal = create(&profile, Voice::En, JobAdInput::default()).unwrap_err();
    assert_eq!(fields(&refusal), ["must_have_skills[1]"]);
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
