//! What a client says was said before, and the digests by which it is recognised.

use serde_json::Value;
use sha2::{Digest, Sha256};
use tata_core::{Block, CallId, Message, PastStep, Question, Role, SessionId, ToolCall};

use super::{identity::Identity, tools::Described};

/// One step of a client's history. Neighbors of one kind are one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// What a person said, message by message.
    Person(Vec<String>),
    /// What was answered, with the calls of the client's tools.
    Agent(AgentStep),
    /// What the client's tools brought.
    Results(Vec<BroughtResult>),
}

/// An answer, as its client has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AgentStep {
    pub(super) text: String,
    pub(super) calls: Vec<AskedCall>,
}

/// A call of a client's tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AskedCall {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// A result of such a tool, under the id of its call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BroughtResult {
    pub(super) call_id: String,
    pub(super) output: String,
}

/// What a request says.
#[derive(Clone, Debug, Default)]
pub(super) struct ClientRequest {
    pub(super) steps: Vec<Step>,
    /// The client's own tools.
    pub(super) tools: Vec<Described>,
    /// The client's own instructions; the agent has its own, so they only tell one part of a client from another.
    pub(super) instructions: String,
    /// Whose conversation it is.
    pub(super) identity: Identity,
    /// The sessions that gave the answers which the client names by their ids instead of bringing them.
    pub(super) named: Vec<SessionId>,
}

impl ClientRequest {
    /// Adds a step, to its neighbor if that is of the same kind.
    pub(super) fn push(&mut self, step: Step) {
        match (self.steps.last_mut(), step) {
            (Some(Step::Person(said)), Step::Person(more)) => said.extend(more),
            (Some(Step::Results(brought)), Step::Results(more)) => brought.extend(more),
            (Some(Step::Agent(answer)), Step::Agent(more)) => {
                if !answer.text.trim().is_empty() && !more.text.trim().is_empty() {
                    answer.text.push_str("\n\n");
                }
                answer.text.push_str(&more.text);
                answer.calls.extend(more.calls);
            }
            (_, step) => self.steps.push(step),
        }
    }

    /// The part that the client plays in this request, such as the assistant or a writer of titles, by its tools and the
    /// first words of its instructions. The rest of them may hold the time of day.
    pub(super) fn setting(&self) -> String {
        let mut hash = Hash::new("setting");
        let mut names: Vec<&str> = self.tools.iter().map(|tool| tool.name.as_str()).collect();
        names.sort_unstable();
        for name in names {
            hash.add(name);
        }
        hash.add("instructions");
        self.instructions.split_whitespace().take(ROLE_WORDS).for_each(|word| hash.add(word));
        hash.done()
    }
}

/// So many words of a client's instructions tell which part it plays.
const ROLE_WORDS: usize = 12;

impl Step {
    /// The same as the journal takes it over; nothing where a person said nothing.
    pub(super) fn past(&self) -> Option<PastStep> {
        Some(match self {
            Self::Person(said) => {
                let message = said_by_person(said);
                if message.blocks.is_empty() {
                    return None;
                }
                PastStep::Said(message)
            }
            Self::Agent(AgentStep { text, calls }) => {
                let mut blocks = Vec::new();
                if !text.trim().is_empty() {
                    blocks.push(Block::text(text.clone()));
                }
                for AskedCall { id, name, arguments } in calls {
                    let call = ToolCall::function(id.as_str(), name.as_str(), arguments.as_str());
                    blocks.push(Block::ToolCall(call));
                }
                let message = Message { role: Role::Assistant, blocks: blocks.into(), origin: None };
                PastStep::Answered(message)
            }
            Self::Results(brought) => PastStep::Brought(
                brought.iter().map(|one| (CallId::from(one.call_id.as_str()), one.output.clone())).collect(),
            ),
        })
    }

    fn add_to(&self, hash: &mut Hash) {
        match self {
            Self::Person(said) => {
                hash.add("person");
                // Some clients send as one message what others send as several.
                hash.add(&normalised(&said.join("\n")));
            }
            Self::Agent(answer) => hash.add(&answer.digest()),
            Self::Results(brought) => {
                hash.add("results");
                for BroughtResult { call_id, output } in brought {
                    hash.add(call_id);
                    hash.add(&normalised(output));
                }
            }
        }
    }
}

/// What a person said, each message a block of its own, so that each keeps its number.
pub(super) fn said_by_person(said: &[String]) -> Message {
    let blocks = said.iter().filter(|text| !text.trim().is_empty()).map(|text| Block::text(text.clone()));
    Message { role: Role::User, blocks: blocks.collect(), origin: None }
}

impl AgentStep {
    /// An answer of ours, as its client gets it.
    pub(super) fn given(text: &str, calls: &[Question]) -> Self {
        let call = |call: &Question| AskedCall {
            id: call.call_id.to_string(),
            name: call.tool.to_string(),
            arguments: call.arguments.clone(),
        };
        Self { text: text.to_owned(), calls: calls.iter().map(call).collect() }
    }

    /// What the answer is recognised by, however its client spaces it and spells its JSON.
    pub(super) fn digest(&self) -> String {
        let mut hash = Hash::new("answer");
        hash.add(&normalised(&self.text));
        for AskedCall { id, name, arguments } in &self.calls {
            for part in [id, name, &canonical(arguments)] {
                hash.add(part);
            }
        }
        hash.done()
    }
}

/// The digests of the beginnings of a history: that at `n` stands for its first `n` steps, and for whose they are.
pub(super) fn digests(whose: &str, steps: &[Step]) -> Vec<String> {
    let mut digests = vec![whose.to_owned()];
    let mut last = whose.to_owned();
    for step in steps {
        let mut hash = Hash::new("history");
        hash.add(&last);
        step.add_to(&mut hash);
        last = hash.done();
        digests.push(last.clone());
    }
    digests
}

/// A digest of parts that cannot run into each other.
pub(super) struct Hash(Sha256);

impl Hash {
    /// A digest for one purpose.
    pub(super) fn new(purpose: &str) -> Self {
        let mut hash = Self(Sha256::new());
        hash.add(purpose);
        hash
    }

    pub(super) fn add(&mut self, part: &str) {
        self.0.update((part.len() as u64).to_be_bytes());
        self.0.update(part);
    }

    pub(super) fn done(self) -> String {
        self.0.finalize().iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"))
    }
}

/// A text without its spacing: clients trim, and join what came in parts.
pub(super) fn normalised(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Arguments with sorted keys and without spaces; as they are when they are not JSON.
pub(super) fn canonical(arguments: &str) -> String {
    if arguments.trim().is_empty() {
        return "{}".to_owned();
    }
    // `Value` keeps objects sorted by key.
    let parsed = serde_json::from_str::<Value>(arguments);
    parsed.map_or_else(|_| arguments.to_owned(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(text: &str, arguments: &str) -> Step {
        let call =
            AskedCall { id: "c1".to_owned(), name: "look".to_owned(), arguments: arguments.to_owned() };
        Step::Agent(AgentStep { text: text.to_owned(), calls: vec![call] })
    }

    fn last(steps: &[Step]) -> String {
        digests("anna", steps).pop().unwrap()
    }

    #[test]
    fn spacing_and_the_spelling_of_json_make_no_other_history() {
        let person = |text: &str| Step::Person(vec![text.to_owned()]);
        let one = last(&[person("Hello \n"), answer("Hi,\r\nAnna.\n", r#"{"a": 1, "b": "x  y"}"#)]);
        let same = last(&[person("Hello"), answer("Hi, Anna.", r#"{"b":"x  y","a":1}"#)]);
        assert_eq!(one, same);
        for other in [
            [person("Hello"), answer("Hi, Anna.", r#"{"b":"x y","a":1}"#)],
            [person("Hello"), answer("Hi, Ben.", r#"{"b":"x  y","a":1}"#)],
            [person("HelloHi,"), answer("Anna.", r#"{"b":"x  y","a":1}"#)],
        ] {
            assert_ne!(last(&other), one, "{other:?}");
        }
        assert_ne!(digests("ben", &[person("Hello")]), digests("anna", &[person("Hello")]));
    }

    #[test]
    fn neighbors_of_one_kind_are_one_step() {
        let mut request = ClientRequest::default();
        request.push(Step::Person(vec!["one".to_owned()]));
        request.push(Step::Person(vec!["two".to_owned()]));
        request.push(Step::Agent(AgentStep { text: "Let me look.".to_owned(), calls: Vec::new() }));
        request.push(answer("", "{}"));
        assert_eq!(
            request.steps,
            [Step::Person(vec!["one".to_owned(), "two".to_owned()]), answer("Let me look.", "{}"),]
        );
    }
}
