//! What MCP servers want to know from the person while a tool runs, asked in the terminal.

use std::sync::Arc;

use serde_json::Map;
use tata_core::says_yes;
use tata_mcp::{Asker, Elicitation, Elicited, ElicitedField, FieldKind};
use tokio::sync::{mpsc, oneshot};

use crate::{
    editor::{Input, Typed},
    terminal::{DIM, NOTE, Terminal},
};

/// The most questions that wait; a server that asks for more waits itself.
const MOST: usize = 8;
/// The most choices that are listed; any other can be typed.
const MOST_CHOICES: usize = 40;
/// The most characters of a server's name in a prompt.
const LONGEST_NAME: usize = 40;

/// A question and who waits for the answer.
pub(crate) struct Asked {
    question: Elicitation,
    answer: oneshot::Sender<Elicited>,
}

/// How servers ask, and where their questions arrive.
pub(crate) fn questions() -> (Asker, mpsc::Receiver<Asked>) {
    let (send, arrive) = mpsc::channel(MOST);
    let ask: Asker = Arc::new(move |question| {
        let send = send.clone();
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            if send.send(Asked { question, answer }).await.is_err() {
                return Elicited::Dismissed;
            }
            answered.await.unwrap_or(Elicited::Dismissed)
        })
    });
    (ask, arrive)
}

impl Asked {
    /// Asks the person, field by field. The server's own words are printed as lines of their own; the prompt, which
    /// stands after them, is ours and says where the answer goes: no text of theirs can take that away.
    pub(crate) async fn put(self, keyboard: &Input, terminal: &Terminal) -> anyhow::Result<()> {
        let Self { question, answer } = self;
        terminal.note(&format!("{NOTE}{} asks:{NOTE:#} {}", question.server, question.message));
        terminal.note(&format!("{DIM}Ctrl-C answers nothing.{DIM:#}"));
        let given = fields(&question, keyboard, terminal).await?;
        // The call may have ended meanwhile.
        let _nobody_waits = answer.send(given);
        Ok(())
    }
}

async fn fields(question: &Elicitation, keyboard: &Input, terminal: &Terminal) -> anyhow::Result<Elicited> {
    let mut given = Map::new();
    let where_to = destination(&question.server);
    for field in question.fields() {
        for line in about(&field) {
            terminal.note(&line);
        }
        loop {
            let typed = match keyboard.answer(&format!("{where_to}: ")).await? {
                Typed::Text(typed) => typed,
                Typed::Refused(why) => {
                    terminal.note(&format!("{NOTE}{why}{NOTE:#}"));
                    continue;
                }
                Typed::Interrupted | Typed::End => return Ok(Elicited::Dismissed),
            };
            match field.read(&typed) {
                Ok(Some(value)) => drop(given.insert(field.name.clone(), value)),
                Ok(None) => {}
                Err(problem) => {
                    terminal.note(&format!("{NOTE}{problem}{NOTE:#}"));
                    continue;
                }
            }
            break;
        }
    }
    if question.fields().is_empty() {
        let typed = keyboard.answer(&format!("Do you agree? {where_to}. [y]es, [n]o: ")).await?;
        return Ok(match typed {
            Typed::Text(typed) if says_yes(&typed) => Elicited::Given(given),
            Typed::Text(_) => Elicited::Declined,
            Typed::Refused(_) | Typed::Interrupted | Typed::End => Elicited::Dismissed,
        });
    }
    Ok(Elicited::Given(given))
}

/// Where an answer goes. The name is one that somebody gave the server in a file.
fn destination(server: &str) -> String {
    let name: String = server.chars().take(LONGEST_NAME).collect();
    format!("Your answer goes to the server {name}")
}

/// What a field asks for, in the server's words.
fn about(field: &ElicitedField) -> Vec<String> {
    let mut lines = vec![format!("  {}", field.question)];
    match &field.kind {
        FieldKind::Text(..) | FieldKind::Number { .. } => {}
        FieldKind::YesNo => lines.push("  yes or no".to_owned()),
        FieldKind::Choice(choices) | FieldKind::Choices(choices) => {
            for (at, (_, shown)) in choices.iter().enumerate().take(MOST_CHOICES) {
                lines.push(format!("  {}) {shown}", at + 1));
            }
            if let Some(more) = choices.len().checked_sub(MOST_CHOICES).filter(|more| *more > 0) {
                lines.push(format!("  and {more} more"));
            }
        }
    }
    match (field.default_in_words(), field.required) {
        (Some(default), _) => lines.push(format!("  {DIM}Enter alone answers:{DIM:#} {default}")),
        (None, true) => {}
        (None, false) => lines.push(format!("  {DIM}Enter alone leaves it out.{DIM:#}")),
    }
    lines
}
