//! Transcripts of meetings, in the five shapes Teams and Stream write: who said what, and when.

mod clock;
mod headed;
mod label;
mod talk;
mod timed;

use serde::{Deserialize, Serialize};

use self::timed::{decoded, untagged};
pub use self::{
    clock::clock_text,
    talk::{Names, Talk, Utterance},
    timed::unescaped,
};
use crate::{Format, ReadError, Reading, limits::Guard, reading::BlockKind};

/// What somebody said.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Who, if the transcript says.
    pub speaker: Option<String>,
    /// When it began, in milliseconds from the start, if the transcript says.
    pub start_ms: Option<u64>,
    /// The words.
    pub text: String,
}

/// How a transcript is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TranscriptShape {
    /// `.vtt` with `<v Name>`, padded times or not.
    Voices,
    /// `.vtt` of the classic Stream: times and no speakers.
    Stream,
    /// An older Word file: a paragraph per cue with times, name and words.
    OlderWord,
    /// A current Word file: blocks under `Name   m:ss`.
    CurrentWord,
    /// Lines that begin with `Name:`.
    Labelled,
    /// Words without speakers.
    Unattributed,
}

/// A transcript that was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
                let time = turn.start_ms.map(clock_text).unwrap_or_default();
                match (name.is_empty(), time.is_empty()) {
                    (false, false) => out.push_str(&format!("{name}   {time}\n")),
                    (false, true) => out.push_str(&format!("{name}: ")),
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
    let text = text.replace('\0', "");
    let names = Names { known: &|_| false, role: &is_number, service: &|_| false };
    let talk = Talk::read(&text, &names);
    guard.time()?;
    let turns = turns(&text, &talk);
    guard.entries(turns.len())?;
    let Talk { shape, speakers, mut notes, .. } = talk;
    if speakers.is_empty() {
        notes.push("nobody is named: say who is who before anybody is rated".to_owned());
    } else if speakers.iter().any(|name| is_number(name)) {
        notes.push("somebody is named by a number only: say who is who".to_owned());
    }
    let unknown = turns.iter().filter(|turn| turn.speaker.is_none()).count();
    if unknown > 0 && !speakers.is_empty() {
        notes.push(format!("{unknown} of {} turns name no speaker", turns.len()));
    }
    Ok(Transcript { format, shape, turns, speakers, notes })
}

/// The words of each utterance; what one voice says in one cue is one turn.
fn turns(text: &str, talk: &Talk) -> Vec<Turn> {
    let cues = match talk.shape {
        TranscriptShape::Voices | TranscriptShape::Stream | TranscriptShape::OlderWord => true,
        TranscriptShape::CurrentWord | TranscriptShape::Labelled | TranscriptShape::Unattributed => false,
    };
    let mut turns: Vec<Turn> = Vec::new();
    let mut last = 0;
    for said in &talk.utterances {
        let (from, to) = said.bytes;
        let between = text.get(last..from).unwrap_or_default();
        let words = text.get(from..to).unwrap_or_default();
        match turns.last_mut() {
            Some(turn) if cues && !["-->", "<v", "</v"].iter().any(|mark| between.contains(mark)) => {
                turn.text.push_str(if untagged(between).contains(char::is_whitespace) { " " } else { "" });
                turn.text.push_str(words);
            }
            Some(_) | None => {
                let speaker = said.speaker.and_then(|at| talk.speakers.get(at)).cloned();
                turns.push(Turn { speaker, start_ms: said.at_ms, text: words.to_owned() });
            }
        }
        last = to;
    }
    match talk.shape {
        TranscriptShape::Voices | TranscriptShape::Stream => {
            for turn in &mut turns {
                decoded(&untagged(&turn.text)).trim().clone_into(&mut turn.text);
            }
        }
        // Only the head of a file without cues.
        TranscriptShape::Unattributed => turns.retain(|turn| !turn.text.starts_with("WEBVTT")),
        TranscriptShape::OlderWord | TranscriptShape::CurrentWord | TranscriptShape::Labelled => {}
    }
    turns.retain(|turn| !turn.text.is_empty());
    turns
}

/// `Speaker 1`, `Talare 2`: a word and a number.
fn is_number(name: &str) -> bool {
    let words: Vec<&str> = name.split_whitespace().collect();
    matches!(words.as_slice(), [word, number]
        if word.chars().all(char::is_alphabetic) && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}
