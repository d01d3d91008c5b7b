//! What waits for the store, and what does not (ADR 12): nothing is told, and nothing done to the world, that
//! rests on something which could still be lost.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use serde_json::{Map, Value};
use tata_core::{
    ArtifactKind, Effect, Entry, Event, Input, LackingFuture, Problem, Tool, ToolContext, ToolFuture,
    ToolOutput, ToolRegistry, ToolSpec,
};
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};
use tokio::time::Instant;

use crate::{
    shaky::{ShakyStore, Trouble},
    support::{World, choice, kinds, registry, results, told, tool, tools},
};

const X: &str = r#"{"what":"x"}"#;
/// What one write takes.
const WRITE: Duration = Duration::from_secs(1);

async fn slow_world(answers: Vec<Answer>, tools: ToolRegistry) -> World {
    let model = Arc::new(PlannedModel::new("m").on("Go", answers));
    World::with(ShakyStore::slow(WRITE), vec![choice(&model)], tools).await
}

/// When each event of a turn came, in whole seconds, and what was stored at that moment.
async fn listen(world: &World) -> Vec<(u64, Event, Vec<&'static str>)> {
    let begun = Instant::now();
    let mut events = world.turn(Input::say("Go"));
    let mut heard = Vec::new();
    while let Some(event) = events.next().await {
        heard.push((begun.elapsed().as_secs(), event, kinds(&world.records().await)));
    }
    heard
}

fn first(heard: &[(u64, Event, Vec<&'static str>)], which: fn(&Event) -> bool) -> (u64, Vec<&'static str>) {
    let (at, _, stored) = heard.iter().find(|(_, event, _)| which(event)).unwrap();
    (*at, stored.clone())
}

/// The model thinks while the words it was asked about are being stored, and while a result is.
#[tokio::test(start_paused = true)]
async fn a_model_is_asked_while_its_question_is_stored() {
    let thinks = Duration::from_secs(10);
    let answers =
        vec![Answer::calls(&[("a", "look_up", X)]).after(thinks), Answer::text("Done.").after(thinks)];
    let world = slow_world(answers, registry(tools(&Runs::default()))).await;
    let heard = listen(&world).await;
    assert_eq!(first(&heard, |event| matches!(event, Event::TurnStarted { .. })), (1, vec!["user"]));
    // Two more writes, that of the call and that of its result, while the model thinks already.
    let stored = vec!["user", "reply", "started", "finished"];
    assert_eq!(first(&heard, |event| matches!(event, Event::ToolFinished(_))), (12, stored.clone()));
    assert_eq!(first(&heard, |event| matches!(event, Event::TextDelta { .. })), (20, stored));
    // Twice ten seconds of thinking, and the one write that nothing could be done during.
    let (end, stored) = first(&heard, |event| matches!(event, Event::Finished(_)));
    assert_eq!((end, stored.last()), (21, Some(&"end")));
}

/// A model that is faster than the store is heard only after it: nothing is told that could still be lost.
#[tokio::test(start_paused = true)]
async fn what_is_told_is_stored() {
    let calls = [("a", "look_up", X), ("b", "write_profile", X), ("c", "send_invite", X)];
    let world =
        slow_world(vec![Answer::calls(&calls), Answer::text("Done.")], registry(tools(&Runs::default())))
            .await;
    let heard = listen(&world).await;
    let (mut started, mut finished) = (0, 0);
    for (_, event, stored) in &heard {
        let count = |kind: &str| stored.iter().filter(|stored| **stored == kind).count();
        let (user, replies) = (count("user"), count("reply"));
        match event {
            Event::TurnStarted { .. } | Event::ModelAsked { .. } => assert_eq!(user, 1, "{event:?}"),
            Event::ToolStarted(_) => started += 1,
            Event::ToolFinished(_) => finished += 1,
            Event::Artifact { .. } => assert_eq!(count("artifact"), 1),
            Event::TextDelta { .. } => assert!(replies > 0 && count("finished") == 3),
            Event::Finished(_) => assert_eq!((replies, count("end")), (2, 1)),
            _ => {}
        }
        assert!(count("started") >= started && count("finished") >= finished, "{event:?}: {stored:?}");
    }
    assert_eq!((started, finished), (3, 3));
}

/// A whole turn that is faster than the store waits for two writes: of what it rests on, and of all that came of it.
#[tokio::test(start_paused = true)]
async fn a_quick_turn_is_stored_in_two_writes() {
    let store = ShakyStore::slow(WRITE);
    let answers = [Answer::calls(&[("a", "look_up", X)]), Answer::text("Done.")];
    let model = Arc::new(PlannedModel::new("m").on("Go", answers));
    let tools = registry(tools(&Runs::default()));
    let world = World::with(store.clone(), vec![choice(&model)], tools).await;
    let heard = listen(&world).await;
    // Already when the person is told that the turn has started, the model has answered.
    assert_eq!(first(&heard, |event| matches!(event, Event::TurnStarted { .. })), (1, vec!["user"]));
    let (end, stored) = first(&heard, |event| matches!(event, Event::Finished(_)));
    assert_eq!((end, stored.last()), (2, Some(&"end")));
    let batches: Vec<_> = store.batches().iter().map(|batch| kinds(&batch.records)).collect();
    assert_eq!(batches, [vec!["user"], vec!["reply", "started", "finished", "reply", "end"]]);
}

/// A turn does not run far ahead of a store that stands still: what models cost is lost with what they said.
#[tokio::test(start_paused = true)]
async fn a_turn_waits_for_a_store_that_stands_still() {
    let rounds = (0..10).map(|round| {
        Answer::calls(&[(format!("c{round}"), "look_up".to_owned(), format!(r#"{{"what":"{round}"}}"#))])
    });
    let model = Arc::new(PlannedModel::new("m").otherwise(Answer::text("Done.")).on("Go", rounds));
    let world =
        World::with(ShakyStore::slow(WRITE), vec![choice(&model)], registry(tools(&Runs::default()))).await;
    let mut events = world.turn(Input::say("Go"));
    assert!(matches!(events.next().await, Some(Event::TurnStarted { .. })));
    assert_eq!(model.requests().len(), 3);
    assert_eq!(told(events).await.content(), "Done.");
}

/// When what the person said cannot be stored, nothing is told of what came of it, though the model has answered.
#[tokio::test(start_paused = true)]
async fn what_could_not_be_stored_is_not_told() {
    for at in [1, 2] {
        let store = ShakyStore::failing_slowly(WRITE, at, Trouble::Unavailable);
        let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::text("Done.")]));
        let world = World::with(store, vec![choice(&model)], registry([])).await;
        let told = world.say("Go").await;
        assert_eq!((told.broken(), model.requests().len()), (Some("store_unavailable"), 1));
        let said = told.count(|event| matches!(event, Event::TextDelta { .. }));
        assert_eq!(
            (told.0.len() > 1, said > 0, told.report().accepted),
            (at > 1, at > 1, at > 1),
            "{told:?}"
        );
    }
}

/// A tool that takes its time is told of when it starts, not when it ends.
#[tokio::test(start_paused = true)]
async fn a_slow_tool_is_told_of_while_it_runs() {
    let slow = CountingTool::new("look_up", Effect::Read, &Runs::default()).taking(Duration::from_secs(30));
    let world =
        slow_world(vec![Answer::calls(&[("a", "look_up", X)]), Answer::text("Done.")], registry([slow]))
            .await;
    let heard = listen(&world).await;
    assert_eq!(
        first(&heard, |event| matches!(event, Event::ToolStarted(_))),
        (2, vec!["user", "reply", "started"])
    );
    // It ran from the beginning on.
    assert_eq!(first(&heard, |event| matches!(event, Event::ToolFinished(_))).0, 31);
}

/// What changes the world runs when its beginning is stored, and not a moment before.
#[tokio::test(start_paused = true)]
async fn an_outward_step_is_stored_before_it_runs() {
    let store = ShakyStore::slow(WRITE);
    let seen = Arc::clone(&store);
    let send = CountingTool::new("send_invite", Effect::Outward, &Runs::default()).doing(move |_, context| {
        let batches = seen.batches();
        let mut records = batches.iter().flat_map(|batch| &batch.records);
        let known = records.any(
            |record| matches!(&record.entry, Entry::ToolStarted { call_id, .. } if *call_id == context.call_id),
        );
        Ok(ToolOutput::text(known.to_string()))
    });
    let look_up = CountingTool::new("look_up", Effect::Read, &Runs::default());
    let calls = [("a", "look_up", X), ("b", "send_invite", X)];
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]));
    let world = World::with(store, vec![choice(&model)], registry([look_up, send])).await;
    world.say("Go").await;
    assert_eq!(results(&world.messages().await)[1].1, "true");
}

/// A tool that needs what another one made finds it in the store, however slow the store is.
#[tokio::test(start_paused = true)]
async fn a_tool_finds_what_the_one_before_it_made() {
    let kind = || ArtifactKind::new(CountingTool::KIND);
    let read = tool(
        "read_profile",
        |spec| spec.requires = vec![kind()],
        move |_, context| async move {
            let found = context.artifact(&kind(), "x").await.unwrap();
            Ok(ToolOutput::text(found.map_or("nothing".to_owned(), |found| found.version.to_string())))
        },
    );
    let write = CountingTool::new("write_profile", Effect::Own, &Runs::default()).shared();
    let calls = [("a", "write_profile", X), ("b", "read_profile", X)];
    let world = slow_world(
        vec![Answer::calls(&calls), Answer::text("Done.")],
        ToolRegistry::new([write, read]).unwrap(),
    )
    .await;
    world.say("Go").await;
    assert_eq!(results(&world.messages().await)[1].1, "1");
}

/// What is done is stored and told while others still work, however many writes that takes.
#[tokio::test(start_paused = true)]
async fn a_result_does_not_wait_for_another_tool() {
    let quick = |name| tool(name, |_| {}, |_, _| async { Ok(ToolOutput::text("at once")) });
    let slow = CountingTool::new("slow", Effect::Read, &Runs::default()).taking(Duration::from_secs(30));
    let tools = ToolRegistry::new([quick("one"), quick("two"), slow.shared()]).unwrap();
    let calls = [("a", "one", "{}"), ("b", "two", "{}"), ("c", "slow", X)];
    let model =
        Arc::new(PlannedModel::new("m").otherwise(Answer::text("Done.")).on("Go", [Answer::calls(&calls)]));
    let memory = World::new(&model, tools.clone()).await;
    let on_disk = World::with(ShakyStore::slow(WRITE), vec![choice(&model)], tools).await;
    for (world, latest) in [(memory, 0), (on_disk, 4)] {
        let heard = listen(&world).await;
        let told: Vec<u64> = heard
            .iter()
            .filter_map(|(at, event, _)| matches!(event, Event::ToolFinished(_)).then_some(*at))
            .collect();
        assert!(told.len() == 3 && told[1] <= latest && told[2] >= 30, "{told:?}");
    }
}

/// A document that one result brings and the next outdates is out of date, also if both are there at the same time.
#[tokio::test(start_paused = true)]
async fn what_is_made_and_outdated_at_once_is_outdated() {
    let kind = || ArtifactKind::new("Ad");
    for first in ["make", "outdate"] {
        let look = tool("look", |_| {}, |_, _| async { Ok(ToolOutput::text("seen")) });
        let make = tool(
            "make",
            |_| {},
            move |_, _| async move { Ok(ToolOutput::artifact(kind(), "", &serde_json::json!({}))) },
        );
        let outdate = tool(
            "outdate",
            |_| {},
            move |_, _| async move { Ok(ToolOutput { stale: vec![kind()], ..ToolOutput::text("outdated") }) },
        );
        let second = if first == "make" { "outdate" } else { "make" };
        let calls = [("z", "make", "{}")];
        // While the first of these is written, the other two come together.
        let more = [("y", "look", "{}"), ("a", first, "{}"), ("b", second, "{}")];
        let answers = vec![Answer::calls(&calls), Answer::calls(&more), Answer::text("Done.")];
        let world = slow_world(answers, ToolRegistry::new([look, make, outdate]).unwrap()).await;
        world.say("Go").await;
        let stored = world.store.artifacts(world.session).await.unwrap();
        let flags: Vec<(u32, bool)> = stored.iter().map(|one| (one.version, one.stale)).collect();
        assert_eq!(flags, if first == "make" { [(1, false), (2, true)] } else { [(1, true), (2, false)] });
        let folded = world.conversation().await;
        assert_eq!(folded.artifacts().is_stale(&stored[1].name), first == "make");
    }
}

/// A tool that looks into the store to say what it lacks.
struct Wordy(CountingTool);

impl Tool for Wordy {
    fn spec(&self) -> &ToolSpec {
        self.0.spec()
    }

    fn run<'a>(&'a self, arguments: Map<String, Value>, context: &'a ToolContext) -> ToolFuture<'a> {
        self.0.run(arguments, context)
    }

    fn lacking<'a>(&'a self, _: &'a [ArtifactKind], context: &'a ToolContext) -> LackingFuture<'a> {
        Box::pin(async {
            let there = context.artifacts().await.unwrap().len();
            let (field, message) = ("project".to_owned(), format!("There are {there} documents."));
            Some(Problem { field, message, hint: None })
        })
    }
}

/// While the words for a refusal are looked up, the write on its way goes on: it may hold what the words wait for.
#[tokio::test(start_paused = true)]
async fn a_refusal_does_not_stop_a_write() {
    let mut tool = CountingTool::new("report", Effect::Read, &Runs::default());
    tool.spec.requires = vec![ArtifactKind::new("profile")];
    let answers = vec![Answer::calls(&[("a", "report", X)]), Answer::text("Done.")];
    let world =
        slow_world(answers, ToolRegistry::new([Arc::new(Wordy(tool)) as Arc<dyn Tool>]).unwrap()).await;
    let heard = tokio::time::timeout(WRITE * 60, listen(&world)).await.expect("the turn ends");
    let (end, stored) = first(&heard, |event| matches!(event, Event::Finished(_)));
    assert_eq!((end, stored.last()), (3, Some(&"end")));
    let told = results(&world.messages().await);
    assert!(told[0].1.contains("There are 0 documents."), "{told:?}");
}
