//! The normalised form of a word: composed, in small letters, without typographic variants.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Folds a word so that spellings which mean the same are the same.
pub fn folded(word: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if word.bytes().all(plain) {
        return Cow::Borrowed(word);
    }
    if word.is_ascii() {
        return Cow::Owned(word.to_ascii_lowercase());
    }
    // The small letters of our languages are composed as they stand.
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "åäöæøüßé".contains(c);
    if word.chars().all(small) {
        return Cow::Borrowed(word);
    }
    let composed: Cow<'_, str> =
        if is_nfc(word) { Cow::Borrowed(word) } else { Cow::Owned(word.nfc().collect()) };
    let mut folded = String::with_capacity(composed.len());
    for c in composed.chars() {
        match c {
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            '’' | '‘' | '‛' | 'ʼ' | '´' | '`' => folded.push('\''),
            '“' | '”' | '„' | '«' | '»' => folded.push('"'),
            '‐'..='―' | '−' => folded.push('-'),
            '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => folded.push(' '),
            'ﬀ' => folded.push_str("ff"),
            'ﬁ' => folded.push_str("fi"),
            'ﬂ' => folded.push_str("fl"),
            'ﬃ' => folded.push_str("ffi"),
            'ﬄ' => folded.push_str("ffl"),
            'ﬅ' | 'ﬆ' => folded.push_str("st"),
            _ => folded.extend(c.to_lowercase()),
        }
    }
    Cow::Owned(folded)
}

/// Whether a character is invisible inside a word.
pub(crate) fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn spellings_that_mean_the_same_are_the_same() {
        assert_eq!(folded("Äpple"), folded("a\u{308}pple"));
        assert_eq!(folded("o\u{fb03}ce"), "office");
        assert_eq!(folded("Wochen\u{ad}ende"), "wochenende");
        assert_eq!(folded("Don’t"), "don't");
    }
}
