//! What differs between an ad and its sources, and between it and the ads of others.

use tata_recruit::{AdFacts, AdPart, JobAdInput, Language, ProfileStatus, Source, Voice};

use super::{create, sample};

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
    told("pay_range", "in good time");
    told("old_job_ad", "Internal names");
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
