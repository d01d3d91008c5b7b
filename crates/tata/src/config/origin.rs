//! Who brought a value.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{environment::Environment, file::ConfigFile, folder::SETTINGS};

/// Who brought a value. Flags, the real environment, the person's own configuration folder and the program's defaults
/// are the person's; everything in the current folder is the folder's, whoever wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Origin {
    Person,
    Folder,
}

/// A value that knows where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sourced<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
    /// The variable, file or flag, for people.
    pub(crate) place: String,
}

impl<T> Sourced<T> {
    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Sourced<U> {
        Sourced { value: change(self.value), origin: self.origin, place: self.place }
    }
}

/// Where settings are looked for, the strongest first: variables, the folder's file, the person's own.
pub(super) struct Layers<'a> {
    pub(super) environment: &'a Environment,
    pub(super) project: &'a ConfigFile,
    pub(super) user: &'a ConfigFile,
    pub(super) user_file: PathBuf,
}

impl Layers<'_> {
    /// A setting by one of its variables or its key, from wherever it is set first.
    pub(super) fn find(
        &self,
        variables: &[&str],
        key: fn(&ConfigFile) -> Option<String>,
    ) -> Option<Sourced<String>> {
        let set = variables.iter().find_map(|name| self.environment.get(name));
        let set = set.map(|set| set.map(str::to_owned));
        let in_folder = || {
            let place = format!("./{SETTINGS}");
            key(self.project).map(|value| Sourced { value, origin: Origin::Folder, place })
        };
        set.or_else(in_folder).or_else(|| self.in_own_file(key))
    }

    /// The same without any word of the folder.
    pub(super) fn find_own(
        &self,
        variable: &str,
        key: fn(&ConfigFile) -> Option<String>,
    ) -> Option<Sourced<String>> {
        let set = self.environment.get(variable).filter(|set| set.origin == Origin::Person);
        set.map(|set| set.map(str::to_owned)).or_else(|| self.in_own_file(key))
    }

    fn in_own_file(&self, key: fn(&ConfigFile) -> Option<String>) -> Option<Sourced<String>> {
        let place = self.user_file.display().to_string();
        key(self.user).map(|value| Sourced { value, origin: Origin::Person, place })
    }
}

/// A setting as it is in use.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) value: String,
    /// The variable, file or flag it comes from.
    pub(crate) origin: String,
}

impl Setting {
    pub(super) fn new(name: &'static str, set: Option<Sourced<String>>, default: &str) -> Self {
        match set {
            Some(set) => Self { name, value: set.value, origin: set.place },
            None => Self { name, value: default.to_owned(), origin: "default".to_owned() },
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
