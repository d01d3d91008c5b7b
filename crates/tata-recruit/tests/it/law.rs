//! The law that is cited is that of the country of the job, and not of the language of a text.

use jiff::Timestamp;
use serde_json::{Value, json};
use tata_recruit::{
    AdContact, Country, DiReview, DiReviewInput, JobAdInput, JobAdReviewInput, Kind, Language, Made,
    ProfileEdit, ProfileInput, Project, Settings, create_di_review, create_job_ad, create_job_ad_review,
    create_requirement_profile, edit_requirement_profile, rendered,
};

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn speaking(language: Language) -> Project {
    let settings = Settings { language, ..Settings::default() };
    Project::default().with(Kind::ProjectSettings, "", &settings)
}

fn reviewed(ad: &str, project: &Project) -> Made {
    let input = DiReviewInput { job_ad_text: Some(ad.to_owned()), ..DiReviewInput::default() };
    create_di_review(input, project, now()).unwrap()
}

/// The laws that a review names, each once.
fn laws(made: &Made) -> Vec<String> {
    let review: DiReview = serde_json::from_value(made.json.clone()).unwrap();
    let mut laws: Vec<String> = Vec::new();
    for law in review.flagged_items.into_iter().filter_map(|item| item.legal_ground) {
        if !laws.contains(&law) {
            laws.push(law);
        }
    }
    laws
}

const REQUIREMENTS: &str = "Must have:\n- three years with fibre\n- a driving licence\n- good English\n- shift work\n\n\
    Tasks:\n- splice fibre\n- find faults\n- write reports\n\nPersonal qualities: calm\n\nWhy join:\n- you plan your own day\n";

fn profile(notes: &str, language: Language) -> Made {
    let input = ProfileInput {
        position_title: "Field Engineer".to_owned(),
        startup_notes: format!("{REQUIREMENTS}\n{notes}"),
        ..ProfileInput::default()
    };
    create_requirement_profile(input, &speaking(language), now()).unwrap_or_else(|no| panic!("{no:?}"))
}

fn withheld(made: &Made) -> &str {
    let told = made.notices.iter().find(|notice| notice.about == "withheld");
    told.map(|notice| notice.message.as_str()).unwrap_or_default()
}

fn asks_country(made: &Made) -> bool {
    made.questions.iter().any(|question| question.contains("In which country is the job"))
}

/// M1 of the native trial: an English ad for Copenhagen named directives alone, and one for Oslo laws that are none there.
#[test]
fn an_english_ad_is_judged_by_the_law_of_its_place() {
    let ad = |place: &str| format!("Sales role in {place}\n\nWe look for a salesman. We are a young team.");
    let check = |place: &str, country: &str, expected: &[&str]| {
        let made = reviewed(&ad(place), &speaking(Language::En));
        assert_eq!(laws(&made), expected, "{place}");
        let text = made.document.markdown();
        assert!(text.contains(&format!("Law in {country}: {}", expected[0])), "{place}: {text}");
    };
    check(
        "Copenhagen",
        "Denmark",
        &["ligebehandlingsloven §§ 2, 6", "forskelsbehandlingsloven § 2 stk. 1, § 5"],
    );
    check(
        "Oslo",
        "Norway",
        &["likestillings- og diskrimineringsloven §§ 6, 29", "arbeidsmiljøloven kap. 13"],
    );
    check("Malmö", "Sweden", &["1 kap. 4 §, 2 kap. 1 § diskrimineringslagen"]);
    check("Hamburg", "Germany", &["§§ 1, 7, 11 AGG"]);
    let directives = ["Directive 2006/54/EC, Article 14", "Directive 2000/78/EC, Article 1, Article 3"];
    check("our shop", "the EU", &directives);
    check("Helsinki", "the EU", &directives);
    // Two countries tell no more than none.
    check("Oslo and Malmö", "the EU", &directives);
}

#[test]
fn the_profile_tells_the_country_and_the_recruiter_may_name_it() {
    let ad = "Vi söker en ung säljare.";
    let made = reviewed(ad, &speaking(Language::Sv));
    assert_eq!(laws(&made), ["1 kap. 4 §, 2 kap. 1 § diskrimineringslagen"], "the country of its language");
    assert!(made.document.markdown().contains("Lag i Sverige: "), "{}", made.document.markdown());
    let danish = profile("Place: Aarhus", Language::En);
    let project = speaking(Language::Sv).with(Kind::RequirementProfile, "", &danish.json);
    assert_eq!(laws(&reviewed(ad, &project)), ["forskelsbehandlingsloven § 2 stk. 1, § 5"]);
    let input = DiReviewInput {
        job_ad_text: Some(ad.to_owned()),
        country: Some(Country::Norway),
        ..DiReviewInput::default()
    };
    let made = create_di_review(input, &speaking(Language::Sv), now()).unwrap();
    assert_eq!(laws(&made), ["arbeidsmiljøloven kap. 13"]);
}

/// The lawyer's remarks: a wish is another paragraph than an ad, all grounds are one sentence, and the law stands once.
#[test]
fn a_wish_is_told_in_one_sentence_with_the_law_once() {
    // In a text of its own: where no place is known, its language decides.
    let told = |wish: &str, language| {
        let input = ProfileInput {
            position_title: "Field Engineer".to_owned(),
            startup_notes: REQUIREMENTS.to_owned(),
            hiring_manager_input: Some(wish.to_owned()),
            ..ProfileInput::default()
        };
        let made = create_requirement_profile(input, &speaking(language), now());
        withheld(&made.unwrap_or_else(|no| panic!("{no:?}"))).to_owned()
    };
    let check = |language, wish: &str, expected: &str| {
        let told = told(wish, language);
        assert!(told.contains(expected), "{language:?}: {told}");
    };
    check(
        Language::En,
        "The job is in Copenhagen.\n\nI would rather not have a woman with small children.",
        "not lawful in Denmark: ligebehandlingsloven § 1 stk. 2, § 2)",
    );
    check(
        Language::Sv,
        "Micke vill helst ha en yngre kille, men det kan vi väl inte skriva.",
        "sagt i förtroende; ett önskemål som rör kön och ålder; det är inte tillåtet i Sverige: \
         1 kap. 4 §, 2 kap. 1 § diskrimineringslagen)",
    );
    check(
        Language::No,
        "Hun bør helst ikke ha små barn.",
        "et ønske som gjelder familiesituasjon; det er ikke lov i Norge: \
         likestillings- og diskrimineringsloven §§ 6, 29, 30)",
    );
    check(
        Language::Da,
        "Jeg vil helst have en mand.",
        "et ønske, der handler om køn; det må man ikke lægge vægt på i Danmark: ligebehandlingsloven § 2)",
    );
    check(
        Language::De,
        "Am liebsten einen jungen Mann, ohne Kinder, aber das bleibt unter uns.",
        "vertraulich; unzulässig in Deutschland wegen Geschlecht, Alter und Elternschaft oder Familienstand: \
         §§ 1, 3, 7 AGG)",
    );
    // Norwegian notes about a job in Denmark.
    let wish = "Jobben er i Odense.\n\nHun bør helst ikke ha små barn.";
    check(Language::No, wish, "ikke lov i Danmark: ligebehandlingsloven § 1 stk. 2, § 2)");
}

#[test]
fn the_country_is_asked_for_only_where_it_matters() {
    assert!(asks_country(&profile("", Language::En)), "no place, no pay, and English is written everywhere");
    assert!(!asks_country(&profile("Place: Oslo", Language::En)));
    assert!(!asks_country(&profile("Pay: SEK 40,000 to 45,000 per month", Language::En)));
    let wish = "Pay: SEK 40,000 to 45,000 per month\n\nI would rather have a young man.";
    assert!(asks_country(&profile(wish, Language::En)), "a law was cited");
    let made = profile("", Language::En);
    let project = speaking(Language::En).with(Kind::RequirementProfile, "", &made.json);
    let edit = ProfileEdit { country: Some(Country::Norway), ..ProfileEdit::default() };
    let made = edit_requirement_profile(edit, &project, now()).unwrap();
    assert_eq!(made.json["country"], json!("norway"));
    assert!(made.document.markdown().contains("Country: Norway"), "{}", made.document.markdown());
}

/// Section 6 of the native trial: "må" in Norway was no law, and the directive says less than "before the interview".
#[test]
fn the_note_about_pay_is_that_of_the_country() {
    let notice = |notes: &str| {
        let made = profile(notes, Language::En);
        let project = speaking(Language::En).with(Kind::RequirementProfile, "", &made.json);
        let input = JobAdInput {
            contact: Some(AdContact {
                email: Some("kim.berg@example.com".to_owned()),
                ..AdContact::default()
            }),
            ..JobAdInput::default()
        };
        let ad = create_job_ad(input, &project, now()).unwrap_or_else(|no| panic!("{no:?}"));
        let told = ad.notices.iter().find(|notice| notice.about == "pay_range");
        let told = told.map(|notice| notice.message.clone()).unwrap();
        let project = project.with(Kind::JobAd, "", &ad.json);
        for made in [
            create_di_review(DiReviewInput::default(), &project, now()).unwrap(),
            create_job_ad_review(JobAdReviewInput::default(), &project, now()).unwrap(),
        ] {
            let text = made.document.markdown().replace('\\', "");
            assert!(text.contains(&told), "{told}\n{text}");
        }
        told
    };
    let norway = notice("Place: Oslo");
    assert!(norway.contains("Give the pay range if you can; in the EU"), "{norway}");
    for place in ["Place: Copenhagen", "Place: Berlin", ""] {
        let told = notice(place);
        assert!(told.contains("in good time") && told.contains("Article 5"), "{told}");
        assert!(!told.contains("must"), "{told}");
    }
}

/// A review that was stored before its country was: it is shown as it was made.
#[test]
fn a_review_without_a_country_is_still_read() {
    let made = reviewed("We look for a young salesman.", &speaking(Language::En));
    let mut old: Value = made.json;
    old.as_object_mut().unwrap().remove("country");
    let document = rendered(Kind::DiReview, &old).unwrap();
    let text = document.markdown();
    assert!(text.contains("Legal basis: Directive"), "{text}");
}
