//! The readers, and the one door to them.

mod charset;
mod csv;
mod docx;
mod figure;
mod grid;
mod html;
mod markdown;
mod pdf;
mod rows;
mod sheet;
mod text;
mod transcript;
mod xlsx;

use std::{
    panic::AssertUnwindSafe,
    sync::mpsc::{RecvTimeoutError, sync_channel},
    thread,
    time::Duration,
};

pub use self::{
    charset::decode,
    figure::{NoFigure, is_number, read_count, read_decimal},
    grid::{ColumnKind, Grid},
    rows::is_table,
    sheet::{Sheet, read_sheets},
    transcript::{Names, Talk, Transcript, TranscriptShape, Turn, Utterance, clock_text, unescaped},
};
use crate::{Format, Hint, Limits, ReadError, Reading, format::detect, limits::Guard};

/// Recursion in a foreign parser meets a nesting limit first; this is the room until then.
const STACK: usize = 16 * 1024 * 1024;

/// Readers look at the clock between two pieces of work; one that does not come to it gets this much longer.
const GRACE: Duration = Duration::from_secs(2);

/// Reads a file.
pub fn read(bytes: Vec<u8>, hint: &Hint, limits: &Limits) -> Result<Reading, ReadError> {
    apart(bytes, hint, limits, read_format)
}

/// Reads a transcript from a `.vtt`, `.docx` or text file, within limits.
pub fn read_transcript(bytes: Vec<u8>, hint: &Hint, limits: &Limits) -> Result<Transcript, ReadError> {
    apart(bytes, hint, limits, |format, bytes, hint, guard| {
        let text = match format {
            Format::Vtt | Format::Text | Format::Csv | Format::Markdown => {
                decode(bytes, hint.charset()).into_owned()
            }
            Format::Docx | Format::Html | Format::Pdf | Format::Xlsx => {
                let reading = read_format(format, bytes, hint, guard)?;
                reading.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n\n")
            }
        };
        let read = transcript::parse(&text, format, guard)?;
        if read.turns.is_empty() {
            return Err(ReadError::Empty { format });
        }
        Ok(read)
    })
}

/// Does the work on a thread of its own: a parser that breaks down is a damaged file, and one that does not come back is
/// left behind.
fn apart<T: Send + 'static>(
    bytes: Vec<u8>,
    hint: &Hint,
    limits: &Limits,
    work: fn(Format, &[u8], &Hint, &Guard) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let guard = Guard::new(*limits);
    guard.bytes(bytes.len())?;
    let format = detect(&bytes, hint)?;
    let (sender, receiver) = sync_channel(1);
    let hint = hint.clone();
    let work = move || {
        let read = AssertUnwindSafe(|| work(format, &bytes, &hint, &guard));
        let result = std::panic::catch_unwind(read).unwrap_or_else(|_| {
            let reason = "its structure makes no sense".to_owned();
            Err(ReadError::Damaged { format, reason, source: None })
        });
        // Nobody listens any more when the time is over.
        let _ = sender.send(result);
    };
    thread::Builder::new()
        .name("read".into())
        .stack_size(STACK)
        .spawn(work)
        .map_err(|error| ReadError::NoReader(error.to_string()))?;
    match receiver.recv_timeout(limits.time + GRACE) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => Err(ReadError::TooSlow { limit: limits.time }),
        Err(RecvTimeoutError::Disconnected) => {
            let reason = "its structure makes no sense".to_owned();
            Err(ReadError::Damaged { format, reason, source: None })
        }
    }
}

fn read_format(format: Format, bytes: &[u8], hint: &Hint, guard: &Guard) -> Result<Reading, ReadError> {
    let reading = match format {
        Format::Html => html::read(&decode(bytes, charset::declared(bytes, hint).as_deref()), guard)?,
        Format::Markdown => markdown::read(&decode(bytes, hint.charset()), guard)?,
        Format::Pdf => pdf::read(bytes, guard)?,
        Format::Docx => docx::read(bytes, guard)?,
        Format::Text => text::read(&decode(bytes, hint.charset()), guard)?,
        Format::Csv => csv::read(&decode(bytes, hint.charset()), hint.tabs(), guard)?,
        Format::Xlsx => xlsx::read(bytes, guard)?,
        Format::Vtt => transcript::read(&decode(bytes, hint.charset()), guard)?,
    };
    if reading.is_empty() {
        return Err(ReadError::Empty { format });
    }
    guard.text(reading.len())?;
    Ok(reading)
}
