//! Statements that somebody hands over, and the proof that a source has them.

use jiff::civil::Date;
use tata_core::FieldKind;
use tata_guided::answer::{Answer, Context, Read, read};

use crate::{
    Evidence, Item, Language, PayPeriod, PayRange, Refusal, Size, Source, Sources, Texts, Tracer,
    clip::start, lists::SIGN_OFFS, profile::Said, tidy,
};

/// The most characters of one statement.
pub(super) const MOST_OF_STATEMENT: usize = 2_000;
/// A pay has no more words.
const MOST_PAY_WORDS: usize = 16;
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
    let Some((_, mut range)) = pay_within(quote, texts.language()) else {
        let message = texts.say(key!("profile.pay_unclear"), &[("text", quote)]);
        refusal.add(field, message, texts.get(key!("profile.pay_way_out")));
        return None;
    };
    range.evidence = sources.say(Source::RecruiterInput, quote)?.evidence;
    Some(range)
}

/// The pay that a text begins with, if it says sum, currency and period, and its words as they stand; what stands after
/// it ("+ pension") is not read.
pub(super) fn pay_within(text: &str, own: Language) -> Option<(String, PayRange)> {
    // "Gehalt 58.000 bis 66.000 €": the word before the sum says only what it is. "DKK 55,000" needs it.
    let start = text.find(|letter: char| letter.is_ascii_digit()).unwrap_or(0);
    let before = text.get(..start).unwrap_or_default();
    let lead = before.split_whitespace().next_back().filter(|word| word.chars().count() <= 4);
    let from = lead.and_then(|word| before.rfind(word));
    from.into_iter().chain([start]).find_map(|from| pay_at_start(text.get(from..)?, own))
}

fn pay_at_start(text: &str, own: Language) -> Option<(String, PayRange)> {
    let ends: Vec<usize> = text
        .char_indices()
        .filter(|(_, letter)| letter.is_whitespace())
        .map(|(at, _)| at)
        .take(MOST_PAY_WORDS)
        .chain([text.len()])
        .collect();
    let languages = || std::iter::once(own).chain(Language::ALL);
    ends.into_iter().rev().find_map(|end| {
        let said = text.get(..end)?.trim_end_matches([',', ';', '.', '+', ' ']);
        let pay = languages().find_map(|language| sum(said, language))?;
        Some((said.to_owned(), pay))
    })
}

fn sum(said: &str, language: Language) -> Option<PayRange> {
    let context = Context::new(language, Date::ZERO);
    let Ok(Read::Certain(Answer::Money(money))) = read(FieldKind::Money, said, &context) else { return None };
    let period = PayPeriod::find(money.period.name())?;
    let (min, max) = (money.from / 100, money.to.unwrap_or(money.from) / 100);
    // "48–55 a month" leaves out the thousands; whoever wrote it knows.
    let whole = max >= 1_000 || period == PayPeriod::Hour;
    let currency = money.currency.name().to_owned();
    whole.then(|| PayRange { min, max, currency, period, evidence: Evidence::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pay_is_read_behind_the_word_that_says_what_it_is() {
        let check = |text: &str, language: Language, said: &str, min: u64, max: u64, currency: &str| {
            let (words, pay) = pay_within(text, language).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((&*words, pay.min, pay.max, &*pay.currency), (said, min, max, currency), "{text}");
        };
        let sv = "Lön 48 000-55 000 kr/mån.";
        check(sv, Language::Sv, "48 000-55 000 kr/mån", 48_000, 55_000, "SEK");
        let da = "Løn 41.000-45.000 kr. om måneden plus pension";
        check(da, Language::Da, "41.000-45.000 kr. om måneden", 41_000, 45_000, "DKK");
        let en = "Salary: DKK 55,000-65,000 per month + pension";
        check(en, Language::En, "DKK 55,000-65,000 per month", 55_000, 65_000, "DKK");
        assert_eq!(pay_within("Lön enligt avtal, start 1 mars", Language::Sv), None);
    }
}
