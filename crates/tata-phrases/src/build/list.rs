//! Reads lists as a linguist writes them; `data/README.md` of `tata-recruit` says how.

use std::{collections::BTreeMap, path::Path};

use super::{
    graph::{Graph, Meaning},
    script,
};
use crate::words::Style;

/// A list; whoever reads it takes its sections out, so that nothing is left that nobody knows.
#[derive(Debug)]
pub struct List {
    path: String,
    sections: Vec<Section>,
}

/// What stands under a heading; above the first heading the name is empty.
#[derive(Debug, Default)]
pub struct Section {
    /// What stands in the heading.
    pub name: String,
    /// File and line of the heading.
    place: String,
    fields: BTreeMap<String, Line>,
    entries: Vec<Line>,
    /// File and line of the first entry that should stand above the one before it.
    unsorted: Option<String>,
}

#[derive(Debug)]
struct Line {
    /// File and line.
    place: String,
    text: String,
}

impl List {
    /// Reads a file, or says what is wrong with it and where.
    pub fn read(path: &Path) -> Result<Self, String> {
        let (path, text) = (path.display().to_string(), script::text(path)?);
        let mut sections = vec![Section { place: format!("{path}:1"), ..Section::default() }];
        for line in lines(&path, &text)? {
            let heading = line.text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
            if let Some(name) = heading {
                if sections.iter().any(|section| section.name == name) {
                    return Err(format!("{}: [{name}] stands twice", line.place));
                }
                sections.push(Section { name: name.to_owned(), place: line.place, ..Section::default() });
            } else if let Some(section) = sections.last_mut() {
                section.add(line)?;
            }
        }
        sections.retain(|section| !section.name.is_empty() || !section.is_empty());
        let mut list = Self { path, sections };
        list.expand()?;
        Ok(list)
    }

    /// A section, where there is one.
    pub fn find(&mut self, name: &str) -> Option<Section> {
        let at = self.sections.iter().position(|section| section.name == name)?;
        Some(self.sections.remove(at))
    }

    /// A section that must be there.
    pub fn section(&mut self, name: &str) -> Result<Section, String> {
        self.find(name).ok_or_else(|| format!("{}: [{name}] is missing", self.path))
    }

    /// The entries of a section that has nothing else.
    pub fn entries(&mut self, name: &str) -> Result<Vec<String>, String> {
        self.section(name)?.entries()
    }

    /// What the sections are, where each is an entry of its own.
    pub fn each<T>(self, read: impl FnMut(Section) -> Result<T, String>) -> Result<Vec<T>, String> {
        self.sections.into_iter().map(read).collect()
    }

    /// Names the first entry that something is wrong with.
    pub fn refuse(&self, problem: &str, is_wrong: impl Fn(&str) -> bool) -> Result<(), String> {
        match self.sections.iter().flat_map(|section| &section.entries).find(|line| is_wrong(&line.text)) {
            Some(line) => Err(format!("{}: {:?} {problem}", line.place, line.text)),
            None => Ok(()),
        }
    }

    /// The same list, if all of its entries are patterns; after `!`, too.
    pub fn patterns(self) -> Result<Self, String> {
        for line in self.sections.iter().flat_map(|section| &section.entries) {
            let pattern = line.text.trim_start_matches(['!', ' ']);
            Graph::new([(0, Meaning::Hit, pattern)], Style::Prose)
                .map_err(|problem| format!("{}: {problem}", line.place))?;
        }
        Ok(self)
    }

    /// Nothing may be left that nobody reads.
    pub fn end(self) -> Result<(), String> {
        match self.sections.first() {
            Some(unknown) => Err(unknown.problem(&format!("there is no [{}]", unknown.name))),
            None => Ok(()),
        }
    }

    /// Puts the choices of `[sets]` where entries name them.
    fn expand(&mut self) -> Result<(), String> {
        let mut sets = self.find("sets").unwrap_or_default();
        let mut unused: Vec<String> = sets.fields.keys().cloned().collect();
        for line in self.sections.iter_mut().flat_map(|section| &mut section.entries) {
            while let Some((before, name, after)) = named_set(&line.text) {
                let choices = sets.fields.get(name).map(|set| set.text.as_str());
                let choices = choices.filter(|choices| !choices.contains('{'));
                let choices = choices.ok_or_else(|| format!("{}: there is no set {name:?}", line.place))?;
                unused.retain(|other| other != name);
                // Beside other choices, and alone, it needs no brackets of its own.
                let beside = before.ends_with(['(', '|']) && after.starts_with([')', '|']);
                let bare = beside || !choices.contains('|');
                let (open, close) = if bare { ("", "") } else { ("(", ")") };
                line.text = format!("{before}{open}{choices}{close}{after}");
            }
        }
        sets.fields.retain(|name, _| unused.contains(name));
        sets.end()
    }
}

impl Section {
    /// A problem with its file and line.
    pub fn problem(&self, problem: &str) -> String {
        format!("{}: {problem}", self.place)
    }

    /// The value of a key, where there is one.
    pub fn find(&mut self, key: &str) -> Option<String> {
        self.fields.remove(key).map(|line| line.text)
    }

    /// The value of a key that must be there.
    pub fn value(&mut self, key: &str) -> Result<String, String> {
        self.find(key).ok_or_else(|| self.problem(&format!("[{}] has no {key:?}", self.name)))
    }

    /// The values of a key, between bars; none where it is left out.
    pub fn values(&mut self, key: &str) -> Vec<String> {
        let values = self.find(key).unwrap_or_default();
        values.split('|').map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()).collect()
    }

    /// All keys with their values, of a section that has nothing else.
    pub fn pairs(self) -> Result<Vec<(String, String)>, String> {
        self.pairs_as(|_, value| Some(value.to_owned()))
    }

    /// The same, where not every value can be read.
    pub fn pairs_as<T>(mut self, read: impl Fn(&str, &str) -> Option<T>) -> Result<Vec<(String, T)>, String> {
        let fields = std::mem::take(&mut self.fields);
        self.end()?;
        let pair = |(key, Line { place, text }): (String, Line)| match read(&key, &text) {
            Some(value) => Ok((key, value)),
            None => Err(format!("{place}: \"{key} = {text}\" cannot be read")),
        };
        fields.into_iter().map(pair).collect()
    }

    /// The entries, of a section that has nothing else.
    pub fn entries(mut self) -> Result<Vec<String>, String> {
        let entries = std::mem::take(&mut self.entries);
        self.end()?;
        Ok(entries.into_iter().map(|line| line.text).collect())
    }

    /// The same, where they must be in order: a list that is not sorted is hard to compare.
    pub fn sorted(self) -> Result<Vec<String>, String> {
        match &self.unsorted {
            Some(place) => Err(format!("{place}: the entries are not sorted")),
            None => self.entries(),
        }
    }

    /// What is left when all keys are taken: the phrases that are found, and after `!` those in which they are fine.
    pub fn phrases(self) -> Result<(Vec<String>, Vec<String>), String> {
        let (fine, found): (Vec<String>, Vec<String>) =
            self.entries()?.into_iter().partition(|entry| entry.starts_with('!'));
        let fine = fine.iter().map(|entry| entry.trim_start_matches(['!', ' ']).to_owned());
        Ok((found, fine.collect()))
    }

    /// Nothing may be left that nobody reads.
    pub fn end(&self) -> Result<(), String> {
        let unknown = self.fields.iter().map(|(key, line)| (key, &line.place));
        let unknown = unknown.chain(self.entries.iter().map(|line| (&line.text, &line.place)));
        match unknown.min_by_key(|(_, place)| *place) {
            Some((unknown, place)) => Err(format!("{place}: {unknown:?} is not known here")),
            None => Ok(()),
        }
    }

    /// Whether it has keys with values.
    pub fn has_fields(&self) -> bool {
        !self.fields.is_empty()
    }

    fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.entries.is_empty()
    }

    fn add(&mut self, line: Line) -> Result<(), String> {
        let twice = format!("{}: {:?} stands twice", line.place, line.text);
        let Some((key, value)) = line.text.split_once(" = ") else {
            if self.entries.iter().any(|known| known.text == line.text) {
                return Err(twice);
            }
            let before = self.entries.last().filter(|before| before.text > line.text);
            self.unsorted = self.unsorted.take().or(before.map(|_| line.place.clone()));
            self.entries.push(line);
            return Ok(());
        };
        let key = key.to_owned();
        let line = Line { text: value.trim().to_owned(), place: line.place };
        self.fields.insert(key, line).map_or(Ok(()), |_| Err(twice))
    }
}

/// The lines that say something. What is indented goes on with the line before: after a blank, or right after its `|`.
fn lines(path: &str, text: &str) -> Result<Vec<Line>, String> {
    let mut lines: Vec<Line> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let place = format!("{path}:{number}");
        let said = line.trim();
        if said.is_empty() || said.starts_with('#') {
            continue;
        }
        if !line.starts_with([' ', '\t']) {
            lines.push(Line { place, text: said.to_owned() });
            continue;
        }
        let last = lines.last_mut().ok_or_else(|| format!("{place}: there is nothing that goes on"))?;
        if !last.text.ends_with('|') {
            last.text.push(' ');
        }
        last.text.push_str(said);
    }
    Ok(lines)
}

/// A set that a text names, with what stands before and after it.
fn named_set(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}
