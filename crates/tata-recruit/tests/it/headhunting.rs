//! Headhunting messages: properties 3, 5 to 8, 15 to 19, 36 and 39 of the specification.

use jiff::Timestamp;
use proptest::prelude::*;
use tata_recruit::{
    Audience, DetailKind, DetailQuote, FormRule, FormWish, Gate, GermanForm, GivenMessage, HeadhuntingInput,
    HeadhuntingMessages, Kind, Language, Level, Made, Message, Profile, Project, Reasons, Refusal, Settings,
    Source, ValueKind, Version, Voice, create_headhunting_messages, identify, rendered,
};

use crate::profiles::{any_profile, pool};

mod reasons;

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn project(profile: &Profile) -> Project {
    Project::default().with(Kind::RequirementProfile, "", profile)
}

fn create(profile: &Profile, input: HeadhuntingInput) -> Result<Made, Refusal> {
    create_headhunting_messages(input, &project(profile), now())
}

fn read(made: &Made) -> HeadhuntingMessages {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn about(candidate: &str) -> HeadhuntingInput {
    HeadhuntingInput { candidate_profile: Some(candidate.to_owned()), ..Default::default() }
}

/// Lines of public profiles: what may be taken up, and what may not.
const ROLES: &[&str] = &[
    "Network Engineer at Telia",
    "Senior Fibre Planner at TDC NET",
    "Nätverkstekniker på Telia",
    "Projektledare hos Skanova",
    "Projektleder hos TDC NET",
    "Driftstekniker hos Norlys",
    "Prosjektleder hos Telenor",
    "Sikkerhetsanalytiker i Atea",
    "Netzwerktechnikerin bei Vodafone",
    "Projektleiter bei der EWE TEL",
    "Service Delivery Manager at Deutsche Telekom",
];
const YEARS: &[&str] = &[
    "12 years of experience with fibre networks",
    "Mer än 15 års erfarenhet av fiberutbyggnad",
    "Over 10 års erfaring med datacentre",
    "8 års erfaring innen drift av stamnett",
    "Seit 9 Jahren Erfahrung in der Glasfaserplanung",
];
const SKILLS: &[&str] = &[
    "Certified in Juniper routing",
    "Certifierad inom projektledning",
    "Erfaring med offentlige udbud",
    "Sertifisert innen fibersveising",
    "Erfahrung mit SAP und Netzplanung",
    "Skills: BGP, MPLS, Juniper, Python",
];
const SENTENCES: &[&str] = &[
    "I like to build networks that last.",
    "Jag tycker om att förklara teknik på ett enkelt sätt.",
    "Jeg kan bedst lide at være ude hos kunderne.",
    "Jeg liker å få ting til å virke.",
    "Am liebsten plane ich Netze auf dem Land.",
];
const PRIVATE: &[&str] = &[
    "Anna Svensson",
    "45 år, gift, två barn",
    "Proud father of two and engineer at heart",
    "Geboren 1979 in Kiel",
    "Tillidsrepræsentant og tekniker hos TDC",
    "Muslim, network engineer at Telia",
    "Deaf engineer at Ericsson",
    "Gay and proud, technician at Telenor",
    "anna.svensson@example.com",
    "+46 70 123 45 67",
    "https://example.com/in/anna",
    "Engineer at Telia, anna@example.com",
    "Swedish citizen and engineer at Telia",
    "500+ connections",
    "(She/Her) Engineer at Telia",
];

fn any_candidate() -> impl Strategy<Value = String> {
    let some = |from: &'static [&'static str], most: usize| proptest::sample::subsequence(from, 0..=most);
    let lines = (some(ROLES, 2), some(YEARS, 1), some(SKILLS, 2), some(SENTENCES, 2), some(PRIVATE, 6));
    let lines = lines.prop_map(|(roles, years, skills, sentences, private)| {
        [roles, years, skills, sentences, private].concat()
    });
    let ended = lines.prop_shuffle().prop_map(|lines| {
        lines.into_iter().map(|line| if line.ends_with('.') { format!("{line} ") } else { line.to_owned() })
    });
    ended.prop_map(|lines| {
        lines.collect::<Vec<_>>().join("\n")
            + "\nPeople also viewed\nOle Olsen\nCrane Operator at Nowhere Ltd"
    })
}

/// Anything, and things that nearly are a profile.
fn hostile() -> impl Strategy<Value = String> {
    let parts: &[&str] = &[
        "Network Engineer at Telia",
        "Ingenieur bei Vodafone",
        "Skills:",
        "BGP, MPLS, Juniper",
        "12 years of experience",
        ", ",
        ": ",
        " | ",
        "\n",
        "\r\n",
        ". ",
        "\0",
        "\u{202E}",
        "\u{AD}",
        "🚀",
        "{detail}",
        "{position}",
        "“",
        "\"",
        "- ",
        "Sie",
        "du",
        "anna@example.com",
        "@",
        "İ",
        "ß",
        "e\u{301}",
        "\u{1F1F8}\u{1F1EA}",
        "People also viewed",
        "父",
        "Stockholm",
        "?",
        "!",
    ];
    let made = proptest::collection::vec(proptest::sample::select(parts.to_vec()), 0..12);
    prop_oneof![any::<String>(), made.prop_map(|parts| parts.concat())]
}

fn any_language() -> impl Strategy<Value = Language> {
    proptest::sample::select(&Language::ALL[..])
}

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
fn check_structure(messages: &HeadhuntingMessages) -> Result<(), TestCaseError> {
    prop_assert_eq!(messages.versions.iter().count(), 18);
    for (version, voice, message) in messages.versions.iter() {
        let what = format!("{} {}\n{}", version.name(), voice.code(), message.text);
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
fn check_words(messages: &HeadhuntingMessages) -> Result<(), TestCaseError> {
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
fn check_language(messages: &HeadhuntingMessages) -> Result<(), TestCaseError> {
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
fn check_truth(messages: &HeadhuntingMessages, profile: &Profile) -> Result<(), TestCaseError> {
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
fn check_detail(messages: &HeadhuntingMessages, candidate: &str) -> Result<(), TestCaseError> {
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

fn check_refused(refusal: &Refusal, profile: &Profile) -> Result<(), TestCaseError> {
    prop_assert!(!has_facts(profile), "{:?}", refusal);
    prop_assert!(refusal.problems.iter().all(|problem| problem.hint.is_some()));
    prop_assert!(refusal.problems.iter().all(|problem| problem.field.starts_with("value_propositions.")));
    Ok(())
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

/// A profile with facts that can be said in every language.
fn profile() -> Profile {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    loop {
        let tree = any_profile(Language::Sv).new_tree(&mut runner).unwrap();
        let profile = proptest::strategy::ValueTree::current(&tree);
        if profile.team_info.size.is_some() && profile.team_info.location.is_some() {
            return profile;
        }
    }
}

fn problems(result: Result<Made, Refusal>) -> Vec<(String, String)> {
    let refusal = result.map(|made| made.json).unwrap_err();
    refusal.problems.into_iter().map(|problem| (problem.field, problem.message)).collect()
}

/// Properties 8 and 39: without a profile, a refusal in the language of the project that offers to make one.
#[test]
fn without_a_requirement_profile_there_are_no_messages() {
    for language in Language::ALL {
        let settings = Settings { language, ..Default::default() };
        let project = Project::default().with(Kind::ProjectSettings, "", &settings);
        let refusal = create_headhunting_messages(HeadhuntingInput::default(), &project, now()).unwrap_err();
        let problem = &refusal.problems[0];
        assert!(problem.message.contains(Kind::HeadhuntingMessages.display(project.texts())), "{problem:?}");
        assert!(problem.hint.is_some());
        let mut profile = profile();
        profile.position_title = "  ".to_owned();
        let project = project.with(Kind::RequirementProfile, "", &profile);
        let refusal = create_headhunting_messages(HeadhuntingInput::default(), &project, now()).unwrap_err();
        assert_eq!(refusal.problems[0].field, "position_title");
    }
}

#[test]
fn what_is_missing_for_a_language_is_asked_for() {
    let mut profile = profile();
    profile.team_info = tata_recruit::TeamInfo::default();
    profile.pay_range = None;
    let fields: Vec<String> =
        problems(create(&profile, HeadhuntingInput::default())).into_iter().map(|(field, _)| field).collect();
    assert_eq!(
        fields,
        ["en", "sv", "da", "no", "de_du", "de_sie"].map(|code| format!("value_propositions.{code}"))
    );
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

#[test]
fn a_chosen_detail_must_stand_in_the_profile_and_be_about_work() {
    let profile = profile();
    let candidate = "Anna Svensson\nNetwork Engineer at Telia\nFixing routers is my craft.\nMother of three boys\n\
                     Mail: anna@example.com\nBGP";
    let check = |quote: &str, refused: Option<&str>| {
        let detail = Some(DetailQuote { quote: quote.to_owned() });
        let made = create(&profile, HeadhuntingInput { personalization_detail: detail, ..about(candidate) });
        match (made, refused) {
            (Ok(made), None) => {
                let messages = read(&made);
                check_structure(&messages).unwrap();
                assert!(messages.personalization_detail.unwrap().item.holds(&messages.sources));
            }
            (Err(refusal), Some(part)) => {
                let message = &refusal.problems[0].message;
                assert!(message.contains(part), "{quote:?}: {message}");
            }
            (made, _) => panic!("{quote:?}: {:?}", made.map(|made| made.json)),
        }
    };
    check("fixing routers is my craft", None);
    check("Network Engineer at Ericsson", Some("word for word"));
    check("Mother of three boys", Some("private"));
    check("Mail: anna@example.com", Some("contact"));
    check("BGP", Some("3 characters"));
    let detail = Some(DetailQuote { quote: "Network Engineer at Telia".to_owned() });
    let made = create(&profile, HeadhuntingInput { personalization_detail: detail, ..Default::default() });
    assert!(problems(made)[0].1.contains("no candidate profile"));
}

/// A text that keeps every rule, for the position of a profile.
fn written(profile: &Profile) -> GivenMessage {
    let hook = format!("At GlobalConnect we need somebody for this role: {}.", profile.position_title);
    let value = "What speaks for it is a short way to the people who decide.".to_owned();
    let call = "Could we talk for 15 minutes on Thursday?".to_owned();
    GivenMessage {
        version: Version::ShortDirect,
        voice: Voice::En,
        text: format!("Hello,\n\n{hook} {value} {call}\n\nKind regards"),
        hook,
        value_proposition: value,
        based_on: profile.motivations[0].text.clone(),
        call_to_action: call,
    }
}

#[test]
fn a_written_text_is_taken_or_refused_with_the_rule() {
    let profile = profile();
    let good = written(&profile);
    let made =
        create(&profile, HeadhuntingInput { messages: vec![good.clone()], ..Default::default() }).unwrap();
    let messages = read(&made);
    assert_eq!(messages.versions.short_direct.en.text, good.text);
    assert!(messages.versions.short_direct.en.given && !messages.versions.short_direct.sv.given);

    let check = |change: &dyn Fn(&mut GivenMessage), part: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        let all = problems(create(&profile, HeadhuntingInput { messages: vec![bad], ..Default::default() }));
        assert!(all.iter().any(|(_, message)| message.contains(part)), "{part}: {all:?}");
        assert!(all.iter().all(|(field, _)| field == "messages.short_direct.en"), "{all:?}");
    };
    let add = |text: &'static str| move |bad: &mut GivenMessage| bad.text = bad.text.replace("Kind", text);
    check(&|bad| bad.text = bad.text.replace("Kind", &"word ".repeat(90)), "words");
    check(&|bad| bad.text = bad.text.replace("Kind", &"word ".repeat(90)), "characters");
    check(
        &|bad| bad.hook = "At GlobalConnect we need somebody for this role".to_owned(),
        "name the position",
    );
    check(&|bad| bad.call_to_action = "Call me.".to_owned(), "exactly once");
    check(&|bad| bad.value_proposition = bad.hook.clone(), "exactly once");
    check(&|bad| bad.based_on = "free lunch".to_owned(), "free lunch");
    check(&add("I was impressed by your experience. Kind"), "your experience");
    check(&add("Are you there? Kind"), "more than one question");
    check(&add("We are 4711 people. Kind"), "4711");
    let twice = HeadhuntingInput { messages: vec![good.clone(), good.clone()], ..Default::default() };
    assert!(problems(create(&profile, twice))[0].1.contains("twice"));
}

#[test]
fn a_written_text_takes_up_the_one_detail_and_no_other() {
    let profile = profile();
    let candidate = "Network Engineer at Telia\nRuns the core network of a large hospital in Uppsala";
    let input = |sentence: &str| {
        let mut one = written(&profile);
        one.text = one.text.replace("Hello,\n\n", &format!("Hello,\n\n{sentence} "));
        HeadhuntingInput { messages: vec![one], ..about(candidate) }
    };
    let good = create(&profile, input("In your profile I read: “Network Engineer at Telia”.")).unwrap();
    check_structure(&read(&good)).unwrap();
    assert_eq!(read(&good).personalization_detail.unwrap().item.text, "Network Engineer at Telia");
    assert!(problems(create(&profile, input("Nice to meet you.")))[0].1.contains("exactly once"));
    let both =
        "In your profile I read: “Network Engineer at Telia”, and the core network of a large hospital.";
    assert!(problems(create(&profile, input(both)))[0].1.contains("more than one detail"));
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
fn the_recruiter_is_told_what_could_not_be_done() {
    let mut profile = profile();
    drop(profile.must_have_skills.pop());
    let made = create(&profile, about("too short")).unwrap();
    let about: Vec<&str> = made.notices.iter().map(|notice| notice.about.as_str()).collect();
    assert_eq!(about, ["must_have_skills", "candidate_profile", "candidate_profile"]);
    assert!(!made.next_steps.is_empty());
    assert!(made.answer()["artifact"].get("sources").is_none(), "the pasted text is not sent back");
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
