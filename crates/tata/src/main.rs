//! `tata`: the program. It parses, wires and prints; a branch worth testing belongs in a crate below.

mod agents;
mod approval;
mod arguments;
mod asked;
mod attached;
mod cli;
mod commands;
mod config;
mod editor;
mod error;
mod exit;
mod explain;
mod history;
mod input;
mod local_users;
mod log;
mod named_file;
mod on_one_line;
mod pending;
mod printable;
mod private;
mod readers;
mod servers;
mod shown;
mod terminal;
mod tokens;
mod transcript;
mod type_ahead;
mod uploads;
mod watch;
mod wire_counts;
mod wiring;

use std::{
    io::{self, Write},
    panic::{self, AssertUnwindSafe},
    process::ExitCode,
    sync::Arc,
};

use clap::{ColorChoice, Parser};
use tata_core::panic_code;

use crate::{
    cli::{Cli, Command, Models},
    config::{Config, ConfigError},
    exit::Exit,
    terminal::{NOTE, Terminal},
};

fn main() -> ExitCode {
    log::keep_panics();
    // Before anything else is read or made: a reader of files has no arguments, no environment and no configuration.
    if std::env::args_os().nth(1).is_some_and(|first| first == readers::COMMAND) {
        return readers::serve();
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(said) => {
            Terminal::new(ColorChoice::Auto).about_arguments(&said);
            return if said.use_stderr() { Exit::Usage } else { Exit::Done }.into();
        }
    };
    let terminal = Terminal::new(cli.color);
    let as_json = cli.command.as_ref().is_some_and(Command::wants_json);
    let is_ask = matches!(&cli.command, Some(Command::Ask(_)));
    let as_lines = matches!(&cli.command, Some(Command::Ask(ask)) if ask.jsonl);
    // Whatever breaks down is in the log with its trace; the person reads a sentence and a code.
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| run(&cli, &terminal)))
        .unwrap_or_else(|payload| Err(error::Unexpected(panic_code(payload.as_ref())).into()));
    match outcome {
        Ok(exit) => exit.into(),
        // Whoever closed the pipe has seen enough: that is no failure.
        Err(error) if is_broken_pipe(&error) => Exit::Done.into(),
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "the command failed");
            if as_json && is_ask {
                terminal.json(&commands::unasked(&error, as_lines), as_lines);
            } else if as_json {
                terminal.error_json(&error);
            } else {
                terminal.error(&error, log::path().as_deref());
            }
            Exit::of(&error).into()
        }
    }
}

/// Runs the command. Where the files of the folder would decide something, the person is asked, and then it begins anew.
fn run(cli: &Cli, terminal: &Terminal) -> anyhow::Result<Exit> {
    let outcome = run_once(cli, terminal);
    let as_json = cli.command.as_ref().is_some_and(Command::wants_json);
    let Err(error) = &outcome else { return outcome };
    let Some(ConfigError::NeedsTrust { file, .. }) = error.downcast_ref() else { return outcome };
    if as_json || !terminal.can_ask() {
        return outcome;
    }
    terminal.error(error, None);
    if commands::offer(&Config::load(cli)?, file.as_deref(), terminal)? {
        run_once(cli, terminal)
    } else {
        Ok(Exit::Configuration)
    }
}

fn run_once(cli: &Cli, terminal: &Terminal) -> anyhow::Result<Exit> {
    // A shell's profile asks for completions in every folder, also in one whose files are not ours.
    if let Some(Command::Completions { shell }) = cli.command {
        return commands::completions(shell, terminal);
    }
    // Whoever asks how a file is written may have one that is wrong.
    if let Some(Command::Models(Models { action: Some(action), .. })) = &cli.command
        && let Some(text) = commands::written_example(action)
    {
        terminal.out().write_all(text.as_bytes())?;
        return Ok(Exit::Done);
    }
    let config = match Config::load(cli) {
        // Whoever asks what is wrong wants an answer, not a failure.
        Err(problem) if matches!(cli.command, Some(Command::Doctor { .. })) => {
            let as_json = cli.command.as_ref().is_some_and(Command::wants_json);
            return commands::without_configuration(&problem, as_json, terminal);
        }
        loaded => loaded?,
    };
    for warning in &config.warnings {
        terminal.note(&format!("{NOTE}note:{NOTE:#} {warning}"));
    }
    let command = cli.wish()?;
    let config = Arc::new(config);
    let serves = matches!(command, Command::Serve(_));
    if command.makes_own_files() {
        private::by_default();
    }
    log::start(&config, serves);
    // One person needs one thread; many need all there are.
    let mut runtime = if serves {
        tokio::runtime::Builder::new_multi_thread()
    } else {
        tokio::runtime::Builder::new_current_thread()
    };
    let runtime = runtime.enable_all().build()?;
    let hears_by_itself = command.hears_ctrl_c();
    let outcome = runtime.block_on(async {
        tokio::select! {
            outcome = commands::run(command, &config, terminal) => outcome,
            _ = tokio::signal::ctrl_c(), if !hears_by_itself => {
                terminal.note("Stopped.");
                Ok(Exit::Interrupted)
            }
        }
    });
    // A thread may still wait for standard input; nobody waits for it.
    runtime.shutdown_background();
    // A check of what is set up is no use of it.
    if !matches!(cli.command, Some(Command::Doctor { .. })) {
        wire_counts::keep(&config.state_dir);
    }
    outcome
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let mut chain = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    chain.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
