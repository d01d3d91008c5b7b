//! Money: "45 000 kr/mån", "45-52k SEK a month", "€60k per year". The whole answer must be one.

use std::fmt;

use serde::{Deserialize, Serialize};
use tata_language::{Language, named};

use super::{
    Problem, Read,
    numbers::decimal,
    pieces::pieces,
    words::{Cursor, Meaning, Sense, among},
};

/// The largest sum that is taken for pay, in hundredths.
const MOST: u64 = 10_000_000_000;

named! {
    /// A currency, by its code.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "UPPERCASE")]
    pub enum Currency {
        /// Euro.
        Eur = "EUR",
        /// Swedish krona.
        Sek = "SEK",
        /// Danish krone.
        Dkk = "DKK",
        /// Norwegian krone.
        Nok = "NOK",
        /// Pound sterling.
        Gbp = "GBP",
        /// US dollar.
        Usd = "USD",
        /// Swiss franc.
        Chf = "CHF",
    }
}

named! {
    /// What pay is for.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Period {
        /// An hour.
        Hour = "hour",
        /// A month.
        Month = "month",
        /// A year.
        Year = "year",
    }
}

/// A sum, or a range of sums, with its currency and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Money {
    /// The sum or the lower end, in hundredths.
    pub from: u64,
    /// The upper end, in hundredths.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<u64>,
    /// The currency.
    pub currency: Currency,
    /// What it is for.
    pub period: Period,
}

impl fmt::Display for Money {
    /// In a form that every language reads: `45000-52000.50 SEK/month`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |f: &mut fmt::Formatter<'_>, hundredths: u64| {
            write!(f, "{}", hundredths / 100)?;
            if hundredths.is_multiple_of(100) { Ok(()) } else { write!(f, ".{:02}", hundredths % 100) }
        };
        sum(f, self.from)?;
        if let Some(to) = self.to {
            f.write_str("-")?;
            sum(f, to)?;
        }
        write!(f, " {}/{}", self.currency.name(), self.period.name())
    }
}

/// Reads money.
pub(super) fn read(text: &str, language: Language) -> Result<Read<Money>, Problem> {
    let pieces = pieces(text);
    let mut cursor = Cursor::new(language, &pieces);
    let mut currency = None;
    let mut period = None;
    let mut sums: Vec<(u64, bool)> = Vec::new();
    let mut ranged = false;
    while !cursor.done() {
        if currency.is_none()
            && let Some(found) = cursor.take(|meaning| currency_of(meaning, language))
        {
            currency = Some(found);
        } else if period.is_none()
            && let Some(found) = cursor.take(among(PERIODS))
        {
            period = Some(found);
        } else if sums.len() == usize::from(ranged)
            && let Some(sum) = cursor.attempt(sum)
        {
            sums.push(sum);
        } else if sums.len() == 1 && !ranged && cursor.eat(Sense::To) {
            ranged = true;
        } else if !(cursor.mark('.') || cursor.mark(',') || cursor.eat(Sense::Filler)) {
            return Err(Problem::NotMoney);
        }
    }
    let (from, to) = ends(&sums, ranged)?;
    let currency = currency.ok_or(Problem::NoCurrency)??;
    let money = |period| Money { from, to, currency, period };
    if let Some(period) = period {
        return Ok(Read::Certain(money(period)));
    }
    // Nobody said what for; nobody is paid a thousand an hour.
    let hourly = from < 100_000;
    let periods = if hourly {
        [Period::Hour, Period::Month, Period::Year]
    } else {
        [Period::Month, Period::Year, Period::Hour]
    };
    Ok(Read::Choose(periods.into_iter().take(if hourly { 3 } else { 2 }).map(money).collect()))
}

/// A sum in hundredths, and whether it was said in thousands or more.
fn sum(cursor: &mut Cursor<'_>) -> Option<(u64, bool)> {
    let start = cursor.at;
    let sum = decimal(cursor).filter(|sum| (1..=MOST).contains(sum))?;
    let scaled = cursor.pieces.get(start..cursor.at)?.iter().any(|piece| {
        piece.number().is_none() && cursor.words.number(&piece.text).is_some_and(|scale| scale >= 1000)
    });
    // "tkr" says thousands and crowns at once.
    let last = cursor.pieces.get(cursor.at.saturating_sub(1));
    if last.is_some_and(|last| {
        [Sense::Scale, Sense::Currency].into_iter().all(|sense| cursor.words.is(&last.text, sense))
    }) {
        cursor.at -= 1;
    }
    Some((sum, scaled))
}

/// The ends of a range; "45-52k" is thousands twice.
fn ends(sums: &[(u64, bool)], ranged: bool) -> Result<(u64, Option<u64>), Problem> {
    match sums {
        [(sum, _)] if !ranged => Ok((*sum, None)),
        [(low, scaled), (high, true)] if !scaled && *low < 100_000 => {
            let low = low.checked_mul(1000).ok_or(Problem::NotMoney)?;
            if low > *high { Err(Problem::Backwards) } else { Ok((low, Some(*high))) }
        }
        [(low, _), (high, _)] if low > high => Err(Problem::Backwards),
        [(low, _), (high, _)] => Ok((*low, Some(*high))),
        _ => Err(Problem::NotMoney),
    }
}

const PERIODS: [(Sense, Period); 3] =
    [(Sense::PerHour, Period::Hour), (Sense::PerMonth, Period::Month), (Sense::PerYear, Period::Year)];

/// The currency that is named; "kr" are the crowns of the language, if it has some.
fn currency_of(meaning: Meaning, language: Language) -> Option<Result<Currency, Problem>> {
    let crowns = match language {
        Language::Sv => Some(Currency::Sek),
        Language::Da => Some(Currency::Dkk),
        Language::No => Some(Currency::Nok),
        Language::En | Language::De => None,
    };
    (meaning.sense == Sense::Currency)
        .then(|| Currency::find(meaning.value).or(crowns).ok_or(Problem::NoCurrency))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pay_is_read_as_people_type_it() {
        use Language::{Da, De, En, No, Sv};
        let cases: &[(Language, &str, &[&str])] = &[
            (Sv, "45 000 kr/mån", &["45000 SEK/month"]),
            (Sv, "42-47 tkr i månaden", &["42000-47000 SEK/month"]),
            (En, "45-52k SEK a month", &["45000-52000 SEK/month"]),
            (En, "€60k per year", &["60000 EUR/year"]),
            (En, "£18.50 an hour", &["18.50 GBP/hour"]),
            (Da, "42.000 kr. pr. måned", &["42000 DKK/month"]),
            (No, "650 000 til 720 000 kr per år", &["650000-720000 NOK/year"]),
            (De, "48.000 bis 55.000 Euro im Jahr", &["48000-55000 EUR/year"]),
            (De, "3.500 €", &["3500 EUR/month", "3500 EUR/year"]),
            (En, "45 000", &["answer.no_currency"]),
            (En, "45000 kr a month", &["answer.no_currency"]),
            (Sv, "52-45 tkr i månaden", &["answer.backwards"]),
            (En, "negotiable", &["answer.not_money"]),
            (En, "45k SEK a month plus bonus", &["answer.not_money"]),
        ];
        for (language, text, expected) in cases {
            let shown: Vec<String> = match read(text, *language) {
                Ok(read) => read.readings().iter().map(ToString::to_string).collect(),
                Err(problem) => vec![problem.key().to_owned()],
            };
            assert_eq!(shown, *expected, "{} {text:?}", language.code());
        }
    }
}
