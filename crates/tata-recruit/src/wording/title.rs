//! A position's title inside a sentence: Swedish, Danish and Norwegian write the names of jobs with a small letter.

use crate::{Language, lists::NORDIC_JOBS};

/// The title as it stands inside a sentence.
pub(crate) fn in_sentence(title: &str, language: Language) -> String {
    let nordic = matches!(language, Language::Sv | Language::Da | Language::No);
    let end = title.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(title.len());
    let (word, rest) = title.split_at(end);
    let mut letters = word.chars();
    let plain = letters.next().is_some_and(char::is_uppercase) && end > 1 && letters.all(char::is_lowercase);
    if !nordic || !plain {
        return title.to_owned();
    }
    // "Linux-tekniker": what stands before the hyphen is a name, unless it is an ordinary word.
    let name = rest.starts_with('-') && crate::skills::is_name(word);
    let other_capitals = rest.split_whitespace().any(|word| {
        let mut letters = word.trim_start_matches(['(', '/', '-']).chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
    });
    let job = NORDIC_JOBS.iter().any(|end| word.to_lowercase().ends_with(end));
    // "Key Account Manager" is a name in English words; "Projektledare Fiber" is a project manager for fiber.
    if name || (other_capitals && !job) { title.to_owned() } else { format!("{}{rest}", word.to_lowercase()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_the_north_are_small_inside_a_sentence() {
        let check = |language: Language, title: &str, wanted: &str| {
            assert_eq!(in_sentence(title, language), wanted, "{title:?}");
        };
        check(Language::Sv, "Projektledare", "projektledare");
        check(Language::Sv, "Nätverkstekniker", "nätverkstekniker");
        check(Language::Sv, "Strategisk inköpare", "strategisk inköpare");
        check(Language::Sv, "Teamledare Kundservice", "teamledare Kundservice");
        check(Language::Sv, "SAP-konsult", "SAP-konsult");
        check(Language::Sv, "IT-tekniker", "IT-tekniker");
        check(Language::Sv, "Linux-tekniker", "Linux-tekniker");
        check(Language::Sv, "HR Business Partner", "HR Business Partner");
        check(Language::Sv, "Key Account Manager", "Key Account Manager");
        check(Language::Da, "Fibertekniker", "fibertekniker");
        check(Language::Da, "Økonomicontroller", "økonomicontroller");
        check(Language::Da, "Key account manager, offentlig sektor", "key account manager, offentlig sektor");
        check(Language::Da, "Data Engineer", "Data Engineer");
        check(Language::No, "Innkjøper", "innkjøper");
        check(Language::No, "HR-rådgiver", "HR-rådgiver");
        check(Language::No, "Prosjektleder utbygging", "prosjektleder utbygging");
        check(Language::En, "Project Manager", "Project Manager");
        check(Language::De, "Projektleiter", "Projektleiter");
        check(Language::Sv, "", "");
    }
}
