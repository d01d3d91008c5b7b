//! The documents of a recruitment project: their names, what they build on, what builds on them.

use tata_core::ArtifactKind;
use tata_language::named;

use crate::Texts;

named! {
    /// A kind of document.
    pub enum Kind {
        /// What the role needs.
        RequirementProfile = "requirement_profile",
        /// The advertisement.
        JobAd = "job_ad",
        /// Questions for the recruiter's screening.
        TaScreeningTemplate = "ta_screening_template",
        /// Questions for the hiring manager's interview.
        HmScreeningTemplate = "hm_screening_template",
        /// Messages to people who did not apply.
        HeadhuntingMessages = "headhunting_messages",
        /// What an interview showed; one per candidate.
        CandidateReport = "candidate_reports",
        /// Where candidates get lost.
        FunnelReport = "funnel_report",
        /// Remarks on an ad.
        JobAdReview = "job_ad_review",
        /// Remarks on how inclusive an ad is.
        DiReview = "di_review",
        /// An invitation to an interview.
        CalendarInvite = "calendar_invite",
        /// The language of the project and its position: no document people ask for.
        ProjectSettings = "project_settings",
    }
}

impl Kind {
    /// The ten documents, in the order of the service menu.
    pub const SERVICES: [Self; 10] = {
        let [services @ .., _settings] = Self::ALL;
        services
    };

    /// As the store knows it.
    pub fn artifact(self) -> ArtifactKind {
        ArtifactKind::new(self.name())
    }

    /// As people call it.
    pub fn display(self, texts: &Texts) -> &str {
        texts.get(group!("project.services").key(format_args!("{}.name", self.name())))
    }

    /// The offer to make it.
    pub(crate) fn offer(self, texts: &Texts) -> String {
        texts.say(key!("project.missing_way_out"), &[("missing", self.the(texts))])
    }

    /// As a sentence names it.
    pub(crate) fn the(self, texts: &Texts) -> &'static str {
        texts.get(group!("project.services").key(format_args!("{}.the", self.name())))
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
