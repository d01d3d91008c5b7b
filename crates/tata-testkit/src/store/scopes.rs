//! What a person sees of a store that others use as well.

use std::sync::Arc;

use tata_core::{
    Approval, CallId, Feedback, Lease, NewSession, Rating, Scope, ScopedStore, SessionChange, SessionFilter,
    SessionId, Store, StoreError,
};

use super::{LONG, SHORT, Shared, at, batch, document, files::file, finished, name, said};

/// Two people of one company and one of another, each with what they see.
fn people(store: &Shared) -> [Shared; 3] {
    [("acme", "anna"), ("acme", "bo"), ("other", "anna")].map(|(tenant, user)| {
        let scope = Scope { tenant: tenant.to_owned(), user: user.to_owned() };
        Arc::new(ScopedStore::new(store, scope)) as Arc<dyn Store>
    })
}

/// A session with a turn, a document, feedback and an output.
async fn worked(store: &Shared) -> SessionId {
    // Whoever asks for somebody else's name does not get it.
    let new = NewSession { user_id: Some("bo".to_owned()), ..NewSession::with("tata", at(0)) };
    let id = store.create_session(new).await.unwrap().id;
    let begun = store.begin(id, LONG).await.unwrap();
    let mut written = batch(0, [said(1, "secret"), finished(1)]);
    written.artifacts.push(document("job_ad", "", 1));
    written.outputs.push((CallId::from("c1"), "whole".to_owned()));
    written.release = true;
    store.append(&begun.lease, written).await.unwrap();
    let feedback = Feedback { turn: 1, user_id: None, rating: Rating::Up, comment: None, at: at(9) };
    store.give_feedback(id, feedback).await.unwrap();
    store.keep_file(id, file("a.txt", b"a", 1)).await.unwrap();
    id
}

/// Everything that can be done with a session is done with somebody else's, and finds nothing.
pub async fn what_is_anothers_does_not_exist(store: Shared) {
    let [anna, bo, stranger] = people(&store);
    let id = worked(&anna).await;
    let session = anna.session(id).await.unwrap().unwrap();
    assert_eq!((session.tenant_id.as_deref(), session.user_id.as_deref()), (Some("acme"), Some("anna")));
    for other in [bo, stranger] {
        assert_eq!(other.session(id).await.unwrap(), None);
        assert_eq!(other.sessions(SessionFilter::default()).await.unwrap().sessions, []);
        assert_eq!(other.records(id, 0).await.unwrap(), []);
        assert_eq!(other.output(id, CallId::from("c1")).await.unwrap(), None);
        assert_eq!(other.artifacts(id).await.unwrap(), []);
        assert_eq!(other.newest_artifacts(id).await.unwrap(), []);
        assert_eq!(other.artifact(id, name("job_ad", ""), None).await.unwrap(), None);
        assert_eq!(other.usage(id).await.unwrap(), []);
        assert_eq!(other.feedback(id).await.unwrap(), []);
        assert_eq!(other.files(id).await.unwrap(), []);
        let digest = file("a.txt", b"a", 1).about.digest;
        assert_eq!(other.file_bytes(id, digest).await.unwrap(), None);
        assert!(other.salvage(id.to_string()).await.unwrap().is_none());
        let lease = Lease { session: id, epoch: 1, time: SHORT };
        let approval = Approval { by: "x".to_owned(), at: at(1) };
        let feedback = Feedback { turn: 1, user_id: None, rating: Rating::Down, comment: None, at: at(9) };
        let refused = [
            other.change_session(id, SessionChange::default()).await.map(drop),
            other.delete_session(id, "x".to_owned(), at(1)).await,
            other.begin(id, LONG).await.map(drop),
            other.append(&lease, batch(2, [said(2, "forged")])).await,
            other.renew(&lease).await,
            other.release(&lease).await,
            other.approve_artifact(id, name("job_ad", ""), 1, approval).await,
            other.give_feedback(id, feedback).await,
            other.keep_file(id, file("forged.txt", b"b", 2)).await,
        ];
        for (at, refused) in refused.into_iter().enumerate() {
            assert!(matches!(refused, Err(StoreError::NotFound { .. })), "operation {at}: {refused:?}");
        }
    }
    assert_eq!(anna.records(id, 0).await.unwrap().len(), 2);
    assert_eq!(anna.artifacts(id).await.unwrap().len(), 1);
    assert_eq!(anna.files(id).await.unwrap().len(), 1);
    assert!(anna.artifacts(id).await.unwrap().iter().all(|one| one.approval.is_none()));
}

/// Their own is there as ever, also the turns that nobody finished.
pub async fn what_is_ones_own_is_there(store: Shared) {
    let [anna, bo, stranger] = people(&store);
    let (hers, his) = (worked(&anna).await, worked(&bo).await);
    let begun = stranger.create_session(NewSession::with("tata", at(0))).await.unwrap().id;
    let lease = stranger.begin(begun, SHORT).await.unwrap().lease;
    stranger.append(&lease, batch(0, [said(1, "unfinished")])).await.unwrap();
    tokio::time::sleep(SHORT * 4).await;
    assert_eq!(anna.interrupted().await.unwrap(), []);
    assert_eq!(stranger.interrupted().await.unwrap().len(), 1);
    let listed = anna.sessions(SessionFilter::default()).await.unwrap().sessions;
    assert_eq!(listed.iter().map(|one| one.id).collect::<Vec<_>>(), [hers]);
    anna.delete_session(hers, "anna".to_owned(), at(20)).await.unwrap();
    assert_eq!(anna.session(hers).await.unwrap(), None);
    assert!(bo.session(his).await.unwrap().is_some());
    let all = SessionFilter { tenant_id: Some("acme".to_owned()), ..SessionFilter::default() };
    assert_eq!(store.sessions(all).await.unwrap().sessions.len(), 1);
    // What is about everybody is nobody's within a scope.
    assert!(anna.audit_trail().await.is_err());
    assert!(anna.verify().await.is_err());
    assert!(anna.accounts(None).await.is_err());
}
