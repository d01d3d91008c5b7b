//! What `tata ask` asks: words, files, standard input.

use std::{
    fs::File,
    io::{self, IsTerminal, Read},
    path::Path,
    time::Duration,
};

use anyhow::Context;

use crate::{cli::Ask, exit::UsageError, terminal::Terminal};

/// More than this is not a question.
const LARGEST: u64 = 16 * 1024 * 1024;

/// Puts the question together: the words, then the files, then what is piped in.
pub(super) fn question(ask: &Ask, terminal: &Terminal) -> anyhow::Result<String> {
    let dash = |text: &str| text == "-";
    let words: Vec<&str> = ask.question.iter().map(String::as_str).filter(|word| !dash(word)).collect();
    let words = words.join(" ");
    let asked =
        ask.question.iter().any(|word| dash(word)) || ask.file.iter().any(|path| path == Path::new("-"));
    let nothing_else = words.trim().is_empty() && ask.file.is_empty();
    if nothing_else && !asked && io::stdin().is_terminal() {
        let message = "there is no question; write one after `tata ask`, or pipe text into it";
        return Err(UsageError(message.to_owned()).into());
    }
    let mut parts = Vec::new();
    if !words.trim().is_empty() {
        parts.push(words);
    }
    for path in ask.file.iter().filter(|path| path.as_path() != Path::new("-")) {
        let text = File::open(path).map_err(anyhow::Error::from).and_then(|file| limited(file, path));
        let text = text.with_context(|| format!("{} cannot be used", path.display()))?;
        // Several files need their names, or the model cannot tell them apart.
        let named = ask.file.len() > 1;
        parts.push(if named { format!("{}:\n\n{text}", path.display()) } else { text });
    }
    if asked || !io::stdin().is_terminal() {
        let text = piped(terminal)?;
        if !text.trim().is_empty() {
            parts.push(text);
        }
    }
    let question = parts.join("\n\n");
    if question.trim().is_empty() {
        let message = "the question is empty; write one after `tata ask`, or pipe text into it";
        return Err(UsageError(message.to_owned()).into());
    }
    Ok(question)
}

/// Reads text up to the limit.
pub(super) fn limited(source: impl Read, path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    source.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(UsageError(format!("{} is larger than 16 MiB", path.display())).into());
    }
    let text = String::from_utf8(bytes);
    text.map_err(|_| UsageError(format!("{} is not UTF-8 text; convert it first", path.display())).into())
}

/// Standard input to its end. Whoever forgot to close it is told what is being waited for.
pub(super) fn piped(terminal: &Terminal) -> anyhow::Result<String> {
    let (done, waiting) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // The receiver waits for this; it is gone only when the program is.
        let _ = done.send(limited(io::stdin().lock(), Path::new("standard input")));
    });
    waiting.recv_timeout(Duration::from_secs(1)).or_else(|_| {
        terminal.note("Reading standard input to its end; give </dev/null if there is nothing to read.");
        waiting.recv()
    })?
}
