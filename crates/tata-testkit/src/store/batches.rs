//! What is written as one.

use std::sync::Arc;

use tata_core::{
    ArtifactKind, Batch, Citation, Entry, Message, SessionChange, StoreError, ToolCall, ToolResult, Usage,
    UsageRow,
};

use super::{LONG, Shared, at, batch, document, finished, now, said, session, unknown_usage};

fn used(total: Option<u64>) -> UsageRow {
    UsageRow { usage: Some(Usage { total_tokens: total, ..Usage::default() }), ..unknown_usage(1) }
}

fn searched(sources: Option<Vec<Citation>>) -> Entry {
    let call = ToolCall::function("c1", "search_docs", "{}");
    let status = tata_core::ToolStatus::Succeeded;
    Entry::ToolFinished { turn: 1, result: ToolResult::text(&call, "found"), status, millis: 3, sources }
}

/// A session counts what its batches hold.
pub async fn a_batch_counts(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let first = Batch {
        usage: [used(Some(70)), unknown_usage(1), used(None), used(Some(30))].map(Arc::new).into(),
        ..batch(0, [said(1, "hi"), searched(Some(Vec::new())), searched(None)])
    };
    store.append(&lease, first).await.unwrap();
    let seen = now(&store, id).await;
    assert_eq!((seen.turn_count, seen.retrieval_count, seen.total_tokens_used), (1, 1, 100));
    assert_eq!((seen.open_turn, seen.last_position, seen.updated_at), (true, 3, at(3)));
    let second =
        Batch { usage: vec![used(Some(1)).into()], ..batch(3, [finished(1), said(2, "more"), finished(2)]) };
    store.append(&lease, second).await.unwrap();
    let seen = now(&store, id).await;
    assert_eq!((seen.turn_count, seen.retrieval_count, seen.total_tokens_used), (2, 1, 101));
    assert_eq!((seen.open_turn, seen.last_position, seen.updated_at), (false, 6, at(6)));
    let reply = Entry::ModelReply {
        turn: 2,
        model: "m".into(),
        message: Message::user("x"),
        outcome: tata_core::ReplyOutcome::Complete,
        stop: None,
        limit: None,
        tokens: 0,
        cost: None,
        by_person: false,
        by_program: false,
    };
    store.append(&lease, batch(6, [reply])).await.unwrap();
    assert!(!now(&store, id).await.open_turn, "a reply says nothing about that");
}

/// A document version that is taken stops everything in its batch.
pub async fn a_batch_is_all_or_nothing(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let first =
        Batch { artifacts: vec![document("A", "", 1), document("B", "", 1)], ..batch(0, [said(1, "hi")]) };
    store.append(&lease, first).await.unwrap();
    let before = (now(&store, id).await, store.artifacts(id).await.unwrap());
    for artifacts in
        [vec![document("A", "", 2), document("A", "", 1)], vec![document("C", "", 1), document("C", "", 1)]]
    {
        let refused = Batch {
            artifacts,
            stale: vec![ArtifactKind::new("B")],
            usage: vec![used(Some(9)).into()],
            outputs: vec![("c1".into(), "x".to_owned())],
            title: Some("T".to_owned()),
            release: true,
            ..batch(1, [said(2, "more")])
        };
        let answer = store.append(&lease, refused).await;
        assert!(matches!(answer, Err(StoreError::Exists { .. })), "{answer:?}");
        assert_eq!((now(&store, id).await, store.artifacts(id).await.unwrap()), before);
        assert_eq!(store.records(id, 1).await.unwrap(), []);
        assert_eq!(store.usage(id).await.unwrap(), []);
        assert_eq!(store.output(id, "c1".into()).await.unwrap(), None);
        assert!(store.renew(&lease).await.is_ok(), "the lease was not given back");
    }
}

/// A title is given once; who wants another changes it.
pub async fn the_first_title_stays(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let titled = |title: &str| Batch { title: Some(title.to_owned()), ..Batch::default() };
    for title in ["First \0\u{1f642}", "Second"] {
        store.append(&lease, titled(title)).await.unwrap();
        assert_eq!(now(&store, id).await.title.as_deref(), Some("First \0\u{1f642}"));
    }
    let change = SessionChange { title: Some("Mine".to_owned()), ..SessionChange::default() };
    store.change_session(id, change).await.unwrap();
    store.append(&lease, titled("Third")).await.unwrap();
    assert_eq!(now(&store, id).await.title.as_deref(), Some("Mine"));
    let filter = tata_core::SessionFilter { title_contains: Some("mINE".to_owned()), ..Default::default() };
    assert_eq!(store.sessions(filter).await.unwrap().sessions.len(), 1);
}

/// A clock that is set back does not make a session older.
pub async fn time_does_not_go_back(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    for (position, moment, expected) in [(0, 50, 50), (1, 20, 50), (2, -99, 50), (3, 60, 60)] {
        let mut next = batch(position, [said(1, "hi")]);
        next.records[0].at = at(moment);
        store.append(&lease, next.clone()).await.unwrap();
        assert_eq!(now(&store, id).await.updated_at, at(expected));
        assert_eq!(store.records(id, position).await.unwrap(), next.records, "an entry keeps its own time");
    }
}

/// A batch may bring usage alone, or nothing at all.
pub async fn a_batch_without_entries(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    store.append(&lease, Batch::default()).await.unwrap();
    for _ in 0..2 {
        store.append(&lease, Batch { usage: vec![used(Some(5)).into()], ..Batch::default() }).await.unwrap();
    }
    let seen = now(&store, id).await;
    assert_eq!((seen.total_tokens_used, seen.last_position, seen.updated_at), (10, 0, at(0)));
    assert_eq!(store.usage(id).await.unwrap().len(), 2, "equal rows are two rows");
    store.append(&lease, batch(0, [said(1, "hi")])).await.unwrap();
}

/// The last write of a turn gives the lease back with it.
pub async fn a_batch_can_end_the_turn(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    store.append(&lease, batch(0, [said(1, "hi")])).await.unwrap();
    assert!(matches!(store.begin(id, LONG).await, Err(StoreError::Busy { .. })));
    store.append(&lease, Batch { release: true, ..batch(1, [finished(1)]) }).await.unwrap();
    let begun = store.begin(id, LONG).await.unwrap();
    assert_eq!((begun.lease.epoch, begun.records.len()), (lease.epoch + 1, 2));
}

/// However many entries and usage rows there are, all come back, in order.
pub async fn a_batch_of_any_length(store: Shared) {
    let id = session(&store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let (mut records, mut usage) = (Vec::new(), Vec::new());
    for (entries, rows) in [(1, 0), (0, 1), (4, 5), (5, 1), (16, 17), (63, 64), (64, 65), (65, 130), (130, 3)]
    {
        let after = records.len() as u64;
        let texts = (0..entries).map(|at| said(1, &format!("{after} {at}")));
        let rows = (0..rows).map(|at| Arc::new(used(Some(after * 1_000 + at)))).collect();
        let written = Batch { usage: rows, ..batch(after, texts) };
        records.extend(written.records.clone());
        usage.extend(written.usage.clone());
        store.append(&lease, written).await.unwrap();
    }
    assert_eq!(now(&store, id).await.last_position, records.len() as u64);
    assert_eq!(store.records(id, 0).await.unwrap(), records);
    assert_eq!(store.usage(id).await.unwrap(), usage);
}
