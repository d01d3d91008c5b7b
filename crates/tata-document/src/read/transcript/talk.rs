//! A talk in a text: who spoke, when, and which characters of the text.

use std::collections::BTreeMap;

use super::{TranscriptShape, headed::Headers, label::Labels, timed};

/// A longer name is no name.
const LONGEST_NAME: usize = 120;

/// What was said, by its places in the text it was read from.
///
/// It never guesses a speaker: a text without speakers has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Talk {
    /// How it is written.
    pub shape: TranscriptShape,
    /// Everybody who speaks, as the text calls them, in order of appearance.
    pub speakers: Vec<String>,
    /// What was said, in the order of the text. The times need not rise.
    pub utterances: Vec<Utterance>,
    /// What was left out.
    pub(super) notes: Vec<String>,
}

/// A piece of speech that stands in the text without a break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// Who, as an index into the speakers.
    pub speaker: Option<usize>,
    /// When it began, in milliseconds from the start.
    pub at_ms: Option<u64>,
    /// Its first character in the text.
    pub start: usize,
    /// The character after its last.
    pub end: usize,
    /// The same places in bytes.
    pub(super) bytes: (usize, usize),
}

/// What a reader of talks knows of names and of the programs that write talks down.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// Whether a name is one of somebody who took part: it is believed where it stands once.
    pub known: &'a dyn Fn(&str) -> bool,
    /// Whether a name is a role, such as "Speaker 1".
    pub role: &'a dyn Fn(&str) -> bool,
    /// Whether the program wrote a line, such as "Anna Berg stopped transcription".
    pub service: &'a dyn Fn(&str) -> bool,
}

impl Talk {
    /// Reads a talk: cues with times, blocks under `Name   m:ss`, or lines that begin with `Name:`.
    pub fn read(text: &str, names: &Names<'_>) -> Self {
        let lines = lines(text);
        if lines.iter().any(|line| timed::timing(line.text).is_some()) {
            return timed::read(&lines, names);
        }
        let headers = Headers::find(&lines, names);
        let labels = Labels::find(&lines, names);
        if headers.count() > 0 && headers.count() >= labels.count() {
            return headers.read(&lines, names);
        }
        if labels.count() > 0 {
            return labels.read(&lines, names);
        }
        let mut writer = Writer::new(TranscriptShape::Unattributed);
        for line in lines {
            writer.say(None, None, line);
        }
        writer.talk
    }
}

/// A line, and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    /// Without its end.
    pub(super) text: &'a str,
    /// Its first character in the whole text.
    start: usize,
    /// Its first byte there.
    byte: usize,
}

impl Line<'_> {
    /// A part of the line, given by bytes.
    pub(super) fn part(self, from: usize, to: usize) -> Self {
        let before = self.text.get(..from).unwrap_or_default();
        let text = self.text.get(from..to).unwrap_or_default();
        Self { text, start: self.start + before.chars().count(), byte: self.byte + before.len() }
    }

    pub(super) fn trim(self) -> Self {
        let from = self.text.len() - self.text.trim_start().len();
        self.part(from, from + self.text.trim().len())
    }
}

/// The lines of a text, whatever ends them.
fn lines(text: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let (mut start, mut byte) = (0, 0);
    for line in text.split_inclusive(['\n', '\r', '\u{b}', '\u{2028}', '\u{2029}']) {
        // The end of a line in two characters is a blank line more only where nothing stands between them.
        let ended = line == "\n" && text.get(..byte).is_some_and(|before| before.ends_with('\r'));
        if !ended {
            let end = line.trim_end_matches(['\n', '\r', '\u{b}', '\u{2028}', '\u{2029}']);
            lines.push(Line { text: end, start, byte });
        }
        (start, byte) = (start + line.chars().count(), byte + line.len());
    }
    lines
}

/// Collects utterances.
pub(super) struct Writer {
    pub(super) talk: Talk,
    known: BTreeMap<String, usize>,
}

impl Writer {
    pub(super) fn new(shape: TranscriptShape) -> Self {
        let talk = Talk { shape, speakers: Vec::new(), utterances: Vec::new(), notes: Vec::new() };
        Self { talk, known: BTreeMap::new() }
    }

    /// The index of a speaker; a blank or endless name is nobody's.
    pub(super) fn speaker(&mut self, name: &str) -> Option<usize> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return None;
        }
        let speakers = &mut self.talk.speakers;
        Some(*self.known.entry(name).or_insert_with_key(|name| {
            speakers.push(name.clone());
            speakers.len() - 1
        }))
    }

    /// Adds what a line says, if it says anything.
    pub(super) fn say(&mut self, speaker: Option<usize>, at_ms: Option<u64>, line: Line<'_>) {
        let Line { text, start, byte } = line.trim();
        if !text.is_empty() {
            let (end, bytes) = (start + text.chars().count(), (byte, byte + text.len()));
            self.talk.utterances.push(Utterance { speaker, at_ms, start, end, bytes });
        }
    }

    /// Notes what was left out, as far as anybody would read it.
    pub(super) fn leave_out(&mut self, what: &str, line: &str) {
        let line = line.trim();
        if !line.is_empty() && self.talk.notes.len() < 8 {
            let shown: String = line.chars().take(120).collect();
            self.talk.notes.push(format!("{what}: {shown}"));
        }
    }
}
