//! What somebody can want here, by name.

use serde::{Deserialize, Serialize};

/// What somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wish {
    /// A new requirement profile.
    RequirementProfile,
    /// A change of the profile.
    EditProfile,
    /// The draft that is shown is right.
    ConfirmProfile,
    /// A job ad.
    JobAd,
    /// Questions for the recruiter's interview.
    TaScreening,
    /// Questions for the hiring manager's interview.
    HmScreening,
    /// Messages to people who have not applied.
    Headhunting,
    /// A report of an interview.
    CandidateReport,
    /// The ratings of a report are right, or others.
    ConfirmReport,
    /// Candidates side by side.
    Compare,
    /// Where candidates get lost.
    FunnelReport,
    /// Is the ad any good?
    JobAdReview,
    /// Is the ad inclusive?
    DiReview,
    /// Which findings of a review count.
    DecideFindings,
    /// An invitation.
    CalendarInvite,
    /// Another language, or another way of addressing people.
    SetLanguage,
    /// Which position this is about.
    SetPosition,
    /// To see a document again.
    ShowDocument,
    /// An earlier version; to undo.
    Restore,
    /// Hello.
    Greeting,
    /// What can be done here.
    Menu,
    /// Thank you.
    Thanks,
    /// Not now.
    Cancel,
    /// A question that a handbook answers.
    DocumentQuestion,
    /// Nothing that may act: questions, doubts, chatter, notes, negated wishes, other topics.
    None,
}

impl Wish {
    /// How many there are.
    pub const COUNT: usize = 25;

    /// All of them, in the order of the weights.
    pub const ALL: [Self; Self::COUNT] = [
        Self::RequirementProfile,
        Self::EditProfile,
        Self::ConfirmProfile,
        Self::JobAd,
        Self::TaScreening,
        Self::HmScreening,
        Self::Headhunting,
        Self::CandidateReport,
        Self::ConfirmReport,
        Self::Compare,
        Self::FunnelReport,
        Self::JobAdReview,
        Self::DiReview,
        Self::DecideFindings,
        Self::CalendarInvite,
        Self::SetLanguage,
        Self::SetPosition,
        Self::ShowDocument,
        Self::Restore,
        Self::Greeting,
        Self::Menu,
        Self::Thanks,
        Self::Cancel,
        Self::DocumentQuestion,
        Self::None,
    ];

    /// Its name in files and in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::RequirementProfile => "requirement_profile",
            Self::EditProfile => "edit_profile",
            Self::ConfirmProfile => "confirm_profile",
            Self::JobAd => "job_ad",
            Self::TaScreening => "ta_screening",
            Self::HmScreening => "hm_screening",
            Self::Headhunting => "headhunting",
            Self::CandidateReport => "candidate_report",
            Self::ConfirmReport => "confirm_report",
            Self::Compare => "compare",
            Self::FunnelReport => "funnel_report",
            Self::JobAdReview => "job_ad_review",
            Self::DiReview => "di_review",
            Self::DecideFindings => "decide_findings",
            Self::CalendarInvite => "calendar_invite",
            Self::SetLanguage => "set_language",
            Self::SetPosition => "set_position",
            Self::ShowDocument => "show_document",
            Self::Restore => "restore",
            Self::Greeting => "greeting",
            Self::Menu => "menu",
            Self::Thanks => "thanks",
            Self::Cancel => "cancel",
            Self::DocumentQuestion => "document_question",
            Self::None => "none",
        }
    }

    /// The wish with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wish| wish.name() == name)
    }

    /// Whether following it makes, changes or drops something. A greeting or a document shown again harms nobody.
    pub fn acts(self) -> bool {
        !matches!(
            self,
            Self::ShowDocument
                | Self::Greeting
                | Self::Menu
                | Self::Thanks
                | Self::DocumentQuestion
                | Self::None
        )
    }

    /// Whether it is followed when it is certain. What is taken for a yes is only asked about.
    pub fn is_followed(self) -> bool {
        self != Self::ConfirmProfile
    }
}

#[cfg(test)]
mod tests {
    use super::Wish;

    #[test]
    fn names_places_and_json_agree() {
        for (at, wish) in Wish::ALL.into_iter().enumerate() {
            assert_eq!(wish as usize, at);
            assert_eq!(Wish::find(wish.name()), Some(wish));
            assert_eq!(serde_json::to_value(wish).unwrap(), wish.name());
        }
        assert_eq!(Wish::find("haircut"), None);
    }
}
