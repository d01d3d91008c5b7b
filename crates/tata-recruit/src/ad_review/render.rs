//! A job-ad review as people read it.

use super::JobAdReview;
use crate::{
    Block, Document, Texts,
    di_review::{decided, reading},
};

/// The review as a document. The text itself is not part of it.
pub(crate) fn render(review: &JobAdReview) -> Document {
    let texts = Texts::of(review.voice);
    let title = match &review.position_title {
        Some(position) => texts.say(key!("review.ad.title_of"), &[("position", position)]),
        None => texts.get(key!("review.ad.title")).to_owned(),
    };
    let mut document = Document::new(review.voice, title);
    let values = [
        ("score", &*review.overall_score.to_string()),
        ("structure", &*review.structure_score.to_string()),
        ("content", &*review.content_score.to_string()),
        ("compliance", &*review.compliance_score.to_string()),
    ];
    document.paragraph(texts.say(key!("review.ad.score"), &values));
    document.paragraph(texts.get(group!("review.ad.bands").key(review.score_band.name())));
    if !review.recommendations.is_empty() {
        document.heading(1, texts.get(key!("review.ad.recommendations")));
        document.push(Block::numbered(&review.recommendations));
    }
    document.heading(1, texts.get(key!("review.ad.sections_heading")));
    let header = [
        key!("review.ad.section"),
        key!("review.ad.found"),
        key!("review.ad.quality"),
        key!("review.ad.words"),
    ]
    .map(|key| texts.get(key));
    // What stands elsewhere in the ad is not shown as if it were missing.
    let told = review.sections.iter().filter(|part| part.found || review.lacks(part.section));
    let rows = told.map(|part| {
        let name = texts.get(group!("review.sections").key(part.section.name())).to_owned();
        let found = if part.found { key!("review.ad.yes") } else { key!("review.ad.no") };
        let number = |number: String| if part.found { number } else { String::new() };
        let (quality, words) = (part.quality_score.to_string(), part.word_count.to_string());
        [name, texts.get(found).to_owned(), number(quality), number(words)]
    });
    document.push(Block::table(header, rows));
    document.heading(1, texts.get(key!("review.ad.issues")));
    if review.issues.is_empty() {
        document.paragraph(texts.get(key!("review.ad.no_issues")));
    }
    for issue in &review.issues {
        let values = [
            ("number", &*issue.number.to_string()),
            ("description", issue.description.as_str()),
            ("severity", texts.severity(issue.severity)),
        ];
        let suggestion = texts.say(key!("review.ad.suggestion"), &[("suggestion", &issue.suggestion)]);
        document.paragraph(format!("{}\n{suggestion}", texts.say(key!("review.ad.issue"), &values)));
    }
    reading(&review.readability, &review.original_text, &mut document, texts);
    let numbers: Vec<usize> = review.issues.iter().map(|issue| issue.number).collect();
    decided(&review.decisions, &numbers, &mut document, texts);
    document
}
