//! Writes into a finished document where each of its quotations lies in what people brought. A document with a quotation
//! that lies nowhere does not leave.

use serde_json::{Map, Value, json};
use tata_core::{MaterialId, Materials};
use tata_phrases::{runs, whole_words};

use super::{Given, Place, Reader, origin::Origin};
use crate::{Made, Project, Refusal, Texts, Tracer, clip::start};

/// The name under which a quotation keeps its places.
const PLACES: &str = "said_in";
/// The name under which a fact of a stored document keeps its place.
const PASSAGE: &str = "found_in";

/// A quotation that lies nowhere.
#[derive(Debug)]
pub(crate) struct Unplaced(String);

impl Unplaced {
    /// The refusal of the document, in the language of the project.
    pub(crate) fn refuse(&self, materials: &Materials, reader: Reader, texts: &Texts) -> Refusal {
        let quote = start(&self.0, 200);
        match reader {
            Reader::Model => {
                let values = [("text", quote), ("materials", &*super::search::listed(materials, texts))];
                Refusal::saying("", texts, key!("project.grounds.not_said"), &values)
            }
            Reader::Person => {
                Refusal::saying("", texts, key!("project.not_found.not_said"), &[("text", quote)])
            }
        }
    }
}

/// The document with the places of its quotations.
pub(crate) fn placed(
    mut made: Made,
    materials: &Materials,
    given: &[Given],
    project: &Project,
) -> Result<Made, Unplaced> {
    let texts = made.json.get("sources").and_then(Value::as_object).cloned().unwrap_or_default();
    let sources =
        texts.iter().filter_map(|(name, text)| Some((name.clone(), Origin::new(text.as_str()?, materials))));
    let mut known = Vec::new();
    for mut json in project.documents().cloned() {
        each(&mut json, &mut |quotation| known.push(quotation.clone()));
    }
    let placer = QuotationPlacer {
        materials,
        tracer: Tracer::over(materials.iter().rev().map(|material| (material.id(), material.text()))),
        sources: sources.collect(),
        given,
        known,
    };
    let mut lost = None;
    for json in std::iter::once(&mut made.json).chain(made.also.iter_mut().map(|(_, json)| json)) {
        each(json, &mut |quotation| match placer.note(quotation) {
            Some(note) => quotation.extend(note),
            None => lost = lost.take().or_else(|| quotation.get("quote").cloned()),
        });
    }
    match lost {
        None => Ok(made),
        Some(quote) => Err(Unplaced(quote.as_str().unwrap_or_default().to_owned())),
    }
}

struct QuotationPlacer<'a> {
    materials: &'a Materials,
    tracer: Tracer<'a, MaterialId>,
    /// The texts the document was made from, and where they lie.
    sources: Vec<(String, Origin)>,
    given: &'a [Given],
    /// The quotations of the documents there are.
    known: Vec<Map<String, Value>>,
}

impl QuotationPlacer<'_> {
    /// What is noted beside a quotation: where it lies. There is none for one that lies nowhere.
    fn note(&self, quotation: &Map<String, Value>) -> Option<Map<String, Value>> {
        let noted = |name: &str, value: Value| Some(Map::from_iter([(name.to_owned(), value)]));
        let quote = quotation.get("quote").and_then(Value::as_str).unwrap_or_default();
        let exact = |place: &Place| {
            let text = self.materials.get(place.material)?.text();
            text.chars().skip(place.start).take(place.end - place.start).eq(quote.chars()).then_some(*place)
        };
        let in_source = || {
            let number = |name: &str| usize::try_from(quotation.get(name)?.as_u64()?).ok();
            let (start, end, name) = (number("start")?, number("end")?, quotation.get("source")?.as_str()?);
            let (_, origin) = self.sources.iter().find(|(source, _)| source == name)?;
            exact(&origin.place(start, end)?)
        };
        // The newest place may differ in its capitals where an older one does not.
        let word_for_word = || {
            self.materials.iter().rev().find_map(|material| {
                let first = whole_words(material.text(), quote).next()?;
                let start = material.text().get(..first)?.chars().count();
                Some(Place { material: material.id(), start, end: start + quote.chars().count() })
            })
        };
        let anywhere = || {
            let (material, start, end) = self.tracer.place(quote, None)?;
            // A match leaves out the stop at the end.
            (end..end + 3).find_map(|end| exact(&Place { material, start, end }))
        };
        if let Some(place) = in_source().or_else(word_for_word).or_else(anywhere) {
            return noted(PLACES, json!([place]));
        }
        let same = |other: &&Map<String, Value>| {
            ["source", "quote"].into_iter().all(|name| other.get(name) == quotation.get(name))
        };
        if let Some(known) = self.known.iter().find(same) {
            // One that was made before materials were numbered has neither, and stays as it was.
            let kept = known.iter().filter(|(name, _)| matches!(name.as_str(), PLACES | PASSAGE));
            return Some(kept.map(|(name, value)| (name.clone(), value.clone())).collect());
        }
        let is_fact = |given: &&Given| given.passage.is_some() && crate::tidy(&given.value) == quote;
        if let Some(fact) = self.given.iter().find(is_fact) {
            return noted(PASSAGE, json!(fact.passage));
        }
        noted(PLACES, json!(self.put_together(quote)?))
    }

    /// What code put together from values that a person gave: every word of it is one of theirs.
    fn put_together(&self, quote: &str) -> Option<Vec<Place>> {
        let mut rest = quote.to_owned();
        let mut places: Vec<Place> = Vec::new();
        let mut values: Vec<(String, &Given)> =
            self.given.iter().map(|given| (crate::tidy(&given.value), given)).collect();
        values.sort_by_key(|(value, _)| std::cmp::Reverse(value.len()));
        for (value, given) in values.iter().filter(|(value, _)| !value.is_empty()) {
            if rest.contains(value.as_str()) {
                rest = rest.replace(value.as_str(), " ");
                places
                    .extend(given.places.iter().filter(|place| !places.contains(place)).collect::<Vec<_>>());
            }
        }
        // The period of a pay stands there by its name.
        let rest: Vec<&str> = runs(&rest).collect();
        let named = |word: &&str| matches!(*word, "hour" | "month" | "year");
        if places.is_empty() {
            return None;
        }
        if rest.iter().all(named) {
            return Some(places);
        }
        // A statement in which one part was replaced: the rest of it was said before.
        let before = self.known.iter().find(|known| {
            let quote = known.get("quote").and_then(Value::as_str).unwrap_or_default();
            rest.iter().all(|word| runs(quote).any(|said| said == *word))
        })?;
        let said: Option<Vec<Place>> =
            before.get(PLACES).and_then(|places| serde_json::from_value(places.clone()).ok());
        places.extend(said.into_iter().flatten());
        Some(places)
    }
}

/// Shows every quotation of a document.
fn each(json: &mut Value, visit: &mut impl FnMut(&mut Map<String, Value>)) {
    match json {
        Value::Object(object) => {
            if ["source", "start", "end", "quote"].into_iter().all(|name| object.contains_key(name)) {
                visit(object);
            }
            object.values_mut().for_each(|member| each(member, visit));
        }
        Value::Array(members) => members.iter_mut().for_each(|member| each(member, visit)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
