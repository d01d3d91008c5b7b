//! Transcripts of every shape: read or refused, and no turn without words.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tata_document::{Hint, Limits, in_process::read_transcript};

fuzz_target!(|data: &[u8]| {
    for name in ["a.vtt", "a.txt"] {
        if let Ok(transcript) = read_transcript(data.to_vec(), &Hint::named(name), &Limits::default()) {
            assert!(transcript.turns.iter().all(|turn| !turn.text.trim().is_empty()));
        }
    }
});
