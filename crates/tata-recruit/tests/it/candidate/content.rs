//! Content from a model: taken when every word of it was said, and refused by name when not.

use serde_json::{Value, json};
use tata_recruit::{CandidateInput, Language, Recommendation};

use super::{CASES, holds, input, made, project, ratings, refused, report, voice, with_content};

#[test]
fn content_is_taken_when_every_word_can_be_found() {
    let made = with_content(json!({
        "summary": [{"text": "A network engineer for about nine years.", "quotes": ["network engineer for about nine years"]}],
        "motivation": {"rating": 5, "explanation": "Ties the wish to this backbone.", "quotes":
            // Over two cues of the transcript, with other quotation marks and blanks.
            ["I want to work on a backbone that spans several countries, and  GlobalConnect’s network is one of the few up here"]},
        "skills": [{"skill_name": "supplier negotiation", "rating": 4, "explanation": "Prepared and saved money.",
            "summary": "Negotiated with a vendor.", "quotes": ["I prepared three scenarios"]}],
        "practical": {"notice_period": "It's three months"},
        "risks": [{"text": "Has never had the budget.", "quotes": ["I have never had the budget"]}],
    }))
    .unwrap_or_else(|no| panic!("{no:?}"));
    let report = report(&made);
    assert_eq!(ratings(&report), [5, 0, 0, 4, 0]);
    assert_eq!(report.recommendation, Recommendation::NotEnoughAssessed);
    assert_eq!(report.practical_details.notice_period.text, "It's three months");
    assert!(report.quotes().all(|quote| holds(quote, &report.sources)));
    assert!(report.motivation_assessment.examples[0].spans.len() > 1);
    assert!(report.risks.iter().any(|risk| risk.text.starts_with("Has never")));
    assert!(made.document.plain().contains("A network engineer for about nine"));
}

#[test]
fn content_that_nobody_said_is_refused_by_name() {
    let check = |content: Value, field: &str, word: &str| {
        let refusal = with_content(content.clone()).map(|made| made.json).unwrap_err();
        let hit = refusal.problems.iter().any(|one| one.field.contains(field) && one.message.contains(word));
        assert!(hit && refusal.problems.iter().all(|one| one.hint.is_some()), "{content}: {refusal:?}");
    };
    let skill = |rating: Value, explanation: &str, quotes: Value| json!({"skills": [{"skill_name": "Supplier negotiation", "rating": rating, "explanation": explanation, "quotes": quotes}]});
    let said = json!(["I prepared three scenarios"]);
    // The interviewer's words, a paraphrase, words of two turns, a part of a word.
    check(skill(json!(4), "Fine.", json!(["We usually get ten"])), "skills/0", "We usually get ten");
    check(skill(json!(4), "Fine.", json!(["I prepared 3 scenarios"])), "skills/0", "I prepared 3");
    check(skill(json!(4), "Fine.", json!(["a bit more. I rolled it back"])), "skills/0", "rolled");
    check(skill(json!(4), "Fine.", json!(["scenario"])), "skills/0", "scenario");
    check(skill(json!(4), "Fine.", json!([])), "skills/0", "backed by a quotation");
    check(skill(json!(4), "Saved 250 thousand.", said.clone()), "skills/0", "250");
    check(skill(json!(4), "Too old for this pace.", said.clone()), "skills/0", "age");
    check(skill(json!(4), "Sounded nervous when asked.", said.clone()), "skills/0", "feelings");
    check(skill(json!(2), "Heavy accent.", said), "skills/0", "accent");
    check(json!({"skills": [{"skill_name": "Cooking", "explanation": "x"}]}), "skill_name", "Cooking");
    check(json!({"risks": [{"text": "May leave soon.", "quotes": []}]}), "risks/0", "May leave");
    check(json!({"practical": {"salary_expectation": "I make 52 today"}}), "salary", "52");
    let language = json!({"skill_name": "Fluent in English", "rating": 5, "explanation": "Heard it.", "quotes": ["loud and clear"]});
    check(json!({"skills": [language]}), "skills/0", "language");
}

/// Nothing about a person that nobody may be judged by, in any of the languages.
#[test]
fn protected_grounds_are_refused_in_five_languages() {
    let check = |language: Language, explanation: &str| {
        let case = CASES.iter().find(|case| case.language == language).unwrap();
        let quote = report(&made(input(case), &project(voice(language)))).motivation_assessment.examples[0]
            .text
            .clone();
        let content = json!({"motivation": {"rating": 3, "explanation": explanation, "quotes": [quote]}});
        let content = Some(serde_json::from_value(content).unwrap());
        let refusal = refused(CandidateInput { content, ..input(case) }, &project(voice(language)));
        assert!(refusal.problems[0].field == "content/motivation", "{explanation}: {refusal:?}");
    };
    check(Language::En, "She has small children and may be away a lot.");
    check(Language::En, "Comes across as a bit too old for the team.");
    check(Language::En, "Wears a headscarf.");
    check(Language::Sv, "Hon är gravid och kommer att vara borta.");
    check(Language::Sv, "Verkade osäker och hade svårt med ögonkontakt.");
    check(Language::Sv, "Talar med tydlig brytning.");
    check(Language::Da, "Hun har små børn derhjemme.");
    check(Language::Da, "Han er lidt for gammel til rollen.");
    check(Language::No, "Hun har vært sykmeldt lenge.");
    check(Language::No, "Han hørtes nervøs ut hele veien.");
    check(Language::De, "Sie ist schwanger und fällt bald aus.");
    check(Language::De, "Man hört den Akzent deutlich.");
    check(Language::De, "Mit Migrationshintergrund passt das nicht zum Team.");
}
