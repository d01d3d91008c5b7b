//! Numbers as they are counted and as people read them. No floating point decides anything here.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Language, Texts, figures::grouped};

/// The largest count that is read: JSON carries integers up to here without loss.
pub(super) const MOST: u64 = (1 << 53) - 1;

/// A number with one decimal, counted in tenths: 12.5 is 125.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenths(pub u64);

impl Tenths {
    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self(number.saturating_mul(10))
    }

    /// The share of a part in percent, half a tenth rounded up. Nothing where there is nothing to divide by, or where
    /// the part is more than the whole.
    pub fn percent(part: u64, whole: u64) -> Option<Self> {
        if whole == 0 || part > whole {
            return None;
        }
        let (part, whole) = (u128::from(part), u128::from(whole));
        u64::try_from((part * 2000 + whole) / (whole * 2)).ok().map(Self)
    }

    /// A number as somebody gave it, rounded; nothing if it is negative, not a number or above `most`.
    pub fn of(number: f64, most: u32) -> Option<Self> {
        if !(0.0..=f64::from(most)).contains(&number) {
            return None;
        }
        // Printing is exact; a cast would have to be argued for.
        format!("{:.0}", (number * 10.0).round()).parse().ok().map(Self)
    }

    /// As people of a language write it, with one decimal.
    pub fn display(self, language: Language) -> String {
        let point = if language == Language::En { '.' } else { ',' };
        format!("{}{point}{}", grouped(self.0 / 10, language), self.0 % 10)
    }

    /// The same, but a whole number without its decimal.
    pub fn short(self, language: Language) -> String {
        if self.0.is_multiple_of(10) { grouped(self.0 / 10, language) } else { self.display(language) }
    }

    /// As a percentage with one decimal.
    pub fn as_percent(self, language: Language) -> String {
        percent_sign(&self.display(language), language)
    }

    /// As the percentage that a count is. Somebody is not nobody: what only rounds to nothing is said to be little.
    pub(super) fn as_share(self, count: u64, texts: &Texts) -> String {
        if self.0 == 0 && count > 0 {
            return texts.say(key!("funnel.less_than"), &[("rate", &Self(1).as_percent(texts.language()))]);
        }
        self.as_percent(texts.language())
    }

    /// As a percentage, whole where it is.
    pub fn as_limit(self, language: Language) -> String {
        percent_sign(&self.short(language), language)
    }
}

impl Texts {
    /// A count as people write it.
    pub(super) fn count(&self, number: u64) -> String {
        grouped(number, self.language())
    }
}

impl Serialize for Tenths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // A whole number of tenths up to 2^32 has one nearest double, which prints with one decimal again.
        let tenths = u32::try_from(self.0).unwrap_or(u32::MAX);
        serializer.serialize_f64(f64::from(tenths) / 10.0)
    }
}

impl<'de> Deserialize<'de> for Tenths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = f64::deserialize(deserializer)?;
        Self::of(number, u32::MAX).ok_or_else(|| serde::de::Error::custom("not a number from 0"))
    }
}

/// The percent sign stands close in English, and after a blank that does not break elsewhere.
pub(super) fn percent_sign(number: &str, language: Language) -> String {
    if language == Language::En { format!("{number}%") } else { format!("{number}\u{A0}%") }
}

/// Between which whole percentages the true rate lies in 95 of 100 cases (Wilson), for small bases.
///
/// With z = 1.96: (k + z²/2 ± z·√(k(n−k)/n + z²/4)) / (n + z²), everything times 10 000.
pub(super) fn wilson(part: u64, whole: u64) -> Option<(u64, u64)> {
    if whole == 0 || part > whole || whole > 1000 {
        return None;
    }
    let spread = (384_160_000 * part * (whole - part) / whole + 368_947_264).isqrt();
    let (middle, all) = (10_000 * part + 19_208, 10_000 * whole + 38_416);
    let percent = |number: u64| ((number * 200 + all) / (all * 2)).min(100);
    Some((percent(middle.saturating_sub(spread)), percent(middle + spread)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Voice;

    #[test]
    fn somebody_is_never_nobody() {
        let said = |voice: Voice, count| Tenths(0).as_share(count, Texts::of(voice));
        assert_eq!(said(Voice::En, 1), "less than 0.1%");
        assert_eq!(said(Voice::No, 1), "under 0,1\u{a0}%");
        assert_eq!(said(Voice::DeSie, 1), "unter 0,1\u{a0}%");
        assert_eq!(said(Voice::En, 0), "0.0%");
        assert_eq!(Tenths(1).as_share(1, Texts::of(Voice::En)), "0.1%");
    }

    #[test]
    fn percentages_are_rounded_half_up_and_never_above_a_hundred() {
        let check = |part, whole, tenths: Option<u64>| {
            assert_eq!(Tenths::percent(part, whole), tenths.map(Tenths), "{part} of {whole}");
        };
        check(1, 3, Some(333));
        check(2, 3, Some(667));
        check(1, 2000, Some(1));
        check(1, 2001, Some(0));
        check(1, 16, Some(63));
        check(0, 5, Some(0));
        check(0, 0, None);
        check(5, 0, None);
        check(6, 5, None);
        check(u64::MAX, u64::MAX, Some(1000));
        check(u64::MAX - 1, u64::MAX, Some(1000));
    }

    #[test]
    fn decimals_are_read_without_surprises() {
        let check = |number, tenths: Option<u64>| {
            assert_eq!(Tenths::of(number, 1000), tenths.map(Tenths), "{number}");
        };
        check(4.5, Some(45));
        check(0.25, Some(3));
        check(14.0, Some(140));
        check(-0.1, None);
        check(f64::NAN, None);
        check(1000.1, None);
    }

    #[test]
    fn every_language_writes_numbers_its_own_way() {
        let check = |language, expected: [&str; 3]| {
            let (rate, limit) = (Tenths(125), Tenths(200));
            let own = [rate.as_percent(language), limit.as_limit(language), grouped(1_234_567, language)];
            assert_eq!(own, expected);
        };
        check(Language::En, ["12.5%", "20%", "1,234,567"]);
        check(Language::Sv, ["12,5\u{A0}%", "20\u{A0}%", "1\u{A0}234\u{A0}567"]);
        check(Language::No, ["12,5\u{A0}%", "20\u{A0}%", "1\u{A0}234\u{A0}567"]);
        check(Language::Da, ["12,5\u{A0}%", "20\u{A0}%", "1.234.567"]);
        check(Language::De, ["12,5\u{A0}%", "20\u{A0}%", "1.234.567"]);
    }

    #[test]
    fn small_numbers_say_how_little_they_say() {
        let check = |part, whole, range| assert_eq!(wilson(part, whole), range, "{part} of {whole}");
        // Compared with the formula in floating point.
        check(3, 12, Some((9, 53)));
        check(0, 10, Some((0, 28)));
        check(10, 10, Some((72, 100)));
        check(1, 2, Some((9, 91)));
        check(1, 0, None);
        check(3, 2, None);
    }
}
