//! Sessions at a glance.

use std::sync::Arc;

use tata_core::{
    AuditEntry, Batch, NewAudit, NewSession, Session, SessionChange, SessionFilter, SessionId, StoreError,
    verify_chain,
};

use super::{LONG, ODD, SHORT, Shared, at, batch, document, finished, now, said, session, unknown_usage};
use crate::store::ledger::word;

fn odd(id: SessionId) -> NewSession {
    let text = || Some(ODD.to_owned());
    NewSession {
        id,
        agent: ODD.to_owned(),
        title: text(),
        tenant_id: text(),
        user_id: text(),
        model: text(),
        created_at: at(1),
    }
}

async fn delete(store: &Shared, id: SessionId) -> Result<(), StoreError> {
    store.delete_session(id, "anna".into(), at(9)).await
}

async fn found(store: &Shared, filter: SessionFilter) -> Vec<SessionId> {
    let listing = store.sessions(filter).await.unwrap();
    assert_eq!(listing.damaged, []);
    listing.sessions.iter().map(|session| session.id).collect()
}

/// What is made is what is read.
pub async fn a_new_session_is_as_given(store: Shared) {
    let new = odd(SessionId::random());
    let made = store.create_session(new.clone()).await.unwrap();
    assert_eq!(made, new.clone().into_session());
    assert_eq!(now(&store, new.id).await, made);
    let bare = NewSession::with("docs", at(2));
    let made = store.create_session(bare.clone()).await.unwrap();
    assert_eq!((now(&store, bare.id).await, made.title, made.user_id), (bare.into_session(), None, None));
    let again = store.create_session(new.clone()).await;
    assert!(matches!(again, Err(StoreError::Exists { .. })), "{again:?}");
}

/// Lists are in order of use, and end at the limit.
pub async fn the_last_used_comes_first(store: Shared) {
    let mut ids = Vec::new();
    for age in [5, 1, 9, 3] {
        ids.push(store.create_session(NewSession::with("tata", at(age))).await.unwrap().id);
    }
    assert_eq!(found(&store, SessionFilter::default()).await, [ids[2], ids[0], ids[3], ids[1]]);
    let begun = store.begin(ids[1], LONG).await.unwrap();
    let mut late = batch(0, [said(1, "hi")]);
    late.records[0].at = at(100);
    store.append(&begun.lease, late).await.unwrap();
    let two = SessionFilter { limit: Some(2), ..SessionFilter::default() };
    assert_eq!(found(&store, two).await, [ids[1], ids[2]]);
    let none = SessionFilter { limit: Some(0), ..SessionFilter::default() };
    assert_eq!(found(&store, none).await, []);
    let twins = [NewSession::with("twin", at(7)), NewSession::with("twin", at(7))];
    let mut expected: Vec<SessionId> = twins.iter().map(|twin| twin.id).collect();
    expected.sort_unstable();
    for twin in twins {
        store.create_session(twin).await.unwrap();
    }
    let twins = SessionFilter { agent: Some("twin".to_owned()), ..SessionFilter::default() };
    assert_eq!(found(&store, twins).await, expected, "of the same age: by id");
}

/// Filters take text as it is, whatever the letter case, and no character is special.
pub async fn filters_find_and_spare(store: Shared) {
    let named = |title: &str| NewSession {
        title: Some(title.to_owned()),
        user_id: Some(title.to_owned()),
        ..NewSession::with("tata", at(0))
    };
    let titles = [
        "\u{d8}konom i \u{c5}rhus",
        "100% sicher",
        "100 sicher",
        "STRASSE \u{3a3}",
        "a_b",
        "axb",
        ODD,
        "A\u{30a}ngstro\u{308}m lab",
        "\u{c5}ngstr\u{f6}m Malm\u{f6}",
    ];
    let mut ids = Vec::new();
    for title in titles {
        ids.push(store.create_session(named(title)).await.unwrap().id);
    }
    let untitled = store.create_session(NewSession::with("docs", at(0))).await.unwrap().id;
    let by_title = async |part: &str| {
        found(&store, SessionFilter { title_contains: Some(part.to_owned()), ..SessionFilter::default() })
            .await
    };
    for (part, index) in [
        ("\u{f8}KONOM", 0),
        ("\u{e5}RHUS", 0),
        ("100%", 1),
        ("0 s", 2),
        ("stra\u{df}e \u{3c2}", 3),
        ("A_B", 4),
        ("\0B \"Q\"", 6),
        ("\\ \u{1f469}", 6),
        // The same letters, put together or not.
        ("A\u{30a}RHUS", 0),
        ("\u{c5}ngstr\u{f6}m l", 7),
        ("a\u{30a}ngstro\u{308}m l", 7),
        ("\u{e5}NGSTR\u{d6}M m", 8),
        ("A\u{30a}ngstro\u{308}m M", 8),
    ] {
        assert_eq!(by_title(part).await, [ids[index]], "{part:?}");
    }
    assert_eq!(by_title("nowhere").await, []);
    assert_eq!(
        by_title("").await.len(),
        ids.len(),
        "the empty text is part of every title, but there must be one"
    );
    let filter = SessionFilter { user_id: Some(ODD.to_owned()), ..SessionFilter::default() };
    assert_eq!(found(&store, filter).await, [ids[6]]);
    let filter = SessionFilter { agent: Some("docs".to_owned()), ..SessionFilter::default() };
    assert_eq!(found(&store, filter).await, [untitled]);
    let by_prefix = async |prefix: &str| {
        found(&store, SessionFilter { id_prefix: Some(prefix.to_owned()), ..SessionFilter::default() }).await
    };
    let id = untitled.to_string();
    assert_eq!(by_prefix(&id).await, [untitled]);
    assert!(by_prefix(&id[..6].to_uppercase()).await.contains(&untitled));
    for odd in ["%", "_", "\0", "zz", "'", &format!("{id}0")] {
        assert_eq!(by_prefix(odd).await, [], "{odd:?}");
    }
}

/// Sessions are found by what was said in them: none that has the words is left out, and those without plain parts of them are.
pub async fn what_was_said_is_found(store: Shared) {
    let mut ids = Vec::new();
    for texts in
        [["Notes on Fibre", "and Köln's \"100 % sure\""], ["fibre 100", "nothing"], ["Elsewhere", ODD]]
    {
        let id = session(&store).await;
        let lease = store.begin(id, LONG).await.unwrap().lease;
        let entries = texts.into_iter().zip(1..).map(|(text, turn)| said(turn, text));
        store.append(&lease, batch(0, entries)).await.unwrap();
        ids.push(id);
    }
    let by_words = async |words: &[&str]| {
        let mentions = words.iter().map(|word| (*word).to_owned()).collect();
        let mut found = found(&store, SessionFilter { mentions, ..SessionFilter::default() }).await;
        found.sort_by_key(|id| ids.iter().position(|one| one == id));
        found
    };
    assert_eq!(by_words(&["fibre"]).await, ids[..2]);
    assert_eq!(by_words(&["FIBRE", "notes"]).await, ids[..1]);
    assert_eq!(by_words(&["fibre", "sure"]).await, [], "one message has them all");
    assert_eq!(by_words(&["köln's", "100"]).await, ids[..1]);
    assert_eq!(by_words(&["drop"]).await, ids[2..]);
    assert_eq!(by_words(&["%", "_"]).await, ids, "signs say nothing");
    assert_eq!(by_words(&[]).await, ids);
}

/// A change touches what it names and nothing else, and needs no lease.
pub async fn changes_keep_the_rest(store: Shared) {
    let before = store.create_session(odd(SessionId::random())).await.unwrap();
    let _lease = store.begin(before.id, LONG).await.unwrap();
    let change = SessionChange { title: Some("New \0".to_owned()), ..SessionChange::default() };
    let after = store.change_session(before.id, change).await.unwrap();
    assert_eq!(after, Session { title: Some("New \0".to_owned()), ..before.clone() });
    let change = SessionChange { model: Some(None), ..SessionChange::default() };
    let after = store.change_session(before.id, change).await.unwrap();
    assert_eq!(after.model, None);
    let change = SessionChange { model: Some(Some("m".to_owned())), ..SessionChange::default() };
    store.change_session(before.id, change).await.unwrap();
    let expected = Session { title: Some("New \0".to_owned()), model: Some("m".to_owned()), ..before };
    assert_eq!(now(&store, expected.id).await, expected);
    let filter = SessionFilter { title_contains: Some("nEW".to_owned()), ..SessionFilter::default() };
    assert_eq!(found(&store, filter).await, [expected.id], "the search knows the new title");
}

/// A wish to delete hides a session from lists and from who goes on with turns. It can be taken back, and is carried out
/// when it is due and not before.
pub async fn a_deletion_waits_until_it_is_due(store: Shared) {
    let (id, other) = (session(&store).await, session(&store).await);
    let lease = store.begin(id, SHORT).await.unwrap().lease;
    store.append(&lease, batch(0, [said(1, "unfinished")])).await.unwrap();
    tokio::time::sleep(SHORT * 4).await;
    let wish = |at| SessionChange { delete_at: Some(at), ..SessionChange::default() };
    let due = async |moment| -> Vec<SessionId> {
        store.due_deletions(moment).await.unwrap().iter().map(|session| session.id).collect()
    };
    let wished = store.change_session(id, wish(Some(at(20)))).await.unwrap();
    assert_eq!((wished.delete_at, now(&store, id).await.delete_at), (Some(at(20)), Some(at(20))));
    assert_eq!(found(&store, SessionFilter::default()).await, [other]);
    assert_eq!(store.interrupted().await.unwrap(), []);
    assert_eq!((due(at(19)).await, due(at(20)).await), (vec![], vec![id]));
    let too_early = store.delete_due_session(id, "anna".into(), at(19)).await;
    assert!(matches!(too_early, Err(StoreError::NotFound { .. })), "{too_early:?}");
    let back = store.change_session(id, wish(None)).await.unwrap();
    assert_eq!((back.delete_at, due(at(99)).await), (None, vec![]));
    let taken_back = store.delete_due_session(id, "anna".into(), at(99)).await;
    assert!(matches!(taken_back, Err(StoreError::NotFound { .. })), "{taken_back:?}");
    assert_eq!(store.interrupted().await.unwrap().len(), 1);
    store.change_session(id, wish(Some(at(20)))).await.unwrap();
    let lease = store.begin(id, LONG).await.unwrap().lease;
    let in_use = store.delete_due_session(id, "anna".into(), at(20)).await;
    assert!(matches!(in_use, Err(StoreError::Busy { .. })), "{in_use:?}");
    store.release(&lease).await.unwrap();
    store.delete_due_session(id, "anna".into(), at(21)).await.unwrap();
    assert_eq!((store.session(id).await.unwrap(), due(at(99)).await), (None, vec![]));
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((trail.len(), trail[0].action.as_str(), trail[0].at), (1, "session.deleted", at(21)));
}

/// Nothing of a deleted session is left but what was noted about it.
pub async fn a_deleted_session_leaves_only_audit(store: Shared) {
    let (id, other) = (session(&store).await, session(&store).await);
    for id in [id, other] {
        let begun = store.begin(id, LONG).await.unwrap();
        let whole = Batch {
            artifacts: vec![document("A", "", 1)],
            usage: vec![unknown_usage(1).into()],
            outputs: vec![("c1".into(), "whole".to_owned())],
            release: true,
            ..batch(0, [said(1, "hi"), finished(1)])
        };
        store.append(&begun.lease, whole).await.unwrap();
        store.give_feedback(id, word(1, None, None)).await.unwrap();
    }
    delete(&store, id).await.unwrap();
    assert_eq!(store.session(id).await.unwrap(), None);
    assert_eq!(store.records(id, 0).await.unwrap(), []);
    assert_eq!(store.artifacts(id).await.unwrap(), []);
    assert_eq!(store.usage(id).await.unwrap(), []);
    assert_eq!(store.feedback(id).await.unwrap(), []);
    assert_eq!(store.output(id, "c1".into()).await.unwrap(), None);
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((trail.len(), verify_chain(&trail)), (1, Ok(())), "one entry tells of it");
    let (action, subject) = ("session.deleted".to_owned(), id.to_string());
    let AuditEntry { actor, at: when, .. } = trail[0].clone();
    assert_eq!((actor.as_str(), when), ("anna", at(9)));
    assert_eq!((&trail[0].action, &trail[0].subject), (&action, &subject));
    assert_eq!(store.records(other, 0).await.unwrap().len(), 2, "the neighbor is untouched");
    assert_eq!(store.artifacts(other).await.unwrap().len(), 1);
    let anew = NewSession { id, ..NewSession::with("tata", at(0)) };
    store.create_session(anew).await.unwrap();
    assert_eq!(store.begin(id, LONG).await.unwrap().records, [], "a session of the same id begins empty");
}

/// A turn is not pulled from under its writer.
pub async fn a_session_in_use_is_not_deleted(store: Shared) {
    let id = session(&store).await;
    let begun = store.begin(id, LONG).await.unwrap();
    let refused = delete(&store, id).await;
    assert!(matches!(refused, Err(StoreError::Busy { session }) if session == id), "{refused:?}");
    assert_eq!(store.audit_trail().await.unwrap(), [], "what was refused leaves no entry");
    store.release(&begun.lease).await.unwrap();
    delete(&store, id).await.unwrap();
}

/// Whoever asks for what is not there hears so; who lists it, gets nothing.
pub async fn what_is_missing_is_said(store: Shared) {
    let gone = session(&store).await;
    let lease = store.begin(gone, LONG).await.unwrap().lease;
    store.release(&lease).await.unwrap();
    delete(&store, gone).await.unwrap();
    let missing = |error: StoreError| assert!(matches!(error, StoreError::NotFound { .. }), "{error:?}");
    missing(delete(&store, gone).await.unwrap_err());
    missing(store.change_session(gone, SessionChange::default()).await.unwrap_err());
    missing(store.begin(gone, LONG).await.unwrap_err());
    missing(store.append(&lease, Batch::default()).await.unwrap_err());
    missing(store.renew(&lease).await.unwrap_err());
    missing(store.give_feedback(gone, word(1, None, None)).await.unwrap_err());
    let approval = tata_core::Approval { by: "a".to_owned(), at: at(0), account: None };
    missing(store.approve_artifact(gone, super::name("A", ""), 1, approval).await.unwrap_err());
    assert_eq!(store.audit_trail().await.unwrap().len(), 1, "only what was done is told");
    assert_eq!(store.salvage(gone.to_string()).await.unwrap(), None);
    store.release(&lease).await.unwrap();
    assert_eq!(store.session(gone).await.unwrap(), None);
    assert_eq!(store.records(gone, 0).await.unwrap(), []);
    assert_eq!(store.artifact(gone, super::name("A", ""), None).await.unwrap(), None);
    assert_eq!(store.interrupted().await.unwrap(), []);
}

/// Every text field keeps every character.
pub async fn every_text_survives(store: Shared) {
    let id = store.create_session(odd(SessionId::random())).await.unwrap().id;
    let begun = store.begin(id, LONG).await.unwrap();
    let odd_usage = Arc::new(tata_core::UsageRow {
        model: ODD.into(),
        served_model: Some(ODD.to_owned()),
        outcome: ODD.into(),
        response_id: Some(ODD.to_owned()),
        request_id: Some(ODD.to_owned()),
        ..unknown_usage(1)
    });
    let whole = Batch {
        artifacts: vec![document(ODD, ODD, 1)],
        usage: vec![Arc::clone(&odd_usage)],
        outputs: vec![(ODD.into(), ODD.repeat(1000))],
        ..batch(0, [said(1, ODD)])
    };
    store.append(&begun.lease, whole.clone()).await.unwrap();
    assert_eq!(store.records(id, 0).await.unwrap(), whole.records);
    assert_eq!(store.usage(id).await.unwrap(), [odd_usage]);
    assert_eq!(store.output(id, ODD.into()).await.unwrap(), Some(ODD.repeat(1000)));
    let approval = tata_core::Approval { by: ODD.to_owned(), at: at(8), account: None };
    store.approve_artifact(id, super::name(ODD, ODD), 1, approval.clone()).await.unwrap();
    let artifact = store.artifact(id, super::name(ODD, ODD), None).await.unwrap().unwrap();
    assert_eq!((artifact.json, artifact.approval), (whole.artifacts[0].json.clone(), Some(approval)));
    let word = word(1, Some(ODD), Some(ODD));
    store.give_feedback(id, word.clone()).await.unwrap();
    assert_eq!(store.feedback(id).await.unwrap(), [word]);
    let noted = NewAudit {
        account: None,
        tenant: Some(ODD.to_owned()),
        at: at(1),
        actor: ODD.to_owned(),
        action: ODD.to_owned(),
        subject: ODD.to_owned(),
        detail: ODD.to_owned(),
    };
    let entry = store.record_audit(noted).await.unwrap();
    let trail = store.audit_trail().await.unwrap();
    assert_eq!((trail.len(), trail.last()), (2, Some(&entry)), "after that of the approval");
    assert_eq!((trail[0].actor.as_str(), verify_chain(&trail)), (ODD, Ok(())));
}
