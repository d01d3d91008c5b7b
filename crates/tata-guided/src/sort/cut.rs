//! Where notes are cut.

use std::ops::Range;

use tata_language::{Language, Offsets, sentences, tokens};

use super::{Piece, Place, Role};
use crate::answer::{
    pieces::pieces,
    words::{Sense, Words},
};

/// A heading has no more words.
const HEADING: usize = 6;

/// Cuts notes into pieces.
pub(super) fn cut(text: &str, language: Language) -> Vec<Piece> {
    let mut cutter = Cutter {
        text,
        language,
        offsets: Offsets::new(text),
        found: Vec::new(),
        prose: None,
        section: Section::default(),
    };
    let mut start = 0;
    for line in text.split_inclusive(['\n', '\r', '\u{2028}', '\u{2029}', '\u{b}', '\u{c}', '\u{85}']) {
        let end = start + line.len();
        cutter.line(start..end);
        start = end;
    }
    cutter.end_prose();
    cutter.found
}

/// What the last heading said.
#[derive(Clone, Copy, Debug, Default)]
struct Section {
    place: Option<Place>,
    /// Nothing but bullets has come since, blank lines aside.
    bullets: bool,
    /// No blank line has come since.
    close: bool,
}

struct Cutter<'t> {
    text: &'t str,
    language: Language,
    offsets: Offsets<'t>,
    found: Vec<Piece>,
    /// Lines of prose that may be one paragraph, in bytes.
    prose: Option<Range<usize>>,
    section: Section,
}

impl Cutter<'_> {
    fn line(&mut self, whole: Range<usize>) {
        let bytes = trimmed(self.text, whole.clone());
        let line = self.text.get(bytes.clone()).unwrap_or_default();
        if line.is_empty() {
            self.end_prose();
            self.section.close = false;
            return;
        }
        let indented = bytes.start > whole.start;
        if let Some(skipped) = bullet(line) {
            self.end_prose();
            self.item(bytes, skipped);
        } else if let Some(section) = self.heading(line) {
            self.end_prose();
            self.push(bytes.clone(), bytes, Role::Heading, None);
            self.section = section;
        } else if indented && self.prose.is_none() && self.goes_on(bytes.start) {
            self.extend(bytes);
        } else if let Some((place, skipped)) = self.label(line) {
            self.end_prose();
            // One piece: a label names one thing, however it is punctuated.
            let content = bytes.start + skipped..bytes.end;
            self.push(bytes, content, Role::Line, Some(place));
            self.section = Section::default();
        } else {
            let start = self.prose.as_ref().map_or(bytes.start, |prose| prose.start);
            self.prose = Some(start..bytes.end);
        }
    }

    /// A point of a list is one piece, whatever stands in it.
    fn item(&mut self, bytes: Range<usize>, skipped: usize) {
        let content = trimmed(self.text, bytes.start + skipped..bytes.end);
        let line = self.text.get(content.clone()).unwrap_or_default();
        if let Some((place, label)) = self.label(line) {
            let content = trimmed(self.text, content.start + label..content.end);
            return self.push(bytes, content, Role::Line, Some(place));
        }
        let place = self.section.place.filter(|_| self.section.bullets);
        self.push(bytes, content, Role::Line, place);
    }

    /// Ends a paragraph: its sentences, in the section if they follow its heading at once.
    fn end_prose(&mut self) {
        let Some(prose) = self.prose.take() else { return };
        let place = self.section.place.filter(|_| self.section.close && self.section.bullets);
        self.sentences(&prose, place);
        self.section.bullets = false;
    }

    /// The sentences of a paragraph.
    fn sentences(&mut self, bytes: &Range<usize>, place: Option<Place>) {
        let Some(text) = self.text.get(bytes.clone()) else { return };
        let words = tokens(text);
        let starts = sentences(self.language, &words).into_iter().skip(1);
        let cuts: Vec<usize> = starts
            .filter_map(|sentence| words.get(sentence.start))
            .map(|token| bytes.start + token.byte)
            .filter(|at| self.text.is_char_boundary(*at))
            .chain([bytes.end])
            .collect();
        let mut start = bytes.start;
        for end in cuts {
            let piece = trimmed(self.text, start..end);
            if !piece.is_empty() {
                self.push(piece.clone(), piece, Role::Line, place);
            }
            start = end;
        }
    }

    fn push(&mut self, bytes: Range<usize>, content: Range<usize>, role: Role, place: Option<Place>) {
        let text = self.text.get(content.clone()).unwrap_or_default().to_owned();
        let (span, content) = (self.offsets.span(bytes), self.offsets.span(content));
        self.found.push(Piece { span, content, text, role, place });
    }

    /// Whether an indented line goes on with the point before it: nothing but its line break lies between.
    fn goes_on(&self, start: usize) -> bool {
        let Some(last) =
            self.found.last().filter(|last| last.role == Role::Line && last.span != last.content)
        else {
            return false;
        };
        let between = self.text.get(self.offsets.byte(last.span.end)..start).unwrap_or_default();
        between.matches('\n').count() == 1
    }

    fn extend(&mut self, bytes: Range<usize>) {
        let end = self.offsets.character(bytes.end);
        let Some(last) = self.found.last_mut() else { return };
        (last.span.end, last.content.end) = (end, end);
        self.offsets.text(last.content).clone_into(&mut last.text);
    }

    /// A section that a line begins, if it is a heading; it need not name a place.
    fn heading(&self, line: &str) -> Option<Section> {
        let marked =
            line.starts_with('#') || (line.starts_with("**") && line.ends_with("**") && line.len() > 4);
        let bare = line.trim_matches(|letter: char| matches!(letter, '#' | '*' | '_' | ' ' | '='));
        let (name, colon) = match bare.strip_suffix(':') {
            Some(name) => (name.trim_end_matches('*'), true),
            None => (bare, false),
        };
        let place = place_of(name, self.language);
        let short = name.split_whitespace().count() <= HEADING && name.contains(char::is_alphabetic);
        let begins = place.is_some() || (short && (colon || marked));
        begins.then_some(Section { place, bullets: true, close: true })
    }

    /// "Must: SQL": the place, and how many bytes the label has.
    fn label(&self, line: &str) -> Option<(Place, usize)> {
        let at = line.find(':')?;
        let (name, rest) = line.split_at_checked(at)?;
        let name = name.trim_matches(|letter: char| matches!(letter, '*' | '_' | ' '));
        let rest = rest.get(1..)?;
        let place = place_of(name, self.language)?;
        let marks = rest.len() - rest.trim_start_matches(['*', '_', ' ', '\t']).len();
        (marks < rest.len()).then_some((place, at + 1 + marks))
    }
}

/// The place that words name, all of them. Nothing is left out by a heading.
fn place_of(name: &str, language: Language) -> Option<Place> {
    let pieces = pieces(name);
    let (place, length) = Words::of(language).at(&pieces, 0, Sense::place)?;
    (length == pieces.len() && place != Place::Out).then_some(place)
}

fn trimmed(text: &str, bytes: Range<usize>) -> Range<usize> {
    let piece = text.get(bytes.clone()).unwrap_or_default();
    let start = bytes.start + (piece.len() - piece.trim_start().len());
    let end = start + piece.trim().len();
    start..end
}

/// How many bytes the bullet or number of a line has.
fn bullet(line: &str) -> Option<usize> {
    let mut letters = line.chars();
    let first = letters.next()?;
    if matches!(first, '-' | '*' | '•' | '–' | '·' | '▪' | '◦' | '→' | '✓' | 'o') {
        let rest = letters.as_str();
        let spaced = rest.starts_with(char::is_whitespace) && !rest.trim().is_empty();
        let glued = first != 'o' && first != '*' && rest.starts_with(char::is_alphabetic);
        return (spaced || glued).then_some(first.len_utf8());
    }
    let digits = line.len() - line.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = line.get(digits..)?;
    let numbered = (1..=2).contains(&digits) && rest.starts_with(['.', ')']);
    let spaced = rest
        .get(1..)
        .is_some_and(|rest| rest.starts_with(' ') && rest.trim().starts_with(char::is_alphabetic));
    (numbered && spaced).then_some(digits + 1)
}
