//! What somebody can want here, by name.

use serde::{Deserialize, Serialize};
use tata_language::named;

named! {
    /// What somebody wants, in the order of the weights.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Wish {
        /// A new requirement profile.
        RequirementProfile = "requirement_profile",
        /// A change of the profile.
        EditProfile = "edit_profile",
        /// The draft that is shown is right.
        ConfirmProfile = "confirm_profile",
        /// A job ad.
        JobAd = "job_ad",
        /// Questions for the recruiter's interview.
        TaScreening = "ta_screening",
        /// Questions for the hiring manager's interview.
        HmScreening = "hm_screening",
        /// Messages to people who have not applied.
        Headhunting = "headhunting",
        /// A report of an interview.
        CandidateReport = "candidate_report",
        /// The ratings of a report are right, or others.
        ConfirmReport = "confirm_report",
        /// Candidates side by side.
        Compare = "compare",
        /// Where candidates get lost.
        FunnelReport = "funnel_report",
        /// Is the ad any good?
        JobAdReview = "job_ad_review",
        /// Is the ad inclusive?
        DiReview = "di_review",
        /// Which findings of a review count.
        DecideFindings = "decide_findings",
        /// An invitation.
        CalendarInvite = "calendar_invite",
        /// Another language, or another way of addressing people.
        SetLanguage = "set_language",
        /// Which position this is about.
        SetPosition = "set_position",
        /// To see a document again.
        ShowDocument = "show_document",
        /// An earlier version; to undo.
        Restore = "restore",
        /// Hello.
        Greeting = "greeting",
        /// What can be done here.
        Menu = "menu",
        /// Thank you.
        Thanks = "thanks",
        /// Not now.
        Cancel = "cancel",
        /// A question that a handbook answers.
        DocumentQuestion = "document_question",
        /// Nothing that may act: questions, doubts, chatter, notes, negated wishes, other topics.
        None = "none",
    }
}

impl Wish {
    /// How many there are.
    pub const COUNT: usize = Self::ALL.len();

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
