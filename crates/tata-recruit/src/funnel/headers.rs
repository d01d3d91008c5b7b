//! What columns and rows of a pasted table are called (`data/funnel/headers.yaml`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::OnceLock,
};

use serde::Deserialize;
use tata_core::{FileError, from_yaml};
use unicode_normalization::UnicodeNormalization;

use super::stage::FunnelStage;

const FILE: &str = include_str!("../../data/funnel/headers.yaml");

/// What a column or a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    /// How many.
    Count(Counted),
    /// How long.
    Days(Timed),
    /// The column that names the stage of each row.
    StageColumn,
    /// The column with the counts.
    CountColumn,
    /// The column with the days.
    DaysColumn,
    /// Something about a person.
    Personal,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Counted {
    /// Those who reached a stage.
    Stage(FunnelStage),
    /// Offers that were declined.
    Rejected,
    /// LinkedIn: messages that were accepted.
    Accepted,
    /// LinkedIn: messages that were declined.
    Declined,
}

/// What takes days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Timed {
    /// A stage.
    Stage(FunnelStage),
    /// Filling the position.
    ToFill,
}

/// The file, as people write it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    stages: BTreeMap<FunnelStage, Vec<String>>,
    rejected: Vec<String>,
    linkedin_accepted: Vec<String>,
    linkedin_declined: Vec<String>,
    time_to_fill: Vec<String>,
    stage_column: Vec<String>,
    count_column: Vec<String>,
    days_column: Vec<String>,
    total_row: Vec<String>,
    personal: Vec<String>,
    day_words: Vec<String>,
    filler_words: Vec<String>,
    empty: Vec<String>,
}

/// The names, ready to be looked up.
#[derive(Debug, Default)]
pub(super) struct Headers {
    names: BTreeMap<String, Meaning>,
    totals: BTreeSet<String>,
    day_words: BTreeSet<String>,
    fillers: BTreeSet<String>,
    empty: BTreeSet<String>,
}

impl Headers {
    /// The names in the file.
    pub(super) fn get() -> &'static Self {
        static HEADERS: OnceLock<Headers> = OnceLock::new();
        // The built-in file is read by a test, so it is never wrong here.
        HEADERS.get_or_init(|| Self::read().map(|(headers, _)| headers).unwrap_or_default())
    }

    /// Reads the file; names with two meanings come second.
    fn read() -> Result<(Self, Vec<String>), FileError> {
        let file: File = from_yaml("data/funnel/headers.yaml", FILE)?;
        let mut headers = Self::default();
        let mut twice = Vec::new();
        let mut take = |names: &[String], meaning| {
            for name in names {
                if headers.names.insert(folded(name), meaning).is_some_and(|known| known != meaning) {
                    twice.push(name.clone());
                }
            }
        };
        for (stage, names) in &file.stages {
            take(names, Meaning::Count(Counted::Stage(*stage)));
            take(&[stage.name().to_owned()], Meaning::Count(Counted::Stage(*stage)));
        }
        take(&file.rejected, Meaning::Count(Counted::Rejected));
        take(&file.linkedin_accepted, Meaning::Count(Counted::Accepted));
        take(&file.linkedin_declined, Meaning::Count(Counted::Declined));
        take(&file.time_to_fill, Meaning::Days(Timed::ToFill));
        take(&file.stage_column, Meaning::StageColumn);
        take(&file.count_column, Meaning::CountColumn);
        take(&file.days_column, Meaning::DaysColumn);
        take(&file.personal, Meaning::Personal);
        let set = |names: Vec<String>| names.iter().map(|name| folded(name)).collect();
        headers.totals = set(file.total_row);
        headers.day_words = set(file.day_words);
        headers.fillers = set(file.filler_words);
        headers.empty = file.empty.into_iter().collect();
        Ok((headers, twice))
    }

    /// What a name means.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        let name = folded(name);
        if let Some(meaning) = self.names.get(&name) {
            return Some(*meaning);
        }
        if !name.split(' ').any(|word| self.day_words.contains(word)) {
            return None;
        }
        let rest: Vec<&str> = name
            .split(' ')
            .filter(|word| !self.day_words.contains(*word) && !self.fillers.contains(*word))
            .collect();
        match self.names.get(&rest.join(" ")) {
            Some(Meaning::Count(Counted::Stage(stage))) => Some(Meaning::Days(Timed::Stage(*stage))),
            Some(_) | None => None,
        }
    }

    /// Whether a row adds up the others.
    pub(super) fn is_total(&self, name: &str) -> bool {
        self.totals.contains(&folded(name))
    }

    /// Whether a cell says that there is no number.
    pub(super) fn is_empty(&self, cell: &str) -> bool {
        self.empty.contains(cell.trim().to_lowercase().as_str())
    }
}

/// A name without letter case, punctuation and blanks that differ. Long ones are no names.
fn folded(name: &str) -> String {
    let plain: String = name.chars().take(80).nfc().flat_map(char::to_lowercase).collect();
    let words: Vec<&str> =
        plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{FunnelStage as Stage, *};

    #[test]
    fn the_file_can_be_read_and_no_name_has_two_meanings() {
        let (headers, twice) = Headers::read().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(twice, Vec::<String>::new());
        for stage in Stage::ALL {
            assert_eq!(headers.meaning(stage.name()), Some(Meaning::Count(Counted::Stage(stage))));
        }
    }

    #[test]
    fn names_are_found_in_five_languages() {
        let check = |name: &str, meaning| assert_eq!(Headers::get().meaning(name), meaning, "{name:?}");
        let stage = |stage| Some(Meaning::Count(Counted::Stage(stage)));
        check("Job-Ad Views", stage(Stage::JobAdViews));
        check("ANSÖKNINGAR", stage(Stage::ApplicationsReceived));
        check("Anso\u{308}kningar", stage(Stage::ApplicationsReceived));
        check("modtagne ansøgninger", stage(Stage::ApplicationsReceived));
        check("Søknader", stage(Stage::ApplicationsReceived));
        check("Bewerbungen:", stage(Stage::ApplicationsReceived));
        check("Days in screening", Some(Meaning::Days(Timed::Stage(Stage::TaScreenings))));
        check("Dagar i erbjudande", Some(Meaning::Days(Timed::Stage(Stage::OffersMade))));
        check("Tage (Fachgespräche)", Some(Meaning::Days(Timed::Stage(Stage::HmInterviews))));
        check("Accepted", Some(Meaning::Count(Counted::Accepted)));
        check("Offers accepted", stage(Stage::OffersAccepted));
        check("E-Mail", Some(Meaning::Personal));
        check("Horoscope", None);
        check("", None);
    }
}
