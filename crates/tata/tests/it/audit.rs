//! Damage through the real binary: named by `audit verify` and `doctor`, worked around, salvaged; and `audit list`.

use std::fs;

use serde_json::Value;

use crate::program::{CHANGE, PROFILE, Said, World};

fn json(said: &Said) -> Value {
    serde_json::from_str(&said.out).unwrap()
}

/// Two conversations, the last one with a document that is approved; the last one's id.
fn world() -> (World, String) {
    let world = World::new().set("TATA_USER", "kim");
    for _ in 0..2 {
        let said = world.run_with_input(&["chat"], PROFILE);
        assert_eq!(said.code, 0, "{}", said.err);
    }
    assert_eq!(world.run(&["artifact", "approve", "profile"]).code, 0);
    let listed = json(&world.run(&["session", "list", "--json"]));
    let id = listed["sessions"][0]["session_id"].as_str().unwrap().to_owned();
    (world, id)
}

fn meddle(world: &World, sql: &str) {
    let connection = rusqlite::Connection::open(world.folder.join("home/tata.db")).unwrap();
    connection.execute_batch(sql).unwrap();
}

fn of(id: &str) -> String {
    format!("session = (SELECT key FROM sessions WHERE id = '{id}')")
}

#[test]
fn a_whole_database_is_called_whole() {
    let empty = World::new();
    let said = empty.run(&["audit", "verify", "--json"]);
    assert_eq!((said.code, json(&said)["ok"].as_bool()), (0, Some(true)));
    assert!(!empty.folder.join("home/tata.db").exists(), "whoever looks makes nothing");
    let (world, id) = world();
    let said = world.run(&["audit", "verify"]);
    assert!(said.code == 0 && said.out.starts_with("Whole. 2 conversations"), "{said:?}");
    let listed = world.run(&["audit", "list"]);
    assert!(listed.out.contains("kim") && listed.out.contains("artifact.approved"), "{}", listed.out);
    assert!(listed.out.contains(&id), "{}", listed.out);
}

/// An approval and its entry are one write, so both faces tell of it once.
#[test]
fn a_forged_audit_entry_is_named() {
    let (world, _) = world();
    meddle(&world, "UPDATE audit SET actor = '\"eve\"'");
    let said = world.run(&["audit", "verify", "--json"]);
    assert_eq!(said.code, 1, "{}", said.out);
    let found = json(&said);
    let forged =
        found["damages"].as_array().unwrap().iter().find(|one| one["kind"] == "audit_forged").unwrap();
    assert_eq!((&forged["table"], &forged["position"]), (&Value::from("audit"), &Value::from(1)));
    assert!(forged["still_works"].as_str().unwrap().contains("All conversations"));
    assert!(forged["remedy"].as_str().unwrap().contains("backup"));
    let doctor = world.run(&["doctor", "--json"]);
    assert_eq!(doctor.code, 1);
    let findings = json(&doctor);
    let findings = findings["findings"].as_array().unwrap();
    assert!(findings.iter().any(|one| one["area"] == "database" && one["name"] == "audit_forged"));
}

/// One unreadable entry: the rest is shown, the turn is refused, others go on, and everything can be saved.
#[test]
fn an_unreadable_entry_is_worked_around() {
    let (world, id) = world();
    meddle(
        &world,
        &format!("UPDATE journal SET entry = '{{\"type\":\"zz\"}}' WHERE position = 2 AND {}", of(&id)),
    );
    let shown = world.run(&["session", "show", &id]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("network engineer"), "{}", shown.out);
    assert!(
        shown.err.contains("entry 2 cannot be read") && shown.err.contains("tata session salvage"),
        "{shown:?}"
    );
    let refused = world.run_with_input(&["chat", "--session", &id], "hello\n");
    assert_ne!(refused.code, 0);
    for word in ["damaged", "tata doctor", "tata session salvage"] {
        assert!(refused.err.contains(word), "{word}: {}", refused.err);
    }
    let doctor = world.run(&["doctor"]);
    assert!(
        doctor.code == 1 && doctor.out.contains(&id) && doctor.out.contains("position 2"),
        "{}",
        doctor.out
    );
    let exported = world.run(&["session", "export", &id]);
    assert!(exported.code == 1 && exported.out.contains("Damaged: entry 2"), "{exported:?}");
    let saved = world.run(&["session", "salvage", &id, "-o", "saved.jsonl"]);
    assert_eq!(saved.code, 0, "{}", saved.err);
    let text = fs::read_to_string(world.folder.join("saved.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let lost: Vec<_> = lines.iter().filter(|line| line["line"] == "lost").collect();
    assert_eq!(lost.len(), 1);
    assert_eq!(lost[0]["lost"]["columns"]["entry"], "{\"type\":\"zz\"}");
    assert!(lines.iter().any(|line| line["line"] == "document") && lines[0]["line"] == "session");
    assert_eq!(lines.last().unwrap()["line"], "end");
    let other = json(&world.run(&["session", "list", "--json"]));
    let other = other["sessions"][1]["session_id"].as_str().unwrap().to_owned();
    assert_eq!(world.run_with_input(&["chat", "--session", &other], "yes, that is right\n").code, 0);
}

#[test]
fn a_gap_in_a_journal_is_not_passed_over() {
    let (world, id) = world();
    meddle(&world, &format!("DELETE FROM journal WHERE position = 2 AND {}", of(&id)));
    assert!(world.run(&["session", "show", &id]).err.contains("entry 2 is missing"));
    assert_ne!(world.run_with_input(&["chat", "--session", &id], "hello\n").code, 0);
    assert!(world.run(&["audit", "verify"]).out.contains("entry 2 is missing"));
}

#[test]
fn an_unreadable_row_does_not_hide_the_others() {
    let (world, id) = world();
    meddle(&world, &format!("UPDATE sessions SET agent = 'bare' WHERE id = '{id}'"));
    let listed = world.run(&["session", "list"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    assert!(listed.out.contains("requirement profile") || listed.out.lines().count() >= 2, "{}", listed.out);
    assert!(listed.err.contains(&id) && listed.err.contains("salvage"), "{}", listed.err);
    let listed = json(&world.run(&["session", "list", "--json"]));
    assert_eq!(
        (listed["sessions"].as_array().unwrap().len(), &listed["damaged"][0]["session"]),
        (1, &id.clone().into())
    );
    assert_eq!(world.run(&["session", "show", "last"]).code, 0, "the last one that can be read");
    for wish in [&id, &id[..8]] {
        let refused = world.run(&["session", "show", wish]);
        assert!(refused.code == 1 && refused.err.contains("salvage"), "{refused:?}");
        let saved = world.run(&["session", "salvage", wish]);
        assert!(saved.code == 0 && saved.out.contains("network engineer"), "{saved:?}");
    }
    let deleted = world.run(&["session", "delete", &id, "--yes"]);
    assert_eq!(deleted.code, 0, "{}", deleted.err);
    assert_eq!(world.run(&["audit", "verify"]).code, 0);
}

#[test]
fn an_unreadable_document_does_not_hide_the_others() {
    let (world, id) = world();
    assert_eq!(world.run_with_input(&["chat", "--session", &id], CHANGE).code, 0);
    meddle(&world, &format!("UPDATE artifacts SET json = '{{\"a\":' WHERE version = 1 AND {}", of(&id)));
    let shown = world.run(&["artifact", "show", "profile", "--session", &id]);
    assert!(shown.code == 0 && shown.out.contains("Ansible"), "{shown:?}");
    assert!(shown.err.contains("damaged") && shown.err.contains("salvage"), "{}", shown.err);
    assert_eq!(world.run(&["artifact", "list", "--session", &id]).code, 0);
}

/// `export -o` leads nowhere but to the file that was named, and only its owner can read it.
#[test]
fn an_export_follows_no_link_and_is_private() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let (world, _) = world();
    let target = world.folder.join("target.md");
    fs::write(&target, "mine").unwrap();
    symlink(&target, world.folder.join("link.md")).unwrap();
    let refused = world.run(&["session", "export", "last", "-o", "link.md"]);
    assert!(refused.code == 1 && refused.err.contains("is a link"), "{refused:?}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    let refused = world.run(&["session", "export", "last", "-o", "home"]);
    assert!(refused.code == 1 && refused.err.contains("is not a file"), "{refused:?}");
    fs::set_permissions(&target, fs::Permissions::from_mode(0o666)).unwrap();
    let written = world.run(&["session", "export", "last", "-o", "target.md"]);
    assert_eq!(written.code, 0, "{}", written.err);
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(fs::read_to_string(&target).unwrap().contains("network engineer"));
    let left = fs::read_dir(&world.folder).unwrap();
    assert!(left.into_iter().all(|file| !file.unwrap().file_name().to_string_lossy().ends_with(".part")));
}
