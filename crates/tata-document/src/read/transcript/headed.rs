//! Blocks under `Name   m:ss`: what Teams writes into a Word file today.

use std::collections::BTreeMap;

use super::{TranscriptShape, Writer, clock::clock};
use crate::ReadError;

/// A name and a time.
pub(super) struct Header<'a> {
    name: &'a str,
    at_ms: u64,
}

/// The lines that are headers; nothing if there is none.
pub(super) fn headers<'a>(lines: &[&'a str]) -> Option<BTreeMap<usize, Header<'a>>> {
    let found: BTreeMap<usize, Header<'a>> =
        lines.iter().enumerate().filter_map(|(at, line)| Some((at, header(line)?))).collect();
    (!found.is_empty()).then_some(found)
}

/// Name and time stand apart by several blanks or a tab; in speech there is one.
fn header(line: &str) -> Option<Header<'_>> {
    let line = line.trim();
    if line.len() > 400 {
        return None;
    }
    let (before, time) = line.rsplit_once(char::is_whitespace)?;
    let at_ms = clock(time)?;
    let name = before.trim_end();
    let gap = line.get(name.len()..line.len() - time.len()).unwrap_or_default();
    let wide = gap.contains('\t') || gap.chars().count() >= 2;
    (wide && !name.is_empty() && name.split_whitespace().count() <= 8).then_some(Header { name, at_ms })
}

/// What stands above the first header is the title and the date of the meeting, not speech.
pub(super) fn read(
    lines: &[&str],
    headers: &BTreeMap<usize, Header<'_>>,
    writer: &mut Writer<'_>,
) -> Result<TranscriptShape, ReadError> {
    let last = lines.iter().rposition(|line| !line.trim().is_empty());
    let mut current: Option<(Option<String>, u64)> = None;
    for (at, line) in lines.iter().enumerate() {
        if let Some(header) = headers.get(&at) {
            current = Some((writer.speaker(header.name), header.at_ms));
        } else if is_service(line, Some(at) == last, headers) {
            writer.notes.push(format!("not part of the talk: {}", line.trim()));
        } else if let Some((speaker, at_ms)) = &current {
            writer.say(speaker.as_deref(), Some(*at_ms), line)?;
        } else if !line.trim().is_empty() && writer.notes.len() < 8 {
            writer
                .notes
                .push(format!("above the talk: {}", line.trim().chars().take(120).collect::<String>()));
        }
    }
    Ok(TranscriptShape::CurrentWord)
}

/// `Name stopped transcription`, in whatever language: at the end, or begun by somebody's name.
fn is_service(line: &str, is_last: bool, headers: &BTreeMap<usize, Header<'_>>) -> bool {
    let line = line.trim();
    let words = line.split_whitespace().count();
    let small = line.to_lowercase();
    let says = ["transcri", "transkri", "transskri"].iter().any(|stem| small.contains(stem));
    let named = || headers.values().any(|header| line.starts_with(header.name));
    says && (2..=10).contains(&words) && !line.ends_with(['.', '?', '!']) && (is_last || named())
}
