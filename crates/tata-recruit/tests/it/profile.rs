//! The requirement profile: four must-haves, every statement traced, nothing made up.

use std::time::{Duration, Instant};

use jiff::Timestamp;
use proptest::prelude::*;
use tata_recruit::{
    Enrichments, GermanForm, Item, Kind, Language, ListEdit, Made, PayPeriod, Profile, ProfileEdit,
    ProfileInput, ProfileStatus, Project, Refusal, Replacement, Said, Settings, Source, TeamWish, Texts,
    Voice, create_requirement_profile, edit_requirement_profile, profile_of,
};
use tata_recruit::{group, key};

use crate::profiles::pool;

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

/// A project that speaks a language.
fn speaking(voice: Voice) -> Project {
    let german_form = match voice.form() {
        Some(GermanForm::Du) => tata_recruit::FormWish::Du,
        Some(GermanForm::Sie) | None => tata_recruit::FormWish::Sie,
    };
    let settings = Settings { language: voice.language(), german_form, position_name: None };
    Project::default().with(Kind::ProjectSettings, "", &settings)
}

/// The headings of a tidy note: must-haves, tasks, good-to-haves.
fn headings(language: Language) -> [&'static str; 3] {
    match language {
        Language::En => ["Must have", "Responsibilities", "Nice to have"],
        Language::Sv => ["Krav", "Arbetsuppgifter", "Meriterande"],
        Language::Da => ["Krav", "Opgaver", "En fordel"],
        Language::No => ["Må ha", "Oppgaver", "Ønskelig"],
        Language::De => ["Anforderungen", "Aufgaben", "Wünschenswert"],
    }
}

fn notes(language: Language, must: &[String], tasks: &[String], good: &[String]) -> String {
    let mut text = String::new();
    for (heading, items) in headings(language).into_iter().zip([must, tasks, good]) {
        if !items.is_empty() {
            text.push_str(&format!("{heading}:\n"));
            for item in items {
                text.push_str(&format!("* {item}\n"));
            }
            text.push('\n');
        }
    }
    text
}

fn input(title: &str, notes: &str) -> ProfileInput {
    ProfileInput {
        position_title: title.to_owned(),
        startup_notes: notes.to_owned(),
        ..ProfileInput::default()
    }
}

fn profile(made: &Made) -> Profile {
    serde_json::from_value(made.json.clone()).unwrap()
}

fn texts(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.text.as_str()).collect()
}

const FOUR: &str = "Must have:\n* BGP in production\n* Fluent Swedish\n* SQL\n* Driving licence\n\nTasks:\n* Run the core network";

fn four() -> Made {
    create_requirement_profile(input("Network Engineer", FOUR), &Project::default(), now()).unwrap()
}

fn stored(made: &Made) -> Project {
    Project::default().with(Kind::RequirementProfile, "", &profile(made))
}

fn traced(profile: &Profile) -> bool {
    let pay = profile.pay_range.as_ref().is_none_or(|pay| pay.evidence.holds(&profile.sources));
    let size = profile.team_info.size.as_ref().is_none_or(|size| size.evidence.holds(&profile.sources));
    pay && size && profile.items().all(|item| item.holds(&profile.sources))
}

fn said(text: &str) -> Said {
    Said { text: text.to_owned(), source: None }
}

fn problem(refusal: &Refusal) -> String {
    refusal.problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("\n")
}

proptest! {
    /// Properties 1, 10, 11 and 36: from a tidy note come exactly its four must-haves, its tasks and its good-to-haves,
    /// each with a span that holds; the same input gives the same profile, and it reads back equal.
    #[test]
    fn a_tidy_note_is_read_completely(
        (language, must, tasks, good) in proptest::sample::select(&Language::ALL[..]).prop_flat_map(|language| {
            let pool = pool(language);
            let some = |from: &[String], least: usize, most: usize| {
                proptest::sample::subsequence(from.to_vec(), least..=most.min(from.len())).prop_shuffle()
            };
            (Just(language), some(&pool.skills, 4, 4), some(&pool.responsibilities, 1, 5), some(&pool.good_to_haves, 0, 3))
        })
    ) {
        let text = notes(language, &must, &tasks, &good);
        let make = || create_requirement_profile(input("Network Engineer", &text), &Project::default(), now());
        let made = make().map_err(|refusal| TestCaseError::fail(problem(&refusal)))?;
        let profile = profile(&made);
        prop_assert_eq!(texts(&profile.must_have_skills), must.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(texts(&profile.primary_responsibilities), tasks.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert!(traced(&profile));
        prop_assert_eq!(&made.json, &make().unwrap().json);
        prop_assert_eq!(profile_of(&stored(&made)).unwrap(), profile);
    }

    /// Properties 10 and 39: with another number of must-haves nothing is made; the refusal says how many were found,
    /// names them and asks, in the language of the project.
    #[test]
    fn fewer_or_more_than_four_are_asked_about(
        voice in proptest::sample::select(&Voice::ALL[..]),
        count in prop_oneof![0_usize..4, 5_usize..9],
        seed in any::<prop::sample::Index>(),
    ) {
        let language = voice.language();
        let skills = &pool(language).skills;
        let must: Vec<String> =
            skills.iter().cycle().skip(seed.index(skills.len())).take(count.min(skills.len())).cloned().collect();
        let text = notes(language, &must, &pool(language).responsibilities[..2], &[]);
        let refusal = create_requirement_profile(input("X", &text), &speaking(voice), now()).unwrap_err();
        let message = problem(&refusal);
        prop_assert_eq!(refusal.problems.len(), 1);
        prop_assert!(must.iter().all(|skill| message.contains(skill.as_str())), "{message}");
        prop_assert!(must.is_empty() || message.contains(&must.len().to_string()), "{message}");
        let hint = refusal.problems[0].hint.clone().unwrap();
        let own = Texts::of(voice);
        let asked = if count < 4 {
            own.say(key!("profile.too_few_way_out"), &[("missing", &(4 - count).to_string())])
        } else {
            own.get(key!("profile.too_many_way_out")).to_owned()
        };
        prop_assert_eq!(hint, asked);
    }

    /// Property 11 and the brief's rule: no string makes the module panic, loop or invent.
    #[test]
    fn no_string_is_too_strange(
        title in ".{0,40}",
        notes in "(\\PC|\n|\t|[-*•>:,.()]|must have |krav: |muss |nice to have |\u{0}|\u{202E}){0,200}",
        ad in proptest::option::of("(\\PC|\n|Requirements\n|- ){0,80}"),
        wish in ".{0,60}",
    ) {
        let mut input = input(&title, &notes);
        input.old_job_ad = ad;
        input.enrichments.must_haves = vec![wish.clone(), "Five years of BGP".to_owned(), "SQL".to_owned()];
        input.enrichments.pay_range = None;
        input.chosen_must_haves = Some(vec!["1".into(), "2".into(), "3".into(), "4".into()]);
        if let Ok(made) = create_requirement_profile(input, &Project::default(), now()) {
            let profile = profile(&made);
            prop_assert_eq!(profile.must_have_skills.len(), 4);
            prop_assert!(traced(&profile), "{profile:?}");
        }
        let edit = ProfileEdit {
            recruiter_input: Some(wish.clone()),
            good_to_haves: ListEdit { add: vec![wish], ..ListEdit::default() },
            ..ProfileEdit::default()
        };
        if let Ok(made) = edit_requirement_profile(edit, &stored(&four()), now()) {
            prop_assert!(traced(&profile(&made)));
        }
    }
}

/// Long lines and long lists take time in proportion to their length: what is quadratic would take minutes here.
#[test]
fn a_megabyte_is_read_in_linear_time() {
    let shapes = [
        "x",
        "must have ",
        "krav: a, ",
        "> ",
        "- ",
        "(",
        "[",
        ":",
        ", and ",
        "team 5 people ",
        "5 ",
        "1 000 ",
        "muss ",
        "must have java\n",
        "- [ ] ab\n",
        "a.\n",
        "\n",
        "they must have ",
        "€5-6k ",
        "Mvh\n",
        "!? ",
        "och ",
        "a, b or c. ",
        "\u{202E}\u{0}",
        "ñ\u{301}",
        "must-have: SQL; ",
        "krav – ",
        "= muss\n",
        "- must have (a, ",
    ];
    for (at, shape) in shapes.into_iter().enumerate() {
        let length = if at < 2 { 990_000 } else { 150_000 };
        let text: String = shape.chars().cycle().take(length).collect();
        let mut input = input("Title must have", &text);
        input.enrichments.must_haves = (1..5).map(|number| format!("Skill number {number}")).collect();
        input.chosen_must_haves = Some((1..5).map(|number| format!("Skill number {number}")).collect());
        let start = Instant::now();
        drop(create_requirement_profile(input, &Project::default(), now()));
        let took = start.elapsed();
        assert!(took < Duration::from_mins(1), "{shape:?} took {took:?}");
    }
}

/// Property 39: every refusal has a field, says what is missing and how to go on, in the language of the project.
#[test]
fn refusals_speak_the_language_of_the_project() {
    for voice in Voice::ALL {
        let project = speaking(voice);
        let texts = Texts::of(voice);
        let check = |input: ProfileInput, project: &Project, field: &str, key: &str| {
            let refusal = create_requirement_profile(input, project, now()).unwrap_err();
            let problem = refusal.problems.iter().find(|problem| problem.field == field).unwrap();
            assert_eq!(problem.message, texts.get(group!("profile").key(key)), "{field}");
            assert!(problem.hint.as_ref().is_some_and(|hint| hint.len() > 10), "{field}");
        };
        check(input(" \n", FOUR), &project, "position_title", "no_title");
        check(input("Engineer", " \t\u{0}"), &project, "startup_notes", "no_notes");
        let confirmed = Profile { status: ProfileStatus::Confirmed, ..profile(&four()) };
        let locked = project.clone().with(Kind::RequirementProfile, "", &confirmed);
        check(input("Engineer", FOUR), &locked, "replace", "locked");
        let replaced = ProfileInput { replace: true, ..input("Engineer", FOUR) };
        assert_eq!(profile(&create_requirement_profile(replaced, &locked, now()).unwrap()).version, 2);
    }
}

/// Property 11: what a model hands over must stand in a source; a signature is none.
#[test]
fn what_cannot_be_traced_is_refused_by_name() {
    let notes = "BGP in production, fluent Swedish, SQL, driving licence.\n\nBest regards\nKarin Ek\nHead of Network Excellence";
    let mut given = input("Network Engineer", notes);
    given.must_haves =
        Some(vec![said("BGP in production"), said("fluent Swedish"), said("SQL"), said("driving licence")]);
    let made = create_requirement_profile(given.clone(), &Project::default(), now()).unwrap();
    assert_eq!(
        texts(&profile(&made).must_have_skills),
        ["BGP in production", "fluent Swedish", "SQL", "driving licence"]
    );
    for invented in ["ten years of BGP", "Network Excellence", "Head of Network Excellence", "Karin Ek"] {
        let mut given = given.clone();
        given.must_haves.as_mut().unwrap()[3] = said(invented);
        let refusal = create_requirement_profile(given, &Project::default(), now()).unwrap_err();
        assert_eq!(refusal.problems[0].field, "/must_haves/3");
        assert!(problem(&refusal).contains(invented), "{}", problem(&refusal));
    }
    let mut wrong_source = given;
    wrong_source.must_haves.as_mut().unwrap()[0].source = Some(Source::OldJobAd);
    assert!(create_requirement_profile(wrong_source, &Project::default(), now()).is_err());
}

/// Property 10: the recruiter chooses by text or number; the others become good-to-haves.
#[test]
fn the_recruiter_chooses_four_of_six() {
    let notes =
        "Must have:\n- BGP\n- SQL\n- Fluent Swedish\n- Driving licence\n- Python\n- MPLS in production";
    let mut given = input("Network Engineer", notes);
    given.chosen_must_haves = Some(["1", "python", "Fluent Swedish", "mpls"].map(str::to_owned).to_vec());
    let made = profile(&create_requirement_profile(given.clone(), &Project::default(), now()).unwrap());
    assert_eq!(texts(&made.must_have_skills), ["BGP", "Fluent Swedish", "Python", "MPLS in production"]);
    assert_eq!(texts(&made.good_to_haves), ["SQL", "Driving licence"]);
    for wrong in [vec!["1", "2", "3"], vec!["1", "2", "3", "Cobol"], vec!["1", "1", "2", "3"]] {
        given.chosen_must_haves = Some(wrong.into_iter().map(str::to_owned).collect());
        assert!(create_requirement_profile(given.clone(), &Project::default(), now()).is_err());
    }
}

#[test]
fn enrichments_are_the_recruiters_own_words() {
    let mut given = input("Network Engineer", "Must have:\n- BGP in production\n- SQL\n- Fluent Swedish");
    given.enrichments = Enrichments {
        must_haves: vec!["B-körkort".into()],
        team: TeamWish { size: Some(8), location: Some("Malmö".into()), collaboration_style: None },
        pay_range: Some("45 000-52 000 SEK per month".into()),
        motivations: vec!["a team that helps each other".into()],
        ..Enrichments::default()
    };
    let made = profile(&create_requirement_profile(given.clone(), &Project::default(), now()).unwrap());
    assert!(traced(&made), "{made:?}");
    let must = &made.must_have_skills[3];
    assert_eq!((must.text.as_str(), must.evidence.source), ("B-körkort", Source::RecruiterInput));
    assert_eq!(made.team_info.size.unwrap().people, 8);
    let pay = made.pay_range.unwrap();
    assert_eq!(
        (pay.min, pay.max, pay.currency.as_str(), pay.period),
        (Some(45_000), Some(52_000), "SEK", PayPeriod::Month)
    );
    given.enrichments.pay_range = Some("market level".into());
    let refusal = create_requirement_profile(given, &Project::default(), now()).unwrap_err();
    assert_eq!(refusal.problems[0].field, "enrichments/pay_range");
}

/// Contradictions are shown with both quotations; what an earlier ad adds is offered.
#[test]
fn contradictions_and_offers_are_asked_about() {
    let notes = "Krav:\n- minst två års erfarenhet som produktägare\n- flytande svenska\n- SQL\n- B-körkort\n\nPlacering: Malmö";
    let ad = "Vi söker dig som har\n- minst fem års erfarenhet som produktägare\n- CSPO-certifiering\n\nPlacering: Stockholm";
    let mut given = input("Produktägare", notes);
    given.old_job_ad = Some(ad.to_owned());
    let made = create_requirement_profile(given, &Project::default(), now()).unwrap();
    let asked = made.questions.join("\n");
    for words in [
        "minst två års erfarenhet som produktägare",
        "minst fem års erfarenhet",
        "Malmö",
        "Stockholm",
        "CSPO",
    ] {
        assert!(asked.contains(words), "{words}: {asked}");
    }
    assert_eq!(texts(&profile(&made).good_to_haves), Vec::<&str>::new(), "offered, not taken");
}

/// Property 2: once it exists, confirming needs nothing that was said before, and a mere yes outdates nothing.
#[test]
fn a_yes_locks_the_profile() {
    let project = stored(&four());
    let yes = ProfileEdit { confirm: true, ..ProfileEdit::default() };
    let made = edit_requirement_profile(yes, &project, now()).unwrap();
    let confirmed = profile(&made);
    assert_eq!((confirmed.status, confirmed.version), (ProfileStatus::Confirmed, 2));
    assert_eq!(confirmed.must_have_skills, profile_of(&project).unwrap().must_have_skills);
    assert!(!made.outdates && made.questions.is_empty() && made.next_steps.len() > 2);
    assert!(edit_requirement_profile(ProfileEdit::default(), &project, now()).is_err(), "nothing was said");
    assert!(edit_requirement_profile(ProfileEdit::default(), &Project::default(), now()).is_err());
}

#[test]
fn an_edit_is_a_new_draft_in_the_recruiters_words() {
    let project = stored(&four());
    let edit = ProfileEdit {
        recruiter_input: Some("Replace the licence with Python, please. And Kotlin would be nice.".into()),
        must_haves: ListEdit {
            replace: vec![Replacement { old: "4".into(), new: "Python".into(), part: None }],
            ..ListEdit::default()
        },
        good_to_haves: ListEdit { add: vec!["Kotlin".into()], ..ListEdit::default() },
        ..ProfileEdit::default()
    };
    let made = edit_requirement_profile(edit, &project, now()).unwrap();
    let edited = profile(&made);
    assert!(made.outdates && traced(&edited));
    assert_eq!(texts(&edited.must_have_skills), ["BGP in production", "Fluent Swedish", "SQL", "Python"]);
    assert_eq!((edited.status, edited.version), (ProfileStatus::Draft, 2));
    let refused = |edit: ProfileEdit| edit_requirement_profile(edit, &project, now()).unwrap_err();
    let add = |text: &str| ListEdit { add: vec![text.into()], ..ListEdit::default() };
    let untraced = refused(ProfileEdit { good_to_haves: add("Cobol"), ..ProfileEdit::default() });
    assert!(problem(&untraced).contains("Cobol"));
    let remove = ListEdit { remove: vec!["SQL".into()], ..ListEdit::default() };
    let three = refused(ProfileEdit { must_haves: remove, ..ProfileEdit::default() });
    assert!(problem(&three).contains('3'), "{}", problem(&three));
}

/// Four megabytes of short lines became a form of 179 MB: nobody sorts so many by hand, and everybody is told what to do.
#[test]
fn notes_of_very_many_lines_are_to_be_split() {
    for voice in Voice::ALL {
        for lines in [1_000, 20_000] {
            let input = input("Controller", &"* she is calm\n".repeat(lines));
            let refused = create_requirement_profile(input, &speaking(voice), now()).unwrap_err();
            let problem = refused.problems.first().unwrap();
            assert_eq!((refused.problems.len(), problem.field.as_str()), (1, "startup_notes"), "{problem:?}");
            assert!(problem.message.contains("400"), "{problem:?}");
            let way_out = problem.hint.as_deref().unwrap_or_default();
            assert!(way_out.contains(headings(voice.language())[1]) || voice == Voice::En, "{problem:?}");
        }
    }
    // What stands under its headings needs nobody to sort it, however long it is.
    let labelled =
        notes(Language::En, &pool(Language::En).skills[..4], &vec!["Plan the budget".to_owned(); 1_000], &[]);
    assert!(create_requirement_profile(input("Controller", &labelled), &speaking(Voice::En), now()).is_ok());
}

/// What notes say of days, steps and the form of employment is in the profile, a day with the label that explains it.
#[test]
fn days_steps_and_employment_are_in_the_profile() {
    for (language, notes, wanted) in [
        (
            Language::En,
            "Start: 1 March 2027\nProcess: two interviews\nContract: permanent, full time",
            ["Start: 1 March 2027", "two interviews", "permanent, full time"],
        ),
        (
            Language::Sv,
            "Tillträde: 1 mars 2027\nProcess: två intervjuer\nAnställningsform: tillsvidare, heltid",
            ["Tillträde: 1 mars 2027", "två intervjuer", "tillsvidare, heltid"],
        ),
        (
            Language::Da,
            "Opstart: 1. marts 2027\nForløb: to samtaler\nAnsættelsesform: fast, 37 timer",
            ["Opstart: 1. marts 2027", "to samtaler", "fast, 37 timer"],
        ),
        (
            Language::No,
            "Oppstart: 1. mars 2027\nProsess: to intervjuer\nAnsettelsesform: fast, 100 prosent",
            ["Oppstart: 1. mars 2027", "to intervjuer", "fast, 100 prosent"],
        ),
        (
            Language::De,
            "Eintritt: 1. März 2027\nAblauf: zwei Gespräche\nVertragsart: unbefristet, Vollzeit",
            ["Eintritt: 1. März 2027", "zwei Gespräche", "unbefristet, Vollzeit"],
        ),
    ] {
        let pool = pool(language);
        let (must, tasks) = (&pool.skills[..4], &pool.responsibilities[..3]);
        let notes = format!("{}{notes}\n", self::notes(language, must, tasks, &[]));
        let voice = Voice::new(language, GermanForm::Sie);
        let made = create_requirement_profile(input("X", &notes), &speaking(voice), now()).unwrap();
        let found = profile(&made);
        assert!(traced(&found), "{found:?}");
        assert_eq!(texts(&found.dates), wanted[..1], "{notes}");
        assert_eq!(texts(&found.process_steps), wanted[1..2], "{notes}");
        assert_eq!(texts(&found.employment), wanted[2..], "{notes}");
        let text = made.document.plain();
        assert!(wanted.iter().all(|words| text.to_lowercase().contains(&words.to_lowercase())), "{text}");
    }
}

/// One end of a pay stays one end, and what comes with a pay or was said beside it is used or told.
#[test]
fn nothing_that_is_said_about_the_pay_is_lost() {
    let check = |pay: &str, wanted: &str, left: &[&str]| {
        let notes = format!("{FOUR}\n\n{pay}\n");
        let made = create_requirement_profile(input("Network Engineer", &notes), &Project::default(), now());
        let made = made.unwrap();
        let text = made.document.plain().replace('\u{A0}', " ");
        assert!(text.contains(wanted), "{text}");
        for words in left {
            let told = made.notices.iter().any(|notice| notice.message.contains(words));
            assert!(told, "{words}: {:?}", made.notices);
        }
    };
    check("Pay: up to DKK 58,000 a month", "up to DKK 58,000 per month", &[]);
    check(
        "Pay: DKK 52,000-58,000 a month plus 10% pension, collective agreement (IDA)",
        "DKK 52,000–58,000 per month, plus 10% pension",
        &["collective agreement (IDA)"],
    );
    check("Lön: 48–53 000 kr/mån", "SEK 48,000–53,000 per month", &[]);
    check("Pay:\n- from SEK 48,000 a month\n- bonus 8 %", "from SEK 48,000 per month, bonus 8 %", &[]);
}
