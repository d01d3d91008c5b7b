//! Results on standard output, the rest on standard error, colour only where it is wanted.

use std::{
    borrow::Cow,
    io::{self, IsTerminal, Write},
    path::Path,
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use serde_json::json;

use crate::explain::{Explained, error_object, explain};

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();

/// The two streams of the terminal.
#[derive(Clone, Debug)]
pub(crate) struct Terminal {
    color: anstream::ColorChoice,
    /// Standard output is a person's screen, not a pipe or a file.
    on_screen: bool,
    /// Both streams are one screen that can erase a line.
    animated: bool,
}

impl Terminal {
    /// `--color` wins over NO_COLOR, CLICOLOR_FORCE and the kind of terminal.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        let color = match choice {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        let on_screen = io::stdout().is_terminal();
        let can_erase = AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never;
        Self { color, on_screen, animated: on_screen && io::stderr().is_terminal() && can_erase }
    }

    /// Whether standard output is a person's screen.
    pub(crate) fn is_screen(&self) -> bool {
        self.on_screen
    }

    /// Standard output for our own words.
    pub(crate) fn out(&self) -> AutoStream<io::Stdout> {
        AutoStream::new(io::stdout(), self.color)
    }

    /// What a model said, onto standard output: every byte into a pipe or file, but on a terminal nothing that
    /// could move its cursor, set its title or fill its clipboard.
    pub(crate) fn say(&self, text: &str) -> io::Result<()> {
        let mut out = io::stdout().lock();
        let text = if self.on_screen { harmless(text) } else { Cow::Borrowed(text) };
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Shows, or takes away, a sign that something is awaited. Only for people: a log or a pipe gets none.
    pub(crate) fn waiting(&self, awaited: bool) {
        if self.animated {
            let mut err = io::stderr().lock();
            let _ = err.write_all(if awaited { "…".as_bytes() } else { b"\r\x1b[2K" });
            let _ = err.flush();
        }
    }

    /// A line on standard error. That it cannot be written is nothing to stop for.
    pub(crate) fn note(&self, line: &str) {
        let mut err = AutoStream::new(io::stderr(), self.color);
        let _ = writeln!(err, "{line}");
    }

    /// An error in plain words: what happened, what helps, where the details are.
    pub(crate) fn error(&self, error: &anyhow::Error, log: Option<&Path>) {
        self.explained(&explain(error), log);
    }

    /// The same for an error that is in words already.
    pub(crate) fn explained(&self, explained: &Explained, log: Option<&Path>) {
        self.note(&format!("{BAD}error:{BAD:#} {}", harmless(&explained.what)));
        for hint in &explained.hints {
            self.note(&format!("  {}", harmless(hint)));
        }
        if let Some(log) = log.filter(|_| explained.logged) {
            self.note(&format!("{DIM}  Technical details: {}{DIM:#}", log.display()));
        }
    }

    /// The same for a program that asked for JSON.
    pub(crate) fn error_json(&self, error: &anyhow::Error, on_one_line: bool) {
        let document = json!({ "error": error_object(error) });
        let _ = if on_one_line {
            writeln!(self.out(), "{document}")
        } else {
            writeln!(self.out(), "{document:#}")
        };
    }
}

/// Text without control characters other than line breaks and tabs; each becomes a visible mark.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    // A lone carriage return overwrites the line; direction marks turn words around.
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let harmful = |c: char| turns(c) || (c.is_control() && !matches!(c, '\n' | '\t'));
    if text.chars().any(harmful) {
        let whole = text.replace("\r\n", "\n");
        Cow::Owned(whole.chars().map(|c| if harmful(c) { '\u{fffd}' } else { c }).collect())
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn a_terminal_is_not_steered_by_what_a_model_says() {
        assert_eq!(
            harmless("\u{1b}]0;title\u{7}\u{9b}31m ok\n\ttab"),
            "\u{fffd}]0;title\u{fffd}\u{fffd}31m ok\n\ttab"
        );
        assert_eq!(harmless("Zażółć 👍🏽"), "Zażółć 👍🏽");
        assert_eq!(harmless("a\r\nb\rc\u{202e}d"), "a\nb\u{fffd}c\u{fffd}d");
    }
}
