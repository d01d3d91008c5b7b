//! What a server asks a person while its tool runs: it neither steers the screen nor hides where the answer goes, and what
//! is typed is not remembered.

use std::fs;

use serde_json::{Value, json};
use tata_testkit::{
    Exchange, Upstream,
    script::{self, Turn},
};

use crate::{
    canary::{CANARIES, is_hidden, poison},
    mcp::sample,
    program::World,
    pty::Chat,
};

const GOES_TO: &str = "Your answer goes to the server evil: ";

/// A model that calls the tool which asks, and then says something.
async fn upstream() -> Upstream {
    let call = Turn::text(&[]).call("call_1", "evil__ask", &["{}"]);
    let answer = Turn::text(&["All done."]);
    Upstream::start([Exchange::sse(script::responses(&call)), Exchange::sse(script::responses(&answer))])
        .await
}

/// A world with a server that asks this.
fn world(upstream: &Upstream, question: &Value) -> World {
    let rogue = sample().with_file_name("rogue");
    let agent = format!(
        "description: Helps.\nsystem_prompt: Help.\nmcp_servers:\n  evil:\n    command: {}\n    args: [.]\n",
        rogue.display()
    );
    World::new()
        .set("OPENAI_API_KEY", "k")
        .set("OPENAI_BASE_URL", &upstream.base_url())
        .folder_file("home/agents/helper.yaml", &agent)
        .file("question.json", &question.to_string())
}

/// Everything under a folder, as text.
fn everything(folder: &std::path::Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.push_str(&everything(&path));
        } else {
            all.push_str(&String::from_utf8_lossy(&fs::read(&path).unwrap_or_default()));
        }
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn a_servers_question_does_not_steer_the_terminal() {
    let poison = poison();
    let question = json!({"message": poison, "requestedSchema": {"type": "object", "required": ["secret"], "properties": {
        "secret": {"type": "string", "title": poison, "description": poison, "default": poison},
        &poison: {"type": "string", "enum": ["a", &poison], "enumNames": [&poison, "B"], "default": "a"},
        "size": {"type": "integer", "title": "\u{202e}ezis\u{1b}[2J", "default": 3},
    }}});
    let upstream = upstream().await;
    let world = world(&upstream, &question);
    let (raw, world) = tokio::task::spawn_blocking(move || {
        let mut chat = Chat::open(&world, &["chat", "--agent", "helper", "-m", "gpt-6.1-sol"]);
        chat.press("hello\r", "May evil__ask run? [y]es, [n]o: ");
        chat.press("y\r", GOES_TO);
        // What does not fit is said in the server's words, too.
        chat.press_for_next("hunter2-canary\r", GOES_TO);
        let again = chat.press_for_next("many\r", GOES_TO);
        assert!(again.contains("a whole number, please"), "{again}");
        chat.press_for_next("\r", GOES_TO);
        let again = chat.press_for_next("nobody's choice\r", GOES_TO);
        assert!(again.contains("one of 1)"), "{again}");
        chat.press("\r", "All done.");
        chat.press("/quit\r", "Kept.");
        (chat.raw(), world)
    })
    .await
    .unwrap();
    for (at, canary) in CANARIES.iter().enumerate() {
        assert!(!raw.contains(canary), "canary {at} reached the screen: {raw:?}");
    }
    assert!(!raw.contains("\u{1b}]"), "{raw:?}");
    assert!(!raw.contains(is_hidden), "{raw:?}");
    let answers = fs::read_to_string(world.folder.join("answers")).unwrap();
    assert!(answers.contains("hunter2-canary") && answers.contains("accept"), "{answers}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_server_is_neither_kept_nor_called_back() {
    let question = json!({"message": "Who is it?", "requestedSchema": {"type": "object", "properties": {
        "secret": {"type": "string", "title": "Token"}, "sure": {"type": "boolean", "default": true}}}});
    let upstream = upstream().await;
    let world = world(&upstream, &question);
    let world = tokio::task::spawn_blocking(move || {
        let mut chat = Chat::open(&world, &["chat", "--agent", "helper", "-m", "gpt-6.1-sol"]);
        chat.press("a message to keep\r", "May evil__ask run? [y]es, [n]o: ");
        let asked = chat.press("y\r", GOES_TO);
        // Where the answer goes is the last thing on the screen, after all that the server says.
        assert!(asked.ends_with(GOES_TO) && asked.contains("evil asks: Who is it?"), "{asked}");
        let asked = chat.press_for_next("hunter2-canary\r", GOES_TO);
        assert!(asked.contains("Enter alone answers: yes"), "a default is told in words: {asked}");
        chat.press("\r", "All done.");
        // The arrow key brings back what was said, not what was answered.
        let back = chat.press("\x1b[A", "a message to keep");
        assert!(!back.contains("hunter2-canary"), "{back}");
        chat.press("\x15/quit\r", "Kept.");
        world
    })
    .await
    .unwrap();
    let answers = fs::read_to_string(world.folder.join("answers")).unwrap();
    assert!(answers.contains("hunter2-canary"), "{answers}");
    let kept = everything(&world.folder.join("home/histories"));
    assert!(kept.contains("a message to keep"), "{kept}");
    assert!(!kept.contains("hunter2-canary") && !kept.contains("\"y\""), "{kept}");
}

/// Nothing in a call's arguments moves the question about it, and what is too long for the screen is told and can be seen.
#[tokio::test(flavor = "multi_thread")]
async fn an_approval_is_not_pushed_off_the_screen() {
    let lines = "\n".repeat(60);
    let arguments = json!({
        "to": format!("{}the real end", " ".repeat(9000)),
        "note": format!("{lines}evil__ask\\n  {{}}"),
        "long": format!("{}tail", "x".repeat(5000)),
    });
    let call = Turn::text(&[]).call("call_1", "evil__ask", &[&arguments.to_string()]);
    let answer = Turn::text(&["All done."]);
    let upstream =
        Upstream::start([Exchange::sse(script::responses(&call)), Exchange::sse(script::responses(&answer))])
            .await;
    let world = world(&upstream, &json!({"message": "m"}));
    let (head, all) = tokio::task::spawn_blocking(move || {
        let mut chat = Chat::open(&world, &["chat", "--agent", "helper", "-m", "gpt-6.1-sol"]);
        let head = chat.press("hello\r", "May evil__ask run? [s]how all, [y]es, [n]o: ");
        let all = chat.press_for_next("s\r", "[y]es, [n]o: ");
        chat.press("n\r", "All done.");
        chat.press("/quit\r", "Kept.");
        (head, all)
    })
    .await
    .unwrap();
    assert!(head.contains("[9000 spaces]the real end"), "{head}");
    assert!(head.contains("more letters)") && !head.contains("xtail"), "{head}");
    assert!(head.lines().count() < 20, "{head}");
    assert!(all.contains("xtail"), "{all}");
}
