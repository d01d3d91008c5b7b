//! Where a person types: a line editor on a terminal, plain lines from a pipe.

use std::{
    io::{self, BufRead, IsTerminal},
    path::PathBuf,
    sync::mpsc,
};

use rustyline::{
    Context, Editor, Helper,
    completion::Completer,
    error::ReadlineError,
    highlight::Highlighter,
    hint::Hinter,
    history::FileHistory,
    validate::{ValidationContext, ValidationResult, Validator},
};
use tokio::sync::oneshot;

/// What came from the person.
#[derive(Debug)]
pub(crate) enum Typed {
    Text(String),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D, or the end of the pipe.
    End,
}

/// A thread that reads lines: reading blocks, and the rest of the program must not.
pub(crate) struct Input {
    requests: mpsc::Sender<(String, oneshot::Sender<io::Result<Typed>>)>,
    pub(crate) is_terminal: bool,
}

impl Input {
    /// Begins to read. `commands` can be completed with Tab.
    pub(crate) fn open(history: PathBuf, commands: &'static [&'static str]) -> Self {
        let (requests, waiting) = mpsc::channel::<(String, oneshot::Sender<io::Result<Typed>>)>();
        let is_terminal = io::stdin().is_terminal();
        std::thread::spawn(move || {
            let mut reader = Reader::open(is_terminal, history, commands);
            while let Ok((prompt, answer)) = waiting.recv() {
                // Nobody waits any more: the program is leaving.
                let _ = answer.send(reader.read(&prompt));
            }
        });
        Self { requests, is_terminal }
    }

    /// The next thing the person types.
    pub(crate) async fn next(&self, prompt: &str) -> io::Result<Typed> {
        let (answer, waiting) = oneshot::channel();
        let gone = || io::Error::other("nobody reads the terminal any more");
        self.requests.send((prompt.to_owned(), answer)).map_err(|_| gone())?;
        waiting.await.map_err(|_| gone())?
    }
}

enum Reader {
    Lines,
    Editor(Box<Editor<Commands, FileHistory>>, PathBuf),
}

impl Reader {
    fn open(is_terminal: bool, history: PathBuf, commands: &'static [&'static str]) -> Self {
        let config = rustyline::Config::builder().history_ignore_space(true).auto_add_history(true).build();
        match Editor::<Commands, FileHistory>::with_history(config, FileHistory::default()) {
            Ok(mut editor) if is_terminal => {
                editor.set_helper(Some(Commands(commands)));
                // There is none the first time.
                let _ = editor.load_history(&history);
                Self::Editor(Box::new(editor), history)
            }
            Ok(_) | Err(_) => Self::Lines,
        }
    }

    fn read(&mut self, prompt: &str) -> io::Result<Typed> {
        match self {
            Self::Lines => {
                let mut line = String::new();
                let read = io::stdin().lock().read_line(&mut line)?;
                Ok(if read == 0 { Typed::End } else { Typed::Text(line) })
            }
            Self::Editor(editor, history) => match editor.readline(prompt) {
                Ok(text) => {
                    // A history that cannot be written is no reason not to talk.
                    let _ = editor.save_history(history);
                    Ok(Typed::Text(joined(&text)))
                }
                Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
                Err(ReadlineError::Eof) => Ok(Typed::End),
                Err(error) => Err(io::Error::other(error)),
            },
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
