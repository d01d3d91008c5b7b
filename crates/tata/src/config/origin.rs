//! Where each setting comes from.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{environment::Environment, file::ConfigFile};

/// A setting as it is in use.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// The variable, file or flag it comes from.
    pub(crate) origin: String,
}

/// What decides about settings, the strongest first.
pub(crate) struct Origins<'a> {
    pub(crate) environment: &'a Environment,
    pub(crate) project: &'a ConfigFile,
    pub(crate) user: &'a ConfigFile,
    pub(crate) user_file: PathBuf,
}

impl Origins<'_> {
    /// Where a setting comes from: one of these variables, one of the two files, or nowhere.
    pub(crate) fn of(&self, variables: &[&str], is_in: fn(&ConfigFile) -> bool) -> String {
        let set = variables.iter().find(|name| self.environment.get(name).is_some());
        match set {
            Some(name) if self.environment.is_from_folder(name) => format!("{name} in ./.env"),
            Some(name) => format!("{name} in the environment"),
            None if is_in(self.project) => "./tata.toml".to_owned(),
            None if is_in(self.user) => self.user_file.display().to_string(),
            None => "default".to_owned(),
        }
    }
}

/// Whether files can be made in a folder, or the folder itself can be made.
pub(crate) fn is_writable(folder: &Path) -> bool {
    let existing = folder.ancestors().find(|folder| folder.exists());
    existing.is_some_and(|folder| tempfile_in(folder).is_ok())
}

fn tempfile_in(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(format!(".tata-probe-{}", std::process::id()));
    std::fs::OpenOptions::new().write(true).create_new(true).open(&probe)?;
    std::fs::remove_file(probe)
}
