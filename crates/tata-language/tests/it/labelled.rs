//! The labelled sentences that the rules were tuned on.

use std::{fs, path::Path};

use tata_language::Language;

use crate::measure::{Measured, measure, read_labelled};

/// The least shares: caught of the unsupported, left alone of the honest.
const CAUGHT: f64 = 0.90;
const LEFT_ALONE: f64 = 0.85;

/// What is reached in free register, where honest sentences have many words of their own. The aim is the one above.
const FREE_LEFT_ALONE: f64 = 0.65;

fn measured(name: &str, language: Language) -> Measured {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/claims").join(name);
    let text = fs::read_to_string(path).unwrap();
    let found = measure(language, &read_labelled(&text).unwrap());
    println!(
        "{name}: caught {}/{} = {:.3}, left alone {}/{} = {:.3}",
        found.caught,
        found.unsupported,
        found.caught_share(),
        found.left_alone,
        found.honest,
        found.left_alone_share()
    );
    found
}

fn holds(language: Language) {
    let found = measured(&format!("{}.txt", language.code()), language);
    tell(&found);
    assert!(found.honest + found.unsupported >= 60);
    assert!(found.caught_share() >= CAUGHT && found.left_alone_share() >= LEFT_ALONE);
}

fn tell(found: &Measured) {
    for mistake in &found.mistakes {
        let label = if mistake.labelled.honest { "ok" } else { "bad" };
        println!(
            "  {} {label} {}: {} {:?}",
            mistake.labelled.line, mistake.labelled.kind, mistake.labelled.text, mistake.unproven
        );
    }
}

#[test]
fn sentences_in_free_register() {
    for language in [Language::En, Language::Sv] {
        let found = measured(&format!("{}.free.txt", language.code()), language);
        tell(&found);
        assert!(found.honest + found.unsupported >= 50);
        assert!(found.caught_share() >= CAUGHT && found.left_alone_share() >= FREE_LEFT_ALONE);
    }
}

#[test]
fn english_claims() {
    holds(Language::En);
}

#[test]
fn swedish_claims() {
    holds(Language::Sv);
}

#[test]
fn danish_claims() {
    holds(Language::Da);
}

#[test]
fn norwegian_claims() {
    holds(Language::No);
}

#[test]
fn german_claims() {
    holds(Language::De);
}
