//! A turn from a question to its answer (A4.1–A4.6, A6.1).

use std::sync::Arc;

use serde_json::json;
use tata_core::{Block, Message, Refusal, Role, StopReason, ToolChoice, TurnEnd};
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::support::{World, check_requests, kinds, registry, results, tools};

/// A text answer is passed on unchanged; prompt, history and tools go with the question (A2.2, A2.5, A4.1, A4.2).
#[tokio::test(start_paused = true)]
async fn a_question_gets_its_answer() {
    let model = Arc::new(PlannedModel::new("m").on("Hello", [Answer::text("Good day to you.")]));
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    let told = world.say("Hello").await;
    assert_eq!((told.content(), told.end()), ("Good day to you.", &TurnEnd::Answered));
    assert_eq!(told.heard(), "Good day to you.");
    assert_eq!(kinds(&world.records().await), ["user", "reply", "end"]);
    let requests = model.requests();
    assert_eq!(requests[0].tools.len(), 4, "three tools and the one that reads long outputs");
    assert_eq!(requests[0].tool_choice, ToolChoice::Auto);
    check_requests(&model);
}

/// The session's context holds over the conversation (A4.6, A2.5).
#[tokio::test(start_paused = true)]
async fn the_next_turn_knows_the_one_before() {
    let model = Arc::new(
        PlannedModel::new("m")
            .on("One?", [Answer::calls(&[("c1", "look_up", r#"{"what":"one"}"#)]), Answer::text("Uno.")])
            .on("Two?", [Answer::text("Due.")]),
    );
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    world.say("One?").await;
    world.say("Two?").await;
    let last = model.requests().pop().unwrap();
    let roles: Vec<Role> = last.messages.iter().map(|message| message.role).collect();
    let (user, assistant) = (Role::User, Role::Assistant);
    assert_eq!(roles, [Role::System, user, assistant, Role::Tool, assistant, user]);
    check_requests(&model);
}

/// Several rounds, several calls in each, in one turn (A4.3, A4.4, A4.5).
#[tokio::test(start_paused = true)]
async fn several_rounds_of_several_calls() {
    let runs = Runs::default();
    let plan = [
        Answer::calls(&[
            ("a", "look_up", r#"{"what":"a"}"#),
            ("b", "write_profile", r#"{"what":"b"}"#),
            ("c", "send_invite", r#"{"what":"c"}"#),
        ]),
        Answer::calls(&[("d", "look_up", r#"{"what":"d"}"#)]),
        Answer::text("Done."),
    ];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry(tools(&runs))).await;
    let told = world.say("Go").await;
    assert_eq!((told.content(), told.end()), ("Done.", &TurnEnd::Answered));
    let messages = world.messages().await;
    let ids: Vec<String> = results(&messages).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, ["a", "b", "c", "d"]);
    assert_eq!(runs.total(), 4);
    assert_eq!(world.artifact_count().await, 1);
    check_requests(&model);
    let expected = json!({"tool": "look_up", "what": "a"}).to_string();
    assert_eq!(results(&messages)[0], ("a".to_owned(), expected, false));
}

/// How a model ends its answer is how the turn ends; the text stays (A5.3).
#[tokio::test(start_paused = true)]
async fn an_answer_that_ended_otherwise_is_typed_and_kept() {
    let cases = [
        (StopReason::MaxTokens, TurnEnd::Incomplete { reason: StopReason::MaxTokens }),
        (StopReason::ContentFilter, TurnEnd::Incomplete { reason: StopReason::ContentFilter }),
        (StopReason::ContextWindow, TurnEnd::Incomplete { reason: StopReason::ContextWindow }),
        (StopReason::Refusal, TurnEnd::Refused),
        (StopReason::StopSequence, TurnEnd::Answered),
        (StopReason::Other, TurnEnd::Answered),
    ];
    for (reason, end) in cases {
        let model = Arc::new(PlannedModel::new("m").on("Hello", [Answer::text("So far").stopped(reason)]));
        let world = World::new(&model, registry([])).await;
        let told = world.say("Hello").await;
        assert_eq!((told.content(), told.end()), ("So far", &end));
        assert_eq!(told.report().stop_reason, Some(reason));
        assert_eq!(told.report().error.as_deref(), end.for_user(), "{reason:?}");
        assert_eq!(world.messages().await.last().unwrap().joined_text(), "So far");
    }
}

/// A refusal in words is heard, kept, and ends the turn as refused.
#[tokio::test(start_paused = true)]
async fn a_refusal_is_heard() {
    let words = Block::Refusal(Refusal { text: "I would rather not.".into(), item_id: None });
    let answer = Answer::say(vec![words.clone()]).stopped(StopReason::Refusal);
    let model = Arc::new(PlannedModel::new("m").on("Hello", [answer]));
    let world = World::new(&model, registry([])).await;
    let told = world.say("Hello").await;
    assert_eq!((told.end(), told.heard().as_str()), (&TurnEnd::Refused, "I would rather not."));
    assert_eq!(world.messages().await.last().unwrap().blocks[..], [words]);
}

/// A refusal with calls runs none of them, and the next request is whole.
#[tokio::test(start_paused = true)]
async fn a_refusal_with_calls_runs_nothing() {
    for reason in [StopReason::Refusal, StopReason::ContentFilter, StopReason::ContextWindow] {
        let runs = Runs::default();
        let answer = Answer::calls(&[("c", "send_invite", r#"{"what":"x"}"#)]).stopped(reason);
        let model = Arc::new(PlannedModel::new("m").on("Hello", [answer]).on("And?", [Answer::text("Yes.")]));
        let world = World::new(&model, registry(tools(&runs))).await;
        assert_ne!(world.say("Hello").await.end(), &TurnEnd::Answered, "{reason:?}");
        assert_eq!(world.say("And?").await.content(), "Yes.");
        assert_eq!(runs.total(), 0, "{reason:?}");
        check_requests(&model);
    }
}

/// A provider that pauses is asked again with what it said, and its words stay.
#[tokio::test(start_paused = true)]
async fn a_paused_answer_goes_on() {
    let plan = [Answer::text("First half,").stopped(StopReason::PauseTurn), Answer::text("second half.")];
    let model = Arc::new(PlannedModel::new("m").on("Hello", plan));
    let world = World::new(&model, registry([])).await;
    let told = world.say("Hello").await;
    assert_eq!(told.end(), &TurnEnd::Answered);
    assert_eq!(model.requests()[1].messages.last().unwrap().joined_text(), "First half,");
    let said: Vec<String> = world.messages().await.iter().skip(2).map(Message::joined_text).collect();
    assert_eq!(said, ["First half,", "second half."]);
}

/// An answer of no words is no answer: the report says so.
#[tokio::test(start_paused = true)]
async fn an_empty_answer_is_an_error_in_the_report() {
    for answer in [Answer::text("  \n"), Answer::say(Vec::new())] {
        let model = Arc::new(PlannedModel::new("m").on("Hello", [answer]));
        let world = World::new(&model, registry([])).await;
        let told = world.say("Hello").await;
        assert!(told.report().error.is_some(), "{told:?}");
    }
}
