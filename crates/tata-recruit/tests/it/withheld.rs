//! Specification 12.14 and 12.15: what was said in confidence and unlawful wishes reach no document, the recruiter is told
//! once with the ground, and nothing that the inclusion review calls high is called good.

use jiff::Timestamp;
use tata_recruit::{
    AdBand, AdContact, CandidateInput, DiReview, DiReviewInput, Enrichments, HeadhuntingInput, Item,
    JobAdInput, JobAdReview, JobAdReviewInput, Kind, Language, ListEdit, Made, Profile, ProfileEdit,
    ProfileInput, Project, Reasons, Refusal, Said, ScoreBand, ScreeningInput, SectionName, Settings, Source,
    Sources, Tracer, WrittenSection, create_candidate_report, create_di_review, create_headhunting_messages,
    create_job_ad, create_job_ad_review, create_requirement_profile, create_ta_screening_template,
    edit_requirement_profile, not_ready, profile_of, rendered,
};

fn now() -> Timestamp {
    "2026-11-15T09:00:00Z".parse().unwrap()
}

fn speaking(language: Language) -> Project {
    let settings = Settings { language, ..Settings::default() };
    Project::default().with(Kind::ProjectSettings, "", &settings)
}

fn made_from(title: &str, notes: &str, language: Language) -> Made {
    let input = ProfileInput {
        position_title: title.to_owned(),
        startup_notes: notes.to_owned(),
        ..ProfileInput::default()
    };
    create_requirement_profile(input, &speaking(language), now()).unwrap_or_else(|no| panic!("{no:?}"))
}

/// Everything that anybody is told about a document, apart from the one notice.
fn elsewhere(made: &Made) -> String {
    let notices = made.notices.iter().filter(|notice| notice.about != "withheld");
    let notices: Vec<&str> = notices.map(|notice| notice.message.as_str()).collect();
    let parts = [notices.join("\n"), made.questions.join("\n"), made.next_steps.join("\n")];
    format!("{}\n{}\n{}", parts.join("\n"), made.document.markdown(), made.json)
}

fn told(made: &Made) -> &str {
    let told: Vec<&str> = made
        .notices
        .iter()
        .filter(|notice| notice.about == "withheld")
        .map(|notice| notice.message.as_str())
        .collect();
    assert_eq!(told.len(), 1, "{:?}", made.notices);
    told[0]
}

const TECHNICIAN: &str = "Hej! Här kommer mina anteckningar om fältteknikern i Sundsvall.\n\n\
    Krav:\n- B-körkort\n- minst två års erfarenhet av fibersvetsning\n- svenska för kundkontakten\n- teleteknisk utbildning\n\n\
    Micke vill helst ha en yngre kille som orkar klättra i stolpar, men det kan vi väl inte skriva. Stolpklättring ingår.\n\n\
    Arbetsuppgifter:\n- installera fiber hos kund\n- felsöka avbrott\n- dokumentera i NetAdmin\n- planerat underhåll\n\n\
    Egenskaper: lugn, självgående\n\nVarför rollen är rolig:\n- man styr sin egen dag\n";

#[test]
fn an_unlawful_wish_reaches_no_document() {
    let made = made_from("Fälttekniker", TECHNICIAN, Language::Sv);
    let told = told(&made);
    assert!(told.contains("yngre kille") && told.contains("ålder") && told.contains("kön"), "{told}");
    assert!(told.contains("diskrimineringslagen") && told.contains("sagt i förtroende"), "{told}");
    assert!(!elsewhere(&made).contains("kille"), "{}", elsewhere(&made));
    let project = speaking(Language::Sv).with(Kind::RequirementProfile, "", &made.json);
    let ad = JobAdInput {
        // The same notes once more: not used, and not told again.
        startup_notes: Some(TECHNICIAN.to_owned()),
        work_place: Some("Sundsvall".to_owned()),
        contact: Some(AdContact { email: Some("kim.berg@example.com".to_owned()), ..AdContact::default() }),
        ..JobAdInput::default()
    };
    let ad = create_job_ad(ad, &project, now()).unwrap();
    assert!(!elsewhere(&ad).contains("kille"), "{}", elsewhere(&ad));
    assert!(ad.notices.iter().all(|notice| notice.about != "withheld"), "{:?}", ad.notices);
    let template = create_ta_screening_template(ScreeningInput::default(), &project, now()).unwrap();
    assert!(!elsewhere(&template).contains("kille"));
    let reasons = Reasons {
        based_on: "man styr sin egen dag".to_owned(),
        en: Some("You plan your own day.".to_owned()),
        sv: Some("Du styr din egen dag.".to_owned()),
        da: Some("Du planlægger selv din dag.".to_owned()),
        no: Some("Du styrer din egen dag.".to_owned()),
        de_du: Some("Du planst deinen Tag selbst.".to_owned()),
        de_sie: Some("Sie planen Ihren Tag selbst.".to_owned()),
    };
    let input = HeadhuntingInput { value_propositions: Some(reasons), ..HeadhuntingInput::default() };
    let messages = create_headhunting_messages(input, &project, now()).unwrap_or_else(|no| panic!("{no:?}"));
    assert!(!elsewhere(&messages).contains("kille"));
}

#[test]
fn what_was_said_in_confidence_is_no_source() {
    let check = |language: Language, title: &str, notes: &str, gone: &[&str], ground: &str| {
        let made = made_from(title, notes, language);
        assert!(told(&made).contains(ground), "{}", told(&made));
        for words in gone {
            assert!(!elsewhere(&made).contains(words), "{words}: {}", elsewhere(&made));
        }
        serde_json::from_value::<Profile>(made.json).unwrap()
    };
    let engineer = check(
        Language::En,
        "Cloud Platform Engineer",
        "Must have:\n- Terraform in production\n- Kubernetes operations\n- on-call every sixth week\n- fluent English\n\n\
         > 4. Salary?\nBetween 58 000 and 66 000 SEK per month, depending. Don't put that I said 66, put up to 65.\n\n\
         Team: 7 people",
        &["66 000", "said 66"],
        "said in confidence",
    );
    assert_eq!(engineer.pay_range, None);
    assert_eq!(engineer.team_info.size.map(|size| size.people), Some(7));
    check(
        Language::En,
        "HR Business Partner",
        "Must have:\n- four years as HRBP\n- employment law\n- reorganisations\n- English\n\nBudget is 55-63k SEK a month. \
         Between us: not someone who's going on parental leave in six months like Anna did.",
        &["parental leave", "Anna"],
        "family",
    );
    check(
        Language::Da,
        "Kundekonsulent",
        "Krav:\n- kundeservice i to år\n- dansk flydende\n- kan arbejde lørdag\n- vant til CRM\n\n\
         løn: 29.500 + bonus (snit 3.000) ... Signe vil ikke ha det i annoncen\nopstart 4/1",
        &["29.500", "Signe"],
        "sagt i fortrolighed",
    );
    check(
        Language::No,
        "Feltmontør",
        "Må ha:\n- fagbrev som montør\n- førerkort klasse B\n- norsk muntlig\n- HMS-kort\n\nVi er 11 stk på Heimdal. \
         Snittalder 29, så noen som passer inn der :)\nVakt hver 6. uke.",
        &["Snittalder", "passer inn"],
        "alder",
    );
    check(
        Language::De,
        "Personalreferent",
        "Muss:\n- kaufmännische Ausbildung\n- zwei Jahre Personalarbeit\n- Arbeitsrecht\n- Englisch B2\n\n\
         Gehalt 48.000 bis 55.000 Euro im Jahr, bitte nicht in die Anzeige.\n\
         letzte Stelleninhaberin ist nach Elternzeit nicht zurück – NICHT erwähnen",
        &["Elternzeit", "48.000", "Stelleninhaberin"],
        "vertraulich",
    );
}

const FOUR: &str = "Must have:\n- BGP in production\n- fluent Swedish\n- SQL\n- driving licence\n\nTasks:\n- run the core\n\n\
    Between us: the office in Malmö will close in May.\nIdeally a younger guy.";

#[test]
fn statements_that_must_not_pass_are_refused_with_the_ground() {
    let check = |change: fn(&mut ProfileInput), field: &str, ground: &str| {
        let mut input = ProfileInput {
            position_title: "Network Engineer".to_owned(),
            startup_notes: FOUR.to_owned(),
            ..ProfileInput::default()
        };
        change(&mut input);
        let refusal: Refusal =
            create_requirement_profile(input, &Project::default(), now()).map(|made| made.json).unwrap_err();
        let problem = refusal.problems.iter().find(|problem| problem.field == field).unwrap();
        assert!(problem.message.contains(ground), "{problem:?}");
        assert!(problem.hint.is_some(), "{problem:?}");
    };
    check(
        |input| {
            let said = Said { text: "the office in Malmö will close in May".to_owned(), source: None };
            input.challenges = Some(vec![said]);
        },
        "/challenges/0",
        "said in confidence",
    );
    check(
        |input| {
            input.enrichments = Enrichments {
                nice_to_haves: vec!["ideally a younger guy".to_owned()],
                ..Enrichments::default()
            }
        },
        "/enrichments/nice_to_haves/0",
        "age",
    );
    let made = made_from("Network Engineer", FOUR, Language::En);
    let project = speaking(Language::En).with(Kind::RequirementProfile, "", &made.json);
    let edit = ProfileEdit {
        recruiter_input: Some("Add as a plus: no women please.".to_owned()),
        good_to_haves: ListEdit { add: vec!["no women please".to_owned()], ..ListEdit::default() },
        ..ProfileEdit::default()
    };
    let refusal = edit_requirement_profile(edit, &project, now()).map(|made| made.json).unwrap_err();
    assert!(refusal.problems[0].message.contains("gender"), "{refusal:?}");
    // What the model writes for the ad is held to the same.
    let section = WrittenSection {
        name: SectionName::TeamAndWhyGc,
        text: "Our team is young, sporty and mostly male.".to_owned(),
        ..WrittenSection::default()
    };
    let input = JobAdInput { sections: vec![section], ..JobAdInput::default() };
    let refusal = create_job_ad(input, &project, now()).map(|made| made.json).unwrap_err();
    assert!(refusal.problems.iter().any(|problem| problem.message.contains("age")), "{refusal:?}");
    let input = ScreeningInput {
        additional_areas: Some(vec!["nobody who wants children".to_owned()]),
        ..ScreeningInput::default()
    };
    assert!(create_ta_screening_template(input, &project, now()).is_err());
}

/// A profile that an earlier version stored is read without what it should never have had.
#[test]
fn an_older_profile_is_cleaned_when_it_is_read() {
    let sources = Sources::default().with(Source::StartupNotes, Some(FOUR));
    let tracer = Tracer::new(&sources);
    let item = |text: &str| -> Item { tracer.item(text, None).unwrap() };
    let profile = Profile {
        position_title: "Network Engineer".to_owned(),
        must_have_skills: ["BGP in production", "fluent Swedish", "SQL", "driving licence"].map(item).into(),
        good_to_haves: vec![item("Ideally a younger guy")],
        challenges: vec![item("the office in Malmö will close in May")],
        sources: sources.clone(),
        created_at: now(),
        ..Profile::default()
    };
    let read = profile_of(&Project::default().with(Kind::RequirementProfile, "", &profile)).unwrap();
    assert_eq!(read.must_have_skills, profile.must_have_skills);
    assert!(read.good_to_haves.is_empty() && read.challenges.is_empty());
    assert!(read.items().all(|item| item.holds(&read.sources)));
    assert!(!serde_json::to_string(&read).unwrap().contains("younger"));
    let shown = rendered(Kind::RequirementProfile, &serde_json::to_value(&profile).unwrap()).unwrap();
    assert!(!shown.markdown().contains("younger"));
}

/// An ad with a word that the inclusion review calls high says so wherever it is shown, and is not approved as final.
#[test]
fn an_ad_with_a_high_finding_is_not_ready_to_publish() {
    let check = |title: &str, ready: bool| {
        let notes: Vec<&str> = TECHNICIAN.lines().filter(|line| !line.contains("Micke")).collect();
        let profile = made_from(title, &notes.join("\n"), Language::Sv);
        let project = speaking(Language::Sv).with(Kind::RequirementProfile, "", &profile.json);
        let ad = create_job_ad(JobAdInput::default(), &project, now()).unwrap_or_else(|no| panic!("{no:?}"));
        let shown = rendered(Kind::JobAd, &ad.json).unwrap();
        assert_eq!(shown, ad.document);
        let says = |text: &str| text.contains("Inte klar att publicera");
        assert_eq!(!says(&shown.markdown()), ready, "{}", shown.markdown());
        assert_eq!(not_ready(Kind::JobAd, &ad.json).is_none(), ready);
        assert_eq!(!ad.notices.iter().any(|notice| says(&notice.message)), ready);
    };
    check("Fälttekniker", true);
    check("Reklamman", false);
}

fn ad_review(text: &str, language: Language) -> JobAdReview {
    let input = JobAdReviewInput { job_ad_text: Some(text.to_owned()), ..JobAdReviewInput::default() };
    let made = create_job_ad_review(input, &speaking(language), now()).unwrap();
    serde_json::from_value(made.json).unwrap()
}

fn di_review(text: &str, language: Language) -> (DiReview, Made) {
    let language_code = Some(language.code().to_owned());
    let input = DiReviewInput {
        job_ad_text: Some(text.to_owned()),
        language: language_code,
        ..DiReviewInput::default()
    };
    let made = create_di_review(input, &speaking(language), now()).unwrap();
    (serde_json::from_value(made.json.clone()).unwrap(), made)
}

#[test]
fn an_unlawful_ad_is_never_called_good() {
    let ads = [
        (
            Language::En,
            "Salesman wanted\n\nWe are a young team looking for a digital native. No dinosaurs.",
            "not ready",
        ),
        (
            Language::Sv,
            "Säljare sökes\n\nVi är ett ungt team och söker en kille i 20-årsåldern.",
            "inte klar",
        ),
        (Language::Da, "Sælger søges\n\nVi er et ungt team og søger en mand under 35 år.", "ikke klar"),
        (Language::No, "Selger søkes\n\nVi er et ungt team og søker en mann under 35 år.", "ikke klar"),
        (
            Language::De,
            "Verkauf\n\nWir sind ein junges Team und suchen Sie, nicht älter als 35 Jahre.",
            "nicht bereit",
        ),
    ];
    for (language, text, words) in ads {
        let (review, made) = di_review(text, language);
        assert_eq!(review.score_band, ScoreBand::NotReady, "{text}");
        assert!(made.document.markdown().contains(words), "{}", made.document.markdown());
        let review = ad_review(text, language);
        assert_eq!(review.score_band, AdBand::NotReady, "{text}");
    }
}

/// Good ads by people are not punished for not looking like ours.
#[test]
fn a_good_ad_is_not_called_unready_and_bullets_cost_nothing() {
    let text = "Data engineer in Copenhagen\n\nYou will build the pipelines behind our network analytics, together with \
        seven colleagues in Copenhagen and Gothenburg. By the end of 2027 you will have moved 120 SSIS jobs to Databricks.\n\n\
        You have built data pipelines in Python and SQL for about four years, and you have run one of them from first commit \
        to on-call. Spark or Databricks in production is part of that. We speak English at work.\n\n\
        The pay is DKK 55,000 to 65,000 a month with pension. The position is permanent and full-time. You work two days a \
        week from the office by the harbour, the others from where you like.\n\n\
        Questions? Call Kirsten Lund on +45 12 34 56 78. Apply by 15 December 2026.";
    let plain = ad_review(text, Language::En);
    assert_ne!(plain.score_band, AdBand::NotReady, "{:?}", plain.issues);
    assert!(plain.overall_score >= 70, "{} {:?}", plain.overall_score, plain.issues);
    let hollow = ad_review(
        "Data engineer\n\nIntroduction\nDo you want a new job? Read on.\n\nThe role\nThe role is about working with data in \
         many different ways together with others in an organisation where things happen all the time and where you will \
         be part of it every day from the start.\n\nTasks\n* Work with data\n* Work with others\n* Work on things that \
         come up\n* Take part in meetings with the team and with others\n* Help where help is needed\n\nRequirements\n\
         * Experience of working with data\n* Experience of working with others\n* Interest in the area and in the \
         things that we do\n* Good at working\n\nTeam\nThe team is a team of people who work together with data and with \
         others in the organisation every day.\n\nWhat we offer\nWe offer you a job with us where you can work with data \
         together with others every single day.\n\nApply\nApply now.",
        Language::En,
    );
    assert!(hollow.overall_score < plain.overall_score, "{} {}", hollow.overall_score, plain.overall_score);
    let dashes = ad_review("You do this:\n- build networks\n- mend networks", Language::En);
    assert_eq!(dashes.compliance_score, 100);
}

/// A remark that a candidate makes in confidence stands nowhere in the report, nor does the model read the interview.
#[test]
fn a_candidates_confidence_is_kept() {
    let made = made_from("Network Engineer", FOUR, Language::En);
    let project = speaking(Language::En).with(Kind::RequirementProfile, "", &made.json);
    let template = create_ta_screening_template(ScreeningInput::default(), &project, now()).unwrap();
    let project = project.with(Kind::TaScreeningTemplate, "", &template.json);
    let transcript = "Kim Berg: Why do you want this role?\nAnna Holm: I want to work with a large core network. Between us, \
        my manager is about to be fired. That is why I look around.\nKim Berg: Tell me about BGP in production.\nAnna Holm: \
        I have run BGP in production for six years and moved forty peers in 2021.\n";
    let input = CandidateInput {
        candidate_name: "Anna Holm".to_owned(),
        interview_date: "2026-11-10".to_owned(),
        transcript: transcript.to_owned(),
        interviewers: vec!["Kim Berg".to_owned()],
        ..CandidateInput::default()
    };
    let report = create_candidate_report(input, &project, now()).unwrap_or_else(|no| panic!("{no:?}"));
    assert!(told(&report).contains("said in confidence"));
    assert!(!elsewhere(&report).contains("fired"));
    let read = report.answer()["artifact"].to_string();
    assert!(!read.contains("sources") && !read.contains("Holm"), "{read}");
    assert!(rendered(Kind::CandidateReport, &report.json).unwrap().markdown().contains("six years"));
}
