//! The guided model in conversation: what confirms, what changes, what is asked, and that nothing makes it stumble.

mod changes;
mod email;
mod forms;
pub(crate) mod kept;
mod reviews;
pub(crate) mod talk;
mod yes;

use std::sync::Arc;

use proptest::prelude::*;
use tata_core::{Clock, Message, ModelRequest};
use tata_recruit::Guided;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever is typed, an answer comes.
    #[test]
    fn no_message_makes_it_stumble(text in "\\PC{0,200}|[a-zåäöæøü0-9 ,.:;!?\\-\n\u{0}\u{202e}]{0,400}") {
        let request = ModelRequest { messages: vec![Message::user(text)], tools: Arc::from([]), ..ModelRequest::default() };
        let reply = Guided::new(Clock::System).reply(&request);
        prop_assert!(!reply.joined_text().trim().is_empty());
    }
}

#[test]
fn a_message_of_a_megabyte_is_answered() {
    let text = "We need a network engineer with BGP, Linux and Python. ".repeat(20_000);
    let request =
        ModelRequest { messages: vec![Message::user(text)], tools: Arc::from([]), ..ModelRequest::default() };
    assert!(!Guided::new(Clock::System).reply(&request).joined_text().is_empty());
}
