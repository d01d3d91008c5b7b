//! The calls of an answer: checked, run, answered (A3.1–A3.8, A6.2–A6.4; pains 4, 7, 8, 16).

use std::{sync::Arc, time::Duration};

use tata_core::{
    ArtifactKind, Block, CallState, Effect, Event, READ_OUTPUT, StopReason, ToolCall, ToolFailure,
    ToolOutput, ToolRegistry, ToolSpec, TurnEnd, estimate_tokens,
};
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};
use tokio::sync::Barrier;

use crate::support::{World, check_requests, choice, error_of, registry, results, tool, tools};

const X: &str = r#"{"what":"x"}"#;

/// Plans calls, then "Done.", and says how each call went.
async fn check(calls: &[(&str, &str, &str)], expected: &[&str], effects: u32) {
    let runs = Runs::default();
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(calls), Answer::text("Done.")]));
    let world = World::new(&model, registry(tools(&runs))).await;
    let told = world.say("Go").await;
    assert_eq!((told.content(), told.end()), ("Done.", &TurnEnd::Answered), "{calls:?}");
    let mut statuses = told.statuses();
    statuses.sort();
    assert_eq!(statuses.into_iter().map(|(_, status)| status).collect::<Vec<_>>(), expected, "{calls:?}");
    assert_eq!(runs.total(), effects, "{calls:?}");
    check_requests(&model);
}

/// Arguments in the forms in which models really send them (A3.1, pain 4).
#[tokio::test(start_paused = true)]
async fn arguments_are_read_kindly_and_refused_clearly() {
    check(&[("c", "look_up", X)], &["succeeded"], 1).await;
    check(&[("c", "look_up", r#" { "what" : "x" } "#)], &["succeeded"], 1).await;
    check(&[("c", "look_up", r#"{"what":"x","note":null,"fail":null}"#)], &["succeeded"], 1).await;
    for bad in [
        "",
        "  ",
        "{}",
        "{\"what\"",
        "null",
        "[]",
        "\"x\"",
        "{\"what\":null}",
        "{\"what\":7}",
        "{\"huh\":1,\"what\":\"x\"}",
    ] {
        check(&[("c", "look_up", bad)], &["invalid_arguments"], 0).await;
    }
    check(&[("a", "look_up", "{"), ("b", "look_up", X)], &["invalid_arguments", "succeeded"], 1).await;
    check(&[("a", "lookup", X), ("b", "look_up", X)], &["unknown_tool", "succeeded"], 1).await;
    check(&[("c", "look_up", r#"{"what":"x","fail":true}"#)], &["failed"], 1).await;
}

/// Blank arguments are an empty object, then validated: a tool that needs nothing runs (pain 4).
#[tokio::test(start_paused = true)]
async fn blank_arguments_are_an_empty_object() {
    for blank in ["", " \n", "{}"] {
        let model = Arc::new(
            PlannedModel::new("m").on("Go", [Answer::calls(&[("c", "ping", blank)]), Answer::text("Done.")]),
        );
        let ping = tool("ping", |_| {}, |_, _| async { Ok(ToolOutput::text("pong")) });
        let world = World::new(&model, ToolRegistry::new([ping]).unwrap()).await;
        world.say("Go").await;
        assert_eq!(
            results(&world.messages().await),
            [("c".to_owned(), "pong".to_owned(), false)],
            "{blank:?}"
        );
    }
}

/// Every problem is told at once, with the field and what to do (A6.3, A6.4).
#[tokio::test(start_paused = true)]
async fn invalid_input_names_its_fields() {
    let arguments = r#"{"what":7,"extra":1}"#;
    let model = Arc::new(
        PlannedModel::new("m")
            .on("Go", [Answer::calls(&[("c", "look_up", arguments)]), Answer::text("Done.")]),
    );
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    let told = world.say("Go").await;
    let error = error_of(&results(&world.messages().await)[0].1);
    assert_eq!((&error["kind"], &error["tool"]), (&"invalid_arguments".into(), &"look_up".into()));
    assert_eq!(error["problems"].as_array().unwrap().len(), 2, "{error}");
    assert!(error["problems"].to_string().contains("/what"), "{error}");
    assert!(error["what_to_do"].as_str().is_some_and(|text| !text.is_empty()));
    let told_person = told.count(
        |event| matches!(event, Event::ToolFinished(end) if end.problem.as_ref().is_some_and(|text| text.contains("look_up"))),
    );
    assert_eq!(told_person, 1);
}

/// An unknown tool is refused by name, the nearest are offered, the run goes on (A3.2, pain 8).
#[tokio::test(start_paused = true)]
async fn an_unknown_tool_brings_the_nearest_names() {
    let calls = [("a", "lookup", X), ("b", "zzz", X)];
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]));
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    assert_eq!(world.say("Go").await.content(), "Done.");
    let results = results(&world.messages().await);
    let near = error_of(&results[0].1);
    assert_eq!((&near["kind"], &near["near"][0]), (&"unknown_tool".into(), &"look_up".into()));
    assert!(near["message"].as_str().unwrap().contains("lookup"), "{near}");
    let far = error_of(&results[1].1);
    assert!(far["what_to_do"].as_str().unwrap().contains("send_invite"), "lists what there is: {far}");
}

/// Independent calls of one answer run at the same time; their results stand in call order (A4.5).
#[tokio::test(start_paused = true)]
async fn independent_calls_run_at_once_and_answer_in_order() {
    let barrier = Arc::new(Barrier::new(3));
    let meet = tool(
        "meet",
        |_| {},
        move |args, _| {
            let barrier = Arc::clone(&barrier);
            async move {
                barrier.wait().await;
                // The first call ends last.
                let late = match args.what.as_str() {
                    "1" => 300,
                    "2" => 200,
                    _ => 100,
                };
                tokio::time::sleep(Duration::from_millis(late)).await;
                Ok(ToolOutput::text(args.what))
            }
        },
    );
    let calls = [
        ("a", "meet", r#"{"what":"1"}"#),
        ("b", "meet", r#"{"what":"2"}"#),
        ("c", "meet", r#"{"what":"3"}"#),
    ];
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]));
    let world = World::new(&model, ToolRegistry::new([meet]).unwrap()).await;
    let told = world.say("Go").await;
    let ended: Vec<String> = told.statuses().into_iter().map(|(id, _)| id).collect();
    assert_eq!(ended, ["c", "b", "a"], "told as they end");
    let texts: Vec<String> = results(&world.messages().await).into_iter().map(|(_, text, _)| text).collect();
    assert_eq!(texts, ["1", "2", "3"], "stored in call order");
}

/// A call that requires what an earlier call of the same answer makes waits for it; a later one is no help (A3.3).
#[tokio::test(start_paused = true)]
async fn a_call_waits_for_what_an_earlier_one_makes() {
    let runs = Runs::default();
    let kind = ArtifactKind::new(CountingTool::KIND);
    let slow = CountingTool::new("write_profile", Effect::Own, &runs).taking(Duration::from_secs(5));
    let advert =
        CountingTool::new("write_advert", Effect::Read, &runs).with(|spec| spec.requires = vec![kind]);
    for (calls, expected) in [
        ([("a", "write_profile", X), ("b", "write_advert", X)], ["succeeded", "succeeded"]),
        ([("a", "write_advert", X), ("b", "write_profile", X)], ["missing_prerequisite", "succeeded"]),
        (
            [("a", "write_profile", "{"), ("b", "write_advert", X)],
            ["invalid_arguments", "missing_prerequisite"],
        ),
    ] {
        let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done.")]));
        let world = World::new(&model, registry([slow.clone(), advert.clone()])).await;
        let mut statuses = world.say("Go").await.statuses();
        statuses.sort();
        assert_eq!(statuses.into_iter().map(|(_, status)| status).collect::<Vec<_>>(), expected, "{calls:?}");
    }
}

/// Two calls with one id in one answer each get a result.
#[tokio::test(start_paused = true)]
async fn two_calls_with_one_id_are_both_answered() {
    check(&[("c", "look_up", X), ("c", "look_up", r#"{"what":"y"}"#)], &["succeeded", "succeeded"], 2).await;
}

/// The same call id in a later round is another call.
#[tokio::test(start_paused = true)]
async fn an_id_used_again_is_another_call() {
    let runs = Runs::default();
    let plan = [
        Answer::calls(&[("c", "look_up", X)]),
        Answer::calls(&[("c", "look_up", r#"{"what":"y"}"#)]),
        Answer::text("Done."),
    ];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry(tools(&runs))).await;
    assert_eq!(world.say("Go").await.content(), "Done.");
    assert_eq!((runs.of("c"), runs.of("c_2")), (1, 1), "the later one gets an id of its own");
    check_requests(&model);
}

/// An answer cut at its cap runs nothing, also when the provider calls it complete (pain 7).
#[tokio::test(start_paused = true)]
async fn a_capped_answer_runs_nothing() {
    let calls = Answer::calls(&[("c", "send_invite", X)]);
    for capped in
        [calls.clone().stopped(StopReason::MaxTokens), calls.clone().using(10, 100), calls.using(10, 101)]
    {
        let runs = Runs::default();
        let model = Arc::new(PlannedModel::new("m").on("Go", [capped, Answer::text("I was cut off.")]));
        let world =
            World::new(&model, registry(tools(&runs))).await.but(|parts| parts.max_output_tokens = Some(100));
        let told = world.say("Go").await;
        assert_eq!(runs.total(), 0);
        assert_eq!(told.statuses(), [("c".to_owned(), "not_run")]);
        assert_eq!(told.content(), "I was cut off.");
        check_requests(&model);
    }
}

/// A call that did not arrive whole is not run, though the answer says it is complete (pain 7).
#[tokio::test(start_paused = true)]
async fn a_broken_call_is_not_run() {
    for state in [CallState::Broken, CallState::Streaming] {
        let runs = Runs::default();
        let call = ToolCall { state, ..ToolCall::function("c", "send_invite", X) };
        let plan = [Answer::say(vec![Block::ToolCall(call)]), Answer::text("Done.")];
        let model = Arc::new(PlannedModel::new("m").on("Go", plan));
        let world = World::new(&model, registry(tools(&runs))).await;
        assert_eq!(world.say("Go").await.content(), "Done.");
        assert_eq!(runs.total(), 0, "{state:?}");
    }
}

/// A tool that panics is a tool that failed, wherever it panics (A3.8).
#[tokio::test(start_paused = true)]
async fn a_panic_while_running_is_a_failed_call() {
    let broken =
        CountingTool::new("break_down", Effect::Read, &Runs::default()).doing(|_, _| panic!("at work"));
    let model = Arc::new(
        PlannedModel::new("m").on("Go", [Answer::calls(&[("c", "break_down", X)]), Answer::text("Done.")]),
    );
    let world = World::new(&model, registry([broken])).await;
    let told = world.say("Go").await;
    assert_eq!((told.statuses(), told.content()), (vec![("c".to_owned(), "broke_down")], "Done."));
    let text = results(&world.messages().await)[0].1.clone();
    assert!(text.contains("break_down") && !text.contains("at work"), "named, without the inside: {text}");
}

/// A tool that panics before its work is a future is a tool that failed, too (A3.8).
#[tokio::test(start_paused = true)]
async fn a_panic_before_running_is_a_failed_call() {
    let broken = tool(
        "break_down",
        |_| {},
        |args, _| {
            assert!(args.what.is_empty(), "before any await");
            async { Ok(ToolOutput::text("never")) }
        },
    );
    let model = Arc::new(
        PlannedModel::new("m").on("Go", [Answer::calls(&[("c", "break_down", X)]), Answer::text("Done.")]),
    );
    let world = World::new(&model, ToolRegistry::new([broken]).unwrap()).await;
    let told = world.say("Go").await;
    assert_eq!((told.statuses(), told.content()), (vec![("c".to_owned(), "broke_down")], "Done."));
}

/// A schema that is none is refused where it comes in; one that a type vouches for, at the latest when it is needed: the
/// call fails in words, and the turn goes on (A3.8).
#[tokio::test(start_paused = true)]
async fn a_bad_schema_is_told_not_suffered() {
    let spoil = |spec: &mut ToolSpec| spec.schema["properties"] = 5.into();
    let written = CountingTool::new("odd", Effect::Read, &Runs::default()).with(spoil).shared();
    let refused = ToolRegistry::new([written]).err().unwrap().to_string();
    assert!(refused.contains("\"odd\" is not valid"), "{refused}");

    let derived = tool("odd", spoil, |_, _| async { Ok(ToolOutput::text("never")) });
    let registry = ToolRegistry::new([derived]).unwrap();
    assert_eq!(registry.verify().unwrap_err().to_string(), refused);
    let model =
        Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&[("c", "odd", X)]), Answer::text("Done.")]));
    let world = World::new(&model, registry).await;
    let told = world.say("Go").await;
    assert_eq!((told.statuses(), told.content()), (vec![("c".to_owned(), "failed")], "Done."));
}

/// A tool gets its time and no more; the agent's or its own (pain 14).
#[tokio::test(start_paused = true)]
async fn a_slow_tool_is_stopped() {
    for (own, expected) in [(None, 60), (Some(Duration::from_secs(5)), 5)] {
        let runs = Runs::default();
        let slow = CountingTool::new("dig", Effect::Read, &runs)
            .taking(Duration::from_hours(1))
            .with(|spec| spec.time = own);
        let model = Arc::new(
            PlannedModel::new("m").on("Go", [Answer::calls(&[("c", "dig", X)]), Answer::text("Done.")]),
        );
        let world = World::new(&model, registry([slow])).await;
        let told = world.say("Go").await;
        assert_eq!((told.statuses(), runs.total()), (vec![("c".to_owned(), "timed_out")], 0));
        assert!((told.report().execution_time_seconds - f64::from(expected)).abs() < 0.5);
        assert_eq!(told.content(), "Done.");
    }
}

fn long_text() -> String {
    (0..9_000).fold(String::new(), |text, line| text + &format!("line {line} æ\n"))
}

async fn with_long_output(plan: Vec<Answer>, most: usize) -> (World, Arc<PlannedModel>) {
    let long = CountingTool::new("dump", Effect::Read, &Runs::default())
        .doing(|_, _| Ok(ToolOutput::text(long_text())));
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry([long])).await.but(|parts| parts.limits.tool_characters = most);
    (world, model)
}

/// A result of any size is capped in the context, and stays readable by its handle (pain 16).
#[tokio::test(start_paused = true)]
async fn a_long_output_is_capped_and_stays_within_reach() {
    let read = r#"{"call_id":"c","offset":1500,"length":300}"#;
    let plan = vec![
        Answer::calls(&[("c", "dump", X)]),
        Answer::calls(&[("r", READ_OUTPUT, read)]),
        Answer::text("Done."),
    ];
    let (world, model) = with_long_output(plan, 2_000).await;
    assert_eq!(world.say("Go").await.content(), "Done.");
    let results = results(&world.messages().await);
    assert!(results[0].1.chars().count() < 2_300, "{}", results[0].1.len());
    assert!(results[0].1.starts_with("line 0 ") && results[0].1.ends_with("line 8999 æ\n"));
    assert!(results[0].1.contains(READ_OUTPUT) && results[0].1.contains("\"c\""), "{}", results[0].1);
    let expected: String = long_text().chars().skip(1_500).take(300).collect();
    assert!(results[1].1.ends_with(&expected), "{}", results[1].1);
    check_requests(&model);
}

/// A model that reads on where each reading ends, with the default length, gets the whole output (pain 16).
#[tokio::test(start_paused = true)]
async fn reading_on_and_on_brings_the_whole_output() {
    for most in [20_000, 2_000] {
        let (mut offset, mut whole) = (0, String::new());
        let total = long_text().chars().count();
        for _ in 0..200 {
            let read = format!(r#"{{"call_id":"c","offset":{offset}}}"#);
            let plan = vec![
                Answer::calls(&[("c", "dump", X)]),
                Answer::calls(&[("r", READ_OUTPUT, &read)]),
                Answer::text("Done."),
            ];
            let (world, _) = with_long_output(plan, most).await;
            world.say("Go").await;
            let reading = results(&world.messages().await)[1].1.clone();
            let (head, part) = reading.split_once('\n').unwrap();
            whole.push_str(part);
            let Some((_, next)) = head.split_once("Continue with offset ") else { break };
            offset = next.trim_end_matches('.').parse().unwrap();
            assert!(offset <= total, "{head}");
        }
        assert!(
            whole == long_text(),
            "nothing missing with {most} characters to a result: {} of {total}",
            whole.chars().count()
        );
    }
}

/// What a failing tool says is capped as well (pain 16).
#[tokio::test(start_paused = true)]
async fn a_long_failure_is_capped() {
    let failing = CountingTool::new("dump", Effect::Read, &Runs::default())
        .doing(|_, _| Err(ToolFailure::failed(long_text())));
    let model = Arc::new(
        PlannedModel::new("m").on("Go", [Answer::calls(&[("c", "dump", X)]), Answer::text("Done.")]),
    );
    let world =
        World::new(&model, registry([failing])).await.but(|parts| parts.limits.tool_characters = 2_000);
    assert_eq!(world.say("Go").await.content(), "Done.");
    let length = results(&world.messages().await)[0].1.chars().count();
    assert!(length < 3_000, "{length} characters entered the context");
}

/// Any result size yields a request inside the window (pain 16).
#[tokio::test(start_paused = true)]
async fn long_outputs_leave_the_request_inside_the_window() {
    let calls: Vec<(String, String, String)> =
        (0..20).map(|at| (format!("c{at}"), "dump".to_owned(), format!(r#"{{"what":"{at}"}}"#))).collect();
    let long = CountingTool::new("dump", Effect::Read, &Runs::default())
        .doing(|_, _| Ok(ToolOutput::text(long_text())));
    let plan = [Answer::calls(&calls).uncounted(), Answer::text("Done.").uncounted()];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry([long])).await.but(|parts| {
        parts.models = vec![tata_core::ModelChoice { context_window: Some(16_000), ..choice(&model) }];
        parts.max_output_tokens = Some(1_000);
    });
    let told = world.say("Go").await;
    assert_eq!(told.content(), "Done.");
    assert_eq!(told.count(|event| matches!(event, Event::HistoryCut { .. })), 1);
    for request in model.requests() {
        let tokens: u64 = request.messages.iter().map(estimate_tokens).sum();
        assert!(tokens <= 15_000, "{tokens}");
    }
    check_requests(&model);
}
