//! What only a person can decide, in the words of a chat: asked as the last thing that is said, answered by the next
//! message.

use serde_json::Value;
use tata_core::{
    ChatMark, Decision, Question, QuestionReason, SessionId, StoreError, says_no, says_yes, visible,
};

use super::{
    history::{AgentStep, Hash, normalised},
    markup::may_hide_what_follows,
};
use crate::state::App;

/// What a person is asked. What a model wrote stands above, where its line ends and hidden characters can pretend nothing;
/// the last word is the program's.
pub(super) fn words(question: &Question) -> String {
    let Question { tool, arguments, reason, about, .. } = question;
    if about.is_some() && *reason != QuestionReason::Uncertain {
        return visible(&question.in_words()).into_owned();
    }
    let what = about.as_ref().map_or_else(
        || format!("{}:\n\n{}", plain(tool), fenced(&exact(arguments))),
        |about| about.words.clone(),
    );
    let asked = match reason {
        QuestionReason::Approval | QuestionReason::Decision => {
            "Before I go on, may I do this, exactly as it stands above? Answer yes or no."
        }
        QuestionReason::Uncertain => {
            "This had begun when the program stopped; whether it took effect is not known. Answer “done” if it did, \
             “again” to do it again, or “no” to leave it."
        }
    };
    format!("{}\n\n{asked}", visible(&what))
}

/// Arguments as they will be sent: line ends inside of them stay escaped.
fn exact(arguments: &str) -> String {
    let written =
        serde_json::from_str::<Value>(arguments).and_then(|value| serde_json::to_string_pretty(&value));
    written.unwrap_or_else(|_| Value::from(arguments).to_string())
}

/// Text that no client reads as anything but text: nothing in it ends the fence.
fn fenced(text: &str) -> String {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.saturating_add(1).max(3));
    format!("{fence}\n{text}\n{fence}")
}

/// The name of a tool as words.
fn plain(tool: &str) -> String {
    let words = tool.replace(['_', '-'], " ");
    let mut letters = words.trim().chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// What a whole message decides about a question; none if it says anything else.
pub(super) fn verdict(question: &Question, message: &str) -> Option<Decision> {
    let said = message.trim().trim_end_matches(['.', '!']).to_lowercase();
    match (question.reason, said.as_str()) {
        (QuestionReason::Uncertain, "done") => Some(Decision::Done),
        (QuestionReason::Uncertain, "again") => Some(Decision::Run),
        (_, _) if says_no(message) => Some(Decision::Refuse),
        (QuestionReason::Approval | QuestionReason::Decision, _) if says_yes(message) => Some(Decision::Run),
        (_, _) => None,
    }
}

/// Whether a message may be the answer to a question at all.
pub(super) fn may_decide(said: &[String]) -> bool {
    matches!(said, [text] if says_yes(text) || says_no(text))
}

/// What marks that a chat has shown this question at this place of a session.
fn place(session: SessionId, position: u64) -> String {
    let mut hash = Hash::new("shown");
    hash.add(&session.to_string());
    hash.add(&position.to_string());
    hash.done()
}

/// Whether the client's own history has a question as the last thing that was said, below nothing that could hide it.
pub(super) fn is_in(answer: &AgentStep, question: &Question) -> bool {
    let text = normalised(&answer.text);
    text.strip_suffix(&*normalised(&words(question))).is_some_and(|above| !may_hide_what_follows(above))
}

/// Notes that a question is the last thing which a chat shows.
pub(super) async fn note_shown(
    app: &App,
    session: SessionId,
    position: u64,
    question: &Question,
) -> Result<(), StoreError> {
    let mark = ChatMark {
        question: place(session, position),
        session: Some(session),
        answer: Some(question.seal.clone()),
        setting: String::new(),
        position,
        at: app.services.clock.now(),
    };
    app.services.store.keep_chat_mark(mark).await
}

/// Whether a question is the last thing that a chat has shown.
pub(super) async fn was_shown(
    app: &App,
    session: SessionId,
    position: u64,
    question: &Question,
) -> Result<bool, StoreError> {
    let marks = app.services.store.chat_marks(place(session, position), question.seal.clone()).await?;
    Ok(marks.iter().any(|mark| mark.answer.is_some() && mark.session == Some(session)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(reason: QuestionReason) -> Question {
        Question {
            call_id: "c1".into(),
            tool: "send_invite".into(),
            arguments: r#"{"to":"Anna"}"#.to_owned(),
            reason,
            seal: "s".to_owned(),
            about: None,
            words: String::new(),
        }
    }

    #[test]
    fn a_question_says_what_would_be_done_and_how_to_answer() {
        let asked = words(&question(QuestionReason::Approval));
        for part in ["Send invite", "Anna", "yes or no"] {
            assert!(asked.contains(part), "{asked}");
        }
        assert!(!asked.contains("send_invite") && !asked.contains("c1"), "{asked}");
        assert!(words(&question(QuestionReason::Uncertain)).contains("not known"));
    }

    /// A line end, a fence or a hidden character in an argument cannot put the model's words below the program's.
    #[test]
    fn the_program_has_the_last_word_in_an_approval() {
        for said in [
            "that is all.\n\nShall I draft the invitation? Answer yes or no.",
            "```\n<!--",
            "a\u{2028}b\u{202e}c\u{200b}\r\u{1b}[2J",
        ] {
            let arguments = serde_json::json!({ "to": "boss@x.example", said: said }).to_string();
            for arguments in [arguments, said.to_owned()] {
                let asked = words(&Question { arguments, ..question(QuestionReason::Approval) });
                assert_eq!(visible(&asked), asked);
                let last = asked.lines().next_back().unwrap();
                assert!(last.starts_with("Before I go on, may I do this"), "{asked}");
                let inner = asked.split("```").nth(1).unwrap();
                assert!(!asked.contains("\n<!--") && !inner.contains("\nShall"), "{asked}");
                assert!(!asked.contains("that is all.\n"), "{asked}");
            }
        }
    }

    #[test]
    fn only_a_whole_word_decides() {
        let approval = question(QuestionReason::Approval);
        for (message, decision) in [
            ("Yes!", Some(Decision::Run)),
            ("nej", Some(Decision::Refuse)),
            ("yes, but later", None),
            ("yes?", None),
            ("done", None),
        ] {
            assert_eq!(verdict(&approval, message), decision, "{message}");
        }
        let uncertain = question(QuestionReason::Uncertain);
        for (message, decision) in [
            ("yes", None),
            ("Done.", Some(Decision::Done)),
            ("again", Some(Decision::Run)),
            ("no", Some(Decision::Refuse)),
        ] {
            assert_eq!(verdict(&uncertain, message), decision, "{message}");
        }
    }
}
