//! The report as people read it: initials instead of a name, every quotation with its time.

use tata_document::{Inline, Span, clock_text};

use super::{
    artifact::{Assessment, CandidateReport, Detail, PracticalDetails, Quote, Rating, Statement},
    compose::label,
    rate::{assessed, decided, usual_summary},
};
use crate::{Block, Document, Source, Texts, tidy};

/// The report as a document.
pub(crate) fn report(report: &CandidateReport) -> Document {
    let texts = Texts::of(report.voice);
    let position = tidy(&report.position_name);
    let title = texts.say(key!("candidate.title"), &[("key", &report.key), ("position", &position)]);
    let mut document = Document::new(report.voice, title);
    let status = report.status.name();
    document.paragraph(texts.get(group!("candidate.banner").key(status)));
    document.heading(1, texts.get(key!("candidate.section.summary")));
    let values = [("date", &*texts.date(report.interview_date)), ("key", &*report.key)];
    document.paragraph(texts.say(key!("candidate.summary"), &values));
    // From the same counts as the conclusion: a recommendation never stands beside figures that deny it.
    let (assessed, all) = assessed(report);
    let values = [
        ("recommendation", texts.get(group!("candidate.recommendation").key(report.recommendation.name()))),
        ("assessed", &*assessed.to_string()),
        ("all", &*all.to_string()),
    ];
    document.paragraph(texts.say(group!("candidate.recommendation_line").key(status), &values));
    statements(&mut document, &report.summary, texts);
    document.heading(1, texts.get(key!("candidate.section.background")));
    if report.background.is_empty() {
        document.paragraph(texts.get(key!("candidate.no_background")));
    }
    statements(&mut document, &report.background, texts);
    document.heading(1, texts.get(key!("candidate.section.fit")));
    let rows = report.assessments().map(|one| vec![label(one, texts), rated(one, texts)]);
    let header = [key!("candidate.table.criterion"), key!("candidate.table.rating")];
    document.push(Block::table(header.map(|name| texts.get(name)), rows));
    report.assessments().for_each(|one| assessment(&mut document, one, texts));
    document.heading(1, texts.get(key!("candidate.section.practical")));
    let row = |(detail, name): (&Detail, &str)| {
        let (text, said) = match &detail.quote {
            Some(quote) => {
                (proven(&detail.text, quote, texts), corrected(detail, source(quote, texts), texts))
            }
            None => (Inline::from(&detail.text), String::new()),
        };
        [texts.get(group!("candidate.practical").key(name)).into(), text, said.into()]
    };
    let header =
        [key!("candidate.table.detail"), key!("candidate.table.said"), key!("candidate.table.where")];
    let details = report.practical_details.all().into_iter().zip(PracticalDetails::NAMES);
    // Reports of earlier versions have no line for the start.
    let details = details.filter(|(detail, _)| !detail.text.is_empty());
    document.push(Block::table(header.map(|name| texts.get(name)), details.map(row)));
    document.heading(1, texts.get(key!("candidate.section.risks")));
    if report.risks.is_empty() {
        document.paragraph(texts.get(key!("candidate.no_risks")));
    }
    let (own, quoted): (Vec<&Statement>, Vec<&Statement>) =
        report.risks.iter().partition(|risk| risk.quotes.is_empty());
    statements(&mut document, quoted, texts);
    document.bullets(own.into_iter().map(|risk| &risk.text));
    document.heading(1, texts.get(key!("candidate.section.conclusion")));
    document.paragraph(report.conclusion.clone());
    if !report.other_answers.is_empty() {
        document.heading(1, texts.get(key!("candidate.section.other")));
        document.paragraph(texts.get(key!("candidate.other_answers")));
        report.other_answers.iter().for_each(|answer| quote(&mut document, answer, texts));
    }
    document
}

/// Where a detail was said, and what the candidate took back with it.
fn corrected(detail: &Detail, source: String, texts: &Texts) -> String {
    match &detail.corrected {
        Some(before) => {
            texts.say(key!("candidate.corrected"), &[("source", &source), ("before", &before.text)])
        }
        None => source,
    }
}

fn assessment(document: &mut Document, assessment: &Assessment, texts: &Texts) {
    let name = label(assessment, texts);
    let heading = if assessment.must_have || assessment.skill_name.is_empty() {
        name
    } else {
        texts.say(key!("candidate.good_to_have"), &[("skill", &name)])
    };
    document.heading(2, heading);
    // That nothing is rated yet stands in the table above.
    if assessment.rating.is_some() || assessment.decision.is_some() {
        document
            .paragraph(texts.say(key!("candidate.rating_line"), &[("rating", &rated(assessment, texts))]));
    }
    // That what was said is quoted, and a person rates it, stands once at the top.
    if !is_usual(&assessment.explanation, texts) {
        document.paragraph(assessment.explanation.clone());
    }
    if !is_usual_summary(&assessment.summary, texts) {
        document.paragraph(assessment.summary.clone());
    }
    assessment.examples.iter().for_each(|example| quote(document, example, texts));
    for (key, passages) in [
        (key!("candidate.assessment.against"), &assessment.against),
        (key!("candidate.assessment.nearest"), &assessment.nearest),
    ] {
        if !passages.is_empty() {
            document.paragraph(texts.get(key));
            for passage in passages {
                quote(document, passage, texts);
            }
        }
    }
    if let Some(decision) = &assessment.decision {
        let reason = decision.reason.as_deref().unwrap_or_default();
        let none = || texts.get(key!("candidate.not_assessed_short")).to_owned();
        let proposed = decision.proposed.map_or_else(none, Rating::of_five);
        let key =
            if reason.is_empty() { key!("candidate.decided") } else { key!("candidate.decided_because") };
        document.paragraph(texts.say(key, &[("proposed", &proposed), ("reason", reason)]));
    }
}

/// Whether an explanation only says that what was said is quoted, and that a person rates it.
fn is_usual(explanation: &str, texts: &Texts) -> bool {
    let names = ["skill_found", "skill_doubtful", "motivation_found", "motivation_doubtful"];
    names.into_iter().any(|name| texts.get(group!("candidate.not_assessed").key(name)) == explanation)
}

/// Whether a summary only says that the quotations stand below, or that there are none.
fn is_usual_summary(summary: &str, texts: &Texts) -> bool {
    [true, false].into_iter().any(|quoted| usual_summary(quoted, texts) == summary)
}

/// A rating in words: "3/5 (meets the minimum)".
pub(super) fn rated(assessment: &Assessment, texts: &Texts) -> String {
    match assessment.rating {
        Some(rating) => {
            let meaning = group!("candidate.scale").key(format_args!("s{}", rating.value()));
            let rated = format!("{} ({})", rating.of_five(), texts.get(meaning));
            if decided(assessment).is_some() {
                rated
            } else {
                texts.say(key!("candidate.proposed"), &[("rating", &rated)])
            }
        }
        None => texts.get(key!("candidate.not_assessed_short")).to_owned(),
    }
}

fn statements<'a>(document: &mut Document, all: impl IntoIterator<Item = &'a Statement>, texts: &Texts) {
    for statement in all {
        if !statement.quotes.iter().any(|quote| quote.text == statement.text) {
            document.paragraph(statement.text.clone());
        }
        statement.quotes.iter().for_each(|one| quote(document, one, texts));
    }
}

fn quote(document: &mut Document, quote: &Quote, texts: &Texts) {
    let mut source = source(quote, texts);
    if let Some(right) = &quote.reads_as {
        source = texts.say(key!("candidate.reads_as"), &[("source", &source), ("text", right)]);
    }
    if let Some(question) = &quote.question {
        source = texts.say(key!("candidate.asked"), &[("source", &source), ("question", question)]);
    }
    document.push(Block::quote(proven(&quote.text, quote, texts), source));
}

/// Words with the places where they were said.
fn proven(text: &str, quote: &Quote, texts: &Texts) -> Inline {
    let name = source(quote, texts);
    let span = Span::new(text);
    quote.spans.iter().fold(span, |span, place| span.evidence(place.named(&name))).into()
}

/// Where words come from: the time in the interview, or the CV.
fn source(quote: &Quote, texts: &Texts) -> String {
    let source = quote.source();
    let name = texts.get(group!("project.sources").key(source.name()));
    match quote.at_ms.filter(|_| source == Source::Transcript) {
        Some(at_ms) => format!("{name}, {}", clock_text(at_ms)),
        None => name.to_owned(),
    }
}
