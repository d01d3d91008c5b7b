//! Stored documents as people read them.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    Document, GermanForm, HeadhuntingMessages, JobAd, Kind, Language, Profile, Settings, Texts, Voice,
    ad_review, candidate, di_review, funnel, greeting, headhunting, invite, profile, screening,
};

/// How a stored document reads; nothing if it is not one of this kind.
pub fn rendered(kind: Kind, json: &Value) -> Option<Document> {
    match kind {
        // One that an earlier version stored may still have what must not pass.
        Kind::RequirementProfile => {
            read(json, |stored: &Profile| profile::render(&profile::cleaned(stored.clone())))
        }
        Kind::JobAd => read(json, JobAd::shown),
        Kind::TaScreeningTemplate | Kind::HmScreeningTemplate => read(json, screening::render),
        Kind::HeadhuntingMessages => read(json, headhunting::render),
        Kind::CandidateReport => read(json, candidate::render),
        Kind::FunnelReport => read(json, funnel::render),
        Kind::JobAdReview => read(json, ad_review::render),
        Kind::DiReview => read(json, di_review::render),
        Kind::CalendarInvite => read(json, invite::render),
        Kind::ProjectSettings => {
            read(json, |settings: &Settings| greeting(settings.voice(), settings.position_name.as_deref()))
        }
    }
}

/// What is said around a document when it leaves as a file.
#[derive(Clone, Copy, Debug)]
pub struct ExportWords {
    /// That a machine helped to write it.
    pub notice: &'static str,
    /// The heading of its sources.
    pub sources: &'static str,
}

/// The words in the language of a document, by its tag.
pub fn export_words(tag: &str) -> ExportWords {
    let language = tag.split('-').next().and_then(Language::wished).unwrap_or_default();
    let texts = Texts::of(Voice::new(language, GermanForm::default()));
    ExportWords {
        notice: texts.get(key!("project.export.notice")),
        sources: texts.get(key!("project.export.sources")),
    }
}

/// What keeps a stored document for candidates from being approved as final, in its own language: words that the inclusion
/// review calls high, or statements that nothing proves. Nothing if it may go out, or if it is not for candidates.
pub fn not_ready(kind: Kind, json: &Value) -> Option<String> {
    match kind {
        Kind::JobAd => {
            let ad = JobAd::deserialize(json).ok()?;
            let texts = Texts::of(ad.voice);
            let unproven =
                (!ad.unproven.is_empty()).then(|| texts.get(key!("project.unproven.not_ready")).to_owned());
            unproven.or_else(|| ad.not_ready(texts))
        }
        Kind::HeadhuntingMessages => {
            let messages = HeadhuntingMessages::deserialize(json).ok()?;
            headhunting::not_ready(&messages, Texts::of(messages.shown))
        }
        Kind::RequirementProfile
        | Kind::TaScreeningTemplate
        | Kind::HmScreeningTemplate
        | Kind::CandidateReport
        | Kind::FunnelReport
        | Kind::JobAdReview
        | Kind::DiReview
        | Kind::CalendarInvite
        | Kind::ProjectSettings => None,
    }
}

fn read<T: DeserializeOwned>(json: &Value, render: fn(&T) -> Document) -> Option<Document> {
    T::deserialize(json).ok().as_ref().map(render)
}
