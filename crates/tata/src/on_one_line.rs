//! Foreign words in a list that a decision rests on. Each entry stays on its line: nothing in it ends the line, turns words
//! around or pushes what stands above it off the screen.

use tata_core::visible;

/// More spaces in a row than this are counted instead of shown.
const MOST_SPACES: usize = 2;

/// A text on one line: line ends, tabs, long runs of spaces and characters without ink are shown as marks.
pub(crate) fn on_one_line(text: &str) -> String {
    let text = visible(text);
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' => {
                let mut spaces = 1;
                while letters.next_if_eq(&' ').is_some() {
                    spaces += 1;
                }
                if spaces > MOST_SPACES {
                    out.push_str(&format!("[{spaces} spaces]"));
                } else {
                    out.extend(std::iter::repeat_n(' ', spaces));
                }
            }
            // Where `visible` leaves this, a line end follows.
            '\r' => {}
            '\n' => out.push('⏎'),
            '\t' => out.push('⇥'),
            // Of the spaces of other widths a run could be as long as one of plain ones; the others are marks of our inks.
            letter if letter.is_whitespace() || is_ink(letter) => {
                out.push_str(&format!("[U+{:04X}]", u32::from(letter)));
            }
            letter => out.push(letter),
        }
    }
    out
}

/// Whether the printer takes a character for a colour.
fn is_ink(letter: char) -> bool {
    ('\u{fdd0}'..='\u{fddf}').contains(&letter)
}

/// The beginning of a text, and how many characters of it are left out.
pub(crate) fn beginning(text: &str, most: usize) -> (&str, usize) {
    match text.char_indices().nth(most) {
        None => (text, 0),
        Some((end, _)) => {
            let (head, rest) = text.split_at(end);
            (head, rest.chars().count())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_stay_on_their_line() {
        let cases = [
            ("sh -c 'a  b'", "sh -c 'a  b'"),
            ("x\n\nTrust exactly", "x⏎⏎Trust exactly"),
            ("x\r\ny\rz\tw", "x⏎y[U+000D]z⇥w"),
            ("x          end", "x[10 spaces]end"),
            ("a\u{a0}\u{2003}b\u{85}c\u{b}d", "a[U+00A0][U+2003]b[U+0085]c[U+000B]d"),
            ("pay\u{202e}\u{2028}\u{3164}\u{fdd2}me", "pay[U+202E][U+2028][U+3164][U+FDD2]me"),
            ("smörgås ☕", "smörgås ☕"),
        ];
        for (text, shown) in cases {
            assert_eq!(on_one_line(text), shown, "{text:?}");
        }
        assert_eq!(beginning("smörgås", 3), ("smö", 4));
        assert_eq!(beginning("smö", 3), ("smö", 0));
    }
}
