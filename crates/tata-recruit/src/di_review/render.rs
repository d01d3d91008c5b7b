//! An inclusion review as people read it.

use super::DiReview;
use crate::{
    Block, Category, Document, Language, Readability, ReviewDecision, Severity, Texts,
    review::{readability::Formula, revise::is_advice, shown::shown},
    texts::{fill, fill_into},
};

/// The review as a document. The text itself is not part of it.
pub(crate) fn render(review: &DiReview) -> Document {
    let texts = Texts::of(review.voice);
    let title = match &review.position_title {
        Some(position) => texts.say("review.di.title_of", &[("position", position)]),
        None => texts.get("review.di.title").to_owned(),
    };
    let mut document = Document::new(review.voice, title);
    let values = [
        ("score", review.overall_score.to_string()),
        ("band", texts.get(&format!("review.bands.{}", review.score_band.name())).to_owned()),
        ("count", review.flagged_items.len().to_string()),
        ("missing", review.missing_elements.len().to_string()),
        ("density", decimal(review.flags_per_100_words, review.voice.language())),
    ];
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    document.paragraph(texts.say("review.di.score", &values));
    document.heading(1, texts.get("review.di.findings"));
    if review.flagged_items.is_empty() {
        document.paragraph(texts.get("review.di.none"));
    }
    findings(review, &mut document, texts);
    document.heading(1, texts.get("review.di.categories"));
    let header =
        ["review.di.category", "review.di.points", "review.di.issues"].map(|key| texts.get(key).to_owned());
    let counted = |category: &Category| *category != Category::GermanTitle || review.language == Language::De;
    let rows = Category::ALL.into_iter().filter(counted).map(|category| {
        let score = review.category_scores.get(&category).copied().unwrap_or(100);
        let issues = review.category_issues.get(&category).copied().unwrap_or(0);
        let name = texts.get(&format!("review.categories.{}", category.name()));
        vec![name.to_owned(), score.to_string(), issues.to_string()]
    });
    document.blocks.push(Block::Table { header: header.to_vec(), rows: rows.collect() });
    balance(review, &mut document, texts);
    document.heading(1, texts.get("review.di.readability"));
    document.paragraph(
        reading(&review.readability, &review.original_text, texts, review.voice.language()).join("\n"),
    );
    if !review.compliance_notes.is_empty() {
        document.heading(1, texts.get("review.di.notes"));
        document.blocks.push(Block::Bullets(review.compliance_notes.clone()));
    }
    let numbers: Vec<usize> = review.flagged_items.iter().map(|item| item.number).collect();
    decided(&review.decisions, &numbers, &mut document, texts);
    document.paragraph(texts.get("review.di.limits"));
    document
}

/// Every finding with its reason, its alternatives and the law. The texts are looked up once for all of them.
fn findings(review: &DiReview, document: &mut Document, texts: &Texts) {
    let [finding, place, instead, ground, advice] =
        ["review.di.finding", "review.ad.place", "review.di.instead", "review.di.ground", "review.di.advice"]
            .map(|key| texts.get(key));
    let categories =
        Category::ALL.map(|category| texts.get(&format!("review.categories.{}", category.name())));
    let severities =
        Severity::ALL.map(|severity| texts.get(&format!("review.severities.{}", severity.name())));
    let mut alternatives = String::new();
    for item in &review.flagged_items {
        let mut text = String::with_capacity(512);
        let values = [
            ("number", &*item.number.to_string()),
            ("text", &shown(&item.text)),
            ("category", categories[item.category as usize]),
            ("severity", severities[item.severity as usize]),
        ];
        fill_into(&mut text, finding, &values);
        text.push('\n');
        text.push_str(&item.explanation);
        text.push('\n');
        alternatives.clear();
        for (at, alternative) in item.alternatives.iter().enumerate() {
            alternatives.push_str(if at > 0 { ", " } else { "" });
            if is_advice(alternative) {
                let quoted = fill(place, &[("text", alternative)]);
                fill_into(&mut alternatives, advice, &[("alternative", &quoted)]);
            } else {
                fill_into(&mut alternatives, place, &[("text", alternative)]);
            }
        }
        fill_into(&mut text, instead, &[("alternatives", &alternatives)]);
        if let Some(law) = &item.legal_ground {
            text.push('\n');
            fill_into(&mut text, ground, &[("law", law)]);
        }
        document.paragraph(text);
    }
}

fn balance(review: &DiReview, document: &mut Document, texts: &Texts) {
    document.heading(1, texts.get("review.di.balance"));
    let coding = |name: &str| texts.get(&format!("review.coding.{name}")).to_owned();
    let mut lines = vec![coding(review.balance.verdict.name())];
    for (key, words) in [("agentic", &review.balance.agentic), ("communal", &review.balance.communal)] {
        if !words.is_empty() {
            let mut listed: Vec<String> = Vec::new();
            for word in words {
                let word = shown(&word.text.to_lowercase());
                if !listed.contains(&word) {
                    listed.push(word);
                }
            }
            let values = [("count", words.len().to_string()), ("words", listed.join(", "))];
            let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
            lines.push(texts.say(&format!("review.di.{key}"), &values));
        }
    }
    if let Some(decoder) = &review.balance.gender_decoder {
        let verdict = coding(decoder.verdict.name());
        lines.push(texts.say("review.di.decoder", &[("verdict", &verdict)]));
    }
    document.paragraph(lines.join("\n"));
}

/// What the formula says and what makes the text hard.
pub(crate) fn reading(found: &Readability, text: &str, texts: &Texts, language: Language) -> Vec<String> {
    let formula = match found.formula {
        Formula::Lix => "lix",
        Formula::FleschReadingEase => "flesch_reading_ease",
        Formula::Amstad => "amstad",
    };
    let band = found.band.map_or("too_short", |band| band.name());
    let value = decimal(found.value, language);
    let grade = decimal(found.grade.unwrap_or_default(), language);
    let value = texts.say(&format!("review.readability.{formula}"), &[("value", &value), ("grade", &grade)]);
    let mut lines = vec![format!("{value}: {}.", texts.get(&format!("review.readability.{band}")))];
    for (key, places) in
        [("long_sentences", &found.long_sentences), ("long_paragraphs", &found.long_paragraphs)]
    {
        if !places.is_empty() {
            let count = places.len().to_string();
            lines.push(texts.say(&format!("review.readability.{key}"), &[("count", &count)]));
        }
    }
    if !found.jargon.is_empty() {
        let letters: Vec<char> = text.chars().collect();
        let word =
            |[start, end]: &[usize; 2]| letters.get(*start..*end).map(|word| word.iter().collect::<String>());
        let words: Vec<String> = found.jargon.iter().filter_map(word).map(|word| shown(&word)).collect();
        lines.push(texts.say("review.readability.jargon", &[("words", &words.join(", "))]));
    }
    lines
}

/// Which findings were accepted, ignored, and are still open.
pub(crate) fn decided(decisions: &[ReviewDecision], all: &[usize], document: &mut Document, texts: &Texts) {
    if decisions.is_empty() {
        return;
    }
    let of = |wanted: bool| {
        let wanted = decisions.iter().filter(move |decision| decision.replacement.is_some() == wanted);
        wanted.map(|decision| decision.finding).collect::<Vec<_>>()
    };
    let open = all.iter().filter(|number| !decisions.iter().any(|decision| decision.finding == **number));
    let lists = [("accepted", of(true)), ("ignored", of(false)), ("open", open.copied().collect())];
    let lines: Vec<String> = lists
        .into_iter()
        .filter(|(_, numbers)| !numbers.is_empty())
        .map(|(key, numbers)| {
            let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
            texts.say(&format!("review.decided.{key}"), &[("numbers", &numbers.join(", "))])
        })
        .collect();
    document.paragraph(lines.join("\n"));
}

/// A number as a language writes it.
pub(crate) fn decimal(value: f64, language: Language) -> String {
    let text = format!("{value:.1}");
    match language {
        Language::En => text,
        Language::Sv | Language::Da | Language::No | Language::De => text.replace('.', ","),
    }
}
