//! The forms of the tools, by their names.

use tata_core::Form;

use crate::{
    CandidateInput, CompareInput, DiReviewInput, FunnelInput, HeadhuntingInput, InviteInput, JobAdInput,
    JobAdReviewInput, ProfileInput, ScreeningInput, SettingsInput, Texts,
    form::{Arguments, Known, form as of},
};

/// The form of a tool: every field, also those that are filled. None if the tool has no form.
pub(super) fn form(tool: &str, arguments: &Arguments, known: &Known, texts: &Texts) -> Option<Form> {
    match tool {
        "create_requirement_profile" => of::<ProfileInput>(arguments, known, texts),
        "create_job_ad" => of::<JobAdInput>(arguments, known, texts),
        "create_candidate_report" => of::<CandidateInput>(arguments, known, texts),
        "create_funnel_report" => of::<FunnelInput>(arguments, known, texts),
        "create_calendar_invite" => of::<InviteInput>(arguments, known, texts),
        "create_di_review" => of::<DiReviewInput>(arguments, known, texts),
        "create_job_ad_review" => of::<JobAdReviewInput>(arguments, known, texts),
        "compare_candidates" => of::<CompareInput>(arguments, known, texts),
        "create_ta_screening_template" | "create_hm_screening_template" => {
            of::<ScreeningInput>(arguments, known, texts)
        }
        "create_headhunting_messages" => of::<HeadhuntingInput>(arguments, known, texts),
        "set_project" => of::<SettingsInput>(arguments, known, texts),
        _ => None,
    }
}
