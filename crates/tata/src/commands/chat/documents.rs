//! The documents of a conversation, and files that are brought to it.

use tata_core::{Block, Input, Message, NewFile};

use super::{Talk, Then};
use crate::{
    attached,
    cli::{ArtifactAction, DocumentForm, Which},
    commands::artifacts,
    editor,
    exit::Exit,
    terminal::{DIM, NOTE},
};

impl Talk<'_> {
    /// The documents of this conversation.
    pub(super) async fn documents(&self) -> anyhow::Result<()> {
        match &self.session {
            Some(session) => {
                let action =
                    ArtifactAction::List { session: Some(session.id.to_string()), search: None, json: false };
                artifacts::act(action, std::sync::Arc::clone(&self.store), self.config, self.terminal)
                    .await?;
            }
            None => self.terminal.note("There are no documents yet."),
        }
        Ok(())
    }

    /// One of them, or what changed in it. The last word is a version if it is a number.
    pub(super) async fn document(&self, wish: &str, changes: bool) -> anyhow::Result<()> {
        let Some(session) = &self.session else {
            self.terminal.note("There are no documents yet.");
            return Ok(());
        };
        if wish.is_empty() {
            self.terminal.note("Which one? /docs lists them.");
            return Ok(());
        }
        let wish = wish.replace(['"', '“', '”'], "");
        let wish = wish.trim();
        let last = wish.rsplit_once(' ').and_then(|(name, number)| Some((name, number.parse().ok()?)));
        let (name, version) = last.map_or((wish, None), |(name, number): (&str, u32)| (name, Some(number)));
        let (kind, key) = match name.split_once('(') {
            Some((kind, key)) => (kind.trim(), Some(key.trim_end_matches([')', ' ']).to_owned())),
            None => (name.trim(), None),
        };
        let which = Which { session: session.id.to_string(), kind: kind.to_owned(), key };
        let action = if changes {
            ArtifactAction::Diff { which, from: version, to: None }
        } else {
            ArtifactAction::Show { which, version, format: DocumentForm::Text }
        };
        artifacts::act(action, std::sync::Arc::clone(&self.store), self.config, self.terminal).await?;
        Ok(())
    }

    /// Brings the text of a file, and what is said about it, as one message of two parts.
    pub(super) async fn attach(&mut self, rest: &str, input: &editor::Input) -> anyhow::Result<Then> {
        let (name, words) = match rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            Some((name, words)) => (name, words),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        if name.is_empty() {
            self.terminal.note("Which file? /attach FILE");
            return Ok(Then::Failed(Exit::Usage));
        }
        let (attached, bytes) = attached::read_whole(std::path::Path::new(name), None).await?;
        let count = attached.text.split_whitespace().count();
        self.terminal.note(&format!("{DIM}{name}: {count} words{DIM:#}"));
        for note in &attached.notes {
            self.terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
        }
        let words = words.trim();
        // The bytes as they came, so that what was read can be read again.
        let session = self.ensure_session().await?;
        let file = std::path::Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
        let file = NewFile::new(file, bytes, &attached.text, self.config.clock.now());
        self.store.keep_file(session.id, file).await?;
        let blocks = [Some(attached.text), Some(words.to_owned()).filter(|words| !words.is_empty())];
        let blocks = blocks.into_iter().flatten().map(Block::text).collect::<Vec<_>>().into();
        let message = Message { blocks, ..Message::user("") };
        self.turn(Input::reply(message, self.shown.as_ref()), input).await
    }
}
