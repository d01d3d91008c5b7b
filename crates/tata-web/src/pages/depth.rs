//! How deep Markdown may go. Whoever reads HTML walks all open elements at each new one, so a text of `>` alone costs the
//! square of its length: depth is bounded before anything is parsed, in one pass over the bytes.

use std::borrow::Cow;

/// The most quotations and lists inside each other. What lies deeper is shown as the text it is.
const DEEPEST: usize = 20;

/// The most elements inside each other that HTML of such a text has: two for each list, and some for marks in a line.
const DEEPEST_ELEMENTS: usize = 100;

/// The same text with nothing deeper than [`DEEPEST`]: the first mark beyond it is escaped on each line.
pub(super) fn bounded(markdown: &str) -> Cow<'_, str> {
    let mut escaped = String::new();
    let mut copied = 0;
    let mut start = 0;
    for line in markdown.split_inclusive(['\n', '\r']) {
        if let Some(within) = too_deep(line.as_bytes()) {
            escaped.push_str(markdown.get(copied..start + within).unwrap_or_default());
            escaped.push('\\');
            copied = start + within;
        }
        start += line.len();
    }
    if copied == 0 {
        return Cow::Borrowed(markdown);
    }
    escaped.push_str(markdown.get(copied..).unwrap_or_default());
    Cow::Owned(escaped)
}

/// Where a line goes deeper than is allowed: the place for a backslash.
fn too_deep(line: &[u8]) -> Option<usize> {
    let rule = rule_start(line);
    let (mut at, mut depth, mut blanks) = (0, 0, 0);
    while let Some(byte) = line.get(at) {
        if matches!(byte, b' ' | b'\t') {
            // A list inside another stands at least two columns further in.
            blanks += if *byte == b'\t' { 4 } else { 1 };
            at += 1;
            continue;
        }
        // A line such as `* * *` is a rule and opens nothing.
        let mark = line.get(at..).and_then(mark).filter(|_| at < rule)?;
        depth += 1 + blanks / 2;
        blanks = 0;
        if depth > DEEPEST {
            return Some(at + mark.width - 1);
        }
        at += mark.width;
    }
    None
}

/// A mark that opens a quotation or a list.
struct Mark {
    width: usize,
}

/// The mark at the beginning of a text, if there is one.
fn mark(text: &[u8]) -> Option<Mark> {
    let ends = |at: usize| text.get(at).is_none_or(u8::is_ascii_whitespace);
    match text.first()? {
        b'>' => Some(Mark { width: 1 }),
        b'-' | b'+' | b'*' => ends(1).then_some(Mark { width: 1 }),
        b'0'..=b'9' => {
            let digits = text.iter().take(10).take_while(|byte| byte.is_ascii_digit()).count();
            let closed = matches!(text.get(digits), Some(b'.' | b')'));
            (closed && ends(digits + 1)).then_some(Mark { width: digits + 1 })
        }
        _ => None,
    }
}

/// From where on a line has nothing but blanks and one character that rules are made of.
fn rule_start(line: &[u8]) -> usize {
    let mut start = line.len();
    let mut drawn = None;
    for (at, byte) in line.iter().enumerate().rev() {
        if byte.is_ascii_whitespace() {
            continue;
        }
        if !b"-_*".contains(byte) || drawn.is_some_and(|drawn| drawn != byte) {
            break;
        }
        drawn = Some(byte);
        start = at;
    }
    start
}

/// Whether HTML, as our own writer makes it, has more elements inside each other than anybody reads.
pub(super) fn is_too_nested(html: &str) -> bool {
    let bytes = html.as_bytes();
    let mut depth = 0_usize;
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'<') {
        let tag = bytes.get(at + 1..).unwrap_or_default();
        let void = [&b"br"[..], b"hr", b"img", b"input"].iter().any(|name| tag.starts_with(name));
        match tag.first() {
            Some(b'/') => depth = depth.saturating_sub(1),
            Some(letter) if letter.is_ascii_alphabetic() && !void => depth += 1,
            Some(_) | None => {}
        }
        if depth > DEEPEST_ELEMENTS {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many of these marks still open something.
    fn opened(line: &str) -> usize {
        let bounded = bounded(line);
        bounded.split('\\').next().unwrap().matches(['>', '-', '.']).count()
    }

    #[test]
    fn the_twentieth_mark_is_the_last_that_opens_something() {
        for mark in [">", "> ", "- ", "1. ", ">\t"] {
            let deep = mark.repeat(500) + "x";
            let shown = bounded(&deep);
            assert_eq!(shown.len(), deep.len() + 1, "{mark:?}: {shown}");
            assert!(opened(&deep) <= 21, "{mark:?}: {shown}");
            let allowed = mark.repeat(20) + "x";
            if mark != ">\t" {
                assert_eq!(bounded(&allowed), allowed.as_str(), "{mark:?}");
            }
        }
        assert_eq!(bounded(&format!("{}- x\n- y", " ".repeat(60))), format!("{}\\- x\n- y", " ".repeat(60)));
        assert_eq!(bounded(&("1. ".repeat(21) + "x")), "1. ".repeat(20) + "1\\. x");
    }

    #[test]
    fn what_people_write_stays_as_it_is() {
        for text in [
            "",
            "> said\n> > before",
            "* * * * * * * * * * * * * * * * * * * * * * * *",
            "> - - - - - - - - - - - - - - - - - - - - - - -",
            "- a\n  - b\n    - c\n      1. d",
            "a > b > c",
            "                                                  deep code",
            "1.2.3",
            "Ä > ö\r\n- ü",
        ] {
            assert_eq!(bounded(text), text);
        }
    }

    #[test]
    fn depth_of_html_counts_what_is_open() {
        assert!(!is_too_nested(&"<p>a<br>b</p><hr><img src=\"x\">".repeat(500)));
        assert!(is_too_nested(&"<em><strong>".repeat(60)));
        assert!(!is_too_nested(&"<em></em>".repeat(600)));
    }
}
