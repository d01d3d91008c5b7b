//! Blocks under `Speaker   m:ss`: what Teams writes into a document today, and what is pasted from one.

use std::collections::BTreeMap;

use super::{
    Line, Shape, Transcript, Writer,
    clock::clock,
    label::{is_known, is_service, looks_like_name},
};
use crate::candidate::names::NameParts;

/// A line that may be a header.
#[derive(Clone, Copy)]
struct Header<'a> {
    name: &'a str,
    at_ms: u64,
    /// Name and time stand apart, as Teams writes them; speech has one blank.
    wide: bool,
}

/// The headers of this text.
pub(super) struct Headers<'a> {
    at: BTreeMap<usize, Header<'a>>,
}

impl<'a> Headers<'a> {
    pub(super) fn find(lines: &[Line<'a>], known: &[&str]) -> Self {
        let mut at: BTreeMap<usize, Header<'a>> =
            lines.iter().enumerate().filter_map(|(at, line)| Some((at, header(line.text)?))).collect();
        // Pasting may shrink the blanks, but then everywhere.
        let wide = at.values().any(|header| header.wide && looks_like_name(header.name));
        at.retain(|_, header| header.wide == wide);
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for header in at.values() {
            *counts.entry(header.name).or_default() += 1;
        }
        let known: Vec<NameParts> = known.iter().map(|name| NameParts::of(name)).collect();
        at.retain(|_, header| {
            let often = counts.get(header.name).is_some_and(|count| *count >= 2);
            let named = looks_like_name(header.name);
            if wide {
                named || (often && header.name.split_whitespace().count() <= 3)
            } else {
                named && (often || is_known(header.name, &known))
            }
        });
        Self { at }
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.at.len()
    }

    /// What stands above the first header is the title and the date of the meeting, not speech.
    pub(super) fn read(&self, lines: &[Line<'a>]) -> Transcript {
        let mut writer = Writer::new(Shape::Headed);
        let mut current = None;
        for (at, line) in lines.iter().enumerate() {
            if let Some(header) = self.at.get(&at) {
                current = Some((writer.speaker(header.name), header.at_ms));
            } else if is_service(line.text) {
                current = None;
            } else if let Some((speaker, at_ms)) = current {
                writer.say(speaker, Some(at_ms), *line);
            }
        }
        writer.transcript
    }
}

fn header(line: &str) -> Option<Header<'_>> {
    let line = line.trim();
    if line.len() > 400 {
        return None;
    }
    let (before, word) = line.rsplit_once(char::is_whitespace)?;
    let at_ms = clock(word)?;
    let name = before.trim_end();
    let gap = line.get(name.len()..).unwrap_or_default();
    let wide = gap.starts_with('\t') || gap.chars().take_while(|letter| letter.is_whitespace()).count() >= 2;
    (!name.is_empty()).then_some(Header { name, at_ms, wide })
}
