//! Conversations through the real binary: chat, ask, session (B3, B5, B8, D2, D6, D9).

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::program::{Said, World};

fn says(text: &str) -> Exchange {
    Exchange::sse(script::chat(&Turn::text(&[text])))
}

/// A home that stays over several runs, with a model at the upstream.
fn world_at(upstream: &Upstream) -> World {
    World::new().set("OLLAMA_BASE_URL", &upstream.base_url()).set("TATA_MODEL", "ollama/x")
}

/// Runs commands in one world, one after another, off the runtime's thread.
async fn run_all(
    world: World,
    runs: &'static [(&'static [&'static str], &'static str)],
) -> (Vec<Said>, World) {
    tokio::task::spawn_blocking(move || {
        let said = runs.iter().map(|(arguments, input)| world.run_with_input(arguments, input)).collect();
        (said, world)
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversation_goes_on_in_the_next_run() {
    let upstream = Upstream::start([says("Hello, Ada."), says("You said hello."), says("Again.")]).await;
    let (said, _) = run_all(
        world_at(&upstream),
        &[
            (&[], "hello\n"),
            (&["chat", "--continue"], "what did I say?\n"),
            (&["ask", "--continue", "--json", "and now?"], ""),
            (&["session", "list", "--json"], ""),
            (&["session", "show", "last"], ""),
        ],
    )
    .await;
    assert_eq!((said[0].code, said[0].out.as_str()), (0, "Hello, Ada.\n"), "{:?}", said[0]);
    assert!(said[1].err.contains("hello") && said[1].err.contains("Hello, Ada."), "what was said is shown");
    let third: Value = serde_json::from_str(&said[2].out).unwrap();
    assert_eq!((third["turn_number"].as_u64(), third["content"].as_str()), (Some(3), Some("Again.")));
    for (key, value) in [
        ("outcome", json!("answered")),
        ("retrieval_performed", json!(false)),
        ("retrieved_sources", json!([])),
        ("tool_calls", json!([])),
        ("error", Value::Null),
    ] {
        assert_eq!(third[key], value, "{key}");
    }
    assert!(third["execution_time_seconds"].is_number() && third["tokens_used"].is_number());
    let listed: Value = serde_json::from_str(&said[3].out).unwrap();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 1);
    let session = &listed["sessions"][0];
    assert_eq!(
        (session["session_id"].as_str(), session["turn_count"].as_u64()),
        (third["session_id"].as_str(), Some(3))
    );
    assert_eq!((session["title"].as_str(), session["agent"].as_str()), (Some("hello"), Some("tata")));
    assert_eq!(said[4].out.matches("you\n").count(), 3);
    // Every request carries everything that was said before, the system prompt first (A2.2, A2.5, A4.6).
    let last = upstream.requests().pop().unwrap().json();
    let roles: Vec<&str> = last["messages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|message| message["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "user", "assistant", "user"]);
    assert!(last["messages"][0]["content"].as_str().unwrap().contains("You are Tata"));
}

#[tokio::test(flavor = "multi_thread")]
async fn event_lines_begin_with_the_session_and_end_with_the_report() {
    let upstream = Upstream::start([says("One two three.")]).await;
    let (said, _) =
        run_all(world_at(&upstream), &[(&["ask", "--agent", "tata", "--jsonl", "count"], "")]).await;
    let lines: Vec<Value> = said[0].out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["event"], "turn_started");
    let session = lines[0]["session_id"].as_str().unwrap();
    let last = lines.last().unwrap();
    assert_eq!((last["event"].as_str(), last["session_id"].as_str()), (Some("finished"), Some(session)));
    let text: String = lines
        .iter()
        .filter(|line| line["event"] == "text_delta")
        .map(|line| line["text"].as_str().unwrap())
        .collect();
    assert_eq!((text.as_str(), last["content"].as_str()), ("One two three.", Some("One two three.")));
}

#[tokio::test(flavor = "multi_thread")]
async fn slash_commands_do_what_they_say() {
    let upstream = Upstream::start([says("First."), says("Second."), says("Third.")]).await;
    let (said, world) = run_all(
        world_at(&upstream),
        &[
            (&["chat"], "one\ntwo\n/undo\n/title Network engineer\n/good clear\nthree\n/export out.md\n/modle\n/help\n/model nowhere/x\n/quit\nnever said\n"),
            (&["session", "show", "last", "--json"], ""),
        ],
    )
    .await;
    assert_eq!((said[0].code, said[0].out.as_str()), (0, "First.\nSecond.\nThird.\n"), "{:?}", said[0]);
    for heard in
        ["Turn 2 is taken back", "Thank you", "Did you mean /model?", "/export [FILE]", "There is no model"]
    {
        assert!(said[0].err.contains(heard), "{heard}: {}", said[0].err);
    }
    let kept: Value = serde_json::from_str(&said[1].out).unwrap();
    assert_eq!(kept["session"]["title"], "Network engineer");
    assert_eq!(kept["feedback"][0]["comment"], "clear");
    assert_eq!(kept["requests"].as_array().unwrap().len(), 3, "what was taken back was still paid for");
    let exported = std::fs::read_to_string(world.folder.join("out.md")).unwrap();
    assert!(
        exported.contains("First.")
            && !exported.contains("Second.")
            && exported.contains("# Network engineer")
    );
    let last = upstream.requests().pop().unwrap().json();
    let texts: Vec<&str> = last["messages"].as_array().unwrap()[1..]
        .iter()
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    // Before the words stands the moment; it is another one each time.
    let words: Vec<&str> =
        texts.iter().map(|text| text.split_once("]\n[m").map_or(*text, |(_, rest)| rest)).collect();
    let sent = ["1, 3 characters]\none", "First.", "3, 5 characters]\nthree"];
    assert_eq!(words, sent, "what was taken back is no longer sent, and its number is not given again");
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_renamed_exported_and_deleted() {
    let upstream = Upstream::start([says("Yes.")]).await;
    let (said, _) = run_all(
        world_at(&upstream),
        &[
            (&["session", "list"], ""),
            (&["ask", "--agent", "docs", "hello"], ""),
            (&["session", "rename", "last", "Policies"], ""),
            (&["session", "export", "last"], ""),
            (&["session", "export", "last", "--format", "jsonl"], ""),
            (&["session", "delete", "last"], ""),
            (&["session", "delete", "last", "--yes"], ""),
            (&["session", "show", "last"], ""),
            (&["session", "show", "0000"], ""),
        ],
    )
    .await;
    assert!(said[0].err.contains("no conversation yet"));
    assert!(said[3].out.starts_with("# Policies\n") && said[3].out.contains("Yes."), "{}", said[3].out);
    let kinds: Vec<String> = said[4]
        .out
        .lines()
        .map(|line| {
            serde_json::from_str::<Value>(line).unwrap()["entry"]["type"].as_str().unwrap().to_owned()
        })
        .collect();
    assert_eq!(kinds, ["user_message", "model_reply", "turn_finished"]);
    assert_eq!(
        (said[5].code, said[5].err.contains("--yes")),
        (2, true),
        "nobody is asked, nothing is deleted"
    );
    assert_eq!((said[6].code, said[7].code, said[8].code), (0, 5, 5), "{:?} {:?}", said[7], said[8]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_models_steps_in_for_the_first() {
    let refuse = Exchange::json(429, &json!({"error": {"code": "insufficient_quota", "message": "no"}}));
    let upstream = Upstream::start([refuse, says("From the second.")]).await;
    let agent = "model: [ollama/first, ollama/second]\nsystem_prompt: Be brief.\n";
    let world = world_at(&upstream).folder_file("agents/pair.yaml", agent);
    let (said, _) = run_all(world, &[(&["ask", "--agent", "pair", "--json", "hi"], "")]).await;
    let document: Value = serde_json::from_str(&said[0].out).unwrap();
    assert_eq!(
        (document["content"].as_str(), document["model"].as_str()),
        (Some("From the second."), Some("ollama/second"))
    );
    assert_eq!(upstream.requests().len(), 2, "a used-up credit is not tried twice");
}

#[test]
fn every_mistake_of_a_definition_is_named_with_its_line() {
    let bad = "model: claud-opus-5\ntools: [serch_docs]\ntemperature: 3\nmax_tokens: 0\nretrieval:\n  top_k: 99\nlimits:\n  rounds: 0\nmcp_servers:\n  a: {}\n";
    let said = World::new().folder_file("agents/bad.yaml", bad).run(&["agents", "check", "agents/bad.yaml"]);
    assert_eq!(said.code, 3, "{said:?}");
    for expected in [
        "agents/bad.yaml, line 1: unknown model \"claud-opus-5\" (did you mean claude-opus-5",
        "line 2: unknown tool \"serch_docs\"",
        "line 3: temperature is 3, but must be a number from 0 to 2",
        "line 4: max_tokens is 0, but must be a number from 1 to",
        "line 6: top_k_retrieval is 99, but must be a number from 1 to 20",
        "line 8: limits.rounds is 0",
        "line 10: MCP server \"a\" has neither a command nor a url",
    ] {
        assert!(said.err.contains(expected), "{expected}\n{}", said.err);
    }
    for (text, expected) in [
        ("modell: x\n", "line 1: unknown key \"modell\" (did you mean \"model\"?"),
        (
            "description: a\nopenai_api_key: sk-x\n",
            "line 2: openai_api_key does not belong into a file (set OPENAI_API_KEY",
        ),
        ("system_prompt_file: nowhere.md\n", "line 1: system_prompt_file \"nowhere.md\" cannot be read"),
    ] {
        let said = World::new().folder_file("agents/bad.yaml", text).run(&["agents", "check"]);
        assert_eq!(said.code, 3);
        assert!(said.err.contains(expected), "{expected}\n{}", said.err);
    }
    // Any name of a family may be sent, so a slip of the pen is a note and no mistake.
    let slip = "model: claude-opus-55\n";
    let said =
        World::new().folder_file("agents/slip.yaml", slip).run(&["agents", "check", "agents/slip.yaml"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.err.contains("claude-opus-55 is not in the catalog (near: claude-opus-5"), "{}", said.err);
    let said = World::new().run(&["agents"]);
    for name in ["tata *", "docs", "coach"] {
        assert!(said.out.contains(name), "{}", said.out);
    }
    let said = World::new().run(&["ask", "--agent", "coatch", "hi"]);
    assert_eq!((said.code, said.err.contains("Did you mean coach?")), (5, true), "{}", said.err);
}

#[test]
fn a_folder_cannot_carry_conversations_away() {
    let elsewhere = "TATA_DATABASE_URL=postgres://u:p4ssw0rd@db.example/tata\n";
    let said = World::new().file(".env", elsewhere).run(&["session", "list"]);
    assert_eq!(
        (said.code, said.err.contains("keep every conversation in Postgres at db.example")),
        (3, true),
        "{}",
        said.err
    );
    let sneaky = "DATABASE_URL=postgres://u@localhost/x?host=db.example\n";
    assert_eq!(World::new().file(".env", sneaky).run(&["session", "list"]).code, 3);
    let other = World::new().set("DATABASE_URL", "mysql://localhost/x").run(&["session", "list"]);
    assert_eq!((other.code, other.err.contains("TATA_DATABASE_URL")), (3, true), "{}", other.err);
    // Chosen by the person: then it is only not reachable, and the password is nowhere.
    let world = World::new().set("DATABASE_URL", "postgres://u:p4ssw0rd@127.0.0.1:9/x");
    let said = world.run(&["session", "list"]);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.err.contains("cannot be reached") && !said.err.contains("p4ssw0rd"), "{}", said.err);
    assert!(!world.log().contains("p4ssw0rd"));
}

/// Killed in the middle of an answer: the question is there, and the turn is finished on the next occasion.
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_program_goes_on_where_it_stood() {
    let half = Exchange::sse("data: {\"choices\":[{\"delta\":{\"content\":\"Half an \"}}]}\n\n").hang();
    let upstream = Upstream::start([half, says("A whole answer.")]).await;
    let world = world_at(&upstream);
    let (said, _) = tokio::task::spawn_blocking(move || {
        let mut child = world
            .command(&["ask", "--agent", "tata", "Are you there?"])
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut seen = [0; 4];
        std::io::Read::read_exact(&mut child.stdout.take().unwrap(), &mut seen).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let said = [
            world.run(&["session", "list"]),
            world.run(&["session", "resume", "last"]),
            world.run(&["session", "resume", "--interrupted"]),
            world.run(&["session", "show", "last"]),
        ];
        (said, world)
    })
    .await
    .unwrap();
    assert!(said[0].out.contains("Are you there? (not finished)"), "{}", said[0].out);
    assert_eq!((said[1].code, said[1].out.as_str()), (0, "A whole answer.\n"), "{:?}", said[1]);
    assert!(said[2].err.contains("Nothing was interrupted."));
    assert_eq!(said[3].out.matches("Are you there?").count(), 1);
    assert!(said[3].out.contains("A whole answer.") && !said[3].out.contains("Half"));
}
