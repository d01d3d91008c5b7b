//! The lists of phrases as a linguist writes them; see `data/README.md`.

use std::path::Path;

use tata_phrases::build::{List, Meaning, Section, variant};

use super::order::{CATEGORIES, ELEMENTS, SECTIONS};

/// All lists of a language.
#[derive(Debug)]
pub(crate) struct Sources {
    /// What shuts people out, what never reaches candidates, what says little.
    pub(crate) lists: [Vec<Entry>; 3],
    /// What readers take as typical of men or of women, and how an ad is read: in the order of `Sign`.
    signs: Vec<Patterns>,
}

/// An entry: as Rust, and how it is found.
#[derive(Debug)]
pub(crate) struct Entry {
    rust: String,
    found: Patterns,
}

/// The phrases that are found, and those in which they are fine.
#[derive(Debug)]
struct Patterns {
    forms: Vec<String>,
    fine_in: Vec<String>,
}

const SEVERITIES: [&str; 3] = ["low", "medium", "high"];
const FAMILIES: [&str; 2] = ["hype", "exclusionary"];
const SCOPES: [&str; 2] = ["all", "headhunting"];

impl Entry {
    /// A phrase that shuts people out.
    pub(crate) fn flag(mut section: Section) -> Result<Self, String> {
        let why = CATEGORIES.iter().find_map(|known| Some((known, section.find(known.0)?)));
        let Some(((category, usual), why)) = why else { return Err(section.problem("no category is named")) };
        let (reason, severity) = why.split_once(' ').unwrap_or((&why, usual));
        let (category, severity) = (variant(category), named(&section, &SEVERITIES, severity)?);
        let rule = section.name.clone();
        let term = section.find("term").unwrap_or_else(|| rule.replace('-', " "));
        let better = better(&mut section)?;
        let rust = format!(
            "Flag {{ rule: {rule:?}, term: {term:?}, category: Category::{category}, severity: Severity::{severity}, \
             reason: {reason:?}, alternatives: &{better:?} }},\n"
        );
        Self::new(rust, term, section)
    }

    /// A phrase that never reaches candidates.
    fn banned(mut section: Section) -> Result<Self, String> {
        let term = section.name.clone();
        let family = section.value("family")?;
        let family = named(&section, &FAMILIES, &family)?;
        let scope = section.find("scope").unwrap_or_else(|| "all".to_owned());
        let scope = named(&section, &SCOPES, &scope)?;
        let better = section.value("better")?;
        let rust = format!(
            "Banned {{ term: {term:?}, family: Family::{family}, scope: Scope::{scope}, suggestion: {better:?} }},\n"
        );
        Self::new(rust, term, section)
    }

    /// A phrase that says little.
    fn vague(mut section: Section) -> Result<Self, String> {
        let (term, better) = (section.name.clone(), better(&mut section)?);
        let rust = format!("Vague {{ term: {term:?}, alternatives: &{better:?} }},\n");
        Self::new(rust, term, section)
    }

    /// The rest of its section says how it is found; without forms it is found by its term.
    fn new(rust: String, term: String, section: Section) -> Result<Self, String> {
        let (mut forms, fine_in) = section.phrases()?;
        if forms.is_empty() {
            forms.push(term);
        }
        Ok(Self { rust, found: Patterns { forms, fine_in } })
    }
}

impl Sources {
    /// Reads the lists of a language. A mistake is named with its file and line.
    pub(crate) fn read(folder: &Path, code: &str) -> Result<Self, String> {
        let list = |name: &str| List::read(&folder.join(name).join(format!("{code}.txt")))?.patterns();
        let lists = [
            list("inclusion")?.each(Entry::flag)?,
            list("banned")?.each(Entry::banned)?,
            list("vague")?.each(Entry::vague)?,
        ];
        let (mut coding, mut review) = (list("coding")?, list("review")?);
        let fine_in = coding.find("fine_in").map_or_else(|| Ok(Vec::new()), Section::entries)?;
        let mut signs = Vec::new();
        for name in ["agentic", "communal"] {
            signs.push(Patterns { forms: coding.entries(name)?, fine_in: fine_in.clone() });
        }
        let names = ["jargon", "welcoming", "waived before", "waived after"].map(str::to_owned).into_iter();
        let names = names.chain(ELEMENTS.map(|name| format!("element {name}")));
        let names = names.chain(SECTIONS.map(|name| format!("{name} headings")));
        for name in names.chain(SECTIONS.map(|name| format!("{name} cues"))) {
            signs.push(Patterns { forms: review.entries(&name)?, fine_in: Vec::new() });
        }
        coding.end()?;
        review.end().map(|()| Self { lists, signs })
    }

    /// All patterns. The lists are numbered one after the other; then come the signs, in the order of `Sign`.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = (usize, Meaning, &str)> {
        let entries = self.lists.iter().flatten().map(|entry| &entry.found);
        entries.chain(&self.signs).enumerate().flat_map(|(id, found)| {
            let forms = found.forms.iter().map(move |form| (id, Meaning::Hit, form.as_str()));
            forms.chain(found.fine_in.iter().map(move |form| (id, Meaning::Fine, form.as_str())))
        })
    }

    /// As the text of a static.
    pub(crate) fn rust(&self, code: &str) -> String {
        let [inclusion, banned, vague] = self
            .lists
            .each_ref()
            .map(|list| list.iter().map(|entry| entry.rust.as_str()).collect::<String>());
        format!(
            "static {}: Tables = Tables {{\ninclusion: &[\n{inclusion}],\nbanned: &[\n{banned}],\nvague: &[\n{vague}],\n\
             graph: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{code}.graph\")),\n}};\n",
            code.to_uppercase(),
        )
    }
}

/// The better words of an entry; there must be some.
fn better(section: &mut Section) -> Result<Vec<String>, String> {
    let better = section.values("better");
    if better.is_empty() { Err(section.problem("there are no better words")) } else { Ok(better) }
}

/// One of the names that are known, as Rust writes it.
fn named(section: &Section, names: &[&str], name: &str) -> Result<String, String> {
    let known = names.iter().find(|known| **known == name);
    known.map(|name| variant(name)).ok_or_else(|| section.problem(&format!("{name:?} is none of {names:?}")))
}
