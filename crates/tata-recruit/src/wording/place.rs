//! The name of a place, as far as it is one in every language (`places.yaml`).

use std::sync::OnceLock;

use serde::Deserialize;
use tata_core::{FileError, from_yaml};

use crate::tidy;

/// The file as people write it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lists {
    not_places: Vec<String>,
    particles: Vec<String>,
}

impl Lists {
    fn get() -> &'static Self {
        static LISTS: OnceLock<Lists> = OnceLock::new();
        // The file is read by a test, so it is never wrong here.
        LISTS.get_or_init(|| Self::read().unwrap_or_default())
    }

    fn read() -> Result<Self, FileError> {
        from_yaml("wording/places.yaml", include_str!("places.yaml"))
    }
}

/// The proper name at the start of a place: what follows belongs to one language ("Stockholm, hybrid").
pub(crate) fn name(place: &str) -> Option<String> {
    let lists = Lists::get();
    let place = tidy(place);
    let name = place.split([',', ';', '(']).next()?.trim();
    let known = |list: &[String], word: &str| list.iter().any(|cue| cue == word);
    let proper = |word: &str| {
        let letters =
            word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '-' | '\'' | '’' | '.'));
        let small = word.to_lowercase();
        letters
            && !known(&lists.not_places, &small)
            && (word.starts_with(char::is_uppercase) || known(&lists.particles, word))
    };
    let count = name.chars().count();
    let fine =
        name.starts_with(char::is_uppercase) && (2..=40).contains(&count) && name.split(' ').all(proper);
    fine.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_can_be_read() {
        Lists::read().unwrap_or_else(|error| panic!("{error}"));
    }

    #[test]
    fn only_the_name_of_a_place_travels() {
        let check = |place: &str, wanted: Option<&str>| {
            assert_eq!(name(place).as_deref(), wanted, "{place:?}");
        };
        check("Stockholm, hybrid two days a week", Some("Stockholm"));
        check("Frankfurt am Main", Some("Frankfurt am Main"));
        check("Mo i Rana", Some("Mo i Rana"));
        check("Malmö (with travel to Lund)", Some("Malmö"));
        check("Stockholm or Malmö", None);
        check("Stockholm/Malmö", None);
        check("Remote", None);
        check("our office in Kiel", None);
        check("", None);
    }
}
