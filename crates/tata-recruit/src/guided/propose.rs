//! What a message may mean for a field whose answer cannot be told for certain: shown as a proposal, never taken unasked.

use jiff::civil::Date;
use tata_core::FieldKind;
use tata_guided::answer::{Context, names_ad, unmistakable};

use crate::{
    Kind, Language, Texts,
    lists::{TITLE_ARTICLES, TITLE_ENDS},
};

/// A name that a message mentions: two or three words with a capital in the middle of a sentence; none if there are two.
pub(super) fn name(message: &str) -> Option<String> {
    let mut runs: Vec<Vec<&str>> = Vec::new();
    let mut run: Vec<&str> = Vec::new();
    let mut fresh = true; // the first word of a sentence has a capital whatever it is
    for raw in message.split_whitespace() {
        let word =
            raw.trim_matches(|letter: char| !letter.is_alphanumeric() && letter != '-' && letter != '\'');
        let capital = word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().skip(1).any(char::is_lowercase)
            && word.chars().all(|letter| letter.is_alphabetic() || matches!(letter, '-' | '\''));
        if capital && !fresh {
            run.push(word);
        } else {
            runs.push(std::mem::take(&mut run));
        }
        if raw.ends_with([',', '.', ':', ';', '!', '?']) {
            runs.push(std::mem::take(&mut run));
        }
        fresh = raw.ends_with(['.', ':', '!', '?']);
    }
    runs.push(run);
    let mut names = runs.into_iter().filter(|run| (2..=3).contains(&run.len()));
    names.next().filter(|_| names.next().is_none()).map(|run| run.join(" "))
}

/// A position that a message mentions: what follows the last article, up to a comma or a small word.
pub(super) fn position(message: &str, language: Language, texts: &Texts) -> Option<String> {
    let words: Vec<&str> = message.split_whitespace().collect();
    let article = words.iter().rposition(|word| TITLE_ARTICLES.contains(&word.to_lowercase().as_str()))?;
    let mut title: Vec<&str> = Vec::new();
    for raw in words.get(article + 1..)?.iter().take(MOST_WORDS) {
        let word = raw.trim_end_matches([',', '.', ':', ';', '!', '?']);
        if TITLE_ENDS.contains(&word.to_lowercase().as_str()) {
            break;
        }
        title.push(word);
        if word.len() < raw.len() {
            break;
        }
    }
    let fits = !title.is_empty() && title.iter().all(|word| word.chars().any(char::is_alphabetic));
    // "En time" lasts an hour and hires nobody.
    let said = words.get(article..article + 1 + title.len())?.join(" ");
    let length = unmistakable(FieldKind::Duration, &said, &Context::new(language, Date::ZERO)).is_some();
    let document = is_document(&title, texts) || names_ad(&title.join(" "));
    (fits && !length && !document).then(|| title.join(" "))
}

/// Whether these words are the name of a document, or a part of it: "a requirement profile" is asked for, not hired.
fn is_document(title: &[&str], texts: &Texts) -> bool {
    Kind::SERVICES.iter().any(|kind| {
        let name = kind.display(texts).to_lowercase();
        let names: Vec<&str> = name.split_whitespace().collect();
        title.iter().all(|word| names.contains(&word.to_lowercase().as_str()))
    })
}

/// A title has no more words.
const MOST_WORDS: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GermanForm, Voice};

    fn texts(language: Language) -> &'static Texts {
        Texts::of(Voice::new(language, GermanForm::default()))
    }

    #[test]
    fn names_and_positions_are_proposed() {
        assert_eq!(name("Invite Robin Lund to a case interview in Oslo").as_deref(), Some("Robin Lund"));
        assert_eq!(name("Invite Robin Lund and Kim Dahl"), None);
        assert_eq!(name("write the ad"), None);
        assert_eq!(position("Please write a requirement profile", Language::En, texts(Language::En)), None);
        assert_eq!(position("Bitte ein Anforderungsprofil", Language::De, texts(Language::De)), None);
        assert_eq!(
            position("We are hiring a network engineer in Stockholm", Language::En, texts(Language::En))
                .as_deref(),
            Some("network engineer")
        );
        assert_eq!(
            position("Vi söker en lönespecialist, gärna snart", Language::Sv, texts(Language::Sv)).as_deref(),
            Some("lönespecialist")
        );
        assert_eq!(position("hello", Language::En, texts(Language::En)), None);
        assert_eq!(position("Inviter Kim, det varer en time", Language::No, texts(Language::No)), None);
    }
}
