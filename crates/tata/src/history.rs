//! What was typed in the chat, to be called back with the arrow keys. A file for each conversation, so that it goes with
//! the conversation; what was typed in others is offered, but never written down again.

use std::{
    fs::{self, DirBuilder, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    time::SystemTime,
};

use tata_core::SessionId;

/// So many of the last conversations are offered.
const CONVERSATIONS: usize = 20;
/// So many lines of each.
const LINES: usize = 200;

/// The files of what was typed.
pub(crate) struct History(PathBuf);

impl History {
    pub(crate) fn new(state: &Path) -> Self {
        // The first version kept one file for all: nobody can tell which line belongs to what was deleted since.
        drop(fs::remove_file(state.join("history")));
        Self(state.join("histories"))
    }

    /// What was typed in the last conversations, the latest last.
    pub(crate) fn recent(&self) -> Vec<String> {
        let Ok(files) = fs::read_dir(&self.0) else { return Vec::new() };
        let mut files: Vec<(SystemTime, PathBuf)> = files
            .filter_map(|file| {
                let file = file.ok()?;
                Some((file.metadata().ok()?.modified().ok()?, file.path()))
            })
            .collect();
        files.sort();
        let start = files.len().saturating_sub(CONVERSATIONS);
        let texts = files.iter().skip(start).filter_map(|(_, path)| fs::read_to_string(path).ok());
        texts.flat_map(|text| last_lines(&text)).collect()
    }

    /// Keeps a line with its conversation.
    pub(crate) fn keep(&self, session: SessionId, line: &str) -> io::Result<()> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.0)?;
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        // One line of JSON for each, whatever is in it.
        writeln!(options.open(self.file(session))?, "{}", serde_json::Value::from(line))
    }

    /// Forgets what was typed in a conversation.
    pub(crate) fn erase(&self, session: SessionId) -> io::Result<()> {
        match fs::remove_file(self.file(session)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn file(&self, session: SessionId) -> PathBuf {
        self.0.join(session.to_string())
    }
}

fn last_lines(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let start = lines.len().saturating_sub(LINES);
    lines.into_iter().skip(start).collect()
}
