//! Which tool belongs to which wish, and which document.

use tata_guided::wish::Wish;

use crate::Kind;

/// The documents in the order in which a recruitment needs them, each with the wish for it and the tool that makes it.
const MADE: [(Kind, Wish, &str); 10] = [
    (Kind::RequirementProfile, Wish::RequirementProfile, "create_requirement_profile"),
    (Kind::JobAd, Wish::JobAd, "create_job_ad"),
    (Kind::TaScreeningTemplate, Wish::TaScreening, "create_ta_screening_template"),
    (Kind::HmScreeningTemplate, Wish::HmScreening, "create_hm_screening_template"),
    (Kind::HeadhuntingMessages, Wish::Headhunting, "create_headhunting_messages"),
    (Kind::DiReview, Wish::DiReview, "create_di_review"),
    (Kind::JobAdReview, Wish::JobAdReview, "create_job_ad_review"),
    (Kind::CandidateReport, Wish::CandidateReport, "create_candidate_report"),
    (Kind::FunnelReport, Wish::FunnelReport, "create_funnel_report"),
    (Kind::CalendarInvite, Wish::CalendarInvite, "create_calendar_invite"),
];

/// Makes no document.
const COMPARE: (Wish, &str) = (Wish::Compare, "compare_candidates");

/// Documents in the order in which a recruitment needs them.
pub(super) fn in_order() -> impl Iterator<Item = Kind> {
    MADE.into_iter().map(|(kind, ..)| kind)
}

fn tools() -> impl Iterator<Item = (Wish, &'static str)> {
    MADE.into_iter().map(|(_, wish, tool)| (wish, tool)).chain([COMPARE])
}

/// The tool that makes what is wanted.
pub(super) fn tool_of(wish: Wish) -> Option<&'static str> {
    tools().find(|(one, _)| *one == wish).map(|(_, tool)| tool)
}

/// The wish that a tool fulfils.
pub(super) fn wish_of(tool: &str) -> Option<Wish> {
    tools().find(|(_, one)| *one == tool).map(|(wish, _)| wish)
}

/// The wish that makes a document.
pub(super) fn wish_for(kind: Kind) -> Option<Wish> {
    MADE.into_iter().find(|(one, ..)| *one == kind).map(|(_, wish, _)| wish)
}

/// The document that a wish makes.
pub(super) fn kind_for(wish: Wish) -> Option<Kind> {
    MADE.into_iter().find(|(_, one, _)| *one == wish).map(|(kind, ..)| kind)
}

/// Whether a tool takes the language of its document; a review has that of its text.
pub(super) fn speaks(tool: &str) -> bool {
    wish_of(tool).is_some_and(|wish| !matches!(wish, Wish::DiReview | Wish::JobAdReview))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_document_can_be_wished_for() {
        assert!(Kind::SERVICES.into_iter().all(|kind| wish_for(kind).is_some()));
        for (kind, wish, tool) in MADE {
            assert_eq!((kind_for(wish), tool_of(wish), wish_of(tool)), (Some(kind), Some(tool), Some(wish)));
        }
    }
}
