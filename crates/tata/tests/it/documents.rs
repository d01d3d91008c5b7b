//! Documents through the real binary: in, found, cited, out again.

use std::fs;

use serde_json::Value;

use crate::program::{Said, World};

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap()
}

/// A world with two documents in its folder `docs`.
fn world() -> World {
    let world = World::new();
    let docs = world.folder.join("docs");
    fs::create_dir_all(&docs).unwrap();
    fs::write(
        docs.join("holiday.md"),
        "# Holiday\n\nEvery employee has thirty days of paid holiday each year.",
    )
    .unwrap();
    fs::write(
        docs.join("travel.txt"),
        "Trains come before flights. Hotels are paid up to 1500 kronor a night.",
    )
    .unwrap();
    world
}

fn path(world: &World, name: &str) -> String {
    world.folder.join(name).display().to_string()
}

/// B9, B4: ingested, searched, listed, shown, removed.
#[test]
fn documents_are_ingested_found_shown_and_removed() {
    let world = world();
    let docs = path(&world, "docs");
    let said = world.run(&["search", "paid holiday", "--json"]);
    assert_eq!((said.code, json(&said)["error"]["kind"].as_str()), (5, Some("no_index")), "{said:?}");

    let said = world.run(&["ingest", &docs, "--meta", "owner=people", "--json"]);
    assert_eq!((said.code, json(&said)["stored"].as_u64()), (0, Some(2)), "{said:?}");
    let said = world.run(&["ingest", &docs, "--meta", "owner=people", "--json"]);
    assert_eq!((said.code, json(&said)["unchanged"].as_u64()), (0, Some(2)), "{said:?}");

    let said = world.run(&["search", "How many days of paid holiday does an employee have?"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.out.contains("“Every employee has thirty days of paid holiday each year.” [1]"),
        "{}",
        said.out
    );
    let said = world.run(&["search", "Who won the cup in Brazil last summer?"]);
    assert_eq!(said.code, 5, "{said:?}");
    let said = world.run(&["search", "paid holiday", "--filter", "owner=nobody", "--json"]);
    assert_eq!((said.code, json(&said)["total"].as_u64()), (5, Some(0)), "{said:?}");

    let listed = json(&world.run(&["docs", "list", "--json"]));
    let urls: Vec<&str> =
        listed["documents"].as_array().unwrap().iter().map(|one| one["url"].as_str().unwrap()).collect();
    assert_eq!(urls.len(), 2);
    let shown = world.run(&["docs", "show", urls[0]]);
    assert!(shown.out.contains("thirty days"), "{shown:?}");
    assert_eq!(json(&world.run(&["docs", "stats", "--json"]))["stats"]["documents"], 2);
    assert_eq!(world.run(&["docs", "reindex"]).code, 0);
    assert_eq!(world.run(&["docs", "delete", urls[0]]).code, 0);
    assert_eq!(world.run(&["docs", "show", urls[0]]).code, 5);

    fs::remove_file(world.folder.join("docs/travel.txt")).unwrap();
    let said = world.run(&["ingest", &docs, "--prune", "--meta", "owner=people", "--json"]);
    let summary = json(&said);
    assert_eq!((&summary["stored"], &summary["removed"]), (&Value::from(1), &Value::from(1)), "{said:?}");
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_stored() {
    let world = world();
    fs::write(world.folder.join("docs/broken.pdf"), "%PDF-1.7 nothing").unwrap();
    let docs = path(&world, "docs");
    let said = world.run(&["ingest", &docs, "http://127.0.0.1:9/page"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.contains("2 documents stored") && said.out.contains("broken.pdf"), "{}", said.out);
    assert!(said.out.contains("private network"), "{}", said.out);
    assert_eq!(world.run(&["ingest", &docs, "--strict"]).code, 1);
    assert_eq!(world.run(&["ingest", &docs, "--collection", "../x"]).code, 2);
}

#[test]
fn retrieval_is_measured_on_a_folder() {
    let world = World::new();
    let set = world.folder.join("set");
    fs::create_dir_all(&set).unwrap();
    let write = |name: &str, text: &str| fs::write(set.join(name), text).unwrap();
    write(
        "corpus.jsonl",
        "{\"_id\":\"a\",\"title\":\"Bears\",\"text\":\"Bears sleep in winter.\"}\n{\"_id\":\"b\",\"title\":\"Storks\",\"text\":\"Storks fly south.\"}\n",
    );
    write(
        "queries.jsonl",
        "{\"_id\":\"1\",\"text\":\"Which animals sleep in winter?\"}\n{\"_id\":\"2\",\"text\":\"bears\"}\n",
    );
    write(
        "qrels.jsonl",
        "{\"query_id\":\"1\",\"doc_id\":\"a\",\"score\":1}\n{\"query_id\":\"2\",\"doc_id\":\"b\",\"score\":1}\n",
    );
    let said = world.run(&["eval", "retrieval", &path(&world, "set"), "--lang", "en", "--json"]);
    let found = json(&said);
    assert_eq!(
        (&found["queries"], &found["ndcg_at_10"], &found["recall_at_10"]),
        (&2.into(), &0.5.into(), &0.5.into()),
        "{said:?}"
    );
    assert_eq!(world.run(&["eval", "retrieval", "/nonexistent"]).code, 1);
}

/// The tool by hand, as an agent would call it.
#[test]
fn the_tool_answers_without_a_model() {
    let world = world();
    assert_eq!(world.run(&["ingest", &path(&world, "docs")]).code, 0);
    let input = "{\"query\": \"hotels paid a night\"}";
    let said = world.run_with_input(&["run", "search_docs", "--input", "-"], input);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.out.contains("1500 kronor"), "{}", said.out);
}
