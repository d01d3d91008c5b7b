//! Properties of the inclusion review.

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::Value;
use tata_language::{
    book::{Category, Severity},
    review::{Coding, TitleForm},
};
use tata_recruit::{
    Accepted, DecideInput, DiReview, DiReviewInput, Kind, Language, Made, Project, Settings,
    create_di_review, decide_di_findings,
};

fn project(language: Language) -> Project {
    Project::default().with(Kind::ProjectSettings, "", &Settings { language, ..Settings::default() })
}

fn input(text: &str, language: Option<Language>) -> DiReviewInput {
    let language = language.map(|language| language.code().to_owned());
    DiReviewInput { job_ad_text: Some(text.to_owned()), language, ..DiReviewInput::default() }
}

fn made(text: &str, language: Option<Language>, explained: Language) -> Made {
    let made = create_di_review(input(text, language), &project(explained), Timestamp::UNIX_EPOCH);
    made.unwrap_or_else(|refusal| panic!("{refusal:?}"))
}

fn review(text: &str, language: Language) -> DiReview {
    serde_json::from_value(made(text, Some(language), Language::En).json).unwrap()
}

/// Sentences with and without problems, from the labelled sets.
fn sentences(language: Language) -> Vec<String> {
    let path = format!("{}/tests/inclusion/{}.yaml", env!("CARGO_MANIFEST_DIR"), language.code());
    let all = crate::measure::read_labelled(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
    all.into_iter().map(|sentence| sentence.text).collect()
}

fn any_language() -> impl Strategy<Value = Language> {
    proptest::sample::select(Language::ALL.to_vec())
}

/// Pieces that break careless readers.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        Just(String::new()),
        Just("\0\u{202E}\u{200F}(m/w) „Junge Leute GmbH“ (".to_owned()),
        Just("- dash\n– dash\n— dash\n# \n**\n:".to_owned()),
        Just("🚀👩‍💻 {text} review.issues Module A".to_owned()),
        Just("young\u{AD} te\u{301}am İSTANBUL ﬁt ẞ".to_owned()),
        Just("(((m/w/d)))) Entwickler:innen*in_in/-in".to_owned()),
        Just("\u{2028}young\u{2029}team\u{85}native\r\nspeaker\r".to_owned()),
        Just("a ".repeat(3_000)),
    ]
}

/// A text of an ad's sentences, with something hostile in between.
fn any_text() -> impl Strategy<Value = (Language, String)> {
    any_language().prop_flat_map(|language| {
        let sentences = proptest::collection::vec(proptest::sample::select(sentences(language)), 1..12);
        (Just(language), sentences, hostile()).prop_map(|(language, sentences, hostile)| {
            let (first, rest) = sentences.split_at(sentences.len() / 2);
            (language, format!("{}\n{hostile}\n{}", first.join(" "), rest.join("\n* ")))
        })
    })
}

proptest! {
    /// Properties 25, 26, 27 and 36: all categories are scored, every flag has an alternative and its exact place, the
    /// text stays as it is, the same text gives the same review.
    #[test]
    fn every_text_is_reviewed_whole((language, text) in any_text(), explained in any_language()) {
        let first = made(&text, Some(language), explained);
        let again = made(&text, Some(language), explained);
        prop_assert_eq!(&first.json, &again.json);
        let review: DiReview = serde_json::from_value(first.json).unwrap();
        prop_assert_eq!(&review.original_text, &text);
        prop_assert!(review.overall_score <= 100);
        for category in Category::ALL {
            prop_assert!(review.category_scores[&category] <= 100);
            prop_assert!(review.category_issues.contains_key(&category));
        }
        let letters: Vec<char> = text.chars().collect();
        let mut end = 0;
        for item in &review.flagged_items {
            prop_assert!(item.start >= end && item.start < item.end, "{item:?}");
            end = item.end;
            prop_assert_eq!(letters[item.start..item.end].iter().collect::<String>(), item.text.clone());
            prop_assert_eq!(&text[item.byte_start..item.byte_end], item.text.as_str());
            prop_assert!(!item.alternatives.is_empty(), "{item:?}");
            prop_assert!(item.alternatives.iter().all(|text| !text.trim().is_empty()));
            prop_assert!(!item.explanation.is_empty() && !item.explanation.starts_with("review."), "{item:?}");
            prop_assert!(language == Language::De || item.category != Category::GermanTitle);
        }
    }

    /// Property 32: no alternative of any finding is itself flagged.
    #[test]
    fn what_is_proposed_is_clean(
        (language, text) in any_text(),
        form in proptest::sample::select(vec![
            TitleForm::Mwd, TitleForm::Colon, TitleForm::Star, TitleForm::Underscore, TitleForm::Slash,
            TitleForm::Brackets, TitleForm::InnerI, TitleForm::Double, TitleForm::Gn,
        ]),
    ) {
        let input = DiReviewInput { title_form: Some(form), ..input(&text, Some(language)) };
        let made = create_di_review(input, &Project::default(), Timestamp::UNIX_EPOCH).unwrap();
        let found: DiReview = serde_json::from_value(made.json).unwrap();
        for alternative in found.flagged_items.iter().flat_map(|item| &item.alternatives) {
            let flags = review(alternative, language).flagged_items;
            prop_assert!(flags.is_empty(), "{alternative:?}: {flags:?}");
        }
    }

    /// A revised text has what was accepted and nothing else changed.
    #[test]
    fn only_what_is_accepted_changes((language, text) in any_text(), chosen in any::<u64>()) {
        let first = made(&text, Some(language), Language::En);
        let found: DiReview = serde_json::from_value(first.json.clone()).unwrap();
        let is_chosen = |number: usize| chosen >> (number % 64) & 1 == 1;
        let accept: Vec<Accepted> = found.flagged_items.iter().filter(|item| is_chosen(item.number))
            // As the recruiter's own words: an alternative may be advice, which is never put into a text by its number.
            .map(|item| Accepted { finding: item.number, alternative: None, text: item.alternatives.first().cloned() })
            .collect();
        let ignore: Vec<usize> =
            found.flagged_items.iter().map(|item| item.number).filter(|number| !is_chosen(*number)).collect();
        if !found.flagged_items.is_empty() {
            let reviewed = Project::default().with(Kind::DiReview, "", &first.json);
            let decided = DecideInput { accept: accept.clone(), ignore };
            let decided = decide_di_findings(decided, &reviewed, Timestamp::UNIX_EPOCH).unwrap();
            let decided: DiReview = serde_json::from_value(decided.json).unwrap();
            prop_assert_eq!(&decided.original_text, &text);
            prop_assert_eq!(decided.revised_text.is_some(), !accept.is_empty());
            let revised = decided.revised_text.unwrap_or_else(|| text.clone());
            let (mut old, mut new) = (text.as_str(), revised.as_str());
            let mut done = 0;
            for item in found.flagged_items.iter().filter(|item| is_chosen(item.number)) {
                let before = &text[done..item.byte_start];
                old = old.strip_prefix(before).and_then(|rest| rest.strip_prefix(&item.text)).unwrap();
                new = new.strip_prefix(before).unwrap();
                new = &new[item.alternatives[0].len()..];
                done = item.byte_end;
            }
            prop_assert_eq!(old, new);
        }
    }
}

#[test]
fn a_clean_text_scores_full_and_a_bad_one_says_why() {
    let clean = review("You plan and build networks together with eight colleagues.", Language::En);
    assert_eq!((clean.overall_score, clean.flagged_items.len()), (100, 0));
    let bad = review("We are a young team and look for a salesman, a native speaker.", Language::En);
    let found: Vec<(&str, Category, Severity)> =
        bad.flagged_items.iter().map(|item| (item.text.as_str(), item.category, item.severity)).collect();
    assert_eq!(
        found,
        [
            ("young team", Category::Age, Severity::High),
            ("salesman", Category::Gender, Severity::High),
            ("native speaker", Category::Nationality, Severity::Medium),
        ]
    );
    assert_eq!(bad.category_scores[&Category::Age], 85);
    assert_eq!(bad.category_scores[&Category::Religion], 100);
    assert!(bad.overall_score < 100);
}

/// One long sentence costs a little: the original multiplied its points once more.
#[test]
fn a_long_sentence_does_not_ruin_readability() {
    let text =
        format!("You {} and then you go home.", "plan the network with your colleagues and ".repeat(5));
    let found = review(&text, Language::En);
    assert_eq!(found.readability.long_sentences.len(), 1);
    assert!(found.category_scores[&Category::Readability] >= 70, "{found:?}");
}

#[test]
fn many_findings_cost_more_and_titles_count_in_german_only() {
    let german = review("Wir suchen einen Entwickler und einen Techniker.", Language::De);
    assert_eq!(german.category_issues[&Category::GermanTitle], 2);
    assert!(german.overall_score < 100);
    let english = review("Wir suchen einen Entwickler und einen Techniker.", Language::En);
    assert_eq!(english.category_scores[&Category::GermanTitle], 100);
}

/// Trait words of both directions are a balance, never errors; the published decoder's verdict stands beside it.
#[test]
fn trait_words_are_a_balance() {
    let found = review("You are assertive, competitive, decisive, ambitious and independent.", Language::En);
    assert!(found.flagged_items.is_empty(), "{:?}", found.flagged_items);
    assert_eq!(found.balance.gender_decoder.unwrap().verdict, Coding::StronglyMasculineCoded);
    assert_eq!(found.balance.verdict, Coding::StronglyMasculineCoded);
}

#[test]
fn nothing_to_review_is_asked_for_in_the_language_of_the_project() {
    for language in Language::ALL {
        for text in ["", " \n", "…"] {
            let refusal =
                create_di_review(input(text, None), &project(language), Timestamp::UNIX_EPOCH).unwrap_err();
            assert_eq!(refusal.problems[0].field, "job_ad_text");
            assert!(refusal.problems[0].hint.is_some());
        }
    }
}

#[test]
fn short_texts_and_other_languages_are_noted() {
    let about = |made: &Made| made.notices.iter().map(|notice| notice.about.clone()).collect::<Vec<_>>();
    assert_eq!(about(&made("We are a young team.", Some(Language::En), Language::En)), ["job_ad_text"]);
    let swedish =
        "Vi söker en utvecklare som vill bygga nätverk tillsammans med oss i Stockholm och Göteborg.";
    assert_eq!(about(&made(swedish, Some(Language::En), Language::En)), ["language"]);
    assert_eq!(made(swedish, None, Language::En).json["language"], "sv");
}

/// The explanations are in the recruiter's language, the alternatives in the ad's.
#[test]
fn explanations_follow_the_recruiter() {
    let text = "Vi är ett ungt team i Stockholm som söker en ny kollega till vår växande avdelning.";
    let explained = |language| made(text, None, language).json["flagged_items"][0].clone();
    let (english, german) = (explained(Language::En), explained(Language::De));
    assert_ne!(english["explanation"], german["explanation"]);
    assert_eq!(english["alternatives"], german["alternatives"]);
}

#[test]
fn what_is_missing_is_said_of_whole_ads_only() {
    let ad = std::fs::read_to_string(format!("{}/tests/ads/en-1.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let whole = review(&ad, Language::En);
    assert!(whole.missing_elements.len() <= 1, "{:?}", whole.missing_elements);
    let bare = "You plan networks with your colleagues. ".repeat(20);
    assert_eq!(review(&bare, Language::En).missing_elements.len(), 5);
    assert!(review("You plan networks.", Language::En).missing_elements.is_empty());
}

/// Whole ads: the clean ones have no finding at all, in any language.
#[test]
fn clean_ads_stay_clean() {
    let mut flagged = Vec::new();
    for (name, language) in [
        ("en-1", Language::En),
        ("en-2", Language::En),
        ("sv-1", Language::Sv),
        ("sv-2", Language::Sv),
        ("da-1", Language::Da),
        ("da-3", Language::Da),
        ("no-1", Language::No),
        ("no-2", Language::No),
        ("de-1", Language::De),
        ("de-2", Language::De),
    ] {
        let ad =
            std::fs::read_to_string(format!("{}/tests/ads/{name}.md", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let items = review(&ad, language).flagged_items;
        flagged.extend(items.iter().map(|item| format!("{name}: {} ({})", item.text, item.rule)));
    }
    assert!(flagged.is_empty(), "{}", flagged.join("\n"));
}

#[test]
fn decisions_that_cannot_be_are_refused() {
    let first = made("We are a young team and look for a salesman.", Some(Language::En), Language::En);
    let reviewed = Project::default().with(Kind::DiReview, "", &first.json);
    let decide = |input: Value| {
        let input: DecideInput = serde_json::from_value(input).unwrap();
        decide_di_findings(input, &reviewed, Timestamp::UNIX_EPOCH)
    };
    for wrong in [
        serde_json::json!({}),
        serde_json::json!({ "accept": [{ "finding": 9 }] }),
        serde_json::json!({ "accept": [{ "finding": 1, "alternative": 99 }] }),
        serde_json::json!({ "accept": [{ "finding": 1 }], "ignore": [1] }),
    ] {
        assert!(decide(wrong.clone()).is_err(), "{wrong}");
    }
    let own =
        decide(serde_json::json!({ "accept": [{ "finding": 2, "text": "colleague in sales" }] })).unwrap();
    assert_eq!(own.json["revised_text"], "We are a young team and look for a colleague in sales.");
    assert!(decide_di_findings(DecideInput::default(), &Project::default(), Timestamp::UNIX_EPOCH).is_err());
}
