//! What a turn may use. At a limit the model is asked for an answer with what it has.

use std::time::Duration;

use crate::{Budget, Cost, Limit, conversation::OpenTurn};

/// What a turn may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Answers that ask for tools.
    pub rounds: u32,
    /// Wall time, from the beginning or the resumption of the turn.
    pub time: Duration,
    /// Tokens.
    pub tokens: Option<u64>,
    /// Money; requests of unknown price do not count.
    pub cost: Option<Cost>,
    /// What one request may hold.
    pub budget: Budget,
    /// Where the model's window is large, messages are not counted: its tokens alone decide.
    pub counts_tokens_alone: bool,
    /// Time for one tool.
    pub tool_time: Duration,
    /// Characters of one tool result that enter the context.
    pub tool_characters: usize,
    /// How long a session stays ours without a sign of life.
    pub lease: Duration,
    /// How long to wait for a session in which another turn runs.
    pub patience: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 16,
            time: Duration::from_mins(10),
            tokens: None,
            cost: None,
            budget: Budget::default(),
            counts_tokens_alone: false,
            tool_time: Duration::from_mins(1),
            tool_characters: 20_000,
            lease: Duration::from_secs(30),
            // A little longer than a lease: whoever died with one is gone by then.
            patience: Duration::from_secs(35),
        }
    }
}

/// The same call with the same result: at this count the loop ends. The third time the model is told.
const REPEATS_ENDED: u32 = 5;
/// Rounds in a row in which a model may send calls that cannot be understood.
const REPAIRS: u32 = 2;
/// The time for the last answer when the turn's own is used up.
pub(super) const LAST_ANSWER: Duration = Duration::from_mins(1);

impl Limits {
    /// The limit that a turn has reached, if any.
    pub(super) fn reached(&self, turn: &OpenTurn, elapsed: Duration) -> Option<Limit> {
        if turn.most_repeated >= REPEATS_ENDED {
            Some(Limit::Repetition)
        } else if turn.repairs > REPAIRS {
            Some(Limit::Repairs)
        } else if turn.rounds >= self.rounds {
            Some(Limit::Rounds)
        } else if elapsed >= self.time {
            Some(Limit::Time)
        } else if self.tokens.is_some_and(|most| turn.tokens >= most) {
            Some(Limit::Tokens)
        } else if self.cost.is_some_and(|most| turn.cost >= most) {
            Some(Limit::Cost)
        } else {
            None
        }
    }
}
