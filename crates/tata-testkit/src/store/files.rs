//! Files as they came.

use tata_core::{NewFile, StoreError, StoredFile};

use super::{Shared, at, session};

/// A file with some bytes, from which a text was read.
pub fn file(name: &str, bytes: &[u8], millis: i64) -> NewFile {
    NewFile::new(name, bytes.to_vec(), "its text", at(millis))
}

/// Every byte comes back, in the order of coming; the same bytes brought again are one file.
pub async fn files_are_kept_byte_for_byte(store: Shared) {
    let (id, other) = (session(&store).await, session(&store).await);
    let every: Vec<u8> = (0..=255).collect();
    let [first, second, empty] =
        [file("b.vtt", &every, 1), file("a.docx", &every.repeat(5_000), 2), file("empty", b"", 3)];
    for kept in [&second, &first, &empty, &first] {
        store.keep_file(id, kept.clone()).await.unwrap();
    }
    store.keep_file(id, NewFile::new("again.vtt", every.clone(), "", at(9))).await.unwrap();
    let known: Vec<StoredFile> = [&first, &second, &empty].map(|file| file.about.clone()).into();
    assert_eq!(store.files(id).await.unwrap(), known);
    for kept in [&first, &second, &empty] {
        let bytes = store.file_bytes(id, kept.about.digest.clone()).await.unwrap().unwrap();
        assert!(bytes == kept.bytes, "{}", kept.about.name);
    }
    assert!(known[0].became("its text") && !known[0].became("another"));
    assert_eq!(store.files(other).await.unwrap(), []);
    assert_eq!(store.file_bytes(other, first.about.digest.clone()).await.unwrap(), None);
    assert_eq!(store.file_bytes(id, "0".repeat(64)).await.unwrap(), None);
}

/// A file belongs to a session, and goes with it.
pub async fn a_file_needs_its_session(store: Shared) {
    let id = session(&store).await;
    store.keep_file(id, file("a.txt", b"a", 1)).await.unwrap();
    store.delete_session(id, "anna".into(), at(9)).await.unwrap();
    assert_eq!(store.files(id).await.unwrap(), []);
    let refused = store.keep_file(id, file("a.txt", b"a", 1)).await;
    assert!(matches!(refused, Err(StoreError::NotFound { .. })), "{refused:?}");
}
