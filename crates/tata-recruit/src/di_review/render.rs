//! An inclusion review as people read it.

use std::collections::BTreeMap;
use tata_language::{
    book::Category,
    review::{CodedWord, Readability},
};

use super::{DiReview, FlaggedItem};
use crate::{
    Block, Document, Language, ReviewDecision, Texts,
    figures::decimal,
    review::{revise::offered, shown::shown},
};

impl DiReview {
    /// The better words that surely fit into the sentence of a finding, each with its number.
    pub fn offered<'a>(&self, item: &'a FlaggedItem) -> Vec<(usize, &'a str)> {
        let bytes = Some((item.byte_start, item.byte_end));
        offered(&item.alternatives, bytes, (&self.original_text, self.language))
    }

    /// The score in a sentence.
    pub fn score_line(&self, texts: &Texts) -> String {
        let values = [
            ("score", &*self.overall_score.to_string()),
            ("band", texts.get(group!("review.bands").key(self.score_band.name()))),
            ("count", &*self.flagged_items.len().to_string()),
            ("missing", &*self.missing_elements.len().to_string()),
            ("density", &*decimal(self.flags_per_100_words, self.voice.language())),
        ];
        texts.say(key!("review.di.score"), &values)
    }
}

/// The review as a document. The text itself is not part of it.
pub(crate) fn render(review: &DiReview) -> Document {
    let texts = Texts::of(review.voice);
    let title = match &review.position_title {
        Some(position) => texts.say(key!("review.di.title_of"), &[("position", position)]),
        None => texts.get(key!("review.di.title")).to_owned(),
    };
    let mut document = Document::new(review.voice, title);
    document.paragraph(review.score_line(texts));
    document.heading(1, texts.get(key!("review.di.findings")));
    if review.flagged_items.is_empty() {
        document.paragraph(texts.get(key!("review.di.none")));
    }
    findings(review, &mut document, texts);
    document.heading(1, texts.get(key!("review.di.categories")));
    let header = [key!("review.di.category"), key!("review.di.points"), key!("review.di.issues")];
    let counted = |category: &Category| *category != Category::GermanTitle || review.language == Language::De;
    let rows = Category::ALL.into_iter().filter(counted).map(|category| {
        let score = review.category_scores.get(&category).copied().unwrap_or(100);
        let issues = review.category_issues.get(&category).copied().unwrap_or(0);
        [texts.category(category).to_owned(), score.to_string(), issues.to_string()]
    });
    document.push(Block::table(header.map(|key| texts.get(key)), rows));
    balance(review, &mut document, texts);
    reading(&review.readability, &review.original_text, &mut document, texts);
    if !review.compliance_notes.is_empty() {
        document.heading(1, texts.get(key!("review.di.notes")));
        document.push(Block::bulleted(&review.compliance_notes));
    }
    let numbers: Vec<usize> = review.flagged_items.iter().map(|item| item.number).collect();
    decided(&review.decisions, &numbers, &mut document, texts);
    document.paragraph(texts.get(key!("review.di.limits")));
    document
}

/// Every finding with its reason, its alternatives and the law.
fn findings(review: &DiReview, document: &mut Document, texts: &Texts) {
    for item in &review.flagged_items {
        let fitting = review.offered(item);
        let quoted = fitting.iter().map(|(_, text)| texts.say(key!("review.ad.place"), &[("text", text)]));
        let alternatives = quoted.collect::<Vec<_>>().join(", ");
        let instead = if alternatives.is_empty() {
            texts.get(key!("review.di.anew")).to_owned()
        } else {
            texts.say(key!("review.di.instead"), &[("alternatives", &alternatives)])
        };
        let values = [
            ("number", &*item.number.to_string()),
            ("text", &shown(&item.text)),
            ("category", texts.category(item.category)),
            ("severity", texts.severity(item.severity)),
        ];
        let mut lines =
            vec![texts.say(key!("review.di.finding"), &values), item.explanation.clone(), instead];
        let law = item.legal_ground.as_deref();
        lines.extend(law.map(|law| review.law_line(law)));
        document.paragraph(lines.join("\n"));
    }
}

fn balance(review: &DiReview, document: &mut Document, texts: &Texts) {
    document.heading(1, texts.get(key!("review.di.balance")));
    let coding = |name: &str| texts.get(group!("review.coding").key(name)).to_owned();
    let mut lines = vec![coding(review.balance.verdict.name())];
    for (key, words) in [
        (key!("review.di.agentic"), &review.balance.agentic),
        (key!("review.di.communal"), &review.balance.communal),
    ] {
        if !words.is_empty() {
            let listed = listed(words, review.language);
            let values = [("count", &*words.len().to_string()), ("words", &*listed.join(", "))];
            lines.push(texts.say(key, &values));
        }
    }
    if let Some(decoder) = &review.balance.gender_decoder {
        lines.push(texts.say(key!("review.di.decoder"), &[("verdict", &coding(decoder.verdict.name()))]));
    }
    document.paragraph(lines.join("\n"));
}

/// Each word once, in small letters. German nouns keep their capital: a word that is never written small there is one.
fn listed(words: &[CodedWord], language: Language) -> Vec<String> {
    let mut listed: Vec<(String, String)> = Vec::new();
    for word in words {
        let (written, small) = (shown(&word.text), shown(&word.text.to_lowercase()));
        match listed.iter_mut().find(|(known, _)| *known == small) {
            Some((small, shown)) if written == *small => shown.clone_from(small),
            Some(_) => {}
            None => listed.push((small, written)),
        }
    }
    // Shouted words are shown small like all others.
    let capital = |text: &str| text.chars().skip(1).all(|letter| !letter.is_uppercase());
    let noun = |written: &str| language == Language::De && capital(written);
    listed.into_iter().map(|(small, written)| if noun(&written) { written } else { small }).collect()
}

/// The lines of a report in which words of the ad stand. All others are texts and entries of the lists alone, and tests
/// send these through the gate.
pub(super) fn quoting<'a>(document: &'a Document, review: &DiReview) -> Vec<&'a str> {
    let paragraphs = document.blocks.iter().filter_map(|block| {
        let Block::Paragraph(text) = block else { return None };
        Some(text.as_str())
    });
    let findings = 1..=review.flagged_items.len();
    let lines = paragraphs.enumerate().map(|(at, text)| {
        // A finding is quoted in its first line.
        let first = text.split_once('\n').map_or(text, |(first, _)| first);
        if findings.contains(&at) { first } else { text }
    });
    [document.title.as_str()].into_iter().chain(lines).collect()
}

/// What the formula says and what makes the text hard.
pub(crate) fn reading(found: &Readability, text: &str, document: &mut Document, texts: &Texts) {
    let language = texts.language();
    let formula = found.formula.name();
    let band = found.band.map_or("too_short", |band| band.name());
    let value = decimal(found.value, language);
    let grade = decimal(found.grade.unwrap_or_default(), language);
    let value = texts.say(group!("review.readability").key(formula), &[("value", &value), ("grade", &grade)]);
    let mut lines = vec![format!("{value}: {}.", texts.get(group!("review.readability").key(band)))];
    for (key, places) in [
        (key!("review.readability.long_sentences"), &found.long_sentences),
        (key!("review.readability.long_paragraphs"), &found.long_paragraphs),
    ] {
        if !places.is_empty() {
            let count = [("count", &*places.len().to_string())];
            lines.push(texts.say(key, &count));
        }
    }
    if !found.jargon.is_empty() {
        let letters: Vec<char> = text.chars().collect();
        let cut = |[start, end]: [usize; 2]| letters.get(start..end).unwrap_or_default().iter();
        let words: Vec<String> =
            found.jargon.iter().map(|place| shown(&cut(*place).collect::<String>())).collect();
        lines.push(texts.say(key!("review.readability.jargon"), &[("words", &words.join(", "))]));
    }
    document.heading(1, texts.get(key!("review.di.readability"))).paragraph(lines.join("\n"));
}

/// Which findings were accepted, ignored, and are still open.
pub(crate) fn decided(decisions: &[ReviewDecision], all: &[usize], document: &mut Document, texts: &Texts) {
    if decisions.is_empty() {
        return;
    }
    let known: BTreeMap<usize, bool> =
        decisions.iter().map(|decision| (decision.finding, decision.replacement.is_some())).collect();
    let lists = [
        (key!("review.decided.accepted"), Some(true)),
        (key!("review.decided.ignored"), Some(false)),
        (key!("review.decided.open"), None),
    ];
    let lines = lists.into_iter().filter_map(|(key, wanted)| {
        let numbers = all.iter().filter(|number| known.get(number).copied() == wanted);
        let numbers = numbers.map(ToString::to_string).collect::<Vec<_>>().join(", ");
        (!numbers.is_empty()).then(|| texts.say(key, &[("numbers", &numbers)]))
    });
    document.paragraph(lines.collect::<Vec<_>>().join("\n"));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use tata_language::book::Book;

    use crate::{Audience, Country, Gate, Voice, review::law::about_ad};

    /// Only the lines that quote an ad are sent through the gate each time; what all reports say is sent here.
    #[test]
    fn texts_and_lists_pass_the_gate() {
        let flags = || Language::ALL.into_iter().flat_map(|language| Book::of(language).flags());
        let names: BTreeSet<String> = flags()
            .map(|flag| format!("review.reasons.{}.{}", flag.category.name(), flag.reason))
            .chain(Category::ALL.map(|category| format!("review.categories.{}", category.name())))
            .chain(
                ["score", "findings", "none", "categories", "limits", "notes"]
                    .map(|key| format!("review.di.{key}")),
            )
            .collect();
        let check = |voice: Voice, verbatim: &[&str], text: &str| {
            let gate = Gate { voice, audience: Audience::Colleagues, verbatim };
            assert_eq!(gate.check(text), [], "{voice:?}: {text}");
        };
        for voice in Voice::ALL {
            let texts = Texts::of(voice);
            for name in &names {
                check(voice, &[], texts.get(crate::Key::find(name).unwrap()));
            }
            for country in Country::ALL {
                let about = |category| about_ad(country, (category, ""), voice.language());
                for law in Category::ALL.into_iter().filter_map(about) {
                    let country = country.display(texts);
                    let line = texts.say(key!("review.di.law"), &[("country", country), ("law", &law)]);
                    check(voice, &[&law], &line);
                }
                check(voice, &[], country.pay_rule(texts));
            }
        }
        let better: BTreeSet<&str> = flags().flat_map(|flag| flag.alternatives.iter().copied()).collect();
        for text in better {
            check(Voice::En, &[text], text);
        }
    }

    #[test]
    fn german_nouns_keep_their_capital_in_the_balance() {
        let check = |language: Language, words: &[&str], expected: &[&str]| {
            let words = words.iter().map(|text| CodedWord { text: (*text).to_owned(), start: 0, end: 0 });
            assert_eq!(listed(&words.collect::<Vec<_>>(), language), expected);
        };
        let words = ["Durchsetzungsvermögen", "Analytisch", "analytisch", "durchsetzungsvermögen", "Ehrgeiz"];
        check(Language::De, &words, &["durchsetzungsvermögen", "analytisch", "Ehrgeiz"]);
        check(Language::De, &["Ehrgeiz", "Team", "Ehrgeiz", "GEMEINSAM"], &["Ehrgeiz", "Team", "gemeinsam"]);
        check(Language::Sv, &["Driven", "driven", "Stark"], &["driven", "stark"]);
    }
}
