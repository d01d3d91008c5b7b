//! The ten modules of the recruiter's assistant.
//!
//! Every module is a plain function from an input, the project so far and a moment to a document or a refusal. Nothing
//! is invented: each statement carries [`Evidence`], a source and the characters in it, and every text leaves through
//! the [`Gate`]. This crate does **not** know vendors, transports, databases or HTML; texts and word lists are files
//! that a linguist can edit.

mod candidate;
mod document;
mod evidence;
mod funnel;
mod gate;
mod headhunting;
mod invite;
mod job_ad;
mod kind;
mod language;
mod made;
mod menu;
mod module;
mod profile;
mod project;
mod rendered;
mod screening;
mod settings;
mod texts;

use std::sync::Arc;

use tata_core::{Tool, ToolNameError};

pub use candidate::{
    Assessment, AssessmentContent, Basis, CandidateInput, CandidateReport, Choice, CompareInput, Comparison,
    ConfirmInput, Content, Decision, Detail, PracticalContent, PracticalDetails, Quote, Rating,
    Recommendation, ReportStatus, Shape, SkillContent, Statement, StatementContent, Transcript, Utterance,
    Verdict, compare_candidates, confirm_candidate_report, create_candidate_report,
};
pub use document::{Block, Document};
pub use evidence::{Evidence, Item, Source, Sources, Tracer, same, tidy};
pub use gate::{Audience, Finding, Gate, Identified, Level, Rule, identify};
pub use invite::{
    BookingMethod, CalendarInvite, InterviewType, InviteInput, Location, LocationType, Meeting, Office, Part,
    Person, create_calendar_invite, offices,
};
pub use job_ad::{JobAd, Section, SectionName};
pub use kind::Kind;
pub use language::{FormDecision, FormRule, FormWish, GermanForm, Language, Voice, decide_form};
pub use made::{MOST_CHARACTERS, Made, Notice, Refusal};
pub use menu::greeting;
pub use profile::{MUST_HAVES, PayPeriod, PayRange, Profile, ProfileStatus, Size, TeamInfo};
pub use project::{Project, Settings, Spoken, Stored};
pub use rendered::rendered;
pub use screening::{Anchors, Question, ScreeningTemplate, SkillSet, SkillType};
pub use settings::{SettingsInput, set_project};
pub use texts::Texts;

/// The tools of all modules, in the order of the service menu.
pub fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let modules = [
        settings::tools,
        profile::tools,
        job_ad::tools,
        screening::tools,
        headhunting::tools,
        candidate::tools,
        funnel::tools,
        invite::tools,
    ];
    let mut tools = Vec::new();
    for module in modules {
        tools.extend(module()?);
    }
    Ok(tools)
}
