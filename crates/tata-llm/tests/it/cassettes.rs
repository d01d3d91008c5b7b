//! Recording and playing back: same answer, no secrets in the file.

use std::{fs, path::Path};

use serde_json::json;
use tata_core::ModelRequest;
use tata_testkit::{
    Exchange, Upstream,
    cassette::{Cassette, Recorder},
    script::{self, Turn},
};

use crate::support::{ask, model_with, question, transport, weather_tool};

const SECRET: &str = "sk-live-4f0c9e1b7a2d8356";

#[tokio::test]
async fn recorded_traffic_plays_back_without_its_secrets() {
    let turn = Turn::text(&["Looking."]).call("c1", "get_weather", &["{\"city\":\"Oslo\"}"]);
    let leak = json!({"error": {"message": format!("bad key {SECRET} or sk-proj-abcdefghijklmnop"), "code": "invalid_api_key"}});
    let real = Upstream::start([
        Exchange::sse(script::responses(&turn))
            .header("openai-organization", "org-private")
            .header("set-cookie", "c=1"),
        Exchange::json(401, &leak),
    ])
    .await;
    let recorder = Recorder::start(&real.base_url(), &[SECRET]).await;
    let request = || ModelRequest { tools: vec![weather_tool()].into(), ..question() };

    let model = model_with("gpt-6-sol", recorder.base_url(), SECRET, &transport());
    let live = ask(&model, request()).await;
    let refused = ask(&model, request()).await;
    assert_eq!(live.runnable_calls().count(), 1, "{live:?}");
    assert!(
        real.requests()[0].header("authorization").unwrap().contains(SECRET),
        "the real key went through"
    );
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cassette.json");
    recorder.finish().save(&path);

    let text = fs::read_to_string(&path).unwrap();
    for private in [SECRET, "sk-proj-abcdefghijklmnop", "org-private", "c=1", "authorization", "Bearer"] {
        assert!(!text.contains(private), "{private} is in the cassette");
    }

    let cassette = Cassette::load(&path);
    let played = Upstream::start(cassette.exchanges()).await;
    let model = model_with("gpt-6-sol", &played.origin(), "another-key", &transport());
    let again = ask(&model, request()).await;
    let refused_again = ask(&model, request()).await;
    cassette.check(&played.requests());
    assert_eq!(again.message, live.message);
    assert_eq!(again.usage, live.usage);
    assert_eq!(refused_again.error().unwrap().kind, refused.error().unwrap().kind);
}
