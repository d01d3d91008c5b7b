//! What was said, for people and for programs.

use std::{fmt::Write, sync::Arc};

use serde_json::{Value, json};
use tata_core::{
    Artifact, CheckedAnswer, Conversation, Damage, Entry, Feedback, Message, QuestionReason, Record, Role,
    Session, Store, StoreError, TurnEnd, UsageRow, UsageTotal,
};

use crate::{
    on_one_line::on_one_line,
    terminal::{BOLD, DIM, NOTE},
};

/// Everything that is kept of a conversation.
pub(crate) struct Transcript {
    pub(crate) session: Session,
    pub(crate) records: Vec<Record>,
    pub(crate) conversation: Conversation,
    usage: Vec<Arc<UsageRow>>,
    artifacts: Vec<Artifact>,
    feedback: Vec<Feedback>,
    /// What cannot be read of it; nothing when it is whole.
    pub(crate) damage: Vec<Damage>,
}

impl Transcript {
    /// Everything that can be read. A damage does not hide the rest.
    pub(crate) async fn load(store: &dyn Store, session: Session) -> Result<Self, StoreError> {
        match Self::load_whole(store, session.clone()).await {
            Ok(whole) if whole.records.len() as u64 >= session.last_position => Ok(whole),
            Ok(_) | Err(StoreError::Unreadable { .. }) => {
                let saved = store.salvage(session.id.to_string()).await?.unwrap_or_default();
                Ok(Self {
                    conversation: Conversation::fold("", &saved.records),
                    usage: saved.usage,
                    artifacts: saved.artifacts,
                    feedback: saved.feedback,
                    records: saved.records,
                    damage: saved.lost.into_iter().map(|lost| lost.damage).collect(),
                    session,
                })
            }
            Err(error) => Err(error),
        }
    }

    async fn load_whole(store: &dyn Store, session: Session) -> Result<Self, StoreError> {
        let records = store.records(session.id, 0).await?;
        Ok(Self {
            // The prompt is the agent's, not the conversation's: it is not part of what was said.
            conversation: Conversation::fold("", &records),
            usage: store.usage(session.id).await?,
            artifacts: store.artifacts(session.id).await?,
            feedback: store.feedback(session.id).await?,
            records,
            damage: Vec::new(),
            session,
        })
    }

    /// What came of the check of each answer, for the turns that still count, in order: one for each message of a person.
    fn verdicts(&self) -> impl Iterator<Item = (u32, Option<&CheckedAnswer>)> {
        let mut turns: Vec<(u32, Option<&CheckedAnswer>)> = Vec::new();
        for record in &self.records {
            if let Entry::UserMessage { turn, .. } = &record.entry {
                turns.push((*turn, None));
            } else if let Entry::TurnUndone { turn } = &record.entry {
                turns.retain(|(known, _)| known != turn);
            } else if let Entry::TurnFinished { turn, checked, .. } = &record.entry {
                let finished = turns.iter_mut().rfind(|(known, _)| known == turn);
                if let Some((_, verdict)) = finished {
                    *verdict = checked.as_deref();
                }
            }
        }
        turns.into_iter()
    }

    /// For a terminal: who said what, steps as one line, below each answer what it rests on.
    pub(crate) fn for_screen(&self) -> String {
        let mut out = String::new();
        let mut verdicts = self.verdicts();
        let mut verdict = None;
        for message in self.conversation.messages() {
            let text = message.joined_text();
            let text = text.trim();
            match message.role {
                Role::System => {}
                Role::User => {
                    out.push_str(&below_an_answer(verdict));
                    verdict = verdicts.next().and_then(|(_, verdict)| verdict);
                    _ = writeln!(out, "{BOLD}you{BOLD:#}\n{text}\n");
                }
                Role::Assistant => {
                    if !text.is_empty() {
                        _ = writeln!(out, "{BOLD}{}{BOLD:#}\n{text}\n", self.session.agent);
                    }
                }
                Role::Tool => {
                    for result in message.results() {
                        let how = if result.is_error { "did not work" } else { "done" };
                        _ = writeln!(out, "{DIM}· {} ({how}){DIM:#}", &result.name);
                    }
                    out.push('\n');
                }
            }
        }
        out.push_str(&below_an_answer(verdict));
        out.push_str(&self.open_end());
        out
    }

    /// What is still open.
    fn open_end(&self) -> String {
        let mut out = String::new();
        for question in self.conversation.questions() {
            let why = match question.reason {
                QuestionReason::Approval => "waits for approval".to_owned(),
                QuestionReason::Decision => {
                    format!("waits for your decision: {}", question.in_words())
                }
                QuestionReason::Uncertain => {
                    "had begun when the program stopped; whether it took effect is not known".to_owned()
                }
            };
            _ = writeln!(
                out,
                "{NOTE}{} {}{NOTE:#} {why}\n  call {}",
                &question.tool,
                on_one_line(&question.arguments),
                question.call_id
            );
        }
        if let Some(question) = self.conversation.closing_question() {
            _ = writeln!(out, "{NOTE}?{NOTE:#} {}", question.in_words());
        }
        if let Some(problem) = self.conversation.last_end().and_then(TurnEnd::for_user) {
            _ = writeln!(out, "{NOTE}The last turn did not end well:{NOTE:#} {problem}");
        }
        if self.conversation.questions().is_empty() && self.conversation.open_turn().is_some() {
            _ = writeln!(out, "{NOTE}The last turn is not finished.{NOTE:#}");
        }
        out
    }

    pub(crate) fn markdown(&self) -> String {
        let session = &self.session;
        let title = session.title.as_deref().unwrap_or("Conversation");
        let mut out = format!(
            "# {title}\n\nAgent: {} · Session: {} · Begun: {} · Answers are generated by AI: check them before use.\n",
            session.agent,
            session.id,
            session.created_at.strftime("%Y-%m-%d %H:%M UTC")
        );
        for damage in &self.damage {
            out.push_str(&format!("\n*Damaged: {}*\n", damage.what));
        }
        let mut verdicts = self.verdicts();
        let mut verdict = None;
        for message in self.conversation.messages() {
            if message.role == Role::User {
                out.push_str(&markdown_verdict(verdict));
                verdict = verdicts.next().and_then(|(_, verdict)| verdict);
            }
            out.push_str(&markdown(message, &session.agent));
        }
        out.push_str(&markdown_verdict(verdict));
        out
    }

    pub(crate) fn json(&self) -> Value {
        let total: UsageTotal = self.usage.iter().collect();
        let questions = self.conversation.questions();
        let checked = self.verdicts().filter_map(|(turn, verdict)| {
            let verdict = verdict?;
            Some(json!({
                "turn_number": turn,
                "citations": verdict.citations,
                "sentences": verdict.sentences,
            }))
        });
        let mut document = json!({
            "session": self.session,
            "messages": self.conversation.messages(),
            "checked": checked.collect::<Vec<_>>(),
            "questions": questions,
            "asks": self.conversation.closing_question(),
            "requests": self.usage,
            "usage": total,
            "artifacts": self.artifacts,
            "feedback": self.feedback,
        });
        if !self.damage.is_empty() {
            document["damage"] = json!(self.damage);
        }
        document
    }

    /// The journal, entry by entry.
    pub(crate) fn json_lines(&self) -> serde_json::Result<String> {
        let mut out = String::new();
        for record in &self.records {
            out.push_str(&serde_json::to_string(record)?);
            out.push('\n');
        }
        Ok(out)
    }
}

/// What the numbers in an answer stand for, and which of its sentences they do not prove, as lines for a terminal.
fn below_an_answer(checked: Option<&CheckedAnswer>) -> String {
    let mut out = String::new();
    let Some(checked) = checked else { return out };
    for citation in &checked.citations {
        _ = writeln!(out, "{DIM}[{}] {} ({}){DIM:#}", citation.number, citation.place(), citation.url);
    }
    for sentence in checked.unproven() {
        let why = sentence.unproven.first().map(|why| format!(" ({why})")).unwrap_or_default();
        _ = writeln!(out, "{NOTE}not proven by its sources:{NOTE:#} {}{why}", sentence.text);
    }
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

fn markdown_verdict(checked: Option<&CheckedAnswer>) -> String {
    let mut out = String::new();
    let Some(checked) = checked else { return out };
    for citation in &checked.citations {
        _ = writeln!(out, "\n*[{}] {} ({})*", citation.number, citation.place(), citation.url);
    }
    for sentence in checked.unproven() {
        _ = writeln!(out, "\n*Not proven by its sources: {}*", sentence.text);
    }
    out
}

fn markdown(message: &Message, agent: &str) -> String {
    let text = message.joined_text();
    match message.role {
        Role::User => format!("\n## You\n\n{}\n", text.trim()),
        Role::Assistant if !text.trim().is_empty() => format!("\n## {agent}\n\n{}\n", text.trim()),
        Role::Tool => {
            let steps = message.results().map(|result| {
                let how = if result.is_error { "did not work" } else { "done" };
                format!("\n*Step: {} ({how})*\n", result.name)
            });
            steps.collect()
        }
        Role::System | Role::Assistant => String::new(),
    }
}
