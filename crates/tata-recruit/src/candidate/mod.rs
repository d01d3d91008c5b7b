//! The candidate report: what an interview showed, in the candidate's own words, with ratings for a person to confirm.
//!
//! Only what the candidate said is evidence, and an answer belongs to the question before it. Without content from a
//! model, rules quote what was said for and against each skill, and a person rates it. There is no field for age, family, health, origin, religion, orientation, feelings or accent, no ranking,
//! and no automatic rejection: every recommendation is a draft for a human decision.

mod artifact;
mod compare;
mod compose;
mod confirm;
mod content;
mod exchange;
mod fields;
mod lexicon;
mod names;
mod practical;
mod rate;
mod render;
mod slips;
mod speakers;
mod speech;
mod topics;
mod transcript;
mod withheld;

use std::sync::Arc;

use jiff::{SignedDuration, Timestamp, civil::Date, tz::TimeZone};
use schemars::JsonSchema;
use serde::Deserialize;
use tata_core::{Tool, ToolNameError};
use tata_document::Talk;

pub use artifact::{
    Assessment, Basis, CandidateReport, Decision, Detail, PracticalDetails, Quote, Rating, Recommendation,
    ReportStatus, Statement,
};
pub use compare::{CompareInput, Comparison, compare_candidates};
pub use confirm::{Choice, ConfirmInput, Verdict, confirm_candidate_report};
pub use content::{AssessmentContent, Content, PracticalContent, SkillContent, StatementContent};
pub(crate) use render::report as render;
pub(crate) use transcript::read as read_talk;

use crate::{
    Audience, FormWish, Gate, Kind, Made, Notice, Profile, Project, Refusal, ScreeningTemplate, Source,
    Sources, Texts, Unproven,
    module::{deciding, module},
    profile, screening,
    withheld::Sieve,
};
use content::Checker;
use exchange::Interview;
use names::{NameParts, Scrubber, initials};
use speakers::{Candidate, People};
use speech::Speech;

/// The longest name somebody may have.
const LONGEST_NAME: usize = 200;
/// The most names of interviewers, and of other forms of a name.
const MOST_NAMES: usize = 50;
/// A shorter transcript hardly shows anything.
const SHORT_TRANSCRIPT: usize = 100;

/// What a candidate report is made from.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CandidateInput {
    /// The candidate's name. It is kept inside the report and never shown in comparisons. Ask for it if it is missing.
    pub candidate_name: String,
    /// The day of the interview as YYYY-MM-DD. Ask for it if it is missing.
    pub interview_date: String,
    /// The transcript: the number of the message it was pasted in, such as m4. Without one there is no report.
    pub transcript: String,
    /// The candidate's CV, if the recruiter wants it woven in: its number.
    pub candidate_cv: Option<String>,
    /// How the transcript calls the candidate, if it is not the name: "Speaker 1". Ask the recruiter, never guess.
    pub candidate_speaker: Option<String>,
    /// Names of the people who asked the questions, as the transcript has them.
    pub interviewers: Vec<String>,
    /// Other forms of the candidate's name that are used in the interview, such as a nickname.
    pub also_known_as: Vec<String>,
    /// The key of an earlier report (such as JS2) that this one replaces, or "new" if another person has the same name.
    pub candidate_key: Option<String>,
    /// The language of the report, if not that of the project: en, sv, da, no or de.
    pub language: Option<String>,
    /// How a German report addresses its reader.
    pub german_form: Option<FormWish>,
    /// What was understood from the transcript, with verbatim quotations; code checks every one of them.
    pub content: Option<Content>,
}

/// The tools of this module.
pub(crate) fn tools() -> Result<Vec<Arc<dyn Tool>>, ToolNameError> {
    Ok(vec![
        module(
            "create_candidate_report",
            "Makes a report on one candidate from the transcript of an interview: motivation, every skill of the \
             requirement profile with verbatim quotations for and against, practical details and risks. A recommendation \
             follows once a person has rated motivation and every must-have. Call it when the recruiter brings a transcript. It refuses when it is unclear who the \
             candidate is. Ratings are drafts: afterwards ask the recruiter to confirm or change each of them.",
            Kind::CandidateReport,
            create_candidate_report,
        )?,
        deciding(
            "confirm_candidate_report",
            "Records what a person decided about the ratings of a candidate report: confirmed, changed with a reason, \
             rated where nothing was assessed, or left open. Call it only with decisions that the recruiter has stated.",
            Kind::CandidateReport,
            // Which report is meant is said by its key; the refusal names the ones there are.
            &[],
            crate::acts::rates,
            confirm_candidate_report,
        )?,
        compare::tool()?,
    ])
}

/// Makes the report on one candidate.
pub fn create_candidate_report(
    mut input: CandidateInput,
    project: &Project,
    now: Timestamp,
) -> Result<Made, Refusal> {
    let texts = project.texts();
    let date = check(&input, project, now)?;
    let (Some(profile), Some(template)) = (profile::of(project), screening::ta_template(project)) else {
        return Err(missing(project));
    };
    let key = key(&input, project)?;
    let mut known: Vec<&str> = vec![&input.candidate_name];
    known.extend(input.candidate_speaker.as_deref());
    known.extend(input.interviewers.iter().chain(&input.also_known_as).take(MOST_NAMES).map(String::as_str));
    let transcript = read_talk(&input.transcript, &known);
    let mut sieve = Sieve::new(texts, project.voice().language());
    withheld::sift(&mut input.transcript, &transcript, &mut sieve);
    let people = People {
        candidate: &input.candidate_name,
        also: &input.also_known_as,
        speaker: input.candidate_speaker.as_deref(),
        interviewers: &input.interviewers,
    };
    let candidate = people.find(&transcript, texts)?;
    let spoken = project.speak(input.language.as_deref(), input.german_form, "");
    let speech = Speech::new(&input.transcript, &transcript, &candidate.speakers);
    let (report, pay_history, left_out) = {
        let made = Making {
            input: &input,
            profile: &profile,
            template: &template,
            speech: &speech,
            texts,
            date,
            now,
        };
        let labels = candidate.speakers.iter().filter_map(|at| transcript.speakers.get(*at));
        made.report(key, &labels.cloned().collect::<Vec<_>>(), project, &spoken)?
    };
    let mut notices = spoken.notices;
    let not_proven =
        |one: &Unproven| texts.say("candidate.notice.left_out", &[("statement", &one.shown(texts))]);
    notices.extend(left_out.iter().map(|one| Notice::new("content", not_proven(one))));
    notices.extend(sieve.notice());
    notices.extend(warnings(&report, &candidate, &transcript, &template, &speech, pay_history, texts));
    let scrubber = Scrubber::default().with(report.names(), &report.key);
    let mut made = finish(&report, &scrubber, notices, &anchors(&template), texts)?;
    if report.sources.get(Source::CandidateCv).is_none() {
        made.next_steps.insert(0, texts.say("candidate.next.cv", &[("key", &report.key)]));
    }
    Ok(made)
}

/// Renders a report, checks the text and keeps the name from the model.
fn finish(
    report: &CandidateReport,
    scrubber: &Scrubber,
    notices: Vec<Notice>,
    anchors: &[String],
    texts: &Texts,
) -> Result<Made, Refusal> {
    let document = render(report);
    // What people said, wrote or decided stands there in their own words and language.
    let quotes = report.quotes().flat_map(|quote| std::iter::once(&quote.text).chain(&quote.reads_as));
    let decided = report.assessments().filter(|one| one.basis == Basis::Person).map(|one| &one.explanation);
    let reasons = report.assessments().filter_map(|one| one.decision.as_ref()?.reason.as_ref());
    let asked = report.quotes().filter_map(|quote| quote.question.as_ref());
    let names = report.assessments().map(|assessment| &assessment.skill_name);
    let verbatim = quotes
        .chain(asked)
        .chain(decided)
        .chain(reasons)
        .chain(names)
        .chain([&report.position_name])
        .chain(anchors);
    // A model may write the candidate's name: "Will" is no English word then.
    let called = report.names().flat_map(|name| std::iter::once(name).chain(name.split_whitespace()));
    let verbatim: Vec<&str> = verbatim.map(String::as_str).chain(called).collect();
    let gate = Gate { voice: report.voice, audience: Audience::Colleagues, verbatim: &verbatim };
    let mut notices = notices;
    let cleared = gate.pass(&document, texts)?;
    notices.extend(cleared.notices());
    let without = |text: &str| scrubber.scrub(text);
    let mut made = Made::new(Kind::CandidateReport, report, document, &cleared);
    let for_model = names_removed(&made.json, scrubber);
    let keyed = named_by_key(for_model.clone(), &report.key);
    let shown = CandidateReport::deserialize(&keyed).ok().as_ref().map(render);
    made.read_by_model(for_model, shown);
    made.notices =
        notices.iter().map(|notice| Notice::new(without(&notice.about), without(&notice.message))).collect();
    made.key.clone_from(&report.key);
    made.questions = compose::questions(report, texts).iter().map(|question| without(question)).collect();
    made.next_steps = compose::next_steps(report, texts);
    Ok(made)
}

/// What the template says about answers; it may be in another language than the report.
fn anchors(template: &ScreeningTemplate) -> Vec<String> {
    let sets = template.skills.iter().map(|set| &set.anchors).chain([&template.motivation_anchors]);
    sets.flat_map(|anchors| [&anchors.one, &anchors.three, &anchors.five]).cloned().collect()
}

/// What the model may read: no name, no sources, and no name inside any text.
fn names_removed(json: &serde_json::Value, scrubber: &Scrubber) -> serde_json::Value {
    use serde_json::Value;
    match json {
        Value::String(text) => Value::String(scrubber.scrub(text)),
        Value::Array(values) => values.iter().map(|value| names_removed(value, scrubber)).collect(),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| {
                !matches!(name.as_str(), "candidate_name" | "other_names" | "sources" | "spans")
            })
            .map(|(name, value)| (name.clone(), names_removed(value, scrubber)))
            .collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => json.clone(),
    }
}

/// A document as a model may read it: of a candidate's report the key stands for the name.
pub(crate) fn without_name(kind: Kind, json: serde_json::Value) -> serde_json::Value {
    let report = (kind == Kind::CandidateReport).then(|| CandidateReport::deserialize(&json).ok()).flatten();
    match report {
        Some(report) => {
            let scrubber = Scrubber::default().with(report.names(), &report.key);
            named_by_key(names_removed(&json, &scrubber), &report.key)
        }
        None => json,
    }
}

/// A report without a name, in which the key stands where the name stood.
fn named_by_key(mut json: serde_json::Value, key: &str) -> serde_json::Value {
    if let Some(fields) = json.as_object_mut() {
        fields.entry("candidate_name").or_insert_with(|| key.into());
    }
    json
}

/// Everything a report is made from, in one place.
struct Making<'a> {
    input: &'a CandidateInput,
    profile: &'a Profile,
    template: &'a ScreeningTemplate,
    speech: &'a Speech,
    texts: &'a Texts,
    date: Date,
    now: Timestamp,
}

impl Making<'_> {
    /// The report, whether former pay was mentioned, and what was left out because nothing proves it.
    fn report(
        &self,
        key: String,
        labels: &[String],
        project: &Project,
        spoken: &crate::Spoken,
    ) -> Result<(CandidateReport, bool, Vec<Unproven>), Refusal> {
        let own = Texts::of(spoken.voice);
        let (input, speech) = (self.input, self.speech);
        let skills = topics::skills(self.profile, self.template);
        let called: Vec<String> = labels.iter().chain(&input.also_known_as).cloned().collect();
        let names = std::iter::once(input.candidate_name.as_str()).chain(called.iter().map(String::as_str));
        let scrubber = Scrubber::default().with(names, &key);
        let interview = Interview::new(speech, self.template, &skills, scrubber);
        let topics = interview.topics();
        let sources = Sources::default()
            .with(Source::Transcript, Some(&input.transcript))
            .with(Source::CandidateCv, input.candidate_cv.as_deref());
        let cv = Sources::default().with(Source::CandidateCv, input.candidate_cv.as_deref());
        let found = practical::details(speech, &topics, own);
        let mut report = CandidateReport {
            candidate_name: input.candidate_name.trim().to_owned(),
            other_names: called,
            candidate_initials: initials(&input.candidate_name),
            status: ReportStatus::Draft,
            version: project.stored(Kind::CandidateReport, &key).map_or(0, |stored| stored.version) + 1,
            key,
            voice: spoken.voice,
            form: spoken.form,
            position_name: self.profile.position_title.clone(),
            profile_version: self.profile.version,
            interview_date: self.date,
            summary: Vec::new(),
            background: compose::background(
                speech,
                &topics,
                input.candidate_cv.as_deref(),
                spoken.voice.language(),
            ),
            motivation_assessment: rate::motivation(&interview, own),
            skill_assessments: skills
                .iter()
                .enumerate()
                .map(|(at, skill)| rate::skill(at, skill, &interview, own))
                .collect(),
            practical_details: found.details,
            risks: Vec::new(),
            recommendation: Recommendation::default(),
            mean_tenths: None,
            not_assessed: 0,
            conclusion: String::new(),
            sources,
            created_at: self.now,
        };
        let mut left_out = Vec::new();
        if let Some(content) = &input.content {
            let mut checker = Checker::new(
                speech.finder(),
                &cv,
                &input.candidate_name,
                spoken.voice.language(),
                project,
                self.texts,
            );
            report.summary = checker.statements("summary", &content.summary, true);
            let background = checker.statements("background", &content.background, true);
            if !background.is_empty() {
                report.background = background;
            }
            if let Some(motivation) = &content.motivation {
                let assessment = checker.assessment("motivation", motivation, None);
                report.motivation_assessment.take_over(assessment);
            }
            for (at, assessment) in checker.skills(&content.skills, &skills) {
                if let Some(place) = report.skill_assessments.get_mut(at) {
                    place.take_over(assessment);
                }
            }
            checker.practical(&content.practical, &mut report.practical_details);
            report.risks = checker.statements("risks", &content.risks, false);
            left_out = checker.finish()?;
        }
        compose::conclude(&mut report, own);
        Ok((report, found.pay_history, left_out))
    }
}

/// Checks the input and reads the date.
fn check(input: &CandidateInput, project: &Project, now: Timestamp) -> Result<Date, Refusal> {
    let texts = project.texts();
    let mut refusal = Refusal::default();
    let mut problem =
        |field: &str, key: &str| refusal.say(field, texts, &format!("candidate.input.{key}.message"), &[]);
    if input.candidate_name.trim().is_empty() {
        problem("candidate_name", "name");
    } else if input.candidate_name.chars().count() > LONGEST_NAME {
        problem("candidate_name", "long_name");
    }
    let date = strict_date(&input.interview_date);
    // Somewhere it may already be tomorrow.
    let latest = now
        .saturating_add(SignedDuration::from_hours(14))
        .map(|moment| moment.to_zoned(TimeZone::UTC).date());
    match (date, latest) {
        (None, _) if input.interview_date.trim().is_empty() => problem("interview_date", "no_date"),
        (None, _) => problem("interview_date", "date"),
        (Some(date), Ok(latest)) if date > latest => problem("interview_date", "future"),
        (Some(_), _) => {}
    }
    if input.transcript.trim().is_empty() {
        problem("transcript", "transcript");
    }
    if input.interviewers.len() > MOST_NAMES || input.also_known_as.len() > MOST_NAMES {
        problem("interviewers", "many_names");
    }
    refusal.check_length("transcript", &input.transcript, texts);
    refusal.check_length("candidate_cv", input.candidate_cv.as_deref().unwrap_or_default(), texts);
    refusal.or_ok()?;
    Ok(date.unwrap_or_default())
}

/// A day as YYYY-MM-DD and in no other form.
fn strict_date(text: &str) -> Option<Date> {
    let date: Date = text.trim().parse().ok()?;
    (date.to_string() == text.trim()).then_some(date)
}

/// Says what must exist first.
fn missing(project: &Project) -> Refusal {
    let there = [profile::of(project).is_some(), screening::ta_template(project).is_some()];
    let kinds = Kind::CandidateReport.requires().iter().zip(there).filter(|(_, there)| !there);
    let kinds: Vec<Kind> = kinds.map(|(kind, _)| *kind).collect();
    Refusal::lacking(Kind::CandidateReport, &kinds, project.texts())
}

/// The key of this candidate: an earlier one of the same name, else initials that nobody has yet.
fn key(input: &CandidateInput, project: &Project) -> Result<String, Refusal> {
    let texts = project.texts();
    let own = NameParts::of(&input.candidate_name);
    let is_same = |name: &str| {
        let parts = NameParts::of(name);
        if own.is_empty() { name.trim() == input.candidate_name.trim() } else { parts == own }
    };
    let used: Vec<&str> = project.all(Kind::CandidateReport).map(|stored| stored.key.as_str()).collect();
    let name_of = |key: &str| {
        project.read::<CandidateReport>(Kind::CandidateReport, key).map(|report| report.candidate_name)
    };
    let same: Vec<&str> =
        used.iter().copied().filter(|key| name_of(key).is_some_and(|name| is_same(&name))).collect();
    let refused = |key: &str, keys: &[&str]| {
        let key = format!("candidate.key.{key}.message");
        Err(Refusal::saying("candidate_key", texts, &key, &[("keys", &keys.join(", "))]))
    };
    let wish = input.candidate_key.as_deref().map(str::trim).filter(|wish| !wish.is_empty());
    let base = initials(&input.candidate_name);
    let fresh = || {
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let free = std::iter::once(base.clone()).chain(numbered).find(|key| !used.contains(&key.as_str()));
        Ok(free.unwrap_or_default())
    };
    match (wish, same.as_slice()) {
        (Some(wish), _) if wish.eq_ignore_ascii_case("new") => fresh(),
        (Some(wish), _) => match used.iter().find(|key| key.eq_ignore_ascii_case(wish)) {
            Some(key)
                if name_of(key)
                    .is_none_or(|name| NameParts::of(&name).fits(&own).is_some() || is_same(&name)) =>
            {
                Ok((*key).to_owned())
            }
            Some(_) => refused("other_person", &[wish]),
            None => refused("unknown", &used),
        },
        (None, []) => fresh(),
        (None, [key]) => Ok((*key).to_owned()),
        (None, keys) => refused("several", keys),
    }
}

/// What the recruiter should know about how the report came about.
fn warnings(
    report: &CandidateReport,
    candidate: &Candidate,
    transcript: &Talk,
    template: &ScreeningTemplate,
    speech: &Speech,
    pay_history: bool,
    texts: &Texts,
) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut notice = |about: &str, key: &str, values: &[(&str, &str)]| {
        notices.push(Notice::new(about, texts.say(&format!("candidate.notice.{key}"), values)));
    };
    let length = report.sources.get(Source::Transcript).unwrap_or_default().chars().count();
    if length < SHORT_TRANSCRIPT {
        notice("transcript", "short", &[("count", &length.to_string())]);
    }
    if !candidate.unnamed.is_empty() {
        notice("transcript", "unnamed", &[("speakers", &candidate.unnamed.join(", "))]);
    }
    if transcript.speakers.len() == candidate.speakers.len() {
        notice("transcript", "one_voice", &[]);
    }
    if pay_history {
        notice("practical_details/salary_expectation", "pay_history", &[]);
    }
    if speech.sentences.iter().any(|sentence| sentence.marks.is_protected()) {
        notice("transcript", "private", &[]);
    }
    if template.profile_version != report.profile_version {
        notice("ta_screening_template", "old_template", &[]);
    }
    notices
}
