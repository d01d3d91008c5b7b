//! The lists of phrases as a linguist writes them; see `data/README.md`.

use std::path::Path;

use tata_phrases::build::Meaning;

use super::{
    list::{List, Section},
    order::{CATEGORIES, ELEMENTS, SECTIONS},
};

/// All lists of a language.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) inclusion: Vec<Flag>,
    pub(crate) banned: Vec<Banned>,
    pub(crate) vague: Vec<Vague>,
    coding: Coding,
    review: Review,
}

/// A phrase that shuts people out.
#[derive(Debug)]
pub(crate) struct Flag {
    pub(crate) rule: String,
    pub(crate) term: String,
    pub(crate) category: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) reason: String,
    forms: Vec<String>,
    pub(crate) better: Vec<String>,
    fine_in: Vec<String>,
}

/// A phrase that never reaches candidates.
#[derive(Debug)]
pub(crate) struct Banned {
    pub(crate) term: String,
    pub(crate) family: &'static str,
    pub(crate) scope: &'static str,
    forms: Vec<String>,
    pub(crate) better: String,
    fine_in: Vec<String>,
}

/// A phrase that says little.
#[derive(Debug)]
pub(crate) struct Vague {
    pub(crate) term: String,
    forms: Vec<String>,
    pub(crate) better: Vec<String>,
    fine_in: Vec<String>,
}

/// Words that readers take as typical of men or of women.
#[derive(Debug)]
struct Coding {
    agentic: Vec<String>,
    communal: Vec<String>,
    fine_in: Vec<String>,
}

/// How an ad is read: the patterns of each list, in the order of `Sign`.
#[derive(Debug)]
struct Review(Vec<Vec<String>>);

const SEVERITIES: [&str; 3] = ["low", "medium", "high"];
const FAMILIES: [&str; 2] = ["hype", "exclusionary"];
const SCOPES: [&str; 2] = ["all", "headhunting"];

impl Flag {
    /// Reads an entry.
    pub(crate) fn new(mut section: Section) -> Result<Self, String> {
        let why = CATEGORIES.iter().find_map(|known| Some((known, section.find(known.0)?)));
        let Some(((category, usual), why)) = why else { return Err(section.problem("no category is named")) };
        let (reason, severity) = why.split_once(' ').unwrap_or((&why, usual));
        let severity = named(&section, &SEVERITIES, severity)?;
        let rule = section.name.clone();
        let term = section.find("term").unwrap_or_else(|| rule.replace('-', " "));
        let better = better(&mut section)?;
        let (forms, fine_in) = section.phrases()?;
        Ok(Self { rule, term, category, severity, reason: reason.to_owned(), forms, better, fine_in })
    }
}

impl Banned {
    fn new(mut section: Section) -> Result<Self, String> {
        let term = section.name.clone();
        let family = section.value("family")?;
        let family = named(&section, &FAMILIES, &family)?;
        let scope = section.find("scope").unwrap_or_else(|| "all".to_owned());
        let scope = named(&section, &SCOPES, &scope)?;
        let better = section.value("better")?;
        let (forms, fine_in) = section.phrases()?;
        Ok(Self { term, family, scope, forms, better, fine_in })
    }
}

impl Vague {
    fn new(mut section: Section) -> Result<Self, String> {
        let term = section.name.clone();
        let better = better(&mut section)?;
        let (forms, fine_in) = section.phrases()?;
        Ok(Self { term, forms, better, fine_in })
    }
}

impl Coding {
    fn new(mut list: List) -> Result<Self, String> {
        let coding = Self {
            agentic: list.entries("agentic")?,
            communal: list.entries("communal")?,
            fine_in: list.find("fine_in").map_or_else(|| Ok(Vec::new()), Section::entries)?,
        };
        list.end().map(|()| coding)
    }
}

impl Review {
    fn new(mut list: List) -> Result<Self, String> {
        let names = ["jargon", "welcoming", "waived before", "waived after"].map(str::to_owned).into_iter();
        let names = names.chain(ELEMENTS.map(|name| format!("element {name}")));
        let names = names.chain(SECTIONS.map(|name| format!("{name} headings")));
        let names = names.chain(SECTIONS.map(|name| format!("{name} cues")));
        let lists = names.map(|name| list.entries(&name)).collect::<Result<_, _>>()?;
        list.end().map(|()| Self(lists))
    }
}

impl Sources {
    /// Reads the lists of a language. A mistake is named with its file and line.
    pub(crate) fn read(folder: &Path, code: &str) -> Result<Self, String> {
        let list = |name: &str| List::read(&folder.join(name).join(format!("{code}.txt")));
        Ok(Self {
            inclusion: list("inclusion")?.each(Flag::new)?,
            banned: list("banned")?.each(Banned::new)?,
            vague: list("vague")?.each(Vague::new)?,
            coding: Coding::new(list("coding")?)?,
            review: Review::new(list("review")?)?,
        })
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
        for patterns in &self.review.0 {
            all.sign(patterns, &[]);
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

/// The better words of an entry; there must be some.
fn better(section: &mut Section) -> Result<Vec<String>, String> {
    let better = section.values("better");
    if better.is_empty() { Err(section.problem("there are no better words")) } else { Ok(better) }
}

/// One of the names that are known.
fn named(section: &Section, names: &[&'static str], name: &str) -> Result<&'static str, String> {
    let known = names.iter().find(|known| **known == name);
    known.copied().ok_or_else(|| section.problem(&format!("{name:?} is none of {names:?}")))
}
