//! Lines of notes that contradict each other: both are shown with what would be written, and the person chooses.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tata_core::put;
use tata_guided::{
    answer::yes_or_no,
    sort::{Notes, Place},
    wish::Wish,
};

use super::{
    Ask,
    notes::numbers,
    say,
    turn::{Step, Turn},
};
use crate::{
    form::Arguments,
    profile::{Holding, Rivals, rivals, settle},
    tidy, withheld,
};

impl Turn<'_> {
    /// Asks which of contradicting lines hold; none if no line contradicts another.
    pub(super) fn ask_rivals(
        &mut self,
        arguments: &Arguments,
        notes: &Notes,
        lead: Option<&str>,
    ) -> Option<Step> {
        let pairs = self.rivals_of(arguments, notes);
        if pairs.is_empty() {
            return None;
        }
        let texts = self.texts();
        let line = |number: usize| {
            let line = number.checked_sub(1).and_then(|at| notes.lines().nth(at));
            line.map_or_else(String::new, |line| tidy(&line.text))
        };
        let mut shown = Vec::new();
        for (number, pair) in (1..).step_by(2).zip(&pairs) {
            let subject = texts.get(group!("guided.rivals.subject").key(pair.subject.name()));
            let (first, last) = (line(pair.first), line(pair.last));
            let values = [
                ("subject", subject),
                ("one", &*number.to_string()),
                ("first", &*first),
                ("two", &*(number + 1).to_string()),
                ("last", &*last),
                ("proposed", &*pair.proposed),
            ];
            shown.push(texts.say(key!("guided.rivals.pair"), &values));
        }
        let lead = lead.unwrap_or_else(|| texts.get(key!("guided.rivals.lead")));
        let text = say::joined(&[lead, &shown.join("\n\n"), texts.get(key!("guided.rivals.how"))]);
        let places = (1..).zip(notes.lines()).filter_map(|(number, line)| Some((number, line.place?)));
        self.thought.intent = Some(Wish::RequirementProfile);
        self.thought.ask = Some(Ask::Rivals { arguments: arguments.clone(), placed: places.collect() });
        Some(self.say(text))
    }

    fn rivals_of(&self, arguments: &Arguments, notes: &Notes) -> Vec<Rivals> {
        let found = rivals(notes, &[], self.language);
        if found.is_empty() {
            return found;
        }
        // Looking for what must not pass takes its time, and few notes contradict themselves.
        let text = arguments.get("startup_notes").and_then(Value::as_str).unwrap_or_default();
        rivals(notes, &withheld::find(text, self.language), self.language)
    }

    /// The person's word: yes to what was proposed, or the numbers of the lines that hold.
    pub(super) fn decide_rivals(
        &mut self,
        mut arguments: Arguments,
        placed: &BTreeMap<usize, Place>,
        message: &str,
    ) -> Option<Step> {
        let mut notes = self.cut_notes(&arguments, placed);
        let pairs = self.rivals_of(&arguments, &notes);
        let chosen = match yes_or_no(message, self.language) {
            Some(true) => Some(Vec::new()),
            Some(false) => None,
            None => numbers(message, self.language).filter(|chosen| !chosen.is_empty()),
        };
        let Some(chosen) =
            chosen.filter(|chosen| chosen.iter().all(|number| (1..=2 * pairs.len()).contains(number)))
        else {
            if self.wants_document(message) {
                return None;
            }
            let again = self.texts().get(key!("guided.rivals.again"));
            return self.ask_rivals(&arguments, &notes, Some(again));
        };
        let holding: Vec<Holding> = (1..)
            .step_by(2)
            .zip(&pairs)
            .map(|(number, _)| match (chosen.contains(&number), chosen.contains(&(number + 1))) {
                (true, true) => Holding::Both,
                (true, false) => Holding::First,
                (false, true | false) => Holding::Last,
            })
            .collect();
        let of_pair = |number: usize| number.checked_sub(1).and_then(|at| notes.lines().nth(at));
        // Where both lines stay nothing was settled: each is used, or told as unused.
        let decided = pairs.iter().zip(&holding).filter(|(_, holding)| **holding != Holding::Both);
        let decided: Vec<&Rivals> = decided.map(|(pair, _)| pair).collect();
        let mut settled: Vec<String> = decided
            .iter()
            .flat_map(|pair| [pair.first, pair.last])
            .filter_map(of_pair)
            .map(|line| line.text.clone())
            .collect();
        // What stands in one statement with what was chosen is said with it.
        let single = [Place::Team, Place::Place, Place::Company, Place::Pay];
        let of_place = |pair: &Rivals| of_pair(pair.first).and_then(|line| line.place);
        let shared: Vec<Place> =
            decided.iter().copied().filter_map(of_place).filter(|place| single.contains(place)).collect();
        let beside = notes.lines().filter(|line| line.place.is_some_and(|place| shared.contains(&place)));
        settled.extend(beside.map(|line| line.text.clone()));
        settled.sort();
        settled.dedup();
        put(&mut arguments, "settled_lines", json!(settled));
        settle(&mut notes, &pairs, &holding);
        Some(self.take_sorted(arguments, &notes))
    }
}
