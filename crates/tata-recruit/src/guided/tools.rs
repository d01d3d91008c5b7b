//! Which tool belongs to which wish, and which document.

use tata_guided::wish::Wish;

use crate::{Kind, tool};

/// What somebody wants, the document it makes and the tool that makes it, in the order in which a recruitment needs them.
const MADE: [(Wish, Option<Kind>, &str); 11] = [
    (Wish::RequirementProfile, Some(Kind::RequirementProfile), tool::CREATE_REQUIREMENT_PROFILE),
    (Wish::JobAd, Some(Kind::JobAd), tool::CREATE_JOB_AD),
    (Wish::TaScreening, Some(Kind::TaScreeningTemplate), tool::CREATE_TA_SCREENING_TEMPLATE),
    (Wish::HmScreening, Some(Kind::HmScreeningTemplate), tool::CREATE_HM_SCREENING_TEMPLATE),
    (Wish::Headhunting, Some(Kind::HeadhuntingMessages), tool::CREATE_HEADHUNTING_MESSAGES),
    (Wish::DiReview, Some(Kind::DiReview), tool::CREATE_DI_REVIEW),
    (Wish::JobAdReview, Some(Kind::JobAdReview), tool::CREATE_JOB_AD_REVIEW),
    (Wish::CandidateReport, Some(Kind::CandidateReport), tool::CREATE_CANDIDATE_REPORT),
    (Wish::Compare, None, tool::COMPARE_CANDIDATES),
    (Wish::FunnelReport, Some(Kind::FunnelReport), tool::CREATE_FUNNEL_REPORT),
    (Wish::CalendarInvite, Some(Kind::CalendarInvite), tool::CREATE_CALENDAR_INVITE),
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
        tool::CREATE_JOB_AD => {
            "apply_by contact contract_type work_place pay_range process_steps language german_form"
        }
        tool::CREATE_FUNNEL_REPORT => "job_title number_of_positions hiring_manager_name",
        tool::CREATE_CALENDAR_INVITE => "hiring_manager position_name",
        _ => "",
    };
    fields.split_whitespace()
}

/// The field that a pasted text fills.
pub(super) fn material(tool: &str) -> Option<&'static str> {
    Some(match tool {
        tool::CREATE_REQUIREMENT_PROFILE => "startup_notes",
        tool::CREATE_CANDIDATE_REPORT => "transcript",
        tool::CREATE_FUNNEL_REPORT => "pasted_table",
        tool::CREATE_JOB_AD_REVIEW | tool::CREATE_DI_REVIEW => "job_ad_text",
        tool::CREATE_HEADHUNTING_MESSAGES => "candidate_profile",
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
