//! Cues (`data/skills`, `data/interview`, `data/headhunting.txt`, `data/form.txt`) as tables, and the numbers of their
//! lists as Rust.

use std::{fmt::Write as _, path::PathBuf};

use tata_phrases::{
    Style,
    build::{self, List},
};

/// The cues of a file, or of one for each language.
#[derive(Default)]
pub(crate) struct CueLists {
    /// The names of the lists in the order of their numbers; those of the next file go on after them.
    names: Vec<String>,
    files: usize,
    /// The number of the list of each cue.
    entries: Vec<(usize, String)>,
}

/// A list that holds for all languages stands in the first file alone.
const SHARED: &str = "names";

impl CueLists {
    /// Reads the files; the first says which lists there are. A capital is refused where texts are read in small letters: a
    /// cue that has one would never be found.
    pub(crate) fn read(paths: &[PathBuf], with_capitals: bool) -> Result<Self, String> {
        let mut all = Self { files: paths.len(), ..Self::default() };
        for (file, path) in paths.iter().enumerate() {
            let list = List::read(path)?;
            let has_capital = |cue: &str| !with_capitals && cue.chars().any(char::is_uppercase);
            list.refuse("has a capital letter and is never found", has_capital)?;
            let lists = list.each(|section| Ok((section.name.clone(), section.entries()?)))?;
            if file == 0 {
                all.names = lists.iter().map(|(name, _)| name.clone()).collect();
            }
            let has = |name: &String| lists.iter().any(|(known, cues)| known == name && !cues.is_empty());
            if let Some(name) = all.names.iter().find(|name| *name != SHARED && !has(name)) {
                return Err(format!("{}: [{name}] is missing", path.display()));
            }
            for (name, cues) in lists {
                let at = all.names.iter().position(|known| *known == name);
                let at = at.ok_or_else(|| format!("{}: there is no [{name}]", path.display()))?;
                all.entries.extend(cues.into_iter().map(|cue| (file * all.names.len() + at, cue)));
            }
        }
        Ok(all)
    }

    /// Takes a list out that is no cues, as the text of a static: the words of all files.
    pub(crate) fn take(&mut self, name: &str) -> String {
        let Some(at) = self.names.iter().position(|known| known == name) else { return String::new() };
        let lists = self.names.len();
        let words = self.entries.extract_if(.., |(list, _)| *list % lists == at).map(|(_, word)| word);
        let words: Vec<String> = words.collect();
        format!("pub(crate) static {}: &[&str] = &{words:?};\n", name.to_uppercase())
    }

    /// The tables. What is harmless (`!`) stands in a list of its own, after all others.
    pub(crate) fn tables(&self, style: Style) -> Result<Vec<u8>, String> {
        let lists = self.files * self.names.len();
        let harmless = |(list, cue): &(usize, String)| match cue.strip_prefix('!') {
            Some(cue) => (lists + list, cue.to_owned()),
            None => (*list, cue.clone()),
        };
        let mut cues: Vec<(usize, String)> = self.entries.iter().map(harmless).collect();
        // Of cues that begin with the same word, those with all of it are found first, then the shortest beginning.
        cues.sort_by_key(|(_, cue)| {
            let first = cue.split(' ').next().unwrap_or_default();
            if first.contains('*') { first.chars().count() } else { 0 }
        });
        build::cues(style, cues.iter().map(|(list, cue)| (*list, cue.as_str())))
    }

    /// The numbers of the lists as constants; those with a dot in their name are also found by what stands after it.
    pub(crate) fn numbers(&self) -> String {
        let mut text = String::new();
        if self.files > 1 {
            let _ = writeln!(text, "pub(crate) const LISTS: usize = {};", self.names.len());
        }
        let mut parted = Vec::new();
        let used = |at: &usize| self.entries.iter().any(|(list, _)| list == at);
        for (at, name) in self.names.iter().enumerate().filter(|(at, _)| used(at)) {
            if let Some((_, topic)) = name.split_once("protected.") {
                parted.push((topic, at));
            } else {
                let name = name.replace('.', "_").to_uppercase();
                let _ = writeln!(text, "pub(crate) const {name}: List = List({at});");
            }
        }
        if !parted.is_empty() {
            parted.sort_unstable();
            let rows: Vec<String> =
                parted.iter().map(|(topic, at)| format!("({topic:?}, List({at}))")).collect();
            let (count, rows) = (rows.len(), rows.join(", "));
            let _ = writeln!(text, "pub(crate) const PROTECTED: [(&str, List); {count}] = [{rows}];");
        }
        text
    }
}
