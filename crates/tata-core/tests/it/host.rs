//! The turn host: turns run whoever listens, and whoever listens hears every byte, wherever they come back.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::StreamExt;
use proptest::{collection::vec, prelude::*};
use tata_core::{
    Agent, Block, Entry, Event, EventId, Following, Input, ModelErrorKind, NotStarted, Spawn, StopReason,
    Store, Told, ToolCall, TurnEnd, TurnHost, TurnOutcome, TurnReport,
};
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::support::{World, choice, registry, tools};

const X: &str = r#"{"what":"x"}"#;

fn host(store: &Arc<dyn Store>) -> TurnHost {
    let spawn: Spawn = Arc::new(|task| drop(tokio::spawn(task)));
    TurnHost::new(Arc::clone(store), spawn, 8, None)
}

/// A listener as a browser would be one: it keeps the text of each answer by where it begins, and the last id.
#[derive(Debug, Default, PartialEq)]
struct Screen {
    last: EventId,
    texts: BTreeMap<u64, String>,
    /// What rests on the journal, by its id.
    steps: Vec<(u64, &'static str)>,
    ends: Vec<String>,
}

impl Screen {
    fn show(&mut self, told: Told) {
        self.last = told.id.unwrap_or(self.last);
        let at = self.last.position;
        match told.event {
            Event::TextDelta { text } => self.texts.entry(at).or_default().push_str(&text),
            Event::Reset { .. } => drop(self.texts.remove(&at)),
            Event::TurnStarted { resumed: false, .. } => self.steps.push((at, "turn")),
            Event::ToolStarted(_) => self.steps.push((at, "started")),
            Event::ToolFinished(_) => self.steps.push((at, "finished")),
            Event::Artifact { .. } => self.steps.push((at, "artifact")),
            Event::Waiting { .. } => self.steps.push((at, "waiting")),
            Event::Finished(report) => self.ends.push(end(&report)),
            _ => {}
        }
    }

    async fn show_all(&mut self, mut following: Following) {
        while let Some(told) = following.next().await {
            self.show(told);
        }
    }
}

fn end(report: &TurnReport) -> String {
    let outcome = match &report.outcome {
        TurnOutcome::Ended { end } => end.as_str(),
        TurnOutcome::Waiting => "waiting",
        TurnOutcome::Broken { error } => error,
    };
    format!("{} {outcome} {:?} {:?}", report.turn_number, report.content, report.tokens_used)
}

/// What a journal has, as a listener shows it that missed nothing.
async fn stored(world: &World) -> BTreeMap<u64, String> {
    let records = world.records().await;
    let replies = records.iter().filter_map(|record| match &record.entry {
        Entry::ModelReply { message, .. } => Some((record.position - 1, message.spoken())),
        _ => None,
    });
    replies.filter(|(_, text)| !text.is_empty()).collect()
}

fn start<'a>(
    host: &'a TurnHost,
    agent: &'a Agent,
    world: &World,
    text: &str,
) -> impl Future<Output = Following> {
    let started = host.start(agent, world.session, Input::say(text));
    async { started.await.unwrap_or_else(|error| panic!("{error}")) }
}

#[tokio::test]
async fn a_turn_runs_to_its_end_although_nobody_listens() {
    let model = Arc::new(PlannedModel::new("one").on("hello", [Answer::text("Hello to you, Ada.")]));
    let world = World::new(&model, registry([])).await;
    let (host, agent) = (host(&world.store), world.agent());
    drop(start(&host, &agent, &world, "hello").await);
    assert_eq!(host.running(), 1);
    host.idle().await;
    assert!(!host.is_running(world.session));
    assert_eq!(world.conversation().await.last_end(), Some(&TurnEnd::Answered));
    let mut screen = Screen::default();
    screen.show_all(host.follow(world.session, EventId::START)).await;
    assert_eq!(screen.texts.into_values().collect::<String>(), "Hello to you, Ada.");
    assert_eq!(screen.ends, [r#"1 answered "Hello to you, Ada." Some(15)"#]);
}

/// Whoever heard the end of a turn may begin the next one at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_turn_that_told_its_end_is_in_nobodys_way() {
    let model = Arc::new(PlannedModel::new("one").otherwise(Answer::text("Yes.")));
    let world = World::new(&model, registry([])).await;
    let (host, agent) = (host(&world.store), world.agent());
    for turn in 0..300 {
        let mut following = start(&host, &agent, &world, "hello").await;
        while let Some(told) = following.next().await {
            if let Event::Finished(report) = told.event {
                assert!(report.outcome.is_answered(), "turn {turn}: {report:?}");
                break;
            }
        }
    }
    host.idle().await;
    assert_eq!(world.conversation().await.last_turn(), 300);
}

#[tokio::test]
async fn one_turn_at_a_time_and_a_limit_for_all() {
    let model = Arc::new(PlannedModel::new("slow").otherwise(Answer::stalls("Wait ")));
    let world = World::new(&model, registry([])).await;
    let spawn: Spawn = Arc::new(|task| drop(tokio::spawn(task)));
    let host = TurnHost::new(Arc::clone(&world.store), spawn, 1, None);
    let agent = world.agent();
    let mut first = start(&host, &agent, &world, "hello").await;
    let again = host.start(&agent, world.session, Input::say("again")).await;
    assert!(matches!(again, Err(NotStarted::Running(_))));
    let other = world.store.create_session(tata_core::NewSession::with("tata", crate::support::moment()));
    let other = other.await.unwrap().id;
    assert!(matches!(host.start(&agent, other, Input::say("hi")).await, Err(NotStarted::Full(1))));
    let nobody = tata_core::SessionId::random();
    assert!(matches!(host.start(&agent, nobody, Input::say("hi")).await, Err(NotStarted::NoSession(_))));
    // It is stopped, and what had arrived is kept.
    while !matches!(first.next().await.unwrap().event, Event::TextDelta { .. }) {}
    assert!(host.cancel(world.session));
    let last = first.collect::<Vec<_>>().await.pop().unwrap();
    assert!(matches!(last.event, Event::Finished(report) if report.content == "Wait "));
    assert!(!host.cancel(world.session));
    host.close();
    assert!(matches!(host.start(&agent, other, Input::say("hi")).await, Err(NotStarted::Closing)));
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_waits_for_a_person_says_so_to_everybody_who_comes() {
    let calls = Answer::calls(&[("c1", "send_invite", X)]);
    let model = Arc::new(PlannedModel::new("one").on("invite", [calls, Answer::text("Sent.")]));
    let world = World::new(
        &model,
        registry(
            tools(&Runs::default()).into_iter().map(|tool| tool.with(|spec| spec.needs_approval = true)),
        ),
    )
    .await;
    let (host, agent) = (host(&world.store), world.agent());
    let mut screen = Screen::default();
    screen.show_all(start(&host, &agent, &world, "invite").await).await;
    assert_eq!(screen.ends, [r#"1 waiting "" Some(15)"#]);
    for from in [EventId::START, screen.last] {
        let mut late = Screen { last: from, ..Screen::default() };
        late.show_all(host.follow(world.session, from)).await;
        assert_eq!(late.ends, screen.ends);
    }
    let questions = world.conversation().await.questions().to_vec();
    let decisions = questions.iter().map(|question| question.decide(tata_core::Decision::Run)).collect();
    let input = Input::Decide { decisions, by: "anna".to_owned() };
    let following = host.start(&agent, world.session, input).await.unwrap();
    screen.show_all(following).await;
    assert_eq!(screen.ends[1], r#"1 answered "Sent." Some(30)"#);
    assert_eq!(screen.texts, stored(&world).await);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_nobody_works_on_is_told_as_interrupted() {
    let model = Arc::new(PlannedModel::new("slow").otherwise(Answer::stalls("Wait ")));
    let world = World::new(&model, registry([])).await;
    // A process that is gone: its turn is dropped in the middle.
    let mut gone = world.turn(Input::say("hello"));
    while !matches!(gone.next().await, Some(Event::TextDelta { .. })) {}
    drop(gone);
    let mut screen = Screen::default();
    screen.show_all(host(&world.store).follow(world.session, EventId::START)).await;
    assert_eq!(screen.ends, [r#"1 interrupted "" None"#]);
}

#[tokio::test(start_paused = true)]
async fn what_was_heard_and_never_kept_is_taken_back() {
    let model = Arc::new(
        PlannedModel::new("one")
            .on("hello", [Answer::text("Something else.")])
            .disturbed(1, Answer::stalls("Wait ")),
    );
    let world = World::new(&model, registry([])).await;
    let first = host(&world.store);
    let agent = world.agent();
    let mut screen = Screen::default();
    let spawned = Arc::new(std::sync::Mutex::new(None));
    let keep = Arc::clone(&spawned);
    let spawn: Spawn = Arc::new(move |task| *keep.lock().unwrap() = Some(tokio::spawn(task)));
    let dying = TurnHost::new(Arc::clone(&world.store), spawn, 8, None);
    let mut heard = start(&dying, &agent, &world, "hello").await;
    while screen.texts.is_empty() {
        screen.show(heard.next().await.unwrap());
    }
    // The process dies, another one takes the turn over.
    spawned.lock().unwrap().take().unwrap().abort();
    drop(heard);
    tokio::task::yield_now().await;
    let following = first.start(&agent, world.session, Input::Resume).await.unwrap();
    drop(following);
    screen.show_all(first.follow(world.session, screen.last)).await;
    assert_eq!(screen.texts, stored(&world).await);
    assert_eq!(screen.texts.into_values().collect::<String>(), "Something else.");
}

#[tokio::test(start_paused = true)]
async fn a_slow_listener_holds_nothing_up_and_misses_nothing() {
    let long = "word ".repeat(5000);
    let model = Arc::new(PlannedModel::new("one").otherwise(Answer::text(&long)));
    let world = World::new(&model, registry([])).await;
    let (host, agent) = (host(&world.store), world.agent());
    let mut slow = start(&host, &agent, &world, "hello").await;
    let mut screen = Screen::default();
    screen.show(slow.next().await.unwrap());
    host.idle().await;
    screen.show_all(slow).await;
    assert_eq!(screen.texts.values().cloned().collect::<String>(), long);
    assert_eq!(screen.ends.len(), 1);
}

/// One round of a turn: what the model says, what it calls, and what goes wrong before it gets that far.
#[derive(Clone, Debug)]
struct Round {
    words: Vec<String>,
    calls: usize,
    breaks_off: Option<Vec<String>>,
    pauses: bool,
}

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let words = || vec("[a-zåäöüß]{1,9} |\u{1f426} |\n|漢字 ", 0..40);
    let round = (words(), 0..3usize, proptest::option::weighted(0.3, words()), proptest::bool::weighted(0.2));
    vec(round, 1..4).prop_map(|rounds| {
        let round = |(words, calls, breaks_off, pauses)| Round { words, calls, breaks_off, pauses };
        rounds.into_iter().map(round).collect()
    })
}

fn model(rounds: &[Round]) -> PlannedModel {
    let (mut plan, mut request, mut model) = (Vec::new(), 0, PlannedModel::new("one"));
    let last = rounds.len() - 1;
    for (at, round) in rounds.iter().enumerate() {
        request += 1;
        if let Some(words) = &round.breaks_off {
            let answer = Answer::breaks_off(&words.concat(), ModelErrorKind::StreamTruncated);
            model = model.disturbed(request, answer);
            request += 1;
        }
        let mut blocks: Vec<Block> = round.words.iter().map(Block::text).collect();
        let calls = if at == last || round.pauses { 0 } else { round.calls.max(1) };
        blocks.extend((0..calls).map(|call| {
            let tool = if call == 0 { "write_profile" } else { "look_up" };
            Block::ToolCall(ToolCall::function(format!("c{at}_{call}"), tool, X))
        }));
        let answer = Answer::say(blocks);
        plan.push(if round.pauses && at != last { answer.stopped(StopReason::PauseTurn) } else { answer });
    }
    model.on("go", plan)
}

/// Listens to a turn that runs at the first host, and leaves and comes back after so many events: at that host, or at
/// another that knows the store alone.
async fn disturbed(rounds: &[Round], drops: &[(u8, bool)]) -> (World, Screen) {
    let model = Arc::new(model(rounds));
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    let world = world.but(|parts| parts.models = vec![choice(&model)]);
    let (here, there, agent) = (host(&world.store), host(&world.store), world.agent());
    let mut screen = Screen::default();
    let mut following = start(&here, &agent, &world, "go").await;
    // Nobody knows of a turn before it has begun.
    screen.show(following.next().await.unwrap());
    'listening: for (count, elsewhere) in drops {
        for _ in 0..*count {
            match following.next().await {
                Some(told) => screen.show(told),
                None => break 'listening,
            }
        }
        let host = if *elsewhere { &there } else { &here };
        following = host.follow(world.session, screen.last);
    }
    screen.show_all(following).await;
    here.idle().await;
    (world, screen)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Any number of drops and returns, here or on another replica: the text is byte-equal to that of an undisturbed
    /// run, every step is told once, and the end is told.
    #[test]
    fn whoever_comes_back_hears_every_byte(rounds in rounds(), drops in vec((0..12u8, any::<bool>()), 0..25)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let (world, undisturbed) = disturbed(&rounds, &[]).await;
            prop_assert_eq!(&undisturbed.texts, &stored(&world).await);
            let (_, screen) = disturbed(&rounds, &drops).await;
            prop_assert_eq!(&screen.texts, &undisturbed.texts);
            prop_assert_eq!(&screen.steps, &undisturbed.steps);
            prop_assert_eq!(&screen.ends, &undisturbed.ends);
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn the_report_of_the_journal_is_that_of_the_turn() {
    let calls = Answer::calls(&[("c1", "look_up", X)]);
    let model = Arc::new(PlannedModel::new("one").on("go", [calls, Answer::text("Found.")]));
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    let told = world.say("go").await;
    let (live, host) = (told.report(), host(&world.store));
    let read = host.report(world.session, 1).await.unwrap().unwrap();
    let fields = |report: &TurnReport| {
        let mut json = serde_json::to_value(report).unwrap();
        json["execution_time_seconds"] = 0.into();
        (json, report.calls.iter().map(|call| (call.call.clone(), call.status)).collect::<Vec<_>>())
    };
    assert_eq!(fields(&read), fields(live));
    assert!(host.report(world.session, 2).await.unwrap().is_none());
}
