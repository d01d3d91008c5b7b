//! Stored documents as people read them.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;

use crate::{
    Document, JobAd, Kind, Settings, ad_review, candidate, di_review, funnel, greeting, headhunting, invite,
    profile, screening,
};

/// How a stored document reads; nothing if it is not one of this kind.
pub fn rendered(kind: Kind, json: &Value) -> Option<Document> {
    match kind {
        Kind::RequirementProfile => read(json, profile::render),
        Kind::JobAd => read(json, JobAd::document),
        Kind::TaScreeningTemplate | Kind::HmScreeningTemplate => read(json, screening::render),
        Kind::HeadhuntingMessages => read(json, headhunting::render),
        Kind::CandidateReport => read(json, candidate::render),
        Kind::FunnelReport => read(json, funnel::render),
        Kind::JobAdReview => read(json, ad_review::render),
        Kind::DiReview => read(json, di_review::render),
        Kind::CalendarInvite => read(json, invite::render),
        Kind::ProjectSettings => {
            let settings = Settings::deserialize(json).ok()?;
            Some(greeting(settings.voice(), settings.position_name.as_deref()))
        }
    }
}

fn read<T: DeserializeOwned>(json: &Value, render: fn(&T) -> Document) -> Option<Document> {
    T::deserialize(json).ok().as_ref().map(render)
}
