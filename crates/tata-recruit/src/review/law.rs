//! The legal ground of a category, in the country of the ad's language.

use std::{collections::BTreeMap, sync::OnceLock};

use tata_core::{FileError, from_yaml};

use crate::{Language, book::Category};

type Laws = BTreeMap<Language, BTreeMap<Category, String>>;

/// The citation, where there is one.
pub(crate) fn ground(language: Language, category: Category) -> Option<&'static str> {
    static LAWS: OnceLock<Laws> = OnceLock::new();
    // The built-in file is read by a test, so it is never wrong here.
    let laws = LAWS.get_or_init(|| read().unwrap_or_default());
    laws.get(&language)?.get(&category).map(String::as_str)
}

fn read() -> Result<Laws, FileError> {
    from_yaml("data/law.yaml", include_str!("../../data/law.yaml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_names_a_law_for_what_the_law_protects() {
        let laws = read().unwrap_or_else(|error| panic!("{error}"));
        for language in Language::ALL {
            for category in [
                Category::Gender,
                Category::Age,
                Category::Disability,
                Category::Religion,
                Category::Orientation,
            ] {
                assert!(laws[&language].contains_key(&category), "{language:?} {category:?}");
            }
        }
    }
}
