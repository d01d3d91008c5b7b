//! Facts beside the profile: the company's, pay, dates and contacts.

use tata_recruit::{AdContact, AdPay, CompanyFact, JobAdInput, Language, PayPeriod, SectionName, Voice};

use super::{create, explained, fields, sample};

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
