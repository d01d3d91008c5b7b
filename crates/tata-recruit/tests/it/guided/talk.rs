//! A conversation with the guided model, real tools and a store in memory.

use std::sync::Arc;

use futures_util::StreamExt;
use jiff::Timestamp;
use serde_json::Value;
use tata_core::{
    Agent, AgentParts, Budget, Clock, Decision, Event, Input, Limits, Message, ModelChoice, NewSession,
    Origin, SessionId, Store, ToolRegistry,
};
use tata_recruit::{Guided, Language, tools};
use tata_store::MemoryStore;
use tokio_util::sync::CancellationToken;

/// A conversation that goes on.
pub(crate) struct Talk {
    store: Arc<dyn Store>,
    agent: Agent,
    session: SessionId,
    runtime: tokio::runtime::Runtime,
}

/// Notes with four must-haves, as every language labels them.
pub(crate) fn notes(language: Language) -> String {
    let [must, tasks, soft, why] = match language {
        Language::En => ["Must have", "Tasks", "Personal qualities", "Why join"],
        Language::Sv => ["Krav", "Arbetsuppgifter", "Personliga egenskaper", "Varför oss"],
        Language::Da => ["Krav", "Opgaver", "Personlige egenskaber", "Hvorfor os"],
        Language::No => ["Krav", "Oppgaver", "Personlige egenskaper", "Hvorfor oss"],
        Language::De => ["Anforderungen", "Aufgaben", "Persönliche Eigenschaften", "Warum wir"],
    };
    format!(
        "{must}:\n* At least 5 years with BGP and MPLS\n* Juniper MX\n* Swedish and English\n* A driving licence\n\n{tasks}:\n\
         * Operate the backbone\n* Plan changes with the field team\n* Find the causes of faults\n\n{soft}:\n* calm\n\n{why}:\n\
         * You decide how the network is built"
    )
}

impl Talk {
    /// Nothing was said yet.
    pub(crate) fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
        let now: Timestamp = "2026-11-16T08:00:00Z".parse().unwrap();
        let clock = Clock::Fixed(now);
        let session = runtime.block_on(store.create_session(NewSession::with("tata", now))).unwrap().id;
        let budget = Budget { max_messages: usize::MAX, max_tokens: None };
        let parts = AgentParts {
            tools: ToolRegistry::new(tools().unwrap()).unwrap(),
            limits: Limits { budget, tool_characters: usize::MAX, ..Limits::default() },
            clock,
            ..AgentParts::new(
                "tata",
                vec![ModelChoice::new(Arc::new(Guided::new(clock)))],
                Arc::clone(&store),
            )
        };
        Self { agent: Agent::new(parts), store, session, runtime }
    }

    /// A conversation in a language in which a draft was just shown.
    pub(super) fn with_draft(language: Language) -> Self {
        let talk = Self::new();
        let wish = match language {
            Language::En => "I need a requirement profile",
            Language::Sv => "Jag behöver en kravprofil för en ny tjänst",
            Language::Da => "Jeg vil gerne lave en kravprofil til en stilling, som vi skal besætte",
            Language::No => "Jeg trenger å lage en kravprofil for en stilling vi ikke har besatt",
            Language::De => "Ich brauche ein Anforderungsprofil für eine neue Stelle",
        };
        let first = talk.say(wish);
        assert!(first.contains("1.") && first.contains("2."), "{language:?}: {first}");
        let made = talk.say(&format!("1: Network Engineer\n2: {}", notes(language)));
        assert_eq!(talk.status(), "draft", "{language:?}: {made}");
        talk
    }

    /// Says something; the answer.
    pub(super) fn say(&self, text: &str) -> String {
        let (answer, asked) = self.say_or_ask(text);
        assert_eq!(asked, None, "{text:?}");
        answer
    }

    /// Says something on a page in a language; the answer.
    pub(super) fn say_on_page(&self, language: Language, text: &str) -> String {
        let message = Message { origin: Some(Origin::page(language.code())), ..Message::user(text) };
        self.runtime.block_on(async {
            let mut events = self.agent.turn(self.session, Input::Say(message), CancellationToken::new());
            let mut answer = String::new();
            while let Some(event) = events.next().await {
                if let Event::TextDelta { text } = event {
                    answer.push_str(&text);
                }
            }
            answer
        })
    }

    /// Says something; the answer, and what the turn waits for if a person must decide first.
    pub(crate) fn say_or_ask(&self, text: &str) -> (String, Option<String>) {
        self.runtime.block_on(async {
            let mut events = self.agent.turn(self.session, Input::say(text), CancellationToken::new());
            let (mut answer, mut asked) = (String::new(), None);
            while let Some(event) = events.next().await {
                if let Event::TextDelta { text } = event {
                    answer.push_str(&text);
                } else if let Event::Finished(report) = event {
                    asked = report.error;
                }
            }
            (answer, asked)
        })
    }

    /// Says something and lets everything run that a person is asked about; the answer.
    pub(super) fn say_and_let_run(&self, text: &str) -> String {
        self.runtime.block_on(async {
            let mut asked = self.agent.turn(self.session, Input::say(text), CancellationToken::new());
            let mut decisions = Vec::new();
            while let Some(event) = asked.next().await {
                if let Event::Waiting { questions } = event {
                    decisions.extend(questions.iter().map(|question| question.decide(Decision::Run)));
                }
            }
            assert!(!decisions.is_empty(), "{text}");
            let decided = Input::Decide { decisions, by: "Kim".to_owned() };
            let mut events = self.agent.turn(self.session, decided, CancellationToken::new());
            let mut answer = String::new();
            while let Some(event) = events.next().await {
                if let Event::TextDelta { text } = event {
                    answer.push_str(&text);
                }
            }
            answer
        })
    }

    /// The newest version of a document.
    pub(crate) fn document(&self, kind: &str) -> Option<(u32, Value)> {
        let all = self.runtime.block_on(self.store.artifacts(self.session)).unwrap();
        let newest =
            all.into_iter().filter(|one| one.name.kind.as_str() == kind).max_by_key(|one| one.version)?;
        Some((newest.version, serde_json::from_str(newest.json.as_str()).unwrap()))
    }

    /// Whether the profile is a draft or confirmed.
    pub(crate) fn status(&self) -> String {
        let profile = self.document("requirement_profile").map(|(_, profile)| profile);
        profile.map(|profile| profile["status"].as_str().unwrap().to_owned()).unwrap_or_default()
    }

    /// The statements of a list of the profile.
    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let (_, profile) = self.document("requirement_profile").unwrap();
        profile[name]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["text"].as_str().unwrap().to_owned())
            .collect()
    }
}
