//! The request: system prompt, history cut to the budget, tools.

use std::sync::Arc;

use super::{
    Inner, Limits,
    shown::{LEAST, with_labels},
};
use crate::{
    Budget, Conversation, Limit, Message, ModelChoice, ModelRequest, Role, ToolChoice, ToolDefinition,
    estimate_tokens, fit,
};

/// A request and how it was made to fit.
pub(super) struct Built {
    /// Shared from the beginning: a request is large, and the turn would carry it through every wait.
    pub(super) request: Arc<ModelRequest>,
    pub(super) left_out: usize,
    pub(super) shortened: usize,
    /// The tokens of its messages by our own estimate.
    pub(super) tokens: u64,
    /// The same, tools included.
    pub(super) estimate: u64,
    pub(super) fits: bool,
    /// The tokens of what the person said last.
    pub(super) question: u64,
    /// The tokens that its messages may have.
    pub(super) room: Option<u64>,
}

/// The tokens of tool definitions, as estimated.
pub(super) fn tool_tokens(tools: &[ToolDefinition]) -> u64 {
    let length =
        |tool: &ToolDefinition| tool.name.len() + tool.description.len() + tool.schema.to_string().len();
    tools.iter().map(|tool| length(tool) as u64 / 4 + 8).sum()
}

/// Builds the request for one model. `most` is a smaller room than usual, for when a provider found the last request
/// too long.
pub(super) fn build(
    agent: &Inner,
    choice: &ModelChoice,
    conversation: &Conversation,
    last_answer: Option<Limit>,
    most: Option<u64>,
    sent_before: u32,
) -> Built {
    let parts = &agent.parts;
    let note = last_answer.map(|limit| Message::user(last_words(limit)));
    let factor = agent.tokens_per_estimate(choice.model.name());
    let room = [room(agent, choice, factor), most].into_iter().flatten().min();
    // The note takes its place in the budget like anything else.
    let budget = Budget {
        max_tokens: room.map(|room| room.saturating_sub(note.as_ref().map_or(0, estimate_tokens))),
        max_messages: most_messages(parts.limits, choice).saturating_sub(usize::from(note.is_some())),
    };
    // A model in this process reads the words themselves.
    let labelled = agent.numbers || conversation.has_states();
    // What surely does not fit is not looked at: a long conversation would cost more with every turn.
    let all = conversation.messages();
    let (system, from) = recent(all, budget);
    let left_out = from - system;
    let cut: Option<Vec<Message>> =
        (left_out > 0).then(|| all.iter().take(system).chain(all.iter().skip(from)).cloned().collect());
    let last = cut.as_deref().unwrap_or(all);
    let numbered = (labelled && !choice.model.thinks_here())
        .then(|| with_labels(conversation, (from, last), room, agent.numbers));
    let said = numbered.as_deref().unwrap_or(last);
    let fitted = fit(said, budget, &estimate_tokens);
    let mut messages: Vec<Message> = fitted.messages.into_iter().map(std::borrow::Cow::into_owned).collect();
    messages.extend(note);
    // A model in this process reads no definitions; to any other each costs tokens in every request.
    let tools = if choice.model.thinks_here() {
        parts.tools.definitions()
    } else {
        parts.tools.offered(conversation.artifacts())
    };
    let request = Arc::new(ModelRequest {
        messages,
        tool_choice: if last_answer.is_some() { ToolChoice::None } else { ToolChoice::Auto },
        tools,
        max_output_tokens: parts.max_output_tokens,
        temperature: parts.temperature,
        effort: parts.effort.clone(),
        cache_key: Some(agent.cache_key.clone()),
        sent_before,
        ..ModelRequest::default()
    });
    Built {
        request,
        left_out: left_out + fitted.left_out,
        shortened: fitted.shortened,
        tokens: fitted.tokens,
        estimate: fitted.tokens + agent.tool_tokens,
        fits: fitted.fits,
        question: fitted.question,
        room: budget.max_tokens,
    }
}

/// How many messages come first whatever is cut, and the first of the others that could be in a request of this budget: it
/// begins an exchange, and what comes before it surely has no room.
fn recent(messages: &[Message], budget: Budget) -> (usize, usize) {
    let system = messages.iter().take_while(|message| message.role == Role::System).count();
    let (mut count, mut tokens, mut full) = (0, 0, false);
    for (at, message) in messages.iter().enumerate().skip(system).rev() {
        if !full {
            let size = estimate_tokens(message);
            // A long text may be shown in parts, and a long result shortened.
            tokens += if message.role == Role::Assistant { size } else { size.min(LEAST) };
            count += 1;
            full = count > budget.max_messages || budget.max_tokens.is_some_and(|most| tokens > most);
        }
        if full && message.role == Role::User {
            return (system, at);
        }
    }
    (system, system)
}

impl Built {
    /// Why it does not fit, for the person: what is too long, by how much, and what helps.
    pub(super) fn too_long(&self) -> String {
        let room = self.room.unwrap_or(self.tokens);
        let beside = self.tokens.saturating_sub(self.question);
        if beside >= room {
            return format!(
                "The instructions, the tools and the last steps take about {} tokens, and this model has room for \
                 about {}. Use a model with a larger window.",
                grouped(beside),
                grouped(room)
            );
        }
        too_long(self.question, Some(room - beside))
    }
}

/// The person's message does not fit: how long it is, and how much does fit where that is known.
pub(super) fn too_long(tokens: u64, fits: Option<u64>) -> String {
    let fits = fits.map_or_else(String::new, |fits| format!("; about {} fit", grouped(fits)));
    format!(
        "Your message is too long for this model (about {} tokens{fits}): shorten it, attach it as a file, or use a \
         model with a larger window.",
        grouped(tokens)
    )
}

/// A number as people read it.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A window of so many tokens is large: counting messages would only make a model forget.
const LARGE_WINDOW: u64 = 64_000;

/// The tokens left free for an answer without a cap: long documents have fewer.
const UNCAPPED: u64 = 16_000;

/// The messages that a request may hold.
fn most_messages(limits: Limits, choice: &ModelChoice) -> usize {
    let large = choice.context_window.is_some_and(|window| window >= LARGE_WINDOW);
    if limits.counts_tokens_alone && large { usize::MAX } else { limits.budget.max_messages }
}

/// The tokens that messages may take, in our own estimate: the smaller of what the agent allows and what the model's
/// window leaves beside the answer and the tools.
fn room(agent: &Inner, choice: &ModelChoice, factor: f64) -> Option<u64> {
    let answer = agent.parts.max_output_tokens.unwrap_or(UNCAPPED);
    let window = choice.context_window.map(|window| {
        // Whatever is configured, half of the window is for what was said.
        let left = window.saturating_sub(answer).max(window / 2);
        scale(left, 1.0 / factor).saturating_sub(agent.tool_tokens)
    });
    match (window, agent.parts.limits.budget.max_tokens) {
        (Some(window), Some(own)) => Some(window.min(own)),
        (window, own) => window.or(own),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "token counts stay far below 2^52, factors are positive"
)]
fn scale(tokens: u64, factor: f64) -> u64 {
    (tokens as f64 * factor) as u64
}

/// What the model is told when it gets no more tools.
fn last_words(limit: Limit) -> String {
    format!(
        "[Note from the program, not from the person: {} No more tools can be used in this turn. \
         Answer the person now with what you have, and say what is missing.]",
        limit.for_user()
    )
}

/// Learns from a reported count how far our estimate is off, with a margin.
#[expect(clippy::cast_precision_loss, reason = "token counts stay far below 2^52")]
pub(super) fn correct(agent: &Inner, model: &str, estimate: u64, reported: Option<u64>) {
    // Small requests tell more about fixed costs than about text.
    if let Some(reported) = reported.filter(|_| estimate > 500) {
        let factor = (reported as f64 / estimate as f64 * 1.1).clamp(0.5, 4.0);
        agent.learn(model, |health| health.tokens_per_estimate = factor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is not looked at would not have been in the request either.
    #[test]
    fn the_rest_of_a_long_conversation_changes_nothing() {
        let mut messages = vec![Message::system("Be brief.")];
        for turn in 0..60_usize {
            messages.push(Message::user("word ".repeat(1 + turn * 37 % 90)));
            messages.push(Message::assistant("answer ".repeat(1 + turn * 53 % 70)));
        }
        let budgets =
            [None, Some(10), Some(300), Some(2_000), Some(1_000_000)].into_iter().flat_map(|max_tokens| {
                [0, 1, 2, 7, 50, 1_000].map(|max_messages| Budget { max_messages, max_tokens })
            });
        for budget in budgets {
            let (system, from) = recent(&messages, budget);
            let last: Vec<Message> =
                messages.iter().take(system).chain(messages.iter().skip(from)).cloned().collect();
            let (whole, part) =
                (fit(&messages, budget, &estimate_tokens), fit(&last, budget, &estimate_tokens));
            assert_eq!(whole.messages, part.messages, "{budget:?}");
            assert_eq!(whole.left_out, from - system + part.left_out, "{budget:?}");
            assert_eq!((whole.tokens, whole.fits), (part.tokens, part.fits), "{budget:?}");
        }
    }
}
