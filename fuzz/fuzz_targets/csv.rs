//! Tables in text: read or refused, as text and as rows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tata_document::{Hint, Limits, in_process::{read, read_sheets}};

fuzz_target!(|data: &[u8]| {
    for name in ["a.csv", "a.tsv"] {
        let _ = read_sheets(data.to_vec(), &Hint::named(name), &Limits::default());
        if let Ok(reading) = read(data.to_vec(), &Hint::named(name), &Limits::default()) {
            assert!(!reading.is_empty());
        }
    }
});
