//! What a session remembers and counts: reports, ledger, undo, other models (B3, B5, D5, D9, pain 19).

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use tata_core::{
    Block, Cost, Decision, Effect, Event, ModelChoice, Prices, Reasoning, StopReason, ToolOutput, TurnEnd,
    UsageTotal,
};
use tata_testkit::{Answer, CountingTool, PlannedModel, Runs};

use crate::support::{Told, World, check_requests, choice, registry, tools};

const X: &str = r#"{"what":"x"}"#;

fn prices() -> Prices {
    Prices {
        as_of: "2026-10".into(),
        input: 1.0,
        cached_input: None,
        cache_write: None,
        output: 2.0,
        long_context: None,
    }
}

fn search(runs: &Runs) -> CountingTool {
    CountingTool::new("search_docs", Effect::Read, runs).doing(|arguments, _| {
        let urls = if arguments["what"] == "x" {
            vec!["https://a.example".to_owned(), "https://b.example".to_owned()]
        } else {
            vec!["https://b.example".to_owned()]
        };
        Ok(ToolOutput { sources: Some(urls.into_iter().map(cited).collect()), ..ToolOutput::text("found") })
    })
}

/// The report has what is required, and the session counts along (B3, B5).
#[tokio::test(start_paused = true)]
async fn the_report_and_the_session_count_alike() {
    let plan = [
        Answer::calls(&[("a", "search_docs", X), ("b", "search_docs", r#"{"what":"y"}"#)]).using(100, 20),
        Answer::text("Found it.").using(150, 30).after(Duration::from_secs(2)),
    ];
    let model = Arc::new(
        PlannedModel::new("m").on("Where?", plan).on("Thanks", [Answer::text("Welcome.").using(7, 3)]),
    );
    let world = World::new(&model, registry([search(&Runs::default())])).await.but(|parts| {
        parts.models = vec![ModelChoice { prices: Some(prices()), ..choice(&model) }];
    });
    let told = world.say("Where?").await;
    let report = told.report();
    assert_eq!((report.session_id, report.turn_number, report.error.as_deref()), (world.session, 1, None));
    assert_eq!(
        (report.tokens_used, report.input_tokens, report.output_tokens),
        (Some(300), Some(250), Some(50))
    );
    assert!(report.retrieval_performed);
    assert_eq!(report.retrieved_sources, ["https://a.example", "https://b.example"], "each once");
    assert!((report.execution_time_seconds - 2.0).abs() < 0.5, "{}", report.execution_time_seconds);
    assert_eq!((report.model.as_deref(), report.stop_reason), (Some("m"), Some(StopReason::EndTurn)));
    assert_eq!(report.cost, Some(Cost::from_usd(0.000_35)));
    let told = world.say("Thanks").await;
    assert_eq!((told.report().turn_number, told.report().tokens_used), (2, Some(10)));
    assert!(!told.report().retrieval_performed && told.report().retrieved_sources.is_empty());
    let session = world.row().await;
    assert_eq!((session.turn_count, session.retrieval_count, session.total_tokens_used), (2, 2, 310));
    assert_eq!(session.title.as_deref(), Some("Where?"));
    assert_eq!(session.id.to_string().len(), 36);
    assert_eq!(serde_json::to_value(&session).unwrap()["created_at"], "2026-10-05T09:00:00Z");
    assert_eq!(world.conversation().await.last_answer().as_deref(), Some("Welcome."));
    let sum: UsageTotal = world.usage().await.iter().collect();
    assert_eq!(
        (sum.requests, sum.total_tokens),
        (3, session.total_tokens_used),
        "the total is the ledger's sum"
    );
}

/// The verdict on an answer is written with the turn: whoever reads it later is told what was told at once. What was
/// found twice by one search is one source.
#[tokio::test(start_paused = true)]
async fn the_verdict_on_an_answer_is_kept_with_its_turn() {
    let found = CountingTool::new("search_docs", Effect::Read, &Runs::default()).doing(|_, _| {
        let urls = ["https://a.example", "https://a.example", "https://b.example"];
        let mut sources: Vec<_> = urls.into_iter().map(|url| cited(url.to_owned())).collect();
        for (source, place) in sources.iter_mut().zip(1..) {
            source.start = place;
        }
        Ok(ToolOutput { sources: Some(sources), ..ToolOutput::text("found") })
    });
    let plan = [Answer::calls(&[("a", "search_docs", X)]), Answer::text("A pool [1] and a sauna [7].")];
    let model = Arc::new(PlannedModel::new("m").on("What is there?", plan));
    let check: tata_core::AnswerCheck = Arc::new(|given: &tata_core::AnswerToCheck<'_>| {
        assert_eq!((given.question, given.only_searched, given.sources.len()), ("What is there?", true, 3));
        let text = given.answer.replace(" [7]", "");
        let sentence =
            tata_core::CheckedSentence { text: text.clone(), cites: vec![1], ..Default::default() };
        tata_core::CheckedAnswer {
            text,
            citations: given.sources.iter().take(1).cloned().collect(),
            sentences: vec![sentence],
            removed: vec![7],
        }
    });
    let world =
        World::new(&model, registry([found])).await.but(|parts| parts.check_answer = Some(check.clone()));
    let told = world.say("What is there?").await;
    let live = told.report().clone();
    assert_eq!(live.content, "A pool [1] and a sauna.");
    assert_eq!(live.checked.as_ref().unwrap().unproven().count(), 1);
    let (records, usage) = (world.records().await, world.usage().await);
    let later = tata_core::TurnReport::from_journal(world.session, 1, &records, &usage).unwrap();
    assert_eq!((&later.content, &later.checked), (&live.content, &live.checked));
    for report in [&live, &later] {
        assert_eq!(report.retrieved_sources, ["https://a.example", "https://b.example"], "each once");
    }
    let again = world.run(tata_core::Input::Resume).await;
    assert_eq!((&again.report().content, &again.report().checked), (&live.content, &live.checked));
    world.agent().undo(world.session).await.unwrap();
    assert_eq!(world.conversation().await.last_checked(), None);
}

/// A turn that waited for a person is still one turn: its report counts all of it (B5).
#[tokio::test(start_paused = true)]
async fn a_turn_that_waited_is_reported_whole() {
    let plan = [
        Answer::calls(&[("a", "search_docs", X)]).using(100, 20),
        Answer::calls(&[("b", "send_invite", X)]).using(200, 20),
        Answer::text("Done.").using(300, 20),
    ];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let runs = Runs::default();
    let invite =
        CountingTool::new("send_invite", Effect::Outward, &runs).with(|spec| spec.needs_approval = true);
    let world = World::new(&model, registry([search(&runs), invite])).await;
    assert!(world.say("Go").await.waits());
    let told = world.decide(vec![("b".into(), Decision::Run)]).await;
    assert!(told.report().retrieval_performed);
    let sum: UsageTotal = world.usage().await.iter().filter(|row| row.turn == 1).collect();
    assert_eq!(sum.total_tokens, 660);
    assert_eq!(told.report().tokens_used, Some(sum.total_tokens), "the tokens of this turn");
}

/// A turn that waits has searched all the same (B5).
#[tokio::test(start_paused = true)]
async fn a_waiting_turn_tells_what_it_found() {
    let plan = [Answer::calls(&[("a", "search_docs", X), ("b", "send_invite", X)])];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let runs = Runs::default();
    let invite =
        CountingTool::new("send_invite", Effect::Outward, &runs).with(|spec| spec.needs_approval = true);
    let world = World::new(&model, registry([search(&runs), invite])).await;
    let told = world.say("Go").await;
    assert!(told.waits());
    assert!(told.report().retrieval_performed, "documents were searched");
}

/// What a request cost is known or unknown, never nothing (pain 19).
#[tokio::test(start_paused = true)]
async fn an_unknown_cost_stays_unknown() {
    let priced = |model: &Arc<PlannedModel>| ModelChoice { prices: Some(prices()), ..choice(model) };
    for (known, counted, expected) in
        [(true, true, Some(Cost::from_usd(0.000_02))), (false, true, None), (true, false, None)]
    {
        let answer = if counted { Answer::text("Hi.") } else { Answer::text("Hi.").uncounted() };
        let model = Arc::new(PlannedModel::new("m").on("Go", [answer]));
        let world = World::new(&model, registry([])).await.but(|parts| {
            parts.models = vec![if known { priced(&model) } else { choice(&model) }];
        });
        let told = world.say("Go").await;
        assert_eq!(told.report().cost, expected);
        let shown = serde_json::to_value(told.report()).unwrap();
        assert_eq!(shown["cost_usd"].is_null(), expected.is_none(), "{shown}");
        let rows = world.usage().await;
        assert_eq!((rows.len(), rows[0].cost, rows[0].usage.is_some()), (1, expected, counted));
        assert_eq!(rows[0].served_model.as_deref(), Some("m"));
    }
}

/// The last turn can be taken back: the model no longer reads it; documents and counts stay.
#[tokio::test(start_paused = true)]
async fn the_last_turn_can_be_taken_back() {
    let plan = [Answer::calls(&[("a", "write_profile", X)]), Answer::text("Written.")];
    let model = Arc::new(
        PlannedModel::new("m")
            .on("One", [Answer::text("1")])
            .on("Two", plan)
            .on("Three", [Answer::text("3")]),
    );
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    world.say("One").await;
    let before = world.messages().await;
    world.say("Two").await;
    assert_eq!(world.agent().undo(world.session).await.unwrap(), Some(2));
    assert_eq!(world.messages().await, before);
    assert_eq!(world.artifact_count().await, 1);
    let told = world.say("Three").await;
    assert_eq!(told.report().turn_number, 3, "numbers are not used twice");
    assert_eq!(model.requests().last().unwrap().messages.len(), 4);
    check_requests(&model);
    for expected in [Some(3), Some(1), None] {
        assert_eq!(world.agent().undo(world.session).await.unwrap(), expected);
    }
    assert_eq!(world.messages().await.len(), 1, "the system prompt stays");
    assert_eq!(world.usage().await.len(), 4, "what was paid for stays in the ledger");
}

/// The same conversation goes on with another model, its calls and results included (D9).
#[tokio::test(start_paused = true)]
async fn the_conversation_goes_on_with_another_model() {
    let thought = Block::Reasoning(Reasoning::Plain { text: "hm".into() });
    let said = vec![thought, Block::ToolCall(tata_core::ToolCall::function("a", "look_up", X))];
    let first = Arc::new(PlannedModel::new("first").on("One", [Answer::say(said), Answer::text("Uno.")]));
    let second = Arc::new(PlannedModel::new("second").on("Two", [Answer::text("Due.")]));
    let world = World::new(&first, registry(tools(&Runs::default()))).await;
    world.say("One").await;
    let before = world.messages().await;
    let world = world.but(|parts| parts.models = vec![choice(&second)]);
    let told = world.say("Two").await;
    assert_eq!((told.content(), told.report().model.as_deref()), ("Due.", Some("second")));
    let request = second.requests().pop().unwrap();
    assert_eq!(request.messages[..before.len()], before, "all that was said");
    check_requests(&second);
}

/// Each kind of event is one JSON line with its name; the report in the last is what a program reads.
#[tokio::test(start_paused = true)]
async fn events_are_json_lines() {
    let calls = [("a", "look_up", X), ("b", "write_profile", X), ("c", "nothing", X)];
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::calls(&calls), Answer::text("Done now.")]));
    let world = World::new(&model, registry(tools(&Runs::default()))).await;
    let told = world.say("Go").await;
    let lines: Vec<Value> = told.0.iter().map(|event| serde_json::to_value(event).unwrap()).collect();
    let names: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let expected = [
        "turn_started",
        "model_asked",
        "tool_announced",
        "usage",
        "tool_started",
        "tool_finished",
        "artifact",
        "text_delta",
        "finished",
    ];
    for name in expected {
        assert!(names.contains(&name), "{name} in {names:?}");
    }
    let last = lines.last().unwrap();
    assert_eq!((&last["content"], &last["turn_number"]), (&json!("Done now."), &json!(1)));
    assert_eq!(last["outcome"], json!({"outcome": "ended", "end": {"kind": "answered"}}));
    let artifact = lines.iter().find(|line| line["event"] == "artifact").unwrap();
    assert_eq!((&artifact["kind"], &artifact["version"]), (&json!("Profile"), &json!(1)));
    let failed = lines.iter().find(|line| line["call_id"] == "c").unwrap();
    assert_eq!(failed["status"], "unknown_tool");
}

/// A listener that is slow, and a turn with more events than may wait, lose nothing.
#[tokio::test(start_paused = true)]
async fn a_flood_of_events_arrives_whole() {
    let long = "word ".repeat(2_000);
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::text(&long)]));
    let world = World::new(&model, registry([])).await;
    let told: Told = world.say("Go").await;
    assert_eq!((told.heard(), told.content()), (long.clone(), long.as_str()));
    assert_eq!(told.count(|event| matches!(event, Event::TextDelta { .. })), 2_000);
    assert_eq!(told.end(), &TurnEnd::Answered);
}

fn cited(url: String) -> tata_core::Citation {
    tata_core::Citation { url, ..tata_core::Citation::default() }
}
