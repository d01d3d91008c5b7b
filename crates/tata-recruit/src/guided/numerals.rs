//! Numbers in words: "ninety", "tjugotvå", "fünfundzwanzig", "femogtyve", "two thousand".

use super::{lexicon::Lexicon, tokens::Token};

/// What parts the pieces of a number inside a word or between words.
const JOINTS: [&str; 5] = ["und", "og", "och", "and", "ogs"];

/// The number at a token, in digits or words, and the token after it. Digits are taken as they stand.
pub(super) fn number_at(tokens: &[Token<'_>], at: usize) -> Option<(u32, usize)> {
    let token = tokens.get(at)?;
    let (mut value, mut end) = match token.number() {
        Some(value) => (value, at + 1),
        None => spoken_at(tokens, at)?,
    };
    let digits = token.number().is_some();
    while let Some(next) = tokens.get(end).filter(|next| matches!(next.before, " " | "-")) {
        let joint = JOINTS.contains(&next.text.as_str()) && value >= 100;
        let from = end + usize::from(joint);
        let Some((more, after)) = tokens.get(from).filter(|token| token.number().is_none()).and_then(|_| {
            let token = &tokens[from];
            Some((in_one_word(&token.text)?, from + 1))
        }) else {
            break;
        };
        let grown = match (value, more) {
            (_, 100 | 1000) if value > 0 && value < more && !joint => value.checked_mul(more),
            _ if digits => None,
            (20..=90, 1..=9) if value % 10 == 0 => Some(value + more),
            (100.., 1..=99) if value % 100 == 0 => Some(value + more),
            (1000.., 100..=999) if value % 1000 == 0 => Some(value + more),
            _ => None,
        };
        let Some(grown) = grown else { break };
        (value, end) = (grown, after);
    }
    Some((value, end))
}

/// The number of words at a token: "zu fünft" before "fünft".
fn spoken_at(tokens: &[Token<'_>], at: usize) -> Option<(u32, usize)> {
    let lexicon = Lexicon::get();
    let together = |count: usize| {
        let words = tokens.get(at..at + count)?;
        let joined = words.iter().skip(1).all(|word| word.before == " ");
        let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
        lexicon.number(&text).filter(|_| joined).map(|value| (value, at + count))
    };
    let alone = || {
        let token = tokens.get(at).filter(|token| !token.plain)?;
        Some((in_one_word(&token.text)?, at + 1))
    };
    together(3).or_else(|| together(2)).or_else(alone)
}

/// The number a word names, also one put together from others.
pub(super) fn in_one_word(word: &str) -> Option<u32> {
    let lexicon = Lexicon::get();
    if let Some(value) = lexicon.number(word) {
        return Some(value);
    }
    // Nothing shorter is put together: "ett" and "hundra" are seven letters at least.
    if word.len() < 6 || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let parts = || word.char_indices().skip(1).filter_map(|(at, _)| word.split_at_checked(at));
    for scale in [1000, 100] {
        for (left, rest) in parts().chain([("", word)]) {
            let Some(name) = lexicon.names_of(scale).find(|name| rest.starts_with(name)) else { continue };
            let times =
                if left.is_empty() { Some(1) } else { in_one_word(left).filter(|times| *times < scale) };
            let right = rest.get(name.len()..).unwrap_or_default();
            let more = if right.is_empty() { Some(0) } else { in_one_word(without_joint(right)) };
            if let (Some(times), Some(more)) = (times, more.filter(|more| *more < scale)) {
                return Some(times * scale + more);
            }
        }
    }
    parts().find_map(|(left, right)| {
        // "fünfundzwanzig", "femogtyve"
        let unit_first = || {
            let tens = JOINTS.iter().find_map(|joint| right.strip_prefix(joint))?;
            Some((lexicon.number(tens)?, lexicon.number(left)?))
        };
        let tens_first = || Some((lexicon.number(left)?, lexicon.number(right)?));
        let fits =
            |(tens, unit): &(u32, u32)| (20..=90).contains(tens) && tens % 10 == 0 && (1..=9).contains(unit);
        unit_first().filter(fits).or_else(|| tens_first().filter(fits)).map(|(tens, unit)| tens + unit)
    })
}

fn without_joint(word: &str) -> &str {
    JOINTS.iter().find_map(|joint| word.strip_prefix(joint)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guided::tokens::tokens;

    #[test]
    fn numbers_are_read_in_words() {
        for (text, expected) in [
            ("ninety applications", 90),
            ("two thousand views", 2000),
            ("three hundred and twelve", 312),
            ("twenty-five", 25),
            ("sjuttioåtta ansökningar", 78),
            ("tjugotvå svarade", 22),
            ("tolv hundrede visninger", 1200),
            ("femogtyve", 25),
            ("firs ansøgninger", 80),
            ("tjuefem", 25),
            ("førti kandidater", 40),
            ("hundertzwanzig Bewerbungen", 120),
            ("fünfundzwanzig", 25),
            ("zu fünft", 5),
            ("zwölf", 12),
            ("12 hundred", 1200),
            ("87 applications", 87),
        ] {
            assert_eq!(number_at(&tokens(text), 0).map(|(value, _)| value), Some(expected), "{text}");
        }
        for text in ["applications", "jahrhundert", "tusental", "hundreds", ""] {
            assert_eq!(number_at(&tokens(text), 0), None, "{text}");
        }
    }
}
