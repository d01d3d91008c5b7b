//! Numbers, dates, money, percentages and ranges, as values that can be compared.

use crate::{
    language::Language,
    lists::{Cue, Lists, Numeral},
    numbers::{self, Hundredths},
    tokens::{Kind, Token},
};

/// A value with its tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The first token.
    pub first: usize,
    /// The last token.
    pub last: usize,
    /// What it says.
    pub amount: Amount,
    /// Whether it is the first or second of "three to five".
    pub range: bool,
}

impl Value {
    fn new(first: usize, last: usize, amount: Amount) -> Self {
        Self { first, last, amount, range: false }
    }
}

/// What a value says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Amount {
    /// A number, in hundredths.
    Number(u64, Unit),
    /// A date, or the part of one.
    Date(Date),
}

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Things; the noun beside it says which.
    Things,
    /// A place in an order, in words: "third". In digits it cannot be told apart.
    Place,
    /// Money.
    Money(Currency),
    /// Per cent.
    Percent,
}

/// A currency; the crowns of three countries are written alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Currency {
    /// SEK, DKK, NOK, kr.
    Crown,
    /// EUR.
    Euro,
    /// GBP.
    Pound,
    /// USD.
    Dollar,
}

/// A date, as far as it is said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Date {
    /// The year.
    pub year: Option<u16>,
    /// From 1 to 12.
    pub month: u8,
    /// From 1 to 31.
    pub day: Option<u8>,
}

impl Amount {
    /// Whether a source that says this proves that.
    pub(crate) fn proves(self, claim: Self) -> bool {
        match (self, claim) {
            (Self::Date(source), Self::Date(claim)) => {
                source.month == claim.month
                    && (claim.day.is_none() || claim.day == source.day)
                    && (claim.year.is_none() || claim.year == source.year)
            }
            (Self::Number(a, have), Self::Number(b, want)) => {
                a == b
                    && match (have, want) {
                        (Unit::Percent, want) => want == Unit::Percent,
                        (have, Unit::Percent) => have == Unit::Percent,
                        (Unit::Money(have), Unit::Money(want)) => have == want,
                        (Unit::Things | Unit::Place | Unit::Money(_), _) => true,
                    }
            }
            (Self::Date(_), Self::Number(..)) | (Self::Number(..), Self::Date(_)) => false,
        }
    }
}

/// The values of some tokens, in order.
pub fn values(language: Language, tokens: &[Token<'_>]) -> Vec<Value> {
    let mut found = Vec::new();
    let lists = Lists::of(language);
    let numeral = |at: usize| {
        let word = tokens.get(at).filter(|token| token.kind == Kind::Word)?;
        numbers::word(lists, &word.norm)
    };
    find(lists, tokens, numeral, &mut found);
    found
}

/// The same, where the caller knows what the word at each place counts.
pub(crate) fn find(
    lists: &Lists,
    tokens: &[Token<'_>],
    numeral: impl Fn(usize) -> Option<Numeral>,
    found: &mut Vec<Value>,
) {
    found.clear();
    let mut at = 0;
    while at < tokens.len() {
        if let Some(value) = value_at(lists, tokens, at, &numeral) {
            at = value.last + 1;
            found.push(value);
        } else {
            at += 1;
        }
    }
    dates(tokens, found);
    for at in 1..found.len() {
        let (Some(a), Some(b)) = (found.get(at - 1), found.get(at)) else { continue };
        let between = tokens.get(a.last + 1..b.first).unwrap_or_default();
        let dash = |token: &Token<'_>| token.is('-') || lists.word(&token.norm).cues.has(Cue::To);
        let range = between.iter().filter(|token| !token.is('.')).count() == 1 && between.iter().any(dash);
        let range = range && matches!((a.amount, b.amount), (Amount::Number(..), Amount::Number(..)));
        // "32-35k" is thousands twice.
        if range
            && let (Amount::Number(low, unit), Amount::Number(high, _)) = (a.amount, b.amount)
            && b.last > b.first
            && low < 100_000
            && high >= 1_000_000
            && let Some(scaled) = found.get_mut(at - 1)
        {
            scaled.amount = Amount::Number(low.saturating_mul(1_000), unit);
        }
        if range {
            for value in found.get_mut(at - 1..=at).unwrap_or_default() {
                value.range = true;
            }
        }
    }
}

/// A number, with its scale, its currency and its per cent.
fn value_at(
    lists: &Lists,
    tokens: &[Token<'_>],
    at: usize,
    numeral: &impl Fn(usize) -> Option<Numeral>,
) -> Option<Value> {
    let token = tokens.get(at)?;
    let (mut number, mut unit): (Hundredths, Unit) = match token.kind {
        Kind::Number => (numbers::digits(token.text), Unit::Things),
        Kind::Word => match numeral(at)? {
            Numeral::Count(number) => (number * 100, Unit::Things),
            Numeral::Order(number) => (number * 100, Unit::Place),
            Numeral::Turn(number) => {
                let every = at.checked_sub(1).and_then(|before| tokens.get(before));
                every.filter(|every| lists.word(&every.norm).cues.has(Cue::Every))?;
                (number * 100, Unit::Place)
            }
            Numeral::Month(month) => {
                // "may" and "march" are months only with a capital.
                token
                    .capital()
                    .then_some(())
                    .or_else(|| (!lists.word(&token.norm).cues.any()).then_some(()))?;
                let date = Date { year: None, month, day: None };
                return Some(Value::new(at, at, Amount::Date(date)));
            }
            Numeral::Scale(_) => return None,
        },
        Kind::Mark(_) | Kind::Line => return None,
    };
    let mut last = at;
    // "twenty-five" and "twenty five".
    let gap = usize::from(tokens.get(at + 1).is_some_and(|next| next.is('-') && next.joined));
    if token.kind == Kind::Word
        && unit == Unit::Things
        && let Some(Numeral::Count(ones)) = numeral(at + 1 + gap)
        && numbers::tens(number / 100, ones)
        && number / 100 > ones
    {
        number += ones * 100;
        last = at + 1 + gap;
    }
    while let Some(next) = tokens.get(last + 1).filter(|next| next.kind == Kind::Word) {
        let glued = next.joined && tokens.get(last).is_some_and(|token| token.kind == Kind::Number);
        match (numeral(last + 1), next.norm.as_ref()) {
            (Some(Numeral::Scale(scale)), _) => number = number.saturating_mul(scale),
            (_, "k") => number = number.saturating_mul(1_000),
            (_, "m" | "mn") if glued => number = number.saturating_mul(1_000_000),
            (_, "st" | "nd" | "rd" | "th") if glued => {}
            _ => break,
        }
        last += 1;
    }
    if let Some(hours) = tokens.get(last + 1).and_then(|next| clock(lists.language, number, &next.norm)) {
        return Some(Value::new(at, last + 1, Amount::Number(hours, Unit::Things)));
    }
    let before = at.checked_sub(1).and_then(|before| tokens.get(before));
    let mut after = last + 1;
    if tokens.get(after).is_some_and(|token| token.is('.'))
        && tokens.get(last).is_some_and(|token| token.kind == Kind::Word)
    {
        after += 1;
    }
    if let Some(currency) = before.and_then(|token| currency(&token.norm)) {
        unit = Unit::Money(currency);
    } else if let Some(currency) = tokens.get(after).and_then(|token| currency(&token.norm)) {
        unit = Unit::Money(currency);
        last = after;
    } else if tokens
        .get(after)
        .is_some_and(|token| token.is('%') || lists.word(&token.norm).cues.has(Cue::Percent))
    {
        unit = Unit::Percent;
        last = after;
        // "per cent" is two words.
        if tokens.get(after).is_some_and(|token| token.norm == "per") {
            last += 1;
        }
    }
    Some(Value::new(at, last, Amount::Number(number, unit)))
}

/// "6 pm" is "18".
fn clock(language: Language, number: Hundredths, half: &str) -> Option<Hundredths> {
    if language != Language::En || !(100..1_300).contains(&number) {
        return None;
    }
    match half {
        "am" => Some(number % 1_200),
        "pm" => Some(number % 1_200 + 1_200),
        _ => None,
    }
}

fn currency(norm: &str) -> Option<Currency> {
    Some(match norm {
        "kr" | "kronor" | "kroner" | "krona" | "krone" | "sek" | "dkk" | "nok" => Currency::Crown,
        "€" | "eur" | "euro" | "euros" => Currency::Euro,
        "£" | "gbp" | "pound" | "pounds" => Currency::Pound,
        "$" | "usd" | "dollar" | "dollars" => Currency::Dollar,
        _ => return None,
    })
}

/// Puts days, months and years together: "3 March 2026", "March 3, 2026", "1. august", "2026-03-03".
fn dates(tokens: &[Token<'_>], found: &mut Vec<Value>) {
    let plain = |value: &Value| match value.amount {
        Amount::Number(number, Unit::Things | Unit::Place) if number % 100 == 0 => Some(number / 100),
        Amount::Number(..) | Amount::Date(_) => None,
    };
    let near = |a: &Value, b: &Value| {
        let between = tokens.get(a.last + 1..b.first).unwrap_or_default();
        between.iter().all(|token| token.is('.') || token.is(',') || token.norm == "of") && between.len() < 3
    };
    let dashed = |a: &Value, b: &Value| {
        let between = tokens.get(a.last + 1..b.first).unwrap_or_default();
        matches!(between, [dash] if (dash.is('-') || dash.is('/')) && dash.joined)
    };
    let mut at = 0;
    while at < found.len() {
        let piece = |from: usize| found.get(from);
        let Some(value) = piece(at) else { break };
        let mut made = None;
        if let Amount::Date(mut date) = value.amount {
            let day = at.checked_sub(1).and_then(piece).filter(|before| near(before, value));
            let day = day.and_then(|day| Some((day.first, plain(day).filter(|day| (1..=31).contains(day))?)));
            let mut rest = at + 1;
            let mut first = value.first;
            let mut last = value.last;
            let mut from = at;
            if let Some((start, day)) = day {
                (date.day, first, from) = (u8::try_from(day).ok(), start, at - 1);
            } else if let Some(day) = piece(rest).filter(|day| near(value, day))
                && let Some(number) = plain(day).filter(|number| (1..=31).contains(number))
            {
                (date.day, last, rest) = (u8::try_from(number).ok(), day.last, rest + 1);
            }
            if let Some(before) = piece(rest - 1)
                && let Some(year) = piece(rest).filter(|year| near(before, year))
                && let Some(number) = plain(year).filter(|number| (1900..2100).contains(number))
            {
                (date.year, last, rest) = (u16::try_from(number).ok(), year.last, rest + 1);
            }
            made = Some((from, rest, Value::new(first, last, Amount::Date(date))));
        } else if let (Some(month), Some(day)) = (piece(at + 1), piece(at + 2))
            && dashed(value, month)
            && dashed(month, day)
            && let (Some(y), Some(m), Some(d)) = (plain(value), plain(month), plain(day))
            && (1900..2100).contains(&y)
            && (1..=12).contains(&m)
            && (1..=31).contains(&d)
        {
            let date = Date {
                year: u16::try_from(y).ok(),
                month: u8::try_from(m).unwrap_or(1),
                day: u8::try_from(d).ok(),
            };
            made = Some((at, at + 3, Value::new(value.first, day.last, Amount::Date(date))));
        }
        if let Some((from, to, value)) = made {
            found.splice(from..to, [value]);
            at = from + 1;
        } else {
            at += 1;
        }
    }
}
