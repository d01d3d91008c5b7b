//! A guard that outlives us: when this program ends in any way, also by a crash or SIGKILL, nothing it started stays.
//!
//! It is a shell that reads the process groups we started from a pipe. The end of the pipe is the end of us, which no
//! signal handler and no destructor could tell as surely; the shell then kills what is left. (The kernel's own way,
//! `PR_SET_PDEATHSIG`, must be asked for between fork and exec, which takes unsafe code, and it does not reach the
//! children of children, such as those of `npx`.)

use std::{
    io::Write,
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{Mutex, PoisonError},
};

use tracing::warn;

const SHELL: &str = "/bin/sh";

/// Reads `+ group` and `- group`; at the end of input it kills the groups that are left.
const SCRIPT: &str = r#"groups=
while read -r sign group; do
  if [ "$sign" = + ]; then groups="$groups $group"; continue; fi
  left=
  for other in $groups; do [ "$other" = "$group" ] || left="$left $other"; done
  groups=$left
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
:"#;

struct Watchdog {
    shell: Child,
    pipe: ChildStdin,
    groups: Vec<i32>,
}

static WATCHDOG: Mutex<Option<Watchdog>> = Mutex::new(None);

/// Has a group killed when this program ends.
pub(super) fn watch(group: i32) {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(running) = watchdog.as_mut() {
        running.groups.push(group);
        if writeln!(running.pipe, "+ {group}").is_ok() {
            return;
        }
    }
    // None yet, or somebody killed it: the new one learns all groups.
    let mut groups = watchdog.take().map(Watchdog::end).unwrap_or_default();
    if !groups.contains(&group) {
        groups.push(group);
    }
    *watchdog = start(groups);
}

/// A group has ended; its number may soon be another's.
pub(super) fn forget(group: i32) {
    let mut watchdog = WATCHDOG.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(running) = watchdog.as_mut() else { return };
    running.groups.retain(|other| *other != group);
    let told = writeln!(running.pipe, "- {group}").is_ok();
    if !told || running.groups.is_empty() {
        let groups = watchdog.take().map(Watchdog::end).unwrap_or_default();
        if !groups.is_empty() {
            *watchdog = start(groups);
        }
    }
}

fn start(groups: Vec<i32>) -> Option<Watchdog> {
    let begun = Command::new(SHELL)
        .args(["-c", SCRIPT])
        .env_clear()
        .current_dir("/")
        // Ctrl-C in a terminal goes to the program's own group; this one must live a moment longer.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut shell = match begun {
        Ok(shell) => shell,
        Err(error) => {
            warn!(%error, "no guard for MCP servers: if this program is killed, they must notice it by themselves");
            return None;
        }
    };
    let mut pipe = shell.stdin.take()?;
    for group in &groups {
        writeln!(pipe, "+ {group}").ok()?;
    }
    Some(Watchdog { shell, pipe, groups })
}

impl Watchdog {
    /// Ends the shell, which has nothing to kill or is dead, and says which groups it watched.
    fn end(self) -> Vec<i32> {
        let Self { mut shell, pipe, groups } = self;
        drop(pipe);
        if !groups.is_empty() {
            // Its pipe is broken: it is gone, or must not act on what it knows.
            drop(shell.kill());
        }
        // It reads the end of its input and is done; without this it would stay in the process table.
        drop(shell.wait());
        groups
    }
}
