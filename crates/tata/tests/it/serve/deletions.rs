//! Conversations deleted on a page.

use std::time::{Duration, Instant};

use serde_json::json;

use super::Serving;
use crate::program::World;

/// A conversation that was deleted on a page was back if the server was killed within the time of undo.
#[test]
fn a_deletion_on_a_page_outlives_a_kill() {
    let world = World::new();
    let serving = Serving::start(&world);
    let (status, said) = serving.ask("POST", "/api/chat", Some(&json!({"message": "Hello Robin"})));
    assert_eq!(status, 200, "{said}");
    let id = said["session_id"].as_str().unwrap();
    let press = |serving: &Serving, what: &str| serving.raw("POST", &format!("/p/{id}/{what}"), "", "").0;
    let is_there = |serving: &Serving| {
        let listed = serving.ask("GET", "/api/v1/sessions", None).1.to_string().contains(id);
        let read = serving.ask("GET", &format!("/api/v1/sessions/{id}"), None).0;
        assert_eq!(read, if listed { 200 } else { 404 });
        listed
    };
    assert_eq!(press(&serving, "delete"), 303);
    serving.kill();
    let serving = Serving::start(&world);
    assert!(!is_there(&serving), "the kill undid the deletion");
    assert!(!world.run(&["session", "list"]).out.contains("Robin"), "the terminal shows it");
    assert_eq!(press(&serving, "undelete"), 303, "it could be taken back for twenty seconds");
    assert!(is_there(&serving));
    assert_eq!(press(&serving, "delete"), 303);
    serving.kill();
    // Twenty seconds are over.
    let mut later = world.command(&["serve", "--listen", "127.0.0.1:0"]);
    later.env("TATA_NOW", "2100-01-01T00:00:00Z");
    let serving = Serving::started(later);
    let begun = Instant::now();
    while !world.run(&["audit", "list"]).out.contains("session.deleted") {
        assert!(begun.elapsed() < Duration::from_mins(1), "the deletion was not carried out");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(press(&serving, "undelete"), 404, "it is gone");
    assert_eq!(serving.stop().0, 0);
}
