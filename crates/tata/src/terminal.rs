//! Results on standard output, the rest on standard error, colour only where it is wanted.

use std::{
    io::{self, IsTerminal, Write},
    path::Path,
};

use anstream::AutoStream;
use clap::ColorChoice;
use serde_json::json;

pub(crate) use crate::printable::{BAD, BOLD, DIM, GOOD, Ink, NOTE};
use crate::{
    explain::{Explained, error_object, explain},
    printable::{Printer, in_our_inks},
};

/// The two streams of the terminal.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about two streams")]
pub(crate) struct Terminal {
    /// Colour on standard output, and on standard error.
    colored: bool,
    colored_notes: bool,
    /// Standard output is a person's screen, not a pipe or a file.
    on_screen: bool,
    /// Standard error is one.
    is_watched: bool,
    /// Both streams are one screen that can erase a line.
    animated: bool,
}

impl Terminal {
    /// `--color` wins over NO_COLOR, CLICOLOR_FORCE and the kind of terminal.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        let wanted = |by_itself: anstream::ColorChoice| match choice {
            ColorChoice::Auto => by_itself != anstream::ColorChoice::Never,
            ColorChoice::Always => true,
            ColorChoice::Never => false,
        };
        let (out, err) = streams();
        let on_screen = out.is_terminal();
        let can_erase = AutoStream::choice(&err) != anstream::ColorChoice::Never;
        Self {
            colored: wanted(AutoStream::choice(&out)),
            colored_notes: wanted(AutoStream::choice(&err)),
            on_screen,
            is_watched: err.is_terminal(),
            animated: on_screen && err.is_terminal() && can_erase,
        }
    }

    /// Whether somebody sees what is asked and can answer.
    pub(crate) fn can_ask(&self) -> bool {
        self.is_watched && io::stdin().is_terminal()
    }

    /// Whether standard error is a person's screen.
    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// Whether there is colour on standard output.
    pub(crate) fn is_colored(&self) -> bool {
        self.colored
    }

    /// Whether standard output is a person's screen.
    pub(crate) fn is_screen(&self) -> bool {
        self.on_screen
    }

    /// Standard output. On a screen nothing gets through that could steer it.
    pub(crate) fn out(&self) -> impl Write {
        Printer { stream: streams().0, colored: self.colored, harmless: self.on_screen }
    }

    /// What is printed as it is: every byte into a pipe or file, but on a screen nothing that could steer it.
    pub(crate) fn say(&self, text: &str) -> io::Result<()> {
        if self.on_screen {
            self.out().write_all(text.as_bytes())?;
        } else {
            streams().0.write_all(text.as_bytes())?;
        }
        streams().0.flush()
    }

    /// Shows, or takes away, a sign that something is awaited. Only for people: a log or a pipe gets none.
    pub(crate) fn waiting(&self, awaited: bool) {
        if self.animated {
            let mut err = streams().1;
            let _ = err.write_all(if awaited { "…".as_bytes() } else { b"\r\x1b[2K" });
            let _ = err.flush();
        }
    }

    /// A line on standard error. That it cannot be written is nothing to stop for.
    pub(crate) fn note(&self, line: &str) {
        let mut err = Printer { stream: streams().1.lock(), colored: self.colored_notes, harmless: true };
        let _ = err.write_all(format!("{line}\n").as_bytes());
    }

    /// What clap has to say about the arguments: help on standard output, a mistake on standard error.
    pub(crate) fn about_arguments(&self, said: &clap::Error) {
        let text = in_our_inks(&said.render().ansi().to_string());
        if said.use_stderr() {
            self.note(text.trim_end());
        } else {
            // Whoever closed the pipe has seen enough.
            let _ = self.out().write_all(text.as_bytes());
        }
    }

    /// An error in plain words: what happened, what helps, where the details are.
    pub(crate) fn error(&self, error: &anyhow::Error, log: Option<&Path>) {
        self.explained(&explain(error), log);
    }

    /// The same for an error that is in words already.
    pub(crate) fn explained(&self, explained: &Explained, log: Option<&Path>) {
        self.note(&format!("{BAD}error:{BAD:#} {}", explained.what));
        for hint in &explained.hints {
            self.note(&format!("  {hint}"));
        }
        if let Some(log) = log.filter(|_| explained.logged) {
            self.note(&format!("{DIM}  Technical details: {}{DIM:#}", log.display()));
        }
    }

    /// The same for a program that asked for JSON.
    pub(crate) fn error_json(&self, error: &anyhow::Error) {
        self.json(&json!({ "error": error_object(error) }), false);
    }

    /// Standard error for the log of a server: JSON, which does not escape all that could steer a screen.
    pub(crate) fn log_writer() -> impl Write {
        let stream = streams().1;
        let harmless = stream.is_terminal();
        Printer { stream, colored: false, harmless }
    }

    /// A document for a program. That it cannot be written is nothing to stop for: something failed already.
    pub(crate) fn json(&self, document: &serde_json::Value, on_one_line: bool) {
        let _ = if on_one_line {
            writeln!(self.out(), "{document}")
        } else {
            writeln!(self.out(), "{document:#}")
        };
    }
}

/// The two streams, which nobody else may open.
#[expect(clippy::disallowed_methods, reason = "this is the room that prints")]
fn streams() -> (io::Stdout, io::Stderr) {
    (io::stdout(), io::stderr())
}
