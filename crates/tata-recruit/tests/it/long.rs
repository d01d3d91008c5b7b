//! Texts that are far longer than what people write, and conversations that go on and on.

use std::sync::Arc;

use futures_util::StreamExt;
use jiff::Timestamp;
use serde_json::json;
use tata_core::{
    Agent, AgentParts, Block, Budget, Clock, Entry, Event, Input, Limits, ModelChoice, NewSession, Reasoning,
    Record, ReplyOutcome, SessionId, Store, ToolContext, ToolRegistry, TurnEnd, TurnOutcome, TurnReport,
};
use tata_recruit::{Guided, tools};
use tata_store::MemoryStore;
use tokio_util::sync::CancellationToken;

struct World {
    store: Arc<dyn Store>,
    agent: Agent,
    session: SessionId,
}

impl World {
    async fn new() -> Self {
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let clock = Clock::Fixed(Timestamp::UNIX_EPOCH);
        let session = store.create_session(NewSession::with("tata", clock.now())).await.unwrap().id;
        let budget = Budget { max_messages: usize::MAX, max_tokens: None };
        let parts = AgentParts {
            tools: ToolRegistry::new(tools().unwrap()).unwrap(),
            limits: Limits { budget, tool_characters: usize::MAX, ..Limits::default() },
            clock,
            ..AgentParts::new(
                "tata",
                vec![ModelChoice::new(Arc::new(Guided::new(clock)))],
                Arc::clone(&store),
            )
        };
        Self { store, agent: Agent::new(parts), session }
    }

    /// Says something, and stops the turn as soon as an event comes that `when` waits for.
    async fn say(&self, text: &str, when: fn(&Event) -> bool) -> Box<TurnReport> {
        let cancel = CancellationToken::new();
        let mut events = self.agent.turn(self.session, Input::say(text), cancel.clone());
        while let Some(event) = events.next().await {
            if when(&event) {
                cancel.cancel();
            }
            if let Event::Finished(report) = event {
                return report;
            }
        }
        panic!("every turn ends with a report")
    }

    async fn records(&self) -> Vec<Record> {
        self.store.records(self.session, 0).await.unwrap()
    }
}

fn line(characters: usize) -> String {
    let words =
        "We need a network engineer in Oslo with BGP and Linux, she will lead the young dynamic team, ";
    words.chars().cycle().take(characters).collect()
}

fn said(records: &[Record]) -> Vec<usize> {
    let length = |record: &Record| {
        let Entry::UserMessage { message, .. } = &record.entry else { return None };
        Some(message.joined_text().len())
    };
    records.iter().filter_map(length).collect()
}

/// Four megabytes of short lines became a form of 179 MB, for every program and page that asked what was missing.
#[tokio::test]
async fn a_form_has_no_more_lines_than_somebody_sorts() {
    let world = World::new().await;
    let tools = tools().unwrap();
    let tool = tools.iter().find(|tool| tool.spec().name == "create_requirement_profile").unwrap();
    let context = ToolContext::for_form(Arc::clone(&world.store), world.session, Timestamp::UNIX_EPOCH);
    let lines_of = async |notes: String| {
        let arguments = json!({"startup_notes": notes}).as_object().cloned().unwrap();
        let form = tool.form(&arguments, &context).await.unwrap_or_default();
        let size = json!(form).to_string().len();
        let place = json!({"line_1": "must"}).as_object().cloned().unwrap();
        let placed = tool.answered(arguments, &place, Timestamp::UNIX_EPOCH);
        let lines = form.fields.iter().filter(|field| field.id.starts_with("line_")).count();
        (lines, size, placed.err().map(|failure| format!("{failure:?}")))
    };
    for notes in ["* a\n".repeat(1 << 20), "She is calm. ".repeat(300_000), "* she is calm\n".repeat(500)] {
        let (lines, size, refused) = lines_of(notes).await;
        assert!(lines == 0 && size < 10_000, "{lines} lines, {size} bytes");
        assert!(refused.as_deref().is_some_and(|why| why.contains("more than 400 lines")), "{refused:?}");
    }
    let (lines, _, refused) = lines_of("* she is calm\n".repeat(400)).await;
    assert_eq!((lines, refused), (400, None));
}

/// The stop is heard while the guided model thinks: it was busy with the only thread there was.
#[tokio::test]
async fn a_million_characters_can_be_stopped_while_they_are_thought_about() {
    let world = World::new().await;
    let report = world.say(&line(1_000_000), |event| matches!(event, Event::ModelAsked { .. })).await;
    assert!(matches!(report.outcome, TurnOutcome::Ended { end: TurnEnd::Cancelled }), "{report:?}");
    assert!(report.accepted);
    let records = world.records().await;
    assert_eq!(said(&records), [1_000_000], "what was said is in the journal");
    let answered = |record: &Record| matches!(&record.entry, Entry::ModelReply { outcome, .. } if *outcome != ReplyOutcome::Cancelled);
    assert!(!records.iter().any(answered), "the work had not come to its end");
}

/// And while a module works.
#[tokio::test]
async fn a_long_text_can_be_stopped_while_a_module_reads_it() {
    let world = World::new().await;
    let text = format!("Check this ad for inclusive language:\n\n{}", line(300_000));
    let report = world.say(&text, |event| matches!(event, Event::ToolStarted(_))).await;
    assert!(matches!(report.outcome, TurnOutcome::Ended { end: TurnEnd::Cancelled }), "{report:?}");
    let asked = |record: &Record| matches!(&record.entry, Entry::ModelReply { message, .. } if message.tool_calls().next().is_some());
    assert!(world.records().await.iter().any(asked), "the model had understood it");
}

/// A text that was pasted is kept in the message, in the call and in the document; what was understood does not repeat it.
#[tokio::test]
async fn a_long_text_is_not_noted_beside_the_answer() {
    let world = World::new().await;
    let text = format!("Check this ad for inclusive language:\n\n{}", line(100_000));
    let report = world.say(&text, |_| false).await;
    assert!(report.outcome.is_answered(), "{report:?}");
    let records = world.records().await;
    let mut notes: Vec<usize> = Vec::new();
    for record in &records {
        let Entry::ModelReply { message, .. } = &record.entry else { continue };
        for block in &message.blocks {
            if let Block::Reasoning(Reasoning::Plain { text }) = block {
                notes.push(text.len());
            }
        }
    }
    assert!(notes.len() >= 2 && notes.iter().all(|length| *length < 4_000), "{notes:?}");
}
