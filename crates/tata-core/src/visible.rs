//! Characters that a reader does not see, or that change the order of what they see.
//!
//! Whoever decides about a text decides about what is on the screen. So every face shows such characters instead of
//! obeying them: the terminal as U+FFFD, pages by their number.

use std::borrow::Cow;

/// The flags that are written with tags: England, Scotland and Wales are the only ones in use.
const TAGGED_FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];
/// What such a flag begins with.
const BLACK_FLAG: char = '\u{1f3f4}';
/// What makes a key of a digit, after a variation selector.
const KEYCAP: char = '\u{20e3}';

/// A text in which hidden characters are written as their number: `[U+202E]`.
pub fn visible(text: &str) -> Cow<'_, str> {
    replace_hidden(text, |out, hidden| out.push_str(&format!("[U+{:04X}]", u32::from(hidden))))
}

/// Replaces every character that a reader would not see or that reorders what they see: control characters, marks of
/// direction, zero-width characters, fillers and tags. Joiners, variation selectors and soft hyphens stay where they
/// have a use: inside emoji, between letters of scripts that join, inside a word. A text may be a piece of a longer
/// one, so that they stay at its ends, too.
pub fn replace_hidden(text: &str, replace: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.chars().any(may_hide) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = None;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let (this, after) = rest.split_at(letter.len_utf8());
        rest = after;
        if is_hidden(before, letter, rest.chars().next()) {
            replace(&mut out, letter);
        } else {
            out.push_str(this);
        }
        before = Some(letter);
        if letter == BLACK_FLAG
            && let Some(flag) = TAGGED_FLAGS.into_iter().find(|flag| rest.starts_with(flag))
        {
            out.push_str(flag);
            rest = rest.strip_prefix(flag).unwrap_or(rest);
        }
    }
    Cow::Owned(out)
}

/// Whether a character has to be looked at more closely.
fn may_hide(c: char) -> bool {
    is_invisible(c) || (c.is_control() && !matches!(c, '\n' | '\t'))
}

fn is_hidden(before: Option<char>, letter: char, after: Option<char>) -> bool {
    match letter {
        '\n' | '\t' => false,
        // Half a line break, or the other half is still to come.
        '\r' => after.is_some_and(|next| next != '\n'),
        '\u{ad}' => !(before.is_none_or(char::is_alphanumeric) && after.is_none_or(char::is_alphanumeric)),
        '\u{200c}' | '\u{200d}' => !(before.is_none_or(joins) && after.is_none_or(joins)),
        '\u{fe0e}' | '\u{fe0f}' => match before {
            None => false,
            // A digit takes a selector only as the emoji of a key.
            Some('0'..='9' | '#' | '*') => after.is_some_and(|next| next != KEYCAP),
            Some(before) => before.is_ascii() || is_invisible(before),
        },
        letter => may_hide(letter),
    }
}

/// Whether a joiner beside this character has a use.
fn joins(c: char) -> bool {
    c == '\u{fe0f}' || (!c.is_ascii() && !c.is_whitespace() && !is_invisible(c))
}

/// Characters without ink, and those that turn words around.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reader_would_not_see_is_shown_by_its_number() {
        let cases = [
            ("pay\u{202e}001", "pay[U+202E]001"),
            ("a\u{2066}b\u{2069}c", "a[U+2066]b[U+2069]c"),
            ("ad\u{200b}min", "ad[U+200B]min"),
            ("x\u{3164}y", "x[U+3164]y"),
            ("ok\u{e0041}\u{e0042}", "ok[U+E0041][U+E0042]"),
            ("\u{1b}[2J\u{9b}31m\u{7f}", "[U+001B][2J[U+009B]31m[U+007F]"),
            ("1\u{2028}2\u{feff}3\u{2060}4", "1[U+2028]2[U+FEFF]3[U+2060]4"),
            // Joiners and selectors between plain letters say nothing to a reader.
            ("a\u{200d}b a\u{fe0f}b 1\u{fe0f}2", "a[U+200D]b a[U+FE0F]b 1[U+FE0F]2"),
            ("é\u{fe0f}\u{fe0f}", "é\u{fe0f}[U+FE0F]"),
            ("\u{1f3f4}\u{e0041}\u{e007f}", "\u{1f3f4}[U+E0041][U+E007F]"),
            ("soft \u{ad}hyphen", "soft [U+00AD]hyphen"),
            ("a\rb", "a[U+000D]b"),
        ];
        for (text, shown) in cases {
            assert_eq!(visible(text), shown, "{text:?}");
        }
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        let texts = [
            "Zażółć gęślą jaźń\n\tund „Größe“\r\n",
            "👍🏽 👩‍💻 ❤️ 1️⃣ ©️ 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
            "می‌خواهم क्‍ष",
            "Donau\u{ad}dampf\u{ad}schiff",
            "非常 عربي עברית\u{a0}narrow\u{202f}space",
            // Pieces of a stream begin and end anywhere.
            "\u{200d}💻",
            "👩\u{200d}",
            "\u{fe0f}",
            "1\u{fe0f}",
        ];
        for text in texts {
            assert_eq!(visible(text), text);
            assert!(matches!(visible("plain words"), Cow::Borrowed(_)));
        }
    }
}
