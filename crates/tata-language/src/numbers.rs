//! Numbers in digits and in words.

use crate::lists::{Lists, Numeral};

/// No number in words is longer, in bytes.
const LONGEST: usize = 40;

/// A number, in hundredths so that numbers can be compared and looked up.
pub(crate) type Hundredths = u64;

/// "31 000", "12.80", "1,4", "2.500", "14:30". A separator before exactly three digits groups them.
pub(crate) fn digits(text: &str) -> Hundredths {
    let mut whole: u64 = 0;
    let mut rest = text;
    let mut cents = 0;
    let mut first = true;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let group = rest.get(..end).unwrap_or_default();
        let value = group.bytes().fold(0_u64, |sum, digit| {
            sum.saturating_mul(10).saturating_add(u64::from(digit.saturating_sub(b'0')))
        });
        let grouped = first || (group.len() == 3 && whole > 0);
        if grouped {
            let scale = if first { 1 } else { 1_000 };
            whole = whole.saturating_mul(scale).saturating_add(value);
        } else {
            // Two digits are enough for pay and for the time of day.
            let mut places = group.bytes().chain(*b"00").map(|digit| u64::from(digit.saturating_sub(b'0')));
            cents = places.next().unwrap_or(0) * 10 + places.next().unwrap_or(0);
        }
        first = false;
        let after = rest.get(end..).unwrap_or_default();
        let mut marks = after.chars();
        marks.next();
        rest = marks.as_str();
    }
    whole.saturating_mul(100).saturating_add(cents)
}

/// "five", "tjugofem", "femogtyve", "vierzehn", "dritte".
pub(crate) fn word(lists: &Lists, norm: &str) -> Option<Numeral> {
    if let Some(found) = lists.word(norm).numeral {
        return Some(found);
    }
    if norm.len() > LONGEST {
        return None;
    }
    for at in (3..norm.len().saturating_sub(2)).filter(|at| norm.is_char_boundary(*at)) {
        let (before, after) = norm.split_at(at);
        let Some(Numeral::Count(a)) = lists.word(before).numeral else { continue };
        let after = ["og", "und"].iter().find_map(|link| after.strip_prefix(link)).unwrap_or(after);
        let Some(b) = lists.word(after).numeral else { continue };
        match b {
            Numeral::Count(b) if tens(a, b) => return Some(Numeral::Count(a + b)),
            Numeral::Order(b) if tens(a, b) => return Some(Numeral::Order(a + b)),
            Numeral::Count(_)
            | Numeral::Order(_)
            | Numeral::Turn(_)
            | Numeral::Scale(_)
            | Numeral::Month(_) => {}
        }
    }
    None
}

/// Whether one is a number of tens and the other one of ones.
pub(crate) fn tens(a: u64, b: u64) -> bool {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    large % 10 == 0 && (20..100).contains(&large) && (1..10).contains(&small)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;

    #[test]
    fn separators_group_or_divide() {
        let cases =
            [("31 000", 3_100_000), ("2.500", 250_000), ("12.80", 1280), ("1,4", 140), ("34,500", 3_450_000)];
        for (text, value) in cases {
            assert_eq!(digits(text), value, "{text}");
        }
        assert_eq!(digits("14:30"), digits("14.30"));
        assert_eq!(digits("99999999999999999999999"), u64::MAX);
    }

    #[test]
    fn words_are_put_together() {
        let cases = [
            (Language::Sv, "tjugofem", 25),
            (Language::Da, "femogtyve", 25),
            (Language::No, "tretti", 30),
            (Language::De, "fünfundzwanzig", 25),
            (Language::De, "vierzehn", 14),
        ];
        for (language, text, value) in cases {
            assert_eq!(word(Lists::of(language), text), Some(Numeral::Count(value)), "{text}");
        }
    }
}
