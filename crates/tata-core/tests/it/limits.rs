//! Where a turn ends before its model does (pains 9, 10; one last answer without tools).

use std::{sync::Arc, time::Duration};

use tata_core::{
    Cost, Effect, Event, Limit, Limits, Message, ModelChoice, ModelErrorKind, Prices, Role, StopReason,
    ToolChoice, ToolOutput, ToolRegistry, TurnEnd,
};
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};

use crate::support::{Told, World, check_requests, choice, prompt_invite, registry, results, tools};

/// Calls with other arguments each time, so that only the limit in question is met.
fn busy(rounds: usize) -> Vec<Answer> {
    (0..rounds)
        .map(|at| {
            let (id, arguments) = (format!("c{at}"), format!(r#"{{"what":"{at}"}}"#));
            Answer::calls(&[(id.as_str(), "look_up", arguments.as_str())])
        })
        .collect()
}

/// Ends with a last answer without tools, of the given kind, after so many requests with tools.
fn check(told: &Told, model: &PlannedModel, limit: Limit, before: usize) {
    assert_eq!(told.end(), &TurnEnd::Limit { limit });
    assert_eq!(told.content(), "That is what I have.", "the last answer is the answer");
    assert_eq!(told.report().error.as_deref(), Some(limit.for_user()));
    let requests = model.requests();
    assert_eq!(requests.len(), before + 1, "{limit:?}");
    let (last, earlier) = requests.split_last().unwrap();
    assert_eq!(last.tool_choice, ToolChoice::None);
    assert!(earlier.iter().all(|request| request.tool_choice == ToolChoice::Auto));
    assert_eq!(last.messages.last().unwrap().role, Role::User, "the model is told");
    check_requests(model);
}

async fn run(plan: Vec<Answer>, change: impl FnOnce(&mut Limits)) -> (World, Arc<PlannedModel>, Told) {
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let prices = Prices {
        as_of: "2026-10".into(),
        input: 1.0,
        cached_input: None,
        cache_write: None,
        output: 1.0,
        long_context: None,
    };
    let slow = CountingTool::new("look_up", Effect::Read, &Runs::default()).taking(Duration::from_secs(10));
    let world = World::new(&model, registry([slow])).await.but(|parts| {
        parts.models = vec![ModelChoice { prices: Some(prices), ..choice(&model) }];
        change(&mut parts.limits);
    });
    let told = world.say("Go").await;
    (world, model, told)
}

/// Each limit ends the turn with one answer without tools, and says which it was (pain 10).
#[tokio::test(start_paused = true)]
async fn every_limit_ends_with_a_last_answer() {
    let (_, model, told) = run(busy(40), |limits| limits.rounds = 3).await;
    check(&told, &model, Limit::Rounds, 3);
    let (_, model, told) =
        run(busy(40), |limits| *limits = Limits { time: Duration::from_mins(10), ..*limits }).await;
    check(&told, &model, Limit::Rounds, 16);
    let (_, model, told) = run(busy(40), |limits| limits.time = Duration::from_secs(35)).await;
    check(&told, &model, Limit::Time, 4);
    let (_, model, told) = run(busy(40), |limits| limits.tokens = Some(31)).await;
    check(&told, &model, Limit::Tokens, 3);
    let (_, model, told) = run(busy(40), |limits| limits.cost = Some(Cost::from_usd(0.000_03))).await;
    check(&told, &model, Limit::Cost, 2);
    let (_, model, told) = run(busy(40), |limits| limits.rounds = 0).await;
    check(&told, &model, Limit::Rounds, 0);
}

/// The last answer stays the last, also when it asks for tools again; nothing of it runs (pain 10).
#[tokio::test(start_paused = true)]
async fn a_last_answer_with_calls_runs_nothing() {
    let runs = Runs::default();
    let stubborn = Answer::say(vec![
        tata_core::Block::text("Still at it."),
        tata_core::Block::ToolCall(tata_core::ToolCall::function("z", "send_invite", r#"{"what":"z"}"#)),
    ]);
    let model = Arc::new(
        PlannedModel::new("m").on("Go", busy(9)).last_words(stubborn).on("And?", [Answer::text("Yes.")]),
    );
    let world = World::new(&model, registry(tools(&runs))).await.but(|parts| parts.limits.rounds = 2);
    let told = world.say("Go").await;
    assert_eq!((told.end(), told.content()), (&TurnEnd::Limit { limit: Limit::Rounds }, "Still at it."));
    assert_eq!((runs.of("z"), runs.total()), (0, 2));
    assert_eq!(world.say("And?").await.content(), "Yes.");
    check_requests(&model);
}

/// The note to the model is no part of the conversation: the next turn does not read it.
#[tokio::test(start_paused = true)]
async fn the_last_request_leaves_no_trace() {
    let (world, _, _) = run(busy(9), |limits| limits.rounds = 1).await;
    let users = world.messages().await.iter().filter(|message| message.role == Role::User).count();
    assert_eq!(users, 1);
}

/// A cost limit counts what is known, failed attempts of unknown price or not (pain 19).
#[tokio::test(start_paused = true)]
async fn unknown_prices_do_not_hide_known_ones() {
    let plan = busy(9);
    let broken = Arc::new(
        PlannedModel::new("broken")
            .otherwise(Answer::fails(ModelErrorKind::Server))
            .last_words(Answer::fails(ModelErrorKind::Server)),
    );
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let prices = Prices {
        as_of: "2026-10".into(),
        input: 1.0,
        cached_input: None,
        cache_write: None,
        output: 1.0,
        long_context: None,
    };
    let world = World::new(&model, registry(tools(&Runs::default()))).await.but(|parts| {
        parts.models = vec![choice(&broken), ModelChoice { prices: Some(prices), ..choice(&model) }];
        parts.limits.cost = Some(Cost::from_usd(0.000_03));
    });
    let told = world.say("Go").await;
    check(&told, &model, Limit::Cost, 2);
}

/// Two rounds to mend calls that cannot be understood, then a last answer (pain 4).
#[tokio::test(start_paused = true)]
async fn two_repairs_and_then_the_last_answer() {
    for (name, arguments) in [("look_up", "{\"half"), ("look_up", "{}"), ("nothing", "{}")] {
        let bad: Vec<Answer> = (0..9)
            .map(|at| {
                let id = format!("c{at}");
                Answer::calls(&[(id.as_str(), name, arguments)])
            })
            .collect();
        let model = Arc::new(PlannedModel::new("m").on("Go", bad));
        let world = World::new(&model, registry(tools(&Runs::default()))).await;
        let told = world.say("Go").await;
        check(&told, &model, Limit::Repairs, 3);
    }
}

/// A repair that works starts the count anew.
#[tokio::test(start_paused = true)]
async fn a_good_round_between_forgives() {
    let bad = |at: usize| {
        let (id, arguments) = (format!("b{at}"), format!("{{\"half{at}"));
        Answer::calls(&[(id.as_str(), "look_up", arguments.as_str())])
    };
    let mut plan = vec![bad(0), bad(1)];
    plan.extend(busy(1));
    plan.extend([bad(2), bad(3), Answer::text("Done.")]);
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    assert_eq!(world.say("Go").await.end(), &TurnEnd::Answered);
}

/// The same call with the same result, `rounds` times, in other spellings.
fn again(rounds: usize) -> Vec<Answer> {
    (0..rounds)
        .map(|at| {
            let id = format!("c{at}");
            let arguments =
                if at % 2 == 0 { r#"{"what":"x","note":"n"}"# } else { r#"{ "note": "n", "what": "x" }"# };
            Answer::calls(&[(id.as_str(), "look_up", arguments)])
        })
        .collect()
}

fn warnings(told: &Told) -> usize {
    told.count(|event| matches!(event, Event::Warning { code: "repeated_call", .. }))
}

/// The third identical call with the identical result is told to the model and the person, the fifth ends the loop
/// with a typed finish (pain 9).
#[tokio::test(start_paused = true)]
async fn repetition_is_told_and_then_ended() {
    let (world, model, told) = run(again(20), |_| {}).await;
    check(&told, &model, Limit::Repetition, 5);
    assert!(warnings(&told) >= 1);
    let texts = results(&world.messages().await);
    assert!(!texts[1].1.contains("same result") && texts[2].1.contains("same result"), "{texts:?}");
    let mut plan = again(2);
    plan.push(Answer::text("Done."));
    let (_, _, told) = run(plan, |_| {}).await;
    assert_eq!((told.end(), warnings(&told)), (&TurnEnd::Answered, 0));
}

/// A call that brings something new is no repetition, whatever its arguments.
#[tokio::test(start_paused = true)]
async fn polling_for_news_is_no_repetition() {
    let runs = Runs::default();
    let seen = runs.clone();
    let poll = CountingTool::new("look_up", Effect::Read, &runs)
        .doing(move |_, _| Ok(ToolOutput::text(seen.total().to_string())));
    let mut plan = again(9);
    plan.push(Answer::text("Done."));
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry([poll])).await;
    let told = world.say("Go").await;
    assert_eq!((told.end(), warnings(&told)), (&TurnEnd::Answered, 0));
}

/// Results too long for the context repeat like any other (pains 9 and 16 together).
#[tokio::test(start_paused = true)]
async fn a_long_result_repeats_like_a_short_one() {
    let long = CountingTool::new("look_up", Effect::Read, &Runs::default())
        .doing(|_, _| Ok(ToolOutput::text("long ".repeat(1_000))));
    let model = Arc::new(PlannedModel::new("m").on("Go", again(20)));
    let world = World::new(&model, registry([long])).await.but(|parts| parts.limits.tool_characters = 1_000);
    let told = world.say("Go").await;
    check(&told, &model, Limit::Repetition, 5);
}

/// A failing call that is repeated is a repetition, too (pain 9).
#[tokio::test(start_paused = true)]
async fn a_failure_repeats_like_a_success() {
    let plan: Vec<Answer> = (0..20)
        .map(|at| {
            let id = format!("c{at}");
            Answer::calls(&[(id.as_str(), "look_up", r#"{"what":"x","fail":true}"#)])
        })
        .collect();
    let (_, model, told) = run(plan, |_| {}).await;
    check(&told, &model, Limit::Repetition, 5);
}

/// A provider that pauses for ever does not keep the loop going for ever (pain 9).
#[tokio::test(start_paused = true)]
async fn endless_pauses_end() {
    let plan: Vec<Answer> = (0..30).map(|_| Answer::text("Wait. ").stopped(StopReason::PauseTurn)).collect();
    let (_, model, told) = run(plan, |_| {}).await;
    assert!(model.requests().len() <= 17, "{} requests", model.requests().len());
    assert!(matches!(told.end(), TurnEnd::Limit { .. }), "{:?}", told.end());
}

/// Time that runs out while the model speaks: the turn is typed, what was said is kept.
#[tokio::test(start_paused = true)]
async fn time_runs_out_while_the_model_speaks() {
    let (world, model, told) =
        run(vec![Answer::stalls("Half an ")], |limits| limits.time = Duration::from_secs(30)).await;
    assert_eq!(told.end(), &TurnEnd::Limit { limit: Limit::Time });
    assert!(told.report().execution_time_seconds <= 91.0, "{}", told.report().execution_time_seconds);
    let said: Vec<String> = world.messages().await.iter().map(Message::joined_text).collect();
    assert!(said.iter().any(|text| text.contains("Half an ")), "{said:?}");
    assert_eq!(world.usage().await.len(), model.requests().len(), "one row for each request");
}

/// A limit that no clock can count is no limit, and no reason to fall over.
#[tokio::test(start_paused = true)]
async fn time_without_end_is_survived() {
    let (_, _, told) = run(vec![Answer::text("Done.")], |limits| limits.time = Duration::MAX).await;
    assert_eq!(told.content(), "Done.");
}

/// A call that waited for another one does not begin when the time is over (at a limit no more tools run).
#[tokio::test(start_paused = true)]
async fn nothing_begins_when_the_time_is_over() {
    let runs = Runs::default();
    let slow = CountingTool::new("write_profile", Effect::Own, &runs).taking(Duration::from_secs(30));
    let quick = CountingTool::new("write_first", Effect::Own, &runs);
    let registry = ToolRegistry::new([slow.shared(), quick.shared(), prompt_invite(&runs)]).unwrap();
    let x = r#"{"what":"x"}"#;
    let plan = [
        Answer::calls(&[("a", "write_first", x)]),
        Answer::calls(&[("b", "write_profile", x), ("c", "send_invite", x)]),
    ];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry).await.but(|parts| parts.limits.time = Duration::from_secs(20));
    let told = world.say("Go").await;
    assert_eq!(told.end(), &TurnEnd::Limit { limit: Limit::Time });
    assert_eq!(runs.of("c"), 0, "a tool that changes the world began after its time: {:?}", told.statuses());
}

/// A2.6, A8: where a window is large nothing is forgotten by count; the 50 messages stay where it is small, and where
/// somebody set them.
#[tokio::test]
async fn a_large_window_forgets_nothing_by_count() {
    for (window, alone, kept) in [(200_000, true, 121), (200_000, false, 50), (32_000, true, 50)] {
        let model = Arc::new(PlannedModel::new("m").otherwise(Answer::text("ok")));
        let world = World::new(&model, registry([])).await.but(|parts| {
            parts.models = vec![ModelChoice { context_window: Some(window), ..choice(&model) }];
            parts.limits.counts_tokens_alone = alone;
        });
        for turn in 0..61 {
            world.say(&format!("message {turn}")).await;
        }
        let request = model.requests().last().cloned().unwrap();
        // Exchanges go as wholes, so a few less than the count may stay; the system prompt does not count.
        let said = request.messages.len() - 1;
        assert!(
            (kept - 1..=kept).contains(&said),
            "{said} of {kept}, window {window}, by tokens alone: {alone}"
        );
    }
}
