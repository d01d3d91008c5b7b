//! Every damage is named, on both engines, and what is whole goes on.

use std::sync::Arc;

use tata_core::{
    DamageKind::{self, *},
    NewAudit, SessionFilter, SessionId, Store, StoreError,
};
use tata_testkit::store::{LONG, at, now, upkeep::rich};

/// What somebody did behind the store's back: to one of two sessions, or to the trail.
pub(crate) struct Case {
    name: &'static str,
    /// `{id}` is the session.
    sql: &'static str,
    found: &'static [(DamageKind, &'static str, Option<u64>)],
}

const fn case(
    name: &'static str,
    sql: &'static str,
    found: &'static [(DamageKind, &'static str, Option<u64>)],
) -> Case {
    Case { name, sql, found }
}

const OF: &str = "session = (SELECT key FROM sessions WHERE id = '{id}')";

/// Positions 1 to 6 of the journal are: said, made 1, made 2, finished, said, finished. Of the trail, 1 and 2 tell of the
/// approvals of both sessions, 3 to 5 of something else.
pub(crate) const CASES: [Case; 31] = [
    case(
        "a forged audit entry",
        "UPDATE audit SET detail = '\"kind\"' WHERE position = 4",
        &[(AuditForged, "audit", Some(4))],
    ),
    case(
        "an audit entry of another time",
        "UPDATE audit SET at = at + 1 WHERE position = 3",
        &[(AuditForged, "audit", Some(3))],
    ),
    case(
        "an audit entry with another seal",
        "UPDATE audit SET seal = '00' WHERE position = 3",
        &[(AuditForged, "audit", Some(3)), (AuditBroken, "audit", Some(4))],
    ),
    case(
        "a removed audit entry",
        "DELETE FROM audit WHERE position = 4",
        &[(AuditMissing, "audit", Some(4))],
    ),
    case(
        "an audit entry at another position",
        "UPDATE audit SET position = 9 WHERE position = 5",
        &[(AuditMissing, "audit", Some(5)), (AuditForged, "audit", Some(9))],
    ),
    case(
        "an unreadable audit entry",
        "UPDATE audit SET actor = 'bare' WHERE position = 4",
        &[(AuditUnreadable, "audit", Some(4))],
    ),
    case(
        "a removed entry of an approval",
        "DELETE FROM audit WHERE position = 1",
        &[(AuditMissing, "audit", Some(1)), (ActUnaudited, "audit", None)],
    ),
    case(
        "an approval that nobody audited",
        "UPDATE artifacts SET approved_by = '\"eve\"', approved_at = 5 WHERE version = 1 AND {of}",
        &[(ActUnaudited, "audit", None)],
    ),
    case(
        "an approval taken back",
        "UPDATE artifacts SET approved_by = NULL, approved_at = NULL WHERE version = 2 AND {of}",
        &[(ActMissing, "audit", Some(1))],
    ),
    case(
        "an unreadable entry",
        "UPDATE journal SET entry = '{\"type\":\"from_tomorrow\"}' WHERE position = 3 AND {of}",
        &[(EntryUnreadable, "journal", Some(3))],
    ),
    case(
        "an entry that is cut off",
        "UPDATE journal SET entry = '{\"type\":\"turn_fin' WHERE position = 4 AND {of}",
        &[(EntryUnreadable, "journal", Some(4))],
    ),
    case(
        "an entry of no time",
        "UPDATE journal SET at = 9000000000000000000 WHERE position = 1 AND {of}",
        &[(EntryUnreadable, "journal", Some(1))],
    ),
    case(
        "a missing entry",
        "DELETE FROM journal WHERE position = 3 AND {of}",
        &[(EntryMissing, "journal", Some(3))],
    ),
    case(
        "a missing first entry",
        "DELETE FROM journal WHERE position = 1 AND {of}",
        &[(EntryMissing, "journal", Some(1))],
    ),
    case(
        "a missing last entry",
        "DELETE FROM journal WHERE position = 6 AND {of}",
        &[(LastPositionWrong, "journal", Some(5))],
    ),
    case("an empty journal", "DELETE FROM journal WHERE {of}", &[(LastPositionWrong, "journal", Some(0))]),
    case(
        "a last position that is too high",
        "UPDATE sessions SET last_position = 9 WHERE id = '{id}'",
        &[(LastPositionWrong, "journal", Some(6))],
    ),
    case(
        "a last position that is too low",
        "UPDATE sessions SET last_position = 5 WHERE id = '{id}'",
        &[(LastPositionWrong, "journal", Some(6))],
    ),
    case(
        "an entry of an unknown session",
        "INSERT INTO journal VALUES (7777, 1, 0, '{}')",
        &[(NoSession, "journal", None)],
    ),
    case(
        "a document of an unknown session",
        "UPDATE artifacts SET session = 7777 WHERE version = 1 AND {of}",
        &[(NoSession, "artifacts", None), (ArtifactMissing, "artifacts", None)],
    ),
    case(
        "a document that is no JSON",
        "UPDATE artifacts SET json = '{\"a\":' WHERE version = 1 AND {of}",
        &[(ArtifactUnreadable, "artifacts", None)],
    ),
    case(
        "a missing version",
        "DELETE FROM artifacts WHERE version = 1 AND {of}",
        &[(ArtifactMissing, "artifacts", None)],
    ),
    case(
        "a version of which the journal does not tell",
        "INSERT INTO artifacts (session, kind, key, version, json, created_at) \
         SELECT session, kind, key, 3, json, created_at FROM artifacts WHERE version = 2 AND {of}",
        &[(ArtifactUnannounced, "artifacts", None)],
    ),
    case(
        "an approval by nobody",
        "UPDATE artifacts SET approved_by = 'bare' WHERE version = 2 AND {of}",
        &[(ApprovalUnreadable, "artifacts", None)],
    ),
    case(
        "an approval of no time",
        "UPDATE artifacts SET approved_at = NULL WHERE version = 2 AND {of}",
        &[(ApprovalUnreadable, "artifacts", None)],
    ),
    case(
        "an unreadable request",
        "UPDATE usage SET request = '[]' WHERE {of}",
        &[(UsageUnreadable, "usage", None), (UsageUnreadable, "usage", None)],
    ),
    case(
        "a wrong sum of tokens",
        "UPDATE sessions SET total_tokens_used = 14 WHERE id = '{id}'",
        &[(CountWrong, "sessions", None)],
    ),
    case(
        "wrong counts",
        "UPDATE sessions SET turn_count = 3, retrieval_count = 1, open_turn = NOT open_turn WHERE id = '{id}'",
        &[(CountWrong, "sessions", None), (CountWrong, "sessions", None), (CountWrong, "sessions", None)],
    ),
    case(
        "an unreadable session",
        "UPDATE sessions SET agent = 'bare' WHERE id = '{id}'",
        &[(SessionUnreadable, "sessions", None)],
    ),
    case(
        "an unreadable opinion",
        "UPDATE feedback SET opinion = '{}' WHERE {of}",
        &[(FeedbackUnreadable, "feedback", None)],
    ),
    case(
        "an unreadable output",
        "UPDATE outputs SET output = 'bare' WHERE {of}",
        &[(OutputUnreadable, "outputs", None)],
    ),
];

/// Does the damage to a store with two sessions, and looks at what is said and at what still works.
pub(crate) async fn check(case: &Case, store: Arc<dyn Store>, meddle: impl AsyncFnOnce(String)) {
    let (id, other) = (rich(&store).await, rich(&store).await);
    for number in 0..3 {
        let (actor, action) = ("anna".to_owned(), "folder.trusted".to_owned());
        let new = NewAudit {
            at: at(number),
            actor,
            account: None,
            tenant: None,
            action,
            subject: String::new(),
            detail: String::new(),
        };
        store.record_audit(new).await.unwrap();
    }
    assert_eq!(store.verify().await.unwrap().damages, [], "{}", case.name);
    meddle(case.sql.replace("{of}", OF).replace("{id}", &id.to_string())).await;

    let damages = store.verify().await.unwrap().damages;
    let mut found: Vec<_> = damages.iter().map(|one| (one.kind, one.table, one.position)).collect();
    let mut expected = case.found.to_vec();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected, "{}: {damages:#?}", case.name);
    for damage in &damages {
        let of_session = damage.session.is_some();
        assert_eq!(of_session, damage.session == Some(id.to_string()), "{}: {damage}", case.name);
        assert!(!damage.still_works().is_empty() && !damage.remedy().is_empty());
        let saves = damage.remedy().contains(&format!("tata session salvage {id}"));
        assert!(saves || !of_session || damage.table == "audit", "{}: {}", case.name, damage.remedy());
    }
    what_is_whole_goes_on(&store, id, other, case).await;
}

async fn what_is_whole_goes_on(store: &Arc<dyn Store>, id: SessionId, other: SessionId, case: &Case) {
    let harms = |kinds: &[DamageKind]| case.found.iter().any(|(kind, ..)| kinds.contains(kind));
    let listing = store.sessions(SessionFilter::default()).await.unwrap();
    let row_is_gone = harms(&[SessionUnreadable]);
    assert_eq!((listing.sessions.len(), listing.damaged.len()), if row_is_gone { (1, 1) } else { (2, 0) });
    let last = SessionFilter { limit: Some(1), ..SessionFilter::default() };
    assert_eq!(store.sessions(last).await.unwrap().sessions.len(), 1, "a damaged row does not count");
    store.interrupted().await.unwrap();
    assert_eq!(now(store, other).await.last_position, 6);
    let begun = store.begin(other, LONG).await.unwrap();
    assert_eq!(begun.records.len(), 6, "{}: the neighbour", case.name);
    store.release(&begun.lease).await.unwrap();
    // No turn goes on upon a journal that is damaged.
    let broken = harms(&[EntryUnreadable, EntryMissing, LastPositionWrong, SessionUnreadable]);
    for _ in 0..2 {
        match store.begin(id, LONG).await {
            Ok(begun) if !broken => store.release(&begun.lease).await.unwrap(),
            Err(StoreError::Unreadable { what, .. }) if broken => {
                assert!(what.contains(&id.to_string()), "{}: {what}", case.name);
            }
            other => panic!("{}: {other:?}", case.name),
        }
    }
    let saved = store.salvage(id.to_string()).await.unwrap().unwrap();
    assert_eq!(saved.session.is_some(), !row_is_gone);
    let lost_entries = saved.lost.iter().filter(|lost| lost.damage.table == "journal").count();
    assert!(saved.records.len() + lost_entries >= 6 || case.name == "an empty journal", "{}", case.name);
    for lost in saved.lost.iter().filter(|lost| lost.damage.kind == EntryUnreadable) {
        assert!(lost.columns.contains_key("entry"), "what stands there is saved");
    }
    // What is damaged can be deleted, and that is told.
    store.delete_session(id, "anna".into(), at(9)).await.unwrap();
    let trail = store.audit_trail().await.unwrap();
    assert_eq!(trail.last().map(|last| last.action.as_str()), Some("session.deleted"), "{}", case.name);
}
