//! Which tool belongs to which wish, and which document.

use tata_guided::wish::Wish;

use crate::Kind;

/// Documents in the order in which a recruitment needs them.
pub(super) const ORDER: [Kind; 10] = [
    Kind::RequirementProfile,
    Kind::JobAd,
    Kind::TaScreeningTemplate,
    Kind::HmScreeningTemplate,
    Kind::HeadhuntingMessages,
    Kind::DiReview,
    Kind::JobAdReview,
    Kind::CandidateReport,
    Kind::FunnelReport,
    Kind::CalendarInvite,
];

/// The tool that makes what is wanted.
pub(super) fn tool_of(wish: Wish) -> Option<&'static str> {
    Some(match wish {
        Wish::RequirementProfile => "create_requirement_profile",
        Wish::JobAd => "create_job_ad",
        Wish::TaScreening => "create_ta_screening_template",
        Wish::HmScreening => "create_hm_screening_template",
        Wish::Headhunting => "create_headhunting_messages",
        Wish::CandidateReport => "create_candidate_report",
        Wish::Compare => "compare_candidates",
        Wish::FunnelReport => "create_funnel_report",
        Wish::JobAdReview => "create_job_ad_review",
        Wish::DiReview => "create_di_review",
        Wish::CalendarInvite => "create_calendar_invite",
        Wish::EditProfile
        | Wish::ConfirmProfile
        | Wish::ConfirmReport
        | Wish::DecideFindings
        | Wish::SetLanguage
        | Wish::SetPosition
        | Wish::ShowDocument
        | Wish::Restore
        | Wish::Greeting
        | Wish::Menu
        | Wish::Thanks
        | Wish::Cancel
        | Wish::DocumentQuestion
        | Wish::None => return None,
    })
}

/// The wish that a tool fulfils.
pub(super) fn wish_of(tool: &str) -> Option<Wish> {
    Wish::ALL.into_iter().find(|wish| tool_of(*wish) == Some(tool))
}

/// The wish that makes a document.
pub(super) fn wish_for(kind: Kind) -> Option<Wish> {
    Some(match kind {
        Kind::RequirementProfile => Wish::RequirementProfile,
        Kind::JobAd => Wish::JobAd,
        Kind::TaScreeningTemplate => Wish::TaScreening,
        Kind::HmScreeningTemplate => Wish::HmScreening,
        Kind::HeadhuntingMessages => Wish::Headhunting,
        Kind::CandidateReport => Wish::CandidateReport,
        Kind::FunnelReport => Wish::FunnelReport,
        Kind::JobAdReview => Wish::JobAdReview,
        Kind::DiReview => Wish::DiReview,
        Kind::CalendarInvite => Wish::CalendarInvite,
        Kind::ProjectSettings => return None,
    })
}

/// The document that a wish makes.
pub(super) fn kind_for(wish: Wish) -> Option<Kind> {
    ORDER.into_iter().find(|kind| wish_for(*kind) == Some(wish))
}

/// Tools that take the language of their document.
pub(super) const SPEAKING: [&str; 9] = [
    "create_requirement_profile",
    "create_job_ad",
    "create_ta_screening_template",
    "create_hm_screening_template",
    "create_headhunting_messages",
    "create_candidate_report",
    "compare_candidates",
    "create_funnel_report",
    "create_calendar_invite",
];

/// What of an earlier call holds for the next version, too.
pub(super) fn kept(tool: &str) -> &'static [&'static str] {
    match tool {
        "create_job_ad" => &[
            "apply_by",
            "contact",
            "contract_type",
            "work_place",
            "pay_range",
            "process_steps",
            "language",
            "german_form",
        ],
        "create_funnel_report" => &["job_title", "number_of_positions", "hiring_manager_name"],
        "create_calendar_invite" => &["hiring_manager", "position_name"],
        _ => &[],
    }
}

/// The field that a pasted text fills.
pub(super) fn material(tool: &str) -> Option<&'static str> {
    Some(match tool {
        "create_requirement_profile" => "startup_notes",
        "create_candidate_report" => "transcript",
        "create_funnel_report" => "pasted_table",
        "create_job_ad_review" | "create_di_review" => "job_ad_text",
        "create_headhunting_messages" => "candidate_profile",
        _ => return None,
    })
}
