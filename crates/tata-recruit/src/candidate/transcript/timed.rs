//! Cues under a line with two times: `.vtt` of Teams and Stream, and the older document, whose cues name the speaker on
//! a line of its own.

use super::{Line, Shape, Transcript, Writer, clock::stamp, label::Label, looks_like_name};

/// What stands under one timing line.
struct Cue<'a> {
    at_ms: u64,
    lines: Vec<Line<'a>>,
    /// A voice was named and not closed yet.
    open: bool,
}

/// The start and end of a cue, if the line gives them.
pub(super) fn timing(line: &str) -> Option<(u64, u64)> {
    let (start, end) = line.split_once("-->")?;
    Some((stamp(start.trim())?, stamp(end.split_whitespace().next()?)?))
}

pub(super) fn read(lines: &[Line<'_>]) -> Transcript {
    let cues = cues(lines);
    let mut writer = Writer::new(Shape::Timed);
    if cues.iter().any(|cue| cue.lines.iter().any(|line| voice_tag(line.text).is_some())) {
        for cue in &cues {
            voices(cue, &mut writer);
        }
    } else if named_on_first_line(&cues) {
        for cue in &cues {
            let mut lines = cue.lines.iter();
            let speaker = lines.next().and_then(|line| writer.speaker(line.text));
            lines.for_each(|line| writer.say(speaker, Some(cue.at_ms), *line));
        }
    } else {
        // Some exports write the name into the text: `Name: text`.
        let labels: Vec<Option<Label<'_>>> =
            cues.iter().map(|cue| cue.lines.first().and_then(|line| Label::of(*line))).collect();
        let labelled = labels.iter().all(|label| label.as_ref().is_some_and(Label::is_credible));
        for (cue, label) in cues.iter().zip(labels) {
            let label = label.filter(|_| labelled);
            let speaker = label.as_ref().and_then(|label| writer.speaker(label.name));
            for (at, line) in cue.lines.iter().enumerate() {
                let line = label.as_ref().filter(|_| at == 0).map_or(*line, |label| label.rest);
                writer.say(speaker, Some(cue.at_ms), line);
            }
        }
    }
    writer.transcript
}

/// The cues without ids, notes and styles.
fn cues<'a>(lines: &[Line<'a>]) -> Vec<Cue<'a>> {
    let mut cues: Vec<Cue<'a>> = Vec::new();
    let (mut inside, mut skipping) = (false, false);
    for (at, line) in lines.iter().enumerate() {
        if let Some((at_ms, _)) = timing(line.text) {
            cues.push(Cue { at_ms, lines: Vec::new(), open: false });
            (inside, skipping) = (true, false);
            continue;
        }
        if line.is_blank() {
            (inside, skipping) = (false, false);
            continue;
        }
        let word = line.text.split_whitespace().next().unwrap_or_default();
        skipping |= !inside && matches!(word, "NOTE" | "STYLE" | "REGION");
        let before_timing = lines.get(at + 1).is_some_and(|next| timing(next.text).is_some());
        if skipping || is_id(line.text) || (!inside && before_timing) {
            continue;
        }
        if let Some(cue) = cues.last_mut() {
            // Speech after an empty line still belongs to a voice that nobody closed.
            if inside || cue.open {
                inside = true;
                cue.open = match (line.text.rfind("<v"), line.text.rfind("</v>")) {
                    (Some(opened), Some(closed)) => opened > closed,
                    (Some(_), None) => true,
                    (None, Some(_)) => false,
                    (None, None) => cue.open,
                };
                cue.lines.push(*line);
            }
        }
    }
    cues
}

/// Whether a line is the id of a cue: a GUID, with or without `/number-number`.
fn is_id(line: &str) -> bool {
    let guid = line.trim().split('/').next().unwrap_or_default();
    let groups: Vec<usize> = guid.split('-').map(str::len).take(6).collect();
    groups == [8, 4, 4, 4, 12] && guid.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
}

/// The name in the first `<v Name>` of a text.
fn voice_tag(text: &str) -> Option<&str> {
    let tag = text.get(text.find("<v ").or_else(|| text.find("<v."))?..)?;
    let name = tag.get(2..tag.find('>')?)?;
    // `<v.loud Name>`: the class is not the name.
    let name = if name.starts_with('.') { name.split_once(' ').map_or("", |(_, name)| name) } else { name };
    Some(name.trim())
}

/// Splits the text of a cue at its tags: each run of text is an utterance of the voice that is open.
fn voices(cue: &Cue<'_>, writer: &mut Writer) {
    let mut speaker = None;
    for line in &cue.lines {
        // The rest shrinks from tag to tag, so that a line full of tags is read once.
        let mut rest = *line;
        while let Some((open, close)) = tag(rest.text) {
            writer.say(speaker, Some(cue.at_ms), rest.part(0, open));
            let found = rest.text.get(open..close).unwrap_or_default();
            if let Some(name) = voice_tag(found) {
                speaker = writer.speaker(name);
            } else if found == "</v>" {
                speaker = None;
            }
            rest = rest.part(close, rest.text.len());
        }
        writer.say(speaker, Some(cue.at_ms), rest);
    }
}

/// Where the next tag stands.
fn tag(text: &str) -> Option<(usize, usize)> {
    let open = text.find('<')?;
    Some((open, open + text.get(open..)?.find('>')? + 1))
}

/// Whether every cue names its speaker before the text.
fn named_on_first_line(cues: &[Cue<'_>]) -> bool {
    let named = |cue: &Cue<'_>| {
        cue.lines.len() >= 2 && cue.lines.first().is_some_and(|line| looks_like_name(line.text))
    };
    let mut full = cues.iter().filter(|cue| !cue.lines.is_empty()).peekable();
    full.peek().is_some() && full.all(named)
}
