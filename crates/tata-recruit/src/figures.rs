//! Numbers and days as they are written, and the number that chooses among wordings.

use jiff::civil::Date;

use crate::Language;

/// Digits in groups of three, as people of the language write them.
pub(crate) fn grouped(number: u64, language: Language) -> String {
    let gap = match language {
        Language::En => ',',
        Language::Sv | Language::No => '\u{A0}',
        Language::Da | Language::De => '.',
    };
    grouped_by(gap, number)
}

/// The same with this sign between the groups.
pub(crate) fn grouped_by(gap: char, number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(gap);
        }
        out.push(digit);
    }
    out
}

/// A number with one decimal, as a language writes it.
pub(crate) fn decimal(value: f64, language: Language) -> String {
    let text = format!("{value:.1}");
    match language {
        Language::En => text,
        Language::Sv | Language::Da | Language::No | Language::De => text.replace('.', ","),
    }
}

/// The numbers in a text, however their digits are grouped, in order of size.
pub(crate) fn numbers(text: &str) -> Vec<String> {
    let letters: Vec<char> = text.chars().collect();
    let digit = |at: usize| letters.get(at).is_some_and(char::is_ascii_digit);
    let (mut found, mut number) = (Vec::new(), String::new());
    for (at, letter) in letters.iter().enumerate() {
        let group = matches!(letter, '.' | ',' | '\'' | '’' | ' ' | '\u{A0}' | '\u{202F}')
            && (1..=3).all(|more| digit(at + more))
            && !digit(at + 4);
        if letter.is_ascii_digit() {
            number.push(*letter);
        } else if !group && !number.is_empty() {
            found.push(std::mem::take(&mut number));
        }
    }
    if !number.is_empty() {
        found.push(number);
    }
    found.sort();
    found
}

/// A day as YYYY-MM-DD and nothing else: 03/04 means different days in different countries.
pub(crate) fn iso_date(text: &str) -> Option<Date> {
    let plain = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    plain.then(|| text.parse().ok()).flatten()
}

/// FNV-1a: the standard hasher may change between releases, and what was chosen by it must not.
pub(crate) fn stable_hash(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_grouped_as_the_country_does() {
        assert_eq!(grouped(45_000, Language::En), "45,000");
        assert_eq!(grouped(1_234_567, Language::De), "1.234.567");
        assert_eq!(grouped(520, Language::Da), "520");
        assert_eq!(grouped(45_000, Language::Sv), "45\u{A0}000");
        assert_eq!(grouped_by('\u{A0}', 1_234_567), "1\u{A0}234\u{A0}567");
        assert_eq!(grouped_by('\u{A0}', 950), "950");
    }

    #[test]
    fn numbers_are_the_same_in_any_dress() {
        let check = |text: &str, expected: &[&str]| assert_eq!(numbers(text), expected, "{text:?}");
        check("40,000 homes", &["40000"]);
        check("40.000 Haushalte", &["40000"]);
        check("40 000 hushåll, 24/7", &["24", "40000", "7"]);
        check("45,000-52.000", &["45000", "52000"]);
        check("1 234 567", &["1234567"]);
        check("2026-12-15", &["12", "15", "2026"]);
        check("6 or 12", &["12", "6"]);
        check("none", &[]);
    }

    #[test]
    fn only_iso_dates_are_dates() {
        assert_eq!(iso_date("2026-11-17").map(|date| date.to_string()).as_deref(), Some("2026-11-17"));
        for wrong in [
            "15/12/2026",
            "2026-02-30",
            "2026-11-31",
            "17.11.2026",
            "2026-1-1",
            "26-11-17",
            "tomorrow",
            "2026-12-15T10",
            "2026-11-17x",
            "2026-11-17-1",
            "----------",
            "２０２６-11-17",
            "",
        ] {
            assert_eq!(iso_date(wrong), None, "{wrong:?}");
        }
    }
}
