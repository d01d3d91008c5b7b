//! The texts of each voice in one list, so that no file is read at run time, and their keys.
//!
//! A record is `=` and one text, or `*` and a list of them; see `Texts` for what the files say. The records of all voices
//! are in the order of the keys.

use std::{collections::BTreeMap, path::Path};

use serde::Deserialize;
use tata_phrases::build;

/// Ends a text of a list.
const FIELD: &str = "\u{1f}";
/// Ends a record.
const RECORD: &str = "\u{1e}";

/// The texts of one voice: records by their keys.
pub(crate) struct Voice(BTreeMap<String, String>);

/// A file as people write it.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Node {
    Text(String),
    List(Vec<String>),
    Tree(BTreeMap<String, Node>),
}

impl Voice {
    /// All files of a language, with the texts of one form where there are two.
    pub(crate) fn read(folder: &Path, form: &str) -> Result<Self, String> {
        let mut voice = Self(BTreeMap::new());
        let paths = build::files(folder)?;
        for path in paths.iter().filter(|path| path.extension().is_some_and(|ending| ending == "yaml")) {
            let area = path.file_stem().unwrap_or_default().to_string_lossy();
            voice.take(&area, &file(path)?, form);
        }
        Ok(voice)
    }

    fn take(&mut self, key: &str, node: &Node, form: &str) {
        let record = match node {
            Node::Text(text) => format!("={}", text.trim_end()),
            Node::List(texts) => texts.iter().fold("*".to_owned(), |record, text| record + text + FIELD),
            Node::Tree(tree) => match (tree.len(), tree.get("du").is_some(), tree.get(form)) {
                (2, true, Some(own)) => return self.take(key, own, form),
                _ => {
                    return tree
                        .iter()
                        .for_each(|(name, node)| self.take(&format!("{key}.{name}"), node, form));
                }
            },
        };
        self.0.insert(key.to_owned(), record);
    }

    /// Its records; what it lacks of another, or has beyond it, is a mistake.
    pub(crate) fn records(&self, other: &Self, folder: &str) -> Result<String, String> {
        let lacks = |one: &Self, other: &Self| other.0.keys().find(|key| !one.0.contains_key(*key)).cloned();
        if let Some(key) = lacks(self, other) {
            return Err(format!("texts/{folder}: {key} is missing"));
        }
        if let Some(key) = lacks(other, self) {
            return Err(format!("texts/{folder}: {key} is in no other language"));
        }
        Ok(self.0.values().fold(String::new(), |records, record| records + record + RECORD))
    }

    /// The keys as Rust.
    pub(crate) fn keys(&self) -> String {
        format!("const NAMES: &[&str] = &{:?};", self.0.keys().collect::<Vec<_>>())
    }
}

/// A file, or what is wrong with it and where.
fn file(path: &Path) -> Result<Node, String> {
    serde_saphyr::from_str(&build::text(path)?).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line());
        format!("{}:{line}: {}", path.display(), error.without_snippet())
    })
}
