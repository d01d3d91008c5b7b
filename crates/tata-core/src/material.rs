//! What people brought: every message, pasted text and file, numbered in its session and never changed.
//!
//! A material is a text block of a person's message, so the journal holds it and nothing is stored twice. What a model
//! writes is a claim; only a material can prove it.

use std::{fmt, str::FromStr, sync::Arc};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{Block, Message};

/// The number of a material in its session, written `m4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct MaterialId(u32);

impl MaterialId {
    /// A number, from 1.
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for MaterialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

impl From<MaterialId> for String {
    fn from(id: MaterialId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for MaterialId {
    type Error = NotAMaterialId;

    fn try_from(text: String) -> Result<Self, NotAMaterialId> {
        text.parse()
    }
}

/// The text is not the number of a material.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not the number of a material such as m4")]
pub struct NotAMaterialId(String);

impl FromStr for MaterialId {
    type Err = NotAMaterialId;

    fn from_str(text: &str) -> Result<Self, NotAMaterialId> {
        let number =
            text.strip_prefix(['m', 'M']).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()));
        let number = number.and_then(|digits| digits.parse().ok()).filter(|number| *number > 0);
        number.map(Self).ok_or_else(|| NotAMaterialId(text.chars().take(40).collect()))
    }
}

/// Something a person brought.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Material {
    id: MaterialId,
    turn: u32,
    at: Timestamp,
    /// The message and the block of it; the text is shared with the conversation.
    message: Message,
    block: usize,
}

impl Material {
    /// Its number.
    pub fn id(&self) -> MaterialId {
        self.id
    }

    /// The turn in which it was brought.
    pub fn turn(&self) -> u32 {
        self.turn
    }

    /// When it was brought.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// The text, unchanged.
    pub fn text(&self) -> &str {
        self.message.blocks.get(self.block).and_then(text_of).unwrap_or_default()
    }
}

/// The materials of a session that still count, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Materials {
    all: Arc<Vec<Material>>,
    last: u32,
}

impl Materials {
    /// Texts as if a person had brought them one after the other: for work outside of a session.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut materials = Self::default();
        for (turn, text) in (1..).zip(texts) {
            materials.add(turn, Timestamp::UNIX_EPOCH, &Message::user(text));
        }
        materials
    }

    /// All of them.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Material> {
        self.all.iter()
    }

    /// One by its number.
    pub fn get(&self, id: MaterialId) -> Option<&Material> {
        self.all.binary_search_by_key(&id, Material::id).ok().and_then(|at| self.all.get(at))
    }

    /// Those of one turn.
    pub fn of_turn(&self, turn: u32) -> impl Iterator<Item = &Material> {
        let start = self.all.partition_point(|material| material.turn < turn);
        self.all.iter().skip(start).take_while(move |material| material.turn == turn)
    }

    /// Takes in what a person said.
    pub(crate) fn add(&mut self, turn: u32, at: Timestamp, message: &Message) {
        for (block, content) in message.blocks.iter().enumerate() {
            if text_of(content).is_some_and(|text| !text.trim().is_empty()) {
                self.last += 1;
                let id = MaterialId(self.last);
                let material = Material { id, turn, at, message: message.clone(), block };
                Arc::make_mut(&mut self.all).push(material);
            }
        }
    }

    /// A turn was taken back: what was said in it and after it no longer counts. The numbers stay taken.
    pub(crate) fn undo(&mut self, turn: u32) {
        Arc::make_mut(&mut self.all).retain(|material| material.turn < turn);
    }
}

fn text_of(block: &Block) -> Option<&str> {
    if let Block::Text(text) = block { Some(&text.text) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_never_given_twice() {
        let mut materials = Materials::default();
        let at = Timestamp::UNIX_EPOCH;
        materials.add(1, at, &Message::user("one"));
        materials.add(2, at, &Message::user("  "));
        materials.add(3, at, &Message::user("two"));
        materials.undo(3);
        materials.add(4, at, &Message::user("three"));
        let all: Vec<_> =
            materials.iter().map(|one| (one.id().to_string(), one.turn(), one.text())).collect();
        assert_eq!(all, [("m1".to_owned(), 1, "one"), ("m3".to_owned(), 4, "three")]);
        assert_eq!(materials.get(MaterialId::new(2)), None, "taken back");
        assert_eq!(materials.of_turn(4).count(), 1);
    }

    #[test]
    fn only_a_number_is_a_number() {
        for wrong in ["", "m", "m0", "4", "m-1", "m4x", "m99999999999", "ｍ4"] {
            assert!(wrong.parse::<MaterialId>().is_err(), "{wrong:?}");
        }
        assert_eq!("M12".parse(), Ok(MaterialId::new(12)));
    }
}
