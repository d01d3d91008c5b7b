//! The agents there are: built in, in the configuration folder, in this folder's `agents`. The later ones win.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use tata_core::{AgentConfig, FileError, Surroundings, near, read_agent};
use tata_llm::Catalog;

/// The agent that answers when none is named.
pub(crate) const DEFAULT: &str = "tata";

const BUILT_IN: [(&str, &str); 3] = [
    ("tata", include_str!("../agents/tata.yaml")),
    ("docs", include_str!("../agents/docs.yaml")),
    ("coach", include_str!("../agents/coach.yaml")),
];

/// The largest definition or prompt.
const LARGEST: u64 = 1024 * 1024;

/// Definitions that cannot be used: every mistake of a file.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
pub(crate) struct BadDefinition(pub(crate) Vec<FileError>);

/// A name that no agent has.
#[derive(Debug, thiserror::Error)]
#[error("there is no agent {name:?}")]
pub(crate) struct UnknownAgent {
    pub(crate) name: String,
    pub(crate) near: Vec<String>,
    pub(crate) known: Vec<String>,
}

/// The text of every definition by name, the last one of a name.
pub(crate) fn sources(folders: &[PathBuf]) -> anyhow::Result<BTreeMap<String, (String, String)>> {
    let built_in =
        |(name, text): (&str, &str)| (name.to_owned(), (format!("built-in {name}.yaml"), text.to_owned()));
    let mut sources: BTreeMap<_, _> = BUILT_IN.into_iter().map(built_in).collect();
    for folder in folders {
        for path in yaml_files(folder)? {
            let Some(name) = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned) else {
                continue;
            };
            // One that cannot be read is a mistake of that agent, not of the others: its check will say so.
            let text = read(&path).unwrap_or_else(|why| format!("cannot be read: \"{why}\""));
            sources.insert(name, (path.display().to_string(), text));
        }
    }
    Ok(sources)
}

/// One agent, read and checked.
pub(crate) fn find(
    name: &str,
    folders: &[PathBuf],
    catalog: &Catalog,
    tools: &[&str],
) -> anyhow::Result<AgentConfig> {
    let mut sources = sources(folders)?;
    // A path is a definition, too.
    let as_path = Path::new(name);
    let is_file = as_path.extension().is_some_and(|end| end == "yaml" || end == "yml");
    let (from, text) = if is_file {
        let text = read(as_path).map_err(|why| unreadable(as_path, &why))?;
        (name.to_owned(), text)
    } else if let Some(found) = sources.remove(name) {
        found
    } else {
        let known: Vec<String> = sources.into_keys().collect();
        let near = near(name, known.iter().map(String::as_str));
        return Err(UnknownAgent { name: name.to_owned(), near, known }.into());
    };
    let stem = as_path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    Ok(check(&from, stem, &text, catalog, tools)?)
}

/// Reads a definition and checks it against the models and tools there are.
pub(crate) fn check(
    from: &str,
    name: &str,
    text: &str,
    catalog: &Catalog,
    tools: &[&str],
) -> Result<AgentConfig, BadDefinition> {
    let folder = Path::new(from).parent().map(Path::to_owned).unwrap_or_default();
    let around = Surroundings {
        model: &|name| match catalog.resolve(name) {
            _ if name == tata_recruit::GUIDED => Ok(None),
            Ok((spec, _)) => Ok(spec.max_output),
            Err(unknown) => Err(unknown.near),
        },
        tools,
        prompt: &|path| read(&folder.join(path)).map_err(|why| why.to_string()),
    };
    read_agent(from, name, text, &around).map_err(BadDefinition)
}

fn unreadable(path: &Path, why: &io::Error) -> BadDefinition {
    let problem = format!("it cannot be read: {why}");
    BadDefinition(vec![FileError { path: path.display().to_string(), line: None, problem, hint: None }])
}

fn read(path: &Path) -> io::Result<String> {
    if fs::metadata(path)?.len() > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    fs::read_to_string(path)
}

/// The YAML files of a folder in order of name; a folder that is not there has none.
fn yaml_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        Err(error) => return Err(error),
    };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "yaml" || end == "yml") && path.is_file());
    files.sort();
    Ok(files)
}
