//! A gateway behind OPENAI_BASE_URL or ANTHROPIC_BASE_URL, and nobody names a model.

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::program::{Said, World};

fn listing(models: &[&str]) -> Exchange {
    let data: Vec<Value> = models.iter().map(|id| json!({"id": id, "object": "model"})).collect();
    Exchange::json(200, &json!({"object": "list", "data": data}))
}

fn answer() -> Exchange {
    Exchange::sse(script::responses(&Turn::text(&["Hello"])))
}

async fn openai(
    exchanges: Vec<Exchange>,
    arguments: &'static [&'static str],
    input: &'static str,
) -> (Said, Upstream) {
    let upstream = Upstream::start(exchanges).await;
    let world = World::new().set("OPENAI_API_KEY", "sk-gateway").set("OPENAI_BASE_URL", &upstream.base_url());
    let said = tokio::task::spawn_blocking(move || world.run_with_input(arguments, input)).await.unwrap();
    (said, upstream)
}

fn model_of(upstream: &Upstream) -> String {
    upstream.requests()[1].json()["model"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_only_model_of_a_gateway_is_used_and_named() {
    let (said, upstream) = openai(vec![listing(&["house"]), answer()], &["ask", "hi"], "").await;
    assert_eq!((said.code, said.out.as_str()), (0, "Hello\n"), "{said:?}");
    assert!(said.err.contains("openai/house answers: the only model at http://127.0.0.1"), "{said:?}");
    let asked = &upstream.requests()[0];
    assert_eq!((asked.method.as_str(), asked.target.as_str()), ("GET", "/v1/models"));
    assert_eq!((asked.header("authorization"), asked.body.len()), (Some("Bearer sk-gateway"), 0));
    assert_eq!(model_of(&upstream), "house");
    // In a chat it is asked once, however much is said.
    let chat = vec![listing(&["house"]), answer(), answer()];
    let (said, upstream) = openai(chat, &["chat"], "one\ntwo\n").await;
    assert_eq!((said.code, said.out.as_str()), (0, "Hello\nHello\n"), "{said:?}");
    let listed = upstream.requests().iter().filter(|request| request.method == "GET").count();
    assert_eq!((listed, model_of(&upstream).as_str()), (1, "house"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalogs_default_is_preferred_when_a_gateway_has_it() {
    let (said, upstream) =
        openai(vec![listing(&["other", "gpt-6.1-sol"]), answer()], &["ask", "hi"], "").await;
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{said:?}");
    assert_eq!(model_of(&upstream), "gpt-6.1-sol");
}

#[tokio::test(flavor = "multi_thread")]
async fn several_models_of_a_gateway_are_named_and_none_is_guessed() {
    let names: Vec<String> = (1..=12).map(|at| format!("model-{at}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let (said, upstream) = openai(vec![listing(&names)], &["ask", "hi"], "").await;
    assert_eq!((said.code, upstream.requests().len()), (3, 1), "{said:?}");
    for part in ["has 12 models", "openai/model-1, openai/model-2", "openai/model-10 and 2 more", "--model"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    assert!(!said.err.contains("model-11"), "{}", said.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_gateway_without_a_list_is_asked_for_the_default_with_a_hint() {
    let missing = Exchange::json(404, &json!({"detail": "Not Found"}));
    let (said, upstream) = openai(vec![missing, answer()], &["ask", "hi"], "").await;
    assert_eq!((said.code, said.out.as_str()), (0, "Hello\n"), "{said:?}");
    assert!(said.err.contains("gpt-6.1-sol is asked for. --model NAME"), "{said:?}");
    assert_eq!(model_of(&upstream), "gpt-6.1-sol");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_names_a_model_is_not_second_guessed() {
    let (said, upstream) = openai(vec![answer()], &["ask", "-m", "gpt-6-sol", "hi"], "").await;
    assert_eq!((said.code, upstream.requests().len()), (0, 1), "{said:?}");
    let upstream = Upstream::start([Exchange::sse(script::messages(&Turn::text(&["Hello"])))]).await;
    let world = World::new()
        .set("ANTHROPIC_API_KEY", "k")
        .set("ANTHROPIC_BASE_URL", &upstream.origin())
        .set("TATA_MODEL", "claude-sonnet-5-5");
    let said = tokio::task::spawn_blocking(move || world.run(&["ask", "hi"])).await.unwrap();
    assert_eq!((said.code, upstream.requests()[0].target.as_str()), (0, "/v1/messages"), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_chat_only_server_behind_the_responses_address_is_recognised_or_hinted_at() {
    let nowhere = || Exchange::json(404, &json!({"detail": "Not Found"}));
    let on_chat = Exchange::sse(script::chat(&Turn::text(&["Hello"])));
    let (said, upstream) = openai(vec![nowhere(), on_chat], &["ask", "-m", "gpt-6-sol", "hi"], "").await;
    assert_eq!((said.code, said.out.as_str()), (0, "Hello\n"), "{said:?}");
    assert_eq!(upstream.requests()[1].target, "/v1/chat/completions");
    let (said, _) = openai(vec![nowhere(), nowhere()], &["ask", "-m", "gpt-6-sol", "hi"], "").await;
    assert_eq!(said.code, 6, "{said:?}");
    assert!(said.err.contains("only Chat Completions, `tata models example`"), "{}", said.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_models_is_printed_as_it_is_typed() {
    let upstream = Upstream::start([listing(&["qwen3:8b", "a/b"]), listing(&["qwen3:8b"])]).await;
    let world = World::new().set("OLLAMA_BASE_URL", &upstream.base_url()).set("OLLAMA_API_KEY", "ollama-key");
    let (text, json) = tokio::task::spawn_blocking(move || {
        (world.run(&["models", "list", "ollama"]), world.run(&["models", "list", "ollama", "--json"]))
    })
    .await
    .unwrap();
    assert_eq!((text.code, text.out.as_str()), (0, "ollama/qwen3:8b\nollama/a/b\n"), "{text:?}");
    let document: Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(document["models"], json!(["qwen3:8b"]));
    assert_eq!(
        upstream.requests()[0].header("authorization"),
        Some("Bearer ollama-key"),
        "the key is honoured"
    );
    let said = World::new().run(&["models", "list", "olama"]);
    assert_eq!((said.code, said.err.contains("Did you mean ollama")), (5, true), "{said:?}");
}
