//! The legal ground of a category, in the country of the ad's language.

use tata_language::book::Category;

use crate::{Language, lists::LAW};

/// The citation, where there is one.
pub(crate) fn ground(language: Language, category: Category) -> Option<&'static str> {
    let laws = LAW[language as usize];
    laws.iter().find(|(name, _)| *name == category.name()).map(|(_, citation)| *citation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_country_names_a_law_for_what_the_law_protects() {
        for language in Language::ALL {
            for category in [
                Category::Gender,
                Category::Age,
                Category::Disability,
                Category::Religion,
                Category::Orientation,
            ] {
                assert!(ground(language, category).is_some(), "{language:?} {category:?}");
            }
            let known = |name: &str| Category::ALL.iter().any(|category| category.name() == name);
            assert!(LAW[language as usize].iter().all(|(name, _)| known(name)), "{language:?}");
        }
    }
}
