//! The parts of a report that rules write: background, risks, conclusion, and what comes next.

use super::{
    artifact::{Assessment, CandidateReport, Quote, Rating, ReportStatus, Statement},
    content::written,
    exchange::may_quote,
    lexicon::{lists, protected},
    practical::is_practical,
    rate::{assessed, decided, sum},
    speech::{Sentence, Speech},
    topics::Topic,
};
use crate::{Evidence, Language, Refusal, Source, Texts, tidy};

/// The most lines taken from a CV, and the most sentences from an interview.
const MOST_LINES: usize = 8;
const MOST_SENTENCES: usize = 3;
/// A sentence of fewer words tells no career.
const LEAST_WORDS: usize = 5;

/// The career so far: what was said of jobs, education and work where it was asked for, else elsewhere, and the lines of
/// the CV that carry a year.
pub(super) fn background(
    speech: &Speech,
    topics: &[Option<Topic>],
    cv: Option<&str>,
    language: Language,
) -> Vec<Statement> {
    let told = [true, false].into_iter().map(|asked| careers(speech, topics, asked));
    let told = told.into_iter().find(|told| !told.is_empty()).unwrap_or_default();
    let mut next = 0;
    let listed = cv
        .unwrap_or_default()
        .split_inclusive(['\n', '\r', '\u{B}', '\u{2028}', '\u{2029}'])
        .filter_map(|line| {
            let (text, indented) = (line.trim(), line.len() - line.trim_start().len());
            let start = next + line.get(..indented).map_or(0, |blank| blank.chars().count());
            next += line.chars().count();
            let length = text.chars().count();
            let private = text.contains('@') || protected(text, language).is_some();
            let wanted = (8..=300).contains(&length) && has_year(text) && !private;
            let evidence =
                Evidence { source: Source::CandidateCv, start, end: start + length, quote: text.to_owned() };
            wanted.then(|| written(evidence))
        })
        .filter(|quote| !quote.text.is_empty())
        .take(MOST_LINES)
        .map(statement);
    told.into_iter().chain(listed).collect()
}

/// What a candidate says of jobs, education and work, in answer to the question for it or to any other.
fn careers(speech: &Speech, topics: &[Option<Topic>], asked: bool) -> Vec<Statement> {
    let mut found = Vec::new();
    let mut rest = speech.sentences.iter().zip(topics).enumerate().peekable();
    while let Some((at, (sentence, topic))) = rest.next() {
        let is_asked = *topic == Some(Topic::Background);
        if is_asked != asked || !tells_career(sentence, *topic, speech) || found.len() == MOST_SENTENCES {
            continue;
        }
        // "That makes four years. No, three and a half": both are shown.
        let corrected = speech.rest_of_turn(at).iter();
        let corrected = corrected.take_while(|next| speech.corrects(next) && next.number && may_quote(next));
        let last = corrected.last().unwrap_or(sentence);
        while rest.next_if(|(_, (next, _))| next.span.1 <= last.span.1).is_some() {}
        found.push(statement(speech.quote_between(sentence, last)));
    }
    found
}

/// Whether a sentence is about jobs, education or work, and complete.
fn tells_career(sentence: &Sentence, topic: Option<Topic>, speech: &Speech) -> bool {
    let cues = sentence.cues;
    let elsewhere = [lists::PAY, lists::LIVES, lists::RESTART, lists::LACKING];
    if elsewhere.into_iter().any(|list| cues.has(list)) || sentence.words.len() < LEAST_WORDS {
        return false;
    }
    let asked = topic == Some(Topic::Background);
    // "Yes, since 2014, I drive a lot in that job" is about the licence that was asked for.
    let answers = speech.opens_with(sentence, lists::YES) || speech.opens_with(sentence, lists::NO);
    let dated = sentence.words.iter().any(|word| has_year(&word.text));
    let works = cues.has(lists::WORK) && (asked || dated && cues.has(lists::OWN));
    let told = cues.has(lists::CAREER) || works;
    told && (asked || !answers) && may_quote(sentence) && !is_practical(sentence, topic)
}

fn statement(quote: Quote) -> Statement {
    Statement { text: quote.text.clone(), quotes: vec![quote] }
}

/// Whether a text has a year between 1960 and 2099.
fn has_year(text: &str) -> bool {
    let mut runs = text.split(|letter: char| !letter.is_ascii_digit());
    runs.any(|run| run.len() == 4 && run.parse::<u32>().is_ok_and(|year| (1960..2100).contains(&year)))
}

/// Adds up the ratings and writes what follows from them: summary, risks, recommendation, conclusion.
pub(super) fn conclude(report: &mut CandidateReport, texts: &Texts) {
    let ratings: Vec<Option<Rating>> = report.counted().map(decided).collect();
    (report.recommendation, report.mean_tenths) = sum(&ratings);
    report.not_assessed =
        u32::try_from(ratings.iter().filter(|rating| rating.is_none()).count()).unwrap_or(0);
    // What a model said about risks has quotations; what rules say is written anew.
    report.risks.retain(|risk| !risk.quotes.is_empty());
    let own = risks(report, texts);
    report.risks.extend(own.into_iter().map(|text| Statement { text, quotes: Vec::new() }));
    report.conclusion = conclusion(report, texts);
}

fn risks(report: &CandidateReport, texts: &Texts) -> Vec<String> {
    let names = |wanted: fn(&Assessment) -> bool| {
        named(report.counted().filter(|assessment| wanted(assessment)), texts)
    };
    let mut risks = Vec::new();
    if report.motivation_assessment.rating.is_some_and(Rating::is_low) {
        risks.push(texts.get(key!("candidate.risk.motivation")).to_owned());
    }
    let low = names(|one| !one.skill_name.is_empty() && one.rating.is_some_and(Rating::is_low));
    if !low.is_empty() {
        let values = [("count", &*low.len().to_string()), ("skills", &*texts.enumerate(&low))];
        risks.push(texts.say(key!("candidate.risk.low"), &values));
    }
    let open = names(|assessment| decided(assessment).is_none());
    if !open.is_empty() {
        risks.push(texts.say(key!("candidate.risk.open"), &[("skills", &texts.enumerate(&open))]));
    }
    let details = &report.practical_details;
    let unsaid = [
        (&details.notice_period, key!("candidate.risk.notice")),
        (&details.salary_expectation, key!("candidate.risk.salary")),
    ];
    for (detail, key) in unsaid {
        if detail.quote.is_none() {
            risks.push(texts.get(key).to_owned());
        }
    }
    risks
}

fn conclusion(report: &CandidateReport, texts: &Texts) -> String {
    let (assessed, all) = assessed(report);
    let mean = mean(report, texts);
    let values = [
        ("mean", mean.as_deref().unwrap_or_default()),
        ("assessed", &*assessed.to_string()),
        ("all", &*all.to_string()),
    ];
    let mean = if mean.is_some() { "mean" } else { "no_mean" };
    let parts = [report.recommendation.name(), mean, report.status.name()];
    let parts = parts.map(|part| texts.say(group!("candidate.conclusion").key(part), &values));
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The mean to one decimal, as the language writes it.
pub(super) fn mean(report: &CandidateReport, texts: &Texts) -> Option<String> {
    let tenths = report.mean_tenths?;
    Some(format!("{}{}{}", tenths / 10, texts.get(key!("candidate.decimal_point")), tenths % 10))
}

/// What the recruiter is asked about a report.
pub(super) fn questions(report: &CandidateReport, texts: &Texts) -> Vec<String> {
    if report.status == ReportStatus::Confirmed {
        return Vec::new();
    }
    let mut questions = Vec::new();
    let open = || report.assessments().filter(|assessment| assessment.decision.is_none());
    if open().any(|assessment| assessment.rating.is_some()) {
        questions.push(texts.get(key!("candidate.ask.confirm")).to_owned());
    }
    let unrated = named(open().filter(|assessment| assessment.rating.is_none()), texts);
    if !unrated.is_empty() {
        questions.push(texts.say(key!("candidate.ask.rate"), &[("skills", &texts.enumerate(&unrated))]));
    }
    questions
}

/// What could come next.
pub(super) fn next_steps(report: &CandidateReport, texts: &Texts) -> Vec<String> {
    let mut steps = vec![texts.get(key!("candidate.next.compare")).to_owned()];
    if report.status == ReportStatus::Draft {
        steps.insert(0, texts.say(key!("candidate.next.confirm"), &[("key", &report.key)]));
    }
    steps
}

/// What an assessment is about, in words.
pub(super) fn label(assessment: &Assessment, texts: &Texts) -> String {
    if assessment.skill_name.is_empty() {
        return texts.get(key!("candidate.section.motivation")).to_owned();
    }
    // As its heading has it.
    crate::capitals::capitalized(&tidy(&assessment.skill_name))
}

/// What assessments are about, each in quotation marks.
pub(super) fn named<'a>(assessments: impl Iterator<Item = &'a Assessment>, texts: &Texts) -> Vec<String> {
    assessments.map(|assessment| quoted(&label(assessment, texts), texts)).collect()
}

/// That there is no report with such a key, with the keys there are.
pub(super) fn no_report(field: &str, keys: &[&str], texts: &Texts) -> Refusal {
    let key = if keys.is_empty() {
        key!("candidate.report_key.none.message")
    } else {
        key!("candidate.report_key.unknown.message")
    };
    Refusal::saying(field, texts, key, &[("keys", &keys.join(", "))])
}

/// A text in the quotation marks of the language.
pub(super) fn quoted(text: &str, texts: &Texts) -> String {
    texts.say(key!("candidate.quoted"), &[("text", text)])
}
