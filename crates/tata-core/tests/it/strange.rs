//! Models that answer strangely: what the person hears is what the journal keeps, holes and limits are told, nothing of the
//! person's own words is lost on the way.

use std::{sync::Arc, time::Duration};

use futures_util::stream;
use tata_core::{
    Agent, AgentParts, ArtifactKind, Block, CallIdCounts, Clock, Effect, Entry, Event, Input, MOST_CALLS,
    Message, Model, ModelChoice, ModelErrorKind, ModelEvent, ModelRequest, NewSession, Outcome, Reply,
    ReplyOutcome, ReplyStream, Role, Stop, StopReason, Store, ToolOutput, TurnEnd, estimate_tokens,
};
use tata_llm::{Catalog, Endpoint, HttpModel, Retry, Timeouts, Transport};
use tata_store::MemoryStore;
use tata_testkit::{
    Answer, CountingTool, Exchange, PlannedModel, Runs, Upstream,
    script::{self, Turn},
};
use tokio_util::sync::CancellationToken;

use crate::support::{Told, World, choice, error_of, kinds, registry, results, told, tool};

/// Shows `pieces`, takes them back, shows the whole.
struct Revoking;

impl Model for Revoking {
    fn name(&self) -> &'static str {
        "revoking"
    }

    fn stream(&self, _: Arc<ModelRequest>) -> ReplyStream {
        let delta = |text: &str| ModelEvent::TextDelta { block: 0, text: text.into() };
        let reply = Reply {
            message: Message { role: Role::Assistant, blocks: vec![Block::text("abc")].into(), origin: None },
            outcome: Outcome::Complete,
            stop: Some(Stop { reason: StopReason::EndTurn, raw: None, sequence: None, details: None }),
            usage: None,
            response_id: None,
            model: None,
            request_id: None,
            service_tier: None,
            warnings: Vec::new(),
            lost_events: 0,
            attempts: 1,
            attempts_left: 0,
            call_ids: CallIdCounts::default(),
        };
        let events = vec![
            delta("a"),
            delta("c"),
            ModelEvent::TextRevoked,
            delta("abc"),
            ModelEvent::Finished(Box::new(reply)),
        ];
        Box::pin(stream::iter(events))
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_shown_is_what_is_recorded_after_a_lost_piece() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let world = World::with(store, vec![ModelChoice::new(Arc::new(Revoking))], registry([])).await;
    let told = world.say("Go").await;
    assert_eq!((told.heard().as_str(), told.content(), told.resets()), ("abc", "abc", 1));
    // A pipe cannot take back: it is told, and nothing comes twice.
    let told = world.but(|parts| parts.can_reset = false).say("Go").await;
    assert_eq!((told.heard().as_str(), told.content(), told.resets()), ("ac", "abc", 0));
    let notes: Vec<&str> = told.0.iter().filter_map(Event::note).collect();
    assert!(matches!(notes.as_slice(), [note] if note.contains("differs")), "{notes:?}");
}

#[tokio::test(start_paused = true)]
async fn a_refusal_that_was_shown_is_in_the_report() {
    let refusal = Block::Refusal(tata_core::Refusal { text: "I will not.".to_owned(), item_id: None });
    let model =
        Arc::new(PlannedModel::new("m").on("Go", [Answer::say(vec![refusal]).stopped(StopReason::Refusal)]));
    let told = World::new(&model, registry([])).await.say("Go").await;
    assert_eq!(
        (told.heard().as_str(), told.content(), told.end()),
        ("I will not.", "I will not.", &TurnEnd::Refused)
    );
}

/// A hole reaches people as an event, and neither the report nor the journal calls such an answer complete.
#[tokio::test(start_paused = true)]
async fn a_hole_in_an_answer_is_told() {
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::text("Half of it.").with_holes(1)]));
    let world = World::new(&model, registry([])).await;
    let told = world.say("Go").await;
    assert_eq!(told.end(), &TurnEnd::Incomplete { reason: StopReason::Damaged });
    assert_eq!(told.content(), "Half of it.");
    assert!(told.report().error.as_deref().is_some_and(|note| note.contains("may be incomplete")));
    let note = told.0.iter().position(|event| event.note().is_some_and(|note| note.contains("incomplete")));
    assert!(note.is_some_and(|at| at + 1 < told.0.len()), "before the end: {:?}", told.0);
    let outcomes: Vec<ReplyOutcome> = world
        .records()
        .await
        .iter()
        .filter_map(|record| match &record.entry {
            Entry::ModelReply { outcome, .. } => Some(*outcome),
            _ => None,
        })
        .collect();
    assert_eq!(outcomes, [ReplyOutcome::Incomplete]);
    // Calls that came whole run all the same.
    let runs = Runs::default();
    let calls = Answer::calls(&[("a", "look_up", r#"{"what":"x"}"#)]).with_holes(2);
    let model = Arc::new(PlannedModel::new("m").on("Go", [calls, Answer::text("Done.")]));
    let tools = registry([CountingTool::new("look_up", Effect::Read, &runs)]);
    let told = World::new(&model, tools).await.say("Go").await;
    assert_eq!((runs.of("a"), told.end()), (1, &TurnEnd::Answered));
    assert_eq!(told.0.iter().filter_map(Event::note).count(), 1);
}

fn sizes(model: &PlannedModel) -> Vec<u64> {
    model.requests().iter().map(|request| request.messages.iter().map(estimate_tokens).sum()).collect()
}

fn check_too_long(told: &Told, sentence: &[&str]) {
    let TurnEnd::Failed { error, message } = told.end() else { panic!("{:?}", told.end()) };
    assert_eq!(error, "context_length");
    for words in sentence {
        assert!(message.contains(words), "{words:?} is not in {message:?}");
    }
    assert_eq!(told.report().error.as_ref(), Some(message));
}

/// Seen beforehand: nothing is sent, and the person reads how long it is and how much fits.
#[tokio::test(start_paused = true)]
async fn a_message_too_long_for_the_window_is_not_cut_but_told() {
    let model = Arc::new(PlannedModel::new("m").otherwise(Answer::text("Fine.").uncounted()));
    let world = World::new(&model, registry([])).await.but(|parts| {
        parts.models = vec![ModelChoice { context_window: Some(8_000), ..choice(&model) }];
        parts.max_output_tokens = Some(1_000);
    });
    world.say("Hello").await;
    let facts = "fact ".repeat(40_000);
    let told = world.say(&facts).await;
    check_too_long(
        &told,
        &[
            "too long for this model",
            "50,00",
            "fit",
            "shorten it",
            "attach it",
            "a model with a larger window",
        ],
    );
    assert_eq!(model.requests().len(), 1, "half a question is never sent");
    let kept = world.messages().await;
    assert!(kept.iter().any(|message| message.joined_text() == facts), "what was said is stored whole");
    // The next message is answered: the long one is old by then, and goes as a whole.
    assert_eq!(world.say("Short").await.end(), &TurnEnd::Answered);
    for request in model.requests() {
        assert!(request.messages.iter().all(|message| !message.joined_text().contains("left out")));
    }
}

/// Told by the provider: older exchanges go, the question stays whole or the turn ends typed; the count of tokens stays known.
#[tokio::test(start_paused = true)]
async fn on_a_context_error_the_persons_own_message_is_not_cut() {
    let too_long = || Answer::fails(ModelErrorKind::ContextTooLong).with_status(400);
    let model = Arc::new(PlannedModel::new("m").otherwise(too_long()));
    let facts: Vec<String> = (0..231).map(|at| format!("Fact {at} is this one. ")).collect();
    let facts = facts.concat();
    let told = World::new(&model, registry([])).await.say(&facts).await;
    check_too_long(&told, &["too long for this model", "a model with a larger window"]);
    for request in model.requests() {
        assert_eq!(request.messages.last().unwrap().joined_text(), facts, "whole, or not at all");
    }
    assert_eq!(told.report().tokens_used, Some(0), "a refused request uses nothing, and that is known");
    assert!(told.report().cost.is_some());
    // With older exchanges there is something to leave out, and the question arrives.
    let model = Arc::new(PlannedModel::new("m").otherwise(Answer::text("Yes.").using(7, 3)));
    let model = Arc::new(Arc::into_inner(model).unwrap().disturbed(9, too_long()));
    let world = World::new(&model, registry([])).await;
    for at in 0..8 {
        world.say(&format!("{at} {}", "word ".repeat(1_000))).await;
    }
    let told = world.say(&facts).await;
    assert_eq!((told.content(), told.end()), ("Yes.", &TurnEnd::Answered));
    assert_eq!(model.requests().last().unwrap().messages.last().unwrap().joined_text(), facts);
    assert_eq!(told.report().tokens_used, Some(10), "not unknown by the refused request");
    assert!(told.count(|event| matches!(event, Event::HistoryCut { left_out, .. } if *left_out > 0)) >= 1);
    let sizes = sizes(&model);
    assert!(sizes[9] < sizes[8], "{sizes:?}");
}

/// A smaller room is a guess about one model: the next one gets its own.
#[tokio::test(start_paused = true)]
async fn a_fallback_model_has_its_own_room() {
    let small = Arc::new(PlannedModel::new("small").otherwise(Answer::text("?")));
    let large = Arc::new(PlannedModel::new("large").otherwise(Answer::text("Read.")));
    let world = World::new(&small, registry([])).await.but(|parts| {
        parts.models = vec![ModelChoice { context_window: Some(4_000), ..choice(&small) }, choice(&large)];
        parts.max_output_tokens = Some(500);
    });
    let facts = "fact ".repeat(20_000);
    let told = world.say(&facts).await;
    assert_eq!((told.content(), small.requests().len()), ("Read.", 0));
    assert_eq!(large.requests()[0].messages.last().unwrap().joined_text(), facts);
}

/// A shortened result is reported, each text once.
#[tokio::test(start_paused = true)]
async fn a_shortened_tool_result_is_in_the_events() {
    let long = CountingTool::new("dump", Effect::Read, &Runs::default())
        .doing(|_, _| Ok(ToolOutput::text("x".repeat(19_000))));
    let plan =
        [Answer::calls(&[("a", "dump", r#"{"what":"1"}"#)]).uncounted(), Answer::text("Done.").uncounted()];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry([long])).await.but(|parts| {
        parts.models = vec![ModelChoice { context_window: Some(5_000), ..choice(&model) }];
        parts.max_output_tokens = Some(1_000);
    });
    let told = world.say("Go").await;
    let cuts: Vec<(usize, usize)> = told
        .0
        .iter()
        .filter_map(|event| match event {
            Event::HistoryCut { left_out, shortened, .. } => Some((*left_out, *shortened)),
            _ => None,
        })
        .collect();
    assert_eq!((told.content(), cuts.as_slice()), ("Done.", &[(0, 1)][..]));
}

/// Two writers and two readers of one document: call order, every time; what shares nothing runs at once.
#[tokio::test(start_paused = true)]
async fn calls_that_read_or_write_the_same_settings_run_in_call_order() {
    let order: Arc<std::sync::Mutex<Vec<String>>> = Arc::default();
    let settings = ArtifactKind::new("settings");
    let timed = |name: &str, takes: u64, describe: Box<dyn FnOnce(&mut tata_core::ToolSpec)>| {
        let (order, name_of) = (Arc::clone(&order), name.to_owned());
        tool(name, describe, move |_, context| {
            let (order, name) = (Arc::clone(&order), format!("{name_of} {}", context.call_id));
            async move {
                tokio::time::sleep(Duration::from_secs(takes)).await;
                order.lock().unwrap().push(name);
                Ok(ToolOutput::text("ok"))
            }
        })
    };
    let (made, read) = (settings.clone(), settings.clone());
    let tools = vec![
        timed("write", 3, Box::new(move |spec| (spec.effect, spec.produces) = (Effect::Own, Some(made)))),
        timed("read", 2, Box::new(move |spec| spec.reads = vec![read])),
        timed("restore", 1, Box::new(|spec| (spec.effect, spec.alone) = (Effect::Own, true))),
        timed("other", 1, Box::new(|_| {})),
    ];
    let names = ["read", "write", "read", "read", "restore", "read", "other"];
    let calls: Vec<(String, String, String)> = names
        .iter()
        .enumerate()
        .map(|(at, name)| (format!("{at}"), (*name).to_owned(), "{}".to_owned()))
        .collect();
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]));
    let world = World::new(&model, tata_core::ToolRegistry::new(tools).unwrap()).await;
    let begun = tokio::time::Instant::now();
    let told = world.say("Go").await;
    let order = order.lock().unwrap().clone();
    assert_eq!(order, ["read 0", "write 1", "read 2", "read 3", "restore 4", "other 6", "read 5"]);
    assert_eq!(begun.elapsed().as_secs(), 2 + 3 + 2 + 1 + 2, "the two reads ran at once");
    // The report has them in call order, with their exact arguments.
    let reported: Vec<&str> = told.report().calls.iter().map(|call| call.call.call_id.as_str()).collect();
    assert_eq!(reported, ["0", "1", "2", "3", "4", "5", "6"]);
}

#[tokio::test(start_paused = true)]
async fn the_report_keeps_exact_arguments_in_call_order() {
    let exact = r#"{"what" : "x", "note": "1.50", "what": "x"}"#;
    let slow = CountingTool::new("slow", Effect::Read, &Runs::default()).taking(Duration::from_secs(9));
    let quick = CountingTool::new("quick", Effect::Read, &Runs::default());
    let calls = [("a", "slow", exact), ("b", "quick", r#"{"what":"x"}"#), ("c", "nothing", "{}")];
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]));
    let told = World::new(&model, registry([slow, quick])).await.say("Go").await;
    let report = told.report();
    let reported: Vec<(&str, &str)> =
        report.calls.iter().map(|call| (call.call.arguments.as_str(), call.status.as_str())).collect();
    assert_eq!(reported[0], (exact, "succeeded"));
    assert_eq!((reported[1].1, reported[2].1), ("succeeded", "unknown_tool"));
    assert_ne!(told.statuses()[0].0, "a", "the events are in the order of completion");
}

#[tokio::test(start_paused = true)]
async fn at_most_64_calls_of_one_answer_run() {
    let runs = Runs::default();
    let calls: Vec<(String, String, String)> = (0..200)
        .map(|at| (format!("c{at}"), "look_up".to_owned(), format!(r#"{{"what":"{at}"}}"#)))
        .collect();
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]));
    let world = World::new(&model, registry([CountingTool::new("look_up", Effect::Read, &runs)])).await;
    let told = world.say("Go").await;
    assert_eq!((told.content(), runs.total()), ("Done.", u32::try_from(MOST_CALLS).unwrap()));
    let results = results(&world.messages().await);
    assert_eq!(results.len(), 200, "every call has its result, in call order");
    assert!(results.iter().enumerate().all(|(at, (id, ..))| *id == format!("c{at}")));
    for (_, text, is_error) in &results[MOST_CALLS..] {
        let error = error_of(text);
        assert!(*is_error && error["kind"] == "not_run");
        assert!(error["message"].as_str().unwrap().contains("at most 64 calls in one answer"), "{error}");
    }
    assert!(told.0.iter().filter_map(Event::note).any(|note| note.contains("200 calls")), "people are told");
    assert_eq!(told.report().calls.len(), 200);
    assert_eq!(kinds(&world.records().await).iter().filter(|kind| **kind == "started").count(), MOST_CALLS);
}

#[tokio::test(start_paused = true)]
async fn tokens_that_nobody_reported_are_unknown() {
    let model = Arc::new(PlannedModel::new("m").otherwise(Answer::text("Hi.").uncounted()));
    let told = World::new(&model, registry([])).await.say("Go").await;
    let report = told.report();
    assert_eq!((report.tokens_used, report.input_tokens, report.output_tokens), (None, None, None));
    assert!(serde_json::to_value(report).unwrap()["tokens_used"].is_null());
}

/// A limit, nothing, a cut, a refusal and an answer are five different ends.
#[tokio::test(start_paused = true)]
async fn an_answer_is_told_apart_from_none() {
    let end = async |answer: Answer| {
        let model = Arc::new(PlannedModel::new("m").on("Go", [answer]));
        let told = World::new(&model, registry([])).await.say("Go").await;
        (told.end().as_str(), told.report().outcome.is_answered(), told.report().error.clone())
    };
    assert_eq!(end(Answer::text("Yes.")).await, ("answered", true, None));
    for empty in [Answer::text(" \n"), Answer::say(Vec::new())] {
        let (name, answered, sentence) = end(empty).await;
        assert_eq!((name, answered), ("empty", false));
        assert!(sentence.is_some_and(|words| words.contains("empty answer")));
    }
    let cut = end(Answer::text("Half").stopped(StopReason::MaxTokens)).await;
    assert_eq!((cut.0, cut.1), ("incomplete", false));
    let refused = end(Answer::text("No.").stopped(StopReason::Refusal)).await;
    assert_eq!((refused.0, refused.1), ("refused", false));
}

/// One retry layer: the transport and the agent count the same requests, whatever breaks, and every model has its own count.
#[tokio::test]
async fn retry_most_holds_for_the_whole_turn() {
    let body = script::responses(&Turn::text(&["Hello", ", ", "world"]));
    let opening = body.find("Hello").map_or(0, |at| body[..at].rfind("\n\n").map_or(0, |at| at + 2));
    let half = body.find("world").unwrap();
    let faults = [
        ("before any byte", Exchange::sse("").cut()),
        ("before any text", Exchange::sse(&body.as_bytes()[..opening]).cut()),
        ("in the text", Exchange::sse(&body.as_bytes()[..half]).cut()),
        ("a server's fault", Exchange::status(500)),
    ];
    for (what, fault) in faults {
        for most in [0_u32, 1, 2] {
            let (first, second) = (
                Upstream::start(vec![fault.clone(); 9]).await,
                Upstream::start(vec![fault.clone(); 9]).await,
            );
            let patience = Duration::from_secs(10);
            let timeouts =
                Timeouts { connect: patience, first_byte: patience, idle: patience, total: patience * 4 };
            let retry = Retry { most, first: Duration::from_millis(2), ..Retry::default() };
            let transport = Transport::new(timeouts, retry).unwrap();
            let model = |upstream: &Upstream| {
                let (spec, provider) = Catalog::built_in().unwrap().resolve("gpt-6.1-sol").unwrap();
                let endpoint =
                    Endpoint { base_url: upstream.base_url(), key: Some("sk-x".into()), headers: Vec::new() };
                ModelChoice::new(Arc::new(HttpModel::new(spec, provider, endpoint, transport.clone())))
            };
            let store: Arc<dyn Store> = Arc::new(MemoryStore::default());
            let session = store.create_session(NewSession::with("t", Clock::System.now())).await.unwrap().id;
            let parts = AgentParts::new("t", vec![model(&first), model(&second)], Arc::clone(&store));
            let told =
                told(Agent::new(parts).turn(session, Input::say("Hello?"), CancellationToken::new())).await;
            assert!(matches!(told.end(), TurnEnd::Failed { .. }), "{what}");
            let sent =
                [first.requests().len(), second.requests().len()].map(|sent| u32::try_from(sent).unwrap());
            assert!(sent.iter().all(|sent| *sent <= most + 1), "{what}, most {most}: {sent:?}");
            if what != "in the text" {
                assert_eq!(sent, [most + 1; 2], "{what}, most {most}");
            }
            assert_eq!(told.report().attempts, sent.iter().sum::<u32>(), "{what}: every request is counted");
            let counted: u32 = told
                .0
                .iter()
                .filter_map(|event| match event {
                    Event::Usage { attempts, .. } => Some(*attempts),
                    _ => None,
                })
                .sum();
            assert_eq!(counted, told.report().attempts, "{what}");
        }
    }
}
