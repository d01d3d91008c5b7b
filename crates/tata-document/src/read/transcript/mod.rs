//! Transcripts of meetings, in the five shapes Teams and Stream write: who said what, and when.

mod clock;
mod headed;
mod timed;

use crate::{Format, ReadError, Reading, limits::Guard, reading::BlockKind};

/// A longer name is no name.
const LONGEST_NAME: usize = 120;

/// What somebody said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Turn {
    /// Who, if the transcript says.
    pub speaker: Option<String>,
    /// When it began, in milliseconds from the start, if the transcript says.
    pub start_ms: Option<u64>,
    /// The words.
    pub text: String,
}

/// How a transcript is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TranscriptShape {
    /// `.vtt` with `<v Name>`, padded times or not.
    Voices,
    /// `.vtt` of the classic Stream: times and no speakers.
    Stream,
    /// An older Word file: a paragraph per cue with times, name and words.
    OlderWord,
    /// A current Word file: blocks under `Name   m:ss`.
    CurrentWord,
    /// Words without speakers.
    Unattributed,
}

/// A transcript that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transcript {
    /// The format of the file.
    pub format: Format,
    /// How it is written.
    pub shape: TranscriptShape,
    /// What was said, in the order of the file.
    pub turns: Vec<Turn>,
    /// Everybody who is named, in order.
    pub speakers: Vec<String>,
    /// What was left out, and what a person must say before anything is built on it.
    pub notes: Vec<String>,
}

impl Transcript {
    /// Whether a person must say who is who: nobody is named, or somebody only by a number.
    pub fn asks_who_is_who(&self) -> bool {
        self.speakers.is_empty() || self.speakers.iter().any(|name| is_number(name))
    }

    /// As text: a line with name and time above the words of each turn, as current Word files have it.
    pub fn text(&self) -> String {
        let mut out = String::new();
        let mut last: Option<(&Option<String>, Option<u64>)> = None;
        for turn in &self.turns {
            if last != Some((&turn.speaker, turn.start_ms)) {
                out.push_str(if out.is_empty() { "" } else { "\n" });
                let name = turn.speaker.as_deref().unwrap_or_default();
                let time = turn.start_ms.map(clock::shown).unwrap_or_default();
                match (name.is_empty(), time.is_empty()) {
                    (false, false) => out.push_str(&format!("{name}   {time}\n")),
                    (false, true) => out.push_str(&format!("{name}:\n")),
                    (true, _) => {}
                }
                last = Some((&turn.speaker, turn.start_ms));
            }
            out.push_str(&turn.text);
            out.push('\n');
        }
        out
    }
}

/// A `.vtt` as text: a paragraph per turn.
pub(super) fn read(text: &str, guard: &Guard) -> Result<Reading, ReadError> {
    let transcript = parse(text, Format::Vtt, guard)?;
    let mut reading = Reading::new(Format::Vtt);
    for turn in &transcript.turns {
        match &turn.speaker {
            Some(name) => reading.push(BlockKind::Paragraph, &format!("{name}: {}", turn.text), None),
            None => reading.push(BlockKind::Paragraph, &turn.text, None),
        }
    }
    reading.notes = transcript.notes;
    Ok(reading)
}

pub(super) fn parse(text: &str, format: Format, guard: &Guard) -> Result<Transcript, ReadError> {
    let text = text.replace("\r\n", "\n");
    let lines: Vec<&str> = text
        .split(['\n', '\r', '\u{b}', '\u{2028}', '\u{2029}'])
        .map(|line| line.trim_matches('\0'))
        .collect();
    let mut writer = Writer { guard, turns: Vec::new(), speakers: Vec::new(), notes: Vec::new() };
    let shape = if lines.iter().any(|line| timed::timing(line).is_some()) {
        timed::read(&lines, &mut writer)?
    } else if let Some(headers) = headed::headers(&lines) {
        headed::read(&lines, &headers, &mut writer)?
    } else {
        // Only the times and ids of something else, or no times at all: words are all there is.
        for line in lines.iter().filter(|line| !line.trim().starts_with("WEBVTT")) {
            writer.say(None, None, line)?;
        }
        TranscriptShape::Unattributed
    };
    if writer.speakers.is_empty() {
        writer.notes.push("nobody is named: say who is who before anybody is rated".to_owned());
    } else if writer.speakers.iter().any(|name| is_number(name)) {
        writer.notes.push("somebody is named by a number only: say who is who".to_owned());
    }
    let unknown = writer.turns.iter().filter(|turn| turn.speaker.is_none()).count();
    if unknown > 0 && !writer.speakers.is_empty() {
        writer.notes.push(format!("{unknown} of {} turns name no speaker", writer.turns.len()));
    }
    let Writer { turns, speakers, notes, .. } = writer;
    Ok(Transcript { format, shape, turns, speakers, notes })
}

/// `Speaker 1`, `Talare 2`: a word and a number.
fn is_number(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    matches!(words.as_slice(), [word, number]
        if word.chars().all(char::is_alphabetic) && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Collects turns within the limits.
struct Writer<'a> {
    guard: &'a Guard,
    turns: Vec<Turn>,
    speakers: Vec<String>,
    notes: Vec<String>,
}

impl Writer<'_> {
    /// The name on one line; a blank or endless one is nobody's.
    fn speaker(&mut self, name: &str) -> Option<String> {
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || name.chars().count() > LONGEST_NAME {
            return None;
        }
        if !self.speakers.contains(&name) && self.speakers.len() < 1000 {
            self.speakers.push(name.clone());
        }
        Some(name)
    }

    /// Adds what a line says, if it says anything.
    fn say(&mut self, speaker: Option<&str>, start_ms: Option<u64>, line: &str) -> Result<(), ReadError> {
        let text = line.trim();
        if !text.is_empty() {
            self.turns.push(Turn { speaker: speaker.map(str::to_owned), start_ms, text: text.to_owned() });
            self.guard.entries(self.turns.len())?;
            self.guard.time()?;
        }
        Ok(())
    }
}
