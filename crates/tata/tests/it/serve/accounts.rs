//! A server for many: who calls, and what is theirs.

use std::{fs, io::Write as _, thread, time::Duration};

use serde_json::json;

use super::Serving;
use crate::program::World;

/// B10, D8: with accounts, whoever has no key gets nothing, and what somebody has is theirs.
#[test]
fn a_server_for_many_knows_who_calls() {
    let world = World::new();
    let refused = world.run(&["serve", "--accounts", "--listen", "127.0.0.1:0"]);
    assert!(refused.code == 2 && refused.err.contains("tata account add"), "{}", refused.err);
    let weak = world.run_with_input(&["account", "add", "anna", "--role", "admin"], "short\n");
    assert!(weak.code == 2 && weak.err.contains("12 to 256 characters"), "{}", weak.err);
    for name in ["anna", "bo"] {
        let made = world.run_with_input(&["account", "add", name], "correct horse battery\n");
        assert_eq!(made.code, 0, "{}", made.err);
    }
    let listed = world.run(&["account", "list", "--json"]);
    assert!(listed.out.contains("\"anna\"") && !listed.out.contains("argon2"), "{}", listed.out);
    let key = |name: &str| {
        let made = world.run(&["account", "key", name]);
        assert!(made.out.starts_with("tata_"), "{}{}", made.out, made.err);
        format!("Authorization: Bearer {}\r\n", made.out.trim())
    };
    let (anna, bo) = (key("anna"), key("bo"));
    let serving = Serving::with(&world, &["--accounts"]);
    let (status, _) = serving.ask("GET", "/api/v1/sessions", None);
    assert_eq!(status, 401);
    let (status, session) = serving.ask_with("POST", "/api/v1/sessions", Some(&json!({})), &anna);
    assert_eq!(status, 201, "{session}");
    let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
    let (status, report) = serving.ask_with(
        "POST",
        &format!("{path}/turns"),
        Some(&json!({"message": "hello", "wait": true})),
        &anna,
    );
    assert_eq!(status, 200, "{report}");
    assert_eq!(serving.ask_with("GET", &path, None, &bo).0, 404);
    // A browser is shown the door, and gets in with a password.
    let html = "Accept: text/html\r\n";
    assert_eq!(serving.raw("GET", "/", html, "").0, 303);
    let (status, _, page) = serving.raw("GET", "/sign-in", &format!("{html}Accept-Language: de\r\n"), "");
    assert!(status == 200 && page.contains("Anmelden"), "{page}");
    let form = "Content-Type: application/x-www-form-urlencoded\r\nSec-Fetch-Site: same-origin\r\n";
    let (status, _, page) = serving.raw("POST", "/sign-in", form, "name=bo&password=wrong+horse+battery");
    assert!(status == 401 && page.contains("not right"), "{status} {page}");
    let (status, head, _) = serving.raw("POST", "/sign-in", form, "name=bo&password=correct+horse+battery");
    assert_eq!(status, 303, "{head}");
    let cookie = head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = format!("{html}Cookie: {}\r\n", cookie.split(';').next().unwrap());
    assert_eq!(serving.raw("GET", "/", &cookie, "").0, 200);
    let hers = format!("/p/{}", session["session_id"].as_str().unwrap());
    // What everybody's answers rest on is changed by admins; what she deletes, nobody else takes back.
    let his = format!("{cookie}{form}");
    assert_eq!(serving.raw("POST", "/knowledge/remove", &his, "address=x").0, 403);
    let hers_by_key = format!("{html}{anna}{form}");
    assert_eq!(serving.raw("POST", &format!("{hers}/delete"), &hers_by_key, "").0, 303);
    assert_eq!(serving.raw("POST", &format!("{hers}/undelete"), &his, "").0, 404);
    assert_eq!(serving.raw("POST", &format!("{hers}/undelete"), &hers_by_key, "").0, 303);
    assert_eq!(serving.raw("GET", &hers, &cookie, "").0, 404);
    assert_eq!(serving.ask_with("GET", &path, None, &anna).0, 200);
    assert_eq!(serving.stop().0, 0);
}

/// Strangers who hang up left their hashes to run beside others, and the memory of each thread that hashed was kept: 450 MB.
#[cfg(target_os = "linux")]
#[test]
fn tries_to_sign_in_take_little_memory() {
    let world = World::new();
    let add = ["account", "add", "anna", "--role", "admin"];
    assert_eq!(world.run_with_input(&add, "correct horse battery\n").code, 0);
    let serving = Serving::with(&world, &["--accounts"]);
    let resident = || {
        let about = fs::read_to_string(format!("/proc/{}/status", serving.process())).unwrap();
        let line = about.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    };
    let before = resident();
    let mut most = before;
    for number in 0..150 {
        let body =
            json!({"name": format!("stranger {number}"), "password": "correct horse battery"}).to_string();
        let request = format!(
            "POST /api/v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let mut socket = serving.connect();
        socket.write_all(request.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(10));
        drop(socket);
        most = most.max(resident());
    }
    let key = world.run(&["account", "key", "anna"]).out;
    let key = format!("Authorization: Bearer {}\r\n", key.trim());
    thread::scope(|scope| {
        for number in 0..40 {
            let (serving, key) = (&serving, &key);
            scope.spawn(move || {
                let new = json!({"name": format!("colleague {number}"), "password": "correct horse battery"});
                assert_eq!(serving.ask_with("POST", "/api/v1/accounts", Some(&new), key).0, 201);
            });
        }
    });
    most = most.max(resident());
    // Two hashes at once take 38 MB.
    assert!(most < before + 90, "{before} MB became {most} MB");
    assert_eq!(serving.stop().0, 0);
}
