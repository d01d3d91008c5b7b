//! Changes of a collection of documents that are cut off, or made at once.

use std::{
    fs,
    io::{Read as _, Write as _},
    time::Duration,
};

use serde_json::Value;

use super::{
    Serving,
    documents::{bring, changes_have_ended, escaped, files_in, settled, with_documents},
};
use crate::program::World;

/// A removal that a kill cut off left a document without its file, or one that was gone without a word in the audit.
#[test]
fn a_removal_outlives_a_kill() {
    let world = World::new();
    let uploads = world.folder.join("home/uploads");
    let names: Vec<String> = (0..8).map(|number| format!("{number}.md")).collect();
    let mut serving = Serving::start(&world);
    for name in &names {
        bring(&serving, "", name, &format!("# Pay {name}\n\nThe director earns a lot.\n"));
    }
    let list = with_documents(&serving, "", names.len());
    let documents = list["documents"].as_array().unwrap().clone();
    let mut promised = 0;
    // From before the request is read to after its answer.
    let moments = [0, 5, 10, 20, 40, 80, 160, 2_000];
    for (round, (document, moment)) in documents.iter().zip(moments).enumerate() {
        let address = document["address"].as_str().unwrap();
        let path = format!("/api/v1/documents?address={}", escaped(address));
        let request = format!("DELETE {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n");
        let mut socket = serving.connect();
        socket.write_all(request.as_bytes()).unwrap();
        let answered = std::thread::spawn(move || {
            let mut head = [0; 12];
            socket.read_exact(&mut head).is_ok_and(|()| head.ends_with(b"204"))
        });
        std::thread::sleep(Duration::from_millis(moment));
        serving.kill();
        let answered = answered.join().unwrap();
        serving = Serving::start(&world);
        changes_have_ended(&uploads);
        let list = settled(&serving, "").to_string();
        let (seal, name) = address.rsplit_once('/').unwrap();
        let is_listed = list.contains(address);
        assert_eq!(is_listed, uploads.join(name).is_file(), "round {round}: half of it is gone");
        assert!(!(answered && is_listed), "round {round}: it was promised, and is there again");
        let trail = world.run(&["audit", "list", "--json"]).out;
        let entries: Value = serde_json::from_str(&trail).unwrap();
        let told = entries["entries"].as_array().unwrap().iter();
        let told = told.filter(|entry| entry["action"] == "document.removed" && entry["subject"] == seal);
        assert_eq!(told.count(), usize::from(!is_listed), "round {round}: {trail}");
        promised += usize::from(answered);
    }
    assert!(promised > 0, "no removal was ever answered");
    assert_eq!(serving.stop().0, 0);
}

/// The answer said that the file is taken in, and a kill right after it lost the file without a word.
#[test]
fn a_file_that_was_acknowledged_outlives_a_kill() {
    let world = World::new();
    let mut serving = Serving::start(&world);
    for count in 1..=8 {
        let name = format!("{count}.md");
        bring(&serving, "", &name, &format!("# Bonus\n\nThe bonus is {count} percent.\n"));
        serving.kill();
        serving = Serving::start(&world);
        let list = with_documents(&serving, "", count);
        assert!(list["documents"].to_string().contains(&format!("/{name}\"")), "{list}");
    }
    changes_have_ended(&world.folder.join("home/uploads"));
    let trail = world.run(&["audit", "list", "--json"]).out;
    assert_eq!(trail.matches("document.added").count(), 8, "{trail}");
    assert_eq!(serving.stop().0, 0);
}

/// Both of two files of one name were lost, and both of two removals refused or told.
#[test]
fn changes_of_one_document_at_once_are_made_in_turn() {
    let world = World::new();
    let uploads = world.folder.join("home/uploads");
    let serving = Serving::start(&world);
    let head = "Content-Type: application/octet-stream\r\n";
    for round in 0..4 {
        let text = |half: u32| format!("# Bonus\n\nThe bonus is {} percent.\n", 10 * round + half);
        let add = |half| serving.raw("POST", "/api/v1/documents?name=bonus.md", head, &text(half)).0;
        let added = std::thread::scope(|scope| {
            let other = scope.spawn(|| add(1));
            [add(2), other.join().unwrap()]
        });
        assert_eq!(added, [202, 202]);
        let list = with_documents(&serving, "", 1);
        assert_eq!(list["taking"][0]["status"], "done", "{list}");
        let kept = fs::read_to_string(uploads.join("bonus.md")).unwrap();
        assert!([text(1), text(2)].contains(&kept), "{kept}");
        let figure = kept.split_whitespace().rev().nth(1).unwrap();
        let found = serving.ask("GET", "/api/v1/documents/search?q=bonus+percent", None).1.to_string();
        assert!(found.contains(&format!("is {figure} percent")), "{found}: another version is in the index");
        // Removed by two at once, and while a new version is on its way.
        let address = list["documents"][0]["address"].as_str().unwrap();
        let path = format!("/api/v1/documents?address={}", escaped(address));
        let mut removed = std::thread::scope(|scope| {
            let remove = || serving.raw("DELETE", &path, "", "").0;
            let other = scope.spawn(remove);
            [remove(), other.join().unwrap()]
        });
        removed.sort_unstable();
        assert_eq!(removed, [204, 404]);
        assert_eq!(add(3), 202);
        with_documents(&serving, "", 1);
        assert_eq!(add(4), 202);
        assert_eq!(serving.raw("DELETE", &path, "", "").0, 204);
        let list = settled(&serving, "");
        assert_eq!((list["documents"].as_array().unwrap().len(), files_in(&uploads)), (0, vec![]), "{list}");
    }
    let trail = world.run(&["audit", "list", "--json"]).out;
    assert_eq!(trail.matches("document.removed").count(), 8, "{trail}");
    assert_eq!(trail.matches("document.added").count(), 16, "{trail}");
    assert_eq!(serving.stop().0, 0);
}

/// Two names that no file may have became one document: the later file took the place of the other.
#[test]
fn names_that_differ_are_different_documents() {
    let world = World::new();
    let serving = Serving::start(&world);
    for (name, figure) in [("a%3Ab.md", 3), ("a%3Fb.md", 4), ("a_b.md", 5)] {
        bring(&serving, "", name, &format!("# Bonus\n\nThe bonus is {figure} percent.\n"));
    }
    with_documents(&serving, "", 3);
    // The same name is the same document.
    bring(&serving, "", "a%3Ab.md", "# Bonus\n\nThe bonus is 6 percent.\n");
    with_documents(&serving, "", 3);
    let found = serving.ask("GET", "/api/v1/documents/search?q=bonus+percent", None).1.to_string();
    assert!([4, 5, 6].iter().all(|figure| found.contains(&format!("is {figure} percent"))), "{found}");
    assert!(!found.contains("is 3 percent"), "{found}");
    assert_eq!(serving.stop().0, 0);
}

/// A file that is no document was told as an added one.
#[test]
fn a_file_that_cannot_be_read_is_not_told_as_added() {
    let world = World::new();
    let serving = Serving::start(&world);
    bring(&serving, "", "broken.pdf", "%PDF-1.7 and nothing else");
    bring(&serving, "", "good.md", "# Bonus\n\nThe bonus is 3 percent.\n");
    with_documents(&serving, "", 1);
    let trail = world.run(&["audit", "list", "--json"]).out;
    assert_eq!(trail.matches("document.added").count(), 1, "{trail}");
    assert_eq!(files_in(&world.folder.join("home/uploads")), ["good.md"], "no record of a change stays");
    assert_eq!(serving.stop().0, 0);
}
