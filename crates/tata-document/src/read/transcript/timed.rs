//! Cues under a line with two times: `.vtt` of Teams and of Stream, and the older Word file, whose cues name the speaker
//! on a line of its own.

use super::{
    TranscriptShape,
    clock::stamp,
    label::{Label, looks_like_name},
    talk::{Line, Names, Talk, Writer},
};

/// What stands under one line of times.
struct Cue<'a> {
    at_ms: u64,
    lines: Vec<Line<'a>>,
    /// A voice was named and not closed yet.
    open: bool,
}

/// The start of a cue, if the line gives start and end.
pub(super) fn timing(line: &str) -> Option<u64> {
    let (start, end) = line.split_once("-->")?;
    stamp(end.split_whitespace().next()?)?;
    stamp(start.trim())
}

pub(super) fn read(lines: &[Line<'_>], names: &Names<'_>) -> Talk {
    let cues = cues(lines);
    let mut writer = Writer::new(TranscriptShape::Stream);
    let broken = lines.iter().filter(|line| line.text.contains("-->") && timing(line.text).is_none()).count();
    if broken > 0 {
        writer.talk.notes.push(format!("{broken} lines with times could not be read"));
    }
    if cues.iter().flat_map(|cue| &cue.lines).any(|line| voice(line.text).is_some()) {
        writer.talk.shape = TranscriptShape::Voices;
        for cue in &cues {
            voices(cue, &mut writer);
        }
    } else if named_on_first_line(&cues) {
        writer.talk.shape = TranscriptShape::OlderWord;
        for cue in &cues {
            let mut lines = cue.lines.iter();
            let speaker = lines.next().and_then(|line| writer.speaker(line.text));
            lines.for_each(|line| writer.say(speaker, Some(cue.at_ms), *line));
        }
    } else {
        // Some exports write the name into the text: `Name: text`.
        let labels: Vec<Option<Label<'_>>> =
            cues.iter().map(|cue| cue.lines.first().and_then(|line| Label::of(*line))).collect();
        let labelled =
            labels.iter().all(|label| label.as_ref().is_some_and(|label| label.is_credible(names)));
        for (cue, label) in cues.iter().zip(labels) {
            let label = label.filter(|_| labelled);
            let speaker = label.as_ref().and_then(|label| writer.speaker(label.name));
            for (at, line) in cue.lines.iter().enumerate() {
                let line = label.as_ref().filter(|_| at == 0).map_or(*line, |label| label.rest);
                writer.say(speaker, Some(cue.at_ms), line);
            }
        }
    }
    writer.talk
}

/// Whether every cue names its speaker before the text.
fn named_on_first_line(cues: &[Cue<'_>]) -> bool {
    let named = |cue: &Cue<'_>| {
        cue.lines.len() >= 2 && cue.lines.first().is_some_and(|line| looks_like_name(line.text))
    };
    let mut full = cues.iter().filter(|cue| !cue.lines.is_empty()).peekable();
    full.peek().is_some() && full.all(named)
}

/// The cues without ids, notes and styles.
fn cues<'a>(lines: &[Line<'a>]) -> Vec<Cue<'a>> {
    let mut cues: Vec<Cue<'a>> = Vec::new();
    let (mut inside, mut skipping) = (false, false);
    for (at, line) in lines.iter().enumerate() {
        if let Some(at_ms) = timing(line.text) {
            cues.push(Cue { at_ms, lines: Vec::new(), open: false });
            (inside, skipping) = (true, false);
            continue;
        }
        if line.text.trim().is_empty() {
            (inside, skipping) = (false, false);
            continue;
        }
        let word = line.text.split_whitespace().next().unwrap_or_default();
        skipping |= !inside && matches!(word, "NOTE" | "STYLE" | "REGION");
        let before_times = lines.get(at + 1).is_some_and(|next| timing(next.text).is_some());
        if skipping || is_id(line.text) || (!inside && before_times) || line.text.contains("-->") {
            continue;
        }
        if let Some(cue) = cues.last_mut() {
            // Words after an empty line still belong to a voice that nobody closed.
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

/// A GUID, with or without `/number-number`.
fn is_id(line: &str) -> bool {
    let guid = line.trim().split('/').next().unwrap_or_default();
    let groups: Vec<usize> = guid.split('-').map(str::len).take(6).collect();
    groups == [8, 4, 4, 4, 12] && guid.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit())
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

/// Splits the text of a cue at its tags: each run of text is an utterance of the voice that is open.
fn voices(cue: &Cue<'_>, writer: &mut Writer) {
    let mut speaker = None;
    for line in &cue.lines {
        // The rest shrinks from tag to tag, so that a line full of tags is read once.
        let mut rest = *line;
        while let Some((open, close)) = tag(rest.text) {
            writer.say(speaker, Some(cue.at_ms), rest.part(0, open));
            let found = rest.text.get(open..close).unwrap_or_default();
            if found == "</v>" || voice(found).is_some() {
                speaker = voice(found).and_then(|name| writer.speaker(&decoded(name)));
            }
            rest = rest.part(close, rest.text.len());
        }
        writer.say(speaker, Some(cue.at_ms), rest);
    }
}

/// A text without its tags.
pub(super) fn untagged(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((open, close)) = tag(rest) {
        out.push_str(rest.get(..open).unwrap_or_default());
        rest = rest.get(close..).unwrap_or_default();
    }
    out + rest
}

/// The few entities that cues have.
const ENTITIES: [(&str, char); 8] = [
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&nbsp;", ' '),
    ("&quot;", '"'),
    ("&#39;", '\''),
    ("&lrm;", '\u{200e}'),
    ("&rlm;", '\u{200f}'),
];

/// The letters of a text, each with how many characters it takes there: `&amp;` is one letter of five.
pub fn unescaped(text: &str) -> impl Iterator<Item = (char, usize)> + '_ {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let entity = ENTITIES.iter().filter(|_| first == '&').find(|(entity, _)| rest.starts_with(entity));
        let (letter, length) =
            entity.map_or((first, first.len_utf8()), |(entity, letter)| (*letter, entity.len()));
        rest = rest.get(length..).unwrap_or_default();
        Some((letter, entity.map_or(1, |(entity, _)| entity.len())))
    })
}

/// The same as a text, without the marks that nobody sees.
pub(super) fn decoded(text: &str) -> String {
    let letters = unescaped(text).map(|(letter, _)| letter);
    letters.filter(|letter| !matches!(letter, '\u{200e}' | '\u{200f}')).collect()
}
