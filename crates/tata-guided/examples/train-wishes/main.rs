//! Trains the wishes from the sentences in `training/wishes/` and writes `data/wishes.bin`. Its tests measure what was trained.

#![expect(clippy::print_stdout, reason = "the figures of the training")]

mod sentences;
#[cfg(test)]
mod tests;
mod train;

use std::{error::Error, fs};

use sentences::{Labelled, training};
use train::train;

/// Where the program looks for the weights when it is built.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/wishes.bin");

/// So many mistakes are shown.
const SHOWN: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let trained = train(&training()?);
    fs::write(FILE, &trained.file)?;
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
