//! The texts of each voice in one list, so that no file is read at run time.
//!
//! A record is a key, `=` or `*` for one text or a list, and the texts; see `Texts` for what the files say.

use std::{collections::BTreeMap, fs, path::Path};

use serde::Deserialize;

/// Parts a record's fields.
const FIELD: char = '\u{1f}';
/// Ends a record.
const RECORD: char = '\u{1e}';

/// A file as people write it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Node {
    Text(String),
    List(Vec<String>),
    Tree(BTreeMap<String, Node>),
}

/// All files of a language, with the texts of one form where there are two.
pub(crate) fn records(folder: &Path, form: &str) -> Result<String, String> {
    let problem = |error: &dyn std::fmt::Display| format!("{}: {error}", folder.display());
    let mut paths = fs::read_dir(folder)
        .map_err(|error| problem(&error))?
        .map(|entry| Ok(entry.map_err(|error| problem(&error))?.path()))
        .collect::<Result<Vec<_>, String>>()?;
    paths.sort();
    let mut records = String::new();
    for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "yaml")) {
        let area = path.file_stem().unwrap_or_default().to_string_lossy();
        write(&mut records, &area, &file(path)?, form);
    }
    Ok(records)
}

fn write(records: &mut String, key: &str, node: &Node, form: &str) {
    let mut record = |kind: char, texts: &[&str]| {
        records.push_str(key);
        records.push(FIELD);
        records.push(kind);
        for text in texts {
            records.push(FIELD);
            records.push_str(text);
        }
        records.push(RECORD);
    };
    match node {
        Node::Text(text) => record('=', &[text.trim_end()]),
        Node::List(texts) => record('*', &texts.iter().map(String::as_str).collect::<Vec<_>>()),
        Node::Tree(tree) => match (tree.len(), tree.get("du").is_some(), tree.get(form)) {
            (2, true, Some(own)) => write(records, key, own, form),
            _ => tree.iter().for_each(|(name, node)| write(records, &format!("{key}.{name}"), node, form)),
        },
    }
}

/// A file, or what is wrong with it and where.
fn file(path: &Path) -> Result<Node, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_saphyr::from_str(&text).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line());
        format!("{}:{line}: {}", path.display(), error.without_snippet())
    })
}
