use proptest::{
    collection::vec,
    prelude::{ProptestConfig, Strategy, any, prop_assert, prop_assert_eq, proptest},
};

use super::*;
use crate::{CallId, ToolCall, ToolResult, pair_calls_with_results};

/// A history written as letters: `u` a question, `c` a round of one call with its result, `a` an answer.
fn history(letters: &str, length: usize) -> Vec<Message> {
    let mut messages = vec![Message::system("You are Tata.")];
    for (at, letter) in letters.chars().enumerate() {
        let text = format!("{at}{}", "x".repeat(length));
        match letter {
            'u' => messages.push(Message::user(text)),
            'a' => messages.push(Message::assistant(text)),
            _ => {
                let call = ToolCall::function(format!("call_{at}"), "t", "{}");
                let blocks = vec![Block::ToolCall(call.clone())];
                messages.push(Message { role: Role::Assistant, blocks: blocks.into(), origin: None });
                messages.push(Message::tool_results([ToolResult::text(&call, text)]));
            }
        }
    }
    messages
}

/// What is left, by the first digits of each text; calls and results as `c` and `r`.
fn check(letters: &str, budget: Budget, expected: &str) {
    let messages = history(letters, 36);
    let fitted = fit(&messages, budget, &estimate_tokens);
    let shown: Vec<String> = fitted
        .messages
        .iter()
        .skip(1)
        .map(|message| match message.role {
            Role::System => "s".to_owned(),
            Role::User => format!("u{}", &message.joined_text()[..1]),
            Role::Assistant if message.tool_calls().next().is_some() => "c".to_owned(),
            Role::Assistant => format!("a{}", &message.joined_text()[..1]),
            Role::Tool => "r".to_owned(),
        })
        .collect();
    assert_eq!(shown.join(" "), expected, "{letters} within {budget:?}");
    assert_eq!(fitted.left_out, messages.len() - fitted.messages.len());
}

fn messages(max_messages: usize) -> Budget {
    Budget { max_messages, max_tokens: None }
}

#[test]
fn whole_exchanges_go_first() {
    check("uauaua", messages(6), "u0 a1 u2 a3 u4 a5");
    check("uauaua", messages(5), "u2 a3 u4 a5");
    check("ucauau", messages(4), "u3 a4 u5");
    check("ucauau", messages(2), "u5");
}

#[test]
fn then_older_rounds_of_the_current_exchange() {
    check("uaucccc", messages(9), "u2 c r c r c r c r");
    check("uaucccc", messages(6), "u2 c r c r");
    check("uaucccc", messages(1), "u2 c r");
}

#[test]
fn tokens_count_as_messages_do() {
    let one = estimate_tokens(&history("u", 36)[1]);
    let system = estimate_tokens(&Message::system("You are Tata."));
    check("uauaua", Budget { max_messages: 50, max_tokens: Some(system + 4 * one) }, "u2 a3 u4 a5");
}

#[test]
fn an_oversized_text_is_shortened_in_the_middle_results_before_questions() {
    let mut history = history("uc", 10);
    let long = "wörd ".repeat(10_000);
    for block in &mut history[3].blocks {
        if let Block::ToolResult(result) = block {
            result.content = vec![ResultPart::Text(format!("BEGIN{long}END"))];
        }
    }
    let fitted = fit(&history, Budget { max_messages: 50, max_tokens: Some(1_000) }, &estimate_tokens);
    assert!(fitted.fits && fitted.tokens <= 1_000 && fitted.shortened > 0, "{}", fitted.tokens);
    let text = fitted.messages[3].results().next().unwrap().joined_text();
    assert!(
        text.starts_with("BEGIN") && text.ends_with("END") && text.contains("characters left out"),
        "{text}"
    );
    assert_eq!(fitted.messages[1].joined_text(), history[1].joined_text(), "the question is whole");
}

#[test]
fn the_persons_own_message_is_never_cut() {
    let long = "fact ".repeat(20_000);
    for history in [
        vec![Message::system("s"), Message::user(long.clone())],
        [history("uaua", 500), vec![Message::user(long.clone())]].concat(),
    ] {
        for most in [100, 1_000, 10_000] {
            let fitted = fit(&history, Budget { max_messages: 50, max_tokens: Some(most) }, &estimate_tokens);
            assert!(!fitted.fits, "{most}");
            assert_eq!(fitted.messages.last().unwrap().joined_text(), long, "whole, within {most}");
            assert_eq!(
                (fitted.shortened, fitted.question),
                (0, estimate_tokens(&Message::user(long.clone())))
            );
        }
    }
}

#[test]
fn the_mark_in_a_shortened_text_counts_all_that_is_missing() {
    let mut history = history("uc", 10);
    let long = "x".repeat(40_000);
    for block in &mut history[3].blocks {
        if let Block::ToolResult(result) = block {
            result.content = vec![ResultPart::Text(long.clone()), ResultPart::Text("y".repeat(900))];
        }
    }
    let fitted = fit(&history, Budget { max_messages: 50, max_tokens: Some(1_000) }, &estimate_tokens);
    let text = fitted.messages[3].results().next().unwrap().joined_text();
    let kept = text.matches('x').count();
    assert!(text.contains(&format!("[… {} characters left out …]", 40_000 - kept)), "{text}");
    assert_eq!(text.matches("left out").count(), 1, "one mark, however often it was halved");
    assert_eq!(fitted.shortened, 1, "one text was shortened");
}

#[test]
fn what_can_never_fit_says_so() {
    let history = vec![Message::system("s".repeat(9_000)), Message::user("hi")];
    let fitted = fit(&history, Budget { max_messages: 50, max_tokens: Some(100) }, &estimate_tokens);
    assert!(!fitted.fits);
    assert_eq!(
        fitted.messages[0].joined_text(),
        history[0].joined_text(),
        "the system prompt is never touched"
    );
}

fn any_history() -> impl Strategy<Value = Vec<Message>> {
    ("[uca]{0,30}", 0..400_usize).prop_map(|(letters, length)| history(&letters, length))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    /// AP5: truncation keeps the system prompt, byte for byte, and pairs whole in both directions.
    #[test]
    fn ap5_the_system_prompt_stays_and_pairs_are_whole(
        history in any_history(),
        max_messages in 0..40_usize,
        max_tokens in proptest::option::of(0..3_000_u64),
    ) {
        let budget = Budget { max_messages, max_tokens };
        let fitted = fit(&history, budget, &estimate_tokens);
        prop_assert_eq!(fitted.messages[0].as_ref(), &history[0]);
        let sent: Vec<Message> = fitted.messages.iter().map(|message| message.clone().into_owned()).collect();
        let paired = pair_calls_with_results(&sent);
        prop_assert_eq!((paired.unanswered, paired.uncorrelated), (0, 0));
        // What stays is in order, and nothing was made up.
        let ids: Vec<CallId> = sent.iter().flat_map(Message::call_ids).cloned().collect();
        let all: Vec<CallId> = history.iter().flat_map(Message::call_ids).cloned().collect();
        prop_assert!(all.ends_with(&ids), "{ids:?} is the end of {all:?}");
        if fitted.fits {
            prop_assert!(max_tokens.is_none_or(|most| fitted.tokens <= most));
        }
    }

    /// Fitting again changes nothing, and never makes anything longer.
    #[test]
    fn fitting_is_stable(history in any_history(), max_tokens in 0..3_000_u64, more in any::<bool>()) {
        let budget = Budget { max_messages: if more { 50 } else { 8 }, max_tokens: Some(max_tokens) };
        let once = fit(&history, budget, &estimate_tokens);
        let sent: Vec<Message> = once.messages.iter().map(|message| message.clone().into_owned()).collect();
        let before: u64 = history.iter().map(estimate_tokens).sum();
        prop_assert!(once.tokens <= before);
        let twice = fit(&sent, budget, &estimate_tokens);
        let again: Vec<Message> = twice.messages.iter().map(|message| message.clone().into_owned()).collect();
        if once.fits {
            prop_assert_eq!(again, sent);
        }
    }

    /// Any list of messages, even one no loop would make, is handled.
    #[test]
    fn nothing_panics(roles in vec(0..4_u8, 0..20), limit in 0..50_u64) {
        let messages: Vec<Message> = roles
            .iter()
            .map(|role| {
                let role = [Role::System, Role::User, Role::Assistant, Role::Tool][usize::from(*role)];
                Message::text(role, "some words")
            })
            .collect();
        let fitted = fit(&messages, Budget { max_messages: 3, max_tokens: Some(limit) }, &estimate_tokens);
        prop_assert!(fitted.messages.len() <= messages.len());
    }
}
