//! The word lists as a linguist writes them; see `data/README.md`.

use std::{collections::BTreeMap, fs, path::Path};

use serde::{Deserialize, de::DeserializeOwned};
use tata_phrases::build::Meaning;

use super::order::{CATEGORIES, ELEMENTS, SECTIONS};

/// All lists of a language.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) inclusion: Vec<Flag>,
    pub(crate) banned: Vec<Banned>,
    pub(crate) vague: Vec<Vague>,
    pub(crate) coding: Coding,
    pub(crate) review: Review,
}

/// A phrase that shuts people out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Flag {
    pub(crate) rule: String,
    pub(crate) term: String,
    pub(crate) category: String,
    #[serde(default)]
    pub(crate) severity: Option<Severity>,
    pub(crate) reason: String,
    #[serde(default)]
    forms: Vec<String>,
    pub(crate) alternatives: Vec<String>,
    #[serde(default)]
    fine_in: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Severity {
    Low,
    Medium,
    High,
}

/// A phrase that never reaches candidates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Banned {
    pub(crate) term: String,
    pub(crate) family: Family,
    #[serde(default)]
    pub(crate) scope: Scope,
    #[serde(default)]
    forms: Vec<String>,
    pub(crate) suggestion: String,
    #[serde(default)]
    fine_in: Vec<String>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Family {
    Hype,
    Exclusionary,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Scope {
    #[default]
    All,
    Headhunting,
}

/// A phrase that says little.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Vague {
    pub(crate) term: String,
    #[serde(default)]
    forms: Vec<String>,
    pub(crate) alternatives: Vec<String>,
    #[serde(default)]
    fine_in: Vec<String>,
}

/// German nouns for persons.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Titles {
    inflections: Vec<Inflection>,
    pub(crate) endings: Vec<Noun>,
    pub(crate) not_persons: Vec<String>,
    #[serde(rename = "english_titles")]
    pub(crate) english: English,
    pub(crate) markers: Markers,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Inflection {
    ending: String,
    becomes: Vec<String>,
}

/// A masculine noun for persons.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Noun {
    #[serde(rename = "noun")]
    pub(crate) masculine: String,
    pub(crate) feminine: String,
    #[serde(default)]
    pub(crate) forms: Vec<String>,
    #[serde(default)]
    pub(crate) neutral: Vec<String>,
    #[serde(default)]
    pub(crate) neutral_end: Option<String>,
    #[serde(default, rename = "where")]
    pub(crate) stands: Stands,
    #[serde(default)]
    pub(crate) surname: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stands {
    #[default]
    End,
    Word,
    Compound,
}

/// English titles in German ads.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct English {
    pub(crate) words: Vec<String>,
    pub(crate) phrases: Vec<String>,
    #[expect(dead_code, reason = "for people who edit the list")]
    masculine: serde::de::IgnoredAny,
}

/// Signs that a title means all genders.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Markers {
    pub(crate) attached: Vec<String>,
    pub(crate) complete: Vec<String>,
    pub(crate) incomplete: Vec<String>,
    pub(crate) within_words: usize,
    pub(crate) between_words: usize,
    pub(crate) words: Vec<String>,
    #[expect(dead_code, reason = "for people who edit the list")]
    joins: serde::de::IgnoredAny,
}

impl Titles {
    /// Writes out the forms of every noun.
    pub(crate) fn inflected(mut self) -> Self {
        for noun in &mut self.endings {
            if noun.forms.is_empty() {
                let fits = self.inflections.iter().filter(|rule| noun.masculine.ends_with(&rule.ending));
                let rule = fits.max_by_key(|rule| rule.ending.len());
                let stem = rule.and_then(|rule| noun.masculine.strip_suffix(&rule.ending));
                noun.forms = match (rule, stem) {
                    (Some(rule), Some(stem)) => {
                        rule.becomes.iter().map(|end| format!("{stem}{end}")).collect()
                    }
                    _ => vec![noun.masculine.clone()],
                };
            }
        }
        let inflected = |word: &String| ["", "s", "n", "en", "e", "es"].map(|end| format!("{word}{end}"));
        self.not_persons = self.not_persons.iter().flat_map(inflected).collect();
        self
    }
}

/// Words that readers take as typical of men or of women.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Coding {
    agentic: Vec<String>,
    communal: Vec<String>,
    #[serde(default)]
    fine_in: Vec<String>,
}

/// The stems of the published Gender Decoder.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decoder {
    pub(crate) feminine: Vec<String>,
    pub(crate) masculine: Vec<String>,
}

/// How an ad is read.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Review {
    sections: BTreeMap<String, Section>,
    elements: BTreeMap<String, Vec<String>>,
    welcoming: Vec<String>,
    waived: Waived,
    jargon: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    headings: Vec<String>,
    cues: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Waived {
    before: Vec<String>,
    after: Vec<String>,
}

impl Sources {
    /// Reads the lists of a language. A mistake is named with its file, and its line where it is known.
    pub(crate) fn read(folder: &Path, code: &str) -> Result<Self, String> {
        let path = |list: &str| folder.join(list).join(format!("{code}.yaml"));
        let all = Self {
            inclusion: file(&path("inclusion"))?,
            banned: file(&path("banned"))?,
            vague: file(&path("vague"))?,
            coding: file(&path("coding"))?,
            review: file(&path("review"))?,
        };
        all.check(code)?;
        Ok(all)
    }

    fn check(&self, code: &str) -> Result<(), String> {
        for flag in &self.inclusion {
            let place = format!("data/inclusion/{code}.yaml: {:?}", flag.rule);
            if !CATEGORIES.iter().any(|(name, _)| *name == flag.category) {
                return Err(format!("{place}: there is no category {:?}", flag.category));
            }
            if flag.alternatives.iter().all(|text| text.trim().is_empty()) {
                return Err(format!("{place} has no alternative"));
            }
        }
        if let Some(entry) = self.banned.iter().find(|entry| entry.suggestion.trim().is_empty()) {
            return Err(format!("data/banned/{code}.yaml: {:?} has no suggestion", entry.term));
        }
        let place = format!("data/review/{code}.yaml");
        let known = |names: &[&str], found: Vec<&String>| {
            let missing = names.iter().find(|name| !found.iter().any(|found| found == *name));
            let unknown = found.iter().find(|found| !names.contains(&found.as_str()));
            match (missing, unknown) {
                (Some(name), _) => Err(format!("{place}: {name:?} is missing")),
                (None, Some(name)) => Err(format!("{place}: there is no {name:?}")),
                (None, None) => Ok(()),
            }
        };
        known(&SECTIONS, self.review.sections.keys().collect())?;
        known(&ELEMENTS, self.review.elements.keys().collect())
    }

    /// All patterns. The lists are numbered one after the other; then come the signs, in the order of `Sign`.
    pub(crate) fn patterns(&self) -> Vec<(usize, Meaning, &str)> {
        let mut all = Patterns::default();
        for flag in &self.inclusion {
            all.entry(&flag.term, &flag.forms, &flag.fine_in);
        }
        for entry in &self.banned {
            all.entry(&entry.term, &entry.forms, &entry.fine_in);
        }
        for entry in &self.vague {
            all.entry(&entry.term, &entry.forms, &entry.fine_in);
        }
        all.sign(&self.coding.agentic, &self.coding.fine_in);
        all.sign(&self.coding.communal, &self.coding.fine_in);
        let Review { sections, elements, welcoming, waived, jargon } = &self.review;
        for patterns in [jargon, welcoming, &waived.before, &waived.after] {
            all.sign(patterns, &[]);
        }
        for name in ELEMENTS {
            all.sign(elements.get(name).map_or(&[][..], Vec::as_slice), &[]);
        }
        for name in SECTIONS {
            all.sign(sections.get(name).map_or(&[][..], |section| &section.headings), &[]);
        }
        for name in SECTIONS {
            all.sign(sections.get(name).map_or(&[][..], |section| &section.cues), &[]);
        }
        all.patterns
    }
}

#[derive(Default)]
struct Patterns<'a> {
    patterns: Vec<(usize, Meaning, &'a str)>,
    next: usize,
}

impl<'a> Patterns<'a> {
    fn entry(&mut self, term: &'a str, forms: &'a [String], fine: &'a [String]) {
        if forms.is_empty() {
            self.patterns.push((self.next, Meaning::Hit, term));
        }
        self.sign(forms, fine);
    }

    fn sign(&mut self, forms: &'a [String], fine: &'a [String]) {
        let id = self.next;
        self.patterns.extend(forms.iter().map(|form| (id, Meaning::Hit, form.as_str())));
        self.patterns.extend(fine.iter().map(|form| (id, Meaning::Fine, form.as_str())));
        self.next += 1;
    }
}

/// A file, or what is wrong with it and where.
pub(crate) fn file<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    serde_saphyr::from_str(&text).map_err(|error| {
        let line = error.location().map_or(0, |location| location.line());
        format!("{}:{line}: {}", path.display(), error.without_snippet())
    })
}
