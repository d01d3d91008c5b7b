//! What `tata ask` asks: words, files, standard input.

use std::{
    io::{self, IsTerminal},
    path::Path,
};

use crate::{cli::Ask, error::UsageError, input, terminal::Terminal};

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
        let text = input::file(path)?;
        // Several files need their names, or the model cannot tell them apart.
        let named = ask.file.len() > 1;
        parts.push(if named { format!("{}:\n\n{text}", path.display()) } else { text });
    }
    if asked || !io::stdin().is_terminal() {
        let text = input::piped(terminal)?;
        if !text.trim().is_empty() {
            parts.push(text);
        }
    }
    let question = parts.join("\n\n");
    if question.trim().is_empty() {
        let message = "the question is empty; write one after `tata ask`, or pipe text into it";
        return Err(UsageError(message.to_owned()).into());
    }
    input::check(&question, "the question with its files")?;
    Ok(question)
}
