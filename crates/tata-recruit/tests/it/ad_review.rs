//! Properties of the job-ad review.

use jiff::Timestamp;
use proptest::prelude::*;
use tata_language::book::{AdSection, Element, Severity};
use tata_recruit::{
    AdIssueKind, DecideInput, FormWish, JobAd, JobAdInput, JobAdReview, JobAdReviewInput, Kind, Language,
    Profile, Project, Settings, Voice, create_job_ad, create_job_ad_review, decide_job_ad_findings,
};

use crate::{di_review::hostile, profiles::any_profile};

fn ad(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/ads/{name}.md", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn reviewed(text: &str, language: Option<Language>, project: &Project) -> JobAdReview {
    let language = language.map(|language| language.code().to_owned());
    let input =
        JobAdReviewInput { job_ad_text: Some(text.to_owned()), language, ..JobAdReviewInput::default() };
    let made = create_job_ad_review(input, project, Timestamp::UNIX_EPOCH);
    serde_json::from_value(made.unwrap_or_else(|refusal| panic!("{refusal:?}")).json).unwrap()
}

fn review(text: &str, language: Language) -> JobAdReview {
    reviewed(text, Some(language), &Project::default())
}

fn found(review: &JobAdReview) -> Vec<AdSection> {
    review.sections.iter().filter(|part| part.found).map(|part| part.section).collect()
}

fn has(review: &JobAdReview, rule: &str) -> bool {
    review.issues.iter().any(|issue| issue.rule == rule)
}

const ADS: [(&str, Language); 5] = [
    ("en", Language::En),
    ("sv", Language::Sv),
    ("da", Language::Da),
    ("no", Language::No),
    ("de", Language::De),
];

/// Every ad has the parts that its author gave it, whichever headings it uses.
#[test]
fn the_parts_of_real_ads_are_found() {
    let mut missing = Vec::new();
    for (code, language) in ADS {
        for number in 1..=5 {
            let found = found(&review(&ad(&format!("{code}-{number}")), language));
            let needed = [
                AdSection::Headline,
                AdSection::Responsibilities,
                AdSection::Requirements,
                AdSection::Benefits,
                AdSection::CallToAction,
            ];
            let lacks = needed.into_iter().filter(|section| !found.contains(section));
            missing.extend(lacks.map(|section| format!("{code}-{number} has no {section:?}: {found:?}")));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

/// Profiles that say something about every part of an ad.
fn full_profiles(language: Language, count: usize) -> Vec<Profile> {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let full = any_profile(language).prop_filter("says something about everything", |profile| {
        let team = &profile.team_info;
        !profile.good_to_haves.is_empty() && team.size.is_some() && team.location.is_some()
    });
    (0..count).map(|_| full.new_tree(&mut runner).unwrap().current()).collect()
}

/// What Tata composes, Tata recognises: no frame and no heading of its own reads as a missing part.
#[test]
fn the_parts_of_our_own_ads_are_found() {
    let mut wrong = std::collections::BTreeMap::new();
    for voice in Voice::ALL {
        // Titles decide which frames are used, so many titles show all of them.
        for profile in full_profiles(voice.language(), 60) {
            let german_form = match voice {
                Voice::DeDu => FormWish::Du,
                Voice::En | Voice::Sv | Voice::Da | Voice::No | Voice::DeSie => FormWish::Sie,
            };
            let settings = Settings { language: voice.language(), german_form, position_name: None };
            let project = Project::default().with(Kind::ProjectSettings, "", &settings).with(
                Kind::RequirementProfile,
                "",
                &profile,
            );
            let steps = ["CV", "Teams", "GlobalConnect"].map(str::to_owned);
            let process_steps = if profile.challenges.is_empty() { Vec::new() } else { steps.to_vec() };
            let input = JobAdInput { process_steps, ..JobAdInput::default() };
            let Ok(made) = create_job_ad(input, &project, Timestamp::UNIX_EPOCH) else { continue };
            let ad: JobAd = serde_json::from_value(made.json).unwrap();
            let text = ad.document().plain();
            let review = review(&text, voice.language());
            let found = found(&review);
            let needed = [
                AdSection::Headline,
                AdSection::Intro,
                AdSection::RoleDescription,
                AdSection::Responsibilities,
                AdSection::Requirements,
                AdSection::SoftSkills,
                AdSection::GoodToHaves,
                AdSection::Team,
                AdSection::Benefits,
                AdSection::Process,
                AdSection::CallToAction,
            ];
            for section in needed.into_iter().filter(|section| !found.contains(section)) {
                wrong.entry(format!("{voice:?} has no {section:?}")).or_insert_with(|| text.clone());
            }
            if has(&review, "missing_workplace") {
                wrong.entry(format!("{voice:?} has no place of work")).or_insert_with(|| text.clone());
            }
            let tasks: usize = profile
                .primary_responsibilities
                .iter()
                .map(|item| item.text.split_whitespace().count())
                .sum();
            let part = review.sections.iter().find(|part| part.section == AdSection::Responsibilities);
            if part.is_none_or(|part| part.word_count * 10 < tasks * 8) {
                wrong.entry(format!("{voice:?} counts no tasks")).or_insert_with(|| text.clone());
            }
        }
    }
    let shown = wrong.iter().map(|(what, text)| format!("== {what}\n{text}"));
    assert!(wrong.is_empty(), "{}", shown.collect::<Vec<_>>().join("\n"));
}

/// Good ads were told that they have no description of the role, no team and no process, and that dashes are wrong.
#[test]
fn what_stands_in_a_good_ad_is_not_missed() {
    let ads = [
        (
            Language::En,
            "# Network Planner, Oslo\n\nWe are building fibre in fourteen towns, and we need one more person to plan it.\n\n\
             ## What you'll do\n- Draw routes and calculate cost\n- Apply for permits and answer the towns\n- Hand over to \
             the construction team\n\n## What you need\n- Two years of planning networks for fibre or power\n- A licence, \
             since sites are far apart\n\n## What you get\n- Two days a week from home and a pension of seven per cent\n\n\
             You will be one of seven planners.\n\nApply by 10 January 2027.",
        ),
        (
            Language::Sv,
            "# Säljare, Malmö\n\nVi behöver en säljare till som tar hand om våra företagskunder i Skåne.\n\n## \
             Arbetsuppgifter\n- Följa upp 70 företagskunder och förnya avtal i tid\n- Skriva offerter med två tekniska \
             rådgivare\n\n## Kvalifikationer\n- Minst två års erfarenhet av försäljning till företag\n- Svenska och \
             engelska i tal och skrift\n\n## Vi erbjuder\n- Distansarbete två dagar i veckan\n\nDu blir en av nio i \
             teamet.\n\nSista ansökningsdag är den 20 december 2026.",
        ),
        (
            Language::Da,
            "# Kundekonsulent, Aarhus\n\nVi søger en kundekonsulent, der hjælper virksomheder med deres forbindelser.\n\n## \
             Opgaver\n- Du besvarer henvendelser på telefon og mail\n- Du finder fejl sammen med teknikerne\n- Du skriver \
             løsningen ned\n\n## Det har du med dig\n- Mindst et års erfaring med kundeservice\n- Du taler og skriver \
             dansk, så kunderne er trygge\n\n## Det får du\n- Fuld løn under barsel i 14 uger\n\nDu bliver en af tolv i \
             teamet.\n\nAnsøgningsfristen er den 3. januar 2027.",
        ),
        (
            Language::No,
            "# Fibermontør, Bergen\n\nVi skal koble til 9 000 husstander i Nordhordland, og nå ser vi etter en montør \
             til.\n\n## Arbeidsoppgaver\n- Skjøte og måle fiber hos kunder\n- Finne og rette feil, og skrive en kort \
             rapport\n\n## Kvalifikasjoner\n- Fagbrev som telekommunikasjonsmontør, eller tilsvarende praksis\n- Norsk på \
             nivå B1, fordi kundene snakker norsk\n\n## Vi tilbyr\n- Full lønn i foreldrepermisjonen\n\nDere blir elleve \
             montører.\n\nSøknadsfristen er 10. januar 2027.",
        ),
        (
            Language::De,
            "# Vertriebsmitarbeiter (m/w/d), Hamburg\n\nWir verbinden Unternehmen mit Glasfaser und suchen \
             Verstärkung.\n\n## Ihre Aufgaben\n- Sie betreuen rund 60 Geschäftskunden und verlängern Verträge\n- Sie \
             schreiben Angebote mit der Technik\n\n## Ihr Profil\n- Kaufmännische Ausbildung oder vergleichbare \
             Berufserfahrung\n- Zwei Jahre Erfahrung im Vertrieb an Geschäftskunden\n\n## Wir bieten\n- Zwei Tage mobiles \
             Arbeiten in der Woche\n\nSie arbeiten mit acht Kolleginnen und Kollegen zusammen.\n\nBewerbungsschluss ist \
             der 20. Dezember 2026.",
        ),
    ];
    for (language, text) in ads {
        let found = review(text, language);
        let wrong = ["missing_required", "missing_recommended", "missing_workplace", "dash_bullets", "vague"];
        let told: Vec<&str> = found
            .issues
            .iter()
            .filter(|issue| wrong.contains(&issue.rule.as_str()))
            .map(|issue| issue.description.as_str())
            .collect();
        assert!(told.is_empty(), "{language:?} {told:?}");
    }
}

#[test]
fn a_text_without_parts_has_none() {
    let text = "The weather in Oslo was fine last week, and the ferry came late as it often does in the autumn months.";
    let found = found(&review(text, Language::En));
    assert!(!found.contains(&AdSection::Requirements) && !found.contains(&AdSection::Benefits), "{found:?}");
    assert!(!found.contains(&AdSection::Headline) && !found.contains(&AdSection::Team), "{found:?}");
}

/// Structure: 20 for every required part, 5 for every recommended one.
#[test]
fn missing_parts_cost_what_they_should() {
    let text = "Network Engineer in Oslo\n\nRequirements\n* Five years with BGP in a carrier network, with MPLS and \
                with IS-IS\n* A degree or the same knowledge from practice, in English and in Norwegian\n";
    let found = review(text, Language::En);
    assert_eq!(found.structure_score, 100 - 2 * 20 - 4 * 5, "{:?}", found.sections);
    let missing: Vec<Option<AdSection>> = found
        .issues
        .iter()
        .filter(|issue| issue.rule == "missing_required")
        .map(|issue| issue.location)
        .collect();
    assert_eq!(missing, [Some(AdSection::RoleDescription), Some(AdSection::Responsibilities)]);
    assert_eq!(
        found.overall_score,
        (3 * found.structure_score + 4 * found.content_score + 3 * found.compliance_score) / 10
    );
}

/// Compliance: emoji 15, bullets of any sort nothing, banned words 5 each up to 30, five of them told.
#[test]
fn text_rules_cost_what_they_should() {
    let check = |text: &str, expected: u32| {
        assert_eq!(review(text, Language::En).compliance_score, expected, "{text}");
    };
    check("You build networks with us.", 100);
    check("You build networks with us 🚀.", 85);
    check("You do this:\n- build networks\n- mend networks", 100);
    check("A rockstar for our team.", 95);
    let many = "A rockstar, a ninja, a guru, a wizard, a superstar, a unicorn and a world-class team.";
    check(many, 70);
    let told = review(many, Language::En).issues.iter().filter(|issue| issue.rule == "banned_hype").count();
    assert_eq!(told, 5);
}

#[test]
fn what_is_said_twice_is_noticed() {
    let text = "You plan the networks of our customers in Norway. We meet on Mondays. You plan the networks of our \
                customers in Norway. You plan the networks of our suppliers.";
    let found = review(text, Language::En);
    assert!(has(&found, "duplicate_sentence") && has(&found, "repeated_phrase"), "{:?}", found.issues);
}

#[test]
fn what_readers_need_is_asked_for() {
    let bare =
        review("You plan networks for our customers in the region and you mend them too.", Language::En);
    for element in [Element::Pay, Element::Contact, Element::Deadline] {
        assert!(bare.missing_elements.contains(&element), "{element:?}");
    }
    let signs = review("Write to kim@example.com. You earn €4,500 and apply by 1 December.", Language::En);
    assert!(signs.missing_elements.iter().all(|element| !matches!(element, Element::Pay | Element::Contact)));
    let full =
        review("Pay: 50 000 SEK per month. Questions? Call Kim Berg. Apply by 1 December.", Language::En);
    for element in [Element::Pay, Element::Contact, Element::Deadline] {
        assert!(!full.missing_elements.contains(&element), "{element:?}");
    }
}

/// With a profile in the project, the ad is compared with it.
#[test]
fn the_ad_is_compared_with_the_profile() {
    let notes = "Must have\n* Five years of experience with BGP routing\n* A driving licence for lorries\n* Fluent English \
                 in speech and writing\n* Experience of leading a field team\n\nTasks\n* Plan the network in the north\n\
                 * Lead the field team in Tromsø\n* Report to the regional manager every month\n";
    let input = serde_json::json!({ "position_title": "Network Engineer", "startup_notes": notes });
    let input = serde_json::from_value(input).unwrap();
    let profile =
        tata_recruit::create_requirement_profile(input, &Project::default(), Timestamp::UNIX_EPOCH).unwrap();
    let project = Project::default().with(Kind::RequirementProfile, "", &profile.json);
    let text = "Network Engineer\n\nWhat you bring\n* Five years of experience with BGP routing\n* Fluent English in \
                speech and writing\n* Experience of leading a field team\n";
    let found = reviewed(text, Some(Language::En), &project);
    let missing: Vec<(&str, Severity)> = found
        .issues
        .iter()
        .filter(|issue| issue.rule == "must_have_missing")
        .map(|issue| (issue.description.as_str(), issue.severity))
        .collect();
    assert_eq!(missing.len(), 1, "{missing:?}");
    assert!(missing[0].0.contains("lorries") && missing[0].1 == Severity::Critical);
    assert!(has(&found, "task_missing"));
}

#[test]
fn recommendations_are_few_and_in_order() {
    let found = review("A rockstar for a dynamic environment 🚀", Language::En);
    assert!(found.recommendations.len() <= 10 && !found.recommendations.is_empty());
    let first = &found.issues.iter().find(|issue| issue.rule == "missing_required").unwrap().suggestion;
    assert_eq!(&found.recommendations[0], first);
}

#[test]
fn a_remark_with_better_words_can_be_accepted() {
    let text = "We look for a rockstar who will join our team in Oslo.";
    let first = review(text, Language::En);
    let remark = first.issues.iter().find(|issue| issue.rule == "banned_hype").unwrap();
    let project = Project::default().with(Kind::JobAdReview, "", &first);
    let decide = |accept: serde_json::Value| {
        let input: DecideInput = serde_json::from_value(serde_json::json!({ "accept": [accept] })).unwrap();
        decide_job_ad_findings(input, &project, Timestamp::UNIX_EPOCH)
    };
    // "A experienced specialist" is shown before it is written.
    let shown = decide(serde_json::json!({ "finding": remark.number })).unwrap_err();
    assert!(shown.problems[0].message.contains("for a experienced specialist who"), "{shown:?}");
    let made = decide(serde_json::json!({ "finding": remark.number, "alternative": 1 })).unwrap();
    let revised = made.json["revised_text"].as_str().unwrap();
    assert!(
        !revised.contains("rockstar") && revised.ends_with("who will join our team in Oslo."),
        "{revised}"
    );
    assert_eq!(made.json["original_text"], text);
    let nowhere = first.issues.iter().find(|issue| issue.bytes.is_none()).unwrap().number;
    assert!(decide(serde_json::json!({ "finding": nowhere })).is_err());
}

proptest! {
    /// Properties 27 and 36, and all twelve parts: whatever the text, it stays as it is, and every place is exact.
    #[test]
    fn every_text_is_reviewed_whole(
        (code, language) in proptest::sample::select(ADS.to_vec()),
        explained in proptest::sample::select(Language::ALL.to_vec()),
        number in 1..=5,
        hostile in hostile(),
        cut in 0..400usize,
    ) {
        let settings = Settings { language: explained, ..Settings::default() };
        let project = Project::default().with(Kind::ProjectSettings, "", &settings);
        let text: String = ad(&format!("{code}-{number}")).chars().skip(cut).collect::<String>() + &hostile;
        let first = reviewed(&text, Some(language), &project);
        prop_assert_eq!(&first, &reviewed(&text, Some(language), &project));
        prop_assert_eq!(&first.original_text, &text);
        prop_assert_eq!(first.sections.len(), 12);
        prop_assert!(first.recommendations.len() <= 10);
        for score in [first.overall_score, first.structure_score, first.content_score, first.compliance_score] {
            prop_assert!(score <= 100);
        }
        for (at, issue) in first.issues.iter().enumerate() {
            prop_assert_eq!(issue.number, at + 1);
            prop_assert!(!issue.description.starts_with("review.") && !issue.suggestion.starts_with("review."), "{issue:?}");
            if let (Some((start, end)), Some(found)) = (issue.bytes, &issue.text) {
                prop_assert_eq!(&text[start..end], found.as_str());
            }
            if issue.category == AdIssueKind::Structure {
                prop_assert!(issue.location.is_some());
            }
        }
    }
}
