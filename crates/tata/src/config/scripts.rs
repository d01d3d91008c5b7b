//! The files that the commands of MCP servers name. Whoever trusts a command trusts what it does, and that stands in these
//! files: they are part of what is trusted. What a script loads in its turn is not known here.

use std::{
    collections::BTreeMap,
    fs::File,
    io::Read,
    path::{Component, Path, PathBuf},
};

use sha2::{Digest, Sha256};
use tata_core::McpServer;
use tata_mcp::{Declared, parse_servers};

use super::folder::MCP;

/// A script or program that is larger is known by its size alone.
const LARGEST: u64 = 64 * 1024 * 1024;
/// More files than this are not what a command is made of.
const MOST: usize = 100;

/// An agent's file as far as it starts commands.
#[derive(Default, serde::Deserialize)]
#[serde(default)]
struct Starting {
    mcp_servers: BTreeMap<String, McpServer>,
}

/// The files that a file of the folder has started or handed over, each with a seal of its content.
pub(super) fn of_file(name: &str, text: &str, roots: &[&Path]) -> BTreeMap<String, String> {
    if name == MCP {
        let servers = parse_servers(MCP, text).map(|parsed| parsed.servers).unwrap_or_default();
        return of_servers(&servers, roots);
    }
    of_agent(name, text, roots)
}

/// The same for an agent's definition.
pub(super) fn of_agent(name: &str, text: &str, roots: &[&Path]) -> BTreeMap<String, String> {
    let file: Starting = tata_core::from_yaml(name, text).unwrap_or_default();
    let servers: Vec<Declared> =
        file.mcp_servers.iter().map(|(name, server)| Declared::of_agent(name, server)).collect();
    of_servers(&servers, roots)
}

fn of_servers(servers: &[Declared], roots: &[&Path]) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for server in servers {
        for word in server.command.iter().chain(&server.args).chain(server.env.values()) {
            for piece in pieces(word) {
                for root in roots {
                    let base = root.join(server.cwd.as_deref().unwrap_or_default());
                    if found.len() < MOST {
                        found.extend(sealed(root, &base.join(piece)));
                    }
                }
            }
        }
    }
    found
}

/// The parts of a word that could be paths: of `sh -c "./run.sh && x"`, `--file=a.py` and `${X:-./b.sh}` as well.
fn pieces(word: &str) -> impl Iterator<Item = &str> {
    let splits = |c: char| c.is_whitespace() || "=:;,&|\"'(){}<>".contains(c);
    let parts = word.split(splits).map(|part| part.trim_start_matches('-'));
    std::iter::once(word).chain(parts).filter(|part| !part.is_empty())
}

/// A file inside the folder by its name there, and what it is: where links lead, and a digest of its content.
fn sealed(root: &Path, path: &Path) -> Option<(String, String)> {
    let path = without_dots(path)?;
    let real = path.canonicalize().ok()?;
    let name = path.strip_prefix(root).or_else(|_| real.strip_prefix(root)).ok()?.to_str()?.to_owned();
    let kind = real.metadata().ok()?;
    if !kind.is_file() {
        return None;
    }
    let content = if kind.len() > LARGEST { kind.len().to_string() } else { digest(&real)? };
    Some((name, format!("{} {content}", real.display())))
}

/// The path without `.` and `..`, as far as it says so itself.
fn without_dots(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !plain.pop() {
                    return None;
                }
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => plain.push(part),
        }
    }
    Some(plain)
}

fn digest(path: &Path) -> Option<String> {
    let mut hash = Sha256::new();
    let mut file = File::open(path).ok()?.take(LARGEST);
    let mut buffer = [0; 8192];
    loop {
        match file.read(&mut buffer).ok()? {
            0 => {
                let digest = hash.finalize();
                return Some(digest.iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}")));
            }
            count => hash.update(buffer.get(..count)?),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_names_its_files_in_many_ways() {
        let of = |word: &'static str| pieces(word).collect::<Vec<_>>();
        assert!(of("./run.py").contains(&"./run.py"));
        assert!(of("--file=conf/a.json").contains(&"conf/a.json"));
        assert!(of("./run.sh && node x.js").contains(&"./run.sh"));
        assert!(of("${TOOL:-./evil.sh}").contains(&"./evil.sh"), "{:?}", of("${TOOL:-./evil.sh}"));
        assert_eq!(without_dots(Path::new("/a/./b/../c")), Some(PathBuf::from("/a/c")));
    }
}
