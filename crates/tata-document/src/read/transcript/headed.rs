//! Blocks under `Name   m:ss`: what Teams writes into a Word file today, and what is pasted from one.

use std::collections::BTreeMap;

use super::{
    TranscriptShape,
    clock::clock,
    label::looks_like_name,
    talk::{Line, Names, Talk, Writer},
};

/// A line that may be a header.
#[derive(Clone, Copy)]
struct Header<'a> {
    name: &'a str,
    at_ms: u64,
    /// Name and time stand apart, as Teams writes them; speech has one blank.
    wide: bool,
}

/// The headers of a text.
pub(super) struct Headers<'a> {
    at: BTreeMap<usize, Header<'a>>,
    names: BTreeMap<&'a str, usize>,
}

impl<'a> Headers<'a> {
    pub(super) fn find(lines: &[Line<'a>], known: &Names<'_>) -> Self {
        let mut at: BTreeMap<usize, Header<'a>> =
            lines.iter().enumerate().filter_map(|(at, line)| Some((at, header(line.text)?))).collect();
        // Pasting may shrink the blanks, but then everywhere.
        let wide = at.values().any(|header| header.wide && looks_like_name(header.name));
        at.retain(|_, header| header.wide == wide);
        let mut names: BTreeMap<&str, usize> = BTreeMap::new();
        for header in at.values() {
            *names.entry(header.name).or_default() += 1;
        }
        names.retain(|name, count| {
            let (often, credible) = (*count >= 2, looks_like_name(name));
            if wide {
                credible || (often && name.split_whitespace().count() <= 3)
            } else {
                credible && (often || (known.known)(name))
            }
        });
        at.retain(|_, header| names.contains_key(header.name));
        Self { at, names }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.at.len()
    }

    /// What stands above the first header is the title and the date of the meeting, not speech.
    pub(super) fn read(&self, lines: &[Line<'a>], names: &Names<'_>) -> Talk {
        let mut writer = Writer::new(TranscriptShape::CurrentWord);
        let mut current = None;
        for (at, line) in lines.iter().enumerate() {
            if let Some(header) = self.at.get(&at) {
                current = Some((writer.speaker(header.name), header.at_ms));
            } else if (names.service)(line.text) || self.tells_of_transcription(line.text) {
                writer.leave_out("not part of the talk", line.text);
                current = None;
            } else if let Some((speaker, at_ms)) = current {
                writer.say(speaker, Some(at_ms), *line);
            } else {
                writer.leave_out("above the talk", line.text);
            }
        }
        writer.talk
    }

    /// `Name stopped transcription`, in whatever language: begun by somebody's name.
    fn tells_of_transcription(&self, line: &str) -> bool {
        let line = line.trim();
        let small = line.to_lowercase();
        let words = line.split_whitespace().count();
        (2..=10).contains(&words)
            && !line.ends_with(['.', '?', '!'])
            && ["transcri", "transkri", "transskri"].iter().any(|stem| small.contains(stem))
            && self.names.keys().any(|name| line.starts_with(name))
    }
}

fn header(line: &str) -> Option<Header<'_>> {
    let line = line.trim();
    if line.len() > 400 {
        return None;
    }
    let (before, time) = line.rsplit_once(char::is_whitespace)?;
    let at_ms = clock(time)?;
    let name = before.trim_end();
    let gap = line.get(name.len()..line.len() - time.len()).unwrap_or_default();
    let wide = gap.starts_with('\t') || gap.chars().count() >= 2;
    (!name.is_empty()).then_some(Header { name, at_ms, wide })
}
