//! Words to terms: folded, without stop words, stemmed. Both engines use the same terms.

use std::sync::OnceLock;

use tantivy::tokenizer::{Stemmer, StopWordFilter, TextAnalyzer, Token, TokenStream, Tokenizer};
use tata_language::folded;

use crate::Lang;

/// The version of what is written here: other terms are another index.
pub(crate) const VERSION: u32 = 1;

/// Longer runs of letters are no words.
const LONGEST: usize = 80;

/// The terms of a text in their order. Without a language, words are only folded.
pub fn terms(lang: Option<Lang>, text: &str) -> Vec<String> {
    let mut terms = Vec::with_capacity(text.len() / 8);
    each_term(lang, text, |token| terms.push(token.text.clone()));
    terms
}

/// The terms of a text with the places of their words.
pub(crate) fn each_term(lang: Option<Lang>, text: &str, mut take: impl FnMut(&Token)) {
    let mut analyser = analyser(lang);
    let mut stream = analyser.token_stream(text);
    while stream.advance() {
        take(stream.token());
    }
}

fn analyser(lang: Option<Lang>) -> TextAnalyzer {
    static ALL: OnceLock<Vec<TextAnalyzer>> = OnceLock::new();
    static PLAIN: OnceLock<TextAnalyzer> = OnceLock::new();
    let all = ALL.get_or_init(|| Lang::all().map(build).collect());
    let of_lang =
        lang.and_then(|lang| Lang::all().position(|known| known == lang)).and_then(|at| all.get(at));
    of_lang.unwrap_or_else(|| PLAIN.get_or_init(|| TextAnalyzer::builder(Words::default()).build())).clone()
}

fn build(lang: Lang) -> TextAnalyzer {
    let words = TextAnalyzer::builder(Words::default()).dynamic();
    let Some(stemming) = lang.stemming() else { return words.build() };
    match StopWordFilter::new(stemming) {
        Some(stop) => words.filter_dynamic(stop).filter_dynamic(Stemmer::new(stemming)).build(),
        None => words.filter_dynamic(Stemmer::new(stemming)).build(),
    }
}

/// Runs of letters and digits, folded; "C++" and "C#" keep their marks.
#[derive(Clone, Default)]
struct Words {
    token: Token,
}

impl Tokenizer for Words {
    type TokenStream<'a> = WordStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> WordStream<'a> {
        self.token.reset();
        WordStream { text, at: 0, token: &mut self.token }
    }
}

struct WordStream<'a> {
    text: &'a str,
    at: usize,
    token: &'a mut Token,
}

impl WordStream<'_> {
    /// The next word as a range of bytes.
    fn next_word(&mut self) -> Option<(usize, usize)> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(char::is_alphanumeric)?;
        let word = self.text.get(start..)?;
        let inside = |c: char| c.is_alphanumeric() || ('\u{300}'..='\u{36f}').contains(&c) || c == '\u{ad}';
        let letters = word.find(|c: char| !inside(c)).unwrap_or(word.len());
        let marks = word.get(letters..)?.bytes().take_while(|byte| matches!(byte, b'+' | b'#')).count();
        // "C++" is a word, "30+" and "a+b" are not.
        let after = word.get(letters + marks..)?.chars().next();
        let kept = letters <= 2
            && after.is_none_or(|c| !c.is_alphanumeric())
            && word.starts_with(char::is_alphabetic);
        self.at = start + letters + marks;
        Some((start, start + letters + if kept { marks } else { 0 }))
    }
}

impl TokenStream for WordStream<'_> {
    fn advance(&mut self) -> bool {
        self.token.position = self.token.position.wrapping_add(1);
        while let Some((start, end)) = self.next_word() {
            if end - start > LONGEST {
                continue;
            }
            self.token.offset_from = start;
            self.token.offset_to = end;
            self.token.text.clear();
            self.token.text.push_str(&folded(self.text.get(start..end).unwrap_or_default()));
            return true;
        }
        false
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(lang: &str, text: &str, wanted: &[&str]) {
        assert_eq!(terms(Lang::find(lang), text), wanted, "{text}");
    }

    #[test]
    fn words_become_terms() {
        check("en", "The nurses are planning rotas", &["nurs", "plan", "rota"]);
        check("sv", "Sjuksköterskorna och läkarna", &["sjukskötersk", "läk"]);
        check("de", "Die Häuser und das Haus", &["haus", "haus"]);
        check("", "C++, C# and 30+ or a+b", &["c++", "c#", "and", "30", "or", "a", "b"]);
        check("", "A\u{30a}re o\u{fb03}ce wochen\u{ad}ende", &["åre", "office", "wochenende"]);
    }
}
