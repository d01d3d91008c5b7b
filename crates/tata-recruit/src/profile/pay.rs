//! What a role pays, in words.

use super::PayRange;
use crate::{Language, Texts, figures::grouped};

/// A pay as people of the language write it, the same in every document.
pub(crate) fn written(pay: &PayRange, texts: &Texts, language: Language) -> String {
    let (min, max) = (grouped(pay.min, language), grouped(pay.max, language));
    let range = if pay.min == pay.max {
        max
    } else {
        texts.say(key!("job_ad.pay.range"), &[("min", &min), ("max", &max)])
    };
    let key = group!("job_ad.pay").key(pay.period.name());
    // A currency without a word in the language keeps its three letters.
    let word = group!("job_ad.currencies").find(&pay.currency);
    let currency = word.map_or(pay.currency.as_str(), |word| texts.get(word));
    // A sign stands before its number without a blank.
    texts.say(key, &[("range", &range), ("currency", currency)]).replace("£ ", "£")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PayPeriod, Voice};

    #[test]
    fn pay_is_written_as_the_language_does() {
        let check = |voice: Voice, currency: &str, wanted: &str| {
            let (min, max, currency) = (60_000, 70_000, currency.to_owned());
            let range = PayRange {
                min,
                max,
                currency,
                period: PayPeriod::Year,
                evidence: crate::Evidence::default(),
            };
            assert_eq!(written(&range, Texts::of(voice), voice.language()), wanted);
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
}
