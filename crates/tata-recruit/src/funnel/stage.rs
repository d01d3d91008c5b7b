//! The stages of a funnel and their lanes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tata_language::named;

use crate::{Kind, Texts};

named! {
    /// A stage candidates reach, in the order in which they do.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum FunnelStage {
        /// The ad was seen.
        JobAdViews = "job_ad_views",
        /// Somebody began to apply.
        ApplyClicks = "apply_clicks",
        /// An application came in.
        ApplicationsReceived = "applications_received",
        /// It meets the requirements.
        QualifiedApplications = "qualified_applications",
        /// Somebody was found.
        CandidatesSourced = "candidates_sourced",
        /// Somebody was written to.
        Contacted = "contacted",
        /// Somebody answered.
        Replied = "replied",
        /// Somebody wants to know more.
        Interested = "interested",
        /// The recruiter's screening.
        TaScreenings = "ta_screenings",
        /// The hiring manager's interview.
        HmInterviews = "hm_interviews",
        /// A case.
        CaseInterviews = "case_interviews",
        /// The team.
        TeamInterviews = "team_interviews",
        /// Tests.
        Tests = "tests",
        /// References.
        References = "references",
        /// An offer was made.
        OffersMade = "offers_made",
        /// An offer was accepted.
        OffersAccepted = "offers_accepted",
    }
}

named! {
    /// A way candidates take.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Lane {
        /// They come by the ad.
        Attraction = "attraction",
        /// We go to them.
        Sourcing = "sourcing",
        /// What both have in common.
        Process = "process",
    }
}

named! {
    /// Who puts a bottleneck right.
    #[derive(Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    pub enum Owner {
        /// The recruiter.
        Recruiter = "recruiter",
        /// The hiring manager.
        HiringManager = "hiring_manager",
        /// The operations of talent acquisition.
        TaOperations = "ta_operations",
    }
}

impl FunnelStage {
    /// The lane it belongs to: they stand one after the other.
    pub fn lane(self) -> Lane {
        if self <= Self::QualifiedApplications {
            Lane::Attraction
        } else if self <= Self::Interested {
            Lane::Sourcing
        } else {
            Lane::Process
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
        texts.get(group!("funnel.stages").key(self.name()))
    }

    /// Some of them in a sentence, each in the quotation marks of the language.
    pub(super) fn quoted(stages: impl IntoIterator<Item = Self>, texts: &Texts) -> String {
        let names = stages.into_iter().map(|stage| quoted(stage.display(texts), texts));
        texts.enumerate(&names.collect::<Vec<_>>())
    }

    /// Who can put it right, and the documents it has to do with, the first one most of all.
    pub fn remedy(self) -> (Owner, &'static [Kind]) {
        match self {
            Self::JobAdViews | Self::ApplyClicks => (Owner::Recruiter, &[Kind::JobAd, Kind::DiReview]),
            Self::ApplicationsReceived => (Owner::TaOperations, &[]),
            Self::QualifiedApplications => {
                (Owner::HiringManager, &[Kind::RequirementProfile, Kind::JobAd, Kind::DiReview])
            }
            Self::Contacted | Self::Replied | Self::Interested => {
                (Owner::Recruiter, &[Kind::HeadhuntingMessages])
            }
            Self::TaScreenings => (Owner::Recruiter, &[Kind::TaScreeningTemplate]),
            Self::HmInterviews => (Owner::HiringManager, &[Kind::HmScreeningTemplate]),
            Self::CaseInterviews | Self::TeamInterviews | Self::OffersMade | Self::OffersAccepted => {
                (Owner::HiringManager, &[])
            }
            Self::CandidatesSourced | Self::Tests | Self::References => (Owner::Recruiter, &[]),
        }
    }
}

/// Words in the quotation marks of a language.
pub(super) fn quoted(words: &str, texts: &Texts) -> String {
    texts.say(key!("funnel.quoted"), &[("words", words)])
}

impl Lane {
    /// As people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(group!("funnel.lanes").key(self.name()))
    }
}

impl Owner {
    /// As people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(group!("funnel.owners").key(self.name()))
    }
}
