//! The stages of a funnel and their lanes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Kind, Texts};

/// A stage candidates reach, in the order in which they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FunnelStage {
    /// The ad was seen.
    JobAdViews,
    /// Somebody began to apply.
    ApplyClicks,
    /// An application came in.
    ApplicationsReceived,
    /// It meets the requirements.
    QualifiedApplications,
    /// Somebody was found.
    CandidatesSourced,
    /// Somebody was written to.
    Contacted,
    /// Somebody answered.
    Replied,
    /// Somebody wants to know more.
    Interested,
    /// The recruiter's screening.
    TaScreenings,
    /// The hiring manager's interview.
    HmInterviews,
    /// A case.
    CaseInterviews,
    /// The team.
    TeamInterviews,
    /// Tests.
    Tests,
    /// References.
    References,
    /// An offer was made.
    OffersMade,
    /// An offer was accepted.
    OffersAccepted,
}

/// A way candidates take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Lane {
    /// They come by the ad.
    Attraction,
    /// We go to them.
    Sourcing,
    /// What both have in common.
    Process,
}

/// Who puts a bottleneck right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// The recruiter.
    Recruiter,
    /// The hiring manager.
    HiringManager,
    /// The operations of talent acquisition.
    TaOperations,
}

impl FunnelStage {
    /// All of them, in order.
    pub const ALL: [Self; 16] = [
        Self::JobAdViews,
        Self::ApplyClicks,
        Self::ApplicationsReceived,
        Self::QualifiedApplications,
        Self::CandidatesSourced,
        Self::Contacted,
        Self::Replied,
        Self::Interested,
        Self::TaScreenings,
        Self::HmInterviews,
        Self::CaseInterviews,
        Self::TeamInterviews,
        Self::Tests,
        Self::References,
        Self::OffersMade,
        Self::OffersAccepted,
    ];

    /// Its name in JSON and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::JobAdViews => "job_ad_views",
            Self::ApplyClicks => "apply_clicks",
            Self::ApplicationsReceived => "applications_received",
            Self::QualifiedApplications => "qualified_applications",
            Self::CandidatesSourced => "candidates_sourced",
            Self::Contacted => "contacted",
            Self::Replied => "replied",
            Self::Interested => "interested",
            Self::TaScreenings => "ta_screenings",
            Self::HmInterviews => "hm_interviews",
            Self::CaseInterviews => "case_interviews",
            Self::TeamInterviews => "team_interviews",
            Self::Tests => "tests",
            Self::References => "references",
            Self::OffersMade => "offers_made",
            Self::OffersAccepted => "offers_accepted",
        }
    }

    /// The lane it belongs to.
    pub fn lane(self) -> Lane {
        match self {
            Self::JobAdViews
            | Self::ApplyClicks
            | Self::ApplicationsReceived
            | Self::QualifiedApplications => Lane::Attraction,
            Self::CandidatesSourced | Self::Contacted | Self::Replied | Self::Interested => Lane::Sourcing,
            Self::TaScreenings
            | Self::HmInterviews
            | Self::CaseInterviews
            | Self::TeamInterviews
            | Self::Tests
            | Self::References
            | Self::OffersMade
            | Self::OffersAccepted => Lane::Process,
        }
    }

    /// Whether it counts people. Views and clicks may come from one person many times.
    pub fn counts_people(self) -> bool {
        !matches!(self, Self::JobAdViews | Self::ApplyClicks)
    }

    /// Where it stands in an input: the block and the field.
    pub fn field(self) -> String {
        format!("{}.{}", self.lane().name(), self.name())
    }

    /// As people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(&format!("funnel.stages.{}", self.name()))
    }

    /// Who can put it right, and the document it has to do with.
    pub fn remedy(self) -> (Owner, Option<Kind>) {
        match self {
            Self::JobAdViews | Self::ApplyClicks => (Owner::Recruiter, Some(Kind::JobAd)),
            Self::ApplicationsReceived => (Owner::TaOperations, None),
            Self::QualifiedApplications => (Owner::HiringManager, Some(Kind::RequirementProfile)),
            Self::Contacted | Self::Replied | Self::Interested => {
                (Owner::Recruiter, Some(Kind::HeadhuntingMessages))
            }
            Self::TaScreenings => (Owner::Recruiter, Some(Kind::TaScreeningTemplate)),
            Self::HmInterviews => (Owner::HiringManager, Some(Kind::HmScreeningTemplate)),
            Self::CaseInterviews | Self::TeamInterviews | Self::OffersMade | Self::OffersAccepted => {
                (Owner::HiringManager, None)
            }
            Self::CandidatesSourced | Self::Tests | Self::References => (Owner::Recruiter, None),
        }
    }
}

impl Lane {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Attraction, Self::Sourcing, Self::Process];

    /// Its name in JSON and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Attraction => "attraction",
            Self::Sourcing => "sourcing",
            Self::Process => "process",
        }
    }

    /// As people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(&format!("funnel.lanes.{}", self.name()))
    }
}

impl Owner {
    /// Its name in JSON and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::Recruiter => "recruiter",
            Self::HiringManager => "hiring_manager",
            Self::TaOperations => "ta_operations",
        }
    }

    /// As people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(&format!("funnel.owners.{}", self.name()))
    }
}
