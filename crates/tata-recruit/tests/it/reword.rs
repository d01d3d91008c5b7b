//! Finished documents in a person's words, and ads in the words of a review (A6, A8.2).

use jiff::Timestamp;
use tata_recruit::{
    Accepted, DecideInput, DiReview, DiReviewInput, HeadhuntingInput, HeadhuntingMessages, Item, JobAd,
    JobAdInput, Kind, Language, Made, Profile, ProfileInput, Project, ProofChoice, ProofDecision, ProofInput,
    Refusal, RewordInput, Rewording, Said, ScreeningInput, ScreeningTemplate, SectionName, Settings,
    TextPart, Unproven, create_di_review, create_headhunting_messages, create_job_ad,
    create_requirement_profile, create_ta_screening_template, decide_di_findings, decide_unproven_statements,
    edit_document, rendered, text_parts,
};

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

const NOTES: &str = "\
five years of routing experience
knowledge of fibre networks
a driving licence
experience with Linux
Plan the new backbone
Run the network day by day
Write down how things are done
Help the field teams
You build the backbone of the north
We have the manpower for large plans
patience";

fn said(lines: std::ops::Range<usize>) -> Vec<Said> {
    let wanted = NOTES.lines().skip(lines.start).take(lines.len());
    wanted.map(|text| Said { text: text.to_owned(), source: None }).collect()
}

fn profile() -> Profile {
    let input = ProfileInput {
        position_title: "Network Engineer".to_owned(),
        startup_notes: NOTES.to_owned(),
        must_haves: Some(said(0..4)),
        responsibilities: Some(said(4..8)),
        motivations: Some(said(8..10)),
        soft_skills: Some(said(10..11)),
        ..ProfileInput::default()
    };
    let made = create_requirement_profile(input, &Project::default(), now()).unwrap();
    serde_json::from_value(made.json).unwrap()
}

fn project() -> Project {
    let settings = Settings { language: Language::En, ..Settings::default() };
    Project::default().with(Kind::ProjectSettings, "", &settings).with(
        Kind::RequirementProfile,
        "",
        &profile(),
    )
}

fn with_ad() -> Project {
    let made = create_job_ad(JobAdInput::default(), &project(), now()).unwrap();
    project().with(Kind::JobAd, "", &made.json)
}

fn parts(project: &Project, kind: Kind) -> Vec<TextPart> {
    text_parts(kind, &project.stored(kind, "").unwrap().json).map_or_else(Vec::new, |(_, parts)| parts)
}

fn edit(project: &Project, kind: Kind, changes: &[(&str, &str, Option<usize>)]) -> Result<Made, Refusal> {
    let one = |(old, new, number): &(&str, &str, Option<usize>)| Rewording {
        old: (*old).to_owned(),
        new: (*new).to_owned(),
        number: *number,
    };
    let input = RewordInput { changes: changes.iter().map(one).collect() };
    edit_document(kind, &input, project, now())
}

fn refused(project: &Project, kind: Kind, old: &str, new: &str) -> String {
    let refusal = edit(project, kind, &[(old, new, None)]).unwrap_err();
    refusal.problems.into_iter().map(|problem| problem.message).collect::<Vec<_>>().join("\n")
}

fn plain(made: &Made) -> String {
    rendered(made.kind, &made.json).unwrap().plain()
}

#[test]
fn a_part_of_an_ad_reads_as_the_person_wrote_it() {
    let project = with_ad();
    let before = parts(&project, Kind::JobAd);
    let task = before.iter().find(|part| part.text.contains("backbone") && part.optional).unwrap();
    let made = edit(&project, Kind::JobAd, &[(&task.text, "Plan the backbone of tomorrow", None)]).unwrap();
    let shown = plain(&made);
    assert!(shown.contains("Plan the backbone of tomorrow"), "{shown}");
    assert!(!shown.contains(&task.text), "{shown}");
    // Everything else stays as it was.
    let after = text_parts(Kind::JobAd, &made.json).unwrap().1;
    let same = before.iter().zip(&after).filter(|(old, new)| old == new).count();
    assert_eq!((before.len(), same), (after.len(), before.len() - 1));
}

#[test]
fn an_ad_keeps_its_rules_whoever_writes() {
    let project = with_ad();
    let all = parts(&project, Kind::JobAd);
    let headline = all.first().unwrap();
    assert!(headline.text.contains("Network Engineer"));
    // What is required is changed in the profile, where it comes from.
    assert!(!all.iter().any(|part| part.text.contains("driving licence")), "{all:?}");
    assert!(refused(&project, Kind::JobAd, "a driving licence", "no licence").contains("driving licence"));
    assert!(
        refused(&project, Kind::JobAd, &headline.text, "Come and build with us").contains("Network Engineer")
    );
    assert!(refused(&project, Kind::JobAd, &headline.text, "").contains("cannot be left out"));
    let text = refused(&project, Kind::JobAd, &headline.text, "Network Engineer and rockstar");
    assert!(text.contains("rockstar"), "{text}");
    let long = format!("Network Engineer {}", "x".repeat(3_000));
    assert!(refused(&project, Kind::JobAd, &headline.text, &long).contains("2000"));
    assert!(edit(&project, Kind::JobAd, &[]).unwrap_err().problems[0].message.contains("Nothing"));
    // Of four tasks one may go, of three none.
    let tasks: Vec<&TextPart> = all.iter().filter(|part| part.label == "Tasks").collect();
    assert_eq!(tasks.len(), 4, "{all:?}");
    edit(&project, Kind::JobAd, &[(&tasks[0].text, "", None)]).unwrap();
    let two = [(tasks[0].text.as_str(), "", None), (tasks[1].text.as_str(), "", None)];
    assert!(edit(&project, Kind::JobAd, &two).is_err());
}

#[test]
fn a_template_asks_what_the_person_wrote_but_nothing_private() {
    let project = project();
    let made = create_ta_screening_template(ScreeningInput::default(), &project, now()).unwrap();
    let project = project.with(Kind::TaScreeningTemplate, "", &made.json);
    let kind = Kind::TaScreeningTemplate;
    let all = parts(&project, kind);
    let main = all.iter().find(|part| part.label.contains("routing") && !part.optional).unwrap();
    let question = "Which network have you planned yourself, and what came of it?";
    let made = edit(&project, kind, &[(&main.text, question, None)]).unwrap();
    let template: ScreeningTemplate = serde_json::from_value(made.json.clone()).unwrap();
    assert_eq!(template.skills[0].main_question.text, question);
    assert!(plain(&made).contains(question));
    let private = refused(&project, kind, &main.text, "How old are you?");
    assert!(private.contains("age") || private.contains("old"), "{private}");
    // Questions that read alike are told apart by their place.
    let alike = all.iter().find(|part| all.iter().filter(|one| one.text == part.text).count() > 1);
    if let Some(part) = alike {
        assert!(refused(&project, kind, &part.text, "And then?").contains("more than once"));
        let place = all.iter().position(|one| one == part).unwrap() + 1;
        edit(&project, kind, &[(&part.text, "What happened then?", Some(place))]).unwrap();
    }
}

#[test]
fn a_message_changes_with_its_part_and_stays_short() {
    let project = project();
    let made = create_headhunting_messages(HeadhuntingInput::default(), &project, now());
    // The reasons of this profile are English; the others say how many people there are.
    let made = made.or_else(|_| {
        let mut profile = profile();
        profile.team_info.location = Some(Item { text: "Stockholm".to_owned(), ..Item::default() });
        let project = project.clone().with(Kind::RequirementProfile, "", &profile);
        create_headhunting_messages(HeadhuntingInput::default(), &project, now())
    });
    let project = project.with(Kind::HeadhuntingMessages, "", &made.unwrap().json);
    let kind = Kind::HeadhuntingMessages;
    let all = parts(&project, kind);
    let stored =
        |json: &serde_json::Value| -> HeadhuntingMessages { serde_json::from_value(json.clone()).unwrap() };
    let before = stored(&project.stored(kind, "").unwrap().json);
    let place = all.iter().position(|part| part.text == before.versions.short_direct.en.call_to_action);
    let (old, number) = (&before.versions.short_direct.en.call_to_action, place.map(|place| place + 1));
    let made = edit(&project, kind, &[(old, "Shall we talk on Friday?", number)]).unwrap();
    let after = stored(&made.json).versions.short_direct.en;
    assert_eq!(after.call_to_action, "Shall we talk on Friday?");
    assert!(after.text.contains("Shall we talk on Friday?") && !after.text.contains(old.as_str()));
    assert_eq!(after.characters, after.text.chars().count());
    let long = format!("Shall we talk? {}", "Unquestionably! ".repeat(30));
    let refusal = edit(&project, kind, &[(old, &long, number)]).unwrap_err();
    assert!(refusal.problems.iter().any(|problem| problem.message.contains("400")), "{refusal:?}");
}

fn decide(project: &Project, number: usize, words: Option<&str>) -> Made {
    let accepted = Accepted { finding: number, text: words.map(str::to_owned), ..Accepted::default() };
    let input = match words {
        Some(_) => DecideInput { accept: vec![accepted], ignore: Vec::new() },
        None => DecideInput { accept: Vec::new(), ignore: vec![number] },
    };
    decide_di_findings(input, project, now()).unwrap()
}

/// Accepted findings make a revised ad, which is stored (A6; step 7).
#[test]
fn what_is_accepted_in_a_review_is_written_into_the_ad() {
    let project = with_ad();
    let made = create_di_review(DiReviewInput::default(), &project, now()).unwrap();
    let review: DiReview = serde_json::from_value(made.json.clone()).unwrap();
    let found =
        review.flagged_items.iter().find(|item| item.text.to_lowercase().contains("manpower")).unwrap();
    let project = project.with(Kind::DiReview, "", &made.json);

    let made = decide(&project, found.number, Some("staff"));
    let [(kind, json)] = made.also.as_slice() else { panic!("no ad was written: {:?}", made.notices) };
    let ad: JobAd = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(*kind, Kind::JobAd);
    let review: DiReview = serde_json::from_value(made.json.clone()).unwrap();
    assert_eq!(ad.document().markdown(), review.revised_text.unwrap());
    assert!(ad.document().plain().contains("staff"));
    assert!(made.notices.iter().any(|notice| notice.about == "job_ad"));

    // Taken back, the ad reads as it did before.
    let revised = project.clone().with(Kind::DiReview, "", &made.json).with(Kind::JobAd, "", json);
    let made = decide(&revised, found.number, None);
    let [(_, json)] = made.also.as_slice() else { panic!("no ad was written: {:?}", made.notices) };
    let back: JobAd = serde_json::from_value(json.clone()).unwrap();
    assert_eq!(back.document().markdown(), review.original_text);

    // An ad that was changed since is left alone.
    let other =
        edit(&project, Kind::JobAd, &[(&ad_part(&project), "Something else entirely", None)]).unwrap();
    let changed = project.with(Kind::JobAd, "", &other.json);
    assert!(decide(&changed, found.number, Some("staff")).also.is_empty());
}

fn ad_part(project: &Project) -> String {
    let ad: JobAd = serde_json::from_value(project.stored(Kind::JobAd, "").unwrap().json.clone()).unwrap();
    ad.section(SectionName::Responsibilities).unwrap().points[0].clone()
}

/// Words that a person puts in the place of an unproven statement pass the gate like all others.
#[test]
fn what_replaces_an_unproven_statement_passes_the_gate() {
    let project = with_ad();
    let mut ad: JobAd =
        serde_json::from_value(project.stored(Kind::JobAd, "").unwrap().json.clone()).unwrap();
    let sentence = ad.section(SectionName::Responsibilities).unwrap().points[0].clone();
    let unproven = Unproven { sentence, part: "responsibilities".to_owned(), ..Unproven::default() };
    ad.unproven = vec![unproven];
    let project = project.with(Kind::JobAd, "", &ad);
    let edit = |words: &str| {
        let decision = ProofDecision { number: 1, choice: ProofChoice::Edit, text: Some(words.to_owned()) };
        decide_unproven_statements(ProofInput { decisions: vec![decision] }, &project, now())
    };
    assert!(
        edit("Plan the routes of the new backbone").unwrap().document.plain().contains("Plan the routes")
    );
    assert!(edit("Be a rockstar").unwrap_err().problems[0].message.contains("rockstar"));
}
