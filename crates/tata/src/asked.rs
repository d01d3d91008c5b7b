//! What MCP servers want to know from the person while a tool runs, asked in the terminal.

use std::sync::Arc;

use serde_json::Map;
use tata_mcp::{Asker, Elicitation, Elicited, ElicitedField, FieldKind};
use tokio::sync::{mpsc, oneshot};

use crate::{
    editor::{Input, Typed},
    terminal::{DIM, NOTE, Terminal},
};

/// The most questions that wait; a server that asks for more waits itself.
const MOST: usize = 8;

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
    /// Asks the person, field by field.
    pub(crate) async fn put(self, keyboard: &Input, terminal: &Terminal) -> anyhow::Result<()> {
        let Self { question, answer } = self;
        terminal.note(&format!("{NOTE}{} asks:{NOTE:#} {}", question.server, question.message));
        terminal.note(&format!(
            "{DIM}What you answer goes to that server. Enter alone skips what may be left out; Ctrl-C answers nothing.{DIM:#}"
        ));
        let given = fields(&question, keyboard, terminal).await?;
        // The call may have ended meanwhile.
        let _nobody_waits = answer.send(given);
        Ok(())
    }
}

async fn fields(question: &Elicitation, keyboard: &Input, terminal: &Terminal) -> anyhow::Result<Elicited> {
    let mut given = Map::new();
    for field in question.fields() {
        loop {
            let typed = match keyboard.next(&prompt(&field), None).await? {
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
        let typed = keyboard.next("Do you agree? [y]es, [n]o: ", None).await?;
        return Ok(match typed {
            Typed::Text(typed) if ["y", "yes"].contains(&typed.trim().to_lowercase().as_str()) => {
                Elicited::Given(given)
            }
            Typed::Text(_) => Elicited::Declined,
            Typed::Refused(_) | Typed::Interrupted | Typed::End => Elicited::Dismissed,
        });
    }
    Ok(Elicited::Given(given))
}

fn prompt(field: &ElicitedField) -> String {
    let may = match &field.kind {
        FieldKind::Text(..) | FieldKind::Number { .. } => String::new(),
        FieldKind::YesNo => " yes/no".to_owned(),
        FieldKind::Choice(choices) | FieldKind::Choices(choices) => {
            let shown = choices.iter().enumerate().map(|(at, (_, shown))| format!("{}) {shown}", at + 1));
            format!(" {}", shown.collect::<Vec<_>>().join(", "))
        }
    };
    let else_ = match (&field.default, field.required) {
        (Some(default), _) => format!(" [{default}]"),
        (None, true) => String::new(),
        (None, false) => " [may be left out]".to_owned(),
    };
    format!("{}{may}{else_}: ", field.question)
}
