//! What was typed, word by word.

/// A word or number as it was typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// In lower case, apostrophes straightened.
    pub(super) text: String,
    /// As it was typed.
    pub(super) raw: &'a str,
    /// Its first byte.
    pub(super) start: usize,
    /// The byte after its last.
    pub(super) end: usize,
    /// What stands between the token before and this one.
    pub(super) before: &'a str,
    after_break: bool,
    after_sentence: bool,
    /// It looks like a number of another language: English "to", German "nie".
    pub(super) plain: bool,
}

impl Token<'_> {
    /// Whether something stands before it that ends a phrase.
    pub(super) fn is_after_break(&self) -> bool {
        self.after_break
    }

    /// Whether a sentence ended before it.
    pub(super) fn is_after_sentence(&self) -> bool {
        self.after_sentence
    }

    /// Whether it begins with a capital letter.
    pub(super) fn is_capital(&self) -> bool {
        self.raw.chars().next().is_some_and(char::is_uppercase)
    }

    /// Its value, if it is a number.
    pub(super) fn number(&self) -> Option<u32> {
        self.text.parse().ok()
    }
}

/// The tokens of a text. A number and the letters after it are two: "2pm", "24th".
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut letters = text.char_indices().peekable();
    let mut last_end = 0;
    while let Some((start, letter)) = letters.next() {
        if !letter.is_alphanumeric() {
            continue;
        }
        let numeric = letter.is_ascii_digit();
        let mut end = start + letter.len_utf8();
        while let Some((at, next)) = letters.peek().copied() {
            let inner = matches!(next, '\'' | '’' | '&')
                && text
                    .get(at + next.len_utf8()..)
                    .is_some_and(|rest| rest.starts_with(char::is_alphanumeric));
            let sign = matches!(next, '+' | '#') && !numeric;
            let goes_on = if numeric {
                next.is_ascii_digit()
            } else {
                next.is_alphanumeric() || inner || sign || is_mark(next)
            };
            if !goes_on {
                break;
            }
            letters.next();
            end = at + next.len_utf8();
        }
        let raw = text.get(start..end).unwrap_or_default();
        let before = text.get(last_end..start).unwrap_or_default();
        // A token too short to end a sentence has a dot of its own: "nr. 4", "kl. 15".
        let abbreviated = tokens.last().is_some_and(|last| {
            let short = last.text.chars().count() <= 3
                && last.text.chars().all(char::is_alphabetic)
                && !ANSWERS.contains(&last.text.as_str());
            // "den 1. december"; but "fix 1 and 5. 3 stays".
            short
                || SHORTENED.contains(&last.text.as_str())
                || (last.number().is_some() && !letter.is_ascii_digit())
        });
        let parting = if abbreviated { before.strip_prefix('.').unwrap_or(before) } else { before };
        let dash = parting.contains(" - ");
        let after_sentence = dash || parting.contains(['.', ';', '!', '?', '\n', '|']);
        let after_break = after_sentence || parting.contains(BREAKS);
        tokens.push(Token {
            text: folded(raw),
            raw,
            start,
            end,
            before,
            after_break,
            after_sentence,
            plain: false,
        });
        last_end = end;
    }
    tokens
}

/// Longer words that have a dot of their own.
const SHORTENED: [&str; 9] = ["inkl", "incl", "exkl", "bzgl", "evtl", "resp", "bspw", "ggfs", "zzgl"];

/// What parts phrases inside a sentence.
const BREAKS: [char; 13] = [',', ':', '(', ')', '[', ']', '–', '—', '"', '“', '”', '„', '/'];

/// Short words that are whole answers: "1 and 2 yes. 3 no".
const ANSWERS: [&str; 9] = ["ja", "nei", "nej", "yes", "no", "nee", "ok", "jo", "jow"];

/// A combining mark belongs to the letter before it.
fn is_mark(letter: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&letter) || letter == '\u{ad}'
}

/// A word made comparable.
pub(super) fn folded(word: &str) -> String {
    word.chars()
        .filter(|letter| *letter != '\u{ad}')
        .map(|letter| if letter == '’' { '\'' } else { letter })
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_words_part() {
        let words = |text: &str| tokens(text).into_iter().map(|token| token.text).collect::<Vec<_>>();
        assert_eq!(words("2pm, 24th of D&I"), ["2", "pm", "24", "th", "of", "d&i"]);
        assert_eq!(words("it’s C++ and C#."), ["it's", "c++", "and", "c#"]);
        assert_eq!(words("24.11.2026 14:30"), ["24", "11", "2026", "14", "30"]);
        assert_eq!(words("  "), Vec::<String>::new());
    }
}
