//! What can be typed beside words.

use std::path::PathBuf;

use anyhow::Context;
use tata_core::{Input, Message, SessionChange, SessionFilter};
use tata_llm::ModelSpec;

use super::{Talk, Then};
use crate::{
    cli::{Form, Thumb},
    commands::desk::{export, find_session, give_feedback, one_line},
    config::ChosenBy,
    editor,
    exit::Exit,
    terminal::DIM,
    wiring,
};

/// What can be typed beside words, for Tab and for /help.
pub(super) const COMMANDS: [&str; 15] = [
    "/help", "/docs", "/show", "/diff", "/attach", "/model", "/session", "/new", "/clear", "/undo",
    "/export", "/good", "/bad", "/title", "/quit",
];

const HELP: &str = "  /help             this list
  /docs             list the documents of this conversation
  /show NAME [N]    show a document, or its version N
  /diff NAME [N]    what changed since version N, or the one before
  /attach FILE      bring the text of a file; add words after it to say what it is
  /model [NAME]     show the model, or go on with another one
  /session [ID]     list conversations, or go on with another one
  /new, /clear      begin a new conversation
  /undo             take the last turn back
  /export [FILE]    write the conversation to a Markdown file
  /title NAME       give the conversation a name
  /good, /bad [..]  say whether the last answer was good, in your words
  /quit             leave; everything is kept
  Ctrl-C stops an answer. A line that ends in \\ goes on; pasted lines stay together.";

impl Talk<'_> {
    pub(super) async fn take(&mut self, text: &str, input: &editor::Input) -> anyhow::Result<Then> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word.to_lowercase().as_str() {
            "" => {}
            "/help" | "/?" => self.terminal.note(HELP),
            "/quit" | "/exit" | "/q" => return Ok(Then::Leave(Exit::Done)),
            "/model" => self.model(rest).await?,
            "/session" | "/sessions" => return self.session(rest, input).await,
            "/docs" | "/documents" => self.documents().await?,
            "/show" => self.document(rest, false).await?,
            "/diff" => self.document(rest, true).await?,
            "/attach" => return self.attach(rest, input).await,
            "/new" | "/clear" => {
                self.session = None;
                self.terminal.note("A new conversation begins.");
            }
            "/undo" => self.undo().await?,
            "/export" => self.export(rest).await?,
            "/title" => self.title(rest).await?,
            "/good" => self.feedback(Thumb::Good, rest).await?,
            "/bad" => self.feedback(Thumb::Bad, rest).await?,
            command
                if command.starts_with('/') && !command.get(1..).is_some_and(|rest| rest.contains('/')) =>
            {
                let near = tata_core::near(command, COMMANDS);
                let meant = near.first().map(|best| format!(" Did you mean {best}?")).unwrap_or_default();
                self.terminal.note(&format!("There is no {command}.{meant} /help lists what there is."));
                return Ok(Then::Failed(Exit::Usage));
            }
            _ => {
                let said = Input::reply(Message::user(text), self.shown.as_ref());
                return self.turn(said, input).await;
            }
        }
        Ok(Then::GoOn)
    }

    async fn model(&mut self, name: &str) -> anyhow::Result<()> {
        if name.is_empty() {
            let assembled = self.assemble()?;
            let names: Vec<_> = assembled.models.iter().map(|model| model.name.as_str()).collect();
            self.terminal.note(&format!(
                "{}; `/model NAME` changes it, `tata models` lists all.",
                names.join(", then ")
            ));
            return Ok(());
        }
        let spec = if wiring::is_built_in(name) {
            ModelSpec::built_in(name)
        } else {
            let route = self.config.choose(Some((name, ChosenBy::Person)))?;
            // A model that cannot be used is no choice.
            self.config.connect(&route)?;
            route.spec
        };
        self.overrides.model = Some(spec.name.clone());
        if let Some(session) = &self.session {
            let change = SessionChange { model: Some(Some(spec.name.clone())), ..SessionChange::default() };
            self.session = Some(self.store.change_session(session.id, change).await?);
        }
        self.terminal.note(&format!("From now on: {}.", spec.name));
        Ok(())
    }

    async fn session(&mut self, wish: &str, input: &editor::Input) -> anyhow::Result<Then> {
        if !wish.is_empty() {
            let session = find_session(self.store.as_ref(), wish).await?;
            self.agent_name.clone_from(&session.agent);
            self.overrides.model = None;
            self.session = Some(session);
            self.show_what_was_said().await?;
            return self.finish_what_is_open(input).await;
        }
        let filter =
            SessionFilter { limit: Some(10), user_id: self.config.user.clone(), ..SessionFilter::default() };
        let own = self.session.as_ref().map(|session| session.id);
        for session in self.store.sessions(filter).await?.sessions {
            let id = session.id.to_string();
            let mark = if Some(session.id) == own { "*" } else { " " };
            let title = session.title.unwrap_or_else(|| "-".to_owned());
            self.terminal.note(&format!("{mark} {}  {}", id.get(..8).unwrap_or(&id), &title));
        }
        self.terminal.note(&format!("{DIM}/session ID goes on with one of them.{DIM:#}"));
        Ok(Then::GoOn)
    }

    async fn undo(&mut self) -> anyhow::Result<()> {
        let Some(session) = self.session.clone() else {
            self.terminal.note("Nothing was said yet.");
            return Ok(());
        };
        let undone = self.assemble()?.agent.undo(session.id).await?;
        self.terminal.note(&match undone {
            Some(turn) => format!("Turn {turn} is taken back; documents made in it stay."),
            None => "There is nothing to take back.".to_owned(),
        });
        Ok(())
    }

    async fn export(&self, file: &str) -> anyhow::Result<()> {
        let Some(session) = self.session.clone() else {
            self.terminal.note("Nothing was said yet.");
            return Ok(());
        };
        let id = session.id.to_string();
        let file =
            if file.is_empty() { format!("tata-{}.md", id.get(..8).unwrap_or(&id)) } else { file.to_owned() };
        export(self.store.as_ref(), session, Form::Md, Some(&PathBuf::from(file)), self.terminal).await?;
        Ok(())
    }

    async fn title(&mut self, title: &str) -> anyhow::Result<()> {
        let session = self.session.as_ref().context("Nothing was said yet.")?;
        if title.is_empty() {
            self.terminal.note("Give a name: /title Network engineer, Malmö");
            return Ok(());
        }
        let change = SessionChange { title: Some(one_line(title)), ..SessionChange::default() };
        self.session = Some(self.store.change_session(session.id, change).await?);
        self.terminal.note("Renamed.");
        Ok(())
    }

    async fn feedback(&self, thumb: Thumb, words: &str) -> anyhow::Result<()> {
        let session = self.session.as_ref().context("Nothing was said yet.")?;
        let comment = (!words.is_empty()).then(|| words.to_owned());
        give_feedback(self.store.as_ref(), session, thumb, None, comment, self.config).await?;
        self.terminal.note("Thank you, noted.");
        Ok(())
    }
}
