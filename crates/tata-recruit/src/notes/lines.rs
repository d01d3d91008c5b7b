//! Lines as people write them: quoted, indented, with bullets.

use std::ops::Range;

use crate::evidence::is_emoji;

/// A bullet that says something of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// None, or any sign.
    Plain,
    /// A number.
    Number,
    /// A box to tick.
    Box,
    /// Two exclamation marks.
    Must,
    /// Two plus signs.
    Good,
    /// A row of a table.
    Row,
}

/// A line without its marks.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// What it says, in bytes of the text.
    pub(super) range: Range<usize>,
    /// How often it was quoted.
    pub(super) depth: usize,
    /// Whether it is a point of a list.
    pub(super) bullet: bool,
    /// What its bullet is.
    pub(super) mark: Mark,
    /// Whether it is written as a heading: `#`, bold, underlined.
    pub(super) heading: bool,
    /// How far in it begins, its bullet not counted.
    pub(super) indent: usize,
    /// It only underlines the heading above.
    pub(super) underline: bool,
    /// Whose message it is, if it is one.
    pub(super) speaker: Option<usize>,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.range.is_empty()
    }
}

/// The lines of a text.
pub(super) fn lines(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{85}']) {
        let mut read = read(line, start);
        start += line.len();
        if is_underline(text, &lines, &read) {
            // The line above is a heading, and the rule under it says nothing else.
            if let Some(last) = lines.last_mut() {
                last.heading = true;
            }
            read.range.end = read.range.start;
            read.underline = true;
        }
        lines.push(read);
    }
    lines
}

/// Whether a line is the rule under a short line that stands alone.
fn is_underline(text: &str, before: &[Line], line: &Line) -> bool {
    let slice = |line: &Line| text.get(line.range.clone()).unwrap_or_default();
    let rule = slice(line);
    let ruled =
        rule.len() >= 3 && (rule.chars().all(|mark| mark == '-') || rule.chars().all(|mark| mark == '='));
    let Some((last, rest)) = before.split_last().filter(|_| ruled) else { return false };
    let title = slice(last);
    let free = rest.last().is_none_or(|line| line.is_blank() || is_rule(slice(line)));
    let alike = title.chars().count() >= 3
        && rule.len() * 2 >= title.chars().count()
        && rule.len() <= title.chars().count() * 2 + 4;
    free && alike
        && !last.bullet
        && !last.is_blank()
        && !is_rule(title)
        && !title.ends_with(['.', ',', ';', '!'])
        && title.split_whitespace().count() <= 10
}

/// A line of nothing but dashes or the like.
pub(super) fn is_rule(text: &str) -> bool {
    let mut marks = 0;
    text.chars().all(|letter| {
        let mark = matches!(letter, '-' | '_' | '=' | '*' | '~' | '\u{2013}' | '\u{2014}' | '#');
        marks += usize::from(mark);
        mark || letter.is_whitespace()
    }) && marks >= 3
}

fn read(line: &str, start: usize) -> Line {
    let mut rest = line;
    let mut depth = 0;
    let mut indent = 0;
    // Quotation marks of mail first, then blanks.
    while let Some(letter) = rest.chars().next() {
        match letter {
            '>' => depth += 1,
            '|' if depth > 0 => {}
            letter if letter.is_whitespace() || is_invisible(letter) => indent += 1,
            _ => break,
        }
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
    }
    let marked = rest;
    let before = marked.trim_end_matches(|letter: char| letter.is_whitespace() || is_invisible(letter));
    if is_rule(before) {
        let at = start + (line.len() - marked.len());
        return Line {
            range: at..at + before.len(),
            depth,
            bullet: false,
            mark: Mark::Plain,
            heading: false,
            indent,
            underline: false,
            speaker: None,
        };
    }
    let at = start + (line.len() - marked.len());
    if let Some(inner) = before.strip_prefix('|') {
        // A row of a table has more than one bar; one bar at the beginning is a mark of quotation.
        let row = inner.contains('|');
        let text = inner.trim_start();
        let from = at + (before.len() - text.len());
        let range = if row { at..at + before.len() } else { from..at + before.len() };
        let (mark, depth) = if row { (Mark::Row, depth) } else { (Mark::Plain, depth + 1) };
        return Line {
            range,
            depth,
            bullet: row,
            mark,
            heading: false,
            indent,
            underline: false,
            speaker: None,
        };
    }
    let before_signs = before;
    let before = without_speaker(before);
    let at = at + (before_signs.len() - before.len());
    let (mut rest, bullet) = strip_bullet(before);
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    let mut heading = hashes > 0 && rest.trim_start_matches('#').starts_with(char::is_whitespace);
    if heading {
        rest = rest.trim_start_matches('#').trim_start();
    }
    let bold = ["**", "__"].iter().find_map(|mark| {
        let inner = rest.strip_prefix(mark)?;
        let bare = inner.strip_suffix(':').unwrap_or(inner);
        bare.strip_suffix(mark).filter(|inner| !inner.contains(mark))
    });
    heading |= bold.is_some() && !bullet;
    // What is left is always the end of what was there before.
    let offset = at + (before.len() - rest.len());
    let range = match bold {
        Some(inner) => offset + 2..offset + 2 + inner.len(),
        None => offset..offset + rest.len(),
    };
    let boxes = ["[ ]", "[x]", "[X]", "[]", "\u{2610}", "\u{2611}", "\u{2612}"];
    let signs = before.trim_start_matches(['-', '*', '\u{2022}', ' ']);
    let mark = match before.chars().next() {
        _ if boxes.iter().any(|boxed| signs.starts_with(boxed)) => Mark::Box,
        _ if bullet && before.starts_with("!!") => Mark::Must,
        _ if bullet && before.starts_with("++") => Mark::Good,
        Some(first) if bullet && first.is_ascii_digit() => Mark::Number,
        Some(_) | None => Mark::Plain,
    };
    Line { range, depth, bullet, mark, heading, indent, underline: false, speaker: None }
}

/// A line without the letter of who speaks: "Q: …", "A: …".
fn without_speaker(line: &str) -> &str {
    let spoken = line.strip_prefix(['Q', 'A', 'F', 'S']).and_then(|rest| rest.strip_prefix(": "));
    spoken.map_or(line, str::trim_start)
}

/// A line without its bullet: a sign, a number, a letter, a box to tick.
fn strip_bullet(line: &str) -> (&str, bool) {
    let mut rest = line;
    let mut found = false;
    // "- [ ] 1) text" has three of them.
    for _ in 0..3 {
        match one_bullet(rest) {
            Some(after) => (rest, found) = (after, true),
            None => break,
        }
    }
    (rest, found)
}

fn one_bullet(line: &str) -> Option<&str> {
    let first = line.chars().next()?;
    let after = |count: usize| -> Option<&str> {
        let rest = line.get(line.char_indices().nth(count).map_or(line.len(), |(at, _)| at)..)?;
        rest.starts_with(char::is_whitespace).then(|| rest.trim_start()).filter(|rest| !rest.is_empty())
    };
    match first {
        '+' if line.starts_with("++") => after(2),
        '-' | '*' | '+' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '=' => {
            let arrow = line.chars().nth(1) == Some('>');
            after(if arrow { 2 } else { 1 }).or_else(|| {
                // "-text" is a bullet too, "-5" and "--" are not.
                let rest = line.get(first.len_utf8()..)?;
                let letter = rest.chars().next()?;
                (letter.is_alphabetic() && first != '*' && first != '+' && first != '=').then_some(rest)
            })
        }
        '\u{2022}'
        | '\u{2023}'
        | '\u{25AA}'..='\u{25CF}'
        | '\u{25E6}'
        | '\u{2043}'
        | '\u{B7}'
        | '\u{2192}'
        | '\u{27A2}'
        | '\u{F0B7}'
        | '\u{2713}'
        | '\u{2714}'
        | '\u{2610}'..='\u{2612}' => {
            Some(line.get(first.len_utf8()..)?.trim_start()).filter(|rest| !rest.is_empty())
        }
        'o' | '\u{B0}' => after(1),
        '!' => after(1).or_else(|| after(line.chars().take_while(|sign| *sign == '!').count())),
        '[' if matches!(line.chars().nth(1), Some(' ' | 'x' | 'X')) && line.chars().nth(2) == Some(']') => {
            after(3)
        }
        '(' => {
            let close = line.find(')').filter(|close| (2..=3).contains(close))?;
            let inner = line.get(1..close)?;
            let sign = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '!' | '*');
            inner.chars().all(sign).then(|| after(close + 1)).flatten()
        }
        letter if letter.is_ascii_digit() => {
            let digits = line.chars().take_while(char::is_ascii_digit).count();
            let closed = matches!(line.chars().nth(digits), Some('.' | ')' | ':'));
            (digits <= 2 && closed).then(|| after(digits + 1)).flatten()
        }
        letter if letter.is_ascii_alphabetic() && line.chars().nth(1) == Some(')') => after(2),
        letter if is_emoji(letter) || is_invisible(letter) => {
            let rest = line.trim_start_matches(|letter: char| {
                is_emoji(letter) || is_invisible(letter) || letter.is_whitespace()
            });
            Some(rest).filter(|rest| !rest.is_empty())
        }
        _ => None,
    }
}

fn is_invisible(letter: char) -> bool {
    matches!(letter, '\0' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FE0F}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_taken_off() {
        let check = |line: &str, text: &str, depth: usize, bullet: bool, heading: bool| {
            let padded = format!("x\n{line}\ny");
            let all = lines(&padded);
            let read = &all[1];
            assert_eq!(&padded[read.range.clone()], text, "{line:?}");
            assert_eq!((read.depth, read.bullet, read.heading), (depth, bullet, heading), "{line:?}");
        };
        check("> > - [ ] Java", "Java", 2, true, false);
        check("  2) five years ", "five years", 0, true, false);
        check("## Krav", "Krav", 0, false, true);
        check("**Must have:**", "Must have:", 0, false, true);
        check("**Must have**:", "Must have", 0, false, true);
        check("-5 grader", "-5 grader", 0, false, false);
        check("–Kabel", "Kabel", 0, true, false);
        check("-----", "-----", 0, false, false);
        check("🚀 Fart", "Fart", 0, true, false);
        check("o SQL", "SQL", 0, true, false);
        check("(a) SQL", "SQL", 0, true, false);
        check("", "", 0, false, false);
    }
}
