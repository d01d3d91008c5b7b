//! Batches nobody would think of.

use std::{collections::BTreeMap, sync::Arc};

use proptest::{
    collection::vec,
    option,
    prelude::{Just, Strategy, any},
    prop_oneof,
    strategy::BoxedStrategy,
    test_runner::{Config, TestRunner},
};
use serde_json::Value;
use tata_core::{
    About, ArtifactKind, ArtifactName, Batch, CallId, CheckedAnswer, CheckedSentence, Cost, Decision, Effect,
    Entry, Gap, Limit, MaterialId, Message, Question, QuestionReason, Record, ReplyOutcome, StopReason,
    ToolCall, ToolResult, ToolStatus, TurnEnd, Usage, UsageRow, Verbatim,
};

use super::{LONG, Shared, at, document, name, session};
use crate::conversation::{arguments, text};

const CASES: u32 = 256;

/// Any entry of any kind.
pub fn entry() -> BoxedStrategy<Entry> {
    let turn = 1..50_u32;
    let call = || text().prop_map(CallId::from);
    prop_oneof![
        (turn.clone(), text()).prop_map(|(turn, text)| Entry::UserMessage {
            turn,
            state: Some(text.clone()).filter(|text| text.len() % 2 == 0),
            answers: Some(text.clone()).filter(|text| text.len() % 3 == 0),
            message: Message::user(text)
        }),
        (turn.clone(), text(), text(), any::<u64>(), option::of(0..1000_u32)).prop_map(
            |(turn, model, said, tokens, cost)| Entry::ModelReply {
                turn,
                model: model.into(),
                message: Message::user(said),
                outcome: ReplyOutcome::Incomplete,
                stop: cost.map(|_| StopReason::MaxTokens),
                limit: None,
                tokens,
                cost: cost.map(|usd| Cost::from_usd(f64::from(usd))),
                by_person: cost.is_some(),
                by_program: tokens % 2 == 0,
            }
        ),
        (turn.clone(), call(), text()).prop_map(|(turn, call_id, tool)| Entry::ToolStarted {
            turn,
            call_id,
            tool: tool.into(),
            effect: Effect::Outward
        }),
        (turn.clone(), call(), text(), any::<u64>(), option::of(vec(text(), 0..3))).prop_map(
            |(turn, call_id, said, millis, sources)| Entry::ToolFinished {
                turn,
                result: ToolResult::text(&ToolCall::function(call_id, "tool", "{}"), said),
                status: ToolStatus::Failed,
                millis,
                sources: sources.map(|quotes| quotes.into_iter().map(cited).collect()),
            }
        ),
        (turn.clone(), text(), text()).prop_map(|(turn, kind, key)| Entry::ArtifactStored {
            turn,
            name: name(&kind, &key),
            version: turn,
        }),
        (turn.clone(), text())
            .prop_map(|(turn, kind)| Entry::MadeStale { turn, kinds: vec![ArtifactKind::new(&kind)] }),
        (turn.clone(), call(), arguments()).prop_map(|(turn, call_id, arguments)| {
            Entry::Waiting { turn, questions: vec![question(turn, call_id, arguments)] }
        }),
        (turn.clone(), call(), text()).prop_map(|(turn, call_id, by)| Entry::Decided {
            turn,
            call_id,
            seal: by.clone(),
            decision: Decision::Done,
            message: Some(MaterialId::new(turn.max(1))),
            about: None,
            by,
            tool: "tool".into(),
        }),
        (turn.clone(), any::<u64>(), ends(), option::of((call(), arguments()))).prop_map(
            |(turn, millis, end, asks)| Entry::TurnFinished {
                turn,
                end,
                millis,
                checked: asks.as_ref().map(|(_, text)| Box::new(verdict(text.clone()))),
                asks: asks.map(|(call_id, arguments)| Box::new(question(turn, call_id, arguments))),
            }
        ),
        turn.prop_map(|turn| Entry::TurnUndone { turn }),
    ]
    .boxed()
}

fn verdict(text: String) -> CheckedAnswer {
    let gap = Gap { text: text.clone(), reason: "name".to_owned() };
    let sentence =
        CheckedSentence { text: text.clone(), cites: vec![1], gaps: vec![gap], ..Default::default() };
    CheckedAnswer { text, sentences: vec![sentence], ..CheckedAnswer::default() }
}

fn question(turn: u32, call_id: CallId, arguments: String) -> Question {
    let about = About {
        document: ArtifactName { kind: ArtifactKind::new("profile"), key: arguments.clone() },
        version: turn,
        words: arguments.clone(),
        settles: true,
    };
    Question {
        about: Some(about),
        seal: call_id.to_string(),
        call_id,
        tool: "tool".into(),
        words: arguments.clone(),
        arguments,
        reason: QuestionReason::Uncertain,
    }
}

fn ends() -> impl Strategy<Value = TurnEnd> {
    prop_oneof![
        Just(TurnEnd::Answered),
        Just(TurnEnd::Incomplete { reason: StopReason::ContentFilter }),
        Just(TurnEnd::Limit { limit: Limit::Repetition }),
        (text(), text()).prop_map(|(error, message)| TurnEnd::Failed { error, message }),
    ]
}

fn usage() -> impl Strategy<Value = UsageRow> {
    let tokens = || option::of(0..1_000_000_u64);
    (text(), option::of(text()), option::of((tokens(), tokens(), tokens(), text())), tokens()).prop_map(
        |(model, id, usage, cost)| UsageRow {
            turn: 1,
            at: at(2),
            model: model.into(),
            served_model: id.clone(),
            outcome: "complete".into(),
            usage: usage.map(|(input_tokens, output_tokens, total_tokens, raw)| Usage {
                input_tokens,
                output_tokens,
                total_tokens,
                raw: Some(Verbatim::from(&Value::from(raw))),
                ..Usage::default()
            }),
            cost: cost.map(|_| Cost::from_usd(1.5)),
            response_id: None,
            request_id: id,
        },
    )
}

/// Any batch, its positions and versions still to be given.
pub fn batch() -> BoxedStrategy<Batch> {
    let records = vec((entry(), -1000..1000_i64), 0..6).prop_map(|entries| {
        entries
            .into_iter()
            .map(|(entry, moment)| Record { position: 0, at: at(moment), entry })
            .collect::<Vec<_>>()
    });
    let outputs = vec((text().prop_map(CallId::from), text()), 0..3);
    let artifacts = vec((text(), text()), 0..3);
    (records, vec(usage(), 0..3), outputs, artifacts, option::of(text()))
        .prop_map(|(records, usage, outputs, artifacts, title)| Batch {
            records,
            usage: usage.into_iter().map(Arc::new).collect(),
            outputs,
            artifacts: artifacts.iter().map(|(kind, key)| document(kind, key, 0)).collect(),
            title,
            ..Batch::default()
        })
        .boxed()
}

/// Whatever is written is what is read, and what is counted is what was written.
pub async fn what_is_written_is_read(store: Shared) {
    let handle = tokio::runtime::Handle::current();
    let run = move || {
        let config = Config { cases: CASES, failure_persistence: None, ..Config::default() };
        TestRunner::new(config)
            .run(&vec(batch(), 1..4), |batches| {
                handle.block_on(check(Arc::clone(&store), batches));
                Ok(())
            })
            .unwrap_or_else(|failure| panic!("{failure}"));
    };
    // Off the runtime's threads, for the runner waits.
    tokio::task::spawn_blocking(run).await.unwrap();
}

async fn check(store: Shared, mut batches: Vec<Batch>) {
    let id = session(&store).await;
    let (mut position, mut version) = (0, 0);
    let mut expected = store.begin(id, LONG).await.unwrap();
    let (mut outputs, mut rows, mut documents) = (BTreeMap::new(), Vec::new(), Vec::new());
    let count = batches.len();
    for (index, batch) in batches.iter_mut().enumerate() {
        for record in &mut batch.records {
            position += 1;
            record.position = position;
        }
        for new in &mut batch.artifacts {
            version += 1;
            new.version = version;
        }
        batch.release = index + 1 == count;
        store.append(&expected.lease, batch.clone()).await.unwrap();
        expected.records.extend(batch.records.clone());
        outputs.extend(batch.outputs.clone());
        rows.extend(batch.usage.clone());
        documents.extend(batch.artifacts.clone());
        let session = &mut expected.session;
        session.last_position = position;
        session.updated_at =
            batch.records.last().map_or(session.updated_at, |last| session.updated_at.max(last.at));
        session.turn_count += batch.turns();
        session.retrieval_count += batch.retrievals();
        session.total_tokens_used += batch.tokens();
        session.open_turn = batch.open_turn().unwrap_or(session.open_turn);
        session.title = session.title.take().or(batch.title.clone());
    }
    let found = store.begin(id, LONG).await.unwrap();
    assert_eq!((&found.session, &found.records), (&expected.session, &expected.records));
    assert_eq!(store.session(id).await.unwrap().as_ref(), Some(&expected.session));
    assert_eq!(store.records(id, 0).await.unwrap(), expected.records);
    assert_eq!(store.usage(id).await.unwrap(), rows);
    for (call_id, output) in outputs {
        assert_eq!(store.output(id, call_id).await.unwrap(), Some(output));
    }
    documents.sort_by(|a, b| (&a.name, a.version).cmp(&(&b.name, b.version)));
    let found = store.artifacts(id).await.unwrap();
    let found: Vec<_> = found.into_iter().map(|one| (one.name, one.version, one.json)).collect();
    assert_eq!(found, documents.into_iter().map(|new| (new.name, new.version, new.json)).collect::<Vec<_>>());
    store.release(&tata_core::Lease { session: id, epoch: 2, time: LONG }).await.unwrap();
    store.delete_session(id, "anna".into(), at(0)).await.unwrap();
}

fn cited(quote: String) -> tata_core::Citation {
    let end = quote.chars().count();
    tata_core::Citation {
        number: 1,
        url: "https://a.example".to_owned(),
        quote,
        end,
        score: 0.5,
        ..Default::default()
    }
}
