//! The inclusion review against labelled sentences (`tests/inclusion`), written before it existed.

use tata_recruit::{Language, Measured, measure, read_labelled};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/inclusion");

fn measured(language: Language, set: &str) -> Measured {
    let path = format!("{FOLDER}/{}{set}.yaml", language.code());
    let text = std::fs::read_to_string(&path).unwrap();
    measure(&read_labelled(&path, &text).unwrap_or_else(|error| panic!("{error}")), language)
}

#[test]
fn labelled_sentences_are_judged_as_people_judged_them() {
    for set in ["", "-unseen"] {
        for language in Language::ALL {
            let found = measured(language, set);
            let total = found.total();
            println!(
                "{}{set}: {} sentences, precision {:.3}, recall {:.3}  {total:?}",
                language.code(),
                found.sentences,
                total.precision(),
                total.recall(),
            );
            for (category, piece, sentence, missed) in &found.mistakes {
                println!(
                    "  {} {:?} {piece:?} in {sentence:?}",
                    if *missed { "MISSED" } else { "WRONG" },
                    category
                );
            }
        }
    }
}
