//! The guided model on sentences that recruiters type: what it understands, and that nothing makes it stumble.

mod suite;

use std::{fmt::Write, sync::Arc};

use proptest::prelude::*;
use tata_core::{Clock, Message, ModelRequest};
use tata_recruit::{Guided, Language};

use self::suite::{Score, read, score};

const TUNING: [&str; 5] = [
    include_str!("../../guided/en.yaml"),
    include_str!("../../guided/sv.yaml"),
    include_str!("../../guided/da.yaml"),
    include_str!("../../guided/no.yaml"),
    include_str!("../../guided/de.yaml"),
];
const HELD_OUT: [&str; 5] = [
    include_str!("../../guided/en-held-out.yaml"),
    include_str!("../../guided/sv-held-out.yaml"),
    include_str!("../../guided/da-held-out.yaml"),
    include_str!("../../guided/no-held-out.yaml"),
    include_str!("../../guided/de-held-out.yaml"),
];

/// Further sentences by other writers, each set measured once before it was read, and tuned on after.
const MORE: [(&str, Language, &str); 17] = [
    ("more", Language::En, include_str!("../../guided/en-more.yaml")),
    ("more", Language::Sv, include_str!("../../guided/sv-more.yaml")),
    ("more", Language::Da, include_str!("../../guided/da-more.yaml")),
    ("more", Language::De, include_str!("../../guided/de-more.yaml")),
    ("third", Language::En, include_str!("../../guided/en-third.yaml")),
    ("third", Language::Sv, include_str!("../../guided/sv-third.yaml")),
    ("third", Language::Da, include_str!("../../guided/da-third.yaml")),
    ("third", Language::No, include_str!("../../guided/no-third.yaml")),
    ("third", Language::De, include_str!("../../guided/de-third.yaml")),
    ("fourth", Language::En, include_str!("../../guided/en-fourth.yaml")),
    ("fourth", Language::Sv, include_str!("../../guided/sv-fourth.yaml")),
    ("fourth", Language::Da, include_str!("../../guided/da-fourth.yaml")),
    ("fourth", Language::No, include_str!("../../guided/no-fourth.yaml")),
    ("fourth", Language::De, include_str!("../../guided/de-fourth.yaml")),
    ("fifth", Language::En, include_str!("../../guided/en-fifth.yaml")),
    ("fifth", Language::De, include_str!("../../guided/de-fifth.yaml")),
    ("sixth", Language::De, include_str!("../../guided/de-sixth.yaml")),
];

fn percent(part: usize, whole: usize) -> usize {
    part * 100 / whole.max(1)
}

/// Both halves of every language; `cargo nextest run -p tata-recruit -E 'test(recruiters_are_understood)' --no-capture`
/// prints them.
#[test]
fn recruiters_are_understood() {
    let mut table = String::from("half      language  sentences  tool  intent  slots\n");
    let mut failed = Vec::new();
    let halves = [("tuning", TUNING), ("held out", HELD_OUT)].into_iter().flat_map(|(half, files)| {
        Language::ALL.into_iter().zip(files).map(move |(language, text)| (half, language, text))
    });
    for (half, language, text) in halves.chain(MORE) {
        let sentences = read(text);
        assert!(sentences.len() >= 70, "{half} {language:?}");
        let Score { sentences, right_tool, right_intent, slots, right_slots, .. } =
            score(&sentences, language);
        let (tool, intent, right) =
            (percent(right_tool, sentences), percent(right_intent, sentences), percent(right_slots, slots));
        let _ = writeln!(
            table,
            "{half:<9} {:<9} {sentences:>9} {tool:>4}% {intent:>6}% {right:>5}%",
            language.code()
        );
        let (least_tool, least_slots) = LEAST;
        if tool < least_tool || right < least_slots {
            failed.push(format!("{half} {}", language.code()));
        }
    }
    println!("{table}");
    assert!(failed.is_empty(), "{failed:?}\n{table}");
}

/// The least that must be right on every half, in percent: tools and slots.
const LEAST: (usize, usize) = (90, 85);

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever is typed, an answer comes.
    #[test]
    fn no_message_makes_it_stumble(text in "\\PC{0,200}|[a-zåäöæøü0-9 ,.:;!?\\-\n\u{0}\u{202e}]{0,400}") {
        let request = ModelRequest { messages: vec![Message::user(text)], tools: Arc::from([]), ..ModelRequest::default() };
        let reply = Guided::new(Clock::System).reply(&request);
        prop_assert!(!reply.joined_text().trim().is_empty());
    }
}

#[test]
fn a_message_of_a_megabyte_is_answered() {
    let text = "We need a network engineer with BGP, Linux and Python. ".repeat(20_000);
    let request =
        ModelRequest { messages: vec![Message::user(text)], tools: Arc::from([]), ..ModelRequest::default() };
    assert!(!Guided::new(Clock::System).reply(&request).joined_text().is_empty());
}
