//! Whether other words surely fit into their sentence. Where code cannot be sure, the recruiter sees how the sentence
//! would read and chooses.

use tata_language::identify::is_frequent;
use tata_phrases::{Case, Word, spelled};

use crate::{
    Language,
    clip::clipped,
    lists::{REVISE_ARTICLES, REVISE_CONJUNCTIONS},
};

/// How many words before a place may be an article that belongs to it: "en sød og smilende …".
const ARTICLE_REACH: usize = 3;
/// How many characters of a sentence are shown on each side of what changes.
const SHOWN: usize = 60;

/// Whether a text surely reads on with other words in a place, given by its bytes.
pub(super) fn fits(original: &str, bytes: (usize, usize), new: &str, language: Language) -> bool {
    let Some([before, old, after]) = parts(original, bytes) else { return false };
    let (before, old, new, after) = (spelled(before), spelled(old), spelled(new), spelled(after));
    // A point of a list, a heading.
    if before.is_empty() && after.is_empty() {
        return true;
    }
    let (Some(head), Some(first), false) = (new.last(), new.first(), old.is_empty()) else { return false };
    if language == Language::En && !article_fits(&before, &old, first) {
        return false;
    }
    // A mark behind the word: "Verkäufer (m/w/d)". Words left out before the noun: "ungt team", "team".
    if begins(&new, &old) || is_end(&before, &old, &new) {
        return true;
    }
    let ([old], [_]) = (old.as_slice(), new.as_slice()) else { return false };
    match language {
        Language::En => {
            // "He reports" is not "they reports".
            let verb = after.first().is_some_and(|next| next.text.ends_with('s'));
            old.text.ends_with('s') == head.text.ends_with('s') && !(head.text == "they" && verb)
        }
        // German words change with their place; so do the others behind an article or with another ending.
        Language::De => false,
        Language::Sv | Language::Da | Language::No => {
            let article = |word: &Word<'_>| REVISE_ARTICLES.binary_search(&&*word.text).is_ok();
            old.text.chars().last() == head.text.chars().last()
                && !before.iter().rev().take(ARTICLE_REACH).any(article)
        }
    }
}

/// Whether words begin with others.
fn begins(words: &[Word<'_>], with: &[Word<'_>]) -> bool {
    words.len() >= with.len() && words.iter().zip(with).all(|(one, other)| one.text == other.text)
}

/// Whether words end with others, and what is left out only told of what sort these are: "young and dynamic team", but
/// not "graduate of a university", and not what an "and" before them is about.
fn is_end(before: &[Word<'_>], old: &[Word<'_>], new: &[Word<'_>]) -> bool {
    let Some((left_out, rest)) = old.len().checked_sub(new.len()).and_then(|at| old.split_at_checked(at))
    else {
        return false;
    };
    let joins = |word: &Word<'_>| REVISE_CONJUNCTIONS.binary_search(&&*word.text).is_ok();
    let tells = |word: &Word<'_>| joins(word) || !is_frequent(&word.text);
    begins(rest, new) && left_out.iter().all(tells) && !before.last().is_some_and(joins)
}

/// Whether "a" or "an" before a place may stay.
fn article_fits(before: &[Word<'_>], old: &[Word<'_>], new: &Word<'_>) -> bool {
    let vowel = |word: &Word<'_>| word.text.starts_with(['a', 'e', 'i', 'o', 'u']);
    let article = before.last().is_some_and(|word| matches!(&*word.text, "a" | "an"));
    !article || old.first().is_some_and(|old| vowel(old) == vowel(new) && new.case != Case::Upper)
}

/// How a sentence would read with other words in a place.
pub(super) fn reads(original: &str, bytes: (usize, usize), new: &str) -> String {
    let Some([before, old, after]) = parts(original, bytes) else { return new.to_owned() };
    let before = before
        .rsplit_once(". ")
        .map_or(before, |(_, sentence)| sentence)
        .trim_start_matches(['#', '*', '-', ' ']);
    let after = after.split_inclusive(". ").next().unwrap_or_default().trim_end();
    let from = before.chars().count().saturating_sub(SHOWN);
    let cut = before.char_indices().nth(from).and_then(|(at, _)| before.get(at..)).unwrap_or_default();
    let cut = if from == 0 { cut } else { cut.split_once(' ').map_or(cut, |(_, rest)| rest) };
    let dots = if from == 0 { "" } else { "…" };
    format!("{dots}{cut}{}{}", in_case_of(old, new), clipped(after, SHOWN))
}

/// What stands in the line before a place, in it, and after it.
fn parts(original: &str, (start, end): (usize, usize)) -> Option<[&str; 3]> {
    let (before, old, after) = (original.get(..start)?, original.get(start..end)?, original.get(end..)?);
    Some([before.rsplit('\n').next()?, old, after.split('\n').next()?])
}

/// A capital where there was one: the beginning of a sentence stays one.
pub(super) fn in_case_of(old: &str, new: &str) -> String {
    let mut letters = new.chars();
    match (old.chars().next(), letters.next()) {
        (Some(old), Some(first)) if old.is_uppercase() => first.to_uppercase().chain(letters).collect(),
        _ => new.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(text: &str, old: &str) -> (usize, usize) {
        let start = text.find(old).unwrap();
        (start, start + old.len())
    }

    #[test]
    fn only_what_surely_fits_goes_without_a_look() {
        let check = |language: Language, text: &str, old: &str, new: &str, expected: bool| {
            assert_eq!(fits(text, place(text, old), new, language), expected, "{text:?}: {new:?}");
        };
        check(Language::En, "We are a young team in Oslo.", "young team", "team", true);
        check(Language::En, "We look for a salesman.", "salesman", "salesperson", true);
        check(Language::En, "An energetic team.", "energetic team", "team", false);
        check(Language::En, "He will report to Kim.", "He", "they", true);
        check(Language::En, "He reports to Kim.", "He", "they", false);
        check(Language::En, "We want guys who sell.", "guys", "team", false);
        check(Language::En, "- Native Swedish", "Native Swedish", "fluent in Swedish", true);
        check(Language::No, "Vi er en ung gjeng med tempo.", "ung gjeng", "team", false);
        check(Language::Da, "Vi er et ungt team.", "ungt team", "team", true);
        check(
            Language::Da,
            "En sød og smilende receptionist.",
            "smilende receptionist",
            "kontormedarbejder",
            false,
        );
        check(Language::Da, "Vi har brug for en rask kontordame.", "kontordame", "kontorkraftdame", false);
        check(Language::Sv, "Du har inga småbarn som hindrar dig.", "inga småbarn", "person", false);
        check(Language::Sv, "- svensk medborgare", "svensk medborgare", "rätt att arbeta i Sverige", true);
        check(Language::De, "Wir suchen Verkäufer für Kiel.", "Verkäufer", "Verkäufer (m/w/d)", true);
        check(Language::En, "Sell more 🚀 with us.", "🚀", "soon", false);
        check(Language::De, "Unsere Mädels im Büro helfen.", "Mädels", "Team", false);
    }

    #[test]
    fn a_sentence_is_shown_as_it_would_read() {
        let text = "# Jobb\nFörst detta. Du har inga småbarn som hindrar dig. Sist detta.";
        assert_eq!(reads(text, place(text, "inga småbarn"), "frihet"), "Du har frihet som hindrar dig.");
        let long = format!("{}young team{}", "word ".repeat(30), " word".repeat(30));
        let shown = reads(&long, place(&long, "young team"), "team");
        assert!(shown.starts_with('…') && shown.ends_with('…') && shown.contains(" team "), "{shown}");
    }
}
