//! `tata chat`: a conversation in the terminal.

use std::{future::Future, path::PathBuf};

use anyhow::Context;
use tata_core::{
    Block, Decision, Input, Message, NewFile, NewSession, Question, QuestionReason, Session, SessionChange,
    SessionFilter, Store, TurnOutcome, TurnReport, Verdict,
};
use tata_knowledge::QUOTES;
use tata_llm::ModelSpec;
use tata_mcp::Asker;
use tata_recruit::{GUIDED, Voice, greeting};
use tokio::sync::mpsc;

use super::{
    artifacts,
    ask::tell_the_end,
    gateway,
    sessions::{export, find_session, give_feedback, one_line},
};
use crate::{
    asked::{self, Asked},
    attached,
    cli::{ArtifactAction, Chat, DocumentForm, Form, Thumb, Which},
    config::{ChosenBy, Config, ConfigError, Purpose},
    editor::{self, Typed},
    exit::{Exit, UsageError},
    history::History,
    servers::{self, Foreign},
    terminal::{BOLD, DIM, NOTE, Terminal},
    transcript::Transcript,
    watch::{Seen, View, watch},
    wiring::{self, Assembled, Wishes},
};

/// What can be typed beside words, for Tab and for /help.
const COMMANDS: [&str; 15] = [
    "/help", "/docs", "/show", "/diff", "/attach", "/model", "/session", "/new", "/clear", "/undo",
    "/export", "/good", "/bad", "/title", "/quit",
];

const HELP: &str = "  /help             this list
  /docs             list the documents of this conversation
  /show NAME [N]    show a document, or its version N
  /diff NAME [N]    what changed since version N, or the one before
  /attach FILE      bring the text of a file; add words after it to say what it is
  /model [NAME]     show the model, or go on with another one
  /session [ID]     list conversations, or go on with another one
  /new, /clear      begin a new conversation
  /undo             take the last turn back
  /export [FILE]    write the conversation to a Markdown file
  /title NAME       give the conversation a name
  /good, /bad [..]  say whether the last answer was good, in your words
  /quit             leave; everything is kept
  Ctrl-C stops an answer. A line that ends in \\ goes on; pasted lines stay together.";

/// The conversation that is open.
struct Talk<'a> {
    config: &'a Config,
    terminal: &'a Terminal,
    store: std::sync::Arc<dyn Store>,
    agent_name: String,
    wishes: Wishes,
    /// The model of a gateway, when nobody names one.
    of_gateway: Option<String>,
    /// None until something is said: whoever only looks leaves nothing behind.
    session: Option<Session>,
    /// The servers of an agent, and which.
    foreign: (String, Foreign),
    /// How servers ask the person, if somebody can be asked, and where their questions arrive.
    ask: Option<Asker>,
    questions: mpsc::Receiver<Asked>,
}

/// What comes after a line.
enum Then {
    GoOn,
    Failed(Exit),
    Leave(Exit),
}

pub(crate) async fn run(chat: Chat, config: &Config, terminal: &Terminal) -> anyhow::Result<Exit> {
    let store = wiring::open_store(config).await?;
    let exit = talk(chat, std::sync::Arc::clone(&store), config, terminal).await;
    wiring::leave(store.as_ref()).await;
    exit
}

async fn talk(
    chat: Chat,
    store: std::sync::Arc<dyn Store>,
    config: &Config,
    terminal: &Terminal,
) -> anyhow::Result<Exit> {
    let wish = if chat.continue_last { Some("last") } else { chat.session.as_deref() };
    let session = match wish {
        Some(wish) => Some(find_session(store.as_ref(), wish).await?),
        None => None,
    };
    let of_session = session.as_ref().map(|session| session.agent.clone());
    let named = chat.agent.or(of_session);
    let agent_name = wiring::lasting_name(named.map_or_else(|| wiring::usual_agent(config), Ok)?);
    let wishes = Wishes {
        model: chat.model,
        max_tokens: chat.max_tokens,
        into_a_pipe: !terminal.is_screen(),
        ..Wishes::default()
    };
    // A definition that is wrong is said before anybody types.
    let definition = wiring::definition(config, &agent_name)?;
    let of_gateway = if wishes.model.is_none() && gateway::nobody_names_a_model(&definition, session.as_ref())
    {
        gateway::default_model(config, Purpose::Conversation, terminal).await?
    } else {
        None
    };
    let foreign = (String::new(), Foreign::default());
    let input = editor::Input::open(History::new(&config.state_dir), &COMMANDS);
    let (ask, questions) = asked::questions();
    let ask = input.is_terminal.then_some(ask);
    let mut talk =
        Talk { config, terminal, store, agent_name, wishes, of_gateway, session, foreign, ask, questions };
    let exit = converse(&mut talk, &input, &definition.description).await;
    // Servers end in order, whatever ended the conversation.
    talk.foreign.1.close().await;
    exit
}

async fn converse(talk: &mut Talk<'_>, input: &editor::Input, description: &str) -> anyhow::Result<Exit> {
    let terminal = talk.terminal;
    if let Err(error) = talk.assemble()
        && error.is::<ConfigError>()
    {
        return Err(error);
    }
    if input.is_terminal {
        talk.greet(description).await;
    }
    talk.show_what_was_said().await?;
    if let Then::Leave(exit) = talk.finish_what_is_open(input).await? {
        return Ok(exit);
    }
    let mut last_interrupted = false;
    let mut exit = Exit::Done;
    loop {
        let typed = tokio::select! {
            typed = input.next("> ", talk.session.as_ref().map(|session| session.id)) => typed?,
            // A terminal in line mode, or a pipe: there the key arrives as a signal.
            _ = tokio::signal::ctrl_c() => Typed::Interrupted,
        };
        match typed {
            Typed::End => {
                talk.say_goodbye(input);
                return Ok(exit);
            }
            Typed::Interrupted if last_interrupted || !input.is_terminal => {
                talk.say_goodbye(input);
                return Ok(Exit::Interrupted);
            }
            Typed::Interrupted => {
                terminal.note("Press Ctrl-C again to leave, or type /quit.");
                last_interrupted = true;
            }
            Typed::Refused(why) => {
                last_interrupted = false;
                terminal.error(&UsageError(why).into(), None);
                exit = if input.is_terminal { exit } else { Exit::Usage };
            }
            Typed::Text(text) => {
                last_interrupted = false;
                match talk.take(text.trim(), input).await {
                    // Stopped by Ctrl-C: the second one leaves, wherever it is pressed.
                    Ok(Then::Failed(Exit::Interrupted)) if input.is_terminal => last_interrupted = true,
                    // A script that pipes lines in must see that one failed.
                    Ok(Then::Failed(code)) if !input.is_terminal => exit = code,
                    Ok(Then::GoOn | Then::Failed(_)) => {}
                    Ok(Then::Leave(exit)) => {
                        talk.say_goodbye(input);
                        return Ok(exit);
                    }
                    Err(error) if error.is::<crate::watch::Left>() => return Err(error),
                    Err(error) => {
                        tracing::error!(error = format!("{error:#}"), "chat");
                        terminal.error(&error, crate::log::path().as_deref());
                        exit = if input.is_terminal { Exit::Done } else { Exit::of(&error) };
                    }
                }
            }
        }
    }
}

impl Talk<'_> {
    async fn greet(&self, description: &str) {
        let model = match self.assemble() {
            Ok(assembled) => assembled.models.first().map(|model| model.name.clone()).unwrap_or_default(),
            Err(_) => "none is set up yet (set OPENAI_API_KEY or ANTHROPIC_API_KEY, or use a local server: \
                       tata chat --model ollama/qwen3:8b; `tata models` lists all)"
                .to_owned(),
        };
        let name = &self.agent_name;
        self.terminal.note(&format!("{BOLD}{name}{BOLD:#} {description}"));
        if let Some(note) = crate::agents::note(name, self.config) {
            self.terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
        }
        let own = match model.as_str() {
            GUIDED => Some("rules on this machine, no AI"),
            QUOTES => Some("quotations from your documents, no AI"),
            _ => None,
        };
        let model = match own {
            Some(what) => format!(
                "{model} ({what}). For an AI model, set OPENAI_API_KEY or ANTHROPIC_API_KEY, or type /model ollama/qwen3:8b"
            ),
            None => format!("{model}. /model NAME uses another one"),
        };
        self.terminal.note(&format!("{DIM}Model: {model}. /help lists what can be typed.{DIM:#}"));
        if self.session.is_none() && name == crate::agents::DEFAULT {
            self.terminal.note(&format!("\n{}", greeting(Voice::En, None).plain().trim_end()));
        }
        let others = self.store.interrupted().await.unwrap_or_default();
        let own = self.session.as_ref().map(|session| session.id);
        let others = others.iter().filter(|session| Some(session.id) != own).count();
        if others > 0 {
            let what = if others == 1 { "One conversation has" } else { "Some conversations have" };
            self.terminal.note(&format!(
                "{NOTE}{what} an unfinished turn:{NOTE:#} `tata session resume --interrupted` finishes it."
            ));
        }
    }

    /// How to come back.
    fn say_goodbye(&self, input: &editor::Input) {
        if let Some(session) = self.session.as_ref().filter(|_| input.is_terminal) {
            let id = session.id.to_string();
            let id = id.get(..8).unwrap_or(&id);
            self.terminal.note(&format!("{DIM}Kept. `tata chat --session {id}` goes on with it.{DIM:#}"));
        }
    }

    /// Connects the servers of the agent, once for the whole conversation; what they say of changed tools is heard between
    /// turns.
    async fn connect(&mut self) -> anyhow::Result<()> {
        if self.foreign.0 != self.agent_name {
            let definition = wiring::definition(self.config, &self.agent_name)?;
            self.foreign.1.close().await;
            let foreign = servers::connect(self.config, &definition, self.ask.clone()).await?;
            self.foreign = (self.agent_name.clone(), foreign);
            for note in &self.foreign.1.notes {
                self.terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
            }
        }
        Ok(())
    }

    fn assemble(&self) -> anyhow::Result<Assembled> {
        let definition = wiring::definition(self.config, &self.agent_name)?;
        let store = std::sync::Arc::clone(&self.store);
        let mut wishes = self.wishes.clone();
        if wishes.model.is_none() && gateway::nobody_names_a_model(&definition, self.session.as_ref()) {
            wishes.model.clone_from(&self.of_gateway);
        }
        wiring::assemble(self.config, &definition, self.session.as_ref(), &wishes, &self.foreign.1, store)
    }

    async fn show_what_was_said(&self) -> anyhow::Result<()> {
        if let Some(session) = &self.session {
            let transcript = Transcript::load(self.store.as_ref(), session.clone()).await?;
            self.terminal.note(transcript.for_screen().trim_end());
        }
        Ok(())
    }

    /// An interrupted turn goes on by itself; one that waits asks.
    async fn finish_what_is_open(&mut self, input: &editor::Input) -> anyhow::Result<Then> {
        if self.session.as_ref().is_some_and(|session| session.open_turn) {
            return self.turn(Input::Resume, input).await;
        }
        Ok(Then::GoOn)
    }

    async fn take(&mut self, text: &str, input: &editor::Input) -> anyhow::Result<Then> {
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let rest = rest.trim();
        match word.to_lowercase().as_str() {
            "" => {}
            "/help" | "/?" => self.terminal.note(HELP),
            "/quit" | "/exit" | "/q" => return Ok(Then::Leave(Exit::Done)),
            "/model" => self.model(rest).await?,
            "/session" | "/sessions" => return self.session(rest, input).await,
            "/docs" | "/documents" => self.documents().await?,
            "/show" => self.document(rest, false).await?,
            "/diff" => self.document(rest, true).await?,
            "/attach" => return self.attach(rest, input).await,
            "/new" | "/clear" => {
                self.session = None;
                self.terminal.note("A new conversation begins.");
            }
            "/undo" => self.undo().await?,
            "/export" => self.export(rest).await?,
            "/title" => self.title(rest).await?,
            "/good" => self.feedback(Thumb::Good, rest).await?,
            "/bad" => self.feedback(Thumb::Bad, rest).await?,
            command
                if command.starts_with('/') && !command.get(1..).is_some_and(|rest| rest.contains('/')) =>
            {
                let near = tata_core::near(command, COMMANDS);
                let meant = near.first().map(|best| format!(" Did you mean {best}?")).unwrap_or_default();
                self.terminal.note(&format!("There is no {command}.{meant} /help lists what there is."));
                return Ok(Then::Failed(Exit::Usage));
            }
            _ => return self.turn(Input::say(text), input).await,
        }
        Ok(Then::GoOn)
    }

    /// The documents of this conversation.
    async fn documents(&self) -> anyhow::Result<()> {
        match &self.session {
            Some(session) => {
                let action =
                    ArtifactAction::List { session: Some(session.id.to_string()), search: None, json: false };
                artifacts::act(action, std::sync::Arc::clone(&self.store), self.config, self.terminal)
                    .await?;
            }
            None => self.terminal.note("There are no documents yet."),
        }
        Ok(())
    }

    /// One of them, or what changed in it. The last word is a version if it is a number.
    async fn document(&self, wish: &str, changes: bool) -> anyhow::Result<()> {
        let Some(session) = &self.session else {
            self.terminal.note("There are no documents yet.");
            return Ok(());
        };
        if wish.is_empty() {
            self.terminal.note("Which one? /docs lists them.");
            return Ok(());
        }
        let last = wish.rsplit_once(' ').and_then(|(name, number)| Some((name, number.parse().ok()?)));
        let (name, version) = last.map_or((wish, None), |(name, number): (&str, u32)| (name, Some(number)));
        let (kind, key) = match name.split_once('(') {
            Some((kind, key)) => (kind.trim(), Some(key.trim_end_matches([')', ' ']).to_owned())),
            None => (name.trim(), None),
        };
        let which = Which { session: session.id.to_string(), kind: kind.to_owned(), key };
        let action = if changes {
            ArtifactAction::Diff { which, from: version, to: None }
        } else {
            ArtifactAction::Show { which, version, format: DocumentForm::Text }
        };
        artifacts::act(action, std::sync::Arc::clone(&self.store), self.config, self.terminal).await?;
        Ok(())
    }

    /// Brings the text of a file, and what is said about it, as one message of two parts.
    async fn attach(&mut self, rest: &str, input: &editor::Input) -> anyhow::Result<Then> {
        let (name, words) = match rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            Some((name, words)) => (name, words),
            None => rest.split_once(char::is_whitespace).unwrap_or((rest, "")),
        };
        if name.is_empty() {
            self.terminal.note("Which file? /attach FILE");
            return Ok(Then::Failed(Exit::Usage));
        }
        let (attached, bytes) = attached::read_whole(std::path::Path::new(name), None)?;
        let count = attached.text.chars().count();
        self.terminal.note(&format!("{DIM}{name}: {count} characters{DIM:#}"));
        for note in &attached.notes {
            self.terminal.note(&format!("{NOTE}note:{NOTE:#} {note}"));
        }
        let words = words.trim();
        // The bytes as they came, so that what was read can be read again.
        let session = self.ensure_session().await?;
        let file = std::path::Path::new(name).file_name().map_or(name.into(), |file| file.to_string_lossy());
        let file = NewFile::new(file, bytes, &attached.text, self.config.clock.now());
        self.store.keep_file(session.id, file).await?;
        let blocks = [Some(attached.text), Some(words.to_owned()).filter(|words| !words.is_empty())];
        let blocks = blocks.into_iter().flatten().map(Block::text).collect::<Vec<_>>().into();
        self.turn(Input::Say(Message { blocks, ..Message::user("") }), input).await
    }

    /// Runs a turn, and asks what a person must decide until nothing is left to decide.
    async fn turn(&mut self, input: Input, keyboard: &editor::Input) -> anyhow::Result<Then> {
        self.connect().await?;
        let assembled = self.assemble()?;
        let session = self.ensure_session().await?;
        let mut input = input;
        // What the person said waits here while an earlier turn must be decided first.
        let mut unsaid = match &input {
            Input::Say(message) => Some(message.clone()),
            Input::Resume | Input::Decide { .. } => None,
        };
        loop {
            let watching = watch(&assembled.agent, session.id, input, View::Text, self.terminal);
            let seen = answering(watching, &mut self.questions, keyboard, self.terminal).await?;
            self.session = self.store.session(session.id).await?;
            tell_the_end(&seen.report, self.terminal);
            if keyboard.is_terminal && !seen.report.requests.is_empty() {
                self.terminal.note(&format!("{DIM}{}{DIM:#}", summary(&seen.report)));
            }
            if seen.report.accepted || matches!(seen.report.outcome, TurnOutcome::Broken { .. }) {
                unsaid = None;
            }
            if !matches!(seen.report.outcome, TurnOutcome::Waiting) {
                match unsaid.take() {
                    None => {
                        let exit = Exit::of_turn(&seen.report);
                        return Ok(if exit == Exit::Done { Then::GoOn } else { Then::Failed(exit) });
                    }
                    Some(message) => {
                        input = Input::Say(message);
                        continue;
                    }
                }
            }
            let transcript = Transcript::load(self.store.as_ref(), session.clone()).await?;
            let Some(decisions) = self.decide(transcript.conversation.questions(), keyboard).await? else {
                return Ok(if keyboard.is_terminal { Then::GoOn } else { Then::Leave(Exit::NeedsDecision) });
            };
            let by = self.config.user.clone().unwrap_or_else(|| "terminal".to_owned());
            input = Input::Decide { decisions, by };
        }
    }

    /// Asks the person about each step. None when nobody can be asked, or they do not want to say.
    async fn decide(
        &self,
        questions: &[Question],
        keyboard: &editor::Input,
    ) -> anyhow::Result<Option<Vec<Verdict>>> {
        if !keyboard.is_terminal {
            return Ok(None);
        }
        let mut decisions = Vec::new();
        for question in questions {
            let (tool, arguments) = (&question.tool, &question.arguments);
            match &question.about {
                Some(about) => self.terminal.note(&format!("{NOTE}You decide:{NOTE:#} {}", about.words)),
                None => self.terminal.note(&format!("{NOTE}{tool}{NOTE:#} {arguments}")),
            }
            let ask = match question.reason {
                QuestionReason::Approval => "May it run? [y]es, [n]o: ",
                QuestionReason::Decision => "Is that your decision? [y]es, [n]o: ",
                QuestionReason::Uncertain => {
                    "It had begun when the program stopped; whether it took effect is not known.\n\
                     [d]one already, [r]un again, [n]o, leave it: "
                }
            };
            let Typed::Text(answer) =
                keyboard.next(ask, self.session.as_ref().map(|session| session.id)).await?
            else {
                return Ok(None);
            };
            let decision = match (question.reason, answer.trim().to_lowercase().as_str()) {
                (QuestionReason::Approval | QuestionReason::Decision, "y" | "yes")
                | (QuestionReason::Uncertain, "r" | "run") => Decision::Run,
                (QuestionReason::Uncertain, "d" | "done") => Decision::Done,
                (_, "n" | "no") => Decision::Refuse,
                (_, _) => {
                    self.terminal.note("Nothing was decided; the turn waits.");
                    return Ok(None);
                }
            };
            decisions.push(question.decide(decision));
        }
        Ok(Some(decisions))
    }

    async fn ensure_session(&mut self) -> anyhow::Result<Session> {
        if let Some(session) = &self.session {
            return Ok(session.clone());
        }
        let new = NewSession {
            user_id: self.config.user.clone(),
            model: self.wishes.model.clone(),
            ..NewSession::with(self.agent_name.clone(), self.config.clock.now())
        };
        let session = self.store.create_session(new).await?;
        self.session = Some(session.clone());
        Ok(session)
    }

    async fn model(&mut self, name: &str) -> anyhow::Result<()> {
        if name.is_empty() {
            let assembled = self.assemble()?;
            let names: Vec<_> = assembled.models.iter().map(|model| model.name.as_str()).collect();
            self.terminal.note(&format!(
                "{}; `/model NAME` changes it, `tata models` lists all.",
                names.join(", then ")
            ));
            return Ok(());
        }
        let spec = if wiring::is_built_in(name) {
            ModelSpec::built_in(name)
        } else {
            let route = self.config.choose(Some((name, ChosenBy::Person)))?;
            // A model that cannot be used is no choice.
            self.config.connect(&route, Purpose::Conversation)?;
            route.spec
        };
        self.wishes.model = Some(spec.name.clone());
        if let Some(session) = &self.session {
            let change = SessionChange { model: Some(Some(spec.name.clone())), ..SessionChange::default() };
            self.session = Some(self.store.change_session(session.id, change).await?);
        }
        self.terminal.note(&format!("From now on: {}.", spec.name));
        Ok(())
    }

    async fn session(&mut self, wish: &str, input: &editor::Input) -> anyhow::Result<Then> {
        if !wish.is_empty() {
            let session = find_session(self.store.as_ref(), wish).await?;
            self.agent_name.clone_from(&session.agent);
            self.wishes.model = None;
            self.session = Some(session);
            self.show_what_was_said().await?;
            return self.finish_what_is_open(input).await;
        }
        let filter =
            SessionFilter { limit: Some(10), user_id: self.config.user.clone(), ..SessionFilter::default() };
        let own = self.session.as_ref().map(|session| session.id);
        for session in self.store.sessions(filter).await?.sessions {
            let id = session.id.to_string();
            let mark = if Some(session.id) == own { "*" } else { " " };
            let title = session.title.unwrap_or_else(|| "-".to_owned());
            self.terminal.note(&format!("{mark} {}  {}", id.get(..8).unwrap_or(&id), &title));
        }
        self.terminal.note(&format!("{DIM}/session ID goes on with one of them.{DIM:#}"));
        Ok(Then::GoOn)
    }

    async fn undo(&mut self) -> anyhow::Result<()> {
        let Some(session) = self.session.clone() else {
            self.terminal.note("Nothing was said yet.");
            return Ok(());
        };
        let undone = self.assemble()?.agent.undo(session.id).await?;
        self.terminal.note(&match undone {
            Some(turn) => format!("Turn {turn} is taken back; documents made in it stay."),
            None => "There is nothing to take back.".to_owned(),
        });
        Ok(())
    }

    async fn export(&self, file: &str) -> anyhow::Result<()> {
        let Some(session) = self.session.clone() else {
            self.terminal.note("Nothing was said yet.");
            return Ok(());
        };
        let id = session.id.to_string();
        let file =
            if file.is_empty() { format!("tata-{}.md", id.get(..8).unwrap_or(&id)) } else { file.to_owned() };
        export(self.store.as_ref(), session, Form::Md, Some(&PathBuf::from(file)), self.terminal).await?;
        Ok(())
    }

    async fn title(&mut self, title: &str) -> anyhow::Result<()> {
        let session = self.session.as_ref().context("Nothing was said yet.")?;
        if title.is_empty() {
            self.terminal.note("Give a name: /title Network engineer, Malmö");
            return Ok(());
        }
        let change = SessionChange { title: Some(one_line(title)), ..SessionChange::default() };
        self.session = Some(self.store.change_session(session.id, change).await?);
        self.terminal.note("Renamed.");
        Ok(())
    }

    async fn feedback(&self, thumb: Thumb, words: &str) -> anyhow::Result<()> {
        let session = self.session.as_ref().context("Nothing was said yet.")?;
        let comment = (!words.is_empty()).then(|| words.to_owned());
        give_feedback(self.store.as_ref(), session, thumb, None, comment, self.config).await?;
        self.terminal.note("Thank you, noted.");
        Ok(())
    }
}

/// Watches a turn, and has the person answer what servers ask meanwhile.
async fn answering(
    watching: impl Future<Output = anyhow::Result<Seen>>,
    asked: &mut mpsc::Receiver<Asked>,
    keyboard: &editor::Input,
    terminal: &Terminal,
) -> anyhow::Result<Seen> {
    tokio::pin!(watching);
    loop {
        let question = tokio::select! {
            seen = &mut watching => return seen,
            Some(question) = asked.recv() => question,
        };
        let put = question.put(keyboard, terminal);
        tokio::pin!(put);
        tokio::select! {
            put = &mut put => put?,
            seen = &mut watching => {
                // What is typed now would otherwise be lost as an answer to nobody.
                terminal.note("Nobody waits for that answer any more; press Enter.");
                put.await?;
                return seen;
            }
        }
    }
}

/// Tokens, price and time of a turn. What is not known is said to be unknown.
fn summary(report: &TurnReport) -> String {
    let own = match report.model.as_deref() {
        Some(GUIDED) => Some("guided mode, no AI"),
        Some(QUOTES) => Some("quotations, no AI"),
        Some(_) | None => None,
    };
    if let Some(own) = own {
        return format!("{own} · {:.1} s", report.execution_time_seconds);
    }
    let tokens =
        report.tokens_used.map_or_else(|| "tokens unknown".to_owned(), |tokens| format!("{tokens} tokens"));
    let cost = report.cost.map_or_else(|| "cost unknown".to_owned(), |cost| format!("${:.4}", cost.usd()));
    format!("{tokens} · {cost} · {:.1} s", report.execution_time_seconds)
}
