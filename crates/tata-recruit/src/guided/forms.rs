//! The forms of the tools, by their names.

use tata_core::Form;

use crate::{
    CandidateInput, CompareInput, DiReviewInput, FunnelInput, HeadhuntingInput, InviteInput, JobAdInput,
    JobAdReviewInput, ProfileInput, ScreeningInput, SettingsInput, Texts,
    form::{Arguments, Known, form as of},
    tool,
};

/// The form of a tool: every field, also those that are filled. None if the tool has no form.
pub(super) fn form(tool: &str, arguments: &Arguments, known: &Known, texts: &Texts) -> Option<Form> {
    match tool {
        tool::CREATE_REQUIREMENT_PROFILE => of::<ProfileInput>(arguments, known, texts),
        tool::CREATE_JOB_AD => of::<JobAdInput>(arguments, known, texts),
        tool::CREATE_CANDIDATE_REPORT => of::<CandidateInput>(arguments, known, texts),
        tool::CREATE_FUNNEL_REPORT => of::<FunnelInput>(arguments, known, texts),
        tool::CREATE_CALENDAR_INVITE => of::<InviteInput>(arguments, known, texts),
        tool::CREATE_DI_REVIEW => of::<DiReviewInput>(arguments, known, texts),
        tool::CREATE_JOB_AD_REVIEW => of::<JobAdReviewInput>(arguments, known, texts),
        tool::COMPARE_CANDIDATES => of::<CompareInput>(arguments, known, texts),
        tool::CREATE_TA_SCREENING_TEMPLATE | tool::CREATE_HM_SCREENING_TEMPLATE => {
            of::<ScreeningInput>(arguments, known, texts)
        }
        tool::CREATE_HEADHUNTING_MESSAGES => of::<HeadhuntingInput>(arguments, known, texts),
        tool::SET_PROJECT => of::<SettingsInput>(arguments, known, texts),
        _ => None,
    }
}
