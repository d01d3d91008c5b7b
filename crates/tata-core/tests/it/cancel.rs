//! A person stops a turn: what had arrived is kept, nothing new begins (pains 2, 11).

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use tata_core::{
    Decision, Effect, Entry, Event, Input, QuestionReason, ReplyOutcome, ToolOutput, ToolRegistry, TurnEnd,
    panic_code,
};
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};
use tokio_util::sync::CancellationToken;

use crate::support::{Told, World, check_requests, prompt_invite, registry, results, told, tool, tools};

const X: &str = r#"{"what":"x"}"#;

/// Runs a turn and stops it as soon as an event comes that `when` waits for.
async fn stop_when(world: &World, input: Input, when: impl Fn(&Event) -> bool) -> Told {
    let cancel = CancellationToken::new();
    let mut stream = world.agent().turn(world.session, input, cancel.clone());
    let mut events = Vec::new();
    while let Some(event) = stream.next().await {
        if when(&event) {
            cancel.cancel();
        }
        events.push(event);
    }
    assert!(cancel.is_cancelled(), "it was stopped: {events:?}");
    Told(events)
}

/// Stopped while it speaks: the words that came are in the report, in the journal and in the next request.
#[tokio::test(start_paused = true)]
async fn stopped_while_speaking_the_words_stay() {
    let plan = [Answer::text("One two three four")];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan).on("And?", [Answer::text("Yes.")]));
    let world = World::new(&model, registry([])).await;
    let told = stop_when(
        &world,
        Input::say("Go"),
        |event| matches!(event, Event::TextDelta { text } if text == "two "),
    )
    .await;
    assert_eq!((told.end(), told.content()), (&TurnEnd::Cancelled, "One two "));
    let records = world.records().await;
    let kept = records.iter().any(|record| {
        matches!(&record.entry, Entry::ModelReply { message, outcome: ReplyOutcome::Cancelled, .. } if message.joined_text() == "One two ")
    });
    assert!(kept, "{records:#?}");
    world.say("And?").await;
    let next = model.requests().pop().unwrap();
    assert_eq!(next.messages[2].joined_text(), "One two ");
    check_requests(&model);
    assert_eq!(world.usage().await.len(), 2, "the stopped request has its row");
    assert_eq!(world.usage().await[0].outcome, "cancelled");
}

/// Stopped before the first byte: the question stays, nothing is invented.
#[tokio::test(start_paused = true)]
async fn stopped_before_the_first_byte() {
    let model =
        Arc::new(PlannedModel::new("m").on("Go", [Answer::stalls("")]).on("And?", [Answer::text("Yes.")]));
    let world = World::new(&model, registry([])).await;
    let cancel = CancellationToken::new();
    let stream = world.agent().turn(world.session, Input::say("Go"), cancel.clone());
    let stop = async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        cancel.cancel();
    };
    let (told, ()) = tokio::join!(told(stream), stop);
    assert_eq!((told.end(), told.content()), (&TurnEnd::Cancelled, ""));
    assert!(told.report().error.is_some());
    assert_eq!(world.say("And?").await.content(), "Yes.");
    check_requests(&model);
}

/// Stopped before it began: the words of the person are kept all the same, and no model is asked.
#[tokio::test(start_paused = true)]
async fn stopped_at_once_the_question_is_kept() {
    let model = Arc::new(PlannedModel::new("m"));
    let world = World::new(&model, registry([])).await;
    let cancel = CancellationToken::new();
    cancel.cancel();
    let told = told(world.agent().turn(world.session, Input::say("Go"), cancel)).await;
    assert_eq!(told.end(), &TurnEnd::Cancelled);
    assert_eq!((model.requests().len(), world.messages().await.len()), (0, 2));
}

/// Stopped while tools run: each call is answered, none takes effect, and the turn is over.
#[tokio::test(start_paused = true)]
async fn stopped_while_tools_run() {
    let runs = Runs::default();
    let slow = tools(&runs).into_iter().map(|tool| tool.taking(Duration::from_secs(30)));
    let calls = [("a", "look_up", X), ("b", "write_profile", X), ("c", "send_invite", X)];
    let model =
        Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls)]).on("And?", [Answer::text("Yes.")]));
    let world = World::new(&model, registry(slow)).await;
    let told = stop_when(
        &world,
        Input::say("Go"),
        |event| matches!(event, Event::ToolStarted(start) if start.call_id.as_str() == "c"),
    )
    .await;
    assert_eq!(told.end(), &TurnEnd::Cancelled);
    assert_eq!((runs.total(), model.requests().len()), (0, 1));
    assert!(told.statuses().iter().all(|(_, status)| *status == "cancelled"), "{:?}", told.statuses());
    assert_eq!(world.say("And?").await.content(), "Yes.");
    check_requests(&model);
}

/// A call that waited for another one does not begin after the stop.
#[tokio::test(start_paused = true)]
async fn nothing_begins_after_the_stop() {
    let runs = Runs::default();
    let slow = CountingTool::new("write_profile", Effect::Own, &runs).taking(Duration::from_secs(30));
    let quick = CountingTool::new("write_first", Effect::Own, &runs);
    let registry = ToolRegistry::new([slow.shared(), quick.shared(), prompt_invite(&runs)]).unwrap();
    let plan = [
        Answer::calls(&[("a", "write_first", X)]),
        Answer::calls(&[("b", "write_profile", X), ("c", "send_invite", X)]),
    ];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry).await;
    let told = stop_when(
        &world,
        Input::say("Go"),
        |event| matches!(event, Event::ToolStarted(start) if start.call_id.as_str() == "b"),
    )
    .await;
    assert_eq!(told.end(), &TurnEnd::Cancelled);
    assert_eq!(runs.of("c"), 0, "a tool that changes the world began after the stop: {:?}", told.statuses());
}

/// An outward call whose outcome was never learned: an identical one asks a person first (pain 11).
async fn uncertain(runs: &Runs, plan: Vec<Answer>) -> World {
    let slow = CountingTool::new("send_invite", Effect::Outward, runs).taking(Duration::from_secs(90));
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    World::new(&model, registry([slow])).await
}

fn invite(id: &str, arguments: &str) -> Answer {
    Answer::calls(&[(id, "send_invite", arguments)])
}

/// After a time-out, in any spelling of the same arguments.
#[tokio::test(start_paused = true)]
async fn after_a_time_out_the_same_call_asks_a_person() {
    let runs = Runs::default();
    let plan = vec![
        invite("a", r#"{"what":"x","note":"n"}"#),
        invite("b", r#"{ "note":"n", "what":"x" }"#),
        Answer::text("Done."),
    ];
    let world = uncertain(&runs, plan).await;
    let told = world.say("Go").await;
    assert!(told.waits(), "{:?}", told.statuses());
    let questions = world.conversation().await.questions().to_vec();
    assert_eq!((questions[0].call_id.as_str(), questions[0].reason), ("b", QuestionReason::Uncertain));
}

/// Another call of the same tool is another matter.
#[tokio::test(start_paused = true)]
async fn after_a_time_out_another_call_runs() {
    let runs = Runs::default();
    let plan = vec![invite("a", X), invite("b", r#"{"what":"y"}"#), Answer::text("Done.")];
    let told = uncertain(&runs, plan).await.say("Go").await;
    assert_eq!((told.content(), told.statuses().len()), ("Done.", 2));
}

/// After a stop, in the next turn.
#[tokio::test(start_paused = true)]
async fn after_a_stop_the_same_call_asks_a_person() {
    let runs = Runs::default();
    let world = uncertain(&runs, vec![invite("a", X)]).await;
    stop_when(&world, Input::say("Go"), |event| matches!(event, Event::ToolStarted(_))).await;
    assert!(world.say("Go").await.waits(), "the same call in the next turn");
    assert_eq!(runs.total(), 0);
}

/// A person's no settles nothing about the first call: the next identical one asks again (pain 11).
#[tokio::test(start_paused = true)]
async fn a_refusal_does_not_make_an_uncertain_call_certain() {
    let runs = Runs::default();
    let plan = vec![invite("a", X), invite("b", X), invite("c", X), Answer::text("Done.")];
    let world = uncertain(&runs, plan).await;
    assert!(world.say("Go").await.waits());
    let decisions = vec![("b".into(), Decision::Refuse)];
    let told = world.decide(decisions).await;
    assert!(told.waits(), "it ran without a question: {:?}", told.statuses());
}

/// "It did happen" settles it.
#[tokio::test(start_paused = true)]
async fn taken_as_done_is_settled() {
    let runs = Runs::default();
    let world = uncertain(&runs, vec![invite("a", X), invite("b", X), Answer::text("Done.")]).await;
    assert!(world.say("Go").await.waits());
    let told = world.decide(vec![("b".into(), Decision::Done)]).await;
    assert_eq!((told.content(), runs.total()), ("Done.", 0));
    assert!(results(&world.messages().await)[1].1.contains("confirmed"));
}

/// No arguments and an empty object are the same call.
#[tokio::test(start_paused = true)]
async fn blank_and_empty_arguments_are_the_same_call() {
    let ring = tool(
        "ring",
        |spec| spec.effect = Effect::Outward,
        |_, _| async {
            tokio::time::sleep(Duration::from_secs(90)).await;
            Ok(ToolOutput::text("rung"))
        },
    );
    let plan =
        [Answer::calls(&[("a", "ring", "")]), Answer::calls(&[("b", "ring", "{}")]), Answer::text("Done.")];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, ToolRegistry::new([ring]).unwrap()).await;
    let told = world.say("Go").await;
    assert!(told.waits(), "it ran again without a question: {:?}", told.statuses());
}

/// A tool that broke down in the middle may have done its work: the same call asks a person first (pain 11).
#[tokio::test(start_paused = true)]
async fn after_a_breakdown_the_same_call_asks_a_person() {
    let runs = Runs::default();
    let sent = runs.clone();
    let broken = CountingTool::new("send_invite", Effect::Outward, &runs).doing(move |_, context| {
        sent.count(context.call_id.as_str());
        panic!("after the effect");
    });
    let plan = [invite("a", X), invite("b", X), Answer::text("Done.")];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let told = World::new(&model, registry([broken])).await.say("Go").await;
    assert!(told.waits(), "it ran again without a question: {:?}", told.statuses());
    // A8.4: a code that the log has, too, and nothing of what went wrong inside.
    let problems = format!("{:?}", told.report().calls.iter().map(|call| &call.problem).collect::<Vec<_>>());
    assert!(
        problems.contains(&panic_code(&"after the effect")) && !problems.contains("effect"),
        "{problems}"
    );
}
