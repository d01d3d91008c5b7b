//! The house rules that a machine can check.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A file longer than this has a second idea hiding in it.
const LONGEST: usize = 800;
/// Names that say nothing.
const VAGUE: [&str; 6] = ["utils", "util", "helpers", "common", "manager", "types"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap().to_owned()
}

/// All files under version control, or, without it, all that are not built.
fn files() -> Vec<PathBuf> {
    let listed =
        Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(root()).output();
    if let Some(output) = listed.ok().filter(|output| output.status.success() && !output.stdout.is_empty()) {
        let text = String::from_utf8(output.stdout).unwrap();
        return text.lines().map(|line| root().join(line)).filter(|path| path.is_file()).collect();
    }
    let mut open = vec![root()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let skipped = path.file_name().is_some_and(|name| name == "target" || name == ".git");
            match (path.is_dir(), skipped) {
                (_, true) => {}
                (true, false) => open.push(path),
                (false, false) => found.push(path),
            }
        }
    }
    found
}

fn texts(endings: &[&str]) -> Vec<(PathBuf, String)> {
    let wanted = |path: &PathBuf| path.extension().is_none_or(|end| endings.iter().any(|e| end == *e));
    files()
        .into_iter()
        .filter(wanted)
        .filter_map(|path| Some((path.clone(), fs::read_to_string(path).ok()?)))
        .collect()
}

#[test]
fn no_file_is_too_long() {
    let sources = texts(&["rs", "py", "sh", "md"]);
    assert!(sources.len() > 50, "{} files", sources.len());
    for (path, text) in sources {
        let lines = text.lines().count();
        assert!(lines <= LONGEST, "{} has {lines} lines, more than {LONGEST}", path.display());
    }
}

/// Downloads and builds have no place beside the sources; test data that is no text says so by its ending.
#[test]
fn every_file_is_text() {
    for path in files()
        .iter()
        .filter(|path| path.extension().is_none_or(|end| end != "sse" && end != "bin" && end != "ttf"))
    {
        let bytes = fs::read(path).unwrap();
        assert!(std::str::from_utf8(&bytes).is_ok(), "{} is no text", path.display());
    }
}

#[test]
fn no_file_has_a_vague_name() {
    for path in files().iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        let folder = path.parent().and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
        assert!(!VAGUE.contains(&stem.as_str()), "{}", path.display());
        assert!(!(stem == "mod" && VAGUE.contains(&folder.as_str())), "{}", path.display());
    }
}

/// Nothing of the machine on which it was written: home folders, checkouts, temporary files.
#[test]
fn no_machine_path_is_written_down() {
    let slash = '/';
    let homes = ["home", "root", "Users", "tmp", "work", "mnt"].map(|home| format!("{slash}{home}{slash}"));
    for (path, text) in texts(&["rs", "py", "sh", "md", "toml", "yaml", "yml", "json", "txt"]) {
        for (at, line) in text.lines().enumerate() {
            // A path is a machine's only where it begins one: after a space, a quote, an equals sign.
            let found = homes.iter().find(|home| {
                line.match_indices(home.as_str()).any(|(place, _)| {
                    let before = line[..place].chars().next_back();
                    before.is_none_or(|c| c.is_whitespace() || "\"'`=(:".contains(c))
                })
            });
            assert!(found.is_none(), "{}:{}: {found:?}", path.display(), at + 1);
        }
    }
}

#[test]
fn no_line_ends_in_white_space_and_every_file_ends_in_a_newline() {
    for (path, text) in texts(&["rs", "py", "sh", "toml", "yaml", "md"]) {
        assert!(text.is_empty() || text.ends_with('\n'), "{} lacks its last newline", path.display());
        if let Some(at) = text.lines().position(|line| line.ends_with([' ', '\t'])) {
            panic!("{}:{} ends in white space", path.display(), at + 1);
        }
    }
}

/// What the README says of exit codes and variables is what the program says.
#[test]
fn the_readme_has_not_drifted_from_the_help() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let help = crate::program::World::new().run(&["--help"]).out;
    for name in
        ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "TATA_MODEL", "TATA_LOG", "TATA_HOME", "tata.toml", "130"]
    {
        assert!(help.contains(name) && readme.contains(name), "{name}");
    }
}
