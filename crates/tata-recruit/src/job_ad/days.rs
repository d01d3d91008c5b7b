//! The days of a profile, by what an ad does with them: when the work begins, and until when people apply.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use tata_guided::answer::dates_in;
use tata_phrases::whole_words;

use super::{compose::spoken, cross_check::cues};
use crate::{Evidence, Item, Language, Profile};

/// The days of a profile.
#[derive(Debug, Default)]
pub(super) struct Days {
    /// The last day to apply.
    pub(super) apply_by: Option<(Date, Evidence)>,
    /// When the work begins, in the words in which it was said.
    pub(super) starts: Vec<Item>,
    /// What may be of no concern to candidates.
    pub(super) others: Vec<Item>,
}

impl Days {
    /// Reads them as somebody would on this day.
    pub(super) fn of(profile: &Profile, language: Language, now: Timestamp) -> Self {
        let (last, start) = (cues(key!("job_ad.cues.deadline")), cues(key!("job_ad.cues.start")));
        let mut days = Self::default();
        for item in spoken(&profile.dates) {
            let said = format!(" {} ", item.text.to_lowercase());
            let has = |cues: &[String]| cues.iter().any(|cue| whole_words(&said, cue).next().is_some());
            match (has(&last), has(&start)) {
                (true, false) if days.apply_by.is_none() => match only_day(&item.text, language, now) {
                    Some(date) => days.apply_by = Some((date, item.evidence.clone())),
                    None => days.others.push(item.clone()),
                },
                (false, true) => days.starts.push(item.clone()),
                _ => days.others.push(item.clone()),
            }
        }
        days
    }
}

/// The one day to come that a line names.
fn only_day(line: &str, language: Language, now: Timestamp) -> Option<Date> {
    let today = now.to_zoned(TimeZone::UTC).date();
    let mut dates = dates_in(line, today, language);
    dates.retain(|date| *date >= today);
    dates.dedup();
    dates.pop().filter(|_| dates.is_empty())
}
