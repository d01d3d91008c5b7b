//! Makes a conversation sendable: every result has its call, every call its result.

use std::{borrow::Cow, collections::HashSet};

use crate::{Block, CallState, Message, Role, ToolCall, ToolResult};

/// What a model reads where a call was never answered (a crash, a stop, an older program).
const NO_RESULT: &str = "No result: the call was interrupted before it finished.";
/// What it reads where its own arguments could not be read.
const BROKEN_CALL: &str = "Not run: the arguments were cut off or are not valid JSON. Send the call again.";

/// A conversation whose calls and results match, and how many did.
#[derive(Debug)]
pub struct Paired<'a> {
    /// The messages. Borrowed where nothing had to change.
    pub messages: Vec<Cow<'a, Message>>,
    /// Results that answer a call.
    pub correlated: u64,
    /// Results whose call is not there; they are left out.
    pub uncorrelated: u64,
    /// Calls without a result; they get an error result.
    pub unanswered: u64,
}

/// Pairs calls with results in both directions: providers refuse a request with an orphan of either kind.
/// Results stand directly after the message that made the calls, in call order; duplicates are left out.
pub fn pair_calls_with_results(messages: &[Message]) -> Paired<'_> {
    let mut paired = Paired {
        messages: Vec::with_capacity(messages.len()),
        correlated: 0,
        uncorrelated: 0,
        unanswered: 0,
    };
    let mut taken = HashSet::new();
    for (at, message) in messages.iter().enumerate() {
        match message.role {
            Role::Tool => {}
            Role::System | Role::User => paired.messages.push(Cow::Borrowed(message)),
            Role::Assistant => {
                paired.messages.push(Cow::Borrowed(message));
                // The usual case is found at a glance, however many calls there are.
                if let Some(next) = messages.get(at + 1).filter(|next| answers_exactly(message, next, &taken))
                {
                    taken.extend(next.results().map(std::ptr::from_ref));
                    paired.correlated += next.blocks.len() as u64;
                    paired.messages.push(Cow::Borrowed(next));
                    continue;
                }
                let results = answers(message, at, messages, &mut taken, &mut paired);
                if !results.is_empty() {
                    paired.messages.push(results_of(results, messages.get(at + 1)));
                }
            }
        }
    }
    let all = messages.iter().flat_map(Message::results).count() as u64;
    paired.uncorrelated = all.saturating_sub(paired.correlated);
    paired
}

/// Whether a message holds the results of these calls and nothing else, in call order.
fn answers_exactly(message: &Message, next: &Message, taken: &HashSet<*const ToolResult>) -> bool {
    let mut results = next.results();
    let mut count = 0;
    let each = message.tool_calls().all(|call| {
        count += 1;
        results.next().is_some_and(|result| {
            result.call_id == call.call_id && !taken.contains(&std::ptr::from_ref(result))
        })
    });
    each && count > 0 && next.role == Role::Tool && next.blocks.len() == count
}

/// Finds the answers to the calls of the message at `at`: among the results that follow it, before the same
/// id is used by a later call.
fn answers<'a>(
    message: &'a Message,
    at: usize,
    messages: &'a [Message],
    taken: &mut HashSet<*const ToolResult>,
    paired: &mut Paired<'_>,
) -> Vec<Cow<'a, ToolResult>> {
    let mut results = Vec::new();
    for call in message.tool_calls() {
        let answer = messages
            .iter()
            .skip(at + 1)
            .take_while(|later| !later.tool_calls().any(|other| other.call_id == call.call_id))
            .flat_map(Message::results)
            .find(|result| result.call_id == call.call_id && !taken.contains(&std::ptr::from_ref(*result)));
        if let Some(result) = answer {
            taken.insert(std::ptr::from_ref(result));
            paired.correlated += 1;
            results.push(Cow::Borrowed(result));
        } else {
            paired.unanswered += 1;
            results.push(Cow::Owned(stand_in(call)));
        }
    }
    results
}

fn stand_in(call: &ToolCall) -> ToolResult {
    let text = match call.state {
        CallState::Finished => NO_RESULT,
        CallState::Streaming | CallState::Broken => BROKEN_CALL,
    };
    ToolResult::error(call, text)
}

/// One message of results; the original is borrowed when it already holds exactly these.
fn results_of<'a>(results: Vec<Cow<'a, ToolResult>>, next: Option<&'a Message>) -> Cow<'a, Message> {
    if let Some(next) = next.filter(|next| next.role == Role::Tool && next.blocks.len() == results.len()) {
        let same = next.results().zip(&results).all(|(there, here)| match here {
            Cow::Borrowed(here) => std::ptr::eq(there, *here),
            Cow::Owned(_) => false,
        });
        if same && next.results().count() == results.len() {
            return Cow::Borrowed(next);
        }
    }
    Cow::Owned(Message {
        role: Role::Tool,
        blocks: results.into_iter().map(|result| Block::ToolResult(result.into_owned())).collect(),
        origin: next.and_then(|next| next.origin.clone()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CallId;

    fn calls(ids: &[&str]) -> Message {
        Message {
            role: Role::Assistant,
            blocks: ids.iter().map(|id| Block::ToolCall(ToolCall::function(*id, "t", "{}"))).collect(),
            origin: None,
        }
    }

    fn results(ids: &[&str]) -> Message {
        Message::tool_results(ids.iter().map(|id| ToolResult::text(&ToolCall::function(*id, "t", "{}"), *id)))
    }

    /// Writes a history as letters: `u` user, `a[ids]` calls, `r[ids]` results (`!` where we stood in).
    fn check(history: &[Message], expected: &str) {
        let paired = pair_calls_with_results(history);
        let shown: Vec<String> = paired
            .messages
            .iter()
            .map(|message| match message.role {
                Role::System => "s".into(),
                Role::User => "u".into(),
                Role::Assistant => {
                    format!("a{:?}", message.call_ids().map(CallId::as_str).collect::<Vec<_>>())
                }
                Role::Tool => format!(
                    "r{:?}",
                    message
                        .results()
                        .map(|r| if r.is_error { format!("{}!", r.call_id) } else { r.call_id.to_string() })
                        .collect::<Vec<_>>()
                ),
            })
            .collect();
        assert_eq!(shown.join(" ").replace('"', ""), expected);
    }

    #[test]
    fn whole_pairs_stay_and_are_borrowed() {
        let history = [Message::user("q"), calls(&["1", "2"]), results(&["1", "2"])];
        check(&history, "u a[1, 2] r[1, 2]");
        assert!(pair_calls_with_results(&history).messages.iter().all(|m| matches!(m, Cow::Borrowed(_))));
    }

    #[test]
    fn results_are_put_in_call_order_directly_after_the_calls() {
        check(
            &[calls(&["1", "2"]), results(&["2"]), Message::user("late"), results(&["1"])],
            "a[1, 2] r[1, 2] u",
        );
    }

    #[test]
    fn orphans_of_both_kinds_are_mended() {
        check(
            &[results(&["0"]), Message::user("q"), calls(&["1", "2"]), results(&["2"])],
            "u a[1, 2] r[1!, 2]",
        );
        let paired = [results(&["0"]), calls(&["1"])];
        let paired = pair_calls_with_results(&paired);
        assert_eq!((paired.correlated, paired.uncorrelated, paired.unanswered), (0, 1, 1));
    }

    #[test]
    fn two_calls_with_one_id_get_their_results_in_order() {
        check(&[calls(&["1", "1"]), results(&["1", "1"])], "a[1, 1] r[1, 1]");
        check(&[calls(&["1", "1"]), results(&["1"])], "a[1, 1] r[1, 1!]");
    }

    #[test]
    fn an_id_used_again_gets_its_own_result() {
        check(
            &[calls(&["1"]), results(&["1"]), Message::user("q"), calls(&["1"]), results(&["1"])],
            "a[1] r[1] u a[1] r[1]",
        );
    }
}
