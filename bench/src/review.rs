//! What a review costs: loading the word lists, finding in a text of a thousand words, and the whole report.

use jiff::Timestamp;
use tata_language::review::flagged;
use tata_recruit::{DiReviewInput, Language, Project, create_di_review};

use crate::measure::{cpu_seconds, resident_bytes};

/// An ordinary ad in each language; they are repeated to a thousand words.
const ADS: [(Language, &str); 5] = [
    (Language::En, include_str!("../../crates/tata-recruit/tests/ads/en-1.md")),
    (Language::Sv, include_str!("../../crates/tata-recruit/tests/ads/sv-1.md")),
    (Language::Da, include_str!("../../crates/tata-recruit/tests/ads/da-1.md")),
    (Language::No, include_str!("../../crates/tata-recruit/tests/ads/no-1.md")),
    (Language::De, include_str!("../../crates/tata-recruit/tests/ads/de-1.md")),
];
const WORDS: usize = 1_000;
/// The languages take turns, so that a busy moment of the machine spoils no one of them.
const PASSES: usize = 8;
const ROUNDS: usize = 25;

/// Measures and prints.
pub(crate) fn report() {
    let (before, _) = resident_bytes();
    let start = cpu_seconds();
    for (language, _) in ADS {
        flagged("One.", language);
    }
    let loading = cpu_seconds() - start;
    let (after, _) = resident_bytes();
    println!(
        "word lists of five languages: {:.1} ms CPU to load, {} KB",
        loading * 1e3,
        after.saturating_sub(before) / 1024
    );
    let texts = ADS.map(|(_, ad)| thousand_words(ad));
    let mut times = [(f64::INFINITY, f64::INFINITY); ADS.len()];
    for _ in 0..PASSES {
        for (((language, _), text), (finding, whole)) in ADS.iter().zip(&texts).zip(&mut times) {
            *finding = finding.min(least(|| {
                flagged(text, *language);
            }));
            *whole = whole.min(least(|| {
                let input = DiReviewInput { job_ad_text: Some(text.clone()), ..DiReviewInput::default() };
                create_di_review(input, &Project::default(), Timestamp::UNIX_EPOCH).expect("a review");
            }));
        }
    }
    for (((language, _), text), (finding, whole)) in ADS.iter().zip(&texts).zip(times) {
        let speed = |seconds: f64| text.len() as f64 / 1e6 / seconds;
        println!(
            "{}: {} bytes; finding {:.0} µs ({:.1} MB/s), whole review {:.0} µs ({:.1} MB/s)",
            language.code(),
            text.len(),
            finding * 1e6,
            speed(finding),
            whole * 1e6,
            speed(whole)
        );
    }
}

fn thousand_words(ad: &str) -> String {
    let words = ad.split_whitespace().count().max(1);
    ad.repeat(WORDS.div_ceil(words))
}

/// The least CPU time of many rounds: noise only adds.
fn least(mut work: impl FnMut()) -> f64 {
    work();
    let times = (0..ROUNDS).map(|_| {
        let start = cpu_seconds();
        (0..10).for_each(|_| work());
        (cpu_seconds() - start) / 10.0
    });
    times.fold(f64::INFINITY, f64::min)
}
