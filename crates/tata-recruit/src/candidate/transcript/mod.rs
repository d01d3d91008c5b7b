//! A transcript as a list of utterances: who spoke, when, and which characters of the text.
//!
//! It reads the shapes that Microsoft Teams writes and what people paste from them: `.vtt` with and without speakers,
//! the older and the current document, `Name: text` with and without a time. Documents come as their lines. It does
//! **not** decide who the candidate is and never guesses a speaker: a text without speakers has none.

mod clock;
mod headed;
mod label;
mod timed;

use std::collections::BTreeMap;

use label::looks_like_name;

/// What was said in an interview.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Transcript {
    /// How it was written down.
    pub shape: Shape,
    /// Everybody who speaks, as the transcript calls them, in order of appearance.
    pub speakers: Vec<String>,
    /// What was said, in the order of the text. The times need not rise.
    pub utterances: Vec<Utterance>,
}

/// A piece of speech that stands in the transcript without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// Who, as an index into the speakers.
    pub speaker: Option<usize>,
    /// When it began, in milliseconds from the start.
    pub at_ms: Option<u64>,
    /// Its first character in the transcript.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
}

/// How a transcript is written down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// Cues with times: `.vtt`, or the older document.
    Timed,
    /// Blocks under `Speaker   m:ss`: the current document.
    Headed,
    /// Lines that begin with `Name:`.
    Labelled,
    /// Speech without speakers.
    #[default]
    Unattributed,
}

impl Transcript {
    /// Reads a transcript. `known` are names of people who took part: they make a name at the start of a line more
    /// credible.
    pub fn read(text: &str, known: &[&str]) -> Self {
        let lines = lines(text);
        let timings = lines.iter().filter(|line| timed::timing(line.text).is_some()).count();
        if timings > 0 {
            return timed::read(&lines);
        }
        let headers = headed::Headers::find(&lines, known);
        let labels = label::Labels::find(&lines, known);
        if headers.count() > 0 && headers.count() >= labels.count() {
            return headers.read(&lines);
        }
        if labels.count() > 0 {
            return labels.read(&lines);
        }
        let mut writer = Writer::new(Shape::Unattributed);
        for line in &lines {
            writer.say(None, None, *line);
        }
        writer.transcript
    }

    /// The name of whoever spoke.
    pub fn speaker(&self, utterance: &Utterance) -> Option<&str> {
        self.speakers.get(utterance.speaker?).map(String::as_str)
    }
}

/// A longer name is no name.
const LONGEST_NAME: usize = 120;

/// A line, and where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    /// Without its end.
    text: &'a str,
    /// Its first character in the whole text.
    start: usize,
}

impl<'a> Line<'a> {
    /// A part of the line, given by bytes.
    fn part(self, from: usize, to: usize) -> Self {
        let before = self.text.get(..from).unwrap_or_default();
        let text = self.text.get(from..to).unwrap_or_default();
        Self { text, start: self.start + before.chars().count() }
    }

    fn trim(self) -> Self {
        let from = self.text.len() - self.text.trim_start().len();
        self.part(from, from + self.text.trim().len())
    }

    /// Its text without blanks around, and the first character of that.
    pub(super) fn trimmed(self) -> (&'a str, usize) {
        let line = self.trim();
        (line.text, line.start)
    }

    fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }
}

/// The lines of a text, whatever ends them.
pub(super) fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let (mut from, mut start, mut count) = (0, 0, 0);
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        count += 1;
        if !matches!(letter, '\n' | '\r' | '\u{B}' | '\u{2028}' | '\u{2029}') {
            continue;
        }
        lines.push(Line { text: text.get(from..at).unwrap_or_default(), start });
        from = at + letter.len_utf8();
        if letter == '\r' && letters.next_if(|(_, next)| *next == '\n').is_some() {
            (from, count) = (from + 1, count + 1);
        }
        start = count;
    }
    lines.push(Line { text: text.get(from..).unwrap_or_default(), start });
    lines
}

/// Collects utterances.
struct Writer {
    transcript: Transcript,
    known: BTreeMap<String, usize>,
}

impl Writer {
    fn new(shape: Shape) -> Self {
        Self { transcript: Transcript { shape, ..Transcript::default() }, known: BTreeMap::new() }
    }

    /// The index of a speaker; a blank name is nobody.
    fn speaker(&mut self, name: &str) -> Option<usize> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return None;
        }
        let next = self.known.len();
        let speakers = &mut self.transcript.speakers;
        Some(*self.known.entry(name).or_insert_with_key(|name| {
            speakers.push(name.clone());
            next
        }))
    }

    /// Adds what a line says, if it says anything.
    fn say(&mut self, speaker: Option<usize>, at_ms: Option<u64>, line: Line<'_>) {
        let line = line.trim();
        if !line.text.is_empty() {
            let end = line.start + line.text.chars().count();
            self.transcript.utterances.push(Utterance { speaker, at_ms, start: line.start, end });
        }
    }
}

#[cfg(test)]
mod tests;
