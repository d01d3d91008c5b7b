//! The names of the tools, as models call them: each stands here once, and a typo does not compile.

macro_rules! tools {
    ($($constant:ident = $name:literal)*) => {
        $(
            #[doc = concat!("`", $name, "`.")]
            pub const $constant: &str = $name;
        )*
    };
}

tools! {
    SET_PROJECT = "set_project"
    LIST_DOCUMENTS = "list_documents"
    READ_DOCUMENT = "read_document"
    CREATE_REQUIREMENT_PROFILE = "create_requirement_profile"
    EDIT_REQUIREMENT_PROFILE = "edit_requirement_profile"
    CREATE_JOB_AD = "create_job_ad"
    DECIDE_UNPROVEN_STATEMENTS = "decide_unproven_statements"
    EDIT_JOB_AD = "edit_job_ad"
    CREATE_TA_SCREENING_TEMPLATE = "create_ta_screening_template"
    EDIT_TA_SCREENING_TEMPLATE = "edit_ta_screening_template"
    CREATE_HM_SCREENING_TEMPLATE = "create_hm_screening_template"
    EDIT_HM_SCREENING_TEMPLATE = "edit_hm_screening_template"
    CREATE_HEADHUNTING_MESSAGES = "create_headhunting_messages"
    EDIT_HEADHUNTING_MESSAGES = "edit_headhunting_messages"
    CREATE_CANDIDATE_REPORT = "create_candidate_report"
    CONFIRM_CANDIDATE_REPORT = "confirm_candidate_report"
    COMPARE_CANDIDATES = "compare_candidates"
    CREATE_FUNNEL_REPORT = "create_funnel_report"
    CREATE_JOB_AD_REVIEW = "create_job_ad_review"
    DECIDE_JOB_AD_FINDINGS = "decide_job_ad_findings"
    CREATE_DI_REVIEW = "create_di_review"
    DECIDE_DI_FINDINGS = "decide_di_findings"
    CREATE_CALENDAR_INVITE = "create_calendar_invite"
}
