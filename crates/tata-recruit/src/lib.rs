//! The ten modules of the recruiter's assistant.
//!
//! Every module is a plain function from an input, the project so far and a moment to a document or a refusal. Nothing
//! is invented: each statement carries [`Evidence`], a source and the characters in it, and every text leaves through
//! the [`Gate`]. This crate does **not** know vendors, transports, databases or HTML; texts and word lists are files
//! that a linguist can edit.

#[macro_use]
mod texts;

mod acts;
mod ad_review;
mod apart;
mod candidate;
mod capitals;
mod clip;
mod country;
mod cues;
mod di_review;
mod document;
mod documents;
mod edits;
mod evidence;
mod figures;
mod form;
mod funnel;
mod gate;
mod grounds;
mod guided;
mod headhunting;
mod input;
mod invite;
mod job_ad;
mod kind;
mod language;
mod lists;
mod made;
mod mapping;
mod menu;
mod module;
mod office;
mod profile;
mod project;
mod prose;
mod questions;
mod refusal;
mod rendered;
mod review;
mod reword;
mod screening;
mod settings;
mod skills;
pub mod tool;
mod withheld;
mod wording;

use std::sync::Arc;

use tata_core::{Tool, ToolNameError};

pub use ad_review::{
    AdBand, AdIssue, AdIssueKind, JobAdReview, JobAdReviewInput, create_job_ad_review, decide_job_ad_findings,
};
pub use candidate::{
    Assessment, CandidateInput, CandidateReport, Choice, CompareInput, Comparison, ConfirmInput, Content,
    Quote, Rating, RatingDecision, Recommendation, ReportStatus, Verdict, compare_candidates,
    confirm_candidate_report, create_candidate_report,
};
pub use country::Country;
pub use di_review::{DiReview, DiReviewInput, FlaggedItem, ScoreBand, create_di_review, decide_di_findings};
pub use documents::{State, project_state};
pub use edits::{edit_document, text_parts};
pub use evidence::{Evidence, Item, Source, Sources, Tracer, same, tidy};
pub use funnel::{
    FunnelReport, Input as FunnelInput, Severity as FunnelSeverity, StageRow, Tenths, create_funnel_report,
};
pub use gate::{Audience, Finding, Gate, Level, Rule};
pub use guided::{Ask, DocumentAnswer, GUIDED, Guided, Thought};
pub use headhunting::{
    DetailKind, DetailQuote, GivenMessage, HeadhuntingInput, HeadhuntingMessages, Message, Reasons,
    ValueKind, Version, create_headhunting_messages,
};
pub use invite::{
    BookingMethod, CalendarInvite, InterviewType, InviteInput, LocationType, Person, create_calendar_invite,
    invitation,
};
pub use job_ad::{
    AdContact, AdFacts, AdGiven, AdPart, AdPay, AdQuotation, CompanyFact, JobAd, JobAdInput, ProofDecision,
    ProofInput, SectionName, WrittenSection, create_job_ad, decide_unproven_statements,
};
pub use kind::Kind;
pub(crate) use language::{FormDecision, decide_form};
pub use language::{FormRule, FormWish, GermanForm, Language, Voice};
pub use made::Made;
pub use mapping::NeedsMapping;
pub(crate) use mapping::TableReading;
pub use menu::greeting;
pub use office::offices;
pub(crate) use profile::MUST_HAVES;
pub use profile::{
    Enrichments, LISTS, ListEdit, PayPeriod, PayRange, Profile, ProfileEdit, ProfileInput, ProfileStatus,
    Replacement, Requirements, Said, Size, TeamInfo, TeamWish, create_requirement_profile,
    edit_requirement_profile, of as profile_of, read_requirements,
};
pub(crate) use project::Stored;
pub use project::{Project, Settings};
pub use prose::{ProofChoice, Unproven};
pub use refusal::Refusal;
pub(crate) use refusal::{MOST_CHARACTERS, Notice};
pub use rendered::{export_words, not_ready, rendered};
pub use review::{Accepted, DecideInput, ReviewDecision};
pub use reword::{RewordInput, Rewording, TextPart};
pub use screening::{
    Anchors, GivenPractical, GivenQuestions, GivenType, MOST_AREAS, Question, Requirement, ScreeningInput,
    ScreeningTemplate, SkillSet, SkillType, create_hm_screening_template, create_ta_screening_template,
    ta_template,
};
pub use settings::{SettingsInput, set_project};
pub use tata_document::{Block, Document};
pub use texts::{Group, Key, Texts};

/// The tools of all modules, in the order of the service menu.
pub fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let modules = [
        settings::tools,
        documents::tools,
        profile::tools,
        job_ad::tools,
        screening::tools,
        headhunting::tools,
        candidate::tools,
        funnel::tools,
        ad_review::tools,
        di_review::tools,
        invite::tools,
        edits::tools,
    ];
    let mut tools = Vec::new();
    for module in modules {
        tools.extend(module()?);
    }
    Ok(tools)
}

#[cfg(test)]
mod tests {
    use schemars::JsonSchema;
    use serde_json::Value;

    use super::*;
    use crate::form::Asked;

    /// The paths of everything in a schema that can hold words or numbers.
    fn leaves(schema: &Value, root: &Value, path: &str, out: &mut Vec<String>) {
        if let Some(name) = schema["$ref"].as_str() {
            let target = name.trim_start_matches("#/$defs/");
            return leaves(&root["$defs"][target], root, path, out);
        }
        let join = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
        for variants in ["anyOf", "oneOf", "allOf"] {
            for variant in schema[variants].as_array().into_iter().flatten() {
                leaves(variant, root, path, out);
            }
        }
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            leaves(member, root, &join(name), out);
        }
        if schema["items"].is_object() {
            leaves(&schema["items"], root, &join("*"), out);
        }
        if schema["additionalProperties"].is_object() {
            leaves(&schema["additionalProperties"], root, &join("**"), out);
        }
        let kinds = schema["type"].as_array().cloned().unwrap_or_else(|| vec![schema["type"].clone()]);
        if kinds.iter().any(|kind| matches!(kind.as_str(), Some("string" | "number" | "integer"))) {
            out.push(path.to_owned());
        }
    }

    fn check<Input: Asked + JsonSchema>() {
        let schema = schemars::schema_for!(Input).to_value();
        let mut paths = Vec::new();
        leaves(&schema, &schema, "", &mut paths);
        assert!(!paths.is_empty());
        for path in &paths {
            let one = path.replace('*', "0");
            assert!(
                Input::FIELDS.find(&one).is_some(),
                "{path} of {} has no rule",
                std::any::type_name::<Input>()
            );
        }
        for pattern in Input::FIELDS.0.iter().flat_map(|(_, patterns)| patterns.split(' ')) {
            for one in each(pattern) {
                assert!(paths.contains(&one), "{one} is no field of {}", std::any::type_name::<Input>());
            }
        }
    }

    /// A pattern with each of the names in its braces.
    fn each(pattern: &str) -> Vec<String> {
        let Some((before, (names, after))) =
            pattern.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
        else {
            return vec![pattern.to_owned()];
        };
        let one = |name| each(after).into_iter().map(move |after| format!("{before}{name}{after}"));
        names.split(',').flat_map(one).collect()
    }

    /// A new field cannot slip in without a rule (A8.2).
    #[test]
    fn every_field_of_every_tool_has_its_rule() {
        check::<SettingsInput>();
        check::<ProfileInput>();
        check::<ProfileEdit>();
        check::<JobAdInput>();
        check::<ProofInput>();
        check::<RewordInput>();
        check::<ScreeningInput>();
        check::<HeadhuntingInput>();
        check::<CandidateInput>();
        check::<ConfirmInput>();
        check::<CompareInput>();
        check::<FunnelInput>();
        check::<JobAdReviewInput>();
        check::<DiReviewInput>();
        check::<DecideInput>();
        check::<InviteInput>();
    }

    macro_rules! check_names {
        ($($enum:ty),+ $(,)?) => {
            $(for one in <$enum>::ALL {
                assert_eq!(serde_json::json!(one), one.name(), "{}", stringify!($enum));
            })+
        };
    }

    /// What is stored and what is looked up in the texts go by one name.
    #[test]
    fn a_name_is_the_same_in_documents() {
        check_names!(
            AdBand,
            AdPart,
            tata_language::book::AdSection,
            tata_language::review::Band,
            tata_language::book::Category,
            tata_language::review::Coding,
            DetailKind,
            tata_language::book::Element,
            tata_language::review::Formula,
            FunnelSeverity,
            funnel::stage::FunnelStage,
            InterviewType,
            funnel::stage::Lane,
            funnel::limits::LimitRule,
            funnel::stage::Owner,
            PayPeriod,
            Recommendation,
            ReportStatus,
            Requirement,
            ScoreBand,
            SectionName,
            tata_language::book::Severity,
            SkillType,
            Source,
            Version,
        );
    }
}
