//! Stored documents as people read them.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{Document, JobAd, Kind, Settings, funnel, greeting, invite};

/// How a stored document reads; nothing if it is not one of this kind.
pub fn rendered(kind: Kind, json: &Value) -> Option<Document> {
    match kind {
        Kind::JobAd => read(json, JobAd::document),
        Kind::CalendarInvite => read(json, invite::render),
        Kind::FunnelReport => read(json, funnel::render),
        Kind::ProjectSettings => {
            let settings = Settings::deserialize(json).ok()?;
            Some(greeting(settings.voice(), settings.position_name.as_deref()))
        }
        Kind::RequirementProfile
        | Kind::TaScreeningTemplate
        | Kind::HmScreeningTemplate
        | Kind::HeadhuntingMessages
        | Kind::CandidateReport
        | Kind::JobAdReview
        | Kind::DiReview => None,
    }
}

fn read<T: DeserializeOwned>(json: &Value, render: fn(&T) -> Document) -> Option<Document> {
    T::deserialize(json).ok().as_ref().map(render)
}
