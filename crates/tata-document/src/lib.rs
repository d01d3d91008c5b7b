//! Files in, documents out.
//!
//! A [`Document`] is what people read: blocks of spans, which `render/` turns into Markdown, plain text, HTML and what a
//! terminal shows, and which [`write()`] turns into the files a company sends out. [`ics`] writes calendar entries. Words for
//! people are handed in; there are none here.
//!
//! A [`FileReader`] turns the bytes of a file into a [`Reading`]: headings, paragraphs, list items, rows of tables, with the
//! page each stands on. One file of `read/` knows one format. What a hostile file may cost is written down once, in
//! [`Limits`], and a file that asks for more ends in a [`ReadError`] which names the limit.
//!
//! It also reads the same files as what they are: who said what ([`Transcript`]), and rows of values ([`Sheet`]). [`Talk`]
//! and [`Grid`] read the same from a text that somebody pasted, with the places of what was said and the headings of a table;
//! which names and headings are known is handed in.
//!
//! This crate knows nothing of sessions, of recruiting or of what a document is for.

mod document;
mod error;
mod file_reader;
mod format;
pub mod in_process;
mod limits;
mod read;
mod reading;
mod render;
mod write;

pub use self::{
    document::{Align, Block, Chart, Document, Evidence, Inline, LanguageTag, Marks, Span, Stage, Table},
    error::ReadError,
    file_reader::{FileContents, FileReader, ReadAs, ReadRequest},
    format::{Format, Hint},
    limits::Limits,
    read::{
        ColumnKind, Grid, Names, NoFigure, Sheet, Talk, Transcript, TranscriptShape, Turn, Utterance,
        clock_text, decode, is_number, is_table, read_count, read_decimal, unescaped,
    },
    reading::{BlockKind, ReadBlock, Reading},
    render::Inks,
    write::{Act, Attendee, Invitation, Options, Target, WriteError, ics, write},
};
