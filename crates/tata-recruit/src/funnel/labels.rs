//! What rows and columns of a table are called (`data/funnel/labels.txt`).

use super::{
    fold::{key, words},
    target::Target,
};

mod names {
    include!(concat!(env!("OUT_DIR"), "/labels.rs"));
}

/// The shortest word that may be found inside a longer one.
const SHORTEST_PART: usize = 4;

/// What a name means, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// Certainly a figure of the funnel, or a column of it.
    Is(Target),
    /// Certainly a column that holds no figure of the funnel.
    Context,
    /// Certainly something about a person.
    Personal,
    /// It may mean this.
    Proposed(Target),
    /// Nobody knows.
    No,
}

impl Known {
    /// Whether the name means this and nothing else.
    pub(super) fn is_certain(self) -> bool {
        !matches!(self, Self::Proposed(_) | Self::No)
    }

    /// The figure that it certainly is.
    pub(super) fn figure(self) -> Option<Target> {
        match self {
            Self::Is(target) => Some(target).filter(|target| target.is_figure()),
            Self::Context | Self::Personal | Self::Proposed(_) | Self::No => None,
        }
    }
}

/// What a name means, as far as it is known.
pub(super) fn meaning(name: &str) -> Known {
    let known = listed(&key(name, is_filler));
    if known == Known::No { of_days(name) } else { known }
}

/// "Screening days", "dagar i screening": the days of a stage.
fn of_days(name: &str) -> Known {
    if !names_days(name) {
        return Known::No;
    }
    match listed(&key(name, |word| is_filler(word) || is_day(word))) {
        Known::Is(Target::Count(stage)) => Known::Is(Target::Days(stage)),
        Known::Proposed(Target::Count(stage)) => Known::Proposed(Target::Days(stage)),
        Known::Is(_) | Known::Proposed(_) | Known::Context | Known::Personal | Known::No => Known::No,
    }
}

fn listed(key: &str) -> Known {
    let found = names::NAMES.binary_search_by(|(own, _)| (*own).cmp(key)).ok();
    let Some((_, meaning)) = found.and_then(|at| names::NAMES.get(at)) else { return Known::No };
    match (meaning.strip_suffix('?'), *meaning) {
        (Some(proposed), _) => Target::find(proposed).map_or(Known::No, Known::Proposed),
        (None, "personal") => Known::Personal,
        (None, "context" | "part") => Known::Context,
        (None, name) => Target::find(name).map_or(Known::No, Known::Is),
    }
}

/// The figure that a name certainly is.
pub(super) fn figure(name: &str) -> Option<Target> {
    meaning(name).figure()
}

/// The figure that words most likely speak of: the longest known name whose words all stand in them. Where two are as
/// likely, none is proposed.
pub(super) fn nearest(name: &str) -> Option<Target> {
    if let Known::Proposed(target) = meaning(name) {
        return Some(target);
    }
    let said = words(name);
    let mut best: (usize, Option<Target>) = (0, None);
    for (key, meaning) in names::NAMES {
        let Some(target) = Target::find(meaning.trim_end_matches('?')).filter(|target| target.is_figure())
        else {
            continue;
        };
        let weight: Option<usize> = key.split(' ').map(|word| weight(word, &said)).sum();
        match weight.map(|weight| weight.cmp(&best.0)) {
            Some(std::cmp::Ordering::Greater) => best = (weight.unwrap_or(0), Some(target)),
            Some(std::cmp::Ordering::Equal) if best.1 != Some(target) => best.1 = None,
            Some(_) | None => {}
        }
    }
    let target = best.1?;
    let days = names_days(name);
    Some(if let (Target::Count(stage), true) = (target, days) { Target::Days(stage) } else { target })
}

/// How much of a known word was said; nothing where it was not.
fn weight(word: &str, said: &[String]) -> Option<usize> {
    let length = word.chars().count();
    if said.iter().any(|own| own == word) {
        return Some(length * 3);
    }
    let part = said.iter().any(|own| length >= SHORTEST_PART && own.contains(word));
    part.then_some(length * 2)
}

/// Whether a name speaks of days.
pub(super) fn names_days(name: &str) -> bool {
    words(name).iter().any(|word| is_day(word))
}

fn is_day(word: &str) -> bool {
    names::DAY_WORDS.binary_search(&word).is_ok()
}

fn is_filler(word: &str) -> bool {
    names::FILLERS.binary_search(&word).is_ok()
}

/// Whether a row adds up the others.
pub(super) fn is_total(name: &str) -> bool {
    names::TOTALS.binary_search(&key(name, is_filler).as_str()).is_ok()
}

/// Whether a name says itself that it is LinkedIn's.
pub(super) fn names_linkedin(name: &str) -> bool {
    words(name).iter().any(|word| word.starts_with("linkedin") || word.starts_with("inmail"))
}

/// Whether a cell in the row of a person says that a stage was reached: a mark, a yes, a day. Nothing where it says neither.
pub(super) fn mark(cell: &str) -> Option<bool> {
    let cell = cell.trim().to_lowercase();
    if names::MARK_YES.binary_search(&cell.as_str()).is_ok() || is_day_of_calendar(&cell) {
        return Some(true);
    }
    names::MARK_NO.binary_search(&cell.as_str()).is_ok().then_some(false)
}

/// "2026-10-02", "2.10.2026", "02/10-26", with or without a time behind it.
fn is_day_of_calendar(cell: &str) -> bool {
    let day = cell.split([' ', 't']).next().unwrap_or_default();
    let parts: Vec<&str> = day.split(['-', '.', '/']).filter(|part| !part.is_empty()).collect();
    parts.len() == 3
        && parts.iter().all(|part| part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether a cell says that there is no number.
pub(super) fn is_empty(cell: &str) -> bool {
    names::EMPTY.binary_search(&cell.trim().to_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::funnel::{
        stage::FunnelStage as Stage,
        target::{Column, Other},
    };

    #[test]
    fn names_are_found_in_five_languages_and_in_any_order() {
        let check = |name: &str, target| {
            assert_eq!(meaning(name), Known::Is(target), "{name:?}");
        };
        for stage in Stage::ALL {
            check(stage.name(), Target::Count(stage));
        }
        check("Job-Ad Views", Target::Count(Stage::JobAdViews));
        check("ANSÖKNINGAR", Target::Count(Stage::ApplicationsReceived));
        check("Anso\u{308}kningar", Target::Count(Stage::ApplicationsReceived));
        check("Antal inkomna ansökningar", Target::Count(Stage::ApplicationsReceived));
        check("modtagne ansøgninger", Target::Count(Stage::ApplicationsReceived));
        check("Søknader", Target::Count(Stage::ApplicationsReceived));
        check("Bewerbungen:", Target::Count(Stage::ApplicationsReceived));
        check("Visningar annons", Target::Count(Stage::JobAdViews));
        check("Uppfyller kraven", Target::Count(Stage::QualifiedApplications));
        check("Telefonscreening", Target::Count(Stage::TaScreenings));
        check("Intervju chef", Target::Count(Stage::HmInterviews));
        check("Intervju med chefen".replace("chefen", "chef").as_str(), Target::Count(Stage::HmInterviews));
        check("Days in screening", Target::Days(Stage::TaScreenings));
        check("Dagar i erbjudande", Target::Days(Stage::OffersMade));
        check("Tage (Fachgespräche)", Target::Days(Stage::HmInterviews));
        check("Accepted", Target::Other(Other::LinkedinAccepted));
        check("Offers accepted", Target::Count(Stage::OffersAccepted));
        check("Ø Verweildauer (Tage)", Target::Column(Column::Days));
        check("Dagar i snitt", Target::Column(Column::Days));
        assert_eq!(meaning("E-Mail"), Known::Personal);
        assert_eq!(meaning("davon aktiv"), Known::Context);
        assert_eq!(meaning("Vorauswahl"), Known::Proposed(Target::Count(Stage::QualifiedApplications)));
        assert_eq!(meaning("Horoscope"), Known::No);
        assert_eq!(meaning(""), Known::No);
    }

    #[test]
    fn the_nearest_name_is_only_a_proposal() {
        let check = |name: &str, target| assert_eq!(nearest(name), target, "{name:?}");
        check("Digital telefonscreening omgång 2", Some(Target::Count(Stage::TaScreenings)));
        check("210 clicks on apply", Some(Target::Count(Stage::ApplyClicks)));
        check("two did a case", Some(Target::Count(Stage::CaseInterviews)));
        check("Kaffe", None);
    }
}
