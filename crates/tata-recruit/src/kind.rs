//! The documents of a recruitment project: their names, what they build on, what builds on them.

use tata_core::ArtifactKind;

use crate::Texts;

/// A kind of document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// What the role needs.
    RequirementProfile,
    /// The advertisement.
    JobAd,
    /// Questions for the recruiter's screening.
    TaScreeningTemplate,
    /// Questions for the hiring manager's interview.
    HmScreeningTemplate,
    /// Messages to people who did not apply.
    HeadhuntingMessages,
    /// What an interview showed; one per candidate.
    CandidateReport,
    /// Where candidates get lost.
    FunnelReport,
    /// Remarks on an ad.
    JobAdReview,
    /// Remarks on how inclusive an ad is.
    DiReview,
    /// An invitation to an interview.
    CalendarInvite,
    /// The language of the project and its position: no document people ask for.
    ProjectSettings,
}

impl Kind {
    /// The ten documents, in the order of the service menu.
    pub const SERVICES: [Self; 10] = [
        Self::RequirementProfile,
        Self::JobAd,
        Self::TaScreeningTemplate,
        Self::HmScreeningTemplate,
        Self::HeadhuntingMessages,
        Self::CandidateReport,
        Self::FunnelReport,
        Self::JobAdReview,
        Self::DiReview,
        Self::CalendarInvite,
    ];

    /// Its name in the store and in the texts.
    pub fn name(self) -> &'static str {
        match self {
            Self::RequirementProfile => "requirement_profile",
            Self::JobAd => "job_ad",
            Self::TaScreeningTemplate => "ta_screening_template",
            Self::HmScreeningTemplate => "hm_screening_template",
            Self::HeadhuntingMessages => "headhunting_messages",
            Self::CandidateReport => "candidate_reports",
            Self::FunnelReport => "funnel_report",
            Self::JobAdReview => "job_ad_review",
            Self::DiReview => "di_review",
            Self::CalendarInvite => "calendar_invite",
            Self::ProjectSettings => "project_settings",
        }
    }

    /// The kind with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::SERVICES.into_iter().chain([Self::ProjectSettings]).find(|kind| kind.name() == name)
    }

    /// As the store knows it.
    pub fn artifact(self) -> ArtifactKind {
        ArtifactKind::new(self.name())
    }

    /// As people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(&format!("project.services.{}.name", self.name()))
    }

    /// What must exist before it can be made.
    pub fn requires(self) -> &'static [Self] {
        match self {
            Self::JobAd
            | Self::TaScreeningTemplate
            | Self::HmScreeningTemplate
            | Self::HeadhuntingMessages => &[Self::RequirementProfile],
            Self::CandidateReport => &[Self::RequirementProfile, Self::TaScreeningTemplate],
            Self::RequirementProfile
            | Self::FunnelReport
            | Self::JobAdReview
            | Self::DiReview
            | Self::CalendarInvite
            | Self::ProjectSettings => &[],
        }
    }

    /// What is out of date once it changes.
    pub fn dependents(self) -> Vec<Self> {
        Self::SERVICES.into_iter().filter(|kind| kind.requires().contains(&self)).collect()
    }
}
