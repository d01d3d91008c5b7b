//! What was typed before a question of the program was on the screen: it decides nothing.

use std::time::Duration;

use serde_json::json;
use tata_testkit::{
    Exchange, Upstream,
    dishonest::NOTES,
    script::{self, Turn},
};

use crate::{program::World, pty::Chat};

const UNUSED: &str = "What you typed before this question was not used.";

/// How long an answer is held while the person types.
const HELD: Duration = Duration::from_secs(3);

/// An answer whose words stand on the screen for a while before the rest of it comes.
fn held(turn: &Turn, words: &str) -> Exchange {
    let whole = script::chat(turn);
    let words = whole.find(words).unwrap();
    let end = words + whole[words..].find("\n\n").unwrap() + 2;
    Exchange::sse(&whole[..end]).pause(HELD).bytes(&whole[end..])
}

fn create() -> Exchange {
    let notes = json!({ "position_title": "Network Engineer", "startup_notes": "m1" }).to_string();
    Exchange::sse(script::chat(&Turn::text(&[]).call("c1", "create_requirement_profile", &[&notes])))
}

fn text(words: &str) -> Exchange {
    Exchange::sse(script::chat(&Turn::text(&[words])))
}

async fn chat(exchanges: Vec<Exchange>) -> (World, Chat, Upstream) {
    let upstream = Upstream::start(exchanges).await;
    let world = World::new().set("OLLAMA_BASE_URL", &upstream.base_url());
    let chat = Chat::open(&world, &["chat", "-m", "ollama/qwen3:8b"]);
    (world, chat, upstream)
}

fn pasted(text: &str) -> String {
    format!("\x1b[200~{text}\x1b[201~\r")
}

fn profile(world: &World) -> String {
    world.run(&["artifact", "show", "requirement_profile", "--format", "json"]).out
}

/// "Shall I draft the invitation for Oslo?", "yes", and the program's question takes that yes.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_was_typed_before_a_decision_was_asked_decides_nothing() {
    let oslo = "Shall I draft the invitation for Oslo?";
    let asks = Turn::text(&[oslo]).call("c2", "edit_requirement_profile", &["{\"confirm\":true}"]);
    let exchanges = vec![create(), text("Here it is."), held(&asks, oslo), text("As you like.")];
    let (world, mut chat, _upstream) = chat(exchanges).await;
    tokio::task::spawn_blocking(move || {
        chat.press_for_next(&pasted(NOTES), "> ");
        chat.press("What is BGP?\r", oslo);
        let asked = chat.press("yes\rye", "[y]es, [n]o: ");
        assert!(asked.contains(UNUSED), "{asked}");
        chat.press("no\r", "As you like.");
        assert!(!profile(&world).contains("\"confirmed\""), "{}", chat.seen());
    })
    .await
    .unwrap();
}

/// The question stands below the answer, and the answer is still being written: a yes to its words is no yes to that.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_that_was_typed_before_the_closing_question_decides_nothing() {
    let oslo = "Shall I draft the invitation for Oslo?";
    let confirm = Turn::text(&[]).call("c2", "edit_requirement_profile", &["{\"confirm\":true}"]);
    let exchanges = vec![
        create(),
        held(&Turn::text(&[oslo, " "]), oslo),
        Exchange::sse(script::chat(&confirm)),
        text("Done."),
    ];
    let (world, mut chat, upstream) = chat(exchanges).await;
    tokio::task::spawn_blocking(move || {
        chat.press(&pasted(NOTES), oslo);
        chat.press("yes\r", UNUSED);
        assert_eq!(upstream.requests().len(), 2, "nothing was said: {}", chat.seen());
        assert!(!profile(&world).contains("\"confirmed\""), "{}", chat.seen());
        // Now the question is on the screen.
        chat.press("yes\r", "Done.");
        assert!(profile(&world).contains("\"confirmed\""), "{}", chat.seen());
    })
    .await
    .unwrap();
}
