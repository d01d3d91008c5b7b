//! Two processes over one database.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use serde_json::json;

use super::Serving;
use crate::program::World;

/// Two processes over one Postgres: both serve the same projects, and when one is killed in mid-answer the other finishes it.
#[tokio::test(flavor = "multi_thread")]
async fn a_replica_finishes_what_a_killed_one_began() {
    use tata_testkit::{Exchange, Upstream, script, script::Turn, store::postgres_url};
    let Some(admin) = postgres_url() else { return };
    let name = format!("tata_replicas_{}", std::process::id());
    let made = Command::new("psql").args([&admin, "-qc", &format!("CREATE DATABASE {name}")]).status();
    assert!(made.unwrap().success());
    let (server, _) = admin.rsplit_once('/').unwrap();
    let story = "Once upon a time there was a network. ".repeat(20);
    let whole = script::responses(&Turn::text(&[&story]));
    let half = whole.len() / 3;
    // The first is never heard to its end; the second answers whoever asks again.
    let upstream = Upstream::start([
        Exchange::status(200)
            .header("content-type", "text/event-stream")
            .bytes(whole.get(..half).unwrap())
            .hang(),
        Exchange::sse(whole.clone()),
    ])
    .await;
    let world = World::new()
        .set("DATABASE_URL", &format!("{server}/{name}"))
        .set("OPENAI_API_KEY", "sk-x")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .set("TATA_MODEL", "gpt-6.1-sol");
    tokio::task::spawn_blocking(move || {
        let (mut here, there) = (Serving::start(&world), Serving::start(&world));
        let (_, session) = here.ask("POST", "/api/v1/sessions", Some(&json!({"agent": "tata"})));
        let path = format!("/api/v1/sessions/{}", session["session_id"].as_str().unwrap());
        let (status, begun) =
            here.ask("POST", &format!("{path}/turns"), Some(&json!({"message": "A story"})));
        assert_eq!(status, 202, "{begun}");
        assert_eq!(there.ask("GET", &path, None).0, 200, "the other one knows it, too");
        std::thread::sleep(Duration::from_millis(500));
        here.child.kill().unwrap();
        here.child.wait().unwrap();
        let begun = Instant::now();
        let text = loop {
            let (_, report) = there.ask("GET", &format!("{path}/turns/1"), None);
            let text = report["content"].as_str().unwrap_or_default().to_owned();
            if report["outcome"] == "answered" || text == story {
                break text;
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "nobody took it over: {report}");
            std::thread::sleep(Duration::from_millis(500));
        };
        assert_eq!(text, story);
        assert_eq!(there.stop().0, 0);
    })
    .await
    .unwrap();
}
