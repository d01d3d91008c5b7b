//! The commands: functions from resolved configuration to an exit code.

mod account;
mod agents;
mod artifacts;
mod ask;
mod audit;
mod chat;
mod check;
mod claims;
mod demo;
mod desk;
mod directory;
mod doctor;
mod exports;
mod gateway;
mod knowledge;
mod mcp;
mod models;
mod modules;
mod pages;
mod question;
mod review;
mod run;
mod salvage;
mod serve;
mod sessions;
mod telemetry;
mod trust;

use std::{io::Write, sync::Arc};

use clap::CommandFactory;

pub(crate) use self::{ask::unasked, doctor::without_configuration, models::written_example, trust::offer};
use crate::{
    cli::{Agents, AgentsAction, Cli, Command, EvalAction, Models, ModelsAction},
    config::Config,
    exit::Exit,
    terminal::Terminal,
};

pub(crate) async fn run(command: Command, config: &Arc<Config>, terminal: &Terminal) -> anyhow::Result<Exit> {
    match command {
        Command::Chat(chat) => chat::run(chat, config, terminal).await,
        Command::Ask(ask) => ask::run(ask, config, terminal).await,
        Command::Session { action } => sessions::run(action, config, terminal).await,
        Command::Serve(wish) => serve::run(wish, Arc::clone(config), terminal).await,
        Command::Account { action } => account::run(action, config, terminal).await,
        Command::Run(wish) => run::run(wish, config, terminal).await,
        Command::Funnel(wish) => modules::funnel(wish, config, terminal).await,
        Command::Invite(wish) => modules::invite(wish, config, terminal).await,
        Command::Compare(wish) => modules::compare(wish, config, terminal).await,
        Command::Artifact { action } => artifacts::run(action, config, terminal).await,
        Command::Di(di) => review::di(di, config, terminal).await,
        Command::Review(wish) => review::ad(wish, config, terminal).await,
        Command::Claims(wish) => claims::run(&wish, terminal),
        Command::Ingest(wish) => knowledge::ingest_sources(wish, config, terminal).await,
        Command::Docs { action } => knowledge::docs(action, config, terminal).await,
        Command::Import(wish) => exports::import(&wish, terminal).await,
        Command::Search(wish) => knowledge::search(wish, config, terminal).await,
        Command::Eval { action: EvalAction::Retrieval(wish) } => knowledge::eval(wish, terminal).await,
        Command::Eval { action } => review::eval(action, terminal),
        Command::Agents(Agents { action: Some(AgentsAction::Check { files }), .. }) => {
            agents::check(&files, config, terminal)
        }
        Command::Agents(Agents { action: None, json }) => agents::list(json, config, terminal),
        Command::Models(Models { action: Some(ModelsAction::Check { model, json }), json: before }) => {
            check::run(&model, json || before, config, terminal).await
        }
        Command::Models(Models { action: Some(ModelsAction::List { provider, json }), json: before }) => {
            models::list(&provider, json || before, config, terminal).await
        }
        Command::Models(Models { action: Some(ModelsAction::Example | ModelsAction::Catalog), .. }) => {
            Ok(Exit::Done)
        }
        Command::Models(Models { action: None, json }) => models::run(json, config, terminal),
        Command::Demo { remove, json } => demo::run(remove, json, config, terminal).await,
        Command::Doctor { json, online } => doctor::run(json, online, config, terminal).await,
        Command::Trust(trust) => trust::run(&trust, config, terminal),
        Command::Mcp { action } => mcp::run(action, config, terminal).await,
        Command::Audit { action } => audit::run(action, config, terminal).await,
        Command::Completions { shell } => completions(shell, terminal),
    }
}

pub(crate) fn completions(shell: clap_complete::Shell, terminal: &Terminal) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "tata", &mut script);
    terminal.out().write_all(&script)?;
    Ok(Exit::Done)
}
