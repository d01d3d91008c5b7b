//! `tata chat`: a conversation in the terminal.

mod documents;
mod slash_commands;
mod turn;
mod welcome;

use std::{cell::RefCell, rc::Rc};

use tata_core::{NewSession, Question, Session, Store};
use tata_mcp::Asker;
use tokio::sync::mpsc;

use self::slash_commands::COMMANDS;
use super::{desk::find_session, gateway};
use crate::{
    asked::{self, Asked},
    cli::Chat,
    config::{Config, ConfigError},
    editor::{self, Typed},
    error::UsageError,
    exit::Exit,
    history::History,
    servers::{self, Foreign},
    terminal::{NOTE, Terminal},
    wiring::{self, Assembled, Overrides},
};

/// The conversation that is open.
struct Talk<'a> {
    config: &'a Config,
    terminal: &'a Terminal,
    store: std::sync::Arc<dyn Store>,
    agent_name: String,
    overrides: Overrides,
    /// The model of a gateway, when nobody names one.
    of_gateway: Option<String>,
    /// What the program asks, as the last thing on this screen.
    shown: Option<Question>,
    /// None until something is said: whoever only looks leaves nothing behind.
    session: Option<Session>,
    /// The agent with its models, tools and connections: made once, and anew when something it is made of changed.
    made: RefCell<Option<(String, Rc<Assembled>)>>,
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
    install_ctrl_c_handler().await;
    let store = wiring::open_store(config).await?;
    let exit = talk(chat, std::sync::Arc::clone(&store), config, terminal).await;
    wiring::leave(store.as_ref()).await;
    exit
}

/// Must come before the line editor opens. The editor puts back, after each line, whatever handled Ctrl-C before that line;
/// without a handler of ours that is the default, which ends the program, and tokio installs its own only once.
async fn install_ctrl_c_handler() {
    tokio::select! {
        biased;
        // The first poll installs the handler.
        _ = tokio::signal::ctrl_c() => {}
        () = std::future::ready(()) => {}
    }
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
    let overrides = Overrides {
        model: chat.model,
        max_tokens: chat.max_tokens,
        into_a_pipe: !terminal.is_screen(),
        ..Overrides::default()
    };
    // A definition that is wrong is said before anybody types.
    let definition = wiring::definition(config, &agent_name)?;
    let of_gateway =
        if overrides.model.is_none() && gateway::nobody_names_a_model(&definition, session.as_ref()) {
            gateway::default_model(config, terminal).await?
        } else {
            None
        };
    let foreign = (String::new(), Foreign::default());
    let input = editor::Input::open(History::new(&config.state_dir), &COMMANDS);
    let (ask, questions) = asked::questions();
    let ask = input.is_terminal.then_some(ask);
    let made = RefCell::default();
    let mut talk = Talk {
        config,
        terminal,
        store,
        agent_name,
        overrides,
        of_gateway,
        shown: None,
        session,
        made,
        foreign,
        ask,
        questions,
    };
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
        let session = talk.session.as_ref().map(|session| session.id);
        let typed = tokio::select! {
            typed = input.next("> ", session, talk.shown.is_some()) => typed?,
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

    fn assemble(&self) -> anyhow::Result<Rc<Assembled>> {
        let definition = wiring::definition(self.config, &self.agent_name)?;
        let store = std::sync::Arc::clone(&self.store);
        let mut overrides = self.overrides.clone();
        if overrides.model.is_none() && gateway::nobody_names_a_model(&definition, self.session.as_ref()) {
            overrides.model.clone_from(&self.of_gateway);
        }
        let (session, foreign) = (self.session.as_ref(), &self.foreign.1);
        let own = session.and_then(|session| session.model.as_deref());
        let model = overrides.model.as_deref().or(own);
        let tools: Vec<_> = foreign.tools().iter().map(|tool| format!("{:?}", tool.spec())).collect();
        let company = session.and_then(|session| session.tenant_id.as_deref());
        let made_of = format!("{definition:?} {overrides:?} {model:?} {company:?} {tools:?}");
        if let Some((of, made)) = &*self.made.borrow()
            && *of == made_of
        {
            return Ok(Rc::clone(made));
        }
        let made = wiring::assemble(self.config, &definition, session, &overrides, foreign, store)?;
        let made = Rc::new(made);
        self.made.replace(Some((made_of, Rc::clone(&made))));
        Ok(made)
    }

    async fn ensure_session(&mut self) -> anyhow::Result<Session> {
        if let Some(session) = &self.session {
            return Ok(session.clone());
        }
        let new = NewSession {
            user_id: self.config.user.clone(),
            model: self.overrides.model.clone(),
            ..NewSession::with(self.agent_name.clone(), self.config.clock.now())
        };
        let session = self.store.create_session(new).await?;
        self.session = Some(session.clone());
        Ok(session)
    }
}
