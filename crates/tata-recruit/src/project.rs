//! A recruitment project as the modules see it: what was made so far, and in which language it speaks.

use std::{
    any::Any,
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::Value;
use tata_core::{Artifact, StoreError, ToolContext};

use crate::{
    FormDecision, FormWish, GermanForm, Kind, Language, Notice, Sources, Texts, Voice, decide_form,
    prose::Judge,
};

/// What a project holds. Only the newest version of each document is here.
#[derive(Clone, Debug, Default)]
pub struct Project {
    documents: Vec<Stored>,
    /// The earlier version of a document that a call would bring back.
    pub(crate) earlier: Option<Value>,
    /// How often the call was refused in this turn before.
    pub(crate) tried: usize,
    /// Who else judges what was written.
    pub(crate) judge: Judge,
    /// The profile as its module read it.
    profile: OnceLock<Arc<dyn Any + Send + Sync>>,
    /// The messages in which the values of this call stand.
    pub(crate) said: Vec<String>,
}

/// The newest version of a document.
#[derive(Clone, Debug)]
pub struct Stored {
    /// What it is.
    pub kind: Kind,
    /// Which one, where there are several.
    pub key: String,
    /// Its version.
    pub version: u32,
    /// What it was made from has changed.
    pub stale: bool,
    /// A person approved it.
    pub approved: bool,
    /// The document.
    pub json: Value,
}

/// What the recruiter chose for the whole project.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language of answers and documents.
    pub language: Language,
    /// How German texts address people.
    pub german_form: FormWish,
    /// The position.
    pub position_name: Option<String>,
}

/// How a document will speak, and what decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// The voice.
    pub voice: Voice,
    /// Why this German form, if it is German.
    pub form: Option<FormDecision>,
    /// What the recruiter must be told, e.g. that a language is not available.
    pub notices: Vec<Notice>,
}

impl Settings {
    /// The voice of answers.
    pub fn voice(&self) -> Voice {
        // Only German has forms to decide between.
        let form = if self.language == Language::De {
            decide_form(self.german_form, "").form
        } else {
            GermanForm::default()
        };
        Voice::new(self.language, form)
    }
}

impl Project {
    /// Reads a session.
    pub async fn load(context: &ToolContext) -> Result<Self, StoreError> {
        let newest = context.newest_artifacts().await?;
        let known =
            newest.iter().filter(|artifact| Kind::find(artifact.name.kind.as_str()).is_some()).count();
        let project = Self::of(newest);
        // A version that cannot be read is as if it were not there: the one before it counts.
        if project.documents.len() < known { Ok(Self::of(context.artifacts().await?)) } else { Ok(project) }
    }

    /// The newest of these versions. What no module knows, or cannot read, is not there.
    pub fn of(artifacts: impl IntoIterator<Item = Artifact>) -> Self {
        // The versions of each document, in the order in which the documents came. Most are never read.
        let mut places = BTreeMap::new();
        let mut all: Vec<(usize, Kind, Artifact)> = Vec::new();
        for artifact in artifacts {
            let Some(kind) = Kind::find(artifact.name.kind.as_str()) else { continue };
            let next = places.len();
            all.push((*places.entry(artifact.name.clone()).or_insert(next), kind, artifact));
        }
        all.sort_by_key(|(place, _, artifact)| (*place, Reverse(artifact.version)));
        let stored = |(_, kind, artifact): &(usize, Kind, Artifact)| {
            Some(Stored {
                kind: *kind,
                key: artifact.name.key.clone(),
                version: artifact.version,
                stale: artifact.stale,
                approved: artifact.approval.is_some(),
                json: serde_json::from_str(artifact.json.as_str()).ok()?,
            })
        };
        let documents =
            all.chunk_by(|one, next| one.0 == next.0).filter_map(|all| all.iter().find_map(stored));
        Self { documents: documents.collect(), ..Self::default() }
    }

    /// The same project, in which the call was refused so often in this turn.
    #[must_use]
    pub fn tried_before(mut self, times: usize) -> Self {
        self.tried = times;
        self
    }

    /// What was said for this call that the sources do not have yet.
    pub(crate) fn said_beside(&self, sources: &Sources) -> Option<String> {
        let new = |text: &&String| !sources.iter().any(|(_, known)| known.contains(text.trim()));
        let said: Vec<&str> = self.said.iter().filter(new).map(String::as_str).collect();
        (!said.is_empty()).then(|| said.join("\n"))
    }

    /// The same project, spoken to in this language: a project that nobody has set anything for answers as it is asked.
    #[must_use]
    pub(crate) fn speaking(self, language: Option<&str>) -> Self {
        match language.and_then(Language::wished) {
            Some(language) if self.stored(Kind::ProjectSettings, "").is_none() => {
                let settings = Settings { language, ..Settings::default() };
                self.with(Kind::ProjectSettings, "", &settings)
            }
            Some(_) | None => self,
        }
    }

    /// The same project with one more document, as if it had been stored.
    #[must_use]
    pub fn with(mut self, kind: Kind, key: &str, document: &impl Serialize) -> Self {
        let version = self.next_version(kind, key);
        self.documents.retain(|stored| stored.kind != kind || stored.key != key);
        let json = serde_json::to_value(document).unwrap_or_default();
        let (key, stale, approved) = (key.to_owned(), false, false);
        self.documents.push(Stored { kind, key, version, stale, approved, json });
        self.profile = OnceLock::new();
        self
    }

    /// A stored document.
    pub fn stored(&self, kind: Kind, key: &str) -> Option<&Stored> {
        self.documents.iter().find(|stored| stored.kind == kind && stored.key == key)
    }

    /// The version that a document will have next.
    pub(crate) fn next_version(&self, kind: Kind, key: &str) -> u32 {
        self.stored(kind, key).map_or(0, |stored| stored.version).saturating_add(1)
    }

    /// Everything that was made, the settings aside.
    pub(crate) fn made(&self) -> impl Iterator<Item = &Stored> {
        self.documents.iter().filter(|stored| stored.kind != Kind::ProjectSettings)
    }

    /// The documents themselves.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &Value> {
        self.documents.iter().map(|stored| &stored.json)
    }

    /// All documents of a kind, by key.
    pub fn all(&self, kind: Kind) -> impl Iterator<Item = &Stored> {
        self.documents.iter().filter(move |stored| stored.kind == kind)
    }

    /// A document, read.
    pub fn read<T: DeserializeOwned>(&self, kind: Kind, key: &str) -> Option<T> {
        T::deserialize(&self.stored(kind, key)?.json).ok()
    }

    /// What is read of the requirement profile: once, until another one is there. Only the reader knows what it is.
    pub(crate) fn profile_once<T: Any + Clone + Send + Sync>(&self, read: impl Fn() -> T) -> T {
        let kept = self.profile.get_or_init(|| Arc::new(read()));
        kept.downcast_ref().cloned().unwrap_or_else(read)
    }

    /// What the recruiter chose for the whole project. Where nobody chose, it speaks as its requirement profile does, or as
    /// the first document of one that has none yet.
    pub fn settings(&self) -> Settings {
        let as_document = |stored: &Stored| {
            let voice = Voice::deserialize(stored.json.get("voice")?).ok()?;
            let german_form = match voice.form() {
                Some(GermanForm::Du) => FormWish::Du,
                Some(GermanForm::Sie) => FormWish::Sie,
                None => FormWish::Auto,
            };
            Some(Settings { language: voice.language(), german_form, position_name: None })
        };
        // A review speaks as the ad does, and an ad may come from anywhere.
        let follows = |stored: &&Stored| !matches!(stored.kind, Kind::DiReview | Kind::JobAdReview);
        let as_profile = || {
            let profile = self.stored(Kind::RequirementProfile, "");
            profile.or_else(|| self.made().find(follows)).and_then(as_document)
        };
        self.read(Kind::ProjectSettings, "").or_else(as_profile).unwrap_or_default()
    }

    /// The voice of answers, refusals and warnings.
    pub fn voice(&self) -> Voice {
        self.settings().voice()
    }

    /// The texts of answers, refusals and warnings.
    pub fn texts(&self) -> &'static Texts {
        Texts::of(self.voice())
    }

    /// How a document speaks: what was asked for, else what the project says, else English. `context` decides about du
    /// and Sie where nobody chose.
    pub fn speak(&self, language: Option<&str>, form: Option<FormWish>, context: &str) -> Spoken {
        self.speak_in(language, decide_form(self.wish(form), context))
    }

    /// The same, where it is decided how German people are addressed.
    pub fn speak_in(&self, language: Option<&str>, decision: FormDecision) -> Spoken {
        let wish = language.map(str::trim).filter(|wish| !wish.is_empty());
        let unknown = wish.filter(|wish| Language::wished(wish).is_none()).map(|wish| {
            Notice::say("language", self.texts(), key!("project.unsupported_language"), &[("language", wish)])
        });
        let language = self.language_of(wish);
        let voice = Voice::new(language, decision.form);
        Spoken {
            voice,
            form: (language == Language::De).then_some(decision),
            notices: unknown.into_iter().collect(),
        }
    }

    /// The language that is asked for, else the project's; English for one that Tata does not write.
    pub(crate) fn language_of(&self, wish: Option<&str>) -> Language {
        match wish.filter(|wish| !wish.trim().is_empty()) {
            None => self.settings().language,
            Some(wish) => Language::wished(wish).unwrap_or(Language::En),
        }
    }

    /// What was asked for, else what was chosen for the project.
    pub(crate) fn wish(&self, form: Option<FormWish>) -> FormWish {
        form.filter(|form| *form != FormWish::Auto).unwrap_or(self.settings().german_form)
    }
}
