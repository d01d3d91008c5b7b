//! A text as the reviews read it: words, sentences, lines, and what the word lists find in them.

use std::ops::Range;

use tata_phrases::{Case, Gap, Hit, Word, spelled};

use crate::{
    Language, Offsets,
    book::{Book, Element, ListHits, Sign},
    lists::SENTENCE_SHORT_FORMS,
};

/// A text that was read once, for all rules.
pub struct Reading<'a> {
    /// The text.
    pub text: &'a str,
    /// Whose lists are used.
    pub language: Language,
    /// Its words.
    pub words: Vec<Word<'a>>,
    /// The words of each sentence; a heading and a point of a list are sentences too.
    pub sentences: Vec<Range<usize>>,
    /// What the lists found.
    pub found: ListHits,
    offsets: Offsets<'a>,
}

impl<'a> Reading<'a> {
    /// Reads a text with the lists of a language.
    pub fn new(text: &'a str, language: Language) -> Self {
        Self::of(text, spelled(text), language)
    }

    /// The same for a text whose words are known.
    pub fn of(text: &'a str, words: Vec<Word<'a>>, language: Language) -> Self {
        let found = Book::of(language).read(&words);
        let sentences = sentences(&words);
        Self { text, language, words, sentences, found, offsets: Offsets::new(text) }
    }

    /// The byte at which a character begins.
    pub fn byte(&self, character: usize) -> usize {
        self.offsets.byte(character)
    }

    /// The text between two characters.
    pub fn cut(&self, start: usize, end: usize) -> &'a str {
        self.text.get(self.byte(start)..self.byte(end)).unwrap_or_default()
    }

    /// The characters of some words.
    pub fn span(&self, first: usize, last: usize) -> Range<usize> {
        let start = self.words.get(first).map_or(0, |word| word.start);
        start..self.words.get(last).map_or(start, |word| word.end)
    }

    /// The number of the sentence that a word is in.
    pub fn sentence_of(&self, word: usize) -> usize {
        self.sentences.partition_point(|sentence| sentence.end <= word)
    }

    /// The places of a sign.
    pub fn signs(&self, wanted: impl Fn(Sign) -> bool) -> impl Iterator<Item = Hit> {
        self.found.signs.iter().filter(move |(sign, _)| wanted(*sign)).map(|(_, hit)| *hit)
    }

    /// The signs that begin within a range of words, in order.
    pub fn signs_in(&self, words: &Range<usize>) -> &[(Sign, Hit)] {
        let from = |word: usize| self.found.signs.partition_point(|(_, hit)| hit.first < word);
        self.found.signs.get(from(words.start)..from(words.end)).unwrap_or_default()
    }

    /// Whether the text says something that a good ad says. An address is a contact, an amount of money is pay.
    pub fn says(&self, wanted: Element) -> bool {
        self.found.signs.iter().any(|(sign, _)| *sign == Sign::Element(wanted))
            || wanted == Element::Contact && self.has_address()
            || wanted == Element::Pay && self.has_amount()
    }

    fn has_address(&self) -> bool {
        let plain = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
        self.text.match_indices('@').any(|(at, _)| {
            let (before, after) = (self.text.get(..at), self.text.get(at + 1..));
            plain(before.and_then(|text| text.chars().next_back()))
                && plain(after.and_then(|text| text.chars().next()))
        })
    }

    /// "€ 4.500", "£30,000": signs that no word list can hold.
    fn has_amount(&self) -> bool {
        let digit = |text: Option<char>| text.is_some_and(|letter| letter.is_ascii_digit());
        // One after the other: each by itself is found faster than any of them.
        let signs = ['€', '£', '$'].into_iter().flat_map(|sign| self.text.match_indices(sign));
        signs.into_iter().any(|(at, sign)| {
            let (before, after) = (self.text.get(..at), self.text.get(at + sign.len()..));
            digit(before.and_then(|text| text.trim_end().chars().next_back()))
                || digit(after.and_then(|text| text.trim_start().chars().next()))
        })
    }
}

/// The words of each sentence.
fn sentences(words: &[Word<'_>]) -> Vec<Range<usize>> {
    let mut sentences = Vec::new();
    let mut first = 0;
    for at in 1..words.len() {
        if ends(words, at) {
            sentences.push(first..at);
            first = at;
        }
    }
    if first < words.len() {
        sentences.push(first..words.len());
    }
    sentences
}

/// Whether a sentence ends before a word. What goes on with a small letter or after a short form does not.
pub fn ends(words: &[Word<'_>], at: usize) -> bool {
    let (Some(before), Some(word)) = (words.get(at - 1), words.get(at)) else { return false };
    match word.gap {
        Gap::Paragraph => true,
        Gap::Sentence => {
            let chained = |at: usize| {
                let Some(earlier) = at.checked_sub(1).and_then(|at| words.get(at)) else { return false };
                words.get(at).is_some_and(|word| word.gap == Gap::Sentence && word.start == earlier.end + 1)
            };
            let number = |word: &Word<'_>| word.text.chars().all(|letter| letter.is_ascii_digit());
            let short = before.text.chars().count() == 1 && !number(before)
                || SENTENCE_SHORT_FORMS.contains(&&*before.text)
                || chained(at - 1) && !number(before) && before.text.chars().count() <= 3;
            (word.case != Case::Lower || number(word)) && !short && word.start > before.end + 1
        }
        Gap::Hyphen | Gap::Blank | Gap::Colon => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_people_stop() {
        let check = |text: &str, expected: &[&str]| {
            let reading = Reading::new(text, Language::En);
            let found: Vec<&str> = reading
                .sentences
                .iter()
                .map(|sentence| {
                    let span = reading.span(sentence.start, sentence.end - 1);
                    reading.cut(span.start, span.end)
                })
                .collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("One is here. Two is there! 3 is it", &["One is here", "Two is there", "3 is it"]);
        check(
            "We use z.B. Java, e.g. Python and 5.500 units",
            &["We use z.B. Java, e.g. Python and 5.500 units"],
        );
        check("About us\n\n* first point\n* second point", &["About us", "first point", "second point"]);
        check("Ask Dr. Berg; he knows. Yes", &["Ask Dr. Berg; he knows", "Yes"]);
        check("", &[]);
    }

    #[test]
    fn characters_are_bytes_where_they_differ() {
        let reading = Reading::new("Åsa söker ett ungt team", Language::Sv);
        assert_eq!(reading.cut(4, 9), "söker");
        assert_eq!(reading.byte(4), 5);
        assert_eq!(reading.byte(99), reading.text.len());
        let text = "ÅÄÖ å ab ".repeat(40);
        let reading = Reading::new(&text, Language::Sv);
        for (character, (byte, _)) in text.char_indices().enumerate() {
            assert_eq!(reading.byte(character), byte);
        }
    }
}
