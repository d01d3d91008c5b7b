//! `tata ask` through the real binary (A5.*, A6.1, A6.5).

use std::io::Read;

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::program::{Said, World};

const KEY: &str = "sk-secret-0123456789";

fn hello() -> Turn {
    Turn::text(&["Hello", ", world"])
}

/// Runs the program off the runtime's thread: the upstream must go on serving.
async fn run(world: World, arguments: &'static [&'static str], input: &'static str) -> (Said, World) {
    tokio::task::spawn_blocking(move || (world.run_with_input(arguments, input), world)).await.unwrap()
}

/// With a model named: a gateway is asked for its own otherwise, see `gateway.rs`.
fn openai_at(upstream: &Upstream) -> World {
    World::new()
        .set("OPENAI_API_KEY", KEY)
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .set("TATA_MODEL", "gpt-6.1-sol")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_goes_to_stdout_and_nothing_else() {
    let upstream = Upstream::start([Exchange::sse(script::responses(&hello()))]).await;
    let (said, world) =
        run(openai_at(&upstream), &["ask", "Say", "hello", "--system", "Be brief."], "").await;
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (0, "Hello, world\n", ""));
    let sent = upstream.requests()[0].json();
    assert_eq!(
        (sent["instructions"].as_str(), sent["input"][0]["content"].as_str()),
        (Some("Be brief."), Some("Say hello"))
    );
    assert_eq!(sent["model"], "gpt-6.1-sol");
    assert!(world.log().contains("reply finished") && !world.log().contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn json_has_answer_usage_cost_and_ids() {
    let upstream =
        Upstream::start([Exchange::sse(script::responses(&hello())).header("x-request-id", "req_7")]).await;
    let (said, _) = run(openai_at(&upstream), &["ask", "--json", "-m", "gpt-6-sol", "hi"], "").await;
    let object: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    assert_eq!(object["content"], "Hello, world");
    assert_eq!(object["usage"]["total_tokens"], 27);
    assert!((object["cost_usd"].as_f64().unwrap() - (20.0 * 2.0 + 7.0 * 10.0) / 1e6).abs() < 1e-9);
    assert_eq!(
        (object["request_id"].as_str(), object["outcome"].as_str()),
        (Some("req_7"), Some("answered"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn stdin_is_the_question_or_its_material() {
    let script = || Exchange::sse(script::chat(&hello()));
    let upstream = Upstream::start([script(), script(), script()]).await;
    let world = || World::new().set("OLLAMA_BASE_URL", &upstream.base_url());
    run(world(), &["ask", "-m", "ollama/x"], "From a pipe").await;
    run(world(), &["ask", "-m", "ollama/x", "-"], "From a pipe").await;
    let with_file = world().file("notes.txt", "the notes");
    run(with_file, &["ask", "-m", "ollama/x", "Summarise", "-f", "notes.txt"], "and more").await;
    let asked: Vec<String> = upstream
        .requests()
        .iter()
        .map(|request| request.json()["messages"][0]["content"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(asked, ["From a pipe", "From a pipe", "Summarise\n\nthe notes\n\nand more"]);
    let said = World::new().run(&["ask"]);
    assert_eq!(
        (said.code, said.err.as_str()),
        (2, "error: the question is empty; write one after `tata ask`, or pipe text into it\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_come_from_the_environment_a_file_or_dotenv() {
    let script = || Exchange::sse(script::messages(&hello()));
    let upstream = Upstream::start([script(), script(), script()]).await;
    let world = || {
        World::new().set("ANTHROPIC_BASE_URL", &upstream.base_url()).set("TATA_MODEL", "claude-sonnet-5-5")
    };
    run(world().file("key", "from-file\n").set("ANTHROPIC_API_KEY_FILE", "key"), &["ask", "hi"], "").await;
    let trusted = world().file(".env", "ANTHROPIC_API_KEY=\"from-dotenv\"\n");
    crate::trust::trust(&trusted);
    run(trusted, &["ask", "hi"], "").await;
    let both =
        world().file(".env", "ANTHROPIC_API_KEY=from-dotenv\n").set("ANTHROPIC_API_KEY", "from-environment");
    run(both, &["ask", "hi"], "").await;
    let keys: Vec<_> =
        upstream.requests().iter().map(|r| r.header("x-api-key").unwrap().to_owned()).collect();
    assert_eq!(keys, ["from-file", "from-dotenv", "from-environment"]);
    assert_eq!(upstream.requests()[0].header("anthropic-version"), Some("2026-10-21"));
}

/// Every failure: a plain sentence, a documented exit code, no technical words, the details in the log.
#[tokio::test(flavor = "multi_thread")]
async fn failures_are_friendly_and_have_documented_codes() {
    let refuse = |status, code: &str| {
        Exchange::json(status, &json!({"error": {"code": code, "message": "E-TECH"}}))
            .header("x-should-retry", "false")
    };
    for (exchange, code, sentence) in [
        (refuse(401, "invalid_api_key"), 4, "did not accept our key"),
        (refuse(404, "model_not_found"), 5, "does not know this model"),
        (refuse(429, "rate_limit_exceeded"), 7, "too many requests"),
        (refuse(429, "insufficient_quota"), 7, "credit with the model provider is used up"),
        (refuse(500, "server_error"), 6, "has a problem"),
        (refuse(400, "context_length_exceeded"), 6, "too long for this model"),
        (
            Exchange::status(200).header("content-type", "text/html").bytes("<html>"),
            6,
            "not the model provider",
        ),
        (Exchange::sse(&script::responses(&hello()).as_bytes()[..900]), 6, "connection broke"),
    ] {
        let upstream = Upstream::start([exchange]).await;
        let (said, world) = run(openai_at(&upstream), &["ask", "hi"], "").await;
        assert_eq!(said.code, code, "{said:?}");
        assert!(said.err.contains(sentence), "{sentence}: {said:?}");
        for technical in ["E-TECH", "HTTP", "status", "_error", "reqwest", "{"] {
            assert!(!said.err.contains(technical), "{technical}: {}", said.err);
        }
        assert!(world.log().contains("ERROR"), "the details are in the log");
    }
}

#[test]
fn what_is_not_configured_is_named() {
    let said = World::new().run(&["ask", "hi"]);
    assert_eq!(said.code, 3);
    assert!(said.err.contains("Set OPENAI_API_KEY or ANTHROPIC_API_KEY"), "{}", said.err);
    let said = World::new().run(&["ask", "--model", "claude-opus-5", "hi"]);
    assert_eq!(
        (said.code, said.err.contains("Anthropic: ANTHROPIC_API_KEY not set.")),
        (3, true),
        "{}",
        said.err
    );
    let said = World::new().run(&["ask", "--model", "claud-opus-5", "hi"]);
    assert_eq!(said.code, 5);
    assert!(said.err.contains("Did you mean claude-opus-5"), "{}", said.err);
    let said = World::new()
        .set("OPENAI_API_KEY", "k")
        .set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        .run(&["ask", "hi"]);
    assert_eq!((said.code, said.err.contains("cannot be reached")), (6, true), "{}", said.err);
    let said = World::new().run(&["ask", "--json", "hi"]);
    let object: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((said.code, object["error"]["kind"].as_str()), (3, Some("not_configured")));
}

#[test]
fn wrong_usage_is_code_two() {
    for arguments in [
        &["ask", "--temperature", "3", "hi"][..],
        &["ask", "--max-tokens", "0", "hi"],
        &["sing"],
        &["session"],
    ] {
        assert_eq!(World::new().run(arguments).code, 2, "{arguments:?}");
    }
}

#[test]
fn a_wrong_configuration_file_is_named_with_its_line() {
    let check = |name: &str, text: &str, expected: &str| {
        let said = World::new().file(name, text).run(&["models"]);
        assert_eq!(said.code, 3, "{said:?}");
        assert!(said.err.contains(expected), "{}", said.err);
    };
    check(
        "tata.toml",
        "model = \"x\"\n\n[timeouts]\nconect = 1\n",
        "tata.toml, line 4: unknown key \"conect\"\n  Did you mean \"connect\"?",
    );
    check("tata.toml", "[timeouts]\nidle = -1\n", "timeouts.idle is \"-1\", but must be a number of seconds");
    check("tata.toml", "model = \n", "tata.toml, line 1");
    check(
        "models.yaml",
        "models:\n  x:\n    provder: openai\n",
        "models.yaml, line 3: unknown key \"provder\" (did you mean \"provider\"?",
    );
    let said = World::new().set("TATA_MODELS", "nowhere.yaml").run(&["models"]);
    assert_eq!((said.code, said.err.contains("nowhere.yaml cannot be read")), (3, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_is_honoured() {
    let proxy = Upstream::start([Exchange::sse(script::responses(&hello()))]).await;
    let world = World::new()
        .set("OPENAI_API_KEY", KEY)
        .set("OPENAI_BASE_URL", "http://models.example/v1")
        .set("HTTP_PROXY", &proxy.origin())
        .set("TATA_MODEL", "gpt-6.1-sol");
    let (said, _) = run(world, &["ask", "hi"], "").await;
    assert_eq!(said.out, "Hello, world\n", "{}", said.err);
    assert_eq!(proxy.requests()[0].target, "http://models.example/v1/responses");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_cut_off_says_so() {
    let body = script::chat(&hello()).replace("\"stop\"", "\"length\"");
    let upstream = Upstream::start([Exchange::sse(body)]).await;
    let world = World::new().set("OLLAMA_BASE_URL", &upstream.base_url());
    let (said, _) = run(world, &["ask", "-m", "ollama/x", "hi"], "").await;
    assert_eq!((said.code, said.out.as_str()), (9, "Hello, world\n"));
    assert_eq!(
        said.err,
        "note: The answer reached its output limit and is cut off. `max_tokens` of the agent, or --max-tokens, sets it.\n"
    );
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_stops_the_answer_and_keeps_what_came() {
    let half = script::chat(&hello());
    let half = half.split("data: {\"choices\":[{\"delta\":{},").next().unwrap().to_owned();
    let upstream = Upstream::start([Exchange::sse(half).hang()]).await;
    let world = World::new().set("OLLAMA_BASE_URL", &upstream.base_url());
    let said = tokio::task::spawn_blocking(move || {
        let mut command = world.command(&["ask", "-m", "ollama/x", "hi"]);
        command.stdin(std::process::Stdio::null());
        command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
        let mut child = command.spawn().unwrap();
        // Stopped once the answer is seen, however long that takes.
        let mut out = child.stdout.take().unwrap();
        let mut seen = Vec::new();
        while !seen.ends_with(b"world") {
            let mut byte = [0];
            out.read_exact(&mut byte).unwrap();
            seen.extend(byte);
        }
        let killed =
            std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        out.read_to_end(&mut seen).unwrap();
        let said = Said::from(child.wait_with_output().unwrap());
        Said { out: String::from_utf8(seen).unwrap(), ..said }
    })
    .await
    .unwrap();
    assert_eq!((said.code, said.out.as_str(), said.err.as_str()), (130, "Hello, world\n", "Stopped.\n"));
}

/// A cloned folder must not be able to send one's own key to an address of its choice.
#[test]
fn a_folder_cannot_redirect_a_key_it_did_not_bring() {
    let refused = |world: World| {
        let said = world.run(&["ask", "hi"]);
        assert_eq!(said.code, 3, "{said:?}");
        assert!(said.err.contains("a file in this folder would send"), "{}", said.err);
        assert!(!said.err.contains("sk-real"), "{}", said.err);
    };
    let real = || World::new().set("OPENAI_API_KEY", "sk-real-0123456789");
    refused(real().file(".env", "OPENAI_BASE_URL=http://elsewhere.example/v1\n"));
    refused(
        real().file("models.yaml", "providers: { openai: { base_url: 'http://elsewhere.example/v1' } }\n"),
    );
    let theft = "defaults: [evil/x]\nproviders: { evil: { key_env: AWS_SECRET, base_url: 'http://elsewhere.example' } }\n";
    refused(World::new().set("AWS_SECRET", "sk-real-0123456789").file("models.yaml", theft));
    refused(real().file(".env", "OPENAI_BASE_URL=http://localhost.elsewhere.example/v1\n"));
    let moved = "providers: { openai: { base_url: 'http://elsewhere.example/v1' } }\n";
    let disguised = real().file(".env", "TATA_HOME=.\n").file("models.yaml", moved);
    let said = Said::from(
        disguised
            .command(&["ask", "hi"])
            .env_remove("TATA_HOME")
            .stdin(std::process::Stdio::null())
            .output()
            .unwrap(),
    );
    assert_eq!((said.code, said.err.contains("would send")), (3, true), "{said:?}");
    // Trusted, or chosen by the person, an address is fine: then only the network fails.
    let own = World::new().file(".env", "OPENAI_API_KEY=k\nOPENAI_BASE_URL=http://127.0.0.1:9/v1\n");
    assert_eq!(own.run(&["ask", "hi"]).code, 3, "a key of its own makes the question no less the person's");
    crate::trust::trust(&own);
    assert_eq!(own.run(&["ask", "hi"]).code, 6);
    let chosen =
        real().file("mine.yaml", "providers: { openai: { base_url: 'http://elsewhere.invalid/v1' } }\n");
    assert_eq!(chosen.run(&["ask", "hi", "--models-file", "mine.yaml"]).code, 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn options_a_model_does_not_take_are_said() {
    let said = World::new().set("OPENAI_API_KEY", "k").run(&["ask", "--effort", "hgih", "hi"]);
    assert_eq!(
        (said.code, said.err.contains("must be one of none, minimal, low")),
        (2, true),
        "{}",
        said.err
    );
    let upstream = Upstream::start([Exchange::sse(script::responses(&hello()))]).await;
    let arguments = &["ask", "--temperature", "0.5", "--effort", "none", "--max-tokens", "999999999", "hi"];
    let (said, _) = run(openai_at(&upstream), arguments, "").await;
    assert_eq!(said.out, "Hello, world\n");
    for note in ["takes no temperature", "does not know the effort none", "writes at most 128000 tokens"] {
        assert!(said.err.contains(note), "{note}: {}", said.err);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_byte_of_an_answer_reaches_a_pipe() {
    let odd = Turn::text(&["\u{1b}[31mred\u{1b}[0m\u{7}"]);
    let upstream = Upstream::start([Exchange::sse(script::responses(&odd))]).await;
    let (said, _) = run(openai_at(&upstream), &["ask", "hi"], "").await;
    assert_eq!(said.out, "\u{1b}[31mred\u{1b}[0m\u{7}\n");
}

#[test]
fn what_was_given_and_cannot_be_used_is_named() {
    let said = World::new().set("OPENAI_API_KEY_FILE", "nowhere").run(&["ask", "hi"]);
    assert_eq!((said.code, said.err.contains("nowhere cannot be read")), (3, true), "{}", said.err);
    let said =
        World::new().set("OPENAI_API_KEY", "k").set("OPENAI_BASE_URL", "localhost:1").run(&["ask", "hi"]);
    assert_eq!(
        (said.code, said.err.contains("OPENAI_BASE_URL is not an address")),
        (3, true),
        "{}",
        said.err
    );
    let said = World::new().run(&["ask", "-f", "nowhere.txt", "hi"]);
    assert_eq!((said.code, said.err.contains("nowhere.txt cannot be used")), (1, true), "{}", said.err);
    let said = World::new().run(&["ask", "--timeout", "-1", "hi"]);
    assert_eq!(
        (said.code, said.err.contains("must be from 0.1 to 86400 seconds")),
        (2, true),
        "{}",
        said.err
    );
}

#[test]
fn files_of_other_programs_are_left_in_peace() {
    let world = World::new().file(".env", "FOO=bar baz\nexport X\n%%\n").file("tata.toml", "nonsense\n");
    assert_eq!(world.run(&["completions", "bash"]).code, 0, "completions read no configuration");
    let keyed = || World::new().set("ANTHROPIC_API_KEY", "k");
    let said = keyed().file(".env", "FOO=bar baz\n%%\n").run(&["models"]);
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let said = keyed().file(".env", "OPENAI_API_KEY=theirs\n").run(&["models"]);
    assert_eq!((said.code, said.err.contains("OPENAI_API_KEY is not used")), (0, true), "{said:?}");
}

#[test]
fn errors_in_json_have_one_shape() {
    let keys = |world: World, arguments: &[&str]| {
        let said = world.run(arguments);
        let document: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{said:?}"));
        let keys: Vec<String> = document["error"].as_object().unwrap().keys().cloned().collect();
        (said.code, document["error"]["kind"].as_str().unwrap().to_owned(), keys)
    };
    let missing = keys(World::new(), &["ask", "--json", "hi"]);
    let unknown = keys(World::new(), &["ask", "--json", "-m", "zzz", "hi"]);
    let config = keys(World::new().file("tata.toml", "x = 1\n"), &["ask", "--json", "hi"]);
    let usage = keys(World::new(), &["ask", "--json", "--effort", "x", "hi"]);
    assert_eq!([&missing.2, &unknown.2, &config.2], [&usage.2; 3]);
    let codes = [missing, unknown, config, usage].map(|(code, kind, _)| format!("{code} {kind}"));
    assert_eq!(codes, ["3 not_configured", "5 not_found", "3 configuration", "2 usage"]);
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_failure() {
    let world = World::new();
    let mut child = world
        .command(&["models"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let said = Said::from(child.wait_with_output().unwrap());
    assert_eq!((said.code, said.err.contains("Broken pipe")), (0, false), "{said:?}");
}

/// C3.5: what went over the wire is counted over all runs, and a command prints it.
#[tokio::test(flavor = "multi_thread")]
async fn the_wire_is_counted_over_all_runs() {
    let upstream = Upstream::start([
        Exchange::sse(script::responses(&hello())),
        Exchange::sse(script::responses(&hello())),
    ])
    .await;
    let (before, world) = run(openai_at(&upstream), &["doctor"], "").await;
    assert!(before.out.contains("wire, all runs") && before.out.contains("none yet"), "{}", before.out);
    let (_, world) = run(world, &["ask", "hi"], "").await;
    let (_, world) = run(world, &["ask", "hi"], "").await;
    assert!(world.log().contains("what went over the wire"), "{}", world.log());
    let (after, _) = run(world, &["doctor"], "").await;
    assert!(after.out.contains("2, 0 of them repeated"), "{}", after.out);
    for words in ["0 calls with an id of the provider", "0 answer a call", "`tata ingest FOLDER` brings them"]
    {
        assert!(after.out.contains(words), "{words}: {}", after.out);
    }
}
