//! Which tool belongs to which wish, and which document.

use tata_guided::wish::Wish;

use crate::Kind;

/// What somebody wants, the document it makes and the tool that makes it, in the order in which a recruitment needs them.
const MADE: [(Wish, Option<Kind>, &str); 11] = [
    (Wish::RequirementProfile, Some(Kind::RequirementProfile), "create_requirement_profile"),
    (Wish::JobAd, Some(Kind::JobAd), "create_job_ad"),
    (Wish::TaScreening, Some(Kind::TaScreeningTemplate), "create_ta_screening_template"),
    (Wish::HmScreening, Some(Kind::HmScreeningTemplate), "create_hm_screening_template"),
    (Wish::Headhunting, Some(Kind::HeadhuntingMessages), "create_headhunting_messages"),
    (Wish::DiReview, Some(Kind::DiReview), "create_di_review"),
    (Wish::JobAdReview, Some(Kind::JobAdReview), "create_job_ad_review"),
    (Wish::CandidateReport, Some(Kind::CandidateReport), "create_candidate_report"),
    (Wish::Compare, None, "compare_candidates"),
    (Wish::FunnelReport, Some(Kind::FunnelReport), "create_funnel_report"),
    (Wish::CalendarInvite, Some(Kind::CalendarInvite), "create_calendar_invite"),
];

/// Documents in the order in which a recruitment needs them.
pub(super) fn kinds() -> impl Iterator<Item = Kind> {
    MADE.into_iter().filter_map(|(_, kind, _)| kind)
}

/// The tool that makes what is wanted.
pub(super) fn tool_of(wish: Wish) -> Option<&'static str> {
    MADE.into_iter().find(|(known, ..)| *known == wish).map(|(.., tool)| tool)
}

/// The wish that a tool fulfils.
pub(super) fn wish_of(tool: &str) -> Option<Wish> {
    MADE.into_iter().find(|(.., known)| *known == tool).map(|(wish, ..)| wish)
}

/// The wish that makes a document.
pub(super) fn wish_for(kind: Kind) -> Option<Wish> {
    MADE.into_iter().find(|(_, known, _)| *known == Some(kind)).map(|(wish, ..)| wish)
}

/// The document that a wish makes.
pub(super) fn kind_for(wish: Wish) -> Option<Kind> {
    MADE.into_iter().find(|(known, ..)| *known == wish).and_then(|(_, kind, _)| kind)
}

/// What of an earlier call holds for the next version, too.
pub(super) fn kept(tool: &str) -> impl Iterator<Item = &'static str> {
    let fields = match tool {
        "create_job_ad" => {
            "apply_by contact contract_type work_place pay_range process_steps language german_form"
        }
        "create_funnel_report" => "job_title number_of_positions hiring_manager_name",
        "create_calendar_invite" => "hiring_manager position_name",
        _ => "",
    };
    fields.split_whitespace()
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
        for (wish, kind, tool) in MADE {
            assert_eq!((kind_for(wish), tool_of(wish), wish_of(tool)), (kind, Some(tool), Some(wish)));
        }
    }
}
