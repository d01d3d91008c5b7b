//! Full technical details go to a file; people get plain sentences.

use std::{
    backtrace::Backtrace,
    fs::{self, File, OpenOptions},
    panic,
    path::{Path, PathBuf},
    sync::{Mutex, OnceLock},
};

use tata_core::{panic_code, panic_message};
use tracing_subscriber::EnvFilter;

use crate::{config::Config, terminal::Terminal};

/// A log beyond this size is put aside at the next start.
const LARGEST: u64 = 10 * 1024 * 1024;

static PATH: OnceLock<PathBuf> = OnceLock::new();

/// The log file, if one could be opened.
pub(crate) fn path() -> Option<PathBuf> {
    PATH.get().cloned()
}

/// Opens the log. A machine on which that fails still gets its answer.
///
/// A server's goes to standard error instead, a JSON object a line, for whoever gathers it.
pub(crate) fn start(config: &Config, serves: bool) {
    if serves {
        // A request is the only span there is: a list of spans would say all of it twice on each line.
        let made = tracing_subscriber::fmt()
            .json()
            .with_span_list(false)
            .with_env_filter(filter(config))
            .with_writer(Terminal::log_writer)
            .finish();
        let _begun_before = tracing::subscriber::set_global_default(made);
        return;
    }
    let path = config.state_dir.join("tata.log");
    let Ok(file) = open(&path) else { return };
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter(config))
        .with_ansi(false)
        .with_writer(Mutex::new(file))
        .finish();
    if tracing::subscriber::set_global_default(subscriber).is_ok() {
        let _ = PATH.set(path);
    }
}

/// A panic goes into the log with its trace, under the code that people read (A8.4), and not on the screen: its words may
/// be anybody's. Where no log is open yet, the code alone is told.
pub(crate) fn keep_panics() {
    panic::set_hook(Box::new(|info| {
        let (code, message) = (panic_code(info.payload()), panic_message(info.payload()));
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        let trace = Backtrace::force_capture();
        tracing::error!(code, message, place, %trace, "something broke down");
    }));
}

fn filter(config: &Config) -> EnvFilter {
    let filter = EnvFilter::try_new(&config.log).unwrap_or_else(|_| EnvFilter::new("info"));
    // The MCP SDK writes whole messages into its log, and those hold what people say; what matters of them we log ourselves.
    match "rmcp=off".parse() {
        Ok(silence) => filter.add_directive(silence),
        Err(_) => filter,
    }
}

fn open(path: &Path) -> std::io::Result<File> {
    if let Some(folder) = path.parent() {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(folder)?;
    }
    if fs::metadata(path).is_ok_and(|meta| meta.len() > LARGEST) {
        fs::rename(path, path.with_extension("log.1"))?;
    }
    let mut options = OpenOptions::new();
    options.create(true).append(true);
    // Provider messages may quote what was asked: the log is its owner's alone.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
