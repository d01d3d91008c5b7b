//! What is deleted is gone from every byte we wrote (C1).

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::{program::World, pty::Chat};

/// Nobody else says this, in any spelling.
const CANARIES: [&str; 5] = ["Qvxtown", "zwjkeyword", "Ylvatitle", "plughcomment", "xyzzyrunner"];

/// The files below a folder that contain a text, in any letter case.
fn files_with(folder: &Path, text: &str) -> Vec<PathBuf> {
    let (mut open, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        if path.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let bytes = fs::read(&path).unwrap().to_ascii_lowercase();
        let text = text.to_ascii_lowercase();
        if bytes.windows(text.len()).any(|window| window == text.as_bytes()) {
            found.push(path);
        }
    }
    found
}

fn only_session(world: &World) -> String {
    let listed: Value = serde_json::from_str(&world.run(&["session", "list", "--json"]).out).unwrap();
    listed["sessions"][0]["session_id"].as_str().unwrap().to_owned()
}

#[test]
fn a_deleted_conversation_is_gone_from_every_byte() {
    let world = World::new().set("TATA_LOG", "trace").set("TATA_USER", "kim");
    let home = world.folder.join("home");
    let other = world.run_with_input(&["chat"], "We need a requirement profile for a welder in Stayhere\n");
    assert_eq!(other.code, 0, "{}", other.err);
    // What the first version left behind: nobody can tell to which conversation its lines belong.
    fs::write(home.join("history"), "#V2\nQvxtown\n").unwrap();

    let mut chat = Chat::open(&world, &[]);
    chat.say("We need a requirement profile for a network engineer in Qvxtown");
    chat.say("1: network engineer");
    chat.say("Must have: BGP; Linux; zwjkeyword; English");
    chat.press("/title Report on Ylvatitle\r", "Renamed.");
    chat.press("/bad because of plughcomment\r", "Thank you");
    chat.say("replace the third with Ansible");
    chat.say("yes");
    chat.leave();
    let id = only_session(&world);
    let input = world.folder.join("ad.json");
    fs::write(
        &input,
        r#"{"job_ad_text": "We look for an xyzzyrunner who works with us in a team of young people."}"#,
    )
    .unwrap();
    let run = ["run", "create_di_review", "--session", &id, "--input", "ad.json"];
    let ran = world.run(&run);
    assert_eq!(ran.code, 0, "{}", ran.err);
    fs::remove_file(input).unwrap();
    let approved = world.run(&["artifact", "approve", "profile", "--session", &id]);
    assert_eq!(approved.code, 0, "{}", approved.err);

    for canary in CANARIES {
        let found = files_with(&home, canary);
        assert!(!found.is_empty(), "{canary} was written somewhere, or this test looks for nothing");
        assert!(found.iter().all(|path| !path.ends_with("tata.log")), "{canary} is in the log");
    }
    assert!(
        !files_with(&home.join("histories"), "zwjkeyword").is_empty(),
        "what was typed can be called back"
    );
    let deleted = world.run(&["session", "delete", &id, "--yes"]);
    assert_eq!(deleted.code, 0, "{}", deleted.err);
    for canary in CANARIES {
        assert_eq!(files_with(&home, canary), Vec::<PathBuf>::new(), "{canary}");
    }
    assert!(!files_with(&home, "Stayhere").is_empty(), "the other conversation is untouched");
    let trail: Value = serde_json::from_str(&world.run(&["audit", "list", "--json"]).out).unwrap();
    let entries = trail["entries"].as_array().unwrap();
    let told: Vec<_> = entries.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(told, ["artifact.approved", "session.deleted"]);
    assert_eq!((&entries[1]["subject"], &entries[1]["actor"]), (&Value::from(id), &Value::from("kim")));
    assert_eq!(world.run(&["audit", "verify"]).code, 0);
}

/// The arrow keys bring back what was typed, also in another conversation, and it is written down once.
#[test]
fn what_was_typed_is_called_back() {
    let world = World::new();
    let mut chat = Chat::open(&world, &[]);
    chat.say("We need a requirement profile for a welder in Malmö");
    chat.leave();
    let mut chat = Chat::open(&world, &[]);
    chat.press("\x1b[A", "a welder in Malmö");
    // Take the line back first: Ctrl-U.
    chat.press("\x15", "");
    chat.leave();
    assert_eq!(files_with(&world.folder.join("home/histories"), "welder").len(), 1);
}
