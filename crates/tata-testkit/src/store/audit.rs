//! Who did what.

use std::sync::Arc;

use tata_core::{
    Approval, Batch, BrokenChain, Decision, Entry, Lease, NewAudit, SessionId, StoreError, verify_chain,
};

use super::{LONG, Shared, at, batch, document, finished, name, said, session};

fn noted(number: usize) -> NewAudit {
    NewAudit {
        at: at(i64::try_from(number).unwrap()),
        actor: "anna".to_owned(),
        account: number.is_multiple_of(2).then(|| "anna's id".to_owned()),
        tenant: number.is_multiple_of(3).then(|| "acme".to_owned()),
        action: "tool.decided".to_owned(),
        subject: number.to_string(),
        detail: "\0".to_owned(),
    }
}

/// Each entry seals the one before, so a change of any of them shows.
pub async fn the_chain_holds(store: Shared) {
    assert_eq!(store.audit_trail().await.unwrap(), []);
    let mut made = Vec::new();
    for number in 0..5 {
        made.push(store.record_audit(noted(number)).await.unwrap());
    }
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((&trail, verify_chain(&trail)), (&made, Ok(())));
    let mut forged = trail.clone();
    forged[2].actor.push('!');
    assert_eq!(verify_chain(&forged), Err(BrokenChain { position: 3 }));
    // The columns of the company and the account are sealed like the rest: changed, put in or taken away.
    for (at, tenant, account) in
        [(0, Some("evil"), Some("anna's id")), (0, None, None), (1, Some("acme"), None)]
    {
        let mut forged = trail.clone();
        (forged[at].tenant, forged[at].account) = (tenant.map(str::to_owned), account.map(str::to_owned));
        let position = u64::try_from(at).unwrap() + 1;
        assert_eq!(verify_chain(&forged), Err(BrokenChain { position }), "{tenant:?} {account:?}");
    }
    let mut swapped = trail.clone();
    let entry = &mut swapped[2];
    entry.tenant = entry.account.take();
    assert_eq!(verify_chain(&swapped), Err(BrokenChain { position: 3 }), "an account as a company");
    let mut cut = trail;
    cut.remove(1);
    assert_eq!(verify_chain(&cut), Err(BrokenChain { position: 2 }));
}

/// Writers at the same time lengthen one chain and do not fork it.
pub async fn many_writers_make_one_chain(store: Shared) {
    let tasks: Vec<_> = (0..40)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.record_audit(noted(number)).await.unwrap() })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((trail.len(), verify_chain(&trail)), (40, Ok(())));
}

fn decided(by: &str) -> Entry {
    Entry::Decided {
        turn: 1,
        call_id: "c1".into(),
        seal: "s1".to_owned(),
        decision: Decision::Run,
        by: by.to_owned(),
        tool: "send".into(),
        about: None,
        message: None,
    }
}

/// A session with a document of which its journal tells.
async fn with_a_document(store: &Shared) -> (SessionId, Lease) {
    let id = session(store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let made = Entry::ArtifactStored { turn: 1, name: name("A", ""), version: 1 };
    let first = Batch { artifacts: vec![document("A", "", 1)], ..batch(0, [said(1, "hi"), made]) };
    store.append(&lease, first).await.unwrap();
    (id, lease)
}

/// A decision and its entry are one write: both are there, once, or neither.
pub async fn a_decision_has_its_entry(store: Shared) {
    let (id, lease) = with_a_document(&store).await;
    for (after, entries) in [(7, vec![decided("eve")]), (1, vec![decided("eve")])] {
        store.append(&lease, batch(after, entries)).await.unwrap_err();
    }
    // A document that is there already: the whole batch is refused, and with it the decision.
    let refused = Batch { artifacts: vec![document("A", "", 1)], ..batch(2, [decided("eve")]) };
    assert!(matches!(store.append(&lease, refused).await, Err(StoreError::Exists { .. })));
    let stale = Lease { epoch: lease.epoch + 1, ..lease.clone() };
    assert!(matches!(
        store.append(&stale, batch(2, [decided("eve")])).await,
        Err(StoreError::LeaseLost { .. })
    ));
    assert_eq!(store.audit_trail().await.unwrap(), [], "what was refused leaves no entry");
    store.append(&lease, batch(2, [decided("anna"), decided("bo"), finished(1)])).await.unwrap();
    let trail = store.audit_trail().await.unwrap();
    let told: Vec<_> = trail.iter().map(|entry| (&*entry.actor, entry.at, &*entry.detail)).collect();
    assert_eq!(told, [("anna", at(3), "send c1 run s1"), ("bo", at(4), "send c1 run s1")]);
    assert!(trail.iter().all(|entry| entry.action == "tool.decided" && entry.subject == id.to_string()));
    assert_eq!(verify_chain(&trail), Ok(()));
}

/// Acts of many at once: each has its entry, and the chain holds.
pub async fn acts_at_once_make_one_chain(store: Shared) {
    let tasks: Vec<_> = (0..12)
        .map(|number| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let (id, lease) = with_a_document(&store).await;
                let by = number.to_string();
                let last = Batch { release: true, ..batch(2, [decided(&by), finished(1)]) };
                store.append(&lease, last).await.unwrap();
                let yes = Approval { by: by.clone(), at: at(7), account: None };
                store.approve_artifact(id, name("A", ""), 1, yes).await.unwrap();
                if number % 2 == 0 {
                    store.delete_session(id, by.as_str().into(), at(8)).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    let trail = store.audit_trail().await.unwrap();
    let count = |action: &str| trail.iter().filter(|entry| entry.action == action).count();
    let counts = [count("tool.decided"), count("artifact.approved"), count("session.deleted")];
    assert_eq!((counts, verify_chain(&trail)), ([12, 12, 6], Ok(())));
    let verified = store.verify().await.unwrap();
    assert_eq!((verified.sessions, verified.audit, verified.damages), (6, 30, Vec::new()));
}
