//! Choices by number or by their own words; yes and no from a closed list; counts.

use tata_language::{Language, folded, runs};

use super::{
    Problem, Read,
    numbers::whole,
    pieces::{Piece, pieces},
    words::{Cursor, Sense, Words, value},
};

/// The largest count.
pub(super) const LARGEST: u64 = 1_000_000_000;

/// Reads a choice: its place from 0.
pub(super) fn read(text: &str, language: Language, choices: &[String]) -> Result<Read<usize>, Problem> {
    let wanted = normalized(text);
    let exact: Vec<usize> = places(choices, |label| label.trim() == text.trim());
    // "3" may be a label of its own: 1 to 5 as a rating.
    let alike = if exact.is_empty() { places(choices, |label| normalized(label) == wanted) } else { exact };
    if let Some(read) = Read::of(alike).filter(|_| !wanted.is_empty()) {
        return Ok(read);
    }
    by_number(text, language)
        .and_then(|number| number.checked_sub(1))
        .filter(|place| *place < choices.len())
        .map(Read::Certain)
        .ok_or(Problem::NoSuchChoice { count: choices.len() })
}

fn places(choices: &[String], is: impl Fn(&str) -> bool) -> Vec<usize> {
    choices.iter().enumerate().filter(|(_, label)| is(label)).map(|(at, _)| at).collect()
}

/// Small letters and digits, words parted by one blank.
fn normalized(text: &str) -> String {
    runs(&folded(text)).collect::<Vec<_>>().join(" ")
}

/// The number of a choice that a whole message names, from 1: "2", "2.", "(2)", "number 2", "nr 2", "two", "the second".
pub fn by_number(text: &str, language: Language) -> Option<usize> {
    let pieces: Vec<Piece> =
        pieces(text).into_iter().filter(|piece| !piece.is('(') && !piece.is(')')).collect();
    let mut cursor = Cursor::new(language, &pieces);
    cursor.fillers();
    if cursor.eat(Sense::NumberWord) || cursor.mark('#') {
        cursor.mark('.');
    }
    let number = cursor.take(value(Sense::Ordinal)).or_else(|| whole(&mut cursor))?;
    cursor.fillers();
    usize::try_from(number).ok().filter(|_| cursor.done())
}

/// Whether a whole message is a yes (`true`) or a no (`false`) from the closed list of its language; else none.
pub fn yes_or_no(text: &str, language: Language) -> Option<bool> {
    let words = Words::of(language);
    let is = |sense: Sense, meant: bool| words.is_all(text, sense).then_some(meant);
    is(Sense::Yes, true).or_else(|| is(Sense::No, false))
}

/// Reads a whole number.
pub(super) fn count(text: &str, language: Language) -> Result<u64, Problem> {
    let pieces = pieces(text);
    let mut cursor = Cursor::new(language, &pieces);
    let number = whole(&mut cursor).ok_or(Problem::NotACount)?;
    cursor.fillers();
    if !cursor.done() {
        return Err(Problem::NotACount);
    }
    if number > LARGEST { Err(Problem::TooLarge { limit: LARGEST }) } else { Ok(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(text: &str, language: Language) -> Option<usize> {
        let choices = ["Malmö", "Lund (head office)", "Århus"].map(str::to_owned);
        match read(text, language, &choices) {
            Ok(Read::Certain(place)) => Some(place),
            Ok(Read::Choose(_)) | Err(_) => None,
        }
    }

    #[test]
    fn choices_are_read_by_number_or_label() {
        for text in
            ["2", "2.", "(2)", "number 2", "two", "the second", "lund head office", "LUND (HEAD OFFICE)"]
        {
            assert_eq!(chosen(text, Language::En), Some(1), "{text}");
        }
        assert_eq!(chosen("tvåan", Language::Sv), Some(1));
        assert_eq!(chosen("zweite", Language::De), Some(1));
        for text in ["0", "4", "1 or 2", "Lund", "2 please not 3", "", "yes"] {
            assert_eq!(chosen(text, Language::En), None, "{text}");
        }
        let ratings = ["5", "4", "3"].map(str::to_owned);
        assert_eq!(read("3", Language::En, &ratings), Ok(Read::Certain(2)));
    }

    #[test]
    fn only_a_whole_message_from_the_list_says_yes() {
        let cases = [
            (Language::En, "Yes!", Some(true)),
            (Language::En, "yes, please", Some(true)),
            (Language::En, "no thanks", Some(false)),
            (Language::Sv, "Ja, det stämmer.", Some(true)),
            (Language::De, "stimmt", Some(true)),
            (Language::De, "Nee", Some(false)),
            (Language::En, "not sure", None),
            (Language::En, "is that right?", None),
            (Language::En, "right?", None),
            (Language::En, "yes except number 2", None),
            (Language::En, "start date 1 February", None),
            (Language::En, "1", None),
            (Language::Sv, "stämmer det?", None),
            (Language::Sv, "ja förutom nummer 2", None),
            (Language::De, "bin mir nicht sicher", None),
            (Language::De, "stimmt das?", None),
            (Language::De, "ja, außer Nummer 2", None),
            (Language::Da, "ja men ret nummer 2", None),
            (Language::No, "stemmer det?", None),
        ];
        for (language, text, expected) in cases {
            assert_eq!(yes_or_no(text, language), expected, "{text}");
        }
    }

    #[test]
    fn counts_are_whole_numbers_and_nothing_else() {
        assert_eq!(count("twelve", Language::En), Ok(12));
        assert_eq!(count("1 250", Language::Sv), Ok(1250));
        assert_eq!(count("46 people or so", Language::En), Err(Problem::NotACount));
        assert_eq!(count("2.5", Language::En), Err(Problem::NotACount));
        assert_eq!(count("99999999999", Language::En), Err(Problem::TooLarge { limit: LARGEST }));
        assert_eq!(count("999999999999999999999999", Language::En), Err(Problem::NotACount));
    }
}
