//! Other accounts of the machine: loopback keeps machines out, not users.

use std::process::Command;

use serde_json::{Value, json};

use super::Serving;
use crate::program::World;

/// A request that another account of this machine makes: the status and the body. None where no other account can be
/// taken on.
fn as_nobody(serving: &Serving, method: &str, path: &str) -> Option<(u16, String)> {
    let url = format!("http://{}{path}", serving.address);
    let mut command = Command::new("runuser");
    command.args([
        "-u",
        "nobody",
        "--",
        "curl",
        "-s",
        "-m",
        "20",
        "-w",
        "\n%{http_code}",
        "-X",
        method,
        &url,
    ]);
    command.args(["-H", "content-type: application/json", "-H", "accept: text/html, application/json"]);
    let said = command.output().ok().filter(|said| said.status.success())?;
    let said = String::from_utf8(said.stdout).unwrap();
    let (body, status) = said.rsplit_once('\n')?;
    Some((status.parse().unwrap(), body.to_owned()))
}

/// Whether this machine lets us be somebody else; in a test run without root it does not.
fn can_be_nobody() -> bool {
    let curl = Command::new("runuser").args(["-u", "nobody", "--", "curl", "--version"]).output();
    curl.is_ok_and(|said| said.status.success())
}

#[test]
fn another_account_of_the_machine_reads_and_deletes_nothing() {
    let world = World::new();
    let serving = Serving::start(&world);
    let (status, answer) = serving.ask("POST", "/api/chat", Some(&json!({"message": "canary of the owner"})));
    assert_eq!(status, 200, "whoever started it may use it: {answer}");
    let id = answer["session_id"].as_str().unwrap().to_owned();
    if can_be_nobody() {
        let session = format!("/api/v1/sessions/{id}");
        for (method, path) in [
            ("GET", "/"),
            ("GET", "/api/v1/sessions"),
            ("GET", session.as_str()),
            ("DELETE", session.as_str()),
            ("POST", "/api/chat"),
            ("POST", "/v1/chat/completions"),
            ("POST", "/mcp"),
            ("GET", "/metrics"),
            ("GET", "/healthz"),
            ("GET", "/openapi.json"),
            ("GET", "/nowhere"),
        ] {
            let (status, body) = as_nobody(&serving, method, path).unwrap();
            assert_eq!(status, 403, "{method} {path}: {body}");
            assert!(
                body.contains("--accounts") && body.contains("--all-local-users"),
                "{method} {path}: {body}"
            );
            assert!(!body.contains("canary"), "{method} {path}: {body}");
        }
    }
    assert_eq!(serving.ask("GET", &format!("/api/v1/sessions/{id}"), None).0, 200, "it was not deleted");
    assert_eq!(serving.stop().0, 0);
}

#[test]
fn a_server_for_every_account_of_the_machine_is_somebodys_wish() {
    let world = World::new();
    let serving = Serving::with(&world, &["--all-local-users"]);
    assert_eq!(serving.ask("GET", "/api/v1/sessions", None).0, 200);
    if can_be_nobody() {
        let (status, body) = as_nobody(&serving, "GET", "/api/v1/sessions").unwrap();
        assert_eq!(status, 200, "{body}");
        assert!(serde_json::from_str::<Value>(&body).unwrap()["sessions"].is_array(), "{body}");
    }
    assert_eq!(serving.stop().0, 0);
    assert_eq!(world.run(&["serve", "--accounts", "--all-local-users"]).code, 2, "one of the two");
}

#[test]
fn doctor_tells_who_of_this_machine_may_use_a_server() {
    let said: Value = serde_json::from_str(&World::new().run(&["doctor", "--json"]).out).unwrap();
    let findings = said["findings"].as_array().unwrap();
    let told = findings.iter().find(|one| one["area"] == "server" && one["name"] == "local users").unwrap();
    let (state, detail) = (told["state"].as_str().unwrap(), told["detail"].as_str().unwrap());
    assert!(
        state == "good" && detail.contains("your own account") || detail.contains("every account"),
        "{told}"
    );
}
