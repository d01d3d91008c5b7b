//! What may reach a terminal.
//!
//! Text from anywhere (a model, a file, a database, a name) may hold sequences that move the cursor, fill the clipboard or
//! turn words around. So everything is printed by one writer, [`Printer`], which lets no control character through; our
//! own colours are no exception, for they are not control characters before they are printed.

use std::{
    borrow::Cow,
    fmt,
    io::{self, Write},
};

use tata_core::replace_hidden;

/// A style of ours: `{BOLD}words{BOLD:#}`. In a text it is a mark that stands for no character in Unicode; the printer
/// makes a colour of it, or nothing. Whoever puts the mark into a text of theirs gets a colour, and no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ink {
    tint: Tint,
    underlined: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tint {
    Bold,
    Dim,
    Good,
    Bad,
    Note,
}

pub(crate) const BOLD: Ink = Ink::of(Tint::Bold);
pub(crate) const DIM: Ink = Ink::of(Tint::Dim);
pub(crate) const GOOD: Ink = Ink::of(Tint::Good);
pub(crate) const BAD: Ink = Ink::of(Tint::Bad);
pub(crate) const NOTE: Ink = Ink::of(Tint::Note);

/// All styles, by their marks.
const MARKS: [(char, Ink); 10] = [
    ('\u{fdd0}', BOLD),
    ('\u{fdd1}', DIM),
    ('\u{fdd2}', GOOD),
    ('\u{fdd3}', BAD),
    ('\u{fdd4}', NOTE),
    ('\u{fdd5}', BOLD.underline()),
    ('\u{fdd6}', DIM.underline()),
    ('\u{fdd7}', GOOD.underline()),
    ('\u{fdd8}', BAD.underline()),
    ('\u{fdd9}', NOTE.underline()),
];
/// The mark of their end.
const PLAIN: char = '\u{fddf}';

impl Ink {
    const fn of(tint: Tint) -> Self {
        Self { tint, underlined: false }
    }

    pub(crate) const fn underline(self) -> Self {
        Self { underlined: true, ..self }
    }

    fn sequence(self) -> &'static str {
        match (self.tint, self.underlined) {
            (Tint::Bold, false) => "\x1b[1m",
            (Tint::Bold, true) => "\x1b[1;4m",
            (Tint::Dim, false) => "\x1b[2m",
            (Tint::Dim, true) => "\x1b[2;4m",
            (Tint::Good, false) => "\x1b[32m",
            (Tint::Good, true) => "\x1b[32;4m",
            (Tint::Bad, false) => "\x1b[1;31m",
            (Tint::Bad, true) => "\x1b[1;31;4m",
            (Tint::Note, false) => "\x1b[33m",
            (Tint::Note, true) => "\x1b[33;4m",
        }
    }
}

impl fmt::Display for Ink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = MARKS.iter().find(|(_, ink)| ink == self).map_or(PLAIN, |(mark, _)| *mark);
        fmt::Write::write_char(f, if f.alternate() { PLAIN } else { mark })
    }
}

/// The one that prints.
pub(crate) struct Printer<W> {
    pub(crate) stream: W,
    pub(crate) colored: bool,
    /// A person looks at it; a program gets every byte as it is.
    pub(crate) harmless: bool,
}

impl<W: Write> Write for Printer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.stream.write_all(printable(&text, self.colored, self.harmless).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

fn printable(text: &str, colored: bool, harmless: bool) -> Cow<'_, str> {
    let is_mark = |c: char| ('\u{fdd0}'..='\u{fddf}').contains(&c);
    let text =
        if harmless { replace_hidden(text, |out, _| out.push('\u{fffd}')) } else { Cow::Borrowed(text) };
    if !text.chars().any(|c| is_mark(c) || harmless && c == '\r') {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match letter {
            PLAIN if colored => out.push_str("\x1b[0m"),
            mark if is_mark(mark) => {
                let ink = MARKS.iter().find(|(known, _)| *known == mark).filter(|_| colored);
                out.push_str(ink.map_or("", |(_, ink)| ink.sequence()));
            }
            // What is left of it belongs to a line break.
            '\r' if harmless => {}
            letter => out.push(letter),
        }
    }
    Cow::Owned(out)
}

/// A text that may stand on a screen as it is. Only this file makes one, so that whoever needs one cannot be given
/// anything else: the line editor prints its prompt itself, past the printer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Printable(String);

impl Printable {
    /// The text on one line, without colours: the line editor reckons with its width.
    pub(crate) fn prompt(text: &str) -> Self {
        Self(printable(text, false, true).into_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The sequences with which clap writes its help and errors, and our inks for them; longer ones first.
const CLAP_STYLES: [(&str, Ink); 6] = [
    ("\x1b[1m\x1b[4m", BOLD.underline()),
    ("\x1b[1m\x1b[31m", BAD),
    ("\x1b[1m", BOLD),
    ("\x1b[4m", DIM.underline()),
    ("\x1b[32m", GOOD),
    ("\x1b[33m", NOTE),
];

/// What clap wrote with its colours, in our inks. It quotes the person's own arguments as they are: of these a colour is
/// the most that gets through the printer afterwards.
pub(crate) fn in_our_inks(styled: &str) -> String {
    let plain = styled.replace("\x1b[0m", &PLAIN.to_string());
    CLAP_STYLES.iter().fold(plain, |text, (sequence, ink)| text.replace(sequence, &ink.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_not_steered_by_what_is_printed() {
        let shown = |text: &str| printable(text, true, true).into_owned();
        assert_eq!(
            shown("\u{1b}]0;title\u{7}\u{9b}31m ok\n\ttab\u{7f}"),
            "\u{fffd}]0;title\u{fffd}\u{fffd}31m ok\n\ttab\u{fffd}"
        );
        assert_eq!(shown("Zażółć 👍🏽 👩‍💻"), "Zażółć 👍🏽 👩‍💻");
        assert_eq!(shown("a\r\nb\rc\u{202e}d\r"), "a\nb\u{fffd}c\u{fffd}d");
        assert_eq!(shown("no\u{200b} t\u{e0041}ag \u{3164}"), "no\u{fffd} t\u{fffd}ag \u{fffd}");
        assert_eq!(
            Printable::prompt("\u{1b}]52;c;eA==\u{7}who? ").as_str(),
            "\u{fffd}]52;c;eA==\u{fffd}who? "
        );
    }

    #[test]
    fn clap_colours_are_ours_and_its_quotations_harmless() {
        let said = in_our_inks("\x1b[1m\x1b[31merror:\x1b[0m '\x1b[33m\x1b]0;x\x07\x1b[0m'");
        assert_eq!(printable(&said, false, true), "error: '\u{fffd}]0;x\u{fffd}'");
        assert_eq!(
            printable(&said, true, true),
            "\x1b[1;31merror:\x1b[0m '\x1b[33m\u{fffd}]0;x\u{fffd}\x1b[0m'"
        );
    }

    #[test]
    fn our_own_styles_are_colours_or_nothing() {
        let text = format!("{BOLD}a{BOLD:#} {}b{NOTE:#}", NOTE.underline());
        assert_eq!(printable(&text, true, true), "\u{1b}[1ma\u{1b}[0m \u{1b}[33;4mb\u{1b}[0m");
        assert_eq!(printable(&text, false, true), "a b");
        assert_eq!(printable(&text, false, false), "a b");
        // Into a pipe, what is not ours goes as it came.
        assert_eq!(printable("\u{1b}[1m\u{9b}", false, false), "\u{1b}[1m\u{9b}");
    }
}
