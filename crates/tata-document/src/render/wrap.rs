//! Words on lines of a given width, as a terminal counts it.

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

use crate::Inline;

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Look {
    #[default]
    Plain,
    Strong,
    Emphasis,
    Link,
    Faint,
    Warning,
}

/// A character as people see it, with its width.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Glyph {
    pub(super) text: String,
    pub(super) width: usize,
    pub(super) look: Look,
}

/// A line of glyphs.
pub(super) type Line = Vec<Glyph>;

/// The glyphs of a text: nothing that steers a terminal is among them.
pub(super) fn glyphs(text: &str, look: Look) -> Line {
    let harmless: String = text.chars().filter(|letter| *letter != '\r').map(harmless).collect();
    let glyph = |text: &str| Glyph { width: text.width(), text: text.to_owned(), look };
    harmless.graphemes(true).map(glyph).collect()
}

/// The glyphs of a text with spans; `whole` is how they look unless they are marked.
pub(super) fn spans(inline: &Inline, whole: Look) -> Line {
    let mut out = Vec::new();
    for (text, marks) in inline.spans() {
        let address = marks.address();
        let look = match (marks.unproven, marks.strong, marks.emphasis, address) {
            (true, ..) => Look::Warning,
            (false, true, ..) => Look::Strong,
            (false, false, _, Some(_)) => Look::Link,
            (false, false, true, None) => Look::Emphasis,
            (false, false, false, None) => whole,
        };
        out.extend(glyphs(text, look));
        if let Some(address) = address.filter(|address| *address != text) {
            out.extend(glyphs(&format!(" ({address})"), Look::Faint));
        }
        if marks.unproven {
            out.extend(glyphs(" [?]", Look::Warning));
        }
    }
    out
}

/// Control characters, marks that turn words around, and what a program may use as marks of its own.
fn harmless(letter: char) -> char {
    match letter {
        '\n' => '\n',
        '\t' => ' ',
        '\u{061c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{fdd0}'..='\u{fdef}' => '\u{fffd}',
        letter if letter.is_control() => '\u{fffd}',
        letter => letter,
    }
}

pub(super) fn width(line: &[Glyph]) -> usize {
    line.iter().map(|glyph| glyph.width).sum()
}

/// Lines of at most so many columns; at least one line. A word that is wider than a line is cut.
pub(super) fn wrap(glyphs: &[Glyph], columns: usize) -> Vec<Line> {
    let columns = columns.max(1);
    let mut lines = Vec::new();
    for paragraph in glyphs.split(|glyph| glyph.text == "\n") {
        let mut line = Line::new();
        let mut used = 0;
        for (at, word) in paragraph.split(|glyph| glyph.text == " ").enumerate() {
            let wide = width(word);
            let blank = usize::from(at > 0);
            if used + blank + wide > columns && used > 0 {
                lines.push(std::mem::take(&mut line));
                used = 0;
            } else if blank > 0 {
                let look = line.last().map_or(Look::Plain, |glyph| glyph.look);
                let same = word.first().is_some_and(|glyph| glyph.look == look);
                let look = if same { look } else { Look::Plain };
                line.push(Glyph { text: " ".to_owned(), width: 1, look });
                used += 1;
            }
            for glyph in word {
                if used + glyph.width > columns && used > 0 {
                    lines.push(std::mem::take(&mut line));
                    used = 0;
                }
                used += glyph.width;
                line.push(glyph.clone());
            }
        }
        lines.push(line);
    }
    for line in &mut lines {
        while line.last().is_some_and(|glyph| glyph.text == " ") {
            line.pop();
        }
    }
    lines
}
