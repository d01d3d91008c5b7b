//! What a face does for clients that keep a conversation themselves: branches, results and histories that they bring, and
//! turns that begin only where the client's history ends.

use std::sync::Arc;

use tata_core::{
    Block, CallId, Conversation, Effect, Entry, Input, MOVED_ON, Message, NewSession, PastStep, Role,
    SessionId, ToolCall, TurnEnd, fork, take_over,
};
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};

use crate::support::{World, check_requests, kinds, moment, registry, results, tools};

const X: &str = r#"{"what":"x"}"#;

/// A world in which an invitation waits for a yes.
async fn waiting(runs: &Runs) -> (World, Arc<PlannedModel>) {
    let plan = [Answer::calls(&[("p", "write_profile", X), ("b", "send_invite", X)]), Answer::text("Done.")];
    let model = PlannedModel::new("m").on("Go", plan).on("Else", [Answer::text("Something else.")]);
    let model = Arc::new(model);
    let mut tools = tools(runs);
    tools[2].spec.needs_approval = true;
    let world = World::new(&model, registry(tools)).await;
    assert!(world.say("Go").await.waits());
    (world, model)
}

/// The same world with another session.
fn at(world: &World, session: SessionId) -> World {
    World { session, ..world.clone() }
}

#[tokio::test(start_paused = true)]
async fn a_turn_begins_only_where_the_journal_was_seen_to_end() {
    let (world, model) = waiting(&Runs::default()).await;
    let position = world.row().await.last_position;
    let before = model.requests().len();
    let after = |position| Input::After { position, input: Box::new(Input::Instead(Message::user("Else"))) };
    let late = world.run(after(position - 1)).await;
    assert_eq!(late.broken(), Some(MOVED_ON));
    assert!(!late.report().accepted);
    assert_eq!((world.row().await.last_position, model.requests().len()), (position, before));
    // Somebody who holds the session will have gone on when they are done; nobody waits for that.
    let begun = world.store.begin(world.session, std::time::Duration::from_mins(5)).await.unwrap();
    assert_eq!(world.run(after(position)).await.broken(), Some(MOVED_ON));
    world.store.release(&begun.lease).await.unwrap();
    assert_eq!(world.run(after(position)).await.content(), "Something else.");
    check_requests(&model);
}

#[tokio::test(start_paused = true)]
async fn what_waits_is_given_up_by_saying_something_else() {
    let runs = Runs::default();
    let (world, model) = waiting(&runs).await;
    let before = model.requests().len();
    let told = world.run(Input::Instead(Message::user("Else"))).await;
    assert_eq!((told.content(), told.report().turn_number), ("Something else.", 2));
    assert_eq!(runs.of("b"), 0, "it did not run");
    assert_eq!(model.requests().len(), before + 1, "nobody was asked about the first turn again");
    let ends = world.records().await.into_iter().filter_map(|record| match record.entry {
        Entry::TurnFinished { turn, end, .. } => Some((turn, end)),
        _ => None,
    });
    assert_eq!(ends.collect::<Vec<_>>(), [(1, TurnEnd::Cancelled), (2, TurnEnd::Answered)]);
    check_requests(&model);
}

#[tokio::test(start_paused = true)]
async fn a_question_that_is_put_again_stands_in_the_journal_again() {
    let (world, model) = waiting(&Runs::default()).await;
    let (row, before) = (world.row().await, model.requests().len());
    let told = world.run(Input::AskAgain).await;
    assert!(told.waits());
    assert_eq!(kinds(&world.store.records(world.session, row.last_position).await.unwrap()), ["waiting"]);
    assert_eq!(model.requests().len(), before);
    assert_eq!(world.conversation().await.questions().len(), 1);
}

/// What a client brings is a result as it is: its tool does not run here, and its schema is the client's to keep.
#[tokio::test(start_paused = true)]
async fn results_that_a_client_brings_are_taken_as_they_are() {
    let runs = Runs::default();
    let plan =
        [Answer::calls(&[("a", "theirs", X), ("b", "theirs", r#"{"what":"y"}"#)]), Answer::text("Done.")];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let theirs = CountingTool::new("theirs", Effect::Outward, &runs).with(|spec| spec.needs_approval = true);
    let world = World::new(&model, registry([theirs])).await;
    assert!(world.say("Go").await.waits());
    // The next request does not describe the tool any more.
    let world = world.but(|parts| parts.tools = registry([]));
    let told =
        world.run(Input::Results(vec![("a".into(), Some("7 degrees".to_owned())), ("b".into(), None)]));
    assert_eq!(told.await.content(), "Done.");
    let results = results(&world.messages().await);
    assert_eq!(results[0], ("a".to_owned(), "7 degrees".to_owned(), false));
    assert!(results[1].2, "nobody brought it: {results:?}");
    assert_eq!((runs.total(), world.conversation().await.questions().len()), (0, 0));
    check_requests(&model);
}

/// A branch has what its part of the journal tells of, and what happens there stays there.
#[tokio::test(start_paused = true)]
async fn a_branch_holds_its_part_of_the_journal_and_its_documents() {
    let runs = Runs::default();
    let (world, model) = waiting(&runs).await;
    let row = world.row().await;
    let new = || NewSession::with("tata", moment());
    let branch = fork(world.store.as_ref(), &row, row.last_position, new()).await.unwrap();
    assert_eq!((branch.last_position, branch.open_turn), (row.last_position, true));
    let branch = at(&world, branch.id);
    assert_eq!((branch.artifact_count().await, branch.conversation().await.questions().len()), (1, 1));
    assert_eq!(branch.messages().await, world.messages().await);
    let told = branch.run(Input::Instead(Message::user("Else"))).await;
    assert_eq!(told.content(), "Something else.");
    assert_eq!(world.row().await, row, "the other one is as it was");
    let start = fork(world.store.as_ref(), &row, 1, new()).await.unwrap();
    let start = at(&world, start.id);
    assert_eq!((start.row().await.last_position, start.artifact_count().await), (1, 0));
    check_requests(&model);
    assert_eq!(world.store.verify().await.unwrap().damages, []);
}

/// A history that is brought becomes a conversation that any model can be asked with.
#[test]
fn a_history_is_taken_over_with_its_calls_and_results() {
    let said = |text: &str| PastStep::Said(Message::user(text));
    let answer = |text: &str, calls: &[&str]| {
        let mut blocks = vec![Block::text(text)];
        let call = |id: &&str| Block::ToolCall(ToolCall::function(*id, "theirs", X));
        blocks.extend(calls.iter().map(call));
        PastStep::Answered(Message { role: Role::Assistant, blocks: blocks.into(), origin: None })
    };
    let brought = |id: &str| PastStep::Brought(vec![(CallId::from(id), "7 degrees".to_owned())]);
    let steps = [
        answer("A greeting answers nothing.", &[]),
        said("one"),
        answer("Let me look.", &["a", "b"]),
        brought("a"),
        brought("nobody asked"),
        answer("It is 7 degrees.", &[]),
        said("two"),
        said("three"),
        answer("Again.", &["c", "d"]),
    ];
    let taken = || take_over(Conversation::new(""), &steps, moment());
    let fold = |records: &[tata_core::Record]| Conversation::fold("", records);
    let records = taken().closed();
    let closed = fold(&records);
    assert_eq!((closed.open_turn(), closed.last_turn()), (None, 3));
    let open = results(closed.messages());
    let open: Vec<(&str, bool)> = open.iter().map(|(id, _, is_error)| (id.as_str(), *is_error)).collect();
    assert_eq!(open, [("a", false), ("b", true), ("c", true), ("d", true)]);
    assert!(records.iter().zip(1..).all(|(record, position)| record.position == position));
    let waiting = fold(&taken().waiting(&[CallId::from("d")]));
    let asked: Vec<&str> = waiting.questions().iter().map(|question| question.call_id.as_str()).collect();
    assert_eq!((waiting.open_turn(), asked), (Some(3), vec!["d"]));
}
