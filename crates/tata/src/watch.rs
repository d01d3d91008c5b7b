//! Shows a turn as it runs, and hears Ctrl-C: once stops the turn, twice leaves.

use std::{io::Write, time::Duration};

use futures_util::StreamExt;
use serde_json::json;
use tata_core::{
    Agent, Artifact, CheckedAnswer, Entry, Event, Input, Name, Question, SessionId, ToolEnd, ToolStatus,
    TurnOutcome, TurnReport, Usage,
};
use tata_document::Document;
use tata_recruit::{GUIDED, Thought};
use tokio_util::sync::CancellationToken;

use crate::{
    arguments::faithful,
    explain::turn_failure,
    shown,
    terminal::{BAD, DIM, NOTE, Terminal},
};

/// How a turn is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// The answer on standard output, steps on standard error.
    Text,
    /// Every event as a line of JSON. A session that is not kept is not named: nobody could find it.
    JsonLines { kept: bool },
    /// Nothing: the caller prints the whole.
    Silent,
}

/// What was seen of a turn.
pub(crate) struct Seen {
    pub(crate) report: Box<TurnReport>,
    /// The calls that have a result, in the order in which the model made them.
    pub(crate) calls: Vec<SeenCall>,
    /// Everything odd that did not stop the turn.
    pub(crate) warnings: Vec<SeenWarning>,
    /// What was not sent in full, because the conversation was too long.
    pub(crate) cut: Cut,
    /// How the guided model understood the message.
    pub(crate) thought: Option<Thought>,
    /// What the person is asked: by a turn that waits, or below the answer.
    pub(crate) questions: Vec<Question>,
}

/// One tool call, for programs.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct SeenCall {
    pub(crate) call_id: String,
    pub(crate) tool: Name,
    /// The value of the arguments, or none if reading them would lose something.
    pub(crate) arguments: Option<serde_json::Value>,
    /// The arguments, letter by letter as the model wrote them.
    pub(crate) arguments_text: String,
    pub(crate) status: &'static str,
    pub(crate) problem: Option<String>,
    pub(crate) seconds: f64,
}

/// Something odd, for programs.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct SeenWarning {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

/// What of the conversation a model did not get, at its worst.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) left_out: usize,
    pub(crate) shortened: usize,
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
    let before = agent.store().session(session).await?.map_or(0, |session| session.last_position);
    let decided = matches!(input, Input::Decide { .. });
    let mut events = agent.turn(session, input, cancel.clone());
    let mut screen = Screen {
        decided,
        terminal,
        view,
        open_line: false,
        awaited: false,
        session,
        calls: Vec::new(),
        warnings: Vec::new(),
        odd_before: 0,
        cut: Cut::default(),
        thought: None,
        waiting: Vec::new(),
        said: String::new(),
        verbose: agent.parts().verbose,
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
                    if let View::JsonLines { kept } = view {
                        screen.last_line(&report, kept)?;
                    }
                    screen.wait_visibly(false);
                    screen.show_what_was_said()?;
                    screen.end_line()?;
                    screen.tell_of_holes();
                    screen.tell_of_sources(&report)?;
                    let (calls, warnings) = (std::mem::take(&mut screen.calls), std::mem::take(&mut screen.warnings));
                    let (cut, thought) = (screen.cut, screen.thought.take());
                    let calls = in_call_order(agent, session, before, calls).await?;
                    let questions = screen.questions_of(&report);
                    return Ok(Seen { report, calls, warnings, cut, thought, questions });
                }
                Some(Event::Artifact { name, version }) => {
                    screen.show(Event::Artifact { name: name.clone(), version })?;
                    if screen.view == View::Text {
                        // The guided model shows documents in its own answer, also those that a decision made.
                        let models = &agent.parts().models;
                        let is_guided = models.first().is_some_and(|choice| choice.model.name() == GUIDED);
                        let shown = screen.thought.is_none() && !is_guided;
                        let stored = agent.store().artifact(session, name, Some(version)).await?;
                        screen.show_document(stored.as_ref(), shown)?;
                    }
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

#[expect(clippy::struct_excessive_bools, reason = "each is a state of the screen of its own")]
struct Screen<'a> {
    /// A person's decision is what goes on.
    decided: bool,
    terminal: &'a Terminal,
    view: View,
    open_line: bool,
    awaited: bool,
    session: SessionId,
    calls: Vec<SeenCall>,
    warnings: Vec<SeenWarning>,
    /// How many of them are about an answer that no longer counts.
    odd_before: usize,
    cut: Cut,
    thought: Option<Thought>,
    /// What a turn waits for.
    waiting: Vec<Question>,
    /// What the guided model has said and the screen does not show yet.
    said: String,
    /// Every step with its arguments, every request with its tokens.
    verbose: bool,
}

impl Screen<'_> {
    fn show(&mut self, event: Event) -> anyhow::Result<()> {
        if let View::JsonLines { kept } = self.view {
            self.line(serde_json::to_value(&event)?, kept)?;
        }
        if matches!(event, Event::Reset { .. }) {
            // What was odd in an answer that no longer counts leaves no hole.
            self.odd_before = self.warnings.len();
        }
        let text = self.view == View::Text;
        self.wait_visibly(text && matches!(event, Event::ModelAsked { .. }));
        if !matches!(event, Event::TextDelta { .. }) {
            self.show_what_was_said()?;
        }
        match event {
            Event::TextDelta { text: piece } if text => {
                // The guided model says all at once, in Markdown: a screen shows it as it shows documents.
                if self.thought.is_some() && self.terminal.is_screen() {
                    self.said.push_str(&piece);
                } else {
                    self.open_line = !piece.ends_with('\n');
                    self.terminal.say(&piece)?;
                }
            }
            Event::Retrying { after, reason, .. } if !matches!(self.view, View::JsonLines { .. }) => {
                let what = reason.trim_end_matches(" Try again in a moment.");
                self.note(&format!("{DIM}{what} Trying again in {:.1} s.{DIM:#}", after.as_secs_f64()))?;
            }
            Event::Reset { model, reason } if text => {
                let what = reason.trim_end_matches(" Try again in a moment.");
                let again = format!("{NOTE}note:{NOTE:#} {what} The answer comes anew, from {model}.");
                self.note(&again)?;
            }
            Event::ToolStarted(start) if text && self.verbose => {
                self.note(&format!("{DIM}{} {}{DIM:#}", start.tool, start.arguments))?;
            }
            Event::Usage { usage: Some(usage), .. } if text && self.verbose => {
                let told = |tokens: Option<u64>| tokens.map_or("?".to_owned(), |tokens| tokens.to_string());
                let (read, written) = (told(usage.input_tokens), told(usage.output_tokens));
                self.note(&format!("{DIM}{read} tokens read, {written} written{DIM:#}"))?;
            }
            Event::ToolFinished(end) => {
                let ToolEnd { call_id, tool, arguments, status, problem, duration } = *end;
                if text {
                    let name =
                        if self.verbose { tool.to_string() } else { shown::tool_name(tool.as_str(), "en") };
                    self.note(&step(&name, status, problem.as_deref(), duration))?;
                }
                self.calls.push(SeenCall {
                    call_id: call_id.to_string(),
                    tool,
                    arguments: faithful(&arguments),
                    arguments_text: arguments,
                    status: status.as_str(),
                    problem,
                    seconds: duration.as_secs_f64(),
                });
            }
            // The guided model thinks in JSON; others in words, which nobody asked to see.
            Event::ReasoningDelta { text } if self.thought.is_none() => {
                self.thought = serde_json::from_str(&text).ok();
            }
            Event::HistoryCut { left_out, shortened, .. } => {
                let Cut { left_out: before, shortened: cut_before } = self.cut;
                self.cut = Cut { left_out: before.max(left_out), shortened: cut_before.max(shortened) };
                if text && left_out > 0 {
                    let what = if left_out == 1 { "message is" } else { "messages are" };
                    self.note(&format!(
                        "{DIM}{left_out} earlier {what} left out: the conversation is long.{DIM:#}"
                    ))?;
                }
                if text && shortened > 0 {
                    let what = if shortened == 1 { "text is" } else { "texts are" };
                    self.note(&format!(
                        "{NOTE}note:{NOTE:#} {shortened} long {what} sent with the middle left out: the model's \
                         context is too small for the whole."
                    ))?;
                }
            }
            Event::Warning { code, message } => {
                if text && matches!(code, "repeated_call" | "busy") {
                    self.note(&format!("{NOTE}note:{NOTE:#} {message}"))?;
                }
                self.warnings.push(SeenWarning { code, message });
            }
            Event::TurnStarted { resumed: true, .. } if text && !self.decided => {
                self.note(&format!("{DIM}The last turn had not ended; it goes on.{DIM:#}"))?;
            }
            Event::Waiting { questions } => self.waiting = questions,
            Event::TurnStarted { .. } if text => self.end_line()?,
            Event::TurnStarted { .. }
            | Event::ModelAsked { .. }
            | Event::TextDelta { .. }
            | Event::ReasoningDelta { .. }
            | Event::Reset { .. }
            | Event::Retrying { .. }
            | Event::ToolAnnounced { .. }
            | Event::ToolStarted(_)
            | Event::Artifact { .. }
            | Event::Usage { .. }
            | Event::Finished(_) => {}
        }
        Ok(())
    }

    /// What the person is asked at the end of a turn.
    fn questions_of(&mut self, report: &TurnReport) -> Vec<Question> {
        if matches!(report.outcome, TurnOutcome::Waiting) {
            return std::mem::take(&mut self.waiting);
        }
        report.asks.as_deref().cloned().into_iter().collect()
    }

    /// A sign of life until the next event.
    fn wait_visibly(&mut self, awaited: bool) {
        if awaited != self.awaited {
            self.awaited = awaited;
            self.terminal.waiting(awaited);
        }
    }

    /// Every line names the session: whoever reads only one knows where it belongs.
    fn line(&self, mut line: serde_json::Value, kept: bool) -> anyhow::Result<()> {
        line["session_id"] = json!(kept.then_some(self.session));
        writeln!(self.terminal.out(), "{line}")?;
        Ok(())
    }

    /// The last line: what is not known is null, and a failure has its details.
    fn last_line(&self, report: &TurnReport, kept: bool) -> anyhow::Result<()> {
        let mut line = serde_json::to_value(Event::Finished(Box::new(report.clone())))?;
        line["tokens_used"] = json!(known(report, Usage::tokens));
        line["input_tokens"] = json!(known(report, |usage| usage.input_tokens));
        line["output_tokens"] = json!(known(report, |usage| usage.output_tokens));
        line["failure"] = json!(turn_failure(report));
        self.line(line, kept)
    }

    /// An answer with a hole in it looks like any other; the person must be told.
    fn tell_of_holes(&self) {
        let counting = self.warnings.iter().skip(self.odd_before);
        let holes = counting.filter(|warning| leaves_a_hole(warning.code)).count();
        if self.view == View::Text && holes > 0 {
            let what = if holes == 1 { "A piece" } else { "Some pieces" };
            self.terminal.note(&format!(
                "{NOTE}note:{NOTE:#} {what} of what the server sent could not be read: the answer may have a hole."
            ));
        }
    }

    /// The document itself, as it is stored; of what is no document, a line.
    fn show_document(&mut self, stored: Option<&Artifact>, whole: bool) -> anyhow::Result<()> {
        let Some(stored) = stored else { return Ok(()) };
        if let Some(document) = shown::document(stored).filter(|_| whole) {
            self.end_line()?;
            self.wait_visibly(false);
            writeln!(self.terminal.out())?;
            shown::show(&document, self.terminal)?;
            writeln!(self.terminal.out())?;
        }
        let key = if stored.name.key.is_empty() { String::new() } else { format!(" ({})", stored.name.key) };
        let name = shown::tool_name(stored.name.kind.as_str(), "en");
        self.note(&format!("{DIM}  stored: {name}{key}, version {}{DIM:#}", stored.version))
    }

    fn show_what_was_said(&mut self) -> anyhow::Result<()> {
        let said = std::mem::take(&mut self.said);
        if !said.trim().is_empty() {
            shown::show(&Document::from_markdown(&said), self.terminal)?;
        }
        Ok(())
    }

    /// What the numbers in an answer stand for, and which of its sentences they do not prove.
    fn tell_of_sources(&self, report: &TurnReport) -> anyhow::Result<()> {
        let Some(checked) = report.checked.as_ref().filter(|_| self.view == View::Text) else {
            return Ok(());
        };
        self.show_sources(report, checked)?;
        for sentence in checked.unproven() {
            let why = sentence.unproven.first().map(|why| format!(" ({why})")).unwrap_or_default();
            self.terminal.note(&format!("{NOTE}not proven by its sources:{NOTE:#} {}{why}", sentence.text));
        }
        if !checked.removed.is_empty() {
            let numbers: Vec<String> = checked.removed.iter().map(|number| format!("[{number}]")).collect();
            self.terminal.note(&format!("{NOTE}note:{NOTE:#} {} stands for no source.", numbers.join(", ")));
        }
        Ok(())
    }

    /// The documents that an answer cites, and those that were only found.
    fn show_sources(&self, report: &TurnReport, checked: &CheckedAnswer) -> anyhow::Result<()> {
        let mut out = self.terminal.out();
        if !checked.citations.is_empty() {
            writeln!(out)?;
        }
        for citation in &checked.citations {
            let (number, place, url) = (citation.number, citation.place(), &citation.url);
            writeln!(out, "{DIM}[{number}] {place} ({url}){DIM:#}")?;
        }
        let is_cited = |url: &String| checked.citations.iter().any(|citation| citation.url == *url);
        let left: Vec<&str> =
            report.retrieved_sources.iter().filter(|url| !is_cited(url)).map(String::as_str).collect();
        if !left.is_empty() {
            writeln!(out, "{DIM}Also found, not used in the answer: {}{DIM:#}", left.join(", "))?;
        }
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

/// Whether a warning means that something of the answer may be missing.
fn leaves_a_hole(code: &str) -> bool {
    matches!(code, "malformed_event" | "invalid_utf8" | "unmatched_delta")
}

/// A sum over the requests of a turn; unknown when one of them did not report its part.
pub(crate) fn known(report: &TurnReport, count: fn(&Usage) -> Option<u64>) -> Option<u64> {
    report.requests.iter().map(|row| row.usage.as_ref().and_then(count)).sum()
}

/// The calls in the order in which the model made them; they end in any.
async fn in_call_order(
    agent: &Agent,
    session: SessionId,
    before: u64,
    mut calls: Vec<SeenCall>,
) -> anyhow::Result<Vec<SeenCall>> {
    if calls.len() > 1 {
        let records = agent.store().records(session, before).await?;
        let made: Vec<String> = records
            .iter()
            .filter_map(|record| {
                if let Entry::ModelReply { message, .. } = &record.entry { Some(message) } else { None }
            })
            .flat_map(|message| message.tool_calls().map(|call| call.call_id.to_string()))
            .collect();
        // A call of before the turn was interrupted is among the first.
        calls.sort_by_key(|call| made.iter().position(|id| *id == call.call_id).map_or(0, |at| at + 1));
    }
    Ok(calls)
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
        // The model is told, and only it can mend this.
        Some(_)
            if matches!(
                status,
                ToolStatus::InvalidArguments | ToolStatus::UnknownTool | ToolStatus::NotRun
            ) =>
        {
            format!("{DIM}· {tool} ({time}) sent back to the model{DIM:#}")
        }
        Some(problem) => format!("{DIM}· {tool} ({time}){DIM:#} {BAD}did not work:{BAD:#} {problem}"),
    }
}
