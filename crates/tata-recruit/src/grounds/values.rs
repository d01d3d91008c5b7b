//! Numbers, days and times that people named, in whatever way.

use jiff::{civil::Date, tz::TimeZone};
use tata_core::Material;
use tata_language::{Amount, Detected, Language, detect, tokens, values};

use super::search::{Place, Search};
use tata_guided::answer::{dates_in, lengths_in, times_in};

use crate::office::OFFICE_ZONE;

impl Search<'_> {
    /// Where a number was named, in digits or in words.
    pub(super) fn number(&self, number: f64) -> Vec<Place> {
        let Some(wanted) = hundredths(number) else { return Vec::new() };
        let mut materials = self.materials.iter().rev();
        materials.find_map(|material| number_in(material, wanted)).into_iter().collect()
    }

    /// Where a length in minutes was named.
    pub(super) fn minutes(&self, minutes: f64) -> Vec<Place> {
        let found = self.number(minutes);
        if !found.is_empty() {
            return found;
        }
        self.in_a_line(|line, language, _| {
            lengths_in(line, language).into_iter().any(|length| is_long(length, minutes))
        })
    }

    /// Where a day was named. A day of no known form is looked for as it is written.
    pub(super) fn day(&self, text: &str) -> Vec<Place> {
        let Ok(date) = text.trim().parse::<Date>() else {
            return self.said(text).map(|given| given.places).unwrap_or_default();
        };
        let zone = TimeZone::get(OFFICE_ZONE).unwrap_or(TimeZone::UTC);
        let now = self.now.to_zoned(zone.clone()).date();
        self.in_a_line(|line, language, material| {
            // "Thursday" is counted from the day on which it was said.
            let said_on = material.at().to_zoned(zone.clone()).date();
            [said_on, now].into_iter().any(|today| dates_in(line, today, language).contains(&date))
        })
    }

    /// Where a time of day was named.
    pub(super) fn time(&self, text: &str) -> Vec<Place> {
        if let Some(given) = self.said(text) {
            return given.places;
        }
        let wanted = times_in(text, Language::En);
        self.in_a_line(|line, language, _| {
            times_in(line, language).into_iter().any(|time| wanted.contains(&time))
        })
    }

    /// The newest line of which this is true in any language.
    fn in_a_line(&self, holds: impl Fn(&str, Language, &Material) -> bool) -> Vec<Place> {
        for material in self.materials.iter().rev() {
            let mut start = 0;
            for line in material.text().split_inclusive('\n') {
                let length = line.chars().count();
                if Language::ALL.into_iter().any(|language| holds(line, language, material)) {
                    let words = line.trim_end().chars().count();
                    return vec![Place { material: material.id(), start, end: start + words }];
                }
                start += length;
            }
        }
        Vec::new()
    }
}

fn is_long(length: tata_guided::answer::Duration, minutes: f64) -> bool {
    let days = f64::from(length.days) * 24.0 * 60.0;
    length.months == 0 && (f64::from(length.minutes) + days - minutes).abs() < 0.5
}

fn number_in(material: &Material, wanted: u64) -> Option<Place> {
    let tokens = tokens(material.text());
    // Digits are the same in all languages; words are not: "to" is two in Danish, and nothing in English.
    let spoken = match detect(material.text(), &tokens) {
        Detected::Known(language) => vec![language],
        Detected::Unsure | Detected::Foreign => Language::ALL.to_vec(),
    };
    spoken.into_iter().find_map(|language| {
        let all = values(language, &tokens);
        let found = all.iter().find(|value| match value.amount {
            // "45–52 000": the first end of a range leaves its thousands to the second.
            Amount::Number(number, _) => {
                number == wanted || value.range && number.checked_mul(1_000) == Some(wanted)
            }
            Amount::Date(_) => false,
        })?;
        let (first, last) = (tokens.get(found.first)?, tokens.get(found.last)?);
        Some(Place { material: material.id(), start: first.span.start, end: last.span.end })
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be positive and below 2^52"
)]
fn hundredths(number: f64) -> Option<u64> {
    let hundredths = (number * 100.0).round();
    (0.0..4e15).contains(&hundredths).then_some(hundredths as u64)
}
