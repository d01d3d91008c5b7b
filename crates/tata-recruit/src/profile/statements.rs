//! Statements that somebody hands over, and the proof that a source has them.

use super::pay::{ReadPay, read_pay};
use crate::{
    Item, PayRange, Refusal, Size, Source, Sources, Texts, Tracer, clip::start, lists::SIGN_OFFS,
    profile::Said, tidy,
};

/// The most characters of one statement.
pub(super) const MOST_OF_STATEMENT: usize = 2_000;
/// The most statements of one kind that anybody hands over.
pub(super) const MOST_STATEMENTS: usize = 100;

/// A signature has no more lines.
const SIGNATURE: usize = 8;

/// The sources as they may be quoted: who signs a letter, and with which title, is no requirement.
pub(super) fn quotable(sources: &Sources) -> Sources {
    sources
        .iter()
        .fold(Sources::default(), |kept, (source, text)| kept.with(source, Some(&without_signature(text))))
}

/// The text with signatures made unfindable; every character keeps its place.
fn without_signature(text: &str) -> String {
    let mut left = 0;
    let mut kept = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let words: String =
            line.to_lowercase().chars().filter(|letter| letter.is_alphanumeric() || *letter == ' ').collect();
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        if SIGN_OFFS.binary_search(&words.as_str()).is_ok() {
            left = SIGNATURE;
        }
        if left > 0 && !words.is_empty() {
            left -= 1;
            // No text that somebody types contains this character.
            kept.extend(line.chars().map(|letter| if letter == '\n' { '\n' } else { '\u{FFFE}' }));
        } else {
            kept.push_str(line);
        }
    }
    kept
}

/// Finds each quotation in the sources; what cannot be found becomes a problem that quotes it.
pub(super) fn traced(
    field: &str,
    said: &[Said],
    tracer: &Tracer<'_>,
    refusal: &mut Refusal,
    texts: &Texts,
) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for (at, said) in said.iter().take(MOST_STATEMENTS).enumerate() {
        let text = tidy(&said.text);
        // Signs alone say nothing, and cannot be found again.
        if !text.chars().any(char::is_alphanumeric) {
            continue;
        }
        let short = text.chars().count() <= MOST_OF_STATEMENT;
        let Some(item) = short.then(|| tracer.item(&said.text, said.source)).flatten() else {
            let (key, source) = match said.source {
                Some(source) => (key!("profile.untraced_in"), source.display(texts)),
                None => (key!("profile.untraced"), ""),
            };
            let message = texts.say(key, &[("text", start(&text, 200)), ("source", source)]);
            refusal.add(format!("/{field}/{at}"), message, texts.get(key!("profile.untraced_way_out")));
            continue;
        };
        if !items.iter().any(|known| known.text.to_lowercase() == item.text.to_lowercase()) {
            items.push(item);
        }
    }
    items
}

/// A number of people that the recruiter names; said as the number.
pub(super) fn size(people: u32, sources: &mut Sources) -> Option<Size> {
    let said = sources.say(Source::RecruiterInput, &people.to_string())?;
    Some(Size { people, evidence: said.evidence })
}

/// A pay the recruiter names; what is missing in it becomes a problem.
pub(super) fn pay(
    field: &str,
    statement: Option<&str>,
    sources: &mut Sources,
    refusal: &mut Refusal,
    texts: &Texts,
) -> Option<PayRange> {
    let statement = tidy(statement.filter(|statement| !statement.trim().is_empty())?);
    let quote = start(&statement, 200);
    let Some(ReadPay { mut range, .. }) = read_pay(quote, texts.language()) else {
        let message = texts.say(key!("profile.pay_unclear"), &[("text", quote)]);
        refusal.add(field, message, texts.get(key!("profile.pay_way_out")));
        return None;
    };
    range.evidence = sources.say(Source::RecruiterInput, quote)?.evidence;
    Some(range)
}
