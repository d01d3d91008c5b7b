//! Changes of the profile: what would be is shown before and after, and only a yes makes it so.

use serde_json::{Value, json};
use tata_core::{FieldKind, put};
use tata_guided::{
    answer::{Answer, Read, by_number, is_doubt, is_undo, read, yes_or_no},
    edit::{self, Edit, List, Reading},
    sort::Place,
    wish::{self, Wish},
};

use super::{
    Ask,
    notes::{numbers, place_name},
    say,
    tools::tool_of,
    turn::{Step, Turn},
};
use crate::{Country, Key, Kind, LISTS, MUST_HAVES, Texts, form::Arguments, tool, wording::is_known_place};

/// The lists that something can be added to, in the order in which they are offered.
const OFFERED: [Place; 5] = [Place::Must, Place::Good, Place::Task, Place::Trait, Place::Reason];

impl Turn<'_> {
    /// The statements of the profile, list by list.
    pub(super) fn lists(&self) -> Vec<(Place, Vec<String>)> {
        let Some(profile) = self.memory.made.get(&Kind::RequirementProfile) else { return Vec::new() };
        let texts = |name: &str| -> Vec<String> {
            let items = profile[name].as_array().into_iter().flatten();
            items.filter_map(|item| item["text"].as_str().map(str::to_owned)).collect()
        };
        LISTS.iter().map(|list| (list.place, texts(list.stored))).collect()
    }

    fn list(&self, place: Place) -> Vec<String> {
        let list = self.lists().into_iter().find(|(known, _)| *known == place);
        list.map(|(_, items)| items).unwrap_or_default()
    }

    fn item(&self, place: Place, at: usize) -> String {
        self.list(place).into_iter().nth(at).unwrap_or_default()
    }

    /// What a message says about the profile; nothing without one.
    fn read_edit(&self, message: &str) -> Option<Reading> {
        let lists = self.lists();
        let shown: Vec<List<'_>> = lists.iter().map(|(place, items)| List { place: *place, items }).collect();
        if shown.is_empty() { None } else { edit::read(message, self.language, &shown) }
    }

    /// A town or a country alone: the answer to the question where the job is, while the profile does not tell it.
    pub(super) fn place_named(&mut self, message: &str) -> Option<Step> {
        let profile = self.memory.made.get(&Kind::RequirementProfile)?;
        if !profile["team_info"]["location"].is_null() || !profile["country"].is_null() {
            return None;
        }
        let name = message.trim().trim_end_matches(['.', '!']);
        let called = Country::called(name);
        let is_town = || is_known_place(name) && Country::of_place(name).is_some();
        if called.is_none() && !is_town() {
            return None;
        }
        let mut change = self.change();
        match called {
            Some(country) => change.sets(Place::Place, name, "country", json!(country)),
            None => change.sets(Place::Place, name, "team.location", json!(name)),
        }
        Some(self.ask_change(change))
    }

    /// A change that the message says, unless it certainly wants something else.
    pub(super) fn edited(&mut self, message: &str, certain: Option<Wish>) -> Option<Step> {
        let about = matches!(certain, None | Some(Wish::EditProfile | Wish::None | Wish::SetPosition));
        let texts = self.texts();
        match self.read_edit(message)? {
            // Words that name an item certainly are about the profile, whatever else they resemble.
            Reading::Edit(edit @ (Edit::Remove { .. } | Edit::Replace { .. } | Edit::Move { .. })) => {
                Some(self.propose(edit))
            }
            Reading::Edit(edit) if about => Some(self.propose(edit)),
            Reading::Several { words, found } if about => {
                let lines: Vec<String> = found
                    .iter()
                    .map(|(place, at)| {
                        format!("{} {}: {}", place_name(*place, texts), at + 1, self.item(*place, *at))
                    })
                    .collect();
                let lead = texts.say(key!("guided.edit.several"), &[("words", &words)]);
                let how = texts.get(key!("guided.edit.several_how"));
                Some(self.say(say::joined(&[&*lead, &say::bullets(&lines), how])))
            }
            Reading::NotFound { words } if about && certain != Some(Wish::None) => {
                Some(self.ask_item(&texts.say(key!("guided.edit.not_found"), &[("words", &words)])))
            }
            Reading::Unclear if about && certain != Some(Wish::None) => {
                Some(self.ask_item(texts.get(key!("guided.edit.unclear"))))
            }
            Reading::Edit(_) | Reading::Several { .. } | Reading::NotFound { .. } | Reading::Unclear => None,
        }
    }

    /// Shows a change before and after, and asks.
    pub(super) fn propose(&mut self, edit: Edit) -> Step {
        let texts = self.texts();
        let mut change = self.change();
        self.thought.intent = Some(Wish::EditProfile);
        match edit {
            Edit::Replace { place, at, part, new, after } => {
                let before = self.item(place, at);
                change.lines.push(texts.say(key!("guided.edit.before"), &[("text", &before)]));
                change.lines.push(texts.say(key!("guided.edit.after"), &[("text", &after)]));
                let mut swap = json!({ "old": before, "new": new });
                if let Some(part) = part {
                    swap["part"] = json!(part);
                }
                put(&mut change.arguments, &format!("{}.replace", field(place)), json!([swap]));
            }
            Edit::Remove { place: Place::Must, at } | Edit::Move { from: Place::Must, at, .. } => {
                let text = self.item(Place::Must, at);
                self.thought.ask = Some(Ask::Instead { at });
                return self.say(texts.say(key!("guided.edit.instead"), &[("text", &text)]));
            }
            Edit::Remove { place, at } => change.goes(place, &[&self.item(place, at)]),
            Edit::Move { from, at, to: Place::Must } => return self.ask_four(self.item(from, at)),
            Edit::Move { from, at, to } => {
                let text = self.item(from, at);
                change.goes(from, &[&text]);
                change.comes(to, &[&text]);
            }
            Edit::Add { place: None, text } => {
                let lists = OFFERED.map(|place| place_name(place, texts));
                let lead = texts.say(key!("guided.edit.which_list"), &[("text", &text)]);
                self.thought.ask = Some(Ask::List { text });
                return self.say(say::joined(&[lead, say::numbered(&lists)]));
            }
            Edit::Add { place: Some(Place::Must), text } => return self.ask_four(text),
            Edit::Add { place: Some(place), text } => change.comes(place, &[&text]),
            Edit::Set { place: None, value } => {
                change.lines.push(texts.say(key!("guided.edit.title"), &[("text", &value)]));
                put(&mut change.arguments, "position_title", json!(value));
            }
            Edit::Set { place: Some(Place::Team), value } if self.count(&value).is_some() => {
                let size = self.count(&value);
                change.sets(Place::Team, &value, "team.size", json!(size));
            }
            Edit::Set { place: Some(place), value } => {
                let single = [(Place::Pay, "pay_range"), (Place::Place, "team.location")];
                let path = single.into_iter().find(|(known, _)| *known == place);
                let path = path.map_or("team.collaboration_style", |(_, path)| path);
                change.sets(place, &value, path, json!(value));
            }
        }
        self.ask_change(change)
    }

    /// Shows what would be, and asks.
    fn ask_change(&mut self, mut change: Change<'_>) -> Step {
        self.thought.intent = Some(Wish::EditProfile);
        let profile = self.memory.made.get(&Kind::RequirementProfile);
        // A confirmed profile changes by a decision, which is asked about with all that changes: that one question is
        // enough, and its yes confirms what it shows.
        if profile.is_some_and(|profile| profile["status"] == "confirmed") {
            put(&mut change.arguments, "confirm", json!(true));
            return self.call(tool::EDIT_REQUIREMENT_PROFILE, change.arguments);
        }
        self.thought.ask = Some(Ask::Change { arguments: change.arguments });
        self.say(say::joined(&[&*change.lines.join("\n"), change.texts.get(key!("guided.edit.ask"))]))
    }

    /// A change of nothing yet.
    fn change(&self) -> Change<'static> {
        Change { texts: self.texts(), lines: Vec::new(), arguments: Arguments::new() }
    }

    /// The person's word on a change that was shown.
    pub(super) fn decide_change(&mut self, arguments: Arguments, message: &str) -> Option<Step> {
        let language = self.language;
        let texts = self.texts();
        self.thought.intent = Some(Wish::EditProfile);
        if yes_or_no(message, language) == Some(true) {
            return Some(self.call(tool::EDIT_REQUIREMENT_PROFILE, arguments));
        }
        if yes_or_no(message, language) == Some(false) || is_undo(message, language) {
            return Some(self.tell(key!("guided.edit.kept")));
        }
        self.thought.intent = None;
        let reading = wish::read(message, language);
        let other = reading.certain.is_some_and(|wish| wish.acts() || tool_of(wish).is_some());
        if other && !is_doubt(message, language) || self.read_edit(message).is_some() {
            return None;
        }
        // Whatever is no yes changes nothing, and the question stands.
        self.thought.ask = Some(Ask::Change { arguments });
        Some(self.say(say::joined(&[texts.get(key!("guided.doubt")), texts.get(key!("guided.edit.ask"))])))
    }

    pub(super) fn choose_list(&mut self, text: String, message: &str) -> Option<Step> {
        let texts = self.texts();
        let named = OFFERED
            .into_iter()
            .position(|place| place_name(place, texts).eq_ignore_ascii_case(message.trim()));
        let at = by_number(message, self.language).and_then(|number| number.checked_sub(1)).or(named)?;
        let place = *OFFERED.get(at)?;
        Some(self.propose(Edit::Add { place: Some(place), text }))
    }

    /// One must-have more than four: which four count?
    fn ask_four(&mut self, text: String) -> Step {
        let mut items = self.list(Place::Must);
        items.push(text);
        let shown = say::joined(&[&*say::numbered(&items), self.texts().get(key!("guided.edit.four"))]);
        self.thought.ask = Some(Ask::Four { items });
        self.say(shown)
    }

    pub(super) fn choose_four(&mut self, items: Vec<String>, message: &str) -> Option<Step> {
        let numbers = numbers(message, self.language)?;
        let fits =
            numbers.len() == MUST_HAVES && numbers.iter().all(|number| (1..=items.len()).contains(number));
        if !fits {
            self.thought.ask = Some(Ask::Four { items });
            return Some(self.tell(key!("guided.edit.four_how")));
        }
        let known = self.list(Place::Must);
        let (known, items): (Vec<&str>, Vec<&str>) =
            (known.iter().map(String::as_str).collect(), items.iter().map(String::as_str).collect());
        let picked = |text: &&str| numbers.iter().any(|number| items.get(number - 1) == Some(text));
        let gone: Vec<&str> = known.iter().copied().filter(|text| !picked(text)).collect();
        let (come, left): (Vec<&str>, Vec<&str>) = items.iter().copied().partition(picked);
        let come: Vec<&str> = come.into_iter().filter(|text| !known.contains(text)).collect();
        let mut change = self.change();
        change.goes(Place::Must, &gone);
        change.comes(Place::Must, &come);
        change.comes(Place::Good, &left);
        Some(self.ask_change(change))
    }

    /// What takes the place of a must-have that goes.
    pub(super) fn take_instead(&mut self, at: usize, message: &str) -> Option<Step> {
        if message.contains('\n') || self.wants_document(message) {
            return None;
        }
        match read(FieldKind::Text, message, &self.context()) {
            Ok(Read::Certain(Answer::Text(new))) => {
                let new = new.trim_end_matches(['.', '!']).to_owned();
                let edit = Edit::Replace { place: Place::Must, at, part: None, after: new.clone(), new };
                Some(self.propose(edit))
            }
            Ok(Read::Certain(_) | Read::Choose(_)) => None,
            Err(problem) => {
                self.thought.ask = Some(Ask::Instead { at });
                Some(self.tell(group!("guided").key(problem.key())))
            }
        }
    }

    /// What the profile lacks for an ad, as a change that is shown and asked about.
    pub(super) fn add_part(&mut self, place: Place, message: &str) -> Option<Step> {
        if place == Place::Team {
            return self.add_team_size(message);
        }
        let items = match self.read_list(message, || Ask::Part { place })? {
            Ok(items) => items,
            Err(step) => return Some(*step),
        };
        let mut change = self.change();
        change.comes(place, &items.iter().map(String::as_str).collect::<Vec<_>>());
        self.thought.wanted = Some(Wish::JobAd);
        Some(self.ask_change(change))
    }

    /// The number that a text is, and nothing else: "9" of "the team size to 9".
    fn count(&self, text: &str) -> Option<u64> {
        match read(FieldKind::Count, text, &self.context()) {
            Ok(Read::Certain(Answer::Count(count))) => Some(count),
            Ok(Read::Certain(_) | Read::Choose(_)) | Err(_) => None,
        }
    }

    /// The size of the team, as a change that is shown and asked about.
    fn add_team_size(&mut self, message: &str) -> Option<Step> {
        let size = self.count(message).or_else(|| crate::profile::people(message).map(u64::from))?;
        let mut change = self.change();
        change.sets(Place::Team, &size.to_string(), "team.size", json!(size));
        self.thought.wanted = Some(Wish::Headhunting);
        Some(self.ask_change(change))
    }
}

/// A change as it is shown, and as it is made.
struct Change<'t> {
    texts: &'t Texts,
    lines: Vec<String>,
    arguments: Arguments,
}

impl Change<'_> {
    /// Items go from a list.
    fn goes(&mut self, place: Place, items: &[&str]) {
        self.show(key!("guided.edit.goes"), place, items);
        self.put(place, "remove", items);
    }

    /// Items come to a list.
    fn comes(&mut self, place: Place, items: &[&str]) {
        self.show(key!("guided.edit.comes"), place, items);
        self.put(place, "add", items);
    }

    /// What is no list is set as a whole.
    fn sets(&mut self, place: Place, shown: &str, path: &str, value: Value) {
        self.show(key!("guided.edit.comes"), place, &[shown]);
        put(&mut self.arguments, path, value);
    }

    fn show(&mut self, key: Key, place: Place, items: &[&str]) {
        let list = place_name(place, self.texts);
        let line = |text: &&str| self.texts.say(key, &[("list", list), ("text", text)]);
        self.lines.extend(items.iter().map(line));
    }

    fn put(&mut self, place: Place, act: &str, items: &[&str]) {
        if !items.is_empty() {
            put(&mut self.arguments, &format!("{}.{act}", field(place)), json!(items));
        }
    }
}

/// How a change calls a list.
fn field(place: Place) -> &'static str {
    LISTS.iter().find(|list| list.place == place).map_or("good_to_haves", |list| list.name)
}

/// The list that a field of the profile is.
pub(super) fn place_of(name: &str) -> Option<Place> {
    LISTS.iter().find(|list| [list.name, list.stored].contains(&name)).map(|list| list.place)
}
