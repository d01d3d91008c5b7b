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
mod correction;
mod exchange;
mod fields;
mod lexicon;
mod names;
mod other;
mod practical;
mod rate;
mod render;
mod replace;
mod risks;
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
use serde_json::Value;
use tata_core::{Tool, ToolNameError};
use tata_document::Talk;

use artifact::Basis;
pub use artifact::{
    Assessment, CandidateReport, Quote, Rating, RatingDecision, Recommendation, ReportStatus,
};
pub use compare::{CompareInput, Comparison, compare_candidates};
pub use confirm::{Choice, ConfirmInput, Verdict, confirm_candidate_report};
pub use content::Content;
pub(crate) use render::report as render;
pub(crate) use transcript::read as read_talk;

use crate::{
    Anchors, Audience, FormWish, Gate, Key, Kind, Made, Notice, Project, Refusal, ScreeningTemplate, Source,
    Sources, Texts, figures::iso_date, made::reduced, module::deciding, profile, screening, tool,
    withheld::Sieve,
};
use exchange::Interview;
use names::{NameParts, Scrubber, initials};
use speakers::Candidate;
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
        deciding(
            tool::CREATE_CANDIDATE_REPORT,
            "Makes a report on one candidate from the transcript of an interview: motivation, every skill of the \
             requirement profile with verbatim quotations for and against, practical details and risks. A recommendation \
             follows once a person has rated motivation and every must-have. Call it when the recruiter brings a transcript. It refuses when it is unclear who the \
             candidate is. Ratings are drafts: afterwards ask the recruiter to confirm or change each of them.",
            Kind::CandidateReport,
            Kind::CandidateReport.requires(),
            Some(replace::REPLACES),
            create_candidate_report,
        )?,
        deciding(
            tool::CONFIRM_CANDIDATE_REPORT,
            "Records what a person decided about the ratings of a candidate report: confirmed, changed with a reason, \
             rated where nothing was assessed, or left open. Call it only with decisions that the recruiter has stated.",
            Kind::CandidateReport,
            // Which report is meant is said by its key; the refusal names the ones there are.
            &[],
            Some(crate::acts::RATES),
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
    let mut sieve = Sieve::new(texts, project.voice().language(), profile.job_country());
    withheld::sift(&mut input.transcript, &transcript, &mut sieve);
    let candidate = input.find_candidate(&transcript, texts)?;
    let spoken = project.speak(input.language.as_deref(), input.german_form, "");
    let speech = Speech::new(&input.transcript, &transcript, &candidate.speakers);
    let labels = candidate.speakers.iter().filter_map(|at| transcript.speakers.get(*at));
    let mut report = CandidateReport {
        candidate_name: input.candidate_name.trim().to_owned(),
        other_names: labels.chain(&input.also_known_as).cloned().collect(),
        candidate_initials: initials(&input.candidate_name),
        version: next_version(&key, project),
        key,
        voice: spoken.voice,
        form: spoken.form,
        position_name: profile.position_title.clone(),
        profile_version: profile.version,
        interview_date: date,
        sources: Sources::default()
            .with(Source::Transcript, Some(&input.transcript))
            .with(Source::CandidateCv, input.candidate_cv.as_deref()),
        created_at: now,
        ..CandidateReport::default()
    };
    let (own, language) = (Texts::of(report.voice), report.voice.language());
    let wanted = topics::ProfileTopics::new(&profile, &template);
    let interview = Interview::new(&speech, &template, &wanted, report.scrubber());
    let topics = interview.topics();
    report.background = compose::background(&speech, &topics, input.candidate_cv.as_deref(), language);
    report.motivation_assessment = rate::motivation(&interview, own);
    let assessed =
        wanted.skills.iter().enumerate().map(|(at, skill)| rate::skill(at, skill, &interview, own));
    report.skill_assessments = assessed.collect();
    report.practical_details = practical::details(&speech, &topics, own);
    let left_out = content::take_over(&input, &speech, &wanted.skills, &mut report, project)?;
    report.risks.extend(risks::found(&report, &interview, &profile, own));
    report.other_answers = other::answers(&interview, &report);
    compose::conclude(&mut report, own);

    let mut notices = spoken.notices;
    notices.extend(left_out.iter().map(|one| {
        let statement = one.shown(texts);
        Notice::say("content", texts, key!("candidate.notice.left_out"), &[("statement", &statement)])
    }));
    notices.extend(sieve.notice());
    notices.extend(warnings(&report, &candidate, &transcript, &template, &speech, texts));
    let mut made = finish(&report, notices, Some(&template), texts)?;
    if report.sources.get(Source::CandidateCv).is_none() {
        made.next_steps.insert(0, texts.say(key!("candidate.next.cv"), &[("key", &report.key)]));
    }
    Ok(made)
}

/// The number of the next version of a report.
fn next_version(key: &str, project: &Project) -> u32 {
    project.stored(Kind::CandidateReport, key).map_or(0, |stored| stored.version) + 1
}

/// Renders a report, checks the text and keeps the name from the model.
fn finish(
    report: &CandidateReport,
    notices: Vec<Notice>,
    template: Option<&ScreeningTemplate>,
    texts: &Texts,
) -> Result<Made, Refusal> {
    // What people said, wrote or decided stands there in their own words and language.
    let quotes = report
        .quotes()
        .flat_map(|quote| std::iter::once(&quote.text).chain(&quote.reads_as).chain(&quote.question));
    let decided = report.assessments().filter(|one| one.basis == Basis::Person).map(|one| &one.explanation);
    let reasons = report.assessments().filter_map(|one| one.decision.as_ref()?.reason.as_ref());
    let names = report.assessments().map(|assessment| &assessment.skill_name).chain([&report.position_name]);
    // What the template says about answers; it may be in another language than the report.
    let sets = template.iter().flat_map(|template| {
        template.skills.iter().map(|set| &set.anchors).chain([&template.motivation_anchors])
    });
    let verbatim = quotes.chain(decided).chain(reasons).chain(names);
    let verbatim = verbatim.chain(sets.flat_map(Anchors::all)).map(String::as_str);
    // A model may write the candidate's name: "Will" is no English word then.
    let called = report.names().flat_map(|name| std::iter::once(name).chain(name.split_whitespace()));
    let verbatim: Vec<&str> = verbatim.chain(called).collect();
    let gate = Gate { voice: report.voice, audience: Audience::Colleagues, verbatim: &verbatim };
    let mut made = Made::passing(&gate, Kind::CandidateReport, report, render(report), notices, texts)?;
    let scrubber = report.scrubber();
    let for_model = names_removed(&made.json, &scrubber);
    let keyed = named_by_key(for_model.clone(), &report.key);
    let shown = CandidateReport::deserialize(&keyed).ok().as_ref().map(render);
    made.read_by_model(for_model, shown);
    for Notice { about, message } in &mut made.notices {
        (*about, *message) = (scrubber.scrub(about), scrubber.scrub(message));
    }
    made.key.clone_from(&report.key);
    made.questions =
        compose::questions(report, texts).iter().map(|question| scrubber.scrub(question)).collect();
    made.next_steps = compose::next_steps(report, texts);
    Ok(made)
}

/// What the model may read: no name, no sources, and no name inside any text.
fn names_removed(json: &Value, scrubber: &Scrubber) -> Value {
    let left_out = ["candidate_name", "other_names", "sources", "spans"];
    reduced(json, &left_out, &|text| scrubber.scrub(text))
}

/// A document as a model may read it: of a candidate's report the key stands for the name.
pub(crate) fn without_name(kind: Kind, json: Value) -> Value {
    let report = (kind == Kind::CandidateReport).then(|| CandidateReport::deserialize(&json).ok()).flatten();
    match report {
        Some(report) => named_by_key(names_removed(&json, &report.scrubber()), &report.key),
        None => json,
    }
}

/// A report without a name, in which the key stands where the name stood.
fn named_by_key(mut json: Value, key: &str) -> Value {
    if let Some(fields) = json.as_object_mut() {
        fields.entry("candidate_name").or_insert_with(|| key.into());
    }
    json
}

/// Checks the input and reads the date.
fn check(input: &CandidateInput, project: &Project, now: Timestamp) -> Result<Date, Refusal> {
    let texts = project.texts();
    let mut refusal = Refusal::default();
    let (name, day) = (&input.candidate_name, input.interview_date.trim());
    let no_name = name.trim().is_empty();
    let long_name = !no_name && name.chars().count() > LONGEST_NAME;
    let date = iso_date(day);
    // Somewhere it may already be tomorrow.
    let latest = now.saturating_add(SignedDuration::from_hours(14)).ok();
    let latest = latest.map(|moment| moment.to_zoned(TimeZone::UTC).date());
    let is_future = date.zip(latest).is_some_and(|(date, latest)| date > latest);
    let many_names = input.interviewers.len() > MOST_NAMES || input.also_known_as.len() > MOST_NAMES;
    let problems = [
        (no_name, "candidate_name", key!("candidate.input.name.message")),
        (long_name, "candidate_name", key!("candidate.input.long_name.message")),
        (day.is_empty(), "interview_date", key!("candidate.input.no_date.message")),
        (!day.is_empty() && date.is_none(), "interview_date", key!("candidate.input.date.message")),
        (is_future, "interview_date", key!("candidate.input.future.message")),
        (input.transcript.trim().is_empty(), "transcript", key!("candidate.input.transcript.message")),
        (many_names, "interviewers", key!("candidate.input.many_names.message")),
    ];
    for (_, field, key) in problems.into_iter().filter(|(holds, ..)| *holds) {
        refusal.say(field, texts, key, &[]);
    }
    refusal.check_length("transcript", &input.transcript, texts);
    refusal.check_length("candidate_cv", input.candidate_cv.as_deref().unwrap_or_default(), texts);
    refusal.or_ok()?;
    Ok(date.unwrap_or_default())
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
        if own.is_empty() { name.trim() == input.candidate_name.trim() } else { NameParts::of(name) == own }
    };
    let may_be = |name: &str| NameParts::of(name).fits(&own).is_some() || is_same(name);
    let used: Vec<&str> = project.all(Kind::CandidateReport).map(|stored| stored.key.as_str()).collect();
    let name_of =
        |key: &str| Some(project.read::<CandidateReport>(Kind::CandidateReport, key)?.candidate_name);
    let is_theirs = |key: &&str| name_of(key).is_some_and(|name| is_same(&name));
    let same: Vec<&str> = used.iter().copied().filter(is_theirs).collect();
    let refused = |key: Key, keys: &[&str]| {
        Err(Refusal::saying("candidate_key", texts, key, &[("keys", &keys.join(", "))]))
    };
    let wish = input.candidate_key.as_deref().map(str::trim).filter(|wish| !wish.is_empty());
    let base = initials(&input.candidate_name);
    let fresh = || {
        let numbered = (2..).map(|number| format!("{base}{number}"));
        let mut keys = std::iter::once(base.clone()).chain(numbered);
        Ok(keys.find(|key| !used.contains(&key.as_str())).unwrap_or_default())
    };
    match (wish, same.as_slice()) {
        (Some(wish), _) if wish.eq_ignore_ascii_case("new") => fresh(),
        (Some(wish), _) => match used.iter().find(|key| key.eq_ignore_ascii_case(wish)) {
            Some(key) if name_of(key).is_none_or(|name| may_be(&name)) => Ok((*key).to_owned()),
            Some(_) => refused(key!("candidate.key.other_person.message"), &[wish]),
            None => refused(key!("candidate.key.unknown.message"), &used),
        },
        (None, []) => fresh(),
        (None, [key]) => Ok((*key).to_owned()),
        (None, keys) => refused(key!("candidate.key.several.message"), keys),
    }
}

/// What the recruiter should know about how the report came about.
fn warnings(
    report: &CandidateReport,
    candidate: &Candidate,
    transcript: &Talk,
    template: &ScreeningTemplate,
    speech: &Speech,
    texts: &Texts,
) -> Vec<Notice> {
    let length = report.sources.get(Source::Transcript).unwrap_or_default().chars().count();
    let one_voice = transcript.speakers.len() == candidate.speakers.len();
    let private = speech.sentences.iter().any(|sentence| sentence.cues.is_protected());
    let old_template = template.profile_version != report.profile_version;
    let pay = "practical_details/salary_expectation";
    let all = [
        (length < SHORT_TRANSCRIPT, "transcript", key!("candidate.notice.short")),
        (!candidate.unnamed.is_empty(), "transcript", key!("candidate.notice.unnamed")),
        (one_voice, "transcript", key!("candidate.notice.one_voice")),
        (practical::tells_pay_history(speech), pay, key!("candidate.notice.pay_history")),
        (private, "transcript", key!("candidate.notice.private")),
        (old_template, "ta_screening_template", key!("candidate.notice.old_template")),
    ];
    let values = [("speakers", &*candidate.unnamed.join(", "))];
    let say = |about: &str, key: Key| Notice::say(about, texts, key, &values);
    all.into_iter().filter(|(holds, ..)| *holds).map(|(_, about, key)| say(about, key)).collect()
}
