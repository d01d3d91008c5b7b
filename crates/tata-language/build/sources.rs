//! The lists of phrases as a linguist writes them; see `data/README.md`.

use std::path::Path;

use tata_phrases::build::{List, Meaning, Section, variant};

use super::kinds::{AdSection, Category, Element, Family, Scope, Severity};

/// All lists of a language.
#[derive(Debug)]
pub(crate) struct Sources {
    /// What shuts people out, what never reaches candidates, what says little; then, as `Sign`s, what readers take as
    /// typical of men or of women, and how an ad is read.
    pub(crate) lists: [Vec<Entry>; 4],
}

/// An entry: as Rust, the phrases that are found, and those in which they are fine.
#[derive(Debug)]
pub(crate) struct Entry {
    rust: String,
    forms: Vec<String>,
    fine_in: Vec<String>,
}

/// Whom phrases shut out, and how bad that is unless an entry says otherwise.
const CATEGORIES: [(Category, Severity); 11] = [
    (Category::Gender, Severity::High),
    (Category::Age, Severity::High),
    (Category::Disability, Severity::High),
    (Category::Nationality, Severity::Medium),
    (Category::Ethnicity, Severity::High),
    (Category::Religion, Severity::High),
    (Category::Family, Severity::Medium),
    (Category::Orientation, Severity::High),
    (Category::Socioeconomic, Severity::Medium),
    (Category::Requirements, Severity::Low),
    (Category::Location, Severity::Low),
];

impl Entry {
    /// A phrase that shuts people out.
    pub(crate) fn flag(mut section: Section) -> Result<Self, String> {
        let why = CATEGORIES.iter().find_map(|known| Some((known, section.find(known.0.name())?)));
        let Some(((category, usual), why)) = why else { return Err(section.problem("no category is named")) };
        let (reason, severity) = why.split_once(' ').unwrap_or((&why, usual.name()));
        // Nothing that stands in a list is critical by itself.
        let known = Severity::find(severity).filter(|severity| *severity < Severity::Critical);
        let severity = known.ok_or_else(|| unknown(&section, severity))?;
        let rule = section.name.clone();
        let term = section.find("term").unwrap_or_else(|| rule.replace('-', " "));
        let better = better(&mut section)?;
        let rust = format!(
            "Flag {{ rule: {rule:?}, term: {term:?}, category: Category::{category:?}, severity: Severity::{severity:?}, \
             reason: {reason:?}, alternatives: &{better:?} }},\n"
        );
        Self::new(rust, term, section)
    }

    /// A phrase that never reaches candidates.
    fn banned(mut section: Section) -> Result<Self, String> {
        let term = section.name.clone();
        let family = section.value("family")?;
        let family = Family::find(&family).ok_or_else(|| unknown(&section, &family))?;
        let scope = section.find("scope").unwrap_or_else(|| Scope::All.name().to_owned());
        let scope = Scope::find(&scope).ok_or_else(|| unknown(&section, &scope))?;
        let better = section.value("better")?;
        let rust = format!(
            "Banned {{ term: {term:?}, family: Family::{family:?}, scope: Scope::{scope:?}, suggestion: {better:?} }},\n"
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
        Ok(Self { rust, forms, fine_in })
    }
}

impl Sources {
    /// Reads the lists of a language. A mistake is named with its file and line.
    pub(crate) fn read(folder: &Path, code: &str) -> Result<Self, String> {
        let list = |name: &str| List::read(&folder.join(name).join(format!("{code}.txt")))?.patterns();
        let [flags, banned, vague] = [
            list("inclusion")?.each(Entry::flag)?,
            list("banned")?.each(Entry::banned)?,
            list("vague")?.each(Entry::vague)?,
        ];
        let (mut coding, mut review) = (list("coding")?, list("review")?);
        let fine_in = coding.find("fine_in").map_or_else(|| Ok(Vec::new()), Section::entries)?;
        let mut signs = Vec::new();
        for (name, sign) in [("agentic", "Agentic"), ("communal", "Communal")] {
            let (rust, forms) = (format!("Sign::{sign},\n"), coding.entries(name)?);
            signs.push(Entry { rust, forms, fine_in: fine_in.clone() });
        }
        let mut sign = |name: String, rust: String| -> Result<(), String> {
            let (rust, forms) = (format!("Sign::{rust},\n"), review.entries(&name)?);
            signs.push(Entry { rust, forms, fine_in: Vec::new() });
            Ok(())
        };
        for name in ["jargon", "welcoming", "waived_before", "waived_after"] {
            sign(name.to_owned(), variant(name))?;
        }
        for element in Element::ALL {
            sign(format!("element {}", element.name()), format!("Element(Element::{element:?})"))?;
        }
        // The headline is the first line: it has neither headings nor cues.
        for (kind, list) in [("Heading", "headings"), ("Cue", "cues")] {
            for section in AdSection::ALL.into_iter().filter(|section| *section != AdSection::Headline) {
                sign(format!("{} {list}", section.name()), format!("{kind}(AdSection::{section:?})"))?;
            }
        }
        coding.end()?;
        review.end().map(|()| Self { lists: [flags, banned, vague, signs] })
    }

    /// All patterns. The lists are numbered one after the other.
    pub(crate) fn patterns(&self) -> impl Iterator<Item = (usize, Meaning, &str)> {
        self.lists.iter().flatten().enumerate().flat_map(|(id, found)| {
            let forms = found.forms.iter().map(move |form| (id, Meaning::Hit, form.as_str()));
            forms.chain(found.fine_in.iter().map(move |form| (id, Meaning::Fine, form.as_str())))
        })
    }

    /// As the text of a static.
    pub(crate) fn rust(&self, code: &str) -> String {
        let [inclusion, banned, vague, signs] = self
            .lists
            .each_ref()
            .map(|list| list.iter().map(|entry| entry.rust.as_str()).collect::<String>());
        format!(
            "static {}: Tables = Tables {{\ninclusion: &[\n{inclusion}],\nbanned: &[\n{banned}],\nvague: &[\n{vague}],\n\
             signs: &[\n{signs}],\ngraph: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{code}.graph\")),\n}};\n",
            code.to_uppercase(),
        )
    }
}

/// The better words of an entry; there must be some.
fn better(section: &mut Section) -> Result<Vec<String>, String> {
    let better = section.values("better");
    if better.is_empty() { Err(section.problem("there are no better words")) } else { Ok(better) }
}

fn unknown(section: &Section, name: &str) -> String {
    section.problem(&format!("{name:?} is not known here"))
}
