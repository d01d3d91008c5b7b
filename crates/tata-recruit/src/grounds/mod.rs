//! The ground a call stands on: what people brought.
//!
//! Whatever a model writes into a tool's arguments is a claim. Before a module sees it, every field is held against the
//! materials of the session: a text is handed over by its number or stands there word for word, a statement, a number, a
//! day was said. What stands nowhere is refused, with the nearest passage and the materials there are. What is found is
//! replaced by the person's own wording, and [`placed`] writes into the finished document where each of its quotations
//! lies.

mod origin;
mod quotations;
mod search;
mod values;

pub(crate) use quotations::placed;
pub(crate) use search::{Passage, Place};

use jiff::Timestamp;
use serde_json::{Map, Value};
use tata_core::{Citation, MaterialId, Materials};
use tata_phrases::runs;

use self::search::Search;
use crate::{
    Refusal, Texts,
    clip::start,
    input::{Fields, Rule},
};

/// Lines that contradict each other: what was chosen may have the value of one in the words of the other.
const SETTLED: &str = "settled_lines";

/// Single lines, and few: words from all over the notes would say anything together.
const LONGEST_SETTLED: usize = 300;
const MOST_SETTLED: usize = 12;

/// A value that a person gave, and where.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// As the module gets it.
    pub(crate) value: String,
    /// Where it was said; nothing for a choice.
    pub(crate) places: Vec<Place>,
    /// Where it stands, for a fact that a search brought.
    pub(crate) passage: Option<Passage>,
}

impl Given {
    fn at(value: String, places: Vec<Place>) -> Self {
        Self { value, places, passage: None }
    }
}

/// What stands nowhere.
#[derive(Clone, Debug)]
pub(crate) struct Groundless {
    field: String,
    /// The key of the text that says so.
    key: &'static str,
    value: String,
    nearest: Option<Nearest>,
}

/// The line that comes nearest to what stands nowhere.
#[derive(Clone, Debug)]
struct Nearest {
    material: MaterialId,
    line: String,
}

/// Holds arguments against what people brought. What is found is replaced by the person's own words.
pub(crate) fn ground(
    arguments: &mut Map<String, Value>,
    fields: &Fields,
    materials: &Materials,
    passages: &[Citation],
    now: Timestamp,
) -> Result<Vec<Given>, Vec<Groundless>> {
    let search = Search::new(materials, passages, now);
    let lines = arguments.get(SETTLED).and_then(Value::as_array).into_iter().flatten();
    let lines = lines.filter_map(Value::as_str).filter(|line| line.chars().count() <= LONGEST_SETTLED);
    let settled = lines.take(MOST_SETTLED).filter_map(|line| search.said(line)).collect();
    let mut pass = Pass { search, fields, settled, given: Vec::new(), groundless: Vec::new() };
    for (name, value) in arguments.iter_mut() {
        pass.value(name, value);
    }
    if pass.groundless.is_empty() { Ok(pass.given) } else { Err(pass.groundless) }
}

/// Who reads a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// A model: it is told the numbers of the texts there are.
    Model,
    /// A person: they are told which text is meant, and what they can do.
    Person,
}

/// The refusal of what stands nowhere, in the language of the project.
pub(crate) fn refuse(
    groundless: &[Groundless],
    materials: &Materials,
    reader: Reader,
    texts: &Texts,
) -> Refusal {
    let known = search::listed(materials, texts);
    let mut refusal = Refusal::default();
    for one in groundless {
        let (message, way_out) = match reader {
            Reader::Model => one.for_model(&known, texts),
            Reader::Person => one.for_person(texts),
        };
        refusal.add(format!("/{}", one.field), message, way_out);
    }
    refusal
}

impl Groundless {
    /// The problem and the way out, with the numbers of the texts there are.
    fn for_model(&self, known: &str, texts: &Texts) -> (String, String) {
        let values = [("text", &*self.value), ("materials", known)];
        let message = texts.say(group!("project.grounds").key(self.key), &values);
        let way_out = match &self.nearest {
            Some(Nearest { material, line }) => {
                let nearest = format!("{material}: {line}");
                texts.say(key!("project.grounds.nearest"), &[("text", &nearest), ("materials", known)])
            }
            None => texts.say(key!("project.grounds.way_out"), &values),
        };
        (message, way_out)
    }

    /// The same in words for a person, who knows neither fields nor numbers of texts.
    fn for_person(&self, texts: &Texts) -> (String, String) {
        let message = texts.say(group!("project.not_found").key(self.key), &[("text", &self.value)]);
        let way_out = match &self.nearest {
            Some(Nearest { line, .. }) => texts.say(key!("project.not_found.nearest"), &[("text", line)]),
            None => texts.get(key!("project.not_found.way_out")).to_owned(),
        };
        (message, way_out)
    }
}

struct Pass<'a> {
    search: Search<'a>,
    fields: &'a Fields,
    /// The lines a person chose between.
    settled: Vec<Given>,
    given: Vec<Given>,
    groundless: Vec<Groundless>,
}

impl Pass<'_> {
    fn value(&mut self, path: &str, value: &mut Value) {
        match value {
            Value::Object(members) => {
                for (name, member) in members.iter_mut() {
                    self.value(&format!("{path}/{name}"), member);
                }
            }
            Value::Array(members) => {
                for (at, member) in members.iter_mut().enumerate() {
                    self.value(&format!("{path}/{at}"), member);
                }
            }
            Value::String(text) => self.text(path, text),
            Value::Number(number) => {
                let (rule, shown) = (self.fields.rule(path), number.to_string());
                let number = number.as_f64().unwrap_or(f64::NAN);
                if rule == Rule::Number {
                    self.take(path, &shown, self.search.number(number), "number");
                } else if rule == Rule::Minutes {
                    self.take(path, &shown, self.search.minutes(number), "number");
                }
            }
            Value::Null | Value::Bool(_) => {}
        }
    }

    fn text(&mut self, path: &str, text: &mut String) {
        // Blanks and signs say nothing; a module that needs words asks for them.
        if !text.chars().any(char::is_alphanumeric) {
            return;
        }
        let (found, key) = match self.fields.rule(path) {
            Rule::Source => (self.search.source(text), "not_brought"),
            Rule::Said => (self.search.said(text).or_else(|| self.chosen(text)), "not_said"),
            Rule::Fact => (self.search.said(text).or_else(|| self.search.fact(text)), "not_said"),
            Rule::FactSource => {
                let said = || Some(self.search.said(text)?.value);
                return match self.search.passage_named(text).or_else(said) {
                    Some(words) => *text = words,
                    None => self.miss(path, text, "not_said"),
                };
            }
            Rule::Pick if self.search.picked(text) => return,
            Rule::Pick => (None, "not_chosen"),
            Rule::Day => return self.take(path, text, self.search.day(text), "day"),
            Rule::Office => return self.take(path, text, self.search.office(text), "not_said"),
            Rule::Time => return self.take(path, text, self.search.time(text), "time"),
            Rule::Number | Rule::Minutes | Rule::Written => return,
            Rule::Choice => (Some(Given::at(text.clone(), Vec::new())), ""),
        };
        match found {
            Some(given) => {
                text.clone_from(&given.value);
                self.given.push(given);
            }
            None => self.miss(path, text, key),
        }
    }

    /// What a person chose of two lines: every word of it stands in one of them.
    fn chosen(&self, text: &str) -> Option<Given> {
        let stands =
            |word: &str| self.settled.iter().any(|line| runs(&line.value).any(|known| known == word));
        if self.settled.is_empty() || !runs(text).all(stands) {
            return None;
        }
        let places = self.settled.iter().flat_map(|line| line.places.clone()).collect();
        Some(Given::at(text.to_owned(), places))
    }

    fn take(&mut self, path: &str, value: &str, places: Vec<Place>, key: &'static str) {
        let value = value.to_owned();
        if places.is_empty() {
            self.groundless.push(Groundless { field: path.to_owned(), key, value, nearest: None });
        } else {
            self.given.push(Given::at(value, places));
        }
    }

    fn miss(&mut self, path: &str, text: &str, key: &'static str) {
        let value = start(&crate::tidy(text), 200).to_owned();
        let nearest = self.search.nearest(text);
        self.groundless.push(Groundless { field: path.to_owned(), key, value, nearest });
    }
}
