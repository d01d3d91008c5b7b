//! What the program itself asks: the words of an open question, and the question below an answer.
//!
//! A model words its answers as it likes, and a yes to what it asked is a yes to nothing. So the program puts a question of
//! its own last, sealed over the document, its version and the call that would decide about it.

use super::{decide::yes, turn::Turn};
use crate::{
    About, ArtifactName, Offer, Question, QuestionReason, StoreError, Tool, ToolCall, TurnEnd,
    citation::named,
};

/// What a model is told, before the person's words, of the question that they had before them.
pub(super) fn told(question: &Question) -> String {
    let Question { words, tool, arguments, .. } = question;
    format!(
        "; below your last answer the program asked: \u{201c}{words}\u{201d}. A plain yes answers that and nothing else: \
         then call {tool} with {arguments} exactly"
    )
}

impl Turn {
    /// Puts questions into the words of their tools, in the language of the project.
    pub(super) async fn word(&mut self, questions: &mut [Question]) -> Result<(), StoreError> {
        let executor = self.agent.executor.clone();
        for question in questions.iter_mut().filter(|question| question.about.is_some()) {
            let Some(tool) = executor.registry().get(&question.tool) else { continue };
            question.words = self.words_of(tool.as_ref(), &question.arguments, question).await?;
        }
        Ok(())
    }

    /// The question below the answer of a turn that made a document which a person could settle as it stands, or in which
    /// they said yes to one and the model did not carry it out; none if it made none, or several: a yes to two would be a
    /// yes to neither.
    pub(super) async fn close(&mut self, end: &TurnEnd) -> Result<Option<Box<Question>>, StoreError> {
        let conversation = &self.conversation;
        let by_model = conversation.open().is_some_and(|open| !open.by_person && !open.by_program);
        if !by_model || *end != TurnEnd::Answered {
            return Ok(None);
        }
        let (turn, documents) = (conversation.last_turn(), conversation.artifacts());
        let unheard = yes(conversation).and_then(|_| conversation.answered_question()?.about.as_ref());
        let made = documents.names().filter(|name| {
            (documents.turn(name) == Some(turn) || unheard.is_some_and(|about| about.document == **name))
                && !documents.is_settled(name)
                && self.agent.executor.registry().decides_about(&name.kind)
        });
        let made: Vec<ArtifactName> = made.cloned().collect();
        let mut asked = None;
        for document in made {
            let question = self.ask_about(document).await?;
            if question.is_some() && asked.is_some() {
                return Ok(None);
            }
            asked = asked.or(question);
        }
        Ok(asked)
    }

    /// The question whether this document stands as it is, where a tool can settle it so.
    async fn ask_about(&mut self, document: ArtifactName) -> Result<Option<Box<Question>>, StoreError> {
        // The tools read what was made.
        self.writer.flush().await?;
        let (executor, turn) = (self.agent.executor.clone(), self.conversation.last_turn());
        for tool in executor.registry().that_decide_about(&document.kind) {
            let name = tool.spec().name.clone();
            let context = self.context_of(format!("{name}_after_{turn}").into(), turn);
            let offer = self.writer.under_lease(tool.offer(&document, &context)).await?;
            let Some(Offer { arguments, words }) = offer else { continue };
            let act = tool.decides(&arguments, self.conversation.artifacts());
            let Some(act) = act.filter(|act| act.plain && act.settles && act.document == document) else {
                continue;
            };
            let arguments = serde_json::Value::Object(arguments).to_string();
            let call = ToolCall::function(context.call_id, name, arguments);
            let about = About {
                version: self.conversation.artifacts().version(&document).unwrap_or_default(),
                words: named(&act.words, self.conversation.citations()),
                settles: true,
                document: document.clone(),
            };
            return Ok(Some(Box::new(Question {
                seal: self.conversation.seal(&call, Some(&about)),
                call_id: call.call_id,
                tool: call.name,
                arguments: call.arguments,
                reason: QuestionReason::Decision,
                about: Some(about),
                words,
            })));
        }
        Ok(None)
    }

    /// What a person is asked, in words.
    async fn words_of(
        &mut self,
        tool: &dyn Tool,
        arguments: &str,
        question: &Question,
    ) -> Result<String, StoreError> {
        if !self.writer.all_made_is_stored() {
            self.writer.flush().await?;
        }
        let Ok(serde_json::Value::Object(arguments)) = serde_json::from_str(arguments) else {
            return Ok(String::new());
        };
        let context = self.context_of(question.call_id.clone(), self.conversation.last_turn());
        let documents = self.conversation.artifacts();
        let words = tool.in_words(&arguments, documents, &context);
        Ok(self.writer.under_lease(words).await?.unwrap_or_default())
    }
}
