//! Where a person types: a line editor on a terminal, plain lines from a pipe.

use std::{
    borrow::Cow,
    io::{self, IsTerminal},
    sync::mpsc,
};

use rustyline::{
    Context, Editor, Helper,
    completion::Completer,
    error::ReadlineError,
    highlight::{CmdKind, Highlighter},
    hint::Hinter,
    history::MemHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use tata_core::{SessionId, replace_hidden};
use tokio::sync::oneshot;

use crate::{
    history::History,
    input::{self, Line},
    printable::Printable,
    type_ahead,
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

/// What a line is, and so whether it is remembered.
#[derive(Clone, Copy, Debug)]
enum LineKind {
    /// A message. What was typed before it is kept with the conversation that is open now, if one is.
    Message(Option<SessionId>),
    /// The answer to a question: it is nobody's to call back, neither with an arrow key nor from a file.
    Answer,
}

/// Somebody waits for a line.
struct Request {
    prompt: Printable,
    /// The prompt where something was typed before the question was there. A question must be seen to be answered.
    prompt_anew: Option<Printable>,
    kind: LineKind,
    answer: oneshot::Sender<io::Result<Typed>>,
}

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
            while let Ok(Request { prompt, prompt_anew, kind, answer }) = waiting.recv() {
                // A script writes its lines beforehand; what it answers, it knows.
                let anew = prompt_anew.filter(|_| is_terminal && type_ahead::discard());
                // Nobody waits any more: the program is leaving.
                let _ = answer.send(reader.read(anew.as_ref().unwrap_or(&prompt), kind));
            }
        });
        Self { requests, is_terminal }
    }

    /// The next message. What the person typed before is kept with the conversation that is open now: only then is it known
    /// which one that is. Where the program has `asked` something that a yes decides, what was typed before is not used.
    pub(crate) async fn next(
        &self,
        prompt: &str,
        session: Option<SessionId>,
        asked: bool,
    ) -> io::Result<Typed> {
        self.read(prompt, LineKind::Message(session), asked).await
    }

    /// The answer to a question, a decision or a server's wish to know something. It is not remembered, and what was typed
    /// before the question is not used.
    pub(crate) async fn answer(&self, prompt: &str) -> io::Result<Typed> {
        self.read(prompt, LineKind::Answer, true).await
    }

    async fn read(&self, prompt: &str, kind: LineKind, asked: bool) -> io::Result<Typed> {
        let (answer, waiting) = oneshot::channel();
        let gone = || io::Error::other("nobody reads the terminal any more");
        let anew = format!("What you typed before this question was not used.\n{prompt}");
        let prompt_anew = asked.then(|| Printable::prompt(&anew));
        let prompt = Printable::prompt(prompt);
        self.requests.send(Request { prompt, prompt_anew, kind, answer }).map_err(|_| gone())?;
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
        let config = rustyline::Config::builder().history_ignore_space(true).build();
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

    fn read(&mut self, prompt: &Printable, kind: LineKind) -> io::Result<Typed> {
        match self {
            Self::Lines => Ok(match input::line(&mut io::stdin().lock())? {
                Line::Text(line) => Typed::Text(line),
                Line::Refused(why) => Typed::Refused(why),
                Line::End => Typed::End,
            }),
            Self::Editor { editor, history, typed } => {
                if let LineKind::Message(Some(session)) = kind {
                    for line in typed.drain(..) {
                        // A history that cannot be written is no reason not to talk.
                        let _ = history.keep(session, &line);
                    }
                }
                match edit(editor, prompt) {
                    Ok(text) => {
                        if let Err(refused) = input::check(&text, "what was typed") {
                            return Ok(Typed::Refused(refused.0));
                        }
                        let to_remember = matches!(kind, LineKind::Message(_));
                        if to_remember && !text.trim().is_empty() && !text.starts_with(' ') {
                            let _ = editor.add_history_entry(text.as_str());
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

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where a line is read, and its prompt is printable"
)]
fn edit(editor: &mut Editor<Commands, MemHistory>, prompt: &Printable) -> rustyline::Result<String> {
    editor.readline(prompt.as_str())
}

/// A backslash at the end of a line was only there to go on.
fn joined(text: &str) -> String {
    text.replace("\\\n", "\n")
}

/// Tab completes commands; a backslash at the end goes on with the next line.
struct Commands(&'static [&'static str]);

impl Helper for Commands {}

impl Highlighter for Commands {
    /// What was pasted or is called back may hold anything. The editor reckons such characters as without width, so they
    /// are left out of what is shown; what is sent is unchanged.
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        replace_hidden(line, |_, _| {})
    }

    fn highlight_char(&self, line: &str, _: usize, _: CmdKind) -> bool {
        matches!(replace_hidden(line, |_, _| {}), Cow::Owned(_))
    }
}

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
