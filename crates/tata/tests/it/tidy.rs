//! The house rules that a machine can check.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// A source with more lines of code than this has a second idea hiding in it.
const LONGEST: usize = 500;
/// A function with more lines than this does two things.
const LONGEST_FUNCTION: usize = 100;
/// A line of data that nobody can compare with the one before it.
const LONGEST_LINE: usize = 200;
/// Names that say nothing.
const VAGUE: [&str; 6] = ["utils", "util", "helpers", "common", "manager", "types"];

pub(crate) fn root() -> PathBuf {
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

pub(crate) fn texts(endings: &[&str]) -> Vec<(PathBuf, String)> {
    let wanted = |path: &PathBuf| path.extension().is_none_or(|end| endings.iter().any(|e| end == *e));
    files()
        .into_iter()
        .filter(wanted)
        .filter_map(|path| Some((path.clone(), fs::read_to_string(path).ok()?)))
        .collect()
}

/// Whether a line is neither blank nor a comment.
fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

#[test]
fn no_file_and_no_function_is_too_long() {
    let sources = texts(&["rs", "py", "sh", "md", "mjs"]);
    assert!(sources.len() > 50, "{} files", sources.len());
    for (path, text) in sources {
        let lines = text.lines().filter(|line| is_code(line)).count();
        assert!(lines <= LONGEST, "{} has {lines} lines of code, more than {LONGEST}", path.display());
        if path.extension().is_some_and(|end| end == "rs") {
            check_functions(&path, &text);
        }
    }
}

/// A function ends where a brace stands as far in as it begins: rustfmt sees to that.
fn check_functions(path: &Path, text: &str) {
    let lines: Vec<&str> = text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let begin = line.trim_start();
        let words = ["fn ", "pub fn ", "pub(crate) fn ", "pub(super) fn ", "async fn ", "pub async fn "];
        if !words.iter().any(|word| begin.starts_with(word)) {
            continue;
        }
        // What is only declared has no body.
        if lines[at..].iter().find_map(|line| line.find(['{', ';']).map(|place| &line[place..=place]))
            == Some(";")
        {
            continue;
        }
        let end = format!("{}}}", &line[..line.len() - begin.len()]);
        let body = lines[at..].iter().take_while(|line| ***line != *end).filter(|line| is_code(line));
        let count = body.count();
        assert!(count <= LONGEST_FUNCTION, "{}:{} has {count} lines", path.display(), at + 1);
    }
}

/// Lists are for people who compare them line by line.
#[test]
fn no_line_of_data_is_too_long() {
    let data = texts(&["yaml", "txt", "tsv"]);
    let data = data.iter().filter(|(path, _)| {
        let path = path.to_string_lossy();
        ["/data/", "/texts/", "/training/"].iter().any(|folder| path.contains(folder))
    });
    let mut seen = 0;
    for (path, text) in data {
        seen += 1;
        let long = text.lines().position(|line| line.chars().count() > LONGEST_LINE);
        assert!(long.is_none(), "{}:{}", path.display(), long.unwrap_or_default() + 1);
    }
    assert!(seen > 50, "{seen} files");
}

/// What is public and stands nowhere else is of no use to anybody; neither is a dependency that no source names.
#[test]
fn nothing_public_is_dead() {
    let code = |text: &str| text.lines().filter(|line| is_code(line)).collect::<Vec<_>>().join("\n");
    let sources: Vec<(PathBuf, String)> =
        texts(&["rs", "html"]).into_iter().map(|(path, text)| (path, code(&text))).collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, text) in &sources {
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            *counts.entry(word).or_default() += 1;
        }
    }
    for (path, text) in sources.iter().filter(|(path, _)| path.to_string_lossy().contains("/src/")) {
        for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("pub")) {
            let words: Vec<&str> = line.split([' ', '(', '<', ':', ';', '=', '{']).collect();
            let kinds = ["fn", "struct", "enum", "trait", "type", "const", "static"];
            // A constant function is a function.
            let Some(at) = words.iter().rposition(|word| kinds.contains(word)) else { continue };
            let name = words.get(at + 1).copied().unwrap_or_default();
            assert!(counts.get(name) != Some(&1), "{name} in {} is used by nobody", path.display());
        }
    }
}

#[test]
fn every_dependency_is_used() {
    for folder in fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path()) {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let used: String = texts(&["rs"])
            .into_iter()
            .filter(|(path, _)| path.starts_with(&folder) && !path.starts_with(folder.join("tests")))
            .map(|(_, text)| text)
            .collect();
        let section = manifest.split("[dependencies]").nth(1).unwrap_or_default();
        let section = section.split("\n[").next().unwrap_or_default();
        for line in section.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_lowercase()))
        {
            let name = line.split([' ', '.', '=']).next().unwrap_or_default().replace('-', "_");
            assert!(used.contains(&name), "{} names {name} and does not use it", folder.display());
        }
    }
}

/// Recorded streams, trained weights, a font, and the pictures of the documents.
const NO_TEXT: [&str; 4] = ["sse", "bin", "ttf", "png"];

/// Downloads and builds have no place beside the sources; test data that is no text says so by its ending.
#[test]
fn every_file_is_text() {
    for path in files()
        .iter()
        .filter(|path| path.extension().is_none_or(|end| !NO_TEXT.iter().any(|ending| end == *ending)))
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
/// Files of the program's own, and `scripts.rs`, which looks at what a name leads to before it opens it.
const OPEN_FILES_THEMSELVES: [&str; 9] = [
    "named_file.rs",
    "history.rs",
    "local_users.rs",
    "pending.rs",
    "tokens.rs",
    "wire_counts.rs",
    "commands/demo.rs",
    "commands/pages/sample.rs",
    "config/scripts.rs",
];

/// A file that a person names can be a device, a pipe or endless: only `named_file.rs` opens one.
#[test]
fn files_that_people_name_are_opened_in_one_place() {
    let source = root().join("crates/tata/src");
    for (path, text) in texts(&["rs"]) {
        let Ok(name) = path.strip_prefix(&source) else { continue };
        if OPEN_FILES_THEMSELVES.iter().any(|own| name == Path::new(own)) {
            continue;
        }
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        for way in ["fs::read(", "fs::read_to_string(", "File::open("] {
            assert!(!code.contains(way), "{} uses {way}…); use `named_file`", path.display());
        }
    }
}

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
