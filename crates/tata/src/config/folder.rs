//! The files of the current folder, read once: what a person is shown, what is remembered as trusted and what is used
//! are the same bytes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{dotenv, scripts};
use crate::named_file::{self, NotRead};

/// The files that are looked for by name.
pub(super) const DOTENV: &str = ".env";
pub(super) const SETTINGS: &str = "tata.toml";
pub(super) const MODELS: &str = "models.yaml";
pub(crate) const MCP: &str = ".mcp.json";
const AGENTS: &str = "agents";

/// The largest file that is read.
const LARGEST: u64 = 1024 * 1024;
/// More agents than this are not somebody's agents.
const MOST_AGENTS: usize = 200;

/// Why a file cannot be used.
type Problem = String;

/// What the folder holds of ours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folder {
    /// Without links; empty when the folder is left alone.
    root: PathBuf,
    files: BTreeMap<String, Result<String, Problem>>,
    /// The files that the commands of servers name, by what is in them: a script that changes is another command.
    scripts: BTreeMap<String, String>,
}

/// An agent's file as far as it names others.
#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedByAgent {
    system_prompt_file: Option<String>,
}

/// `tata.toml` as far as it names others.
#[derive(Default, Deserialize)]
#[serde(default)]
struct NamedBySettings {
    models_file: Option<String>,
}

impl Folder {
    /// Reads a folder. That there is nothing of ours in it is the usual case.
    pub(super) fn read(folder: &Path) -> Self {
        let Ok(root) = folder.canonicalize() else { return Self::default() };
        let mut read = Self { root, ..Self::default() };
        let found = [DOTENV, SETTINGS, MODELS, MCP].map(str::to_owned).into_iter().chain(read.agent_files());
        for name in found.collect::<Vec<_>>() {
            let named = match inside(&read.root, &name) {
                Ok(None) => continue,
                Ok(Some(text)) => {
                    let named = named_by(&name, &text);
                    read.scripts.extend(scripts::of_file(&name, &text, &[&read.root]));
                    read.files.insert(name, Ok(text));
                    named
                }
                Err(problem) => {
                    read.files.insert(name, Err(problem));
                    continue;
                }
            };
            for name in named {
                let text = present(&read.root, &name);
                read.files.insert(name, text);
            }
        }
        read
    }

    /// An agent's definition that a person names by its path, with the files that it names: what is trusted of it.
    pub(crate) fn of_file(path: &Path) -> Self {
        let found = path.canonicalize().ok();
        let Some((root, parent)) = found.and_then(|root| Some((root.clone(), root.parent()?.to_owned())))
        else {
            return Self::default();
        };
        let mut read = Self { root, ..Self::default() };
        let name = read.root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let text = regular(&read.root);
        if let Ok(text) = &text {
            let prompt = prompt_file(&name, text);
            read.files.extend(prompt.map(|name| (name.clone(), present(&parent, &name))));
            // A command is started where the person is.
            let here = Path::new(".").canonicalize().unwrap_or_default();
            read.scripts = scripts::of_agent(&name, text, &[&here, &parent]);
        }
        read.files.insert(name, text);
        read
    }

    /// The text of one of these files, by its whole path.
    pub(crate) fn text_at(&self, path: &Path) -> Option<&str> {
        let below = path.strip_prefix(&self.root).ok()?;
        // The root is the file itself where a person named one.
        let name = if below.as_os_str().is_empty() { path.file_name()?.to_str()? } else { below.to_str()? };
        self.text(name)?.ok()
    }

    /// What cannot be used although it is there, a sentence each. It stops nothing.
    pub(super) fn warnings(&self) -> Vec<String> {
        let looked_for = [DOTENV, SETTINGS, MODELS, MCP].into_iter();
        let unusable = looked_for.filter_map(|name| Some((name, self.files.get(name)?.as_ref().err()?)));
        unusable.map(|(name, why)| format!("./{name} is not used: {why}.")).collect()
    }

    /// A file's text; none if it is not there.
    pub(super) fn text(&self, name: &str) -> Option<Result<&str, &str>> {
        let found = self.files.get(name)?;
        Some(found.as_deref().map_err(String::as_str))
    }

    /// A file that another one names.
    pub(crate) fn named(&self, name: &str) -> Result<&str, &str> {
        self.text(name).unwrap_or(Err("it is not there"))
    }

    /// The servers that are written down here; none if there is no such file.
    pub(crate) fn mcp_file(&self) -> Option<Result<&str, &str>> {
        self.text(MCP)
    }

    /// The agents that are defined here, by name.
    pub(crate) fn agents(&self) -> impl Iterator<Item = (&str, Result<&str, &str>)> {
        self.files.iter().filter_map(|(name, text)| {
            let stem = agent_name(name)?;
            Some((stem, text.as_deref().map_err(String::as_str)))
        })
    }

    /// The files that were found, and those that cannot be used with the reason.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let scripts = self.scripts.keys().map(|name| (name.as_str(), None));
        let files = self.files.iter();
        files.map(|(name, text)| (name.as_str(), text.as_ref().err().map(String::as_str))).chain(scripts)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The seal of exactly these files with exactly these contents.
    pub(super) fn seal(&self) -> String {
        let mut hash = Sha256::new();
        let files = self.files.iter().map(|(name, text)| (name, text.as_deref().unwrap_or_default()));
        let scripts = self.scripts.iter().map(|(name, seal)| (name, seal.as_str()));
        for (name, text) in files.chain(scripts) {
            for part in [name.as_str(), text] {
                // The length keeps "ab" + "c" apart from "a" + "bc".
                hash.update((part.len() as u64).to_be_bytes());
                hash.update(part);
            }
        }
        let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or_default();
        hash.finalize().iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
    }

    fn agent_files(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.root.join(AGENTS)) else { return Vec::new() };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut names: Vec<String> = names.map(|name| format!("{AGENTS}/{name}")).collect();
        names.retain(|name| agent_name(name).is_some());
        names.sort();
        names.truncate(MOST_AGENTS);
        names
    }
}

/// The agent that a file defines.
fn agent_name(file: &str) -> Option<&str> {
    let name = file.strip_prefix(AGENTS)?.strip_prefix('/')?;
    name.strip_suffix(".yaml").or_else(|| name.strip_suffix(".yml")).filter(|name| !name.contains('/'))
}

/// The file that an agent's definition means, seen from the folder.
pub(crate) fn beside_agent(named: &str) -> String {
    format!("{AGENTS}/{named}")
}

/// The files that a file names, seen from the folder.
fn named_by(name: &str, text: &str) -> BTreeSet<String> {
    if name == DOTENV {
        let names = |name: &str| name == "TATA_MODELS" || name.ends_with("_FILE");
        return dotenv::parse(text)
            .into_iter()
            .filter(|(name, _)| names(name))
            .map(|(_, file)| file)
            .collect();
    }
    if name == SETTINGS {
        let file: Option<NamedBySettings> = toml::from_str(text).ok();
        return file.and_then(|file| file.models_file).into_iter().collect();
    }
    if agent_name(name).is_some() {
        return prompt_file(name, text).map(|file| beside_agent(&file)).into_iter().collect();
    }
    BTreeSet::new()
}

/// The file that an agent's definition names for its prompt.
fn prompt_file(name: &str, text: &str) -> Option<String> {
    let file: Option<NamedByAgent> = tata_core::from_yaml(name, text).ok();
    file.and_then(|file| file.system_prompt_file)
}

/// The text of a file inside a folder that somebody names: it has to be there.
fn present(root: &Path, name: &str) -> Result<String, Problem> {
    inside(root, name)?.ok_or_else(|| "it is not there".to_owned())
}

/// The text of a regular file inside a folder; none if it is not there. Nothing that leads out of the folder is
/// followed, and nothing is opened that could block or never end.
pub(crate) fn inside(root: &Path, name: &str) -> Result<Option<String>, Problem> {
    let parts = Path::new(name).components();
    if !parts.into_iter().all(|part| matches!(part, Component::Normal(_) | Component::CurDir)) {
        return Err("a file of a folder can name only files inside that folder".to_owned());
    }
    let root = root.canonicalize().map_err(|error| error.to_string())?;
    let path = match root.join(name).canonicalize() {
        Ok(path) => path,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            let is_link = fs::symlink_metadata(root.join(name)).is_ok_and(|found| found.is_symlink());
            return if is_link { Err("it is a link that leads nowhere".to_owned()) } else { Ok(None) };
        }
        Err(error) => return Err(error.to_string()),
    };
    if !path.starts_with(&root) {
        return Err("it is a link that leads out of the folder".to_owned());
    }
    regular(&path).map(Some)
}

/// The text of a regular file of a bounded size.
pub(crate) fn regular(path: &Path) -> Result<String, Problem> {
    let kind = fs::metadata(path).map_err(|error| error.to_string())?;
    if !kind.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    let text = named_file::bytes(path, LARGEST).map_err(|why| match why {
        NotRead::TooLarge { .. } => "it is larger than 1 MiB".to_owned(),
        why @ (NotRead::Failed(_) | NotRead::Folder | NotRead::NoFile) => why.to_string(),
    })?;
    String::from_utf8(text).map_err(|_| "it is not UTF-8 text".to_owned())
}
