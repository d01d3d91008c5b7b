//! The name of a place, as far as it is one in every language (`data/lists/place.txt`).

use crate::{
    lists::{PLACE_NOT_PLACES, PLACE_PARTICLES},
    tidy,
};

/// The proper name at the start of a place: what follows belongs to one language ("Stockholm, hybrid").
pub(crate) fn name(place: &str) -> Option<String> {
    let place = tidy(place);
    let name = place.split([',', ';', '(']).next()?.trim();
    let proper = |word: &str| {
        let letters =
            word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '-' | '\'' | '’' | '.'));
        let small = word.to_lowercase();
        letters
            && PLACE_NOT_PLACES.binary_search(&small.as_str()).is_err()
            && (word.starts_with(char::is_uppercase) || PLACE_PARTICLES.binary_search(&word).is_ok())
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
