//! Lines that begin with a name and a colon: `Name: text`, `[00:01:12] Name: text`, `Name (1:12): text`.

use std::collections::BTreeMap;

use super::{
    TranscriptShape,
    clock::clock,
    talk::{Line, Names, Talk, Writer},
};

/// The longest name at the start of a line.
const LONGEST: usize = 60;

/// Small words inside names.
const PARTICLES: &str = include_str!("particles.txt");

/// A name at the start of a line.
pub(super) struct Label<'a> {
    /// The name.
    pub(super) name: &'a str,
    /// The time beside it.
    pub(super) at_ms: Option<u64>,
    /// What follows.
    pub(super) rest: Line<'a>,
}

impl<'a> Label<'a> {
    /// What may be a name at the start of a line; the caller decides whether to believe it.
    pub(super) fn of(line: Line<'a>) -> Option<Self> {
        let line = line.trim();
        let (before, from) = leading_time(line.text);
        let head = line.text.get(from..)?;
        // A colon inside a word or a time, as in 10:30 or https://, ends no name.
        let colons = head.char_indices().take(LONGEST + 20).filter(|(_, letter)| *letter == ':');
        let colon = colons.map(|(at, _)| at).find(|at| {
            head.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
        })?;
        let (name, after) = trailing_time(head.get(..colon)?);
        let name = name.trim();
        let rest = line.part(from + colon + 1, line.text.len());
        looks_like_name(name).then_some(Self { name, at_ms: before.or(after), rest })
    }

    /// Whether the name needs no second occurrence to be believed.
    pub(super) fn is_credible(&self, names: &Names<'_>) -> bool {
        self.name.split_whitespace().count() >= 2 || (names.role)(self.name)
    }
}

/// `[00:01:12]`, `(1:12)` or `1:12` at the start, and where the text goes on.
fn leading_time(text: &str) -> (Option<u64>, usize) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    match clock(word.trim_matches(['[', ']', '(', ')', '-'])) {
        Some(time) => (Some(time), text.len() - rest.trim_start().len()),
        None => (None, 0),
    }
}

/// A name and the time in brackets after it.
fn trailing_time(text: &str) -> (&str, Option<u64>) {
    let text = text.trim_end();
    let (name, word) = text.rsplit_once(char::is_whitespace).unwrap_or(("", text));
    match clock(word.trim_matches(['[', ']', '(', ')'])) {
        Some(time) if !name.trim().is_empty() => (name, Some(time)),
        Some(_) | None => (text, None),
    }
}

/// The names that begin lines of a text.
pub(super) struct Labels<'a> {
    names: BTreeMap<&'a str, usize>,
    /// Where names come with times, a name without one is a word of the speech.
    timed: bool,
}

impl<'a> Labels<'a> {
    pub(super) fn find(lines: &[Line<'a>], known: &Names<'_>) -> Self {
        let found: Vec<Label<'a>> = lines.iter().filter_map(|line| Label::of(*line)).collect();
        let timed = found.iter().filter(|label| label.at_ms.is_some()).count() >= 2;
        let mut names: BTreeMap<&'a str, usize> = BTreeMap::new();
        for label in found.iter().filter(|label| !timed || label.at_ms.is_some()) {
            *names.entry(label.name).or_default() += 1;
        }
        names.retain(|name, count| timed || *count >= 2 || (known.role)(name) || (known.known)(name));
        Self { names, timed }
    }

    /// How many lines begin with a name.
    pub(super) fn count(&self) -> usize {
        self.names.values().sum()
    }

    pub(super) fn read(&self, lines: &[Line<'a>], names: &Names<'_>) -> Talk {
        let mut writer = Writer::new(TranscriptShape::Labelled);
        let mut current = (None, None);
        for line in lines {
            let label = Label::of(*line)
                .filter(|label| !self.timed || label.at_ms.is_some())
                .filter(|label| self.names.contains_key(label.name));
            match label {
                Some(label) => {
                    current = (writer.speaker(label.name), label.at_ms);
                    writer.say(current.0, current.1, label.rest);
                }
                None if (names.service)(line.text) => {
                    writer.leave_out("not part of the talk", line.text);
                    current = (None, None);
                }
                None => writer.say(current.0, current.1, *line),
            }
        }
        writer.talk
    }
}

/// Whether a text is written as a name is: few words, each with a capital letter, and no end of a sentence.
pub(super) fn looks_like_name(text: &str) -> bool {
    let text = text.trim();
    if text.is_empty() || text.len() > 4 * LONGEST || text.chars().count() > LONGEST {
        return false;
    }
    if text.contains('@') && !text.contains(char::is_whitespace) {
        return true;
    }
    let bare = text.split(['(', '[', '|']).next().unwrap_or_default().trim();
    let words: Vec<&str> = bare.split_whitespace().collect();
    let stop = ['?', '!', ';', ':', '"', '“', '”', '<', '>', '=', '…'];
    let ends_sentence = bare.ends_with('.') && words.last().is_none_or(|word| word.chars().count() > 3);
    let capital = |word: &str| {
        word.chars().find(|letter| letter.is_alphanumeric()).is_some_and(|letter| !letter.is_lowercase())
    };
    (1..=6).contains(&words.len())
        && !bare.contains(stop)
        && !ends_sentence
        && bare.chars().any(char::is_alphabetic)
        && words.iter().all(|word| capital(word) || PARTICLES.lines().any(|particle| particle == *word))
}
