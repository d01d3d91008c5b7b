//! Files made to do harm, in the terminal and at the server: whatever a file does to its reader, the program answers in
//! time, its readers stay within their memory, and none of them is left behind.

mod files;
mod readers;
mod server;

use std::{
    fs,
    time::{Duration, Instant},
};

use self::{
    files::Hostile,
    readers::{Watch, readers_below},
};
use crate::program::World;

/// Within what time each file is read or refused: the reading and the end of the reader.
const ANSWERED: Duration = Duration::from_secs(6);
/// How long a file waits at most while others of the same person are read.
const WAITED: Duration = Duration::from_secs(20);
/// What the start of the program and a machine full of other tests may add.
const BUSY_MACHINE: Duration = Duration::from_secs(6);
/// What all readers may take together.
const MEMORY: u64 = 300_000_000;

/// Has the terminal look at each file: it reads it or says in words why not.
#[expect(clippy::print_stdout, reason = "the figures are for whoever runs it")]
fn terminal_survives(files: Vec<Hostile>) {
    let world = World::new();
    let watch = Watch::start(std::process::id());
    for Hostile { name, bytes } in files {
        let path = world.folder.join(name);
        fs::write(&path, bytes).unwrap();
        let begun = Instant::now();
        let said = world.run(&["import", name]);
        let took = begun.elapsed();
        let last = said.err.lines().last().unwrap_or_default();
        println!("{name}: {} after {took:.1?}: {}", said.code, last.chars().take(200).collect::<String>());
        assert!([0, 2].contains(&said.code), "{name} ended the program with {}", said.code);
        assert!(said.code == 0 || last.len() < 1_000, "{name}: {} bytes of words", last.len());
        assert!(took < ANSWERED + BUSY_MACHINE, "{name} took {took:?}");
        fs::remove_file(path).unwrap();
    }
    let peak = watch.peak();
    println!("all readers together: {peak} bytes");
    assert!((1..=MEMORY).contains(&peak), "{peak} bytes");
    assert_eq!(readers_below(std::process::id()), Vec::<u32>::new(), "readers are left");
}

#[test]
fn a_hostile_pdf_costs_a_message() {
    terminal_survives(files::pdfs());
}

#[test]
fn a_hostile_word_document_costs_a_message() {
    terminal_survives(files::words());
}

#[test]
fn a_hostile_workbook_costs_a_message() {
    terminal_survives(files::workbooks());
}

#[test]
fn a_hostile_web_page_costs_a_message() {
    terminal_survives(files::pages());
}

#[test]
fn hostile_markdown_costs_a_message() {
    terminal_survives(files::markdowns());
}

#[test]
fn a_hostile_text_costs_a_message() {
    terminal_survives(files::plain());
}

#[test]
fn a_hostile_table_costs_a_message() {
    terminal_survives(files::tables());
}

#[test]
fn a_hostile_transcript_costs_a_message() {
    terminal_survives(files::transcripts());
}
