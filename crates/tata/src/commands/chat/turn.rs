//! A turn: what is said, what a person must decide meanwhile, and what it cost.

use tata_core::{
    Decision, Input, Question, QuestionReason, TurnOutcome, TurnReport, Verdict, says_no, says_yes,
};
use tata_knowledge::QUOTES;
use tata_recruit::GUIDED;
use tokio::sync::mpsc;

use super::{Talk, Then};
use crate::{
    approval,
    asked::Asked,
    commands::ask::tell_the_end,
    editor::{self, Typed},
    exit::Exit,
    terminal::{DIM, NOTE, Terminal},
    transcript::Transcript,
    watch::{Seen, View, watch},
};

impl Talk<'_> {
    /// An interrupted turn goes on by itself; one that waits asks.
    pub(super) async fn finish_what_is_open(&mut self, input: &editor::Input) -> anyhow::Result<Then> {
        if self.session.as_ref().is_some_and(|session| session.open_turn) {
            return self.turn(Input::Resume, input).await;
        }
        Ok(Then::GoOn)
    }

    /// Runs a turn, and asks what a person must decide until nothing is left to decide.
    pub(super) async fn turn(&mut self, input: Input, keyboard: &editor::Input) -> anyhow::Result<Then> {
        self.connect().await?;
        let assembled = self.assemble()?;
        let session = self.ensure_session().await?;
        let mut input = input;
        // What the person said waits here while an earlier turn must be decided first.
        let mut unsaid = input.message().cloned();
        loop {
            let watching = watch(&assembled.agent, session.id, input, View::Text, self.terminal);
            let seen = answering(watching, &mut self.questions, keyboard, self.terminal).await?;
            self.session = self.store.session(session.id).await?;
            // Whoever sits here is asked at once.
            if !keyboard.is_terminal || !matches!(seen.report.outcome, TurnOutcome::Waiting) {
                tell_the_end(&seen.report, self.terminal);
            }
            if keyboard.is_terminal && !seen.report.requests.is_empty() {
                self.terminal.note(&format!("{DIM}{}{DIM:#}", summary(&seen.report)));
            }
            if seen.report.accepted || matches!(seen.report.outcome, TurnOutcome::Broken { .. }) {
                unsaid = None;
            }
            if !matches!(seen.report.outcome, TurnOutcome::Waiting) {
                self.shown = seen.report.asks.as_deref().cloned();
                match unsaid.take() {
                    None => {
                        if let Some(question) = &self.shown {
                            self.terminal.note(&format!("\n{NOTE}?{NOTE:#} {}", question.in_words()));
                        }
                        let exit = Exit::of_turn(&seen.report);
                        return Ok(if exit == Exit::Done { Then::GoOn } else { Then::Failed(exit) });
                    }
                    Some(message) => {
                        input = Input::Say(message);
                        continue;
                    }
                }
            }
            let transcript = Transcript::load(self.store.as_ref(), session.clone()).await?;
            let Some(decisions) = self.decide(transcript.conversation.questions(), keyboard).await? else {
                return Ok(if keyboard.is_terminal { Then::GoOn } else { Then::Leave(Exit::NeedsDecision) });
            };
            let by = self.config.user.clone().unwrap_or_else(|| "terminal".to_owned());
            input = Input::Decide { decisions, by };
        }
    }

    /// Asks the person about each step. None when nobody can be asked, or they do not want to say.
    async fn decide(
        &self,
        questions: &[Question],
        keyboard: &editor::Input,
    ) -> anyhow::Result<Option<Vec<Verdict>>> {
        if !keyboard.is_terminal {
            return Ok(None);
        }
        let mut decisions = Vec::new();
        for question in questions {
            let tool = &question.tool;
            let is_whole = match &question.about {
                Some(_) => {
                    self.terminal.note(&format!("{NOTE}?{NOTE:#} {}", question.in_words()));
                    true
                }
                None => approval::show_head(question, self.terminal),
            };
            let more = if is_whole { "" } else { "[s]how all, " };
            let ask = match question.reason {
                QuestionReason::Approval => format!("May {tool} run? {more}[y]es, [n]o: "),
                QuestionReason::Decision => format!("{more}[y]es, [n]o: "),
                QuestionReason::Uncertain => format!(
                    "{tool} had begun when the program stopped; whether it took effect is not known.\n\
                     {more}[d]one already, [r]un again, [n]o, leave it: "
                ),
            };
            let Some(decision) = self.answer(question, &ask, keyboard).await? else { return Ok(None) };
            decisions.push(question.decide(decision));
        }
        Ok(Some(decisions))
    }

    /// What the person says to a step; none if they leave it open. What is no answer is asked for again: it may have been
    /// meant for something else, and is not lost without a word.
    async fn answer(
        &self,
        question: &Question,
        ask: &str,
        keyboard: &editor::Input,
    ) -> anyhow::Result<Option<Decision>> {
        loop {
            let Typed::Text(answer) = keyboard.answer(ask).await? else { return Ok(None) };
            let answer = answer.trim().to_lowercase();
            match (question.reason, answer.as_str()) {
                (_, "") => {
                    self.terminal.note("Nothing was decided; the turn waits.");
                    return Ok(None);
                }
                (_, "s" | "show") if question.about.is_none() => approval::show_all(question, self.terminal),
                (QuestionReason::Uncertain, "r" | "run") => return Ok(Some(Decision::Run)),
                (QuestionReason::Uncertain, "d" | "done") => return Ok(Some(Decision::Done)),
                (_, said) if says_no(said) => return Ok(Some(Decision::Refuse)),
                (QuestionReason::Approval | QuestionReason::Decision, said)
                    if said == "y" || said == "j" || says_yes(said) =>
                {
                    return Ok(Some(Decision::Run));
                }
                (_, _) => self.terminal.note(
                    "That is no answer to this. Answer with one of the words above, or press Enter to leave it open.",
                ),
            }
        }
    }
}

/// Watches a turn, and has the person answer what servers ask meanwhile.
async fn answering(
    watching: impl Future<Output = anyhow::Result<Seen>>,
    asked: &mut mpsc::Receiver<Asked>,
    keyboard: &editor::Input,
    terminal: &Terminal,
) -> anyhow::Result<Seen> {
    tokio::pin!(watching);
    loop {
        let question = tokio::select! {
            seen = &mut watching => return seen,
            Some(question) = asked.recv() => question,
        };
        let put = question.put(keyboard, terminal);
        tokio::pin!(put);
        tokio::select! {
            put = &mut put => put?,
            seen = &mut watching => {
                // What is typed now would otherwise be lost as an answer to nobody.
                terminal.note("Nobody waits for that answer any more; press Enter.");
                put.await?;
                return seen;
            }
        }
    }
}

/// Tokens, price and time of a turn. What is not known is said to be unknown.
fn summary(report: &TurnReport) -> String {
    let own = match report.model.as_deref() {
        Some(GUIDED) => Some("guided mode, no AI"),
        Some(QUOTES) => Some("quotations, no AI"),
        Some(_) | None => None,
    };
    if let Some(own) = own {
        return format!("{own} · {:.1} s", report.execution_time_seconds);
    }
    let tokens =
        report.tokens_used.map_or_else(|| "tokens unknown".to_owned(), |tokens| format!("{tokens} tokens"));
    let cost = report.cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("${:.4}", cost.usd()));
    format!("{tokens} · {cost} · {:.1} s", report.execution_time_seconds)
}
