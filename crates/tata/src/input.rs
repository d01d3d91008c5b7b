//! What a person hands over: how much, and from where. The same limit at every door, and the same words.

use std::{
    io::{self, BufRead, Read},
    path::Path,
    time::Duration,
};

use anyhow::Context;
use tata_core::MOST_MESSAGE_BYTES;

use crate::{
    error::UsageError,
    named_file::{self, NotRead},
    terminal::Terminal,
};

/// The name of standard input in messages.
const STDIN: &str = "standard input";

/// The text of a file. Only a file has an end that can be relied on: a pipe is read where the shell made it
/// (`<(command)`), a device or a folder never.
pub(crate) fn file(path: &Path) -> anyhow::Result<String> {
    let name = path.display().to_string();
    if is_stdin(path) {
        return text(io::stdin().lock(), &name);
    }
    let file = named_file::open(path).map_err(|why| match why {
        NotRead::Failed(error) => anyhow::Error::new(error).context(unusable(&name)),
        NotRead::Folder => UsageError(format!("{name} is a folder; name a file in it")).into(),
        NotRead::NoFile | NotRead::TooLarge { .. } => {
            UsageError(format!("{name} is a pipe or a device and no file; use `tata … < {name}` to read it"))
                .into()
        }
    })?;
    text(file, &name)
}

/// Standard input to its end. Whoever forgot to close it is told what is being waited for.
pub(crate) fn piped(terminal: &Terminal) -> anyhow::Result<String> {
    let (done, waiting) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // The receiver waits for this; it is gone only when the program is.
        let _ = done.send(text(io::stdin().lock(), STDIN));
    });
    waiting.recv_timeout(Duration::from_secs(1)).or_else(|_| {
        terminal.note("Reading standard input to its end; give </dev/null if there is nothing to read.");
        waiting.recv()
    })?
}

/// A line of a pipe.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Text(String),
    /// One that cannot be taken, and why. What follows it can be read.
    Refused(String),
    End,
}

/// The next line. Of one that is too long no more is kept than the limit.
pub(crate) fn line(source: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST_MESSAGE_BYTES).unwrap_or(u64::MAX);
    // The end of the line is not part of what is said.
    source.take(most.saturating_add(1)).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(Line::End);
    }
    if bytes.last() != Some(&b'\n') && bytes.len() > MOST_MESSAGE_BYTES {
        source.skip_until(b'\n')?;
        return Ok(Line::Refused(too_large("a line of standard input")));
    }
    Ok(String::from_utf8(bytes)
        .map_or_else(|_| Line::Refused(not_text("a line of standard input")), Line::Text))
}

/// Whether what somebody typed or put together may be taken.
pub(crate) fn check(text: &str, what: &str) -> Result<(), UsageError> {
    if text.len() > MOST_MESSAGE_BYTES { Err(UsageError(too_large(what))) } else { Ok(()) }
}

/// Reads text up to the limit.
fn text(source: impl Read, name: &str) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let most = u64::try_from(MOST_MESSAGE_BYTES).unwrap_or(u64::MAX);
    source.take(most.saturating_add(1)).read_to_end(&mut bytes).with_context(|| unusable(name))?;
    if bytes.len() > MOST_MESSAGE_BYTES {
        return Err(UsageError(too_large(name)).into());
    }
    String::from_utf8(bytes).map_err(|_| UsageError(not_text(name)).into())
}

fn too_large(what: &str) -> String {
    format!(
        "{what} is larger than 4 MiB, the most that can be handed over at once; shorten it, or give it in parts"
    )
}

fn unusable(what: &str) -> String {
    format!("{what} cannot be used")
}

fn not_text(what: &str) -> String {
    format!("{what} is not UTF-8 text; convert it first")
}

/// Whether a path is another name of standard input.
fn is_stdin(path: &Path) -> bool {
    ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].iter().any(|name| path == Path::new(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_is_refused_and_the_next_is_read() {
        let long = "x".repeat(MOST_MESSAGE_BYTES);
        let typed = format!("{long}\n{long}x\nshort\n\nlast");
        let mut source = typed.as_bytes();
        let mut next = || line(&mut source).unwrap();
        assert_eq!(next(), Line::Text(format!("{long}\n")), "just as much as may be");
        assert!(matches!(next(), Line::Refused(why) if why.contains("4 MiB") && why.contains("in parts")));
        assert_eq!(next(), Line::Text("short\n".to_owned()));
        assert_eq!(next(), Line::Text("\n".to_owned()));
        assert_eq!(next(), Line::Text("last".to_owned()));
        assert_eq!(next(), Line::End);
    }

    #[test]
    fn a_line_in_another_encoding_is_refused_and_the_next_is_read() {
        let mut source: &[u8] = b"R\xE4ksm\xF6rg\xE5s\nshort\n";
        assert!(matches!(line(&mut source).unwrap(), Line::Refused(why) if why.contains("UTF-8")));
        assert_eq!(line(&mut source).unwrap(), Line::Text("short\n".to_owned()));
    }
}
