//! German titles and nouns for persons that mean men only, unless a form for all genders stands with them.

use serde::{Deserialize, Serialize};

use super::{findings::Place, reading::Reading};
use tata_phrases::{Case, Gap, Hit};

use crate::{
    Language,
    book::{Category, Noun, Severity, titles},
    lists::{GERMAN_FIRST_NAMES, PEOPLE_GERMAN},
    named,
};

named! {
    /// How German titles are marked for all genders.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TitleForm {
        /// Entwickler (m/w/d).
        #[default]
        Mwd = "mwd",
        /// Entwickler:in.
        Colon = "colon",
        /// Entwickler*in.
        Star = "star",
        /// Entwickler_in.
        Underscore = "underscore",
        /// Entwickler/-in.
        Slash = "slash",
        /// Entwickler(in).
        Brackets = "brackets",
        /// `EntwicklerIn`.
        InnerI = "inner_i",
        /// Entwicklerin oder Entwickler.
        Double = "double",
        /// Entwickler (gn).
        Gn = "gn",
    }
}

/// How far before its noun "mit" may stand: "mit zwei erfahrenen Fachberatern".
const WITH_WORDS: usize = 3;

/// The places of a text, in order.
pub(super) fn places(reading: &Reading<'_>, form: TitleForm) -> Vec<Place> {
    let mut places = incomplete(reading);
    for (at, word) in reading.words.iter().enumerate().filter(|(_, word)| word.case != Case::Lower) {
        let Some((noun, found)) = titles().noun_of(&word.text) else { continue };
        if is_first_part(reading, at) || is_english(reading, at) {
            continue;
        }
        if is_marked(reading, at) || is_paired(reading, at, noun) || is_somebody(reading, at, noun) {
            continue;
        }
        if titles().customers.contains(&noun.masculine) || is_company(reading, at, noun, found) {
            continue;
        }
        let written = reading.cut(word.start, word.end);
        let length = written.chars().count().saturating_sub(found.chars().count());
        let prefix: String = written.chars().take(length).collect();
        places.push(Place {
            rule: format!("german_title/{}", noun.masculine),
            category: Category::GermanTitle,
            severity: Severity::Medium,
            reason: "masculine_title",
            alternatives: alternatives(written, &prefix, noun, found, form),
            start: word.start,
            end: word.end,
        });
    }
    places
}

/// Whether a feminine title means everybody: "Verkäuferin (m/w/d)", `VerkäuferIn`.
pub(super) fn is_for_all(reading: &Reading<'_>, hit: Hit) -> bool {
    if reading.language != Language::De {
        return false;
    }
    let span = reading.span(hit.first, hit.last);
    let written = reading.cut(span.start, span.end);
    let inner =
        |ending: &str| written.strip_suffix(ending).is_some_and(|stem| stem.ends_with(char::is_lowercase));
    inner("In") || inner("Innen") || is_marked(reading, hit.last)
}

/// Whether a word is a title, in English or German.
pub(super) fn is_title(word: &str) -> bool {
    titles().english_words.binary_search(&word).is_ok() || titles().noun_of(word).is_some()
}

/// An English title, alone or as the last word of several.
fn is_english(reading: &Reading<'_>, at: usize) -> bool {
    let titles = titles();
    let Some(word) = reading.words.get(at) else { return false };
    let singular = word.text.strip_suffix('s').unwrap_or(&word.text);
    let listed = |list: &[&str], text: &str| list.binary_search(&text).is_ok();
    if listed(titles.english_words, &word.text) || listed(titles.english_words, singular) {
        return true;
    }
    let mut phrase = singular.to_owned();
    (1..=3).any(|back| {
        let Some(before) = at.checked_sub(back).and_then(|at| reading.words.get(at)) else { return false };
        phrase = format!("{} {phrase}", before.text);
        listed(titles.english_phrases, &phrase)
    })
}

/// "Entwickler-Team", "Kunden- und Lieferantenpflege": the noun is only a part of another word.
fn is_first_part(reading: &Reading<'_>, at: usize) -> bool {
    let Some(word) = reading.words.get(at) else { return false };
    let after = reading.cut(word.end, word.end + 2);
    let mut letters = after.chars();
    letters.next().is_some_and(|first| matches!(first, '-' | '\u{2010}' | '\u{2011}'))
        && letters.next().is_none_or(|next| next.is_alphabetic() || next.is_whitespace() || next == ',')
}

/// Whether a form for all genders stands right behind the word, or a sign soon after it.
fn is_marked(reading: &Reading<'_>, at: usize) -> bool {
    let titles = titles();
    let Some(word) = reading.words.get(at) else { return false };
    let after = reading.cut(word.end, word.end + 8).to_lowercase();
    let attached = titles.attached.iter().any(|marker| {
        let rest = after.strip_prefix(&marker.to_lowercase());
        rest.is_some_and(|rest| !rest.chars().next().is_some_and(char::is_alphanumeric))
    });
    if attached {
        return true;
    }
    let sentence = reading.sentences.get(reading.sentence_of(at)).map_or(at + 1, |sentence| sentence.end);
    let last = (at + titles.within_words).min(sentence.saturating_sub(1));
    let end = reading.words.get(last).map_or(word.end, |word| word.end);
    let behind = reading.cut(word.end, end + 2).to_lowercase();
    let behind = behind.split('\n').next().unwrap_or_default();
    titles.meant_for_all.iter().any(|words| behind.contains(words))
        || brackets(behind).any(|inside| {
            titles.complete.contains(&inside.as_str()) || titles.incomplete.contains(&inside.as_str())
        })
}

/// What stands in brackets, without blanks.
fn brackets(text: &str) -> impl Iterator<Item = String> {
    let inside = text.split(['(', '[']).skip(1).filter_map(|rest| rest.split([')', ']']).next());
    inside.map(|inside| {
        let plain = inside.trim();
        if plain.contains('/') { plain.replace(' ', "") } else { plain.to_owned() }
    })
}

/// "(m/w)" alone: there is a third option. The brackets themselves are the place.
fn incomplete(reading: &Reading<'_>) -> Vec<Place> {
    let mut places = Vec::new();
    let mut open = None;
    for (at, letter) in reading.text.chars().enumerate() {
        match letter {
            '(' => open = Some(at),
            ')' => {
                let Some(start) = open.take().filter(|start| at - start < 24) else { continue };
                let inside = brackets(&reading.cut(start, at + 1).to_lowercase()).next().unwrap_or_default();
                if titles().incomplete.contains(&inside.as_str()) {
                    places.push(Place {
                        rule: "german_title/two-options".to_owned(),
                        category: Category::GermanTitle,
                        severity: Severity::Medium,
                        reason: "incomplete_form",
                        alternatives: vec!["(m/w/d)".to_owned()],
                        start,
                        end: at + 1,
                    });
                }
            }
            _ => {}
        }
    }
    places
}

/// "Kundinnen und Kunden", "Entwickler oder Entwicklerin".
fn is_paired(reading: &Reading<'_>, at: usize, noun: &Noun) -> bool {
    let reach = titles().between_words + 1;
    (at.saturating_sub(reach)..=at + reach).filter(|near| *near != at).any(|near| {
        let Some(word) = reading.words.get(near) else { return false };
        let singular =
            word.text.strip_suffix("nen").or_else(|| word.text.strip_suffix("en")).unwrap_or(&word.text);
        word.text.ends_with(noun.feminine) || singular.ends_with(noun.feminine)
    })
}

/// People with whom the work is done, in a plural that nobody applies as: "mit zwei Fachberatern".
fn is_company(reading: &Reading<'_>, at: usize, noun: &Noun, found: &str) -> bool {
    // "Kollegen" is every case of its plural, and of its singular too.
    let is_dative = found
        .strip_suffix('n')
        .is_some_and(|plural| !noun.masculine.ends_with('e') && noun.forms.contains(&plural));
    let sentence = reading.sentences.get(reading.sentence_of(at)).map_or(0, |sentence| sentence.start);
    let before = reading.words.get(sentence.max(at.saturating_sub(WITH_WORDS))..at).unwrap_or_default();
    is_dative && before.iter().any(|word| word.text == "mit")
}

/// One man is meant, or it is his name: "Herr Berg, Leiter Vertrieb", "Frau Richter", "J. Schneider".
fn is_somebody(reading: &Reading<'_>, at: usize, noun: &Noun) -> bool {
    let word = |back: usize| at.checked_sub(back).and_then(|at| reading.words.get(at));
    let mister = (1..=4).filter_map(word).any(|word| matches!(&*word.text, "herr" | "herrn"));
    let named = word(1).is_some_and(|before| {
        let title = PEOPLE_GERMAN.contains(&&*before.text);
        let initial = before.text.chars().count() == 1 && before.case != Case::Lower;
        // A first name: a capital in the middle of a sentence that no noun of a person could be, and common enough to
        // stand before a family name that is a trade as well.
        let first_name = before.case == Case::Capital
            && before.gap <= Gap::Blank
            && reading.words.get(at).is_some_and(|word| word.gap == Gap::Blank)
            && reading.sentences.get(reading.sentence_of(at)).is_some_and(|sentence| at > sentence.start + 1)
            && GERMAN_FIRST_NAMES.binary_search(&&*before.text).is_ok();
        title || initial || first_name
    });
    mister || noun.surname && named
}

/// Better words: the neutral ones, and the wished form.
fn alternatives(written: &str, prefix: &str, noun: &Noun, found: &str, form: TitleForm) -> Vec<String> {
    let join = |ending: &str| {
        if prefix.is_empty() || prefix.ends_with('-') {
            format!("{prefix}{}", capital(ending))
        } else {
            format!("{prefix}{ending}")
        }
    };
    // A plural has another ending than the noun; a genitive only an s.
    let plural = found != noun.masculine && !found.ends_with('s');
    let feminine = join(&if plural && noun.feminine.ends_with("in") {
        format!("{}nen", noun.feminine)
    } else {
        noun.feminine.to_owned()
    });
    let stem = noun.feminine.strip_suffix("in");
    let short = |sign: &str, inner: &str, close: &str| match stem {
        Some(stem) => {
            let plural = if plural { "nen" } else { "" };
            format!("{}{sign}{inner}{plural}{close}", join(stem))
        }
        None => double(&feminine, written, plural),
    };
    let marked = match form {
        TitleForm::Mwd | TitleForm::Gn | TitleForm::Double if plural => double(&feminine, written, plural),
        TitleForm::Mwd => format!("{written} (m/w/d)"),
        TitleForm::Gn => format!("{written} (gn)"),
        TitleForm::Colon => short(":", "in", ""),
        TitleForm::Star => short("*", "in", ""),
        TitleForm::Underscore => short("_", "in", ""),
        TitleForm::Slash => short("/-", "in", ""),
        TitleForm::Brackets => short("(", "in", ")"),
        TitleForm::InnerI => short("", "In", ""),
        TitleForm::Double => double(&feminine, written, plural),
    };
    let whole = noun.neutral.iter().filter(|_| prefix.is_empty()).map(|text| (*text).to_owned());
    let end = noun.neutral_end.filter(|_| !prefix.is_empty() && !plural).map(join);
    std::iter::once(marked).chain(whole).chain(end).collect()
}

fn double(feminine: &str, masculine: &str, plural: bool) -> String {
    format!("{feminine} {} {masculine}", if plural { "und" } else { "oder" })
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<String> {
        let reading = Reading::new(text, Language::De);
        places(&reading, TitleForm::Mwd)
            .iter()
            .map(|place| reading.cut(place.start, place.end).to_owned())
            .collect()
    }

    #[test]
    fn masculine_titles_are_found_and_marked_ones_are_not() {
        let check = |text: &str, expected: &[&str]| assert_eq!(found(text), expected, "{text}");
        check("Wir suchen einen Softwareentwickler.", &["Softwareentwickler"]);
        check("Softwareentwickler (m/w/d) in Berlin", &[]);
        check("Softwareentwickler Backend Java (w/m/x)", &[]);
        check("Entwickler:in, Techniker*in, Berater_in, Verkäufer/-in, Leiter(in)", &[]);
        check("EntwicklerInnen und Entwicklerinnen", &[]);
        check("Kundinnen und Kunden", &[]);
        check("Account Manager (m/w)", &["(m/w)"]);
        check("Java-Entwickler und Entwickler-Team", &["Entwickler"]);
        check("Der Server, der Router und der Container", &[]);
        check("Kundenservice und Mitarbeiterzahl", &[]);
    }

    /// The law protects applicants: customers and people of another department cost an ad its score for titles.
    #[test]
    fn customers_and_colleagues_are_no_titles_of_applicants() {
        let check = |text: &str, expected: &[&str]| assert_eq!(found(text), expected, "{text}");
        check("Sie betreuen rund 60 Geschäftskunden und verlängern Verträge.", &[]);
        check("Sie gewinnen neue Kunden in Handel und Logistik.", &[]);
        check("Sie schreiben Angebote gemeinsam mit zwei Fachberatern aus der Technik.", &[]);
        check("Erfahrung mit Patienten und Mandanten", &[]);
        check("Wir suchen einen Fachberater.", &["Fachberater"]);
        check("Wir erwarten von Bewerbern Geduld.", &["Bewerbern"]);
        check("Wir suchen nach Entwicklern.", &["Entwicklern"]);
        check("Kundenberater gesucht", &["Kundenberater"]);
    }

    #[test]
    fn the_wished_form_is_proposed() {
        let check = |text: &str, form: TitleForm, expected: &str| {
            let reading = Reading::new(text, Language::De);
            let place = places(&reading, form).into_iter().next().unwrap();
            assert_eq!(place.alternatives.first().map(String::as_str), Some(expected), "{text}");
        };
        check("ein Entwickler", TitleForm::Mwd, "Entwickler (m/w/d)");
        check("ein Softwareentwickler", TitleForm::Colon, "Softwareentwickler:in");
        check("ein Softwareentwickler", TitleForm::Slash, "Softwareentwickler/-in");
        check("ein Softwareentwickler", TitleForm::Brackets, "Softwareentwickler(in)");
        check("ein Softwareentwickler", TitleForm::InnerI, "SoftwareentwicklerIn");
        check("ein Softwareentwickler", TitleForm::Double, "Softwareentwicklerin oder Softwareentwickler");
        check("unsere Kollegen", TitleForm::Star, "Kolleg*innen");
        check("unsere Kollegen", TitleForm::Mwd, "Kolleginnen und Kollegen");
        check("ein Kaufmann", TitleForm::Colon, "Kauffrau oder Kaufmann");
    }
}
