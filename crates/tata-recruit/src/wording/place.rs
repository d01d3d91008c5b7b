//! The name of a place, as far as it is one in every language (`data/lists/place.txt`).

use crate::{
    lists::{PLACE_NAMES, PLACE_NOT_PLACES, PLACE_PARTICLES},
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
    // "Sits in Malmö" is no name; the few towns with such a word are known.
    let proper = || name.split(' ').all(proper) || PLACE_NAMES.binary_search(&name).is_ok();
    let fine = name.starts_with(char::is_uppercase) && (2..=40).contains(&count) && proper();
    fine.then(|| name.to_owned())
}

/// Whether a place is told in a form that a sentence can take: a town, or a town and its district. Whatever else is
/// said stands in a list.
pub(crate) fn is_known(place: &str) -> bool {
    let place = tidy(place);
    let parts: Vec<&str> = place.split(", ").collect();
    parts.len() <= 2 && parts.iter().all(|part| name(part).as_deref() == Some(*part))
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
        for said in NOT_NAMES {
            check(said, None);
        }
    }

    /// What people say of where somebody works, in five languages.
    const NOT_NAMES: [&str; 16] = [
        "Sits in Malmö, 2-3 days a week in the office",
        "Based in Solna",
        "Man kör mest i Värmland",
        "Sitter i Solna, två dagar hemma",
        "Placerad i Gårda",
        "Oklart",
        "Sidder i Kolding",
        "Kører mest i Jylland",
        "Uklart",
        "Sitter på Fornebu",
        "Basert i Trondheim",
        "Kontoret tirsdag og torsdag",
        "Sitzt in Kiel",
        "Überall",
        "Büro in Düsseldorf",
        "Negotiable",
    ];

    #[test]
    fn a_sentence_takes_a_town_and_its_district_alone() {
        for known in ["Malmö", "Göteborg, Gårda", "Mo i Rana", "Frankfurt am Main, Höchst"] {
            assert!(is_known(known), "{known}");
        }
        for said in NOT_NAMES {
            assert!(!is_known(said), "{said}");
        }
        for said in ["Malmö, 2-3 days", "Malmö, hybrid", "Malmö (Hyllie)", "Malmö, Lund, Ystad", ""] {
            assert!(!is_known(said), "{said}");
        }
    }
}
