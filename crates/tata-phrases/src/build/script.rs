//! What every build script of lists does: it reads files, writes what it made of them, and stops at the first mistake.

use std::{
    env, fmt, fs,
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Where a build script writes to.
#[derive(Debug)]
pub struct Output(PathBuf);

impl Output {
    /// Writes a file, unless it is there already: what was compiled from it then stays.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), String> {
        let (path, bytes) = (self.0.join(name), bytes.as_ref());
        if fs::read(&path).is_ok_and(|written| written == bytes) {
            return Ok(());
        }
        fs::write(&path, bytes).map_err(|error| problem(&path, error))
    }
}

/// Runs a build script. What is wrong is shown to whoever builds.
#[expect(clippy::print_stderr, clippy::disallowed_methods, reason = "cargo is spoken to by both")]
pub fn script(make: impl FnOnce(&Output) -> Result<(), String>) -> ExitCode {
    let folder = env::var_os("OUT_DIR").ok_or_else(|| "OUT_DIR is not set".to_owned());
    match folder.and_then(|folder| make(&Output(folder.into()))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The text of a file; cargo asks again when it changes.
pub fn text(path: &Path) -> Result<String, String> {
    watch(path);
    fs::read_to_string(path).map_err(|error| problem(path, error))
}

/// The files of a folder in order; cargo asks again when one comes or goes.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    watch(folder);
    let entries = fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()
    });
    let mut paths = entries.map_err(|error| problem(folder, error))?;
    paths.sort();
    Ok(paths)
}

#[expect(clippy::print_stdout, reason = "cargo reads what a build script prints")]
fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

fn problem(path: &Path, problem: impl fmt::Display) -> String {
    format!("{}: {problem}", path.display())
}
