//! `tata`: the program. It parses, wires and prints; a branch worth testing belongs in a crate below.

mod cli;
mod commands;
mod config;
mod exit;
mod log;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use crate::{cli::Cli, config::Config, exit::Exit, terminal::Terminal};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let terminal = Terminal::new(cli.color);
    let outcome = Config::load(&cli).and_then(|config| {
        log::start(&config);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(commands::run(cli.command, &config, &terminal))
    });
    match outcome {
        Ok(exit) => exit.into(),
        Err(error) => {
            let exit = Exit::of(&error);
            terminal.error(&error, log::path().as_deref());
            exit.into()
        }
    }
}
