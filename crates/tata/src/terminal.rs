//! Results on standard output, the rest on standard error, colour only where it is wanted.

use std::{
    io::{self, Write},
    path::Path,
};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use clap::ColorChoice;
use tata_core::{ModelError, ModelErrorKind};
use tata_llm::UnknownModel;

use crate::config::ConfigError;

pub(crate) const BOLD: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
pub(crate) const NOTE: Style = AnsiColor::Yellow.on_default();

/// The two streams of the terminal.
#[derive(Debug)]
pub(crate) struct Terminal {
    color: anstream::ColorChoice,
}

impl Terminal {
    /// `--color` wins over NO_COLOR, CLICOLOR_FORCE and the kind of terminal.
    pub(crate) fn new(choice: ColorChoice) -> Self {
        let color = match choice {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        };
        Self { color }
    }

    /// Standard output.
    pub(crate) fn out(&self) -> AutoStream<io::Stdout> {
        AutoStream::new(io::stdout(), self.color)
    }

    /// A line on standard error. That it cannot be written is nothing to stop for.
    pub(crate) fn note(&self, line: &str) {
        let mut err = AutoStream::new(io::stderr(), self.color);
        let _ = writeln!(err, "{line}");
    }

    /// An error in plain words: what happened, what helps, where the details are.
    pub(crate) fn error(&self, error: &anyhow::Error, log: Option<&Path>) {
        let explained = explain(error);
        self.note(&format!("{BAD}error:{BAD:#} {}", explained.what));
        for hint in &explained.hints {
            self.note(&format!("  {hint}"));
        }
        if let Some(log) = log.filter(|_| explained.logged) {
            self.note(&format!("{DIM}  Technical details: {}{DIM:#}", log.display()));
        }
    }
}

/// An error for people.
#[derive(Debug, Default)]
pub(crate) struct Explained {
    pub(crate) what: String,
    pub(crate) hints: Vec<String>,
    logged: bool,
}

pub(crate) fn explain(error: &anyhow::Error) -> Explained {
    if let Some(model) = error.downcast_ref::<ModelError>() {
        return Explained {
            what: model.for_user().to_owned(),
            hints: model_hints(model),
            logged: model.kind != ModelErrorKind::NotConfigured,
        };
    }
    if let Some(unknown) = error.downcast_ref::<UnknownModel>() {
        let hint = if unknown.near.is_empty() {
            "`tata models` lists the known ones; any other is PROVIDER/MODEL, such as ollama/qwen3:8b."
                .to_owned()
        } else {
            format!("Did you mean {}? `tata models` lists all.", unknown.near.join(", "))
        };
        return Explained {
            what: format!("There is no model {:?}.", unknown.name),
            hints: vec![hint],
            logged: false,
        };
    }
    if let Some(config) = error.downcast_ref::<ConfigError>() {
        let hints = config.hint().into_iter().collect();
        return Explained { what: config.to_string(), hints, logged: false };
    }
    Explained { what: format!("{error:#}"), hints: Vec::new(), logged: false }
}

/// What helps. The provider's own words appear only where the person can act on them.
fn model_hints(error: &ModelError) -> Vec<String> {
    let hint = match error.kind {
        ModelErrorKind::NotConfigured => {
            let rest = "`tata models` shows every model and what it still needs.".to_owned();
            return error.message.iter().cloned().chain([rest]).collect();
        }
        ModelErrorKind::Unauthorized => "Check the key in the environment: `tata models` names the variable.",
        ModelErrorKind::Forbidden => "The account behind the key lacks access; another model may work.",
        ModelErrorKind::ModelNotFound => "`tata models` lists the known ones.",
        ModelErrorKind::QuotaExhausted => {
            "Add credit with the provider, or choose another model with --model."
        }
        ModelErrorKind::Unreachable => {
            "Check the network, the proxy and the address: `tata models` shows it."
        }
        ModelErrorKind::UnreadableResponse => "Check the provider's base URL: `tata models --json` shows it.",
        ModelErrorKind::ContextTooLong => "Shorten the text, or choose a model with a larger context.",
        ModelErrorKind::TimedOut(_) => "Try again, or allow more time with --timeout.",
        ModelErrorKind::InvalidRequest
        | ModelErrorKind::ContentBlocked
        | ModelErrorKind::PolicyViolation
        | ModelErrorKind::RateLimited
        | ModelErrorKind::Overloaded
        | ModelErrorKind::Server
        | ModelErrorKind::StreamTruncated
        | ModelErrorKind::EventTooLarge => "",
    };
    let wait =
        error.retry_after.map(|wait| format!("The provider asks to wait {} s.", wait.as_secs().max(1)));
    std::iter::once(hint.to_owned()).filter(|hint| !hint.is_empty()).chain(wait).collect()
}
