//! Lines of notes that name several things: their parts are shown, and count after a yes.

use serde_json::{Value, json};
use tata_core::put;
use tata_guided::{
    answer::{enumeration, yes_or_no},
    sort::Place,
};

use super::{
    Ask, say,
    turn::{Step, Turn},
};
use crate::{MUST_HAVES, Source, form::Arguments, job_ad::FEWEST_TASKS, profile::LISTS, tidy};

impl Turn<'_> {
    /// Asks about the parts of lines that are too few for what a profile or an ad needs; makes the profile where there is
    /// nothing to ask.
    pub(super) fn ask_parts(&mut self, arguments: Arguments, from: Place) -> Step {
        let lists = [(Place::Must, MUST_HAVES), (Place::Task, FEWEST_TASKS)];
        for (place, enough) in lists.into_iter().filter(|(place, _)| from == Place::Must || *place == from) {
            let lines = listed(&arguments, place);
            let parts: Vec<String> = lines.iter().flat_map(|line| enumeration(line, self.language)).collect();
            if lines.len() < enough && parts.len() > lines.len() {
                return self.show_parts(arguments, place, parts);
            }
        }
        self.make_profile(arguments)
    }

    fn show_parts(&mut self, arguments: Arguments, place: Place, items: Vec<String>) -> Step {
        let texts = self.texts();
        let lead = if place == Place::Must {
            key!("guided.sort.parts_must")
        } else {
            key!("guided.sort.parts_task")
        };
        let text =
            say::joined(&[texts.get(lead), &say::numbered(&items), texts.get(key!("guided.sort.parts_how"))]);
        self.thought.ask = Some(Ask::Parts { arguments, place, items });
        self.say(text)
    }

    /// The person's word on the parts that were shown: yes, no, or how they should read.
    pub(super) fn decide_parts(
        &mut self,
        mut arguments: Arguments,
        place: Place,
        items: Vec<String>,
        message: &str,
    ) -> Option<Step> {
        match yes_or_no(message, self.language) {
            Some(true) => take(&mut arguments, place, items),
            Some(false) => {}
            None => {
                let ask = || Ask::Parts { arguments: arguments.clone(), place, items: items.clone() };
                return match self.read_list(message, ask)? {
                    Ok(items) => Some(self.show_parts(arguments, place, items)),
                    Err(step) => Some(*step),
                };
            }
        }
        Some(if place == Place::Must {
            self.ask_parts(arguments, Place::Task)
        } else {
            self.make_profile(arguments)
        })
    }
}

/// The lines that go to a list.
fn listed(arguments: &Arguments, place: Place) -> Vec<String> {
    let lines = arguments.get(name_of(place)).and_then(Value::as_array).into_iter().flatten();
    lines.filter_map(|line| line["text"].as_str().map(str::to_owned)).collect()
}

/// Parts that stand in the notes are quotations of them; the others are the recruiter's words.
fn take(arguments: &mut Arguments, place: Place, items: Vec<String>) {
    let notes = arguments.get("startup_notes").and_then(Value::as_str).unwrap_or_default();
    let notes = tidy(notes).to_lowercase();
    let stands = |item: &String| notes.contains(&tidy(item).to_lowercase());
    let (quoted, own): (Vec<String>, Vec<String>) = items.into_iter().partition(stands);
    let quoted: Vec<Value> = quoted
        .into_iter()
        .map(|text| json!({ "text": text, "source": Source::StartupNotes.name() }))
        .collect();
    put(arguments, name_of(place), json!(quoted));
    if !own.is_empty() {
        put(arguments, &format!("enrichments.{}", name_of(place)), json!(own));
    }
}

/// What the tool calls the list of a place.
fn name_of(place: Place) -> &'static str {
    LISTS.iter().find(|list| list.place == place).map_or("must_haves", |list| list.name)
}
