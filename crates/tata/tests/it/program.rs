//! Runs the real binary in an empty world: no environment, no home but a fresh folder.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

/// Three lines after which there is a draft of a requirement profile.
pub(crate) const PROFILE: &str = "We need a requirement profile for a network engineer\n\
                                  yes\n\
                                  Must have: BGP; Linux; Python; English\n";

/// Two more, after which its third must-have is another.
pub(crate) const CHANGE: &str = "replace the third with Ansible\nyes\n";

/// A folder of one test, with the environment it wants.
pub(crate) struct World {
    pub(crate) folder: PathBuf,
    variables: Vec<(String, String)>,
}

/// What a run said.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl World {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("world-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self { folder, variables: Vec::new() }
    }

    pub(crate) fn set(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        fs::write(self.folder.join(name), text).unwrap();
        self
    }

    /// A file in a folder below.
    pub(crate) fn folder_file(self, name: &str, text: &str) -> Self {
        fs::create_dir_all(self.folder.join(name).parent().unwrap()).unwrap();
        self.file(name, text)
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tata"));
        command.args(arguments).current_dir(&self.folder).env_clear().env("HOME", &self.folder);
        command.env("TATA_HOME", self.folder.join("home")).envs(self.variables.iter().cloned());
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Said {
        self.run_with_input(arguments, "")
    }

    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Said {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        Said::from(child.wait_with_output().unwrap())
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("home/tata.log")).unwrap_or_default()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
