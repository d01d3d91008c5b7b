//! What a role pays: read from notes, and in words.

use jiff::civil::Date;
use tata_core::FieldKind;
use tata_guided::answer::{Answer, Context, Money, Read, read};

use super::{PayPeriod, PayRange};
use crate::{
    Evidence, Language, Texts,
    figures::grouped,
    lists::{PAY_ABOUT, PAY_BESIDE, PAY_GROSS, PAY_LIMIT},
    tidy,
};

/// A pay has no more words.
const MOST_WORDS: usize = 16;
/// So many words before the first figure may belong to it: "somewhere between DKK".
const WORDS_BEFORE: usize = 5;
/// The most that is said beside a pay.
const MOST_BESIDE: usize = 5;

/// A pay that was read in a text, and what the text says besides.
pub(crate) struct ReadPay {
    pub(crate) range: PayRange,
    /// What stands behind it and is none of it.
    pub(crate) rest: Vec<String>,
}

/// The pay that a text says: sums, currency and period, and what comes with it. The language is tried first.
pub(crate) fn read_pay(text: &str, own: Language) -> Option<ReadPay> {
    let digit = text.find(|letter: char| letter.is_ascii_digit())?;
    let begins: Vec<usize> = starts(text).take_while(|at| *at <= digit).collect();
    // The word with the figure comes last: what stands before it may be part of what is said.
    let first = begins.len().saturating_sub(WORDS_BEFORE + 1);
    let begins = begins.get(first..)?;
    let (from, end, mut range) = begins.iter().find_map(|from| {
        let (end, range) = longest(text.get(*from..)?, own)?;
        Some((*from, from + end, range))
    })?;
    let before = text.get(..from).unwrap_or_default().split_whitespace().next_back();
    // "From 48 000 kr" in English notes is read with the words of another language; without its "from" it would be false.
    if before.is_some_and(is_limit) {
        return None;
    }
    let mut lead = text.get(from..digit).unwrap_or_default().split_whitespace().chain(before);
    if lead.any(is_about) {
        return None;
    }
    let said = text.get(from..end).unwrap_or_default().to_lowercase();
    range.beside.extend(PAY_GROSS.iter().find(|word| said.contains(*word)).map(|word| (*word).to_owned()));
    let mut rest = Vec::new();
    for part in parts(text.get(end..).unwrap_or_default()) {
        if is_beside(&part) && range.beside.len() < MOST_BESIDE {
            range.beside.push(part);
        } else {
            rest.push(part);
        }
    }
    Some(ReadPay { range, rest })
}

/// Whether a text says what comes with a pay.
pub(crate) fn is_beside(text: &str) -> bool {
    words(text).any(|word| PAY_BESIDE.iter().any(|cue| word.starts_with(cue) || word.ends_with(cue)))
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|letter: char| !letter.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty())
}

/// A word that makes a sum one end of a pay, in any language.
fn is_limit(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ':']).to_lowercase();
    PAY_LIMIT.binary_search(&word.as_str()).is_ok()
}

/// "Around 45 000" is not 45 000.
fn is_about(word: &str) -> bool {
    let word = word.trim_end_matches(['.', ':']).to_lowercase();
    PAY_ABOUT.binary_search(&word.as_str()).is_ok()
}

/// Where the words of a text begin, in bytes.
fn starts(text: &str) -> impl Iterator<Item = usize> {
    let mut before = ' ';
    text.char_indices().filter_map(move |(at, letter)| {
        let starts = before.is_whitespace() && !letter.is_whitespace();
        before = letter;
        starts.then_some(at)
    })
}

/// The longest pay that a text begins with, and where it ends.
fn longest(text: &str, own: Language) -> Option<(usize, PayRange)> {
    let ends: Vec<usize> = text
        .char_indices()
        .filter(|(_, letter)| letter.is_whitespace() || matches!(letter, ',' | ';' | '+' | '('))
        .map(|(at, _)| at)
        .take(2 * MOST_WORDS)
        .chain([text.len()])
        .collect();
    let languages = || std::iter::once(own).chain(Language::ALL);
    ends.into_iter().rev().find_map(|end| {
        let said = text.get(..end)?.trim_end_matches([',', ';', '.', '+', '(', ' ']);
        let pay = languages().find_map(|language| sum(said, language))?;
        Some((said.len(), pay))
    })
}

fn sum(said: &str, language: Language) -> Option<PayRange> {
    let context = Context::new(language, Date::ZERO);
    let Ok(Read::Certain(Answer::Money(money))) = read(FieldKind::Money, said, &context) else { return None };
    let range = range_of(&money)?;
    // "48–55 a month" leaves out the thousands; whoever wrote it knows.
    let whole = |sum: Option<u64>| sum.is_none_or(|sum| sum >= 1_000 || range.period == PayPeriod::Hour);
    (whole(range.min) && whole(range.max)).then_some(range)
}

fn range_of(money: &Money) -> Option<PayRange> {
    Some(PayRange {
        min: money.least().map(|sum| sum / 100),
        max: money.most().map(|sum| sum / 100),
        currency: money.currency.name().to_owned(),
        period: PayPeriod::find(money.period.name())?,
        beside: Vec::new(),
        evidence: Evidence::default(),
    })
}

/// What is said behind a pay, part by part.
fn parts(text: &str) -> Vec<String> {
    let (mut parts, mut part) = (Vec::new(), String::new());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        // "3,000" is one number, and "3–4 %" one range.
        let ends = letters.peek().is_none_or(|next| next.is_whitespace());
        let cut = ends && matches!(letter, ',' | ';' | '.' | '–' | '—' | '-') || letter == '\n';
        part.push(if cut { ' ' } else { letter });
        if cut {
            parts.push(std::mem::take(&mut part));
        }
    }
    parts.push(part);
    let bare = |part: String| {
        let other = |letter: char| !letter.is_alphanumeric() && !matches!(letter, '(' | ')' | '%');
        tidy(part.trim_matches(other))
    };
    parts.into_iter().map(bare).filter(|part| part.chars().any(char::is_alphanumeric)).collect()
}

/// A pay as people of the language write it, the same in every document: one end alone as one end.
pub(crate) fn written(pay: &PayRange, texts: &Texts) -> String {
    let sum = |sum: u64| grouped(sum, texts.language());
    let (range, frame) = match (pay.min, pay.max) {
        (Some(min), Some(max)) if min == max => (sum(max), None),
        (Some(min), Some(max)) => {
            let ends = [("min", &*sum(min)), ("max", &*sum(max))];
            (texts.say(key!("job_ad.pay.range"), &ends), None)
        }
        (Some(min), None) => (sum(min), Some(key!("job_ad.pay.from"))),
        (None, Some(max)) => (sum(max), Some(key!("job_ad.pay.up_to"))),
        (None, None) => return String::new(),
    };
    let key = group!("job_ad.pay").key(pay.period.name());
    // A currency without a word in the language keeps its three letters.
    let word = group!("job_ad.currencies").find(&pay.currency);
    let currency = word.map_or(pay.currency.as_str(), |word| texts.get(word));
    // A sign stands before its number without a blank.
    let text = texts.say(key, &[("range", &range), ("currency", currency)]).replace("£ ", "£");
    frame.map_or_else(|| text.clone(), |frame| texts.say(frame, &[("pay", &text)]))
}

/// The same with what comes with it, in the words in which it was said.
pub(crate) fn written_whole(pay: &PayRange, texts: &Texts) -> String {
    let parts = std::iter::once(written(pay, texts)).chain(pay.beside.iter().cloned());
    parts.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PayPeriod, Voice};

    fn range(min: Option<u64>, max: Option<u64>, currency: &str, period: PayPeriod) -> PayRange {
        let (currency, beside) = (currency.to_owned(), Vec::new());
        PayRange { min, max, currency, period, beside, evidence: Evidence::default() }
    }

    #[test]
    fn pay_is_written_as_the_language_does() {
        let check = |voice: Voice, currency: &str, wanted: &str| {
            let range = range(Some(60_000), Some(70_000), currency, PayPeriod::Year);
            assert_eq!(written(&range, Texts::of(voice)), wanted);
        };
        check(Voice::En, "EUR", "EUR 60,000–70,000 per year");
        check(Voice::En, "GBP", "£60,000–70,000 per year");
        check(Voice::DeSie, "EUR", "60.000 bis 70.000 Euro pro Jahr");
        check(Voice::DeDu, "CHF", "60.000 bis 70.000 CHF pro Jahr");
        check(Voice::Sv, "SEK", "60\u{A0}000–70\u{A0}000 kronor per år");
        check(Voice::Da, "DKK", "60.000–70.000 kroner om året");
        check(Voice::No, "NOK", "60\u{A0}000–70\u{A0}000 kroner per år");
        check(Voice::No, "SEK", "60\u{A0}000–70\u{A0}000 svenske kroner per år");
    }

    #[test]
    fn one_end_of_a_pay_is_written_as_one_end() {
        let check = |voice: Voice, currency: &str, from: &str, up_to: &str| {
            let texts = Texts::of(voice);
            let sum = Some(58_000);
            assert_eq!(written(&range(sum, None, currency, PayPeriod::Month), texts), from);
            assert_eq!(written(&range(None, sum, currency, PayPeriod::Month), texts), up_to);
        };
        check(Voice::En, "DKK", "from DKK 58,000 per month", "up to DKK 58,000 per month");
        check(Voice::Sv, "SEK", "från 58\u{A0}000 kronor per månad", "upp till 58\u{A0}000 kronor per månad");
        check(Voice::Da, "DKK", "fra 58.000 kroner om måneden", "op til 58.000 kroner om måneden");
        check(Voice::No, "NOK", "fra 58\u{A0}000 kroner per måned", "opptil 58\u{A0}000 kroner per måned");
        check(Voice::DeSie, "EUR", "ab 58.000 Euro pro Monat", "bis zu 58.000 Euro pro Monat");
    }

    /// Each line as somebody wrote it, and as it is printed; nothing where somebody must be asked.
    #[test]
    fn pays_are_printed_as_they_were_said() {
        let check = |voice: Voice, said: &str, wanted: Option<&str>| {
            let read = read_pay(said, voice.language());
            let shown = read.map(|read| written_whole(&read.range, Texts::of(voice)).replace('\u{A0}', " "));
            assert_eq!(shown.as_deref(), wanted, "{said}");
        };
        let en = |said: &str, wanted: Option<&str>| check(Voice::En, said, wanted);
        en("up to DKK 58,000 a month", Some("up to DKK 58,000 per month"));
        en("from GBP 52,000 a year", Some("from £52,000 per year"));
        en("Pay: at least DKK 52,000 per month", Some("from DKK 52,000 per month"));
        en("between DKK 52,000 and 58,000 per month", Some("DKK 52,000–58,000 per month"));
        en("The pay is between 52,000 and 58,000 DKK a month", Some("DKK 52,000–58,000 per month"));
        en("pay 34–38k SEK/mo, collective agreement", Some("SEK 34,000–38,000 per month"));
        en("£52k–58k a year", Some("£52,000–58,000 per year"));
        en(
            "DKK 52,000 to 58,000 a month plus 10% pension. I could go to 60,000.",
            Some("DKK 52,000–58,000 per month, plus 10% pension"),
        );
        en(
            "Salary: GBP 52,000-58,000 gross per year + bonus (average 3,000)",
            Some("£52,000–58,000 per year, gross, bonus (average 3,000)"),
        );
        en("Salary: DKK 55,000-65,000 per month + pension", Some("DKK 55,000–65,000 per month, pension"));
        en("around SEK 45,000 a month", None);
        en("Pay: from 48 000 kr/month plus 10% pension", None);
        en("up to 48 000 kr/mån", None);
        en("market level", None);
        let sv = |said: &str, wanted: Option<&str>| check(Voice::Sv, said, wanted);
        sv("från 48 000 kr/mån", Some("från 48 000 kronor per månad"));
        sv("upp till 53 000 kr i månaden", Some("upp till 53 000 kronor per månad"));
        sv("Lönen ligger mellan 48 000 och 53 000 kr i månaden", Some("48 000–53 000 kronor per månad"));
        sv("48–53 000 kr/mån", Some("48 000–53 000 kronor per månad"));
        sv("lön 39–43' /mån, kollektivavtal finns", Some("39 000–43 000 kronor per månad"));
        sv("39–43 tkr/mån", Some("39 000–43 000 kronor per månad"));
        sv("Lön 48 000-55 000 kr/mån.", Some("48 000–55 000 kronor per månad"));
        sv(
            "48 000 kr – 53 000 kr i månaden plus rörlig del",
            Some("48 000–53 000 kronor per månad, plus rörlig del"),
        );
        sv("ca 45 000 kr/mån", None);
        sv("Lön enligt avtal, start 1 mars", None);
        let da = |said: &str, wanted: Option<&str>| check(Voice::Da, said, wanted);
        da("fra 41.000 kr. pr. måned", Some("fra 41.000 kroner om måneden"));
        da("op til 46.000 kr. om måneden", Some("op til 46.000 kroner om måneden"));
        da("mellem 41.000 og 46.000 kr. om måneden", Some("41.000–46.000 kroner om måneden"));
        da("38-42.000 kr. pr. måned", Some("38.000–42.000 kroner om måneden"));
        da(
            "Lønnen er 41.000-46.000 kr. om måneden plus 11 % i pension.",
            Some("41.000–46.000 kroner om måneden, plus 11 % i pension"),
        );
        // What for, nobody said.
        da("løn 38-42.000 + pension + frugtordning ;)", None);
        let no = |said: &str, wanted: Option<&str>| check(Voice::No, said, wanted);
        no("fra 620 000 kr i året", Some("fra 620 000 kroner per år"));
        no("opp til 700 000 kroner i året", Some("opptil 700 000 kroner per år"));
        no("mellom 620 000 og 700 000 kroner i året", Some("620 000–700 000 kroner per år"));
        no("620-700 000 kr per år", Some("620 000–700 000 kroner per år"));
        no("620–700' i året", Some("620 000–700 000 kroner per år"));
        no("lønn 690–760' i året", Some("690 000–760 000 kroner per år"));
        no(
            "Lønn: 620 000–700 000 kroner i året pluss provisjon.",
            Some("620 000–700 000 kroner per år, pluss provisjon"),
        );
        let de = |said: &str, wanted: Option<&str>| check(Voice::DeSie, said, wanted);
        de("ab 68.000 Euro im Jahr", Some("ab 68.000 Euro pro Jahr"));
        de("bis zu 76.000 Euro im Jahr", Some("bis zu 76.000 Euro pro Jahr"));
        de("zwischen 68.000 und 76.000 Euro im Jahr", Some("68.000 bis 76.000 Euro pro Jahr"));
        de("68.000 € bis 76.000 € im Jahr", Some("68.000 bis 76.000 Euro pro Jahr"));
        de("68.000–76.000 € brutto p. a.", Some("68.000 bis 76.000 Euro pro Jahr, brutto"));
        de(
            "36–41 T€ im Jahr + Schichtzulage – kommt in die Anzeige",
            Some("36.000 bis 41.000 Euro pro Jahr, Schichtzulage"),
        );
        de(
            "Gehalt: 68.000 bis 76.000 Euro brutto im Jahr plus 8 % Zielbonus.",
            Some("68.000 bis 76.000 Euro pro Jahr, brutto, plus 8 % Zielbonus"),
        );
        de("Gehalt 36–41 T€ + Schichtzulage", None);
    }

    /// Profiles of earlier versions have both ends, the same where there was one sum.
    #[test]
    fn a_pay_that_was_stored_before_is_read() {
        let stored = r#"{"min": 58000, "max": 58000, "currency": "DKK", "period": "month",
            "source": "startup_notes", "start": 1, "end": 5, "quote": "58 k"}"#;
        let pay: PayRange = serde_json::from_str(stored).unwrap();
        assert_eq!((pay.min, pay.max, &*pay.evidence.quote), (Some(58_000), Some(58_000), "58 k"));
        assert_eq!(written_whole(&pay, Texts::of(Voice::En)), "DKK 58,000 per month");
    }
}
