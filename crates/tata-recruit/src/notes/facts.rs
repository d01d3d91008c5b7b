//! Numbers in notes: how many people a team has, what a role pays. Only what is plainly said counts.

use std::ops::Range;

use super::{
    cues::Cues,
    words::{View, Word},
};
use crate::{Evidence, PayPeriod};

/// The largest team that is still one.
const LARGEST_TEAM: u32 = 500;

/// A pay as it was said; what was not said is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct PaySaid {
    pub(crate) min: u64,
    pub(crate) max: Option<u64>,
    pub(crate) currency: Option<String>,
    pub(crate) period: Option<PayPeriod>,
    /// The amount is in crowns of a country that was not named.
    pub(crate) crowns: bool,
    pub(crate) evidence: Evidence,
}

/// How people write crowns without saying whose.
const CROWNS: [&str; 7] = ["kr", "kronor", "kroner", "kronors", "kroners", "tkr", "kkr"];

/// The pay that a text of its own says, e.g. a recruiter's answer.
pub(crate) fn parse_pay(text: &str) -> Option<PaySaid> {
    let view = View::new(text);
    pay_in(&view, &(0..text.len()), Cues::get()).map(|(said, _)| said)
}

/// How many people a team has, and where it says so.
pub(super) fn team_size(
    view: &View<'_>,
    sentences: &[Range<usize>],
    cues: &Cues,
) -> Option<(u32, Range<usize>)> {
    sentences.iter().find_map(|sentence| {
        let words = view.words_in(sentence);
        let from = |at: usize| words.get(at..).unwrap_or_default();
        let is_team = |at: usize| cues.team.at(from(at)).is_some();
        let first = (0..words.len()).find(|at| is_team(*at))?;
        (0..words.len()).find_map(|at| {
            let word = words.get(at)?;
            let people = number(word, cues).filter(|number| (2..=LARGEST_TEAM).contains(number))?;
            let people_at = (1..=3).find(|step| cues.people.at(from(at + step)).is_some());
            let team_before = (1..=4).filter_map(|step| at.checked_sub(step)).find(|team| is_team(*team));
            let team_after = (at + 1..=at + 3).find(|team| is_team(*team));
            let other_unit = cues.years.at(from(at + 1)).is_some() || is_measure(view, word, sentence);
            if other_unit || (people_at.is_none() && team_before.is_none() && team_after.is_none()) {
                return None;
            }
            let near = team_before.or(team_after).unwrap_or(first);
            let begin = words.get(near.min(at))?.start;
            let last = (at + people_at.unwrap_or(0)).max(near);
            // A team far away from its number is not quoted along.
            let close = at.abs_diff(near) <= 12;
            let end = words.get(last)?.end;
            Some((
                people,
                if close { begin..end } else { word.start..words.get(at + people_at.unwrap_or(0))?.end },
            ))
        })
    })
}

/// The same for what stands under a label such as "Team:", which need not name the team again.
pub(super) fn labelled_size(
    view: &View<'_>,
    statement: &Range<usize>,
    cues: &Cues,
) -> Option<(u32, Range<usize>)> {
    let words = view.words_in(statement);
    let from = |at: usize| words.get(at..).unwrap_or_default();
    let at =
        (0..words.len().min(6)).find(|at| words.get(*at).is_some_and(|word| number(word, cues).is_some()))?;
    let word = words.get(at)?;
    let people = number(word, cues).filter(|number| (2..=LARGEST_TEAM).contains(number))?;
    let people_at = (1..=3).find(|step| cues.people.at(from(at + step)).is_some());
    let other_unit = cues.years.at(from(at + 1)).is_some() || is_measure(view, word, statement);
    // "7 developers, 1 designer": whoever counts in parts has not said how many there are.
    let parts = words.get(at + 1..).unwrap_or_default().iter().zip(from(at + 2)).any(|(word, after)| {
        let one = matches!(word.text.as_str(), "1" | "one" | "eine" | "einer" | "einem" | "einen" | "ein");
        (one || number(word, cues).is_some())
            && !is_part_of(after)
            && !cues.years.is(std::slice::from_ref(after))
    });
    if other_unit || parts || (people_at.is_none() && words.len() > 1) {
        return None;
    }
    Some((people, word.start..words.get(at + people_at.unwrap_or(0))?.end))
}

/// The place that a statement under a label such as "Team:" ends with: "5 people in Oslo".
pub(super) fn team_place(view: &View<'_>, statement: &Range<usize>, cues: &Cues) -> Option<Range<usize>> {
    let words = view.words_in(statement);
    let people =
        (0..words.len()).find(|at| cues.people.at(words.get(*at..).unwrap_or_default()).is_some())?;
    let [preposition, place @ ..] = words.get(people + 1..)? else { return None };
    let (first, last) = (place.first()?, place.last()?);
    let range = first.start..last.end;
    let capital = |word: &Word| view.slice(&(word.start..word.end)).starts_with(char::is_uppercase);
    let name = place.len() <= 2 && place.iter().all(capital) && !view.slice(&range).contains([',', '.', ';']);
    (name && PLACE_PREPOSITIONS.contains(&preposition.text.as_str())).then_some(range)
}

/// Words before the name of a place.
const PLACE_PREPOSITIONS: [&str; 4] = ["in", "i", "på", "at"];

/// "two of them part-time" counts nobody twice.
fn is_part_of(word: &Word) -> bool {
    matches!(word.text.as_str(), "of" | "davon" | "av" | "af" | "dem" | "them" | "which")
}

fn number(word: &Word, cues: &Cues) -> Option<u32> {
    let digits = word.text.len() <= 3 && word.text.chars().all(|letter| letter.is_ascii_digit());
    if digits {
        word.text.parse().ok()
    } else {
        cues.numbers.at(std::slice::from_ref(word)).and_then(|(_, number)| *number)
    }
}

/// "8 %", "8:30", "8.5", "8k": no number of people.
fn is_measure(view: &View<'_>, word: &Word, sentence: &Range<usize>) -> bool {
    let after = view.slice(&(word.end..sentence.end));
    let before = view.slice(&(sentence.start..word.start));
    let digit = |letter: char| letter.is_ascii_digit();
    after.trim_start().starts_with(['%', '\u{20AC}', '$', '\u{A3}'])
        || after.strip_prefix(['.', ',', ':', '/']).is_some_and(|rest| rest.starts_with(digit))
        || before.ends_with(['.', ',', ':', '/', '\u{20AC}', '$', '\u{A3}', '#'])
}

/// The first pay that a text says, and where.
pub(super) fn pay(
    view: &View<'_>,
    sentences: &[Range<usize>],
    cues: &Cues,
) -> Option<(PaySaid, Range<usize>)> {
    sentences.iter().find_map(|sentence| {
        let words = view.words_in(sentence);
        let money = cues.pay_words.within(words) || has_currency(view.slice(sentence), words, cues);
        money.then(|| pay_in(view, sentence, cues)).flatten()
    })
}

fn has_currency(text: &str, words: &[Word], cues: &Cues) -> bool {
    text.contains(['\u{20AC}', '\u{A3}', '$']) || cues.currencies.within(words) || words.iter().any(is_crowns)
}

fn is_crowns(word: &Word) -> bool {
    CROWNS.contains(&word.text.as_str())
}

/// The pay that a statement under a label such as "Pay:" says.
pub(super) fn pay_in(view: &View<'_>, range: &Range<usize>, cues: &Cues) -> Option<(PaySaid, Range<usize>)> {
    let text = view.slice(range);
    let amounts = amounts(text);
    let ends = |fits: fn(&Amount, &Amount) -> bool| {
        let pair =
            |pair: &[Amount]| matches!(pair, [one, two] if fits(one, two) && is_between(text, one, two));
        amounts.windows(2).position(pair)
    };
    let own = view.words_in(range);
    let low_at = amounts
        .iter()
        .position(|amount| amount.value >= 1000 || amount.scaled)
        // "55–65k": only the second says thousand.
        .or_else(|| ends(|one, two| one.value < 1000 && two.scaled))
        .or_else(|| (!amounts.is_empty() && has_currency(text, own, cues)).then_some(0))
        // "Salary 48-55": thousands of what, and for how long, the recruiter will say.
        .or_else(|| {
            ends(|one, two| one.value >= 10 && two.value > one.value).filter(|_| cues.pay_words.within(own))
        })?;
    let low = amounts.get(low_at)?;
    // The first of "55–65k" may have been passed over because it looked too small.
    let before = low_at
        .checked_sub(1)
        .and_then(|at| amounts.get(at))
        .filter(|one| is_shortened(one, low) && is_between(text, one, low));
    let (low, high) = match before {
        Some(one) => (one, Some(low)),
        None => (low, amounts.get(low_at + 1).filter(|two| is_between(text, low, two))),
    };
    let scale = if high.is_some_and(|high| is_shortened(low, high)) { 1000 } else { 1 };
    let min = low.value.checked_mul(scale)?;
    let max = high.map(|high| high.value).filter(|max| *max >= min);
    let end = high.unwrap_or(low).end;
    let sign = |letter: char| match letter {
        '\u{20AC}' => Some("EUR"),
        '\u{A3}' => Some("GBP"),
        '$' => Some("USD"),
        _ => None,
    };
    let lead = text.get(..low.start).unwrap_or_default();
    let signs = text.get(low.start.saturating_sub(4)..(end + 4).min(text.len())).unwrap_or_default();
    let words = view.words_in(range);
    let near: Vec<usize> = (0..words.len())
        .filter(|at| {
            words.get(*at).is_some_and(|word| {
                word.start + 25 >= range.start + low.start && word.start <= range.start + end + 40
            })
        })
        .collect();
    let from = |at: usize| words.get(at..).unwrap_or_default();
    let mut start = low.start;
    let mut stop = end;
    let mut currency = signs.chars().find_map(sign).map(str::to_owned);
    if let Some(at) = lead.trim_end().rfind(|letter| sign(letter).is_some()).filter(|at| low.start - at <= 4)
    {
        start = at;
    }
    let mut period = None;
    let crowns = near.iter().filter_map(|at| words.get(*at)).any(is_crowns) && currency.is_none();
    for at in near {
        if crowns && let Some(word) = words.get(at).filter(|word| is_crowns(word)) {
            stop = stop.max(word.end - range.start);
        }
        if let Some((length, code)) = cues.currencies.at(from(at))
            && currency.is_none()
        {
            currency = Some(code.clone());
            if let (Some(first), Some(last)) = (words.get(at), words.get(at + length - 1)) {
                start = start.min(first.start - range.start);
                stop = stop.max(last.end - range.start);
            }
        }
        if period.is_none()
            && let Some(word) = words.get(at)
        {
            period = named_period(&word.text);
        }
        if let Some((length, said)) = cues.periods.at(from(at))
            && period.is_none()
        {
            period = *said;
            if let (Some(first), Some(last)) = (words.get(at), words.get(at + length - 1)) {
                start = start.min(first.start - range.start);
                stop = stop.max(last.end - range.start);
            }
        }
    }
    let crowns = crowns && currency.is_none();
    let said = PaySaid { min, max, currency, period, crowns, evidence: Evidence::default() };
    Some((said, range.start + start..range.start + stop))
}

/// For how long a pay is by its name: "Månadslön", "Jahresgehalt".
fn named_period(word: &str) -> Option<PayPeriod> {
    let pay = ["lön", "løn", "lønn", "lønnen", "lönen", "gehalt", "lohn", "vergütung"];
    let time = pay.iter().find_map(|pay| word.strip_suffix(pay))?;
    let begins = |starts: &[&str]| starts.iter().any(|start| time.starts_with(start));
    if begins(&["månad", "måned", "monat"]) {
        Some(PayPeriod::Month)
    } else if begins(&["år", "jahr"]) {
        Some(PayPeriod::Year)
    } else if begins(&["tim", "stund"]) {
        Some(PayPeriod::Hour)
    } else {
        None
    }
}

/// Whether the thousands are left out because the second number has them: "55–65k", "45-52.000".
fn is_shortened(one: &Amount, two: &Amount) -> bool {
    one.value < 1000
        && !one.scaled
        && (two.scaled || two.value.is_multiple_of(1000) && two.value >= one.value * 1000)
}

/// A number in a text; `scaled` if it was said in thousands.
#[derive(Clone, Copy, Debug)]
struct Amount {
    start: usize,
    end: usize,
    value: u64,
    scaled: bool,
}

/// What says after a number that it counts thousands.
const THOUSANDS: [&str; 12] =
    ["k", "kkr", "tkr", "tsek", "teur", "tusen", "tusind", "tsd", "keur", "ksek", "kdkk", "knok"];

/// All amounts: "45 000", "45.000", "45,000", "45k", "45 tkr".
fn amounts(text: &str) -> Vec<Amount> {
    let mut amounts = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(offset) = rest.find(|letter: char| letter.is_ascii_digit()) else { break };
        let start = at + offset;
        let (mut end, mut digits) = (start, String::new());
        loop {
            let run: String = text
                .get(end..)
                .unwrap_or_default()
                .chars()
                .take_while(char::is_ascii_digit)
                .take(12)
                .collect();
            end += run.len();
            digits.push_str(&run);
            let rest = text.get(end..).unwrap_or_default();
            let Some(gap) = rest
                .chars()
                .next()
                .filter(|gap| matches!(gap, ' ' | '\u{A0}' | '\u{202F}' | '.' | ',' | '\'' | '\u{2019}'))
            else {
                break;
            };
            let group = rest.get(gap.len_utf8()..).unwrap_or_default();
            if digits.len() > 9 || group.chars().take_while(char::is_ascii_digit).take(4).count() != 3 {
                break;
            }
            end += gap.len_utf8();
        }
        let suffix = text.get(end..).unwrap_or_default().trim_start_matches([' ', '\u{A0}']);
        let whole = |suffix: &str, mark: &str| {
            suffix.get(..mark.len()).is_some_and(|own| own.eq_ignore_ascii_case(mark))
                && !suffix.get(mark.len()..).unwrap_or_default().starts_with(char::is_alphanumeric)
        };
        let scaled = THOUSANDS.iter().any(|mark| whole(suffix, mark));
        // "29.5k": a tenth of a thousand is a hundred.
        let decimal = text.get(end..).and_then(|rest| {
            let tenth = rest.strip_prefix(['.', ','])?.chars().next().filter(char::is_ascii_digit)?;
            let after = rest.get(2..)?.trim_start_matches([' ', '\u{A0}']);
            THOUSANDS.iter().any(|mark| whole(after, mark)).then(|| tenth.to_digit(10)).flatten()
        });
        if let Some(tenth) = decimal
            && let Ok(value) = digits.parse::<u64>()
        {
            let value = value.saturating_mul(1000).saturating_add(u64::from(tenth) * 100);
            amounts.push(Amount { start, end: end + 2, value, scaled: true });
            at = end + 2;
            continue;
        }
        if let Ok(value) = digits.parse::<u64>() {
            let value = if scaled { value.saturating_mul(1000) } else { value };
            amounts.push(Amount { start, end, value, scaled });
        }
        at = end.max(start + 1);
    }
    amounts
}

/// Whether two amounts are the ends of one range.
fn is_between(text: &str, low: &Amount, high: &Amount) -> bool {
    let between = text.get(low.end..high.start).unwrap_or_default();
    between.chars().count() <= 14
        && (between.contains(['-', '\u{2013}', '\u{2014}'])
            || between
                .split_whitespace()
                .any(|word| matches!(word, "to" | "till" | "til" | "bis" | "och" | "og" | "und" | "and")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pay_is_read_as_it_was_said() {
        let check =
            |text: &str, min: u64, max: Option<u64>, currency: Option<&str>, period: Option<PayPeriod>| {
                let said = parse_pay(text).unwrap_or_else(|| panic!("{text:?}"));
                let found = (said.min, said.max, said.currency.as_deref(), said.period);
                assert_eq!(found, (min, max, currency, period), "{text:?}");
            };
        let (month, year) = (Some(PayPeriod::Month), Some(PayPeriod::Year));
        check("45 000–52 000 SEK per månad", 45_000, Some(52_000), Some("SEK"), month);
        check("€70,000 - €80,000 a year", 70_000, Some(80_000), Some("EUR"), year);
        check("650-720k NOK per år", 650_000, Some(720_000), Some("NOK"), year);
        check("DKK 45.000 til 50.000 pr. måned", 45_000, Some(50_000), Some("DKK"), month);
        check("65–75k EUR brutto im Jahr", 65_000, Some(75_000), Some("EUR"), year);
        check("45-52.000 DKK pr. måned", 45_000, Some(52_000), Some("DKK"), month);
        check("42 000 SEK", 42_000, None, Some("SEK"), None);
        check("£29.5k a year", 29_500, None, Some("GBP"), year);
        check("38 000–44 000 kronor i månaden", 38_000, Some(44_000), None, month);
        assert!(parse_pay("42.000-48.000 kr. om måneden").is_some_and(|said| said.crowns));
        assert!(parse_pay("45 000 SEK").is_some_and(|said| !said.crowns));
        check("Månadslön: 42 000–48 000 kr", 42_000, Some(48_000), None, month);
        check("Jahresgehalt 58.000 bis 64.000 Euro", 58_000, Some(64_000), Some("EUR"), year);
        check("Lön 48-55 plus rörligt", 48, Some(55), None, None);
        check("Gehalt 78 bis 90, je nachdem", 78, Some(90), None, None);
        assert_eq!(parse_pay("plenty"), None);
        assert_eq!(parse_pay("Start 11-12"), None);
    }

    #[test]
    fn team_sizes_are_numbers_of_people() {
        let check = |text: &str, expected: Option<(u32, &str)>| {
            let view = View::new(text);
            let sentence = 0..text.len();
            let found = team_size(&view, std::slice::from_ref(&sentence), Cues::get());
            assert_eq!(found.map(|(people, range)| (people, &text[range])), expected, "{text:?}");
        };
        check("A team of eight people in Oslo", Some((8, "team of eight people")));
        check("Vi är 6 personer i teamet", Some((6, "6 personer i teamet")));
        check("Das Team besteht aus 12 Personen", Some((12, "Team besteht aus 12 Personen")));
        check("The team has 5 years of history", None);
        check("5 people applied", None);
        check("Teamet er på 9", Some((9, "Teamet er på 9")));
    }

    #[test]
    fn places_of_teams_are_names() {
        let check = |text: &str, expected: Option<&str>| {
            let view = View::new(text);
            let found = team_place(&view, &(0..text.len()), Cues::get());
            assert_eq!(found.map(|range| &text[range]), expected, "{text:?}");
        };
        check("5 people in Oslo", Some("Oslo"));
        check("fem personer på Fornebu", Some("Fornebu"));
        check("5 people in two groups", None);
        check("5 people", None);
        check("eight colleagues in Oslo, three of them part-time", None);
    }

    #[test]
    fn sizes_under_a_label_are_numbers_of_people() {
        let check = |text: &str, expected: Option<(u32, &str)>| {
            let view = View::new(text);
            let found = labelled_size(&view, &(0..text.len()), Cues::get());
            assert_eq!(found.map(|(people, range)| (people, &text[range])), expected, "{text:?}");
        };
        check("5 people in Stockholm", Some((5, "5 people")));
        check("5", Some((5, "5")));
        check("fem personer på Fornebu", Some((5, "fem personer")));
        check("Fünf Personen, zwei davon in Teilzeit", Some((5, "Fünf Personen")));
        check("eight engineers, three of them in Oslo", Some((8, "eight engineers")));
        check("7 developers, 1 designer", None);
        check("vier Personen und einer Assistenz", None);
        check("30 min", None);
        check("growing", None);
    }
}
