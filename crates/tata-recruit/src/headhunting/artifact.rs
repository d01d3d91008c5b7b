//! Headhunting messages as they are stored: eighteen texts, each with its parts.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::named;

use crate::{Evidence, FormDecision, Item, Key, Language, Sources, Texts, Voice};

/// Fewer words than this.
const WORDS: usize = 100;

/// Messages to people who did not apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeadhuntingMessages {
    /// The position, as the profile names it.
    pub position_title: String,
    /// The version of the profile they were made from.
    pub profile_version: u32,
    /// What was taken up from the candidate's profile; the same in all texts.
    pub personalization_detail: Option<PersonalDetail>,
    /// Three versions, each in six voices.
    pub versions: Versions,
    /// The voice of the document that shows them.
    pub shown: Voice,
    /// Which German form is shown, and why. Both are stored.
    pub german_form: FormDecision,
    /// What the candidate's and the company's texts said, so that spans can be checked.
    #[serde(default)]
    pub sources: Sources,
    /// When they were made.
    pub created_at: Timestamp,
}

impl HeadhuntingMessages {
    /// The voices that are shown, that of the document first. Of the two German forms, it is the chosen one.
    pub(super) fn voices(&self) -> impl Iterator<Item = Voice> + use<> {
        let (shown, form) = (self.shown, self.german_form.form);
        let others = Language::ALL.into_iter().filter(move |language| *language != shown.language());
        std::iter::once(shown).chain(others.map(move |language| Voice::new(language, form)))
    }
}

/// The texts by version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// At most 400 characters.
    pub short_direct: Voices,
    /// About one good reason.
    pub value_proposition: Voices,
    /// About the next step.
    pub call_to_action: Voices,
}

impl Versions {
    /// A text for every version and voice, or the first reason why there is none.
    pub(super) fn each<E>(mut write: impl FnMut(Version, Voice) -> Result<Message, E>) -> Result<Self, E> {
        let mut voices = |version: Version| {
            let [en, sv, da, no, de_du, de_sie] = Voice::ALL.map(|voice| write(version, voice));
            Ok(Voices { en: en?, sv: sv?, da: da?, no: no?, de_du: de_du?, de_sie: de_sie? })
        };
        Ok(Self {
            short_direct: voices(Version::ShortDirect)?,
            value_proposition: voices(Version::ValueProposition)?,
            call_to_action: voices(Version::CallToAction)?,
        })
    }

    /// The texts of a version.
    pub fn get(&self, version: Version) -> &Voices {
        [&self.short_direct, &self.value_proposition, &self.call_to_action][version as usize]
    }

    /// All eighteen.
    pub fn iter(&self) -> impl Iterator<Item = (Version, Voice, &Message)> {
        Version::ALL.into_iter().flat_map(move |version| {
            Voice::ALL.into_iter().map(move |voice| (version, voice, self.get(version).get(voice)))
        })
    }
}

/// One version in every voice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voices {
    /// English.
    pub en: Message,
    /// Swedish.
    pub sv: Message,
    /// Danish.
    pub da: Message,
    /// Norwegian.
    pub no: Message,
    /// German, informal.
    pub de_du: Message,
    /// German, formal.
    pub de_sie: Message,
}

impl Voices {
    /// The text of a voice.
    pub fn get(&self, voice: Voice) -> &Message {
        [&self.en, &self.sv, &self.da, &self.no, &self.de_du, &self.de_sie][voice as usize]
    }
}

named! {
    /// The three ways to begin a conversation.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Version {
        /// At most 400 characters.
        ShortDirect = "short_direct",
        /// About one good reason.
        ValueProposition = "value_proposition",
        /// About the next step.
        CallToAction = "call_to_action",
    }
}

impl Version {
    /// What people call it.
    pub(crate) fn display(self, texts: &Texts) -> &str {
        texts.get(group!("headhunting.versions").key(self.name()))
    }

    /// The field of its text in a voice.
    pub(super) fn field(self, voice: Voice) -> String {
        format!("messages.{}.{}", self.name(), voice.name())
    }

    /// The most characters. LinkedIn's study: under 400 brings a fifth more answers; 1,900 is its limit.
    pub fn most_characters(self) -> usize {
        match self {
            Self::ShortDirect => 400,
            Self::ValueProposition | Self::CallToAction => 1_899,
        }
    }
}

/// One text and the parts it consists of. Each part stands in the text as it is here, once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// The whole text.
    pub text: String,
    /// What the role is.
    pub hook: String,
    /// The one reason to look at it.
    pub value_proposition: String,
    /// What the reason is made of.
    pub value_kind: ValueKind,
    /// Where the reason comes from, in the sources of the requirement profile.
    pub value_evidence: Vec<Evidence>,
    /// What the reader is asked to do.
    pub call_to_action: String,
    /// Whether a model wrote it; otherwise it comes from the templates.
    pub given: bool,
    /// Words, by blanks.
    pub words: usize,
    /// Characters.
    pub characters: usize,
}

impl Message {
    /// The same, with its words and characters counted.
    pub(super) fn counted(self) -> Self {
        let (words, characters) = (self.text.split_whitespace().count(), self.text.chars().count());
        Self { words, characters, ..self }
    }

    /// Its three parts.
    pub(super) fn parts(&self) -> [&str; 3] {
        [&self.hook, &self.value_proposition, &self.call_to_action]
    }

    /// The limits that it breaks: what says so, how much it has, and the limit.
    pub(super) fn broken_limits(&self, version: Version) -> impl Iterator<Item = (Key, usize, usize)> {
        let most = version.most_characters();
        let words = (key!("headhunting.refusal.words"), self.words, WORDS);
        let characters = (key!("headhunting.refusal.characters"), self.characters, most);
        let too_many = (self.words >= WORDS).then_some(words);
        too_many.into_iter().chain((self.characters > most).then_some(characters))
    }
}

/// What a reason is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ValueKind {
    /// A motivation of the profile, in its own words.
    #[default]
    Motivation,
    /// A statement of the profile that a model translated.
    Translated,
    /// How many people, and where.
    TeamAndPlace,
    /// How many people.
    Team,
    /// Where.
    Place,
    /// What the role adds to the mission.
    Mission,
    /// The pay.
    Pay,
}

/// A true statement from the candidate's public profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonalDetail {
    /// What it is about.
    pub kind: DetailKind,
    /// The words and the place they stand.
    #[serde(flatten)]
    pub item: Item,
}

named! {
    /// What a detail is about, the best first.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum DetailKind {
        /// A role or an employer.
        Role = "role",
        /// Years of experience.
        Years = "years",
        /// Something the person can do.
        Skill = "skill",
        /// Another short sentence.
        Sentence = "sentence",
    }
}
