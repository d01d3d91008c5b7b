//! A server that is a program of this machine: started in a group of its own, with little of our environment, and ended
//! with everything it started.

#[cfg(unix)]
mod watchdog;

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    path::Path,
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use secrecy::{ExposeSecret, SecretString};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, BufReader},
    process::{Child, ChildStderr, ChildStdin, ChildStdout, Command},
    sync::watch,
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;
use tracing::debug;

/// The variables a server inherits, where they are set: what a program needs to find itself and its user's language.
/// Keys of ours are not among them.
pub const INHERITED: [&str; 14] = [
    "HOME",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    "XDG_CACHE_HOME",
    "XDG_RUNTIME_DIR",
];

/// How long a server has to end by itself once its input ends, and again after it was asked to.
const GRACE: Duration = Duration::from_secs(2);
/// How long the last words of a server may take that has ended.
const MOMENT: Duration = Duration::from_millis(500);
/// What is kept of what it says on standard error.
const MOST_LINES: usize = 20;
const LONGEST_LINE: u64 = 2_000;

/// A running server. Dropping it ends it: first politely, then surely.
pub(crate) struct Process {
    stop: CancellationToken,
    ended: watch::Receiver<bool>,
    said: Said,
}

/// Its two ends, for the protocol.
pub(crate) struct Pipes {
    pub(crate) from: ChildStdout,
    pub(crate) to: ChildStdin,
}

/// The last lines of standard error.
#[derive(Clone, Default)]
pub(crate) struct Said(Arc<Mutex<VecDeque<String>>>);

impl Process {
    /// Starts a program.
    pub(crate) fn start(
        command: &str,
        args: &[String],
        inherited: &BTreeMap<String, String>,
        env: &BTreeMap<String, SecretString>,
        cwd: Option<&Path>,
    ) -> io::Result<(Self, Pipes)> {
        let mut begin = Command::new(command);
        begin
            .args(args)
            .env_clear()
            .envs(inherited.iter().filter(|(name, _)| INHERITED.contains(&name.as_str())))
            .envs(env.iter().map(|(name, value)| (name, value.expose_secret())))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        #[cfg(unix)]
        begin.process_group(0);
        if let Some(cwd) = cwd {
            begin.current_dir(cwd);
        }
        let mut child = begin.spawn()?;
        let group = Group::of(&child);
        let (Some(to), Some(from), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::Error::other("its standard input and output could not be had"));
        };
        let (stop, said) = (CancellationToken::new(), Said::default());
        let (tell, ended) = watch::channel(false);
        let listening = tokio::spawn(listen(stderr, said.clone()));
        tokio::spawn(supervise(child, group, listening, stop.clone(), tell));
        Ok((Self { stop, ended, said }, Pipes { from, to }))
    }

    /// Ends it and waits until nothing of it is left.
    pub(crate) async fn end(&self) {
        self.stop.cancel();
        let mut ended = self.ended.clone();
        // The other end goes only when the supervisor is done or its runtime is: nothing is left to wait for.
        drop(ended.wait_for(|ended| *ended).await);
    }

    /// Waits a moment for its end, so that its last words are heard.
    pub(crate) async fn settle(&self) {
        let mut ended = self.ended.clone();
        drop(tokio::time::timeout(MOMENT, ended.wait_for(|ended| *ended)).await);
    }

    /// What it said last on standard error.
    pub(crate) fn said(&self) -> &Said {
        &self.said
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

impl Said {
    /// The last line that is not empty.
    pub(crate) fn last(&self) -> Option<String> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.back().cloned()
    }

    fn note(&self, line: &[u8]) {
        let line = String::from_utf8_lossy(line).trim().to_owned();
        if line.is_empty() {
            return;
        }
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == MOST_LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }
}

/// Reads standard error to its end: a server whose pipe is full would stand still.
async fn listen(stderr: ChildStderr, said: Said) {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        match (&mut stderr).take(LONGEST_LINE).read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) => said.note(&line),
        }
    }
}

/// Owns the child until it has ended, so that it never stays in the process table.
async fn supervise(
    mut child: Child,
    group: Group,
    listening: JoinHandle<()>,
    stop: CancellationToken,
    tell: watch::Sender<bool>,
) {
    tokio::select! {
        _ = child.wait() => {}
        () = stop.cancelled() => {
            // Its input has ended or will in a moment: that is how the protocol says goodbye.
            if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
                group.ask_to_end();
                if tokio::time::timeout(GRACE, child.wait()).await.is_err() {
                    debug!("an MCP server did not end when asked and is killed");
                    group.kill();
                    drop(child.wait().await);
                }
            }
        }
    }
    // Whatever it started and left behind ends with it.
    drop(group);
    drop(tokio::time::timeout(MOMENT, listening).await);
    tell.send_replace(true);
}

/// A process group; dropping it kills what is left in it, also when the supervisor itself is dropped.
struct Group(Option<i32>);

impl Group {
    fn of(child: &Child) -> Self {
        let group = child.id().and_then(|id| i32::try_from(id).ok());
        #[cfg(unix)]
        group.into_iter().for_each(watchdog::watch);
        Self(group)
    }

    #[cfg(unix)]
    fn signal(&self, signal: nix::sys::signal::Signal) {
        if let Some(group) = self.0 {
            // That there is nobody left to hear it is fine.
            nix::sys::signal::killpg(nix::unistd::Pid::from_raw(group), signal).ok();
        }
    }

    fn ask_to_end(&self) {
        #[cfg(unix)]
        self.signal(nix::sys::signal::Signal::SIGTERM);
    }

    fn kill(&self) {
        #[cfg(unix)]
        self.signal(nix::sys::signal::Signal::SIGKILL);
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
        #[cfg(unix)]
        self.0.into_iter().for_each(watchdog::forget);
    }
}
