//! The tools of an agent on offer. A client's session is a session of ours, and a client's call is a turn of it: the same
//! checks, the same journal, the same questions to a person as everywhere else.

use std::sync::Arc;

use futures_util::StreamExt;
use serde_json::{Map, Value, json};
use tata_core::{
    Agent, AgentParts, Artifact, Decision, DirectCall, Entry, Event, Input, ModelChoice, NewSession,
    Question, SessionId, StoreError, ToolCall, ToolResult, TurnReport,
};
use tokio::sync::{Mutex, OnceCell};
use tokio_util::sync::CancellationToken;

use super::{
    Caller, Offer,
    documents::{self, Place},
    form,
    offer::{About, Call, Given, OfferedTool, Offering, Part, Prompt, Resource, Said, Speaker},
};
use crate::Elicited;

/// What an agent's offer is made of.
#[derive(Clone)]
pub struct AgentOfferParts {
    /// Who we are.
    pub about: About,
    /// Tools, store, limits and clock; its models are not asked.
    pub agent: AgentParts,
    /// A session for a client.
    pub session: Arc<dyn Fn(&Caller) -> NewSession + Send + Sync>,
    /// What a call is in the journal. This is where it is decided what counts as brought by a person: of a client's call
    /// nothing does but [`Called::by_person`].
    pub input: Arc<dyn Fn(&Called) -> Input + Send + Sync>,
    /// A document as people read it.
    pub show: Show,
    /// Texts to begin with; `{name}` stands for what is filled in.
    pub prompts: Vec<(Prompt, String)>,
}

/// Shows a document as people read it, where it can.
pub type Show = Arc<dyn Fn(&Artifact) -> Option<String> + Send + Sync>;

/// A call that is about to become a turn.
#[derive(Clone, Debug)]
pub struct Called {
    /// The tool.
    pub tool: String,
    /// Whose word its arguments are, except those below.
    pub speaker: Speaker,
    /// The fields that a person filled in when asked, with what they said.
    pub by_person: Vec<(String, Value)>,
}

/// The tools of an agent on offer.
pub struct AgentOffer {
    parts: AgentOfferParts,
}

/// What a client's session is for us.
#[derive(Default)]
struct Slot {
    session: OnceCell<SessionId>,
    /// One turn at a time: a client that calls twice at once waits.
    turn: Mutex<()>,
}

/// How a turn went.
enum Went {
    Result(ToolResult),
    Waits(Vec<Question>),
    Not(String),
}

impl AgentOffer {
    /// An offer of these parts.
    pub fn new(parts: AgentOfferParts) -> Self {
        Self { parts }
    }

    async fn session(&self, slot: &Slot, caller: &Caller) -> Result<SessionId, StoreError> {
        let begin = || async {
            let new = (self.parts.session)(caller);
            Ok(self.parts.agent.store.create_session(new).await?.id)
        };
        slot.session.get_or_try_init(begin).await.copied()
    }

    async fn perform(&self, call: Call, caller: &Caller) -> Given {
        let slot = caller.keep::<Slot>();
        let _turn = slot.turn.lock().await;
        let session = match self.session(&slot, caller).await {
            Ok(session) => session,
            Err(error) => return Given::failure(error.for_user()),
        };
        let Call { tool, mut arguments, speaker, cancel } = call;
        let mut origin = Called { tool, speaker, by_person: Vec::new() };
        caller.progress(0.0, Some(1.0), Some(&format!("{} begins", origin.tool))).await;
        let first = self.turn(session, &origin, &arguments, caller, &cancel).await;
        let went = match self.missing(&origin.tool, &arguments, &first).filter(|_| caller.can_ask()) {
            None => first,
            Some((message, schema)) => match caller.ask(&message, schema).await {
                Ok(Elicited::Given(values)) if !values.is_empty() => {
                    arguments.extend(values.clone());
                    origin.by_person.extend(values);
                    self.turn(session, &origin, &arguments, caller, &cancel).await
                }
                Ok(Elicited::Given(_) | Elicited::Declined | Elicited::Dismissed) | Err(_) => first,
            },
        };
        caller.progress(1.0, Some(1.0), Some(&format!("{} has ended", origin.tool))).await;
        given(went, session)
    }

    /// One turn with this call, and with the person's decision if it needs one and they can be asked.
    async fn turn(
        &self,
        session: SessionId,
        origin: &Called,
        arguments: &Map<String, Value>,
        caller: &Caller,
        cancel: &CancellationToken,
    ) -> Went {
        let tool = origin.tool.as_str();
        let text = Value::Object(arguments.clone()).to_string();
        let call = ToolCall::function(format!("mcp_{}", SessionId::random()), tool, text);
        let call_id = call.call_id.clone();
        // Whoever sits at the client, its model wrote this.
        let model =
            DirectCall::new(call, format!("A client called {tool}; its result stands above.")).by_model();
        let models = vec![ModelChoice::new(Arc::new(model))];
        let agent = Agent::new(AgentParts { models, ..self.parts.agent.clone() });
        let before = match self.parts.agent.store.session(session).await {
            Ok(Some(found)) if found.delete_at.is_some() => {
                return Went::Not("This conversation was deleted.".to_owned());
            }
            Ok(found) => found.map_or(0, |session| session.last_position),
            Err(error) => return Went::Not(error.for_user().to_owned()),
        };
        let input = (self.parts.input)(origin);
        let (mut questions, mut report) = follow(&agent, session, input, cancel).await;
        let ours = |questions: &[Question]| questions.iter().any(|question| question.call_id == call_id);
        if ours(&questions)
            && let Some(decision) = decide(&questions, caller).await
        {
            let decisions = questions.iter().map(|question| question.decide(decision)).collect();
            let by = caller.principal().map_or_else(
                || format!("the person at the MCP client {}", caller.name().unwrap_or("without a name")),
                |principal| principal.0.clone(),
            );
            (questions, report) = follow(&agent, session, Input::Decide { decisions, by }, cancel).await;
        }
        if !questions.is_empty() {
            return Went::Waits(questions);
        }
        let records = match self.parts.agent.store.records(session, before).await {
            Ok(records) => records,
            Err(error) => return Went::Not(error.for_user().to_owned()),
        };
        let result = records.into_iter().find_map(|record| {
            let Entry::ToolFinished { result, .. } = record.entry else { return None };
            (result.call_id == call_id).then_some(result)
        });
        match result {
            Some(result) => Went::Result(result),
            None => Went::Not(
                report.and_then(|report| report.error).unwrap_or_else(|| "The tool did not run.".to_owned()),
            ),
        }
    }

    /// What the tool found missing that a person could fill in: the words, and the fields.
    fn missing(&self, tool: &str, arguments: &Map<String, Value>, went: &Went) -> Option<(String, Value)> {
        let Went::Result(result) = went else { return None };
        if !result.is_error {
            return None;
        }
        let answer: Value = serde_json::from_str(&result.joined_text()).ok()?;
        let spec = self.parts.agent.tools.get(tool)?.spec();
        form::missing(&spec.schema, arguments, &answer["error"])
    }
}

/// Runs a turn to its end, or to what a person must decide.
async fn follow(
    agent: &Agent,
    session: SessionId,
    input: Input,
    cancel: &CancellationToken,
) -> (Vec<Question>, Option<TurnReport>) {
    let mut events = agent.turn(session, input, cancel.clone());
    let (mut waiting, mut end) = (Vec::new(), None);
    while let Some(event) = events.next().await {
        if let Event::Waiting { questions } = event {
            waiting = questions;
        } else if let Event::Finished(report) = event {
            end = Some(*report);
        }
    }
    (waiting, end)
}

/// What the person says to all that is asked; none if nobody can be asked or nobody answers.
async fn decide(questions: &[Question], caller: &Caller) -> Option<Decision> {
    let one = |question: &Question| match &question.about {
        Some(_) => question.in_words(),
        None => format!("{} {}", question.tool, question.arguments),
    };
    let shown: Vec<String> = questions.iter().map(one).collect();
    let schema = json!({
        "type": "object",
        "properties": {"run": {"type": "boolean", "title": "Run it", "description": "Yes runs exactly this."}},
        "required": ["run"],
    });
    match caller
        .ask(&format!("This changes something and needs your yes: {}", shown.join("; ")), schema)
        .await
    {
        Ok(Elicited::Given(values)) if values.get("run") == Some(&Value::Bool(true)) => Some(Decision::Run),
        Ok(Elicited::Given(_) | Elicited::Declined) => Some(Decision::Refuse),
        Ok(Elicited::Dismissed) | Err(_) => None,
    }
}

fn given(went: Went, session: SessionId) -> Given {
    match went {
        Went::Result(result) => {
            let mut text = result.joined_text();
            // Elsewhere nobody sees a document on a screen of ours: the client's model shows it.
            if let Ok(Value::Object(mut brief)) = serde_json::from_str(&text)
                && brief.remove("note").is_some()
            {
                text = Value::Object(brief).to_string();
            }
            let whole = result.own().unwrap_or(&text);
            let structured = serde_json::from_str(whole).ok().filter(Value::is_object);
            Given { parts: vec![Part::Text(text)], structured, failed: result.is_error }
        }
        Went::Waits(questions) => {
            let tools: Vec<&str> = questions.iter().map(|question| question.tool.as_str()).collect();
            Given::failure(format!(
                "A person must decide about {} first. Tell them: it waits in the conversation {session} of Tata, where \
                 they can say yes or no. Do not call it again before.",
                tools.join(", ")
            ))
        }
        Went::Not(why) => Given::failure(why),
    }
}

impl Offer for AgentOffer {
    fn about(&self) -> About {
        self.parts.about.clone()
    }

    fn tools(&self) -> Vec<OfferedTool> {
        let tools = &self.parts.agent.tools;
        let found = tools.definitions();
        found.iter().filter_map(|one| Some(OfferedTool::new(tools.get(&one.name)?.spec().clone()))).collect()
    }

    fn call<'a>(&'a self, call: Call, caller: &'a Caller) -> Offering<'a, Given> {
        Box::pin(self.perform(call, caller))
    }

    fn resources<'a>(&'a self, caller: &'a Caller) -> Offering<'a, Vec<Resource>> {
        Box::pin(async move {
            let slot = caller.keep::<Slot>();
            let Some(session) = slot.session.get() else { return Vec::new() };
            let found = self.parts.agent.store.artifacts(*session).await.unwrap_or_default();
            documents::listed(*session, &found)
        })
    }

    fn read<'a>(&'a self, uri: &'a str, caller: &'a Caller) -> Offering<'a, Option<Vec<Part>>> {
        Box::pin(async move {
            let slot = caller.keep::<Slot>();
            // Only of this client's own session, whatever the address says.
            let session = *slot.session.get()?;
            let place = Place::parse(uri).filter(|place| place.session == session.to_string())?;
            let found = self.parts.agent.store.artifact(session, place.name(), None).await.ok()??;
            Some(documents::parts(uri, &found, (self.parts.show)(&found)))
        })
    }

    fn prompts(&self) -> Vec<Prompt> {
        self.parts.prompts.iter().map(|(prompt, _)| prompt.clone()).collect()
    }

    fn prompt(&self, name: &str, filled: &Map<String, Value>) -> Option<Vec<Said>> {
        let (_, text) = self.parts.prompts.iter().find(|(prompt, _)| prompt.name == name)?;
        let text = filled.iter().fold(text.clone(), |text, (name, value)| {
            text.replace(&format!("{{{name}}}"), value.as_str().unwrap_or_default())
        });
        Some(vec![Said { by_assistant: false, part: Part::Text(text) }])
    }
}
