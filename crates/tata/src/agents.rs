//! The agents there are: built in, in the configuration folder, in this folder's `agents`. The person's own stand in for
//! built-in ones; those of the folder do so only when it is trusted.

use std::{
    collections::BTreeMap,
    fs, io,
    ops::Deref,
    path::{Path, PathBuf},
};

use tata_core::{AgentConfig, FileError, Surroundings, near, read_agent};
use tata_knowledge::RetrievalSettings;
use tata_mcp::Declared;

use crate::config::{Authority, Config, Want, beside_agent, inside, regular};

const BUILT_IN: [(&str, &str); 3] = [
    ("tata", include_str!("../agents/tata.yaml")),
    ("docs", include_str!("../agents/docs.yaml")),
    ("coach", include_str!("../agents/coach.yaml")),
];

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

/// A definition as it was found.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Its file, for people.
    pub(crate) from: String,
    text: String,
    place: Place,
}

/// Where a definition is, and so which files it may name.
#[derive(Clone, Debug)]
enum Place {
    BuiltIn,
    /// In the person's configuration folder.
    Own(PathBuf),
    /// In the current folder.
    Folder,
    /// Named by the person.
    Named(PathBuf),
}

/// A definition that was read and checked, and who brought it.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    config: AgentConfig,
    /// Who brought it, and whether that decides.
    pub(crate) authority: Authority,
    /// Its file, for people.
    pub(crate) from: String,
    /// How it searches documents.
    pub(crate) retrieval: RetrievalSettings,
}

impl Deref for Definition {
    type Target = AgentConfig;

    fn deref(&self) -> &AgentConfig {
        &self.config
    }
}

/// Every definition by name, and those of the folder that are not used because they would stand in for another.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) used: BTreeMap<String, Source>,
    pub(crate) left_out: Vec<String>,
    /// Definitions of the trusted folder that stand in for another.
    pub(crate) instead: Vec<String>,
}

/// Whether a name is that of a built-in agent or of one of the person's own.
pub(crate) fn is_own(name: &str, config: &Config) -> bool {
    let folder = config.own_dir.join("agents");
    let built_in = BUILT_IN.iter().any(|(built_in, _)| *built_in == name);
    built_in || ["yaml", "yml"].iter().any(|end| folder.join(format!("{name}.{end}")).is_file())
}

/// What a person should know of an agent whose name the folder uses as well.
pub(crate) fn note(name: &str, config: &Config) -> Option<String> {
    let in_folder = config.folder.agents().any(|(agent, _)| agent == name);
    if !in_folder || !is_own(name, config) {
        return None;
    }
    let file = format!("./{}", beside_agent(&format!("{name}.yaml")));
    Some(if config.trust.is_given() {
        format!("{file} stands in for the agent {name}.")
    } else {
        format!("{file} is not used: {name} is there already, and this folder is not trusted (`tata trust`).")
    })
}

/// The definitions there are.
pub(crate) fn sources(config: &Config) -> anyhow::Result<Sources> {
    let mut sources = Sources::default();
    for (name, text) in BUILT_IN {
        let source =
            Source { from: format!("built-in {name}.yaml"), text: text.to_owned(), place: Place::BuiltIn };
        sources.used.insert(name.to_owned(), source);
    }
    for path in yaml_files(&config.own_dir.join("agents"))? {
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned) else {
            continue;
        };
        // One that cannot be read is a mistake of that agent, not of the others: its check will say so.
        let text = regular(&path).unwrap_or_else(|why| unread(&why));
        sources.used.insert(name, Source { from: path.display().to_string(), text, place: Place::Own(path) });
    }
    for (name, text) in config.folder.agents() {
        if sources.used.contains_key(name) {
            if !config.trust.is_given() {
                sources.left_out.push(name.to_owned());
                continue;
            }
            sources.instead.push(name.to_owned());
        }
        let text = text.map_or_else(unread, str::to_owned);
        let source = Source {
            from: format!("./{}", beside_agent(&format!("{name}.yaml"))),
            text,
            place: Place::Folder,
        };
        sources.used.insert(name.to_owned(), source);
    }
    Ok(sources)
}

fn unread(why: &(impl std::fmt::Display + ?Sized)) -> String {
    format!("cannot be read: \"{why}\"")
}

/// One agent, read and checked.
pub(crate) fn find(name: &str, config: &Config, tools: &[&str]) -> anyhow::Result<Definition> {
    let mut sources = sources(config)?;
    // A path is a definition, too.
    let as_path = Path::new(name);
    let is_file = as_path.extension().is_some_and(|end| end == "yaml" || end == "yml");
    let source = if is_file {
        named(as_path)?
    } else if let Some(found) = sources.used.remove(name) {
        found
    } else {
        let known: Vec<String> = sources.used.into_keys().collect();
        let near = near(name, known.iter().map(String::as_str));
        return Err(UnknownAgent { name: name.to_owned(), near, known }.into());
    };
    let stem = as_path.file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
    let definition = check(&source, stem, config, tools)?;
    let reaches = [
        definition.retrieval.qdrant_url.as_ref().map(|url| (format!("the document store at {url}"), false)),
        definition.mcp_servers.iter().next().map(|(name, server)| {
            let server = Declared::of_agent(name, server);
            (format!("the MCP server {name} ({})", server.what()), server.command.is_some())
        }),
    ];
    for (what, starts) in reaches.into_iter().flatten() {
        let want = Want::Server { name: stem.to_owned(), what, starts };
        definition.authority.allow(&source.from, want)?;
    }
    Ok(definition)
}

/// A definition by its path.
pub(crate) fn named(path: &Path) -> Result<Source, BadDefinition> {
    let text = regular(path).map_err(|why| unreadable(path, &why))?;
    Ok(Source { from: path.display().to_string(), text, place: Place::Named(path.to_owned()) })
}

/// Reads a definition and checks it against the models and tools there are.
pub(crate) fn check(
    source: &Source,
    name: &str,
    config: &Config,
    tools: &[&str],
) -> Result<Definition, BadDefinition> {
    let around = Surroundings {
        model: &|name| match config.catalog().resolve(name) {
            _ if crate::wiring::is_built_in(name) => Ok(None),
            Ok((spec, _)) => Ok(spec.max_output),
            Err(unknown) => Err(unknown.near),
        },
        tools,
        prompt: &|file| source.place.prompt(file, config),
    };
    let read = read_agent(&source.from, name, &source.text, &around);
    let retrieval = RetrievalSettings::of_agent(&source.from, &source.text);
    let (read, retrieval) = match (read, retrieval) {
        (Ok(read), Ok(retrieval)) => (read, retrieval),
        (Ok(_), Err(problems)) | (Err(problems), Ok(_)) => return Err(BadDefinition(problems)),
        (Err(mut problems), Err(more)) => {
            problems
                .extend(more.into_iter().filter(|problem| !problems.contains(problem)).collect::<Vec<_>>());
            problems.sort_by_key(|problem| problem.line);
            return Err(BadDefinition(problems));
        }
    };
    let authority = match &source.place {
        Place::BuiltIn | Place::Own(_) => Authority::of_person(),
        Place::Folder => Authority::of_folder(config.trust),
        // Whoever names a file means its words; what it starts and where it sends is told first.
        Place::Named(path) => config.authority_of(path, &source.text),
    };
    Ok(Definition { config: read, authority, from: source.from.clone(), retrieval })
}

impl Place {
    /// The file that a definition names for its prompt. Only the person's own definitions may look around.
    fn prompt(&self, file: &str, config: &Config) -> Result<String, String> {
        let beside = |path: &Path| path.parent().unwrap_or_else(|| Path::new(".")).to_owned();
        match self {
            Self::BuiltIn => Err("there is none".to_owned()),
            Self::Own(path) => regular(&beside(path).join(file)),
            Self::Folder => {
                config.folder.named(&beside_agent(file)).map(str::to_owned).map_err(str::to_owned)
            }
            Self::Named(path) => {
                let folder = Some(beside(path)).filter(|folder| !folder.as_os_str().is_empty());
                let folder = folder.unwrap_or_else(|| PathBuf::from("."));
                inside(&folder, file)?.ok_or_else(|| "it is not there".to_owned())
            }
        }
    }
}

fn unreadable(path: &Path, why: &str) -> BadDefinition {
    let problem = format!("it cannot be read: {why}");
    BadDefinition(vec![FileError { path: path.display().to_string(), line: None, problem, hint: None }])
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
