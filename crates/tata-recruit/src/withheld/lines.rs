//! Sentences of notes: a line is one, unless it was wrapped.

use std::ops::Range;

use tata_language::review::{Reading, ends};

/// A sentence, or a line that stands for one.
#[derive(Clone, Debug)]
pub(super) struct Sentence {
    /// Its words.
    pub(super) words: Range<usize>,
    /// The character after its last sign: where the next sentence or the next line begins.
    pub(super) end: usize,
    /// It ends its line with a colon.
    pub(super) opens_list: bool,
    /// A blank line stands before it.
    pub(super) after_blank: bool,
}

/// Narrower paragraphs are lists without marks, and nothing in them was wrapped.
const NARROWEST: usize = 40;
/// How full the lines of a wrapped paragraph are, its last one aside, in tenths of the widest.
const FULL_TENTHS: usize = 7;

/// A line by its characters.
struct Line {
    range: Range<usize>,
    blank: bool,
    /// How many characters its first word has, if it begins as a line that goes on does: with a small letter.
    goes_on: Option<usize>,
    /// The widest line of its paragraph; nothing if its lines are too different to have been wrapped.
    width: Option<usize>,
}

/// The sentences of a text, in order.
pub(super) fn sentences(reading: &Reading<'_>) -> Vec<Sentence> {
    let lines = lines(reading.text);
    let mut sentences: Vec<Sentence> = Vec::new();
    let (mut first, mut line, mut after_blank) = (0, 0, false);
    let words = &reading.words;
    for at in 1..=words.len() {
        let Some(before) = words.get(at - 1) else { break };
        while lines.get(line).is_some_and(|line| line.range.end < before.start) {
            line += 1;
        }
        let next = words.get(at);
        let own = lines.get(line).map_or(0..0, |line| line.range.clone());
        let same_line = next.is_some_and(|next| next.start < own.end);
        let wrapped =
            || lines.get(line).zip(lines.get(line + 1)).is_some_and(|(line, next)| is_wrapped(line, next));
        let sentence_ends = next.is_none() || ends(words, at) || !same_line && !wrapped();
        if !sentence_ends {
            continue;
        }
        let end = next.filter(|_| same_line).map_or(own.end, |next| next.start);
        let signs = reading.cut(before.end, end);
        sentences.push(Sentence {
            words: first..at,
            end,
            opens_list: !same_line && signs.trim_end().ends_with(':'),
            after_blank,
        });
        let until = next.map_or(own.end, |next| next.start);
        after_blank =
            lines.iter().skip(line + 1).take_while(|line| line.range.start < until).any(|line| line.blank);
        first = at;
    }
    sentences
}

/// Whether a line goes on in the next: its first word did not fit.
fn is_wrapped(line: &Line, next: &Line) -> bool {
    let length = line.range.len();
    line.width.zip(next.goes_on).is_some_and(|(width, word)| length + 1 + word > width)
}

fn lines(text: &str) -> Vec<Line> {
    let mut start = 0;
    let lines = text.split(['\n', '\u{2028}']).map(|text| {
        let range = start..start + text.chars().count();
        start = range.end + 1;
        let plain = text.trim_start_matches(['>', ' ', '\t']);
        let word = plain.split_whitespace().next().unwrap_or_default();
        let goes_on = word.starts_with(char::is_lowercase).then(|| word.chars().count());
        Line { range, blank: plain.trim().is_empty(), goes_on, width: None }
    });
    let mut lines: Vec<Line> = lines.collect();
    lines.split_inclusive_mut(|line| line.blank).for_each(measure);
    lines
}

/// Gives the lines of a paragraph its width.
fn measure(lines: &mut [Line]) {
    let width = lines.iter().map(|line| line.range.len()).max().unwrap_or(0);
    let written = lines.iter().filter(|line| !line.blank).count();
    let full = |line: &Line| line.range.len() * 10 >= width * FULL_TENTHS;
    let wrapped = width >= NARROWEST && lines.iter().take(written.saturating_sub(1)).all(full);
    for line in lines {
        line.width = wrapped.then_some(width);
    }
}
