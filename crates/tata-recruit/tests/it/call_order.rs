//! Calls of one answer that read or write the project's settings run in call order, whatever the clock does.

use std::sync::Arc;

use futures_util::StreamExt;
use tata_core::{
    Agent, AgentParts, Clock, Event, Input, Model, ModelChoice, NewSession, Store, ToolRegistry,
};
use tata_recruit::{Language, Profile};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};

const NOTES: &str = "Network Engineer\n\nMust have:\n* BGP in production\n* Fluent Swedish\n* SQL\n* Driving licence\n\nTasks:\n* \
    Run the core network";

const PROFILE: &str = r#"{"position_title":"Network Engineer","startup_notes":"m1"}"#;

/// Runs these calls in one answer; the language of the profile that was made.
async fn language_after(calls: &[(&str, &str, &str)]) -> Language {
    let model = Arc::new(PlannedModel::new("m").on(NOTES, [Answer::calls(calls), Answer::text("Done.")]));
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let session = store.create_session(NewSession::with("t", Clock::System.now())).await.unwrap().id;
    let mut parts = AgentParts::new(
        "t",
        vec![ModelChoice::new(Arc::clone(&model) as Arc<dyn Model>)],
        Arc::clone(&store),
    );
    parts.tools = ToolRegistry::new(tata_recruit::tools().unwrap()).unwrap();
    let events: Vec<Event> = Agent::new(parts)
        .turn(session, Input::say(NOTES), tokio_util::sync::CancellationToken::new())
        .collect()
        .await;
    let ends: Vec<_> = events
        .iter()
        .filter_map(
            |event| if let Event::ToolFinished(end) = event { Some((&end.tool, end.status)) } else { None },
        )
        .collect();
    assert!(ends.iter().all(|(_, status)| status.is_success()), "{ends:?}");
    let made = store.artifacts(session).await.unwrap();
    let profile = made.iter().find(|artifact| artifact.name.kind.as_str() == "requirement_profile").unwrap();
    let profile: Profile = serde_json::from_str(profile.json.as_str()).unwrap();
    profile.voice.language()
}

#[tokio::test]
async fn set_project_and_a_profile_in_one_answer_are_swedish_every_time() {
    for run in 0..40 {
        let calls =
            [("a", "set_project", r#"{"language":"sv"}"#), ("b", "create_requirement_profile", PROFILE)];
        assert_eq!(language_after(&calls).await, Language::Sv, "run {run}");
    }
    for run in 0..10 {
        let calls =
            [("a", "create_requirement_profile", PROFILE), ("b", "set_project", r#"{"language":"sv"}"#)];
        assert_eq!(language_after(&calls).await, Language::En, "the settings came later, run {run}");
    }
}

#[test]
fn every_tool_says_how_it_uses_the_settings() {
    for tool in tata_recruit::tools().unwrap() {
        let spec = tool.spec();
        let reads = spec.reads.iter().any(|kind| kind.as_str() == "project_settings");
        assert!(reads || spec.alone, "{} reads the settings and does not say so", spec.name);
    }
}
