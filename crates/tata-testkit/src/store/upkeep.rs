//! Looking for damage, and saving what is left.

use tata_core::{Approval, Batch, Entry, Salvage, Usage, UsageRow, Verified};

use super::{LONG, ODD, Shared, at, batch, document, finished, name, now, said, session, unknown_usage};
use crate::store::ledger::word;

/// A session with something of everything, written as a turn writes it.
pub async fn rich(store: &Shared) -> tata_core::SessionId {
    let id = session(store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let made = |version| Entry::ArtifactStored { turn: 1, name: name("A", ODD), version };
    let usage = Usage { input_tokens: Some(10), output_tokens: Some(5), ..Usage::default() };
    let counted = UsageRow { usage: Some(usage), ..unknown_usage(1) };
    let first = Batch {
        artifacts: vec![document("A", ODD, 1)],
        usage: vec![unknown_usage(1).into(), counted.into()],
        outputs: vec![("c1".into(), ODD.to_owned())],
        title: Some("A title".to_owned()),
        ..batch(0, [said(1, ODD), made(1)])
    };
    store.append(&lease, first).await.unwrap();
    let last = Batch {
        artifacts: vec![document("A", ODD, 2)],
        release: true,
        ..batch(2, [made(2), finished(1), said(2, "and more"), finished(2)])
    };
    store.append(&lease, last).await.unwrap();
    let yes = Approval { by: "anna".to_owned(), at: at(11), account: None };
    store.approve_artifact(id, name("A", ODD), 2, yes).await.unwrap();
    store.give_feedback(id, word(1, None, None)).await.unwrap();
    id
}

/// What nobody touched is whole, also while a turn is open.
pub async fn what_is_whole_is_found_whole(store: Shared) {
    assert_eq!(store.verify().await.unwrap(), Verified::default());
    rich(&store).await;
    let open = session(&store).await;
    let lease = store.begin(open, LONG).await.unwrap().lease;
    store.append(&lease, batch(0, [said(1, "hi")])).await.unwrap();
    let gone = rich(&store).await;
    store.delete_session(gone, "anna".into(), at(12)).await.unwrap();
    let whole = Verified { sessions: 2, entries: 7, artifacts: 2, audit: 3, damages: Vec::new() };
    assert_eq!(store.verify().await.unwrap(), whole);
}

/// Everything that belongs to a session is in what is saved of it.
pub async fn everything_can_be_saved(store: Shared) {
    let id = rich(&store).await;
    let expected = Salvage {
        session: Some(now(&store, id).await),
        records: store.records(id, 0).await.unwrap(),
        artifacts: store.artifacts(id).await.unwrap(),
        usage: store.usage(id).await.unwrap(),
        feedback: store.feedback(id).await.unwrap(),
        outputs: vec![("c1".into(), ODD.to_owned())],
        lost: Vec::new(),
    };
    assert_eq!(store.salvage(id.to_string()).await.unwrap(), Some(expected));
    for unknown in ["", "no id", ODD] {
        assert_eq!(store.salvage(unknown.to_owned()).await.unwrap(), None, "{unknown:?}");
    }
}
