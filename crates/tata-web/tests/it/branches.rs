//! Conversations of clients that keep the history themselves: whose session is gone on with, and what happens where a
//! history branches.

use std::sync::Arc;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_core::{Block, Role, Store, ToolCall};
use tata_store::MemoryStore;
use tata_testkit::{Answer, PlannedModel};

use crate::support::{World, local, read};

pub(crate) const CHAT: &str = "/v1/chat/completions";

pub(crate) fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

pub(crate) fn assistant(text: &str) -> Value {
    json!({"role": "assistant", "content": text})
}

pub(crate) fn weather_tool() -> Value {
    let parameters = json!({"type": "object", "properties": {"city": {"type": "string"}}});
    json!({"type": "function", "function": {"name": "get_weather", "parameters": parameters}})
}

fn model() -> Arc<PlannedModel> {
    let weather = Answer::calls(&[("call_9", "get_weather", r#"{"city":"Oslo"}"#)]);
    let invite = || Answer::calls(&[("c_invite", "send_invite", r#"{"what":"Anna"}"#)]);
    let profile = Answer::calls(&[("c_profile", "write_profile", r#"{"what":"engineer"}"#)]);
    Arc::new(
        PlannedModel::new("planned")
            .on("Hello", [Answer::text("Hello, how can I help?\n")])
            .on("I am Anna, secret 123", [Answer::text("Noted.")])
            .on("yes", [Answer::text("You said yes.")])
            .on("Weather", [weather, Answer::text("It is 7 degrees.")])
            .on("Thanks", [Answer::text("Welcome.")])
            .on("Profile", [profile, Answer::text("The profile is made.")])
            .on("Invite", [invite(), Answer::text("It went as you decided.")]),
    )
}

pub(crate) struct Peer {
    pub(crate) world: World,
    pub(crate) model: Arc<PlannedModel>,
}

/// An answer, and the session that gave it.
pub(crate) struct Got {
    pub(crate) status: StatusCode,
    pub(crate) body: Value,
    pub(crate) session: String,
}

impl Got {
    pub(crate) fn text(&self) -> &str {
        self.body["choices"][0]["message"]["content"].as_str().unwrap_or_else(|| panic!("{}", self.body))
    }

    pub(crate) fn message(&self) -> Value {
        self.body["choices"][0]["message"].clone()
    }
}

impl Peer {
    pub(crate) async fn new() -> Self {
        Self::over(&(Arc::new(MemoryStore::new()) as Arc<dyn Store>)).await
    }

    pub(crate) async fn over(store: &Arc<dyn Store>) -> Self {
        let model = model();
        Self { world: World::at(store, &model, local()).await, model }
    }

    pub(crate) async fn send(&self, path: &str, headers: &[(&str, &str)], body: Value) -> Got {
        let mut request = self.world.request(Method::POST, path).json(&body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.send().await.unwrap();
        let session = response.headers().get("x-tata-session").map(|id| id.to_str().unwrap().to_owned());
        let (status, body) = read(response).await;
        Got { status, body, session: session.unwrap_or_default() }
    }

    pub(crate) async fn chat(&self, messages: Value) -> Got {
        self.send(CHAT, &[], json!({"model": "tata", "messages": messages})).await
    }

    async fn tool_chat(&self, messages: Value) -> Got {
        let body = json!({"model": "tata", "messages": messages, "tools": [weather_tool()]});
        self.send(CHAT, &[], body).await
    }

    /// What the model was last asked with, without its own prompt: the texts of all messages, calls and results.
    pub(crate) fn asked(&self) -> Vec<String> {
        let requests = self.model.requests();
        let messages = &requests.last().unwrap().messages;
        let texts = messages.iter().filter(|message| message.role != Role::System).map(|message| {
            let parts = message.blocks.iter().map(|block| match block {
                Block::Text(text) => text.text.clone(),
                Block::ToolCall(ToolCall { name, arguments, .. }) => format!("call {name} {arguments}"),
                Block::ToolResult(result) => format!("result {}", result.joined_text()),
                other @ (Block::Reasoning(_) | Block::Refusal(_) | Block::Opaque(_)) => panic!("{other:?}"),
            });
            parts.collect::<String>()
        });
        texts.collect()
    }
}

/// Two people share a key, and begin with the same words.
#[tokio::test]
async fn two_people_who_begin_alike_never_share_a_conversation() {
    let peer = Peer::new().await;
    let anna = peer.chat(json!([user("Hello")])).await;
    let ben = peer.chat(json!([user("Hello")])).await;
    assert_ne!(anna.session, ben.session);
    let secret = json!([user("Hello"), anna.message(), user("I am Anna, secret 123")]);
    let secret = peer.chat(secret).await;
    let yes = peer.chat(json!([user("Hello"), ben.message(), user("yes")])).await;
    assert_eq!(peer.asked(), ["Hello", "Hello, how can I help?\n", "yes"]);
    assert_ne!(secret.session, yes.session);
    let more = json!([user("Hello"), ben.message(), user("yes"), yes.message(), user("Thanks")]);
    let more = peer.chat(more).await;
    assert_eq!(more.session, yes.session, "from here on the words are Ben's alone");
    assert!(!peer.asked().concat().contains("secret"), "{:?}", peer.asked());
}

/// One of two with the same words deletes the conversation: what is left is not theirs.
#[tokio::test]
async fn what_was_deleted_does_not_lead_into_the_conversation_of_somebody_else() {
    let peer = Peer::new().await;
    let anna = peer.chat(json!([user("Hello")])).await;
    let ben = peer.chat(json!([user("Hello")])).await;
    let gone = peer.world.request(Method::DELETE, &format!("/api/v1/sessions/{}", anna.session));
    assert!(gone.send().await.unwrap().status().is_success());
    let anna = peer.chat(json!([user("Hello"), anna.message(), user("I am Anna, secret 123")])).await;
    assert_ne!(anna.session, ben.session);
}

/// Regenerating an answer, or editing an earlier message, leaves nothing of the other branch in the context.
#[tokio::test]
async fn regenerated_and_edited_messages_branch() {
    let peer = Peer::new().await;
    let first = peer.chat(json!([user("Hello")])).await;
    let history = |last: &str| json!([user("Hello"), first.message(), user(last)]);
    let one = peer.chat(history("Thanks")).await;
    assert_eq!(one.session, first.session);
    for again in ["Thanks", "yes"] {
        let other = peer.chat(history(again)).await;
        assert_ne!(other.session, first.session);
        assert_eq!(peer.asked(), ["Hello", "Hello, how can I help?\n", again]);
    }
}

/// A document made before the branch is there in the branch; one made after it is not.
#[tokio::test]
async fn a_branch_has_the_documents_of_its_own_history() {
    let peer = Peer::new().await;
    let first = peer.chat(json!([user("Profile")])).await;
    let before = json!([user("Profile"), first.message(), user("Thanks")]);
    let second = peer.chat(before.clone()).await;
    assert_eq!(second.session, first.session);
    let branch = peer.chat(before).await;
    assert_ne!(branch.session, first.session);
    let path = format!("/api/v1/sessions/{}/artifacts", branch.session);
    let (_, documents) = peer.world.get(&path).await;
    assert!(documents.to_string().contains("Profile"), "{documents}");
    assert!(peer.asked().concat().contains("call write_profile"), "{:?}", peer.asked());
    let start = peer.chat(json!([user("Thanks")])).await;
    let (_, none) = peer.world.get(&format!("/api/v1/sessions/{}/artifacts", start.session)).await;
    assert!(!none.to_string().contains("Profile"), "{none}");
}

/// Chat front ends trim what they keep; the session goes on all the same.
#[tokio::test]
async fn trimmed_white_space_keeps_the_session() {
    let peer = Peer::new().await;
    let first = peer.chat(json!([user("Hello")])).await;
    let trimmed = json!([user(" Hello "), assistant(first.text().trim()), user("Thanks")]);
    assert_eq!(peer.chat(trimmed).await.session, first.session);
}

/// A request with another part to play, such as a writer of titles, stays out of the session.
#[tokio::test]
async fn side_requests_stay_out_of_the_session() {
    let peer = Peer::new().await;
    let system = |text: &str| json!({"role": "system", "content": text});
    let chat = system("You are a helpful assistant.");
    let first = peer.chat(json!([chat, user("Hello")])).await;
    let title = system("You write a title for this conversation.");
    let side = peer.chat(json!([title, user("Hello"), first.message(), user("Thanks")])).await;
    assert_ne!(side.session, first.session);
    let next = peer.chat(json!([chat, user("Hello"), first.message(), user("yes")])).await;
    assert_eq!(next.session, first.session);
    assert_eq!(peer.asked(), ["Hello", "Hello, how can I help?\n", "yes"]);
}

/// A client that was stopped in the middle of an answer keeps what it saw of it, and everything before.
#[tokio::test]
async fn a_stopped_answer_costs_nothing_of_what_was_before() {
    let peer = Peer::new().await;
    let first = peer.chat(json!([user("Profile")])).await;
    let second = json!([user("Profile"), first.message(), user("Hello")]);
    peer.chat(second).await;
    let stopped =
        json!([user("Profile"), first.message(), user("Hello"), assistant("Hello, how"), user("Thanks")]);
    let after = peer.chat(stopped).await;
    assert_eq!(after.status, StatusCode::OK);
    let asked = peer.asked();
    assert!(asked.concat().contains("call write_profile"), "{asked:?}");
    assert_eq!(asked[asked.len() - 3..], ["Hello", "Hello, how", "Thanks"]);
}

/// Whoever asks again while the stopped answer is still being given is answered.
#[tokio::test]
async fn a_retry_does_not_wait_for_the_turn_that_was_stopped() {
    let slow = Answer::text("Slow.").after(std::time::Duration::from_secs(20));
    let model = PlannedModel::new("planned")
        .on("Hello", [Answer::text("Hello.")])
        .on("Slow", [slow])
        .on("Fast", [Answer::text("Fast.")]);
    let world = World::new(model).await;
    let ask = |last: &str, stream: bool| {
        let messages = json!([user("Hello"), assistant("Hello."), user(last)]);
        json!({"model": "tata", "messages": messages, "stream": stream})
    };
    world.post(CHAT, &json!({"model": "tata", "messages": [user("Hello")]})).await;
    let stopped = world.request(Method::POST, CHAT).json(&ask("Slow", true)).send().await.unwrap();
    assert_eq!(stopped.status(), StatusCode::OK);
    drop(stopped);
    let (status, answer) = world.post(CHAT, &ask("Fast", false)).await;
    assert_eq!((status, &answer["choices"][0]["message"]["content"]), (StatusCode::OK, &json!("Fast.")));
}

/// A server that starts anew, or another replica, finds the session with its calls and documents.
#[tokio::test]
async fn a_restart_and_a_replica_lose_nothing() {
    let store = Arc::new(MemoryStore::new()) as Arc<dyn Store>;
    let one = Peer::over(&store).await;
    let first = one.chat(json!([user("Profile")])).await;
    drop(one);
    let two = Peer::over(&store).await;
    let next = two.chat(json!([user("Profile"), first.message(), user("Thanks")])).await;
    assert_eq!(next.session, first.session);
    assert!(two.asked().concat().contains("call write_profile"), "{:?}", two.asked());
}

/// In the middle of a loop of the client's tools nothing ends the run: not a restart, not a retry, not a server that has
/// never heard of it.
#[tokio::test]
async fn a_loop_of_the_clients_tools_goes_on_anywhere() {
    let store = Arc::new(MemoryStore::new()) as Arc<dyn Store>;
    let one = Peer::over(&store).await;
    let first = one.tool_chat(json!([user("Weather")])).await;
    let result = json!({"role": "tool", "tool_call_id": "call_9", "content": "7 degrees"});
    let history = json!([user("Weather"), first.message(), result]);
    let elsewhere = Peer::new().await;
    let restarted = Peer::over(&store).await;
    for peer in [&restarted, &one, &elsewhere] {
        let answer = peer.tool_chat(history.clone()).await;
        assert_eq!((answer.status, answer.text()), (StatusCode::OK, "It is 7 degrees."));
        assert_eq!(peer.asked(), ["Weather", r#"call get_weather {"city":"Oslo"}"#, "result 7 degrees"]);
    }
    // Later in the conversation as well, and with words beside the result.
    let later =
        json!([user("Weather"), first.message(), result, assistant("It is 7 degrees."), user("Thanks")]);
    assert_eq!(Peer::new().await.tool_chat(later.clone()).await.text(), "Welcome.");
    let peer = Peer::new().await;
    peer.tool_chat(later).await;
    assert_eq!(peer.asked()[1..3], [r#"call get_weather {"city":"Oslo"}"#, "result 7 degrees"]);
    let first = peer.tool_chat(json!([user("Weather")])).await;
    peer.tool_chat(json!([user("Weather"), first.message(), result, user("Thanks")])).await;
    assert_eq!(peer.asked()[1..], [r#"call get_weather {"city":"Oslo"}"#, "result 7 degrees", "Thanks"]);
}

/// The items of the newer API carry the same.
#[tokio::test]
async fn items_of_the_newer_api_are_taken_over_with_their_calls() {
    let peer = Peer::new().await;
    let items = json!([
        user("Weather"),
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "get_weather", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "call_1", "output": "7 degrees"},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "It is 7 degrees."}]},
        user("Thanks"),
    ]);
    let answer = peer.send("/v1/responses", &[], json!({"model": "tata", "input": items})).await;
    assert_eq!(answer.body["output"][0]["content"][0]["text"], "Welcome.");
    let asked = ["Weather", "call get_weather {}", "result 7 degrees", "It is 7 degrees.", "Thanks"];
    assert_eq!(peer.asked(), asked);
}

/// An id names one answer; what came after it is not part of what follows it.
#[tokio::test]
async fn a_response_is_followed_where_it_ended() {
    let peer = Peer::new().await;
    let respond = |input: &'static str, previous: Option<Value>| {
        let body = json!({"model": "tata", "input": input, "previous_response_id": previous});
        peer.send("/v1/responses", &[], body)
    };
    let first = respond("Hello", None).await;
    let second = respond("Thanks", Some(first.body["id"].clone())).await;
    assert_eq!(second.session, first.session);
    let branch = respond("yes", Some(first.body["id"].clone())).await;
    assert_ne!(branch.session, first.session);
    assert_eq!(peer.asked(), ["Hello", "Hello, how can I help?\n", "yes"]);
    // Ids of earlier versions name a turn.
    let turn = format!("resp_{}_1", first.session);
    respond("yes", Some(json!(turn))).await;
    assert_eq!(peer.asked(), ["Hello", "Hello, how can I help?\n", "yes"]);
    // The same words, sent by somebody who keeps the history, do not lead there.
    let other = peer.chat(json!([user("yes"), assistant("You said yes."), user("Thanks")])).await;
    assert_eq!(peer.asked(), ["yes", "You said yes.", "Thanks"]);
    assert_ne!(other.session, branch.session);
}

/// Clients keep answers by their id: the one with the call, and the one after its result.
#[tokio::test]
async fn every_answer_of_a_turn_has_its_own_id() {
    let peer = Peer::new().await;
    let tool = json!({"type": "function", "name": "get_weather"});
    let ask = json!({"model": "tata", "input": "Weather", "tools": [tool]});
    let first = peer.send("/v1/responses", &[], ask).await;
    let result = json!({"type": "function_call_output", "call_id": "call_9", "output": "7 degrees"});
    let body = json!({"model": "tata", "previous_response_id": first.body["id"], "input": [result]});
    let second = peer.send("/v1/responses", &[], body).await;
    assert_eq!(second.body["output"][0]["content"][0]["text"], "It is 7 degrees.");
    assert_ne!(first.body["id"], second.body["id"]);
    assert_ne!(first.body["output"][0]["id"], second.body["output"][0]["id"]);
    let first = peer.tool_chat(json!([user("Weather")])).await;
    let result = json!({"role": "tool", "tool_call_id": "call_9", "content": "7 degrees"});
    let second = peer.tool_chat(json!([user("Weather"), first.message(), result])).await;
    assert_ne!(first.body["id"], second.body["id"]);
}

/// A client that names its conversation keeps it where the words alone would not do; a name is one person's.
#[tokio::test]
async fn a_named_conversation_is_told_from_one_with_the_same_words() {
    let peer = Peer::new().await;
    let body = |messages: Value, user: &str| json!({"model": "tata", "messages": messages, "user": user});
    for headers in [[("x-session-id", "s1")], [("x-openwebui-chat-id", "s1")], [("session_id", "s1")]] {
        let first = peer.send(CHAT, &headers, body(json!([user("Profile")]), "anna")).await;
        // Others say the same words, also under the same name.
        peer.send(CHAT, &[], body(json!([user("Profile")]), "anna")).await;
        peer.send(CHAT, &headers, body(json!([user("Profile")]), "ben")).await;
        let next = json!([user("Profile"), first.message(), user("Thanks")]);
        let next = peer.send(CHAT, &headers, body(next, "anna")).await;
        assert_eq!(next.session, first.session);
        assert!(peer.asked().concat().contains("call write_profile"), "{:?}", peer.asked());
        let stranger = json!([user("Profile"), first.message(), user("yes")]);
        let stranger = peer.send(CHAT, &headers, body(stranger, "cleo")).await;
        assert_ne!(stranger.session, first.session);
        assert!(!peer.asked().concat().contains("call write_profile"), "{:?}", peer.asked());
    }
}

/// What a person must decide is asked in words; a plain yes decides it, and nothing else does.
#[tokio::test]
async fn an_approval_is_asked_and_answered_in_the_chat() {
    for (answer, done) in [("yes", true), ("no", false)] {
        let peer = Peer::new().await;
        let asked = peer.chat(json!([user("Invite")])).await;
        let question = asked.text();
        assert!(question.contains("Send invite") && question.contains("Anna"), "{question}");
        assert!(!question.contains("send_invite") && !question.contains("/api/"), "{question}");
        let decided = peer.chat(json!([user("Invite"), asked.message(), user(answer)])).await;
        assert_eq!((decided.status, decided.text()), (StatusCode::OK, "It went as you decided."));
        assert_eq!(decided.session, asked.session);
        let results = peer.asked().concat();
        assert_eq!(results.contains(r#"result {"tool":"send_invite""#), done, "{results}");
    }
}

/// Whoever goes on without answering is answered; nothing that was asked runs, and the chat is not stuck.
#[tokio::test]
async fn an_approval_that_is_not_answered_is_given_up() {
    let peer = Peer::new().await;
    let asked = peer.chat(json!([user("Invite")])).await;
    let other = peer.chat(json!([user("Invite"), asked.message(), user("Thanks")])).await;
    assert_eq!((other.status, other.text()), (StatusCode::OK, "Welcome."));
    assert!(!peer.asked().concat().contains(r#"{"tool":"send_invite""#), "{:?}", peer.asked());
    // By its id as well.
    let respond = |input: &'static str, previous: Option<Value>| {
        let body = json!({"model": "tata", "input": input, "previous_response_id": previous});
        peer.send("/v1/responses", &[], body)
    };
    let asked = respond("Invite", None).await;
    let yes = respond("yes", Some(asked.body["id"].clone())).await;
    assert_eq!(yes.body["output"][0]["content"][0]["text"], "It went as you decided.");
}

/// A yes decides once. Said again in a branch, it is asked for again, in that branch.
#[tokio::test]
async fn a_yes_does_not_decide_in_a_branch() {
    let peer = Peer::new().await;
    let asked = peer.chat(json!([user("Invite")])).await;
    let yes = json!([user("Invite"), asked.message(), user("yes")]);
    peer.chat(yes.clone()).await;
    let requests = peer.model.requests().len();
    let again = peer.chat(yes).await;
    assert_ne!(again.session, asked.session);
    assert_eq!(peer.model.requests().len(), requests, "nothing ran, and nobody was asked but the person");
    assert_eq!(again.text(), asked.text());
    let sure = json!([user("Invite"), asked.message(), user("yes"), again.message(), user("yes")]);
    let sure = peer.chat(sure).await;
    assert_eq!((sure.session.as_str(), sure.text()), (again.session.as_str(), "It went as you decided."));
}

/// The question of one is not answered by the yes of another who has seen the same words.
#[tokio::test]
async fn a_yes_of_somebody_else_decides_nothing() {
    let peer = Peer::new().await;
    let anna = peer.chat(json!([user("Invite")])).await;
    let ben = peer.chat(json!([user("Invite")])).await;
    let yes = peer.chat(json!([user("Invite"), ben.message(), user("yes")])).await;
    assert_ne!(yes.session, anna.session);
    assert_ne!(yes.session, ben.session);
    // Both stand at the same, so it goes on as a branch; there it is asked again, and nothing runs.
    assert_eq!(yes.text(), anna.text());
    assert!(!peer.asked().concat().contains(r#"result {"tool":"send_invite""#), "{:?}", peer.asked());
}
