//! Ctrl-C in a chat, in a pseudo-terminal: it stops the answer, never the program.
//!
//! The default run is short; `TATA_INTERRUPTS=50` opens as many chats.

use std::env;

use tata_testkit::{Exchange, Upstream, script};

use crate::{program::World, pty::Chat};

/// An answer that begins and then goes on for ever.
fn endless() -> Exchange {
    let whole = script::chat(&script::Turn::text(&["Hello", ", world"]));
    let begun = whole.split("data: {\"choices\":[{\"delta\":{},").next().unwrap().to_owned();
    Exchange::sse(begun).hang()
}

#[expect(clippy::disallowed_methods, reason = "whoever runs the tests asks for a long run")]
fn chats() -> usize {
    env::var("TATA_INTERRUPTS").map_or(4, |value| value.parse().unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn ctrl_c_stops_an_answer_and_never_the_program() {
    for number in 0..chats() {
        let upstream = Upstream::start([endless(), endless()]).await;
        let world = World::new().set("OLLAMA_BASE_URL", &upstream.base_url());
        let stopped = tokio::task::spawn_blocking(move || {
            let mut chat = Chat::open(&world, &["chat", "-m", "ollama/x"]);
            for _ in 0..2 {
                chat.press("hi\r", "Hello, world");
                assert!(chat.interrupt().contains("Stopped."), "{}", chat.seen());
            }
            chat.leave();
            world.run(&["session", "show", "last"]).out.matches("Hello, world").count()
        });
        assert_eq!(stopped.await.unwrap(), 2, "chat {number}: what came is kept");
    }
}
