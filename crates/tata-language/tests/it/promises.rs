//! What holds for any text.

use proptest::prelude::*;
use tata_language::{
    Language, Offsets, Span,
    claims::{Reason, check},
};

fn language() -> impl Strategy<Value = Language> {
    prop::sample::select(Language::ALL.to_vec())
}

/// Words that the rules look at, in odd orders.
fn text() -> impl Strategy<Value = String> {
    let words = [
        "no",
        "not",
        "must",
        "plus",
        "perhaps",
        "kein",
        "inte",
        "ikke",
        "krav",
        "und",
        ",",
        ".",
        ":",
        "\n",
        "\n\n- ",
        "\"",
        "31 000",
        "5",
        "-",
        "kr",
        "%",
        "1.",
        "May",
        "mars",
        "2026-03-03",
        "Anna",
        "Berg",
        "nurse",
        "Nachtdienst",
        "😀",
        "a\u{308}",
        "\u{ad}",
        "två",
        "femogtyve",
        "at least",
        "bis zu",
        "best",
        "friendly",
        "(",
        ")",
        "C++",
        "’",
    ];
    let word = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![4 => word, 1 => "\\PC{0,12}"], 0..40).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_place_is_inside_its_text_and_holds_its_words(language in language(), text in text(), source in text()) {
        let offsets = Offsets::new(&text);
        let count = source.chars().count();
        let mut last = 0;
        for sentence in check(language, &text, &[("notes", &source)]) {
            prop_assert!(sentence.span.start >= last);
            last = sentence.span.end;
            prop_assert_eq!(offsets.text(sentence.span), sentence.text);
            for part in &sentence.unproven {
                prop_assert!(part.span.start >= sentence.span.start && part.span.end <= sentence.span.end);
                prop_assert_eq!(offsets.text(part.span), part.text);
            }
            for place in &sentence.evidence {
                prop_assert!(place.source == 0 && place.span.start < place.span.end && place.span.end <= count);
            }
        }
    }

    #[test]
    fn a_source_without_words_proves_no_number_and_no_name(language in language(), number in 2_u32..9_999) {
        let text = format!("x {number} Zyxwv");
        let found = check(language, &text, &[("notes", " . ")]);
        prop_assert!(found.iter().any(|sentence| !sentence.supported()));
    }
}

/// Each source of the labelled sets, held against itself.
#[test]
fn what_a_source_says_is_proven_by_it() {
    for language in Language::ALL {
        let path = format!("{}/tests/claims/{}.txt", env!("CARGO_MANIFEST_DIR"), language.code());
        let labelled = crate::measure::read_labelled(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut last = String::new();
        for (name, text) in labelled.iter().flat_map(|labelled| &labelled.sources) {
            if *text == last {
                continue;
            }
            last.clone_from(text);
            for sentence in check(language, text, &[(name, text)]) {
                assert!(sentence.supported(), "{}: {sentence:?}", language.code());
            }
        }
    }
}

#[test]
fn evidence_in_another_language_proves_numbers_dates_and_names_only() {
    let source = "Vi söker en sjuksköterska till vårt äldreboende i Borås från och med den 3 mars 2026. \
                  Lönen är 38 500 kr i månaden, och du har elva kollegor på avdelningen.";
    let checked = |text: &'static str| check(Language::En, text, &[("notes", source)]).remove(0);
    let right = checked("From 3 March 2026 you join eleven colleagues in Borås.");
    assert!(right.translated && right.supported(), "{right:?}");
    assert!(!right.evidence.is_empty());
    let wrong = checked("From 13 March 2026 you join eleven colleagues in Borås.");
    assert!(wrong.translated && !wrong.supported(), "{wrong:?}");
    let place = checked("You join eleven colleagues in Uppsala.");
    assert_eq!(place.unproven.iter().map(|part| part.text).collect::<Vec<_>>(), ["Uppsala"]);
}

#[test]
fn words_scattered_over_a_document_prove_no_sentence() {
    let source = "The Lund office opened in 2019. The Malmö office has 12 welders.\n\n\
                  Our manager is strict. The receptionist is friendly.";
    let reasons = |text: &'static str| {
        let found = check(Language::En, text, &[("notes", source)]);
        found.into_iter().flat_map(|sentence| sentence.unproven).map(|part| part.reason).collect::<Vec<_>>()
    };
    assert_eq!(reasons("The Lund office opened in 2019."), []);
    assert!(reasons("The Malmö office opened in 2019.").contains(&Reason::Combined));
    assert!(reasons("The Lund office has 12 welders.").contains(&Reason::Combined));
    assert!(reasons("Our manager is friendly.").contains(&Reason::Combined));
}

#[test]
fn a_heading_weighs_the_lines_below_it() {
    let source = "Must have:\n- SQL\n- budget work\n\nNice to have:\n- Python\n\nTasks:\n- reports\n";
    let supported = |text: &'static str| check(Language::En, text, &[("notes", source)])[0].supported();
    assert!(supported("SQL is required."));
    assert!(supported("Python is a plus."));
    assert!(!supported("Python is required."));
    assert!(!supported("SQL is a plus."));
}

#[test]
fn clocks_conditions_and_double_negation_are_understood() {
    let source =
        "Shifts from 14 to 22, 30 h a week. Forklift licence required, SAP is a plus. We pay 17.40 an hour.";
    let supported = |text: &'static str| check(Language::En, text, &[("notes", source)])[0].supported();
    assert!(supported("Shifts are from 2 pm to 10 pm."));
    assert!(!supported("Shifts are from 2 am to 10 am."));
    assert!(supported("You work 30 hours a week."));
    assert!(supported("If you know SAP, so much the better."));
    assert!(!supported("You know SAP."));
    assert!(supported("Without a forklift licence we cannot hire you."));
    assert!(!supported("You work without a forklift licence."));
    assert!(supported("The hourly rate is 17.40."));
    let source = "Kylcertifikat är ett plus, annars betalar vi kursen. Planeringstid 6 h i veckan.";
    let supported = |text: &'static str| check(Language::Sv, text, &[("notes", source)])[0].supported();
    assert!(supported("Saknar du kylcertifikat betalar vi kursen."));
    assert!(!supported("Du har kylcertifikat."));
    assert!(supported("Du har sex timmar i veckan för planering."));
}

/// Work for each byte that grows with the length would take minutes here.
#[test]
fn a_word_without_end_and_a_text_without_stops_are_read() {
    let source = "Arbeitszeit und Nachtdienst nach Plan.";
    let word = "arbeitszeitkonto".repeat(10_000);
    let found = check(Language::De, &word, &[("notes", source)]);
    assert!(found.len() == 1 && !found[0].supported());
    let text = "der Nachtdienst hat 12 Betten und Kaffee ".repeat(3_000);
    let found = check(Language::De, &text, &[("notes", source)]);
    assert!(found.len() > 100 && found.iter().all(|sentence| !sentence.supported()));
    assert!(check(Language::De, "Nachtdienst", &[("notes", &word), ("mail", &text)])[0].supported());
}

#[test]
fn places_are_characters_not_bytes() {
    let found = check(Language::Sv, "Å ä ö. Du får bonus.", &[("notes", "Du får lön.")]);
    let part = found[1].unproven[0];
    assert_eq!((part.text, part.span), ("bonus", Span::new(14, 19)));
}
