//! `tata doctor`: every finding has a state, and what is wrong has a remedy.

use serde_json::{Value, json};
use tata_testkit::{Exchange, Upstream};

use crate::program::World;

fn findings(said: &str) -> Vec<Value> {
    let document: Value = serde_json::from_str(said).unwrap();
    assert_eq!(document["version"], 1);
    document["findings"].as_array().unwrap().clone()
}

fn finding<'a>(findings: &'a [Value], area: &str, name: &str) -> &'a Value {
    findings.iter().find(|one| one["area"] == area && one["name"] == name).unwrap()
}

#[test]
fn an_empty_home_is_in_order() {
    let world = World::new();
    let said = world.run(&["doctor", "--json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let findings = findings(&said.out);
    for area in [
        "program",
        "configuration",
        "clock",
        "folders",
        "database",
        "models",
        "agents",
        "documents",
        "wire, all runs",
        "mcp servers",
        "terminal",
    ] {
        assert!(findings.iter().any(|one| one["area"] == area), "{area}");
    }
    let model = finding(&findings, "models", "in use");
    assert!(model["detail"].as_str().unwrap().starts_with("guided"), "{model}");
    assert!(model["remedy"].as_str().unwrap().contains("OPENAI_API_KEY"), "{model}");
    // It looked, and left nothing behind.
    assert!(!world.folder.join("home/tata.db").exists());
}

#[test]
fn every_value_has_its_origin_and_no_key_is_shown() {
    let key = "sk-test-0123456789abcdefghij-CANARY";
    let world = World::new()
        .set("OPENAI_API_KEY", key)
        .set("TATA_USER", "kim")
        .file("tata.toml", "log = \"debug\"\n");
    let said = world.run(&["doctor", "--json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(!said.out.contains(key) && !said.err.contains(key));
    let findings = findings(&said.out);
    assert_eq!(finding(&findings, "configuration", "log")["detail"], "debug (./tata.toml)");
    assert_eq!(finding(&findings, "configuration", "user")["detail"], "kim (TATA_USER in the environment)");
    assert_eq!(finding(&findings, "configuration", "agent")["detail"], "tata (default)");
    assert_eq!(
        finding(&findings, "keys", "OPENAI_API_KEY")["detail"],
        "set in the environment, ends in …NARY"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_local_server_is_asked_and_one_that_does_not_answer_is_not_ok() {
    let said = World::new().set("OLLAMA_BASE_URL", "http://127.0.0.1:9/v1").run(&["doctor", "--json"]);
    let found = findings(&said.out);
    let ollama = finding(&found, "models", "ollama");
    assert_eq!((said.code, ollama["state"].as_str()), (1, Some("bad")), "{ollama}");
    assert!(ollama["detail"].as_str().unwrap().contains("cannot be reached"), "{ollama}");
    // Nobody asked for a server at its usual address: that it is not there is no fault.
    let said = World::new().run(&["doctor", "--json"]);
    let found = findings(&said.out);
    assert_ne!((said.code, finding(&found, "models", "vllm")["state"].as_str()), (1, Some("bad")));

    let list = Exchange::json(200, &json!({"data": [{"id": "a"}, {"id": "b"}]}));
    let upstream = Upstream::start([list]).await;
    let world = World::new().set("OLLAMA_BASE_URL", &upstream.base_url());
    let said = tokio::task::spawn_blocking(move || world.run(&["doctor", "--json"])).await.unwrap();
    let found = findings(&said.out);
    let ollama = finding(&found, "models", "ollama");
    assert_eq!((said.code, ollama["state"].as_str()), (0, Some("good")), "{ollama}");
    assert!(ollama["detail"].as_str().unwrap().ends_with("answers, 2 models"), "{ollama}");
    assert_eq!(upstream.requests()[0].target, "/v1/models");
}

#[test]
fn doctor_names_the_catalog_in_use_and_what_it_did_not_contact() {
    let world = World::new()
        .set("OPENAI_API_KEY", "k")
        .file("models.yaml", "models:\n  house: { provider: ollama, id: x }\n");
    let said = world.run(&["doctor", "--json"]);
    let found = findings(&said.out);
    let catalog = finding(&found, "models", "catalog");
    assert_eq!(catalog["detail"], "./models.yaml, over the built-in one", "{catalog}");
    let openai = finding(&found, "models", "openai");
    assert!(openai["detail"].as_str().unwrap().contains("not contacted (--online does)"), "{openai}");
    let said = World::new().run(&["doctor", "--json"]);
    assert_eq!(finding(&findings(&said.out), "models", "catalog")["detail"], "the built-in one");
}

#[test]
fn what_is_wrong_has_a_remedy_and_an_exit_code() {
    let world = World::new().file("tata.toml", "modle = \"x\"\n");
    let said = world.run(&["doctor", "--json"]);
    assert_eq!(said.code, 3, "{}", said.out);
    let wrong = findings(&said.out);
    let wrong = finding(&wrong, "configuration", "all");
    assert_eq!(wrong["state"], "bad");
    assert!(wrong["remedy"].as_str().unwrap().contains("model"), "{wrong}");

    let world = World::new().folder_file("home/tata.db", "this is no database, but somebody's notes");
    let said = world.run(&["doctor"]);
    assert_eq!(said.code, 1, "{}", said.out);
    assert!(said.out.contains("bad") && said.out.contains("Move "), "{}", said.out);

    let world = World::new().folder_file("agents/broken.yaml", "tols: []\n");
    let said = world.run(&["doctor", "--json"]);
    assert_eq!(said.code, 1, "{}", said.out);
    assert_eq!(finding(&findings(&said.out), "agents", "broken")["state"], "bad");
}
