//! The normalised form of a text: composed, in small letters, without typographic variants.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Folds a text so that spellings which mean the same are the same.
pub fn folded(text: &str) -> Cow<'_, str> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    if text.bytes().all(plain) {
        return Cow::Borrowed(text);
    }
    if text.is_ascii() {
        return Cow::Owned(text.to_ascii_lowercase());
    }
    // The small letters of our languages are composed as they stand.
    let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "åäöæøüßé".contains(c);
    if text.chars().all(small) {
        return Cow::Borrowed(text);
    }
    let composed: Cow<'_, str> =
        if is_nfc(text) { Cow::Borrowed(text) } else { Cow::Owned(text.nfc().collect()) };
    let mut folded = String::with_capacity(composed.len());
    for c in composed.chars() {
        match c {
            c if is_invisible(c) => {}
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

/// Characters that nobody sees and that part no word.
pub fn is_invisible(letter: char) -> bool {
    matches!(
        letter,
        '\0' | '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
    )
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
