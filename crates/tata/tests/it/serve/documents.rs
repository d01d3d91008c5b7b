//! The documents that answers rest on: over the API, and each company's own.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Serving;
use crate::program::World;

/// B10, S1: what a company reads in is found by its own people, by whatever way they ask, and by nobody else's.
#[test]
fn companies_have_documents_of_their_own() {
    let world = World::new().file("leave.md", "# Parental leave\n\nParents get 28 weeks of paid leave.\n");
    let mut keys = Vec::new();
    for (name, company) in [("anna", "acme"), ("bo", "acme"), ("carl", "other"), ("dora", "main")] {
        let add = ["account", "add", name, "--tenant", company, "--role", "admin"];
        assert_eq!(world.run_with_input(&add, "correct horse battery\n").code, 0);
        let key = world.run(&["account", "key", name]);
        keys.push(format!("Authorization: Bearer {}\r\n", key.out.trim()));
    }
    assert_eq!(world.run(&["ingest", "leave.md"]).code, 0);
    let serving = Serving::with(&world, &["--accounts"]);
    let file = "# Pensions\n\nThe pension is 6 percent of the salary.\n";
    let bytes = format!("{}Content-Type: application/octet-stream\r\n", keys[0]);
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=pensions.md", &bytes, file).0, 202);
    let list = |key: &str| serving.ask_with("GET", "/api/v1/documents", None, key).1;
    let begun = Instant::now();
    while list(&keys[0])["documents"][0].is_null() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{}", list(&keys[0]));
        std::thread::sleep(Duration::from_millis(50));
    }
    let answer = |key: &str, question: &str| {
        let (status, session) =
            serving.ask_with("POST", "/api/v1/sessions", Some(&json!({"agent": "docs"})), key);
        assert_eq!(status, 201, "{session}");
        let path = format!("/api/v1/sessions/{}/turns", session["session_id"].as_str().unwrap());
        let (status, report) =
            serving.ask_with("POST", &path, Some(&json!({"message": question, "wait": true})), key);
        assert_eq!(status, 200, "{report}");
        report.to_string()
    };
    let search = |key: &str, words: &str| {
        let path = format!("/api/v1/documents/search?q={words}");
        serving.ask_with("GET", &path, None, key).1.to_string()
    };
    // Acme's own, a colleague's, another company's, and that of whoever reads in on this machine.
    for (at, pensions, leave) in [(0, true, false), (1, true, false), (2, false, false), (3, false, true)] {
        let key = &keys[at];
        assert_eq!(search(key, "pension+percent").contains("6 percent"), pensions, "{at}");
        assert_eq!(search(key, "paid+parental+leave").contains("28 weeks"), leave, "{at}");
        let said = answer(key, "How much is the pension?");
        assert_eq!(said.contains("pensions.md"), pensions, "{at}: {said}");
        assert_eq!(list(key)["documents"].as_array().unwrap().len(), usize::from(pensions || leave), "{at}");
        if !pensions {
            assert_eq!(list(key)["taking"], json!([]), "{at}: what is on its way is told to others");
        }
    }
    assert_eq!(serving.stop().0, 0);
    let found = world.run(&["search", "--company", "acme", "pension percent"]);
    assert!(found.out.contains("6 percent"), "{}{}", found.out, found.err);
}

/// B4 over HTTP: a file is taken in, found, cited by its address, and taken out again.
#[test]
fn documents_are_added_and_found_over_the_api() {
    let serving = Serving::start(&World::new());
    let bytes = "Content-Type: application/octet-stream\r\n";
    let text = "# Parental leave\n\nParents get 28 weeks of paid leave.\n";
    assert_eq!(serving.raw("POST", "/api/v1/documents?name=leave.md", bytes, text).0, 202);
    let wrong = serving.raw("POST", "/api/v1/documents?name=leave.md", "Content-Type: text/plain\r\n", text);
    assert!(wrong.0 == 415 && wrong.2.contains("not_a_file"), "{wrong:?}");
    let begun = Instant::now();
    let address = loop {
        let (status, list) = serving.ask("GET", "/api/v1/documents", None);
        assert_eq!(status, 200, "{list}");
        assert_ne!(list["taking"][0]["status"], "failed", "{list}");
        if let Some(address) = list["documents"][0]["address"].as_str() {
            break address.to_owned();
        }
        assert!(begun.elapsed() < Duration::from_mins(1), "{list}");
        std::thread::sleep(Duration::from_millis(50));
    };
    let (status, found) = serving.ask("GET", "/api/v1/documents/search?q=paid+parental+leave", None);
    assert!(status == 200 && found["passages"][0]["text"].as_str().unwrap().contains("28 weeks"), "{found}");
    assert_eq!(found["passages"][0]["address"], address.as_str());
    assert_eq!(serving.ask("GET", "/api/v1/documents/search?q=x", None).0, 422);
    let escaped: String = address.bytes().fold(String::new(), |text, byte| format!("{text}%{byte:02x}"));
    let path = format!("/api/v1/documents?address={escaped}");
    assert_eq!(serving.ask("DELETE", &path, None).0, 204);
    let (status, gone) = serving.ask("DELETE", &path, None);
    assert!(status == 404 && gone["code"] == "document_not_found", "{gone}");
    assert_eq!(serving.stop().0, 0);
}
