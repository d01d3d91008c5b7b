//! Trains the wishes from `data/wishes/` and writes `data/wishes/weights.bin`.
//!
//! `LL.txt` there and in any folder beside it counts, except in `held-out`, which is for measuring alone.

#![expect(clippy::print_stdout, reason = "the figures of the training")]

use std::{error::Error, fs, path::Path};

use tata_guided::wish::{Labelled, in_order, labelled, train};
use tata_language::Language;

/// So many mistakes are shown.
const SHOWN: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wishes");
    let mut folders = vec![folder.clone()];
    for entry in fs::read_dir(&folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && entry.file_name() != "held-out" {
            folders.push(entry.path());
        }
    }
    let mut sentences = Vec::new();
    for language in Language::ALL {
        for file in folders.iter().map(|folder| folder.join(language.code()).with_extension("txt")) {
            if file.exists() {
                let read = labelled(language, &fs::read_to_string(&file)?);
                sentences.extend(read.map_err(|bad| format!("{}: {bad}", file.display()))?);
            }
        }
    }
    let trained = train(&in_order(sentences));
    fs::write(folder.join("weights.bin"), &trained.file)?;
    println!(
        "{} sentences; unseen in five parts: {} right at first, {} certain, {} wrong acts",
        trained.sentences, trained.first, trained.certain, trained.wrong_acts
    );
    println!("The surest mistakes; is the label right?");
    for mistake in trained.mistakes.iter().take(SHOWN) {
        let Labelled { language, wish, text } = &mistake.sentence;
        println!(
            "{:.3} {} {} read as {}: {text}",
            mistake.lead,
            language.code(),
            wish.name(),
            mistake.read.name()
        );
    }
    Ok(())
}
