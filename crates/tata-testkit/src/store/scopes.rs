//! What a person sees of a store that others use as well.

use std::sync::Arc;

use tata_core::{
    Approval, AuditEntry, CallId, Decision, Entry, Feedback, Lease, NewAudit, NewSession, Rating, Scope,
    ScopedStore, SessionChange, SessionFilter, SessionId, Store, StoreError,
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
        let approval = Approval { by: "x".to_owned(), at: at(1), account: None };
        let feedback = Feedback { turn: 1, user_id: None, rating: Rating::Down, comment: None, at: at(9) };
        let refused = [
            other.change_session(id, SessionChange::default()).await.map(drop),
            other.delete_session(id, "x".into(), at(1)).await,
            other.delete_due_session(id, "x".into(), at(1)).await,
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
    let wish = SessionChange { delete_at: Some(Some(at(1))), ..SessionChange::default() };
    bo.change_session(his, wish).await.unwrap();
    assert_eq!(
        (anna.due_deletions(at(9)).await.unwrap(), bo.due_deletions(at(9)).await.unwrap().len()),
        (vec![], 1)
    );
    let taken_back = SessionChange { delete_at: Some(None), ..SessionChange::default() };
    bo.change_session(his, taken_back).await.unwrap();
    anna.delete_session(hers, "anna".into(), at(20)).await.unwrap();
    assert_eq!(anna.session(hers).await.unwrap(), None);
    assert!(bo.session(his).await.unwrap().is_some());
    let all = SessionFilter { tenant_id: Some("acme".to_owned()), ..SessionFilter::default() };
    assert_eq!(store.sessions(all).await.unwrap().sessions.len(), 1);
    // What is about everybody is nobody's within a scope.
    assert!(anna.audit_trail().await.is_err());
    assert!(anna.verify().await.is_err());
    assert!(anna.accounts(None).await.is_err());
}

/// Each act of a person is told in the columns of their company and their account, whatever they are called; a company is
/// told of its own, and one whose name begins alike is another.
pub async fn what_is_done_is_told_to_its_company(store: Shared) {
    let person = |tenant: &str, user: &str| {
        let scope = Scope { tenant: tenant.to_owned(), user: user.to_owned() };
        ScopedStore::new(&store, scope)
    };
    let decided = |by: &str| Entry::Decided {
        turn: 2,
        call_id: "c1".into(),
        seal: "s1".to_owned(),
        decision: Decision::Run,
        by: by.to_owned(),
        tool: "send".into(),
        about: None,
        message: None,
    };
    for (tenant, user) in [("acme", "u1"), ("acme holding", "u2"), ("acm", "u3")] {
        let sees: Shared = Arc::new(person(tenant, user));
        let id = worked(&sees).await;
        let lease = sees.begin(id, LONG).await.unwrap().lease;
        let mut written = batch(2, [said(2, "go on"), decided("what a client calls itself"), finished(2)]);
        // Nobody writes in another's name.
        written.account = Some("somebody else".to_owned());
        written.release = true;
        sees.append(&lease, written).await.unwrap();
        let approval = Approval { by: "command line".to_owned(), at: at(1), account: Some("u9".to_owned()) };
        sees.approve_artifact(id, name("job_ad", ""), 1, approval).await.unwrap();
        let noted = NewAudit {
            at: at(3),
            actor: "x".to_owned(),
            account: None,
            tenant: Some("evil".to_owned()),
            action: "artifact.exported".to_owned(),
            subject: id.to_string(),
            detail: "tenant acme holding".to_owned(),
        };
        sees.record_audit(noted).await.unwrap();
        sees.delete_session(id, "command line".into(), at(4)).await.unwrap();
    }
    // The command line has no account, but what it deletes is somebody's.
    let left = worked(&(Arc::new(person("acme", "u1")) as Shared)).await;
    store.delete_session(left, "command line".into(), at(5)).await.unwrap();
    let told = |entry: &AuditEntry| (entry.action.clone(), entry.tenant.clone(), entry.account.clone());
    let expected = |tenant: &str, user: &str| {
        ["session.deleted", "artifact.exported", "artifact.approved", "tool.decided"]
            .map(|action| (action.to_owned(), Some(tenant.to_owned()), Some(user.to_owned())))
    };
    let of = async |tenant: &str| store.audit_of(tenant.to_owned(), 100).await.unwrap();
    assert_eq!(of("acme holding").await.iter().map(told).collect::<Vec<_>>(), expected("acme holding", "u2"));
    assert_eq!(of("acm").await.iter().map(told).collect::<Vec<_>>(), expected("acm", "u3"));
    let acme = of("acme").await;
    assert_eq!(told(&acme[0]), ("session.deleted".to_owned(), Some("acme".to_owned()), None));
    assert_eq!(acme[1..].iter().map(told).collect::<Vec<_>>(), expected("acme", "u1"));
    assert_eq!(store.audit_of("acme".to_owned(), 2).await.unwrap(), acme[..2], "the newest first");
    assert_eq!(of("evil").await, []);
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((trail.len(), tata_core::verify_chain(&trail)), (13, Ok(())));
    let anna: Shared = Arc::new(person("acme", "u1"));
    assert!(anna.audit_of("acme".to_owned(), 9).await.is_err(), "admins are shown it by the server");
}
