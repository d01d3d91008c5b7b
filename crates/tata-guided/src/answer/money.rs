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

named! {
    /// What a single sum is.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Bound {
        /// The sum itself.
        #[default]
        Exact = "exact",
        /// The least.
        AtLeast = "at_least",
        /// The most.
        AtMost = "at_most",
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
    /// What a sum without an upper end is.
    #[serde(default, skip_serializing_if = "Bound::is_exact")]
    pub bound: Bound,
    /// The currency.
    pub currency: Currency,
    /// What it is for.
    pub period: Period,
}

impl Bound {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    fn is_exact(&self) -> bool {
        *self == Self::Exact
    }
}

impl Money {
    /// The least, where it was said.
    pub fn least(&self) -> Option<u64> {
        (self.bound != Bound::AtMost).then_some(self.from)
    }

    /// The most, where it was said.
    pub fn most(&self) -> Option<u64> {
        self.to.or_else(|| (self.bound != Bound::AtLeast).then_some(self.from))
    }
}

impl fmt::Display for Money {
    /// In a form that every language reads: `45000-52000.50 SEK/month`, `max. 58000 DKK/month`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |f: &mut fmt::Formatter<'_>, hundredths: u64| {
            write!(f, "{}", hundredths / 100)?;
            if hundredths.is_multiple_of(100) { Ok(()) } else { write!(f, ".{:02}", hundredths % 100) }
        };
        f.write_str(match self.bound {
            Bound::Exact => "",
            Bound::AtLeast => "min. ",
            Bound::AtMost => "max. ",
        })?;
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
    let mut reader = Reader::new(Cursor::new(language, &pieces));
    while !reader.cursor.done() {
        if !reader.step(language) {
            return Err(Problem::NotMoney);
        }
    }
    let (from, to) = ends(&reader.sums, reader.ranged)?;
    if reader.between && to.is_none() {
        return Err(Problem::NotMoney);
    }
    let bound = if to.is_some() { Bound::Exact } else { reader.bound };
    // "39-43' a month" is said of the crowns of the country alone.
    let shorthand = pieces.iter().any(|piece| piece.text == "'");
    let own = crowns(language).filter(|_| shorthand).map(Ok);
    let currency = reader.currency.or(own).ok_or(Problem::NoCurrency)??;
    let money = |period| Money { from, to, bound, currency, period };
    if let Some(period) = reader.period {
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

/// What was read so far.
struct Reader<'p> {
    cursor: Cursor<'p>,
    currency: Option<Result<Currency, Problem>>,
    period: Option<Period>,
    /// Each with whether it was said in thousands or more.
    sums: Vec<(u64, bool)>,
    bound: Bound,
    /// "Between" was said: the next "and" stands between the ends.
    between: bool,
    ranged: bool,
}

impl<'p> Reader<'p> {
    fn new(cursor: Cursor<'p>) -> Self {
        Self {
            cursor,
            currency: None,
            period: None,
            sums: Vec::new(),
            bound: Bound::Exact,
            between: false,
            ranged: false,
        }
    }

    /// Takes the next part; nothing fits if not.
    fn step(&mut self, language: Language) -> bool {
        self.take_currency(language)
            || self.take_period()
            || self.take_sum()
            || self.take_limit()
            || self.cursor.mark('.')
            || self.cursor.mark(',')
            || self.cursor.eat(Sense::Gross)
            || self.cursor.eat(Sense::Filler)
    }

    /// The currency; behind both ends of a range it is the same one.
    fn take_currency(&mut self, language: Language) -> bool {
        let known = self.currency.clone();
        let same = |found: &Result<Currency, Problem>| known.as_ref().is_none_or(|known| known == found);
        let found = self.cursor.take(|meaning| currency_of(meaning, language).filter(same));
        let any = found.is_some();
        self.currency = found.or_else(|| self.currency.take());
        any
    }

    fn take_period(&mut self) -> bool {
        let known = self.period;
        let found = self.cursor.take(|meaning| {
            among(PERIODS)(meaning).filter(|found| known.is_none_or(|known| known == *found))
        });
        self.period = found.or(known);
        found.is_some()
    }

    fn take_sum(&mut self) -> bool {
        let found = if self.sums.len() == usize::from(self.ranged) { self.cursor.attempt(sum) } else { None };
        self.sums.extend(found);
        found.is_some()
    }

    /// What stands before a sum or between two.
    fn take_limit(&mut self) -> bool {
        if self.sums.is_empty() {
            let limits = [(Sense::AtLeast, Bound::AtLeast), (Sense::AtMost, Bound::AtMost)];
            if self.bound == Bound::Exact
                && !self.between
                && let Some(bound) = self.cursor.take(among(limits))
            {
                self.bound = bound;
                return true;
            }
            self.between = self.bound == Bound::Exact && !self.between && self.cursor.eat(Sense::Between);
            return self.between;
        }
        // "Up to 50 to 60" and "from 50 and 60" say nothing that can be relied on.
        let joins = if self.between { Sense::And } else { Sense::To };
        let open = self.sums.len() == 1 && !self.ranged && self.bound != Bound::AtMost;
        self.ranged |= open && self.cursor.eat(joins);
        open && self.ranged
    }
}

/// A sum in hundredths, and whether it was said in thousands or more.
fn sum(cursor: &mut Cursor<'_>) -> Option<(u64, bool)> {
    let start = cursor.at;
    let sum = decimal(cursor).filter(|sum| (1..=MOST).contains(sum))?;
    let scaled = cursor.pieces.get(start..cursor.at)?.iter().any(|piece| {
        piece.number().is_none() && cursor.words.number(&piece.text).is_some_and(|scale| scale >= 1000)
    });
    // "43'" is thousands.
    let short = !scaled && sum < 100_000 && cursor.peek(0).is_some_and(|mark| mark.glued && mark.text == "'");
    if short {
        cursor.at += 1;
        return Some((sum * 1000, true));
    }
    // "tkr" says thousands and crowns at once.
    let last = cursor.pieces.get(cursor.at.saturating_sub(1));
    if last.is_some_and(|last| {
        [Sense::Scale, Sense::Currency].into_iter().all(|sense| cursor.words.is(&last.text, sense))
    }) {
        cursor.at -= 1;
    }
    Some((sum, scaled))
}

/// The ends of a range; "45-52k" and "48–53 000" are thousands twice.
fn ends(sums: &[(u64, bool)], ranged: bool) -> Result<(u64, Option<u64>), Problem> {
    let &[(low, low_scaled), (high, high_scaled)] = sums else {
        return match sums {
            [(sum, _)] if !ranged => Ok((*sum, None)),
            _ => Err(Problem::NotMoney),
        };
    };
    if low > high {
        return Err(Problem::Backwards);
    }
    let short = !low_scaled && low < 100_000 && (high_scaled || high >= SHORTENED);
    if !short {
        return Ok((low, Some(high)));
    }
    let low = low.checked_mul(1000).ok_or(Problem::NotMoney)?;
    if low <= high {
        Ok((low, Some(high)))
    } else if high_scaled {
        Err(Problem::Backwards)
    } else {
        // "500–10 000": what was meant, only the one who wrote it knows.
        Err(Problem::NotMoney)
    }
}

/// From here on, in hundredths, the upper end of a range shows that the lower one is said in thousands: "5–10 000".
const SHORTENED: u64 = 1_000_000;

const PERIODS: [(Sense, Period); 3] =
    [(Sense::PerHour, Period::Hour), (Sense::PerMonth, Period::Month), (Sense::PerYear, Period::Year)];

/// The currency that is named; "kr" are the crowns of the language, if it has some.
fn currency_of(meaning: Meaning, language: Language) -> Option<Result<Currency, Problem>> {
    (meaning.sense == Sense::Currency)
        .then(|| Currency::find(meaning.value).or(crowns(language)).ok_or(Problem::NoCurrency))
}

fn crowns(language: Language) -> Option<Currency> {
    match language {
        Language::Sv => Some(Currency::Sek),
        Language::Da => Some(Currency::Dkk),
        Language::No => Some(Currency::Nok),
        Language::En | Language::De => None,
    }
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
            // One end alone is one end.
            (Sv, "från 48 000 kr/mån", &["min. 48000 SEK/month"]),
            (Sv, "upp till 53 000 kr i månaden", &["max. 53000 SEK/month"]),
            (Da, "fra 41.000 kr. pr. måned", &["min. 41000 DKK/month"]),
            (Da, "op til 46.000 kr. om måneden", &["max. 46000 DKK/month"]),
            (No, "fra 620 000 kr i året", &["min. 620000 NOK/year"]),
            (No, "opp til 700 000 kroner per år", &["max. 700000 NOK/year"]),
            (De, "ab 68.000 Euro im Jahr", &["min. 68000 EUR/year"]),
            (De, "bis zu 76.000 Euro brutto im Jahr", &["max. 76000 EUR/year"]),
            (En, "up to DKK 58,000 a month", &["max. 58000 DKK/month"]),
            (En, "from GBP 52,000 a year", &["min. 52000 GBP/year"]),
            // Both ends, as each language joins them.
            (Sv, "mellan 48 000 och 53 000 kr i månaden", &["48000-53000 SEK/month"]),
            (Da, "mellem 41.000 og 46.000 kr. om måneden", &["41000-46000 DKK/month"]),
            (No, "mellom 620 000 og 700 000 kroner i året", &["620000-700000 NOK/year"]),
            (De, "zwischen 68.000 und 76.000 Euro im Jahr", &["68000-76000 EUR/year"]),
            (En, "between DKK 52,000 and 58,000 per month", &["52000-58000 DKK/month"]),
            (Sv, "från 48 000 till 53 000 kr i månaden", &["48000-53000 SEK/month"]),
            (De, "von 68.000 bis 76.000 Euro im Jahr", &["68000-76000 EUR/year"]),
            (De, "68.000 € bis 76.000 € im Jahr", &["68000-76000 EUR/year"]),
            (De, "68.000–76.000 € brutto p. a.", &["68000-76000 EUR/year"]),
            (No, "kr 620 000 – kr 700 000 per år", &["620000-700000 NOK/year"]),
            // The lower end leaves out the thousands.
            (Sv, "48–53 000 kr/mån", &["48000-53000 SEK/month"]),
            (Da, "38-42.000 kr. pr. måned", &["38000-42000 DKK/month"]),
            (No, "620-700 000 kr per år", &["620000-700000 NOK/year"]),
            (En, "34–38k SEK/mo", &["34000-38000 SEK/month"]),
            (De, "36–41 T€ im Jahr", &["36000-41000 EUR/year"]),
            (Sv, "39-43' /mån", &["39000-43000 SEK/month"]),
            (No, "620–700' i året", &["620000-700000 NOK/year"]),
            (En, "900-1,100 SEK an hour", &["900-1100 SEK/hour"]),
            (De, "39-43' im Monat", &["answer.no_currency"]),
            (De, "von 68.000 Euro im Jahr", &["68000 EUR/year"]),
            (Sv, "mellan 48 000 kr i månaden", &["answer.not_money"]),
            (Sv, "500–10 000 kr i månaden", &["answer.not_money"]),
            (Sv, "48 000 kr/mån – 53 000 EUR/mån", &["answer.not_money"]),
            (Sv, "upp till 48 000 till 53 000 kr i månaden", &["answer.not_money"]),
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
