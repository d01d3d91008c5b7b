//! What was asked, and so what the next message answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tata_guided::{sort::Place, wish::Wish};

use crate::form::Arguments;

/// An open question. It is noted beside the answer that asks it, and forgotten when something else is wanted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Ask {
    /// The fields of a tool.
    Form {
        /// The tool.
        tool: String,
        /// What is known already.
        arguments: Arguments,
        /// How far the form is filled.
        state: Value,
    },
    /// Where the lines of notes belong.
    Sort {
        /// What else is known for the profile; the notes are `startup_notes`.
        arguments: Arguments,
        /// What the person has said so far, by line from 1.
        #[serde(with = "placed_lines")]
        placed: BTreeMap<usize, Place>,
    },
    /// Whether a change shall be made.
    Change {
        /// The arguments of the change.
        arguments: Arguments,
    },
    /// Which of these is wanted.
    Guess {
        /// The guesses, numbered from 1; after the answer to an open question, if there is one.
        wishes: Vec<Wish>,
        /// What was said.
        message: String,
        /// The question that it may have answered.
        open: Option<Box<Ask>>,
    },
    /// To which list something belongs.
    List {
        /// What.
        text: String,
    },
    /// Which item of the profile is meant; the number behind the last one is something new.
    Item,
    /// What becomes of an item.
    Becomes {
        /// Its list.
        place: Place,
        /// Its place, from 0.
        at: usize,
    },
    /// What comes to the profile.
    New,
    /// Which four must-haves count.
    Four {
        /// All of them, numbered from 1.
        items: Vec<String>,
    },
    /// What takes the place of a must-have.
    Instead {
        /// Its place, from 0.
        at: usize,
    },
    /// Further must-haves for notes that name fewer than four.
    More {
        /// The arguments of the profile.
        arguments: Arguments,
    },
    /// Whether these must-haves come to those of the notes.
    Further {
        /// The arguments of the profile.
        arguments: Arguments,
        /// What comes.
        items: Vec<String>,
    },
    /// Which of lines hold that contradict each other.
    Rivals {
        /// What else is known for the profile.
        arguments: Arguments,
        /// Where the lines of the notes belong, by line from 1.
        #[serde(with = "placed_lines")]
        placed: BTreeMap<usize, Place>,
    },
    /// Whether lines that name several things count in these parts.
    Parts {
        /// The arguments of the profile.
        arguments: Arguments,
        /// Which list the lines go to.
        place: Place,
        /// The parts.
        items: Vec<String>,
    },
    /// Which four of the notes count.
    Chosen {
        /// The arguments of the profile.
        arguments: Arguments,
    },
    /// What the profile lacks for an ad, or for messages.
    Part {
        /// The list; the team for its size.
        place: Place,
    },
    /// Which position this is about.
    Position {
        /// What a yes takes.
        proposed: Option<String>,
    },
}

/// Marks a text that stands in a message: its number, its first byte and how many it has.
const MARK: char = '\u{1}';
/// Shorter texts are kept as they are.
const LONG: usize = 300;

/// The same with every long text as a reference to the message it stands in: notes are not written down again with
/// every question about them.
pub(super) fn packed(value: Value, said: &[String]) -> Value {
    each(value, &|text| {
        if text.len() < LONG {
            return text;
        }
        let place =
            said.iter().enumerate().rev().find_map(|(number, said)| Some((number, said.find(&text)?)));
        place.map_or(text.clone(), |(number, start)| format!("{MARK}{number}:{start}:{}", text.len()))
    })
}

/// The same with the texts themselves.
pub(super) fn unpacked(value: Value, said: &[String]) -> Value {
    each(value, &|text| {
        let found = text.strip_prefix(MARK).and_then(|place| {
            let mut numbers = place.split(':').map(|number| number.parse::<usize>().ok());
            let (number, start, length) = (numbers.next()??, numbers.next()??, numbers.next()??);
            said.get(number)?.get(start..start.checked_add(length)?)
        });
        found.map_or(text.clone(), str::to_owned)
    })
}

fn each(value: Value, change: &impl Fn(String) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(change(text)),
        Value::Array(members) => members.into_iter().map(|member| each(member, change)).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, member)| (name, each(member, change))).collect())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => value,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn long_texts_stand_in_their_message_only() {
        let notes = "Must have: SQL. ".repeat(50);
        let said = ["hello".to_owned(), format!("Here you are:\n{notes}")];
        let value = json!({ "startup_notes": notes, "list": ["short"] });
        let packed = packed(value.clone(), &said);
        assert!(packed.to_string().len() < 100, "{packed}");
        assert_eq!(unpacked(packed, &said), value);
    }
}

/// As pairs: the keys of a JSON object are text, and inside a tagged enum serde does not read numbers from them. A question
/// that cannot be read is forgotten, with all lines that had their place.
mod placed_lines {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};
    use tata_guided::sort::Place;

    pub(super) fn serialize<S: Serializer>(
        placed: &BTreeMap<usize, Place>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(placed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<usize, Place>, D::Error> {
        Ok(Vec::<(usize, Place)>::deserialize(deserializer)?.into_iter().collect())
    }
}
