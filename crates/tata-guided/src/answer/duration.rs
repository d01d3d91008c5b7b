//! Lengths of time: "45 min", "1 h 15", "halvannan timme", "three months". The whole answer must be one.

use std::fmt;

use serde::{Deserialize, Serialize};
use tata_language::Language;

use super::{
    Problem, Read,
    numbers::decimal,
    pieces::pieces,
    words::{Cursor, Sense, among},
};

/// No length has more of any unit.
const MOST: u64 = 10_000;

/// A bare number from here on is minutes; a smaller one may be hours.
const MINUTES: u64 = 15;

/// A length of time, as it was said: three months are not ninety days.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Duration {
    /// Years and months.
    pub months: u32,
    /// Weeks and days.
    pub days: u32,
    /// Hours and minutes.
    pub minutes: u32,
}

impl Duration {
    /// So many minutes.
    pub fn minutes(minutes: u32) -> Self {
        Self { minutes, ..Self::default() }
    }
}

impl fmt::Display for Duration {
    /// In a form that every language reads: `2 mo 10 d 1 h 15 min`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts =
            [(self.months, "mo"), (self.days, "d"), (self.minutes / 60, "h"), (self.minutes % 60, "min")];
        let nothing = parts.iter().all(|(count, _)| *count == 0);
        let shown: Vec<String> = parts
            .iter()
            .filter(|(count, unit)| *count > 0 || (nothing && *unit == "min"))
            .map(|(count, unit)| format!("{count} {unit}"))
            .collect();
        f.write_str(&shown.join(" "))
    }
}

/// Reads a length of time.
pub(super) fn read(text: &str, language: Language) -> Result<Read<Duration>, Problem> {
    let pieces = pieces(text);
    let mut cursor = Cursor::new(language, &pieces);
    if let Some(minutes) = cursor.take(among([(Sense::HalfHour, 30), (Sense::HourAndHalf, 90)])) {
        cursor.fillers();
        return if cursor.done() {
            Ok(Read::Certain(Duration::minutes(minutes)))
        } else {
            Err(Problem::NotADuration)
        };
    }
    let mut found = Duration::default();
    let mut parts = 0;
    while let Some(number) = cursor.attempt(decimal) {
        let unit = cursor.take(among(UNITS));
        cursor.mark('.');
        let Some(unit) = unit else {
            // "1 h 15", or a number alone.
            let alone = number % 100 == 0 && cursor.done();
            let minutes = u32::try_from(number / 100).ok().filter(|minutes| u64::from(*minutes) <= MOST);
            let minutes = minutes.filter(|_| alone).ok_or(Problem::NotADuration)?;
            if parts == 0 {
                return Ok(bare(minutes));
            }
            let hours = found.minutes >= 60 && found.minutes % 60 == 0 && minutes < 60;
            found.minutes += if hours { minutes } else { return Err(Problem::NotADuration) };
            return Ok(Read::Certain(found));
        };
        add(&mut found, number, unit).ok_or(Problem::NotADuration)?;
        parts += 1;
        cursor.mark(',');
        cursor.eat(Sense::And);
    }
    while cursor.eat(Sense::Filler) {}
    if parts == 0 || !cursor.done() {
        return Err(Problem::NotADuration);
    }
    Ok(Read::Certain(found))
}

fn bare(number: u32) -> Read<Duration> {
    if u64::from(number) >= MINUTES {
        return Read::Certain(Duration::minutes(number));
    }
    Read::Choose(vec![Duration::minutes(number * 60), Duration::minutes(number)])
}

const UNITS: [(Sense, Duration); 6] = [
    (Sense::Minutes, Duration { months: 0, days: 0, minutes: 1 }),
    (Sense::Hours, Duration { months: 0, days: 0, minutes: 60 }),
    (Sense::Days, Duration { months: 0, days: 1, minutes: 0 }),
    (Sense::Weeks, Duration { months: 0, days: 7, minutes: 0 }),
    (Sense::Months, Duration { months: 1, days: 0, minutes: 0 }),
    (Sense::Years, Duration { months: 12, days: 0, minutes: 0 }),
];

/// Adds so many hundredths of a unit; none if they are no whole minutes, days or months.
fn add(found: &mut Duration, number: u64, unit: Duration) -> Option<()> {
    if number / 100 > MOST {
        return None;
    }
    let Duration { months, days, minutes } = found;
    for (part, each) in [(months, unit.months), (days, unit.days), (minutes, unit.minutes)] {
        let total = number * u64::from(each);
        let whole = u32::try_from(total / 100).ok().filter(|_| total.is_multiple_of(100))?;
        *part = part.checked_add(whole)?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read_as_people_type_them() {
        use Language::{Da, De, En, No, Sv};
        let cases: &[(Language, &str, &[&str])] = &[
            (En, "one hour", &["1 h"]),
            (En, "an hour and a half", &["1 h 30 min"]),
            (En, "1.5 hours", &["1 h 30 min"]),
            (En, "45 min", &["45 min"]),
            (En, "1h 15m", &["1 h 15 min"]),
            (En, "1 hour and 15 minutes", &["1 h 15 min"]),
            (En, "1 h 15", &["1 h 15 min"]),
            (En, "90", &["1 h 30 min"]),
            (En, "2", &["2 h", "2 min"]),
            (Sv, "en halvtimme", &["30 min"]),
            (Sv, "halvannan timme", &["1 h 30 min"]),
            (Sv, "tre månader", &["3 mo"]),
            (Da, "fjorten dage", &["14 d"]),
            (No, "to uker", &["14 d"]),
            (De, "eineinhalb Stunden", &["1 h 30 min"]),
            (De, "anderthalb Jahre", &["answer.not_a_duration"]),
            (De, "6 Wochen", &["42 d"]),
            (En, "at 2pm", &["answer.not_a_duration"]),
            (En, "about an hour or two", &["answer.not_a_duration"]),
            (En, "", &["answer.not_a_duration"]),
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
