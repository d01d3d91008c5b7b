//! The funnel report: where candidates get lost, and what to do about it.
//!
//! Three lanes: attraction, sourcing, and the process both lead into. A stage is compared with the stage before it that
//! is known; zero is a figure, absent is not. Rates are exact integer arithmetic, limits are data with their sources,
//! and each bottleneck has one fix and one owner. The report needs no other document, but quotes those there are.

mod artifact;
mod causes;
mod compose;
mod data;
mod fields;
mod fold;
mod import;
mod input;
mod labels;
pub(crate) mod limits;
mod mapping;
mod maths;
mod numbers;
mod render;
mod sentence;
mod slides;
pub(crate) mod stage;
mod table;
mod target;

use std::{collections::BTreeSet, sync::Arc};

use jiff::Timestamp;
use tata_core::{Tool, ToolNameError};

use crate::{Audience, Gate, Kind, Made, Notice, Project, Refusal, Texts, clip, profile, tidy, tool};
use data::Data;
use limits::Rules;
use mapping::Answers;

pub(crate) use fields::names;
pub(crate) use render::render;

pub use artifact::{FunnelReport, StageRow};
use artifact::{Measure, Reason};
pub use input::Input;
use limits::LimitRule;
pub use limits::Severity;
pub use numbers::Tenths;
use stage::{FunnelStage, Lane};

/// How long a table may be.
const MOST_BYTES: usize = crate::MOST_CHARACTERS * 4;
/// How many places a report names.
const MOST_LOCATIONS: usize = 50;

/// Makes a funnel report.
#[expect(clippy::needless_pass_by_value, reason = "every module is handed its input")]
pub fn create_funnel_report(input: Input, project: &Project, now: Timestamp) -> Result<Made, Refusal> {
    let texts = project.texts();
    let mut refusal = Refusal::default();
    let mut report = addressed(&input, project, &mut refusal);
    let rules = Rules::with(&input.thresholds, &mut refusal, texts);
    let context = format!("{} {}", report.job_title, report.locations.join(" "));
    let spoken = project.speak(input.language.as_deref(), input.german_form, &context);
    (report.voice, report.created_at) = (spoken.voice, now);
    let mut notices = spoken.notices;
    let told = refusal.problems.len();
    let mut data = Data::of(&input, &mut refusal, texts);
    if let Some(table) = input.pasted_table.as_deref().filter(|table| !table.trim().is_empty()) {
        refusal.check_length("pasted_table", table, texts);
        if table.len() <= MOST_BYTES {
            let answers = Answers::of(&input.mapping, texts, &mut refusal);
            let before: Option<FunnelReport> = project.read(Kind::FunnelReport, "");
            let before = before.and_then(|report| report.reading);
            let (figures, read) = import::read(table, answers, before.as_ref(), texts, &mut refusal);
            data.add(figures, &mut notices, texts);
            let remarks = render::reading_remarks(&read, texts);
            notices.extend(remarks.into_iter().map(|remark| Notice::new("pasted_table", remark)));
            report.reading = Some(read);
        }
    }
    data.translate_linkedin(&mut notices, texts);
    // Figures that cannot be read are told as such.
    if refusal.problems.len() == told && Lane::ALL.into_iter().all(|lane| !data.has(lane)) {
        refusal.say("attraction", texts, key!("funnel.refusals.no_data"), &[]);
    }
    refusal.or_ok()?;
    notices.extend(warnings(&data, texts));

    compose::compose(&mut report, &data, &rules, project);
    notices.extend(remarks(&report, texts));
    let document = render(&report);
    let verbatim = words_of_others(&report);
    let gate = Gate { voice: report.voice, audience: Audience::Colleagues, verbatim: &verbatim };
    let cleared = gate.pass(&document, texts)?.and(gate.pass(&render::slides(&report), texts)?);
    notices.extend(cleared.notices());
    let made = Made::new(Kind::FunnelReport, &report, document, &cleared);
    Ok(Made { notices, next_steps: next_steps(&report, texts), ..made })
}

/// A report that says no more than whom it is about; what is missing is refused in the order in which one would ask.
fn addressed(input: &Input, project: &Project, refusal: &mut Refusal) -> FunnelReport {
    let texts = project.texts();
    let name = |refusal: &mut Refusal, field: &str, value: Option<&str>| {
        let value = value.unwrap_or_default();
        refusal.check_length(field, value, texts);
        // What is far too long for a name was refused; no need to carry it along.
        tidy(clip::start(value, 1000))
    };
    let mut job_title = name(refusal, "job_title", input.job_title.as_deref());
    if job_title.is_empty() {
        job_title = profile::position(project).unwrap_or_default();
    }
    if job_title.is_empty() {
        refusal.say("job_title", texts, key!("funnel.refusals.job_title"), &[]);
    }
    let number_of_positions = input.number_of_positions.unwrap_or_default();
    if number_of_positions == 0 {
        let message = match input.number_of_positions {
            None => key!("funnel.refusals.no_number_of_positions"),
            Some(_) => key!("funnel.refusals.number_of_positions"),
        };
        let way_out = texts.get(key!("funnel.refusals.number_of_positions_way_out"));
        refusal.add("number_of_positions", texts.get(message), way_out);
    }
    let hiring_manager_name = name(refusal, "hiring_manager_name", input.hiring_manager_name.as_deref());
    if hiring_manager_name.is_empty() {
        refusal.say("hiring_manager_name", texts, key!("funnel.refusals.hiring_manager_name"), &[]);
    }
    let places = input.locations.iter().take(MOST_LOCATIONS);
    places.clone().for_each(|place| refusal.check_length("locations", place, texts));
    let locations = places.map(|place| tidy(clip::start(place, 200)));
    let locations = locations.filter(|place| !place.is_empty()).collect();
    FunnelReport { job_title, hiring_manager_name, number_of_positions, locations, ..FunnelReport::default() }
}

/// What the report cannot say because nobody gave it.
fn warnings(data: &Data, texts: &Texts) -> Vec<Notice> {
    let missing = Lane::ALL.into_iter().filter(|lane| !data.has(*lane)).map(Lane::name);
    let timed = || FunnelStage::ALL.into_iter().filter(|stage| data.days(*stage).is_some());
    let time = Some("time").filter(|_| timed().next().is_none());
    let warn = |block: &str| {
        Notice::new(block, texts.get(group!("funnel.notices").key(format_args!("missing_{block}"))))
    };
    let mut notices: Vec<Notice> = missing.chain(time).map(warn).collect();
    let uncounted = timed().filter(|stage| data.count(*stage).is_none());
    notices.extend(uncounted.map(|stage| {
        let (field, values) = (format!("time.{}", stage.name()), [("stage", stage.display(texts))]);
        Notice::say(field, texts, key!("funnel.notices.days_without_count"), &values)
    }));
    notices
}

/// What the recruiter should know before passing the report on.
fn remarks(report: &FunnelReport, texts: &Texts) -> Vec<Notice> {
    let mut notices = Vec::new();
    if !report.inconsistencies.is_empty() {
        let values = [("count", &*report.inconsistencies.len().to_string())];
        notices.push(Notice::say("inconsistencies", texts, key!("funnel.notices.inconsistent"), &values));
    }
    let by_general =
        |reason: &Reason| (reason.rule, reason.measure) == (LimitRule::General, Measure::Conversion);
    let general = report.bottlenecks.iter().filter(|bottleneck| bottleneck.reasons.iter().any(by_general));
    let mut general = general.map(|bottleneck| bottleneck.stage).peekable();
    if general.peek().is_some() {
        let values = [("stages", &*FunnelStage::quoted(general, texts))];
        notices.push(Notice::say("thresholds", texts, key!("funnel.notices.general_rule"), &values));
    }
    notices
}

/// The documents that would help and are not there yet.
fn next_steps(report: &FunnelReport, texts: &Texts) -> Vec<String> {
    let causes = report.bottlenecks.iter().flat_map(|bottleneck| &bottleneck.causes);
    let missing = causes.filter(|cause| cause.version.is_none());
    let missing: BTreeSet<Kind> = missing.filter_map(|cause| Kind::find(&cause.document)).collect();
    let steps = missing.into_iter().map(|kind| kind.offer(texts));
    steps.chain([texts.get(key!("funnel.next_step")).to_owned()]).collect()
}

/// Names and quotations: they stay as they were written.
fn words_of_others(report: &FunnelReport) -> Vec<&str> {
    let causes = report.bottlenecks.iter().flat_map(|one| &one.causes);
    let quotes = causes.flat_map(|cause| &cause.quotes).map(|quote| &*quote.text);
    let names = [report.job_title.as_str(), report.hiring_manager_name.as_str()];
    let table = report.reading.iter().flat_map(|reading| {
        let labels = reading.labels.iter().map(|label| &label.label);
        labels.chain(&reading.unread_rows).chain(&reading.unread_columns).map(String::as_str)
    });
    let places = report.locations.iter().map(String::as_str);
    names.into_iter().chain(places).chain(quotes).chain(table).collect()
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    let create = crate::module::module(
        tool::CREATE_FUNNEL_REPORT,
        "Analyzes a recruitment funnel: conversion per stage, bottlenecks by severity, exactly one fix and one owner for \
         each, and figures that contradict each other. Call it when the recruiter gives counts per stage (views, \
         applications, contacted, interviews, offers …), pastes a table from an ATS or LinkedIn, or asks where \
         candidates get lost. At least one count from the ad, from sourcing or from the process is needed. Pass counts \
         as they were given and leave out what was not; never estimate. Needs no other document.",
        Kind::FunnelReport,
        create_funnel_report,
    )?;
    Ok(vec![create])
}
