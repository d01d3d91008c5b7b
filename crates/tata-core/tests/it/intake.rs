//! How much may be handed over at once, and that nothing is thought about that could still be lost.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use tata_core::{
    MOST_ARGUMENT_BYTES, MOST_MESSAGE_BYTES, Model, ModelChoice, ModelRequest, ReplyStream, TurnOutcome,
};
use tata_testkit::{Answer, PlannedModel, Runs};

use crate::{
    shaky::ShakyStore,
    support::{World, error_of, kinds, registry, results, tools},
};

/// What is too large is neither stored nor thought about; the next message is taken.
#[tokio::test(start_paused = true)]
async fn a_message_that_is_too_large_leaves_no_trace() {
    let model = Arc::new(PlannedModel::new("m").on("Go", [Answer::text("Yes.")]));
    let world = World::new(&model, registry([])).await;
    let told = world.say(&"x".repeat(MOST_MESSAGE_BYTES + 1)).await;
    assert!(matches!(told.report().outcome, TurnOutcome::Broken { error: "message_too_large" }));
    let why = told.report().error.as_deref().unwrap();
    assert!(why.contains("4194305") && why.contains("4 MiB") && why.contains("in parts"), "{why}");
    assert!(!told.report().accepted);
    assert!(model.requests().is_empty() && world.records().await.is_empty());
    assert_eq!(world.row().await.title, None);
    assert_eq!(world.say("Go").await.content(), "Yes.");
}

/// A call with more than that is answered by what is wrong, and does not run.
#[tokio::test(start_paused = true)]
async fn arguments_that_are_too_large_do_not_run() {
    let runs = Runs::default();
    let long = format!(r#"{{"what":"{}"}}"#, "x".repeat(MOST_ARGUMENT_BYTES));
    let plan = [Answer::calls(&[("a", "look_up", &long)]), Answer::text("Too much.")];
    let model = Arc::new(PlannedModel::new("m").on("Go", plan));
    let world = World::new(&model, registry(tools(&runs))).await;
    assert_eq!(world.say("Go").await.content(), "Too much.");
    let results = results(&world.messages().await);
    let error = error_of(&results[0].1);
    assert_eq!(error["kind"], "invalid_arguments");
    assert!(error["message"].as_str().unwrap().contains("8 MiB"), "{error}");
    assert_eq!(runs.total(), 0);
}

/// Notes what is in the journal when it begins to think.
struct Thinker {
    inner: PlannedModel,
    store: Arc<ShakyStore>,
    here: bool,
    found: Mutex<Vec<Vec<&'static str>>>,
}

impl Model for Thinker {
    fn name(&self) -> &'static str {
        "thinker"
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        let records: Vec<_> = self.store.batches().into_iter().flat_map(|batch| batch.records).collect();
        self.found.lock().unwrap().push(kinds(&records));
        self.inner.stream(request)
    }

    fn thinks_here(&self) -> bool {
        self.here
    }
}

/// A process that dies of thinking has the words it thought about in its journal.
#[tokio::test(start_paused = true)]
async fn what_is_thought_about_here_is_stored_first() {
    for (here, found) in
        [(true, [vec!["user"], vec!["user", "reply", "started", "finished"]]), (false, [vec![], vec![]])]
    {
        let store = ShakyStore::slow(Duration::from_secs(1));
        let plan = [Answer::calls(&[("a", "look_up", r#"{"what":"x"}"#)]), Answer::text("Done.")];
        let inner = PlannedModel::new("m").on("Go", plan);
        let model = Arc::new(Thinker { inner, store: Arc::clone(&store), here, found: Mutex::default() });
        let choice = ModelChoice::new(Arc::clone(&model) as Arc<dyn Model>);
        let world = World::with(store, vec![choice], registry(tools(&Runs::default()))).await;
        assert_eq!(world.say("Go").await.content(), "Done.");
        assert_eq!(*model.found.lock().unwrap(), found, "{here}");
    }
}
