//! What somebody wants, by the concepts in a sentence: each speaks for some intents and against others.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{
    hearing::Heard,
    pasted::{Pasted, PastedKind},
};
use crate::Kind;

/// What somebody wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intent {
    /// A new requirement profile.
    RequirementProfile,
    /// A change of the profile.
    EditProfile,
    /// The profile is right.
    ConfirmProfile,
    /// A job ad.
    JobAd,
    /// Questions for the recruiter's interview.
    TaScreening,
    /// Questions for the hiring manager's interview.
    HmScreening,
    /// Messages to people who have not applied.
    Headhunting,
    /// A report of an interview.
    CandidateReport,
    /// The ratings of a report are right, or others.
    ConfirmReport,
    /// Candidates side by side.
    Compare,
    /// Where candidates get lost.
    FunnelReport,
    /// Is the ad any good?
    JobAdReview,
    /// Is the ad inclusive?
    DiReview,
    /// Which findings of a review count.
    DecideFindings,
    /// An invitation.
    CalendarInvite,
    /// Another language, or another way of addressing people.
    SetLanguage,
    /// Which position this is about.
    SetPosition,
    /// To see a document again.
    ShowDocument,
    /// An earlier version.
    Restore,
    /// Hello.
    Greeting,
    /// What can be done here.
    Menu,
    /// Thank you.
    Thanks,
    /// Yes, to whatever was asked.
    Yes,
    /// No, to whatever was asked.
    No,
    /// Not now.
    Cancel,
    /// A question that a handbook answers.
    DocumentQuestion,
    /// Talk.
    SmallTalk,
    /// Something Tata does not do.
    OffTopic,
    /// Nobody knows.
    Unclear,
}

impl Intent {
    /// Its name in JSON.
    pub fn name(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// The tool it needs.
    pub fn tool(self) -> Option<&'static str> {
        Some(match self {
            Self::RequirementProfile => "create_requirement_profile",
            Self::EditProfile | Self::ConfirmProfile => "edit_requirement_profile",
            Self::JobAd => "create_job_ad",
            Self::TaScreening => "create_ta_screening_template",
            Self::HmScreening => "create_hm_screening_template",
            Self::Headhunting => "create_headhunting_messages",
            Self::CandidateReport => "create_candidate_report",
            Self::ConfirmReport => "confirm_candidate_report",
            Self::Compare => "compare_candidates",
            Self::FunnelReport => "create_funnel_report",
            Self::JobAdReview => "create_job_ad_review",
            Self::DiReview => "create_di_review",
            // Which of the two depends on the review that was made last.
            Self::DecideFindings => "decide_di_findings",
            Self::CalendarInvite => "create_calendar_invite",
            Self::SetLanguage | Self::SetPosition => "set_project",
            Self::Restore => "restore_document",
            Self::ShowDocument
            | Self::Greeting
            | Self::Menu
            | Self::Thanks
            | Self::Yes
            | Self::No
            | Self::Cancel
            | Self::DocumentQuestion
            | Self::SmallTalk
            | Self::OffTopic
            | Self::Unclear => return None,
        })
    }

    /// The intent behind a tool that makes something.
    pub(super) fn of_tool(tool: &str) -> Option<Self> {
        Some(match tool {
            "create_requirement_profile" => Self::RequirementProfile,
            "edit_requirement_profile" => Self::EditProfile,
            "create_job_ad" => Self::JobAd,
            "create_ta_screening_template" => Self::TaScreening,
            "create_hm_screening_template" => Self::HmScreening,
            "create_headhunting_messages" => Self::Headhunting,
            "create_candidate_report" => Self::CandidateReport,
            "confirm_candidate_report" => Self::ConfirmReport,
            "compare_candidates" => Self::Compare,
            "create_funnel_report" => Self::FunnelReport,
            "create_job_ad_review" => Self::JobAdReview,
            "create_di_review" => Self::DiReview,
            "decide_di_findings" | "decide_job_ad_findings" => Self::DecideFindings,
            "create_calendar_invite" => Self::CalendarInvite,
            _ => return None,
        })
    }

    /// The intent that makes a document.
    pub(super) fn of_kind(kind: Kind) -> Option<Self> {
        Some(match kind {
            Kind::RequirementProfile => Self::RequirementProfile,
            Kind::JobAd => Self::JobAd,
            Kind::TaScreeningTemplate => Self::TaScreening,
            Kind::HmScreeningTemplate => Self::HmScreening,
            Kind::HeadhuntingMessages => Self::Headhunting,
            Kind::CandidateReport => Self::CandidateReport,
            Kind::FunnelReport => Self::FunnelReport,
            Kind::JobAdReview => Self::JobAdReview,
            Kind::DiReview => Self::DiReview,
            Kind::CalendarInvite => Self::CalendarInvite,
            Kind::ProjectSettings => return None,
        })
    }
}

/// What speaks for an intent, in tenths.
type Weights = &'static [(&'static str, i32)];

/// The table. A concept counts once, however often it is heard.
const TABLE: &[(Intent, Weights)] = &[
    (
        Intent::RequirementProfile,
        &[
            ("profile", 30),
            ("notes", 25),
            ("make", 8),
            ("review", -8),
            ("show", -22),
            ("ad", -14),
            ("outreach", -25),
            ("screening", -20),
            ("inclusive", -30),
            ("transcript", -6),
            ("report", -12),
            ("invite", -20),
            ("compare", -15),
            ("funnel", -20),
            ("story", -25),
            ("title", 6),
            ("team_size", 18),
            ("skills", 14),
            ("sought", 8),
            ("name", -9),
            ("policy", -10),
            ("message", -6),
            ("invite_verb", -5),
        ],
    ),
    (
        Intent::JobAd,
        &[
            ("ad", 30),
            ("make", 8),
            ("review", -28),
            ("inclusive", -32),
            ("screening", -12),
            ("outreach", -6),
            ("funnel", -20),
            ("invite", -12),
            ("story", -32),
            ("show", -10),
            ("small_talk", -15),
            ("counts", -25),
            ("report", -8),
            ("question", -4),
        ],
    ),
    (
        Intent::TaScreening,
        &[
            ("screening", 28),
            ("own", 16),
            ("make", 7),
            ("manager", -14),
            ("invite", -30),
            ("report", -16),
            ("transcript", -12),
            ("invite_verb", -8),
            ("date", -6),
            ("time", -20),
            ("name", -8),
            ("length", -8),
            ("ad", -12),
            ("funnel", -25),
            ("story", -25),
            ("counts", -25),
            ("interview", 4),
            ("outreach", -10),
            ("add", 2),
            ("inclusive", -12),
        ],
    ),
    (
        Intent::HmScreening,
        &[
            ("screening", 26),
            ("manager", 20),
            ("make", 7),
            ("own", -8),
            ("invite", -30),
            ("report", -16),
            ("transcript", -12),
            ("invite_verb", -14),
            ("date", -8),
            ("time", -20),
            ("length", -8),
            ("ad", -14),
            ("funnel", -25),
            ("story", -25),
            ("counts", -25),
            ("interview", 5),
            ("outreach", -10),
            ("inclusive", -12),
            ("notes", -8),
        ],
    ),
    (
        Intent::Headhunting,
        &[
            ("outreach", 34),
            ("message", 8),
            ("make", 6),
            ("candidate", 3),
            ("ad", -14),
            ("funnel", -20),
            ("counts", -25),
            ("story", -20),
            ("inclusive", -10),
            ("review", -5),
            ("invite", -10),
        ],
    ),
    (
        Intent::CandidateReport,
        &[
            ("report", 26),
            ("transcript", 18),
            ("notes", 8),
            ("candidate", 8),
            ("interview", 6),
            ("make", 6),
            ("funnel", -30),
            ("compare", -20),
            ("invite", -20),
            ("invite_verb", -10),
            ("screening", -14),
            ("counts", -30),
            ("name", 10),
            ("past", 8),
            ("story", -14),
            ("ad", -16),
            ("outreach", -14),
            ("small_talk", -16),
            ("inclusive", -20),
            ("profile", -4),
            ("time", -12),
        ],
    ),
    (
        Intent::Compare,
        &[
            ("compare", 36),
            ("candidate", 8),
            ("keys", 16),
            ("story", -20),
            ("ad", -14),
            ("transposed", 12),
            ("invite", -10),
        ],
    ),
    (
        Intent::FunnelReport,
        &[
            ("funnel", 32),
            ("report", 8),
            ("counts", 28),
            ("make", 3),
            ("story", -18),
            ("positions", 6),
            ("profile", -6),
            ("candidate", 2),
        ],
    ),
    (
        Intent::JobAdReview,
        &[
            ("ad", 22),
            ("review", 26),
            ("inclusive", -24),
            ("pasted_ad", 16),
            ("story", -28),
            ("make", -5),
            ("show", -8),
            ("profile", -8),
            ("screening", -8),
            ("report", -4),
            ("transcript", -12),
            ("counts", -20),
        ],
    ),
    (
        Intent::DiReview,
        &[
            ("inclusive", 34),
            ("ad", 8),
            ("review", 8),
            ("pasted_ad", 10),
            ("story", -22),
            ("policy", -14),
            ("outreach", -6),
        ],
    ),
    (
        Intent::CalendarInvite,
        &[
            ("invite", 32),
            ("invite_verb", 22),
            ("interview", 9),
            ("candidate", 4),
            ("date", 8),
            ("time", 12),
            ("length", 6),
            ("on_teams", 8),
            ("on_site", 4),
            ("jobylon", 22),
            ("type_case", 4),
            ("type_team", 3),
            ("type_manager", 3),
            ("type_screening", 4),
            ("own", 5),
            ("name", 5),
            ("screening", -8),
            ("report", -16),
            ("transcript", -5),
            ("policy", -18),
            ("off_topic", -28),
            ("story", -26),
            ("past", -12),
            ("ad", -12),
            ("small_talk", -14),
            ("funnel", -20),
            ("counts", -24),
            ("outreach", -10),
            ("profile", -8),
            ("compare", -10),
            ("make", 2),
        ],
    ),
    (
        Intent::SetLanguage,
        &[
            ("language", 18),
            ("language_wish", 12),
            ("brief", 12),
            ("change", 3),
            ("own", -16),
            ("interview", -12),
            ("manager", -8),
            ("compare", -12),
            ("profile", -20),
            ("ad", -22),
            ("screening", -22),
            ("outreach", -22),
            ("report", -22),
            ("invite", -22),
            ("funnel", -22),
            ("translate", -30),
            ("inclusive", -22),
            ("candidate", -6),
            ("story", -20),
            ("tone", 18),
            ("notes", -12),
            ("off_topic", -20),
            ("policy", -20),
            ("skills", -20),
        ],
    ),
    (
        Intent::SetPosition,
        &[
            ("title", 27),
            ("team_size", -20),
            ("profile", -14),
            ("ad", -22),
            ("screening", -22),
            ("outreach", -26),
            ("report", -22),
            ("invite", -26),
            ("funnel", -26),
            ("inclusive", -20),
            ("story", -20),
            ("notes", -12),
            ("skills", -20),
            ("invite_verb", -20),
            ("hiring", 8),
            ("transcript", -16),
            ("off_topic", -15),
            ("candidate", -6),
            ("review", -10),
            ("policy", -15),
            ("compare", -20),
            ("time", -14),
            ("small_talk", -8),
            ("message", -6),
        ],
    ),
    (
        Intent::ShowDocument,
        &[
            ("show", 18),
            ("profile", 12),
            ("ad", 10),
            ("screening", 10),
            ("report", 10),
            ("outreach", 8),
            ("invite", 8),
            ("make", -8),
            ("again", 8),
            ("story", -25),
            ("review", -8),
            ("inclusive", -8),
            ("help", -18),
            ("add", -10),
            ("counts", -14),
            ("compare", -14),
            ("funnel", 2),
            ("change", -8),
            ("remove", -12),
        ],
    ),
    (Intent::Restore, &[("restore", 36)]),
    (Intent::Greeting, &[("hello", 26), ("alone", 12), ("small_talk", 2)]),
    (
        Intent::Menu,
        &[
            ("help", 30),
            ("make", -4),
            ("profile", -12),
            ("ad", -12),
            ("screening", -12),
            ("policy", -12),
            ("invite", -10),
            ("funnel", -10),
            ("report", -10),
            ("outreach", -10),
            ("notes", -8),
            ("off_topic", -15),
            ("inclusive", -10),
        ],
    ),
    (
        Intent::Thanks,
        &[
            ("thanks", 32),
            ("language", -14),
            ("report", -14),
            ("outreach", -12),
            ("funnel", -12),
            ("inclusive", -12),
            ("counts", -20),
            ("title", -8),
            ("remove", -10),
            ("add", -8),
            ("make", -10),
            ("profile", -4),
            ("ad", -10),
            ("screening", -10),
            ("invite", -8),
        ],
    ),
    (Intent::Cancel, &[("cancel", 30), ("make", -4), ("alone", 4)]),
    (Intent::Yes, &[("yes", 26), ("alone", 4), ("change", -10), ("remove", -10), ("add", -6)]),
    (Intent::No, &[("no", 24), ("alone", 4)]),
    (
        Intent::DocumentQuestion,
        &[
            ("policy", 28),
            ("question", 10),
            ("make", -10),
            ("language", -12),
            ("invite", -4),
            ("profile", -10),
            ("ad", -8),
            ("screening", -10),
            ("skills", -12),
            ("outreach", -12),
        ],
    ),
    (
        Intent::SmallTalk,
        &[
            ("small_talk", 26),
            ("story", 26),
            ("make", -6),
            ("invite", -8),
            ("hello", -2),
            ("notes", -8),
            ("skills", -10),
        ],
    ),
    (
        Intent::OffTopic,
        &[
            ("off_topic", 32),
            ("translate", 12),
            ("profile", -14),
            ("screening", -12),
            ("skills", -14),
            ("outreach", -6),
            ("ad", -6),
            ("invite", -14),
            ("title", -10),
            ("jobylon", -20),
            ("report", -4),
            ("funnel", -8),
            ("candidate", -5),
            ("type_case", -8),
            ("counts", -12),
        ],
    ),
];

/// The least that must speak for an intent.
const LEAST: i32 = 25;

/// What else is known of a sentence.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent signs, each a row of the table")]
pub(super) struct Signs {
    pub(super) title: bool,
    pub(super) hiring: bool,
    pub(super) team_size: bool,
    pub(super) skills: bool,
    pub(super) name: bool,
    pub(super) date: bool,
    pub(super) past: bool,
    pub(super) time: bool,
    pub(super) length: bool,
    pub(super) counts: bool,
    pub(super) positions: bool,
    pub(super) keys: bool,
    pub(super) language: bool,
    pub(super) tone: bool,
    /// Something was made in this conversation.
    pub(super) made: bool,
}

/// An intent and what speaks for it, in tenths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Weighed {
    pub(super) intent: Intent,
    pub(super) weight: i32,
}

/// The most likely intent of a sentence.
///
/// What a position needs may be called like anything: nothing in the `lists` of it speaks for an intent.
pub(super) fn weigh(
    heard: &Heard<'_>,
    signs: Signs,
    lists: &[Range<usize>],
    pasted: Option<&Pasted<'_>>,
) -> Weighed {
    let holds = |name: &str| match name {
        "title" => signs.title,
        "hiring" => signs.hiring,
        "team_size" => signs.team_size,
        "skills" => signs.skills,
        "name" => signs.name,
        "date" => signs.date,
        "past" => signs.past,
        "time" => signs.time,
        "length" => signs.length,
        "counts" => signs.counts,
        "positions" => signs.positions,
        "keys" => signs.keys,
        "language" => signs.language,
        "tone" => signs.tone,
        // "We are looking for a planner with GIS and CAD".
        "sought" => signs.hiring && signs.skills && !signs.made,
        "brief" => heard.tokens.len() <= 8 && (signs.language || signs.tone),
        "alone" => heard.tokens.len() <= 5,
        "question" => heard.text.contains('?'),
        // Only what was made can be shown again.
        "again" => signs.made,
        "pasted_ad" => pasted.is_some_and(|pasted| pasted.kind == PastedKind::Ad),
        // A wish may stand behind a list without a sign between them.
        "make" | "profile" => heard.has(name),
        _ => heard.has_outside(name, lists),
    };
    let mut best = Weighed { intent: Intent::Unclear, weight: 0 };
    for (intent, weights) in TABLE {
        let mut weight: i32 = weights.iter().filter(|(name, _)| holds(name)).map(|(_, weight)| weight).sum();
        weight += paste_weight(*intent, heard, pasted);
        // Whoever tells what has happened, names a position and asks for something, asks for something.
        if signs.title && heard.has("make") && heard.has("story") && intent.tool().is_some() {
            weight += 14;
        }
        // "job ad", "funnel report": a few words that name a document are a wish for it.
        if heard.tokens.len() <= 3 && weight > 0 && intent.tool().is_some() {
            weight += 4;
        }
        if weight > best.weight {
            best = Weighed { intent: *intent, weight };
        }
    }
    if best.weight < LEAST { Weighed { intent: Intent::Unclear, weight: best.weight } } else { best }
}

/// What a pasted text says by itself.
fn paste_weight(intent: Intent, heard: &Heard<'_>, pasted: Option<&Pasted<'_>>) -> i32 {
    let Some(pasted) = pasted else { return 0 };
    let nothing = pasted.wish.is_empty();
    match (pasted.kind, intent) {
        (PastedKind::Transcript, Intent::CandidateReport) | (PastedKind::Table, Intent::FunnelReport) => 34,
        (PastedKind::Ad, Intent::JobAdReview) if nothing => 30,
        (PastedKind::Notes, Intent::RequirementProfile) => {
            let other =
                heard.has("ad") || heard.has("inclusive") || heard.has("transcript") || heard.has("report");
            if other { 4 } else { 30 }
        }
        // Notes of a start-up meeting name people, too.
        (PastedKind::Notes, Intent::CandidateReport) if !heard.has("report") => -18,
        // What somebody calls an ad is one, whatever it looks like.
        (PastedKind::Notes, Intent::JobAdReview) if heard.has("ad") => 10,
        (_, Intent::JobAd | Intent::SetPosition | Intent::SmallTalk | Intent::Unclear | Intent::OffTopic) => {
            -20
        }
        _ => 0,
    }
}
