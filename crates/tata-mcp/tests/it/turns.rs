//! Servers in the turns of an agent: every turn ends typed, nothing runs twice unasked.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use tata_core::{
    Agent, AgentParts, Decision, Event, Input, Limits, ModelChoice, NewSession, Question, QuestionReason,
    SessionId, Store, ToolRegistry, ToolStatus, TurnReport,
};
use tata_mcp::McpClient;
use tata_store::MemoryStore;
use tata_testkit::{Script, ScriptedModel};
use tokio_util::sync::CancellationToken;

use crate::fixture::Scene;

/// An agent with the tools of a server and a scripted model.
pub(crate) struct Play {
    agent: Agent,
    model: Arc<ScriptedModel>,
    session: SessionId,
}

pub(crate) struct Seen {
    pub(crate) questions: Vec<Question>,
    pub(crate) report: TurnReport,
}

impl Play {
    pub(crate) async fn new(client: &McpClient, approved: &[&str], script: Vec<Script>) -> Self {
        Self::with(client, approved, script, Limits::default()).await
    }

    async fn with(client: &McpClient, approved: &[&str], script: Vec<Script>, limits: Limits) -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let model = Arc::new(ScriptedModel::new(script));
        let parts = AgentParts {
            tools: ToolRegistry::new(client.tools()).unwrap(),
            approved: approved.iter().map(|name| (*name).to_owned()).collect(),
            limits,
            ..AgentParts::new("test", vec![ModelChoice::new(Arc::clone(&model) as _)], Arc::clone(&store))
        };
        let now = parts.clock.now();
        let session = store.create_session(NewSession::with("test", now)).await.unwrap().id;
        Self { agent: Agent::new(parts), model, session }
    }

    pub(crate) async fn turn(&self, input: Input) -> Seen {
        let mut events = self.agent.turn(self.session, input, CancellationToken::new());
        let (mut asked, mut end) = (Vec::new(), None);
        while let Some(event) = events.next().await {
            match event {
                Event::Waiting { questions } => asked = questions,
                Event::Finished(report) => end = Some(*report),
                _ => {}
            }
        }
        Seen { questions: asked, report: end.unwrap() }
    }

    /// What the model read as the result of a call.
    pub(crate) fn result(&self, call_id: &str) -> String {
        let requests = self.model.requests();
        let results = requests.iter().flat_map(|request| request.messages.iter()).flat_map(|message| {
            message
                .results()
                .filter(|result| result.call_id.as_str() == call_id)
                .map(tata_core::ToolResult::joined_text)
        });
        results.last().unwrap()
    }
}

/// Calls one tool in a turn of its own and gives what the model read, or how it failed.
pub(crate) async fn call(client: &McpClient, tool: &str, arguments: &str) -> Result<String, ToolStatus> {
    let play = Play::new(
        client,
        &[tool],
        vec![Script::calls(&[("call_1", tool, arguments)]), Script::text("Done.")],
    )
    .await;
    let seen = play.turn(Input::say("Do it.")).await;
    let done = &seen.report.calls[0];
    if done.status == ToolStatus::Succeeded { Ok(play.result("call_1")) } else { Err(done.status) }
}

#[tokio::test]
async fn a_call_goes_to_the_server_and_its_result_back_under_its_id() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    let calls = [("call_a", "rogue__echo", r#"{"text":"A"}"#), ("call_b", "rogue__echo", r#"{"text":"B"}"#)];
    let play = Play::new(&client, &["rogue__echo"], vec![Script::calls(&calls), Script::text("Both.")]).await;
    let seen = play.turn(Input::say("Go.")).await;
    assert!(seen.report.outcome.is_answered());
    assert_eq!((play.result("call_a").as_str(), play.result("call_b").as_str()), ("echo: A", "echo: B"));
    client.close().await;
    scene.nothing_is_left().await;
}

/// A description and a result that claim to be approved change nothing about what a person is asked.
#[tokio::test]
async fn instructions_of_a_server_approve_nothing() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    let script = vec![
        Script::calls(&[("call_1", "rogue__inject", "{}")]),
        Script::calls(&[("call_2", "rogue__pay", r#"{"n": 1000000}"#)]),
        Script::text("I did not pay."),
    ];
    let play = Play::new(&client, &["rogue__inject"], script).await;
    let seen = play.turn(Input::say("Look.")).await;
    assert!(play.result("call_1").contains("needs_approval is false"));
    assert_eq!(seen.questions.len(), 1);
    assert_eq!(seen.questions[0].reason, QuestionReason::Approval);
    assert_eq!(scene.calls(), ["inject"], "pay must not have run");
    let decisions = vec![seen.questions[0].decide(Decision::Refuse)];
    let seen = play.turn(Input::Decide { decisions, by: "ada".to_owned() }).await;
    assert!(seen.report.outcome.is_answered());
    assert_eq!(scene.calls(), ["inject"]);
    client.close().await;
}

#[tokio::test]
async fn a_server_that_dies_during_a_call_leaves_doubt_and_no_second_call() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    assert_eq!(call(&client, "rogue__die", "{}").await.unwrap_err(), ToolStatus::Uncertain);
    assert_eq!(scene.calls(), ["die"], "it must not run again by itself");
    assert_eq!(call(&client, "rogue__echo", r#"{"text":"back"}"#).await.unwrap(), "echo: back");
    assert_eq!(client.status().connects, 2);
    client.close().await;
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn a_slow_server_is_given_up_and_asked_no_longer() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    let limits = Limits { tool_time: Duration::from_millis(300), ..Limits::default() };
    let script = vec![
        Script::calls(&[("call_1", "rogue__slow", r#"{"n": 60000}"#)]),
        Script::text("It took too long."),
    ];
    let play = Play::with(&client, &["rogue__slow"], script, limits).await;
    let seen = play.turn(Input::say("Go.")).await;
    assert_eq!(seen.report.calls[0].status, ToolStatus::TimedOut);
    assert!(seen.report.outcome.is_answered());
    assert_eq!(scene.calls(), ["slow"]);
    client.close().await;
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn any_size_of_result_fits_and_the_whole_stays_within_reach() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    let script = vec![
        Script::calls(&[("call_1", "rogue__huge", r#"{"n": 3000000}"#)]),
        Script::calls(&[("call_2", "read_output", r#"{"call_id": "call_1", "offset": 2999990}"#)]),
        Script::text("Long."),
    ];
    let play = Play::new(&client, &["rogue__huge"], script).await;
    let seen = play.turn(Input::say("Go.")).await;
    assert!(seen.report.outcome.is_answered());
    assert!(play.result("call_1").len() < 100_000, "what enters the context is bounded");
    assert!(play.result("call_2").contains(&"é".repeat(10)));
    // Beyond what one message may have, the connection ends; nothing hangs.
    let status = call(&client, "rogue__huge", r#"{"n": 20000000}"#).await.unwrap_err();
    assert_eq!(status, ToolStatus::Uncertain);
    assert_eq!(call(&client, "rogue__echo", r#"{"text":"back"}"#).await.unwrap(), "echo: back");
    client.close().await;
    scene.nothing_is_left().await;
}

#[tokio::test]
async fn failures_and_refusals_of_a_server_are_results() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    let play = Play::new(
        &client,
        &["rogue__fail"],
        vec![Script::calls(&[("call_1", "rogue__fail", "{}")]), Script::text("Closed.")],
    )
    .await;
    let seen = play.turn(Input::say("Go.")).await;
    assert_eq!(seen.report.calls[0].status, ToolStatus::Failed);
    assert!(play.result("call_1").contains("the shop is closed"));
    client.close().await;
}

#[tokio::test]
async fn parts_of_a_result_keep_their_order_and_nothing_vanishes() {
    let scene = Scene::new();
    let client = scene.client("");
    client.connect().await.unwrap();
    let text = call(&client, "rogue__picture", "{}").await.unwrap();
    for part in ["before", "[a sound, audio/wav", "[file:///notes.txt]\na note", "[more at file:///more.txt]"]
    {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    client.close().await;
}
