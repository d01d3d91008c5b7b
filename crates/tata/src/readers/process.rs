//! The process that reads files: bytes in by standard input, what they say out by standard output, one file after the
//! other, until the input ends.

use std::{
    io::{self, BufRead, BufReader, BufWriter, Read, Write},
    process::ExitCode,
    sync::mpsc::{Receiver, sync_channel},
    thread,
};

use tata_document::{FileContents, FileReader as _, ReadError, ReadRequest, in_process::ReadHere};

use super::{Head, rlimits};

/// The longest first line of a request, which holds a name or an address.
const LONGEST_HEAD: u64 = 64 * 1024;

/// A file to be read.
type Job = (Vec<u8>, ReadRequest);

/// Reads files until the input ends. Whoever asked holds the other end of the input: when that process ends in any way,
/// so does this one, in the middle of a file too, because this thread does nothing but wait for it.
pub(crate) fn serve() -> ExitCode {
    if rlimits::give_up().is_err() {
        return ExitCode::FAILURE;
    }
    let (jobs, waiting) = sync_channel(1);
    let started = thread::Builder::new().name("answers".to_owned()).spawn(move || answers(&waiting));
    if started.is_err() {
        return ExitCode::FAILURE;
    }
    let mut input = BufReader::new(io::stdin().lock());
    while let Ok(Some(job)) = next(&mut input) {
        if jobs.send(job).is_err() {
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// The next file, or nothing where the input ends.
fn next(input: &mut impl BufRead) -> io::Result<Option<Job>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_HEAD).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let Head { request, bytes: count } = serde_json::from_slice(&line)?;
    // Asked for at once: a buffer that grows needs twice the room.
    let mut bytes = Vec::with_capacity(count);
    input.by_ref().take(u64::try_from(count).unwrap_or_default()).read_to_end(&mut bytes)?;
    Ok((bytes.len() == count).then_some((bytes, request)))
}

fn answers(waiting: &Receiver<Job>) {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is no terminal: another process of this program reads it"
    )]
    let mut output = BufWriter::new(io::stdout());
    for (bytes, request) in waiting {
        if rlimits::grant(request.limits.time).is_err() {
            break;
        }
        let answer = ReadHere.read_file(bytes, &request);
        if write(&mut output, &answer).is_err() {
            break;
        }
    }
    // Nobody is there any more, or the limits cannot be kept.
    std::process::exit(1);
}

/// An answer is one line: JSON has no line ends of its own.
fn write(output: &mut impl Write, answer: &Result<FileContents, ReadError>) -> io::Result<()> {
    serde_json::to_writer(&mut *output, answer)?;
    output.write_all(b"\n")?;
    output.flush()
}
