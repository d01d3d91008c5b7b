//! No circles: files of different folders do not need each other in a ring. Inside a folder they may.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// A path in a crate: the names that lead from its root to a module, or on to something in it.
type Names = Vec<String>;

/// What is seen of a file.
struct Source {
    file: PathBuf,
    /// What is imported from elsewhere in the crate, by its name here. Every other name is written here.
    imported: BTreeMap<String, Names>,
    /// Every path into the crate.
    paths: Vec<Names>,
}

/// The module of a file below `src`. The root of a crate names all its parts: it is in no circle.
fn module_of(file: &Path) -> Names {
    let names = file.with_extension("");
    let mut names: Names = names.iter().map(|name| name.to_string_lossy().into_owned()).collect();
    names.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    names
}

/// The lines of a source without comments and without what is there for tests only: as rustfmt writes it, that ends with a
/// line as far in as it begins.
fn code(text: &str) -> String {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let (mut skipped, mut kept) = (None, String::new());
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        if skipped.is_none() && (line.contains("#[cfg(test)]") || line.contains("#[cfg(all(test")) {
            skipped = Some(indent(line));
        } else if skipped.is_none() {
            kept.extend([line, "\n"]);
        } else if skipped == Some(indent(line)) && line.ends_with(['}', ';', ',']) {
            skipped = None;
        }
    }
    kept
}

/// Words, `::` and all other marks, each by itself.
fn tokens(code: &str) -> Vec<&str> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let (mut found, mut rest) = (Vec::new(), code.trim_start());
    while let Some(first) = rest.chars().next() {
        let end = match first {
            ':' if rest.starts_with("::") => 2,
            first if is_word(first) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            first => first.len_utf8(),
        };
        found.push(&rest[..end]);
        rest = rest[end..].trim_start();
    }
    found
}

/// The paths that begin at a place, as `a::{b, c::d as e}` has three, each with the name it is imported by.
fn paths_at(tokens: &[&str], at: &mut usize, before: &[String], found: &mut Vec<(Names, String)>) {
    let mut path = [before, &[tokens[*at].to_owned()]].concat();
    *at += 1;
    while tokens.get(*at) == Some(&"::") {
        *at += 2;
        match tokens.get(*at - 1) {
            Some(&"{") => {
                while tokens.get(*at).is_some_and(|token| *token != "}") {
                    match tokens[*at] {
                        "," => *at += 1,
                        _ => paths_at(tokens, at, &path, found),
                    }
                }
                *at += 1;
                return;
            }
            Some(name) => path.push((*name).to_owned()),
            None => {}
        }
    }
    path.pop_if(|last| last == "self" && !before.is_empty());
    let mut name = path.last().cloned().unwrap_or_default();
    if tokens.get(*at) == Some(&"as") {
        name = tokens.get(*at + 1).map_or(name, |name| (*name).to_owned());
        *at += 2;
    }
    found.push((path, name));
}

/// A path as it stands in a module, from the root of the crate; nothing if it leads out of it.
fn from_root(module: &[String], path: &[String], modules: &BTreeSet<Names>) -> Option<Names> {
    let up = path.iter().take_while(|name| *name == "super").count();
    let (start, rest) = match path.first()?.as_str() {
        "crate" => (&module[..0], &path[1..]),
        "self" => (module, &path[1..]),
        "super" => (&module[..module.len().saturating_sub(up)], &path[up..]),
        _ if modules.contains(&[module, &path[..1]].concat()) => (module, path),
        _ => return None,
    };
    Some([start, rest].concat())
}

/// A file as far as it matters here.
fn read(file: &Path, text: &str, modules: &BTreeSet<Names>) -> Source {
    let (module, code) = (module_of(file), code(text));
    let (tokens, mut at) = (tokens(&code), 0);
    let (mut imports, mut others) = (Vec::new(), Vec::new());
    while at + 1 < tokens.len() {
        match (at.checked_sub(1).map(|before| tokens[before]), tokens[at + 1]) {
            (Some("use"), "::") => paths_at(&tokens, &mut at, &[], &mut imports),
            (_, "::") => paths_at(&tokens, &mut at, &[], &mut others),
            _ => at += 1,
        }
    }
    let named = |(path, name): &(Names, String)| Some((name.clone(), from_root(&module, path, modules)?));
    let imported: BTreeMap<String, Names> = imports.iter().filter_map(named).collect();
    // A path may begin with what is imported.
    let through = |path: &Names| Some([imported.get(&path[0])?, &path[1..]].concat());
    let whole = |(path, _): &(Names, String)| from_root(&module, path, modules).or_else(|| through(path));
    let paths = imports.iter().chain(&others).filter_map(whole).collect();
    Source { file: file.to_owned(), imported, paths }
}

/// The file in which what a path names is written, whoever hands it on.
fn home<'a>(path: &[String], sources: &'a BTreeMap<Names, Source>, hops: u8) -> Option<&'a PathBuf> {
    let known = (0..=path.len()).rev().find(|end| sources.contains_key(&path[..*end]))?;
    let source = &sources[&path[..known]];
    match path.get(known).and_then(|name| source.imported.get(name)) {
        Some(next) if hops > 0 => home(&[next, &path[known + 1..]].concat(), sources, hops - 1),
        Some(_) | None => Some(&source.file),
    }
}

/// The circles among the files of a crate that span folders.
fn circles(files: &BTreeMap<PathBuf, String>) -> BTreeSet<BTreeSet<PathBuf>> {
    let modules = files.keys().map(|file| module_of(file)).collect();
    let read = |(file, text): (&PathBuf, &String)| (module_of(file), read(file, text, &modules));
    let sources: BTreeMap<Names, Source> = files.iter().map(read).collect();
    let mut reached: BTreeMap<&PathBuf, BTreeSet<&PathBuf>> = BTreeMap::new();
    for (_, source) in sources.iter().filter(|(module, _)| !module.is_empty()) {
        let used = source.paths.iter().filter_map(|path| home(path, &sources, 9));
        reached.insert(&source.file, used.collect());
    }
    for file in files.keys() {
        let beyond = reached.get(file).cloned().unwrap_or_default();
        reached.values_mut().filter(|all| all.contains(file)).for_each(|all| all.extend(&beyond));
    }
    let back = |from: &PathBuf, to: &PathBuf| reached.get(from).is_some_and(|all| all.contains(to));
    let ring = |file: &PathBuf| reached[file].iter().filter(|to| back(to, file)).copied().cloned().collect();
    let mut rings: BTreeSet<BTreeSet<PathBuf>> = reached.keys().map(|file| ring(file)).collect();
    rings.retain(|ring| ring.iter().map(|file| file.parent()).collect::<BTreeSet<_>>().len() > 1);
    rings
}

#[test]
fn no_circle_of_files_spans_folders() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let inside = |folder: &Path| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    for house in inside(crates) {
        let (root, mut files) = (house.join("src"), BTreeMap::new());
        let mut open = vec![root.clone()];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(inside(&path));
            } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
                let text = fs::read_to_string(&path).unwrap();
                files.insert(path.strip_prefix(&root).unwrap().to_owned(), text);
            }
        }
        assert!(files.len() > 5, "{} has sources", house.display());
        let found = circles(&files);
        assert!(found.is_empty(), "{}: these need each other: {found:#?}", house.display());
    }
}

#[test]
fn a_circle_is_found() {
    let files = |below: &str| {
        let all = [
            ("lib.rs", "mod a; mod b; pub use b::B;"),
            ("a/mod.rs", "mod one;\npub(crate) use self::one::{A, other as f};"),
            ("a/one.rs", "use std::fmt;\nuse crate::{B, c};\npub(crate) struct A(B);"),
            ("b/mod.rs", "mod below;\npub use below::B;"),
            ("b/below.rs", below),
        ];
        circles(&all.map(|(file, text)| (PathBuf::from(file), text.to_owned())).into())
    };
    let ring = BTreeSet::from(["a/one.rs", "b/below.rs"].map(PathBuf::from));
    for below in ["pub struct B(crate::a::A);", "use super::super::a::{self, f};\npub struct B;"] {
        assert!(files(below).first().is_some_and(|found| ring.is_subset(found)), "{below}");
    }
    let harmless = "/// [`crate::a::A`]\npub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n";
    assert!(files(harmless).is_empty());
}
