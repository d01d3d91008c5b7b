//! What every build script of lists does: it reads files, writes what it made of them, and stops at the first mistake.

use std::{
    env, fmt, fs,
    hash::{DefaultHasher, Hash, Hasher},
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

    /// Writes what is made of a source, unless this very program made it of the same before: of five languages most stay.
    pub fn made_of(
        &self,
        name: &str,
        source: impl Hash,
        make: impl FnOnce() -> Result<Vec<u8>, String>,
    ) -> Result<(), String> {
        let program = env::current_exe().and_then(fs::read).map_err(|error| error.to_string())?;
        let mut hasher = DefaultHasher::new();
        (program, source).hash(&mut hasher);
        let (key, kept) = (format!("{:016x}", hasher.finish()), format!("{name}.of"));
        let is_kept = fs::read(self.0.join(&kept)).is_ok_and(|kept| kept == key.as_bytes());
        if is_kept && self.0.join(name).exists() {
            return Ok(());
        }
        self.write(name, make()?)?;
        self.write(&kept, key)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_changed_is_made_anew() {
        let folder = env::temp_dir().join(format!("tata-made-of-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let output = Output(folder.clone());
        let made = |source: &str, bytes: &[u8]| {
            let mut is_made = false;
            let make = || {
                is_made = true;
                Ok(bytes.to_vec())
            };
            output.made_of("a.graph", source, make).unwrap();
            is_made
        };
        assert!(made("one", b"1"), "it was never made");
        assert!(!made("one", b"1"), "nothing has changed");
        assert!(made("two", b"2"), "its source has changed");
        fs::remove_file(folder.join("a.graph")).unwrap();
        assert!(made("two", b"2"), "it is gone");
        assert_eq!(fs::read(folder.join("a.graph")).unwrap(), b"2");
        assert!(output.made_of("a.graph", "three", || Err("broken".to_owned())).is_err());
        assert!(made("three", b"3"), "what could not be made is tried again");
        fs::remove_dir_all(folder).unwrap();
    }
}
