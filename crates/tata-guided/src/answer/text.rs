//! Names, lists, e-mail addresses and free text: what is not an answer never becomes content.

use tata_language::Language;

use super::{
    Problem, Read, is_doubt,
    words::{Sense, Words},
};

/// A text has no more characters.
pub(super) const TEXT: usize = 20_000;
/// A text that is brought has no more characters.
const MATERIAL: usize = 1_000_000;
/// And no fewer words, unless it has lines or labels.
const FEWEST_WORDS: usize = 12;
/// A name has no more characters.
const NAME: usize = 80;
/// A list has no more items.
const ITEMS: usize = 50;
/// An address has no more characters.
const ADDRESS: usize = 254;

/// Reads free text: everything but a question back, "I don't know" and a bare yes or no.
pub(super) fn text(text: &str, language: Language) -> Result<String, Problem> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    if text.chars().count() > TEXT {
        return Err(Problem::TooLong { limit: TEXT });
    }
    if is_doubt(text, language) {
        return Err(Problem::Doubt);
    }
    if [Sense::Yes, Sense::No].into_iter().any(|sense| Words::of(language).is_whole(text, sense)) {
        return Err(Problem::OnlyYesOrNo);
    }
    // A question in one line is asked of the program; several lines are material.
    if text.ends_with('?') && !text.contains('\n') {
        return Err(Problem::Question);
    }
    Ok(text.to_owned())
}

/// Reads a text that somebody brings: longer than a sentence about it.
pub(super) fn material(said: &str, language: Language) -> Result<String, Problem> {
    let said = said.trim();
    if said.chars().count() > MATERIAL {
        return Err(Problem::TooLong { limit: MATERIAL });
    }
    let long = said.contains(['\n', ':', ';']) || said.split_whitespace().count() >= FEWEST_WORDS;
    if long { Ok(said.to_owned()) } else { text(said, language).and(Err(Problem::NoMaterial)) }
}

/// Reads the name of a person. In small letters it is shown back before it counts.
pub(super) fn name(said: &str, language: Language) -> Result<Read<String>, Problem> {
    let said = text(said, language)?;
    if said.chars().count() > NAME {
        return Err(Problem::TooLong { limit: NAME });
    }
    let words: Vec<&str> = said.trim_end_matches(['.', '!']).split_whitespace().collect();
    let fits = |letter: char| letter.is_alphabetic() || matches!(letter, '-' | '\'' | '’' | '.');
    let is_word = |word: &&str| word.chars().all(fits) && word.contains(char::is_alphabetic);
    if words.is_empty() || words.len() > 6 || !words.iter().all(is_word) {
        return Err(Problem::NotAName);
    }
    let capital = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
    let certain = |word: &&str| capital(word) || Words::of(language).is(word, Sense::NameParticle);
    let joined = words.join(" ");
    if words.iter().all(certain) && words.iter().any(|word| capital(word)) {
        return Ok(Read::Certain(joined));
    }
    // "the boss" is no name; two or three small words may be one.
    let common = [Sense::Filler, Sense::And, Sense::Yes, Sense::No];
    let is_common = |word: &&str| common.into_iter().any(|sense| Words::of(language).is_whole(word, sense));
    if words.iter().any(is_common) || words.len() > 3 || words.iter().any(|word| capital(word)) {
        return Err(Problem::NotAName);
    }
    let raised = words.iter().map(|word| raised(word)).collect::<Vec<_>>().join(" ");
    Ok(Read::Choose(vec![raised]))
}

fn raised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Reads a list: lines, else semicolons, else commas with a last "and".
pub(super) fn list(said: &str, language: Language) -> Result<Read<Vec<String>>, Problem> {
    let said = text(said, language)?;
    let lines: Vec<String> = said.lines().map(item).filter(|line| !line.is_empty()).collect();
    let readings = if lines.len() > 1 {
        vec![lines]
    } else {
        let line = lines.into_iter().next().ok_or(Problem::Empty)?;
        in_one_line(&line, language)
    };
    if readings.iter().any(|items| items.len() > ITEMS) {
        return Err(Problem::TooMany { limit: ITEMS });
    }
    Read::of(readings).ok_or(Problem::Empty)
}

/// A line without its bullet or number.
fn item(line: &str) -> String {
    let line = line.trim();
    let bare = line.trim_start_matches(['-', '*', '•', '–', '·']);
    if bare.len() < line.len() {
        return bare.trim().to_owned();
    }
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = line.get(digits..).unwrap_or_default();
    let numbered =
        (1..=2).contains(&digits) && rest.starts_with(['.', ')']) && rest.chars().nth(1) == Some(' ');
    if numbered { rest.get(1..).unwrap_or_default().trim().to_owned() } else { line.to_owned() }
}

/// The readings of one line. "budget and forecasts" may be one item or two.
fn in_one_line(line: &str, language: Language) -> Vec<Vec<String>> {
    if line.contains(';') {
        return vec![kept(line.split(';').map(str::to_owned))];
    }
    let parts = at_commas(line);
    let Some((last, before)) = parts.split_last() else { return Vec::new() };
    let last = at_and(last, language);
    match (before.is_empty(), last.as_slice()) {
        (true, [left, right]) => {
            vec![kept([left.clone(), right.clone()]), vec![line.trim().to_owned()]]
        }
        _ => vec![kept(before.iter().cloned().chain(last))],
    }
}

fn kept(items: impl IntoIterator<Item = String>) -> Vec<String> {
    items.into_iter().map(|item| item.trim().to_owned()).filter(|item| !item.is_empty()).collect()
}

/// Parts at commas that stand outside of brackets and not inside a number.
fn at_commas(line: &str) -> Vec<String> {
    let letters: Vec<char> = line.chars().collect();
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for (at, letter) in letters.iter().copied().enumerate() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let number = digit(at.checked_sub(1)) && digit(at.checked_add(1));
        if letter == ',' && depth == 0 && !number {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(letter);
        }
    }
    parts
}

/// Words that explain the part of a list before them, or put it in other words; sorted.
const EXPLAINING: [&str; 33] = [
    "als",
    "because",
    "bevorzugt",
    "but",
    "da",
    "damit",
    "das",
    "dass",
    "der",
    "die",
    "eftersom",
    "eller",
    "fordi",
    "gern",
    "gerne",
    "gjerne",
    "gärna",
    "helst",
    "ideally",
    "men",
    "möglichst",
    "oder",
    "or",
    "preferably",
    "siden",
    "since",
    "so",
    "som",
    "sondern",
    "that",
    "weil",
    "which",
    "who",
];

/// The things that a sentence lists, each word for word as it stands there; one if it lists none. What introduces a list
/// ends with a colon.
pub fn enumeration(sentence: &str, language: Language) -> Vec<String> {
    let sentence = sentence.trim().trim_end_matches(['.', '!']);
    let listed = sentence.split_once(": ").map_or(sentence, |(_, listed)| listed);
    if let Some(mark) = [";", " / "].into_iter().find(|mark| listed.contains(mark)) {
        return kept(listed.split(mark).map(str::to_owned));
    }
    let mut parts: Vec<String> = Vec::new();
    for part in at_commas(listed) {
        let first = part.split_whitespace().next().unwrap_or_default().to_lowercase();
        match parts.last_mut() {
            Some(before) if EXPLAINING.contains(&first.as_str()) => {
                before.push(',');
                before.push_str(&part);
            }
            _ => parts.push(part),
        }
    }
    let Some(last) = parts.pop().filter(|_| !parts.is_empty()) else { return vec![sentence.to_owned()] };
    // "A, B, and C" or "A, B and C".
    parts.extend(at_wide_and(&last, language));
    kept(parts)
}

/// The two sides of the last "and" that has several words on both; without it if nothing stands before it.
fn at_wide_and(part: &str, language: Language) -> Vec<String> {
    let (mut start, mut count, mut cut) = (0, 0, None);
    for word in part.split_inclusive(char::is_whitespace) {
        let end = start + word.len();
        let right = part.get(end..).unwrap_or_default().split_whitespace().count();
        if Words::of(language).is_whole(word.trim(), Sense::And) && (count == 0 || count >= 2 && right >= 2) {
            cut = Some((start, end));
        }
        count += usize::from(!word.trim().is_empty());
        start = end;
    }
    let Some((left, right)) = cut else { return vec![part.to_owned()] };
    [part.get(..left), part.get(right..)].into_iter().flatten().map(str::to_owned).collect()
}

/// The two sides of a last "and"; one part if there is none.
fn at_and(part: &str, language: Language) -> Vec<String> {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_and = |word: &&str| Words::of(language).is_whole(word, Sense::And);
    match words.iter().rposition(is_and) {
        Some(0) => vec![words.get(1..).unwrap_or_default().join(" ")],
        Some(at) if at + 1 < words.len() => {
            let side = |range: Option<&[&str]>| range.unwrap_or_default().join(" ");
            vec![side(words.get(..at)), side(words.get(at + 1..))]
        }
        Some(_) | None => vec![part.to_owned()],
    }
}

/// Reads an e-mail address.
pub(super) fn email(said: &str) -> Result<String, Problem> {
    let said = said.trim().trim_end_matches(['.', ',', ';']);
    let bare = said.strip_prefix("mailto:").unwrap_or(said).trim_start_matches('<').trim_end_matches('>');
    let (local, domain) = bare.split_once('@').ok_or(Problem::NotAnEmail)?;
    let plain = |letter: char| letter.is_alphanumeric() || "._%+-'&/=!#$*^{}~`|".contains(letter);
    let host = |part: &str| {
        let inside = part.chars().all(|letter| letter.is_alphanumeric() || letter == '-');
        !part.is_empty() && inside && !part.starts_with('-') && !part.ends_with('-')
    };
    let local_fits = !local.is_empty()
        && local.chars().all(plain)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && !local.contains("..");
    let domain_fits = domain.contains('.')
        && domain.split('.').all(host)
        && domain.rsplit('.').next().is_some_and(|last| last.chars().count() > 1);
    if bare.chars().count() > ADDRESS || !local_fits || !domain_fits {
        return Err(Problem::NotAnEmail);
    }
    Ok(bare.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_answer_never_becomes_text() {
        let cases = [
            (Language::En, "what do you mean?"),
            (Language::En, "I don't know"),
            (Language::En, "who are you?"),
            (Language::Sv, "vet inte"),
            (Language::De, "Keine Ahnung."),
            (Language::Da, "hvad mener du?"),
            (Language::No, "aner ikke"),
        ];
        for (language, said) in cases {
            assert!(matches!(text(said, language), Err(Problem::Doubt | Problem::Question)), "{said}");
        }
        for (language, said) in [(Language::En, "Yes"), (Language::Sv, "nej tack"), (Language::De, "Genau.")]
        {
            assert_eq!(text(said, language), Err(Problem::OnlyYesOrNo), "{said}");
        }
        assert_eq!(text(" A calm team. ", Language::En).unwrap(), "A calm team.");
    }

    #[test]
    fn names_are_names() {
        let certain = ["Anna Berg", "Søren von der Hude", "Jean-Luc O'Neil", "J. Okafor", "Liv"];
        for said in certain {
            assert_eq!(name(said, Language::En), Ok(Read::Certain(said.to_owned())));
        }
        assert_eq!(name("anna berg", Language::En), Ok(Read::Choose(vec!["Anna Berg".to_owned()])));
        for said in ["Anna, the manager", "anna@berg.se", "070 123", "the boss", "not sure", ""] {
            assert!(name(said, Language::En).is_err(), "{said}");
        }
    }

    fn items(said: &str, language: Language) -> Vec<Vec<String>> {
        list(said, language).map(|read| read.readings().to_vec()).unwrap_or_default()
    }

    #[test]
    fn lists_are_cut_where_people_cut_them() {
        assert_eq!(items("SQL, Python and Excel", Language::En), [["SQL", "Python", "Excel"]]);
        assert_eq!(
            items("- SQL, basic\n- Python\n\n3) Excel", Language::En),
            [["SQL, basic", "Python", "Excel"]]
        );
        assert_eq!(items("lön; budget och prognos", Language::Sv), [["lön", "budget och prognos"]]);
        assert_eq!(
            items("1,5 års erfarenhet, svenska (tal, skrift)", Language::Sv),
            [["1,5 års erfarenhet", "svenska (tal, skrift)"]]
        );
        assert_eq!(
            items("Budget und Prognosen", Language::De),
            [vec!["Budget", "Prognosen"], vec!["Budget und Prognosen"]]
        );
        assert_eq!(items("vet inte", Language::Sv), Vec::<Vec<String>>::new());
    }

    #[test]
    fn a_sentence_is_cut_into_the_things_it_lists() {
        fn check(language: Language, sentence: &str, expected: &[&str]) {
            assert_eq!(enumeration(sentence, language), expected, "{sentence}");
        }
        check(
            Language::En,
            "A must for me: two years of buying, a CIPS diploma, fluent French because we buy in Lyon, and nerves.",
            &["two years of buying", "a CIPS diploma", "fluent French because we buy in Lyon", "nerves"],
        );
        check(
            Language::Da,
            "Kravene er klare: to års erfaring med indkøb, rutine i Excel, gerne pivot, og godt engelsk",
            &["to års erfaring med indkøb", "rutine i Excel, gerne pivot", "godt engelsk"],
        );
        check(
            Language::De,
            "drei Jahre Einkauf, sicheres Deutsch und gutes Englisch, weil wir in Lyon kaufen",
            &["drei Jahre Einkauf", "sicheres Deutsch", "gutes Englisch, weil wir in Lyon kaufen"],
        );
        check(
            Language::De,
            "prüft Nachträge, überwacht Fristen und Bürgschaften und schult die Projektleiter",
            &["prüft Nachträge", "überwacht Fristen und Bürgschaften", "schult die Projektleiter"],
        );
        check(Language::Sv, "vana vid budget och prognos", &["vana vid budget och prognos"]);
        check(
            Language::No,
            "anbud / rammeavtaler (stat, kommune)",
            &["anbud", "rammeavtaler (stat, kommune)"],
        );
    }

    #[test]
    fn addresses_are_addresses() {
        for said in ["anna.berg@example.com", "<anna@sub.example.se>", "mailto:a+b@x.io."] {
            assert!(email(said).is_ok(), "{said}");
        }
        for said in
            ["anna", "anna@berg", "a b@example.com", "a@b@example.com", "a@.com", "@example.com", "a@-x.com"]
        {
            assert_eq!(email(said), Err(Problem::NotAnEmail), "{said}");
        }
    }
}
