//! `tata demo`: a sample project that comes and goes.

use serde_json::Value;

use crate::program::World;

#[test]
fn the_sample_project_has_all_ten_documents_and_can_be_removed() {
    let world = World::new();
    let made = world.run(&["demo", "--json"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let demo: Value = serde_json::from_str(&made.out).unwrap();
    let documents = demo["documents"].as_array().unwrap();
    assert_eq!(documents.len(), 10, "{demo:#}");
    for document in documents.iter().chain([&demo["material"][0], &demo["material"][1]]) {
        let path = document["file"].as_str().or(document.as_str()).unwrap();
        assert!(std::fs::read_to_string(path).unwrap().len() > 100, "{path}");
    }
    let session = demo["session_id"].as_str().unwrap();
    assert_eq!(world.run(&["artifact", "list", "--session", session]).code, 0);
    // A second one takes the place of the first.
    assert_eq!(world.run(&["demo"]).code, 0);
    assert_eq!(world.run(&["session", "show", session]).code, 5);
    let removed = world.run(&["demo", "--remove"]);
    assert_eq!((removed.code, removed.out.trim()), (0, "The sample project is removed."));
    let folder = demo["folder"].as_str().unwrap();
    assert!(!std::path::Path::new(folder).exists());
    assert_eq!(world.run(&["demo", "--remove"]).code, 5);
}
