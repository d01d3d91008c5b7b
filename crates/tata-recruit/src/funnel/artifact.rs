//! A funnel report as it is stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    limits::{LimitRule, Severity},
    numbers::Tenths,
    stage::{FunnelStage, Lane, Owner},
};
use crate::{Evidence, Voice, mapping::TableReading};

/// Where candidates get lost, and what to do about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelReport {
    /// The position.
    pub job_title: String,
    /// The hiring manager.
    pub hiring_manager_name: String,
    /// How many people are to be hired.
    pub number_of_positions: u32,
    /// Where.
    pub locations: Vec<String>,
    /// How it speaks.
    pub voice: Voice,
    /// The report in a few figures.
    pub summary: FunnelSummary,
    /// Every stage that was given.
    pub stages: Vec<StageRow>,
    /// Offers that were declined; no stage.
    pub offers_rejected: Option<u64>,
    /// The bottlenecks, the serious ones first.
    pub bottlenecks: Vec<Bottleneck>,
    /// One per bottleneck, in the same order.
    pub fixes: Vec<Fix>,
    /// Figures that contradict each other.
    pub inconsistencies: Vec<Inconsistency>,
    /// What a drawing needs.
    pub visual: Visual,
    /// The same for slides.
    pub slides: Vec<Slide>,
    /// Against the report before, if there was one.
    pub comparison: Option<Comparison>,
    /// How a table was read, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<TableReading>,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The report in a few figures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunnelSummary {
    /// From the top to the end in percent, where there is one way through the funnel.
    pub overall_conversion: Option<Tenths>,
    /// From the top to the end of each way; lanes that merge are never mixed.
    pub overall: Vec<Overall>,
    /// How many bottlenecks are serious.
    pub high: usize,
    /// How many are not.
    pub medium: usize,
    /// How many offers were accepted, if it is known.
    pub hires: Option<u64>,
    /// Days until the position is filled.
    pub time_to_fill: Option<Tenths>,
}

/// One way from its top to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overall {
    /// The lane it starts in.
    pub lane: Lane,
    /// Its first stage.
    pub from: FunnelStage,
    /// How many.
    pub from_count: u64,
    /// Its last stage.
    pub to: FunnelStage,
    /// How many.
    pub to_count: u64,
    /// In percent; nothing where it cannot be said.
    pub conversion: Option<Tenths>,
}

/// A stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageRow {
    /// Which.
    pub stage: FunnelStage,
    /// Its lane.
    pub lane: Lane,
    /// As people call it.
    pub name: String,
    /// How many reached it.
    pub count: u64,
    /// What it is compared with; nothing for the first of a lane.
    pub base_stages: Vec<FunnelStage>,
    /// How many there were.
    pub base: Option<u64>,
    /// In percent of the base; nothing where it cannot be said.
    pub conversion: Option<Tenths>,
    /// In percent of the top of its lane; nothing where lanes merge.
    pub cumulative: Option<Tenths>,
    /// Days in this stage.
    pub days: Option<Tenths>,
    /// What should be known about the figures.
    pub notes: Vec<String>,
}

/// A stage where too many get lost, or that takes too long.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bottleneck {
    /// The stage.
    pub stage: FunnelStage,
    /// As people call it.
    pub name: String,
    /// How bad it is.
    pub severity: Severity,
    /// Why it was flagged: its conversion, its days, or both.
    pub reasons: Vec<Reason>,
    /// How little a small base says.
    pub caution: Option<String>,
    /// What the project's own documents say about it.
    pub causes: Vec<Cause>,
}

/// Why a stage was flagged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// What was measured.
    pub measure: Measure,
    /// Percent or days.
    pub value: Tenths,
    /// The limit that was crossed.
    pub limit: Tenths,
    /// How far: each limit has its severity.
    pub severity: Severity,
    /// Whose limit it is.
    pub rule: LimitRule,
    /// The rule in words.
    pub rule_text: String,
    /// In words.
    pub text: String,
    /// What is published about this stage, with its sources.
    pub benchmark: Option<String>,
}

/// What a limit is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The share of those who went on.
    Conversion,
    /// The days it takes.
    Days,
}

/// What a document of the project says that may have to do with a bottleneck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cause {
    /// The kind of document.
    pub document: String,
    /// Its version; nothing if there is no such document.
    pub version: Option<u32>,
    /// What can be said about it.
    pub text: String,
    /// Its own words.
    pub quotes: Vec<Cited>,
}

/// Words from a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cited {
    /// The words.
    pub text: String,
    /// Where they stand.
    pub source: String,
    /// Where they came from in the first place, if the document knows.
    pub evidence: Option<Evidence>,
}

/// What to do about a bottleneck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fix {
    /// The bottleneck.
    pub stage: FunnelStage,
    /// What to do.
    pub text: String,
    /// Who does it.
    pub owner: Owner,
    /// The kind of document it has to do with.
    pub document: Option<String>,
    /// Whether the project has that document.
    pub document_exists: bool,
}

/// Figures that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inconsistency {
    /// The stages.
    pub stages: Vec<FunnelStage>,
    /// In words.
    pub message: String,
}

/// What a drawing needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visual {
    /// The bars, in order.
    pub bars: Vec<Bar>,
    /// The two stages where the largest shares are lost.
    pub largest_drops: Vec<LargestDrop>,
}

/// A bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bar {
    /// The stage.
    pub stage: FunnelStage,
    /// The lane it is drawn in.
    pub lane: Lane,
    /// How many.
    pub count: u64,
    /// How long it is, in percent of the longest of its lane.
    pub length: Tenths,
}

/// A stage where many get lost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LargestDrop {
    /// The stage.
    pub stage: FunnelStage,
    /// How many did not reach it.
    pub lost: u64,
    /// In percent of those before.
    pub share: Tenths,
}

/// A slide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slide {
    /// Its title.
    pub title: String,
    /// What it says.
    pub points: Vec<String>,
}

/// Against an earlier report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The version before.
    pub version: u32,
    /// When it was made.
    pub created_at: Timestamp,
    /// The stages of both.
    pub rows: Vec<ComparedStage>,
}

/// A stage then and now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedStage {
    /// Which.
    pub stage: FunnelStage,
    /// How many then.
    pub count_before: Option<u64>,
    /// How many now.
    pub count_now: Option<u64>,
    /// In percent then.
    pub conversion_before: Option<Tenths>,
    /// In percent now.
    pub conversion_now: Option<Tenths>,
}
