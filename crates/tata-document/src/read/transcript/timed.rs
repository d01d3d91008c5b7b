//! Cues under a line with two times: `.vtt` of Teams and of Stream, and the older Word file, whose cues name the speaker
//! on a line of its own.

use super::{TranscriptShape, Writer, clock::stamp};
use crate::ReadError;

/// What stands under one line of times.
struct Cue<'a> {
    start_ms: u64,
    lines: Vec<&'a str>,
    /// A voice was named and not closed yet.
    open: bool,
}

/// The start of a cue, if the line gives start and end.
pub(super) fn timing(line: &str) -> Option<u64> {
    let (start, end) = line.split_once("-->")?;
    stamp(end.split_whitespace().next()?)?;
    stamp(start.trim())
}

pub(super) fn read(lines: &[&str], writer: &mut Writer<'_>) -> Result<TranscriptShape, ReadError> {
    let broken = lines.iter().filter(|line| line.contains("-->") && timing(line).is_none()).count();
    if broken > 0 {
        writer.notes.push(format!("{broken} lines with times could not be read"));
    }
    let cues = cues(lines, writer)?;
    if cues.iter().any(|cue| cue.lines.iter().any(|line| voice(line).is_some())) {
        for cue in &cues {
            voices(cue, writer)?;
        }
        return Ok(TranscriptShape::Voices);
    }
    let is_vtt =
        lines.iter().take(3).any(|line| line.trim_start_matches('\u{feff}').trim().starts_with("WEBVTT"));
    let mut full = cues.iter().filter(|cue| !cue.lines.is_empty()).peekable();
    let named = |cue: &Cue<'_>| cue.lines.len() >= 2 && cue.lines.first().is_some_and(|line| is_name(line));
    if !is_vtt && full.peek().is_some() && full.all(named) {
        for cue in &cues {
            let mut words = cue.lines.iter();
            let speaker = words.next().and_then(|line| writer.speaker(line));
            let text = words.copied().collect::<Vec<_>>().join(" ");
            writer.say(speaker.as_deref(), Some(cue.start_ms), &text)?;
        }
        return Ok(TranscriptShape::OlderWord);
    }
    for cue in &cues {
        let text: Vec<String> = cue.lines.iter().map(|line| decoded(&untagged(line))).collect();
        writer.say(None, Some(cue.start_ms), &text.join(" "))?;
    }
    Ok(TranscriptShape::Stream)
}

/// The cues without ids, notes and styles.
fn cues<'a>(lines: &[&'a str], writer: &Writer<'_>) -> Result<Vec<Cue<'a>>, ReadError> {
    let mut cues: Vec<Cue<'a>> = Vec::new();
    let (mut inside, mut skipping) = (false, false);
    for (at, line) in lines.iter().enumerate() {
        if let Some(start_ms) = timing(line) {
            cues.push(Cue { start_ms, lines: Vec::new(), open: false });
            writer.guard.entries(cues.len())?;
            writer.guard.time()?;
            (inside, skipping) = (true, false);
            continue;
        }
        if line.trim().is_empty() {
            (inside, skipping) = (false, false);
            continue;
        }
        let word = line.split_whitespace().next().unwrap_or_default();
        skipping |= !inside && matches!(word, "NOTE" | "STYLE" | "REGION");
        let before_times = lines.get(at + 1).is_some_and(|next| timing(next).is_some());
        if skipping || is_id(line) || (!inside && before_times) || line.contains("-->") {
            continue;
        }
        if let Some(cue) = cues.last_mut() {
            // Words after an empty line still belong to a voice that nobody closed.
            if inside || cue.open {
                inside = true;
                cue.open = match (line.rfind("<v"), line.rfind("</v>")) {
                    (Some(opened), Some(closed)) => opened > closed,
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (None, None) => cue.open,
                };
                cue.lines.push(line);
            }
        }
    }
    Ok(cues)
}

/// A GUID, with or without `/number-number`.
fn is_id(line: &str) -> bool {
    let guid = line.trim().split('/').next().unwrap_or_default();
    let groups: Vec<usize> = guid.split('-').map(str::len).take(6).collect();
    groups == [8, 4, 4, 4, 12] && guid.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// A few words that begin with a capital letter and end no sentence.
fn is_name(line: &str) -> bool {
    let line = line.trim();
    (1..=8).contains(&line.split_whitespace().count())
        && line.chars().count() <= super::LONGEST_NAME
        && line.starts_with(|letter: char| letter.is_uppercase() || letter.is_numeric())
        && !line.ends_with(['.', '?', '!', ','])
}

/// The name in the first `<v Name>` or `<v.class Name>` of a text.
fn voice(text: &str) -> Option<&str> {
    let tag = text.get(text.find("<v ").or_else(|| text.find("<v."))?..)?;
    let name = tag.get(2..tag.find('>')?)?;
    let name = if name.starts_with('.') { name.split_once(' ').map_or("", |(_, name)| name) } else { name };
    Some(name.trim())
}

/// Where the next tag stands.
fn tag(text: &str) -> Option<(usize, usize)> {
    let open = text.find('<')?;
    Some((open, open + text.get(open..)?.find('>')? + 1))
}

/// The words of each voice of a cue, as one turn where they stand on several lines.
fn voices(cue: &Cue<'_>, writer: &mut Writer<'_>) -> Result<(), ReadError> {
    let mut speaker: Option<String> = None;
    let mut words = String::new();
    for line in &cue.lines {
        words.push(' ');
        let mut rest = *line;
        while let Some((open, close)) = tag(rest) {
            words.push_str(rest.get(..open).unwrap_or_default());
            let found = rest.get(open..close).unwrap_or_default();
            if found == "</v>" || voice(found).is_some() {
                writer.say(speaker.as_deref(), Some(cue.start_ms), &decoded(&words))?;
                words.clear();
                speaker = voice(found).map(decoded).and_then(|name| writer.speaker(&name));
            }
            rest = rest.get(close..).unwrap_or_default();
        }
        words.push_str(rest);
    }
    writer.say(speaker.as_deref(), Some(cue.start_ms), &decoded(&words))
}

fn untagged(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((open, close)) = tag(rest) {
        out.push_str(rest.get(..open).unwrap_or_default());
        rest = rest.get(close..).unwrap_or_default();
    }
    out + rest
}

/// The few entities that cues have, in one pass: `&amp;lt;` is `&lt;`.
fn decoded(text: &str) -> String {
    let known = [
        ("&amp;", "&"),
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&nbsp;", " "),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&lrm;", ""),
        ("&rlm;", ""),
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let found = known.iter().find_map(|(entity, sign)| Some((*sign, rest.strip_prefix(entity)?)));
        let (sign, after) = found.unwrap_or(("&", rest.get(1..).unwrap_or_default()));
        out.push_str(sign);
        rest = after;
    }
    out + rest
}
