//! What is wanted, and what must never be taken for a wish.

use tata_guided::wish::{self, Wish};
use tata_language::Language;

/// Sentences that once confirmed a draft or destroyed part of one. None of them may be followed as a confirmation.
#[test]
fn doubts_questions_and_exceptions_never_confirm() {
    let said = [
        (Language::En, "not sure"),
        (Language::En, "is that right?"),
        (Language::En, "swap 1 and 2"),
        (Language::En, "1 and 2 are too strict"),
        (Language::En, "yes except number 2"),
        (Language::En, "yes but not the salary"),
        (Language::En, "start date 1 February"),
        (Language::En, "1"),
        (Language::Sv, "stämmer det?"),
        (Language::Sv, "ja förutom nummer 2"),
        (Language::Sv, "ja men inte lönen"),
        (Language::Da, "passer det?"),
        (Language::Da, "ja, på nær lønnen"),
        (Language::No, "stemmer det?"),
        (Language::No, "ja, bortsett fra lønna"),
        (Language::De, "bin mir nicht sicher"),
        (Language::De, "stimmt das?"),
        (Language::De, "ja, außer Nummer 2"),
        (Language::De, "passt, aber das Gehalt ist falsch"),
    ];
    for (language, text) in said {
        let certain = wish::read(text, language).certain;
        assert_ne!(certain, Some(Wish::ConfirmProfile), "{text}");
    }
}

#[test]
fn nothing_in_a_message_is_too_much() {
    for text in ["", " ", "\u{0}", "?", "😀", &"ad ".repeat(500_000), &"å".repeat(1_000_000)] {
        let reading = wish::read(text, Language::De);
        assert_eq!(reading.ranked.len(), Wish::COUNT);
        let sum: f32 = reading.ranked.iter().map(|(_, probability)| probability).sum();
        assert!((sum - 1.0).abs() < 1e-3, "{sum}");
        assert_eq!(reading.offers().count(), 3);
    }
}
