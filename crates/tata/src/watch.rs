//! Shows a turn as it runs, and hears Ctrl-C: once stops the turn, twice leaves.

use std::{io::Write, time::Duration};

use futures_util::StreamExt;
use serde_json::json;
use tata_core::{Agent, Event, Input, Name, SessionId, ToolEnd, ToolStatus, TurnReport};
use tata_recruit::Thought;
use tokio_util::sync::CancellationToken;

use crate::terminal::{BAD, DIM, NOTE, Terminal};

/// How a turn is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// The answer on standard output, steps on standard error.
    Text,
    /// Every event as a line of JSON.
    JsonLines,
    /// Nothing: the caller prints the whole.
    Silent,
}

/// What was seen of a turn.
pub(crate) struct Seen {
    pub(crate) report: Box<TurnReport>,
    pub(crate) calls: Vec<SeenCall>,
    /// How the guided model understood the message.
    pub(crate) thought: Option<Thought>,
}

/// One tool call, for programs.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct SeenCall {
    pub(crate) call_id: String,
    pub(crate) tool: Name,
    pub(crate) arguments: serde_json::Value,
    pub(crate) status: &'static str,
    pub(crate) problem: Option<String>,
    pub(crate) seconds: f64,
}

/// Runs a turn and shows it.
pub(crate) async fn watch(
    agent: &Agent,
    session: SessionId,
    input: Input,
    view: View,
    terminal: &Terminal,
) -> anyhow::Result<Seen> {
    let cancel = CancellationToken::new();
    let mut events = agent.turn(session, input, cancel.clone());
    let mut screen = Screen {
        terminal,
        view,
        open_line: false,
        awaited: false,
        session,
        calls: Vec::new(),
        thought: None,
    };
    let mut stops = 0;
    let mut stop = Box::pin(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            biased;
            _ = &mut stop => {
                stop.set(tokio::signal::ctrl_c());
                stops += 1;
                if stops > 1 {
                    // What is stored is safe; the turn can be resumed.
                    anyhow::bail!(Left);
                }
                cancel.cancel();
            }
            event = events.next() => match event {
                Some(Event::Finished(report)) => {
                    if view == View::JsonLines {
                        screen.line(&Event::Finished(report.clone()))?;
                    }
                    screen.wait_visibly(false);
                    screen.end_line()?;
                    let calls = std::mem::take(&mut screen.calls);
                    return Ok(Seen { report, calls, thought: screen.thought.take() });
                }
                Some(event) => screen.show(event)?,
                None => anyhow::bail!("the turn ended without a report"),
            },
        }
    }
}

/// The person left in the middle of a turn.
#[derive(Debug, thiserror::Error)]
#[error("left in the middle of a turn")]
pub(crate) struct Left;

struct Screen<'a> {
    terminal: &'a Terminal,
    view: View,
    open_line: bool,
    awaited: bool,
    session: SessionId,
    calls: Vec<SeenCall>,
    thought: Option<Thought>,
}

impl Screen<'_> {
    fn show(&mut self, event: Event) -> anyhow::Result<()> {
        if self.view == View::JsonLines {
            self.line(&event)?;
        }
        let text = self.view == View::Text;
        self.wait_visibly(text && matches!(event, Event::ModelAsked { .. }));
        match event {
            Event::TextDelta { text: piece } if text => {
                self.open_line = !piece.ends_with('\n');
                // The guided model sends whole lines of Markdown; on a screen its escapes are in the way.
                let plain = self.thought.is_some() && self.terminal.is_screen();
                self.terminal.say(&if plain { without_escapes(&piece).into() } else { piece })?;
            }
            Event::Retrying { after, reason, .. } if self.view != View::JsonLines => {
                let what = reason.trim_end_matches(" Try again in a moment.");
                self.note(&format!("{DIM}{what} Trying again in {:.1} s.{DIM:#}", after.as_secs_f64()))?;
            }
            Event::Reset { model, reason } if text => {
                let what = reason.trim_end_matches(" Try again in a moment.");
                let again = format!("{NOTE}note:{NOTE:#} {what} The answer comes anew, from {model}.");
                self.note(&again)?;
            }
            Event::ToolFinished(end) => {
                let ToolEnd { call_id, tool, arguments, status, problem, duration } = *end;
                if text {
                    self.note(&step(&tool, status, problem.as_deref(), duration))?;
                }
                self.calls.push(SeenCall {
                    call_id: call_id.to_string(),
                    tool,
                    arguments: serde_json::from_str(&arguments).unwrap_or_else(|_| json!(arguments)),
                    status: status.as_str(),
                    problem,
                    seconds: duration.as_secs_f64(),
                });
            }
            // The guided model thinks in JSON; others in words, which nobody asked to see.
            Event::ReasoningDelta { text } if self.thought.is_none() => {
                self.thought = serde_json::from_str(&text).ok();
            }
            Event::Artifact { name, version } if text => {
                let key = if name.key.is_empty() { String::new() } else { format!(" ({})", name.key) };
                self.note(&format!("{DIM}  stored: {}{key}, version {version}{DIM:#}", name.kind))?;
            }
            Event::HistoryCut { left_out, .. } if text && left_out > 0 => {
                let what = if left_out == 1 { "message is" } else { "messages are" };
                let cut =
                    format!("{DIM}{left_out} earlier {what} left out: the conversation is long.{DIM:#}");
                self.note(&cut)?;
            }
            Event::Warning { code: "repeated_call" | "busy", message } if text => {
                self.note(&format!("{NOTE}note:{NOTE:#} {message}"))?;
            }
            Event::TurnStarted { resumed: true, .. } if text => {
                self.note(&format!("{DIM}The last turn was interrupted; it goes on.{DIM:#}"))?;
            }
            Event::TurnStarted { resumed: false, .. } if text => self.end_line()?,
            Event::TurnStarted { .. }
            | Event::ModelAsked { .. }
            | Event::TextDelta { .. }
            | Event::ReasoningDelta { .. }
            | Event::Reset { .. }
            | Event::Retrying { .. }
            | Event::ToolAnnounced { .. }
            | Event::ToolStarted(_)
            | Event::Artifact { .. }
            | Event::HistoryCut { .. }
            | Event::Usage { .. }
            | Event::Warning { .. }
            | Event::Waiting { .. }
            | Event::Finished(_) => {}
        }
        Ok(())
    }

    /// A sign of life until the next event.
    fn wait_visibly(&mut self, awaited: bool) {
        if awaited != self.awaited {
            self.awaited = awaited;
            self.terminal.waiting(awaited);
        }
    }

    /// Every line names the session: whoever reads only one knows where it belongs.
    fn line(&self, event: &Event) -> anyhow::Result<()> {
        let mut line = serde_json::to_value(event)?;
        line["session_id"] = json!(self.session);
        writeln!(self.terminal.out(), "{line}")?;
        Ok(())
    }

    /// A line beside the answer: it never stands in the middle of one of the answer's lines.
    fn note(&mut self, line: &str) -> anyhow::Result<()> {
        self.end_line()?;
        self.terminal.note(line);
        Ok(())
    }

    fn end_line(&mut self) -> anyhow::Result<()> {
        if std::mem::take(&mut self.open_line) {
            self.terminal.say("\n")?;
        }
        Ok(())
    }
}

impl Drop for Screen<'_> {
    fn drop(&mut self) {
        self.wait_visibly(false);
        // A pipe that is closed needs no line break.
        let _ = self.end_line();
    }
}

/// A line of Markdown without what only a program needs.
fn without_escapes(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let escape =
            letter == '\\' && letters.peek().is_none_or(|next| next.is_ascii_punctuation() || *next == '\n');
        if !escape {
            plain.push(letter);
        } else if let Some(next) = letters.next() {
            plain.push(next);
        }
    }
    plain
}

/// A step as one line.
fn step(tool: &str, status: ToolStatus, problem: Option<&str>, duration: Duration) -> String {
    let time = format!("{:.1} s", duration.as_secs_f64());
    match problem {
        None => format!("{DIM}· {tool} ({time}){DIM:#}"),
        Some(problem) if status.is_success() => format!("{DIM}· {tool} ({time}) {problem}{DIM:#}"),
        // No failure: the answer will ask for what is missing.
        Some(_) if matches!(status, ToolStatus::Rejected | ToolStatus::MissingPrerequisite) => {
            format!("{DIM}· {tool} ({time}) needs more{DIM:#}")
        }
        Some(problem) => format!("{DIM}· {tool} ({time}){DIM:#} {BAD}did not work:{BAD:#} {problem}"),
    }
}
