//! Documents and their versions.

use tata_core::{
    Approval, ArtifactKind, Batch, NewArtifact, SessionFilter, SessionId, StoreError, verify_chain,
};

use super::{LONG, Shared, at, document, name, session};

/// Each batch with its kinds that are out of date by it.
type Batches = Vec<(Vec<NewArtifact>, &'static [&'static str])>;

async fn stored(store: &Shared, batches: Batches) -> SessionId {
    let id = session(store).await;
    let lease = store.begin(id, LONG).await.unwrap().lease;
    for (artifacts, stale) in batches {
        let stale = stale.iter().map(|kind| ArtifactKind::new(kind)).collect();
        store.append(&lease, Batch { artifacts, stale, ..Batch::default() }).await.unwrap();
    }
    id
}

/// Versions add up, in order; each is found by its number and the newest without one.
pub async fn versions_add_up(store: Shared) {
    let versions = || vec![document("A", "", 1), document("A", "x", 1), document("A", "", 2)];
    let id =
        stored(&store, vec![(versions(), &[]), (vec![document("A", "", 10), document("A", "", 9)], &[])])
            .await;
    let all = store.artifacts(id).await.unwrap();
    let seen: Vec<_> = all.iter().map(|one| (one.name.key.as_str(), one.version)).collect();
    assert_eq!(seen, [("", 1), ("", 2), ("", 9), ("", 10), ("x", 1)]);
    assert!(all.iter().all(|one| !one.stale && one.approval.is_none() && one.created_at == at(5)));
    let newest = store.newest_artifacts(id).await.unwrap();
    let newest: Vec<_> = newest.iter().map(|one| (one.name.key.as_str(), one.version)).collect();
    assert_eq!(newest, [("", 10), ("x", 1)]);
    let get = async |key, version| store.artifact(id, name("A", key), version).await.unwrap();
    assert_eq!(get("", None).await.unwrap().version, 10);
    assert_eq!(get("", Some(2)).await.unwrap().json, versions()[2].json, "the exact text");
    assert_eq!(get("x", None).await.unwrap().version, 1);
    assert_eq!((get("", Some(3)).await, get("y", None).await), (None, None));
    let other = session(&store).await;
    let with = SessionFilter { with_documents: true, ..SessionFilter::default() };
    let with: Vec<_> = store.sessions(with).await.unwrap().sessions.iter().map(|one| one.id).collect();
    assert!(with.contains(&id) && !with.contains(&other));
    assert_eq!(store.artifact(other, name("A", ""), None).await.unwrap(), None);
    assert_eq!(store.newest_artifacts(other).await.unwrap(), []);
}

/// A change marks the newest versions of what was made from it; older ones, and those it brings itself, stay.
pub async fn the_newest_grow_stale(store: Shared) {
    let first =
        vec![document("A", "", 1), document("B", "x", 1), document("B", "x", 2), document("B", "y", 1)];
    let second = vec![document("A", "", 2), document("B", "y", 2), document("C", "", 1)];
    let id = stored(&store, vec![(first, &[]), (second, &["B", "C", "D"])]).await;
    let all = store.artifacts(id).await.unwrap();
    let stale: Vec<_> = all.iter().filter(|one| one.stale).map(|one| (&*one.name.key, one.version)).collect();
    assert_eq!(stale, [("x", 2)]);
    let other = stored(&store, vec![(vec![document("B", "x", 1)], &[])]).await;
    assert!(!store.artifact(other, name("B", "x"), None).await.unwrap().unwrap().stale);
}

/// A yes is to one version.
pub async fn approval_is_of_one_version(store: Shared) {
    let id = stored(&store, vec![(vec![document("A", "", 1), document("A", "", 2)], &[])]).await;
    let yes = |by: &str| Approval { by: by.to_owned(), at: at(11), account: None };
    store.approve_artifact(id, name("A", ""), 1, yes("anna")).await.unwrap();
    store.approve_artifact(id, name("A", ""), 1, yes("bo")).await.unwrap();
    let all = store.artifacts(id).await.unwrap();
    assert_eq!(all.iter().map(|one| one.approval.clone()).collect::<Vec<_>>(), [Some(yes("bo")), None]);
    for (missing, version) in [(name("A", ""), 3), (name("A", "x"), 1), (name("B", ""), 1)] {
        let refused = store.approve_artifact(id, missing, version, yes("anna")).await;
        assert!(matches!(refused, Err(StoreError::NotFound { .. })), "{refused:?}");
    }
    let trail = store.audit_trail().await.unwrap();
    let told: Vec<_> = trail.iter().map(|entry| (&*entry.actor, &*entry.action, &entry.subject)).collect();
    let subject = id.to_string();
    let one = |actor| (actor, "artifact.approved", &subject);
    assert_eq!(told, [one("anna"), one("bo")], "each yes has its entry, what was refused has none");
    assert!(trail.iter().all(|entry| entry.at == at(11) && entry.detail.starts_with("A version 1 sha256 ")));
    assert_eq!(verify_chain(&trail), Ok(()));
}

/// What outlives a session does not name people: the key of a document may be a candidate's name.
pub async fn an_approval_tells_no_name(store: Shared) {
    let id = stored(&store, vec![(vec![document("Report", "Ylva Testsson", 1)], &[])]).await;
    let yes = Approval { by: "anna".to_owned(), at: at(11), account: None };
    store.approve_artifact(id, name("Report", "Ylva Testsson"), 1, yes).await.unwrap();
    let trail = store.audit_trail().await.unwrap();
    assert!(
        trail[0].detail.starts_with("Report version 1") && !trail[0].detail.contains("Ylva"),
        "{trail:?}"
    );
}

/// Names are in the order of their letters, not of the way they are stored.
pub async fn names_sort_as_names(store: Shared) {
    let mut keys = ["a", "a b", "a!", "a\"", "b", "", "\0", "\u{e5}", "\u{1f642}", "A"];
    let documents = keys.iter().map(|key| document("K", key, 1)).collect();
    let id = stored(&store, vec![(documents, &[])]).await;
    keys.sort_unstable();
    let all = store.artifacts(id).await.unwrap();
    assert_eq!(all.iter().map(|one| one.name.key.as_str()).collect::<Vec<_>>(), keys);
}
