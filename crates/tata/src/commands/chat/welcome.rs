//! What stands around a conversation: a greeting, what was said before, and how to come back.

use tata_knowledge::QUOTES;
use tata_recruit::{GUIDED, Voice, greeting};

use super::Talk;
use crate::{
    editor, shown,
    terminal::{BOLD, DIM, NOTE},
    transcript::Transcript,
};

impl Talk<'_> {
    pub(super) async fn greet(&self, description: &str) {
        let model = match self.assemble() {
            Ok(assembled) => assembled.models.first().map(|model| model.name.clone()).unwrap_or_default(),
            Err(_) => "none is set up yet (set OPENAI_API_KEY or ANTHROPIC_API_KEY, or use a local server: \
                       tata chat --model ollama/qwen3:8b; `tata models` lists all)"
                .to_owned(),
        };
        let name = &self.agent_name;
        self.terminal.note(&format!("{BOLD}{name}{BOLD:#} {description}"));
        if let Some(note) = crate::agents::note(name, self.config) {
            self.terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
        }
        let own = match model.as_str() {
            GUIDED => Some("rules on this machine, no AI"),
            QUOTES => Some("quotations from your documents, no AI"),
            _ => None,
        };
        let model = match own {
            Some(what) => format!(
                "{model} ({what}). For an AI model, set OPENAI_API_KEY or ANTHROPIC_API_KEY, or type /model ollama/qwen3:8b"
            ),
            None => format!("{model}. /model NAME uses another one"),
        };
        self.terminal.note(&format!("{DIM}Model: {model}. /help lists what can be typed.{DIM:#}"));
        if self.session.is_none() && name == crate::config::DEFAULT_AGENT {
            self.terminal.note(&format!("\n{}", shown::wrapped(&greeting(Voice::En, None)).trim_end()));
        }
        let others = self.store.interrupted().await.unwrap_or_default();
        let own = self.session.as_ref().map(|session| session.id);
        let others = others.iter().filter(|session| Some(session.id) != own).count();
        if others > 0 {
            let what = if others == 1 { "One conversation has" } else { "Some conversations have" };
            self.terminal.note(&format!(
                "{NOTE}{what} an unfinished turn:{NOTE:#} `tata session resume --interrupted` finishes it."
            ));
        }
    }

    /// How to come back.
    pub(super) fn say_goodbye(&self, input: &editor::Input) {
        if let Some(session) = self.session.as_ref().filter(|_| input.is_terminal) {
            let id = session.id.to_string();
            let id = id.get(..8).unwrap_or(&id);
            self.terminal.note(&format!("{DIM}Kept. `tata chat --session {id}` goes on with it.{DIM:#}"));
        }
    }

    pub(super) async fn show_what_was_said(&mut self) -> anyhow::Result<()> {
        self.shown = None;
        if let Some(session) = &self.session {
            let transcript = Transcript::load(self.store.as_ref(), session.clone()).await?;
            self.terminal.note(transcript.for_screen().trim_end());
            self.shown = transcript.conversation.closing_question().cloned();
        }
        Ok(())
    }
}
