//! Notes sorted by the person: numbered lines, a place where it is certain, and "1,4 must; 2-3 task; rest out".

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tata_core::{FieldKind, put};
use tata_guided::{
    answer::{Answer, Read, is_doubt, is_talk, position_named, read, yes_or_no},
    edit,
    sort::{BadSorting, Notes, Place, Sorting},
    wish::{self, Wish},
};

use super::{
    Ask, say,
    tools::tool_of,
    turn::{Step, Turn},
};
use crate::{
    MUST_HAVES, Texts,
    form::Arguments,
    profile::{MOST_SORTED, cut, passing, sorted},
    same, tidy, tool, withheld,
};

impl Turn<'_> {
    /// Notes that their labels and headings sort go to the tool; of others the person is asked.
    pub(super) fn begin_sorting(&mut self, arguments: Arguments) -> Step {
        let notes = self.cut_notes(&arguments, &BTreeMap::new());
        if notes.unsorted() == 0
            && notes.lines().count() <= MOST_SORTED
            && let Some(step) = self.ask_rivals(&arguments, &notes, None)
        {
            return step;
        }
        if notes.unsorted() == 0 || notes.lines().count() > MOST_SORTED {
            return self.call(tool::CREATE_REQUIREMENT_PROFILE, arguments);
        }
        self.ask_sorting(arguments, BTreeMap::new(), &notes, None)
    }

    pub(super) fn cut_notes(&self, arguments: &Arguments, placed: &BTreeMap<usize, Place>) -> Notes {
        let text = arguments.get("startup_notes").and_then(Value::as_str).unwrap_or_default();
        let mut notes = cut(text, self.language);
        // Nobody is asked about notes that their labels sort, and looking takes its time.
        let asked = notes.unsorted() > 0;
        let withheld = if asked { withheld::find(text, self.language) } else { Vec::new() };
        // What no document may say is not offered back, a line that is the title says no more.
        let title = arguments.get("position_title").and_then(Value::as_str).unwrap_or_default();
        for piece in notes.pieces.iter_mut().filter(|piece| piece.place.is_none()) {
            let named = position_named(&piece.text).is_some_and(|named| same(named, title));
            let says_more = passing(piece, &withheld).is_some();
            piece.place = (named || same(&piece.text, title) || !says_more).then_some(Place::Out);
        }
        notes.sort(&Sorting { placed: placed.clone(), rest: None });
        notes
    }

    fn ask_sorting(
        &mut self,
        arguments: Arguments,
        placed: BTreeMap<usize, Place>,
        notes: &Notes,
        lead: Option<&str>,
    ) -> Step {
        let texts = self.texts();
        let first = placed.is_empty() && lead.is_none();
        let lead = if first { texts.get(key!("guided.sort.lead")) } else { lead.unwrap_or_default() };
        // The first time all lines are shown; later only those that still wait.
        let text = arguments.get("startup_notes").and_then(Value::as_str).unwrap_or_default();
        let withheld = withheld::find(text, self.language);
        let (mut lines, mut kept_out) = (Vec::new(), 0);
        for (number, line) in (1..).zip(notes.lines()) {
            let Some(text) = passing(line, &withheld) else {
                kept_out += 1;
                continue;
            };
            if first || line.place.is_none() {
                let place = line.place.map(|place| format!("[{}] ", place_name(place, texts)));
                lines.push(format!("{number}. {}{}", place.unwrap_or_default(), tidy(&text)));
            }
        }
        let count = notes.unsorted().to_string();
        let mut open = texts.say(key!("guided.sort.how_many"), &[("count", &count)]);
        if first && kept_out > 0 {
            let kept = texts.say(key!("guided.sort.kept_out"), &[("count", &kept_out.to_string())]);
            open = format!("{open}\n\n{kept}");
        }
        let how = self.how_to_sort();
        self.thought.intent = Some(Wish::RequirementProfile);
        self.thought.ask = Some(Ask::Sort { arguments, placed });
        self.say(say::joined(&[lead, &lines.join("\n"), &open, &how]))
    }

    /// How to say where lines belong.
    pub(super) fn how_to_sort(&self) -> String {
        let texts = self.texts();
        let known: Vec<&str> = Place::ALL.into_iter().map(|place| place_name(place, texts)).collect();
        texts.say(key!("guided.sort.how"), &[("places", &known.join(", "))])
    }

    /// The next message about the lines.
    pub(super) fn sort(
        &mut self,
        arguments: Arguments,
        mut placed: BTreeMap<usize, Place>,
        message: &str,
    ) -> Option<Step> {
        let language = self.language;
        let mut notes = self.cut_notes(&arguments, &placed);
        let count = notes.lines().count();
        if yes_or_no(message, language) == Some(true) {
            return Some(self.sorted_notes(arguments, &notes));
        }
        match Sorting::read(message, count, language) {
            Ok(sorting) => {
                placed.extend(&sorting.placed);
                notes.sort(&sorting);
                if sorting.rest.is_some() || notes.unsorted() == 0 {
                    return Some(self.sorted_notes(arguments, &notes));
                }
                Some(self.ask_sorting(arguments, placed, &notes, None))
            }
            Err(bad) => {
                let reading = wish::read(message, language);
                let other = reading.certain.is_some_and(|wish| wish.acts() && tool_of(wish).is_some());
                let numbers = message.contains(|letter: char| letter.is_ascii_digit());
                if other && !numbers {
                    return None;
                }
                // What can be followed is: nobody types it twice.
                for part in message.split([';', '\n']) {
                    if let Ok(sorting) = Sorting::read(part, count, language) {
                        placed.extend(&sorting.placed);
                    }
                }
                notes.sort(&Sorting { placed: placed.clone(), rest: None });
                let texts = self.texts();
                let doubt = is_doubt(message, language) || message.trim_end().ends_with('?');
                let lead =
                    if doubt { texts.get(key!("guided.doubt")).to_owned() } else { complaint(&bad, texts) };
                Some(self.ask_sorting(arguments, placed, &notes, Some(&lead)))
            }
        }
    }

    /// Everything has its place: four must-haves go to the tool, of more it is asked which.
    fn sorted_notes(&mut self, arguments: Arguments, notes: &Notes) -> Step {
        self.ask_rivals(&arguments, notes, None).unwrap_or_else(|| self.take_sorted(arguments, notes))
    }

    /// Lines in their places, and none that contradicts another.
    pub(super) fn take_sorted(&mut self, mut arguments: Arguments, notes: &Notes) -> Step {
        let places = (1..).zip(notes.lines()).filter_map(|(number, line)| Some((number, line.place?)));
        self.thought.ask = Some(Ask::Sort { arguments: arguments.clone(), placed: places.collect() });
        sorted(&mut arguments, notes);
        self.ask_parts(arguments, Place::Must)
    }

    pub(super) fn make_profile(&mut self, arguments: Arguments) -> Step {
        self.thought.intent = Some(Wish::RequirementProfile);
        self.call(tool::CREATE_REQUIREMENT_PROFILE, arguments)
    }

    /// Further must-haves, for notes that name fewer than four: shown before anything is made of them.
    pub(super) fn add_must_haves(&mut self, arguments: Arguments, message: &str) -> Option<Step> {
        let items = match self.read_list(message, || Ask::More { arguments: arguments.clone() })? {
            Ok(items) => items,
            Err(step) => return Some(*step),
        };
        let texts = self.texts();
        let list = place_name(Place::Must, texts);
        let line = |text: &String| texts.say(key!("guided.edit.comes"), &[("list", list), ("text", text)]);
        let lines: Vec<String> = items.iter().map(line).collect();
        self.thought.intent = Some(Wish::RequirementProfile);
        self.thought.ask = Some(Ask::Further { arguments, items });
        Some(self.say(say::joined(&[&*lines.join("\n"), texts.get(key!("guided.edit.ask"))])))
    }

    /// The person's word on further must-haves that were shown.
    pub(super) fn decide_further(
        &mut self,
        mut arguments: Arguments,
        items: Vec<String>,
        message: &str,
    ) -> Option<Step> {
        match yes_or_no(message, self.language) {
            Some(true) => {}
            Some(false) => {
                self.thought.ask = Some(Ask::More { arguments });
                return Some(self.tell(key!("guided.edit.not_a_list")));
            }
            None if self.wants_document(message) => return None,
            // What is no yes is read as better words, and shown again.
            None => return self.add_must_haves(arguments, message),
        }
        let known = crate::form::at(&arguments, "enrichments.must_haves").and_then(Value::as_array).cloned();
        let all: Vec<Value> =
            known.into_iter().flatten().chain(items.into_iter().map(Value::String)).collect();
        put(&mut arguments, "enrichments.must_haves", json!(all));
        Some(self.make_profile(arguments))
    }

    /// A list that was asked for; none if the message is a wish for something else.
    pub(super) fn read_list(
        &mut self,
        message: &str,
        ask: impl Fn() -> Ask,
    ) -> Option<Result<Vec<String>, Box<Step>>> {
        // A list in lines is no wish, whatever it names.
        if !message.trim().contains('\n') && self.wants_document(message) {
            return None;
        }
        let language = self.language;
        // What speaks of the conversation is no requirement, and never becomes one.
        let again = |turn: &mut Self, key| {
            turn.thought.ask = Some(ask());
            Some(Err(Box::new(turn.tell(key))))
        };
        if is_doubt(message, language) {
            return again(self, key!("guided.answer.doubt"));
        }
        if is_talk(message, language) || edit::opens_with_change(message, language) {
            return again(self, key!("guided.edit.not_a_list"));
        }
        match read(FieldKind::List, message, &self.context()) {
            Ok(Read::Certain(Answer::List(items))) => Some(Ok(items)),
            // "budget and forecasts" is one thing or two: taken as it was said.
            Ok(Read::Certain(_) | Read::Choose(_)) => Some(Ok(vec![message.trim().to_owned()])),
            Err(problem) => {
                self.thought.ask = Some(ask());
                Some(Err(Box::new(self.tell(group!("guided").key(problem.key())))))
            }
        }
    }

    /// Whether a message certainly wants a document.
    pub(super) fn wants_document(&self, message: &str) -> bool {
        wish::read(message, self.language).certain.is_some_and(|wish| tool_of(wish).is_some())
    }

    /// Which four of the notes count.
    pub(super) fn choose_of_notes(&mut self, mut arguments: Arguments, message: &str) -> Option<Step> {
        let numbers = numbers(message, self.language)?;
        if numbers.len() != MUST_HAVES {
            self.thought.ask = Some(Ask::Chosen { arguments });
            return Some(self.tell(key!("guided.edit.four_how")));
        }
        let chosen: Vec<String> = numbers.iter().map(usize::to_string).collect();
        put(&mut arguments, "chosen_must_haves", json!(chosen));
        Some(self.make_profile(arguments))
    }
}

/// A place as people call it.
pub(super) fn place_name(place: Place, texts: &Texts) -> &str {
    texts.get(group!("guided.sort.place").key(place.name()))
}

fn complaint(bad: &BadSorting, texts: &Texts) -> String {
    let key = group!("guided").key(bad.key());
    if let BadSorting::UnknownWord { word } = bad {
        texts.say(key, &[("word", word)])
    } else if let BadSorting::NoSuchLine { number, .. } = bad {
        texts.say(key, &[("number", &number.to_string())])
    } else {
        texts.get(key).to_owned()
    }
}

/// Different numbers and nothing else: "1, 2, 3 and 5".
pub(super) fn numbers(message: &str, language: crate::Language) -> Option<Vec<usize>> {
    let mut found: Vec<usize> = Vec::new();
    for word in message
        .split(|letter: char| letter.is_whitespace() || matches!(letter, ',' | ';' | '.' | '!' | '+' | '&'))
    {
        match word.parse() {
            _ if word.is_empty() => {}
            Ok(number) if found.contains(&number) => return Some(Vec::new()),
            Ok(number) => found.push(number),
            Err(_) if tata_guided::answer::is_and(word, language) => {}
            Err(_) => return None,
        }
    }
    (!found.is_empty()).then_some(found)
}
