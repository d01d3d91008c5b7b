//! Where a person types: a line editor on a terminal, plain lines from a pipe.

use std::{
    io::{self, IsTerminal},
    sync::mpsc,
};

use rustyline::{
    Context, Editor, Helper,
    completion::Completer,
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::MemHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use tata_core::SessionId;
use tokio::sync::oneshot;

use crate::{
    history::History,
    input::{self, Line},
};

/// What came from the person.
#[derive(Debug)]
pub(crate) enum Typed {
    Text(String),
    /// Something that cannot be taken, and why.
    Refused(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or the end of the pipe.
    End,
}

/// A prompt, the conversation that what was typed before belongs to, and who waits.
type Request = (String, Option<SessionId>, oneshot::Sender<io::Result<Typed>>);

/// A thread that reads lines: reading blocks, and the rest of the program must not.
pub(crate) struct Input {
    requests: mpsc::Sender<Request>,
    pub(crate) is_terminal: bool,
}

impl Input {
    /// Begins to read. `commands` can be completed with Tab.
    pub(crate) fn open(history: History, commands: &'static [&'static str]) -> Self {
        let (requests, waiting) = mpsc::channel::<Request>();
        let is_terminal = io::stdin().is_terminal();
        std::thread::spawn(move || {
            let mut reader = Reader::open(is_terminal, history, commands);
            while let Ok((prompt, session, answer)) = waiting.recv() {
                // Nobody waits any more: the program is leaving.
                let _ = answer.send(reader.read(&prompt, session));
            }
        });
        Self { requests, is_terminal }
    }

    /// The next thing the person types. What they typed before is kept with the conversation that is open now: only then
    /// is it known which one that is.
    pub(crate) async fn next(&self, prompt: &str, session: Option<SessionId>) -> io::Result<Typed> {
        let (answer, waiting) = oneshot::channel();
        let gone = || io::Error::other("nobody reads the terminal any more");
        self.requests.send((prompt.to_owned(), session, answer)).map_err(|_| gone())?;
        waiting.await.map_err(|_| gone())?
    }
}

enum Reader {
    Lines,
    Editor {
        editor: Box<Editor<Commands, MemHistory>>,
        history: History,
        /// What was typed and is not kept yet.
        typed: Vec<String>,
    },
}

impl Reader {
    fn open(is_terminal: bool, history: History, commands: &'static [&'static str]) -> Self {
        let config = rustyline::Config::builder().history_ignore_space(true).auto_add_history(true).build();
        let before = MemHistory::with_config(&config);
        match Editor::<Commands, MemHistory>::with_history(config, before) {
            Ok(mut editor) if is_terminal => {
                editor.set_helper(Some(Commands(commands)));
                for line in history.recent() {
                    let _ = editor.add_history_entry(line);
                }
                Self::Editor { editor: Box::new(editor), history, typed: Vec::new() }
            }
            Ok(_) | Err(_) => Self::Lines,
        }
    }

    fn read(&mut self, prompt: &str, session: Option<SessionId>) -> io::Result<Typed> {
        match self {
            Self::Lines => Ok(match input::line(&mut io::stdin().lock())? {
                Line::Text(line) => Typed::Text(line),
                Line::Refused(why) => Typed::Refused(why),
                Line::End => Typed::End,
            }),
            Self::Editor { editor, history, typed } => {
                if let Some(session) = session {
                    for line in typed.drain(..) {
                        // A history that cannot be written is no reason not to talk.
                        let _ = history.keep(session, &line);
                    }
                }
                match editor.readline(prompt) {
                    Ok(text) => {
                        if let Err(refused) = input::check(&text, "what was typed") {
                            return Ok(Typed::Refused(refused.0));
                        }
                        if !text.trim().is_empty() && !text.starts_with(' ') {
                            typed.push(text.clone());
                        }
                        Ok(Typed::Text(joined(&text)))
                    }
                    Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
                    Err(ReadlineError::Eof) => Ok(Typed::End),
                    Err(error) => Err(io::Error::other(error)),
                }
            }
        }
    }
}

/// A backslash at the end of a line was only there to go on.
fn joined(text: &str) -> String {
    text.replace("\\\n", "\n")
}

/// Tab completes commands; a backslash at the end goes on with the next line.
struct Commands(&'static [&'static str]);

impl Helper for Commands {}
impl Highlighter for Commands {}

impl Hinter for Commands {
    type Hint = String;
}

impl Completer for Commands {
    type Candidate = String;

    fn complete(&self, line: &str, at: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..at).unwrap_or_default();
        let fitting = self.0.iter().filter(|command| typed.starts_with('/') && command.starts_with(typed));
        Ok((0, fitting.map(|command| (*command).to_owned()).collect()))
    }
}

impl Validator for Commands {
    fn validate(&self, context: &mut ValidationContext<'_>) -> rustyline::Result<ValidationResult> {
        Ok(if context.input().ends_with('\\') {
            ValidationResult::Incomplete
        } else {
            ValidationResult::Valid(None)
        })
    }
}
