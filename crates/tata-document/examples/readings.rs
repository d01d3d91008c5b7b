//! Reads every file of a folder and writes what was read beside it, for files that other programs wrote:
//! `cargo run --example readings -- DIR`.
#![expect(clippy::unwrap_used, reason = "it is part of the tests")]

use std::{fs, path::PathBuf};

use tata_document::{Hint, Limits, in_process::read};

fn main() {
    let folder = PathBuf::from(std::env::args_os().nth(1).unwrap());
    let files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    for file in files.iter().filter(|file| file.is_file()) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let said = match read(fs::read(file).unwrap(), &Hint::named(&name), &Limits::default()) {
            Ok(reading) => reading.blocks.iter().flat_map(|block| [block.text.as_str(), "\n"]).collect(),
            Err(error) => format!("ERROR {error}\n"),
        };
        fs::write(folder.join(format!("{name}.said")), said).unwrap();
    }
}
