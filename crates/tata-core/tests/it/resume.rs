//! Killed anywhere, a turn goes on: nothing acknowledged is lost, no finished step is repeated, no uncertain step is
//! repeated silently (ADR 5, pains 2, 11, 17).

use std::{collections::BTreeSet, future::poll_fn, sync::Arc, task::Poll, time::Duration};

use futures_util::StreamExt;
use proptest::{
    collection::vec,
    prelude::{Just, Strategy, any, prop_oneof, proptest},
};
use tata_core::{
    Batch, Decision, Effect, Entry, Event, EventStream, Input, Message, NewSession, QuestionReason, Record,
    Store, ToolStatus, TurnEnd,
};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::{
    shaky::ShakyStore,
    support::{Told, World, check_request, choice, moment, registry, results, told, tools},
};

/// One planned call: which tool, and whether its arguments are good.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Good(&'static str),
    Fails(&'static str),
    Invalid(&'static str),
    Unknown,
}

type Plan = Vec<Vec<Kind>>;

fn plans() -> impl Strategy<Value = Plan> {
    let tool = prop_oneof![Just("look_up"), Just("write_profile"), Just("send_invite")];
    let call = (tool, any::<u8>()).prop_map(|(tool, dice)| match dice % 10 {
        0 | 1 => Kind::Fails(tool),
        2 => Kind::Invalid(tool),
        3 => Kind::Unknown,
        _ => Kind::Good(tool),
    });
    vec(vec(call, 1..4), 1..5)
}

/// The plan as a model: every call has its own id and arguments.
fn model(plan: &Plan) -> Arc<PlannedModel> {
    let mut answers: Vec<Answer> = plan
        .iter()
        .enumerate()
        .map(|(round, calls)| {
            let calls: Vec<(String, String, String)> = calls
                .iter()
                .enumerate()
                .map(|(at, kind)| {
                    let id = format!("r{round}c{at}");
                    let (tool, arguments) = match kind {
                        Kind::Good(tool) => (*tool, format!(r#"{{"what":"{id}"}}"#)),
                        Kind::Fails(tool) => (*tool, format!(r#"{{"what":"{id}","fail":true}}"#)),
                        Kind::Invalid(tool) => (*tool, format!(r#"{{"what":{round}{at}}}"#)),
                        Kind::Unknown => ("sing", format!(r#"{{"what":"{id}"}}"#)),
                    };
                    (id, tool.to_owned(), arguments)
                })
                .collect();
            Answer::calls(&calls)
        })
        .collect();
    answers.push(Answer::text("That is all."));
    Arc::new(PlannedModel::new("m").on("Go", answers))
}

/// What a turn leaves behind.
#[derive(Debug, PartialEq)]
struct Left {
    messages: Vec<Message>,
    end: Option<TurnEnd>,
    artifacts: usize,
}

async fn left(world: &World) -> Left {
    let conversation = world.conversation().await;
    Left {
        messages: conversation.messages().to_vec(),
        end: conversation.last_end().cloned(),
        artifacts: world.artifact_count().await,
    }
}

/// The calls that a journal says are finished.
fn finished(records: &[Record]) -> BTreeSet<String> {
    let done = records.iter().filter_map(|record| match &record.entry {
        Entry::ToolFinished { result, .. } => Some(result.call_id.to_string()),
        _ => None,
    });
    done.collect()
}

fn started_outward(records: &[Record]) -> BTreeSet<String> {
    let started = records.iter().filter_map(|record| match &record.entry {
        Entry::ToolStarted { call_id, effect: Effect::Outward, .. } => Some(call_id.to_string()),
        _ => None,
    });
    started.collect()
}

/// Lets an interrupted turn go on to its end. A person answers what is asked: run it where it had not happened, take
/// it as done where it had. Says which calls were taken as done.
async fn go_on(world: &World, runs: &Runs) -> (Told, BTreeSet<String>) {
    let mut done = BTreeSet::new();
    let before = world.records().await;
    let uncertain: BTreeSet<String> =
        started_outward(&before).difference(&finished(&before)).cloned().collect();
    let mut told = world.run(Input::Resume).await;
    while told.waits() {
        let questions = world.conversation().await.questions().to_vec();
        assert!(!questions.is_empty(), "it waits for something");
        let mut decisions = Vec::new();
        for question in questions {
            let id = question.call_id.to_string();
            assert_eq!(question.reason, QuestionReason::Uncertain);
            assert!(uncertain.contains(&id), "only what had started is in question: {id}");
            if runs.of(&id) > 0 {
                done.insert(id);
                decisions.push((question.call_id, Decision::Done));
            } else {
                decisions.push((question.call_id, Decision::Run));
            }
        }
        told = world.decide(decisions).await;
    }
    (told, done)
}

/// The messages are those of the undisturbed run, apart from confirmations where a person said "done".
fn check_left(mut got: Left, undisturbed: &Left, done: &BTreeSet<String>) {
    let mut expected = undisturbed.messages.clone();
    let pairs =
        got.messages.iter_mut().zip(&mut expected).flat_map(|(a, b)| a.blocks.iter_mut().zip(&mut b.blocks));
    for (a, b) in pairs {
        if let (tata_core::Block::ToolResult(a), tata_core::Block::ToolResult(b)) = (a, b)
            && done.contains(a.call_id.as_str())
        {
            assert!(a.joined_text().contains("confirmed"), "{}", a.joined_text());
            *a = b.clone();
        }
    }
    assert_eq!(got.messages, expected);
    assert_eq!(got.end, undisturbed.end);
    assert_eq!(got.artifacts, undisturbed.artifacts, "no document twice, none missing");
}

/// Polls once.
async fn step(stream: &mut EventStream) -> Poll<Option<Event>> {
    poll_fn(|context| Poll::Ready(stream.poll_next_unpin(context))).await
}

async fn undisturbed(plan: &Plan) -> (Vec<Batch>, Left, usize) {
    let store = ShakyStore::new();
    let model = model(plan);
    let world = World::with(store.clone(), vec![choice(&model)], registry(tools(&Runs::default()))).await;
    let mut stream = world.turn(Input::say("Go"));
    let mut polls = 0;
    loop {
        polls += 1;
        match step(&mut stream).await {
            Poll::Ready(None) => break,
            Poll::Ready(Some(_)) => {}
            Poll::Pending => tokio::task::yield_now().await,
        }
    }
    (store.batches(), left(&world).await, polls)
}

/// A store that holds the first records of a journal, and what belongs to them.
async fn world_of(batches: &[Batch], plan: &Plan, runs: &Runs) -> (World, Arc<PlannedModel>) {
    let model = model(plan);
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let world = World::with(Arc::clone(&store), vec![choice(&model)], registry(tools(runs))).await;
    let begun = store.begin(world.session, Duration::from_secs(30)).await.unwrap();
    for batch in batches {
        store.append(&begun.lease, Batch { release: false, ..batch.clone() }).await.unwrap();
    }
    store.release(&begun.lease).await.unwrap();
    (world, model)
}

/// Every prefix of whole batches is a state that a kill can leave.
async fn check_every_prefix(plan: Plan) {
    let (batches, expected, _) = undisturbed(&plan).await;
    assert!(matches!(expected.end, Some(TurnEnd::Answered | TurnEnd::Limit { .. })), "{:?}", expected.end);
    for length in 1..=batches.len() {
        let runs = Runs::default();
        let (world, model) = world_of(&batches[..length], &plan, &runs).await;
        let before = world.records().await;
        let (told, done) = go_on(&world, &runs).await;
        assert!(done.is_empty(), "nothing had happened in this universe");
        assert_eq!(told.report().turn_number, 1);
        check_left(left(&world).await, &expected, &done);
        for id in finished(&before) {
            assert_eq!(runs.of(&id), 0, "{id} was finished and ran again");
        }
        model.requests().iter().for_each(|request| check_request(request));
        assert!(runs.all().values().all(|times| *times == 1), "{:?}", runs.all());
    }
}

/// Every prefix of single records: no store leaves these, but the fold must not depend on that.
async fn check_every_record(plan: Plan) {
    let (batches, expected, _) = undisturbed(&plan).await;
    let records: Vec<Record> = batches.iter().flat_map(|batch| batch.records.clone()).collect();
    for length in 1..=records.len() {
        let runs = Runs::default();
        let one = Batch { records: records[..length].to_vec(), ..Batch::default() };
        let (world, _) = world_of(&[one], &plan, &runs).await;
        let (_, done) = go_on(&world, &runs).await;
        let got = left(&world).await;
        check_left(Left { artifacts: expected.artifacts, ..got }, &expected, &done);
        for id in finished(&records[..length]) {
            assert_eq!(runs.of(&id), 0, "{id} was finished and ran again");
        }
    }
}

/// Dropped after every poll, and so at every await.
async fn check_every_await(plan: Plan, stride: usize) {
    let (_, expected, polls) = undisturbed(&plan).await;
    for crash in (1..polls).step_by(stride.max(1)) {
        let runs = Runs::default();
        let model = model(&plan);
        let store = ShakyStore::new();
        let world = World::with(store.clone(), vec![choice(&model)], registry(tools(&runs))).await;
        let mut stream = world.turn(Input::say("Go"));
        let mut acknowledged = false;
        for _ in 0..crash {
            match step(&mut stream).await {
                Poll::Ready(Some(Event::TurnStarted { .. })) => acknowledged = true,
                Poll::Ready(_) => {}
                Poll::Pending => tokio::task::yield_now().await,
            }
        }
        drop(stream);
        // The lease of the dead runs out.
        tokio::time::sleep(Duration::from_secs(31)).await;
        let before = world.records().await;
        if before.is_empty() {
            assert!(!acknowledged, "an acknowledged message is never lost");
            continue;
        }
        let effects = runs.all();
        let (_, done) = go_on(&world, &runs).await;
        check_left(left(&world).await, &expected, &done);
        for id in finished(&before) {
            assert_eq!(
                runs.of(&id),
                effects.get(&id).copied().unwrap_or(0),
                "{id} was finished and ran again"
            );
        }
        for (id, times) in runs.all() {
            let outward = plan_tool(&plan, &id) == "send_invite";
            assert!(times == 1 || !outward, "{id} changed the world {times} times");
        }
    }
}

fn plan_tool(plan: &Plan, id: &str) -> &'static str {
    let (round, call) = id.trim_start_matches('r').split_once('c').unwrap();
    let (round, call): (usize, usize) = (round.parse().unwrap(), call.parse().unwrap());
    match plan[round][call] {
        Kind::Good(tool) | Kind::Fails(tool) | Kind::Invalid(tool) => tool,
        Kind::Unknown => "sing",
    }
}

fn in_paused_time(test: impl Future<Output = ()>) {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    runtime.block_on(test);
}

proptest! {
    /// Kill after any durable write (pains 2, 11, 17): resumed, the turn ends as if nothing had happened.
    #[test]
    fn killed_after_any_write_a_turn_ends_the_same(plan in plans()) {
        in_paused_time(check_every_prefix(plan));
    }

    /// The same for every single journal position.
    #[test]
    fn killed_at_any_journal_position_a_turn_ends_the_same(plan in plans()) {
        in_paused_time(check_every_record(plan));
    }

    /// Dropped at any await, with real effects counted (pains 11, 17).
    #[test]
    fn dropped_at_any_await_a_turn_ends_the_same(plan in plans(), stride in 1_usize..8) {
        in_paused_time(check_every_await(plan, stride));
    }
}

fn start_of_the_tool(batches: &[Batch]) -> usize {
    let starts =
        |batch: &Batch| batch.records.iter().any(|record| matches!(record.entry, Entry::ToolStarted { .. }));
    batches.iter().position(starts).unwrap()
}

/// What a person says about an uncertain step is what the model reads.
#[tokio::test(start_paused = true)]
async fn a_person_decides_about_an_uncertain_step() {
    let plan = vec![vec![Kind::Good("send_invite")]];
    let (batches, ..) = undisturbed(&plan).await;
    let cut = start_of_the_tool(&batches);
    for (decision, ran, status) in [
        (Decision::Run, 1, ToolStatus::Succeeded),
        (Decision::Done, 0, ToolStatus::TakenAsDone),
        (Decision::Refuse, 0, ToolStatus::Uncertain),
    ] {
        let runs = Runs::default();
        let (world, _) = world_of(&batches[..=cut], &plan, &runs).await;
        let told = world.run(Input::Resume).await;
        assert!(told.waits() && runs.total() == 0, "{told:?}");
        assert!(
            told.0.iter().any(|event| matches!(event, Event::TurnStarted { resumed: true, turn: 1, .. }))
        );
        assert!(world.run(Input::Resume).await.waits(), "it waits as long as it takes");
        let waits = world
            .records()
            .await
            .iter()
            .filter(|record| matches!(record.entry, Entry::Waiting { .. }))
            .count();
        assert_eq!(waits, 1, "asked once");
        let decisions = vec![("r0c0".into(), decision)];
        let told = world.decide(decisions).await;
        assert_eq!((told.content(), runs.total()), ("That is all.", ran));
        assert_eq!(told.statuses(), [("r0c0".to_owned(), status.as_str())]);
        assert_eq!(results(&world.messages().await)[0].2, decision == Decision::Refuse);
        let trail = world.store.audit_trail().await.unwrap();
        assert_eq!(trail.len(), 1, "a decision has one entry: {trail:?}");
        let (actor, action, detail) = (&*trail[0].actor, &*trail[0].action, &*trail[0].detail);
        assert_eq!((actor, action), ("anna", "tool.decided"));
        assert!(detail.starts_with(&format!("send_invite r0c0 {}", decision.as_str())), "{detail}");
    }
}

/// An uncertain step stays one when the tool is gone from the agent: nobody may be told that it never was.
#[tokio::test(start_paused = true)]
async fn an_uncertain_step_of_a_tool_that_is_gone_still_needs_a_person() {
    let plan = vec![vec![Kind::Good("send_invite")]];
    let (batches, ..) = undisturbed(&plan).await;
    let cut = start_of_the_tool(&batches);
    let (world, _) = world_of(&batches[..=cut], &plan, &Runs::default()).await;
    let world = world.but(|parts| parts.tools = parts.tools.select(["look_up"]).unwrap());
    let told = world.run(Input::Resume).await;
    assert!(told.waits(), "{:?}", told.report().outcome);
}

/// A new question finishes the interrupted turn first, then is answered itself.
#[tokio::test(start_paused = true)]
async fn a_new_question_finishes_the_interrupted_turn_first() {
    let plan = vec![vec![Kind::Good("look_up")]];
    let (batches, expected, _) = undisturbed(&plan).await;
    let (world, _) = world_of(&batches[..2], &plan, &Runs::default()).await;
    let told = world.say("And now?").await;
    assert_eq!((told.report().turn_number, told.content()), (2, "I have nothing planned."));
    let messages = world.messages().await;
    assert_eq!(messages[..expected.messages.len()], expected.messages);
    assert_eq!(messages.len(), expected.messages.len() + 2);
    assert!(!world.row().await.open_turn);
}

/// Resuming where nothing is open changes nothing and tells the last answer.
#[tokio::test(start_paused = true)]
async fn resuming_a_finished_turn_changes_nothing() {
    let plan = vec![vec![Kind::Good("look_up")]];
    let (batches, expected, _) = undisturbed(&plan).await;
    let (world, model) = world_of(&batches, &plan, &Runs::default()).await;
    for _ in 0..2 {
        let told = world.run(Input::Resume).await;
        assert_eq!((told.content(), told.end()), ("That is all.", &TurnEnd::Answered));
        assert_eq!(left(&world).await, expected);
    }
    assert!(model.requests().is_empty());
}

/// Where there is no session, or nothing was said in it, the turn says so and ends.
#[tokio::test(start_paused = true)]
async fn nothing_to_resume() {
    let (mut world, _) = world_of(&[], &vec![], &Runs::default()).await;
    assert_eq!(world.run(Input::Resume).await.report().turn_number, 0);
    world.session = NewSession::with("tata", moment()).id;
    let told = told(world.turn(Input::say("Go"))).await;
    assert_eq!(told.broken(), Some("not_found"));
    assert!(told.report().error.is_some());
}
