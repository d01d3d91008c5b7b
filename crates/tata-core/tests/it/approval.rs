//! A person's yes before the world changes (pain 12).

use std::sync::Arc;

use tata_core::{Batch, Decision, Entry, Event, Input, Question, QuestionReason, Record, TurnEnd};
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::support::{Told, World, check_requests, moment, registry, results, tools};

const X: &str = r#"{"what":"x"}"#;

struct Scene {
    world: World,
    model: Arc<PlannedModel>,
    runs: Runs,
}

/// A read and an invitation in one answer; the invitation needs a yes.
async fn scene(plan: Vec<Answer>) -> Scene {
    let runs = Runs::default();
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let mut tools = tools(&runs);
    tools[2].spec.needs_approval = true;
    Scene { world: World::new(&model, registry(tools)).await, model, runs }
}

fn plan() -> Vec<Answer> {
    vec![Answer::calls(&[("a", "look_up", X), ("b", "send_invite", X)]), Answer::text("Done.")]
}

impl Scene {
    async fn decide(&self, call_id: &str, decision: Decision) -> Told {
        let decisions = vec![(call_id.into(), decision)];
        self.world.decide(decisions).await
    }

    async fn questions(&self) -> Vec<Question> {
        self.world.conversation().await.questions().to_vec()
    }
}

/// It waits with exactly what is asked; the rest of the answer runs meanwhile; the lease is given back.
#[tokio::test(start_paused = true)]
async fn a_call_that_needs_a_yes_waits_for_it() {
    let scene = scene(plan()).await;
    let told = scene.world.say("Go").await;
    assert!(told.waits() && told.report().error.is_some(), "{told:?}");
    assert_eq!((scene.runs.of("a"), scene.runs.of("b")), (1, 0));
    let questions = scene.questions().await;
    assert_eq!((questions.len(), questions[0].arguments.as_str()), (1, X));
    assert_eq!((questions[0].reason, questions[0].tool.as_str()), (QuestionReason::Approval, "send_invite"));
    let shown = told
        .0
        .iter()
        .any(|event| matches!(event, Event::Waiting { questions: shown } if *shown == questions));
    assert!(shown, "the question is told");
    assert!(scene.world.row().await.open_turn);
    assert_eq!(scene.world.store.interrupted().await.unwrap().len(), 1, "nobody holds the session");
}

/// Yes and no, each in a new agent, as after a restart.
#[tokio::test(start_paused = true)]
async fn yes_runs_it_and_no_does_not() {
    for (decision, effects, status) in
        [(Decision::Run, 1, "succeeded"), (Decision::Refuse, 0, "not_approved")]
    {
        let scene = scene(plan()).await;
        scene.world.say("Go").await;
        let told = scene.decide("b", decision).await;
        assert_eq!((told.content(), told.end()), ("Done.", &TurnEnd::Answered));
        assert_eq!(told.statuses(), [("b".to_owned(), status)]);
        assert_eq!((scene.runs.of("a"), scene.runs.of("b")), (1, effects), "nothing twice");
        let order: Vec<String> =
            results(&scene.world.messages().await).into_iter().map(|(id, ..)| id).collect();
        assert_eq!(order, ["a", "b"]);
        check_requests(&scene.model);
    }
}

/// What was approved beforehand runs without a question; what was not still asks.
#[tokio::test(start_paused = true)]
async fn an_approved_tool_runs_without_asking() {
    let mut scene = scene(plan()).await;
    scene.world = scene.world.but(|parts| parts.approved = vec!["send_invite".to_owned()]);
    assert_eq!(scene.world.say("Go").await.content(), "Done.");
    assert_eq!(scene.runs.of("b"), 1);
}

/// A decision about something else decides nothing.
#[tokio::test(start_paused = true)]
async fn a_decision_about_another_call_decides_nothing() {
    let scene = scene(plan()).await;
    scene.world.say("Go").await;
    for other in ["a", "z", ""] {
        assert!(scene.decide(other, Decision::Run).await.waits());
    }
    assert_eq!((scene.runs.of("b"), scene.questions().await.len()), (0, 1));
}

/// A decision whose seal is of another call, or of the same call with other arguments, does not count.
#[tokio::test(start_paused = true)]
async fn a_decision_with_a_wrong_seal_does_not_count() {
    let scene = scene(plan()).await;
    scene.world.say("Go").await;
    let other =
        self::scene(vec![Answer::calls(&[("a", "look_up", X), ("b", "send_invite", r#"{"what":"y"}"#)])])
            .await;
    other.world.say("Go").await;
    let other_seal = other.questions().await[0].seal.clone();
    assert_ne!(other_seal, scene.questions().await[0].seal, "other arguments, another seal");
    for seal in [other_seal, String::new()] {
        let begun =
            scene.world.store.begin(scene.world.session, std::time::Duration::from_secs(30)).await.unwrap();
        let position = begun.records.last().unwrap().position + 1;
        let entry = Entry::Decided {
            turn: 1,
            call_id: "b".into(),
            seal,
            decision: Decision::Run,
            by: "eve".to_owned(),
            tool: "send_invite".into(),
            about: None,
            message: None,
        };
        let batch = Batch {
            records: vec![Record { position, at: moment(), entry }],
            release: true,
            ..Batch::default()
        };
        scene.world.store.append(&begun.lease, batch).await.unwrap();
        assert!(scene.world.run(Input::Resume).await.waits());
        assert_eq!((scene.runs.of("b"), scene.questions().await.len()), (0, 1), "still asked");
    }
    assert_eq!(scene.decide("b", Decision::Run).await.content(), "Done.", "the right one counts");
}

/// Each call needs its own yes: the same again, or with other arguments, is asked again.
#[tokio::test(start_paused = true)]
async fn a_yes_is_good_for_one_call() {
    for next in [X, r#"{"what":"y"}"#] {
        let plan = vec![
            Answer::calls(&[("b", "send_invite", X)]),
            Answer::calls(&[("c", "send_invite", next)]),
            Answer::text("Done."),
        ];
        let scene = scene(plan).await;
        scene.world.say("Go").await;
        assert!(scene.decide("b", Decision::Run).await.waits(), "asked again");
        assert_eq!((scene.runs.of("b"), scene.runs.of("c")), (1, 0));
        assert_eq!(scene.decide("c", Decision::Refuse).await.content(), "Done.");
        assert_eq!(scene.runs.of("c"), 0);
    }
}

/// A yes survives a crash before the tool starts, and is used up once it starts (pain 12).
#[tokio::test(start_paused = true)]
async fn a_yes_is_used_up_when_the_tool_starts() {
    let scene = scene(plan()).await;
    scene.world.say("Go").await;
    let whole = {
        scene.decide("b", Decision::Run).await;
        scene.world.records().await
    };
    let at = |what: fn(&Entry) -> bool| whole.iter().rposition(|record| what(&record.entry)).unwrap() + 1;
    let decided = at(|entry| matches!(entry, Entry::Decided { .. }));
    let started = at(|entry| matches!(entry, Entry::ToolStarted { .. }));
    for (length, asks) in [(decided, false), (started, true)] {
        let scene = self::scene(plan()).await;
        let begun =
            scene.world.store.begin(scene.world.session, std::time::Duration::from_secs(30)).await.unwrap();
        let batch = Batch { records: whole[..length].to_vec(), release: true, ..Batch::default() };
        scene.world.store.append(&begun.lease, batch).await.unwrap();
        let told = scene.world.run(Input::Resume).await;
        assert_eq!((told.waits(), scene.runs.of("b")), (asks, u32::from(!asks)), "{length}");
    }
}

/// While a turn waits, a new message is not taken: nothing of it is lost silently, for the report says why.
#[tokio::test(start_paused = true)]
async fn a_new_message_does_not_pass_a_waiting_turn() {
    let scene = scene(plan()).await;
    scene.world.say("Go").await;
    let before = scene.world.records().await.len();
    let told = scene.world.say("And now?").await;
    assert!(told.waits() && told.report().error.is_some());
    let started = told.count(|event| matches!(event, Event::TurnStarted { resumed: false, .. }));
    assert_eq!((started, scene.world.records().await.len()), (0, before), "not acknowledged");
}

/// Two questions are decided one by one or together; a call behind them waits.
#[tokio::test(start_paused = true)]
async fn two_questions_can_be_decided_one_by_one() {
    let calls = [("b", "send_invite", X), ("c", "send_invite", r#"{"what":"y"}"#)];
    let scene = scene(vec![Answer::calls(&calls), Answer::text("Done.")]).await;
    scene.world.say("Go").await;
    assert_eq!(scene.questions().await.len(), 2);
    assert!(scene.decide("c", Decision::Run).await.waits());
    assert_eq!((scene.questions().await.len(), scene.runs.of("c")), (1, 1));
    assert_eq!(scene.decide("b", Decision::Run).await.content(), "Done.");
    let order: Vec<String> = results(&scene.world.messages().await).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(order, ["b", "c"]);
}
