//! Random trees of histories: several clients with one key, on two replicas that are started anew now and then.
//!
//! Every message may carry a secret of its branch. Whatever the model is asked with must hold the secrets of exactly the
//! history that the client sent, and no document of another branch.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
};

use futures_util::stream;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tata_core::{
    AgentParts, Block, Effect, Message, Model, ModelChoice, ModelRequest, ReplyStream, Role, Store, ToolCall,
    ToolRegistry, at_once,
};
use tata_store::MemoryStore;
use tata_testkit::{CountingTool, Runs};
use tata_web::AgentFuture;

use crate::support::{World, local, read, services};

/// The trees of a default run; `TATA_CHAT_TREES` asks for more.
const TREES: u64 = 150;

/// The requests of a tree.
const REQUESTS: usize = 14;

/// Chance that can be repeated.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn roll(&mut self, sides: usize) -> usize {
        // Xorshift.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}

/// A model that does what the first word of the last message says, and keeps what it was asked with.
#[derive(Default)]
struct Obedient {
    asked: Mutex<Vec<String>>,
    calls: Mutex<usize>,
}

impl Obedient {
    fn call(&self, tool: &str, what: &str) -> Block {
        let mut calls = self.calls.lock().unwrap();
        *calls += 1;
        let arguments = json!({"what": what}).to_string();
        Block::ToolCall(ToolCall::function(format!("call_{calls}"), tool, arguments))
    }

    fn answer(&self, request: &ModelRequest) -> Vec<Block> {
        let last = request.messages.last().unwrap();
        if last.role != Role::User {
            return vec![Block::text("That is done.\n")];
        }
        let text = last.joined_text();
        let what = text.split_whitespace().nth(1).unwrap_or("nothing");
        match text.split_whitespace().next() {
            Some("fetch") => vec![Block::text("Let me look."), self.call("fetch", what)],
            Some("both") => vec![self.call("fetch", what), self.call("fetch", &format!("{what} again"))],
            Some("write") => vec![self.call("write_profile", &what.replace("s-", "d-"))],
            Some("invite") => vec![self.call("send_invite", &what.replace("s-", "i-"))],
            _ => vec![Block::text("Tell me  more.\n")],
        }
    }
}

impl Model for Obedient {
    fn name(&self) -> &'static str {
        "obedient"
    }

    fn stream(&self, request: Arc<ModelRequest>) -> ReplyStream {
        self.asked.lock().unwrap().push(written(&request));
        let blocks = self.answer(&request).into();
        let message = Message { role: Role::Assistant, blocks, origin: None };
        Box::pin(stream::iter(at_once("obedient", message)))
    }
}

/// Everything that a request says.
fn written(request: &ModelRequest) -> String {
    let mut text = String::new();
    for block in request.messages.iter().flat_map(|message| message.blocks.iter()) {
        let part = match block {
            Block::Text(part) => part.text.clone(),
            Block::ToolCall(call) => call.arguments.clone(),
            Block::ToolResult(result) => result.joined_text(),
            other @ (Block::Reasoning(_) | Block::Refusal(_) | Block::Opaque(_)) => panic!("{other:?}"),
        };
        text.push_str(&part);
        text.push('\n');
    }
    text
}

/// The words that begin like this.
fn tokens(text: &str, prefix: &str) -> BTreeSet<String> {
    let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    words.filter(|word| word.starts_with(prefix)).map(str::to_owned).collect()
}

/// How a client keeps its conversations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Habit {
    /// All messages each time.
    Chat,
    /// The same, and who of several people it is.
    User,
    /// The same, and a name for the conversation.
    Session,
    /// All items each time, in the newer API.
    Items,
    /// The id of the last answer.
    Previous,
}

const HABITS: [Habit; 5] = [Habit::Chat, Habit::User, Habit::Session, Habit::Items, Habit::Previous];

/// One step of a history, as a client has it.
#[derive(Clone, Debug)]
enum Step {
    User(String),
    Assistant(String, Vec<(String, String)>),
    Result(String, String),
}

/// A history after an answer.
#[derive(Clone, Debug, Default)]
struct Node {
    steps: Vec<Step>,
    response: Option<String>,
    /// The client changed what it had been given.
    edited: bool,
    /// The documents that were made on the way.
    documents: BTreeSet<String>,
}

struct Client {
    habit: Habit,
    nodes: Vec<Node>,
}

/// A tree that grows.
struct Tree {
    seed: u64,
    dice: Dice,
    store: Arc<dyn Store>,
    model: Arc<Obedient>,
    runs: Runs,
    replicas: Vec<World>,
    clients: Vec<Client>,
    secrets: usize,
    /// What was done, for whoever looks for a mistake.
    told: Vec<String>,
}

#[derive(Default)]
struct Figures {
    requests: usize,
    sessions: usize,
    tool_items: usize,
    restarts: usize,
    decided: usize,
}

impl Tree {
    async fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let clients = (0..2 + dice.roll(3)).map(|_| {
            let habit = *dice.pick(&HABITS);
            Client { habit, nodes: vec![Node::default()] }
        });
        let clients = clients.collect();
        let store = Arc::new(MemoryStore::new()) as Arc<dyn Store>;
        let (model, runs) = (Arc::default(), Runs::default());
        let (replicas, told) = (Vec::new(), Vec::new());
        let mut tree = Self { seed, dice, store, model, runs, replicas, clients, secrets: 0, told };
        for _ in 0..2 {
            let world = tree.replica().await;
            tree.replicas.push(world);
        }
        tree
    }

    async fn replica(&self) -> World {
        let (model, store) = (Arc::clone(&self.model), Arc::clone(&self.store));
        let invite = CountingTool::new("send_invite", Effect::Outward, &self.runs)
            .with(|spec| spec.needs_approval = true);
        let tools = [CountingTool::new("write_profile", Effect::Own, &Runs::default()), invite];
        let tools = ToolRegistry::new(tools.map(CountingTool::shared)).unwrap();
        let mut services = services(&self.store, &self.model);
        services.agents.parts = Arc::new(move |name: String, _: Option<String>| -> AgentFuture {
            let choice = ModelChoice::new(Arc::clone(&model) as Arc<dyn Model>);
            let parts = AgentParts::new(name, vec![choice], Arc::clone(&store));
            let tools = tools.clone();
            Box::pin(async move { Ok(AgentParts { tools, ..parts }) })
        });
        World::serving(services, local()).await
    }

    fn message(&mut self) -> String {
        let client = self.secrets;
        self.secrets += 1;
        let secret = format!("s-{client}x");
        match self.dice.roll(9) {
            0..3 => (*self.dice.pick(&["hello", "go on", "I need a profile"])).to_owned(),
            3 => format!("fetch {secret}"),
            4 => format!("both {secret}"),
            5 => format!("write {secret}"),
            6 => format!("invite {secret}"),
            _ => format!("remember {secret}"),
        }
    }

    /// What follows a history: results of the calls at its end, an answer to its question, or anything.
    fn next(&mut self, node: &Node) -> Vec<Step> {
        if let Some(Step::Assistant(text, calls)) = node.steps.last() {
            if !calls.is_empty() && self.dice.roll(6) > 0 {
                let many = if self.dice.roll(5) == 0 { 1 } else { calls.len() };
                let mut steps: Vec<Step> = Vec::new();
                for (id, _) in calls.iter().take(many) {
                    self.secrets += 1;
                    steps.push(Step::Result(id.clone(), format!("s-{}r", self.secrets)));
                }
                if self.dice.roll(6) == 0 {
                    steps.push(Step::User(self.message()));
                }
                return steps;
            }
            if text.contains("Answer yes or no") && self.dice.roll(4) > 0 {
                return vec![Step::User((*self.dice.pick(&["yes", "no"])).to_owned())];
            }
        }
        vec![Step::User(self.message())]
    }

    /// The same history as a client may have changed it.
    fn changed(&mut self, node: &Node) -> Node {
        let mut node = node.clone();
        match self.dice.roll(8) {
            // It trims.
            0 => {
                for step in &mut node.steps {
                    if let Step::Assistant(text, _) = step {
                        *text = text.trim().to_owned();
                    }
                }
            }
            // It was stopped in the middle of the last answer.
            1 => {
                if let Some(Step::Assistant(text, calls)) = node.steps.last_mut()
                    && calls.is_empty()
                {
                    *text = text.split_whitespace().next().unwrap_or("Well").to_owned();
                    node.edited = true;
                }
            }
            // It forgets the beginning.
            2 => {
                let from = node.steps.iter().rposition(|step| matches!(step, Step::User(_)));
                if let Some(from) = from.filter(|from| *from > 0) {
                    node.steps.drain(..from);
                    node.edited = true;
                }
            }
            _ => {}
        }
        node
    }

    async fn grow(&mut self, figures: &mut Figures) {
        let number = self.dice.roll(self.clients.len());
        let habit = self.clients[number].habit;
        let nodes = self.clients[number].nodes.len();
        // Mostly the newest branch, sometimes any.
        let at = if self.dice.roll(3) > 0 { nodes - 1 } else { self.dice.roll(nodes) };
        let mut node = self.clients[number].nodes[at].clone();
        if habit != Habit::Previous {
            node = self.changed(&node);
        }
        let new = self.next(&node);
        if self.dice.roll(12) == 0 {
            let replica = self.replica().await;
            let which = self.dice.roll(2);
            std::mem::replace(&mut self.replicas[which], replica).stop.cancel();
            figures.restarts += 1;
        }
        // Now and then it is asked twice: the answer was lost, or another one is wanted.
        let times = 1 + usize::from(self.dice.roll(8) == 0);
        for _ in 0..times {
            if let Some(grown) = self.ask(number, &node, &new, figures).await {
                self.clients[number].nodes.push(grown);
            }
        }
    }

    async fn ask(&mut self, number: usize, node: &Node, new: &[Step], figures: &mut Figures) -> Option<Node> {
        let habit = self.clients[number].habit;
        let side = habit != Habit::Previous && self.dice.roll(12) == 0;
        let mut steps = node.steps.clone();
        steps.extend(new.iter().cloned());
        let sent = if habit == Habit::Previous { new } else { steps.as_slice() };
        let (path, mut body) = match habit {
            Habit::Items | Habit::Previous => {
                let mut body = json!({"model": "tata", "input": items(sent), "tools": [fetch()["function"]]});
                body["tools"][0]["type"] = json!("function");
                if habit == Habit::Previous && node.response.is_some() {
                    body["previous_response_id"] = json!(node.response);
                }
                ("/v1/responses", body)
            }
            Habit::Chat | Habit::User | Habit::Session => {
                let mut messages = messages(sent);
                let part = if side { "You write titles." } else { "You are kind." };
                messages.insert(0, json!({"role": "system", "content": part}));
                ("/v1/chat/completions", json!({"model": "tata", "messages": messages, "tools": [fetch()]}))
            }
        };
        if habit == Habit::User {
            body["user"] = json!(format!("user {}", number));
        }
        let replica = self.dice.roll(2);
        let mut request = self.replicas[replica].request(Method::POST, path).json(&body);
        if habit == Habit::Session {
            request = request.header("x-session-id", format!("session {number}"));
        }
        let asked_before = self.model.asked.lock().unwrap().len();
        let runs_before = self.runs.total();
        self.told.push(format!("{number} {habit:?} at {replica}: {body}"));
        let response = request.send().await.unwrap();
        let session = response.headers().get("x-tata-session").map(|id| id.to_str().unwrap().to_owned());
        let (status, answer) = read(response).await;
        self.told.push(format!("  {session:?} {answer}"));
        assert_eq!(status, StatusCode::OK, "{}", self.tell());
        figures.requests += 1;
        let asked = self.model.asked.lock().unwrap()[asked_before..].to_vec();
        let said = steps.iter().map(Step::text).collect::<Vec<_>>().join("\n");
        let mut documents = node.documents.clone();
        documents.extend(tokens(&said, "s-").iter().map(|secret| secret.replace("s-", "d-")));
        for request in &asked {
            let (theirs, ours) = (tokens(&said, "s-"), tokens(request, "s-"));
            assert_eq!(ours, theirs, "the model heard this:\n{request}\n{}", self.tell());
            assert!(tokens(request, "d-").is_subset(&documents), "{request}\n{}", self.tell());
            let keeps = matches!(habit, Habit::Session | Habit::Previous) && !node.edited;
            let made = tokens(request, "d-");
            assert!(!keeps || node.documents.is_subset(&made), "lost: {request}\n{}", self.tell());
        }
        figures.tool_items += steps.iter().filter(|step| step.is_of_tool()).count();
        self.check_documents(&session.unwrap(), &documents).await;
        self.check_decisions(node, new, runs_before, figures);
        let (text, calls) = given(&answer, habit);
        let made: BTreeSet<String> = asked.iter().flat_map(|request| tokens(request, "d-")).collect();
        steps.push(Step::Assistant(text, calls));
        let response = answer["id"].as_str().map(str::to_owned);
        let mut known = node.documents.clone();
        known.extend(made);
        // A title is not part of the conversation.
        (!side).then_some(Node { steps, response, edited: node.edited, documents: known })
    }

    /// The session has no document of another branch.
    async fn check_documents(&self, session: &str, allowed: &BTreeSet<String>) {
        for document in self.store.artifacts(session.parse().unwrap()).await.unwrap() {
            let made = tokens(document.json.as_str(), "d-");
            assert!(made.is_subset(allowed), "{made:?} is not of this branch\n{}", self.tell());
        }
    }

    /// Only a plain yes right below the question lets something out, and only once.
    fn check_decisions(&self, node: &Node, new: &[Step], before: u32, figures: &mut Figures) {
        let more = self.runs.total() - before;
        let yes = matches!(new, [Step::User(text)] if text == "yes");
        let asked = matches!(node.steps.last(), Some(Step::Assistant(text, _)) if text.contains("yes or no"));
        assert!(more == 0 || (more == 1 && yes && asked), "{}", self.tell());
        figures.decided += usize::try_from(more).unwrap();
    }

    fn tell(&self) -> String {
        format!("tree {}\n{}", self.seed, self.told.join("\n"))
    }
}

impl Step {
    fn text(&self) -> String {
        match self {
            Self::User(text) => text.clone(),
            Self::Assistant(text, calls) => {
                let arguments: Vec<String> = calls.iter().map(|(_, arguments)| arguments.clone()).collect();
                format!("{text} {}", arguments.join(" "))
            }
            Self::Result(_, output) => output.clone(),
        }
    }

    fn is_of_tool(&self) -> bool {
        match self {
            Self::User(_) => false,
            Self::Assistant(_, calls) => !calls.is_empty(),
            Self::Result(..) => true,
        }
    }
}

fn fetch() -> Value {
    let parameters = json!({"type": "object", "properties": {"what": {"type": "string"}}});
    json!({"type": "function", "function": {"name": "fetch", "parameters": parameters}})
}

fn messages(steps: &[Step]) -> Vec<Value> {
    let message = |step: &Step| match step {
        Step::User(text) => json!({"role": "user", "content": text}),
        Step::Assistant(text, calls) if calls.is_empty() => json!({"role": "assistant", "content": text}),
        Step::Assistant(text, calls) => {
            let call = |(id, arguments): &(String, String)| json!({"id": id, "type": "function", "function": {"name": "fetch", "arguments": arguments}});
            json!({"role": "assistant", "content": text, "tool_calls": calls.iter().map(call).collect::<Vec<_>>()})
        }
        Step::Result(id, output) => json!({"role": "tool", "tool_call_id": id, "content": output}),
    };
    steps.iter().map(message).collect()
}

fn items(steps: &[Step]) -> Vec<Value> {
    let mut items = Vec::new();
    for step in steps {
        match step {
            Step::User(text) => items.push(json!({"role": "user", "content": text})),
            Step::Assistant(text, calls) => {
                if !text.is_empty() {
                    let content = json!([{"type": "output_text", "text": text}]);
                    items.push(json!({"type": "message", "role": "assistant", "content": content}));
                }
                items.extend(calls.iter().map(|(id, arguments)| {
                    json!({"type": "function_call", "call_id": id, "name": "fetch", "arguments": arguments})
                }));
            }
            Step::Result(id, output) => {
                items.push(json!({"type": "function_call_output", "call_id": id, "output": output}));
            }
        }
    }
    items
}

/// The text of an answer and its calls.
fn given(answer: &Value, habit: Habit) -> (String, Vec<(String, String)>) {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if matches!(habit, Habit::Items | Habit::Previous) {
        let output = answer["output"].as_array().unwrap();
        let calls = output.iter().filter(|item| item["type"] == "function_call");
        let calls = calls.map(|call| (text(&call["call_id"]), text(&call["arguments"]))).collect();
        return (text(&output[0]["content"][0]["text"]), calls);
    }
    let message = &answer["choices"][0]["message"];
    let calls = message["tool_calls"].as_array().into_iter().flatten();
    let calls = calls.map(|call| (text(&call["id"]), text(&call["function"]["arguments"]))).collect();
    (text(&message["content"]), calls)
}

/// Nothing of one branch reaches another, and every tool item survives: on two replicas, with restarts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "a long run is asked for, and told of")]
async fn nothing_of_one_branch_reaches_another() {
    let setting = |name: &str| std::env::var(name).ok().and_then(|value| value.parse().ok());
    let trees: u64 = setting("TATA_CHAT_TREES").unwrap_or(TREES);
    let first: u64 = setting("TATA_CHAT_TREES_FROM").unwrap_or(1);
    let mut figures = Figures::default();
    for seed in first..first + trees {
        let mut tree = Tree::new(seed).await;
        for _ in 0..REQUESTS {
            tree.grow(&mut figures).await;
        }
        let all = tree.store.sessions(tata_core::SessionFilter::default()).await.unwrap();
        figures.sessions += all.sessions.len();
        for replica in &tree.replicas {
            replica.stop.cancel();
        }
    }
    let Figures { requests, sessions, tool_items, restarts, decided } = figures;
    eprintln!(
        "{trees} trees: {requests} requests, {sessions} sessions, {tool_items} tool items, {restarts} restarts, \
         {decided} decisions"
    );
    assert!(requests > 0 && sessions > 0 && tool_items > 0 && restarts > 0 && decided > 0);
}
