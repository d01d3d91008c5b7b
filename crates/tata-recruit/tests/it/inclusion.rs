//! The inclusion review against labelled sentences (`tests/inclusion`), written before it existed.

use tata_language::book::Category;
use tata_recruit::Language;

use crate::measure::{Measured, measure, read_labelled};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inclusion");

fn measured(language: Language, set: &str) -> Measured {
    let path = format!("{FOLDER}/{}{set}.yaml", language.code());
    let text = std::fs::read_to_string(&path).unwrap();
    measure(&read_labelled(&path, &text).unwrap_or_else(|error| panic!("{error}")), language)
}

/// The sets that were tuned on, and those of a second hand: what they are for stands in `tests/inclusion/README.md`.
#[test]
fn labelled_sentences_are_judged_as_people_judged_them() {
    for (set, least) in [("", 0.95), ("-unseen", 0.95), ("-third", 0.8), ("-fourth", 0.9)] {
        for language in Language::ALL {
            let found = measured(language, set);
            let total = found.total();
            let said: Vec<String> = found
                .mistakes
                .iter()
                .map(|(category, piece, sentence, missed)| {
                    let what = if *missed { "missed" } else { "wrong" };
                    format!("{what} {} {piece:?} in {sentence:?}", category.name())
                })
                .collect();
            let report = format!("{language:?}{set}: {total:?}\n{}", said.join("\n"));
            assert!(found.sentences >= 40, "{report}");
            assert!(total.precision() >= least && total.recall() >= least, "{report}");
        }
    }
}

/// Trial 2.10: every false alarm and every miss that people met, and none of them again.
#[test]
fn trial_2_10_sentences_are_judged_exactly() {
    for language in Language::ALL {
        let found = measured(language, "-trial");
        assert!(found.mistakes.is_empty(), "{language:?}: {:#?}", found.mistakes);
    }
}

/// Half of the sentences are clean and tempting, and every category is there.
#[test]
fn the_labelled_sets_are_fair() {
    for language in Language::ALL {
        let path = format!("{FOLDER}/{}.yaml", language.code());
        let sentences = read_labelled(&path, &std::fs::read_to_string(&path).unwrap()).unwrap();
        let clean = sentences.iter().filter(|sentence| sentence.flags.is_empty()).count();
        assert!(
            sentences.len() >= 120 && clean * 5 >= sentences.len() * 2,
            "{language:?}: {clean} of {}",
            sentences.len()
        );
        for category in Category::ALL {
            let labels = sentences.iter().flat_map(|sentence| &sentence.flags);
            let count = labels.filter(|label| label.category == category).count();
            let of_whole_texts = matches!(category, Category::Readability | Category::MissingElements);
            let elsewhere = category == Category::GermanTitle && language != Language::De;
            let expected = if of_whole_texts || elsewhere { 0 } else { 4 };
            assert!(count >= expected, "{language:?} {category:?}: {count}");
        }
    }
}
