//! A conversation of version 0.1: its journal has no materials written down, its documents no places. Both are still good.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt;
use serde_json::{Value, json};
use tata_core::{
    Agent, AgentParts, ArtifactKind, ArtifactName, Batch, Clock, Conversation, Entry, Input, Model,
    ModelChoice, NewArtifact, NewSession, RawJson, Record, SessionId, Store, ToolRegistry,
};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};
use tokio_util::sync::CancellationToken;

/// As version 0.1 wrote them: no `by_person`, no `about`, no `message`.
const JOURNAL: [&str; 6] = [
    r#"{"type":"user_message","turn":1,"message":{"role":"user","blocks":[{"text":{"text":"I need an accountant who knows SAP"}}]}}"#,
    r#"{"type":"model_reply","turn":1,"model":"m","message":{"role":"assistant","blocks":[]},"outcome":"complete","tokens":0}"#,
    r#"{"type":"waiting","turn":1,"questions":[{"call_id":"c1","tool":"send","arguments":"{}","reason":"approval","seal":"s"}]}"#,
    r#"{"type":"decided","turn":1,"call_id":"c1","seal":"s","decision":"run","by":"anna"}"#,
    r#"{"type":"artifact_stored","turn":1,"name":{"kind":"requirement_profile"},"version":1}"#,
    r#"{"type":"turn_finished","turn":1,"end":{"kind":"answered"},"millis":3}"#,
];

fn profile() -> Value {
    let item = |text: &str| json!({ "text": text, "source": "startup_notes", "start": 0, "end": text.chars().count(), "quote": text });
    json!({
        "position_title": "Accountant", "status": "draft", "version": 1, "voice": "en", "content_language": "en",
        "must_have_skills": [item("IFRS"), item("SAP"), item("Audit"), item("Fluent English")],
        "primary_responsibilities": [item("Close the books")],
        "sources": { "startup_notes": "IFRS\nSAP\nAudit\nFluent English\nClose the books" },
        "created_at": "2026-11-01T08:00:00Z",
    })
}

async fn old_session(store: &Arc<dyn Store>) -> SessionId {
    let at = Clock::System.now();
    let id = store.create_session(NewSession::with("t", at)).await.unwrap().id;
    let lease = store.begin(id, Duration::from_secs(30)).await.unwrap().lease;
    let entries = JOURNAL.iter().map(|line| serde_json::from_str::<Entry>(line).unwrap());
    let records = (1..).zip(entries).map(|(position, entry)| Record { position, at, entry }).collect();
    let name = ArtifactName { kind: ArtifactKind::new("requirement_profile"), key: String::new() };
    let made = NewArtifact { name, version: 1, json: RawJson::from(&profile()), created_at: at };
    store
        .append(&lease, Batch { records, artifacts: vec![made], release: true, ..Batch::default() })
        .await
        .unwrap();
    id
}

#[tokio::test]
async fn an_old_conversation_has_materials_and_its_profile_can_be_edited() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let id = old_session(&store).await;
    let said = "Please add: patient with auditors";
    let edit = json!({ "soft_skills": { "add": ["patient with auditors"] } }).to_string();
    let call = [("e".to_owned(), "edit_requirement_profile".to_owned(), edit)];
    let model: Arc<dyn Model> =
        Arc::new(PlannedModel::new("m").on(said, [Answer::calls(&call), Answer::text("Done.")]));
    let mut parts = AgentParts::new("t", vec![ModelChoice::new(model)], Arc::clone(&store));
    parts.tools = ToolRegistry::new(tata_recruit::tools().unwrap()).unwrap();
    Agent::new(parts).turn(id, Input::say(said), CancellationToken::new()).collect::<Vec<_>>().await;
    let records = store.records(id, 0).await.unwrap();
    let conversation = Conversation::fold("", &records);
    let texts: Vec<String> =
        conversation.materials().iter().map(|one| format!("{}: {}", one.id(), one.text())).collect();
    assert_eq!(texts, ["m1: I need an accountant who knows SAP".to_owned(), format!("m2: {said}")]);
    let newest = store.artifacts(id).await.unwrap().into_iter().max_by_key(|one| one.version).unwrap();
    assert_eq!(newest.version, 2, "{records:#?}");
    let json: Value = serde_json::from_str(newest.json.as_str()).unwrap();
    assert_eq!(json["soft_skills"][0]["said_in"][0]["material"], "m2");
    assert_eq!(json["must_have_skills"][0].get("said_in"), None, "old evidence stays as it was");
}
