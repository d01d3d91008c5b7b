//! Plain lists as Rust: each section of a file of `data/lists` is a static, and each section that the files of a folder share.

use std::{fmt::Write as _, path::Path};

use super::{LANGUAGES, List, Section, files};

/// The statics of a folder of files; each is named by its file and its section: `GERMAN_VERBS`.
pub fn plain_files(folder: &Path) -> Result<String, String> {
    let mut text = String::new();
    for path in files(folder)? {
        let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        List::read(&path)?.each(|section| {
            let name = name(&file, &section.name);
            let (kind, count, items) = items(section)?;
            let _ = writeln!(text, "pub(crate) static {name}: [{kind}; {count}] = [{items}];");
            Ok(())
        })?;
    }
    Ok(text)
}

/// The statics of a folder with a file for each language: for every section a list by language.
pub fn plain_languages(folder: &Path, sections: &[&str]) -> Result<String, String> {
    let file = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let lists = LANGUAGES.iter().map(|code| List::read(&folder.join(format!("{code}.txt"))));
    let mut lists = lists.collect::<Result<Vec<_>, _>>()?;
    let mut text = String::new();
    for section in sections {
        let read = lists.iter_mut().map(|list| list.section(section).and_then(items));
        let read = read.collect::<Result<Vec<_>, _>>()?;
        let kind = read.first().map_or("&str", |(kind, _, _)| kind);
        let items: Vec<String> = read.iter().map(|(_, _, items)| format!("&[{items}]")).collect();
        let items = items.join(", ");
        let _ = writeln!(
            text,
            "pub(crate) static {}: [&[{kind}]; {}] = [{items}];",
            name(&file, section),
            lists.len()
        );
    }
    lists.into_iter().try_for_each(List::end).map(|()| text)
}

fn name(file: &str, section: &str) -> String {
    let name = if section.is_empty() { file.to_owned() } else { format!("{file}_{section}") };
    name.to_uppercase()
}

/// The type of a section's entries, how many there are, and the entries.
fn items(section: Section) -> Result<(&'static str, usize, String), String> {
    if section.has_fields() {
        let pairs = section.pairs()?;
        return Ok(("(&str, &str)", pairs.len(), written(&pairs)));
    }
    let entries = section.sorted()?;
    Ok(("&str", entries.len(), written(&entries)))
}

/// Entries as Rust writes them.
fn written<T: std::fmt::Debug>(entries: &[T]) -> String {
    let entries: Vec<String> = entries.iter().map(|entry| format!("{entry:?}")).collect();
    entries.join(", ")
}
