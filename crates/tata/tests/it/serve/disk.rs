//! A disk that is full or can only be read: turns stop, the server does not.

use std::process::{Command, Stdio};

use serde_json::json;

use super::Serving;
use crate::program::World;

/// A disk that is full: a turn ends with an error that says so, `/readyz` says so, nothing that was said is lost; once there
/// is room, the same process goes on.
#[test]
fn a_full_disk_stops_turns_and_not_the_server() {
    let world = World::new();
    let plain = world.command(&["serve", "--listen", "127.0.0.1:0"]);
    // The signal that comes with the limit would end any program; the limit itself is what a full disk is to a write.
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(plain.get_program()).args(plain.get_args());
    command.current_dir(plain.get_current_dir().unwrap()).env_clear();
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let serving = Serving::started(command);
    let pid = serving.child.id().to_string();
    survives(&world, serving, |full| {
        let bytes = if full { "4096" } else { "unlimited" };
        let set = Command::new("prlimit").args(["--pid", &pid, &format!("--fsize={bytes}:")]).status();
        // At the end there is nobody left to set free.
        assert!(set.unwrap().success() || !full, "prlimit of util-linux is needed");
    });
}

/// A data folder that can only be read: the same.
#[test]
fn a_read_only_folder_stops_turns_and_not_the_server() {
    let world = World::new();
    let probe = world.folder.join("probe");
    std::fs::write(&probe, "x").unwrap();
    // Files that cannot be changed by anybody, not even by who has them open: what a folder mounted for reading is to a write.
    let flag = |flag: &str, path: &std::path::Path| {
        let set = Command::new("chattr").args(["-R", flag]).arg(path).stderr(Stdio::null()).status();
        set.is_ok_and(|set| set.success())
    };
    if !flag("+i", &probe) {
        eprintln!(
            "SKIPPED: a folder cannot be made read-only here (chattr +i needs root and a file system that knows it)"
        );
        return;
    }
    assert!(flag("-i", &probe));
    let serving = Serving::start(&world);
    let home = world.folder.join("home");
    survives(&world, serving, |broken| assert!(flag(if broken { "+i" } else { "-i" }, &home)));
}

/// Whether a server goes on after a time in which nothing could be written.
fn survives(world: &World, serving: Serving, broken: impl Fn(bool)) {
    /// Mends what was broken, whatever becomes of the test: a folder that cannot be changed cannot be removed.
    struct Mend<F: Fn(bool)>(F);
    impl<F: Fn(bool)> Drop for Mend<F> {
        fn drop(&mut self) {
            (self.0)(false);
        }
    }
    let broken = Mend(broken);
    let (_, session) = serving.ask("POST", "/api/v1/sessions", Some(&json!({})));
    let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
    let say = |message: &str| {
        serving.ask("POST", &format!("{path}/turns"), Some(&json!({ "message": message, "wait": true })))
    };
    let (status, report) = say("Hello");
    assert_eq!(status, 200, "{report}");
    assert_eq!(serving.ask("GET", "/readyz", None).0, 200);

    (broken.0)(true);
    for _ in 0..3 {
        let (status, problem) = say("What can you do?");
        assert!(status >= 500, "{status} {problem}");
        assert!(problem["code"].is_string() && problem["detail"].is_string(), "{problem}");
        assert!(!problem.to_string().contains("panicked"), "{problem}");
    }
    let (status, unready) = serving.ask("GET", "/readyz", None);
    assert!(status == 503 && unready["code"] == "not_ready", "{status} {unready}");
    assert_eq!(serving.ask("GET", "/healthz", None).0, 200);
    // What was there can still be read.
    let (status, messages) = serving.ask("GET", &format!("{path}/messages"), None);
    assert!(status == 200 && messages.to_string().contains("Hello"), "{status} {messages}");

    (broken.0)(false);
    assert_eq!(serving.ask("GET", "/readyz", None).0, 200);
    let (status, report) = say("What can you do?");
    assert_eq!(status, 200, "{report}");
    let (_, messages) = serving.ask("GET", &format!("{path}/messages"), None);
    assert!(messages.to_string().contains("Hello"), "{messages}");
    let (code, _) = serving.stop();
    assert_eq!(code, 0);
    let checked = world.run(&["audit", "verify"]);
    assert_eq!(checked.code, 0, "{checked:?}");
}
